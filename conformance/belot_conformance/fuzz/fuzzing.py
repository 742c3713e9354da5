"""Putting an endless stream of questions to a program, and keeping of what went wrong as much as explains it.

However long it lasts, what is kept stays as small: of answers that are wrong in the same way the smallest questions.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any, Final

from belot_conformance.explain.budget import FUZZ_BUDGET, Now, Pace
from belot_conformance.fuzz.making import Makers, made_here
from belot_conformance.house_suite.planning import called, is_known
from belot_conformance.programs.progress import Advance, unseen
from belot_conformance.programs.protocol import Hello, Reply, Request
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Answer, Fault, Target
from belot_conformance.questions.operation import AnsweredQuestion
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import Stream
from belot_conformance.suite.judge import OTHER_KIND, Expectation, fields_apart
from belot_conformance.suite.shapes import NotAskedError, Told, stands, told
from belot_reference.compile import Ruleset
from belot_spec.errors import BelotError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from belot_spec.words import English

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Limit:
    """When it ends: after so many questions, or after so many seconds; what comes first."""

    questions: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Tabled:
    """Rules by which a program is asked, and what it calls them."""

    rules: Ruleset
    asked_as: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen(AnsweredQuestion):
    """A question that was put, the answer by the rules and what came; ``number`` counts the questions from 1.

    ``other`` is the answer of a second program where two
    are compared. ``fields`` are those that differ.
    """

    number: int
    table: Tabled
    expected: Expectation
    came: Answer
    fields: tuple[str, ...] = ()
    other: Answer | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What tells kinds of wrong answers apart before anybody has searched for a cause."""
        reason = self.answer["rejected"]["reason"] if "rejected" in self.answer else ""
        given = self.came.value.get("reason") if isinstance(self.came, Reply) and self.came.kind == "rejected" else ""
        return self.table.rules.profile.id, self.operation, self.fields, self.came.kind, reason, given

    def wrong_fields(self, came: Answer, other: Answer | None = None) -> tuple[str, ...]:
        """Return the fields in which what came is wrong, or is not what a second program says."""
        if other is None:
            return self.expected.apart(self.operation, came.message())
        return _between(self.operation, came, other)


def _between(operation: str, one: Answer, other: Answer) -> tuple[str, ...]:
    """Return the fields in which two programs' answers differ, of those that both give; their kind if that differs."""
    if not isinstance(one, Reply) or not isinstance(other, Reply):
        return () if one.kind == other.kind else (one.kind,)
    if one.kind != other.kind:
        return (OTHER_KIND,)
    return fields_apart(operation, other.message(), one.message(), one.value)


@dataclass(slots=True)
class Outcome:
    """What came of a run: how much was asked, and of right and wrong answers some to learn from.

    ``gave_up`` is why a program was not asked any more, "" if it was asked to the end.
    """

    asked: int = 0
    wrong: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    kept_wrong: dict[tuple[object, ...], list[Seen]] = field(default_factory=dict)
    kept_right: dict[tuple[str, str], dict[frozenset[str], list[Seen]]] = field(default_factory=dict)
    counts: Counter[tuple[object, ...]] = field(default_factory=Counter)
    gave_up: str = ""

    def all_wrong(self) -> list[Seen]:
        """Return the wrong answers that were kept, in the order in which they came."""
        return sorted(chain.from_iterable(self.kept_wrong.values()), key=lambda seen: seen.number)

    def all_right(self) -> list[Seen]:
        """Return the right answers that were kept, in the order in which they came."""
        kept = (seen for kinds in self.kept_right.values() for alike in kinds.values() for seen in alike)
        return sorted(kept, key=lambda seen: seen.number)


class Fuzz:
    """A program, perhaps a second one, and the streams of questions of the profiles that it is asked for."""

    def __init__(
        self,
        target: Target,
        streams: Sequence[tuple[Stream, str]],
        against: Target | None = None,
        makers: Makers | None = None,
        clock: Now = time.monotonic,
    ) -> None:
        self.streams = [stream for stream, _ in streams]
        self._rounds = made_here(self.streams) if makers is None else makers.rounds(self.streams)
        self.outcome = Outcome()
        self._target = target
        self._against = against
        self._tables = {id(stream): Tabled(stream.rules, name) for stream, name in streams}
        self._numbers = count(1)
        self._clock = clock
        self._drawn: list[tuple[Stream, AnsweredQuestion]] = []

    def run(self, limit: Limit, advance: Advance = unseen) -> Outcome:
        """Ask until the limit is reached; return what came of it."""
        began = self._clock()
        pace = Pace(FUZZ_BUDGET.batch, limit.seconds, self._clock)
        while not self._is_over(limit, pace):
            most = pace.size if limit.questions is None else min(pace.size, limit.questions - self.outcome.asked)
            batch = self._next(most)
            asked = self._clock()
            self._ask(batch)
            pace.put(len(batch), asked)
            advance(len(batch))
            self.outcome.seconds = self._clock() - began
        return self.outcome

    def _is_over(self, limit: Limit, pace: Pace) -> bool:
        if self.outcome.gave_up or pace.is_over:
            return True
        return limit.questions is not None and self.outcome.asked >= limit.questions

    def _next(self, number: int) -> list[tuple[Stream, AnsweredQuestion]]:
        """Return so many questions, of all profiles in turn; no more are drawn than are put, but for one round."""
        while len(self._drawn) < number:
            stream, drawn = next(self._rounds)
            self._drawn += [(stream, one) for one in drawn]
        batch, self._drawn = self._drawn[:number], self._drawn[number:]
        return batch

    def _ask(self, batch: Sequence[tuple[Stream, AnsweredQuestion]]) -> None:
        asked: dict[str, Seen] = {}
        for stream, drawn in batch:
            number, table = next(self._numbers), self._tables[id(stream)]
            if (seen := seen_of(self._target, number, table, drawn)) is not None:
                asked[str(number)] = seen
        questions = [Request(name, one.operation, one.table.asked_as, one.input) for name, one in asked.items()]
        answers = self._target.ask(questions)
        others = {} if self._against is None else self._against.ask(questions)
        for name, one in asked.items():
            self._judge(one, answers[name], others.get(name))

    def _judge(self, one: Seen, came: Answer, other: Answer | None) -> None:
        outcome = self.outcome
        if isinstance(came, Fault) and came.kind == "not_run":
            outcome.gave_up = outcome.gave_up or came.detail
            return
        outcome.asked += 1
        outcome.operations[one.operation] += 1
        if fields := one.wrong_fields(came, other):
            outcome.wrong += 1
            _keep_wrong(outcome, with_answer(one, came, fields, other))
        else:
            _keep_right(outcome, one, came)


