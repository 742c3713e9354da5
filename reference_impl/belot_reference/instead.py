"""What would be right where an action is refused: whose turn it is, and what a seat may do."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

from belot_reference.bids import in_short
from belot_reference.errors import (
    AnnouncedLate,
    BadCut,
    BadDiscard,
    BadShuffle,
    BidTooLow,
    CardNotHeld,
    ClaimFalse,
    ClaimNotAllowed,
    DealOver,
    IllegalCard,
    MatchOver,
    MayNotDouble,
    MayNotLook,
    MustName,
    NoBelote,
    NoExchange,
    NotADeclaration,
    NothingToShow,
    NotMade,
    Refusal,
    SameRunTwice,
    SharedCard,
    SuitNotOffered,
    WrongTimeToShow,
)
from belot_reference.game_action import Action
from belot_reference.sentences import Sentence, say
from belot_reference.sheet import Score
from belot_reference.view import Phase, View

_WHOSE_TURN: Final = {
    "bid": "turn-bid",
    "discard": "turn-discard",
    "announce": "turn-announce",
    "play": "turn-play",
}
# What a refusal is about: a field of the action, and the sentence of what a seat may do in it.
_ABOUT: Final[Mapping[type[Refusal], tuple[str, str]]] = {
    **dict.fromkeys((SuitNotOffered, BidTooLow, MayNotDouble, MustName), ("bid", "may-say")),
    IllegalCard: ("play", "may-play"),
    **dict.fromkeys((NotADeclaration, SharedCard, SameRunTwice, AnnouncedLate), ("announce", "may-announce")),
    NoBelote: ("belote", "may-say-belote"),
    NothingToShow: ("show", "may-show"),
    WrongTimeToShow: ("show", "may-show"),
    NotMade: ("made", "may-make"),
    MayNotLook: ("look", "may-look"),
}
_OF_ANYBODY: Final[Mapping[type[Refusal], tuple[str, str]]] = {
    NoExchange: ("exchange", "exchange-now"),
    ClaimNotAllowed: ("claim", "claim-now"),
    ClaimFalse: ("claim", "claim-now"),
}


class Refusing(Protocol):
    """What is to be known of a game that refuses an action."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def phase(self) -> Phase:
        """What is to be done."""

    @property
    def turn(self) -> int | None:
        """The seat that is to act."""

    def score(self) -> Score:
        """Return the score of the match so far."""

    def view(self, seat: int) -> View:
        """Return what one seat may know."""

    def legal_actions(self, seat: int | None = None, *, looks: bool = False) -> tuple[Action, ...]:
        """Return everything that a seat may do now."""


def instead(game: Refusing, refusal: Refusal, action: Action) -> Sentence:
    """Return what would be right where a game refuses an action."""
    kind = type(refusal)
    if kind is MatchOver:
        return say("has-won", n=game.score().winner or 0)
    if kind is DealOver:
        return say("next-deal")
    if kind is CardNotHeld:
        return say("holds", n=action.seat, cards=_listed(game.view(action.seat).hand))
    if kind in _ABOUT:
        field, told = _ABOUT[kind]
        return say(told, n=action.seat, choices=_listed(_choices(game, action, field)))
    if kind in _OF_ANYBODY:
        field, told = _OF_ANYBODY[kind]
        able = [str(seat) for seat in range(game.players) if _may(game, seat, field)]
        return say(told, who=say("seat-number", n=", ".join(able)) if able else say("nobody"))
    turn = -1 if game.turn is None else game.turn
    if kind is BadDiscard:
        return say("turn-discard-so-many", turn=turn, n=len(game.legal_actions()[0].discard))
    return say(_WHOSE_TURN[game.phase], turn=turn)


def instead_of_cards(values: Mapping[str, Any], refusal: Refusal, cards: int) -> Sentence:
    """Return what would be right where a cut or a shuffle is refused, by the values of the rules."""
    if isinstance(refusal, BadShuffle):
        most = values["deal.shuffle-passes"]
        return say("a-pass") if most == "at-least-one" else say("most-passes", n=most)
    least = values["deal.cut-minimum"]
    assert isinstance(refusal, BadCut)
    return say("cut-between", least=least, most=cards - least)


def _may(game: Refusing, seat: int, field: str) -> bool:
    return any(getattr(action, field) for action in game.legal_actions(seat))


def _choices(game: Refusing, action: Action, field: str) -> list[str]:
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
