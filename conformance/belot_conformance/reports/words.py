"""The words of a report in English and Dutch: outcomes, counts, and the sentence that says how a run ended."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from belot_conformance.reports.report import Ending, Run, answers_of, by_operation, ending
from belot_conformance.reports.table_words import answers_line, table_lines
from belot_conformance.suite.shapes import NONE_OF_ITS_FIELDS
from belot_conformance.suite.told_deals import NOT_TOLD_SO
from belot_conformance.suite.verdicts import Outcome, count
from belot_spec.catalogue import Language, Text
from belot_spec.words import Words

OUTCOME_WORDS: Final = Words(__name__, "outcomes")

PROVENANCE_WORDS: Final = Words(__name__, "provenances")

ENDING_WORDS: Final = Words(__name__, "endings")

ENDING_SIGNS: Final[Mapping[str, str]] = {
    ending: {"passed": "✓", "part": "◐"}.get(ending, "✗") for ending in get_args(Ending)
}

_SENTENCES: Final = Words(__name__, "verdicts")

_SHAPES: Final = Words(__name__, "shapes")
_NOTES: Final = Words(__name__, "run-notes")


def ending_mark(run: Run, language: Language) -> str:
    """Return how a run ended as a sign and a word: ``✓ PASSED``."""
    how = ending(run)
    return f"{ENDING_SIGNS[how]} {ENDING_WORDS[how].in_language(language)}"


def ending_sentence(run: Run, language: Language) -> str:
    """Return the sentence that says how a run ended, with the counts of its outcomes."""
    sentence, told = ending_parts(run, language)
    return sentence.format(**told)


def ending_parts(run: Run, language: Language) -> tuple[str, dict[str, str]]:
    """Return that sentence with its places open, and what stands in them: some of it is the program's own word."""
    how: str = "excused" if run.passed and any(verdict.excuse for verdict in run.verdicts) else ending(run)
    named = next((one.planned.profile for one in run.verdicts if one.planned.asked_as), "")
    if how == "passed" and named:
        how = "table"
    counts = count_words(count(run.verdicts), language)
    told = {"name": run.hello.name, "version": run.hello.version, "profile": named, "counts": counts}
    told["n"] = str(len(run.incidents))
    return _SENTENCES[how].in_language(language), told


def told_of_tables(run: Run) -> list[Text]:
    """Return what a report says beside the ending: which names differ, where the answers come from, what they test."""
    lines = [*run.notes, *_told_of_deals(run), *_told_of_fields(run)]
    answers = answers_of(run.verdicts)
    if sum(answers.values()) != sum(sum(table.provenances.values()) for table in run.tables):
        lines.append(answers_line(answers))
    lines += table_lines(run.tables)
    asked = {verdict.planned.case.operation for verdict in run.verdicts}
    empty = ", ".join(one for one in by_operation(run) if one not in asked)
    if empty:
        lines.append(_NOTES.both("empty", operations=empty))
    return lines


def _told_of_deals(run: Run) -> Iterator[Text]:
    """Say in which shape a program was asked whole deals and counts, and how many could not be asked so."""
    shape = run.hello.shape
    deals = [one for one in run.verdicts if one.planned.case.operation == "replay"]
    asked = sum(one.outcome not in ("unsupported", "skipped") for one in deals)
    left = sum(one.detail in NOT_TOLD_SO for one in deals)
    if shape.deals != "deck":
        yield _NOTES.both(shape.deals, asked=asked, left=left)
    if shape.announcing == "automatic" and shape.deals != "tricks":
        yield _NOTES.both("automatic", asked=asked, left=left)
    if shape.last_trick == "apart":
        yield _NOTES.both("apart")


def _told_of_fields(run: Run) -> Iterator[Text]:
    """Say of how many answers only some fields are compared, and how many have none of those."""
    given = given_fields(run)
    if not given:
        return
    asked = [one for one in run.verdicts if one.planned.case.operation in given]
    left = sum(one.detail == NONE_OF_ITS_FIELDS for one in asked)
    named = "; ".join(f"{operation}: {', '.join(names)}" for operation, names in given.items())
    yield _SHAPES.both("without-fields" if left else "fields", named=named, left=left)


def given_fields(run: Run) -> dict[str, tuple[str, ...]]:
    """Return the fields that are compared in each operation of a run of which the program gives only some."""
    fields = run.hello.shape.fields
    return {operation: tuple(fields[operation]) for operation in by_operation(run) if operation in fields}


def row_title(run: Run, operation: str, language: Language) -> str:
    """Return how the row of an operation is headed: with the fields that are compared, where they are not all."""
    fields = run.hello.shape.fields.get(operation)
    if fields is None:
        return operation
    return _SHAPES.say("row", language, operation=operation, fields=", ".join(fields))


def count_words(counts: Mapping[Outcome, int], language: Language) -> str:
    """Return counts as text, leaving out what did not occur: ``151 passed, 2 failed``."""
    shown = [f"{number} {OUTCOME_WORDS[outcome].in_language(language)}" for outcome, number in counts.items() if number]
    return ", ".join(shown) or _NOTES.say("nothing", language)
