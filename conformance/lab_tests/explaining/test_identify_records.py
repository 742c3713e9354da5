"""A log tells which rules were played in it, as far as it shows, and which of its records no rules explain."""

import json
import re
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
from belot_conformance.questions.dealt import bidding_of, with_hands
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


def test_a_log_is_held_to_the_profile_that_its_records_name(spec: Spec, reference: Reference, tmp_path: Path) -> None:
    house = compile_profile(changed_profile(spec.profile("belotten"), HOUSE, spec))
    for rules, name, departs in ((reference.ruleset("belotten"), "belotten", False), (house, "belotten", True)):
        records = ({**record, "profile": name} for record in played(rules, DEALS))
        done = run("identify", "--format", "json", "--records", written(tmp_path / "log.jsonl", records))
        (found,) = json.loads(done.stdout)["found"]
        assert (found["held_to"], found["departs"], done.exit_code) == (name, departs, int(departs))


def test_a_log_of_which_the_records_name_no_one_profile_is_held_to_none(reference: Reference, tmp_path: Path) -> None:
    records = [*played(reference.ruleset("belotten"), 4)]
    for names in ([None] * 4, ["belotten", "bela-4"] * 2):
        named = [{**one, **({"profile": name} if name else {})} for one, name in zip(records, names, strict=True)]
        done = run("identify", "--format", "json", "--records", written(tmp_path / "log.jsonl", iter(named)))
        (found,) = json.loads(done.stdout)["found"]
        assert (found["held_to"], found["departs"]) == (None, False)


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


# Whoever cannot follow a ruffed suit has to ruff, but need not overtrump: nobody is asked for less than here.
RUFF: Mapping[str, Any] = {"play.void.opponent-ruffed": ["trump", "any"]}


def test_of_duties_that_fit_a_log_equally_the_stricter_is_named(spec: Spec, tmp_path: Path) -> None:
    rules = compile_profile(changed_profile(spec.profile("bela-4"), RUFF, spec))
    log = written(tmp_path / "log.jsonl", played(rules, MANY))
    done = run("identify", "--records", log, "--profile", "bela-4", "--with-oddities", "--format", "json")
    (found,) = json.loads(done.stdout)["found"]
    assert found["overlay"] == RUFF
    assert found["rules"][0]["equal_values"] == [["any"]]


def without_bids(rules: Ruleset, deals: int) -> Iterator[dict[str, Any]]:
    """Yield records that tell the hands, taker and trump, and nothing of the bidding or the turn-up."""
    for record in played(rules, deals):
        taker = next(action for action in record["input"]["actions"] if action.get("bid", "pass") != "pass")
        asked = with_hands(rules, record["input"])
        assert asked is not None
        asked.pop("turn_up", None)
        asked["actions"] = [action for action in asked["actions"] if "bid" not in action]
        yield {**record, "input": {**asked, "taker": taker["seat"], "trump": taker["bid"]}}


def test_a_log_without_bids_and_turn_up_is_judged_by_a_game_that_turns_a_card(
    reference: Reference, tmp_path: Path
) -> None:
    log = written(tmp_path / "log.jsonl", without_bids(reference.ruleset("belote"), DEALS))
    done = run("identify", "--records", log, "--profile", "belote")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.startswith("As far as log.jsonl shows, Belote was played (belote).\n")


def test_a_log_that_fails_for_one_reason_says_so_once(reference: Reference, tmp_path: Path) -> None:
    records = list(played(reference.ruleset("belotten"), DEALS))
    for record in records:
        record["input"]["totals"] = [0, 0, 0]
    log = written(tmp_path / "log.jsonl", iter(records))
    said = f"All {DEALS} records are wrong for one reason: totals: one per side, 2 in belotten"
    for words in (("identify", "--records"), ("audit",)):
        done = run(*words, log, "--profile", "belotten")
        assert done.exit_code == 1
        assert " ".join(done.stdout.split()).count(said) == 1, done.stdout
    assert "log.jsonl:1" in done.stdout
    assert "✗ FAILED log.jsonl:2" not in done.stdout


@pytest.mark.parametrize("words", [("identify", "--seconds", "5", "--records"), ("audit",)])
def test_who_won_a_trick_otherwise_is_named_with_the_trick(
    words: tuple[str, ...], reference: Reference, tmp_path: Path
) -> None:
    log = written(tmp_path / "log.jsonl", iter([won_otherwise(reference.ruleset("belotten"))]))
    done = run(*words, log, "--profile", "belotten")
    assert re.search(r"trick 1 went to seat \d, the rules give it to seat \d", " ".join(done.stdout.split()))
    assert "not-your-turn" not in done.stdout


@pytest.mark.parametrize("told", ["bids", "contract"])
def test_what_a_log_shows_of_a_contract_is_named_and_what_it_cannot_show_is_said(
    told: str, reference: Reference, tmp_path: Path
) -> None:
    profile = "contree+double-the-bid-alone+belote-kept"
    rules = reference.ruleset(profile)
    records = played(rules, MANY) if told == "bids" else by_contract(rules, MANY)
    done = run("identify", "--format", "json", "--records", written(tmp_path / "log.jsonl", records))
    (found,) = json.loads(done.stdout)["found"]
    assert (done.exit_code, found["base"], found["wrong"]) == (0, profile, 0)
    assert ("bidding.first-bidder" in found["untold"]) == (told == "contract")
    assert "match.target" in found["untold"]


def by_contract(rules: Ruleset, deals: int) -> Iterator[dict[str, Any]]:
    """Yield records that tell the hands and the contract, and nothing of the bidding."""
    for record in played(rules, deals):
        asked = with_hands(rules, record["input"])
        assert asked is not None
        contract = bidding_of(rules, asked).contract
        assert contract is not None
        asked["actions"] = [action for action in asked["actions"] if "bid" not in action]
        said = {"taker": contract.taker, "trump": contract.mode.name, "raised": contract.raised}
        yield {**record, "input": {**asked, **said, **contract.told_bid()}}


def won_otherwise(rules: Ruleset) -> dict[str, Any]:
    """Return a deal that goes on as if another seat had won the first trick."""
    (record,) = played(rules, 1)
    actions = record["input"]["actions"]
    first = next(place for place, action in enumerate(actions) if "play" in action) + rules.players
    actions[first]["seat"] = (actions[first]["seat"] + 1) % rules.players
    return record
