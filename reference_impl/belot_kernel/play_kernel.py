"""Playing cards in a kernel: which are legal, counting all ways to play on, and playing out at random.

A trick is a node of the graph ``g``: it says which cards are legal from a hand, and by which node each card leads on.
``play`` of ``belot_reference`` makes the same graph; what ``t``, ``deal`` and a set of cards are, says the package.
"""

from typing import Any, Final

import numpy as np

from belot_kernel.jit import kept_kernel, kernel, lowest_of, size_of
from belot_kernel.random_kernel import SPREAD, mixed
from belot_kernel.settle_kernel import points_of

# King and queen among the cards of the first suit, and the queens of all suits.
ROYAL: Final = 1 << 5 | 1 << 6
_QUEENS: Final = 0x20202020
_HALF, _LOWER = np.uint64(32), np.uint64((1 << 32) - 1)
_BITS, _SIXTEEN = np.uint64(16), np.uint64((1 << 16) - 1)


@kernel
def around(t: Any, seat: Any) -> Any:
    """Return a seat of the table for one counted on past the last; a remainder would cost more than what it is for."""
    return seat - t.players if seat >= t.players else seat


@kernel
def legal_cards(t: Any, node: Any, hand: Any, mode: Any) -> Any:
    """Return the cards of a hand that may be played to a trick, of which ``node`` is the record."""
    if t.king_first:
        # A king is the bit above the queen of its suit.
        hand ^= hand & (hand >> 1) & _QUEENS & t.trumps[mode]
    void = 0 if hand & node.led else 1
    # All rungs are read before any is chosen, so that the processor has nothing to guess.
    first, second = hand & node.rungs[void, 0], hand & node.rungs[void, 1]
    third, fourth = hand & node.rungs[void, 2], hand & node.rungs[void, 3]
    later = hand & node.allowed[void, 2] if third else fourth
    later = hand & node.allowed[void, 1] if second else later
    return hand & node.allowed[void, 0] if first else later


@kernel
def sequences(t: Any, g: Any, deal: Any, node: Any, depth: Any) -> Any:
    """Return how many sequences of so many legal cards there are, from where a deal has come to."""
    seat, leader = deal.turn, deal.leader
    hand = deal.hands[seat]
    if hand == 0:
        return 1
    legal = legal_cards(t, g[node], hand, deal.mode)
    if depth == 1:
        return size_of(legal)
    total = 0
    while legal:
        card = lowest_of(legal)
        legal &= legal - 1
        after = np.int64(g[node].step[card])
        deal.hands[seat] = hand ^ (1 << card)
        if deal.under[card] >= 0:
            deal.hands[seat] |= 1 << deal.under[card]
        if g[after].played == t.players:
            deal.turn = deal.leader = around(t, leader + g[after].winner)
            after = t.root[deal.mode]
        else:
            deal.turn = around(t, seat + 1)
        total += sequences(t, g, deal, after, depth - 1)
        deal.turn, deal.leader = seat, leader
    deal.hands[seat] = hand
    return total


@kept_kernel
def count_sequences(t: Any, g: Any, deal: Any, depth: Any) -> Any:
    """Return how many sequences of so many legal cards there are between two tricks."""
    return sequences(t, g, deal, t.root[deal.mode], depth)


@kernel
def play_out(t: Any, g: Any, deal: Any, mode: Any, stream: Any) -> Any:
    """Play the hands of a deal to their end, any legal card at random; return the card points of the first side."""
    hands, players, root = deal.hands, t.players, t.root[mode]
    leader: Any = np.int64(0)
    place, taken = 0, np.int64(0)
    while hands[leader]:
        at, seat, worth = root, leader, np.int64(0)
        bits = mixed(stream + np.uint64(place) * SPREAD)
        for _ in range(players):
            hand, node = hands[seat], g[at]
            legal = legal_cards(t, node, hand, mode)
            number = size_of(legal)
            # Sixteen bits are enough to choose from eight cards; one number is drawn for each trick.
            for _ in range(np.int64((bits & _SIXTEEN) * np.uint64(number) >> _BITS)):
                legal &= legal - 1
            bits >>= _BITS
            card = lowest_of(legal)
            hands[seat] = hand ^ (1 << card)
            worth += t.points[mode, card]
            at = np.int64(node.step[card])
            seat = around(t, seat + 1)
        place += 1
        leader = around(t, leader + g[at].winner)
        taken += worth if t.side_of[leader] == 0 else 0
    return taken + (t.last_trick if t.side_of[leader] == 0 else 0)


@kept_kernel
def play_outs(t: Any, g: Any, deal: Any, deals: Any, seed: Any) -> Any:
    """Deal and play out so many deals at random; return the card points of the first side, added up."""
    total, deck = np.int64(0), deal.deck
    for place in range(t.number_of_cards):
        deck[place] = t.deck[place]
    for number in range(deals):
        stream = mixed(seed + np.uint64(number))
        for place in range(t.number_of_cards - 1, 0, -2):
            bits = mixed(stream + np.uint64(place) * SPREAD)
            other = np.int64((bits >> _HALF) * np.uint64(place + 1) >> _HALF)
            deck[place], deck[other] = deck[other], deck[place]
            other = np.int64((bits & _LOWER) * np.uint64(place) >> _HALF)
            deck[place - 1], deck[other] = deck[other], deck[place - 1]
        for seat in range(t.players):
            hand = np.int64(0)
            for place in range(seat * t.hand_size, (seat + 1) * t.hand_size):
                hand |= np.int64(1) << deck[place]
            deal.hands[seat] = hand
        total += play_out(t, g, deal, number & 3, mixed(stream))
    return total


@kernel
def points_left(t: Any, deal: Any) -> Any:
    """Return the card points of all cards in hands, and of those that they cover."""
    points, total = t.points[deal.mode], np.int64(0)
    for seat in range(t.players):
        total += points_of(points, deal.hands[seat])
        left = deal.hands[seat]
        while left:
            under = deal.under[lowest_of(left)]
            left &= left - 1
            total += points[under] if under >= 0 else 0
    return total
