"""The situations of a table: how often each is asked about, and questions drawn towards those that are seldom."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from belot_conformance.explain.features import Feature, Situation, situations_at, situations_of
from belot_conformance.explain.views import Put, look
from belot_conformance.questions.operation import Json, Operation
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import Questions
from belot_conformance.suite.cases import SUFFIX
from belot_conformance.suite.verdicts import Planned
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_reference.possible import why_impossible
from belot_spec.errors import BelotError

# Each situation is asked about so often. It is drawn towards until so many tries in turn brought nothing new of any of
# its operation, of whole deals and matches fewer: they take long.
LEAST: Final = 3
_TRIES: Final = 240
_LONG_TRIES: Final = 40
# How often what is drawn varies the question that comes nearest to a situation.
_VARIED: Final = 0.7
_SEED: Final = 55
# Where so many deals bring no question of an operation, there is none.
_EMPTY: Final = 20


class _Masks(NamedTuple):
    """Situations as the bits of the features that are to be so, and of those that are not to be."""

    features: tuple[Feature, ...]
    bits: Mapping[Situation, tuple[int, int]]


@cache
def _masks(operation: str) -> _Masks:
    every = situations_of(operation)
    features = tuple(dict.fromkeys(literal.feature for one in every for literal in one.literals))
    place = {feature: number for number, feature in enumerate(features)}

    def bits(one: Situation, is_so: bool) -> int:
        return sum(1 << place[literal.feature] for literal in one.literals if literal.is_so == is_so)

    return _Masks(features, {one: (bits(one, True), bits(one, False)) for one in every})


class Covering:
    """How often each situation of an operation is asked about at a table, and what comes nearest to it."""

    def __init__(self, rules: Ruleset, operation: str) -> None:
        self._rules, self._about = rules, OPERATIONS[operation]
        self.counts = dict.fromkeys(situations_at(rules, operation), 0)
        self._nearest: dict[Situation, tuple[int, Json]] = {}

    @property
    def seldom(self) -> list[Situation]:
        """The situations that are asked about too seldom, or not at all."""
        return [one for one, number in self.counts.items() if number < LEAST]

    def enter(self, question: Json, message: Mapping[str, Any]) -> bool:
        """Count a question with its right answer; say whether it is about a situation that was asked about seldom."""
        (features, bits), counts = _masks(self._about.name), self.counts
        facts, is_new, held = look(Put(self._rules, self._about.name, question, message)), False, 0
        for number, feature in enumerate(features):
            held |= feature.holds(facts) << number
        for one in counts:
            so, not_so = bits[one]
            if held & so == so and not held & not_so:
                is_new |= counts[one] < LEAST
                counts[one] += 1
            elif counts[one] < LEAST:
                near = (held & so).bit_count() + (~held & not_so).bit_count()
                if near >= self._nearest.get(one, (0,))[0]:
                    self._nearest[one] = near, question
        return is_new

    def drawn(self) -> Iterator[Json]:
        """Yield questions drawn towards the situations that are asked about too seldom, as far as they are found."""
        random, vain = Random(f"{_SEED} {self._rules.profile.id} {self._about.name}"), 0
        fresh = _fresh(self._rules, self._about, random)
        most = _LONG_TRIES if self._about.is_long else _TRIES
        while (seldom := self.seldom) and vain < most:
            near = self._nearest.get(random.choice(seldom))
            with suppress(BelotError, StopIteration):
                varies = near and self._about.vary and random.random() < _VARIED
                question = self._about.varied(self._rules, near[1], random) if near and varies else dict(next(fresh))
                found = answer(self._about.name, self._rules, question)
                if self.enter(question, found.message()):
                    vain = 0
                    yield question
            vain += 1


def _fresh(rules: Ruleset, about: Operation, random: Random) -> Iterator[Json]:
    """Yield questions of an operation by lot."""
    if about.contrive is not None:
        contrive = about.contriving(rules)
        while True:
            yield contrive(random)
    questions, empty = Questions(rules, random, [about.name]), 0
    while empty < _EMPTY:
        empty += 1
        for _, one in questions.round(1):
            if why_impossible(rules, about.name, one) is None:
                empty = 0
                yield one


def coverings(
    rules: Ruleset, asked: Iterable[tuple[str, Json, Mapping[str, Any]]], operations: Iterable[str]
) -> dict[str, Covering]:
    """Return how often each situation of some operations is asked about by questions with their right answers."""
    found = {name: Covering(rules, name) for name in OPERATIONS if name in {*operations}}
    for operation, question, message in asked:
        if operation in found:
            found[operation].enter(question, message)
    return found


def planned_coverings(rules: Ruleset, plan: Iterable[Planned], operations: Iterable[str]) -> dict[str, Covering]:
    """Return how often each situation of some operations is asked about by what is planned for a table."""
    return coverings(rules, _answered(rules, plan), operations)


def _answered(rules: Ruleset, plan: Iterable[Planned]) -> Iterator[tuple[str, Json, Mapping[str, Any]]]:
    for one in plan:
        case = one.case
        # What a program recorded or drew is expected whole; who works out a case may leave out what it is not about.
        if case.path.suffix in (SUFFIX, ""):
            yield case.operation, case.input, case.expected[0].message
        else:
            with suppress(BelotError):
                yield case.operation, case.input, answer(case.operation, rules, case.input, well_formed=True).message()


def situations_json(profile: str, found: Mapping[str, Covering]) -> dict[str, Any]:
    """Return how many situations of each operation are asked about often enough, and which are not, as JSON values."""
    operations = {
        name: {"all": len(one.counts), "often": len(one.counts) - len(one.seldom),
               "seldom": {each.name: one.counts[each] for each in one.seldom}}
        for name, one in found.items()
    }  # fmt: skip
    return {"profile": profile, "operations": operations}
