"""What players do in a deal, one value for each kind of action."""

from typing import NamedTuple

from belot_reference.bids import Bid
from belot_reference.cards import Card, CardSet


class BidAction(NamedTuple):
    """A player passes (``None``), names a suit or another mode, or doubles."""

    seat: int
    said: Bid


class PlayAction(NamedTuple):
    """A player plays a card, and may announce before it, say belote with it or show with it.

    ``made`` lists what the card turned by this play earns: ``sequence``, ``square`` or both.
    """

    seat: int
    card: Card
    announce: tuple[CardSet, ...] = ()
    belote: bool = False
    show: bool = False
    made: tuple[str, ...] = ()


class AnnounceAction(NamedTuple):
    """A player announces declarations before the first lead, apart from any card."""

    seat: int
    declarations: tuple[CardSet, ...]


class DiscardAction(NamedTuple):
    """The taker lays cards away."""

    seat: int
    cards: CardSet


class ExchangeAction(NamedTuple):
    """A player exchanges the seven of trump for the turn-up."""

    seat: int


class LookAction(NamedTuple):
    """A player asks to look at a completed trick, counted from 1."""

    seat: int
    trick: int


class ClaimAction(NamedTuple):
    """A player says *enough* for his side."""

    seat: int


Action = BidAction | PlayAction | AnnounceAction | DiscardAction | ExchangeAction | LookAction | ClaimAction
