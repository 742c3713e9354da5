"""Sorting what went wrong by its cause, and showing each cause by the smallest question that can be found for it.

A cause is a rule that the program plays otherwise, where one is found; what no rule explains is told apart by operation
and by the fields that differ.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import process_time
from typing import Any, TypeVar

from belot_conformance.explain.answers import Answered
from belot_conformance.explain.asking import asker
from belot_conformance.explain.budget import BUDGET
from belot_conformance.explain.confirm import Ask
from belot_conformance.explain.explanation import Explanation, RuleFinding, explain
from belot_conformance.fuzz.budget import FUZZ_BUDGET
from belot_conformance.fuzz.fuzzing import Limit, Outcome, Seen
from belot_conformance.fuzz.pace import Clock, Pace
from belot_conformance.fuzz.shrinker import Shows, Shrinker, anything, by_size, parts_of
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import Target
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import Expectation
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of wrong answers: the smallest question that shows it, and how it was found.

    ``first`` is the number of the question that showed it first, ``kept`` how many of the answers that were kept have
    this cause, asked by which ``variants``. It was ``cut_short`` if there was more to try for a smaller question, but
    no time, or nobody who answered. A ``finding`` is a rule of what is ``played``, which explains the answers without
    one where it is an option of several rules. Of other answers ``shared`` says what they have in common, and ``tried``
    whether every value of the rules that they read was tried; it is ``None`` where no rule was looked for.
    """

    smallest: Seen
    first: int
    kept: int
    variants: tuple[str, ...]
    cut_short: bool = False
    finding: RuleFinding | None = None
    played: Profile | None = None
    shared: str = ""
    tried: bool | None = None
    seconds: float = 0.0

    @property
    def rule(self) -> str:
        """The rule that is played otherwise, "" if none is known."""
        return "" if self.finding is None else self.finding.rule

    @property
    def value(self) -> Any:
        """The value with which it is played."""
        return None if self.finding is None else self.finding.value


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Wrong answers of one cause, and what says whether another answer has it, what is wrong of its parts too."""

    cause: Cause
    seen: Sequence[Seen]
    shows: Shows = anything
    with_parts: bool = False


def causes_of(
    outcome: Outcome,
    target: Target,
    spec: Spec,
    against: Target | None = None,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
) -> list[Cause]:
    """Return the causes of what went wrong, the one that was found first at the top; each is shrunk by asking on.

    That lasts no longer than so many seconds, shared out among the causes, or until there is nothing left to try. Of
    two programs nobody knows which is wrong, and no rules are looked for.
    """
    until = None if seconds is None else clock() + seconds
    found = [*_alike(outcome.all_wrong())] if against is not None else _explained(outcome, target, spec, seconds, clock)
    alike, shown = _grouped(found, lambda one: _told(one.cause)), list[Cause]()
    for number, some in enumerate(alike.values()):
        one = min(some, key=lambda each: _plainness(each.cause.smallest))
        share = None if until is None else (until - clock()) / (len(alike) - number)
        # Of those that a program hangs on, one at a time is long enough to wait for.
        hangs = any(seen.came.kind == "timed_out" for seen in one.seen)
        shrinker = Shrinker(target, against, Pace(1 if hangs else FUZZ_BUDGET.at_once, share, clock))
        smallest = shrinker.smallest(one.seen, one.shows, with_parts=one.with_parts)
        cause = _together([each.cause for each in some])
        shown.append(replace(cause, smallest=smallest, cut_short=shrinker.was_cut_short))
    return sorted(map(_together, _grouped(shown, _told).values()), key=lambda one: one.first)


def _explained(outcome: Outcome, target: Target, spec: Spec, seconds: float | None, clock: Clock) -> list[_Wrong]:
    """Return what explains the wrong answers of each variant, in half of the time."""
    half = inf if seconds is None else seconds / 2
    wrong, right = (_grouped(some, variant_of) for some in (outcome.all_wrong(), outcome.all_right()))
    pace = Pace(FUZZ_BUDGET.at_once, None if seconds is None else half, clock)
    end, found = process_time() + min(half, BUDGET.seconds), list[_Wrong]()
    for number, (variant, some) in enumerate(wrong.items()):
        budget = replace(BUDGET, seconds=max(0.0, end - process_time()) / (len(wrong) - number))
        sought = _Sought(some, right.get(variant, ()), spec)
        found += sought.causes(explain(sought.contexts, sought.answers, spec, sought.ask(target, pace), budget))
    return found


def time_for_causes(limit: Limit) -> float | None:
    """Return how long may be looked for small questions after a run: as long as that lasted; ``None`` is for ever."""
    return None if limit.seconds is None else max(limit.seconds, FUZZ_BUDGET.least_seconds)


def variant_of(seen: Seen) -> str:
    """Return the variant that a question was asked by, whatever the options."""
    return seen.table.rules.profile.id.variant


def _grouped(some: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    found: dict[Any, list[T]] = {}
    for one in some:
        found.setdefault(key(one), []).append(one)
    return found


def _cause(seen: Sequence[Seen]) -> Cause:
    variants = tuple(dict.fromkeys(map(variant_of, seen)))
    return Cause(min(seen, key=_plainness), min(one.number for one in seen), len(seen), variants)


def _alike(some: Sequence[Seen], shows: Shows = anything) -> Iterator[_Wrong]:
    """Yield answers that are told apart by nothing but what is wrong."""
    kinds = _grouped(some, lambda one: (one.operation, one.fields, one.came.kind))
    yield from (_Wrong(_cause(seen), seen, shows) for seen in kinds.values())


class _Sought:
    """Answers to questions about the profiles of one variant, as what rules are looked for with."""

    def __init__(self, wrong: Sequence[Seen], right: Sequence[Seen], spec: Spec) -> None:
        self._wrong, self._spec = {str(one.number): one for one in wrong}, spec
        tables = {one.table.rules.profile.id: one.table for one in (*wrong, *right)}
        self._tables = sorted(tables.values(), key=lambda table: len(table.rules.profile.id))
        self.contexts = [table.rules.profile for table in self._tables]
        places = {one.id: place for place, one in enumerate(self.contexts)}
        self.answers = [
            Answered(
                str(one.number), one.operation, one.question, one.came.message(),
                places[one.table.rules.profile.id], (one.expected,),
            )
            for one in (*wrong, *right)
        ]  # fmt: skip

    def ask(self, target: Target, pace: Pace) -> Ask:
        """Return what puts further questions to a program while there is time for any."""
        ask = asker(target, Reference(self._spec), self.contexts, [table.asked_as for table in self._tables])
        return lambda context, questions: [] if pace.is_over else ask(context, questions)

    def causes(self, found: Explanation) -> Iterator[_Wrong]:
        """Yield the rules that were found, an option that several of them are, and what none explains."""
        begun = [found.base] if len(self.contexts) == 1 else self.contexts
        by, explained = self._rules(begun, found.findings), found.asked_wrong - found.wrong
        for finding in found.findings:
            others = [one for one in found.findings if one is not finding]
            if seen := self._seen(finding.right):
                played = next(one for one in found.played if one.id in {each.id for each in finding.profiles})
                cause = replace(_cause(seen), finding=finding, played=played)
                yield _Wrong(cause, seen, _parting(by, self._rules(begun, others), found), with_parts=True)
            explained -= {*finding.right}
        if found.base.id != self.contexts[0].id and (seen := self._seen(explained)):
            without = self._rules(self.contexts, found.findings)
            cause = replace(_cause(seen), played=found.base)
            yield _Wrong(cause, seen, _parting(by, without, found), with_parts=True)
        left = self._wrong.keys() - (found.asked_wrong - found.wrong)

        def shows(came: Seen) -> bool:
            return not _says(by, came, found)

        for group in (*found.groups, *found.unsupported):
            if seen := self._seen(left & {*group.ids}):
                left -= {*group.ids}
                is_answer = seen[0].came.kind in ("result", "rejected")
                shared = "; ".join(group.said)
                tried = group.tried if is_answer else None
                yield _Wrong(replace(_cause(seen), shared=shared, tried=tried, seconds=found.seconds), seen, shows)
        yield from _alike(self._seen(left), shows)

    def _seen(self, ids: Collection[str]) -> list[Seen]:
        return [one for name, one in self._wrong.items() if name in ids]

    def _rules(self, begun: Sequence[Profile], findings: Sequence[RuleFinding]) -> dict[str, Ruleset]:
        """Return what is played with some rules for each profile that was asked for, beginning from some profiles."""
        rules = dict[str, Ruleset]()
        for asked, each in zip(self.contexts, begun, strict=True):
            changes = (one for one in findings if len(begun) == 1 or asked.id in {other.id for other in one.profiles})
            try:
                played = changed_profile(each, {one.rule: one.value for one in changes}, self._spec)
                rules[asked.id] = compile_profile(played)
            except UnplayableError:
                rules[asked.id] = compile_profile(each)
        return rules


def _says(rules: Mapping[str, Ruleset], came: Seen, found: Explanation) -> bool:
    """Say whether some rules give the answer that came, but for fields that are not compared."""
    said = put(came.operation, rules[came.table.rules.profile.id], came.question)
    if said.answer is None:
        return False
    apart = Expectation.of(came.operation, said.message()).apart(came.operation, came.came.message())
    return not {*apart} - found.missing.get(came.operation, set()) - found.broken.get(came.operation, set())


def _parting(by: Mapping[str, Ruleset], without: Mapping[str, Ruleset], found: Explanation) -> Shows:
    """Return whether an answer is right by some rules, and wrong without one of them."""
    return lambda came: _says(by, came, found) and not _says(without, came, found)


def _told(cause: Cause) -> tuple[object, ...]:
    """Return what tells causes apart: a rule with its value, or what is wrong."""
    seen = cause.smallest
    if cause.played is not None:
        return (cause.rule, canonical(cause.value)) if cause.rule else (cause.played.id,)
    return seen.operation, parts_of(seen), seen.came.kind


def _plainness(seen: Seen) -> tuple[int, int, str]:
    return OPERATIONS[seen.operation].rank, *by_size(seen)


def _together(some: Sequence[Cause]) -> Cause:
    """Return causes that are told in the same words as one, shown by the plainest question."""
    shown = min(some, key=lambda one: _plainness(one.smallest))
    return replace(
        shown,
        first=min(one.first for one in some),
        kept=sum(one.kept for one in some),
        variants=tuple(dict.fromkeys(variant for one in some for variant in one.variants)),
        tried=None if shown.tried is None else all(one.tried for one in some),
    )
