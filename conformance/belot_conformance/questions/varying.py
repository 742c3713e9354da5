"""Questions that differ in one thing from one that was asked: another card, suit, seat or number, more or less said."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from belot_reference.cards import names_of
from belot_reference.compile import Ruleset

Json = Mapping[str, Any]
Varied = dict[str, Any]

Variation = Callable[[Ruleset, Json, Random], Varied]

STEPS: Final = (1, 1, 2, 5, 10, 20)


def other_trump(rules: Ruleset, question: Json, random: Random) -> Varied:
    """Have any suit be trump, or none or all where there are such modes."""
    return {**question, "trump": random.choice([mode.name for mode in rules.playable_modes])}


def seat(name: str) -> Variation:
    """Return a change of a field that holds a seat."""

    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        return {**question, name: random.randrange(rules.players)}

    return change


def _free(rules: Ruleset, taken: Sequence[str]) -> list[str]:
    used = set(taken)
    return [name for name in names_of(rules.deck) if name not in used]


def exchanged(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    """Return items with another one in a place."""
    return [*items[:place], item, *items[place + 1 :]]


def another_card(field: str, *others: str) -> Variation:
    """Return a change that puts a card that is in none of the fields in the place of one."""

    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        cards = question[field]
        free = _free(rules, [card for name in (field, *others) for card in question[name]])
        if not cards or not free:
            return dict(question)
        return {**question, field: exchanged(cards, random.randrange(len(cards)), random.choice(free))}

    return change


def card_less(field: str, least: int) -> Variation:
    """Return a change that takes a card out of a field, if more than so many are left."""

    def change(_: Ruleset, question: Json, random: Random) -> Varied:
        cards = list(question[field])
        if len(cards) > least:
            del cards[random.randrange(len(cards))]
        return {**question, field: cards}

    return change


def two_exchanged(field: str) -> Variation:
    """Return a change by which two items of a list change places."""

    def change(_: Ruleset, question: Json, random: Random) -> Varied:
        items = list(question[field])
        if len(items) > 1:
            one, other = random.sample(range(len(items)), 2)
            items[one], items[other] = items[other], items[one]
        return {**question, field: items}

    return change


def flag(name: str) -> Variation:
    """Return a change of a truth to its opposite."""

    def change(_: Ruleset, question: Json, _random: Random) -> Varied:
        return {**question, name: not question.get(name)}

    return change


def number(name: str, least: int, most: Callable[[Ruleset], int]) -> Variation:
    """Return a change of a number by a step, within bounds."""

    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        moved = question.get(name, least) + random.choice((-1, 1)) * random.choice(STEPS)
        return {**question, name: min(most(rules), max(least, moved))}

    return change


def left_out(name: str) -> Variation:
    """Return a change that leaves a field out."""

    def change(_: Ruleset, question: Json, _random: Random) -> Varied:
        return {key: value for key, value in question.items() if key != name}

    return change


def between_hands(_: Ruleset, question: Json, random: Random) -> Varied:
    """Exchange a card of one hand for one of another."""
    hands = [list(hand) for hand in question["hands"]]
    one, other = random.sample(range(len(hands)), 2)
    if hands[one] and hands[other]:
        here, there = random.randrange(len(hands[one])), random.randrange(len(hands[other]))
        hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
    return {**question, "hands": hands}
