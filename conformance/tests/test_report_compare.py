"""``belot report compare``: what got better and worse between two runs, and files that are no reports."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.reports.comparison import Report, compare
from belot_conformance.reports.comparison import as_json as comparison_json
from belot_conformance.reports.report import Run, as_json
from belot_conformance.suite.verdicts import OUTCOMES
from belot_spec.load.schemas import is_valid
from belot_spec.spec import Spec

Belot = Callable[..., Any]
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


def _step(outcome: str) -> int:
    return 2 if outcome in GOOD else 1 if outcome in NEUTRAL else 0


@pytest.mark.parametrize("before", OUTCOMES)
@pytest.mark.parametrize("after", OUTCOMES)
def test_every_change_of_outcome_is_better_worse_or_neither(report: Report, before: str, after: str) -> None:
    found = compare(_with(report, 0, before), _with(report, 0, after))
    if before == after:
        assert found.changed == ()
        return
    step = _step(after) - _step(before)
    (one,) = found.changed
    assert one.change == ("better" if step > 0 else "worse" if step < 0 else "other")
    assert (one.before, one.after) == (before, after)
    assert is_valid(comparison_json(found), "report-comparison")


def test_a_report_is_like_itself(report: Report) -> None:
    found = compare(report, report)
    assert (found.changed, found.rules, found.unlike, found.appeared, found.gone) == ((), (), (), (), ())
    assert found.both == len(report["cases"])


def test_better_and_worse_change_places_with_the_reports(report: Report) -> None:
    other = deepcopy(dict(report))
    for number, case in enumerate(other["cases"]):
        case["outcome"] = OUTCOMES[(number * 7 + 3) % len(OUTCOMES)]
    there, back = compare(report, other), compare(other, report)
    assert there.of("better")
    assert there.of("worse")
    assert [one.case["id"] for one in there.of("better")] == [one.case["id"] for one in back.of("worse")]
    assert [one.case["id"] for one in there.of("other")] == [one.case["id"] for one in back.of("other")]
    assert [(rule.id, rule.before) for rule in there.rules] == [(rule.id, rule.after) for rule in back.rules]


def test_a_rule_is_counted_over_the_cases_that_pin_it(report: Report) -> None:
    place = next(n for n, case in enumerate(report["cases"]) if case["outcome"] == "passed" and case["rules"])
    found = compare(report, _with(report, place, "failed"))
    rules = report["cases"][place]["rules"]
    assert [rule.id for rule in found.rules] == sorted(rules)
    for rule in found.rules:
        pinning = [case for case in report["cases"] if rule.id in case["rules"]]
        assert rule.cases == len(pinning)
        assert rule.before == sum(case["outcome"] == "passed" for case in pinning) == rule.after + 1


def test_cases_in_one_report_only_are_named_and_count_neither_way(report: Report) -> None:
    shorter = deepcopy(dict(report))
    gone = shorter["cases"].pop(3)
    assert [case["id"] for case in compare(report, shorter).gone] == [gone["id"]]
    assert [case["id"] for case in compare(shorter, report).appeared] == [gone["id"]]
    assert compare(report, shorter).changed == ()


def test_the_same_case_for_another_profile_is_another_case(report: Report) -> None:
    other = deepcopy(dict(report))
    other["cases"][0]["profile"] = "our-table"
    found = compare(report, other)
    assert len(found.gone) == len(found.appeared) == 1
    assert found.both == len(report["cases"]) - 1


def test_other_programs_and_suites_are_named_as_such(report: Report) -> None:
    other = deepcopy(dict(report))
    other["target"] |= {"version": "2.0", "command": "./other"}
    other["suite"] = "0.2.0"
    assert compare(report, other).unlike == (
        ("version", "1.0", "2.0"),
        ("command", report["target"]["command"], "./other"),
        ("suite", "0.1.0", "0.2.0"),
    )


def _with_drawn(report: Report, **right: int) -> dict[str, Any]:
    """Return a report in which of a hundred questions of each kind beyond the cases so many were right."""
    return {**report, "drawn": {**{kind: {"asked": 100, "right": n} for kind, n in right.items()}, "wrong": []}}


def test_questions_beyond_the_cases_are_held_against_each_other_kind_by_kind(report: Report) -> None:
    found = compare(_with_drawn(report, drawn=99, retold=98), _with_drawn(report, drawn=97, retold=100, again=20))
    assert [(one.kind, one.change) for one in found.drawn] == [("drawn", "worse"), ("retold", "better")]
    assert found.is_worse
    assert comparison_json(found)["drawn"]["drawn"] == {
        "before": {"asked": 100, "right": 99},
        "after": {"asked": 100, "right": 97},
    }
    assert is_valid(comparison_json(found), "report-comparison")


def test_the_command_fails_where_more_drawn_questions_are_wrong(belot: Belot, report: Report, tmp_path: Path) -> None:
    old = _write(tmp_path / "old.json", _with_drawn(report, drawn=100))
    new = _write(tmp_path / "new.json", _with_drawn(report, drawn=98))
    worse = belot("report", "compare", old, new)
    assert worse.returncode == 1
    said = " ".join(worse.stdout.split())
    assert "100 of 100 questions drawn by lot → 98 of 100 questions drawn by lot" in said
    assert "2 more wrong beyond the cases" in said
    better = belot("report", "compare", new, old)
    assert better.returncode == 0
    assert "2 fewer wrong beyond the cases" in " ".join(better.stdout.split())
    assert "✓ nothing got better or worse" in belot("report", "compare", old, old).stdout


def _write(path: Path, report: object) -> str:
    path.write_text(json.dumps(report), encoding="utf-8")
    return str(path)


def test_the_command_exits_with_1_only_if_something_got_worse(belot: Belot, report: Report, tmp_path: Path) -> None:
    place = next(number for number, case in enumerate(report["cases"]) if case["outcome"] == "passed")
    old, new = _write(tmp_path / "old.json", report), _write(tmp_path / "new.json", _with(report, place, "crashed"))
    worse = belot("report", "compare", old, new)
    assert worse.returncode == 1
    assert f"{report['cases'][place]['id']} " in worse.stdout
    assert "passed → crashed" in " ".join(worse.stdout.split())
    assert "✗ 1 worse, 0 better" in worse.stdout
    assert all(len(line) <= 80 for line in worse.stdout.splitlines())
    assert belot("report", "compare", new, old).returncode == 0
    same = belot("report", "compare", old, old, "--lang", "nl")
    assert same.returncode == 0
    assert "✓ niets werd beter of slechter" in same.stdout


def test_names_in_a_report_cannot_act_on_the_terminal(belot: Belot, report: Report, tmp_path: Path) -> None:
    forged = deepcopy(dict(report))
    forged["target"]["name"] = "bela\x1b]0;owned\x07"
    done = belot("report", "compare", _write(tmp_path / "old.json", report), _write(tmp_path / "new.json", forged))
    assert "bela\\x1b]0;owned\\x07" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_command_speaks_json_and_markdown_too(belot: Belot, report: Report, tmp_path: Path) -> None:
    place = next(number for number, case in enumerate(report["cases"]) if case["outcome"] == "passed")
    old, new = _write(tmp_path / "old.json", report), _write(tmp_path / "new.json", _with(report, place, "failed"))
    found = json.loads(belot("report", "compare", old, new, "--format", "json").stdout)
    assert is_valid(found, "report-comparison")
    assert [case["id"] for case in found["worse"]] == [report["cases"][place]["id"]]
    text = belot("report", "compare", old, new, "--format", "markdown").stdout
    assert text.startswith("## ✗ 1 worse, 0 better")
    assert "<details open><summary>Worse (1)</summary>" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "broken.json:1: the file is missing"),
        (
            b"",
            "broken.json:1: this is not JSON: Expecting value; a report is what belot check --report FILE.json writes",
        ),
        (b'{"report": 1,\n "suite": }', "broken.json:2: this is not JSON: Expecting value"),
        (b"\xff\xfe", "broken.json:1: the file is not UTF-8 (byte 0xff); save it as UTF-8"),
        (b"[" * 100_000, "broken.json:1: this is not JSON: it is nested too deep"),
        (b"[]", "broken.json:1: this is not a report"),
        (b'{"a": 1}', "broken.json:1: this is not a report"),
    ],
    ids=["missing", "empty", "half", "binary", "deep", "list", "other"],
)
def test_a_file_that_is_no_report_exits_with_2_and_says_why(
    belot: Belot, report: Report, tmp_path: Path, content: bytes | None, message: str
) -> None:
    good = _write(tmp_path / "good.json", report)
    if content is not None:
        (tmp_path / "broken.json").write_bytes(content)
    for arguments in ((good, str(tmp_path / "broken.json")), (str(tmp_path / "broken.json"), good)):
        done = belot("report", "compare", *arguments)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"report": 2}, "report: must be 1, is the number 2"),
        ({"target": {"name": "x"}}, "target"),
        ({"totals": {}}, "totals"),
        ({"cases": [{}]}, "cases.0"),
    ],
)
def test_a_report_with_a_fault_is_refused_with_the_key(
    belot: Belot, report: Report, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    good, bad = _write(tmp_path / "good.json", report), _write(tmp_path / "bad.json", {**report, **change})
    done = belot("report", "compare", good, bad)
    assert done.returncode == 2
    assert f"bad.json:1: {message}" in done.stderr


def test_a_case_that_stands_twice_in_a_report_is_refused(belot: Belot, report: Report, tmp_path: Path) -> None:
    twice = {**report, "cases": [*report["cases"], report["cases"][0]]}
    done = belot("report", "compare", _write(tmp_path / "a.json", twice), _write(tmp_path / "b.json", report))
    assert done.returncode == 2
    assert f"a.json:1: cases: the case {report['cases'][0]['id']} stands here twice" in done.stderr


@pytest.mark.parametrize("outcome", ["planned", "passed", "failed", "skipped"])
def test_totals_that_the_cases_do_not_make_are_refused(
    belot: Belot, report: Report, tmp_path: Path, outcome: str
) -> None:
    """Else a badge would boast of cases that nobody can find in the report."""
    right = report["totals"][outcome]
    wrong = {**report, "totals": {**report["totals"], outcome: right + 1}}
    done = belot("report", "badge", _write(tmp_path / "a.json", wrong))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"a.json:1: totals.{outcome}: is {right + 1}, but the cases make it {right}" in done.stderr
