"""Changing single values in a file of cases: everything else of the file stays, comments and layout too."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import yaml

from belot_conformance.suite.cases import SUFFIX, read_case_file
from belot_conformance.suite.judge import have_places, same
from belot_spec.errors import BelotError, SpecError
from belot_spec.files import read_text
from belot_spec.load.documents import parse_document, scalar
from belot_spec.whole_file import write_whole

Json = dict[str, Any]
# From one place in a text to another: what comes there.
_Edit = tuple[int, int, str]

_NO_LINE_BREAKS: Final = 10**9
_READERS: Final = (scalar, yaml.safe_load)
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z")


class CaseTextError(BelotError):
    """A file of cases is laid out in a way that cannot be changed line by line."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What becomes of one case: the keys that get another value, and those it is ``without`` afterwards.

    A key that is new stands behind ``origin``.
    """

    case: str
    values: Mapping[str, Any]
    without: tuple[str, ...] = ()

    def of(self, case: Json) -> Json:
        """Return the case as it is afterwards."""
        return {key: value for key, value in {**case, **self.values}.items() if key not in self.without}


def rewrite_file(path: Path, rewrites: Sequence[Rewrite]) -> None:
    """Rewrite cases in a file, whole or not at all.

    Raises ``CaseTextError`` if the file would not say what it should afterwards, and ``OSError``.
    """
    write_whole(path, rewritten(path, read_text(path), rewrites))


def rewritten(path: Path, text: str, rewrites: Sequence[Rewrite]) -> str:
    """Return the text of a file of cases with some cases rewritten; raises ``CaseTextError`` if that fails."""
    wanted = {one.case: one for one in rewrites}
    if path.suffix == SUFFIX:
        return _json_lines(text, wanted)
    found = _yaml(path, text, wanted)
    before = parse_document(path, text).data["cases"]
    intended = [wanted[case["id"]].of(case) if case["id"] in wanted else case for case in before]
    try:
        is_said = same(parse_document(path, found).data["cases"], intended)
    except SpecError:
        is_said = False
    if not is_said:
        raise CaseTextError(f"{path} cannot be changed line by line; change {', '.join(wanted)} by hand")
    return found


def _json_lines(text: str, wanted: Mapping[str, Rewrite]) -> str:
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], start=1):
        case = json.loads(line) if line else {}
        if case.get("id") in wanted:
            changed = wanted[case["id"]].of(case)
            lines[number] = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
    return "\n".join(lines)


def _yaml(path: Path, text: str, wanted: Mapping[str, Rewrite]) -> str:
    # The loader in Python counts characters; the one in C may count otherwise.
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    edits: list[_Edit] = []
    for node, case in zip(_value(root, "cases").value, parse_document(path, text).data["cases"], strict=True):
        if case["id"] not in wanted:
            continue
        edits += [_removal(node, key, text) for key in wanted[case["id"]].without if key in case]
        for key, value in wanted[case["id"]].values.items():
            if key in case:
                edits += _edits(_value(node, key), case[key], value, text)
            else:
                edits.append(_insertion(node, key, value, text))
    for start, end, new in sorted(edits, key=itemgetter(0), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _value(mapping: Any, key: str) -> Any:
    return next(value for name, value in mapping.value if name.value == key)


def _edits(node: Any, old: Any, new: Any, text: str) -> Iterator[_Edit]:
    """Yield the smallest edits that make one value another, so that the layout around them stays."""
    if same(old, new):
        return
    if isinstance(node, yaml.MappingNode) and isinstance(new, Mapping) and old.keys() == new.keys():
        for key, value in node.value:
            yield from _edits(value, old[key.value], new[key.value], text)
    elif isinstance(node, yaml.SequenceNode) and have_places(old, new):
        for item, before, after in zip(node.value, old, new, strict=True):
            yield from _edits(item, before, after, text)
    else:
        yield _replacement(node, new, text)


def _replacement(node: Any, new: Any, text: str) -> _Edit:
    start = node.start_mark.index
    above = text[:start].rstrip()
    # What stood below its key, in lines of its own, moves up beside it.
    if "\n" in text[len(above) : start] and above.endswith(":"):
        return (len(above), _end(node, text), f" {flow(new)}")
    return (start, _end(node, text), flow(new))


def _end(node: Any, text: str) -> int:
    """Return where the last character of a value stands; the parser counts what follows a block to the block."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _end(node.value[-1][1], text)
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _end(node.value[-1], text)
    end: int = node.end_mark.index
    return len(text[:end].rstrip()) if isinstance(node, yaml.ScalarNode) and node.style in (">", "|") else end


def _insertion(case: Any, key: str, value: Any, text: str) -> _Edit:
    name, origin = next((name, node) for name, node in case.value if name.value == "origin")
    if case.flow_style:
        return (_end(origin, text), _end(origin, text), f", {key}: {flow(value)}")
    line_end = text.find("\n", _end(origin, text))
    place = len(text) if line_end < 0 else line_end - (text[line_end - 1] == "\r")
    break_ = "\r\n" if "\r\n" in text else "\n"
    return (place, place, f"{break_}{' ' * name.start_mark.column}{key}: {flow(value)}")


def _removal(case: Any, key: str, text: str) -> _Edit:
    """Return the edit that takes a key away: with the comma before it, or the lines that it fills."""
    name, value = next((name, value) for name, value in case.value if name.value == key)
    start, end = name.start_mark.index, _end(value, text)
    if case.flow_style:
        return (text.rindex(",", 0, start), end, "")
    line_end = text.find("\n", end)
    return (text.rfind("\n", 0, start) + 1, len(text) if line_end < 0 else line_end + 1, "")


def flow(value: Any) -> str:
    """Return a value as YAML on one line: ``{cards: [9S, "9"]}``."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    # A text by YAML 1.2, as cases are read here, and by 1.1, as others may read them.
    if isinstance(value, str) and _PLAIN.match(value) and all(type(read(value)) is str for read in _READERS):
        return value
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(value: str) -> str:
    """Return a text as YAML in quotes, on one line."""
    dumped: str = yaml.safe_dump(str(value), default_style='"', allow_unicode=True, width=_NO_LINE_BREAKS)
    return dumped.strip()


def case_lines(paths: Iterable[Path]) -> Iterator[tuple[str, Path, Json]]:
    """Yield each case of some files as it is written: its id, its file and its keys."""
    for path in paths:
        yield from ((case["id"], path, case) for case in read_case_file(path).data["cases"])
