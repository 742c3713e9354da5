"""The situations of a table: how often each is asked about, and questions drawn towards those that are seldom."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import Json, Operation
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import Questions
from belot_conformance.situations.features import (
    FILE,
    Feature,
    Situation,
    held,
    lacking_in_cases,
    situations_at,
    situations_of,
)
from belot_conformance.situations.views import Put, look
from belot_conformance.suite.cases import SUFFIX, Case
from belot_conformance.suite.selection import plan_for
from belot_conformance.suite.verdicts import Planned
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_reference.possible import why_impossible
from belot_spec.errors import BelotError, Problem
from belot_spec.files import canonical
from belot_spec.spec import Spec

# Each situation is asked about so often. It is drawn towards until so many tries in turn brought nothing new of any of
# its operation, of whole deals and matches fewer: they take long.
LEAST: Final = 3
_TRIES: Final = 240
_LONG_TRIES: Final = 40
# How often what is drawn varies the question that comes nearest to a situation.
_VARIED: Final = 0.7
_SEED: Final = 55
# Between two deals so many questions are contrived; where so many deals bring none of an operation, there is none.
_CONTRIVED: Final = 40
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
        self._known = set[str]()

    @property
    def seldom(self) -> list[Situation]:
        """The situations that are asked about too seldom, or not at all."""
        return [one for one, number in self.counts.items() if number < LEAST]

    def enter(self, question: Json, message: Mapping[str, Any], *, if_new: bool = False) -> bool:
        """Count a question with its right answer, or only one about a situation asked about seldom; say if it is so.

        The same question counts once.
        """
        if (text := canonical(question)) in self._known:
            return False
        bits, so_far, about = _masks(self._about.name).bits, self._held(question, message), list[Situation]()
        for one, number in self.counts.items():
            so, not_so = bits[one]
            near = (so_far & so).bit_count() + (~so_far & not_so).bit_count()
            if near == len(one.literals):
                about.append(one)
            elif number < LEAST and near >= self._nearest.get(one, (0,))[0]:
                self._nearest[one] = near, question
        is_new = any(self.counts[one] < LEAST for one in about)
        if is_new or not if_new:
            self._known.add(text)
        for one in about if is_new or not if_new else ():
            self.counts[one] += 1
        return is_new

    def spare(self, question: Json, message: Mapping[str, Any]) -> bool:
        """Count a question no more if its situations are asked about often enough without it; say whether they are."""
        bits, so_far = _masks(self._about.name).bits, self._held(question, message)
        about = [one for one in self.counts if so_far & bits[one][0] == bits[one][0] and not so_far & bits[one][1]]
        is_spare = all(self.counts[one] > LEAST for one in about)
        for one in about if is_spare else ():
            self.counts[one] -= 1
        return is_spare

    def _held(self, question: Json, message: Mapping[str, Any]) -> int:
        """Return which features are so of a question, as bits."""
        facts = look(Put(self._about.name, question, self._rules, message))
        return held(_masks(self._about.name).features, facts)

    def drawn(self, longer: int = 1) -> Iterator[Json]:
        """Yield questions drawn towards the situations that are asked about too seldom, as far as they are found."""
        random, vain = Random(f"{_SEED} {self._rules.profile.id} {self._about.name}"), 0
        fresh = _fresh(self._rules, self._about, random)
        most = longer * (_LONG_TRIES if self._about.is_long else _TRIES)
        while (seldom := self.seldom) and vain < most:
            near = self._nearest.get(random.choice(seldom))
            with suppress(BelotError, StopIteration):
                varies = near and random.random() < _VARIED
                question = self._about.varied(self._rules, near[1], random) if near and varies else dict(next(fresh))
                found = answer(self._about.name, self._rules, question)
                if self.enter(question, found.message(), if_new=True):
                    vain = 0
                    yield question
            vain += 1


def _fresh(rules: Ruleset, about: Operation, random: Random) -> Iterator[Json]:
    """Yield questions of an operation by lot: contrived ones, and now and then those about a deal."""
    contrive = about.contriving(rules) if about.contrive is not None else None
    questions, empty = Questions(rules, random, [about.name]), 0
    while empty < _EMPTY:
        empty += 1
        if contrive is not None:
            yield from (contrive(random) for _ in range(_CONTRIVED))
        for one in questions.round(1):
            if why_impossible(rules, about.name, one.input) is None:
                empty = 0
                yield one.input


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


def case_coverings(cases: Sequence[Case], spec: Spec) -> dict[str, dict[str, Covering]]:
    """Return of every recorded variant how often the cases that hold for it ask about each situation of each operation.

    What the situations of a new variant lack is drawn when its deals are recorded, and not due before.
    """
    reference, recorded = Reference(spec), {case.profile for case in cases if case.path.suffix == SUFFIX}
    plans = {variant: plan_for(cases, variant, reference) for variant in spec.playable() if variant in recorded}
    return {one: planned_coverings(reference.ruleset(one), plan, OPERATIONS) for one, plan in plans.items()}


def situation_problems(found: Mapping[str, Mapping[str, Covering]]) -> Iterator[Problem]:
    """Yield the situations that cases ask about too seldom in a variant, but for those that are listed to be so."""
    listed = lacking_in_cases()
    for variant, operations in found.items():
        for operation, covering in operations.items():
            for one in covering.seldom:
                if (variant, operation, one.name) not in listed:
                    asked = f"{covering.counts[one]} cases ask about the situation that {one.name}"
                    due = f"{LEAST} are due; write some, or draw them by belot cases record"
                    yield Problem(FILE, 1, "situations", f"{operation} of {variant}: {asked}; {due}")


def situations_json(profile: str, found: Mapping[str, Covering]) -> dict[str, Any]:
    """Return how many situations of each operation are asked about often enough, and which are not, as JSON values."""
    operations = {
        name: {"all": len(one.counts), "often": len(one.counts) - len(one.seldom),
               "seldom": {each.name: one.counts[each] for each in one.seldom}}
        for name, one in found.items()
    }  # fmt: skip
    return {"profile": profile, "operations": operations}
