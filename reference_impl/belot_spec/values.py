"""Other values of a rule: those near its own, further away, drawn by lot, or mixed up with those of other rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any

from belot_spec.catalogue import Rule
from belot_spec.files import canonical
from belot_spec.value_shapes import POINTS, Changes, listed_values, other_units


def different(rule: Rule, own: Any, candidates: Iterable[tuple[str, Any]]) -> Changes:
    """Yield of some changes those to values that a rule may have and that are not its own, each value once."""
    seen = {canonical(own)}
    for change, value in candidates:
        text = canonical(value)
        if text not in seen:
            seen.add(text)
            if rule.allows(value):
                yield change, value


def near_values(rule: Rule, own: Any, elsewhere: Sequence[Any] = (), likely: Iterable[tuple[str, Any]] = ()) -> Changes:
    """Yield the values next to a rule's own: those listed, the ``likely`` ones, and those that one change makes of it.

    Last come those that the rule has ``elsewhere``, from which numbers of a table are taken one by one before.
    """
    listed = (("another value", value) for value in listed_values(rule.value_schema))
    changed = rule.shape.value.near(own, rule.value_schema, elsewhere)
    theirs = (("a neighbour's value", value) for value in elsewhere)
    return different(rule, own, chain(listed, likely, changed, theirs))


def distinct(rule: Rule, own: Any, values: Iterable[Any]) -> Iterator[Any]:
    """Yield of some values those that a rule may have and that are not its own, each once."""
    return (value for _, value in different(rule, own, (("", value) for value in values)))


def far_values(rule: Rule, own: Any, offsets: Sequence[int] = (), numbers: Sequence[int] = ()) -> Iterator[Any]:
    """Yield values further from a rule's own; its numbers moved by these offsets too, and these ``numbers``."""
    return distinct(rule, own, rule.shape.value.far(own, offsets, numbers))


def random_values(rule: Rule, own: Any, random: Random, tries: int = 8) -> Iterator[Any]:
    """Yield some other values of a rule, drawn by lot in so many tries; the same lot gives the same values."""
    whole, drawn = rule.value_schema, rule.shape.value.drawn
    return distinct(rule, own, (drawn(own, whole, random) for _ in range(tries)))


def mixed_up_values(rule: Rule, own: Any, orders: Mapping[str, list[str]]) -> Changes:
    """Yield what a rule's value would be in each order of cards, by the rule of the order, or in another unit."""
    mixed_up = other_units if rule.id in POINTS else rule.shape.value.mixed_up
    return mixed_up(own, orders)
