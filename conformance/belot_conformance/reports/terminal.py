"""The report of a run for people at a terminal, in English or Dutch, within 80 columns."""

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from shlex import quote, split
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as RichText

from belot_conformance.diagnosis.likeness import first_said
from belot_conformance.reports.report import Run, again, by_operation, ending, failures, notes_of, refused_actions
from belot_conformance.reports.words import (
    OUTCOME_WORDS,
    PROVENANCE_WORDS,
    ending_mark,
    ending_sentence,
    row_title,
    told_of_tables,
)
from belot_conformance.rules.reading import as_runs
from belot_conformance.suite.compare import Difference
from belot_conformance.suite.differing import OTHER_KIND, smallest
from belot_conformance.suite.verdicts import OUTCOMES, Outcome, Verdict, count
from belot_conformance.text.brief import brief
from belot_conformance.text.printable import printable
from belot_spec.catalogue import Language
from belot_spec.spec import Spec
from belot_spec.words import Words

_FIELDS_SHOWN: Final = 12


_WORDS: Final = Words(__name__, "terminal")


def print_report(console: Console, run: Run, spec: Spec, language: Language, show: int) -> None:
    """Print a run: each failure with what was asked, expected and got, then the table and the verdict."""
    words = _WORDS.in_language(language)
    _print_likeness(console, run, language)
    bad = failures(run.verdicts)
    for verdict in bad[:show]:
        print_failure(console, verdict, spec, language, run.asked_with)
    if len(bad) > show:
        console.print(words["more"].format(n=len(bad) - show, all=len(bad)), "\n")
    for incident in run.incidents:
        console.print(f"{words['incident']}: {_quiet(incident)}", markup=False)
    _print_table(console, run, language)
    _print_verdict(console, run, language)


def _print_likeness(console: Console, run: Run, language: Language) -> None:
    """Print first of all which mistake the failures look like most."""
    said = first_said(run.likenesses)
    for likeness in said:
        console.print(RichText(likeness.sentence.in_language(language), style="bold"))
    for likeness in said[-1:]:
        console.print(RichText(likeness.evidence.in_language(language)), "\n")


def print_failure(
    console: Console, verdict: Verdict, spec: Spec, language: Language, asked_with: Sequence[str] = ()
) -> None:
    """Print what was asked, expected and got in one case that went wrong, the rules it pins, and how to ask again."""
    words = _WORDS.in_language(language)
    case = verdict.planned.case
    outcome = OUTCOME_WORDS[verdict.outcome].in_language(language).upper()
    console.print(RichText(f"✗ {outcome} {case.id} {case.title.in_language(language)}", style="bold red"))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", no_wrap=True, min_width=9)
    grid.add_column(overflow="fold")
    for label, shown in _failure_lines(verdict, spec, language):
        grid.add_row(label, RichText(_quiet(shown)) if isinstance(shown, str) else shown)
    console.print(Padding(grid, (0, 0, 0, 2)))
    _print_again(console, words["again"], again(verdict, asked_with))
    console.print()


def failure_text(
    verdict: Verdict, spec: Spec, language: Language, asked_with: Sequence[str] = (), width: int = 80
) -> str:
    """Return what ``print_failure`` prints, as plain text."""
    page = Console(file=StringIO(), width=width, color_system=None, highlight=False)
    print_failure(page, verdict, spec, language, asked_with)
    text: str = page.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") + "\n"


def _failure_lines(verdict: Verdict, spec: Spec, language: Language) -> Iterator[tuple[str, str | Table]]:
    words = _WORDS.in_language(language)
    case = verdict.planned.case
    provenance = PROVENANCE_WORDS[verdict.planned.provenance].in_language(language)
    yield "", f"{case.operation}, {verdict.planned.profile}, {provenance}"
    yield words["asked"], brief(case.input)
    yield from _answer_lines(verdict, words)
    for place, action in refused_actions(verdict):
        yield words["refused"].format(at=place), brief(action)
    for note in notes_of(verdict, spec, language):
        yield words["rule"], f"{note.sentence} ({note.id}; {note.basis})"
    if case.statements:
        yield words["statements"], ", ".join(as_runs(case.statements))
    if case.note is not None:
        yield words["note"], case.note.in_language(language)
    if verdict.stderr:
        yield words["stderr"], verdict.stderr


