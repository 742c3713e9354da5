"""The table as one seat sees it, or as everybody does; and as text, a row for each seat and what lies on it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal

from belot_reference.bids import bid_name
from belot_reference.cards import CARD_BY_NAME, Card, CardSet, names_of
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState
from belot_reference.declarations import Declaration
from belot_reference.errors import BadQuestionError, brief
from belot_reference.mode import Mode
from belot_reference.play import table_of
from belot_reference.position import Position, position_of_hand
from belot_reference.questions import mode_named, set_named
from belot_reference.roem import roem_by_trick
from belot_reference.sheet import SIGNS, Contract, bid_text, check_language, contract_of, sides_of
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.errors import nearest
from belot_spec.languages import Language
from belot_spec.words import Words

if TYPE_CHECKING:
    from belot_reference.game import Game
    from belot_reference.sampling import Deals, Known

_WORDS: Final = Words(__name__, "table")
# The letters on jack, queen and king; the other ranks are the same in every language.
INDICES: Final = Words(__name__, "ranks")
_NONE: Final = "–"

Phase = Literal["deal", "bid", "discard", "announce", "play", "over"]


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: the seat that led, the cards in the order played, and the seat that won it (``None`` so far).

    ``roem`` are the card points of the roem in it that counts.
    """

    leader: int
    cards: tuple[str, ...]
    winner: int | None
    roem: int = 0

    def _repr_svg_(self) -> str:
        from belot_reference.pictures import picture, trick_row

        return picture([trick_row(self)])


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration that was announced: a ``"sequence"`` or a ``"square"``, and what it is worth in card points.

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
    calls count) hold one item a seat. ``totals`` are the score points of each side before this deal. ``sides`` are the
    seats of each side. The match is played to a ``target`` in score points, or it has so many ``deals``, of which this
    is ``deal_number``, from 1; the other is ``None``. What else may be asked of the table every player may ask: the
    value of a ``rule``, what cards are worth, which have not been seen, and a deal drawn by lot that agrees with all
    that the seat knows (``sample``).
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
    profile: str = ""
    sides: tuple[tuple[int, ...], ...] = ()
    target: int | None = None
    deals: int | None = None
    deal_number: int = 1
    _known: "Known | None" = field(default=None, init=False, compare=False, repr=False)
    _deals: "Deals | None" = field(default=None, init=False, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text("en")

    def text(self, language: Language) -> str:
        """Return the view in a language (``"en"``, ``"nl"``, ``"fr"``): the table, and the seat's own hand in suits."""
        held = dict(enumerate(self.open_cards))
        own = {} if self.seat is None else {self.seat: self.hand}
        return table_text(self, {**held, **own}, None, language)

    def _repr_svg_(self) -> str:
        from belot_reference.pictures import view_svg

        own = {} if self.seat is None else {self.seat: self.hand}
        return view_svg(self, {**dict(enumerate(self.open_cards)), **own}, None)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.announced)

    @property
    def mode(self) -> str | None:
        """What is played: ``"suit"``, ``"no-trumps"`` or ``"all-trumps"``; ``None`` until somebody has taken."""
        return None if self.contract is None else mode_named(rules_of(self), self.contract.trump).kind

    @property
    def unseen(self) -> tuple[str, ...]:
        """The cards that the seat has not seen yet: not in its hand, not laid away by it, not played, not open."""
        seen = {*self.hand, *self.discarded, self.turn_up, *(card for cards in self.open_cards for card in cards)}
        tricks = (*self.tricks, *(() if self.trick is None else (self.trick,)))
        seen |= {card for trick in tricks for card in trick.cards}
        seen |= {card for declared in self.announced for one in declared for card in one.cards}
        return tuple(card for card in names_of(rules_of(self).deck) if card not in seen)

    @property
    def position(self) -> Position | None:
        """The trick on the table with the seat's own hand; ``None`` where the seat is not to play a card."""
        if self.contract is None or self.seat is None or self.seat != self.turn or self.phase != "play":
            return None
        if not self.hand:  # The roem of the last trick is still to be called.
            return None
        mode = self._mode(None)
        leader, trick = (self.seat, ()) if self.trick is None else (self.trick.leader, self.trick.cards)
        table = table_of(rules_of(self), mode, leader, [CARD_BY_NAME[card] for card in trick])
        return position_of_hand(rules_of(self), mode, table, set_named(self.hand))

    def rule(self, name: str) -> Any:
        """Return the value of a rule by which is played, such as ``"scoring.last-trick"``.

        Raises ``BadQuestionError`` for a rule that this table does not have.
        """
        settings = rules_of(self).profile.settings
        if name not in settings:
            hint = nearest(name, settings) if isinstance(name, str) else ""
            raise BadQuestionError(f"rule: {self.profile} has no rule {brief(name)}{hint}")
        return settings[name].value

    def card_points(self, card: str, trump: str | None = None) -> int:
        """Return the card points of a card in what is played, or in the suit or mode that you name."""
        return self._mode(trump).points[self._card(card)]

    def beats(self, card: str, other: str, trump: str | None = None) -> bool:
        """Say whether a card wins a trick to which the other was led."""
        rules, mode = rules_of(self), self._mode(trump)
        return table_of(rules, mode, 0, (self._card(other), self._card(card))).node.winner == 1

    def sample(self, random: Random) -> "Game":
        """Return a game in which the cards that the seat does not know are drawn by lot, to play on from here.

        Every deal is as likely as any other in which each card played was legal, and in which nothing that was shown,
        announced or said of belote is contradicted. What was bid, and what was not said, make no deal likelier. The
        deals after this one are shuffled anew. Raises ``BadQuestionError`` between deals and after the match.
        """
        from belot_reference.sampling import Deals

        rules_of(self)
        if self._deals is None:
            assert self._known is not None
            object.__setattr__(self, "_deals", Deals(self, self._known))
        assert self._deals is not None
        return self._deals.draw(random)

    def _mode(self, trump: str | None) -> Mode:
        if trump is None and self.contract is None:
            raise BadQuestionError("trump: nobody has taken yet, so say what is trump")
        return mode_named(rules_of(self), trump or (self.contract.trump if self.contract else ""))

    def _card(self, name: str) -> Card:
        if not isinstance(name, str) or name not in CARD_BY_NAME:
            raise BadQuestionError(f"card: a card stands here, such as 10H, not {brief(name)}")
        return CARD_BY_NAME[name]


