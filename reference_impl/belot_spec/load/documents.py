"""Strict reading of YAML: every key once, no aliases, no tags, YAML 1.2 scalars, and a line for every key."""

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml

from belot_spec import files
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, SpecError

MAX_DEPTH: Final = 40

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER: Final = re.compile(r"[-+]?[0-9]+\Z")
_OTHER_BASE: Final = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_NUMBER: Final = 20
_WORDS: Final[Mapping[str, bool | None]] = {
    "true": True, "True": True, "TRUE": True,
    "false": False, "False": False, "FALSE": False,
    "null": None, "Null": None, "NULL": None, "~": None, "": None,
}  # fmt: skip
_MENDING: Final[Mapping[str, str]] = {
    "did not find expected ',' or ']'": (
        "the list that this [ opens does not end well; look for a missing ] or comma, or a text that needs quotes"
    ),
    "did not find expected ',' or '}'": (
        "the mapping that this { opens does not end well; look for a missing } or comma, or a text that needs quotes"
    ),
    "found unexpected end of stream": "the quotation mark that opens here is not closed",
    "could not find expected ':'": "a colon is missing after this key",
}
_MENDING_HERE: Final[Mapping[str, str]] = {
    "did not find expected key": "a key is expected here; check the indentation, or put a text with { or [ in quotes",
    "did not find expected '-' indicator": "an item of a list is expected here; check the indentation",
    "mapping values are not allowed in this context": (
        "a colon cannot stand here; check the indentation, or put a text with a colon in quotes"
    ),
}


def read_document(path: Path, most: int = files.MAX_BYTES) -> Document:
    """Read one YAML file; raise ``SpecError`` naming the line for anything that strict YAML does not allow."""
    return parse_document(path, read_text(path, most))


def parse_document(path: Path, text: str) -> Document:
    """Read the text of one YAML file, as ``read_document`` does; ``path`` is where it stands or will stand."""
    builder = _Builder(path, text)
    try:
        data = builder.document()
    except yaml.MarkedYAMLError as error:
        raise SpecError([_syntax_problem(path, text, error)]) from None
    except yaml.YAMLError as error:
        raise SpecError([Problem(path, 1, "", f"this is not YAML: {error}")]) from None
    if builder.problems:
        raise SpecError(builder.problems)
    return Document(path, data, builder.lines)


def read_text(path: Path, most: int = files.MAX_BYTES) -> str:
    """Read the text of one file; raise ``SpecError`` for one that is missing, too large, or no clean UTF-8."""
    text = files.read_text(path, most)
    if forbidden := _FORBIDDEN.search(text):
        line = text.count("\n", 0, forbidden.start()) + 1
        message = f"the character U+{ord(forbidden.group()):04X} is not allowed in YAML"
        raise SpecError([Problem(path, line, "", message)])
    return text


def _syntax_problem(path: Path, text: str, error: yaml.MarkedYAMLError) -> Problem:
    """Say in plain words what the parser stumbled over, on the line where it can be mended."""
    here = error.problem_mark or error.context_mark
    opened = error.context_mark or here
    problem = error.problem or str(error)
    if "maximum nesting depth" in problem:  # libyaml 0.2.6 and later read ahead of the events, and stop by themselves
        return _too_deep(path, here.line + 1 if here else 1)
    for known, words in _MENDING.items():
        if known in problem:
            return Problem(path, opened.line + 1 if opened else 1, "", f"this is not YAML: {words}")
    words = _MENDING_HERE.get(problem, problem)
    if here and "cannot start any token" in problem:
        character = _character(text, here.line, here.column)
        words = (
            "a tab stands here; indent with spaces" if character == "\t" else f"put a text with {character} in quotes"
        )
    return Problem(path, here.line + 1 if here else 1, "", f"this is not YAML: {words}")


def _too_deep(path: Path, line: int) -> Problem:
    return Problem(path, line, "", f"the nesting is deeper than {MAX_DEPTH} levels")


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _character(text: str, line: int, column: int) -> str:
    lines = text.splitlines()
    return lines[line][column : column + 1] if line < len(lines) else ""


