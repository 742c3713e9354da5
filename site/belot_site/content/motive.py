"""Why a sensible player plays a card, at the table and in a deal that a page tells."""

from typing import Final, NamedTuple

from belot_reference.cards import ONLY, SUIT_CARDS, Card, CardSet, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.mode import Mode
from belot_reference.play import table_of, winning_seat

# From so many points on a card is not led for want of a better one.
_DEAR: Final = 10


class Turn(NamedTuple):
    """A card to be played: how the cards rank, who led which, whose turn it is with which hand, and what is gone."""

    mode: Mode
    leader: int
    before: tuple[Card, ...]
    seat: int
    hand: CardSet
    legal: CardSet
    seen: CardSet


def reason(rules: Ruleset, at: Turn, card: Card) -> str:
    """Return what a card is played for, as the end of a key in words.yaml."""
    mode = at.mode
    if at.legal.bit_count() == 1:
        return "last" if at.hand.bit_count() == 1 else "only"
    if not at.before:
        return _lead(rules, at, card)

    def holder(*more: Card) -> int | None:
        return winning_seat(rules, table_of(rules, mode, at.leader, [*at.before, *more]))

    points = rules.points_of(mode, ONLY[card])
    if (winning := holder()) is not None and rules.partners(winning, at.seat):
        return "gift" if points else "partner"
    if holder(card) == at.seat:
        return "ruffs" if mode.is_trump(suit_of(card)) and suit_of(card) != suit_of(at.before[0]) else "takes"
    if any(holder(other) == at.seat for other in cards_in(at.legal)):
        return "keeps"
    return "cannot" if points == min(rules.points_of(mode, ONLY[other]) for other in cards_in(at.legal)) else "loses"


def _lead(rules: Ruleset, at: Turn, card: Card) -> str:
    suit = suit_of(card)
    strength = at.mode.strength[suit]
    unseen = rules.deck & ~at.seen & ~at.hand & SUIT_CARDS[suit]
    if any(strength[rank_of(other)] > strength[rank_of(card)] for other in cards_in(unseen)):
        return "low" if rules.points_of(at.mode, ONLY[card]) < _DEAR else "beatable"
    return "trumps" if at.mode.is_trump(suit) else "master"
