"""Reports held against each other: what got better and worse from one to the next, or several side by side."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.reports.words import OUTCOME_WORDS
from belot_conformance.suite.verdicts import ACCEPTABLE, Outcome
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.errors import Problem, SpecError, refuse
from belot_spec.files import read_json
from belot_spec.load.schemas import explain, is_valid
from belot_spec.words import Words

Report = Mapping[str, Any]
Change = Literal["better", "worse", "other"]

# A case that moved from one of these steps to another got better or worse.
_WRONG, _NOT_ASKED, _RIGHT = range(3)
_MOST_PROBLEMS: Final = 10
# In bytes: a report of a run in which every case failed at great length.
_LARGEST: Final = 200_000_000
_WANTED: Final = "a report is what belot check --report FILE.json writes"


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    """A case that stands in both reports with another outcome."""

    case: Report
    before: Outcome
    after: Outcome

    @property
    def change(self) -> Change:
        """Whether this is better or worse; ``other`` if it went wrong before and goes wrong in another way now."""
        step = _step(self.after) - _step(self.before)
        return "better" if step > 0 else "worse" if step < 0 else "other"


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """A rule of which another number of cases passes, among the cases that stand in both reports."""

    id: str
    cases: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """What two reports say of the cases in both, which cases stand in one only, and how the runs were unlike."""

    old: Report
    new: Report
    unlike: tuple[tuple[str, str, str], ...]
    both: int
    changed: tuple[OutcomeChange, ...]
    rules: tuple[RuleOutcome, ...]
    appeared: tuple[Report, ...]
    gone: tuple[Report, ...]

    def of(self, change: Change) -> list[OutcomeChange]:
        """Return the cases that changed in one way."""
        return [one for one in self.changed if one.change == change]


def read_report(path: Path) -> Report:
    """Read a report in JSON; raises ``SpecError`` with what is wrong if the file holds none."""
    report = read_json(path, _LARGEST, _WANTED)
    if not is_valid(report, "report"):
        raise SpecError(_problems(path, report))
    found: Report = report
    if twice := [name for name, number in Counter(map(_name, found["cases"])).items() if number > 1]:
        case_id, profile = twice[0]
        raise SpecError([Problem(path, 1, "cases", f"the case {case_id} stands here twice for the profile {profile}")])
    refuse(list(_wrong_totals(path, found)))
    return found


def _wrong_totals(path: Path, report: Report) -> Iterable[Problem]:
    """Yield each total that is not the number of cases with that outcome, of all cases for what was planned."""
    counted = Counter(case["outcome"] for case in report["cases"])
    counted["passed"] += report.get("unlisted", 0)
    counted["planned"] = counted.total()
    for outcome, total in report["totals"].items():
        if total != counted[outcome]:
            yield Problem(path, 1, f"totals.{outcome}", f"is {total}, but the cases make it {counted[outcome]}")


def _problems(path: Path, report: Any) -> list[Problem]:
    found = explain(report, "report")
    problems = [Problem(path, 1, ".".join(map(str, key)), message) for key, message in found[:_MOST_PROBLEMS]]
    if len(found) > _MOST_PROBLEMS:
        problems.append(Problem(path, 1, "", f"and {len(found) - _MOST_PROBLEMS} more problems"))
    return [Problem(path, 1, "", f"this is not a report; {_WANTED}"), *problems]


def compare(old: Report, new: Report) -> ReportComparison:
    """Hold a new report against an old one, case by case; a case is known by its id and profile."""
    before, after = ({_name(case): case for case in report["cases"]} for report in (old, new))
    both = [name for name in after if name in before]
    changed = tuple(
        OutcomeChange(after[name], before[name]["outcome"], after[name]["outcome"])
        for name in both
        if before[name]["outcome"] != after[name]["outcome"]
    )
    return ReportComparison(
        old,
        new,
        tuple(_unlike(old, new)),
        len(both),
        changed,
        tuple(_rules([(before[name], after[name]) for name in both])),
        tuple(case for name, case in after.items() if name not in before),
        tuple(case for name, case in before.items() if name not in after),
    )


def _name(case: Report) -> tuple[str, str]:
    return case["id"], case["profile"]


def _step(outcome: Outcome) -> int:
    if outcome == "passed":
        return _RIGHT
    return _NOT_ASKED if outcome in ACCEPTABLE else _WRONG


def _unlike(old: Report, new: Report) -> Iterable[tuple[str, str, str]]:
    """Yield in what the two runs were not alike: the program, its version, how it was called, the suite."""
    for key in ("name", "version", "command"):
        if old["target"][key] != new["target"][key]:
            yield key, old["target"][key], new["target"][key]
    if old["suite"] != new["suite"]:
        yield "suite", old["suite"], new["suite"]


def _rules(pairs: Iterable[tuple[Report, Report]]) -> Iterable[RuleOutcome]:
    cases: Counter[str] = Counter()
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for old, new in pairs:
        for rule in new["rules"]:
            cases[rule] += 1
            before[rule] += old["outcome"] == "passed"
            after[rule] += new["outcome"] == "passed"
    for rule in sorted(cases):
        if before[rule] != after[rule]:
            yield RuleOutcome(rule, cases[rule], before[rule], after[rule])


def as_json(found: ReportComparison) -> dict[str, Any]:
    """Return a comparison as JSON values; its schema is ``spec/schema/report-comparison.schema.json``."""
    return {
        "comparison": 1,
        "old": _run(found.old),
        "new": _run(found.new),
        "unlike": {key: {"old": old, "new": new} for key, old, new in found.unlike},
        "in_both": found.both,
        "better": [_changed(one) for one in found.of("better")],
        "worse": [_changed(one) for one in found.of("worse")],
        "other": [_changed(one) for one in found.of("other")],
        "rules": [
            {"id": rule.id, "cases": rule.cases, "passed_before": rule.before, "passed_after": rule.after}
            for rule in found.rules
        ],
        "appeared": [_alone(case) for case in found.appeared],
        "gone": [_alone(case) for case in found.gone],
    }


def _run(report: Report) -> dict[str, Any]:
    return {key: report[key] for key in ("target", "suite", "passed", "totals")}


def _alone(case: Report) -> dict[str, Any]:
    return {key: case[key] for key in ("id", "title", "operation", "profile", "outcome")}


def _changed(one: OutcomeChange) -> dict[str, Any]:
    named = {key: one.case[key] for key in ("id", "title", "operation", "profile", "rules")}
    return {**named, "before": one.before, "after": one.after}


_MOST_LISTED: Final = 200
_WORDS: Final = Words(__name__, "comparison")
_CHANGES: Final[tuple[Change, ...]] = ("worse", "better", "other")


def print_comparison(page: Page, found: ReportComparison, language: Language) -> None:
    """Tell what got worse first, then what got better, the rules, and the cases in one report only."""
    page.title(f"{_run_name(found.old)} → {_run_name(found.new)}")
    for key, old, new in found.unlike:
        page.line(f"! {_WORDS[key].in_language(language)}: {old} → {new}", hang=2)
    for name, lines in _sections(found, language):
        title = f"{_WORDS.say(name, language)} ({len(lines)})"
        page.heading(title, fold="open" if name == "worse" else "closed")
        for line in lines[:_MOST_LISTED]:
            page.line(line, indent=2, hang=2)
        if len(lines) > _MOST_LISTED:
            page.line(_WORDS.say("more", language, n=len(lines) - _MOST_LISTED), indent=2)
    page.verdict(_sum(found, language), "bold red" if found.of("worse") else "bold")


def _sections(found: ReportComparison, language: Language) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts that hold anything: their name and their lines."""
    parts: dict[str, list[str]] = {
        change: [_changed_line(one, language) for one in found.of(change)] for change in _CHANGES
    }
    parts |= {"rules": [_rule(rule, language) for rule in found.rules]}
    parts |= {"appeared": [_alone_line(case, language) for case in found.appeared]}
    parts |= {"gone": [_alone_line(case, language) for case in found.gone]}
    for name, lines in parts.items():
        if lines:
            yield name, lines


