"""What seldom happens has its turn among the questions of belot fuzz."""

import json
from collections.abc import Mapping
from contextlib import suppress
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from belot_conformance.mistakes.killing import load_matrix
from belot_conformance.mistakes.mutations import compile_changed, compile_mutant
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.matches import DealPool
from belot_conformance.questions.operations.deal import announced_too, claimed, said_elsewhere
from belot_conformance.questions.operations.declare import Rivals
from belot_conformance.questions.operations.match import CloseMatches
from belot_conformance.questions.operations.play import Situations
from belot_conformance.questions.stream import Stream
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.shipped import default_spec
from suite_testing import of_each_variant

REFERENCE = Reference()


def told_by(rules: Ruleset, match: Mapping[str, Any]) -> Mapping[str, Any]:
    return put("match", rules, match).message()


def rivalries(rules: Ruleset) -> list[dict[str, Any]]:
    rivals, random = Rivals(rules), Random(4)
    return [{"taker": 0, **rivals.question(random)} for _ in range(600)]


@of_each_variant
def test_every_two_squares_and_lengths_meet_whichever_wins(variant: str) -> None:
    rules = REFERENCE.ruleset(variant)
    if rules.value("declarations.played") != "all":
        pytest.skip("nothing but belote is declared")
    met = set()
    for question in rivalries(rules):
        kinds = (kind_of(cards) for seat in question["announced"] for cards in seat)
        met |= {frozenset(pair) for pair in combinations(kinds, 2)}
        assert "result" in put("compare-declarations", rules, question).message()
    lengths = [str(length) for length in range(3, 6)]
    squares = [name for name, points in rules.value("declarations.square-points").items() if points]
    assert met >= {frozenset(pair) for kinds in (lengths, squares) for pair in combinations(kinds, 2)}


@of_each_variant
def test_every_two_ways_to_decide_between_equals_are_told_apart(variant: str) -> None:
    """Without a partner the first in turn is the leader himself."""
    base = REFERENCE.spec.profile(variant)
    if base.value("declarations.played") != "all" or REFERENCE.ruleset(variant).players != 4:
        pytest.skip("nothing but belote is declared, or without a partner")
    ways = REFERENCE.spec.rules["declarations.tie"].value_schema["enum"]
    played = [compile_profile(base.with_values(way, {"declarations.tie": way}, REFERENCE.spec.rules)) for way in ways]
    met = rivalries(REFERENCE.ruleset(variant))
    answers = [[put("compare-declarations", rules, question).message() for question in met] for rules in played]
    assert all(one != other for one, other in combinations(answers, 2))


def kind_of(cards: list[str]) -> str:
    return cards[0][:-1] if cards[0][:-1] == cards[1][:-1] else str(len(cards))


@pytest.mark.parametrize("profile", ["bela-2", "denderbelot-3", "belote"])
def test_every_card_that_may_be_held_meets_every_trick_that_may_lie_there(profile: str) -> None:
    rules = REFERENCE.ruleset(profile)
    situations, random = Situations(rules), Random(1)
    for _ in range(500):
        position = situations.question(random)
        cards = [*position["hand"], *position["trick"]]
        assert len(set(cards)) == len(cards)
        assert position["hand"]
        assert 0 < len(position["trick"]) < rules.players
    changed = [row.mutant for row in load_matrix().rows.values() if row.mutant.profile == profile and row.killed_by]
    wrong = [
        compile_mutant(one, rules.profile, default_spec()) for one in changed if one.rule.startswith("play.follow")
    ]
    asked = [situations.question(random) for _ in range(200)]
    right = [put("legal-cards", rules, one).message() for one in asked]
    assert wrong
    assert all([put("legal-cards", other, one).message() for one in asked] != right for other in wrong)


@pytest.mark.parametrize("profile", ["belote", "belotten", "denderbelot-3"])
def test_points_are_held_twice_in_a_row_wherever_they_can_be(profile: str) -> None:
    rules = REFERENCE.ruleset(profile)
    matches, random = CloseMatches(rules), Random(5)
    asked = [matches.question(DealPool(rules), random) for _ in range(200)]
    lines = [answered["result"]["deals"] for question in asked if "result" in (answered := told_by(rules, question))]
    assert sum(any(0 < one["held"] < other["held"] for one, other in pairwise(match)) for match in lines) >= 5


def test_claims_hold_by_a_point_or_lack_one() -> None:
    rules, random = REFERENCE.ruleset("bela-4"), Random(1)
    asked = [claimed(rules, random_deal(rules, random).question, random) for _ in range(60)]
    told = [put("replay", rules, question).message() for question in asked]
    held = sum(one.get("result", {}).get("ended") == "claim" for one in told)
    assert held >= 10
    assert sum(one.get("rejected", {}).get("reason") == "claim-false" for one in told) >= 10


def test_what_is_said_with_another_card_is_said_too_late_or_where_nobody_may() -> None:
    rules = REFERENCE.ruleset("belotten")
    random = Random(3)
    deals = (random_deal(rules, random).question for _ in range(60))
    told = [said_elsewhere(rules, deal, random) for deal in deals if any("announce" in one for one in deal["actions"])]
    messages = [put("replay", rules, one).message() for one in told]
    refused = {one["rejected"]["reason"] for one in messages if "rejected" in one}
    assert {"announced-late", "wrong-time-to-show"} <= refused
    rules = REFERENCE.ruleset("belote+automatic-declarations")
    asked = [announced_too(rules, random_deal(rules, random), random) for _ in range(40)]
    answers = [put("replay", rules, question).message().get("rejected", {}) for question in asked]
    assert sum(one.get("rule") == "declarations.announced" for one in answers) >= 10


@pytest.mark.parametrize(("variant", "removed"), [
    ("bela-2", ["7D"]),
    ("bela-2", ["7D", "8D", "9D", "10D", "JD", "QD", "KD", "AD"]),
    ("denderbelot-3", ["8S", "8D"]),
])  # fmt: skip
def test_questions_are_drawn_of_any_deck_that_can_be_dealt(variant: str, removed: list[str]) -> None:
    """Suits may be shorter than others, or not be played with at all."""
    spec = default_spec()
    profile = spec.profile(variant).with_values("house", {"deck.removed-cards": removed}, spec.rules)
    stream = Stream(compile_profile(profile), 1)
    asked = [one for _ in range(12) for one in stream.round()]
    told = json.dumps([one.input for one in asked])
    assert not [card for card in removed if f'"{card}"' in told]


EXTREMES = (0, 10**6)


@of_each_variant
def test_questions_are_drawn_whatever_numbers_the_rules_have(variant: str) -> None:
    """Points, targets and limits may be as small and as large as their schemas allow."""
    spec = default_spec()
    profile = spec.profile(variant)
    drawn = 0
    for rule, setting in profile.settings.items():
        for value in EXTREMES if type(setting.value) is int else ():
            if spec.rules[rule].allows(value) and value != setting.value:
                with suppress(UnplayableError):
                    stream = Stream(compile_changed(profile, {rule: value}, spec), 1)
                    drawn += len(stream.round())
    assert drawn > 300
