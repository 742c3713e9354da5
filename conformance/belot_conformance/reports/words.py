"""The words of a report: outcomes, counts, scores, what is tested, and how a run ended."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from belot_conformance.house_suite.table import RuleTest, TableSuite
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
from belot_conformance.suite.verdicts import NOT_ASKED, OF_CASES, OUTCOMES, Outcome, Provenance, count
from belot_conformance.text.page import Page
from belot_spec.words import English

OUTCOME_WORDS: Final = English(__name__, "outcomes")
PROVENANCE_WORDS: Final = English(__name__, "provenances")
ENDING_WORDS: Final = English(__name__, "endings")
ENDING_SIGNS: Final[Mapping[str, str]] = {
    ending: {"passed": "✓", "part": "◐"}.get(ending, "✗") for ending in get_args(Ending)
}
_SENTENCES: Final = English(__name__, "verdicts")
_SHAPES: Final = English(__name__, "shapes")
_NOTES: Final = English(__name__, "run-notes")
_COUNTS: Final = English(__name__, "counts")
DRAWN_WORDS: Final = English(__name__, "drawn")


def ending_mark(run: Run) -> str:
    """Return how a run ended as a sign and a word: ``✓ PASSED``."""
    how = ending(run)
    return f"{ENDING_SIGNS[how]} {ENDING_WORDS[how]}"


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
    lines = [*run.notes, *_told_of_deals(run), *_told_of_fields(run)]
    answers = answers_of(run.verdicts)
    if sum(answers.values()) != sum(sum(table.provenances.values()) for table in run.tables):
        lines.append(f"{_answers(answers)}.")
    lines += table_lines(run.tables)
    # How many of the questions with which the check ended were right.
    if counts := right_of(run.drawn):
        told = (DRAWN_WORDS.say(kind, right=right, asked=asked) for kind, (right, asked) in counts.items())
        lines.append(DRAWN_WORDS.say("all", counts=", ".join(told)))
    lines += _told_of_situations(run)
    asked = {verdict.planned.case.operation for verdict in run.verdicts}
    if empty := ", ".join(one for one in by_operation(run) if one not in asked):
        lines.append(_NOTES.say("empty", operations=empty))
    return lines


def _told_of_situations(run: Run) -> Iterator[str]:
    """Say how many of the situations of each operation were asked about often enough, of all profiles together."""
    counts: dict[str, list[Covering]] = {}
    for found in run.situations.values():
        for operation, one in found.items():
            counts.setdefault(operation, []).append(one)
    if counts:
        told = {name: (sum(len(one.counts) - len(one.seldom) for one in some), sum(len(one.counts) for one in some))
                for name, some in counts.items()}  # fmt: skip
        listed = ", ".join(f"{name} {often}/{every}" for name, (often, every) in told.items())
        yield DRAWN_WORDS.say("situations", least=LEAST, listed=listed)


def _told_of_deals(run: Run) -> Iterator[str]:
    """Say in which shape a program was asked whole deals and counts, and how many could not be asked so."""
    shape = run.hello.shape
    deals = [one for one in run.verdicts if one.planned.case.operation == "replay"]
    asked = sum(one.was_asked for one in deals)
    left = sum(one.detail in NOT_TOLD_SO for one in deals)
    if shape.deals != "deck":
        yield _NOTES.say(shape.deals, asked=asked, left=left)
    if shape.announcing == "automatic" and shape.deals != "tricks":
        yield _NOTES.say("automatic", asked=asked, left=left)
    if shape.last_trick == "apart":
        yield _NOTES.say("apart")
    if shape.knows:
        yield _NOTES.say("knows", left=sum(one.detail == NOT_KNOWN for one in run.verdicts))


def _told_of_fields(run: Run) -> Iterator[str]:
    """Say of how many answers only some fields are compared, and how many have none of those."""
    if not (given := given_fields(run)):
        return
    left = sum(one.detail == NONE_OF_ITS_FIELDS for one in run.verdicts if one.planned.case.operation in given)
    named = "; ".join(f"{operation}: {', '.join(names)}" for operation, names in given.items())
    yield _SHAPES.say("without-fields" if left else "fields", named=named, left=left)


def given_fields(run: Run) -> dict[str, Sequence[str]]:
    """Return the fields that are compared in each operation of a run of which the program gives only some."""
    fields = run.hello.shape.fields
    return {operation: fields[operation] for operation in by_operation(run) if operation in fields}


def row_title(run: Run, operation: str) -> str:
    """Return how the row of an operation is headed: with the fields that are compared, where they are not all."""
    fields = run.hello.shape.fields.get(operation)
    if fields is None:
        return operation
    return _SHAPES.say("row", operation=operation, fields=", ".join(fields))


def tell_verdict(page: Page, words: English, name: str, passed: bool, /, **values: Any) -> None:
    """Say how it ended by a text of a table of words, which also holds the mark of what passed and of what failed."""
    mark = words.say("mark_passed" if passed else "mark_failed")
    page.verdict(words.say(name, **values), "bold green" if passed else "bold red", mark)


def tell_counts(page: Page, run: Run, columns: Mapping[str, Collection[Outcome]]) -> None:
    """Tell of each operation that the program declares, and of all, how many cases had an outcome of each heading.

    A heading under which nothing would stand is left out, but for those of what passed and failed.
    """
    words, shown = _COUNTS, declared(run)
    found = occurring(count(shown))
    columns = {title: outcomes for title, outcomes in columns.items() if not found.keys().isdisjoint(outcomes)}
    columns = {words["cases"]: OUTCOMES, **columns}

    def row(title: str, counts: Mapping[Outcome, int]) -> list[str]:
        numbers = (sum(counts[outcome] for outcome in outcomes) for outcomes in columns.values())
        return [title, *(str(number) if number else "·" for number in numbers)]

    counted = by_operation(run, shown)
    rows = [row(row_title(run, operation), counts) for operation, counts in counted.items()]
    if shown:
        page.table([words["operation"], *columns], rows, total=row(words["all"], count(shown)))
    for line in told_of_undeclared(run):
        page.line(line, style="dim")


def told_of_undeclared(run: Run) -> list[str]:
    """Return what is said of the cases that are about what the program does not declare, if there are any."""
    asked = {one.planned.case_id for one in (*declared(run), *(one for one in run.drawn if one.was_asked))}
    left = len({one.planned.case_id for one in run.verdicts} - asked)
    return [_COUNTS.say("undeclared_one" if left == 1 else "undeclared", n=left)] if left else []


def count_text(counts: Mapping[Outcome, int]) -> str:
    """Return counts as text, leaving out what did not occur: ``151 of 153 passed, 2 failed``."""
    asked = sum(number for outcome, number in counts.items() if outcome not in NOT_ASKED)
    shown = [_COUNTS.say("passed_of", passed=counts["passed"], asked=asked)] if asked else []
    others = (outcome for outcome, number in counts.items() if number and outcome != "passed")
    shown += [f"{counts[outcome]} {OUTCOME_WORDS[outcome]}" for outcome in others]
    return ", ".join(shown) if shown else _NOTES["nothing"]


_SHOWN: Final = 4
_TABLES: Final = English(__name__, "tables")
_ANSWERS: Final = English(__name__, "answers")
_ONE: Final = English(__name__, "one-answer")


def table_lines(tables: Sequence[TableSuite]) -> Iterator[str]:
    """Yield what a report says of the tables of a run, a sentence each: all of one table, the sums of several."""
    if not tables:
        return
    yield _tested(tables)
    groups: dict[tuple[str, ...], list[RuleTest]] = {}
    for test in (test for table in tables for test in table.tests if test.undeclared):
        groups.setdefault(test.undeclared, []).append(test)
    if groups:
        # Whoever named the rules of a table wants to know which of them are left.
        named = len(tables) == 1 and (bool(tables[0].asked_as) or len(groups) <= _SHOWN)
        told = [_group(operations, tests, named=named) for operations, tests in groups.items()]
        yield _TABLES.say("undeclared", groups=", ".join(told))
    if len(tables) > 1:
        return
    if unshown := [test for test in tables[0].tests if not test.shown]:
        yield _TABLES.say("unshown", rules=_named(unshown))
    if tables[0].left_out:
        counted = (f"{n} {reason}" for reason, n in tables[0].left_out.items())
        yield _TABLES.say("left-out", reasons=", ".join(counted))


def _tested(tables: Sequence[TableSuite]) -> str:
    counts = {kind: sum(table.provenances[kind] for table in tables) for kind in OF_CASES}
    whose = tables[0].profile.id if len(tables) == 1 else _TABLES.say("variants", n=len(tables))
    tested = sum(test.tested for table in tables for test in table.tests)
    shown = sum(test.shown for table in tables for test in table.tests)
    name = "all-tested" if tested == shown else "tested"
    return _TABLES.say(name, tested=tested, all=shown, whose=whose, answers=_answers(counts))


def _group(operations: tuple[str, ...], tests: Sequence[RuleTest], *, named: bool) -> str:
    told: dict[str, Any] = {"n": len(tests), "operations": ", ".join(operations)}
    return _TABLES.say("group", **told, rules=_named(tests)) if named else _TABLES.say("counted", **told)


def _named(tests: Sequence[RuleTest]) -> str:
    """Return the ids of rules, the first few by name."""
    shown = ", ".join(test.rule for test in tests[:_SHOWN])
    return shown if len(tests) <= _SHOWN else _TABLES.say("more", rules=shown, n=len(tests) - _SHOWN)


def _answers(counts: Mapping[Provenance, int]) -> str:
    shown = [kind for kind in counts if counts[kind] or kind in ("worked-out", "derived")]
    return ", ".join((_ONE if counts[kind] == 1 else _ANSWERS).say(kind, n=counts[kind]) for kind in shown)