class _Builder:
    """Turns the parser's events into plain values, noting lines and problems on the way."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines: dict[KeyPath, int] = {}
        self.problems: list[Problem] = []
        self._next: Callable[[], yaml.Event] = _LOADER(text).get_event
        self._depth = 0
        self._alias_reported = False

    def document(self) -> Any:
        """Return the value of the only document there is."""
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            raise SpecError([Problem(self.path, 1, "", "the file is empty")])
        data = self._value(self._next(), ())
        self._next()
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            self._report(after, (), "a second document starts here (---); a file holds one document")
        return data

    def _value(self, event: yaml.Event, at: KeyPath) -> Any:
        self.lines.setdefault(at, _line(event))
        if isinstance(event, yaml.ScalarEvent) and event.tag is None:  # as nearly all are
            return event.value if event.style else scalar(event.value)
        if isinstance(event, yaml.AliasEvent):
            return self._refuse_alias(event, at)
        self._refuse_tag(event, at)
        if isinstance(event, yaml.ScalarEvent):
            return event.value if event.style else scalar(event.value)
        self._enter(event)
        value = self._mapping(at) if isinstance(event, yaml.MappingStartEvent) else self._sequence(at)
        self._depth -= 1
        return value

    def _sequence(self, at: KeyPath) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._value(event, (*at, len(items))))
        return items

    def _mapping(self, at: KeyPath) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = event.value if isinstance(event, yaml.ScalarEvent) and event.tag is None else self._key(event, at)
            here = (*at, key or "")
            if key is None:
                self._skip(self._next())
            elif key in result:
                first = self.lines[here]
                self._report(event, here, f"the key stands here a second time; it is already on line {first}")
                self._skip(self._next())
            else:
                self.lines[here] = _line(event)
                result[key] = self._value(self._next(), here)
        return result

    def _key(self, event: yaml.Event, at: KeyPath) -> str | None:
        if isinstance(event, yaml.ScalarEvent):
            self._refuse_tag(event, at)
            return str(event.value)
        if isinstance(event, yaml.AliasEvent):
            self._refuse_alias(event, at)
            return None
        self._report(event, at, "a key must be plain text; put a text with { or [ in quotes")
        self._skip(event)
        return None

    def _skip(self, event: yaml.Event) -> None:
        """Pass over a value that cannot be used, whose first event this is."""
        outside = self._depth
        while True:
            if isinstance(event, yaml.CollectionStartEvent):
                self._enter(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._depth -= 1
            if self._depth == outside:
                return
            event = self._next()

    def _enter(self, event: yaml.Event) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise SpecError([_too_deep(self.path, _line(event))])

    def _refuse_alias(self, event: yaml.AliasEvent, at: KeyPath) -> None:
        if not self._alias_reported:
            self._report(event, at, f"the alias *{event.anchor} is not allowed; write the value out")
        self._alias_reported = True

    def _refuse_tag(self, event: yaml.Event, at: KeyPath) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            shown = str(tag).replace("tag:yaml.org,2002:", "!!")
            self._report(event, at, f"the tag {shown} is not allowed; write a plain value")

    def _report(self, event: yaml.Event, at: KeyPath, message: str) -> None:
        key = ".".join(str(part) for part in at)
        self.problems.append(Problem(self.path, _line(event), key, message))


@lru_cache(maxsize=10_000)
def scalar(text: str) -> str | int | float | bool | None:
    """Resolve a plain scalar as YAML 1.2 does, so that ``no`` and ``1:30`` stay text.

    Numbers that are too long or too large to be meant (or ``.inf`` and ``.nan``, which JSON lacks) stay text too.
    """
    if text in _WORDS:
        return _WORDS[text]
    if len(text) >= _LONGEST_NUMBER:
        return text
    if _INTEGER.match(text):
        return int(text)
    if _OTHER_BASE.match(text):
        return int(text, 0)
    if _FLOAT.match(text) and math.isfinite(float(text)):
        return float(text)
    return text
