"""What players choose in a kernel: bids, cards and what they lay away; random, or sensible with what they can see.

The same as those of ``simulated`` choose, which says why.
"""

from typing import Any, Final

from belot_reference.batch.bid_tables import DOUBLES, PASSES, REDOUBLES
from belot_reference.batch.jit import kernel, lowest_of, size_of
from belot_reference.batch.random_kernel import preferred, preferred_of, prefers_pass
from belot_reference.bids import CAPOT, amount_of_bid, mode_of_bid

mode_in: Any = kernel(mode_of_bid)
amount_in: Any = kernel(amount_of_bid)

_PASS: Final = 1 << PASSES
_PASS_CHANCES: Final = 2
_MOST_POINTS: Final = 1 << 12
_BY_KIND: Final = 1 << 30


@kernel
def choose_bid(t: Any, deal: Any, at: Any, base: Any, sensible: Any) -> Any:
    """Return what is said in a state of the bidding, by its place among all that can be."""
    choices = t.choices[at]
    others, may_pass = choices & (_PASS - 1), choices & _PASS
    if others == 0:
        return PASSES
    if sensible:
        hand = deal.seen[deal.turn]
        size = size_of(hand) + t.to_taker
        if t.to_taker:
            hand |= 1 << deal.turned
        found, best = _best_bids(t, hand, at, deal, others)
        if may_pass and (found == 0 or best < t.worth_taking + t.worth_taking_per_card * size):
            return PASSES
        others = found if found else others
        may_pass = 0
    chances = max(_PASS_CHANCES, t.passes_per_choice * size_of(others))
    choice = preferred_of(base, others, t.said)
    if may_pass and prefers_pass(base, t.said[choice], chances):
        return PASSES
    return choice


@kernel
def _best_bids(t: Any, hand: Any, at: Any, deal: Any, choices: Any) -> Any:
    """Return those of some bids that are worth most to a hand, and how much; none if none is worth thinking of."""
    best, found, stands, least, met = -_MOST_POINTS, 0, 0, -_MOST_POINTS, 0
    if t.named_by[at] >= 0:
        stands = _worth(t, hand, t.named[at])
        if t.side_of[seat_behind(t, deal, t.named_by[at])] == t.side_of[deal.turn]:
            least = stands
    while choices:
        choice = lowest_of(choices)
        choices &= choices - 1
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
            best, found = worth, 0
        if worth == best:
            found |= 1 << choice
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
def seat_behind(t: Any, deal: Any, behind: Any) -> Any:
    """Return the seat that is so many behind the dealer; a remainder would cost more than all else in a bid."""
    seat = deal.dealer + behind
    return seat - t.players if seat >= t.players else seat


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
    holder = (deal.leading + node.winner) % t.players
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
