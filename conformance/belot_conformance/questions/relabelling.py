"""Questions and answers told otherwise: in other suits, as the schema of the protocol types them, or a seat further."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any, Final

from belot_reference.bids import BID_NAMES, CAPOT, RAISES, bid_name, bid_of
from belot_reference.cards import CARD_BY_NAME, EVERY_SUIT, names_of
from belot_reference.compile import Ruleset
from belot_spec.card_names import RANKS, SUITS
from belot_spec.data import schema

# What every card and suit is called instead.
Renaming = Mapping[str, str]
Relabel = Callable[[Any, Renaming], Any]

# Operations in which nothing but the answer changes if everybody sits a seat further, and the answer only by its seats;
# those of sums, in which it changes by its sides; small ones about suits, and lists that may be told in any order.
TURN_WITH_SEATS: Final = frozenset(("trick-winner", "bidding", "compare-declarations", "compare-hands"))
TURN_WITH_SIDES: Final = frozenset(("score-deal", "settle-tricks", "match"))
OF_SUITS: Final = frozenset(
    ("card-points", "trick-winner", "legal-cards", "declarations", "compare-declarations", "belote", "bidding")
)
ANY_ORDER: Final = {"card-points": "cards", "legal-cards": "hand", "declarations": "hand"}

_LOCAL: Final = re.compile(r'"#/\$defs/([^"]+)"')
_OF_SUITS: Final = frozenset((("values", "card"), ("values", "suit")))
_BID: Final = ("protocol-operations", "bid")


def renaming(suits: Mapping[str, str]) -> Renaming:
    """Return what each card and suit is called when the suits are exchanged."""
    return {**suits, **{f"{rank}{suit}": f"{rank}{suits[suit]}" for rank, suit in product(RANKS, SUITS)}}


# Every exchange of suits, and what all cards are called then; the first exchanges none.
_RENAMINGS: Final = tuple(
    (suits, renaming({SUITS[suit]: SUITS[suits[suit]] for suit in EVERY_SUIT})) for suits in permutations(EVERY_SUIT)
)


def renamings(rules: Ruleset, operation: str) -> tuple[Renaming, ...]:
    """Return every exchange of suits but none, in which what an operation asks has the same answer by the rules."""
    bids = _has_bids(f"{operation}-input")
    return tuple(names for suits, names in _RENAMINGS[1:] if rules.is_same_in(suits, bids=bids))


@cache
def _has_bids(definition: str) -> bool:
    """Say whether a definition of the operations has bids somewhere in it."""
    others = _LOCAL.findall(json.dumps(schema("protocol-operations")["$defs"][definition]))
    return "bid" in others or any(map(_has_bids, others))


def relabelled(definition: str, value: Any, names: Renaming) -> Any:
    """Return an input or result of a definition of the protocol with its cards and suits called otherwise."""
    relabel = _relabelling(definition)
    return value if relabel is None else relabel(value, names)


@cache
def _relabelling(definition: str, file: str = "protocol-operations") -> Relabel | None:
    node = schema(file)["$defs"].get(definition)
    return None if node is None else _of(node, file)


def _of(node: Mapping[str, Any], file: str) -> Relabel | None:
    """Return what relabels a value of a schema in a file; nothing where it holds no suits."""
    if "$ref" in node:
        other, _, name = node["$ref"].rpartition("#/$defs/")
        other = other.removesuffix(".schema.json") or file
        if (other, name) == _BID:
            return _bid_called_otherwise
        return _called_otherwise if (other, name) in _OF_SUITS else _relabelling(name, other)
    ways = [way for one in (*node.get("anyOf", ()), *node.get("oneOf", ())) if (way := _of(one, file)) is not None]
    if "properties" in node or "additionalProperties" in node:
        ways += _of_object(node, file)
    if "items" in node and (inside := _of(node["items"], file)) is not None:
        ways.append(_of_list(inside))
    return _one_after_the_other(ways)


def _called_otherwise(value: Any, names: Renaming) -> Any:
    return names.get(value, value)


def _bid_called_otherwise(value: Any, names: Renaming) -> Any:
    """Return a bid whose mode, the last letter of its name, is called otherwise: no other bid ends like a suit."""
    return f"{value[:-1]}{names.get(value[-1:], value[-1:])}" if isinstance(value, str) else value


def _of_object(node: Mapping[str, Any], file: str) -> list[Relabel]:
    fields = {key: way for key, one in node.get("properties", {}).items() if (way := _of(one, file)) is not None}
    keys = _of(node.get("propertyNames", {}), file)
    if not fields and keys is None:
        return []
    ways = tuple(fields.items())

    def relabel(value: Any, names: Renaming) -> Any:
        if not isinstance(value, dict):
            return value
        if keys is not None:
            return {keys(key, names): item for key, item in value.items()}
        return {**value, **{key: way(value[key], names) for key, way in ways if key in value}}

    return [relabel]


def _of_list(inside: Relabel) -> Relabel:
    if inside is _called_otherwise:
        # Most of what is asked are lists of cards.
        return lambda value, names: [names.get(item, item) for item in value] if isinstance(value, list) else value

    def relabel(value: Any, names: Renaming) -> Any:
        return [inside(item, names) for item in value] if isinstance(value, list) else value

    return relabel


def _one_after_the_other(ways: list[Relabel]) -> Relabel | None:
    """Return what relabels a value of any of some kinds: each leaves alone what is of another kind."""
    if len(ways) < 2:
        return ways[0] if ways else None

    def relabel(value: Any, names: Renaming) -> Any:
        for way in ways:
            if (found := way(value, names)) != value:
                return found
        return value

    return relabel


# Fields that hold a seat, and lists with an item for each.
SEATS: Final = frozenset(
    ("seat", "dealer", "leader", "taker", "first", "turn", "winner", "accuser", "accused", "by", "of")
)
_BY_SEAT: Final = frozenset(("hands", "announced", "points", "sides", "totals"))


def from_next_seat(rules: Ruleset, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a question, or of a result that turns with the seats, with everybody one seat further."""
    told = dict(fields)
    for key, value in fields.items():
        if key in SEATS and isinstance(value, int):
            told[key] = (value + 1) % rules.players
        elif key == "last_trick" and isinstance(value, int):
            told[key] = (value + 1) % rules.side_count
        elif key in _BY_SEAT and isinstance(value, list) and value:
            told[key] = [value[-1], *value[:-1]]
        elif isinstance(value, Mapping):
            told[key] = from_next_seat(rules, value)
        elif isinstance(value, list):
            told[key] = [from_next_seat(rules, one) if isinstance(one, Mapping) else one for one in value]
    return told


