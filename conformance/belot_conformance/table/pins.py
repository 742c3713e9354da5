"""Which values of a table's rules its questions pin: every other value must change an answer, or change nothing at all.

A value that no question pins is searched for one that would: among random questions, and among deals that are played
by the other value. What is found is asked too. What is not found is said to be unobservable, with how that was seen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal

from belot_conformance.diagnosis.equivalence import is_duty, tricks_played_alike
from belot_conformance.diagnosis.mutations import Mutant, canonical, compile_mutant, mutants_of_rules
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import Bar
from belot_conformance.programs.reference import put
from belot_conformance.programs.shape import Shape
from belot_conformance.recording.random_questions import Question, random_questions
from belot_conformance.suite.cases import Expectation
from belot_conformance.suite.compare import differences
from belot_conformance.suite.selection import FOUND
from belot_conformance.suite.shapes import told
from belot_conformance.suite.told_deals import NotAskedError, Told
from belot_conformance.table.questions import TableQuestion, expectation_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import OPERATIONS, answer
from belot_spec.errors import BelotError
from belot_spec.spec import Profile, Spec, default_spec

SEARCHED_DEALS: Final = 160
FURTHER_DEALS: Final = 320
DEALS_BY_THE_OTHER_VALUE: Final = 24
SEED: Final = 1
_SHARE: Final = 12
_ID_LENGTH: Final = 8

_LABEL: Final = "looking which rules of the table are tested"

Fate = Literal["pinned", "found", "undeclared", "unobservable"]

# Smaller questions are answered faster and read more easily.
_COST: Final[Mapping[str, int]] = {operation: cost for cost, operation in enumerate(OPERATIONS)}


@dataclass(frozen=True, slots=True)
class Pin:
    """What became of one other value of a rule.

    ``pinned``: the answer to ``question`` would be another, by its id. ``found``: the same of a question that was
    searched for, ``asked`` as operation and input. ``undeclared``: only ``operation`` shows it, or a field
    of it that the program does not give. ``unobservable``:
    nothing does, as ``tried`` tricks or questions show.
    """

    rule: str
    change: str
    fate: Fate
    question: str = ""
    operation: str = ""
    asked: Mapping[str, Any] | None = None
    tried: int = 0


def pin_all(
    profile: Profile,
    questions: Sequence[TableQuestion],
    operations: frozenset[str],
    jobs: int,
    progress: Bar,
    shape: Shape,
) -> list[Pin]:
    """Return the fate of every other value of every rule of a profile, asked in these operations and this shape."""
    mutants = mutants_of_rules(profile, profile.settings, default_spec())
    shares = [mutants[start : start + _SHARE] for start in range(0, len(mutants), _SHARE)]
    pins: list[Pin] = []
    with progress(_LABEL, len(mutants)) as advance:
        for share in in_processes(_pin_share, shares, jobs, _prepare, (profile, list(questions), operations, shape)):
            pins += share
            if advance is not None:
                advance(len(share))
    return pins


_lab: "Lab | None" = None


def _prepare(profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], shape: Shape) -> None:
    global _lab  # noqa: PLW0603 - one for each process of the pool
    _lab = Lab(profile, questions, operations, default_spec(), shape)


def _pin_share(share: Sequence[Mutant]) -> list[Pin]:
    assert _lab is not None
    return [_lab.pin(mutant) for mutant in share]


class Lab:
    """Puts the questions of one table to other values of its rules."""

    def __init__(
        self, profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], spec: Spec, shape: Shape
    ) -> None:
        self.rules = compile_profile(profile)
        self._teller = _Teller(self.rules, operations, shape)
        self._spec = spec
        cases = (one for question in sorted(questions, key=_cost) for one in self._teller.of_case(question))
        self._asked = _by_rule(list(cases))
        self._found: dict[str, list[_Known]] = {}

    def pin(self, mutant: Mutant) -> Pin:
        """Return what becomes of a mutant: noticed by a question, by one that is found, or by none."""
        changed = compile_mutant(mutant, self.rules.profile, self._spec)
        known = [*_of(self._found, mutant), *_of(self._asked, mutant)]
        if one := self._first(known, changed, given=True):
            return Pin(mutant.rule, mutant.change, "pinned", question=one.id, operation=one.operation)
        if is_duty(mutant, self._spec) and (tried := tricks_played_alike(self.rules, changed)):
            return Pin(mutant.rule, mutant.change, "unobservable", tried=tried)
        tried = len(known)
        undeclared = self._first(known, changed, given=False)
        for searched in self._searches(mutant, changed):
            if one := self._first(searched, changed, given=True):
                for rule in one.consulted:
                    self._found.setdefault(rule, []).append(one)
                return Pin(mutant.rule, mutant.change, "found", one.id, one.operation, one.source)
            undeclared = undeclared or self._first(searched, changed, given=False)
            tried += len(searched)
        if undeclared is not None:
            return Pin(mutant.rule, mutant.change, "undeclared", operation=undeclared.operation)
        return Pin(mutant.rule, mutant.change, "unobservable", tried=tried)

    def _searches(self, mutant: Mutant, changed: Ruleset) -> Iterator[Sequence["_Known"]]:
        """Yield more and more questions that consult the changed rule, as long as somebody asks for them."""
        yield _of(self._searched, mutant)
        yield list(self._played_by(mutant, changed))
        yield _of(self._further, mutant)

    def _first(self, asked: Sequence["_Known"], changed: Ruleset, *, given: bool) -> "_Known | None":
        """Return the first question to which the answer is another, in what the program gives or in anything else."""
        for one in asked:
            if one.given == given and not one.is_right(changed):
                return one
        return None

    @cached_property
    def _searched(self) -> dict[str, list["_Known"]]:
        return self._drawn(SEARCHED_DEALS, SEED)

    @cached_property
    def _further(self) -> dict[str, list["_Known"]]:
        return self._drawn(FURTHER_DEALS, SEED + 1)

    def _drawn(self, deals: int, seed: int) -> dict[str, list["_Known"]]:
        found = self._teller.answered(random_questions(self.rules, deals, seed))
        return _by_rule(sorted(found, key=lambda one: len(str(one.input))))

    def _played_by(self, mutant: Mutant, changed: Ruleset) -> Iterator["_Known"]:
        """Yield questions from deals that are played by the other value: they do what nobody would do at this table."""
        for one in self._teller.answered(random_questions(changed, DEALS_BY_THE_OTHER_VALUE, SEED)):
            if not one.consulted.isdisjoint(mutant.values):
                yield one


@dataclass(frozen=True, slots=True)
class _Known:
    """A question and its right answer at this table, with the rules that were consulted for it.

    ``source`` is the question before it was told in the program's shape; ``given`` is whether the program gives all
    that is compared here.
    """

    id: str
    operation: str
    source: Mapping[str, Any]
    input: Mapping[str, Any]
    right: tuple[Expectation, ...]
    consulted: frozenset[str]
    given: bool

    def is_right(self, changed: Ruleset) -> bool:
        """Say whether another ruleset gives the right answer too."""
        return not differences(self.operation, self.right, put(self.operation, changed, self.input).reply(self.id))


class _Teller:
    """Tells questions of one table as the program is asked them, and what else it would show if it gave all."""

    def __init__(self, rules: Ruleset, operations: frozenset[str], shape: Shape) -> None:
        self._rules = rules
        self._operations = operations
        self._shape = shape

    def of_case(self, one: TableQuestion) -> Iterator[_Known]:
        """Yield a planned case as it is asked, and what is left of it that the program does not give."""
        case = one.planned.case
        yield from self._known(
            _Known(case.id, case.operation, case.input, case.input, case.expected, one.consulted, given=False)
        )

    def answered(self, questions: Iterable[Question]) -> Iterator[_Known]:
        """Yield questions that were drawn, with the answers of this table."""
        for operation, question in questions:
            with suppress(BelotError):
                found = answer(operation, self._rules, question)
                right = (expectation_of(found),)
                yield from self._known(_Known("", operation, question, question, right, found.rules, given=False))

    def _known(self, whole: _Known) -> Iterator[_Known]:
        if whole.operation not in self._operations:
            yield _named(whole)
            return
        try:
            asked = told(self._shape, self._rules, whole.operation, Told(whole.input, whole.right))
        except NotAskedError:
            yield _named(whole)
            return
        if asked.question is not whole.input:
            consulted = answer(whole.operation, self._rules, asked.question).rules
            whole = replace(whole, input=asked.question, consulted=consulted)
        yield _named(replace(whole, right=asked.expected, given=True))
        if asked.expected is not whole.right:
            yield _named(whole)


def _named(one: _Known) -> _Known:
    """Return a question with an id, made from what it asks where it has none."""
    if one.id:
        return one
    text = canonical([one.operation, dict(one.source)])
    return replace(one, id=f"{FOUND}{sha256(text.encode()).hexdigest()[:_ID_LENGTH]}")


def _cost(one: TableQuestion) -> tuple[int, int]:
    return _COST[one.planned.case.operation], len(str(one.planned.case.input))


def _by_rule(asked: Sequence[_Known]) -> dict[str, list[_Known]]:
    found: dict[str, list[_Known]] = {}
    for one in asked:
        for rule in one.consulted:
            found.setdefault(rule, []).append(one)
    return found


def _of(asked: Mapping[str, list[_Known]], mutant: Mutant) -> list[_Known]:
    """Return the questions that consult a rule which the mutant changes: no other can have another answer."""
    if not mutant.also:
        return asked.get(mutant.rule, [])
    found = {(one.id, one.given): one for rule in mutant.values for one in asked.get(rule, ())}
    return list(found.values())
