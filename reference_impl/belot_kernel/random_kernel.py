"""Random numbers in kernels: the very functions of ``streams``, compiled; they draw the same."""

from typing import Any, Final

import numpy as np

from belot_kernel.jit import kernel, lowest_of
from belot_reference import streams

mixed: Any = kernel(streams.mixed)

SPREAD: Final = np.uint64(streams.SPREAD)
_ITEMS: Final = np.uint64(streams.SPREAD_OF_ITEMS)
_DEALS: Final = np.uint64(streams.SPREAD_OF_DEALS)
_OF_MATCH: Final = np.uint64((1 << 64) - 1)
_HALF: Final = np.uint64(32)
# An item that stands for the second time in what may be chosen; see ``players.preference``.
_FIRST_TIME: Final = np.uint64(1 << 40)
LAST_PLACE: Final = np.uint64((1 << 64) - 1)
_CUT: Final = 64
_PLAYERS: Final = 65


@kernel
def drawn(stream: Any, place: Any, below: Any) -> Any:
    """Return the number at a place of a stream, from 0 up to but not including ``below``."""
    number = mixed(stream + np.uint64(place) * SPREAD)
    return np.int64(((number >> _HALF) * np.uint64(below)) >> _HALF)


@kernel
def deal_stream(seed: Any, match: Any, place: Any) -> Any:
    """Return the stream of a deal; ``seed`` is mixed already."""
    return mixed(mixed(seed + np.uint64(match) * SPREAD) + np.uint64(place) * _DEALS)


@kernel
def match_stream(seed: Any, match: Any) -> Any:
    """Return the stream of a match."""
    return mixed(mixed(seed + np.uint64(match) * SPREAD) + _OF_MATCH * _DEALS)


@kernel
def players_stream(stream: Any) -> Any:
    """Return the stream of the players of a deal."""
    return mixed(stream + np.uint64(_PLAYERS) * SPREAD)


@kernel
def shuffle(cards: Any, stream: Any, least: Any, deal: Any) -> None:
    """Shuffle and cut the deck of a deal."""
    number = len(cards)
    order = deal.played
    for place in range(number):
        order[place] = cards[place]
    for place in range(number - 1, 0, -1):
        other = drawn(stream, place, place + 1)
        order[place], order[other] = order[other], order[place]
    cut = least + drawn(stream, _CUT, number - 2 * least + 1)
    for place in range(cut, number):
        deal.deck[place - cut] = order[place]
    for place in range(cut):
        deal.deck[number - cut + place] = order[place]


@kernel
def preference(stream: Any, decision: Any) -> Any:
    """Return the base of a decision's order of preference."""
    return mixed(stream + np.uint64(decision) * SPREAD)


@kernel
def place_of(base: Any, key: Any) -> Any:
    """Return where an item stands in an order of preference, the first time that it may be chosen."""
    return mixed(base + (np.uint64(key) + _FIRST_TIME) * _ITEMS)


@kernel
def preferred(base: Any, cards: Any) -> Any:
    """Return the card or suit of a set that is preferred most."""
    best, least = np.int64(0), LAST_PLACE
    while cards:
        card = lowest_of(cards)
        cards &= cards - 1
        place = place_of(base, card + 1)
        if place < least:
            best, least = card, place
    return best


@kernel
def passes_before(base: Any, place: Any, chances: Any) -> Any:
    """Say whether a pass, which has so many chances, stands before a place in an order of preference."""
    for time in range(chances):
        if place_of(base, np.uint64(time) * _FIRST_TIME) < place:
            return True
    return False
