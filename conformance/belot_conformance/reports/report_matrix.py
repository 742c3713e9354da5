"""Several reports side by side: what each program, or version of one, passes of each rule."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.reports.comparison import Report
from belot_conformance.suite.verdicts import ACCEPTABLE
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words

MATRIX_VERSION: Final = 1
_NOT_ASKED: Final = "·"
_WORDS: Final = Words(__name__, "report-matrix")


@dataclass(frozen=True, slots=True)
class Passed:
    """How many cases that pin a rule were passed, of those that were asked."""

    passed: int
    asked: int

    def __str__(self) -> str:
        """Return it as text, a dot where nothing was asked."""
        return f"{self.passed}/{self.asked}" if self.asked else _NOT_ASKED


@dataclass(frozen=True, slots=True)
class ReportMatrix:
    """What stands in several reports, rule by rule; the last row is of all cases, those that pin no rule too."""

    reports: Sequence[Report]
    rules: Mapping[str, Sequence[Passed]]
    all: Sequence[Passed]

    def differing(self) -> dict[str, Sequence[Passed]]:
        """Return the rules of which somebody who was asked does not pass everything."""
        return {rule: row for rule, row in self.rules.items() if any(one.passed < one.asked for one in row)}


def side_by_side(reports: Sequence[Report]) -> ReportMatrix:
    """Return reports side by side, in the order given; rules in the order of their ids."""
    counted = [_by_rule(report) for report in reports]
    names = sorted({rule for asked, _ in counted for rule in asked if rule})
    rows = {rule: [Passed(passed[rule], asked[rule]) for asked, passed in counted] for rule in names}
    return ReportMatrix(reports, rows, [Passed(passed[""], asked[""]) for asked, passed in counted])


def _by_rule(report: Report) -> tuple[Counter[str], Counter[str]]:
    """Count what was asked and passed of each rule, and under no name of everything."""
    asked, passed = Counter[str](), Counter[str]()
    for case in report["cases"]:
        if case["outcome"] == "passed" or case["outcome"] not in ACCEPTABLE:
            for rule in ("", *case["rules"]):
                asked[rule] += 1
                passed[rule] += case["outcome"] == "passed"
    return asked, passed


def matrix_json(found: ReportMatrix) -> dict[str, Any]:
    """Return the matrix as JSON values: per rule, and of all cases, passed and asked in the order of the reports."""
    told = {rule: [_json(one) for one in row] for rule, row in found.rules.items()}
    programs = [{"name": one["target"]["name"], "version": one["target"]["version"]} for one in found.reports]
    return {"matrix": MATRIX_VERSION, "programs": programs, "rules": told, "all": [_json(one) for one in found.all]}


def _json(one: Passed) -> dict[str, int]:
    return {"passed": one.passed, "asked": one.asked}


def print_matrix(page: Page, found: ReportMatrix, language: Language) -> None:
    """Tell the rules in which somebody is wrong, with a column for each report, and how many are right with all."""
    for number, report in enumerate(found.reports, start=1):
        target = report["target"]
        page.line(f"{number}: {target['name']} {target['version']}")
    page.blank()
    differing = found.differing()
    rows = [(rule, *map(str, row)) for rule, row in differing.items()]
    columns = [str(number) for number in range(1, len(found.reports) + 1)]
    total = (_WORDS.say("all", language), *map(str, found.all))
    page.table([_WORDS.say("rule", language), *columns], rows, total=total)
    page.line(_WORDS.say("right", language, n=len(found.rules) - len(differing)))
