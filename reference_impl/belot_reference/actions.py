"""What players do in a deal, one value for each kind of action."""

from dataclasses import dataclass

from belot_reference.cards import Card, CardSet, Suit


@dataclass(frozen=True, slots=True)
class BidAction:
    """A player passes (``None``) or names a suit."""

    seat: int
    suit: Suit | None


@dataclass(frozen=True, slots=True)
class PlayAction:
    """A player plays a card, and may announce before it, say belote with it or show with it.

    ``made`` lists what the card turned by this play earns: ``sequence``, ``square`` or both.
    """

    seat: int
    card: Card
    announce: tuple[CardSet, ...] = ()
    belote: bool = False
    show: bool = False
    made: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscardAction:
    """The taker lays cards away."""

    seat: int
    cards: CardSet


@dataclass(frozen=True, slots=True)
class ExchangeAction:
    """A player exchanges the seven of trump for the turn-up."""

    seat: int


@dataclass(frozen=True, slots=True)
class LookAction:
    """A player asks to look at a completed trick, counted from 1."""

    seat: int
    trick: int


@dataclass(frozen=True, slots=True)
class ClaimAction:
    """A player says *enough* for his side."""

    seat: int


Action = BidAction | PlayAction | DiscardAction | ExchangeAction | LookAction | ClaimAction
