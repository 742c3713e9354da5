"""How much of the rules a stream of questions has reached, and which of it was reached but seldom.

A *feature* is one thing that an answer shows: which rules together led to it, the shape of a result, a rung of a
ladder that was bound, a node of the graph of tricks, a refusal with its reason.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from belot_conformance.questions.operation import Question
from belot_reference.compile import Ruleset
from belot_reference.operations import Answer
from belot_reference.play import table_of
from belot_reference.questions import cards_named, mode_named, set_named

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
