"""Answers of a program as evidence: what of them is compared with what some rules say, and what says nothing."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.programs.protocol import Reply
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import (
    OTHER_KIND,
    Expectation,
    as_far_as_told,
    differences,
    fields_apart,
)
from belot_spec.files import canonical

ERROR: Final = "error"
UNSUPPORTED: Final = "unsupported"
# A program that gave anything else said nothing about its rules: a crash, no answer in time.
ANSWERS: Final = frozenset(("result", "rejected", ERROR))
# What is said of an operation that answers everything alike.
SAME: Final = "same"
# From so many answers on, a field that none of them has is one that the program does not give.
FEWEST: Final = 3
# One answer to so many questions that have different ones is no answer.
_DIFFERENT: Final = 5

# A bid as it is told: its amount and its mode.
_AMOUNT: Final = re.compile(r"^(\d{2,})[A-Z]$")

Message = Mapping[str, Any]
Ignored = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and what a program answered, as a message of the protocol.

    ``context`` is the number of the profile that it was asked for, and ``expected`` what the suite takes for right
    there; without it every field of an answer is compared, or of one that ``is_partial`` those that came.
    """

    id: str
    operation: str
    input: Mapping[str, Any]
    came: Message
    context: int = 0
    expected: Sequence[Expectation] = ()
    is_partial: bool = False

    @property
    def kind(self) -> str:
        """The kind of what came."""
        return next(iter(self.came))

    @property
    def value(self) -> Any:
        """What came, without its kind."""
        return self.came[self.kind]


def fields_wrong(one: Answered, said: Message, uncompared: Collection[str]) -> tuple[str, ...]:
    """Return the fields in which an answer is not what some rules say; all of it where the kinds differ.

    Which fields an answer has hangs on its state, so that all fields of what the rules say are compared, and those of
    what came that such an answer may have, but for those ``uncompared``. An error is right where the question makes no
    sense by the rules.
    """
    kind, own = next(iter(said.items()))
    came = one.came
    if kind == one.kind and kind in ("result", "rejected"):
        values = came[kind]
        if not isinstance(values, Mapping):
            return (OTHER_KIND,)
        if one.is_partial:
            compared: Collection[str] = [name for name in values if name not in uncompared]
            said = {kind: as_far_as_told(own, values)}
        elif kind == "result":
            known = OPERATIONS[one.operation].result_fields
            compared = [name for name in own if name not in uncompared]
            compared += [name for name in values if name not in own and name in known and name not in uncompared]
        else:
            compared = [name for name in own if name in values or not one.expected or name in one.expected[0].fields]
        wrong = tuple(name for name in fields_apart(one.operation, said, came) if name in compared)
    else:
        wrong = fields_apart(one.operation, said, came)
    if wrong and len(one.expected) > 1 and _fits(one, came) and _fits(one, said):
        return ()
    return wrong


def _fits(one: Answered, message: Message) -> bool:
    kind = next(iter(message))
    return not differences(one.operation, one.expected, Reply(one.id, kind, message[kind]))  # type: ignore[arg-type]


def distance(one: Answered, said: Message) -> int:
    """Return in how many single values an answer is not what some rules say; a set counts by its elements."""
    kind, own = next(iter(said.items()))
    if kind != one.kind or kind not in ("result", "rejected") or not isinstance(one.value, Mapping):
        return 1000 if kind != one.kind else 0
    return sum(
        _apart(own.get(name), one.value.get(name), OPERATIONS[one.operation].in_order.get(name) is not None)
        for name in fields_wrong(one, said, ())
    )


def _apart(one: Any, other: Any, is_set: bool) -> int:
    if isinstance(one, list) and isinstance(other, list) and is_set and not any(isinstance(item, list) for item in one):
        texts, others = set(map(canonical, one)), set(map(canonical, other))
        return len(texts ^ others)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return sum(_apart(*pair, is_set) for pair in zip(one, other, strict=True))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return sum(_apart(one.get(name), other.get(name), is_set) for name in one.keys() | other.keys())
    return 0 if canonical(one) == canonical(other) else 1


def says_nothing(answers: Sequence[Answered]) -> dict[str, str]:
    """Return what is no answer by any rules, by its id, with what to call it.

    Such are crashes; errors of operations that answer nothing else; and the one answer of an operation that says the
    same to everything, where different answers are right.
    """
    found = {one.id: one.kind for one in answers if one.kind not in ANSWERS}
    groups: dict[str, list[Answered]] = {}
    for one in answers:
        if one.id not in found:
            groups.setdefault(one.operation, []).append(one)
    for ones in groups.values():
        if all(one.kind == ERROR for one in ones):
            found |= {one.id: ERROR for one in ones}
        elif _is_constant([one for one in ones if one.kind != ERROR]):
            found |= {one.id: SAME for one in ones if one.kind != ERROR}
    return found


def _is_constant(ones: Sequence[Answered]) -> bool:
    if len({canonical(one.came) for one in ones}) > 1:
        return False
    wanted = {canonical([one.expected[0].kind, dict(one.expected[0].fields)]) for one in ones if one.expected}
    return len(wanted) >= _DIFFERENT


def never_given(answers: Sequence[Answered]) -> dict[str, frozenset[str]]:
    """Return for each operation the fields that the suite compares and that none of the results has."""
    wanted: dict[str, set[str]] = {}
    given: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for one in answers:
        if one.kind == "result" and isinstance(one.value, Mapping) and not one.is_partial:
            fields = {name for each in one.expected if each.kind == "result" for name in each.fields}
            wanted.setdefault(one.operation, set()).update(fields - {OPERATIONS[one.operation].reasons or ""})
            given.setdefault(one.operation, set()).update(one.value)
            counts[one.operation] = counts.get(one.operation, 0) + 1
    return {
        operation: missing
        for operation, fields in wanted.items()
        if counts[operation] >= FEWEST and (missing := frozenset(fields - given[operation]))
    }


def numbers_in(value: Any) -> Iterator[int]:
    """Yield the numbers of a question or an answer, and those that stand in it as text: what values are read off."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from numbers_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, str):
        yield from map(int, _AMOUNT.findall(value))
    elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**6:
        yield int(value)


def differing_numbers(one: Any, other: Any) -> Iterator[int]:
    """Yield by how much the numbers of one answer are more than those of another, place by place, where they differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in filter(other.__contains__, one):
            yield from differing_numbers(one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list):
        for first, second in zip(one, other, strict=False):
            yield from differing_numbers(first, second)
    elif all(isinstance(each, int) and not isinstance(each, bool) for each in (one, other)) and one != other:
        yield one - other
