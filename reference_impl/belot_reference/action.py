"""What a player does at the table, as a value: the protocol's own form of an action, and the engine's."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, total_ordering
from typing import Any, Final

from belot_reference.bids import (
    BID_NAMES,
    CAPOT,
    RAISES,
    Bid,
    amount_of_bid,
    bid_name,
    bid_named,
    is_bid_name,
    mode_of_bid,
)
from belot_reference.cards import CARD_BY_NAME, Card, CardSet, names_of
from belot_reference.errors import BadQuestionError, Place
from belot_reference.questions import decimal_in
from belot_reference.sentences import Sentence, in_english_and, say
from belot_reference.word import CARDS, MADE, MOST_SEATS, NUMBER, Word, WordForm, card_hint, name_hint, several
from belot_spec.card_names import CARD_NAMES

_WITH_VALUE: Final = re.compile(r"([a-z]+)\((.*)\)")


@total_ordering
@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that a player does: a bid, a card with what is said along with it, or anything else.

    The fields are those of an action in the protocol: ``Action(seat=0, bid="H")``, ``Action(seat=1, play="KH",
    belote=True)``, ``Action(seat=2, discard=("7S", "8S"))``. What does not apply keeps its default. ``silent`` is the
    one that the protocol leaves out: a player lets his turn to announce before the first lead go by, or leaves the roem
    of the last trick uncalled. Printed, an action
    is its word in the notation: ``H``, ``KH+belote``, ``discard(7S8S)``; ``parse`` reads it. Actions sort by seat, then
    by kind (bids, what is done without a card, cards), and then by bid (the pass first) or in the order of the deck.
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
    roem: int | None = None
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
        return action_of(data)

    def to_json(self) -> dict[str, Any]:
        """Return the action as the protocol writes it: only what applies, with lists for tuples."""
        fields: dict[str, Any] = {"seat": self.seat}
        for field in _FIELDS:
            value = getattr(self, field)
            if value not in (None, False, ()):
                fields[field] = as_lists(value)
        return fields

    @classmethod
    def parse(cls, word: str, seat: int) -> "Action":
        """Return what a word of the notation says that a seat does; raises ``NotationError``."""
        return read_action(Word(word, Place(1, 1)), seat)

    def __str__(self) -> str:
        try:
            return word_of(self)
        except BadQuestionError:
            return in_english(self)

    def __lt__(self, other: "Action") -> bool:
        return _order(self) < _order(other) if isinstance(other, Action) else NotImplemented


def _order(action: Action) -> tuple[Any, ...]:
    """Return by what actions are sorted: the seat, the kind, the bid or the card, and then how they are written."""
    said, card = action.bid, action.play
    kind = 0 if said is not None else 1 if card is None else 2
    bid = (False, False, -1, -1)
    if said is not None and is_bid_name(said) and (number := bid_named(said)) is not None:
        mode, amount = mode_of_bid(number), amount_of_bid(number)
        bid = (mode in RAISES, amount == CAPOT, amount, mode)
    of_deck = -1 if card is None else CARD_BY_NAME.get(card, -1)
    return action.seat, kind, bid, of_deck, "" if plain_card(action) is not None else str(action)


_FIELDS: Final = tuple(field for field in Action.__dataclass_fields__ if field != "seat")


def as_tuples(value: Any) -> Any:
    """Return a value of the protocol with tuples for lists, at every depth."""
    return tuple(map(as_tuples, value)) if isinstance(value, list | tuple) else value


def as_lists(value: Any) -> Any:
    """Return a value with lists for tuples, as the protocol has them."""
    return list(map(as_lists, value)) if isinstance(value, tuple) else value


def in_english(action: Action) -> str:
    """Return what is done in English, whether it is an action or not: ``play KH, belote``."""
    fields = {field: value for field, value in action.to_json().items() if field != "seat"}
    words = [field if value is True else f"{field} {_listed(value)}" for field, value in fields.items()]
    return ", ".join(words) or "nothing"


def _listed(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        between = " and " if value and not isinstance(value[0], str) else " "
        return between.join(map(_listed, value))
    return str(value)


def check_action(action: Action) -> None:
    """Raise ``BadQuestionError`` for a value that is no action of the protocol."""
    _check_form(action.to_json())


def _check_form(data: Mapping[str, Any]) -> None:
    from belot_spec.load.schemas import explain, is_valid

    if not is_valid(data, "protocol-operations", "action"):
        faults = explain(data, "protocol-operations", "action")
        shown = "; ".join(f"{'.'.join(map(str, path)) or 'action'}: {text}" for path, text in faults)
        fields = ", ".join(str(field) for field in data if field != "seat")
        raise BadQuestionError(say("this-is-no-action", shown=in_english_and(shown, fields or "action")))
    if (found := decimal_in(data)) is not None:
        raise BadQuestionError(f"this is no action: {found}")


# Actions made of the engine's own cards and bids.

# Each card of each seat with nothing said: one value each, as they are handed out and taken back all the time.
_PLAIN: Final = {seat: {card: Action(seat=seat, play=card) for card in CARD_NAMES} for seat in range(MOST_SEATS)}
CARD_OF_PLAIN: Final = {id(action): CARD_BY_NAME[card] for plain in _PLAIN.values() for card, action in plain.items()}


def action_of(data: Mapping[str, Any]) -> Action:
    """Return an action that is known to have the form that the protocol gives it."""
    if len(data) == 2:
        if "play" in data:
            return _PLAIN[data["seat"]][data["play"]]
        if "bid" in data:
            return _bid(data["seat"], data["bid"])
    return Action(**{field: as_tuples(value) if type(value) is list else value for field, value in data.items()})


def actions_of(told: Sequence[Mapping[str, Any]]) -> list[Action]:
    """Return actions that are known to have the form that the protocol gives them; most are cards and nothing else."""
    return [_PLAIN[one["seat"]][one["play"]] if len(one) == 2 and "play" in one else action_of(one) for one in told]


@lru_cache(maxsize=1 << 12)
def _bid(seat: int, said: str) -> Action:
    return Action(seat=seat, bid=said)


def bid_action(seat: int, said: Bid) -> Action:
    """Return what a seat does that passes, names a suit or another mode, or doubles."""
    return _bid(seat, bid_name(said))


@lru_cache(maxsize=1 << 12)
def bid_actions(seat: int, choices: tuple[Bid, ...]) -> tuple[Action, ...]:
    """Return what a seat may do that may say any of these: many where numbers are bid, and the same ones every time."""
    return tuple(bid_action(seat, said) for said in choices)


def card_action(
    seat: int, card: Card, announce: Sequence[CardSet], belote: bool, show: bool, made: tuple[str, ...]
) -> Action:
    """Return what a seat does that plays a card, with all that it says along with it."""
    if not (announce or belote or show or made):
        return _PLAIN[seat][CARD_NAMES[card]]
    sets = _sets(announce)
    return Action(seat=seat, play=CARD_NAMES[card], announce=sets, belote=belote, show=show, made=made)


def announce_action(seat: int, declarations: Sequence[CardSet]) -> Action:
    """Return what a seat does that announces before the first lead, apart from any card."""
    return Action(seat=seat, announce=_sets(declarations))


def discard_action(seat: int, cards: CardSet) -> Action:
    """Return what a taker does that lays cards away."""
    return Action(seat=seat, discard=tuple(names_of(cards)))


def _sets(declarations: Sequence[CardSet]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(names_of(cards)) for cards in declarations)


@lru_cache(maxsize=1 << 14)
def plain_plays(seat: int, cards: CardSet) -> tuple[Action, ...]:
    """Return what a seat does that may play these cards, and do nothing else."""
    return tuple(_PLAIN[seat][card] for card in names_of(cards))


def plain_card(action: Action) -> Card | None:
    """Return the card that an action plays, ``None`` if anything is said with it or it is something else."""
    if (card := CARD_OF_PLAIN.get(id(action))) is not None:
        return card
    if type(action.play) is not str or action.play not in CARD_BY_NAME:
        return None
    if type(action.seat) is not int or not 0 <= action.seat < MOST_SEATS or action != _PLAIN[action.seat][action.play]:
        return None
    return CARD_BY_NAME[action.play]


# An action as a word of the notation.


_WITH_CARD: Final = ("announce", "belote", "show", "made")
_APART: Final = ("announce", "discard", "exchange", "look", "claim", "roem", "silent")
SAID: Final[Mapping[str, WordForm | None]] = {
    "announce": several(CARDS, ","),
    "made": several(MADE, ","),
    "discard": CARDS,
    "look": NUMBER,
    "roem": NUMBER,
    **dict.fromkeys(("belote", "show", "exchange", "claim", "silent")),
}


def word_of(action: Action) -> str:
    """Return an action as one word; raises ``BadQuestionError`` for one that is no action."""
    data = action.to_json()
    try:
        name = next(name for name in ("bid", "play", *_APART) if name in data)
        first = str(data[name]) if name in ("bid", "play") else _written(name, data[name])
        with_card = _WITH_CARD if name == "play" else ()
        word = "+".join((first, *(_written(one, data[one]) for one in with_card if one in data)))
        if Action.parse(word, action.seat) == action:
            return word
    except (BadQuestionError, TypeError, StopIteration):
        pass
    raise BadQuestionError(f"{action!r:.200} is no action that can be written")


def did(action: Action) -> Sentence:
    """Return what was done, in English; in other languages as the notation has it."""
    english = in_english(action)
    try:
        other = word_of(action)
    except BadQuestionError:
        other = english
    return say("did", n=action.seat, what=in_english_and(english, other))


def _written(name: str, value: Any) -> str:
    if value is True:
        return name
    if (form := SAID[name]) is None:
        raise BadQuestionError(f"{name}: true or false stands here")
    return f"{name}({form.write(value)})"


def read_action(word: Word, seat: int) -> Action:
    """Return the action of a seat that a word stands for; raises ``NotationError``."""
    first, *others = word.text.split("+")
    fields: dict[str, Any] = {}
    after = len(first) + 1
    if is_bid_name(first) and not others:
        return Action(seat=seat, bid=first)
    if first in CARD_NAMES:
        fields["play"] = first
        for one in others:
            name, value = _read(word, one, after, _WITH_CARD)
            if name in fields:
                raise word.error(say("said-twice", name=name), after)
            fields[name] = value
            after += len(one) + 1
        return Action(seat=seat, **fields)
    if others:
        raise word.error(say("no-card", text=first, hint=card_hint(first)))
    name, value = _read(word, first, 0, _APART)
    return Action(seat=seat, **{name: value})


def _read(word: Word, text: str, after: int, known: Iterable[str]) -> tuple[str, Any]:
    """Return what is said by its name, with its value."""
    called = _WITH_VALUE.fullmatch(text)
    name = called[1] if called else text.partition("(")[0]
    if name not in known:
        listed = (*known, *(() if after else (*BID_NAMES, "90H", "capotH")))
        hint = card_hint(text) or name_hint(name, listed)
        wrong = "no-addition" if after else "no-action"
        raise word.error(say(wrong, text=text, listed=", ".join(listed), hint=hint), after)
    form = SAID[name]
    if form is None:
        if text != name:
            raise word.error(say("alone", name=name), after)
        return name, True
    if called is None:
        raise word.error(say("between", name=name, example=f"{name}({form.example})"), after)
    return name, form.read(Word(called[2], Place(word.place.line, word.place.column + after + len(name) + 1)))
