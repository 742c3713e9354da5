"""What a player does at the table, as a value with texts for cards and suits: the protocol's own form of an action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from belot_reference.actions import Action as EngineAction
from belot_reference.actions import PlayAction
from belot_reference.cards import CARD_BY_NAME, EVERY_CARD, Card, CardSet, cards_in
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.questions import action_of, decimal_in
from belot_reference.recording import action_json
from belot_reference.sentences import in_english_and, say
from belot_spec.card_names import CARD_NAMES

_MOST_SEATS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that a player does: a bid, a card with what is said along with it, or anything else.

    The fields are those of an action in the protocol: ``Action(seat=0, bid="H")``, ``Action(seat=1, play="KH",
    belote=True)``, ``Action(seat=2, discard=("7S", "8S"))``. What does not apply keeps its default. ``silent`` is the
    one that the protocol leaves out: a player lets his turn to announce before the first lead go by.
    """

    seat: int
    bid: str | None = None
    play: str | None = None
    announce: tuple[tuple[str, ...], ...] = ()
    belote: bool = False
    show: bool = False
    made: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    exchange: bool = False
    look: int | None = None
    claim: bool = False
    silent: bool = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Action":
        """Return an action of the protocol as a value; raises ``BadQuestionError`` for what is no action."""
        if not isinstance(data, Mapping):
            raise BadQuestionError(f'an action is a mapping, as {{"seat": 0, "bid": "pass"}} is one, not {data!r:.60}')
        if data.keys() == {"seat", "silent"} and data["silent"] is True:
            _check_form({"seat": data["seat"], "bid": "pass"})
            return cls(seat=data["seat"], silent=True)
        data = dict(data)
        _check_form(data)
        return cls(**{field: _frozen(value) for field, value in data.items()})

    def to_json(self) -> dict[str, Any]:
        """Return the action as the protocol writes it: only what applies, with lists for tuples."""
        told = {field: getattr(self, field) for field in self.__dataclass_fields__ if field != "seat"}
        return {
            "seat": self.seat,
            **{field: _thawed(value) for field, value in told.items() if value not in (None, False, ())},
        }

    def __str__(self) -> str:
        told = {field: value for field, value in self.to_json().items() if field != "seat"}
        words = [field if value is True else f"{field} {_words(value)}" for field, value in told.items()]
        return f"seat {self.seat}: {', '.join(words) or 'nothing'}"


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _thawed(value: Any) -> Any:
    return list(map(_thawed, value)) if isinstance(value, tuple) else value


def _words(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        between = " and " if value and not isinstance(value[0], str) else " "
        return between.join(map(_words, value))
    return str(value)


def _check_form(data: Mapping[str, Any]) -> None:
    from belot_spec.load.schemas import explain, is_valid

    if not is_valid(data, "protocol-operations", "action"):
        faults = explain(data, "protocol-operations", "action")
        shown = "; ".join(f"{'.'.join(map(str, path)) or 'action'}: {text}" for path, text in faults)
        fields = ", ".join(str(field) for field in data if field != "seat")
        raise BadQuestionError(say("this-is-no-action", shown=in_english_and(shown, fields or "action")))
    if (found := decimal_in(data)) is not None:
        raise BadQuestionError(f"this is no action: {found}")


# Each card of each seat with nothing said: one value each, as they are handed out and taken back all the time.
PLAIN: Final = tuple(tuple(Action(seat=seat, play=card) for card in CARD_NAMES) for seat in range(_MOST_SEATS))
_NOTHING_SAID: Final = PlayAction(0, EVERY_CARD[0])[2:]


@lru_cache(maxsize=1 << 14)
def plain_actions(seat: int, cards: CardSet) -> tuple[Action, ...]:
    """Return what a seat does that may play these cards, and do nothing else."""
    return tuple(PLAIN[seat][card] for card in cards_in(cards))


def plain_card(action: Action) -> Card | None:
    """Return the card that an action plays, ``None`` if anything is said with it or it is something else."""
    card = CARD_BY_NAME.get(action.play) if type(action.play) is str else None
    if card is None or type(action.seat) is not int or not 0 <= action.seat < _MOST_SEATS:
        return None
    plain = PLAIN[action.seat][card]
    return card if action is plain or action == plain else None


def from_engine(action: EngineAction) -> Action:
    """Return an action of the engine with texts for its cards and suits."""
    if type(action) is PlayAction and action[2:] == _NOTHING_SAID:
        return PLAIN[action.seat][action.card]
    return Action(**{field: _frozen(value) for field, value in action_json(action).items()})


def to_engine(rules: Ruleset, action: Action) -> EngineAction:
    """Return the engine's form of an action; raises ``BadQuestionError`` for what is no action at this table."""
    data = action.to_json()
    _check_form(data)
    rules.check_seat("seat", action.seat)
    return action_of(data)
