"""An endless stream of questions about one profile, with the answers of its rules: the same for the same seed.

Every round begins with a deal and asks of it whatever the protocol can ask; contrived questions follow, and then
variations of questions that reached what is seldom reached. With each round more small questions are drawn.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.matches import DealPool
from belot_conformance.questions.operation import AnsweredQuestion, Operation, Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.relabelling import OF_SUITS, Renaming, relabelled, renamings
from belot_reference.compile import Ruleset
from belot_reference.operations import Answer, answer
from belot_reference.play import table_of
from belot_reference.possible import why_impossible
from belot_reference.questions import cards_named, mode_named, set_named
from belot_spec.errors import BelotError

# How much of the rules a stream of questions has reached, and which of it was reached but seldom.
# A *feature* is one thing that an answer shows: which rules together led to it, the shape of a result, a rung of a
# ladder that was bound, a node of the graph of tricks, a refusal with its reason.

Feature = tuple[Hashable, ...]

# What was reached so seldom is steered for.
_SELDOM: Final = 6
_MOST_SEEDS: Final = 4000
# Answered by one number or seat, which is no feature.
_PLAIN: Final = frozenset(("card-points", "trick-winner"))


@dataclass(slots=True)
class Reached:
    """What answers have shown: ``rules`` that were read, pairs of a duty and the place of the rung that bound.

    ``nodes`` of the graph of tricks, refusals with their ``reasons``, and the ``rare`` things of deals and matches.
    """

    rules: set[str] = field(default_factory=set)
    rungs: set[tuple[str, int]] = field(default_factory=set)
    nodes: set[int] = field(default_factory=set)
    reasons: set[tuple[str, str]] = field(default_factory=set)
    rare: set[str] = field(default_factory=set)

    @property
    def size(self) -> int:
        """How much was reached in all."""
        return sum(len(part) for part in self._parts)

    def copy(self) -> "Reached":
        """Return what was reached by now."""
        return Reached(*(set(part) for part in self._parts))

    @property
    def _parts(self) -> tuple[set[Any], ...]:
        return self.rules, self.rungs, self.nodes, self.reasons, self.rare


@dataclass(slots=True)
class Coverage:
    """The features that were reached and how often, and for each the question that reached it first."""

    counts: Counter[Feature] = field(default_factory=Counter)
    seeds: dict[Feature, Question] = field(default_factory=dict)
    reached: Reached = field(default_factory=Reached)
    _seldom: list[Feature] = field(default_factory=list)
    _told: int = 0

    def news(self) -> Reached | None:
        """Return what was reached if that is more than when this was asked before."""
        before, self._told = self._told, self.reached.size
        return self.reached.copy() if self._told > before else None

    def enter(self, rules: Ruleset, question: Question, answer: Answer) -> None:
        """Count what an answer shows."""
        for feature in self._features(rules, question, answer):
            if feature not in self.counts and len(self.seeds) < _MOST_SEEDS:
                self.seeds[feature] = question
            self.counts[feature] += 1

    def tag(self, question: Question, tags: tuple[str, ...]) -> None:
        """Count the rare things of a recorded deal or match."""
        self.reached.rare.update(tags)
        for name in tags:
            self.counts["tag", name] += 1
            self.seeds.setdefault(("tag", name), question)

    def draw(self, random: Random) -> Question | None:
        """Return a question that reached what is seldom reached; ``None`` if everything is reached often."""
        return self.seeds[random.choice(self._seldom)] if self._seldom else None

    def look_again(self) -> None:
        """Find out anew what is seldom reached."""
        counts = self.counts
        self._seldom = [feature for feature in self.seeds if counts[feature] <= _SELDOM]

    def _features(self, rules: Ruleset, question: Question, answer: Answer) -> Iterator[Feature]:
        operation = question.operation
        self.reached.rules |= answer.rules
        if answer.rejected is not None:
            reason = str(answer.rejected["reason"])
            self.reached.reasons.add((operation, reason))
            yield operation, reason, answer.rejected.get("rule"), answer.rules
            return
        yield operation, answer.rules
        if operation == "legal-cards":
            yield self._rung(rules, question.input)
        elif operation not in _PLAIN:
            yield operation, _shape(answer.result)

    def _rung(self, rules: Ruleset, question: Mapping[str, Any]) -> Feature:
        hand = set_named(question["hand"])
        node = table_of(rules, mode_named(rules, question["trump"]), 0, cards_named(question["trick"])).node
        self.reached.nodes.add(id(node))
        duty = node.following if hand & node.led_suit else node.void
        rung = next(place for place, one in enumerate(duty.rungs) if hand & one.binds)
        self.reached.rungs.add((duty.rule, rung))
        free = bool(hand & ~duty.rungs[rung].allowed)
        return duty.rule, rung, free, node.count


def _shape(value: Any) -> Hashable:
    """Return what kind of result this is: which numbers are nothing, equal or larger than others, but not how large."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return (value > 0) - (value < 0)
    if isinstance(value, Mapping):
        return tuple(_shape(item) for key, item in value.items() if key not in ("winner", "trump", "taker", "turn"))
    if isinstance(value, list):
        if value and all(type(item) is int for item in value):
            order = sorted(set(value))
            return tuple((order.index(item), item == 0) for item in value)
        return min(len(value), 3), _shape(value[-1]) if value and isinstance(value[-1], Mapping) else None
    return len(value) if isinstance(value, str) and len(value) < 4 else value


