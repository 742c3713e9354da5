"""What tells some rules from others: a question that they answer otherwise, the first there is or the smallest.

Where questions come from is no matter here: cases, deals drawn by either rules, a log. A source is an iterator, asked
for no more than is needed, and each of its questions is answered once by the rules, whatever they are told from.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from belot_conformance.programs.reference import Came, put
from belot_conformance.questions.operation import AnsweredQuestion, Question
from belot_conformance.questions.stream import EVERY_OPERATION, random_questions
from belot_conformance.suite.judge import fields_apart
from belot_reference.compile import Ruleset
from belot_spec.files import canonical


@dataclass(frozen=True, slots=True)
class Rival:
    """Rules to tell from others, and the values that are other ones in them, by rule."""

    rules: Ruleset
    values: Mapping[str, Any]

    @classmethod
    def of(cls, rules: Ruleset, other: Ruleset) -> "Rival":
        """Return some rules as the rival of others, from which they may differ in anything."""
        own, found = rules.profile.settings, other.profile.settings
        same = {
            rule for rule in own.keys() & found.keys() if canonical(own[rule].value) == canonical(found[rule].value)
        }
        return cls(other, {rule: other.value_or(rule, None) for rule in own.keys() | found.keys() if rule not in same})


class ProbeQuestion(Protocol):
    """A question with its right answer, and the rules that it rests on."""

    @property
    def operation(self) -> str:
        """What is asked."""

    @property
    def input(self) -> Mapping[str, Any]:
        """What it is asked about."""

    @property
    def rules(self) -> frozenset[str]:
        """The rules that the right answer rests on."""


def is_other(one: AnsweredQuestion, came: Came, *, reasons: bool = False) -> bool:
    """Say whether another answer is another one in anything that is compared, or perhaps in the rules it names."""
    return bool(fields_apart(one.operation, one.answer, came.message(), reasons=reasons))


def answered(rules: Ruleset, questions: Iterable[Question]) -> Iterator[AnsweredQuestion]:
    """Yield questions with the answers by some rules; what makes no sense by them is left out."""
    for one in questions:
        came = put(one.operation, rules, one.input)
        if came.answer is not None:
            yield AnsweredQuestion(one.operation, one.input, came.message(), came.rests_on)


@dataclass(frozen=True, slots=True)
class Budget:
    """From how many deals questions are drawn, and by which lot; the same draw the same questions."""

    deals: int
    seed: int = 1

    def questions(self, rules: Ruleset, operations: frozenset[str] = EVERY_OPERATION) -> Iterator[Question]:
        """Yield what can be asked about so many deals that are played by some rules."""
        return random_questions(rules, self.deals, self.seed, operations)


@dataclass(frozen=True, slots=True)
class Contrast(Question):
    """A question with its answers by the rules and by the rival."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


S = TypeVar("S", bound=ProbeQuestion)


class Probe(Generic[S]):
    """The questions of one source, put to one rival after the other: ``differs`` says which answer tells it."""

    def __init__(self, source: Iterable[S], differs: Callable[[Any, Came], bool] = is_other) -> None:
        self._source = iter(source)
        self._differs = differs
        self._known: list[S] = []

    def __iter__(self) -> Iterator[S]:
        """Yield the questions in the order of the source; those that nobody wanted yet are drawn now."""
        place = 0
        while True:
            if place == len(self._known):
                self._known += islice(self._source, 1)
            if place == len(self._known):
                return
            yield self._known[place]
            place += 1

    def reading(self, rules: Iterable[str]) -> Iterator[S]:
        """Yield the questions whose answer rests on one of some rules: no other tells their values."""
        wanted = frozenset(rules)
        return (one for one in self if not one.rules.isdisjoint(wanted))

    def telling(self, rival: Rival, among: Callable[[S], bool] = lambda _: True) -> Iterator[tuple[S, Came]]:
        """Yield the questions, of some, to which the rival answers otherwise, with what it answers."""
        for one in self.reading(rival.values):
            if among(one) and self._differs(one, came := put(one.operation, rival.rules, one.input)):
                yield one, came

    def first(self, rival: Rival, among: Callable[[S], bool] = lambda _: True) -> S | None:
        """Return the first question, of some, that tells the rival; ``None`` if none does of all that there are."""
        return next((one for one, _ in self.telling(rival, among)), None)

    def smallest(self, rival: Rival) -> tuple[S, Came] | None:
        """Return the smallest question that tells the rival, with its answer; ``None`` if none does of all."""
        return min(self.telling(rival), key=lambda pair: len(str((pair[0].operation, pair[0].input))), default=None)
