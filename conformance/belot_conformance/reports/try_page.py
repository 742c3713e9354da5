"""What ``belot adapter try`` says: a first look at a program in which every operation is explained."""

from collections.abc import Iterator
from typing import Final

from belot_conformance.reports.report import notes_of, rulings_of
from belot_conformance.rules.reading import as_runs
from belot_conformance.suite.verdicts import Verdict
from belot_conformance.table.smoke import EASY_FIRST, Finding, SmokeReport
from belot_conformance.table.smoke_page import print_smoke
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.spec import Spec
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "try-page")
_ASKS: Final = Words(__name__, "operation-asks")


def print_try(page: Page, report: SmokeReport, spec: Spec, language: Language) -> None:
    """Print a first look: of each operation what it asks, the question, its right answer and the rules behind that."""

    def explain(finding: Finding) -> Iterator[tuple[str, str]]:
        if finding.verdict is not None:
            yield from _why(finding.verdict, spec, language)
        elif finding.level == "missing" and finding.about == "operations" and report.hello is not None:
            declared = report.hello.operations
            for operation in (operation for operation in EASY_FIRST if operation not in declared):
                yield operation, _ASKS.say(operation, language)

    print_smoke(page, report, language, explain)


def _why(verdict: Verdict, spec: Spec, language: Language) -> Iterator[tuple[str, str]]:
    words, case = _WORDS.in_language(language), verdict.planned.case
    for note in notes_of(verdict, spec, language):
        yield words["rule"], f"{note.sentence} ({note.id}; {note.basis})"
    for ruling in rulings_of(verdict, spec):
        yield words["ruling"], f"{ruling.id}, {ruling.title.in_language(language)}"
    if case.statements:
        yield words["from"], ", ".join(as_runs(case.statements))
