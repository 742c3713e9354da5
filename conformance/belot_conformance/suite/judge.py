"""Judging answers: in which fields one is not another. This module is normative: PROTOCOL.md says the same in words."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from marshal import dumps
from typing import Any, Final, Literal

from belot_conformance.programs.protocol import Reply
from belot_conformance.questions.operation import MISSING as MISSING
from belot_conformance.questions.operation import InOrder
from belot_conformance.questions.operations import OPERATIONS
from belot_reference.errors import Unfinished

# An answer as its kind, and what it says: a result, a refusal, or what is no answer at all.
Message = Mapping[str, Any]

# In the place of a field, where one answer is a result and the other a refusal.
OTHER_KIND: Final = "answer"

_RULE: Final = "rule"
_ANSWERS: Final = ("result", "rejected")

# The oldest form writes equal values of the same types alike, whatever objects they share.
_MARSHAL: Final = 0


@dataclass(frozen=True, slots=True)
class Expectation:
    """One acceptable answer: ``kind`` is result or rejected, ``fields`` those that are compared.

    ``rule`` is the rule that refuses, where it is known; it is compared only where reasons are asked for.
    """

    kind: Literal["result", "rejected"]
    fields: Mapping[str, Any]
    rule: str | None = None

    @classmethod
    def whole(cls, message: Message) -> "Expectation":
        """Return a right answer as what is expected: every field of it, and apart the rule that a refusal names."""
        ((kind, fields),) = message.items()
        if kind == "result":
            return cls("result", fields)
        return cls("rejected", _without((_RULE,), fields), fields.get(_RULE))

    @classmethod
    def of(cls, operation: str, message: Message) -> "Expectation":
        """Return what is compared of an answer: all but its reasons."""
        found = cls.whole(message)
        return replace(found, fields=_without(_reasons_of(operation), found.fields))

    @property
    def message(self) -> Message:
        """The answer as a message, without its rule."""
        return {self.kind: self.fields}

    def apart(self, operation: str, came: Message) -> tuple[str, ...]:
        """Return in which of the fields that are expected an answer is another."""
        return fields_apart(operation, self.message, came, self.fields)


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which an answer differs: its name, what was expected and what came."""

    field: str
    expected: Any
    came: Any


def fields_apart(
    operation: str, wanted: Message, came: Message, given: Collection[str] | None = None, *, reasons: bool = False
) -> tuple[str, ...]:
    """Return the fields in which an answer is not the one wanted; only the kind of what came where that is another.

    All fields of both are compared, or with ``given`` those of them that the one wanted has. Sets may come in any
    order, and what an error says is nobody's answer. With ``reasons`` the rule that a refusal names, and the rules that
    make cards illegal, are compared too.
    """
    ((kind, fields),) = wanted.items()
    ((other, values),) = came.items()
    if kind != other:
        return (OTHER_KIND,) if other in _ANSWERS else (other,)
    # Most answers are what is wanted to the last field, and this is the quickest way to see it.
    if kind not in _ANSWERS or same(fields, values):
        return ()
    unsaid = () if reasons else _reasons_of(operation)
    compared = dict.fromkeys((*fields, *values)) if given is None else filter(given.__contains__, fields)
    orders = OPERATIONS[operation].in_order if kind == "result" else {}
    return tuple(name for name in compared if name not in unsaid and not _says(name, fields, values, orders))


def _says(name: str, fields: Mapping[str, Any], values: Mapping[str, Any], orders: InOrder) -> bool:
    if name not in fields or name not in values:
        return False
    one, other, in_order = fields[name], values[name], orders.get(name)
    return same(one, other) or (in_order is not None and same(in_order(one), in_order(other)))


def differences(
    operation: str, expected: Sequence[Expectation], reply: Reply, reasons: bool = False
) -> list[Difference]:
    """Return how a reply differs from the expectation it comes nearest to; empty if it fits one of them.

    An expectation of the same kind as the reply is nearer than any of the other kind.
    """
    found = [(one.kind != reply.kind, list(_compared(operation, one, reply, reasons))) for one in expected]
    return min(found, key=lambda pair: (pair[0], len(pair[1])))[1]


def _compared(operation: str, expected: Expectation, reply: Reply, reasons: bool) -> Iterator[Difference]:
    if reply.kind != expected.kind:
        yield Difference(OTHER_KIND, {expected.kind: dict(expected.fields)}, reply.message())
        return
    # A rule is a text; a reply that names none has not given the reason.
    wanted = expected.fields if expected.rule is None else {**expected.fields, _RULE: expected.rule}
    for field in fields_apart(operation, {expected.kind: wanted}, reply.message(), wanted, reasons=reasons):
        yield Difference(field, wanted[field], reply.value.get(field, MISSING))


def without_reasons(operation: str, message: Message) -> Message:
    """Return a message without the rule of a refusal and the rules that make cards illegal: what is compared of it."""
    reasons = _reasons_of(operation)
    return {kind: _without(reasons, value) if isinstance(value, Mapping) else value for kind, value in message.items()}


def _reasons_of(operation: str) -> tuple[str, ...]:
    reasons = OPERATIONS[operation].reasons
    return (_RULE,) if reasons is None else (_RULE, reasons)


def _without(names: tuple[str, ...], fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in fields.items() if name not in names}


def kind_of(message: Message) -> str:
    """Return ``allowed``, or the reason of a refusal; a deal that only stops early is allowed as far as it goes.

    What is no answer has a kind of its own.
    """
    ((kind, said),) = message.items()
    if kind not in _ANSWERS:
        return kind
    return "allowed" if kind == "result" or said["reason"] == Unfinished.reason else str(said["reason"])


def same(one: Any, other: Any) -> bool:
    """Say whether two JSON values are equal; true is not 1, and 22.0 is 22."""
    if one != other:
        return False
    # Python's equality is JSON's but for true and 1. Most answers are also alike to the last byte, which is soon seen.
    return dumps(one, _MARSHAL) == dumps(other, _MARSHAL) or _same_truths(one, other)


def _same_truths(one: Any, other: Any) -> bool:
    """Say whether of two values that Python finds equal, the truth values stand in the same places."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping):
        return all(_same_truths(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return all(_same_truths(a, b) for a, b in zip(one, other, strict=True))
    return True


def as_far_as_told(expected: Any, came: Any) -> Any:
    """Return of what is expected what a record tells of it: of objects, also in a list, the fields that came."""
    if isinstance(expected, Mapping) and isinstance(came, Mapping):
        return {name: as_far_as_told(expected[name], each) for name, each in came.items() if name in expected}
    if isinstance(expected, list) and isinstance(came, list) and len(expected) == len(came):
        return [as_far_as_told(*pair) for pair in zip(expected, came, strict=True)]
    return expected


def in_fixed_order(operation: str, field: str, value: Any) -> Any:
    """Return the value of a field of a result with its sets in one order, so that equal answers look the same."""
    in_order = OPERATIONS[operation].in_order.get(field)
    return value if in_order is None else in_order(value)


# Where two answers differ, down to the smallest field: ``tricks[3].points`` rather than all tricks twice.


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
