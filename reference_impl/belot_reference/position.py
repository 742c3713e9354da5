"""``Position``: what is held and lies on the table in a trick, and what may be played there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from belot_reference.action import Action, did
from belot_reference.cards import CARD_BY_NAME, NO_CARDS, ONLY, Card, CardSet, card_set, holds, names_of, union
from belot_reference.compile import Ruleset, rules_by
from belot_reference.errors import BadQuestionError, CardNotHeld, IllegalCard, Refusal, explained, whole_number
from belot_reference.mode import Mode
from belot_reference.notation import Deal
from belot_reference.perft import Covered, Plays, opened
from belot_reference.play import PlayState, RunningTrick, legal_noted, refusing_rule, table_of
from belot_reference.possible import why_impossible
from belot_reference.questions import cards_named, check_form, mode_named, set_named
from belot_reference.sentences import say
from belot_spec.card_names import CARD_NAMES

Hands = Sequence[Sequence[str]]


class Position:
    """A trick of a profile: what each seat holds, what lies on the table, and what may be played there.

    ``hands`` are what each seat held when the trick began, ``leader`` the seat that led to it, and ``trick`` the cards
    on the table in the order played, all of which may be there. ``trump`` is a suit, none (``"N"``) or all (``"A"``)
    where the profile knows these. Where cards lie in piles, ``piles`` stand for the hands, per seat pairs of an open
    card and the one under it. With the ``hand`` of the player to move in place of these a position answers
    ``legal_cards`` alone. Raises ``BadQuestionError`` for what cannot be held or played.

    A position is a value: ``play`` returns another one. Printed, it is its line in the notation, which ``from_line``
    reads. Nothing is bid or declared in it, and nothing counted: for that there is ``Game``, which takes one
    (``Game.from_position``) and gives one (``game.position``).
    """

    __slots__ = ("_covered", "_is_whole", "_play", "_rules")
    _rules: Ruleset
    _play: PlayState
    _covered: Covered
    _is_whole: bool

    def __init__(  # noqa: PLR0913  # what is held is told in one of three ways
        self,
        profile: str | Path,
        *,
        trump: str,
        leader: int,
        hands: Hands | None = None,
        hand: Sequence[str] | None = None,
        piles: Sequence[Hands] | None = None,
        trick: Sequence[str] = (),
    ) -> None:
        rules = rules_by(profile)
        held = {"hands": hands, "hand": hand, "piles": piles}
        told = {name: _lists(value) for name, value in held.items() if value is not None}
        if len(told) != 1:
            raise BadQuestionError(
                f"one of hands, hand and piles says what is held, not {' and '.join(told) or 'none'}"
            )
        cards = _lists(trick)
        if hand is not None:
            self._set(rules, _alone(rules, leader, {"trump": trump, **told, "trick": cards}), {}, is_whole=False)
            return
        question = {"trump": trump, "leader": leader, **told, "depth": 1}
        check_form("perft", rules, question)
        if error := why_impossible(rules, "perft", question):
            raise error
        plays, play = opened(rules, question)
        if not isinstance(cards, list) or len(cards) > rules.players:
            raise BadQuestionError(f"trick: a list of at most {rules.players} cards stands here, not {cards!r:.60}")
        for name in cards:
            card = CARD_BY_NAME.get(name) if isinstance(name, str) else None
            if card is None or not holds(play.hands[play.turn], card):
                raise BadQuestionError(f"trick: seat {play.turn} holds no {name!r:.20}")
            play = plays.after(play, card)
        self._set(rules, play, plays.covered, is_whole=True)

    def _set(self, rules: Ruleset, play: PlayState, covered: Covered, *, is_whole: bool) -> None:
        for name, value in (("_rules", rules), ("_play", play), ("_covered", covered), ("_is_whole", is_whole)):
            object.__setattr__(self, name, value)

    @classmethod
    def _of(cls, rules: Ruleset, play: PlayState, covered: Covered, is_whole: bool = True) -> "Position":
        found = object.__new__(cls)
        found._set(rules, play, covered, is_whole=is_whole)
        return found

    @classmethod
    def from_line(cls, text: str, profile: str | Path | None = None) -> "Position":
        """Return the position of a line in the notation that begins with ``leader``.

        ``profile`` are the rules where it names none, or others than those that it names. Raises ``NotationError`` for
        what is not in the notation, and ``BadQuestionError``.
        """
        if not isinstance(text, str):
            raise BadQuestionError(f"a line of the notation stands here, not {text!r:.60}")
        deal = Deal.parse(text, None if profile is None else str(profile))
        named = deal.profile if profile is None else profile
        if named is None or "leader" not in deal.opening:
            wrong = "names its profile" if named is None else "begins with leader; Game.from_text reads a deal"
            raise BadQuestionError(f"the line of a position {wrong}")
        told = {name: deal.opening[name] for name in ("hands", "hand", "piles") if name in deal.opening}
        trick = [str(action.play) for action in deal.actions]
        return cls(named, trump=deal.opening["trump"], leader=deal.opening["leader"], trick=trick, **told)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a position does not change; play returns another one")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position._of, (self._rules, self._play, self._covered, self._is_whole)

    def __copy__(self) -> "Position":
        return self

    def __deepcopy__(self, _: object) -> "Position":
        return self

    def _key(self) -> tuple[object, ...]:
        return self.profile, self.trump, self.leader, self.trick, self._play.hands, tuple(sorted(self._covered.items()))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<Position {self.profile}, trump {self.trump}, turn {self.turn}, on the table {' '.join(self.trick)}>"

    def __str__(self) -> str:
        held = self.held() if self._is_whole else {"hand": self.hand}
        actions = tuple(
            Action(seat=(self.leader + place) % self._rules.players, play=card) for place, card in enumerate(self.trick)
        )
        opening = {"leader": self.leader, "trump": self.trump, **held}
        return str(Deal(self.profile, opening, actions, seats=self._rules.players))

    def _repr_svg_(self) -> str:
        from belot_reference.pictures import position_svg

        return position_svg(self)

    def now(self) -> dict[int, tuple[str, ...]]:
        """Return what each seat that is told of holds now."""
        seats = range(self._rules.players) if self._is_whole else (self._play.turn,)
        return {seat: tuple(names_of(self._play.hands[seat])) for seat in seats}

    def held(self) -> dict[str, Any]:
        """Return what each seat held when the trick began, as the protocol has it: ``hands``, or ``piles``."""
        if not self._covered:
            return {"hands": [list(hand) for hand in self.hands]}
        return {"piles": [[self._pile(card) for card in names_of(cards)] for cards in self._begun()]}

    def _pile(self, card: str) -> list[str]:
        under = self._covered.get(CARD_BY_NAME[card])
        if under is None:
            raise BadQuestionError("a pile of one card has no word in the notation, so this position has no line")
        return [card, CARD_NAMES[under]]

    @property
    def profile(self) -> str:
        """The id of the rules in force."""
        return self._rules.profile.id

    @property
    def trump(self) -> str:
        """What is trump: a suit, ``"N"`` for none, ``"A"`` for all."""
        return self._play.mode.name

    @property
    def _last(self) -> tuple[int, tuple[Card, ...]]:
        """Who led to the trick that lies on the table, and its cards: the last one until the next is led to."""
        play = self._play
        if play.cards or not play.tricks:
            return play.leader, play.cards
        return play.tricks[-1].leader, play.tricks[-1].cards

    @property
    def leader(self) -> int:
        """The seat that led to the trick on the table, or is to lead to it."""
        return self._last[0]

    @property
    def trick(self) -> tuple[str, ...]:
        """The cards on the table, in the order played."""
        return tuple(CARD_NAMES[card] for card in self._last[1])

    @property
    def turn(self) -> int | None:
        """The seat that is to play, ``None`` where nobody holds a card any more."""
        return self._play.turn if self._play.hands[self._play.turn] else None

    @property
    def hand(self) -> tuple[str, ...]:
        """What the player to move holds."""
        return tuple(names_of(self._play.hands[self._play.turn]))

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """What each seat held when the trick began; of piles what lay open."""
        self._check_whole("hands")
        return tuple(tuple(names_of(cards)) for cards in self._begun())

    def _begun(self) -> list[CardSet]:
        leader, cards = self._last
        hands = list(self._play.hands)
        for place, card in enumerate(cards):
            seat = (leader + place) % self._rules.players
            under = self._covered.get(card)
            hands[seat] = hands[seat] & ~(NO_CARDS if under is None else ONLY[under]) | ONLY[card]
        return hands

    def legal_cards(self) -> tuple[str, ...]:
        """Return the cards that the player to move may play, in the order of the deck; none once all are played."""
        if self.turn is None:
            return ()
        return tuple(names_of(legal_noted(self._rules, self._play).cards))

    def play(self, card: str) -> "Position":
        """Return the position after a card of the player to move; the winner of a whole trick leads to the next.

        Raises a ``Refusal`` for one that he may not play, and ``BadQuestionError`` for what is no card.
        """
        self._check_whole("play")
        if not isinstance(card, str) or card not in CARD_BY_NAME:
            raise BadQuestionError(f"play: a card stands here, such as 10H, not {card!r:.20}")
        found, seat = CARD_BY_NAME[card], self._play.turn
        if not holds(self._play.hands[seat], found):
            raise self._refused(CardNotHeld(), card, "holds", self.hand)
        legal = legal_noted(self._rules, self._play)
        if not holds(legal.cards, found):
            rule = refusing_rule(self._rules, self._play.mode, found, legal)
            raise self._refused(IllegalCard(rule), card, "may-play", self.legal_cards())
        after = self._plays().after(self._play, found)
        return position_of(self._rules, after, self._covered)

    def _refused(self, refusal: Refusal, card: str, right: str, cards: Sequence[str]) -> Refusal:
        seat, shown = self._play.turn, ", ".join(cards)
        told = say(right, n=seat, **{"cards" if right == "holds" else "choices": shown})
        return explained(self._rules.profile, refusal, did(Action(seat=seat, play=card)), told)

    def perft(self, depth: int) -> int:
        """Return how many sequences of ``depth`` legal cards there are from here on."""
        self._check_whole("perft")
        if type(depth) is not int or depth < 0:
            raise BadQuestionError(f"depth: a whole number from 0 on stands here, not {depth!r:.60}")
        return self._plays().count(self._play, depth)

    def winner(self) -> int | None:
        """Return the seat that has won the trick on the table, ``None`` while it is not whole."""
        leader, cards = self._last
        if len(cards) < self._rules.players:
            return None
        return (leader + table_of(self._rules, self._play.mode, leader, cards).node.winner) % self._rules.players

    def _plays(self) -> Plays:
        return Plays(self._rules, self._play.mode, self._covered)

    def _check_whole(self, wanted: str) -> None:
        if not self._is_whole:
            raise BadQuestionError(f"{wanted}: only one hand is told here; Position(…, hands=…) tells them all")


def position_of(rules: Ruleset, play: PlayState, covered: Covered) -> Position:
    """Return the position of a deal in play, of which only the last whole trick is kept."""
    held = union((*play.hands, card_set(play.cards or (play.tricks[-1].cards if play.tricks else ()))))
    left = {top: under for top, under in covered.items() if holds(held, top)}
    return Position._of(rules, play._replace(tricks=play.tricks[-1:]), left)


def _lists(value: Any) -> Any:
    """Return what the caller gave as JSON has it."""
    return [*map(_lists, value)] if isinstance(value, list | tuple | set | frozenset) else value


def position_of_hand(rules: Ruleset, mode: Mode, table: RunningTrick, hand: CardSet) -> Position:
    """Return the position in which only the hand of the player to move is known."""
    return Position._of(rules, _play_of_hand(rules, mode, table, hand), {}, is_whole=False)


def _play_of_hand(rules: Ruleset, mode: Mode, table: RunningTrick, hand: CardSet) -> PlayState:
    turn = (table.leader + len(table.cards)) % rules.players
    hands = tuple(hand if seat == turn else NO_CARDS for seat in range(rules.players))
    return PlayState(mode, hands, turn, table.cards, table.node, ())


def _alone(rules: Ruleset, leader: int, told: dict[str, Any]) -> PlayState:
    check_form("legal-cards", rules, told)
    if error := why_impossible(rules, "legal-cards", told):
        raise error
    seat, hand, cards = whole_number("leader", leader), set_named(told["hand"]), cards_named(told["trick"])
    rules.check_seat("leader", seat)
    if len(cards) >= rules.players or card_set(cards) & hand:
        raise BadQuestionError(say("short-trick", of="trick"))
    mode = mode_named(rules, told["trump"])
    return _play_of_hand(rules, mode, table_of(rules, mode, seat, cards), hand)
