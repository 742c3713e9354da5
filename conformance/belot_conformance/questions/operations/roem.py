"""What is asked about one trick where what meets in it earns points: cards in a row, four equal ones, stuk."""

from collections.abc import Iterator
from random import Random
from typing import Final

from belot_conformance.questions.cards import Turns, named, sequence_of, some_cards
from belot_conformance.questions.matches import DealPool
from belot_conformance.questions.operation import Fields, Operation, Tagged
from belot_reference.cards import EVERY_SUIT, NO_CARDS, CardSet, card_at, card_set, cards_in
from belot_reference.compile import Ruleset
from belot_reference.mode import Mode
from belot_spec.card_names import RANKS

_EACH: Final = 3
_SHORTEST: Final = 3


class Tricks:
    """Tricks in which every row, every four equal cards and every stuk come up in turn, some of them nearly."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        lengths = (_SHORTEST, rules.players)
        rows = [("row", length, start) for length in lengths for start in range(len(RANKS) - length + 1)]
        squares = [("square", rank, 0) for rank in range(len(RANKS))]
        self._turns = Turns([*rows, *squares, *[("stuk", 0, 0)] * 3, *[("any", 0, 0)] * 2])

    def questions(self, _: DealPool, random: Random, breadth: int) -> Iterator[Tagged]:
        """Yield some tricks, more of them as it goes on; none where nothing that meets in a trick earns points."""
        for _number in range(_EACH * breadth if self._rules.has_roem else 0):
            yield self._question(random), ()

    def _question(self, random: Random) -> Fields:
        rules, (kind, which, start) = self._rules, self._turns.next(random)
        mode = random.choice(rules.playable_modes)
        cards = list(cards_in(self._core(mode, kind, which, start, random) & rules.deck))
        others = some_cards(rules.deck & ~card_set(cards), rules.players - len(cards), random)
        trick = [*cards, *others][: rules.players]
        random.shuffle(trick)
        return {"trump": mode.name, "cards": named(trick)}

    def _core(self, mode: Mode, kind: str, which: int, start: int, random: Random) -> CardSet:
        suit = random.choice(EVERY_SUIT)
        match kind:
            case "row":
                return sequence_of(self._rules, which, start, suit)
            case "square":
                return card_set(card_at(which, suit) for suit in EVERY_SUIT)
            case "stuk" if mode.pairs:
                return random.choice(mode.pairs)
        return NO_CARDS


ROEM: Final = Operation(
    "roem",
    rank=2,
    from_pool=lambda rules: Tricks(rules).questions,
)
