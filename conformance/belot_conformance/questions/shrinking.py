"""Making a question smaller while it still shows something: fewer cards, tricks, actions and deals, lower numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from belot_reference.cards import CARD_BY_NAME
from belot_reference.compile import Ruleset

Json = Mapping[str, Any]

# How often a smaller question is tried for one that was given.
PATIENCE: Final = 3000
# Two steps at once are tried where no more than so much is left.
_SMALL: Final = 40


def shrink(question: Json, shows: Callable[[Json], bool], patience: int = PATIENCE) -> Json:
    """Return a question as small as single steps can make it that still shows what the given one shows.

    Every step leaves something out or lowers a number, so this ends; after so many trials at the latest.
    """

    def first(candidates: Sequence[Json]) -> int | None:
        return next((place for place, candidate in enumerate(candidates) if shows(candidate)), None)

    return shrink_together(question, first, steps, patience, at_once=1)


def shrink_together(
    question: Json,
    first: Callable[[Sequence[Json]], int | None],
    smaller: Callable[[Json], Iterator[Json]],
    patience: int = PATIENCE,
    at_once: int = 32,
) -> Json:
    """Return what ``shrink`` does, trying some candidates together: ``first`` says which of them is the first to show.

    So a program that is asked over a pipe answers many at a time.
    """
    trials = 0
    while trials < patience:
        candidates = smaller(question)
        place = None
        while place is None and trials < patience and (some := list(islice(candidates, at_once))):
            trials += len(some)
            if (place := first(some)) is not None:
                question = some[place]
        if place is None:
            break
    return question


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


def two_steps(question: Json) -> Iterator[Json]:
    """Yield questions that are two steps smaller, for what no single step can leave out: a card of each of two hands.

    None of a question that is not small already: there would be too many.
    """
    if size(question) <= _SMALL:
        for smaller in steps(question):
            yield from steps(smaller)


def _sorted_deck(deck: list[str]) -> Iterator[list[str]]:
    """Yield a deck in order if it is not: no card of it can be left out, but nobody then looks for what is special."""
    in_order = sorted(deck, key=lambda name: CARD_BY_NAME.get(name, 0))
    if in_order != deck:
        yield in_order


def _lower(number: int) -> Iterator[int]:
    """Yield numbers nearer to nothing, the nearest first."""
    sign = 1 if number > 0 else -1
    size = abs(number)
    yield from dict.fromkeys(sign * lower for lower in (0, size // 2, *_round(size), size - 1) if 0 <= lower < size)


def _round(number: int) -> Iterator[int]:
    """Yield the next lower multiples of a hundred and of ten: people read these most easily."""
    for unit in (100, 10):
        if number > unit:
            yield (number - 1) // unit * unit


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


def is_whole(rules: Ruleset, question: Json) -> bool:
    """Say whether every count in a question is one that a deal can give: all points and tricks are shared out.

    The engine settles any count that it is given; but people look at a smallest one with other eyes.
    """
    sides = question.get("sides", ())
    if isinstance(question.get("tricks"), list):
        # Points and tricks come of the cards that were played; the sides are told the rest.
        return _are_tens(sides)
    found = [question] if sides else []
    found += [deal["scored"] for deal in question.get("deals", ()) if "scored" in deal]
    return all(_is_shared_out(rules, tally["sides"]) for tally in found)


def _is_shared_out(rules: Ruleset, sides: list[Json]) -> bool:
    last = rules.value("scoring.last-trick")
    points = rules.points_in_deck(rules.unsaid_mode)
    whole = (points,) if rules.value_or("scoring.trickless-player", "none") != "none" else ()
    tricks = sum(side["tricks"] for side in sides)
    if sum(side["cards"] for side in sides) not in (points + last, *whole) or tricks != rules.hand_size:
        return False
    return _are_tens(sides) and all(side["tricks"] > 0 or side["cards"] == 0 for side in sides)


def _are_tens(sides: Sequence[Json]) -> bool:
    return all(side.get(extra, 0) % 10 == 0 for side in sides for extra in ("declarations", "outranked", "belote"))
