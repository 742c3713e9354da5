"""What players choose in a kernel: bids, cards and what they lay away; random, or sensible with what they can see.

The same as those of ``simulated`` choose, which says why.
"""

from typing import Any, Final

import numpy as np

from belot_kernel.bid_tables import DOUBLES, PASSES, REDOUBLES
from belot_kernel.jit import kernel, lowest_of, size_of
from belot_kernel.play_kernel import around
from belot_kernel.random_kernel import LAST_PLACE, passes_before, place_of, preferred
from belot_kernel.tables import NONE
from belot_reference.bids import CAPOT, amount_of_bid, mode_of_bid

mode_in: Any = kernel(mode_of_bid)
amount_in: Any = kernel(amount_of_bid)

_PASS_CHANCES: Final = 2
_MOST_POINTS: Final = 1 << 12
_BY_KIND: Final = 1 << 30


@kernel
def may_say(t: Any, at: Any, choice: Any) -> Any:
    """Say whether a bid, a double, a redouble or a pass may be said in a state of the bidding, by its place."""
    if choice >= DOUBLES:
        return t.after_other[at, choice - DOUBLES] >= 0
    return t.lowest[at] <= choice < t.bids and t.after[t.row[at], choice] >= 0


@kernel
def next_said(t: Any, at: Any, choice: Any) -> Any:
    """Return the first place from one on of what may be said in a state of the bidding; a pass is the last."""
    while choice < t.bids:
        if t.after[t.row[at], choice] >= 0:
            return choice
        choice += 1
    choice = max(choice, DOUBLES)
    while choice < PASSES and t.after_other[at, choice - DOUBLES] < 0:
        choice += 1
    return choice


@kernel
def after_saying(t: Any, at: Any, choice: Any) -> Any:
    """Return the state of the bidding after what may be said."""
    return np.int64(t.after_other[at, choice - DOUBLES] if choice >= DOUBLES else t.after[t.row[at], choice])


@kernel
def choose_bid(t: Any, deal: Any, at: Any, base: Any, sensible: Any) -> Any:
    """Return what is said in a state of the bidding, by its place among all that can be."""
    may_pass = may_say(t, at, PASSES)
    others = np.int64(t.choices[at]) - (1 if may_pass else 0)
    if others == 0:
        return PASSES
    if sensible:
        choice, is_enough = _sensible_bid(t, deal, at, others, base)
        if may_pass and not is_enough:
            return PASSES
        if choice != NONE:
            return choice
        may_pass = False
    choice, first = _any_bid(t, at, others, base)
    if may_pass and passes_before(base, first, max(_PASS_CHANCES, t.passes_per_choice * others)):
        return PASSES
    return choice


@kernel
def _any_bid(t: Any, at: Any, number: Any, base: Any) -> Any:
    """Return what is preferred of all that may be said but a pass, of which there are so many, and how much."""
    row = np.int64(t.row[at])
    found: Any = np.int64(NONE)
    least: Any = LAST_PLACE
    for choice in range(t.lowest[at], t.bids):
        if t.after[row, choice] >= 0:
            number -= 1
            place = place_of(base, t.said[choice] + 1)
            if place < least:
                found, least = choice, place
    # A double or a redouble, never both.
    if number:
        choice = next_said(t, at, DOUBLES)
        place = place_of(base, t.said[choice] + 1)
        if place < least:
            found, least = choice, place
    return found, least


@kernel
def _sensible_bid(t: Any, deal: Any, at: Any, number: Any, base: Any) -> Any:
    """Return what is worth most to the hand of the player who speaks, if anything is, and whether that is enough."""
    hand = deal.seen[deal.turn]
    size = size_of(hand) + t.to_taker
    if t.to_taker:
        hand |= 1 << deal.turned
    choice, best = _best_bid(t, hand, at, number, deal, base)
    return choice, choice != NONE and best >= t.worth_taking + t.worth_taking_per_card * size


@kernel
def _best_bid(t: Any, hand: Any, at: Any, number: Any, deal: Any, base: Any) -> Any:
    """Return what is worth most to a hand, of equals what is preferred, and how much; none if nothing is."""
    best, found, stands, least, met, first = -_MOST_POINTS, np.int64(NONE), 0, -_MOST_POINTS, 0, LAST_PLACE
    if t.named_by[at] >= 0:
        stands = _worth(t, hand, t.named[at])
        if t.side_of[around(t, deal.dealer + t.named_by[at])] == t.side_of[deal.turn]:
            least = stands
    choice = np.int64(t.lowest[at]) - 1
    for _ in range(number):
        choice = next_said(t, at, choice + 1)
        if choice >= DOUBLES:
            worth = stands - (t.less_redoubled if choice == REDOUBLES else 0)
        else:
            mode, amount = mode_in(t.said[choice]), amount_in(t.said[choice])
            if met >> mode & 1:
                continue
            met |= 1 << mode
            worth = _worth(t, hand, mode)
            if worth <= least or not _is_promised(t, amount, worth):
                continue
        if worth > best:
            best, found, first = worth, choice, LAST_PLACE
        elif worth == best:
            # Most hands have one best bid, and need no order of preference.
            first = place_of(base, t.said[found] + 1) if first == LAST_PLACE else first
            place = place_of(base, t.said[choice] + 1)
            if place < first:
                found, first = choice, place
    return found, best


