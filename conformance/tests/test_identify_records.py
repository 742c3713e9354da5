"""A log tells which rules were played in it, as far as it shows, and which of its records no rules explain."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.identify import log as identify_log
from belot_conformance.identify.budget import IdentifyBudget
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import random_deal
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.spec import Spec
from suite_testing import run

DEALS = 3
# Of a house's own deals so many are played, one of which is spoilt after those that are searched.
MANY = 30
SPOILT = 23
HOUSE: Mapping[str, Any] = {"scoring.last-trick": 20}
KEPT = ("tricks", "points", "score", "outcome")


def played(rules: Ruleset, deals: int) -> Iterator[dict[str, Any]]:
    """Yield records of deals that were played out, of which only the end was kept."""
    random = Random("a log")
    while deals:
        question = random_deal(rules, random).question
        result = answer("replay", rules, question).message().get("result", {})
        if result.get("ended") == "played":
            deals -= 1
            yield {"input": question, "result": {name: result[name] for name in KEPT}}


def written(path: Path, records: Iterator[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def log(tmp_path: Path, reference: Reference) -> Path:
    """A log of deals of Belotten that were played out, of which only the end was kept."""
    return written(tmp_path / "log.jsonl", played(reference.ruleset("belotten"), DEALS))


def test_a_log_of_right_deals_has_the_rules_that_it_names(log: Path) -> None:
    done = run("identify", "--records", log, "--profile", "belotten")
    assert done.exit_code == 0
    assert done.stdout.startswith("As far as log.jsonl shows, Belotten was played (belotten).\n")
    assert f"All {DEALS} records were searched for the rules, and judged by them." in done.stdout


def test_what_a_log_does_not_show_is_not_told_as_played(log: Path) -> None:
    done = run("identify", "--records", log, "--profile", "belotten")
    told = done.stdout.partition("What cannot be told from this log")[2]
    assert "What belotten says of them may or may not have been played:" in told
    assert "The target" in told
    assert "declare" not in done.stdout


def test_the_rules_of_a_house_and_the_record_that_they_do_not_explain_are_found(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identify_log, "BUDGET", IdentifyBudget(searched=8))
    rules = compile_profile(changed_profile(spec.profile("belotten"), HOUSE, spec))
    records = list(played(rules, MANY))
    records[SPOILT]["result"]["tricks"][2]["points"] += 1
    log = written(tmp_path / "log.jsonl", iter(records))
    done = run("identify", "--records", log, "--profile", "belotten", "--with-oddities", "--format", "json")
    assert done.exit_code == 1
    (found,) = json.loads(done.stdout)["found"]
    assert found["overlay"] == HOUSE
    assert (found["records"]["judged"], found["records"]["wrong"]) == (MANY, 1)
    assert found["records"]["searched"] < MANY
    (group,) = found["broken"]
    assert (group["operation"], group["fields"], group["count"]) == ("replay", ["tricks"], 1)
    assert group["records"] == [f"log.jsonl:{SPOILT + 1}"]
    assert group["smallest"]["input"] == records[SPOILT]["input"]
    assert group["smallest"]["came"]["result"]["tricks"][2]["points"] == (
        group["smallest"]["expected"]["result"]["tricks"][2]["points"] + 1
    )


def test_a_log_takes_the_place_of_a_program(log: Path) -> None:
    both = run("identify", "--records", log, "reference")
    assert both.exit_code == 2
    assert "--records FILE stands in place of a program" in both.stderr


def test_a_log_is_read_more_than_once_so_that_stdin_is_none() -> None:
    done = run("identify", "--records", "-")
    assert done.exit_code == 2
    assert "give an ordinary file" in done.stderr


def test_a_log_without_answers_says_so(log: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    question = json.loads(log.read_text(encoding="utf-8").splitlines()[0])["input"]
    empty.write_text(json.dumps({"input": question}) + "\n", encoding="utf-8")
    done = run("identify", "--records", empty)
    assert done.exit_code == 2
    assert "no record holds a result" in done.stderr
