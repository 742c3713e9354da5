"""Which values of a table's rules its questions pin: every other value must change an answer, or change nothing at all.

A value that no question pins is searched for one that would: among random questions, and among deals that are played
by the other value. What is found is asked too. What is not found is said to be unobservable, with how that was seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, Literal

from belot_conformance.diagnosis.equivalence import is_duty, tricks_played_alike
from belot_conformance.diagnosis.mutations import Mutant, canonical, compile_mutant, mutants_of_rules
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import Bar
from belot_conformance.programs.protocol import Deals
from belot_conformance.programs.reference import put
from belot_conformance.recording.random_questions import Question, random_questions
from belot_conformance.suite.compare import differences
from belot_conformance.suite.given_hands import as_given
from belot_conformance.suite.selection import FOUND
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
    searched for, ``asked`` as operation and input. ``undeclared``: only ``operation`` shows it. ``unobservable``:
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
    deals: Deals = "deck",
) -> list[Pin]:
    """Return the fate of every other value of every rule of a profile, asked in these operations."""
    mutants = mutants_of_rules(profile, profile.settings, default_spec())
    shares = [mutants[start : start + _SHARE] for start in range(0, len(mutants), _SHARE)]
    pins: list[Pin] = []
    with progress(_LABEL, len(mutants)) as advance:
        for share in in_processes(_pin_share, shares, jobs, _prepare, (profile, list(questions), operations, deals)):
            pins += share
            if advance is not None:
                advance(len(share))
    return pins


_lab: "Lab | None" = None


def _prepare(profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], deals: Deals) -> None:
    global _lab  # noqa: PLW0603 - one for each process of the pool
    _lab = Lab(profile, questions, operations, default_spec(), deals)


def _pin_share(share: Sequence[Mutant]) -> list[Pin]:
    assert _lab is not None
    return [_lab.pin(mutant) for mutant in share]


class Lab:
    """Puts the questions of one table to other values of its rules."""

    def __init__(
        self, profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], spec: Spec, deals: Deals
    ) -> None:
        self.rules = compile_profile(profile)
        self._operations = operations
        self._deals = deals
        self._spec = spec
        self._asked = _by_rule([_told(one) for one in sorted(questions, key=_cost)])
        self._found: dict[str, list[_Told]] = {}

    def pin(self, mutant: Mutant) -> Pin:
        """Return what becomes of a mutant: noticed by a question, by one that is found, or by none."""
        changed = compile_mutant(mutant, self.rules.profile, self._spec)
        known = [*_of(self._found, mutant), *_of(self._asked, mutant)]
        if told := self._first(known, changed, declared=True):
            return Pin(mutant.rule, mutant.change, "pinned", question=told.id, operation=told.operation)
        if is_duty(mutant, self._spec) and (tried := tricks_played_alike(self.rules, changed)):
            return Pin(mutant.rule, mutant.change, "unobservable", tried=tried)
        tried = len(known)
        undeclared = self._first(known, changed, declared=False)
        for searched in self._searches(mutant, changed):
            if told := self._first(searched, changed, declared=True):
                for rule in told.consulted:
                    self._found.setdefault(rule, []).append(told)
                return Pin(mutant.rule, mutant.change, "found", told.id, told.operation, told.input)
            undeclared = undeclared or self._first(searched, changed, declared=False)
            tried += len(searched)
        if undeclared is not None:
            return Pin(mutant.rule, mutant.change, "undeclared", operation=undeclared.operation)
        return Pin(mutant.rule, mutant.change, "unobservable", tried=tried)

    def _searches(self, mutant: Mutant, changed: Ruleset) -> Iterator[Sequence["_Told"]]:
        """Yield more and more questions that consult the changed rule, as long as somebody asks for them."""
        yield _of(self._searched, mutant)
        yield list(self._played_by(mutant, changed))
        yield _of(self._further, mutant)

    def _first(self, asked: Sequence["_Told"], changed: Ruleset, *, declared: bool) -> "_Told | None":
        """Return the first question, of a declared operation or of any other, to which the answer is another."""
        for told in asked:
            if (told.operation in self._operations) == declared and not told.is_right(changed):
                return told
        return None

    @cached_property
    def _searched(self) -> dict[str, list["_Told"]]:
        return self._drawn(SEARCHED_DEALS, SEED)

    @cached_property
    def _further(self) -> dict[str, list["_Told"]]:
        return self._drawn(FURTHER_DEALS, SEED + 1)

    def _drawn(self, deals: int, seed: int) -> dict[str, list["_Told"]]:
        found = _answered(self.rules, self._deals, random_questions(self.rules, deals, seed))
        return _by_rule(sorted(found, key=lambda told: len(str(told.input))))

    def _played_by(self, mutant: Mutant, changed: Ruleset) -> Iterator["_Told"]:
        """Yield questions from deals that are played by the other value: they do what nobody would do at this table."""
        played = random_questions(changed, DEALS_BY_THE_OTHER_VALUE, SEED)
        for told in _answered(self.rules, self._deals, played):
            if not told.consulted.isdisjoint(mutant.values):
                yield told


@dataclass(frozen=True, slots=True)
class _Told:
    """A question and its right answer at this table, with the rules that were consulted for it."""

    id: str
    operation: str
    input: Mapping[str, Any]
    right: Any
    consulted: frozenset[str]

    def is_right(self, changed: Ruleset) -> bool:
        """Say whether another ruleset gives the right answer too."""
        return not differences(self.operation, self.right, put(self.operation, changed, self.input).reply(self.id))


def _told(one: TableQuestion) -> _Told:
    case = one.planned.case
    return _Told(case.id, case.operation, case.input, case.expected, one.consulted)


def _cost(one: TableQuestion) -> tuple[int, int]:
    return _COST[one.planned.case.operation], len(str(one.planned.case.input))


def _answered(rules: Ruleset, deals: Deals, questions: Iterator[Question]) -> Iterator[_Told]:
    for operation, drawn in questions:
        with suppress(BelotError):
            question = as_given(rules, operation, drawn, deals)
            if question is None:
                continue
            found = answer(operation, rules, question)
            text = canonical([operation, dict(question)])
            name = f"{FOUND}{sha256(text.encode()).hexdigest()[:_ID_LENGTH]}"
            yield _Told(name, operation, question, (expectation_of(found),), found.rules)


def _by_rule(asked: Sequence[_Told]) -> dict[str, list[_Told]]:
    found: dict[str, list[_Told]] = {}
    for told in asked:
        for rule in told.consulted:
            found.setdefault(rule, []).append(told)
    return found


def _of(asked: Mapping[str, list[_Told]], mutant: Mutant) -> list[_Told]:
    """Return the questions that consult a rule which the mutant changes: no other can have another answer."""
    if not mutant.also:
        return asked.get(mutant.rule, [])
    found = {told.id: told for rule in mutant.values for told in asked.get(rule, ())}
    return list(found.values())
