"""One table: everything that a program is asked about its rules, and which of them that tests."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from belot_conformance.house_suite.pins import Fate, Pin, pin_all
from belot_conformance.house_suite.questions import TableBudget, own_recordings, table_case, table_questions
from belot_conformance.mistakes.kept_answers import engine_digest
from belot_conformance.mistakes.killing import Row, load_matrix
from belot_conformance.mistakes.mutations import compile_mutant
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.shape import Shape
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import SUFFIX, Case
from belot_conformance.suite.judge import differences
from belot_conformance.suite.shapes import NotAskedError, told_case
from belot_conformance.suite.verdicts import OF_CASES, Planned, Provenance
from belot_reference.compile import Ruleset
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.catalogue import Text
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile
from belot_spec.words import Words

BUDGET: Final = TableBudget()
_PLAIN: Final = Shape()
_WORDS: Final = Words(__name__, "found-questions")


@dataclass(frozen=True, slots=True)
class RuleTest:
    """Whether the questions test a rule: ``undeclared`` are operations that would show it, and are not declared.

    ``shown`` is whether any answer shows the rule at all.
    """

    rule: str
    tested: bool
    undeclared: tuple[str, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether any answer shows the rule."""
        return self.tested or bool(self.undeclared)


@dataclass(frozen=True)
class TableSuite:
    """The questions of one profile, as they are put to the program, and what became of every other value of its rules.

    There are no ``pins`` where a part of the questions was chosen, so that nobody looked what they test.
    """

    profile: Profile
    plan: Sequence[Planned]
    left_out: Mapping[Text, int]
    pins: Sequence[Pin] = ()
    asked_as: str = ""
    declared: frozenset[str] = field(default_factory=lambda: frozenset(OPERATIONS))

    def called(self, name: str) -> "TableSuite":
        """Return the table as it is asked of a program that calls its profile so."""
        return replace(self, plan=[replace(one, asked_as=name) for one in self.plan], asked_as=name)

    @cached_property
    def provenances(self) -> Mapping[Provenance, int]:
        """How many of the questions that are put to the program have answers of each provenance."""
        counted = Counter(one.provenance for one in self.plan if one.case.operation in self.declared)
        return {kind: counted[kind] for kind in OF_CASES}

    @cached_property
    def tests(self) -> list[RuleTest]:
        """For each rule of the profile, whether it is tested: every other value that answers show must be noticed."""
        return [_test(rule, [pin for pin in self.pins if pin.rule == rule]) for rule in self.profile.settings]


def _test(rule: str, pins: Sequence[Pin]) -> RuleTest:
    undeclared = tuple(sorted({pin.operation for pin in pins if pin.fate == "undeclared"}, key=list(OPERATIONS).index))
    noticed = any(pin.fate in ("pinned", "found") for pin in pins)
    return RuleTest(rule, noticed and not undeclared, undeclared)


def whole_table(
    cases: Sequence[Case],
    profile: str,
    reference: Reference,
    declared: frozenset[str],
    shape: Shape = _PLAIN,
    budget: TableBudget | None = None,
) -> TableSuite:
    """Return a profile's table with every question: the cases', its own deals, and those found so that all is pinned.

    What was found out before about the same rules, questions and declared operations is not looked for again.
    """
    rules, budget = reference.ruleset(profile), budget or BUDGET
    found = table_questions(cases, profile, reference)
    asked = [*found.asked, *_own_deals(found.asked, rules, budget)]
    name = f"tables/{pins_key(rules.profile, asked, declared, shape)}.json"
    pins = kept(cache_folder(), name, _pins)
    if pins is None:
        pins = pin_all(rules.profile, asked, declared, os.cpu_count() or 1, shape, budget)
        keep(cache_folder(), name, {"pins": [asdict(pin) for pin in pins]})
    return TableSuite(rules.profile, [*asked, *_found(pins, rules, reference)], found.left_out, pins, declared=declared)


