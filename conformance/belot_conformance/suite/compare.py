"""Comparing an answer with what a case expects. This module is normative: PROTOCOL.md says the same in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from marshal import dumps
from typing import Any, Final

from belot_conformance.programs.protocol import Reply
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Expectation

MISSING: Final = "(missing)"

_RULE: Final = "rule"

# The oldest form writes equal values of the same types alike, whatever objects they share.
_MARSHAL: Final = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which an answer differs: its name, what was expected and what came."""

    field: str
    expected: Any
    came: Any


def differences(
    operation: str, expected: Sequence[Expectation], reply: Reply, reasons: bool = False
) -> list[Difference]:
    """Return how a reply differs from the expectation it comes nearest to; empty if it fits one of them.

    An expectation of the same kind as the reply is nearer than any of the other kind. With ``reasons`` the rule that
    a refusal names, and the rules that make cards illegal, are compared too.
    """
    # Most right replies are what is expected and nothing more, in the same order.
    first = expected[0]
    if len(expected) == 1 and first.kind == reply.kind and not reasons and same(first.fields, reply.value):
        return []
    found = [(one.kind != reply.kind, list(_compare(operation, one, reply, reasons))) for one in expected]
    return min(found, key=lambda pair: (pair[0], len(pair[1])))[1]


def _compare(operation: str, expected: Expectation, reply: Reply, reasons: bool) -> Iterator[Difference]:
    if reply.kind != expected.kind:
        yield Difference("answer", {expected.kind: dict(expected.fields)}, reply.message())
        return
    about = OPERATIONS[operation]
    orders = about.in_order if expected.kind == "result" else {}
    for field, value in expected.fields.items():
        if field == about.reasons and not reasons:
            continue
        came = reply.value.get(field, MISSING)
        if field in reply.value and same(value, came):
            continue
        in_order = orders.get(field)
        if field not in reply.value or in_order is None or not same(in_order(value), in_order(came)):
            yield Difference(field, value, came)
    # A rule is a text; a reply that names none has not given the reason.
    if reasons and expected.rule is not None and reply.value.get("rule") != expected.rule:
        yield Difference("rule", expected.rule, reply.value.get("rule", MISSING))


def without_reasons(operation: str, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message without the rule of a refusal and the rules that make cards illegal: what is compared of it."""
    reasons = (_RULE, OPERATIONS[operation].reasons)
    return {
        kind: {name: field for name, field in value.items() if name not in reasons}
        if isinstance(value, Mapping)
        else value
        for kind, value in message.items()
    }


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


def in_fixed_order(operation: str, field: str, value: Any) -> Any:
    """Return the value of a field of a result with its sets in one order, so that equal answers look the same."""
    in_order = OPERATIONS[operation].in_order.get(field)
    return value if in_order is None else in_order(value)
