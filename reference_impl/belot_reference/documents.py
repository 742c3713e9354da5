"""Strict reading of YAML: every key once, no aliases, no tags, YAML 1.2 scalars, and a line for every key."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from belot_reference.errors import Problem, SpecError

KeyPath = tuple[str | int, ...]

MAX_BYTES: Final = 4_000_000
MAX_DEPTH: Final = 40

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER: Final = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_WORDS: Final[Mapping[str, bool | None]] = {
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
    "null": None, "Null": None, "NULL": None, "~": None, "": None,
}  # fmt: skip
_BRACKETS: Final = re.compile(r"[\[\]{}]|(?:- ){8,}|(?:\? ){8,}")
_PLAIN_TAGS: Final = "tag:yaml.org,2002:"
_UNTAGGED: Final = frozenset(
    _PLAIN_TAGS + kind for kind in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp", "merge", "value")
)


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file as plain values, with the line on which each key stands."""

    path: Path
    data: Any
    lines: Mapping[KeyPath, int]

    def line(self, key_path: Sequence[str | int]) -> int:
        """Return the line (from 1) of a key path, or of the nearest key above it."""
        found = tuple(key_path)
        while found and found not in self.lines:
            found = found[:-1]
        return self.lines.get(found, 1)

    def problem(self, key_path: Sequence[str | int], message: str) -> Problem:
        """Return a problem of this file at a key path."""
        return Problem(self.path, self.line(key_path), ".".join(str(part) for part in key_path), message)


def read_document(path: Path) -> Document:
    """Read one YAML file; raise ``SpecError`` naming the line for anything that strict YAML does not allow."""
    text = _read_text(path)
    _refuse_deep_nesting(path, text)
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise SpecError([Problem(path, line, "", f"this is not YAML: {error.problem or error.context}")]) from None
    except yaml.YAMLError as error:
        raise SpecError([Problem(path, 1, "", f"this is not YAML: {error}")]) from None
    if root is None:
        raise SpecError([Problem(path, 1, "", "the file is empty")])
    builder = _Builder(path)
    data = builder.value(root, ())
    if builder.problems:
        raise SpecError(builder.problems)
    return Document(path, data, builder.lines)


def _read_text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SpecError([Problem(path, 1, "", f"the file cannot be read: {error.strerror}")]) from None
    if len(raw) > MAX_BYTES:
        raise SpecError([Problem(path, 1, "", f"the file has {len(raw)} bytes; at most {MAX_BYTES} are read")])
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 (byte 0x{raw[error.start]:02x}); save it as UTF-8"
        raise SpecError([Problem(path, line, "", message)]) from None


def _refuse_deep_nesting(path: Path, text: str) -> None:
    """Refuse nesting that would exhaust the parser's stack before it could report anything."""
    depth = 0
    for match in _BRACKETS.finditer(text):
        token = match.group()
        if token in "]}":
            depth = max(0, depth - 1)
        else:
            depth += 1 if len(token) == 1 else len(token) // 2
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, match.start()) + 1
            raise SpecError([Problem(path, line, "", f"the nesting is deeper than {MAX_DEPTH} levels")])


class _Builder:
    """Turns composed nodes into plain values, noting lines and problems on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[KeyPath, int] = {}
        self.problems: list[Problem] = []
        self._seen: set[int] = set()

    def value(self, node: yaml.Node, at: KeyPath) -> Any:
        self.lines.setdefault(at, node.start_mark.line + 1)
        if id(node) in self._seen:
            self._report(node, at, "an alias (*) repeats this value; write it out, aliases are not allowed")
            return None
        self._seen.add(id(node))
        if node.tag not in _UNTAGGED:
            self._report(node, at, f"the tag {node.tag} is not allowed; write a plain value")
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*at, index)) for index, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        return _scalar(node)

    def _mapping(self, node: yaml.MappingNode, at: KeyPath) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or id(key_node) in self._seen:
                self._report(key_node, at, "a key must be plain text")
                continue
            self._seen.add(id(key_node))
            key = str(key_node.value)
            here = (*at, key)
            if key in result:
                first = self.lines[here]
                self._report(key_node, here, f"the key stands here a second time; it is already on line {first}")
                continue
            self.lines[here] = key_node.start_mark.line + 1
            result[key] = self.value(value_node, here)
        return result

    def _report(self, node: yaml.Node, at: KeyPath, message: str) -> None:
        key = ".".join(str(part) for part in at)
        self.problems.append(Problem(self.path, node.start_mark.line + 1, key, message))


def _scalar(node: yaml.ScalarNode) -> str | int | float | bool | None:
    """Resolve a scalar as YAML 1.2 does, so that ``no`` and ``1:30`` stay text."""
    text = str(node.value)
    if node.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text) if len(text) < 20 else text
    if _FLOAT.match(text):
        return float(text)
    return text