def seen_of(target: Target, number: int, table: Tabled, one: AnsweredQuestion) -> Seen | None:
    """Return a question as a program is told it, about to be put; ``None`` if it cannot be told."""
    question, expected, shape = one.input, Expectation.of(one.operation, one.answer), target.hello.shape
    if not stands(shape, one.operation, question):
        try:
            as_told = told(shape, table.rules, one.operation, Told(question, (expected,)))
        except NotAskedError:
            return None
        question, expected = as_told.question, as_told.expected[0]
    return Seen(
        one.operation, question, one.answer, one.rules,
        number=number, table=table, expected=expected, came=Fault("not_run", ""),
    )  # fmt: skip


def with_answer(one: Seen, came: Answer, fields: tuple[str, ...], other: Answer | None = None) -> Seen:
    """Return a question with what came of it."""
    return replace(one, came=came, fields=fields, other=other)


def _keep_wrong(outcome: Outcome, seen: Seen) -> None:
    key = seen.key
    outcome.counts[key] += 1
    if key not in outcome.kept_wrong and len(outcome.kept_wrong) >= FUZZ_BUDGET.wrong_kinds:
        return
    kept = outcome.kept_wrong.setdefault(key, [])
    kept.append(seen)
    if len(kept) > FUZZ_BUDGET.wrong_each:
        # The first one stays, to say after how many questions it was found.
        kept.remove(max(kept[1:], key=lambda one: (len(str(one.input)), one.number)))


def _keep_right(outcome: Outcome, one: Seen, came: Answer) -> None:
    """Keep a right answer if there are few yet that rest on the same rules."""
    kinds = outcome.kept_right.setdefault((one.table.rules.profile.id, one.operation), {})
    kept = kinds.get(one.rules)
    if kept is None:
        if len(kinds) < (FUZZ_BUDGET.few_right if OPERATIONS[one.operation].is_long else FUZZ_BUDGET.right_kinds):
            kinds[one.rules] = [with_answer(one, came, ())]
    elif len(kept) < FUZZ_BUDGET.right_each:
        kept.append(with_answer(one, came, ()))


# What is asked of a program that is fuzzed: which profiles, and which operations of those it declares.


_MANY: Final = 16
_WORDS: Final = English(__name__, "fuzz-planning")


class NothingToAskError(BelotError):
    """Nothing that a program declares can be asked of it."""


def streams_for(
    hellos: Sequence[Hello], profile: str | None, operations: Sequence[str], reference: Reference, seed: int
) -> list[tuple[Stream, str]]:
    """Return a stream for each profile that all programs play, with what the first one calls it.

    A profile that the tester names is asked whatever was declared. Raises ``NothingToAskError``.
    """
    declared = set(OPERATIONS).intersection(*(hello.operations for hello in hellos))
    wanted = declared & set(operations) if operations else declared
    if not wanted:
        raise NothingToAskError(_WORDS.say("no_operation"))
    if profile is not None:
        rules = reference.ruleset(reference.profile(profile).id)
        name, _ = called(rules.profile, hellos[0], reference.spec)
        return [(Stream(rules, seed, wanted), name)]
    names = [name for name in _declared(hellos[0], reference.spec) if all(hello.declares(name) for hello in hellos)]
    if not names:
        raise NothingToAskError(_WORDS.say("no_profile"))
    # Many profiles are mostly options of the same variants, so that little of what is asked is new for long.
    later = {"other_suits_after": 0} if len(names) > _MANY else {}
    return [(Stream(reference.ruleset(name), seed, wanted, **later), name) for name in names]


def _declared(hello: Hello, spec: Spec) -> list[ProfileName]:
    """Return the profiles that a program declares; of a variant with any options each option alone."""
    found: list[ProfileName] = []
    for name in hello.profiles:
        if not is_known(name, spec):
            continue
        found.append(name.plain)
        if name.with_any:
            found += [ProfileName.of(name.plain, option) for option in spec.options_of(name.plain)]
    return list(dict.fromkeys(found))
