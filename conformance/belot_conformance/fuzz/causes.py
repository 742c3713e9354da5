"""Sorting what went wrong by its cause, and showing each cause by the smallest question that can be found for it.

A cause is a rule that the program plays otherwise, where the search of ``belot identify`` finds one; what no rule
explains is told apart by operation and by the fields that differ.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from typing import Any, Final

from belot_conformance.fuzz.fuzzing import Limit, Outcome, Seen, with_answer
from belot_conformance.fuzz.grouping import Group, groups_of, variant_of
from belot_conformance.fuzz.pace import Clock, Pace
from belot_conformance.identify.budget import BUDGET
from belot_conformance.identify.further import FurtherQuestion
from belot_conformance.programs.protocol import Question, Reply
from belot_conformance.programs.reference import put
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.operation import Operation
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import shrink_together, size
from belot_conformance.suite.judge import OTHER_KIND, Expectation, kind_of
from belot_conformance.suite.shapes import NotAskedError, Told, told
from belot_reference.compile import Ruleset
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

Json = Mapping[str, Any]
Smaller = Callable[[Operation, Ruleset, Json], Iterator[Json]]

# Of the questions of one cause so many with a result and so many refusals are made smaller; the smallest is shown.
_SHRUNK: Final = 8
_LONG_SHRUNK: Final = 5
# The smallest of these are made smaller by every step there is.
_SHRUNK_FURTHER: Final = 3
_PATIENCE: Final = 2500
_AT_ONCE: Final = 32
_LEAST_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of wrong answers: the smallest question that shows it, and how it was found.

    ``rule`` is played with ``value`` where that explains the answers. ``first`` is the number of the question that
    showed it first, ``kept`` how many of the answers that were kept have this cause, asked by which ``variants``.
    It was ``cut_short`` if there was more to try for a smaller question, but no time, or nobody who answered.
    """

    smallest: Seen
    rule: str
    value: Any
    played: Profile | None
    first: int
    kept: int
    variants: tuple[str, ...]
    cut_short: bool


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
    until = None if seconds is None else clock() + seconds
    half = None if seconds is None else seconds / 2
    confirming = _Lab(target, None, Pace(_AT_ONCE, half, clock))
    budget = replace(BUDGET, seconds=inf if half is None else half).begun()
    groups = groups_of(outcome, spec, confirming.further if against is None else None, budget)
    found = []
    for number, group in enumerate(groups):
        share = None if until is None else (until - clock()) / (len(groups) - number)
        # Of those that a program hangs on, one at a time is long enough to wait for.
        hangs = any(one.came.kind == "timed_out" for one in group.seen)
        found.append(_Lab(target, against, Pace(1 if hangs else _AT_ONCE, share, clock)).shown(group))
    return sorted(_together(found), key=lambda one: one.first)


def time_for_causes(limit: Limit) -> float | None:
    """Return how long may be looked for small questions after a run: as long as that lasted; ``None`` is for ever."""
    return None if limit.seconds is None else max(limit.seconds, _LEAST_SECONDS)