def _answer_lines(verdict: Verdict, words: Mapping[str, str]) -> Iterator[tuple[str, str | Table]]:
    """Yield what was expected and what came: both whole, or the fields that differ when there are several."""
    case = verdict.planned.case
    found = smallest(case.operation, verdict.differences)
    one_kind = bool(found) and all(difference.field != OTHER_KIND for difference in found)
    if len(case.expected) > 1 or not one_kind:
        yield words["expected"], f" {words['or']} ".join(brief({one.kind: one.fields}) for one in case.expected)
        yield words["came"], brief(verdict.came) if verdict.came is not None else verdict.detail
    elif len(found) == 1:
        yield words["expected"], brief({found[0].field: found[0].expected})
        yield words["came"], brief({found[0].field: found[0].came})
    if one_kind and len(found) > 1:
        yield words["differs"], _fields(found, words)


def _fields(found: Sequence[Difference], words: Mapping[str, str]) -> Table:
    """Return the fields that differ beside what was expected and what came."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("field", "expected", "came"):
        table.add_column(words[heading], overflow="fold")
    for difference in found[:_FIELDS_SHOWN]:
        cells = (difference.field, brief(difference.expected), brief(difference.came))
        table.add_row(*(RichText(_quiet(cell)) for cell in cells))
    if len(found) > _FIELDS_SHOWN:
        table.add_row(words["more_fields"].format(n=len(found) - _FIELDS_SHOWN))
    return table


def _quiet(text: str) -> str:
    """Write out what a terminal would act on: a program under test may say anything."""
    return "\n".join(map(printable, text.split("\n")))


def _print_again(console: Console, label: str, command: str) -> None:
    """Print a command so that it can be copied: broken between words only, and each break escaped for the shell."""
    lines = [""]
    for word in map(quote, split(command)):
        room = console.width - 4 - (8 if len(lines) == 1 else 0)
        if lines[-1] and len(lines[-1]) + len(word) + 3 > room:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    for index, line in enumerate(lines):
        start = f"  {label:<9} " if index == 0 else "    "
        console.print(RichText(start + line + (" \\" if index < len(lines) - 1 else "")), soft_wrap=True)


def _print_table(console: Console, run: Run, language: Language) -> None:
    words = _WORDS.in_language(language)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(words["operation"])
    for heading in ("planned", "passed", "failed", "faults", "unsupported"):
        table.add_column(words[heading], justify="right")
    for operation, counts in by_operation(run).items():
        table.add_row(row_title(run, operation, language), *_row(counts))
    table.add_section()
    table.add_row(words["total"], *_row(count(run.verdicts)), style="bold")
    console.print(table)
    if any(_faults(counts) for counts in by_operation(run).values()):
        console.print(words["faults_note"], style="dim")


def _row(counts: Mapping[Outcome, int]) -> list[str]:
    numbers = (sum(counts.values()), counts["passed"], counts["failed"], _faults(counts), counts["unsupported"])
    return [str(number) if number else "·" for number in numbers]


def _faults(counts: Mapping[Outcome, int]) -> int:
    return sum(counts[outcome] for outcome in OUTCOMES if outcome not in ("passed", "failed", "unsupported", "skipped"))


def _print_verdict(console: Console, run: Run, language: Language) -> None:
    style = "bold yellow" if ending(run) == "part" else "bold green" if run.passed else "bold red"
    mark = ending_mark(run, language)
    console.print()
    console.print(RichText.assemble((mark, style), f"  {_quiet(ending_sentence(run, language))}"), soft_wrap=False)
    for line in told_of_tables(run):
        console.print(RichText(_quiet(line.in_language(language))))
