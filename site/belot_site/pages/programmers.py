"""The programmers' pages, in English alone: protocol, operations, counting, library, rules as data, proof, guides."""

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import belot_reference
from belot_conformance.mistakes.killing import load_matrix
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.perft import PerftDeal, published, published_profiles
from belot_site.content.drawing import Pictures, figure, line
from belot_site.content.edition import SiteEdition
from belot_site.content.library import SITE_FOLDER, Library
from belot_site.content.positions import position
from belot_site.pages.cases import messages
from belot_site.pages.page import SitePage
from belot_site.playground.bundle import pyodide_folder
from belot_spec.card_names import CARD_NAMES
from belot_spec.data import schema, schema_files
from belot_spec.files import read_json, read_text
from belot_spec.whole_file import write_whole
from belot_spec.wording import sentence_text
from belot_workshop.mutants.judging import entry_for, load_equivalents
from belot_workshop.releases.address import address, filled_in

_ROOT: Final = SITE_FOLDER.parent
_PROTOCOL: Final = _ROOT / "conformance/PROTOCOL.md"
_DOCS: Final = _ROOT / "conformance/docs"
# The texts of the repository that are pages here as they stand, in the order of the menu.
_GUIDES: Final = {
    **{
        name: _DOCS / f"{name}.md"
        for name in (
            "checking", "options", "house-rules", "identify", "random-questions", "logs", "notation", "ci", "reading",
            "impact", "cluster", "reports", "architecture",
        )
    },
    "tables": _ROOT / "reference_impl/belot_kernel/TABLES.md",
    "versions": _ROOT / "spec/VERSIONING.md",
}  # fmt: skip
# What shows the library in use: recipes, and a notebook with what its cells gave.
_IN_USE: Final = ("cookbook.md", "notebook.ipynb")
# Where links of those texts and of the protocol lead on this site, from the root of a language.
_LINKS: Final = {
    "spec/schema": "programmers/schemas/",
    "spec/variants": "variants/",
    "spec/rules": "rules/",
    "conformance/PROTOCOL.md#operations": "programmers/operations/",
    "conformance/PROTOCOL.md": "programmers/protocol/",
    "conformance/docs/quick-start.md": "programmers/",
    "conformance/docs/perft.md": "programmers/counting/",
    "cases": "cases/",
    "README.md": "programmers/",
    "conformance/ledger/README.md": "programmers/programs/",
    **{f"conformance/docs/{name}.md": f"programmers/{name}/" for name in ("library", "proof")},
    **{path.relative_to(_ROOT).as_posix(): f"programmers/{name}/" for name, path in _GUIDES.items()},
    **{f"conformance/docs/{name}": f"programmers/{name.partition('.')[0]}/" for name in _IN_USE},
}
# The programs and files that the texts speak of, below the root of the site: no clone is needed to get one.
FILES: Final = "files"
EXAMPLES: Final = _ROOT / "conformance/examples"
_LINK: Final = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<to>[^)#:]+)(?P<heading>#[\w-]+)?\)")
_COMMENT: Final = re.compile(r"<!--.*?-->\n?")
_HEADING: Final = re.compile(r"^### (?P<name>[a-z-]+)$", re.MULTILINE)
_EXAMPLE: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What follows each first card is counted to this depth.
_DIVIDED: Final = 6
# Below the root of the site, for all languages: the rules of every profile.
_DATA: Final = "data"
_SAMPLE_RULES: Final = 3
# A game of contracts: its bids have numbers, and it is played without trumps and with all suits trumps too.
_CONTRACTS: Final = "coinche"
# ``belot_reference.view.View`` and ``pathlib.Path`` are shown by their last names.
_MODULE: Final = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")
_FIRST: Final = "Game"
_LINE: Final = 80


class ApiEntry(NamedTuple):
    """One name of the library: how it is written, its paragraphs, and the public members of a class."""

    name: str
    signature: str
    paragraphs: tuple[str, ...]
    members: tuple["ApiEntry", ...] = ()


