"""All records of a log held against some rules: how many are wrong, in what, and which are worth another look."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from belot_conformance.identify.found import Broken, Example
from belot_conformance.identify.observations import Observation
from belot_conformance.questions.judge import OTHER_KIND
from belot_conformance.recording.audit import Judged, judged_records
from belot_conformance.recording.records import Line, Record
from belot_conformance.suite.verdicts import Verdict
from belot_spec.spec import Profile

# Of each kind of wrong records so many are named, and so many looked at again.
_NAMED: Final = 10
_AGAIN: Final = 6
# Where so many kinds are wrong the rules are not those, and the rest is only counted.
_MOST_KINDS: Final = 500
# What cannot be asked by the rules at all is not wrong in a field.
UNCLEAR: Final = "input"

Told = Callable[[int], None] | None


@dataclass
class _Kind:
    operation: str
    fields: tuple[str, ...]
    smallest: Verdict
    size: int
    count: int = 0
    places: list[str] = field(default_factory=list)
    again: list[Observation] = field(default_factory=list)

    def enter(self, wrong: Verdict, size: int) -> None:
        self.count += 1
        if size < self.size:
            self.smallest, self.size = wrong, size
        if len(self.places) < _NAMED:
            self.places.append(wrong.planned.case.id)
        if len(self.again) < _AGAIN and (seen := _observation_of(wrong)) is not None:
            self.again.append(seen)


@dataclass
class WholeLog:
    """What all records are by some rules: how many there are, how many wrong, and those worth another look.

    ``shown`` read rules that were watched for.
    """

    records: int = 0
    wrong: int = 0
    shown: list[Observation] = field(default_factory=list)
    _kinds: dict[tuple[str, tuple[str, ...]], _Kind] = field(default_factory=dict)

    def enter(self, judged: Judged) -> None:
        """Count one record."""
        self.records += 1
        if judged.shown is not None and (seen := observation_of(judged.shown)) is not None:
            self.shown.append(seen)
        if (wrong := judged.wrong) is None:
            return
        self.wrong += 1
        key = judged.operation, tuple(one.field for one in wrong.differences) or (UNCLEAR,)
        if key not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            return
        self._kinds.setdefault(key, _Kind(*key, wrong, judged.size)).enter(wrong, judged.size)

    def groups(self) -> list[Broken]:
        """Return what is wrong by operation and fields, most records first, each with its lines and smallest deal."""
        found = [
            Broken(kind.operation, kind.fields, kind.count, _example(kind.smallest), tuple(kind.places))
            for kind in self._kinds.values()
        ]
        return sorted(found, key=lambda one: (-one.count, one.operation, one.fields))

    def again(self) -> Iterator[tuple[tuple[str, ...], Observation]]:
        """Yield a few wrong records of each kind, one of each first, with the operation and the fields of the kind."""
        kinds = sorted(self._kinds.values(), key=lambda kind: -kind.count)
        for turn in range(_AGAIN):
            for kind in kinds:
                if turn < len(kind.again):
                    yield (kind.operation, *kind.fields), kind.again[turn]

    def repeated(self) -> set[tuple[str, ...]]:
        """Return the kinds of which several records are wrong: hardly slips."""
        return {(kind.operation, *kind.fields) for kind in self._kinds.values() if kind.count > 1}


def judged_by(rules: Profile, lines: Iterable[Line], watched: frozenset[str], jobs: int, told: Told) -> WholeLog:
    """Judge all records of a log by some rules as ``belot audit`` does; raises ``SpecError`` at a faulty line."""
    found = WholeLog()
    with closing(judged_records(lines, rules, jobs, watched)) as judged:
        for one in judged:
            found.enter(one)
            if told is not None:
                told(one.size)
    return found


def observation_of(record: Record) -> Observation | None:
    """Return the answer that a record holds; ``None`` if it holds none."""
    if (came := record.came) is None:
        return None
    return Observation(record.id, record.operation, record.input, came.kind, came.value, is_partial=True)


def _observation_of(wrong: Verdict) -> Observation | None:
    case, came = wrong.planned.case, wrong.came or {}
    for kind, value in came.items():
        return Observation(case.id, case.operation, case.input, kind, value, is_partial=True)
    return None


def _example(wrong: Verdict) -> Example:
    """Return a wrong record with what differs in it alone: what stands there, and what the rules say."""
    case, differing = wrong.planned.case, {one.field: one for one in wrong.differences}
    if OTHER_KIND in differing:
        came, said = differing[OTHER_KIND].came, differing[OTHER_KIND].expected
    elif differing:
        came = {"result": {name: one.came for name, one in differing.items()}}
        said = {"result": {name: one.expected for name, one in differing.items()}}
    else:
        came, said = dict(wrong.came or {}), {"error": wrong.detail}
    return Example(case.id, case.operation, case.input, came, said)
