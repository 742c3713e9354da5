"""What ``belot adapter try`` says: a first look at a program, with every operation explained or in short."""

from belot_conformance.house_suite.smoke import SmokeReport
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.reports.report import notes_of, rulings_of
from belot_conformance.rules.reading import as_runs
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.spec import Spec


def print_smoke(page: Page, report: SmokeReport, spec: Spec | None = None) -> None:
    """Print each finding with its mark, and what to do next.

    With a ``spec`` each operation is explained: what it asks, the question, its right answer and the rules behind that.
    """
    declared = report.hello.operations if report.hello else EASY_FIRST
    verdicts = [one.verdict if spec is not None else None for one in report.findings]
    tell(
        page,
        "try.j2",
        width=2 + max((len(one.about) for one in report.findings), default=0),
        findings=report.findings,
        advice=report.advice,
        is_whole=spec is not None,
        rules=[notes_of(one, spec) if one and spec else () for one in verdicts],
        rulings=[rulings_of(one, spec) if one and spec else () for one in verdicts],
        statements=[as_runs(one.planned.case.statements) if one else () for one in verdicts],
        undeclared={one: OPERATIONS[one].asks.en for one in EASY_FIRST if one not in declared},
    )
