"""Reading the inputs of the protocol's operations: plain JSON values become the engine's own.

Everything here raises ``BadQuestionError`` for an input that is not what the protocol says it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from belot_reference.auction import AMOUNT_RULES
from belot_reference.bids import CAPOT, amount_named
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    NO_CARDS,
    Card,
    CardSet,
    Suit,
    card_set,
    names_of,
)
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.errors import BadQuestionError
from belot_reference.mode import MODE_NAMES, Mode
from belot_reference.sentences import Sentence, in_english_and, say
from belot_spec.card_names import SUITS

Json = Mapping[str, Any]

_SEATS: Final = frozenset(("leader", "dealer", "taker", "accuser", "accused"))
_PER_SEAT: Final = frozenset(("announced", "hands", "before"))
_PER_SIDE: Final = frozenset(("sides", "totals"))


class _FormError(BadQuestionError):
    """A question that does not fit its schema; what is wrong with it is worked out when somebody reads it."""

    def __init__(self, operation: str, question: Json) -> None:
        super().__init__(operation, question)
        self._asked = (operation, question)

    def _said(self) -> Sentence:
        """Return what is wrong with it in English, and in other languages only at which fields."""
        from belot_spec.load.schemas import explain

        operation, question = self._asked
        faults = explain(question, "protocol-operations", f"{operation}-input")
        places = [(".".join(str(part) for part in path) or "input", text) for path, text in faults]
        shown = in_english_and("; ".join(f"{place}: {text}" for place, text in places), ", ".join(dict(places)))
        return say("form", operation=operation, shown=shown)

    def __str__(self) -> str:
        return str(self._said())


def check_input(operation: str, question: Json, *, may_have_decimals: bool = True) -> None:
    """Raise ``BadQuestionError`` unless a question has the form that the protocol gives it."""
    from belot_spec.load.schemas import is_valid

    definition = f"{operation}-input"
    if not is_valid(question, "protocol-operations", definition):
        raise _FormError(operation, question)
    if may_have_decimals and (found := decimal_in(question)) is not None:
        raise BadQuestionError(found)


def check_form(operation: str, rules: Ruleset, question: Json, *, may_have_decimals: bool = True) -> None:
    """Raise ``BadQuestionError`` unless a question has the form that the protocol gives it at this table."""
    check_input(operation, question, may_have_decimals=may_have_decimals)
    check_table(rules, question)


def check_table(rules: Ruleset, question: Json) -> None:
    """Raise ``BadQuestionError`` unless a question names seats of this table, and tells of each seat and each side."""
    for key in filter(_SEATS.__contains__, question):
        rules.check_seat(key, question[key])
    for seat in {action["seat"] for action in question.get("actions", ())}:
        rules.check_seat("seat", seat)
    for deal in question.get("deals", ()):
        for key in ("by", "of"):
            rules.check_seat(key, deal.get("accusation", {}).get(key, 0))
        if "scored" in deal:
            contract_of_sums(rules, deal["scored"])  # every deal says what was played, even after one that is refused
    for key in filter(_PER_SEAT.__contains__, question):
        if len(question[key]) != rules.players:
            raise BadQuestionError(say("per-seat", of=key, n=rules.players, profile=rules.profile.id))
    for key in filter(_PER_SIDE.__contains__, question):
        if len(question[key]) != rules.side_count:
            raise BadQuestionError(say("per-side", of=key, n=rules.side_count, profile=rules.profile.id))


def decimal_in(question: Json) -> str | None:
    """Return what is wrong with the first number that has a decimal point, ``None`` if there is none."""
    if not _has_decimal(question):
        return None
    return f"{next(_decimals(question, ''))} has a decimal point, and a whole number stands here"


def _has_decimal(question: Json) -> bool:
    """Say whether a number has a decimal point: to JSON Schema 1.0 is whole, yet it is the index of nothing."""
    inside: list[Any] = [question]
    for value in inside:  # grows on the way; every question of a run passes here
        for inner in value.values() if type(value) is dict else value:
            kind = type(inner)
            if kind is dict or kind is list:
                inside.append(inner)
            elif kind is float:
                return True
    return False


def _decimals(value: Any, place: str) -> Iterator[str]:
    """Yield the place and the value of each number with a decimal point."""
    if isinstance(value, float):
        yield f"{place}: {value}"
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _decimals(inner, f"{place}.{key}" if place else str(key))


def cards_named(names: Sequence[str]) -> list[Card]:
    """Return the cards of a list of names, in that order."""
    return [CARD_BY_NAME[name] for name in names]


def set_named(names: Sequence[str]) -> CardSet:
    """Return the set of cards of a list of names."""
    return card_set(cards_named(names))


def suit_named(name: str) -> Suit:
    """Return the suit of a name."""
    return EVERY_SUIT[SUITS.index(name)]


def mode_named(rules: Ruleset, name: str) -> Mode:
    """Return the mode of a name, by which a question says what is trump; raises ``BadQuestionError`` for another."""
    if not rules.has_mode(name):
        known = ", ".join(mode.name for mode in rules.playable_modes)
        raise BadQuestionError(say("what-is-trump", of="trump", profile=rules.profile.id, known=known, name=name))
    return rules.modes[MODE_NAMES.index(name)]


# The rules by which a question may tell a contract in some way and not in another.
CONTRACT_RULES: Final = frozenset(("bidding.raises", "bidding.amounts", *AMOUNT_RULES))


def contract_named(rules: Ruleset, question: Json) -> DealContract:
    """Return what a question says was taken: who took, in what, what he bid, and what doubling multiplies it by."""
    raised = question.get("raised", 1)
    if "raised" in question and not rules.has_auction:
        raise BadQuestionError(say("nobody-doubles", of="raised", profile=rules.profile.id))
    if raised != 1 and raised not in (known := rules.given("bidding.raises")):
        listed = ", ".join(map(str, (1, *known)))
        raise BadQuestionError(say("raised-by", of="raised", profile=rules.profile.id, known=listed, n=raised))
    return DealContract(question["taker"], mode_named(rules, question["trump"]), _amount_named(rules, question), raised)


def _amount_named(rules: Ruleset, question: Json) -> int | None:
    """Return the number that was bid, which a question tells wherever there is one, and only there."""
    told = question.get("bid")
    if (told is None) == rules.has_amounts:
        wanted = "amount-missing" if rules.has_amounts else "no-amounts"
        raise BadQuestionError(say(wanted, of="bid", profile=rules.profile.id))
    if told is None:
        return None
    amount = amount_named(told)
    if amount not in rules.auction.amounts:
        low, high = rules.given("bidding.lowest-amount"), rules.given("bidding.highest-amount")
        step = rules.given("bidding.amount-step")
        capot = say("or-capot") if CAPOT in rules.auction.amounts else ""
        values = {"low": low, "high": high, "step": step, "capot": capot, "told": told}
        raise BadQuestionError(say("amounts", of="bid", profile=rules.profile.id, **values))
    return amount


def contract_of_sums(rules: Ruleset, question: Json) -> DealContract:
    """Return what was taken in a deal that is told by its sums: what is trump matters only where there are modes."""
    if rules.has_auction:
        if "trump" not in question:
            raise BadQuestionError(f"trump: in {rules.profile.id} it matters what is trump, so say it")
        return contract_named(rules, question)
    for name in ("trump", "raised", "bid"):
        if name in question:
            raise BadQuestionError(f"{name}: a deal of {rules.profile.id} counts alike in every suit, and once")
    return DealContract(question["taker"], rules.unsaid_mode)


def check_turn_up(rules: Ruleset, given: bool) -> None:
    """Refuse a question that has a turn-up where the variant has none, or the other way round."""
    wanted = rules.value("deal.turn-up") != "none"
    if given != wanted:
        told = "turn-up-missing" if wanted else "no-turn-up"
        raise BadQuestionError(say(told, of="turn_up", profile=rules.profile.id))


def hands_named(rules: Ruleset, named: Sequence[Sequence[str]]) -> list[CardSet]:
    """Return hands, one per seat, without a common card and of cards that are in the deck."""
    hands = [set_named(cards) for cards in named]
    together = NO_CARDS
    for hand in hands:
        if together & hand:
            raise BadQuestionError(say("in-two-hands", of="hands", cards=", ".join(names_of(together & hand))))
        together |= hand
    check_in_deck(rules, together)
    return hands


def check_in_deck(rules: Ruleset, cards: CardSet) -> None:
    """Refuse cards that are not in the deck of the variant."""
    strangers = names_of(cards & ~rules.deck)
    if strangers:
        raise BadQuestionError(say("played-without", profile=rules.profile.id, cards=", ".join(strangers)))
