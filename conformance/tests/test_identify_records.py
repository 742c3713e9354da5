"""A log tells which rules were played in it: it takes the place of a program, of which nothing more can be asked."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from belot_conformance.cli.main import main
from belot_conformance.programs.reference import Reference
from belot_conformance.recording.deals import random_deal
from belot_reference.operations import answer

DEALS = 3


@pytest.fixture
def log(tmp_path: Path, reference: Reference) -> Path:
    """A log of deals of Belotten that were played out, of which only the end was kept."""
    rules, random, lines = reference.ruleset("belotten"), Random("a log"), list[str]()
    while len(lines) < DEALS:
        question = random_deal(rules, random).question
        result = answer("replay", rules, question).message().get("result", {})
        if result.get("ended") == "played":
            kept = {name: result[name] for name in ("tricks", "points", "score", "outcome")}
            lines.append(json.dumps({"profile": "belotten", "input": question, "result": kept}) + "\n")
    path = tmp_path / "log.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def identify(*words: object) -> Result:
    return CliRunner().invoke(main, ["identify", *map(str, words)], env={"COLUMNS": "200"})


def test_a_log_of_right_deals_has_the_rules_that_it_names(log: Path) -> None:
    done = identify("--records", log, "--profile", "belotten")
    assert done.exit_code == 0
    assert done.stdout.startswith("Whoever played log.jsonl plays Belotten (belotten).\n")
    assert f"{DEALS} records were looked at." in done.stdout


def test_a_log_takes_the_place_of_a_program(log: Path) -> None:
    both = identify("--records", log, "reference")
    assert both.exit_code == 2
    assert "--records FILE stands in place of a program" in both.stderr


def test_a_log_without_answers_says_so(log: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    question = json.loads(log.read_text(encoding="utf-8").splitlines()[0])["input"]
    empty.write_text(json.dumps({"input": question}) + "\n", encoding="utf-8")
    done = identify("--records", empty)
    assert done.exit_code == 2
    assert "no record holds a result" in done.stderr
