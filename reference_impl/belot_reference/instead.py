"""What would be right where an action is refused: whose turn it is, and what a seat may do."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

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

if TYPE_CHECKING:
    from belot_reference.game import Game

_TO_DO: Final = {"bid": "bid", "discard": "lay cards away", "announce": "announce or be silent", "play": "play a card"}
# What a refusal is about: a field of the action, and what a seat does with it.
_ABOUT: Final[Mapping[type[Refusal], tuple[str, str]]] = {
    **dict.fromkeys((SuitNotOffered, BidTooLow, MayNotDouble, MustName), ("bid", "say")),
    IllegalCard: ("play", "play"),
    **dict.fromkeys((NotADeclaration, SharedCard, SameRunTwice, AnnouncedLate), ("announce", "announce")),
    NoBelote: ("belote", "say belote with"),
    NothingToShow: ("show", "show with"),
    WrongTimeToShow: ("show", "show with"),
    NotMade: ("made", "make"),
    MayNotLook: ("look", "look at trick"),
}
_OF_ANYBODY: Final[Mapping[type[Refusal], tuple[str, str]]] = {
    NoExchange: ("exchange", "exchange the seven"),
    ClaimNotAllowed: ("claim", "say enough"),
    ClaimFalse: ("claim", "say enough"),
}


def instead(game: "Game", refusal: Refusal, action: Action) -> str:
    """Return in words what would be right where a game refuses an action."""
    kind = type(refusal)
    if kind is MatchOver:
        score = game.score()
        return f"side {score.winner} has won the match"
    if kind is DealOver:
        return "the next deal waits for its cards: deal(deck)"
    if kind is CardNotHeld:
        return f"seat {action.seat} holds {_listed(game.view(action.seat).hand)}"
    if kind in _ABOUT:
        field, verb = _ABOUT[kind]
        return f"seat {action.seat} may {verb} {_listed(_choices(game, action, field))}"
    if kind in _OF_ANYBODY:
        field, verb = _OF_ANYBODY[kind]
        able = [str(seat) for seat in range(game.players) if _may(game, seat, field)]
        return f"{f'seat {_listed(able)}' if able else 'nobody'} may {verb} now"
    whose = f"it is the turn of seat {game.turn} to {_TO_DO[game.phase]}"
    if kind is BadDiscard:
        return f"{whose}, {len(game.legal_actions()[0].discard)} of them"
    return whose


def instead_of_cards(values: Mapping[str, Any], refusal: Refusal, cards: int) -> str:
    """Return in words what would be right where a cut or a shuffle is refused, by the values of the rules."""
    if isinstance(refusal, BadShuffle):
        return f"at most {values['deal.shuffle-passes']} overhand passes"
    least = values["deal.cut-minimum"]
    assert isinstance(refusal, BadCut)
    return f"cut from {least} to {cards - least} cards off the top"


def _may(game: "Game", seat: int, field: str) -> bool:
    return any(getattr(action, field) for action in game.legal_actions(seat))


def _choices(game: "Game", action: Action, field: str) -> list[str]:
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
        between = " and " if value and isinstance(value[0], tuple) else " "
        return between.join(map(_written, value))
    return str(value)


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choices) or "nothing"
