"""Sorting what went wrong by its cause, and showing each cause by the smallest question that can be found for it.

A cause is a rule that the program plays otherwise, where one is found; what no rule explains is told apart by operation
and by the fields that differ.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

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
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import Expectation
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of wrong answers: the smallest question that shows it, and how it was found.

    ``first`` is the number of the question that showed it first, ``kept`` how many of the answers that were kept have
    this cause, asked by which ``variants``. It was ``cut_short`` if there was more to try for a smaller question, but
    no time, or nobody who answered. ``rule`` is played with ``value`` where that explains the answers, or the profile
    ``played`` where several rules of an option do. Of other answers ``shared`` says what they have in common, and
    ``tried`` whether every value of the rules that they read was tried; ``None`` is where no rule was looked for.
    """

    smallest: Seen
    first: int
    kept: int
    variants: tuple[str, ...]
    cut_short: bool = False
    rule: str = ""
    value: Any = None
    played: Profile | None = None
    shared: str = ""
    tried: bool | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Wrong answers of one cause, and what says whether another answer has it, what is wrong of its parts too."""

    cause: Cause
    seen: Sequence[Seen]
    shows: Shows = anything
    with_parts: bool = False

    def shown(self, shrinker: Shrinker) -> Cause:
        """Return the cause with the smallest question that shows it."""
        smallest = shrinker.smallest(self.seen, self.shows, with_parts=self.with_parts)
        return replace(self.cause, smallest=smallest, cut_short=shrinker.was_cut_short)


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
    half = None if seconds is None else seconds / 2
    wrong, right = (_by_variant(some) for some in (outcome.all_wrong(), outcome.all_right()))
    asking = Pace(FUZZ_BUDGET.at_once, half, clock)
    end = process_time() + (BUDGET.seconds if half is None else min(half, BUDGET.seconds))
    found: list[_Wrong] = []
    for number, (variant, some) in enumerate(wrong.items()):
        if against is not None:
            found += _alike(some)
            continue
        budget = replace(BUDGET, seconds=max(0.0, end - process_time()) / (len(wrong) - number))
        sought = _Sought(some, right.get(variant, ()), spec)
        found += sought.causes(explain(sought.contexts, sought.answers, spec, sought.ask(target, asking), budget))
    shown = []
    for number, one in enumerate(found):
        share = None if until is None else (until - clock()) / (len(found) - number)
        # Of those that a program hangs on, one at a time is long enough to wait for.
        hangs = any(seen.came.kind == "timed_out" for seen in one.seen)
        shown.append(one.shown(Shrinker(target, against, Pace(1 if hangs else FUZZ_BUDGET.at_once, share, clock))))
    return sorted(_together(shown), key=lambda one: one.first)


def time_for_causes(limit: Limit) -> float | None:
    """Return how long may be looked for small questions after a run: as long as that lasted; ``None`` is for ever."""
    return None if limit.seconds is None else max(limit.seconds, FUZZ_BUDGET.least_seconds)


def variant_of(seen: Seen) -> str:
    """Return the variant that a question was asked by, whatever the options."""
    return seen.table.rules.profile.id.variant


def _by_variant(some: Sequence[Seen]) -> dict[str, list[Seen]]:
    found: dict[str, list[Seen]] = {}
    for one in some:
        found.setdefault(variant_of(one), []).append(one)
    return found


def _cause(seen: Sequence[Seen]) -> Cause:
    variants = tuple(dict.fromkeys(map(variant_of, seen)))
    return Cause(seen[0], min(one.number for one in seen), len(seen), variants)


def _alike(some: Sequence[Seen], shows: Shows = anything) -> Iterator[_Wrong]:
    """Yield answers that are told apart by nothing but what is wrong."""
    kinds: dict[tuple[object, ...], list[Seen]] = {}
    for one in some:
        kinds.setdefault((one.operation, one.fields, one.came.kind), []).append(one)
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
        """Return what puts further questions to a program, as many as there is time for."""
        put_all = asker(target, Reference(self._spec), self.contexts, [table.asked_as for table in self._tables])

        def ask(context: int, questions: Sequence[Question]) -> list[Answered]:
            found, left = list[Answered](), questions
            while left and not pace.is_over:
                some, left, began = left[: pace.size], left[pace.size :], pace.now()
                found += put_all(context, some)
                pace.put(len(some), began)
            return found

        return ask

    def causes(self, found: Explanation) -> Iterator[_Wrong]:
        """Yield the rules that were found, an option that several of them are, and what none explains."""
        begun = [found.base] if len(self.contexts) == 1 else self.contexts
        by, explained = self._rules(begun, found.findings), found.asked_wrong - found.wrong
        for finding in found.findings:
            others = [one for one in found.findings if one is not finding]
            if seen := self._seen(finding.right):
                played = next(one for one in found.played if one.id in {each.id for each in finding.profiles})
                cause = replace(_cause(seen), rule=finding.rule, value=finding.value, played=played)
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
                shared = "" if group.shared is None else group.shared.sentence
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


def _together(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Yield causes, those as one that are one rule with one value, or that are told in the same words without one."""
    alike: dict[tuple[object, ...], list[Cause]] = {}
    for cause in causes:
        seen = cause.smallest
        key: tuple[object, ...] = seen.operation, parts_of(seen), seen.came.kind
        if cause.played is not None:
            key = (cause.rule, canonical(cause.value)) if cause.rule else (cause.played.id,)
        alike.setdefault(key, []).append(cause)
    for some in alike.values():
        shown = min(some, key=lambda one: (OPERATIONS[one.smallest.operation].rank, *by_size(one.smallest)))
        yield replace(
            shown,
            first=min(one.first for one in some),
            kept=sum(one.kept for one in some),
            variants=tuple(dict.fromkeys(variant for one in some for variant in one.variants)),
            tried=None if shown.tried is None else all(one.tried for one in some),
        )
