"""What stands in a browser in the place of compiled packages, of processes and of files of YAML, for judging a log.

The suite runs there as it is, but for these: ``orjson`` and ``jsonschema_rs`` are compiled, nothing may be started, and
PyYAML takes a minute for what ``bundle`` wrote as JSON beforehand. ``install`` comes before the suite is imported.
"""

import json
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

from belot_spec import files
from belot_spec.data import data_folder, schema_folder
from belot_spec.document import Document, Explanation
from belot_spec.errors import nearest
from belot_spec.files import read_bytes, read_json
from belot_spec.json_schema import checker, faults

SPEC: Final = "spec.pickle"
# Those that a record is held to, and what stands in it.
_SCHEMAS: Final = ("values", "protocol-operations")
# Where the page is told what is being done, and how much of it.
Progress = Callable[[str, int, int], object]


def install(tell: Progress) -> None:
    """Let these stand where the suite imports what there is not in a browser."""
    for name, values in stand_ins(tell).items():
        module = ModuleType(name)
        vars(module).update(values)
        sys.modules[name] = module


def stand_ins(tell: Progress) -> dict[str, dict[str, Any]]:
    """Return what stands in, by the name of its module: all that the suite imports from there."""
    return {
        "orjson": {
            "loads": _loads, "dumps": _dumps, "OPT_APPEND_NEWLINE": 1,
            "JSONDecodeError": json.JSONDecodeError, "JSONEncodeError": TypeError,
        },
        # What is JSON is YAML.
        "yaml": {"safe_dump": lambda value, **_: json.dumps(value, ensure_ascii=False)},
        "belot_spec.load.schemas": {
            "is_valid": is_valid, "explain": explain,
            "check_document": _nothing_wrong, "document_problems": _nothing_wrong,
        },
        "belot_spec.load.documents": {"read_document": _read, "read_text": read_text},
        "belot_spec.load.translations": {"read_translated": _read},
        "belot_spec.load.spec": {"load_spec": _load_spec},
        "belot_conformance.programs.process_pool": {"in_processes": _in_this_one},
        "belot_conformance.programs.progress": {
            "Advance": Callable[[int], None], "counting_bar": partial(_bar, tell), "waiting": partial(_waiting, tell),
            "unseen": _nothing_wrong,
        },
        "belot_conformance.text.template": dict.fromkeys(("filled", "plain_lines", "tell"), _not_here),
    }  # fmt: skip


def _loads(text: bytes | str) -> Any:
    try:
        return json.loads(text.decode() if isinstance(text, bytes) else text, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise json.JSONDecodeError("it is not UTF-8", "", error.start) from None


def _no_number(word: str) -> NoReturn:
    raise json.JSONDecodeError(f"{word} is no number of JSON", word, 0)


def _dumps(value: Any, option: int = 0) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" * option


@cache
def _shared() -> dict[str, Any]:
    """Return what the schemas of records refer to, by name: each is there once."""
    defined = (_file(name).get("$defs", {}) for name in _SCHEMAS)
    return {name: _asking(one) for some in defined for name, one in some.items()}


@cache
def _file(name: str) -> dict[str, Any]:
    read: dict[str, Any] = read_json(schema_folder() / f"{name}.schema.json")
    return read


def _asking(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without what asks nothing of a value."""
    return {key: value for key, value in schema.items() if key == "$ref" or (key[:1] != "$" and key[:2] != "x-")}


@cache
def _schema(name: str, definition: str | None) -> Mapping[str, Any]:
    if definition is not None:
        found: Mapping[str, Any] = _shared()[definition]
        return found
    return _asking(_file(name))


@cache
def _checker(name: str, definition: str | None) -> Callable[[Any], bool]:
    return checker(_schema(name, definition), _shared())


# What was looked at last, with what came of it: a search puts the same questions by many rules.
_SEEN: Final[dict[tuple[int, str | None], tuple[Any, bool]]] = {}
_MOST_SEEN: Final = 1000


def is_valid(instance: Any, name: str, definition: str | None = None) -> bool:
    """Say whether a value fits a schema, or one of the ``$defs``."""
    key = id(instance), definition
    if key not in _SEEN or _SEEN[key][0] is not instance:
        if len(_SEEN) >= _MOST_SEEN:
            _SEEN.clear()
        _SEEN[key] = instance, _checker(name, definition)(instance)
    return _SEEN[key][1]


def explain(instance: Any, name: str, definition: str | None = None) -> list[Explanation]:
    """Return (key path, message) for each way in which a value does not fit a schema."""
    found = faults(instance, _schema(name, definition), _shared())
    return [(tuple(one["place"].split(".")) if one["place"] else (), _told(one)) for one in found]


def _told(fault: Mapping[str, Any]) -> str:
    kind = fault["kind"]
    if kind == "missing-field":
        return f"the key {fault['key']} is missing"
    if kind == "unknown-field":
        near = fault["nearest"]
        return f"there is no such key: {fault['key']}{nearest(str(near), [near]) if near else ''}"
    shown = json.dumps(fault.get("value"), ensure_ascii=False)[:60]
    if kind == "listed":
        return f"must be one of {', '.join(map(str, fault['listed']))}, not {shown}"
    if sets := fault.get("fields"):
        return f"must have one of these: {', or '.join(' with '.join(one) for one in sets)}, and is {shown}"
    wanted = {"type": "of the kind ", "minimum": "at least ", "maximum": "at most "}.get(kind)
    return f"does not fit here: {shown}" if wanted is None else f"must be {wanted}{fault['wanted']}, not {shown}"


def _nothing_wrong(*_: object) -> tuple[()]:
    return ()


def _read(path: Path, most: int = files.MAX_OF_OURS) -> Document:
    return Document(path, read_json(path, most), {})


def read_text(path: Path, most: int = files.MAX_BYTES) -> str:
    """Return the text of a file."""
    return files.read_text(path, most)


def _load_spec() -> Any:
    # Written by this project's own build, beside the modules of its classes.
    return pickle.loads(read_bytes(data_folder() / SPEC, files.MAX_OF_OURS))


def _in_this_one(
    work: Callable[..., Any], shares: Iterable[Any], _: int = 1, make: Callable[[], object] | None = None
) -> Iterator[Any]:
    yield from map(work if make is None else partial(work, make()), shares)


@contextmanager
def _bar(tell: Progress, label: str, total: int) -> Iterator[Callable[[int], None]]:
    done = 0

    def advance(number: int) -> None:
        nonlocal done
        done += number
        tell(label, done, total)

    tell(label, 0, total)
    yield advance


@contextmanager
def _waiting(tell: Progress, label: str) -> Iterator[None]:
    tell(label, 0, 0)
    yield None


def _not_here(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError("pages of text are printed where the suite is installed")
