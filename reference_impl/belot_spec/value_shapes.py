"""The kinds of values that rules have: what is near one of a kind, further away, or drawn by lot.

A kind is one member of ``ValueShape`` and nothing else. It may suggest more than can be: what a rule's schema does not
allow is left out by ``belot_spec.catalogue``, which whoever tries other values asks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import combinations, pairwise
from operator import floordiv, mul
from random import Random
from typing import Any, Final

from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.errors import BelotError, nearest
from belot_spec.json_schema import Schema

WRONG_ORDER: Final = "wrong order"
WRONG_UNIT: Final = "wrong unit"

# Other values, each with the way in which it was changed.
Changes = Iterator[tuple[str, Any]]

# Points of which the schema says only that they are a number.
POINTS: Final = frozenset(("match.target", "scoring.contract-needs", "scoring.trickless-player"))
_UNIT: Final = 10
_STEPS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 100)
_LONGEST_STEP_IN_TABLE: Final = 30
_BY_LOT: Final = (-3, -2, -1, 1, 2, 3, 5, 10, 20, 50)


class UnknownShapeError(BelotError):
    """The values of a rule are of a kind that is not known here."""


def enumerated_values(value_schema: Schema) -> tuple[Any, ...]:
    """Return every value of a rule whose values can be listed, else an empty tuple."""
    if value_schema.get("type") == "boolean":
        return (True, False)
    if "const" in value_schema:
        return (value_schema["const"],)
    return tuple(value_schema.get("enum", ()))


def listed_values(value_schema: Schema) -> list[Any]:
    """Return the values that a schema lists, beside any others that a rule may have."""
    parts = (value_schema, *value_schema.get("oneOf", ()))
    return [value for part in parts for value in enumerated_values(part)]


def _put(own: list[Any], place: int, *items: Any, over: int = 1) -> list[Any]:
    """Return a list with these items at a place, over so many of its own."""
    return [*own[:place], *items, *own[place + over :]]


def _swapped(own: Any, one: Any, other: Any) -> Any:
    """Return a list or a table with what stands at two places, or under two keys, swapped."""
    made = own.copy()
    made[one], made[other] = own[other], own[one]
    return made


def _near_number(own: Any, *_: Any) -> Changes:
    if type(own) is int:
        yield "one more", own + 1
        yield "one less", own - 1
        yield "doubled", own * 2


def _near_table(own: Mapping[str, int], _: Schema, elsewhere: Sequence[Mapping[str, int]]) -> Changes:
    for key, number in own.items():
        theirs = (("a neighbour's value", other[key]) for other in elsewhere)
        for change, value in (*_near_number(number), *theirs):
            yield f"{key}: {change}", {**own, key: value}
    for one, other in pairwise(own):
        yield f"{one} and {other} swapped", _swapped(own, one, other)


def _near_list(own: list[Any], *_: Any) -> Changes:
    for place, item in enumerate(own):
        yield f"{item} removed", _put(own, place)
    for place, (one, other) in enumerate(pairwise(own)):
        yield f"{one} and {other} swapped", _swapped(own, place, place + 1)


def _near_names(own: list[str], whole: Schema, *_: Any) -> Changes:
    """Remove each rung, swap neighbours, add each rung that is missing at every place, and put each in place of one."""
    yield from _near_list(own)
    for name in whole["items"]["enum"]:
        for place in range(len(own) + 1) if name not in own else ():
            yield f"{name} added", _put(own, place, name, over=0)
        for place, replaced in enumerate(own):
            yield f"{name} for {replaced}", _put(own, place, name)


def _near_packets(own: list[int], *_: Any) -> Changes:
    """Change the packets: their order, their sizes, and how many there are."""
    yield from _near_list(own)
    for place, number in enumerate(own):
        for change, value in _near_number(number):
            yield f"packet {place + 1} {change}", _put(own, place, value)
        for first in range(1, number):
            yield f"packet {place + 1} split", _put(own, place, first, number - first)
    for place, (one, other) in enumerate(pairwise(own)):
        yield f"packets {place + 1} and {place + 2} in one", _put(own, place, one + other, over=2)
        for step in (1, -1):
            yield "a card moved between packets", _put(own, place, one + step, other - step, over=2)


def _near_classes(own: list[list[Any]], *_: Any) -> Changes:
    """Swap, merge and split classes that lie next to each other, and leave members out."""
    yield from _near_list(own)
    for place, (one, other) in enumerate(pairwise(own)):
        yield f"{one} and {other} alike", _put(own, place, [*one, *other], over=2)
    for place, members in enumerate(own):
        for member, rest in _members(members):
            yield f"{member} above its class", _put(own, place, rest, [member])
            yield f"{member} below its class", _put(own, place, [member], rest)


def _members(members: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield each member of a class of several, with the others of it."""
    for member in members if len(members) > 1 else ():
        yield member, [other for other in members if other != member]


