"""Random numbers by their place in a deal, of a match, of a seed: the same whoever asks, and whenever.

Whole numbers of 64 bits and nothing else, so that every process, machine and kernel draws the same.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MASK: Final = (1 << 64) - 1
# Odd numbers without a pattern, by which places are spread: of SplitMix64, and of multiplicative generators.
SPREAD: Final = 0x9E3779B97F4A7C15
SPREAD_OF_ITEMS: Final = 0xD1342543DE82EF95
SPREAD_OF_DEALS: Final = 0xA0761D6478BD642F
# Where the numbers of a deal begin that are none of its cards.
_CUT: Final = 64
_PLAYERS: Final = 65
# The place among the deals of a match that stands for the match itself.
_OF_MATCH: Final = _MASK


def mixed(number: int) -> int:
    """Return 64 bits that look random and hang on every bit of a number (the finisher of SplitMix64)."""
    number &= _MASK
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _MASK
    return number ^ number >> 31


def deal_stream(seed: int, match: int, place: int) -> int:
    """Return the stream of a deal: that of a seed, in a match, at a place in it."""
    return mixed(mixed(mixed(seed) + match * SPREAD) + place * SPREAD_OF_DEALS)


def drawn(stream: int, place: int, below: int) -> int:
    """Return the number at a place of a stream, from 0 up to but not including ``below``, which is small."""
    return (mixed(stream + place * SPREAD) >> 32) * below >> 32


def shuffle_by(stream: int, cards: Sequence[Item]) -> list[Item]:
    """Return cards in the order of a stream (Fisher and Yates, from the last card on)."""
    deck = list(cards)
    for place in range(len(deck) - 1, 0, -1):
        other = drawn(stream, place, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def drawn_cut(stream: int, cards: int, least: int) -> int:
    """Return how many cards a deal's cut lifts off; each packet has at least the ``least``."""
    return least + drawn(stream, _CUT, cards - 2 * least + 1)


def players_stream(stream: int) -> int:
    """Return the stream of the players of a deal."""
    return mixed(stream + _PLAYERS * SPREAD)


def first_dealer(seed: int, match: int, players: int) -> int:
    """Return who deals first in a match."""
    return drawn(deal_stream(seed, match, _OF_MATCH), 0, players)
