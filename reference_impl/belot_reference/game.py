"""``Game``: a match at a table, the value that a program plays belot with."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final, NamedTuple

from belot_reference import errors
from belot_reference.action import Action, check_action, did, plain_card, plain_plays
from belot_reference.bids import in_short
from belot_reference.compile import Ruleset, rules_by
from belot_reference.counting import Count, count_deal
from belot_reference.deal import DealState, open_deal
from belot_reference.errors import (
    BadQuestionError,
    DealOver,
    MatchOver,
    NotYourTurn,
    Place,
    Refusal,
    WrongPhase,
    brief,
    explained,
    said_of,
    whole_number,
)
from belot_reference.match import Match, book_ended, start_match
from belot_reference.notation import Deal, Transcript
from belot_reference.play import first_leader, has_begun
from belot_reference.position import Position, position_of
from belot_reference.questions import check_form
from belot_reference.replay import shuffled
from belot_reference.sampling import Known, known_to
from belot_reference.sentences import Sentence, say
from belot_reference.sheet import (
    Contract,
    DealScore,
    Score,
    contract_of,
    deal_score,
    score_of,
    sides_of,
    tally_json,
)
from belot_reference.turn import (
    after_plain_card,
    announces_apart,
    apply_action,
    awaits_call,
    legal_actions,
    must_discard,
    plain_cards,
)
from belot_reference.view import Phase, View, table_text, title_of, view_of
from belot_spec.languages import Language

_LARGEST_SEED: Final = 2**53  # what every JSON reader takes for a whole number
# Where each field and each action of a deal stands in a text.
Places = Mapping[str | int, Place]


_WHOSE_TURN: Final = {
    "bid": "turn-bid",
    "discard": "turn-discard",
    "announce": "turn-announce",
    "play": "turn-play",
}
_LEAST_PASSES: Final = {"at-least-one": "a-pass", "at-least-three": "three-passes"}
# What a refusal is about: a field of the action, and the sentence of what a seat may do in it.
_ABOUT: Final[Mapping[type[Refusal], tuple[str, str]]] = {
    **dict.fromkeys(
        (errors.SuitNotOffered, errors.BidTooLow, errors.MayNotDouble, errors.MustName), ("bid", "may-say")
    ),
    errors.IllegalCard: ("play", "may-play"),
    **dict.fromkeys(
        (errors.NotADeclaration, errors.SharedCard, errors.SameRunTwice, errors.AnnouncedLate),
        ("announce", "may-announce"),
    ),
    errors.NoBelote: ("belote", "may-say-belote"),
    errors.NothingToShow: ("show", "may-show"),
    errors.WrongTimeToShow: ("show", "may-show"),
    errors.NotMade: ("made", "may-make"),
    errors.MayNotLook: ("look", "may-look"),
}
_OF_ANYBODY: Final[Mapping[type[Refusal], tuple[str, str]]] = {
    errors.NoExchange: ("exchange", "exchange-now"),
    errors.ClaimNotAllowed: ("claim", "claim-now"),
    errors.ClaimFalse: ("claim", "claim-now"),
    errors.NoRoem: ("roem", "roem-now"),
}


class _PastDeal(NamedTuple):
    """A deal that has ended: how it began, what was done, its line on the sheet, and its form in ``match``."""

    opening: Mapping[str, Any]
    actions: tuple[Action, ...]
    score: DealScore
    booked: Mapping[str, Any] | None


class MatchState(NamedTuple):
    """A match between two actions; the running deal is the last one once the match, or its recording, has ended.

    ``asked`` counts the seats, from the one that leads first, that have announced before the first lead or let it be.
    """

    seed: int | None
    first_dealer: int
    match: Match
    ended: tuple[_PastDeal, ...]
    opening: Mapping[str, Any]
    deal: DealState | None
    actions: tuple[Action, ...]
    asked: int


class Game:
    """A match at a table, from the first deal until somebody has won.

    A game is a value: nothing changes it, and ``apply`` returns another one. Cards are texts (``"10H"``), suits are
    ``"S"``, ``"H"``, ``"D"`` and ``"C"``, and seats count from 0 in playing order.

    ``profile`` is a variant (``"belotten"``), one with options (``"bela-4+pass"``), or a file with the rules of your
    own table (``"house-rules.yaml"``). The same ``seed`` shuffles the same cards; without one they fall at random.
    ``dealer`` deals first: the last seat, so that seat 0 speaks first, unless you say otherwise. Raises ``BelotError``
    for a profile that does not exist or cannot be played.
    """

    __slots__ = ("_rules", "_state")
    _rules: Ruleset
    _state: MatchState

    def __init__(self, profile: str | Path, *, seed: int | None = None, dealer: int | None = None) -> None:
        rules = rules_by(profile)
        first = rules.players - 1 if dealer is None else _seat(rules, "dealer", dealer)
        seed = SystemRandom().randrange(_LARGEST_SEED) if seed is None else whole_number("seed", seed)
        self._set(rules, _shuffled(rules, MatchState(seed, first, start_match(rules, first), (), {}, None, (), 0)))

    def _set(self, rules: Ruleset, state: MatchState) -> None:
        object.__setattr__(self, "_rules", rules)
        object.__setattr__(self, "_state", state)

    @classmethod
    def _of(cls, rules: Ruleset, state: MatchState) -> "Game":
        game = object.__new__(cls)
        game._set(rules, state)
        return game

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a game does not change; apply returns another one")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._state.asked == other._state.asked and self.to_record() == other.to_record()

    def __hash__(self) -> int:
        state = self._state
        return hash((self.profile, state.seed, state.actions, state.asked, len(state.ended)))

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, _: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the game as its record; it is played again by rules that are compiled where it is unpickled."""
        return _played_again, (self._rules, self.to_record(), self._state.asked)

    def __repr__(self) -> str:
        return f"<Game {self.profile}, deal {self.deal_number}, {self.phase}, turn {self.turn}>"

    def __str__(self) -> str:
        return self.text("en")

    def _repr_svg_(self) -> str:
        from belot_reference.pictures import view_svg

        return view_svg(self.table, *self._shown("en"))

    def text(self, language: Language) -> str:
        """Return the table with the hands of all seats in a language: ``"en"``, ``"nl"`` or ``"fr"``."""
        return table_text(self.table, *self._shown(language), language)

    def _shown(self, language: Language) -> tuple[dict[int, tuple[str, ...]], str]:
        """Return all hands, and the line above them."""
        totals = self._state.match.totals if self._has_ended else self.table.totals
        held = {seat: self._view(seat).hand for seat in range(self.players)}
        return held, title_of(self.profile, self.deal_number, totals, language)

    @property
    def profile(self) -> str:
        """The id of the rules in force."""
        return self._rules.profile.id

    @property
    def players(self) -> int:
        """How many play: the seats are 0 to one less than this."""
        return self._rules.players

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side; where everybody plays alone each seat is a side."""
        return sides_of(self._rules)

    @property
    def deal_number(self) -> int:
        """Which deal of the match this is, from 1."""
        state = self._state
        return (state.match.played if self._rules.has_set_length else len(state.ended)) + (not self._has_ended)

    @property
    def _has_ended(self) -> bool:
        return self._state.deal is None or self._state.deal.ended is not None

    @property
    def phase(self) -> Phase:
        """What is to be done: ``"bid"``, ``"discard"``, ``"announce"``, ``"play"``, or nothing more: ``"over"``.

        Players announce in a phase of its own only where the rules have them do so before the first lead.
        Only a game that does not shuffle for itself, from a record without a seed, comes to ``"deal"`` between deals.
        """
        state, deal = self._state, self._state.deal
        if deal is not None and deal.ended is None and deal.play is not None and has_begun(deal.play):
            return "play"
        if state.match.is_over:
            return "over"
        if deal is None or deal.ended is not None:
            return "deal"
        if deal.play is None:
            return "bid"
        if must_discard(self._rules, deal):
            return "discard"
        waits = state.asked < self.players and announces_apart(self._rules, deal.play)
        return "announce" if waits else "play"

    @property
    def turn(self) -> int | None:
        """The seat that is to act, ``None`` once the match is over."""
        return self._turn_in(self.phase)

    def _turn_in(self, phase: Phase) -> int | None:
        deal = self._state.deal
        match phase:
            case "over":
                return None
            case "deal":
                return self._state.match.dealer
            case "bid":
                assert deal is not None
                return deal.bidding.turn
            case "discard":
                assert deal is not None
                return deal.bidding.taker
            case _:
                assert deal is not None
                assert deal.play is not None
                return (deal.play.turn + self._state.asked) % self.players if phase == "announce" else deal.play.turn

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self._state.match.is_over

    @property
    def contract(self) -> Contract | None:
        """Who took and what is trump, ``None`` until somebody has taken."""
        return None if self._state.deal is None else contract_of(self._state.deal)

    def legal_actions(self, seat: int | None = None, *, looks: bool = False) -> tuple[Action, ...]:
        """Return everything that a seat may do now: the one whose turn it is, unless you name another.

        A card comes once with nothing said, and once with each thing that may be announced, said, shown or made along
        with it, so any of them may be picked. Whoever is not to move may still exchange the seven, call roem or claim
        the match, where the rules know these. The list is finite, complete and in one order: the pass first, cards in
        the order of the deck, the plainest play of a card first. Left out is only what changes nothing: to look at a
        trick again, unless you ask for ``looks``, the same declarations in another order, and showing where nothing
        need be shown. Where players announce before the first lead, it is offered to each in turn, with silence first;
        ``apply`` takes it from later seats, and the lead, too, as a record leaves out who was silent.
        """
        deal = self._state.deal
        if seat is None and not looks and deal is not None:
            cards = plain_cards(self._rules, deal)
            if cards is not None:
                assert deal.play is not None
                return plain_plays(deal.play.turn, cards)
        who = self.turn if seat is None else _seat(self._rules, "seat", seat)
        if deal is None or who is None:
            return ()
        actions = tuple(legal_actions(self._rules, deal, who, looks=looks))
        if self.phase != "announce":
            return actions
        if who != self.turn:
            return tuple(action for action in actions if not action.announce and action.play is None)
        return (Action(seat=who, silent=True), *(action for action in actions if action.play is None))

    def apply(self, action: Action | Mapping[str, Any]) -> "Game":
        """Return the game after an action, given as an ``Action`` or as the protocol writes it.

        When that ends a deal, the deal is booked, and the next one is dealt unless the match is over. Raises a
        ``Refusal`` if the rules do not allow the action, and ``BadQuestionError`` if it is not one.
        """
        done = action if isinstance(action, Action) else Action.from_json(action)
        state, deal = self._state, self._state.deal
        if deal is not None and (card := plain_card(done)) is not None:
            plain = after_plain_card(self._rules, deal, done.seat, card)
            if plain is not None:
                actions = (*state.actions, done)
                state = MatchState(
                    state.seed, state.first_dealer, state.match, state.ended, state.opening, plain, actions, 0
                )
                return Game._of(self._rules, state if plain.ended is None else _booked(self._rules, state, plain))
        if done.silent and not (deal is not None and awaits_call(deal)):
            return self._passed_over(done)
        if not done.silent:
            check_action(done)
        self._rules.check_seat("seat", done.seat)
        try:
            if deal is None or self.phase in ("deal", "over"):
                raise MatchOver if self.is_over else DealOver
            after = apply_action(self._rules, deal, done)
        except Refusal as refusal:
            raise self._explained(refusal, done) from None
        announces = after.play is not None and announces_apart(self._rules, after.play)
        asked = max(state.asked, after.heard) if announces else 0
        state = state._replace(deal=after, actions=(*state.actions, done), asked=asked)
        return Game._of(self._rules, state if after.ended is None else _booked(self._rules, state, after))

    def _passed_over(self, action: Action) -> "Game":
        """Return the game once the player who is asked has nothing to announce, or keeps it to himself."""
        rule = "declarations.announced"
        if self.phase != "announce":
            raise self._explained(WrongPhase(rule), action)
        if action.seat != self.turn:
            raise self._explained(NotYourTurn(rule), action)
        return Game._of(self._rules, self._state._replace(asked=self._state.asked + 1))

    def _explained(self, refusal: Refusal, action: Action) -> Refusal:
        """Return a refusal that says what was refused, and why."""
        return explained(self._rules.profile, refusal, did(action), _right(self, refusal, action))

    def deal(self, deck: Sequence[str], *, cut: int | None = None, shuffles: int | None = None) -> "Game":
        """Return the game with cards of your own for this deal: the whole deck, top first, before anybody has acted.

        ``cut`` is how many cards are lifted off the top, ``shuffles`` how many overhand passes the dealer made. Raises
        a ``Refusal`` for a cut or a shuffle that the rules do not allow, and ``BadQuestionError``.
        """
        state = self._state
        if state.actions and not self._has_ended:
            raise BadQuestionError("deal: somebody has acted already; the cards are dealt before the first bid")
        if self.is_over:
            raise BadQuestionError("deal: the match is over")
        told = {"cut": cut, "shuffles": shuffles}
        cards = list(deck) if isinstance(deck, Sequence) else deck
        opening = {"deck": cards, **{key: value for key, value in told.items() if value is not None}}
        check_form("replay", self._rules, {"dealer": state.match.dealer, **opening, "actions": []})
        return Game._of(self._rules, _dealt(self._rules, state, opening))

    def score(self) -> Score:
        """Return the score of the match so far; printed, it is the score sheet."""
        return score_of(self._rules, self._state.match, [ended.score for ended in self._state.ended])

    @property
    def position(self) -> Position | None:
        """The trick on the table, with what everybody holds: ``None`` while no card may be played."""
        deal = self._state.deal
        if deal is None or deal.play is None or awaits_call(deal) or self.phase not in ("announce", "play"):
            return None
        return position_of(self._rules, deal.play, deal.covered)

    @classmethod
    def from_position(
        cls, position: Position, *, taker: int, bid: int | str | None = None, raised: int = 1, dealer: int | None = None
    ) -> "Game":
        """Return the game of a deal that begins with a position: who took, what he bid, and the doubling beside it.

        The seat that leads is the one that leads first, so the dealer is known, but where the taker leads: there the
        last seat deals unless you say otherwise. Cards on the table are played. Raises a ``Refusal`` for a card that
        was not allowed, and ``BadQuestionError``.
        """
        if not isinstance(position, Position):
            raise BadQuestionError(f"position: a Position stands here, not {brief(position)}")
        rules, taker, leader = position._rules, _seat(position._rules, "taker", taker), position.leader
        seats = range(rules.players - 1, -1, -1) if dealer is None else (_seat(rules, "dealer", dealer),)
        dealers = [seat for seat in seats if first_leader(rules, seat, taker) == leader]
        if not dealers:
            raise BadQuestionError(f"leader: seat {leader} does not lead first in {rules.profile.id} then")
        told = {"dealer": dealers[0], **position.held(), "taker": taker, "trump": position.trump, "actions": []}
        told |= {} if bid is None else {"bid": bid}
        game = game_of(rules, told | ({} if raised == 1 else {"raised": raised}))
        for place, card in enumerate(position.trick):
            game = game.apply(Action(seat=(leader + place) % rules.players, play=card))
        return game

    @property
    def table(self) -> View:
        """What lies open to everybody: a view without a hand."""
        return self._view(None)

    def view(self, seat: int) -> View:
        """Return what one seat may know of the current deal: its hand, and all that was played and said."""
        return self._view(_seat(self._rules, "seat", seat))

    def _view(self, seat: int | None) -> View:
        if self._state.deal is None:
            raise BadQuestionError("no cards have been dealt yet")
        phase = self.phase
        return view_of(known_to(self._rules, self._state, seat), self._state.deal, seat, phase, self._turn_in(phase))

    def to_record(self) -> dict[str, Any]:
        """Return the game as JSON.

        ``deals`` holds an input of the protocol's operation ``replay`` for each deal, and ``match`` the input of
        ``match`` for those that have ended, so either can be asked of any program as it is.
        """
        state = self._state
        deals = [_question(ended.opening, ended.actions) for ended in state.ended]
        if state.deal is not None and not self._has_ended:
            deals.append(_question(state.opening, state.actions))
        booked = [dict(ended.booked) for ended in state.ended if ended.booked is not None]
        seed = {} if state.seed is None else {"seed": state.seed}
        match = {"dealer": state.first_dealer, "deals": booked}
        return {"profile": self.profile, **seed, "deals": deals, "match": match}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], profile: str | Path | None = None) -> "Game":
        """Return the game that a record holds, played again by the rules; ``match`` is worked out anew.

        ``profile`` plays it by other rules than those it names, as it must for house rules. Each deal may begin in any
        way that ``replay`` knows. Raises a ``Refusal`` for what the rules do not allow, and ``BadQuestionError``.
        """
        if not isinstance(record, Mapping):
            raise BadQuestionError(f"a record is a mapping, as to_record returns it, not {brief(record)}")
        if not isinstance(record.get("deals"), list | tuple) or not record["deals"]:
            raise BadQuestionError("deals: a record lists at least one deal, as the operation replay takes it")
        named = record.get("profile") if profile is None else profile
        if named is None:
            raise BadQuestionError("profile: a record names the rules that it was played by")
        rules = rules_by(named)
        seed = record.get("seed")
        ended = _ended_in(record)
        return _from_deals(rules, record["deals"], None if seed is None else whole_number("seed", seed), ended=ended)

    def to_text(self) -> str:
        """Return the game in the notation, deal by deal and trick by trick; ``from_text`` reads it."""
        state = self._state
        deals = [self._noted(ended.opening, ended.actions) for ended in state.ended]
        if state.deal is not None and not self._has_ended:
            deals.append(self._noted(state.opening, (*state.actions, *self._silent())))
        return str(Transcript(tuple(replace(deal, match="1") for deal in deals), state.seed))

    def to_line(self) -> str:
        """Return the running deal as one line of the notation: how it began, and what was done since.

        Once the match is over it is the last deal.
        """
        state = self._state
        if state.deal is None:
            raise BadQuestionError("no cards have been dealt yet")
        if self._has_ended:
            return str(self._noted(state.ended[-1].opening, state.ended[-1].actions))
        return str(self._noted(state.opening, (*state.actions, *self._silent())))

    def _noted(self, opening: Mapping[str, Any], actions: Sequence[Action]) -> Deal:
        deal = Deal.from_json({"profile": self.profile, "input": {**opening, "actions": []}})
        return replace(deal, actions=tuple(actions))

    def _silent(self) -> list[Action]:
        """Return as actions that seats let their turn to announce go by, since the last one that announced."""
        deal = self._state.deal
        if deal is None or deal.play is None:
            return []
        steps = range(deal.heard, self._state.asked)
        return [Action(seat=(deal.play.turn + step) % self.players, silent=True) for step in steps]

    @classmethod
    def from_text(cls, text: str, profile: str | Path | None = None) -> "Game":
        """Return the game that a text in the notation holds, a whole match or one deal, played again by the rules.

        ``profile`` plays it by other rules than those it names, as it must for house rules. Raises ``NotationError``
        for what is not in the notation or cannot be dealt, and a ``Refusal`` for what the rules do not allow.
        """
        if not isinstance(text, str):
            raise BadQuestionError(f"a text in the notation stands here, not {brief(text)}")
        return noted_game(Transcript.parse(text, None if profile is None else str(profile)), profile)


def noted_game(transcript: Transcript, profile: str | Path | None) -> Game:
    """Return the game that deals in the notation make; see ``Game.from_text``."""
    first = transcript.deals[0]
    named = first.profile if profile is None else profile
    if named is None:
        raise _start(first).error(say("game-rules"))
    for deal in transcript.deals:
        if deal.operation != "replay" or (profile is None and deal.profile != first.profile):
            raise _start(deal).error(say("game-deals"))
    asked = [deal.question for deal in transcript.deals]
    deals = [
        {**told, "actions": deal.actions} if "actions" in told else told
        for deal, told in zip(transcript.deals, asked, strict=True)
    ]
    return _from_deals(rules_by(named), deals, transcript.seed, [deal.places for deal in transcript.deals])


def _start(deal: Deal) -> Place:
    return deal.places.get("start", Place(1, 1))


def game_of(rules: Ruleset, deal: Mapping[str, Any]) -> Game:
    """Return the game of one recorded deal, or its beginning, by rules that are compiled already."""
    return _from_deals(rules, [deal], None)


def game_in(known: Known, opening: Mapping[str, Any], actions: Sequence[Action], seed: int) -> Game:
    """Return a game in the match that a seat knows, with cards for the running deal, after what was done in it."""
    rules = known.rules
    state = MatchState(seed, known.first_dealer, known.match, known.ended, {}, None, (), 0)
    state = _dealt(rules, state, opening)
    deal = state.deal
    assert deal is not None
    for action in actions:
        card = plain_card(action)
        after = None if card is None else after_plain_card(rules, deal, action.seat, card)
        deal = apply_action(rules, deal, action) if after is None else after
    return Game._of(rules, state._replace(deal=deal, actions=tuple(actions), asked=known.asked))


def _ended_in(record: Mapping[str, Any]) -> int:
    """Return how many deals of a record have ended, as far as it tells: the roem of a last trick may go uncalled."""
    match = record.get("match")
    booked = match.get("deals") if isinstance(match, Mapping) else None
    return len(booked) if isinstance(booked, list | tuple) else 0


def _played_again(rules: Ruleset, record: Mapping[str, Any], asked: int) -> Game:
    game = _from_deals(rules, record["deals"], record.get("seed"), ended=_ended_in(record))
    return Game._of(rules, game._state._replace(asked=asked))


def _seat(rules: Ruleset, name: str, seat: Any) -> int:
    """Return a seat that the caller named; raises ``BadQuestionError`` for what is no seat at this table."""
    found = whole_number(name, seat)
    rules.check_seat(name, found)
    return found


def _right(game: Game, refusal: Refusal, action: Action) -> Sentence:
    """Return what would be right where a game refuses an action."""
    kind = type(refusal)
    if kind is MatchOver:
        winner = game.score().winner
        return say("was-drawn") if winner is None else say("has-won", n=winner)
    if kind is DealOver:
        return say("next-deal")
    if kind is errors.CardNotHeld:
        return say("holds", n=action.seat, cards=_listed(game.view(action.seat).hand))
    if kind in _ABOUT:
        field, sentence = _ABOUT[kind]
        return say(sentence, n=action.seat, choices=_listed(_choices(game, action, field)))
    if kind in _OF_ANYBODY:
        field, sentence = _OF_ANYBODY[kind]
        able = [
            str(seat) for seat in range(game.players) if any(getattr(one, field) for one in game.legal_actions(seat))
        ]
        return say(sentence, who=say("seat-number", n=", ".join(able)) if able else say("nobody"))
    turn = -1 if game.turn is None else game.turn
    if kind is errors.BadDiscard:
        return say("turn-discard-so-many", turn=turn, n=len(game.legal_actions()[0].discard))
    return say(_WHOSE_TURN[game.phase], turn=turn)


def _right_cards(values: Mapping[str, Any], refusal: Refusal, cards: int) -> Sentence:
    """Return what would be right where a cut or a shuffle is refused, by the values of the rules."""
    if isinstance(refusal, errors.BadShuffle):
        most = values["deal.shuffle-passes"]
        return say(_LEAST_PASSES[most]) if most in _LEAST_PASSES else say("most-passes", n=most)
    least = values["deal.cut-minimum"]
    assert isinstance(refusal, errors.BadCut)
    return say("cut-between", least=least, most=cards - least)


def _choices(game: Game, action: Action, field: str) -> list[str]:
    """Return what a seat may do in one field of an action: with a card of its own choice where that is a field too."""
    found: dict[str, None] = {}
    for one in game.legal_actions(action.seat, looks=field == "look"):
        value = getattr(one, field)
        if value is True:
            found[str(one.play)] = None
        elif field == "made" and one.play != action.play:
            continue
        elif value not in (None, False, ()):
            found[value if isinstance(value, str) else _written(value)] = None
    return in_short(found) if field == "bid" else list(found)


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        between = " + " if value and isinstance(value[0], tuple) else " "
        return between.join(map(_written, value))
    return str(value)


def _listed(choices: Iterable[str]) -> Sentence | str:
    return ", ".join(choices) or say("nothing")


def _from_deals(
    rules: Ruleset,
    deals: Sequence[Mapping[str, Any]],
    seed: int | None,
    places: Sequence[Places] | None = None,
    ended: int = 0,
) -> Game:
    """Return the game that deals make; ``places`` says where each stands in a text, if they come from one.

    Of the first ``ended``, and of all but the last, nothing more is called.
    """
    game: Game | None = None
    for number, told in enumerate(deals):
        with _located(number, places):
            if places is None:
                check_form("replay", rules, told)
            elif "actions" in told:  # Each is looked at when it is done, where it stands.
                check_form("replay", rules, {**told, "actions": []})
            game = _begun(rules, game, number, told)
        for place, action in enumerate(told["actions"]):
            with _located(number, places, place):
                game = game.apply(action)
        if number < max(ended, len(deals) - 1) and (deal := game._state.deal) is not None and awaits_call(deal):
            game = game.apply(Action(seat=game.turn or 0, silent=True))
    assert game is not None
    state = game._state._replace(seed=seed)
    return Game._of(rules, _shuffled(rules, state) if game.phase == "deal" and seed is not None else state)


def _begun(rules: Ruleset, game: Game | None, number: int, told: Mapping[str, Any]) -> Game:
    """Return the game in which a deal of a record has been dealt, after those before it."""
    if "actions" not in told or "announcing" in told:
        raise BadQuestionError(say("not-all-told", of=f"deals.{number}"))
    if game is None:
        first: int = told["dealer"]
        match = start_match(rules, first)
        match = Match(first, tuple(told.get("totals", match.totals)), played=told.get("played", 0))
        state = MatchState(None, first, match, (), {}, None, (), 0)
    else:
        state = game._state
        if game.phase != "deal":
            raise BadQuestionError(say("deal-not-due", of=f"deals.{number}"))
        if told["dealer"] != state.match.dealer:
            of = f"deals.{number}.dealer"
            raise BadQuestionError(say("deals", of=of, n=state.match.dealer, other=told["dealer"]))
    opening = {key: value for key, value in told.items() if key not in ("dealer", "totals", "played", "actions")}
    return Game._of(rules, _dealt(rules, state, opening))


@contextmanager
def _located(number: int, places: Sequence[Places] | None, action: int | None = None) -> Iterator[None]:
    """Say of what goes wrong in a deal, or in one of its actions, where it stands in the record or in the text."""
    try:
        yield
    except Refusal as refusal:
        refusal.at = action
        if places is None:
            refusal.place = f"deals.{number}" if action is None else f"deals.{number}.actions.{action}"
        else:
            refusal.place = "{}:{}".format(*places[number].get("start" if action is None else action, Place(1, 1)))
        raise
    except BadQuestionError as error:
        if places is None:
            raise
        said = said_of(error)
        told = said.without(f"deals.{number}") if isinstance(said, Sentence) else str(error)
        of = told.of if isinstance(told, Sentence) else told.partition(":")[0]
        key = of if action is None else action
        raise places[number].get(key, places[number].get("start", Place(1, 1))).error(told) from None


def _question(opening: Mapping[str, Any], actions: Sequence[Action]) -> dict[str, Any]:
    """Return a deal as the operation ``replay`` takes it."""
    return {**opening, "actions": [action.to_json() for action in actions if not action.silent]}


def _shuffled(rules: Ruleset, state: MatchState) -> MatchState:
    """Shuffle, cut and deal the next deal; each deal of a seed has cards of its own."""
    return _dealt(rules, state, shuffled(rules, Random(f"{state.seed} {len(state.ended)}")))


def _dealt(rules: Ruleset, state: MatchState, cards: Mapping[str, Any]) -> MatchState:
    totals = {"totals": list(state.match.totals)} if any(state.match.totals) else {}
    played = {"played": state.match.played} if state.match.played else {}
    opening = {"dealer": state.match.dealer, **totals, **played, **cards}
    try:
        deal = open_deal(rules, opening)
    except Refusal as refusal:
        done = ", ".join(f"{name} {cards[name]}" for name in ("cut", "shuffles") if name in cards)
        what = say("told", told=done) if done else say("no-cut")
        values = {rule: setting.value for rule, setting in rules.profile.settings.items()}
        raise explained(rules.profile, refusal, what, _right_cards(values, refusal, len(cards["deck"]))) from None
    return state._replace(opening=opening, deal=deal, actions=(), asked=0)


def _booked(rules: Ruleset, state: MatchState, deal: DealState) -> MatchState:
    """Return the match with a deal that has ended on its sheet, and the next one dealt."""
    count = count_deal(rules, deal) if deal.ended == "played" else None
    settlement = None if count is None else count.settlement
    tallies = () if count is None else count.tallies
    match, line = book_ended(rules, state.match, settlement, deal.bidding.contract, deal.winner, tallies)
    ended = _PastDeal(state.opening, state.actions, deal_score(deal, count, line), _as_booked(rules, deal, count))
    after = state._replace(match=match, ended=(*state.ended, ended))
    return after if match.is_over or state.seed is None else _shuffled(rules, after)


def _as_booked(rules: Ruleset, deal: DealState, count: Count | None) -> Mapping[str, Any] | None:
    """Return a deal as ``match`` takes it; a deal that won the match in mid-play has no such form."""
    if count is not None:
        return tally_json(rules, deal, count)
    return {"passed": True} if deal.ended == "passed" else None


def last_deal(game: Game) -> Game:
    """Return a game that deals no cards of its own after this deal."""
    return Game._of(game._rules, game._state._replace(seed=None))


def engine_of(game: Game) -> tuple[Ruleset, DealState]:
    """Return the compiled rules and the running deal in the engine's own form, for this project's own tools."""
    assert game._state.deal is not None
    return game._rules, game._state.deal