def _near_cards(own: list[str], *_: Any) -> Changes:
    """Leave out other cards: one fewer, one more, the same ranks in other suits."""
    yield from _near_list(own)
    for place, card in enumerate(own):
        for other in (card[:-1] + suit for suit in SUITS):
            yield f"{other} for {card}", _put(own, place, other)
    for suit in SUITS:
        yield f"7{suit} removed too", [*own, f"7{suit}"]


def shifted(own: Any, offsets: Iterable[int]) -> Iterator[Any]:
    """Yield a number moved by each offset, or a table with each entry moved by one offset before the next.

    Of what has no numbers nothing comes.
    """
    for offset in offsets:
        if isinstance(own, Mapping):
            yield from ({**own, key: max(0, number + offset)} for key, number in own.items())
        elif type(own) is int:
            yield own + offset


def _far_number(own: Any, offsets: Sequence[int], numbers: Sequence[int]) -> Iterator[Any]:
    yield from shifted(own, offsets)
    yield from numbers
    if type(own) is int:
        yield from shifted(own, (sign * step for step in _STEPS for sign in (1, -1)))
        yield from (own * 2, own // 2, own * 10, own // 10)


def _far_table(own: Mapping[str, int], offsets: Sequence[int], _: Any) -> Iterator[Any]:
    steps = (sign * step for step in _STEPS if step <= _LONGEST_STEP_IN_TABLE for sign in (1, -1))
    yield from shifted(own, dict.fromkeys([*offsets, *steps]))
    for key, number in own.items():
        yield from ({**own, key: value} for value in (0, number * 2, number * 10))
    yield from (_swapped(own, *pair) for pair in combinations(own, 2))


def _far_list(own: list[Any], *_: Any) -> Iterator[Any]:
    yield own[::-1]
    yield from (_swapped(own, *pair) for pair in combinations(range(len(own)), 2))
    for place, item in enumerate(own):
        # What may stand twice: a second round like the first.
        yield _put(own, place, item, over=0)
        rest = _put(own, place)
        yield from (_put(rest, to, item, over=0) for to in range(len(own)))
        if isinstance(item, int):
            yield from (_put(own, to, item + step, over=0) for to in range(len(own) + 1) for step in (-1, 0, 1))
            yield from (_put(own, place, item + step) for step in (-2, -1, 1, 2))


def _far_classes(own: list[list[Any]], *_: Any) -> Iterator[Any]:
    """Yield classes with two of them swapped, one of them in two, or a member in another one."""
    yield from _far_list(own)
    for place, members in enumerate(own):
        for cut in range(1, len(members)):
            yield _put(own, place, members[:cut], members[cut:])
            yield _put(own, place, members[cut:], members[:cut])
        for member, rest in _members(members):
            without = _put(own, place, rest)
            yield from (_put(without, to, [*without[to], member]) for to in range(len(own)) if to != place)


def _far_cards(own: list[str], *_: Any) -> Iterator[Any]:
    """Yield some cards with any one fewer, any one more, and any other one in the place of one."""
    more = [card for card in CARD_NAMES if card not in own]
    yield from (_put(own, place) for place in range(len(own)))
    yield from ([*own, card] for card in more)
    yield from (_put(own, place, card) for place in range(len(own)) for card in more)


def _other_orders(_: Any, orders: Mapping[str, list[str]]) -> Changes:
    return ((f"{WRONG_ORDER}: {other}", order) for other, order in orders.items())


def _other_rankings(own: list[list[str]], orders: Mapping[str, list[str]]) -> Changes:
    """Yield how squares, which are ranked from low to high, would be by orders of cards, which go from high to low."""
    yield f"{WRONG_ORDER}: from high to low", own[::-1]
    known = {rank for ranks in own for rank in ranks}
    for other, order in orders.items():
        yield f"{WRONG_ORDER}: {other}", [[rank] for rank in reversed(order) if rank in known]


def other_units(own: Any, *_: Any) -> Changes:
    """Yield points, or a table of them, in tens and tenths of their unit; nothing for a word in their place."""
    points = own if isinstance(own, dict) else {"": own} if type(own) is int else {}
    for way, change in (("tenfold", mul), ("in tens", floordiv)) if points else ():
        changed = {key: change(number, _UNIT) for key, number in points.items()}
        yield f"{WRONG_UNIT}: {way}", changed if isinstance(own, dict) else changed[""]


def _drawn_name(own: Any, whole: Schema, random: Random) -> Any:
    if type(own) is not int or random.random() < 0.3 or "enum" in whole:
        return random.choice(listed_values(whole))
    return _drawn_number(own, whole, random)


def _drawn_number(own: int, whole: Schema, random: Random) -> int:
    near, far = own + random.choice(_BY_LOT), random.choice((own * 2, own // 2, own * 10, random.randint(0, 600)))
    return max(int(whole.get("minimum", 0)), near if random.random() < 0.8 else far)


def _drawn_table(own: Mapping[str, int], _: Schema, random: Random) -> Any:
    key = random.choice(sorted(own))
    return {**own, key: max(0, own[key] + random.choice(_BY_LOT))}


def _drawn_list(own: list[Any], whole: Schema, random: Random) -> list[Any]:
    """Return a list with two items swapped, one left out, put in or replaced; or classes joined or taken apart."""
    kind = random.random()
    if kind < 0.3 and len(own) > 1:
        return list(_swapped(own, *random.sample(range(len(own)), 2)))
    if kind < 0.5 and own:
        return _put(own, random.randrange(len(own)))
    if whole["items"].get("type") == "array":
        return _drawn_classes(own, random)
    is_replaced = kind < 0.75 and bool(own)
    place = random.randrange(len(own) + (not is_replaced))
    model = own[place if is_replaced else 0] if own else None
    return _put(own, place, _drawn_item(model, whole["items"], random), over=int(is_replaced))


def _drawn_item(own: Any, items: Schema, random: Random) -> Any:
    if "enum" in items:
        return random.choice(items["enum"])
    if isinstance(own, int):
        return max(1, own + random.choice((-1, 1)))
    # Only among cards is a card allowed: what comes of it in an order of ranks, or where no packet is, is left out.
    return random.choice(("7", "8")) + random.choice(("S", "H", "D", "C"))


def _drawn_classes(own: list[list[Any]], random: Random) -> list[Any]:
    """Return classes with two of them in one, or one of them in two."""
    place = random.randrange(len(own))
    members = own[place]
    if len(members) > 1 and random.random() < 0.5:
        cut = random.randrange(1, len(members))
        return _put(own, place, members[:cut], members[cut:])
    return _put(own, place, [*members, *own[place + 1]], over=2) if place + 1 < len(own) else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """How other values come of one: by lot, near it, further away, and by an order or a unit that is mixed up with it.

    ``kinds`` are the schemas that such values have: the name of a shared one, or what one is made of.
    """

    kinds: tuple[str, ...]
    drawn: Callable[[Any, Schema, Random], Any]
    near: Callable[[Any, Schema, Sequence[Any]], Changes] = lambda *_: iter(())
    far: Callable[[Any, Sequence[int], Sequence[int]], Iterator[Any]] = lambda *_: iter(())
    mixed_up: Callable[[Any, Mapping[str, list[str]]], Changes] = lambda *_: iter(())


_Numbers = partial(Grammar, near=_near_number, far=_far_number)
_Lists = partial(Grammar, far=_far_list, drawn=_drawn_list)
_Classes = partial(Grammar, near=_near_classes, far=_far_classes, drawn=_drawn_list)


class ValueShape(Enum):
    """The kinds of values that rules have."""

    FLAG = Grammar(kinds=("boolean",), drawn=_drawn_name)
    CHOICE = Grammar(kinds=("listed",), drawn=_drawn_name)
    CHOICE_OR_NUMBER = _Numbers(kinds=("integer or listed",), drawn=_drawn_name)
    NUMBER = _Numbers(kinds=("integer",), drawn=_drawn_number)
    POINTS = _Numbers(kinds=("points",), drawn=_drawn_number, mixed_up=other_units)
    POINTS_TABLE = Grammar(
        kinds=("rank-points", "table of points"),
        drawn=_drawn_table,
        near=_near_table,
        far=_far_table,
        mixed_up=other_units,
    )
    NAMES = _Lists(kinds=("point-kinds", "list of listed"), near=_near_names)
    LADDER = _Lists(kinds=("ladder", "follow-ladder"), near=_near_names)
    RANK_ORDER = _Lists(kinds=("rank-order",), near=_near_list, mixed_up=_other_orders)
    RANK_CLASSES = _Classes(kinds=("rank-classes",), mixed_up=_other_rankings)
    MODE_CLASSES = _Classes(kinds=("mode-classes",))
    LENGTH_CLASSES = _Classes(kinds=("length-classes",))
    PACKETS = _Lists(kinds=("packets",), near=_near_packets)
    CARDS = _Lists(kinds=("cards",), near=_near_cards, far=_far_cards)


def shape_of(rule: str, value_schema: Schema) -> ValueShape:
    """Return the shape of a rule's values; raises ``UnknownShapeError`` where no shape has such a schema."""
    known = {kind: shape for shape in ValueShape for kind in shape.value.kinds}
    kind = _kind(value_schema)
    if kind not in known:
        raise UnknownShapeError(f"{rule}: no shape of values is known for the schema of {kind}{nearest(kind, known)}")
    return known[kind]


def _kind(value_schema: Schema) -> str:
    """Return the name of the shape that a schema has, or in a few words what it is made of."""
    match value_schema:
        case {"title": str(name)}:
            return name
        case {"oneOf": [*parts]}:
            return " or ".join(sorted(map(_kind, parts)))
        case {"enum": _} | {"const": _}:
            return "listed"
        case {"items": items}:
            return f"list of {_kind(items)}"
        case {"patternProperties": entries}:
            return f"table of {' or '.join(sorted(map(_kind, entries.values())))}"
    return str(value_schema.get("type", "anything"))
