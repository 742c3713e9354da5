"""Mutants that play the same game as the rules they change, each listed with a reason that a check verifies."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.diagnosis.mutations import Mutant
from belot_spec.catalogue import Text, text_of
from belot_spec.documents import Document, read_document
from belot_spec.errors import Problem, nearest
from belot_spec.files import canonical
from belot_spec.schemas import check_document
from belot_spec.spec import Spec

Check = Literal["every-hand", "search", "unconsulted"]

LIST: Final = Path(__file__).with_name("equivalents.yaml")


@dataclass(frozen=True, slots=True)
class Entry:
    """A reason why some mutants are equivalent; without values, any value of the rules."""

    rules: tuple[str, ...]
    profiles: tuple[str, ...]
    values: tuple[Any, ...] | None
    check: Check
    reason: Text
    line: int

    def covers(self, mutant: Mutant) -> bool:
        """Say whether a mutant is one of those that the entry speaks of."""
        return (
            any(fnmatchcase(mutant.rule, pattern) for pattern in self.rules)
            and any(fnmatchcase(mutant.profile, pattern) for pattern in self.profiles)
            and (self.values is None or any(canonical(value) == mutant.playing for value in self.values))
        )


@cache
def load_equivalents(path: Path = LIST) -> tuple[Entry, ...]:
    """Load the list; raises ``SpecError`` for a faulty one."""
    document = read_document(path)
    check_document(document, "equivalents")
    return tuple(_entry(document, index, data) for index, data in enumerate(document.data["equivalents"]))


def _entry(document: Document, index: int, data: dict[str, Any]) -> Entry:
    return Entry(
        rules=tuple(data["rules"]),
        profiles=tuple(data.get("profiles", ["*"])),
        values=tuple(data["values"]) if "values" in data else None,
        check=data["check"],
        reason=text_of(data["reason"]),
        line=document.line(("equivalents", index)),
    )


def entry_for(mutant: Mutant, entries: Sequence[Entry]) -> Entry | None:
    """Return the first entry that speaks of a mutant."""
    return next((entry for entry in entries if entry.covers(mutant)), None)


def idle_entries(entries: Sequence[Entry], survivors: Sequence[Mutant], spec: Spec, path: Path = LIST) -> list[Problem]:
    """Return a problem for each entry, and each value of one, that no surviving mutant needs."""
    problems = []
    for entry in entries:
        covered = [mutant for mutant in survivors if entry.covers(mutant)]
        hint = nearest(entry.rules[0], spec.rules) if not any("*" in rule for rule in entry.rules) else ""
        if not covered:
            problems.append(
                Problem(path, entry.line, "rules", f"no surviving mutant is of {', '.join(entry.rules)}{hint}")
            )
        for value in entry.values or () if covered else ():
            if all(mutant.playing != canonical(value) for mutant in covered):
                message = f"no mutant with the value {canonical(value)} survives; leave it out"
                problems.append(Problem(path, entry.line, "values", message))
    return problems
