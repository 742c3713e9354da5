"""What ``belot adapter try`` says: a first look at a program, with every operation explained or in short."""

from collections.abc import Iterator
from typing import Final

from belot_conformance.house_suite.smoke import Finding, SmokeReport
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.reports.report import notes_of, rulings_of
from belot_conformance.reports.terminal import wanted
from belot_conformance.rules.reading import as_runs
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.spec import Spec
from belot_spec.words import English

_WORDS: Final = English(__name__, "try-page")
_SMOKE_WORDS: Final = English(__name__, "smoke-page")
_MARKS: Final = {"right": ("✓", "green"), "wrong": ("✗", "bold red"), "missing": ("·", "dim")}


def print_smoke(page: Page, report: SmokeReport, spec: Spec | None = None) -> None:
    """Print each finding with its mark, and what to do next.

    With a ``spec`` each operation is explained: what it asks, the question, its right answer and the rules behind that.
    """
    names = {one.about: one.about for one in report.findings}
    names |= {about: _SMOKE_WORDS.say(about) for about in names if about in _SMOKE_WORDS}
    width = 2 + max(map(len, names.values()), default=0)
    for finding in report.findings:
        mark, style = _MARKS[finding.level]
        said = finding.said
        page.labelled(f"{mark} {names[finding.about]}", said, width=width, style=style)
        for line in finding.details.splitlines():
            page.labelled("", line, width=width)
        lines = [*_answered(finding)] if spec is not None or finding.level == "wrong" else []
        lines += [] if spec is None else _explained(finding, report, spec)
        for label, text in lines:
            page.labelled("", f"{label}: {text}", width=width)
    _print_advice(page, report)


def _explained(finding: Finding, report: SmokeReport, spec: Spec) -> Iterator[tuple[str, str]]:
    """Yield the rules behind an answer, each with its label; of operations that are not declared what they ask."""
    words = _WORDS
    if (verdict := finding.verdict) is not None:
        for note in notes_of(verdict, spec):
            yield (
                words["rule"],
                f"{note.sentence.en} ({note.id}; {note.basis})",
            )
        for ruling in rulings_of(verdict, spec):
            yield words["ruling"], f"{ruling.id}, {ruling.title.en}"
        if statements := verdict.planned.case.statements:
            yield words["from"], ", ".join(as_runs(statements))
    elif finding.level == "missing" and finding.about == "operations" and report.hello is not None:
        declared = report.hello.operations
        for operation in (operation for operation in EASY_FIRST if operation not in declared):
            yield operation, OPERATIONS[operation].asks.en


def _print_advice(page: Page, report: SmokeReport) -> None:
    if report.advice:
        page.blank()
        page.line(_SMOKE_WORDS.say("next"))
    for text in report.advice:
        said, _, command = text.partition("\n")
        page.line(f"- {said}", hang=2)
        if command:
            # A command is for copying, so it is not broken into lines.
            page.verbatim(f"    {command}")


def _answered(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield what was asked and what would be right, and where that did not come, what did."""
    if (verdict := finding.verdict) is None:
        return
    words, case = _SMOKE_WORDS, verdict.planned.case
    yield f"{words['asked']} ({case.id})", brief(case.input)
    yield words["expected"], wanted(verdict, words["or"])
    if verdict.came is not None and finding.level == "wrong":
        yield words["came"], brief(verdict.came, case.expected[0].message)
