"""What one ruleset's play of a deal left behind, and whether another ruleset would have played it just so.

Each choice of a player hangs on the deal, on the number of the decision and on what he may choose from, and on nothing
else (``players``). So as long as another ruleset lets him choose the same, nothing has to be played again.
"""

from typing import Any, Final

import numpy as np

from belot_reference.batch.deal_kernel import FIRST_CARD, LAID_AWAY, other_bid
from belot_reference.batch.declare_kernel import announceable
from belot_reference.batch.jit import kernel
from belot_reference.batch.layout import CARDS, SEATS
from belot_reference.batch.play_kernel import legal_cards
from belot_reference.batch.players_kernel import choose_away, choose_bid, consider
from belot_reference.batch.random_kernel import preference, preferred
from belot_reference.batch.record import PASSED
from belot_reference.batch.tables import NONE

# A row for each card that was played: who played it, what he held and might play, what a sensible player chose from,
# which cards lay in no trick yet, who led, and which side won the trick.
_ROWS: Final = ("seat", "hand", "legal", "considered", "unseen", "leading", "side")
TRAIL: Final = np.dtype(
    [*((name, np.int64, (CARDS,)) for name in _ROWS), ("stream", np.uint64), ("sets", np.uint64, (SEATS,))]
)


@kernel
def leave_trail(t: Any, g: Any, deal: Any, trail: Any, stream: Any, sensible: Any) -> None:
    """Write the trail of a deal that was played; ``stream`` is that of its players."""
    trail.stream = stream
    if deal.ended == PASSED:
        return
    hands, unseen = deal.hands, 0
    for seat in range(t.players):
        hands[seat] = deal.dealt[seat]
        trail.sets[seat] = announceable(t, hands[seat], deal)
    for place in range(t.number_of_cards):
        unseen |= 1 << deal.deck[place]
    seat, at, first = deal.leader, t.root[deal.trump], 0
    deal.leading = seat
    for place in range(deal.number):
        card = deal.played[place]
        deal.unseen, deal.turn = unseen, seat
        legal = legal_cards(t, g[at], hands[seat], deal.trump)
        trail.seat[place], trail.hand[place], trail.legal[place] = seat, hands[seat], legal
        trail.unseen[place], trail.leading[place] = unseen, deal.leading
        trail.considered[place] = consider(t, g, deal, at, legal) if sensible and legal & (legal - 1) else legal
        under = deal.under[card]
        hands[seat] = hands[seat] & ~(1 << card) | (1 << under if under >= 0 else 0)
        unseen &= ~(1 << card)
        seat, at = (seat + 1) % t.players, np.int64(g[at].step[card])
        if place + 1 == first + t.players:
            seat = deal.leading = (deal.leading + g[at].winner) % t.players
            for other in range(first, place + 1):
                trail.side[other] = t.side_of[seat]
            first, at = place + 1, t.root[deal.trump]


@kernel
def differing_bids(t: Any, n: Any, deal: Any) -> Any:
    """Count the bids of a deal at which by other rules another might speak, or say something else."""
    suit_up, differing = deal.turned >> 3 if deal.turned >= 0 else SEATS, 0
    for place in range(deal.bids):
        differing += 1 if other_bid(t, n, deal.dealer, suit_up, place) else 0
    return differing


@kernel
def same_bids(n: Any, deal: Any, trail: Any, sensible: Any) -> Any:
    """Say whether by other rules the same would be bid; the cards that are seen before it are the same."""
    suit_up = deal.turned >> 3 if deal.turned >= 0 else SEATS
    for place in range(deal.bids):
        choices = n.choices[deal.dealer, suit_up, place] if place < n.most else 0
        if choices == 0:
            return False
        deal.turn = n.seat[deal.dealer, place]
        suit = choose_bid(n, deal, choices, preference(trail.stream, place), sensible)
        is_last = place == deal.bids - 1 and deal.ended != PASSED
        if suit != (deal.trump if is_last else NONE) or (is_last and deal.turn != deal.taker):
            return False
    return deal.ended != PASSED or deal.bids >= n.most or n.choices[deal.dealer, suit_up, deal.bids] == 0


@kernel
def same_away(n: Any, deal: Any, trail: Any, sensible: Any) -> Any:
    """Say whether by other values of the cards the taker would lay away the same."""
    hand, before = 0, deal.hands[deal.taker]
    for place in range(n.number_of_cards):
        if n.full_seat[deal.dealer, deal.taker, place] == deal.taker:
            hand |= 1 << deal.deck[place]
    deal.hands[deal.taker] = hand
    chosen = choose_away(n, deal, preference(trail.stream, LAID_AWAY), sensible)
    deal.hands[deal.taker] = before
    return chosen == deal.laid_away


@kernel
def follow(n: Any, h: Any, deal: Any, trail: Any, same: Any, how: Any) -> Any:
    """Follow the cards of a deal by other rules: return at how many others are allowed, and the first that is played.

    ``same`` says whether all was the same before. ``how`` says whether players are sensible, whether other sets of
    declarations may be announced, and whether a sensible player may choose others of the same cards.
    """
    sensible, sets, values = how
    otherwise: Any = np.int64(NONE)
    differing, trump = 0, deal.trump
    at, first = n.root[trump], 0
    for place in range(deal.number):
        seat, hand, card = trail.seat[place], trail.hand[place], deal.played[place]
        legal, others = legal_cards(n, h[at], hand, trump), False
        if legal != trail.legal[place]:
            others = True
        elif sets and place < n.players:
            others = announceable(n, deal.dealt[seat], deal) != trail.sets[seat]
        differing += 1 if others else 0
        if same and legal & (legal - 1) and (values or legal != trail.legal[place]):
            chosen = legal
            if sensible:
                deal.unseen, deal.turn, deal.leading = trail.unseen[place], seat, trail.leading[place]
                deal.hands[seat] = hand
                chosen = consider(n, h, deal, at, legal)
            if chosen != trail.considered[place]:
                decision = FIRST_CARD + place // n.players * n.players + seat
                same = preferred(preference(trail.stream, decision), chosen) == card
        elif same and legal != trail.legal[place]:
            same = legal == 1 << card
        at = np.int64(h[at].step[card])
        if place + 1 == first + n.players:
            winner = (trail.leading[place] + h[at].winner) % n.players
            follows = trail.seat[place + 1] if place + 1 < deal.number else deal.last
            same = same and winner == follows
            first, at = place + 1, n.root[trump]
        if not same and otherwise == NONE:
            otherwise = place
    return differing, otherwise