def _own_deals(asked: Sequence[Planned], rules: Ruleset, budget: TableBudget) -> Iterator[Planned]:
    """Yield recordings of the table's own where those of the cases that hold here are fewer than a variant's."""
    cases = [one.case for one in asked if one.case.path.suffix == SUFFIX]
    held = Counter(case.operation for case in cases if case.expected[0].kind == "result")
    deals, matches = max(0, budget.deals - held["replay"]), max(0, budget.matches - held["match"])
    return own_recordings(rules, rules_key(rules.profile), replace(budget, deals=deals, matches=matches))


def _found(pins: Sequence[Pin], rules: Ruleset, reference: Reference) -> Iterator[Planned]:
    """Yield the questions that were searched for, each once, for the first rule that it tests."""
    known = set[str]()
    for pin in pins:
        if pin.fate == "found" and pin.asked is not None and pin.question not in known:
            known.add(pin.question)
            title = _WORDS.both("title", rule=reference.spec.rules[pin.rule].title)
            yield table_case(rules, pin.operation, pin.question, title, pin.asked).pinning(pin.rule, provenance="found")


_FORMAT: Final = 2
_LENGTH: Final = 24


def rules_key(profile: Profile) -> str:
    """Return a text that is the same for the same rules and engine, whatever the profile is called."""
    values = {rule: setting.value for rule, setting in profile.settings.items()}
    return _digest(f"{_FORMAT} {engine_digest()} {canonical(values)}")


def pins_key(profile: Profile, questions: Sequence[Planned], operations: frozenset[str], shape: Shape) -> str:
    """Return a text that is the same for the same rules, engine, questions, declared operations and shape."""
    digest = sha256()
    for case in (one.case for one in questions):
        expected = [[each.kind, dict(each.fields)] for each in case.expected]
        digest.update(canonical([case.id, case.operation, dict(case.input), expected]).encode())
    return _digest(f"{rules_key(profile)} {sorted(operations)} {canonical(shape.as_json())} {digest.hexdigest()}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_LENGTH]


def _pins(stored: Any) -> list[Pin]:
    return [Pin(**entry) for entry in stored["pins"]]


def variant_tables(plan: Sequence[Planned], hello: Hello, reference: Reference) -> list[TableSuite]:
    """Return a table for each variant that a program declares as it is, with what the variant's own cases pin."""
    return [
        _table(variant, plan, hello, reference) for variant in reference.spec.playable() if variant in hello.profiles
    ]


def _table(variant: str, plan: Sequence[Planned], hello: Hello, reference: Reference) -> TableSuite:
    asked = [one for one in plan if ProfileName.parse(one.profile).variant == variant and hello.declares(one.profile)]
    own = {planned.case.id: planned for planned in asked}
    pins = []
    for row in load_matrix().of_profile(variant):
        killers = [own[case] for case in sorted(row.killed_by) if case in own]
        noticed = next(_noticing(row, killers, hello, reference), None)
        fate: Fate = "pinned" if noticed else "undeclared" if killers else "unobservable"
        shown = noticed or next(iter(killers), None)
        pins.append(Pin(row.mutant.rule, row.mutant.change, fate, operation=shown.case.operation if shown else ""))
    declared = frozenset(hello.operations)
    return TableSuite(reference.profile(variant), [*own.values()], {}, pins, declared=declared)


def _noticing(row: Row, killers: Sequence[Planned], hello: Hello, reference: Reference) -> Iterator[Planned]:
    """Yield the cases that notice a mutant in what the program gives, those that are asked as they stand first."""
    otherwise = []
    for planned in killers:
        if planned.case.operation in hello.operations:
            with suppress(NotAskedError):
                told = told_case(hello.shape, reference.ruleset(planned.profile), planned.case)
                if told is planned.case:
                    yield planned
                else:
                    otherwise.append((planned, told))
    for planned, told in otherwise:
        changed = compile_mutant(row.mutant, reference.profile(planned.profile), reference.spec)
        if differences(told.operation, told.expected, put(told.operation, changed, told.input).reply(told.id)):
            yield planned
