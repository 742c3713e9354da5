"""A log tells which rules were played in it, as far as it shows, and which of its records no rules explain."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.explain import records as explain_records
from belot_conformance.explain.answers import Answered, fields_wrong
from belot_conformance.explain.budget import BUDGET
from belot_conformance.logs.records import lines_of
from belot_conformance.logs.shares import shares_of
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.dealt import bidding_of, with_hands
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.spec import Spec
from suite_testing import run

DEALS = 3
# Of a house's own deals so many are played, one of which is spoilt after those that are searched.
MANY = 30
# What is found must not hang on how fast the machine is.
IDENTIFY = ("identify", "--seconds", 600)
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
    done = run(*IDENTIFY, "--records", log, "--profile", "belotten")
    assert done.exit_code == 0
    assert done.stdout.startswith("log.jsonl was played as Belotten (belotten).\n")
    assert f"{DEALS} records judged, {DEALS} records searched." in done.stdout


def test_what_a_log_does_not_show_is_not_told_as_played(log: Path) -> None:
    done = run(*IDENTIFY, "--records", log, "--profile", "belotten")
    told = done.stdout.partition("What nothing shows")[2]
    assert "belotten is taken for them" in told
    assert "The target" in told
    assert "declare" not in done.stdout


def test_the_rules_of_a_house_and_the_record_that_they_do_not_explain_are_found(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("belot_conformance.cli.identify.BUDGET", replace(BUDGET, records=8))
    rules = compile_profile(changed_profile(spec.profile("belotten"), HOUSE, spec))
    records = list(played(rules, MANY))
    records[SPOILT]["result"]["tricks"][2]["points"] += 1
    log = written(tmp_path / "log.jsonl", iter(records))
    done = run(*IDENTIFY, "--records", log, "--profile", "belotten", "--with-oddities", "--format", "json")
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
        done = run(*IDENTIFY, "--format", "json", "--records", written(tmp_path / "log.jsonl", records))
        (found,) = json.loads(done.stdout)["found"]
        assert (found["held_to"], found["departs"], done.exit_code) == (name, departs, int(departs))


def test_the_parts_of_a_right_deal_are_right(spec: Spec) -> None:
    for name in spec.playable():
        rules = compile_profile(spec.profile(name))
        for place, record in enumerate(played(rules, DEALS)):
            deal = Answered("replay", record["input"], str(place), {"result": record["result"]}, is_partial=True)
            parts = [*explain_records._settled(rules, deal)]
            assert {one.operation for one in parts} == {"card-points", "trick-winner", "settle-tricks"}
            for one in parts:
                assert not fields_wrong(one, put(one.operation, rules, one.input).message(), ())


def test_the_score_that_a_log_tells_of_a_passed_deal_is_not_wrong() -> None:
    came = {"result": {"ended": "passed", "score": [0, 0]}}
    record = Answered("replay", {}, "1", came, is_partial=True)
    assert fields_wrong(record, {"result": {"ended": "passed", "next_dealer": 1}}, ()) == ()


def test_records_are_searched_by_the_profile_that_they_name_and_held_to_it(
    reference: Reference, tmp_path: Path
) -> None:
    records = [*played(reference.ruleset("belotten"), 16)]
    for names, held in (
        ([None] * 16, {None: False}),
        (["belotten", "bela-4"] * 8, {"belotten": False, "bela-4": True}),
    ):
        named = [{**one, **({"profile": name} if name else {})} for one, name in zip(records, names, strict=True)]
        log = written(tmp_path / "log.jsonl", iter(named))
        every = json.loads(run(*IDENTIFY, "--format", "json", "--records", log).stdout)["found"]
        assert {one["held_to"]: one["departs"] for one in every} == held
        assert [one["base"] for one in every] == ["belotten"] * len(held)
        assert sum(one["records"]["judged"] for one in every) == len(records)


def test_audit_names_the_same_rules_with_the_records_that_they_make_right(spec: Spec, tmp_path: Path) -> None:
    rules = compile_profile(changed_profile(spec.profile("belotten"), HOUSE, spec))
    records = ({"profile": "belotten", **record} for record in played(rules, MANY))
    log = written(tmp_path / "log.jsonl", records)
    report = json.loads(run("audit", log, "--format", "json").stdout)
    (named,) = report["diagnosis"]
    assert (named["rules"], named["profiles"]) == (HOUSE, ["belotten"])
    assert named["right"] == named["wrong"] == report["totals"]["failed"]
    assert run("audit", log).stdout.startswith("Plays by this rule: Winning the last trick adds 20 card points.")
    for without in (("--no-search",), ("--line", "1")):
        assert json.loads(run("audit", log, "--format", "json", *without).stdout)["diagnosis"] == []


def test_audit_says_of_which_game_records_are_that_name_another(reference: Reference, tmp_path: Path) -> None:
    records = ({"profile": "bela-4", **record} for record in played(reference.ruleset("belotten"), MANY))
    done = run("audit", written(tmp_path / "log.jsonl", records))
    assert f"By belotten 0 of {MANY} records are wrong; --profile belotten judges them so." in " ".join(
        done.stdout.split()
    )


def test_a_rule_that_a_single_record_of_a_longer_log_speaks_for_is_none(
    spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("belot_conformance.cli.identify.BUDGET", replace(BUDGET, records=MANY - 2))
    records = list(played(compile_profile(spec.profile("belotten")), MANY))
    for each in records:
        each["result"] = {"score": each["result"]["score"]}
    house = compile_profile(changed_profile(spec.profile("belotten"), HOUSE, spec))
    changed = 0
    for one in records:
        said = answer("replay", house, one["input"]).message()["result"]["score"]
        if said != one["result"]["score"] and not changed:
            one["result"]["score"], changed = said, changed + 1
    assert changed == 1
    log = written(tmp_path / "log.jsonl", iter(records))
    (found,) = json.loads(run(*IDENTIFY, "--records", log, "--profile", "belotten", "--format", "json").stdout)["found"]
    assert (found["rules"], found["records"]["wrong"]) == ([], 1)


def test_a_log_takes_the_place_of_a_program(log: Path) -> None:
    both = run(*IDENTIFY, "--records", log, "reference")
    assert both.exit_code == 2
    assert "--records FILE stands in place of a program" in both.stderr


def test_a_log_is_read_more_than_once_so_that_stdin_is_none() -> None:
    done = run(*IDENTIFY, "--records", "-")
    assert done.exit_code == 2
    assert "give an ordinary file" in done.stderr


def test_a_log_without_answers_says_so(log: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    question = json.loads(log.read_text(encoding="utf-8").splitlines()[0])["input"]
    empty.write_text(json.dumps({"input": question}) + "\n", encoding="utf-8")
    done = run(*IDENTIFY, "--records", empty)
    assert done.exit_code == 2
    assert "no record holds a result" in done.stderr


# Whoever cannot follow a ruffed suit has to ruff, but need not overtrump: nobody is asked for less than here.
RUFF: Mapping[str, Any] = {"play.void.opponent-ruffed": ["trump", "any"]}


def test_of_duties_that_fit_a_log_equally_the_stricter_is_named(spec: Spec, tmp_path: Path) -> None:
    rules = compile_profile(changed_profile(spec.profile("bela-4"), RUFF, spec))
    log = written(tmp_path / "log.jsonl", played(rules, MANY))
    done = run(*IDENTIFY, "--records", log, "--profile", "bela-4", "--with-oddities", "--format", "json")
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
    done = run(*IDENTIFY, "--records", log, "--profile", "belote")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.startswith("log.jsonl was played as Belote (belote).\n")


def test_a_log_that_fails_for_one_reason_says_so_once(reference: Reference, tmp_path: Path) -> None:
    records = list(played(reference.ruleset("belotten"), DEALS))
    for record in records:
        record["input"]["totals"] = [0, 0, 0]
    log = written(tmp_path / "log.jsonl", iter(records))
    said = "wrong for one reason: totals: one per side, 2 in belotten"
    for words in (("identify", "--records"), ("audit",)):
        done = run(*words, log, "--profile", "belotten")
        assert done.exit_code == 1
        assert " ".join(done.stdout.split()).count(said) == 1, done.stdout
    assert "log.jsonl:1" in done.stdout
    assert "✗ FAILED log.jsonl:2" not in done.stdout


@pytest.mark.parametrize("words", [(*IDENTIFY, "--records"), ("audit",)])
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
    done = run(*IDENTIFY, "--format", "json", "--records", written(tmp_path / "log.jsonl", records))
    (found,) = json.loads(done.stdout)["found"]
    # So few deals do not tell the two games of contracts apart, and in both of them the bid alone is doubled.
    base = reference.profile(found["base"])
    assert base.id.split("+")[0] in ("contree", "coinche")
    assert (done.exit_code, found["records"]["wrong"]) == (0, 0)
    kinds = found["overlay"].get("scoring.raised-kinds", base.value("scoring.raised-kinds"))
    assert reference.profile(profile).plays("scoring.raised-kinds", kinds)
    assert ("bidding.amount-step" in found["untold"]) == (told == "contract")
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
        yield {**record, "input": {**asked, **said, **contract.bid_json()}}


def won_otherwise(rules: Ruleset) -> dict[str, Any]:
    """Return a deal that goes on as if another seat had won the first trick."""
    (record,) = played(rules, 1)
    actions = record["input"]["actions"]
    first = next(place for place, action in enumerate(actions) if "play" in action) + rules.players
    actions[first]["seat"] = (actions[first]["seat"] + 1) % rules.players
    return record


def test_a_cluster_draws_the_records_that_one_machine_does(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"]
    lines = [
        f'{{"profile": "{("belote", "contree", "bela-4")[number % 7 % 3]}", "input": {{}}, "result": {{"n": {number}}}}}'
        + "\n" * (1 + number % 3)
        for number in range(200)
    ]
    paths[0].write_text("".join(lines[:150]) + '{"input": {}}\n', encoding="utf-8")
    paths[1].write_bytes(gzip.compress("".join(lines[150:]).encode()))
    for profile, most in ((None, 5), (None, 40), ("belote", 30), (None, 500)):
        every = chain.from_iterable(lines_of(path, profile) for path in paths)
        alone = explain_records._drawn(every, lambda _: None, most, by_name=profile is None)
        for size in (300, 1001, 10**6):
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(explain_records, "shares_of", partial(shares_of, size=size))
                assert explain_records._drawn_of_shares(paths, profile, map, most) == alone
