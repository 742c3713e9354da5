"""Where two answers to one question part: a program's and that of the rules, or of another program."""

from collections.abc import Mapping
from typing import Any, Final

from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.target import Answer
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Expectation
from belot_conformance.suite.compare import differences
from belot_conformance.suite.differing import OTHER_KIND

Message = Mapping[str, Any]

_RULE: Final = "rule"
_REASONS: Final = frozenset((_RULE, *(one.reasons for one in OPERATIONS.values() if one.reasons)))


def expected_of(message: Message) -> Expectation:
    """Return what is compared of an answer: all but the rules that refuse."""
    kind, fields = next(iter(message.items()))
    kept = {name: value for name, value in fields.items() if name not in _REASONS}
    return Expectation("rejected" if kind == "rejected" else "result", kept, fields.get(_RULE))


def wrong_fields(operation: str, expected: Expectation, came: Answer) -> tuple[str, ...]:
    """Return the fields in which an answer is not what is expected; the kind of what came where that is another."""
    if not isinstance(came, Reply):
        return (came.kind,)
    if came.kind == expected.kind:
        # Most answers are right, and this is the quickest way to see it.
        if came.value == expected.fields and not _may_hide_truths(expected.fields):
            return ()
        found = differences(operation, (expected,), came)
        return tuple(OTHER_KIND if one.field == "answer" else one.field for one in found)
    return (came.kind,) if came.kind in ("error", "unsupported") else (OTHER_KIND,)


def _may_hide_truths(fields: Mapping[str, Any]) -> bool:
    """Say whether numbers and truth values might be taken for each other where Python finds two answers equal."""
    return any(value is True or value is False or value == 0 or value == 1 for value in fields.values())


def between(operation: str, one: Answer, other: Answer) -> tuple[str, ...]:
    """Return the fields in which two programs' answers differ, of those that both give; their kind if that differs."""
    if not isinstance(one, Reply) or not isinstance(other, Reply):
        return () if one.kind == other.kind else (one.kind,)
    if one.kind != other.kind:
        return (OTHER_KIND,)
    if one.kind not in ("result", "rejected"):
        return ()
    both = {name: value for name, value in other.value.items() if name in one.value and name not in _REASONS}
    return wrong_fields(operation, Expectation("rejected" if one.kind == "rejected" else "result", both), one)
