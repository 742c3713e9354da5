"""What the browser fetches to answer there, with Pyodide, and the addresses at which it shows a case."""

import ast
import hashlib
import json
import pickle
import shutil
from collections.abc import Mapping
from importlib.metadata import distribution
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlencode
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

import belot_conformance
import belot_reference
import belot_site
import belot_spec
from belot_conformance.mistakes.mutations import LIST
from belot_conformance.programs.published import program_files
from belot_conformance.programs.reference import Reference
from belot_conformance.situations import features
from belot_conformance.suite.cases import Case
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.operations import answer
from belot_reference.sentences import sentences_in
from belot_site import content, playground
from belot_site.content import motive
from belot_site.content.library import SITE_FOLDER, Library
from belot_site.playground import deal, engine, line, own_rules, sheet, stand_ins
from belot_site.playground.sheet import belote_worth, reads_outranked
from belot_spec import load
from belot_spec.card_names import SUITS
from belot_spec.data import ledger_folder, schema, schema_files
from belot_spec.files import read_bytes, read_text
from belot_spec.languages import FALLBACK
from belot_spec.load import documents
from belot_spec.load.spec import load_spec
from belot_spec.load.translations import read_translated
from belot_spec.spec import Spec
from belot_spec.variants import defaults_of, resolved_settings
from belot_spec.whole_file import write_whole
from belot_spec.words import words_file

FOLDER: Final = "playground"
# What Pyodide is made of; its maps and consoles are not needed.
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_WITH_THE_ENGINE: Final = (belot_site, content, motive, playground, engine, deal, line, own_rules, sheet)
_LONGEST_FILE: Final = 1 << 24
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
        "defaults": {rule: setting.value for rule, setting in defaults_of(spec.rules).items()},
        "values": {rule.id: rule.value_schema for rule in rules},
        "shared": schema("values")["$defs"],
        "forms": _forms(),
        "all": list(spec.variants),
        "sentences": sentences_in(lambda text: text.in_language(FALLBACK)),
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
    del files["belot_reference/rl.py"]  # needs numpy, which the page has not
    for module in _WITH_THE_ENGINE:
        path = Path(str(module.__file__))
        depth = module.__name__.count(".") + (path.name == "__init__.py")
        files[path.relative_to(path.parents[depth]).as_posix()] = path
    return _zipped(files)


def yaml_zip() -> bytes:
    """Return the reader of YAML, with its licence: only who brings a file of his own needs it."""
    folder = Path(str(yaml.__file__)).parent
    files = {f"yaml/{path.name}": path for path in sorted(folder.glob("*.py"))}
    files |= {f"belot_spec/load/{path.name}": path for path in (Path(str(one.__file__)) for one in (load, documents))}
    told = next(path for path in distribution("pyyaml").files or () if path.name == "LICENSE")
    return _zipped({**files, "yaml/LICENSE": Path(str(told.locate()))})


# Of the suite, what a log is judged with.
_SUITE: Final = (
    "", "contrast", "explain", "house_suite", "logs", "mistakes", "programs", "questions", "questions/operations",
    "reports", "rules", "situations", "suite", "text",
)  # fmt: skip
_DATA: Final = "belot_spec/_data"


def log_zip() -> bytes:
    """Return the suite and its data, with which a log is judged: what is YAML, as JSON, and the spec as it was read."""
    suite, own = Path(str(belot_conformance.__file__)).parent, Path(str(stand_ins.__file__))
    modules = {
        f"belot_conformance/{path.relative_to(suite).as_posix()}": path
        for folder in _SUITE
        for path in sorted((suite / folder).glob("*.py"))
    }
    modules |= {f"belot_site/playground/{name}.py": own.with_name(f"{name}.py") for name in ("log", "stand_ins")}
    modules["belot_spec/load/__init__.py"] = Path(str(load.__file__))
    modules |= {f"{_DATA}/spec/schema/{path.name}": path for path in schema_files()}
    ledger = {f"{_DATA}/ledger/{path.relative_to(ledger_folder()).as_posix()}": path for path in program_files()}
    texts = {
        f"{package.__name__}/words.yaml": words_file(package.__name__)
        for package in (belot_spec, belot_reference, belot_conformance)
    }
    lists = {f"belot_conformance/{path.relative_to(suite).as_posix()}": path for path in (LIST, features.FILE)}
    as_json = {
        name: json.dumps(read_translated(path).data).encode() for name, path in {**ledger, **texts, **lists}.items()
    }
    return _zipped(modules, {**as_json, f"{_DATA}/{stand_ins.SPEC}": _pickled(load_spec())})


