"""The playground: the engine for the browser, the rules as JSON, and a page with some positions answered beforehand."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

import belot_reference
import belot_site
import belot_spec
import belot_workshop
from belot_site import playground_deal, playground_engine, playground_table, playground_values
from belot_site.edition import Edition, site_words
from belot_site.library import SITE_FOLDER, Library
from belot_site.pages import Page
from belot_site.playground_cases import SHOWN_TOPICS, case_files, question_data, rests_on
from belot_site.questions import answers_of
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.files import read_bytes, read_text
from belot_spec.schemas import schema
from belot_spec.spec import Spec, default_spec
from belot_spec.variants import Option, resolved_settings
from belot_spec.whole_file import write_whole
from belot_workshop import impact
from belot_workshop.impact import players

FOLDER: Final = "playground"
# What Pyodide is made of; its maps and consoles are not needed.
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_EXAMPLES: Final = 4
_WITH_THE_ENGINE: Final = (
    belot_site, playground_engine, playground_deal, playground_table, playground_values,
    belot_workshop, impact, players,
)  # fmt: skip
_LONGEST_FILE: Final = 1 << 24
_HIGH_TO_LOW: Final = ("A", "K", "Q", "J", "10", "9", "8", "7")
_EPOCH: Final = (2026, 1, 1, 0, 0, 0)


def rules_as_json(spec: Spec) -> str:
    """Return the values of all variants and their options, and which rules matter beside which values."""
    variants: dict[str, Any] = {}
    for name in spec.playable():
        settings = resolved_settings(spec.variants[name], spec.variants)
        options = spec.options_of(name).values()
        variants[name] = {
            "settings": {rule: setting.value for rule, setting in settings.items()},
            "options": {
                option.id: {rule: setting.value for rule, setting in option.settings.items()} for option in options
            },
        }
    rules = spec.rules.values()
    told = {
        "needs": {rule.id: dict(rule.needs) for rule in rules},
        "values": {rule.id: rule.value_schema for rule in rules},
        "shared": schema("values")["$defs"],
        "forms": _forms(),
        "all": list(spec.variants),
        "variants": variants,
    }
    return json.dumps(told, separators=(",", ":"))


def _forms() -> dict[str, Any]:
    """Return the forms of the protocol's questions, and of what stands in them."""
    defined = schema("protocol-operations")["$defs"]
    forms = {name: one for name, one in defined.items() if not name.endswith("-result")}
    # What an operation is about is told by the page, in its language.
    return {name: {key: part for key, part in one.items() if key != "x-operation"} for name, one in forms.items()}


def engine_zip() -> bytes:
    """Return the engine's modules and what asks it, byte for byte the same for the same modules."""
    packages = [Path(str(package.__file__)).parent for package in (belot_spec, belot_reference)]
    files = {f"{folder.name}/{path.name}": path for folder in packages for path in sorted(folder.glob("*.py"))}
    for module in _WITH_THE_ENGINE:
        path = Path(str(module.__file__))
        depth = module.__name__.count(".") + (path.name == "__init__.py")
        files[path.relative_to(path.parents[depth]).as_posix()] = path
    return _zipped(files)


def yaml_zip() -> bytes:
    """Return the reader of YAML, with its licence: only who brings a file of his own needs it."""
    folder = Path(str(yaml.__file__)).parent
    files = {f"yaml/{path.name}": path for path in sorted(folder.glob("*.py"))}
    told = next(path for path in distribution("pyyaml").files or () if path.name == "LICENSE")
    return _zipped({**files, "yaml/LICENSE": Path(str(told.locate()))})


