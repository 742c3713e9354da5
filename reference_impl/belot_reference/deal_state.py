"""A deal between two actions, as an immutable value."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from belot_reference.belote import Calls
from belot_reference.bidding import Bidding
from belot_reference.cards import NO_CARDS, Card, CardSet
from belot_reference.contract import DealContract
from belot_reference.dealing import Dealt
from belot_reference.declarations import Declaration
from belot_reference.play import PlayState

Ending = Literal["played", "passed", "belot", "claim"]


class DealState(NamedTuple):
    """A deal between two actions. ``totals`` are score points before the deal; ``hands`` are full hands.

    ``covered`` are the covered cards by the open card on them, ``shown`` the trick in which each seat showed (0: not
    yet), ``calls`` how often each seat has said belote of each suit so that it counts, ``made`` the card points that
    turned cards have earned each seat. ``heard`` counts the seats, from the one that leads first, whose turn to
    announce before the first lead is over: those up to the last that announced. ``before`` are the cards that each seat
    saw while trump was chosen. Once a belot or a claim has ended the deal, ``winner`` is the side that won the match,
    and ``taken`` are the card points on which a claim rested.
    """

    dealt: Dealt | None
    turn_up: Card | None
    covered: Mapping[Card, Card]
    totals: tuple[int, ...]
    bidding: Bidding
    hands: tuple[CardSet, ...]
    before: tuple[CardSet, ...]
    play: PlayState | None
    announced: tuple[tuple[Declaration, ...], ...]
    shown: tuple[int, ...]
    calls: tuple[Calls, ...]
    made: tuple[int, ...]
    discarded: CardSet = NO_CARDS
    heard: int = 0
    ended: Ending | None = None
    winner: int | None = None
    taken: int = 0

    @property
    def contract(self) -> DealContract:
        """What was taken; there is none before somebody has."""
        contract = self.bidding.contract
        assert contract is not None
        return contract