# The stream.

EVERY_OPERATION: Final = frozenset(OPERATIONS)

# How many variations of seldom questions a round begins with; of deals and matches only so many: they take long.
_VARIED: Final = 10
_LONG_VARIED: Final = 4
# Small questions are drawn more and more, until there are so many times as many in a round.
_MOST_AT_ONCE: Final = 40
_SLOWLY: Final = 8
# From so many times as many on, every position of a deal is asked about.
_ALL_POSITIONS: Final = 8
# Without a stream, so many times as many small questions stand beside each deal.
_BESIDE_DEAL: Final = 6
# Once there are so many times as many small questions, half of them are looked at for what is seldom.
_LOOKED_AT: Final = 4
# What is small and about suits is asked once more in others after so many rounds.
_LATER: Final = 25
_DEALS_KEPT: Final = 60


def in_other_suits(one: AnsweredQuestion, names: Renaming) -> AnsweredQuestion:
    """Return a question and its answer with the suits exchanged."""
    question = relabelled(f"{one.operation}-input", one.input, names)
    answer = {kind: relabelled(f"{one.operation}-{kind}", fields, names) for kind, fields in one.answer.items()}
    return replace(one, input=question, answer=answer)


class Questions:
    """Questions of the wanted operations about one profile: about a deal that is played, contrived ones, matches."""

    def __init__(self, rules: Ruleset, random: Random, wanted: Iterable[str] = OPERATIONS) -> None:
        self._rules = rules
        self._random = random
        self._pool = DealPool(rules)
        chosen = frozenset(wanted)
        self._operations = [one for name, one in OPERATIONS.items() if name in chosen]
        self._contriving = [(one, one.contriving(rules)) for one in self._operations if one.contrive is not None]
        self._pooling = [(one, one.from_pool(rules)) for one in self._operations if one.from_pool is not None]
        self._need_deals = any(one.from_deal or one.from_pool for one in self._operations)
        self._deals = 0

    def round(self, breadth: int, coverage: Coverage | None = None) -> Iterator[Question]:
        """Yield what is asked about one deal more, with so many times as many small questions as at least."""
        if self._need_deals:
            yield from self._of_a_deal(breadth, coverage)
        for operation, contrive in self._contriving:
            for _ in range(_number(operation, breadth)):
                yield Question(operation.name, contrive(self._random))
        for operation, draw in self._pooling:
            for drawn, tags in draw(self._pool, self._random, breadth):
                question = Question(operation.name, drawn)
                if coverage is not None:
                    coverage.tag(question, tags)
                yield question

    def _of_a_deal(self, breadth: int, coverage: Coverage | None) -> Iterator[Question]:
        rules, random = self._rules, self._random
        deal = random_deal(rules, random)
        self._deals += 1
        if self._deals % _DEALS_KEPT == 0:
            self._pool = DealPool(rules)
        self._pool.add(deal)
        if coverage is not None:
            coverage.tag(Question("replay", deal.question), deal.tags)
        share = min(1.0, breadth / _ALL_POSITIONS)
        for operation in self._operations:
            if operation.from_deal is not None:
                asked = operation.from_deal(rules, deal, random, share)
                yield from (Question(operation.name, one) for one in asked)


