"""A file of the spec as plain values, with the line of each key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from belot_spec.errors import Problem

KeyPath = tuple[str | int, ...]
# What is wrong with a value, and where in it.
Explanation = tuple[KeyPath, str]


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file as plain values, with the line on which each key stands.

    ``others`` are the files beside it from which its texts in other languages are, by language.
    """

    path: Path
    data: Any
    lines: Mapping[KeyPath, int]
    others: Mapping[str, "Document"] = field(default_factory=dict)

    def line(self, key_path: Sequence[str | int]) -> int:
        """Return the line (from 1) of a key path, or of the nearest key above it."""
        found = tuple(key_path)
        while found and found not in self.lines:
            found = found[:-1]
        return self.lines.get(found, 1)

    def problem(self, key_path: Sequence[str | int], message: str) -> Problem:
        """Return a problem of this file at a key path, or of the file beside it that has what stands there."""
        if key_path and (other := self.others.get(str(key_path[-1]))):
            return other.problem(key_path[:-1], message)
        return Problem(self.path, self.line(key_path), ".".join(str(part) for part in key_path), message)
