"""A deal that was played, counted by other rules: what was announced, said and turned with the very same cards."""

from typing import Any

from belot_reference.batch.deal_kernel import FIRST_CARD, say_belote, turn
from belot_reference.batch.declare_kernel import announce, announce_itself
from belot_reference.batch.declared_tables import BEFORE_LEAD, BY_ITSELF
from belot_reference.batch.jit import kernel
from belot_reference.batch.layout import SEATS
from belot_reference.batch.players_kernel import SUIT
from belot_reference.batch.random_kernel import preference
from belot_reference.batch.record import OPEN
from belot_reference.batch.tables import NONE


@kernel
def has_declared(plan: Any, deal: Any) -> Any:
    """Say whether anybody holds what is declared otherwise by a plan's rules."""
    if plan.declaring == 2:
        return True
    for seat in range(SEATS):
        if plan.declaring and deal.said[seat]:
            return True
        hand = deal.dealt[seat]
        for suit in range(SEATS):
            if plan.noted[hand >> 8 * suit & SUIT]:
                return True
        if hand & (hand >> 8) & (hand >> 16) & (hand >> 24) & plan.squares:
            return True
    return False


@kernel
def announce_again(n: Any, deal: Any, stream: Any) -> Any:
    """Let everybody announce by other rules; say whether that wins the match."""
    won = False
    for seat in range(n.players):
        if n.announced == BY_ITSELF:
            won = announce_itself(n, deal, seat) or won
        else:
            decision = FIRST_CARD + (deal.leader if n.announced == BEFORE_LEAD else seat)
            won = announce(n, deal, seat, preference(stream, decision)) or won
    return won


@kernel
def say_and_turn(n: Any, deal: Any, trail: Any, number: Any) -> None:
    """Say belote, and earn what turned cards make, by other rules with the first so many cards."""
    for seat in range(SEATS):
        deal.calls[seat] = deal.made[seat] = 0
    for place in range(number):
        seat, card = trail.seat[place], deal.played[place]
        deal.hands[seat] = trail.hand[place]
        say_belote(n, deal, seat, card)
        deal.hands[seat] &= ~(1 << card)
        turn(n, deal, seat, card)


@kernel
def add_cards(n: Any, deal: Any, trail: Any, number: Any) -> None:
    """Add up the first so many cards by other card points, each for the side that won it."""
    points = n.points[deal.trump]
    for side in range(SEATS):
        deal.cards[side] = 0
    for place in range(number):
        deal.cards[trail.side[place]] += points[deal.played[place]]


@kernel
def restore(deal: Any, played: Any) -> None:
    """Give a deal back what it was played with."""
    for seat in range(SEATS):
        deal.calls[seat], deal.made[seat] = played.calls[seat], played.made[seat]
        deal.cards[seat], deal.said[seat] = played.cards[seat], played.said[seat]
        for place in range(played.said[seat]):
            for column in range(5):
                deal.declared[seat, place, column] = played.declared[seat, place, column]


@kernel
def go_back(n: Any, deal: Any, trail: Any, done: Any) -> None:
    """Take a deal back to where so many tricks were done, as other rules keep it that played them just so."""
    first = done * n.players
    say_and_turn(n, deal, trail, first)
    add_cards(n, deal, trail, first)
    for side in range(SEATS):
        deal.tricks[side] = deal.score[side] = deal.points[side] = deal.counted[side] = 0
    for trick in range(done):
        deal.tricks[trail.side[trick * n.players]] += 1
    for place in range(first, first + n.players):
        deal.hands[trail.seat[place]] = trail.hand[place]
    deal.done, deal.number, deal.ended, deal.winner = done, first, OPEN, NONE
    deal.held = deal.outcome = 0
    deal.unseen = trail.unseen[first]
    deal.turn = deal.last = trail.leading[first]
