"""Answers of a program as evidence: what of them is compared with what some rules say, and what says nothing."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.programs.protocol import Reply
from belot_conformance.questions.operation import Question
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
class Answered(Question):
    """A question and what a program answered, as a message of the protocol.

    ``context`` is the number of the profile that it was asked for, and ``expected`` what the suite takes for right
    there; without it every field of an answer is compared, or of one that ``is_partial`` those that came.
    """

    id: str
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
    (kind, own), values = next(iter(said.items())), one.value
    is_answer = kind == one.kind and kind in ("result", "rejected")
    if is_answer and not isinstance(values, Mapping):
        return (OTHER_KIND,)
    if is_answer and one.is_partial:
        said = {kind: as_far_as_told(own, values)}
    wrong = fields_apart(one.operation, said, one.came)
    if is_answer and wrong:
        if one.is_partial:
            # What such an answer has not, as the score of a deal that is passed, says nothing: so does an audit.
            compared = {*values} & {*own} - {*uncompared}
        elif kind == "result":
            compared = {*own, *OPERATIONS[one.operation].result_fields} - {*uncompared}
        else:
            compared = {*own} & {*values, *one.expected[0].fields} if one.expected else {*own}
        # A field that such an answer has not, and that is told as null, says as much as none: so does a check.
        wrong = tuple(name for name in wrong if name in compared and (name in own or values[name] is not None))
    # Where several answers are right, each of them is by rules that say another one.
    return () if wrong and len(one.expected) > 1 and _fits(one, one.came) and _fits(one, said) else wrong


def _fits(one: Answered, message: Message) -> bool:
    kind = next(iter(message))
    return not differences(one.operation, one.expected, Reply(one.id, kind, message[kind]))  # type: ignore[arg-type]


def distance(one: Answered, said: Message) -> int:
    """Return in how many single values an answer is not what some rules say; a set counts by its elements."""
    kind, own = next(iter(said.items()))
    if kind != one.kind or kind not in ("result", "rejected") or not isinstance(one.value, Mapping):
        return 1000 if kind != one.kind else 0
    sets, found = OPERATIONS[one.operation].in_order, 0
    for name in fields_wrong(one, said, ()):
        values = [own.get(name), one.value.get(name)]
        if name in sets and all(
            isinstance(each, list) and not any(isinstance(x, list) for x in each) for each in values
        ):
            first, second = ({canonical(item): "" for item in each} for each in values)
        else:
            first, second = (dict(_leaves(each)) for each in values)
        found += sum(first.get(key) != second.get(key) for key in first.keys() | second.keys())
    return found


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Yield the single values of a question or an answer, each with where it stands."""
    if isinstance(value, Mapping | list):
        for key, each in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _leaves(each, (*path, key))
    else:
        yield path, value


def says_nothing(answers: Sequence[Answered]) -> dict[str, str]:
    """Return what is no answer by any rules, by its id, with what to call it.

    Such are crashes; errors of operations that answer nothing else; and the one answer of an operation that says the
    same to everything, where different answers are right; a refusal that names its rule says something.
    """
    found = {one.id: one.kind for one in answers if one.kind not in ANSWERS}
    for operation in {one.operation for one in answers}:
        ones = [one for one in answers if one.operation == operation and one.id not in found]
        given = [one for one in ones if one.kind != ERROR]
        if not given:
            found |= {one.id: ERROR for one in ones}
        wanted = {canonical([one.expected[0].kind, dict(one.expected[0].fields)]) for one in given if one.expected}
        came = {canonical(one.came) for one in given}
        if len(wanted) >= _DIFFERENT and len(came) == 1 and "rule" not in given[0].came.get("rejected", ()):
            found |= {one.id: SAME for one in given}
    return found


def never_given(answers: Sequence[Answered]) -> Ignored:
    """Return for each operation the fields that the suite compares and that none of the results has."""
    found: dict[str, frozenset[str]] = {}
    for operation in dict.fromkeys(one.operation for one in answers):
        ones = [one for one in answers if one.operation == operation and one.kind == "result" and not one.is_partial]
        values = [one.value for one in ones if isinstance(one.value, Mapping)]
        wanted = {name for one in ones for each in one.expected if each.kind == "result" for name in each.fields}
        missing = wanted.difference(*values, [OPERATIONS[operation].reasons])
        if missing and len(values) >= FEWEST:
            found[operation] = frozenset(missing)
    return found


def numbers_in(value: Any) -> Iterator[int]:
    """Yield the numbers of a question or an answer, and those that stand in it as text: what values are read off."""
    for _, each in _leaves(value):
        if isinstance(each, str):
            yield from map(int, _AMOUNT.findall(each))
        elif isinstance(each, int | float) and not isinstance(each, bool) and abs(each) < 10**6:
            yield int(each)


def differing_numbers(one: Any, other: Any) -> Iterator[int]:
    """Yield by how much the numbers of one answer are more than those of another, place by place, where they differ."""
    others = dict(_leaves(other))
    for path, each in _leaves(one):
        if type(each) is type(others.get(path)) is int and each != others[path]:
            yield each - others[path]
