"""Making a question of any operation smaller while it still shows something.

What is tried is made of the JSON of a question alone: parts of lists go, tricks with the cards that they name wherever
these stand, a card of every hand; numbers are lowered, a deck is told by its hands, what is said comes earlier. What
makes no sense at a table is for whoever asks to leave out: the engine knows it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice, product
from typing import Any, Final, TypeVar

from belot_conformance.questions.dealt import bidding_of, with_hands
from belot_reference.cards import CARD_BY_NAME, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_reference.questions import mode_named
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import BelotError

Json = Mapping[str, Any]
T = TypeVar("T")

# How often a smaller question is tried for one that was given.
PATIENCE: Final = 3000
# Two steps at once are tried where no more than so much is left.
_SMALL: Final = 40
# Cards are left out of all hands in every way where there are no more ways than these.
_WAYS: Final = 256
# What is told of a card that is played, beside it.
_SAID: Final = frozenset(("announce", "show", "belote", "made"))


def shrink(
    start: T,
    smaller: Callable[[T], Iterator[T]],
    first: Callable[[Sequence[T]], T | None],
    patience: int = PATIENCE,
    at_once: int = 1,
) -> T:
    """Return what is as small as single steps can make it: ``first`` picks what still shows the same of some.

    So many are tried together, as a program over a pipe answers many at a time. Every step leaves something out or
    lowers a number, so this ends; after so many trials at the latest.
    """
    trials, found = 0, start
    tried = smaller(start)
    while trials < patience and (some := list(islice(tried, at_once))):
        trials += len(some)
        if (shown := first(some)) is not None:
            found, tried = shown, smaller(shown)
    return found


def candidates(rules: Ruleset, question: Json, *, far: bool = False) -> Iterator[Json]:
    """Yield questions a step smaller, the much smaller ones first, and then those of two steps to go ``far``."""
    yield from _told_shorter(rules, question)
    for less in chain(_without_tricks(rules, question), _less_said(question)):
        yield less
        yield from _just_enough(rules, less)
    yield from _a_card_less_each(question)
    yield from _said_earlier(question)
    yield from _plainer_tricks(rules, question)
    yield from steps(question)
    if far and size(question) <= _SMALL:
        # What no single step can leave out: a card of each of two hands. Of larger questions there would be too many.
        yield from chain.from_iterable(map(steps, steps(question)))


def steps(value: Any) -> Iterator[Any]:
    """Yield every JSON value that is one step smaller: large parts of lists first, then items, then what is inside."""
    if isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from _lower(value)
    elif isinstance(value, Mapping):
        for key in value:
            yield {other: item for other, item in value.items() if other != key}
        for key, item in value.items():
            inside = _sorted_deck(item) if key == "deck" else steps(item)
            yield from ({**value, key: smaller} for smaller in inside)
    elif isinstance(value, list):
        yield from _shorter(value)
        for place, item in enumerate(value):
            yield from ([*value[:place], smaller, *value[place + 1 :]] for smaller in steps(item))


def _sorted_deck(deck: list[str]) -> Iterator[list[str]]:
    """Yield a deck in order if it is not: no card of it can be left out, but nobody then looks for what is special."""
    in_order = sorted(deck, key=lambda name: CARD_BY_NAME.get(name, 0))
    if in_order != deck:
        yield in_order


def _lower(number: int) -> Iterator[int]:
    """Yield numbers nearer to nothing, the nearest first, and multiples of ten, which people read most easily."""
    sign = 1 if number > 0 else -1
    size = abs(number)
    tens = ((number - 1) // unit * unit for unit in (100, 10) if number > unit)
    yield from dict.fromkeys(sign * lower for lower in (0, size // 2, *tens, size - 1) if 0 <= lower < size)


def _shorter(items: list[Any]) -> Iterator[list[Any]]:
    size = len(items) // 2
    while size:
        for start in range(0, len(items) - size + 1, size):
            yield [*items[:start], *items[start + size :]]
        size //= 2
    if len(items) == 1:
        yield []


def size(question: Any) -> int:
    """Return how much there is in a question: its values, and the digits of its numbers."""
    if isinstance(question, Mapping):
        return sum(1 + size(item) for item in question.values())
    if isinstance(question, list):
        return sum(map(size, question))
    if isinstance(question, int) and not isinstance(question, bool):
        return len(str(question)) if question else 0
    return 1


def _told_shorter(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a recorded deal with hands in place of its deck, and then with taker and trump in place of its bids."""
    actions = question.get("actions", ())
    if "deck" in question and "actions" in question:
        if (given := with_hands(rules, question)) is not None:
            yield given
        return
    played = [action for action in actions if "bid" not in action]
    if len(played) < len(actions) and (taken := bidding_of(rules, question).contract) is not None:
        yield {**question, **taken.to_json(), "actions": played}