def _number(operation: Operation, breadth: int) -> int:
    return operation.each * (-(-breadth // operation.slower) if operation.slower else 1)


def random_questions(rules: Ruleset, deals: int, seed: int, wanted: Iterable[str] = OPERATIONS) -> Iterator[Question]:
    """Yield questions of the wanted operations drawn from so many random deals, and contrived ones beside them."""
    questions = Questions(rules, Random(f"{rules.profile.id} {seed}"), wanted)
    for _ in range(deals):
        yield from _possible(rules, questions.round(_BESIDE_DEAL))


def _possible(rules: Ruleset, questions: Iterable[Question]) -> Iterator[Question]:
    yield from (one for one in questions if why_impossible(rules, one.operation, one.input) is None)


class Stream:
    """The questions about one profile, of the operations that are wanted.

    After so many rounds small questions are asked in other suits too.
    """

    def __init__(
        self, rules: Ruleset, seed: int, operations: Iterable[str] = OPERATIONS, other_suits_after: int = _LATER
    ) -> None:
        self.rules = rules
        self.coverage = Coverage()
        self._operations = frozenset(operations)
        self._random = Random(f"fuzz {rules.profile.id} {seed}")
        # Made where the questions are: it holds functions, which cannot be handed to another process.
        self._questions: Questions | None = None
        self._rounds = 0
        self._other_suits_after = other_suits_after
        self._asked = 0

    def round(self) -> list[AnsweredQuestion]:
        """Return the questions of the next round; each has an answer by the rules."""
        if self._questions is None:
            self._questions = Questions(self.rules, self._random, self._operations)
        self._rounds += 1
        self.coverage.look_again()
        drawn = list(self._answered(self._questions.round(self._breadth, self.coverage), well_formed=True))
        drawn += self._answered(self._varied(), well_formed=False)
        return [*drawn, *self._in_other_suits(drawn)]

    def _answered(self, questions: Iterable[Question], *, well_formed: bool) -> Iterator[AnsweredQuestion]:
        for one in questions:
            about = OPERATIONS[one.operation]
            # What is no question by these rules is not asked.
            with suppress(BelotError):
                # A spoiled deal may be no question at all; what is contrived always is one.
                is_one = well_formed and about.contrive is not None
                found = answer(one.operation, self.rules, one.input, well_formed=is_one)
                self._asked += 1
                # Of many small questions a part is enough to see what is seldom.
                if not about.slower or self._asked % self._looked_at == 0:
                    self.coverage.enter(self.rules, one, found)
                yield AnsweredQuestion(one.operation, one.input, found.message(), found.rules)

    @property
    def _breadth(self) -> int:
        """How many times as many small questions are drawn as in the first round."""
        return min(_MOST_AT_ONCE, 1 + self._rounds // _SLOWLY)

    @property
    def _looked_at(self) -> int:
        return 1 + self._breadth // _LOOKED_AT

    def _varied(self) -> Iterator[Question]:
        long = 0
        for _ in range(_VARIED * self._breadth):
            seed = self.coverage.draw(self._random)
            if seed is None or seed.operation not in self._operations:
                continue
            operation = OPERATIONS[seed.operation]
            long += operation.is_long
            if not operation.is_long or long <= _LONG_VARIED:
                yield Question(operation.name, operation.varied(self.rules, seed.input, self._random))

    def _in_other_suits(self, drawn: Sequence[AnsweredQuestion]) -> Iterator[AnsweredQuestion]:
        """Yield small questions again with the suits exchanged: the answer is the same with the suits exchanged.

        Only once much was asked: few programs know the rules in some suits alone.
        """
        if self._rounds <= self._other_suits_after:
            return
        names = {name: renamings(self.rules, name) for name in self._operations & OF_SUITS}
        for one in drawn:
            if names.get(one.operation):
                yield in_other_suits(one, self._random.choice(names[one.operation]))
