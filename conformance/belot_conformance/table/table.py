"""One table: everything that a program is asked about its rules, and which of them that tests."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from belot_conformance.programs.json_lines import SUFFIX
from belot_conformance.programs.progress import Bar
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.shape import Shape
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import PROVENANCES, Planned, Provenance
from belot_conformance.table.kept import keep_pins, kept_pins, pins_key, rules_key
from belot_conformance.table.own_deals import DEALS_EACH, MATCHES_EACH, own_recordings, table_case
from belot_conformance.table.pins import Pin, pin_all
from belot_conformance.table.questions import TableQuestion, TableQuestions, table_questions
from belot_reference.compile import Ruleset
from belot_reference.operations import OPERATIONS
from belot_spec.catalogue import Text
from belot_spec.spec import Profile
from belot_spec.words import Words

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
class Table:
    """The questions of one profile, and what became of every other value of its rules.

    ``pins`` is ``None`` where a part of the questions was chosen, so that nobody looked what they test.
    """

    profile: Profile
    questions: Sequence[TableQuestion]
    left_out: Mapping[Text, int]
    pins: Sequence[Pin] | None = None
    asked_as: str = ""
    declared: frozenset[str] = field(default_factory=lambda: frozenset(OPERATIONS))

    @cached_property
    def plan(self) -> list[Planned]:
        """The questions as they are put to the program."""
        return [replace(one.planned, asked_as=self.asked_as) for one in self.questions]

    @cached_property
    def provenances(self) -> Mapping[Provenance, int]:
        """How many of the questions that are put to the program have answers of each provenance."""
        asked = [one.planned for one in self.questions if one.planned.case.operation in self.declared]
        return {kind: sum(one.provenance == kind for one in asked) for kind in PROVENANCES}

    @cached_property
    def tests(self) -> list[RuleTest]:
        """For each rule of the profile, whether it is tested: every other value that answers show must be noticed."""
        by_rule: dict[str, list[Pin]] = {rule: [] for rule in self.profile.settings}
        for pin in self.pins or ():
            by_rule[pin.rule].append(pin)
        return [_test(rule, pins) for rule, pins in by_rule.items()]


def _test(rule: str, pins: Sequence[Pin]) -> RuleTest:
    undeclared = tuple(sorted({pin.operation for pin in pins if pin.fate == "undeclared"}, key=list(OPERATIONS).index))
    noticed = any(pin.fate in ("pinned", "found") for pin in pins)
    return RuleTest(rule, noticed and not undeclared, undeclared)


def whole_table(
    cases: Sequence[Case],
    profile: str,
    reference: Reference,
    declared: frozenset[str],
    progress: Bar,
    shape: Shape = _PLAIN,
) -> Table:
    """Return a profile's table with every question: the cases', its own deals, and those found so that all is pinned.

    What was found out before about the same rules, questions and declared operations is not looked for again.
    """
    rules = reference.ruleset(profile)
    found = table_questions(cases, profile, reference)
    asked = [*found.asked, *_own_deals(found, rules)]
    key = pins_key(rules.profile, asked, declared, shape)
    pins = kept_pins(key)
    if pins is None:
        pins = pin_all(rules.profile, asked, declared, os.cpu_count() or 1, progress, shape)
        keep_pins(key, pins)
    asked += _found_questions(pins, rules, reference)
    return Table(rules.profile, asked, found.left_out, pins, declared=declared)


def _own_deals(found: TableQuestions, rules: Ruleset) -> list[TableQuestion]:
    """Return recordings of the table's own where those of the cases that hold here are fewer than a variant's."""
    held = [one.planned.case.operation for one in found.asked if _is_recording(one.planned.case)]
    deals, matches = DEALS_EACH - held.count("replay"), MATCHES_EACH - held.count("match")
    return own_recordings(rules, rules_key(rules.profile), max(0, deals), max(0, matches))


def _is_recording(case: Case) -> bool:
    """Say whether a case is a deal or match that was recorded, and is played to its end at this table too."""
    return case.path.suffix == SUFFIX and case.expected[0].kind == "result"


def _found_questions(pins: Sequence[Pin], rules: Ruleset, reference: Reference) -> list[TableQuestion]:
    found: dict[str, TableQuestion] = {}
    for pin in pins:
        if pin.fate == "found" and pin.asked is not None and pin.question not in found:
            title = reference.spec.rules[pin.rule].title
            made = table_case(rules, pin.operation, pin.question, _WORDS.both("title", rule=title), pin.asked)
            case = replace(made.planned.case, rules=(pin.rule,))
            planned = replace(made.planned, case=case, provenance="found")
            found[pin.question] = TableQuestion(planned, made.consulted)
    return list(found.values())