def programmer_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the pages for programmers."""
    library = edition.library

    def page(name: str, context: Mapping[str, Any], description: str = "") -> SitePage:
        template, title = f"{name.replace('-', '_')}.md", edition.word(name)
        path = f"programmers/{name.removesuffix('-data')}"
        return SitePage(path, template, title, context, description)

    yield _guide(
        "programmers/index",
        _DOCS / "quick-start.md",
        "quick_start.md",
        wheel=address().wheel,
        version=address().version,
    )
    cases = {case.id: case for case in library.cases}
    mistakes = {**load_mistakes(), **load_faults()}
    yield page("mistakes", {"mistakes": mistakes, "faults": load_faults(), "cases": cases})
    yield _guide("programmers/protocol", _PROTOCOL, "protocol.md", edition.word("protocol"))
    yield page("operations", {"operations": {name: _operation(edition, name) for name in _operations(library)}})
    known = [variant for variant in library.variants if variant in published_profiles()]
    shown = [_counting(edition, variant, published(variant).deals[0]) for variant in known]
    yield page("counting", {"shown": shown, "deep": _DIVIDED})
    for guide, text in _GUIDES.items():
        yield _guide(f"programmers/{guide}", text, "logs.md" if guide == "logs" else "guide.md")
    tool = {"cards": CARD_NAMES, "engine": "1" if pyodide_folder() else ""}
    yield SitePage("programmers/judge", "judge.md", "Judge a log in this browser", tool, front={"hide": ["toc"]})
    _, told = _as_page(_DOCS / "library.md", SitePage("programmers/library", "library.md", "").to(""))
    (example,) = _EXAMPLE.findall(told)[:1]
    tasks = told.partition("## By task\n")[2].partition("## In turn")[0]
    yield page(
        "library",
        {"entries": api_entries(), "example": example, "tasks": tasks, "speed": told.partition("## How fast\n")[2]},
    )
    for name in _IN_USE:
        yield _guide(f"programmers/{name.partition('.')[0]}", _DOCS / name)
    yield page("schemas", {"schemas": [(path.name, read_json(path)["title"]) for path in schema_files()]})
    yield page("proof", _proof(library))
    first = rules_of(library, library.variants[0])
    sample = _as_yaml({**first, "rules": dict(list(first["rules"].items())[:_SAMPLE_RULES])})
    data = {"profiles": library.profiles, "folder": _DATA, "sample": sample}
    yield page("rules-data", data, edition.word("rules-data-lead"))


def _guide(path: str, text: Path, template: str = "guide.md", title: str = "", **more: str) -> SitePage:
    """Return a text of the repository as a page."""
    heading, body = _as_page(text, SitePage(path, template, "").to(""))
    return SitePage(path, template, title or heading, {"text": body, **more})


def _as_page(path: Path, up: str) -> tuple[str, str]:
    """Return the title of a text of the repository and the rest, with links that lead to pages of this site.

    ``up`` leads from the page to the root of its language. What is no page here is linked to in the repository; while
    that has no address, an example is to be had from this site, and anything else is no link.
    """
    place = address()
    text = _notebook(path) if path.suffix == ".ipynb" else read_text(path)
    title, body = filled_in(text, place).removeprefix("# ").split("\n", 1)

    def link(found: re.Match[str]) -> str:
        to = (path.parent / found["to"]).resolve().relative_to(_ROOT.resolve()).as_posix()
        for start, page in _LINKS.items():
            if start in (to, f"{to}{found['heading']}") or to.startswith(f"{start}/"):
                # A heading of a file in a folder is none of the page that stands for the folder.
                return f"[{found['text']}]({up}{page}{(to == start and found['heading']) or ''})"
        if not place.repository and (_ROOT / to).is_file() and EXAMPLES in (_ROOT / to).parents:
            own = (_ROOT / to).relative_to(EXAMPLES).as_posix()
            return f'<a href="{up}../{FILES}/{own}" download>{found["text"]}</a>'
        return f"[{found['text']}]({place.repository}/blob/main/{to})" if place.repository else found["text"]

    return title, _LINK.sub(link, _COMMENT.sub("", body))


def _notebook(path: Path) -> str:
    """Return a notebook as the text of a page: its cells, and what they gave as it stands there."""
    parts = []
    for cell in read_json(path)["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", ()):
            shown = output.get("data", {})
            drawn = "".join(shown.get("image/svg+xml", shown.get("text/html", ())))
            # Each picture brings its own cards; no two ids of a page may be one.
            drawn = re.sub(r'(\bid="|href="#)', rf"\g<1>cell-{len(parts)}-", drawn)
            parts.append(f"<div>{drawn}</div>" if drawn else f"```text\n{''.join(output['text']).rstrip()}\n```")
    return "\n\n".join(parts)


def _operations(library: Library) -> list[str]:
    """Return the operations in the order of the protocol."""
    named = _HEADING.findall(read_text(_PROTOCOL))
    asked = dict.fromkeys(case.operation for case in library.cases)
    return [*(name for name in named if name in asked), *(name for name in asked if name not in named)]


def _operation(edition: SiteEdition, name: str) -> dict[str, Any]:
    """Return the fields of an operation, with a case that has a result, one that is refused, and one of contracts.

    Each is the smallest that somebody worked out and in which no list is empty, such as the trick of who leads; that of
    contracts, where there is one, has what only such a game has.
    """
    own = [case for case in edition.library.cases if case.operation == name]
    cases = sorted(
        own, key=lambda case: (case.origin == "derived", [] in case.input.values(), len(str(case.input)), case.id)
    )
    found = [next((case for case in cases if case.expected[0].kind == kind), None) for kind in ("result", "rejected")]
    own_words = (case for case in cases if case.profile == _CONTRACTS and _tells_contract(case.input))
    found.append(next((case for case in own_words if case.expected[0].kind == "result" and case not in found), None))
    definitions = schema("protocol-operations")["$defs"]
    return {
        "input": _fields(definitions, f"{name}-input"),
        "result": _fields(definitions, f"{name}-result"),
        "examples": [(case, position(case, edition), *messages(case)) for case in found if case is not None],
        "cases": len(own),
    }


def _tells_contract(question: Mapping[str, Any]) -> bool:
    """Say whether a question has what only games of contracts have: a bid with a number, or a mode that is no suit."""
    return "bid" in question or "bids" in question or question.get("trump") in ("N", "A")


def _fields(definitions: Mapping[str, Any], name: str) -> list[tuple[str, bool]]:
    """Return the fields of a message and whether each must be there."""
    definition = definitions.get(name, {})
    if "$ref" in definition:
        definition = definitions[definition["$ref"].rsplit("/", 1)[-1]]
    required = definition.get("required", ())
    return [(field, field in required) for field in definition.get("properties", {})]


def _proof(library: Library) -> dict[str, Any]:
    """Return the figures about the cases, and per variant what became of its mutants if that is kept."""
    rows, entries = load_matrix().rows.values(), load_equivalents()
    mutants = {variant: Counter[str]() for variant in library.variants}
    for row in rows:
        fate = "noticed" if row.killed_by else "equivalent" if entry_for(row.mutant, entries) else "open"
        mutants[row.mutant.profile.variant][fate] += 1
    reasons = list(dict.fromkeys(entry.reason for entry in entries)) if rows else []
    return {"figures": library.figures, "mutants": mutants, "changes": len(rows), "reasons": reasons}


def _counting(edition: SiteEdition, variant: str, deal: PerftDeal) -> dict[str, Any]:
    """Return a deal of a variant as it is shown: drawn, as text to type in, and its numbers."""
    rules = edition.library.reference.ruleset(variant)
    plays, start = deal.start(rules)
    counts = {card: plays.count(plays.after(start, card), _DIVIDED - 1) for card in plays.legal(start)}
    held = {"piles": deal.piles} if deal.piles else {"hands": deal.hands}
    pictures = Pictures(rules, edition)
    hands = deal.hands or [[card for pile in own for card in pile] for own in deal.piles]
    rows = [pictures.plain_row(pictures.in_trick(seat, deal.leader), hand) for seat, hand in enumerate(hands)]
    return {
        "variant": variant,
        "drawn": figure(line(edition.word("trump"), edition.mode(deal.trump)), *rows),
        "typed": json.dumps({"trump": deal.trump, "leader": deal.leader, **held}, ensure_ascii=False),
        "counts": [edition.number(count) for count in deal.counts],
        "lasts": [(last.tricks, edition.number(last.count)) for last in deal.lasts],
        "firsts": [(edition.short_card(CARD_NAMES[card]), edition.number(count)) for card, count in counts.items()],
    }


def api_entries() -> list[ApiEntry]:
    """Return the names of the library, the game first, with what their docstrings say."""
    names = sorted(belot_reference.__all__, key=lambda name: (name != _FIRST, name))
    return [_entry(name, getattr(belot_reference, name)) for name in names]


def _entry(name: str, found: Any) -> ApiEntry:
    is_class = isinstance(found, type)
    signature = "" if is_class and issubclass(found, Exception) else _written(name, found)
    return ApiEntry(name, signature, _paragraphs(found), tuple(_members(name, found)) if is_class else ())


def _members(owner: str, found: type) -> Iterator[ApiEntry]:
    """Yield the public methods and properties of a class; its fields stand in its signature."""
    for name, member in vars(found).items():
        if name.startswith("_") or not (isinstance(member, property | classmethod) or inspect.isfunction(member)):
            continue
        if isinstance(member, property):
            signature = _short(f"{name}: {inspect.signature(member.fget).return_annotation}") if member.fget else name
        else:
            signature = _written(name, member.__func__ if isinstance(member, classmethod) else member)
        yield ApiEntry(f"{owner}.{name}", signature, _paragraphs(member))


def _written(name: str, found: Any) -> str:
    signature = inspect.signature(found)
    kept = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
    written = _short(f"{name}{signature.replace(parameters=kept)}").removesuffix(" -> None")
    if len(written) <= _LINE:
        return written
    listed = "".join(f"    {one},\n" for one in _listed(kept))
    return _short(f"{name}(\n{listed}){written.rpartition(')')[2]}")


def _listed(parameters: Iterable[inspect.Parameter]) -> Iterator[str]:
    """Yield parameters as they are written, with a star before the first of those that are given by name."""
    starred = False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        yield str(one)


def _short(text: str) -> str:
    """Return a signature without the names of modules, and without quotes around the names of classes."""
    return _MODULE.sub("", re.sub(r"'([A-Z]\w*)'", r"\1", re.sub(r"<class '([^']+)'>", r"\1", text)))


def _paragraphs(found: Any) -> tuple[str, ...]:
    text = inspect.getdoc(found) or ""
    return tuple(" ".join(part.split()).replace("``", "`") for part in text.split("\n\n"))


def rules_of(library: Library, name: str) -> dict[str, Any]:
    """Return the rules of a profile: of each its value, what it rests on, and its sentence by language."""
    profile, spec = library.profile(name), library.spec
    return {
        "profile": name,
        "name": profile.name.as_json(),
        "rules": {
            rule: {
                "value": setting.value,
                "status": setting.status,
                "cite": list(setting.cite),
                "ruling": setting.ruling,
                "says": sentence_text(spec.rules[rule], setting.value, spec.glossary, profile.settings).as_json(),
            }
            for rule, setting in profile.settings.items()
        },
    }


def _as_yaml(rules: dict[str, Any]) -> str:
    """Return the same as YAML, a rule a line: what JSON writes on one line is YAML as well."""
    head = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in rules.items() if key != "rules")
    lines = (f"  {rule}: {json.dumps(told, ensure_ascii=False)}\n" for rule, told in rules["rules"].items())
    return "".join([*head, "rules:\n", *lines])


def write_rules(library: Library, site: Path) -> None:
    """Write the rules of every variant and of it with each option into the built site, as JSON and YAML, and a list."""
    folder = site / _DATA
    folder.mkdir(parents=True, exist_ok=True)
    for name in (one for names in library.profiles.values() for one in names):
        rules = rules_of(library, name)
        write_whole(folder / f"{name}.json", json.dumps(rules, ensure_ascii=False, indent=1) + "\n", durable=False)
        write_whole(folder / f"{name}.yaml", _as_yaml(rules), durable=False)
    write_whole(folder / "index.json", json.dumps(library.profiles, indent=1) + "\n", durable=False)