class _WithoutPlaces(pickle.Pickler):
    """Writes paths without where they are on this machine."""

    def reducer_override(self, value: object) -> Any:
        return (PurePosixPath, (value.name,)) if isinstance(value, Path) else NotImplemented


def _pickled(spec: Spec) -> bytes:
    packed = BytesIO()
    _WithoutPlaces(packed, 5).dump(spec)
    return packed.getvalue()


_ARCHIVES: Final = {"engine.zip": engine_zip, "yaml.zip": yaml_zip, "log.zip": log_zip}
# What is fetched only where somebody judges a log.
_SELDOM: Final = ("log.zip", "log-worker.js")


def _zipped(files: Mapping[str, Path], texts: Mapping[str, bytes] | None = None) -> bytes:
    packed = BytesIO()
    read = {name: _terse(name, read_bytes(path, _LONGEST_FILE)) for name, path in files.items()}
    with ZipFile(packed, "w") as archive:
        for name, data in {**read, **(texts or {})}.items():
            archive.writestr(ZipInfo(name, _EPOCH), data, ZIP_DEFLATED)
    return packed.getvalue()


def _terse(name: str, source: bytes) -> bytes:
    """Return a module of ours without its comments and docstrings, which are a third of what a phone would fetch."""
    if not name.startswith("belot_") or not name.endswith(".py"):
        return source
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            # A dataclass without a docstring would make itself one when it is imported.
            instead = [ast.Expr(ast.Constant("-"))] if isinstance(node, ast.ClassDef) else []
            node.body = [*instead, *node.body[1:]] or [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree)).encode()


def pyodide_folder() -> Path | None:
    """Return where npm put Pyodide, if it did: the site is built without it as well, and its playground says so."""
    folder = SITE_FOLDER / "node_modules" / "pyodide"
    return folder if all((folder / name).is_file() for name in PYODIDE) else None


def engine_files() -> tuple[str, ...]:
    """Return what the page needs to answer; nothing where Pyodide is not here."""
    often = tuple(name for name in _ARCHIVES if name not in _SELDOM)
    return () if pyodide_folder() is None else ("worker.js", "rules.json", *often, *PYODIDE)


def write_engine(library: Library, site: Path) -> str:
    """Write what all languages share into the built site: the engine, the rules, and Pyodide if it is here.

    Return what tells this edition of the engine from others.
    """
    target, pyodide = site / FOLDER, pyodide_folder()
    target.mkdir(parents=True, exist_ok=True)
    archives, rules = {name: packed() for name, packed in _ARCHIVES.items()}, rules_as_json(library.spec)
    for name, packed in archives.items():
        (target / name).write_bytes(packed)
    write_whole(target / "rules.json", rules, durable=False)
    assets = SITE_FOLDER / "playground"
    workers = [assets / name for name in ("worker.js", "log-worker.js")]
    version = hashlib.sha256(b"".join((*archives.values(), rules.encode(), *map(read_bytes, workers))))
    if pyodide is not None:
        for name in PYODIDE:
            shutil.copyfile(pyodide / name, target / name)
        version.update(read_bytes(pyodide / "package.json", _LONGEST_FILE))
    told = version.hexdigest()[:16]
    for path in workers:
        write_whole(target / path.name, read_text(path).replace("{engine}", told), durable=False)
    return told


_KINDS: Final = ("cards", "tricks", "declarations")


# What people do in the playground to see a rule at work; what is decided before the first card is seen in a deal.
_TAB_OF_TOPIC: Final = {
    "play": "may",
    "declarations": "best",
    "scoring": "sheet",
    "match": "sheet",
    "penalties": "sheet",
}


