"""Declarations in a kernel: which ones a hand holds, which of them a seat announces, and which count.

``declarations`` of ``belot_reference`` says the same with a line for each rule; what ``t``, ``deal`` and a set of cards
are, says the package. ``rows`` are the declarations of a seat, a row each, with the columns ``OF_…``.
"""

from typing import Any, Final

import numpy as np

from belot_kernel.jit import kernel, lowest_of
from belot_kernel.layout import SEATS, SUITS
from belot_kernel.random_kernel import mixed, place_of
from belot_kernel.record import (
    OF_CARDS,
    OF_KEY,
    OF_KIND,
    OF_POINTS,
    OF_WINNING,
    SUM_DECLARED,
    SUM_OUTRANKED,
)
from belot_kernel.tables import NONE

# A rank in every suit: times a set of ranks, the cards of all of them.
_IN_EVERY_SUIT: Final = 0x01010101
# Whether a card may stand in a square and in a sequence, or shortens the sequence: places in ``SHARING``.
_SHARED, _SHORTENED = 0, 2
# Of the type that trumps have: numba compiles a function anew for a constant of Python's.
_NO_TRUMPS: Final = np.int64(0)
_SET_NEVER: Final = np.uint64((1 << 64) - 1)


@kernel
def squares_in(t: Any, hand: Any) -> Any:
    """Return the ranks of which a hand has a square that is a declaration, as bits."""
    return hand & (hand >> 8) & (hand >> 16) & (hand >> 24) & t.squares


@kernel
def _add_runs(t: Any, hand: Any, used: Any, trumps: Any, rows: Any) -> Any:
    """Write the sequences of a hand that touch no card in use; return how many, and their cards."""
    number, touched = 0, 0
    for suit in range(SUITS):
        held = (hand >> 8 * suit) & 0xFF
        for place in range(2):
            run = t.runs[held, place]
            if run == 0:
                break
            cards = run << 8 * suit
            if cards & used:
                continue
            in_trump = trumps >> 8 * suit & 1
            rows[number, OF_CARDS] = cards
            rows[number, OF_POINTS] = t.run_points[run]
            rows[number, OF_KEY] = t.run_key[in_trump, run]
            rows[number, OF_KIND] = 0
            rows[number, OF_WINNING] = t.run_wins[in_trump, run]
            touched |= cards
            number += 1
    return number, touched


@kernel
def together(t: Any, hand: Any, squares: Any, kept: Any, trumps: Any, rows: Any) -> Any:
    """Write the declarations that go with a choice of squares; return how many, -1 where it is not a largest set."""
    used = kept * _IN_EVERY_SUIT if t.sharing != _SHARED else 0
    left = hand & ~used if t.sharing == _SHORTENED else hand
    number, touched = _add_runs(t, left, used, trumps, rows)
    out = squares & ~kept
    while out:
        rank = lowest_of(out)
        out &= out - 1
        if not (_IN_EVERY_SUIT << rank) & touched:
            return NONE
    while kept:
        rank = lowest_of(kept)
        kept &= kept - 1
        rows[number, OF_CARDS] = _IN_EVERY_SUIT << rank
        rows[number, OF_POINTS] = t.square_points[rank]
        rows[number, OF_KEY] = t.square_key[rank]
        rows[number, OF_KIND] = 1
        rows[number, OF_WINNING] = 0
        number += 1
    return number if number else NONE


@kernel
def _set_key(rows: Any, number: Any) -> Any:
    key = np.uint64(1)
    for place in range(number):
        key = mixed(key ^ np.uint64(rows[place, OF_CARDS]))
    return key


@kernel
def announce(t: Any, deal: Any, seat: Any, base: Any) -> Any:
    """Let a seat announce the largest set that it prefers of its full hand; say whether that wins the match."""
    hand, trumps = deal.dealt[seat], t.trumps[deal.mode]
    deal.said[seat] = 0
    if not t.played[deal.mode]:
        return False
    squares = squares_in(t, hand)
    kept, least, best = squares, _SET_NEVER, NONE
    rows = deal.declared[seat]
    if squares == 0 or t.sharing == _SHARED:
        best = squares
    else:
        while True:
            number = together(t, hand, squares, kept, trumps, rows)
            if number > 0:
                place = place_of(base, _set_key(rows, number))
                if place < least or best == NONE:
                    best, least = kept, place
            if kept == 0:
                break
            kept = (kept - 1) & squares
    return _write(t, deal, seat, squares, best)


@kernel
def _write(t: Any, deal: Any, seat: Any, squares: Any, best: Any) -> Any:
    rows = deal.declared[seat]
    number = NONE
    if best != NONE:
        number = together(t, deal.dealt[seat], squares, best, t.trumps[deal.mode], rows)
    deal.said[seat] = max(number, 0)
    for place in range(number):
        if rows[place, OF_WINNING]:
            return True
    return False


@kernel
def announce_itself(t: Any, deal: Any, seat: Any) -> Any:
    """Let what is worth most of a seat's full hand count, of equals the better; say whether that wins the match."""
    hand, trumps = deal.dealt[seat], t.trumps[deal.mode]
    deal.said[seat] = 0
    if not t.played[deal.mode]:
        return False
    squares = squares_in(t, hand)
    kept, best, most, length = squares, NONE, np.int64(0), 0
    rows, ranks = deal.declared[SEATS], deal.declared[SEATS + 1]
    while True:
        if t.sharing != _SHARED or kept == squares:
            number = together(t, hand, squares, kept, trumps, rows)
            if number > 0:
                worth = _worth(t, rows, number)
                _rank(rows, number)
                if best == NONE or worth > most or (worth == most and _better(rows, number, ranks, length)):
                    best, most, length = kept, worth, number
                    for place in range(number):
                        ranks[place, OF_WINNING] = rows[place, OF_WINNING]
        if kept == 0:
            break
        kept = (kept - 1) & squares
    return _write(t, deal, seat, squares, best)


