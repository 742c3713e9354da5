"""Reports held against each other: what got better and worse from one to the next, or several side by side."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from belot_conformance.reports.words import DRAWN_WORDS, OUTCOME_WORDS
from belot_conformance.suite.verdicts import COUNTED_APART, NOT_ASKED, Outcome
from belot_conformance.text.page import Page
from belot_spec.catalogue import text_of
from belot_spec.errors import Problem, SpecError, refuse
from belot_spec.files import read_json
from belot_spec.load.schemas import explain, is_valid
from belot_spec.words import English

Report = Mapping[str, Any]
# In the order in which they are told.
Change = Literal["worse", "better", "other"]
_IN_JSON: Final[tuple[Change, ...]] = ("better", "worse", "other")

_MOST_PROBLEMS: Final = 10
# In bytes: a report of a run in which every case failed at great length.
_LARGEST: Final = 200_000_000
# What is told again of a run, and of a case.
_RUN: Final = ("target", "suite", "passed", "totals")
_CASE: Final = ("id", "title", "operation", "profile")
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
class DrawnOutcome:
    """How many questions of one kind that is counted apart were right of those asked, before and after."""

    kind: str
    before: "Passed"
    after: "Passed"

    @property
    def change(self) -> Change | None:
        """Whether fewer or more of them are wrong; ``None`` for as many, which need not be the same ones."""
        more = self.after.wrong - self.before.wrong
        return "worse" if more > 0 else "better" if more < 0 else None


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """What two reports say of the cases in both, which cases stand in one only, and how the runs were unlike.

    ``drawn`` are the questions beyond the cases, which are counted, each kind that both asked.
    """

    old: Report
    new: Report
    unlike: tuple[tuple[str, str, str], ...]
    both: int
    changed: tuple[OutcomeChange, ...]
    rules: tuple[RuleOutcome, ...]
    appeared: tuple[Report, ...]
    gone: tuple[Report, ...]
    drawn: tuple[DrawnOutcome, ...]

    @property
    def is_worse(self) -> bool:
        """Whether a case got worse, or more questions beyond the cases are wrong."""
        return bool(self.of("worse")) or any(one.change == "worse" for one in self.drawn)

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
    both = [(before[name], case) for name, case in after.items() if name in before]
    changes = (OutcomeChange(case, earlier["outcome"], case["outcome"]) for earlier, case in both)
    cases = _pinned(case for _, case in both)
    was, now = (_pinned(pair[1] for pair in both if pair[side]["outcome"] == "passed") for side in (0, 1))
    return ReportComparison(
        old,
        new,
        tuple(_unlike(old, new)),
        len(both),
        tuple(one for one in changes if one.before != one.after),
        tuple(RuleOutcome(rule, cases[rule], was[rule], now[rule]) for rule in sorted(cases) if was[rule] != now[rule]),
        tuple(case for name, case in after.items() if name not in before),
        tuple(case for name, case in before.items() if name not in after),
        tuple(_drawn(old, new)),
    )


def _drawn(old: Report, new: Report) -> Iterable[DrawnOutcome]:
    """Yield what was asked in both runs beyond the cases, kind by kind: a report holds how much of it was right."""
    for kind in COUNTED_APART:
        before, after = (report.get("drawn", {}).get(kind) for report in (old, new))
        if before is not None and after is not None:
            yield DrawnOutcome(kind, *(Passed(one["right"], one["asked"]) for one in (before, after)))


def _name(case: Report) -> tuple[str, str]:
    return case["id"], case["profile"]


def _pinned(cases: Iterable[Report]) -> Counter[str]:
    """Count how many of the cases pin each rule."""
    return Counter(rule for case in cases for rule in case["rules"])


def _step(outcome: Outcome) -> int:
    """Return a step: a case that moves to a higher one gets better."""
    return 2 if outcome == "passed" else 1 if outcome in NOT_ASKED else 0


def _unlike(old: Report, new: Report) -> Iterable[tuple[str, str, str]]:
    """Yield in what the two runs were not alike: the program, its version, how it was called, the suite."""
    for key in ("name", "version", "command", "suite"):
        one, other = (report["suite"] if key == "suite" else report["target"][key] for report in (old, new))
        if one != other:
            yield key, one, other


def as_json(found: ReportComparison) -> dict[str, Any]:
    """Return a comparison as JSON values; its schema is ``spec/schema/report-comparison.schema.json``."""
    changed: dict[str, list[Report]] = {
        change: [
            {**_part(one.case, *_CASE, "rules"), "before": one.before, "after": one.after} for one in found.of(change)
        ]
        for change in _IN_JSON
    }
    return {
        "comparison": 1,
        "old": _part(found.old, *_RUN),
        "new": _part(found.new, *_RUN),
        "unlike": {key: {"old": old, "new": new} for key, old, new in found.unlike},
        "in_both": found.both,
        **changed,
        "rules": [
            {"id": rule.id, "cases": rule.cases, "passed_before": rule.before, "passed_after": rule.after}
            for rule in found.rules
        ],
        "drawn": {one.kind: {"before": _counted(one.before), "after": _counted(one.after)} for one in found.drawn},
        "appeared": [_part(case, *_CASE, "outcome") for case in found.appeared],
        "gone": [_part(case, *_CASE, "outcome") for case in found.gone],
    }


def _counted(one: "Passed") -> Report:
    return {"asked": one.asked, "right": one.passed}


def _part(values: Report, *keys: str) -> Report:
    return {key: values[key] for key in keys}


_MOST_LISTED: Final = 200
_WORDS: Final = English(__name__, "comparison")


def print_comparison(page: Page, found: ReportComparison) -> None:
    """Tell what got worse first, then what got better, the rules, and the cases in one report only."""

    def told(case: Report, *outcomes: Outcome) -> str:
        became = " → ".join(OUTCOME_WORDS.say(outcome) for outcome in outcomes)
        title = text_of(case["title"]).en
        return f"{case['id']} {title} ({case['operation']}, {case['profile']}): {became}"

    old, new = (
        f"{one['target']['name']} {one['target']['version']} (suite {one['suite']})" for one in (found.old, found.new)
    )
    page.title(f"{old} → {new}")
    for key, was, now in found.unlike:
        page.line(f"! {_WORDS.say(key)}: {was} → {now}", hang=2)
    sections = {
        **{change: [told(one.case, one.before, one.after) for one in found.of(change)] for change in get_args(Change)},
        "rules": [_rule(rule) for rule in found.rules],
        "drawn": [_told_drawn(one) for one in found.drawn if one.before != one.after],
        "appeared": [told(case, case["outcome"]) for case in found.appeared],
        "gone": [told(case, case["outcome"]) for case in found.gone],
    }
    for name, lines in sections.items():
        if lines:
            page.heading(f"{_WORDS.say(name)} ({len(lines)})", fold="open" if name == "worse" else "closed")
        for line in lines[:_MOST_LISTED]:
            page.line(line, indent=2, hang=2)
        if len(lines) > _MOST_LISTED:
            page.line(_WORDS.say("more", n=len(lines) - _MOST_LISTED), indent=2)
    worse, better = len(found.of("worse")), len(found.of("better"))
    is_changed = worse or better or any(one.change for one in found.drawn)
    key = "none" if not found.both else "sum" if is_changed else "same"
    sign = "✗" if found.is_worse else "✓" if found.both else "!"
    said = _WORDS.say(key, worse=worse, better=better, both=found.both)
    said += "".join(f"; {_WORDS.say(f'drawn-{change}', n=n)}" for change, n in _more_wrong(found).items() if n)
    page.verdict(f"{sign} {said}", "bold red" if found.is_worse else "bold")


def _more_wrong(found: ReportComparison) -> dict[Change, int]:
    """Return how many more questions beyond the cases are wrong than before, and how many fewer, kind by kind."""
    more = [one.after.wrong - one.before.wrong for one in found.drawn]
    return {"worse": sum(max(0, n) for n in more), "better": sum(max(0, -n) for n in more)}


def _told_drawn(one: DrawnOutcome) -> str:
    was, now = (DRAWN_WORDS.say(one.kind, right=each.passed, asked=each.asked) for each in (one.before, one.after))
    return f"{'▼' if one.change == 'worse' else '▲'} {was} → {now}"


def _rule(rule: RuleOutcome) -> str:
    passed = _WORDS.say("passed", before=rule.before, cases=rule.cases, after=rule.after)
    return f"{'▲' if rule.after > rule.before else '▼'} {rule.id}: {passed}"


MATRIX_VERSION: Final = 1
_MATRIX_WORDS: Final = English(__name__, "report-matrix")


@dataclass(frozen=True, slots=True)
class Passed:
    """How many cases that pin a rule were passed, of those that were asked."""

    passed: int
    asked: int

    @property
    def wrong(self) -> int:
        """How many of those asked were not passed."""
        return self.asked - self.passed

    def __str__(self) -> str:
        """Return it as text, a dot where nothing was asked."""
        return f"{self.passed}/{self.asked}" if self.asked else "·"


@dataclass(frozen=True, slots=True)
class ReportMatrix:
    """What stands in several reports, rule by rule; the last row is of all cases, those that pin no rule too."""

    reports: Sequence[Report]
    rules: Mapping[str, Sequence[Passed]]
    all: Sequence[Passed]


def side_by_side(reports: Sequence[Report]) -> ReportMatrix:
    """Return reports side by side, in the order given; rules in the order of their ids."""
    asked = [[case for case in report["cases"] if case["outcome"] not in NOT_ASKED] for report in reports]
    passed = [[case for case in cases if case["outcome"] == "passed"] for cases in asked]
    counted = list(zip(map(_pinned, passed), map(_pinned, asked), strict=True))
    names = sorted({rule for _, of_asked in counted for rule in of_asked})
    rows = {rule: [Passed(right[rule], of_asked[rule]) for right, of_asked in counted] for rule in names}
    return ReportMatrix(reports, rows, list(map(Passed, map(len, passed), map(len, asked))))


def matrix_json(found: ReportMatrix) -> dict[str, Any]:
    """Return the matrix as JSON values: per rule, and of all cases, passed and asked in the order of the reports."""
    told = {rule: [asdict(one) for one in row] for rule, row in found.rules.items()}
    programs = [{"name": one["target"]["name"], "version": one["target"]["version"]} for one in found.reports]
    return {"matrix": MATRIX_VERSION, "programs": programs, "rules": told, "all": [asdict(one) for one in found.all]}


def print_matrix(page: Page, found: ReportMatrix) -> None:
    """Tell the rules in which somebody is wrong, with a column for each report, and how many are right with all."""
    for number, report in enumerate(found.reports, start=1):
        target = report["target"]
        page.line(f"{number}: {target['name']} {target['version']}")
    page.blank()
    # The rules of which somebody who was asked does not pass everything.
    differing = {rule: row for rule, row in found.rules.items() if any(one.passed < one.asked for one in row)}
    rows = [(rule, *map(str, row)) for rule, row in differing.items()]
    columns = [str(number) for number in range(1, len(found.reports) + 1)]
    total = (_MATRIX_WORDS.say("all"), *map(str, found.all))
    page.table([_MATRIX_WORDS.say("rule"), *columns], rows, total=total)
    page.line(_MATRIX_WORDS.say("right", n=len(found.rules) - len(differing)))
