"""Comparing an answer with what a case expects. This module is normative: PROTOCOL.md says the same in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.cases import Expectation
from belot_conformance.protocol import Reply

MISSING: Final = "(missing)"


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which an answer differs: its name, what was expected and what came."""

    field: str
    expected: Any
    came: Any


def differences(operation: str, expected: Sequence[Expectation], reply: Reply) -> list[Difference]:
    """Return how a reply differs from the expectation it comes nearest to; empty if it fits one of them.

    An expectation of the same kind as the reply is nearer than any of the other kind.
    """
    nearest = min(expected, key=lambda one: (one.kind != reply.kind, len(list(_compare(operation, one, reply)))))
    return list(_compare(operation, nearest, reply))


def _compare(operation: str, expected: Expectation, reply: Reply) -> Iterator[Difference]:
    if reply.kind != expected.kind:
        yield Difference("answer", {expected.kind: dict(expected.fields)}, {reply.kind: reply.value})
        return
    orders = _ORDERS.get(operation, {}) if expected.kind == "result" else {}
    for field, value in expected.fields.items():
        came = reply.value.get(field, MISSING)
        in_order = orders.get(field, _as_it_is)
        if field not in reply.value or not same(in_order(value), in_order(came)):
            yield Difference(field, value, came)


def same(one: Any, other: Any) -> bool:
    """Say whether two JSON values are equal; true is not 1, and 22.0 is 22."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def _as_it_is(value: Any) -> Any:
    return value


def _sorted(value: Any) -> Any:
    """Put a list of texts in a fixed order, and leave everything else for the comparison to refuse."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return sorted(value)
    return value


def _each_sorted(value: Any) -> Any:
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _sets_sorted(value: Any) -> Any:
    """Put sets of declarations in a fixed order: the sets, the declarations in a set, the cards in a declaration."""
    if not isinstance(value, list):
        return value
    return sorted((_set_sorted(item) for item in value), key=repr)


def _set_sorted(value: Any) -> Any:
    if not isinstance(value, Mapping) or not isinstance(value.get("declarations"), list):
        return value
    declarations = sorted(_each_sorted(value["declarations"]), key=repr)
    return {"declarations": declarations, "points": value.get("points", MISSING)}


_ORDERS: Final[Mapping[str, Mapping[str, Callable[[Any], Any]]]] = {
    "legal-cards": {"cards": _sorted},
    "declarations": {"sets": _sets_sorted},
    "bidding": {"choices": _sorted},
    "deal": {"before": _each_sorted, "hands": _each_sorted},
}
