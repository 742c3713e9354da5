"""A deal played out and the same deal told by its tricks are settled alike, by any rules."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import random_deal
from belot_conformance.suite.cases import Case
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_reference.possible import why_impossible
from belot_reference.roem import must_call
from belot_spec.spec import Spec
from laboratory.lot import random_table

FIELDS = ("tricks", "cards", "counted", "outcome", "points", "score", "held", "written")
TOLD = ("taker", "trump", "bid", "raised")
TABLES = 3
DEALS = 4


def by_tricks(rules: Ruleset, deal: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deal that was played out as a question of settle-tricks, from what the protocol tells of it."""
    plays = [(action["seat"], action["play"]) for action in deal["actions"] if "play" in action]
    tricks = [plays[at : at + rules.players] for at in range(0, len(plays), rules.players)]
    laid = [action["discard"] for action in deal["actions"] if "discard" in action]
    kinds = () if rules.has_roem else ("declarations", "outranked", "belote")
    return {
        **{name: result[name] for name in TOLD if name in result},
        "tricks": [{"leader": trick[0][0], "cards": [card for _, card in trick]} for trick in tricks],
        "sides": [{kind: result[kind][side] for kind in kinds} for side in range(rules.side_count)],
        **({"discarded": laid[0]} if laid else {}),
    }


def settled_alike(rules: Ruleset, deal: Mapping[str, Any]) -> int:
    """Hold the two against each other, and return how many deals that were: one, or none that was not played out."""
    result = answer("replay", rules, deal).result
    # Tricks do not tell who called their roem.
    if result is None or result["ended"] != "played" or must_call(rules):
        return 0
    settled = answer("settle-tricks", rules, by_tricks(rules, deal, result)).result
    assert settled == {name: result[name] for name in FIELDS}, (rules.profile.id, deal)
    return 1


def test_every_recorded_deal_is_settled_alike_by_its_tricks(cases: list[Case], reference: Reference) -> None:
    deals = [one for one in cases if one.operation == "replay" and "actions" in one.input]
    assert sum(settled_alike(reference.ruleset(one.profile), one.input) for one in deals) > 700


def test_at_any_table_deals_are_settled_alike_by_their_tricks(spec: Spec, tmp_path: Path) -> None:
    random, deals = Random("any table"), 0
    for variant in spec.playable():
        for number in range(TABLES):
            table = random_table(spec, tmp_path / f"{variant}-{number}.yaml", random, variant=variant)
            rules = compile_profile(table.profile)
            drawn = [random_deal(rules, random).question for _ in range(DEALS)]
            deals += sum(settled_alike(rules, deal) for deal in drawn if "actions" in deal)
    assert deals > TABLES * DEALS * 8


@pytest.mark.parametrize(("winner", "together"), [("winning-side", False), ("winning-camp", True), ("everybody", True)])
def test_both_sides_may_have_declarations_where_pairs_are_of_two_camps(winner: str, together: bool, spec: Spec) -> None:
    values = {"declarations.winner-scores": winner}
    rules = compile_profile(changed_profile(spec.profile("bela-4"), values, spec))
    sides = [{"cards": 100, "tricks": 5, "declarations": 20}, {"cards": 62, "tricks": 3, "declarations": 20}]
    assert (why_impossible(rules, "score-deal", {"taker": 0, "sides": sides}) is None) == together
