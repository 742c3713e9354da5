"""Reports side by side: what got better and worse, what each passes of each rule, and files that are no reports."""

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.cli.report import Report, compare, is_worse, more_wrong
from belot_conformance.reports.report import Run, as_json
from belot_conformance.suite.verdicts import OUTCOMES
from belot_spec.load.schemas import is_valid
from belot_spec.spec import Spec
from suite_testing import Belot, run

CHANGES = ("better", "worse", "other")
GOOD, NEUTRAL = {"passed"}, {"unsupported", "skipped"}


@pytest.fixture(scope="module")
def report(mixed_run: Run, spec: Spec) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(as_json(mixed_run, spec)))
    assert is_valid(found, "report")
    return found


def _with(report: Report, case: int, outcome: str) -> dict[str, Any]:
    changed = deepcopy(dict(report))
    changed["totals"][changed["cases"][case]["outcome"]] -= 1
    changed["totals"][outcome] += 1
    changed["cases"][case]["outcome"] = outcome
    return changed


@pytest.mark.parametrize("before", OUTCOMES)
def test_every_change_of_outcome_is_better_worse_or_neither(report: Report, before: str) -> None:
    def step(outcome: str) -> int:
        return 2 if outcome in GOOD else 1 if outcome in NEUTRAL else 0

    for after in OUTCOMES:
        found = compare(_with(report, 0, before), _with(report, 0, after))
        change = step(after) - step(before)
        wanted = [] if before == after else ["better" if change > 0 else "worse" if change < 0 else "other"]
        changed = {
            change: [(one["before"], one["after"]) for one in found[change]] for change in CHANGES if found[change]
        }
        assert changed == {one: [(before, after)] for one in wanted}
        assert is_valid(found, "report-comparison")


def test_cases_in_one_report_only_and_other_programs_are_named_as_such(report: Report) -> None:
    other = deepcopy(dict(report))
    gone = other["cases"].pop(3)
    other["cases"][0]["profile"] = "our-table"
    other["target"] |= {"version": "2.0", "command": "./other"}
    other["suite"] = "0.2.0"
    found, back = compare(report, other), compare(other, report)
    # The same case for another profile is another case.
    assert {case["id"] for case in found["gone"]} == {gone["id"], report["cases"][0]["id"]}
    assert [case["id"] for case in found["appeared"]] == [report["cases"][0]["id"]]
    assert back["appeared"] == found["gone"]
    assert ([found[change] for change in CHANGES], found["in_both"]) == ([[]] * 3, len(report["cases"]) - 2)
    assert found["unlike"] == {
        "version": {"old": "1.0", "new": "2.0"},
        "command": {"old": report["target"]["command"], "new": "./other"},
        "suite": {"old": "0.1.0", "new": "0.2.0"},
    }


def test_a_rule_is_counted_over_the_cases_that_pin_it(report: Report) -> None:
    place = next(n for n, case in enumerate(report["cases"]) if case["outcome"] == "passed" and case["rules"])
    found = compare(report, _with(report, place, "failed"))
    rules = report["cases"][place]["rules"]
    assert [rule["id"] for rule in found["rules"]] == sorted(rules)
    for rule in found["rules"]:
        pinning = [case for case in report["cases"] if rule["id"] in case["rules"]]
        assert rule["cases"] == len(pinning)
        assert rule["passed_before"] == sum(case["outcome"] == "passed" for case in pinning)
        assert rule["passed_before"] == rule["passed_after"] + 1


def test_questions_beyond_the_cases_are_held_against_each_other(belot: Belot, report: Report, tmp_path: Path) -> None:
    def drawn(**right: int) -> dict[str, Any]:
        """Return a report in which of a hundred questions of each kind beyond the cases so many were right."""
        return {**report, "drawn": {**{kind: {"asked": 100, "right": n} for kind, n in right.items()}, "wrong": []}}

    old, new = drawn(drawn=99, retold=98), drawn(drawn=97, retold=100, again=20)
    told = compare(old, new)
    assert (more_wrong(told), is_worse(told)) == ([2, -2], True)
    assert told["drawn"]["drawn"] == {"before": {"asked": 100, "right": 99}, "after": {"asked": 100, "right": 97}}
    assert is_valid(told, "report-comparison")
    before, after = (_write(tmp_path / f"{n}.json", drawn(drawn=n)) for n in (100, 98))
    worse, better = belot("report", "compare", before, after), belot("report", "compare", after, before)
    assert (worse.returncode, better.returncode) == (1, 0)
    said = " ".join(worse.stdout.split())
    assert "100 of 100 questions drawn by lot → 98 of 100 questions drawn by lot" in said
    assert "2 more wrong beyond the cases" in said
    assert "2 fewer wrong beyond the cases" in " ".join(better.stdout.split())


def _write(path: Path, report: object) -> str:
    path.write_text(json.dumps(report), encoding="utf-8")
    return str(path)


