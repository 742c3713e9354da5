"""The table as one seat sees it, or as everybody does."""

from dataclasses import dataclass, field
from typing import Literal

from belot_reference.bids import bid_name
from belot_reference.cards import CardSet, names_of
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.declarations import Declaration
from belot_reference.errors import BadQuestionError
from belot_reference.sheet import Contract, contract_of
from belot_reference.table_text import table_text
from belot_spec.card_names import CARD_NAMES
from belot_spec.languages import Language

Phase = Literal["deal", "bid", "discard", "announce", "play", "over"]


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: the seat that led, the cards in the order played, and the seat that won it (``None`` so far)."""

    leader: int
    cards: tuple[str, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration that was announced: a ``"sequence"`` or a ``"square"``, worth so many card points.

    ``cards`` are empty for whoever may not see them: all but the player who announced, until he has shown them.
    """

    kind: Literal["sequence", "square"]
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know of a deal, or what everybody does where ``seat`` is ``None``.

    ``hand`` are the seat's own cards, ``discarded`` those that it laid away, and ``bids`` what each seat said, in turn.
    ``open_cards`` (which lie open before a player who plays from piles), ``announced`` and ``belote`` (how many of his
    calls count) hold one item a seat. ``totals`` are the score points of each side before this deal.
    """

    seat: int | None
    phase: Phase
    turn: int | None
    dealer: int
    totals: tuple[int, ...]
    turn_up: str | None
    bids: tuple[tuple[int, str], ...]
    contract: Contract | None
    hand: tuple[str, ...]
    discarded: tuple[str, ...]
    open_cards: tuple[tuple[str, ...], ...]
    trick: Trick | None
    tricks: tuple[Trick, ...]
    announced: tuple[tuple[Declared, ...], ...]
    belote: tuple[int, ...]
    _rules: Ruleset | None = field(default=None, init=False, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: Language) -> str:
        """Return the view in a language (``"en"``, ``"nl"``, ``"fr"``): the table, and the seat's own hand in suits."""
        held = dict(enumerate(self.open_cards))
        own = {} if self.seat is None else {self.seat: self.hand}
        return table_text(self, {**held, **own}, None, language)


def view_of(rules: Ruleset, state: DealState, seat: int | None, phase: Phase, turn: int | None) -> View:
    """Return what a seat may know of a deal; with no seat, what everybody knows."""
    play = state.play
    view = View(
        seat=seat,
        phase=phase,
        turn=turn,
        dealer=state.bidding.dealer,
        totals=state.totals,
        turn_up=None if state.turn_up is None else CARD_NAMES[state.turn_up],
        bids=_bids(rules, state),
        contract=contract_of(state),
        hand=() if seat is None else _names(_held(state)[seat]),
        discarded=_names(state.discarded) if seat is not None and seat == state.bidding.taker else (),
        open_cards=tuple(map(_names, _held(state))) if rules.open_piles else (),
        trick=None if play is None or not play.cards else Trick(play.leader, _played(play.cards), None),
        tricks=() if play is None else tuple(Trick(one.leader, _played(one.cards), one.winner) for one in play.tricks),
        announced=tuple(
            tuple(_declared(one, sees=who == seat or bool(state.shown[who])) for one in declarations)
            for who, declarations in enumerate(state.announced)
        ),
        belote=tuple(map(sum, state.calls)),
    )
    object.__setattr__(view, "_rules", rules)
    return view


def rules_of(view: View) -> Ruleset:
    """Return the rules by which a view was made, for this project's own players; one made by hand has none."""
    if view._rules is None:
        raise BadQuestionError("this view comes from no game, so nobody knows by which rules it is played")
    return view._rules


def _held(state: DealState) -> tuple[CardSet, ...]:
    """Return the cards in hand now: before anybody has taken, those dealt until then."""
    if state.play is not None:
        return state.play.hands
    return state.hands if state.dealt is None else state.dealt.hands


def _bids(rules: Ruleset, state: DealState) -> tuple[tuple[int, str], ...]:
    bids, first = state.bidding.bids, rules.auction.first_bidder(state.bidding.dealer)
    return tuple(((first + place) % rules.players, bid_name(said)) for place, said in enumerate(bids))


def _names(cards: CardSet) -> tuple[str, ...]:
    return tuple(names_of(cards))


def _played(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(CARD_NAMES[card] for card in cards)


def _declared(declaration: Declaration, *, sees: bool) -> Declared:
    return Declared(declaration.kind, declaration.points, _names(declaration.cards) if sees else ())
