"""Cards drawn by lot: some of a set, and hands rich in declarations."""

from collections.abc import Iterable
from random import Random
from typing import Final, Generic, TypeVar

from belot_reference.cards import Card, CardSet, Suit, card_at, card_set, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.mode import Mode
from belot_reference.possible import declaration_points, largest_hand
from belot_spec.card_names import CARD_NAMES


def named(cards: Iterable[Card]) -> list[str]:
    """Return the names of cards, in their order."""
    return [CARD_NAMES[card] for card in cards]


def some_cards(cards: CardSet, number: int, random: Random) -> list[Card]:
    """Return so many of some cards, or all where there are fewer."""
    held = list(cards_in(cards))
    return random.sample(held, min(number, len(held)))


def sequence_of(rules: Ruleset, length: int, start: int, suit: Suit) -> CardSet:
    """Return so many cards in a row of a suit, from a place in the order of sequences on, in the deck or not."""
    return card_set(card_at(rules.sequence_position.index(place), suit) for place in range(start, start + length))


def rich_hands(rules: Ruleset, random: Random) -> list[CardSet]:
    """Deal hands in which runs and squares are frequent: cards of a rank, and of neighbouring ranks, stay together."""
    order = list(cards_in(rules.deck))
    by_rank = random.random() < 0.5

    def place(card: Card) -> tuple[int, int]:
        rank, suit = rank_of(card), suit_of(card)
        return (rank, suit) if by_rank else (suit, rules.sequence_position[rank])

    order.sort(key=place)
    for _ in range(random.choice((0, 2, 4, 8))):
        one, other = random.sample(range(len(order)), 2)
        order[one], order[other] = order[other], order[one]
    start = random.randrange(len(order))
    order = [*order[start:], *order[:start]]
    size = largest_hand(rules)
    hands = [card_set(order[seat * size : (seat + 1) * size]) for seat in range(rules.players)]
    random.shuffle(hands)
    return hands


# How many declarations there are by lot.
_DECLARED: Final = (0, 0, 1, 1, 2)


def declared_by_lot(rules: Ruleset, random: Random) -> int:
    """Return the points of up to two declarations, often nothing."""
    number = random.choice(_DECLARED)
    each = declaration_points(rules) if number else ()
    return sum(random.choice(each) for _ in range(number)) if each else 0


def dealt_points(rules: Ruleset, mode: Mode, random: Random) -> int:
    """Return the card points of what is dealt: of some cards by lot where nobody gets the others."""
    held = rules.players * rules.hand_size + rules.value_or("deal.taker-discards", 0)
    if held == rules.deck.bit_count():
        return rules.points_in_deck(mode)
    return rules.points_of(mode, card_set(some_cards(rules.deck, held, random)))


Item = TypeVar("Item")


class Turns(Generic[Item]):
    """Items that come one after the other, each as often as it was given, in another order each time round.

    What is seldom by lot is so never left out for long.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = list(items)
        self._left: list[Item] = []

    def next(self, random: Random) -> Item:
        """Return the item whose turn it is; there must be one."""
        if not self._left:
            self._left = self._items.copy()
            random.shuffle(self._left)
        return self._left.pop()
