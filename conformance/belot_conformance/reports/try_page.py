"""What ``belot adapter try`` says: a first look at a program in which every operation is explained."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from belot_conformance.house_suite.smoke import Finding, SmokeReport
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.reports.report import notes_of, rulings_of
from belot_conformance.rules.reading import as_runs
from belot_conformance.suite.verdicts import Verdict
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.spec import Spec
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "try-page")
_SMOKE_WORDS: Final = Words(__name__, "smoke-page")
_MARKS: Final = {"right": ("✓", "green"), "wrong": ("✗", "bold red"), "missing": ("·", "dim")}

# Further lines about a finding, each with a label.
Explained = Iterable[tuple[str, str]]


def print_try(page: Page, report: SmokeReport, spec: Spec, language: Language) -> None:
    """Print a first look: of each operation what it asks, the question, its right answer and the rules behind that."""

    def explain(finding: Finding) -> Iterator[tuple[str, str]]:
        if finding.verdict is not None:
            yield from _why(finding.verdict, spec, language)
        elif finding.level == "missing" and finding.about == "operations" and report.hello is not None:
            declared = report.hello.operations
            for operation in (operation for operation in EASY_FIRST if operation not in declared):
                yield operation, OPERATIONS[operation].asks.in_language(language)

    print_smoke(page, report, language, explain)


def _why(verdict: Verdict, spec: Spec, language: Language) -> Iterator[tuple[str, str]]:
    words, case = _WORDS.in_language(language), verdict.planned.case
    for note in notes_of(verdict, spec, language):
        yield words["rule"], f"{note.sentence} ({note.id}; {note.basis})"
    for ruling in rulings_of(verdict, spec):
        yield words["ruling"], f"{ruling.id}, {ruling.title.in_language(language)}"
    if case.statements:
        yield words["from"], ", ".join(as_runs(case.statements))


def print_smoke(
    page: Page, report: SmokeReport, language: Language, explain: Callable[[Finding], Explained] | None = None
) -> None:
    """Print each finding with its mark, and what to do next.

    With ``explain``, the question and its right answer are there whatever came, and then what it says of the finding.
    """
    names = {one.about: one.about for one in report.findings}
    names |= {about: _SMOKE_WORDS.say(about, language) for about in names if about in _SMOKE_WORDS}
    width = 2 + max(map(len, names.values()), default=0)
    for finding in report.findings:
        mark, style = _MARKS[finding.level]
        said = finding.said.in_language(language)
        page.labelled(f"{mark} {names[finding.about]}", said, width=width, style=style)
        for line in finding.details.splitlines():
            page.labelled("", line, width=width)
        lines = [*_answered(finding, language)] if explain or finding.level == "wrong" else []
        for label, text in [*lines, *(explain(finding) if explain else ())]:
            page.labelled("", f"{label}: {text}", width=width)
    _print_advice(page, report, language)


def _print_advice(page: Page, report: SmokeReport, language: Language) -> None:
    if report.advice:
        page.blank()
        page.line(_SMOKE_WORDS.say("next", language))
    for text in report.advice:
        said, _, command = text.in_language(language).partition("\n")
        page.line(f"- {said}", hang=2)
        if command:
            # A command is for copying, so it is not broken into lines.
            page.verbatim(f"    {command}")


def _answered(finding: Finding, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what was asked and what would be right, and where that did not come, what did."""
    if finding.verdict is None:
        return
    words = _SMOKE_WORDS.in_language(language)
    case, came = finding.verdict.planned.case, finding.verdict.came
    yield f"{words['asked']} ({case.id})", brief(case.input)
    wanted = [{one.kind: one.fields} for one in case.expected]
    yield words["expected"], f" {words['or']} ".join(brief(one, came) for one in wanted)
    if came is not None and finding.level == "wrong":
        yield words["came"], brief(came, wanted[0])