def _run_name(report: Report) -> str:
    return f"{report['target']['name']} {report['target']['version']} (suite {report['suite']})"


def _changed_line(one: OutcomeChange, language: Language) -> str:
    return f"{_case(one.case, language)}: {_outcome(one.before, language)} → {_outcome(one.after, language)}"


def _alone_line(case: Report, language: Language) -> str:
    return f"{_case(case, language)}: {_outcome(case['outcome'], language)}"


def _case(case: Report, language: Language) -> str:
    return f"{case['id']} {case['title'][language]} ({case['operation']}, {case['profile']})"


def _outcome(name: Outcome, language: Language) -> str:
    return OUTCOME_WORDS[name].in_language(language)


def _rule(rule: RuleOutcome, language: Language) -> str:
    sign = "▲" if rule.after > rule.before else "▼"
    passed = _WORDS["passed"].in_language(language)
    return f"{sign} {rule.id}: {passed.format(before=rule.before, cases=rule.cases, after=rule.after)}"


def _sum(found: ReportComparison, language: Language) -> str:
    worse, better = len(found.of("worse")), len(found.of("better"))
    sign = "✗" if worse else "✓"
    if not found.both:
        return f"! {_WORDS['none'].in_language(language)}"
    if not worse and not better:
        return f"{sign} {_WORDS['same'].in_language(language)}"
    return f"{sign} {_WORDS.say('sum', language, worse=worse, better=better, both=found.both)}"


MATRIX_VERSION: Final = 1
_NOBODY_ASKED: Final = "·"
_MATRIX_WORDS: Final = Words(__name__, "report-matrix")


@dataclass(frozen=True, slots=True)
class Passed:
    """How many cases that pin a rule were passed, of those that were asked."""

    passed: int
    asked: int

    def __str__(self) -> str:
        """Return it as text, a dot where nothing was asked."""
        return f"{self.passed}/{self.asked}" if self.asked else _NOBODY_ASKED


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
    told = {rule: [asdict(one) for one in row] for rule, row in found.rules.items()}
    programs = [{"name": one["target"]["name"], "version": one["target"]["version"]} for one in found.reports]
    return {"matrix": MATRIX_VERSION, "programs": programs, "rules": told, "all": [asdict(one) for one in found.all]}


def print_matrix(page: Page, found: ReportMatrix, language: Language) -> None:
    """Tell the rules in which somebody is wrong, with a column for each report, and how many are right with all."""
    for number, report in enumerate(found.reports, start=1):
        target = report["target"]
        page.line(f"{number}: {target['name']} {target['version']}")
    page.blank()
    differing = found.differing()
    rows = [(rule, *map(str, row)) for rule, row in differing.items()]
    columns = [str(number) for number in range(1, len(found.reports) + 1)]
    total = (_MATRIX_WORDS.say("all", language), *map(str, found.all))
    page.table([_MATRIX_WORDS.say("rule", language), *columns], rows, total=total)
    page.line(_MATRIX_WORDS.say("right", language, n=len(found.rules) - len(differing)))