def _zipped(files: Mapping[str, Path]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, path in files.items():
            archive.writestr(ZipInfo(name, _EPOCH), read_bytes(path, _LONGEST_FILE), ZIP_DEFLATED)
    return packed.getvalue()


def pyodide_folder() -> Path | None:
    """Return where npm put Pyodide, if it did: the site is built without it as well, and its playground says so."""
    folder = SITE_FOLDER / "node_modules" / "pyodide"
    return folder if all((folder / name).is_file() for name in PYODIDE) else None


def write_engine(library: Library, site: Path) -> None:
    """Write what both languages share into the built site: the engine, the rules, and Pyodide if it is here."""
    target, pyodide = site / FOLDER, pyodide_folder()
    target.mkdir(parents=True, exist_ok=True)
    archives, rules = {"engine.zip": engine_zip(), "yaml.zip": yaml_zip()}, rules_as_json(library.spec)
    for name, packed in archives.items():
        (target / name).write_bytes(packed)
    write_whole(target / "rules.json", rules, durable=False)
    assets = SITE_FOLDER / "playground"
    shutil.copyfile(assets / "worker.js", target / "worker.js")
    version = hashlib.sha256(b"".join((*archives.values(), rules.encode(), read_bytes(assets / "worker.js"))))
    if pyodide is not None:
        for name in PYODIDE:
            shutil.copyfile(pyodide / name, target / name)
        version.update(read_bytes(pyodide / "package.json", _LONGEST_FILE))
    service = read_text(assets / "service-worker.js").replace("{version}", version.hexdigest()[:16])
    write_whole(site / "service-worker.js", service, durable=False)


def playground_pages(edition: Edition) -> Iterator[Page]:
    """Yield the page of the playground."""
    context = {"cards": [[rank + suit for rank in _HIGH_TO_LOW] for suit in SUITS], "suits": SUITS}
    front = {"hide": ["navigation", "toc"]}
    yield Page("try", "try.md", edition.word("try"), context, edition.word("try-lead"), front)


def playground_data(edition: Edition) -> dict[str, Any]:
    """Return what the page of the playground needs in one language."""
    library = edition.library
    return {
        "engine": pyodide_folder() is not None,
        "variants": {name: _variant(edition, name) for name in library.variants},
        "examples": {name: _examples(edition, name) for name in library.variants},
        "cards": {card: {"name": edition.card(card), "short": edition.short_card(card)} for card in CARD_NAMES},
        "suits": {suit: edition.suit(suit) for suit in SUITS},
        "rules": {rule.id: edition.text(rule.title) for rule in library.rules if rule.topic in SHOWN_TOPICS},
        "known": [rule.id for rule in library.rules],
        "words": _words(edition),
    }


def question_files(edition: Edition) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the page fetches when something is asked there: its names and data, from the folder of the page."""
    _know_rules()
    yield "questions.json", question_data(edition)
    yield from ((f"cases/{name}.json", cases) for name, cases in case_files(edition))


def _variant(edition: Edition, name: str) -> dict[str, Any]:
    library = edition.library
    rules = library.reference.ruleset(name)
    profile = library.profile(name)
    told = [rule for rule in library.rules if rule.topic in SHOWN_TOPICS]
    return {
        "name": edition.variant_name(name),
        "players": rules.players,
        "sides": rules.side_count,
        "side_of": rules.side_of,
        "hand": rules.hand_size,
        "anticlockwise": profile.value("presentation.direction") == "anticlockwise",
        "all": rules.points_in_deck(),
        "last": rules.value("scoring.last-trick"),
        "unit": profile.value("scoring.sheet-unit"),
        "rules": {rule.id: edition.sentence(rule.id, profile) for rule in told if rule.id in profile.settings},
        "rests": {rule.id: rests_on(profile.settings[rule.id]) for rule in told if rule.id in profile.settings},
        "options": {option.id: _option(edition, name, option) for option in library.spec.options_of(name).values()},
        "words": {key: text for key, text in _words(edition.at(name)).items() if text != _words(edition)[key]},
    }


def _words(edition: Edition) -> dict[str, str]:
    return {key.removeprefix("try-"): edition.word(key) for key in site_words() if key.startswith("try-")}


def _option(edition: Edition, variant: str, option: Option) -> dict[str, Any]:
    told = [rule for rule in edition.library.changed_by(variant, option) if rule.partition(".")[0] in SHOWN_TOPICS]
    return {
        "title": edition.at(variant).text(option.title),
        "rules": {rule: edition.stated(rule, f"{variant}+{option.id}") for rule in told},
        "rests": {rule: rests_on(option.settings[rule]) for rule in told if rule in option.settings},
    }


def _examples(edition: Edition, variant: str) -> list[dict[str, Any]]:
    """Return positions from the questions of a variant, with what every variant answers."""
    found = [one for one in answers_of(edition, variant) if one.case.operation == "legal-cards"]
    return [
        {
            "ask": edition.at(variant).text(one.question.ask),
            "case": one.case.id,
            "input": one.case.input,
            "found": answered(edition.library.variants, one.case.input),
        }
        for one in found[:_EXAMPLES]
    ]


def answered(variants: Iterable[str], position: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each variant answers to a position of ``legal-cards``, as the engine in the browser would."""
    _know_rules()
    asked = {key: position[key] for key in ("trump", "trick", "hand")}
    told: dict[str, Any] = json.loads(
        playground_engine.ask(json.dumps({"ask": "may", "profiles": list(variants), "input": asked}))
    )
    return told


@cache
def _know_rules() -> None:
    playground_engine.use_rules(rules_as_json(default_spec()))