def view_of(known: "Known", state: DealState, seat: int | None, phase: Phase, turn: int | None) -> View:
    """Return what a seat may know of a deal; with no seat, what everybody knows."""
    play, rules = state.play, known.rules
    view = View(
        seat=seat,
        phase=phase,
        turn=turn,
        dealer=state.bidding.dealer,
        totals=state.totals,
        turn_up=None if state.turn_up is None else CARD_NAMES[state.turn_up],
        bids=_bids(rules, state),
        contract=contract_of(state),
        hand=() if seat is None else _names(state.held[seat]),
        discarded=_names(state.discarded) if seat is not None and seat == state.bidding.taker else (),
        open_cards=tuple(map(_names, state.held)) if rules.open_piles else (),
        trick=None if play is None or not play.cards else Trick(play.leader, _played(play.cards), None),
        tricks=_completed(rules, state),
        announced=tuple(
            tuple(_declared(one, sees=who == seat or bool(state.shown[who])) for one in declarations)
            for who, declarations in enumerate(state.announced)
        ),
        belote=tuple(map(sum, state.calls)),
        profile=rules.profile.id,
        sides=sides_of(rules),
        target=None if rules.has_set_length else known.match.target or rules.given("match.target"),
        deals=rules.given("match.deals") if rules.has_set_length else None,
        deal_number=(known.match.played if rules.has_set_length else len(known.ended)) + 1,
    )
    object.__setattr__(view, "_known", known)
    return view


def _completed(rules: Ruleset, state: DealState) -> tuple[Trick, ...]:
    if (play := state.play) is None:
        return ()
    tricks = [Trick(one.leader, _played(one.cards), one.winner) for one in play.tricks]
    roem = roem_by_trick(rules, play.mode, play.tricks, state.called)
    return tuple(replace(one, roem=own) for one, own in zip(tricks, roem, strict=True)) if any(roem) else (*tricks,)


def rules_of(view: View) -> Ruleset:
    """Return the rules by which a view was made; one made by hand has none."""
    if view._known is None:
        raise BadQuestionError("this view comes from no game, so nobody knows by which rules it is played")
    return view._known.rules


def _bids(rules: Ruleset, state: DealState) -> tuple[tuple[int, str], ...]:
    bidding = state.bidding
    return tuple((seat, bid_name(said)) for seat, said in zip(bidding.seats, bidding.bids, strict=True))


def _names(cards: CardSet) -> tuple[str, ...]:
    return tuple(names_of(cards))


