"""Reports side by side: what each passes of each rule, counted again here by other means."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from belot_conformance.cli.main import main

RULES = {
    "play.lead": ["passed", "failed"],
    "play.follow": ["unsupported", "passed"],
    "scoring.tie": ["passed", "passed"],
}


def written(path: Path, name: str, which: int) -> Path:
    """Write a report of two cases for each rule: one that went so, and one that was passed."""
    done = CliRunner().invoke(main, ["check", "--case", "bc-0001", "--format", "json", "reference"])
    report: dict[str, Any] = json.loads(done.stdout)
    (case,) = report["cases"]
    report["target"]["name"] = name
    told = [(rule, outcomes[which]) for rule, outcomes in RULES.items()] + [(rule, "passed") for rule in RULES]
    report["cases"] = [
        {
            **case,
            "id": f"bc-{number:04}",
            "rules": [rule],
            "outcome": outcome,
            **({} if outcome == "passed" else _wrong()),
        }
        for number, (rule, outcome) in enumerate(told, start=1)
    ]
    counted = Counter(one["outcome"] for one in report["cases"])
    report["totals"] = {**dict.fromkeys(report["totals"], 0), **counted, "planned": counted.total()}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def _wrong() -> dict[str, Any]:
    return {"detail": "why"}


@pytest.fixture
def reports(tmp_path: Path) -> list[str]:
    return [str(written(tmp_path / f"{name}.json", name, which)) for which, name in enumerate(("one", "other"))]


def matrix(*words: str) -> Result:
    return CliRunner().invoke(main, ["report", "matrix", *words], env={"COLUMNS": "100"})


def test_each_rule_says_how_many_were_passed_of_those_asked(reports: list[str]) -> None:
    found = json.loads(matrix("--format", "json", *reports).stdout)
    assert [one["name"] for one in found["programs"]] == ["one", "other"]
    assert found["rules"]["play.lead"] == [{"passed": 2, "asked": 2}, {"passed": 1, "asked": 2}]
    assert found["rules"]["play.follow"] == [{"passed": 1, "asked": 1}, {"passed": 2, "asked": 2}]
    assert found["all"] == [{"passed": 5, "asked": 5}, {"passed": 5, "asked": 6}]


def test_people_see_the_rules_in_which_somebody_is_wrong(reports: list[str]) -> None:
    for form in ("text", "markdown"):
        done = matrix("--format", form, *reports)
        assert done.exit_code == 0
        assert "play.lead" in done.stdout
        assert "1/2" in done.stdout
        assert "scoring.tie" not in done.stdout
        assert "2 other rules are right with everybody" in done.stdout


def test_what_is_no_report_is_one_message(reports: list[str], tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_text("{}", encoding="utf-8")
    done = matrix(reports[0], str(path))
    assert done.exit_code == 2
    assert "no.json:1" in done.stderr
