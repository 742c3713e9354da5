"""Two reports held against each other: what got better and what got worse, by case and by rule."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.suite.verdicts import ACCEPTABLE, Outcome
from belot_spec.errors import Problem, SpecError, refuse
from belot_spec.files import read_json
from belot_spec.schemas import explain, is_valid

Report = Mapping[str, Any]
Change = Literal["better", "worse", "other"]

# A case that moved from one of these steps to another got better or worse.
_WRONG, _NOT_ASKED, _RIGHT = range(3)
_MOST_PROBLEMS: Final = 10
# In bytes: a report of a run in which every case failed at great length.
_LARGEST: Final = 200_000_000
_WANTED: Final = "a report is what belot check --report FILE.json writes"


@dataclass(frozen=True, slots=True)
class Changed:
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
class ChangedRule:
    """A rule of which another number of cases passes, among the cases that stand in both reports."""

    id: str
    cases: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two reports say of the cases in both, which cases stand in one only, and how the runs were unlike."""

    old: Report
    new: Report
    unlike: tuple[tuple[str, str, str], ...]
    both: int
    changed: tuple[Changed, ...]
    rules: tuple[ChangedRule, ...]
    appeared: tuple[Report, ...]
    gone: tuple[Report, ...]

    def of(self, change: Change) -> list[Changed]:
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


def compare(old: Report, new: Report) -> Comparison:
    """Hold a new report against an old one, case by case; a case is known by its id and profile."""
    before, after = ({_name(case): case for case in report["cases"]} for report in (old, new))
    both = [name for name in after if name in before]
    changed = tuple(
        Changed(after[name], before[name]["outcome"], after[name]["outcome"])
        for name in both
        if before[name]["outcome"] != after[name]["outcome"]
    )
    return Comparison(
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


def _rules(pairs: Iterable[tuple[Report, Report]]) -> Iterable[ChangedRule]:
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
            yield ChangedRule(rule, cases[rule], before[rule], after[rule])


def as_json(found: Comparison) -> dict[str, Any]:
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


def _changed(one: Changed) -> dict[str, Any]:
    named = {key: one.case[key] for key in ("id", "title", "operation", "profile", "rules")}
    return {**named, "before": one.before, "after": one.after}
