"""Sorting what went wrong by its cause, and showing each cause by the smallest question that can be found for it.

A cause is a rule that the program plays otherwise, where the search of ``belot identify`` finds one; what no rule
explains is told apart by operation and by the fields that differ.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from typing import Any

from belot_conformance.fuzz.budget import FUZZ_BUDGET, FuzzBudget
from belot_conformance.fuzz.fuzzing import Limit, Outcome, Seen, Tabled, seen_of, told_to, with_answer
from belot_conformance.fuzz.grouping import Group, groups_of, variant_of
from belot_conformance.fuzz.pace import Clock, Pace
from belot_conformance.identify.budget import BUDGET
from belot_conformance.programs.protocol import Question as Put
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import put
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.operation import Operation, Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import shrink_together, size
from belot_conformance.questions.stream import Drawn
from belot_conformance.suite.judge import OTHER_KIND, kind_of
from belot_conformance.suite.shapes import NotAskedError
from belot_reference.compile import Ruleset
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

Json = Mapping[str, Any]
Smaller = Callable[[Operation, Ruleset, Json], Iterator[Json]]


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of wrong answers: the smallest question that shows it, and how it was found.

    ``rule`` is played with ``value`` where that explains the answers. ``first`` is the number of the question that
    showed it first, ``kept`` how many of the answers that were kept have this cause, asked by which ``variants``.
    It was ``cut_short`` if there was more to try for a smaller question, but no time, or nobody who answered. What has
    no rule either ``is_beyond_rules``, or a rule may be the cause, but too few further answers speak for one.
    """

    smallest: Seen
    rule: str
    value: Any
    played: Profile | None
    first: int
    kept: int
    variants: tuple[str, ...]
    cut_short: bool
    is_beyond_rules: bool = False


def causes_of(
    outcome: Outcome,
    target: Target,
    spec: Spec,
    against: Target | None = None,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
) -> list[Cause]:
    """Return the causes of what went wrong, the one that was found first at the top; each is shrunk by asking on.

    That lasts no longer than so many seconds, shared out among the causes, or until there is nothing left to try.
    """
    budget, until = FUZZ_BUDGET, None if seconds is None else clock() + seconds
    half = None if seconds is None else seconds / 2
    asking = _Lab(target, None, Pace(budget.at_once, half, clock), budget)
    searching = replace(BUDGET, seconds=inf if half is None else half).begun()
    groups = groups_of(outcome, spec, asking if against is None else None, searching, budget)
    found = []
    for number, group in enumerate(groups):
        share = None if until is None else (until - clock()) / (len(groups) - number)
        # Of those that a program hangs on, one at a time is long enough to wait for.
        hangs = any(one.came.kind == "timed_out" for one in group.seen)
        pace = Pace(1 if hangs else budget.at_once, share, clock)
        found.append(_Lab(target, against, pace, budget).shown(group))
    return sorted(_together(found), key=lambda one: one.first)


def time_for_causes(limit: Limit) -> float | None:
    """Return how long may be looked for small questions after a run: as long as that lasted; ``None`` is for ever."""
    return None if limit.seconds is None else max(limit.seconds, FUZZ_BUDGET.least_seconds)


