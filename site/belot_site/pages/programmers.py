"""The programmers' pages: quick start, protocol, operations, counting, library, schemas, reports, proof."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from belot_conformance.mistakes.killing import load_matrix
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.perft.deals import PerftDeal, published, published_profiles
from belot_conformance.suite.cases import Case
from belot_conformance.text.card_svg import card_svg
from belot_site.content.edition import SiteEdition, seat_letter
from belot_site.content.library import SITE_FOLDER, Library
from belot_site.pages.api import library_page
from belot_site.pages.cases import messages
from belot_site.pages.page import SitePage
from belot_site.pictures.drawing import figure, line
from belot_site.pictures.positions import position
from belot_spec.card_names import CARD_NAMES
from belot_spec.data import schema, schema_files
from belot_spec.files import read_json, read_text
from belot_workshop.mutants.judging import entry_for, load_equivalents
from belot_workshop.releases.address import address, filled_in

_MOST_EXAMPLES: Final = 2
_PROTOCOL: Final = SITE_FOLDER.parent / "conformance/PROTOCOL.md"
_DOCS: Final = SITE_FOLDER.parent / "conformance/docs"
# The texts of the repository that are pages here as they stand, in the order of the menu.
GUIDES: Final = (
    "checking",
    "house-rules",
    "identify",
    "random-questions",
    "logs",
    "notation",
    "ci",
    "reading",
    "impact",
    "reports",
    "architecture",
)
# Where links of those texts and of the protocol lead on this site, from the root of a language.
_LINKS: Final = {
    "spec/schema": "programmers/schemas/",
    "spec/variants": "variants/",
    "spec/rules": "rules/",
    "conformance/PROTOCOL.md": "programmers/protocol/",
    "conformance/docs/perft.md": "programmers/counting/",
    "conformance/docs/library.md": "programmers/library/",
    "cases": "cases/",
    "conformance/docs/proof.md": "programmers/proof/",
    **{f"conformance/docs/{guide}.md": f"programmers/{guide}/" for guide in GUIDES},
}
_LINK: Final = re.compile(r"(?<!!)\[(?P<said>[^\]]+)\]\((?P<to>[^)#:]+)(?P<heading>#[\w-]+)?\)")
_COMMENT: Final = re.compile(r"<!--.*?-->\n?")
_UP: Final = "../../"
_HEADING: Final = re.compile(r"^### (?P<name>[a-z-]+)$", re.MULTILINE)
# What follows each first card is told to so many cards.
_DIVIDED: Final = 6
_ROW: Final = Markup('<div class="row"><span class="label">{}</span><span class="cards">{}</span></div>')


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A deal of a variant as it is shown: drawn, as text to type in, and its numbers."""

    variant: str
    drawn: Markup
    typed: str
    counts: Sequence[str]
    lasts: Sequence[tuple[int, str]]
    firsts: Sequence[tuple[str, str]]


