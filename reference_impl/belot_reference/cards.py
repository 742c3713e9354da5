"""Cards, suits and ranks as small integers, and sets of cards as bit masks."""

from collections.abc import Iterable, Iterator
from typing import Final

from belot_spec.card_names import CARD_NAMES, RANKS, SUITS

Card = int
Suit = int
CardSet = int

RANKS_IN_SUIT: Final = len(RANKS)
CARD_BY_NAME: Final = {name: card for card, name in enumerate(CARD_NAMES)}
SUIT_CARDS: Final = tuple(0xFF << (RANKS_IN_SUIT * suit) for suit in range(len(SUITS)))
ALL_CARDS: Final = (1 << len(CARD_NAMES)) - 1


def suit_of(card: Card) -> Suit:
    """Return the suit of a card, as an index in ``SUITS``."""
    return card >> 3


def rank_of(card: Card) -> int:
    """Return the rank of a card, as an index in ``RANKS``."""
    return card & 7


def card_at(rank: int, suit: Suit) -> Card:
    """Return the card of a rank and a suit, both given as indices."""
    return suit << 3 | rank


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the bit mask that holds the given cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: CardSet) -> Iterator[Card]:
    """Yield the cards of a bit mask, spades first and from seven to ace."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def names_of(mask: CardSet) -> list[str]:
    """Return the names of the cards of a bit mask, in the order of ``cards_in``."""
    return [CARD_NAMES[card] for card in cards_in(mask)]