@kernel
def _is_promised(t: Any, amount: Any, worth: Any) -> Any:
    """Say whether a hand is worth the lowest bid in its mode; nobody promises all tricks."""
    return amount == 0 or (amount != CAPOT and amount <= t.lowest_amount + worth - t.worth_taking)


@kernel
def _worth(t: Any, hand: Any, mode: Any) -> Any:
    """Return what a hand is worth in a mode."""
    worth = 0
    while hand:
        worth += t.worth[mode, lowest_of(hand)]
        hand &= hand - 1
    return worth


@kernel
def choose_away(t: Any, deal: Any, base: Any, sensible: Any) -> Any:
    """Return the cards that the taker lays away."""
    hand, chosen = deal.hands[deal.taker], 0
    unseen = ~hand & _whole_deck(t)
    for _ in range(t.discards):
        if not sensible:
            chosen |= 1 << preferred(base, hand & ~chosen)
            continue
        left, best, least = hand & ~chosen, 0, _BY_KIND << 4
        while left:
            card = lowest_of(left)
            left &= left - 1
            kind = 2 * (t.trumps[deal.mode] >> card & 1) + (unseen & t.higher[deal.mode, card] == 0)
            order = kind * _BY_KIND + (_MOST_POINTS - t.points[deal.mode, card]) * 64 + card
            if order < least:
                best, least = card, order
        chosen |= 1 << best
    return chosen


@kernel
def _whole_deck(t: Any) -> Any:
    found = 0
    for place in range(t.number_of_cards):
        found |= 1 << t.deck[place]
    return found


@kernel
def consider(t: Any, g: Any, deal: Any, at: Any, legal: Any) -> Any:
    """Return those of the legal cards that a sensible player chooses from; ``at`` is the running trick."""
    node, mode = g[at], deal.mode
    unseen = deal.unseen & ~deal.hands[deal.turn]
    if node.played == 0:
        return _leads(t, mode, unseen, legal)
    is_last = node.played == t.players - 1
    holder = around(t, deal.leading + node.winner)
    if t.side_of[holder] == t.side_of[deal.turn]:
        if is_last or unseen & t.higher[mode, node.winning] == 0:
            return _gifts(t, mode, unseen, legal)
        return _cheapest(t, mode, legal)
    winning = 0
    left = legal
    while left:
        card = lowest_of(left)
        left &= left - 1
        if g[node.step[card]].winner == node.played:
            winning |= 1 << card
    if winning == 0:
        return _cheapest(t, mode, legal)
    masters = 0 if is_last else _masters(t, mode, unseen, winning)
    return _cheapest(t, mode, masters if masters else winning)


@kernel
def _masters(t: Any, mode: Any, unseen: Any, cards: Any) -> Any:
    """Return the cards that no unseen card of their suit beats."""
    found = 0
    while cards:
        card = lowest_of(cards)
        cards &= cards - 1
        if unseen & t.higher[mode, card] == 0:
            found |= 1 << card
    return found


@kernel
def _leads(t: Any, mode: Any, unseen: Any, cards: Any) -> Any:
    masters, of_trump = _masters(t, mode, unseen, cards), t.trumps[mode]
    if masters & of_trump and unseen & of_trump:
        return masters & of_trump
    plain = masters & ~of_trump
    return plain if plain else _cheapest(t, mode, cards)


@kernel
def _gifts(t: Any, mode: Any, unseen: Any, cards: Any) -> Any:
    plain = cards & ~t.ruffing[mode]
    given = plain & ~_masters(t, mode, unseen, plain)
    given = given if given else plain
    if given == 0:
        return _cheapest(t, mode, cards)
    most, found = -1, 0
    while given:
        card = lowest_of(given)
        given &= given - 1
        worth = t.points[mode, card]
        if worth > most:
            most, found = worth, 0
        if worth == most:
            found |= 1 << card
    return found


@kernel
def _cheapest(t: Any, mode: Any, cards: Any) -> Any:
    least, found = 1 << 20, 0
    while cards:
        card = lowest_of(cards)
        cards &= cards - 1
        cost = t.cost[mode, card]
        if cost < least:
            least, found = cost, 0
        if cost == least:
            found |= 1 << card
    return found