def programmer_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the pages for programmers."""
    library = edition.library
    yield _guide(edition, "programmers/index", _DOCS / "quick-start.md")
    cases = {case.id: case for case in library.cases}
    mistakes = {"mistakes": {**load_mistakes(), **load_faults()}, "faults": load_faults(), "cases": cases}
    yield SitePage("programmers/mistakes", "mistakes.md", edition.word("mistakes"), mistakes)
    title = edition.word("protocol")
    yield _guide(edition, "programmers/protocol", _PROTOCOL, "protocol.md", title)
    operations = {name: _operation(edition, name) for name in _operations(library)}
    yield SitePage("programmers/operations", "operations.md", edition.word("operations"), {"operations": operations})
    yield counting_page(edition)
    for guide in GUIDES:
        yield _guide(edition, f"programmers/{guide}", _DOCS / f"{guide}.md")
    title = edition.word("library")
    yield SitePage("programmers/library", f"{edition.language}/library.md", title, library_page(edition))
    schemas = [(path.name, read_json(path)["title"]) for path in schema_files()]
    yield SitePage("programmers/schemas", "schemas.md", edition.word("schemas"), {"schemas": schemas})
    yield SitePage("programmers/proof", f"{edition.language}/proof.md", edition.word("proof"), _proof(library))


def _guide(edition: SiteEdition, here: str, text: Path, template: str = "guide.md", title: str = "") -> SitePage:
    """Return a text of the repository as a page: in English, which pages of other languages say above it."""
    page = SitePage(here, template, "")
    heading, body = told_here(text, up=page.to(""))
    return replace(page, title=title or heading, context={"text": body, "is_own": edition.language == "en"})


def told_here(path: Path, up: str = _UP) -> tuple[str, str]:
    """Return the title of a text of the repository and the rest, with links that lead to pages of this site.

    ``up`` leads from the page to the root of its language. What is no page here is linked to in the repository, or is
    no link while that has no address.
    """
    place = address()
    title, body = filled_in(read_text(path), place).removeprefix("# ").split("\n", 1)
    root, repository = SITE_FOLDER.parent, place.repository

    def link(found: re.Match[str]) -> str:
        to = (path.parent / found["to"]).resolve().relative_to(root.resolve()).as_posix()
        for place, page in _LINKS.items():
            if to == place or to.startswith(f"{place}/"):
                return f"[{found['said']}]({up}{page}{found['heading'] or ''})"
        return f"[{found['said']}]({repository}/blob/main/{to})" if repository else found["said"]

    return title, _LINK.sub(link, _COMMENT.sub("", body))


def _operations(library: Library) -> list[str]:
    """Return the operations in the order in which the protocol tells them."""
    named = _HEADING.findall(read_text(_PROTOCOL))
    asked = dict.fromkeys(case.operation for case in library.cases)
    return [*(name for name in named if name in asked), *(name for name in asked if name not in named)]


def _operation(edition: SiteEdition, name: str) -> dict[str, Any]:
    examples = _examples(edition.library, name)
    definitions = schema("protocol-operations")["$defs"]
    return {
        "input": _fields(definitions, f"{name}-input"),
        "result": _fields(definitions, f"{name}-result"),
        "examples": [(case, position(case, edition), *messages(case)) for case in examples],
        "cases": sum(case.operation == name for case in edition.library.cases),
    }


def _examples(library: Library, name: str) -> list[Case]:
    """Return the smallest case that has a result, and the smallest that is refused if there is one."""
    cases = sorted(
        (case for case in library.cases if case.operation == name), key=lambda case: (len(str(case.input)), case.id)
    )
    found = [next((case for case in cases if case.expected[0].kind == kind), None) for kind in ("result", "rejected")]
    return [case for case in found if case is not None][:_MOST_EXAMPLES]


def _fields(definitions: Mapping[str, Any], name: str) -> list[tuple[str, bool]]:
    """Return the fields of a message and whether each must be there."""
    definition = definitions.get(name, {})
    if "$ref" in definition:
        definition = definitions[definition["$ref"].rsplit("/", 1)[-1]]
    required = definition.get("required", ())
    return [(field, field in required) for field in definition.get("properties", {})]


def _proof(library: Library) -> dict[str, Any]:
    """Return the figures about the cases, and per variant what became of its changed rules if that is kept."""
    rows, entries = load_matrix().rows.values(), load_equivalents()
    mutants = {variant: Counter[str]() for variant in library.variants}
    for row in rows:
        fate = "noticed" if row.killed_by else "equivalent" if entry_for(row.mutant, entries) else "open"
        mutants[row.mutant.profile.variant][fate] += 1
    reasons = list(dict.fromkeys(entry.reason for entry in entries)) if rows else []
    return {"figures": library.figures, "mutants": mutants, "changes": len(rows), "reasons": reasons}


def counting_page(edition: SiteEdition) -> SitePage:
    """Return the page that says how to check a program by one number, with the first deal of each variant."""
    known = published_profiles()
    shown = [
        _counting(edition, variant, published(variant).deals[0])
        for variant in edition.library.variants
        if variant in known
    ]
    title, context = edition.word("counting"), {"shown": shown, "deep": _DIVIDED}
    return SitePage("programmers/counting", f"{edition.language}/counting.md", title, context)


def _counting(edition: SiteEdition, variant: str, deal: PerftDeal) -> CountedDeal:
    plays, start = deal.start(edition.library.reference.ruleset(variant))
    firsts = [
        (edition.short_card(CARD_NAMES[card]), edition.number(plays.count(plays.after(start, card), _DIVIDED - 1)))
        for card in plays.legal(start)
    ]
    held = {"piles": deal.piles} if deal.piles else {"hands": deal.hands}
    return CountedDeal(
        variant,
        _drawn(edition, deal),
        json.dumps({"trump": deal.trump, "leader": deal.leader, **held}, ensure_ascii=False),
        [edition.number(count) for count in deal.counts],
        [(last.tricks, edition.number(last.count)) for last in deal.lasts],
        firsts,
    )


def _drawn(edition: SiteEdition, deal: PerftDeal) -> Markup:
    rows = [line(edition.word("trump"), edition.mode(deal.trump))]
    for seat in range(len(deal.hands or deal.piles)):
        who = edition.word("player", n=seat_letter(seat))
        label = f"{who} {edition.word('leads')}" if seat == deal.leader else who
        cards = deal.hands[seat] if deal.hands else [card for pile in deal.piles[seat] for card in pile]
        drawn = Markup("").join(Markup(card_svg(card, edition.language)) for card in cards)
        rows.append(_ROW.format(label, drawn))
    return figure(*rows)
