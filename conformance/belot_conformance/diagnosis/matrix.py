"""The kill matrix: which hand-written case notices which mutant, kept as data beside this module."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_conformance.diagnosis.killing import Row
from belot_conformance.diagnosis.mutations import Mutant
from belot_spec.files import MAX_OF_OURS, read_text
from belot_spec.whole_file import write_whole

MATRIX: Final = Path(__file__).with_name("kill_matrix.jsonl")


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows of all mutants by their ids; without ``killed_by`` a mutant plays the same game."""

    rows: Mapping[str, Row]

    def of_profile(self, profile: str) -> list[Row]:
        """Return the rows of a variant and of its options."""
        return [row for row in self.rows.values() if row.mutant.profile == profile]


@cache
def load_matrix(path: Path = MATRIX) -> Matrix:
    """Load the kept matrix; an empty one if there is none."""
    if not path.exists():
        return Matrix({})
    rows = [_row(json.loads(line)) for line in read_text(path, MAX_OF_OURS).splitlines()]
    return Matrix({row.mutant.id: row for row in rows})


def _row(data: dict[str, Any]) -> Row:
    mutant = Mutant(data["profile"], data["rule"], data["value"], data["change"], data.get("also", {}))
    return Row(mutant, data["asked"], frozenset(data["killed_by"].split()))


def write_matrix(rows: Iterable[Row], path: Path = MATRIX) -> None:
    """Write a matrix, one mutant a line, whole or not at all."""
    write_whole(path, "".join(_line(row) for row in rows))


def _line(row: Row) -> str:
    mutant = row.mutant
    data = {
        "profile": mutant.profile,
        "rule": mutant.rule,
        "value": mutant.value,
        "change": mutant.change,
        **({"also": mutant.also} if mutant.also else {}),
        "asked": row.asked,
        "killed_by": " ".join(sorted(row.killed_by)),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def changed_rows(rows: Iterable[Row], kept: Matrix) -> list[Row]:
    """Return the rows that the kept matrix does not have, or has otherwise."""
    return [row for row in rows if kept.rows.get(row.mutant.id) != row]


@dataclass(frozen=True, slots=True)
class Thin:
    """Where the suite is thin: rules of a profile that one case alone pins, and cases that notice no mutant."""

    single: Sequence[tuple[str, str, str]]
    idle: Sequence[str]
    never_alone: Sequence[str]


def thin_places(rows: Iterable[Row], cases: Iterable[str]) -> Thin:
    """Return the rules that a single case pins, the cases that kill nothing, and those that never kill alone."""
    killers: dict[tuple[str, str], set[str]] = {}
    alone: set[str] = set()
    busy: set[str] = set()
    for row in rows:
        busy |= row.killed_by
        if len(row.killed_by) == 1:
            alone |= row.killed_by
        if row.killed_by:
            killers.setdefault((row.mutant.profile, row.mutant.rule), set()).update(row.killed_by)
    single = [(profile, rule, next(iter(found))) for (profile, rule), found in killers.items() if len(found) == 1]
    known = list(cases)
    return Thin(single, [case for case in known if case not in busy], [case for case in known if case not in alone])
