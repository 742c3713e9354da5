"""The words of a report: outcomes, counts, scores, what is tested, and how a run ended."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, get_args

from belot_conformance.reports.report import (
    Ending,
    Run,
    answers_of,
    by_operation,
    declared,
    ending,
    occurring,
    right_of,
)
from belot_conformance.situations.covering import LEAST, Covering
from belot_conformance.suite.shapes import NONE_OF_ITS_FIELDS, NOT_KNOWN, NOT_TOLD_SO
from belot_conformance.suite.verdicts import NOT_ASKED, OF_CASES, OUTCOMES, Outcome, count
from belot_conformance.text.template import filled, plain_lines
from belot_spec.words import English

OUTCOME_WORDS: Final = English(__name__, "outcomes")
PROVENANCE_WORDS: Final = English(__name__, "provenances")
ENDING_WORDS: Final = English(__name__, "endings")
ENDING_SIGNS: Final[Mapping[str, str]] = {
    ending: {"passed": "✓", "part": "◐", "unread": "◐"}.get(ending, "✗") for ending in get_args(Ending)
}
_SENTENCES: Final = English(__name__, "verdicts")
# So many rules that could be tested too are named, or groups of them.
_SHOWN: Final = 4


def ending_sentence(run: Run) -> str:
    """Return the sentence that says how a run ended, with the counts of its outcomes."""
    sentence, told = ending_parts(run)
    return sentence.format(**told)


def ending_parts(run: Run) -> tuple[str, dict[str, str]]:
    """Return that sentence with its places open, and what stands in them: some of it is the program's own word."""
    how: str = "excused" if run.passed and any(verdict.excuse for verdict in run.verdicts) else ending(run)
    named = next((one.planned.profile for one in run.verdicts if one.planned.asked_as), "")
    if how == "passed" and named:
        how = "table"
    counts = count_text(count(declared(run)))
    told = {"name": run.hello.name, "version": run.hello.version, "profile": named, "n": str(len(run.incidents))}
    return _SENTENCES[how], {"counts": counts, **told}


def told_of_tables(run: Run) -> list[str]:
    """Return what a report says beside the ending: which names differ, where the answers come from, what they test."""
    cases = [one.planned.case for one in run.verdicts]
    given, tests = given_fields(run), [test for table in run.tables for test in table.tests]
    deals = [one for one in run.verdicts if one.planned.case.operation == "replay"]
    groups: dict[tuple[str, ...], list[str]] = {}
    for test in tests:
        if test.undeclared:
            groups.setdefault(test.undeclared, []).append(test.rule)
    coverings: dict[str, list[Covering]] = {}
    for operation, covering in (pair for found in run.situations.values() for pair in found.items()):
        coverings.setdefault(operation, []).append(covering)
    text = filled(
        "told.j2",
        run=run,
        tables=run.tables,
        given=given,
        deals={
            "asked": sum(one.was_asked for one in deals),
            "left": sum(one.detail in NOT_TOLD_SO for one in deals),
            "unknown": sum(one.detail == NOT_KNOWN for one in run.verdicts),
            "fieldless": sum(
                one.detail == NONE_OF_ITS_FIELDS and one.planned.case.operation in given for one in run.verdicts
            ),
        },
        of_cases=answers_of(run.verdicts),
        of_tables={kind: sum(table.provenances[kind] for table in run.tables) for kind in OF_CASES},
        tested=sum(test.tested for test in tests),
        shown=sum(test.shown for test in tests),
        groups=groups,
        # Whoever named the rules of a table wants to know which of them are left.
        named=len(run.tables) == 1 and (bool(run.tables[0].asked_as) or len(groups) <= _SHOWN),
        unshown=[test.rule for test in tests if not test.shown],
        right=right_of(run.drawn),
        least=LEAST,
        situations={
            name: (sum(len(one.counts) - len(one.seldom) for one in some), sum(len(one.counts) for one in some))
            for name, some in coverings.items()
        },
        empty=[one for one in by_operation(run) if one not in {case.operation for case in cases}],
    )
    return plain_lines(text)


def given_fields(run: Run) -> dict[str, Sequence[str]]:
    """Return the fields that are compared in each operation of a run of which the program gives only some."""
    fields = run.hello.shape.fields
    return {operation: fields[operation] for operation in by_operation(run) if operation in fields}


def counts_told(run: Run, columns: Mapping[str, Collection[Outcome]]) -> dict[str, Any]:
    """Return for ``counts.j2`` how many cases of each operation that the program declares had which outcome.

    A heading under which nothing would stand is left out, but for those of what passed and failed.
    """
    shown, fields = declared(run), run.hello.shape.fields
    found = occurring(count(shown))
    columns = {title: outcomes for title, outcomes in columns.items() if not found.keys().isdisjoint(outcomes)}
    columns = {"cases": OUTCOMES, **columns}
    counted = [*by_operation(run, shown).items(), ("all", count(shown))] if shown else []
    return {
        "columns": columns,
        "rows": [
            (
                f"{name} (only {', '.join(fields[name])})" if name in fields else name,
                [sum(counts[outcome] for outcome in outcomes) for outcomes in columns.values()],
            )
            for name, counts in counted
        ],
        "undeclared": told_of_undeclared(run),
    }


def told_of_undeclared(run: Run) -> list[str]:
    """Return what is said of the cases that are about what the program does not declare, if there are any."""
    asked = {one.planned.case_id for one in (*declared(run), *(one for one in run.drawn if one.was_asked))}
    left = len({one.planned.case_id for one in run.verdicts} - asked)
    more = "one more case" if left == 1 else f"{left} more cases"
    return [f"The suite has {more}, about what the program does not declare."] if left else []


def count_text(counts: Mapping[Outcome, int]) -> str:
    """Return counts as text, leaving out what did not occur: ``151 of 153 passed, 2 failed``."""
    asked = sum(number for outcome, number in counts.items() if outcome not in NOT_ASKED)
    shown = [f"{counts['passed']} of {asked} passed"] if asked else []
    others = (outcome for outcome, number in counts.items() if number and outcome != "passed")
    shown += [f"{counts[outcome]} {OUTCOME_WORDS[outcome]}" for outcome in others]
    return ", ".join(shown) if shown else "nothing was asked"