def _together(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Yield causes, those that are one rule with one value in several variants as one."""
    alike: dict[tuple[object, ...], list[Cause]] = {}
    for number, cause in enumerate(causes):
        alike.setdefault((cause.rule, canonical(cause.value)) if cause.rule else (number,), []).append(cause)
    for some in alike.values():
        shown = min(some, key=lambda one: (OPERATIONS[one.smallest.operation].rank, *_by_size(one.smallest)))
        yield replace(
            shown,
            first=min(one.first for one in some),
            kept=sum(one.kept for one in some),
            variants=tuple(dict.fromkeys(variant for one in some for variant in one.variants)),
        )


def smallest_of(target: Target, wrong: Sequence[Seen]) -> Seen:
    """Return the smallest question, of wrong answers with one cause, that asking on can find."""
    return _Lab(target, None, Pace(_AT_ONCE, None)).shown(Group(wrong)).smallest


def _best(seen: Sequence[Seen]) -> list[Seen]:
    """Return the answers to the operation that shows a cause best, those to the smallest questions first."""
    best = min((one.operation for one in seen), key=lambda name: OPERATIONS[name].rank)
    shown = [one for one in seen if one.operation == best]
    return sorted(shown, key=lambda one: (size(one.question), one.number))


def _by_size(seen: Seen) -> tuple[int, str]:
    return size(seen.question), str(seen.question)


class _Lab:
    """Asks a program, and perhaps a second one, smaller and smaller questions about one cause."""

    def __init__(self, target: Target, against: Target | None, pace: Pace) -> None:
        self._target = target
        self._against = against
        self._pace = pace
        self._asked = 0
        self._unanswered = False

    def shown(self, group: Group) -> Cause:
        """Return the cause of a group with the smallest question that shows it."""
        first = _best(group.seen)
        if group.certainly and (parts := self._wrong_parts(first[:_LONG_SHRUNK], group)):
            first = _best([*first, *parts])
        most = _LONG_SHRUNK if OPERATIONS[first[0].operation].is_long else _SHRUNK
        allowed = [one for one in first if "rejected" not in one.right]
        refused = [one for one in first if "rejected" in one.right]
        shrunk = [self._shrunk(one, group, Operation.smaller) for one in (*allowed[:most], *refused[:most])]
        best = sorted(shrunk, key=_by_size)[:_SHRUNK_FURTHER]
        smallest = min((self._shrunk(one, group, Operation.far_smaller) for one in best), key=_by_size)
        numbers = [one.number for one in group.seen]
        variants = tuple(dict.fromkeys(variant_of(one) for one in sorted(group.seen, key=lambda one: one.number)))
        rule, value = ("", None) if group.finding is None else (group.finding.rule, group.finding.value)
        return Cause(
            smallest, rule, value, group.played(), min(numbers), len(numbers), variants, self._unanswered
        )  # fmt: skip

    def further(self, like: Seen, drawn: Sequence[FurtherQuestion]) -> list[Seen]:
        """Ask further questions at the table of another one; return what came, of as many as make sense there."""
        asked = [self._drawn(replace(like, operation=one.operation), one.input) for one in drawn]
        return [*self._answered([one for one in asked if one is not None]).values()]

    def _wrong_parts(self, whole: Sequence[Seen], group: Group) -> list[Seen]:
        """Return what is wrong about the parts of long questions, of operations that the program declares."""
        found = []
        for seen in whole:
            rules, explained = seen.table.rules, group.explained_at(seen)
            parts = OPERATIONS[seen.operation].parts(rules, seen.question)
            own = [part for part in parts if part[0] in self._target.hello.operations]
            asked = [one for one in (self._drawn(replace(seen, operation=op), part) for op, part in own) if one]
            answered = self._answered(asked)
            found += [
                came for came in answered.values() if came.fields and (explained is None or explained.holds(came))
            ]
        return found

    def _shrunk(self, seen: Seen, group: Group, smaller: Smaller) -> Seen:
        rules = seen.table.rules
        explained = group.explained_at(seen)
        latest = [seen]

        def first(candidates: Sequence[Json]) -> int | None:
            sensible = [self._drawn(seen, candidate) for candidate in candidates]
            answered = self._answered([one for one in sensible if one is not None])
            for place, one in enumerate(sensible):
                came = None if one is None else answered.get(one.number)
                if came is not None and _alike(seen, came) and (explained is None or explained.holds(came)):
                    latest[0] = came
                    return place
            return None

        def step(question: Json) -> Iterator[Json]:
            return takewhile(lambda _: not self._is_over(), smaller(OPERATIONS[seen.operation], rules, question))

        shrink_together(seen.question, first, step, _PATIENCE, _AT_ONCE)
        return latest[0]

    def _drawn(self, seen: Seen, question: Json) -> Seen | None:
        """Return a smaller question with the right answer; ``None`` if it makes no sense."""
        rules = seen.table.rules
        answer = put(seen.operation, rules, question)
        if answer.answer is None:
            return None
        message = answer.message()
        expected = Expectation.of(seen.operation, message)
        shape = self._target.hello.shape
        if not shape.is_plain:
            try:
                asked = told(shape, rules, seen.operation, Told(question, (expected,)))
            except NotAskedError:
                return None
            if asked.question != question:
                return None
            expected = asked.expected[0]
        self._asked += 1
        return replace(
            seen, number=-self._asked, question=question, right=message, expected=expected, read=answer.rules
        )

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
        questions = [Question(f"s{-one.number}", one.operation, one.table.asked_as, one.question) for one in asked]
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
