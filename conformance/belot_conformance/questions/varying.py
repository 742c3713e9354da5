"""Questions that differ in one thing from one that was asked: another card, suit, seat or number, more or less said.

What a value is, it says itself, or the field that it stands in: so any question is varied, of whatever operation. What
comes of it may be no question by the rules.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from belot_conformance.questions.relabelling import SEATS
from belot_reference.bids import BID_NAMES, CAPOT, RAISES, bid_name, bid_of
from belot_reference.cards import CARD_BY_NAME, EVERY_SUIT, names_of
from belot_reference.compile import Ruleset
from belot_spec.card_names import SUITS

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