def _without_tricks(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal without some of its tricks, one after the other, many at a time first: their cards are in no hand.

    Who leads to what is left may have to be another.
    """
    key = "actions" if "actions" in question else "plays"
    if key not in question or not {"hands", "piles"} & question.keys():
        return
    told, players = question[key], rules.players
    places = [place for place, one in enumerate(told) if isinstance(one, str) or "play" in one]
    tricks = [places[start : start + players] for start in range(0, len(places) - players + 1, players)]
    for length in range(len(tricks), 0, -1):
        for start in range(len(tricks) - length + 1):
            gone = {place for trick in tricks[start : start + length] for place in trick}
            cards = {_card(told[place]) for place in gone}
            left = [one for place, one in enumerate(told) if place not in gone]
            without = {name: left if name == key else _without(name, item, cards) for name, item in question.items()}
            yield without
            if key == "actions" and left:
                if "trump" in question and len(places) == len(told):
                    yield {**without, key: [*_in_turn(rules, question["trump"], told[0]["seat"], left)]}
                yield from _led_by_another(rules, without, told[0]["seat"])


def _card(played: Any) -> str:
    return str(played if isinstance(played, str) else played["play"])


def _without(field: str, value: Any, cards: Collection[str]) -> Any:
    """Return the value of a field without some cards; in a pile they lie below the other."""
    if field == "piles":
        return [[sorted(pile, key=cards.__contains__) for pile in own] for own in value]
    if not isinstance(value, list):
        return value
    return [_without("", one, cards) for one in value if isinstance(one, list) or one not in cards]


def _led_by_another(rules: Ruleset, question: Json, leader: int) -> Iterator[Json]:
    """Yield a deal for each player who may have dealt, or taken, if another leads now: one of these decides who."""
    if question["actions"][0]["seat"] != leader:
        seats = ("dealer", "taker") if "taker" in question else ("dealer",)
        yield from ({**question, seat: other} for seat in seats for other in range(rules.players))


def _just_enough(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal at whose beginning the side of who claims lacks but a point, or what it takes: other cards went."""
    totals, last = question.get("totals"), question["actions"][-1] if question.get("actions") else {}
    if totals and "claim" in last and not rules.has_set_length:
        side, target = rules.side_of[last["seat"]], rules.given("match.target")
        near = {**question, "totals": [*totals[:side], target - 1, *totals[side + 1 :]]}
        yield near
        taken = _result(rules, "replay", near).get("taken", 1)
        yield {**question, "totals": [*totals[:side], target - taken, *totals[side + 1 :]]}


def _in_turn(rules: Ruleset, trump: str, leader: int, plays: list[Json]) -> Iterator[Json]:
    """Yield the plays of whole tricks, each led by who won the one before: others may win now than did."""
    for start in range(0, len(plays), rules.players):
        trick = sorted(plays[start : start + rules.players], key=lambda play: (play["seat"] - leader) % rules.players)
        yield from trick
        leader = _winner(rules, trump, leader, [_card(play) for play in trick])


def _winner(rules: Ruleset, trump: str, leader: int, cards: Sequence[str]) -> int:
    """Return who wins a trick; who led where nobody does: no trick of two equal cards is won, and one may be asked."""
    question = {"trump": trump, "leader": leader, "cards": cards}
    return int(_result(rules, "trick-winner", question).get("winner", leader))


def _result(rules: Ruleset, operation: str, question: Json) -> Json:
    """Return the fields of a result; none of a refusal, or of what is no question by these rules."""
    with suppress(BelotError):
        return answer(operation, rules, question).result or {}
    return {}


def _a_card_less_each(question: Json) -> Iterator[Json]:
    """Yield questions in which every hand, or seat with piles, has one card or pile less: all stay of one size.

    Of a deal that is played it is one that nobody plays or announces, and of large hands one place of one hand and
    another of all others.
    """
    held = "piles" if "piles" in question else "hands"
    hands = question.get(held, ())
    if not hands or not all(hands):
        return
    rest = str({key: item for key, item in question.items() if key not in (held, "before")})
    free = [[place for place, one in enumerate(hand) if not _is_named(one, rest)] for hand in hands]
    most, players = max(map(len, free)), len(hands)
    ways: Iterable[Sequence[int]] = product(*free)
    if {"actions", "plays"} & question.keys():
        # Who takes the last cards may have more of them.
        ways = [[own[0] if own else -1 for own in free]] if most else []
    elif most**players > _WAYS:
        pairs = product(range(players), range(most), range(most))
        ways = ([one if seat == at else other for seat in range(players)] for at, one, other in pairs)
    for gone in ways:
        yield {
            **question,
            held: [[*hand[:at], *hand[at + 1 :]] if at >= 0 else hand for hand, at in zip(hands, gone, strict=True)],
        }


def _is_named(held: Any, told: str) -> bool:
    return any(f"'{card}'" in told for card in ([held] if isinstance(held, str) else held))


def _less_said(question: Json) -> Iterator[Json]:
    """Yield a deal in which one thing less is said or shown with a card."""
    actions = question.get("actions", ())
    for place, action in enumerate(actions):
        for key in sorted(_SAID & action.keys()):
            silent = {name: value for name, value in action.items() if name != key}
            yield {**question, "actions": [*actions[:place], silent, *actions[place + 1 :]]}


def _said_earlier(question: Json) -> Iterator[Json]:
    """Yield a deal in which what somebody says or shows with a card comes with an earlier card of that player."""
    actions = question.get("actions", ())
    plays = [(place, action) for place, action in enumerate(actions) if "play" in action]
    for place, action in plays:
        for key in sorted(_SAID & action.keys()):
            silent = {name: value for name, value in action.items() if name != key}
            for before, other in plays:
                if before < place and other["seat"] == action["seat"] and key not in other:
                    told = [*actions]
                    told[before], told[place] = {**other, key: action[key]}, silent
                    yield {**question, "actions": told}


def _plainer_tricks(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal told by its tricks with the cards nearer to their order, or led by an earlier seat.

    No card of a whole deal can go, but where suit comes after suit and each card beats the one before it, nobody looks
    for what is special. What could be played stays so.
    """
    if "tricks" not in question or "dealer" in question:
        return
    strength, first = mode_named(rules, question["trump"]).strength, question["tricks"][0]["leader"]
    cards = [card for trick in question["tricks"] for card in trick["cards"]]
    beating = sorted(
        map(CARD_BY_NAME.__getitem__, cards), key=lambda one: (suit_of(one), strength[suit_of(one)][rank_of(one)])
    )
    place_of = {CARD_NAMES[card]: place for place, card in enumerate(beating)}.__getitem__
    arranged = [[*cards[:start], *sorted(cards[start:], key=place_of)] for start in range(0, len(cards), rules.players)]
    for place, card in enumerate(cards):
        nearest = min(cards[place:], key=place_of)
        arranged.append([{card: nearest, nearest: card}.get(one, one) for one in cards])
    nearer = product((told for told in arranged if told != cards), range(rules.players))
    for told, leader in chain(nearer, product([cards], range(first))):
        plainer = {**question, "tricks": [*_led_in_turn(rules, question["trump"], leader, told)]}
        if _is_played(rules, plainer):
            yield plainer


def _led_in_turn(rules: Ruleset, trump: str, leader: int, cards: Sequence[str]) -> Iterator[Json]:
    """Yield tricks of some cards, each led by who won the one before."""
    for start in range(0, len(cards), rules.players):
        trick = list(cards[start : start + rules.players])
        yield {"leader": leader, "cards": trick}
        leader = _winner(rules, trump, leader, trick)


def _is_played(rules: Ruleset, question: Json) -> bool:
    """Say whether a deal told by its tricks can be played so, whoever dealt."""
    told = {key: value for key, value in question.items() if key != "sides"}
    return any(_result(rules, "replay", {**told, "dealer": dealer}) for dealer in range(rules.players))