# Questions that differ in one thing from one that was asked: another card, suit, seat or number, more or less said.
# What a value is, it says itself, or the field that it stands in: so any question is varied, of whatever operation.
# What comes of it may be no question by the rules.


Json = Mapping[str, Any]

STEPS: Final = (1, 1, 2, 5, 10, 20)
# How far beyond the numbers that can be bid others are.
_BEYOND: Final = 5


def varied(rules: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return a question with a value of one of its fields changed; two cards change places wherever they stand."""
    cards: dict[Any, str] = {}

    def other(field: str, value: Any) -> Any:
        match value:
            case bool():
                return not value
            case int() if field in SEATS:
                return random.randrange(rules.players)
            case int():
                return max(0, value + random.choice((-1, 1)) * random.choice(STEPS))
            case str() if value in CARD_BY_NAME:
                new = random.choice(names_of(rules.deck))
                cards.update({value: new, new: value})
            case str() if field == "bids":
                return random.choice(("pass", *calls(rules)))
            case str():
                return random.choice([mode.name for mode in rules.playable_modes])
            case Mapping() if value:
                key = random.choice([*value])
                return {**value, key: other(key, value[key])}
            case list() if value:
                place, to = random.randrange(len(value)), random.randrange(len(value))
                match random.randrange(_WAYS):
                    case 0:
                        return [*value[:place], *value[place + 1 :]]
                    case 1:
                        return exchanged(exchanged(value, place, value[to]), to, value[place])
                return exchanged(value, place, other(field, value[place]))
        return value

    changed: dict[str, Any] = other("", question)
    return _renamed(changed, cards) if cards else changed


# A list has an item less, two that change places, or one that is another, as often.
_WAYS: Final = 3


def _renamed(value: Any, names: Mapping[Any, str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    return names.get(value, value)


def exchanged(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    """Return items with another one in a place."""
    return [*items[:place], item, *items[place + 1 :]]


def calls(rules: Ruleset) -> Sequence[str]:
    """Return what is said in a bidding but the pass; numbers a little beyond those that can be bid too."""
    if not rules.has_amounts:
        return BID_NAMES[1:] if rules.has_auction else SUITS
    low, high = rules.value("bidding.lowest-amount"), rules.value("bidding.highest-amount")
    amounts = (*range(low - _BEYOND, high + _BEYOND + 1, _BEYOND), CAPOT)
    return [*(bid_name(bid_of(mode, amount)) for amount in amounts for mode in EVERY_SUIT), *BID_NAMES[-len(RAISES) :]]
