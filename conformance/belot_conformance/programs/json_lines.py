"""Strict reading and writing of recorded cases: JSON Lines, a header first, then one case a line."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from belot_spec.documents import Document, KeyPath
from belot_spec.errors import Problem, refuse
from belot_spec.files import TwiceError, read_text, strict_json
from belot_spec.whole_file import write_whole

SUFFIX: Final = ".jsonl"


def read_json_lines(path: Path) -> Document:
    """Read recorded cases as the document that a YAML file with the same cases would be.

    Raises ``SpecError`` with a problem for every line that is no JSON object with each key once.
    """
    lines = read_text(path).removesuffix("\n").split("\n")
    problems: list[Problem] = []
    header: dict[str, Any] = {}
    cases: list[Any] = []
    numbers: dict[KeyPath, int] = {(): 1, ("cases",): 2}
    for number, line in enumerate(lines, start=1):
        try:
            value = strict_json(line)
        except ValueError as error:
            problems.append(Problem(path, number, "", _fault(line, error)))
            continue
        if number == 1:
            header = value if isinstance(value, dict) else {}
            problems += _header_problems(path, value)
        else:
            numbers["cases", len(cases)] = number
            cases.append(value)
    refuse(problems)
    return Document(path, {**header, "cases": cases}, numbers)


def _fault(line: str, error: Exception) -> str:
    if not line.strip():
        return "the line is empty; each line holds one object"
    if isinstance(error, TwiceError):
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
    write_whole(path, "".join(lines))