def _together(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Yield causes, those as one that are one rule with one value, or that are told in the same words without one."""
    alike: dict[tuple[object, ...], list[Cause]] = {}
    for cause in causes:
        seen = cause.smallest
        key = (cause.rule, canonical(cause.value)) if cause.rule else (seen.operation, _parts(seen), seen.came.kind)
        alike.setdefault(key, []).append(cause)
    for some in alike.values():
        shown = min(some, key=lambda one: (OPERATIONS[one.smallest.operation].rank, *_by_size(one.smallest)))
        yield replace(
            shown,
            first=min(one.first for one in some),
            kept=sum(one.kept for one in some),
            variants=tuple(dict.fromkeys(variant for one in some for variant in one.variants)),
            is_beyond_rules=all(one.is_beyond_rules for one in some),
        )


def smallest_of(target: Target, wrong: Sequence[Seen], seconds: float | None = None) -> Seen:
    """Return the smallest question, of wrong answers with one cause, that asking on can find within some seconds."""
    return _Lab(target, None, Pace(FUZZ_BUDGET.at_once, seconds), FUZZ_BUDGET).shown(Group(wrong)).smallest


def _best(seen: Sequence[Seen]) -> list[Seen]:
    """Return the answers to the operation that shows a cause best, those to the smallest questions first."""
    best = min((one.operation for one in seen), key=lambda name: OPERATIONS[name].rank)
    shown = [one for one in seen if one.operation == best]
    return sorted(shown, key=lambda one: (size(one.question), one.number))


def _by_size(seen: Seen) -> tuple[int, str]:
    return size(seen.question), str(seen.question)


class _Lab:
    """Asks a program, and perhaps a second one, smaller and smaller questions about one cause."""

    def __init__(self, target: Target, against: Target | None, pace: Pace, budget: FuzzBudget) -> None:
        self._target = target
        self.declared = frozenset(target.hello.operations)
        self._against = against
        self._pace = pace
        self._budget = budget
        self._asked = 0
        self._unanswered = False

    def shown(self, group: Group) -> Cause:
        """Return the cause of a group with the smallest question that shows it."""
        budget, first = self._budget, _best(group.seen)
        # What is wrong about the parts has the same cause only if one rule explains all.
        if not group.may_differ and (parts := self._wrong_parts(first[: budget.long_shrunk], group)):
            first = _best([*first, *parts])
        most = budget.long_shrunk if OPERATIONS[first[0].operation].is_long else budget.shrunk
        allowed = [one for one in first if "rejected" not in one.right]
        refused = [one for one in first if "rejected" in one.right]
        shrunk = [self._shrunk(one, group, Operation.smaller) for one in (*allowed[:most], *refused[:most])]
        best = sorted(shrunk, key=_by_size)[: budget.shrunk_further]
        seen = sorted(group.seen, key=lambda one: one.number)
        explanation = group.explanation if group.is_named else None
        return Cause(
            smallest=min((self._shrunk(one, group, Operation.far_smaller) for one in best), key=_by_size),
            rule="" if explanation is None else explanation.finding.rule,
            value=None if explanation is None else explanation.finding.value,
            played=None if explanation is None else explanation.played,
            first=seen[0].number,
            kept=len(seen),
            variants=tuple(dict.fromkeys(map(variant_of, seen))),
            cut_short=self._unanswered,
            is_beyond_rules=group.is_beyond_rules,
        )

    def further(self, table: Tabled, drawn: Sequence[Question]) -> list[Seen]:
        """Ask further questions by the rules of a table; return what came, of as many as make sense there."""
        asked = [self._drawn(table, *one) for one in drawn if one[0] in self.declared]
        return [*self._answered([one for one in asked if one is not None]).values()]

    def _wrong_parts(self, whole: Sequence[Seen], group: Group) -> list[Seen]:
        """Return what is wrong about the parts of long questions, of operations that the program declares."""
        parts = [
            (seen.table, part)
            for seen in whole
            for part in OPERATIONS[seen.operation].parts(seen.table.rules, seen.question)
            if part[0] in self.declared
        ]
        asked = [self._drawn(table, *part) for table, part in parts]
        answered = self._answered([one for one in asked if one is not None])
        return [came for came in answered.values() if came.fields and group.shows(came)]

    def _shrunk(self, seen: Seen, group: Group, smaller: Smaller) -> Seen:
        latest = [seen]

        def first(candidates: Sequence[Json]) -> int | None:
            sensible = [self._drawn(seen.table, seen.operation, candidate) for candidate in candidates]
            answered = self._answered([one for one in sensible if one is not None])
            for place, one in enumerate(sensible):
                came = None if one is None else answered.get(one.number)
                if came is not None and _alike(seen, came) and group.shows(came):
                    latest[0] = came
                    return place
            return None

        def step(question: Json) -> Iterator[Json]:
            tried = smaller(OPERATIONS[seen.operation], seen.table.rules, question)
            return takewhile(lambda _: not self._is_over(), tried)

        shrink_together(seen.question, first, step, self._budget.patience, self._budget.at_once)
        return latest[0]

    def _drawn(self, table: Tabled, operation: str, question: Json) -> Seen | None:
        """Return a question with the right answer by the rules of a table; ``None`` if it makes no sense there."""
        came = put(operation, table.rules, question)
        if came.answer is None:
            return None
        drawn = Drawn(operation, question, came.message(), came.rules)
        with suppress(NotAskedError):
            told, expected = told_to(self._target, table.rules, drawn)
            if told == question:
                self._asked += 1
                return seen_of(-self._asked, table, drawn, told, expected)
        return None

    def _answered(self, asked: Sequence[Seen]) -> dict[int, Seen]:
        """Return what came of questions, by their numbers: of as many as there was time for."""
        found: dict[int, Seen] = {}
        while len(found) < len(asked) and not self._is_over():
            some = asked[len(found) : len(found) + self._pace.size]
            found |= self._put(some)
        return found

    def _is_over(self) -> bool:
        """Say whether the time is over; whoever wants to know would have had more to ask."""
        self._unanswered = self._unanswered or self._pace.is_over
        return self._pace.is_over

    def _put(self, asked: Sequence[Seen]) -> dict[int, Seen]:
        questions = [Put(f"s{-one.number}", one.operation, one.table.asked_as, one.question) for one in asked]
        began = self._pace.now()
        answers = self._target.ask(questions)
        others = {} if self._against is None else self._against.ask(questions)
        self._pace.put(len(asked), began)
        found = {}
        for one, question in zip(asked, questions, strict=True):
            came, other = answers[question.id], others.get(question.id)
            self._unanswered = self._unanswered or came.kind == "not_run"
            found[one.number] = with_answer(one, came, one.wrong_fields(came, other), other)
        return found


def _alike(seen: Seen, came: Seen) -> bool:
    """Say whether a smaller question shows the same: an answer of one kind, wrong in the same fields."""
    if not came.fields or kind_of(came.right) != kind_of(seen.right) or _came_kind(came.came) != _came_kind(seen.came):
        return False
    return set(_parts(came)) <= set(_parts(seen))


def _parts(seen: Seen) -> tuple[str, ...]:
    """Return what is wrong about an answer; where only one of two allows a deal, nothing of it can be compared."""
    allowed = _came_kind(seen.came) == "allowed"
    is_one = kind_of(seen.right) == "allowed"
    comparable = isinstance(seen.came, Reply) and seen.came.kind in ("result", "rejected")
    return (OTHER_KIND,) if comparable and allowed != is_one else seen.fields


def _came_kind(came: Answer) -> str:
    """Return the kind of what came; a deal that only stops early was allowed as far as it goes."""
    kind = kind_of(came.message())
    return kind if kind == "allowed" or came.kind != "rejected" else "refused"
