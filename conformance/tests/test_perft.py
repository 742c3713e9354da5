"""Card perft: the published numbers are those of the rules, other rules give others, and dividing finds where."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from belot_conformance.mistakes.faulty_player import WrongPlayer
from belot_conformance.mistakes.mutations import compile_changed, mistake_named
from belot_conformance.perft import Counting, Dividing, PerftDeal, published, published_profiles, why_no_kernel
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_reference.bidding import start_bidding
from belot_reference.cards import cards_in
from belot_reference.compile import Ruleset
from belot_reference.perft import count_bids
from belot_reference.play import PlayState, force_card, legal_now
from belot_reference.questions import suit_named
from belot_spec.shipped import default_spec
from suite_testing import run

REFERENCE = Reference()
SPEC = default_spec()


def counted_one_by_one(rules: Ruleset, play: PlayState, depth: int) -> int:
    if not depth or not play.hands[play.turn]:
        return 1
    legal, _ = legal_now(rules, play)
    return sum(counted_one_by_one(rules, force_card(rules, play, card), depth - 1) for card in cards_in(legal))


@pytest.mark.parametrize("profile", published_profiles())
def test_the_published_numbers_are_those_of_the_rules(profile: str) -> None:
    found, rules = published(profile), REFERENCE.ruleset(profile)
    assert len(found.deals) == 8
    for deal in found.deals:
        assert len(deal.counts) >= 12
    for deal in found.deals[:2]:
        plays, state = deal.start(rules)
        assert [plays.count(state, depth) for depth in range(1, 6)] == list(deal.counts[:5])
        for last in deal.lasts[-1:]:
            counting, ending = deal.ending(rules, last)
            assert counting.count(ending, last.tricks * rules.players) == last.count
    for bids in found.bidding:
        bidding = start_bidding(rules, 0, None if bids.turn_up is None else suit_named(bids.turn_up))
        assert [count_bids(rules, bidding, depth) for depth in range(1, 7)] == list(bids.counts[:6])


def test_positions_that_are_taken_for_one_have_the_same_number() -> None:
    across = {"play.trick-winner": "highest-card-of-any-suit"}
    for changes in ({}, across, {"declarations.belote.order": "king-first"}):
        rules = compile_changed(SPEC.profile("belotten"), changes, SPEC)
        for deal in published("belotten").deals[:1]:
            last = deal.lasts[-1]
            plays, state = deal.ending(rules, last)
            assert plays.count(state, 10) == counted_one_by_one(rules, state, 10)


def first_that_differs(target: FunctionTarget, profile: str, depth: int) -> tuple[PerftDeal, Any]:
    rules = REFERENCE.ruleset(profile)
    dividing = Dividing(target, rules, profile)
    for deal in published(profile).deals:
        found = dividing.divide(deal, depth).found
        if found is not None:
            return deal, found
    raise AssertionError("no deal differs")


def test_dividing_leads_to_the_first_position_that_differs() -> None:
    player = WrongPlayer("no-duty-to-ruff", mistake_named("no-duty-to-ruff").values)
    _, found = first_that_differs(FunctionTarget(player.hello(), player.reply), "belotten", 6)
    assert found.right_count < found.came_count
    assert set(found.right) < set(found.came.value["cards"])
    assert player.reply("legal-cards", "belotten", found.question) == {"result": found.came.value}
    way = [step.played[-1] for step in found.steps[1:]]
    assert [*found.steps[-1].played] == way
    for step, card in zip(found.steps, way, strict=False):
        assert any(move.card == card and move.right != move.came for move in step.moves)


def test_the_numbers_are_printed_and_divided_and_who_counted_is_said() -> None:
    deal = published("belotten").deals[0]
    found = run("perft", "--deal", deal.name, "--depth", "3", "--divide", "--format", "json")
    (told,) = json.loads(found.stdout)["deals"]
    assert told["counts"] == list(deal.counts[:3])
    assert sum(told["first_cards"].values()) == deal.counts[2]
    kernel = why_no_kernel(REFERENCE.ruleset("belotten")) is None
    assert told["counted_by"] == ("kernel" if kernel else "engine")
    assert f"{deal.counts[11]:,}" in run("perft", "--deal", deal.name).stdout
    whole = json.loads(run("perft", "--deal", deal.name, "--format", "json").stdout)
    assert whole["deals"][0]["counted_by"] == "published"


def test_a_planted_bug_is_shown_with_its_position(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: Reference, operation: str, profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        right = reply(self, operation, profile, question)
        trick = question["trick"]
        if len(trick) == 3 and len(right["result"]["cards"]) > 1:
            return {"result": {"cards": right["result"]["cards"][1:]}}
        return right

    reply = Reference.reply
    monkeypatch.setattr(Reference, "reply", wrong)
    found = run("perft", "reference", "--depth", "5", "--format", "json")
    assert found.exit_code == 1
    (told,) = (one["found"] for one in json.loads(found.stdout)["deals"] if one["found"])
    assert len(told["input"]["trick"]) == 3
    assert told["came_count"] < told["right_count"]
    page = run("perft", "reference", "--depth", "5").stdout
    rows = re.findall(r"^ +\S+ +([\d,]+) +([\d,]+) +([✓✗])$", page, re.MULTILINE)
    assert {mark for *_, mark in rows} == {"✓", "✗"}
    assert all((right == came) == (mark == "✓") for right, came, mark in rows)


def test_what_is_not_published_is_said() -> None:
    assert run("perft", "--profile", "belotte").exit_code == run("perft", "--deal", "belotten-9").exit_code == 2


def test_it_is_said_where_no_last_tricks_are_published() -> None:
    for words in ((), ("reference", "--depth", "1")):
        for profile in ("open-belot", "belotten"):
            done = run("perft", *words, "--profile", profile)
            assert ("There are no numbers of last tricks" in done.output) == (profile == "open-belot"), (words, profile)


@pytest.mark.parametrize(("profile", "held", "said"), [
    ("belotten", {"hands": [["7S"], ["8S"], ["9S"], ["10S", "JS"]]}, "all of one length"),
    ("open-belot", {"piles": [[], []]}, "all of one length"),
    ("belotten", {"piles": [[["7S", "8S"]], [["9S", "10S"]]]}, "counted from them"),
    ("open-belot", {"hands": [["7S"], ["8S"]]}, "counted from them"),
    ("open-belot", {"piles": [[["7S", "8S"]], [["7S", "10S"]]]}, "is in two hands"),
    ("denderbelot-3", {"hands": [["7S"], ["8S"], ["9S"]]}, "is played without"),
])  # fmt: skip
def test_what_nobody_can_count_is_said_to_be_no_question(profile: str, held: Mapping[str, Any], said: str) -> None:
    message = REFERENCE.reply("perft", profile, {"trump": "H", "leader": 0, **held, "depth": 2})
    assert said in message["error"]


@pytest.mark.parametrize("profile", ["bela-2", "open-belot", "belotten"])
def test_the_kernel_counts_what_the_engine_counts(profile: str) -> None:
    pytest.importorskip("numba", reason="the extra [fast] is not installed")
    rules, deal = REFERENCE.ruleset(profile), published(profile).deals[0]
    walked, counted = (Counting(rules, deal, kernel=kernel) for kernel in (True, False))
    assert walked.counts(6) == counted.counts(6) == list(deal.counts[:6])
    assert walked.walked
    assert not counted.walked