def test_the_command_exits_with_1_only_if_something_got_worse(belot: Belot, report: Report, tmp_path: Path) -> None:
    place = next(number for number, case in enumerate(report["cases"]) if case["outcome"] == "passed")
    forged = _with(report, place, "crashed")
    forged["target"]["name"] = "bela\x1b]0;owned\x07"
    old, new = _write(tmp_path / "old.json", report), _write(tmp_path / "new.json", forged)
    worse = belot("report", "compare", old, new)
    assert worse.returncode == 1
    assert f"{report['cases'][place]['id']} " in worse.stdout
    assert "passed → crashed" in " ".join(worse.stdout.split())
    assert "✗ 1 worse, 0 better" in worse.stdout
    assert "bela\\x1b]0;owned\\x07" in worse.stdout
    assert "\x1b" not in worse.stdout
    assert all(len(line) <= 80 for line in worse.stdout.splitlines())
    assert belot("report", "compare", new, old).returncode == 0
    same = belot("report", "compare", old, old)
    assert same.returncode == 0
    assert "✓ nothing got better or worse" in same.stdout
    found = json.loads(belot("report", "compare", old, new, "--format", "json").stdout)
    assert is_valid(found, "report-comparison")
    assert [case["id"] for case in found["worse"]] == [report["cases"][place]["id"]]
    text = belot("report", "compare", old, new, "--format", "markdown").stdout
    assert text.startswith("## ✗ 1 worse, 0 better")
    assert "<details open><summary>Worse (1)</summary>" in text


def test_a_report_with_a_fault_is_refused_with_the_key(belot: Belot, report: Report, tmp_path: Path) -> None:
    """Else a badge would boast of cases that nobody can find in the report."""
    totals: Any = report["totals"]
    change: Any
    for change, message in (
        ({"report": 2}, "report: must be 1, is the number 2"),
        ({"target": {"name": "x"}}, "target"),
        ({"totals": {}}, "totals"),
        ({"cases": [{}]}, "cases.0"),
        ({"cases": [*report["cases"], report["cases"][0]]}, f"cases: the case {report['cases'][0]['id']} stands here twice"),
        *(
            ({"totals": {**totals, name: totals[name] + 1}}, f"totals.{name}: is {totals[name] + 1}, but the cases make it {totals[name]}")
            for name in ("planned", "passed", "failed", "skipped")
        ),
    ):  # fmt: skip
        bad = _write(tmp_path / "bad.json", {**report, **change})
        for words in (("compare", _write(tmp_path / "good.json", report), bad), ("badge", bad)):
            done = belot("report", *words)
            assert (done.returncode, done.stdout) == (2, "")
            assert f"bad.json:1: {message}" in done.stderr


RULES = {
    "play.lead": ["passed", "failed"], "play.follow": ["unsupported", "passed"], "scoring.tie": ["passed", "passed"],
}  # fmt: skip


def written(path: Path, name: str, which: int) -> Path:
    done = run("check", "--case", "bc-0001", "--format", "json", "reference")
    report: dict[str, Any] = json.loads(done.stdout)
    (case,) = report["cases"]
    report["target"]["name"] = name
    told = [(rule, outcomes[which]) for rule, outcomes in RULES.items()] + [(rule, "passed") for rule in RULES]
    report["cases"] = [
        {**case, "id": f"bc-{number:04}", "rules": [rule], "outcome": outcome, "detail": "why"}
        for number, (rule, outcome) in enumerate(told, start=1)
    ]
    counted = Counter(one["outcome"] for one in report["cases"])
    report["totals"] = {**dict.fromkeys(report["totals"], 0), **counted, "planned": counted.total()}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


@pytest.fixture
def reports(tmp_path: Path) -> list[str]:
    return [str(written(tmp_path / f"{name}.json", name, which)) for which, name in enumerate(("one", "other"))]


def test_each_rule_says_how_many_were_passed_of_those_asked(reports: list[str]) -> None:
    found = json.loads(run("report", "matrix", "--format", "json", *reports).stdout)
    assert [one["name"] for one in found["programs"]] == ["one", "other"]
    assert found["rules"]["play.lead"] == [{"passed": 2, "asked": 2}, {"passed": 1, "asked": 2}]
    assert found["rules"]["play.follow"] == [{"passed": 1, "asked": 1}, {"passed": 2, "asked": 2}]
    assert found["all"] == [{"passed": 5, "asked": 5}, {"passed": 5, "asked": 6}]


def test_people_see_the_rules_in_which_somebody_is_wrong(reports: list[str]) -> None:
    for form in ("text", "markdown"):
        done = run("report", "matrix", "--format", form, *reports, columns=100)
        assert done.exit_code == 0
        assert "play.lead" in done.stdout
        assert "1/2" in done.stdout
        assert "scoring.tie" not in done.stdout
        assert "2 other rules are right with everybody" in done.stdout
