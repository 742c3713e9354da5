"""Cards, suits and ranks as small integers, and sets of cards as bit masks."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, NewType

from belot_spec.card_names import CARD_NAMES, RANKS, SUITS

Card = NewType("Card", int)
Suit = NewType("Suit", int)

if TYPE_CHECKING:

    class CardSet(int):
        """A NewType of ``int`` whose operations on sets give sets again, which costs nothing when it runs."""

        def __and__(self, other: "CardSet", /) -> "CardSet": ...  # type: ignore[override]
        def __or__(self, other: "CardSet", /) -> "CardSet": ...  # type: ignore[override]
        def __xor__(self, other: "CardSet", /) -> "CardSet": ...  # type: ignore[override]
        def __invert__(self) -> "CardSet": ...
else:
    CardSet = int

RANKS_IN_SUIT: Final = len(RANKS)
CARD_BY_NAME: Final = {name: Card(card) for card, name in enumerate(CARD_NAMES)}
EVERY_CARD: Final = tuple(CARD_BY_NAME.values())
EVERY_SUIT: Final = tuple(map(Suit, range(len(SUITS))))
ONLY: Final = tuple(CardSet(1 << card) for card in EVERY_CARD)
SUIT_CARDS: Final = tuple(CardSet(0xFF << (RANKS_IN_SUIT * suit)) for suit in EVERY_SUIT)
NO_CARDS: Final = CardSet(0)
ALL_CARDS: Final = CardSet((1 << len(CARD_NAMES)) - 1)
_SUIT_OF: Final = tuple(Suit(card // RANKS_IN_SUIT) for card in EVERY_CARD)


def suit_of(card: Card) -> Suit:
    """Return the suit of a card."""
    return _SUIT_OF[card]


def rank_of(card: Card) -> int:
    """Return the rank of a card, as an index in ``RANKS``."""
    return card & 7


def card_at(rank: int, suit: Suit) -> Card:
    """Return the card of a suit and of a rank, given as an index in ``RANKS``."""
    return EVERY_CARD[suit * RANKS_IN_SUIT + rank]


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of the given cards."""
    found = NO_CARDS
    for card in cards:
        found |= ONLY[card]
    return found


def union(sets: Iterable[CardSet]) -> CardSet:
    """Return all cards of some sets."""
    return reduce(or_, sets, NO_CARDS)


def holds(cards: CardSet, card: Card) -> bool:
    """Say whether a card is in a set."""
    return cards >> card & 1 == 1


def lowest_of(cards: CardSet) -> Card:
    """Return the first card of a set that is not empty, in the order of ``cards_in``."""
    return EVERY_CARD[(cards & -cards).bit_length() - 1]


def ranks_of(cards: CardSet, suit: Suit) -> int:
    """Return the ranks that a set has of a suit, as a bit mask of their indices in ``RANKS``."""
    return cards >> RANKS_IN_SUIT * suit & 0xFF


def cards_in(cards: CardSet) -> Iterator[Card]:
    """Yield the cards of a set, spades first and from seven to ace."""
    left = int(cards)
    while left:
        lowest = left & -left
        yield EVERY_CARD[lowest.bit_length() - 1]
        left ^= lowest


def names_of(cards: CardSet) -> list[str]:
    """Return the names of the cards of a set, in the order of ``cards_in``."""
    return [CARD_NAMES[card] for card in cards_in(cards)]