@kernel
def _rank(rows: Any, number: Any) -> None:
    """Put what tells declarations apart, the best first, in the place of whether they win."""
    for place in range(number):
        rows[place, OF_WINNING] = (rows[place, OF_KEY] << 32) | rows[place, OF_CARDS]
    for first in range(number):
        for other in range(first + 1, number):
            if rows[other, OF_WINNING] > rows[first, OF_WINNING]:
                rows[first, OF_WINNING], rows[other, OF_WINNING] = rows[other, OF_WINNING], rows[first, OF_WINNING]


@kernel
def _better(rows: Any, number: Any, ranks: Any, length: Any) -> Any:
    for place in range(min(number, length)):
        if rows[place, OF_WINNING] != ranks[place, OF_WINNING]:
            return rows[place, OF_WINNING] > ranks[place, OF_WINNING]
    return number > length


@kernel
def _worth(t: Any, rows: Any, number: Any) -> Any:
    """Return what one player's declarations are worth before any are compared."""
    total, most = np.int64(0), np.int64(0)
    for place in range(number):
        total += rows[place, OF_POINTS]
        most = max(most, rows[place, OF_POINTS])
    return most if t.best_only and number > 1 else total


@kernel
def announceable(t: Any, hand: Any, deal: Any) -> Any:
    """Return a number that stands for all largest sets of a hand: another number where any of them is another."""
    total = np.uint64(0)
    if not t.played[deal.mode]:
        return total
    squares = squares_in(t, hand)
    kept, rows = squares, deal.declared[SEATS]
    while True:
        if t.sharing != _SHARED or kept == squares:
            number = together(t, hand, squares, kept, _NO_TRUMPS, rows)
            one = np.uint64(0)
            for place in range(number):
                one += mixed(np.uint64(rows[place, OF_CARDS]))
            if number > 0:
                total += mixed(one)
        if kept == 0:
            return total
        kept = (kept - 1) & squares


@kernel
def _counts_alone(t: Any, deal: Any, seat: Any) -> Any:
    """Return the one declaration of a seat that can count, -1 where all can."""
    number, rows = deal.said[seat], deal.declared[seat]
    if not t.best_only or number < 2:
        return NONE
    best = 0
    for place in range(1, number):
        ours = (rows[place, OF_POINTS], rows[place, OF_KEY], rows[place, OF_CARDS])
        if ours > (rows[best, OF_POINTS], rows[best, OF_KEY], rows[best, OF_CARDS]):
            best = place
    return best


@kernel
def _strongest(t: Any, deal: Any, kind: Any, best: Any, worth: Any) -> None:
    """Write each seat's best key of what is compared, -1 where it has nothing, and what all of that is worth."""
    for seat in range(SEATS):
        alone, rows = _counts_alone(t, deal, seat), deal.declared[seat]
        best[seat], worth[seat] = -1, 0
        for place in range(deal.said[seat]):
            if (alone >= 0 and place != alone) or (kind >= 0 and rows[place, OF_KIND] != kind):
                continue
            best[seat] = max(best[seat], rows[place, OF_KEY])
            worth[seat] += rows[place, OF_POINTS]


@kernel
def _winner(t: Any, leader: Any, taker: Any, best: Any) -> Any:
    """Return the seat whose declaration is best, -1 where nobody has any or equal ones cancel each other."""
    top = np.int64(-1)
    for seat in range(t.players):
        top = max(top, best[seat])
    if top < 0:
        return NONE
    order = t.tie_order[leader, taker]
    winner, sides = NONE, 0
    for seat in range(t.players):
        if best[seat] == top:
            sides |= 1 << t.side_of[seat]
            if winner < 0 or order[seat] < order[winner]:
                winner = seat
    return NONE if t.tie_cancels and sides & (sides - 1) else winner


@kernel
def _compare(t: Any, deal: Any, points: Any) -> None:
    """Write the points of each seat's declarations that count, showing not considered."""
    best, worth = deal.spare[1], deal.spare[2]
    for seat in range(SEATS):
        points[seat] = 0
    if t.everybody:
        for seat in range(t.players):
            points[seat] = _worth(t, deal.declared[seat], deal.said[seat])
        return
    leader, taker = deal.leader, deal.taker
    for kind in range(2):
        _strongest(t, deal, kind if t.apart else -1, best, worth)
        winner = _winner(t, leader, taker, best)
        if winner >= 0:
            seats = t.scores_with[taker, winner]
            for seat in range(t.players):
                if seats >> seat & 1:
                    points[seat] += worth[seat]
        if not t.apart:
            break


@kernel
def count_declared(t: Any, deal: Any) -> None:
    """Write for each side the points of declarations that count by now, and of those that were outranked."""
    sums, points = deal.sums, deal.spare[0]
    for side in range(SEATS):
        sums[SUM_DECLARED, side] = sums[SUM_OUTRANKED, side] = 0
    said = 0
    for seat in range(t.players):
        said += deal.said[seat]
        sums[SUM_DECLARED, t.side_of[seat]] += deal.made[seat]
    if said == 0:
        return
    _compare(t, deal, points)
    shown = deal.done >= t.shown_in
    for seat in range(t.players):
        side = t.side_of[seat]
        sums[SUM_DECLARED, side] += points[seat] if shown else 0
        worth = _worth(t, deal.declared[seat], deal.said[seat])
        sums[SUM_OUTRANKED, side] += worth - points[seat]