def try_topic(topic: str) -> str:
    """Return the address, from the root of a language, at which the rules of a topic can be tried."""
    return f"try/?tab={_TAB_OF_TOPIC.get(topic, 'deal')}"


def try_address(case: Case, reference: Reference) -> str:
    """Return the address from the root of a language: the tab made for such questions, or the one for any."""
    told = _in_its_tab(case, reference) or {"tab": "ask"}
    named = case.profile
    query = {**told, "v": named.variant, **({"o": ",".join(named.options)} if named.options else {}), "case": case.id}
    return f"try/?{urlencode(query, safe=',')}"


def _in_its_tab(case: Case, reference: Reference) -> dict[str, str] | None:
    if case.expected[0].kind != "result":
        return None
    if case.operation == "score-deal":
        rules = reference.ruleset(case.profile)
        return _count(case.input, rules) if _is_in_the_form(case.input, rules) else None
    if case.operation == "legal-cards":
        return _may(case.input)
    if case.operation == "compare-hands":
        return _best(case.input)
    hands = _hands_of(case, reference) if case.operation in ("declarations", "compare-declarations") else None
    return _best(hands) if hands else None


def _is_in_the_form(question: Mapping[str, Any], rules: Ruleset) -> bool:
    """Say whether the form of a count has all of a deal: beaten declarations only where one side gets them."""
    sides = question["sides"]
    is_swept = sum(1 for side in sides if side["tricks"]) == 1
    return (is_swept and reads_outranked(rules)) or not any(side.get("outranked") for side in sides)


def _hands_of(case: Case, reference: Reference) -> Mapping[str, Any] | None:
    """Return hands that hold what a case announces, if whose declarations count comes out as the case says."""
    rules, expected = reference.ruleset(case.profile), case.expected[0].fields
    if case.operation == "declarations":
        hands = [case.input["hand"], *[[] for _ in range(rules.players - 1)]]
        wanted = {"points": [expected.get("best_points"), *[0] * (rules.players - 1)]}
    else:
        # A card that is in two of them is held once.
        hands = [list(dict.fromkeys(chain.from_iterable(sets))) for sets in case.input["announced"]]
        wanted = dict(expected)
    told = {"trump": SUITS[0], "leader": 0, "taker": 0, **case.input, "hands": hands}
    question = {key: told[key] for key in ("trump", "leader", "taker", "hands")}
    try:
        found = answer("compare-hands", rules, question, well_formed=True).result or {}
    except BadQuestionError:
        return None
    return question if all(found.get(key) == value for key, value in wanted.items()) else None


def _may(question: Mapping[str, Any]) -> dict[str, str]:
    return {
        "tab": "may",
        "t": question["trump"],
        "trick": ".".join(question["trick"]),
        "hand": ".".join(question["hand"]),
    }


def _best(question: Mapping[str, Any]) -> dict[str, str]:
    taker = {"took": str(question["taker"])} if "taker" in question else {}
    hands = {f"h{seat}": ".".join(hand) for seat, hand in enumerate(question["hands"])}
    return {"tab": "best", "t": question["trump"], "lead": str(question["leader"]), **taker, **hands}


def _count(question: Mapping[str, Any], rules: Ruleset) -> dict[str, str]:
    """Return the deal as the form tells it: of belote how many, of the rest the points."""
    sides, each = {}, belote_worth(rules) or 1
    for index, side in enumerate(question["sides"]):
        beaten = (side["outranked"],) if side.get("outranked") else ()
        told = (*(side.get(kind, 0) for kind in _KINDS), side.get("belote", 0) // each, *beaten)
        sides[f"s{index}"] = ".".join(map(str, told))
    contract = {key: str(question[name]) for key, name in _CONTRACT.items() if name in question}
    last = {"last": str(question["last_trick"])} if "last_trick" in question else {}
    return {"tab": "sheet", "taker": str(question["taker"]), **contract, **last, **sides}


# What a contract is told by, in the address and in a question.
_CONTRACT: Final = {"t": "trump", "bid": "bid", "raised": "raised"}
