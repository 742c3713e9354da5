"""Why a player plays a card, as far as it can be seen from the table and the cards played before."""

from typing import Final

from belot_conformance.recording.played import Play, PlayedDeal, PlayedTrick
from belot_reference.cards import ONLY, SUIT_CARDS, CardSet, card_set, cards_in, rank_of, suit_of
from belot_reference.play import table_of, winning_seat

# From so many points on a card is not led for want of a better one.
_DEAR: Final = 10


def reason(deal: PlayedDeal, trick: PlayedTrick, play: Play, seen: CardSet) -> str:
    """Return what a card is played for, as the end of a key in words.yaml; ``seen`` are the cards of earlier tricks."""
    if play.legal.bit_count() == 1:
        return "last" if play.hand.bit_count() == 1 and play.turned is None else "only"
    before = [one.card for one in trick.plays[: trick.plays.index(play)]]
    if not before:
        return _lead(deal, play, seen)
    rules, trump = deal.rules, deal.trump
    table = table_of(rules, trump, trick.leader, before)
    holder = winning_seat(rules, table)
    if holder is not None and rules.partners(holder, play.seat):
        return "gift" if rules.points_of(trump, ONLY[play.card]) else "partner"
    if winning_seat(rules, table_of(rules, trump, trick.leader, [*before, play.card])) == play.seat:
        return "ruffs" if suit_of(play.card) == trump != suit_of(before[0]) else "takes"
    beaten = [
        winning_seat(rules, table_of(rules, trump, trick.leader, [*before, card])) == play.seat
        for card in cards_in(play.legal)
    ]
    if any(beaten):
        return "keeps"
    least = min(rules.points_of(trump, ONLY[card]) for card in cards_in(play.legal))
    return "cannot" if rules.points_of(trump, ONLY[play.card]) == least else "loses"


def _lead(deal: PlayedDeal, play: Play, seen: CardSet) -> str:
    suit = suit_of(play.card)
    strength = deal.rules.trump_strength if suit == deal.trump else deal.rules.plain_strength
    unseen = deal.rules.deck & ~seen & ~play.hand & SUIT_CARDS[suit]
    if any(strength[rank_of(card)] > strength[rank_of(play.card)] for card in cards_in(unseen)):
        return "low" if deal.rules.points_of(deal.trump, ONLY[play.card]) < _DEAR else "beatable"
    return "trumps" if suit == deal.trump else "master"


def cards_of(trick: PlayedTrick) -> CardSet:
    """Return the cards of a trick."""
    return card_set(play.card for play in trick.plays)
