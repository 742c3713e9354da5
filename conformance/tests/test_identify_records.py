"""A log tells which rules were played in it, and which of its deals are wrong by any rules."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from belot_conformance.cli.main import main
from belot_conformance.recording.deals import random_deal
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.spec import Spec

HOUSE: Mapping[str, Any] = {"scoring.last-trick": 20, "play.void.opponent-ruffed": ["any"]}
DEALS = 30


def deals(rules: Ruleset) -> list[dict[str, Any]]:
    """Deals that were played out by some rules, of which only the end was kept."""
    random, found = Random("a log"), list[dict[str, Any]]()
    while len(found) < DEALS:
        question = random_deal(rules, random).question
        result = answer("replay", rules, question).message().get("result", {})
        if result.get("ended") == "played":
            kept = {name: result[name] for name in ("tricks", "points", "score", "outcome") if name in result}
            found.append({"profile": "belotten", "input": question, "result": kept})
    return found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory, spec: Spec) -> Path:
    """A log of a table with two rules of its own, and three deals with the faults that an audit names."""
    records = deals(compile_profile(spec.profile("belotten").with_values("house", HOUSE, spec.rules)))
    records[2]["result"]["score"][0] += 1
    actions = records[5]["input"]["actions"]
    play = [place for place, action in enumerate(actions) if "play" in action][4]
    actions[play]["seat"] = (actions[play]["seat"] + 1) % 4
    records[7]["input"]["deck"][0] = records[7]["input"]["deck"][1]
    path = tmp_path_factory.mktemp("records") / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def identify(*words: object) -> Result:
    return CliRunner().invoke(main, ["identify", *map(str, words)], env={"COLUMNS": "200"})


def test_the_rules_of_a_log_are_found_and_its_three_faults_are_none(log: Path, tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    done = identify("--records", log, "--profile", "belotten", "--format", "json", "--write", house)
    [told] = json.loads(done.stdout)["found"]
    assert done.exit_code == 1
    assert told["base"] == "belotten"
    assert told["overlay"] == HOUSE
    assert sum(group["count"] for group in told["broken"]) == 3
    assert told["records"] == {"file": "log.jsonl", "answers": DEALS, "looked_at": DEALS}
    judged = CliRunner().invoke(main, ["audit", str(log), "--profile", str(house), "--format", "json"])
    assert judged.exit_code == 1, judged.output
    assert [case["id"] for case in json.loads(judged.stdout)["cases"]] == ["log.jsonl:3", "log.jsonl:6", "log.jsonl:8"]


def test_a_log_is_told_as_such_and_takes_the_place_of_a_program(log: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(log.read_text().splitlines()[-3:]))
    said = identify("--records", few, "--profile", "belotten").stdout
    assert said.startswith("Whoever played few.jsonl plays Belotten")
    assert "3 records were looked at." in said
    both = identify("--records", log, "reference")
    assert both.exit_code == 2
    assert "--records FILE stands in place of a program" in both.stderr


def test_a_log_without_answers_says_so(log: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text(json.dumps({"input": json.loads(log.read_text().splitlines()[0])["input"]}) + "\n")
    done = identify("--records", empty)
    assert done.exit_code == 2
    assert "no record holds a result" in done.stderr
