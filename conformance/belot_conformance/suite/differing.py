"""Where two answers differ, down to the smallest field: ``tricks[3].points`` rather than all tricks twice."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from belot_conformance.suite.judge import MISSING, OTHER_KIND, Difference, in_fixed_order, same

NOT_EXPECTED: Final = "(not expected)"


def smallest(operation: str, found: Sequence[Difference]) -> list[Difference]:
    """Return differences taken apart as far as places can be matched; their fields are paths from the reply.

    A list whose order is free is left whole, because its items have no places, and so is a list of another length.
    """
    return [leaf for difference in found for leaf in _of_field(operation, difference)]


def twice_in(value: Any) -> list[str]:
    """Return the texts, cards mostly, that stand more than once in a list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return []
    return [item for item in dict.fromkeys(value) if value.count(item) > 1]


def _of_field(operation: str, difference: Difference) -> Iterator[Difference]:
    if difference.field == OTHER_KIND or order_is_free(operation, difference.field, difference.expected):
        yield difference
        return
    expected, came = (
        in_fixed_order(operation, difference.field, value) for value in (difference.expected, difference.came)
    )
    yield from _below(difference.field, expected, came)


def order_is_free(operation: str, field: str, value: Any) -> bool:
    """Say whether the items of this list may come in any order: turning them round then makes no difference."""
    if not isinstance(value, list) or len(value) < 2 or value == value[::-1]:
        return False
    return same(in_fixed_order(operation, field, value), in_fixed_order(operation, field, value[::-1]))


def _below(path: str, expected: Any, came: Any) -> Iterator[Difference]:
    if isinstance(expected, Mapping) and isinstance(came, Mapping):
        for key in (*expected, *(key for key in came if key not in expected)):
            one, other = expected.get(key, NOT_EXPECTED), came.get(key, MISSING)
            if key not in expected or key not in came or not same(one, other):
                yield from _below(f"{path}.{key}", one, other)
    elif have_places(expected, came):
        for index, (one, other) in enumerate(zip(expected, came, strict=True)):
            if not same(one, other):
                yield from _below(f"{path}[{index}]", one, other)
    else:
        yield Difference(path, expected, came)


def have_places(expected: Any, came: Any) -> bool:
    """Say whether two lists hold lists or mappings that can be compared place by place."""
    return (
        isinstance(expected, list)
        and isinstance(came, list)
        and len(expected) == len(came)
        and all(isinstance(item, (Mapping, list)) for item in (*expected, *came))
    )
