"""Questions as a program is asked them at one table, each with the right answer and the rules that this rests on."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from belot_conformance.diagnosis.mutations import Mutant
from belot_conformance.programs.reference import put
from belot_conformance.programs.shape import Shape
from belot_conformance.recording.random_questions import Question
from belot_conformance.suite.cases import Expectation
from belot_conformance.suite.compare import differences
from belot_conformance.suite.selection import FOUND
from belot_conformance.suite.shapes import NotAskedError, Told, told
from belot_conformance.table.questions import TableQuestion, expectation_of
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_spec.errors import BelotError
from belot_spec.files import canonical

_ID_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class ToldQuestion:
    """A question and its right answer at this table, with the rules that were consulted for it.

    ``source`` is the question before it was told in the program's shape; ``given`` is whether the program gives all
    that is compared here. A question of no case has no ``id``.
    """

    id: str
    operation: str
    source: Mapping[str, Any]
    input: Mapping[str, Any]
    right: tuple[Expectation, ...]
    consulted: frozenset[str]
    given: bool

    def named(self) -> "ToldQuestion":
        """Return the question with an id made from what it asks, where it has none."""
        if self.id:
            return self
        text = canonical([self.operation, dict(self.source)])
        return replace(self, id=f"{FOUND}{sha256(text.encode()).hexdigest()[:_ID_LENGTH]}")


class Teller:
    """Tells questions of one table as the program is asked them, and what else it would show if it gave all."""

    def __init__(self, rules: Ruleset, operations: frozenset[str], shape: Shape) -> None:
        self.rules = rules
        self.operations = operations
        self._shape = shape

    def of_case(self, one: TableQuestion) -> Iterator[ToldQuestion]:
        """Yield a planned case as it is asked, and what is left of it that the program does not give."""
        case = one.planned.case
        yield from self._told(
            ToldQuestion(case.id, case.operation, case.input, case.input, case.expected, one.consulted, given=False)
        )

    def answered(self, questions: Iterable[Question], about: Container[str]) -> Iterator[ToldQuestion]:
        """Yield questions that were drawn and consult one of some rules, with the answers of this table."""
        for operation, question in questions:
            with suppress(BelotError):
                found = answer(operation, self.rules, question)
                if any(rule in about for rule in found.rules):
                    right = (expectation_of(found),)
                    yield from self._told(ToldQuestion("", operation, question, question, right, found.rules, False))

    def _told(self, whole: ToldQuestion) -> Iterator[ToldQuestion]:
        if whole.operation not in self.operations:
            yield whole
            return
        try:
            asked = told(self._shape, self.rules, whole.operation, Told(whole.input, whole.right))
        except NotAskedError:
            yield whole
            return
        if asked.question is not whole.input:
            consulted = answer(whole.operation, self.rules, asked.question).rules
            whole = replace(whole, input=asked.question, consulted=consulted)
        yield replace(whole, right=asked.expected, given=True)
        if asked.expected is not whole.right:
            yield whole


class Asked:
    """Questions by the rules that they consult, so that a mutant is put only those that can tell it."""

    def __init__(self, questions: Iterable[ToldQuestion]) -> None:
        self._by_rule: dict[str, list[ToldQuestion]] = {}
        for one in questions:
            self.add(one)

    def add(self, one: ToldQuestion) -> None:
        """Put a question behind the others."""
        for rule in one.consulted:
            self._by_rule.setdefault(rule, []).append(one)

    def of(self, mutant: Mutant) -> Sequence[ToldQuestion]:
        """Return the questions that consult a rule which the mutant changes: no other can have another answer."""
        if not mutant.also:
            return self._by_rule.get(mutant.rule, [])
        found = {id(one): one for rule in mutant.values for one in self._by_rule.get(rule, ())}
        return list(found.values())


def first_wrong(asked: Iterable[ToldQuestion], changed: Ruleset, *, given: bool) -> ToldQuestion | None:
    """Return the first question to which the answer is another, in what the program gives or in anything else."""
    for one in asked:
        if one.given == given:
            came = put(one.operation, changed, one.input).reply(one.id)
            if differences(one.operation, one.right, came):
                return one
    return None
