"""Dealing as arrays, asked from the engine: where each card of a deck goes."""

from collections.abc import Iterable, Sequence

from belot_kernel.tables import NONE, Arrays, coded, small
from belot_reference.cards import Card, CardSet, cards_in, holds
from belot_reference.compile import Ruleset
from belot_reference.deal import Dealt, deal_after_bidding, deal_before_bidding
from belot_reference.play import first_leader


def seat_tables(rules: Ruleset) -> Arrays:
    """Return the seats of a ruleset and where the cards of a deck go."""
    deck = list(cards_in(rules.deck))
    seats = range(rules.players)
    dealt = [deal_before_bidding(rules, dealer, deck) for dealer in seats]
    full = [[_seats_of(deck, deal_after_bidding(rules, one, taker)) for taker in seats] for one in dealt]
    turn_up = NONE if dealt[0].turn_up is None else deck.index(dealt[0].turn_up)
    return {
        "players": rules.players,
        "sides": rules.side_count,
        "hand_size": rules.hand_size,
        "side_of": small(rules.side_of),
        "leader": small([[first_leader(rules, dealer, taker) for taker in seats] for dealer in seats]),
        "first_seat": small([_first_seats(deck, one) for one in dealt]),
        "full_seat": small(full),
        "turn_up": turn_up,
        "cover": small([_covers(deck, one) for one in dealt]),
        "discards": rules.value_or("deal.taker-discards", 0),
        "seven_exchange": coded(rules, "deal.seven-exchange", "none", "when-turned-suit-taken", default="none"),
        "cut_minimum": rules.value("deal.cut-minimum"),
    }


def _first_seats(deck: Sequence[Card], dealt: Dealt) -> list[int]:
    """Return who has each card of the deck, open or covered, before the bidding."""
    if not dealt.piles:
        return _seats_of(deck, dealt.hands)
    return _seats_of(deck, [CardSet(sum(1 << card for pile in piles for card in pile)) for piles in dealt.piles])


def _seats_of(deck: Sequence[Card], hands: Iterable[CardSet]) -> list[int]:
    held = list(hands)
    return [next((seat for seat, hand in enumerate(held) if holds(hand, card)), NONE) for card in deck]


def _covers(deck: Sequence[Card], dealt: Dealt) -> list[int]:
    """Return for each place of the deck the place of the card that comes to lie on it."""
    over = {under: top for piles in dealt.piles for top, under in piles}
    return [deck.index(over[card]) if card in over else NONE for card in deck]