def _played(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(CARD_NAMES[card] for card in cards)


def _declared(declaration: Declaration, *, sees: bool) -> Declared:
    return Declared(declaration.kind, declaration.points, _names(declaration.cards) if sees else ())


def hand_text(cards: Sequence[str], language: Language) -> str:
    """Return cards by suit, the highest of the deck first: ``♠ A 10  ♥ –  ♦ K  ♣ 9 7``."""
    held = sorted(cards, key=CARD_NAMES.index, reverse=True)
    by_suit = {suit: [_rank(card, language) for card in held if card[-1] == suit] for suit in SUITS}
    return "  ".join(f"{SIGNS[suit]} {' '.join(ranks) or _NONE}" for suit, ranks in by_suit.items())


def table_text(view: View, hands: Mapping[int, Sequence[str]], title: str | None, language: Language) -> str:
    """Return what a view shows, with the hands that are known; ``title`` stands above."""
    check_language(language)
    return "\n".join(_lines(view, hands, title, language))


def title_of(profile: str, number: int, totals: Sequence[int], language: Language) -> str:
    """Return the line above a table: the profile, which deal it is, and the score points before it."""
    check_language(language)
    return _WORDS.say("title", language, profile=profile, n=number, totals=" - ".join(map(str, totals)))


def _lines(view: View, hands: Mapping[int, Sequence[str]], title: str | None, language: Language) -> Iterator[str]:
    if title is not None:
        yield title
    rows = [seat_row(view, seat, hands.get(seat), language) for seat in range(len(view.announced))]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for row in rows:
        yield "  ".join(
            (*(cell.ljust(width) for cell, width in zip(row[:2], widths, strict=True)), ", ".join(row[2:]))
        ).rstrip()
    *said, due = told_of(view, language)
    yield " ".join((*said, *_tricks(view, language), due))


def told_of(view: View, language: Language) -> list[str]:
    """Return what is told below the hands: what is played, what was turned up, said and laid away, what is to do."""
    said = []
    if view.contract is not None:
        mode = bid_text(view.contract.called, language)
        if view.contract.raised > 1:
            mode += f" ×{view.contract.raised}"
        of_a_suit = view.contract.trump in SIGNS
        said.append(_WORDS.say("trump", language, sign=mode) if of_a_suit else _WORDS.say("mode", language, mode=mode))
    if view.turn_up is not None:
        said.append(_WORDS.say("turned", language, card=_card(view.turn_up, language)))
    if view.bids and view.contract is None:
        told = ", ".join(f"{_seat(seat, language)} {bid_text(bid, language)}" for seat, bid in view.bids)
        said.append(_WORDS.say("bids", language, bids=told))
    if view.discarded:
        said.append(_WORDS.say("away", language, cards=_cards(view.discarded, language)))
    return [*said, _WORDS.say(view.phase, language, n=view.turn)]


def seat_row(view: View, seat: int, hand: Sequence[str] | None, language: Language) -> list[str]:
    """Return the row of a seat: its name, what it holds, and what is told of it."""
    held = _WORDS.say("hidden", language) if hand is None else hand_text(hand, language)
    told = [_WORDS.say("deals", language)] if seat == view.dealer else []
    if view.contract is not None and seat == view.contract.taker:
        told.append(_WORDS.say("took", language))
    if view.announced[seat]:
        found = " ".join(_declared_text(one, language) for one in view.announced[seat])
        told.append(_WORDS.say("announced", language, cards=found))
    if view.belote[seat]:
        told.append(_WORDS.say("belote", language))
    return [f"{'▸' if seat == view.turn else ' '} {_seat(seat, language)}", held, *told]


def _tricks(view: View, language: Language) -> Iterator[str]:
    """Yield the last completed trick, until a card lies on the table, and the running one."""
    if view.trick is not None:
        yield _trick(view.trick, len(view.tricks) + 1, len(view.announced), language)
    elif view.tricks:
        yield _trick(view.tricks[-1], len(view.tricks), len(view.announced), language)


def _trick(trick: Trick, number: int, players: int, language: Language) -> str:
    cards = [
        f"{_seat((trick.leader + place) % players, language)} {_card(card, language)}"
        for place, card in enumerate(trick.cards)
    ]
    won = [] if trick.winner is None else [_WORDS.say("won", language, n=trick.winner)]
    won += [_WORDS.say("roem", language, n=trick.roem)] if trick.roem else []
    return _WORDS.say("trick", language, n=number, cards=", ".join((*cards, *won)))


def _declared_text(declared: Declared, language: Language) -> str:
    return _cards(declared.cards, language) if declared.cards else _WORDS.say("points", language, n=declared.points)


def _seat(seat: int, language: Language) -> str:
    return _WORDS.say("seat", language, n=seat)


def _cards(cards: Sequence[str], language: Language) -> str:
    return " ".join(_card(card, language) for card in cards)


def _card(card: str, language: Language) -> str:
    return _rank(card, language) + SIGNS[card[-1]]


def _rank(card: str, language: Language) -> str:
    rank = card[:-1]
    return INDICES[rank].in_language(language) if rank in INDICES else rank
