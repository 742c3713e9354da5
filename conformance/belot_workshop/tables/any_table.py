"""Whether the suite works for any table: by random house rules the right program passes, and every wrong one fails.

A wrong program plays the same house rules but for one value, drawn by lot, of which an answer shows that it is another.
That an answer shows it is found out apart from the suite, by questions that the suite did not draw.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from belot_conformance.contrast.probe import Budget, Probe, Rival, answered
from belot_conformance.contrast.proofs import proved_alike
from belot_conformance.house_suite.table import TableSuite, whole_table
from belot_conformance.mistakes.mutations import compile_changed
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.stream import EVERY_OPERATION
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.verdicts import Planned, judge_each
from belot_reference.compile import Ruleset
from belot_spec.errors import UnplayableError
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.values import random_values
from belot_workshop.tables.random_tables import RandomTable, random_table

# Played by either rules; a value that no answer of so many shows is counted as unobservable.
INDEPENDENT_DEALS: Final = 60
_TRIES: Final = 4000
# A wrong program has failed with its first wrong answer.
_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class Missed:
    """A wrong program that passed: the value it plays, and a question that shows that it is wrong."""

    rule: str
    value: Any
    operation: str
    input: Any


@dataclass(slots=True)
class TableResult:
    """What came of one table: whether the right program passed, how many wrong ones failed, and which did not.

    Of the values that are no error, ``proved`` provably play the same game, and of ``unobservable`` no question was
    found that shows them.
    """

    table: RandomTable
    checked: TableSuite
    right_passes: bool
    seconds: float
    again: float
    caught: int = 0
    missed: list[Missed] = field(default_factory=list)
    proved: int = 0
    unobservable: int = 0


def try_tables(folder: Path, tables: int, mutants: int, seed: int, variant: str | None = None) -> Iterator[TableResult]:
    """Yield what came of so many random tables, of any variant or of one, with so many wrong programs each."""
    for number in range(tables):
        random = Random(f"{seed} {number}")
        table = random_table(default_spec(), folder / f"table-{seed}-{number:02}.yaml", random, variant=variant)
        yield _try_table(table, mutants, random)


def _try_table(table: RandomTable, mutants: int, random: Random) -> TableResult:
    spec = default_spec()
    reference = Reference(extra_profiles=[str(table.path)])
    seconds, checked = _timed(table, reference)
    again, _ = _timed(table, reference)
    rules = reference.ruleset(table.profile.id)
    tried = TableResult(table, checked, not _fails(checked.plan, rules), seconds, again)
    for rule, value, changed in _wrong_programs(table, spec, random):
        rival = Rival(changed, {rule: value})
        if tried.caught + len(tried.missed) == mutants:
            break
        if _fails(_likeliest_first(checked, rule), changed):
            tried.caught += 1
        elif proved_alike(rules, rival, spec):
            tried.proved += 1
        elif shown := _shown(checked, rules, rival, rule):
            tried.missed.append(Missed(rule, value, *shown))
        else:
            tried.unobservable += 1
    return tried


def _timed(table: RandomTable, reference: Reference) -> tuple[float, TableSuite]:
    began = time.monotonic()
    checked = whole_table(load_cases(), reference.ruleset(table.profile.id), reference, EVERY_OPERATION)
    return time.monotonic() - began, checked


def _wrong_programs(table: RandomTable, spec: Spec, random: Random) -> Iterator[tuple[str, Any, Ruleset]]:
    """Yield programs that play another value of one rule, each once, as long as there are any."""
    seen: list[tuple[str, Any]] = []
    settings = table.profile.settings
    for _ in range(_TRIES):
        rule = random.choice(sorted(settings))
        for value in random_values(spec.rules[rule], settings[rule].value, random, tries=1):
            if (rule, value) not in seen:
                seen.append((rule, value))
                with suppress(UnplayableError):
                    yield rule, value, compile_changed(table.profile, {rule: value}, spec)


def _likeliest_first(table: TableSuite, rule: str) -> list[Planned]:
    """Return every question of a table, those first whose answers rest on a rule."""
    return sorted(table.plan, key=lambda one: rule not in one.rests_on)


def _fails(plan: Sequence[Planned], rules: Ruleset) -> bool:
    """Say whether a program that plays by these rules answers any question wrongly; the first one settles it."""
    hello = Reference().hello()
    target = FunctionTarget(hello, lambda operation, _, question: put(operation, rules, question).message())
    for start in range(0, len(plan), _AT_ONCE):
        asked = [replace(planned, asked_as=rules.profile.id) for planned in plan[start : start + _AT_ONCE]]
        if any(verdict.outcome != "passed" for verdict in judge_each(target, asked)):
            return True
    return False


def _shown(table: TableSuite, rules: Ruleset, rival: Rival, rule: str) -> tuple[str, Any] | None:
    """Return a question, of others than the suite drew, to which the two rulesets answer otherwise.

    Of the operations whose questions consulted the rule before, if there are any.
    """
    consulting = frozenset(one.case.operation for one in table.plan if rule in one.rests_on)
    number = Random(f"{rules.profile.id} {rule}").randrange(2, 1 << 30)
    budget = Budget(INDEPENDENT_DEALS, number)
    for played in (rules, rival.rules):
        drawn = budget.questions(played, consulting or EVERY_OPERATION)
        found = Probe(answered(rules, drawn, with_reasons=True)).first(rival)
        if found is not None:
            return found.operation, found.input
    return None
