"""Strict reading and writing of recorded cases: JSON Lines, a header first, then one case a line."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from belot_spec.documents import MAX_BYTES, Document, KeyPath
from belot_spec.errors import Problem, SpecError

SUFFIX: Final = ".jsonl"


class _Twice(ValueError):
    """A key stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def read_json_lines(path: Path) -> Document:
    """Read recorded cases as the document that a YAML file with the same cases would be.

    Raises ``SpecError`` with a problem for every line that is no JSON object with each key once.
    """
    lines = _lines(path)
    problems: list[Problem] = []
    header: dict[str, Any] = {}
    cases: list[Any] = []
    numbers: dict[KeyPath, int] = {(): 1, ("cases",): 2}
    for number, line in enumerate(lines, start=1):
        try:
            value = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(path, number, "", _fault(line, error)))
            continue
        if number == 1:
            header = value if isinstance(value, dict) else {}
            problems += _header_problems(path, value)
        else:
            numbers["cases", len(cases)] = number
            cases.append(value)
    if problems:
        raise SpecError(problems)
    return Document(path, {**header, "cases": cases}, numbers)


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except OSError as error:
        raise SpecError([Problem(path, 1, "", f"the file cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SpecError([Problem(path, line, "", "the file is not UTF-8; save it as UTF-8")]) from None
    if len(raw) > MAX_BYTES:
        raise SpecError([Problem(path, 1, "", f"the file has {len(raw)} bytes; at most {MAX_BYTES} are read")])
    return text.removesuffix("\n").split("\n")


def _fault(line: str, error: Exception) -> str:
    if not line.strip():
        return "the line is empty; each line holds one object"
    if isinstance(error, _Twice):
        return f"the key {error} stands here twice"
    if isinstance(error, json.JSONDecodeError):
        return f"this is not JSON: {error.msg} at character {error.colno}"
    return f"this is not JSON: {error}"


def _header_problems(path: Path, header: Any) -> list[Problem]:
    if not isinstance(header, dict):
        return [Problem(path, 1, "", "the first line is an object with operation, profile, behaviour and why")]
    if "cases" in header:
        return [Problem(path, 1, "cases", "unknown key; the cases follow, one a line")]
    return []


def write_json_lines(path: Path, header: Mapping[str, Any], cases: Iterable[Mapping[str, Any]]) -> None:
    """Write a header and cases, one compact object a line."""
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in (header, *cases)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
