"""Deals are laid out so that every two ways of settling write something else, and what they tell is found together."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.hypothesis import Scorer
from belot_conformance.identify.search import Pairs, Vain
from belot_conformance.identify.several import Several
from belot_conformance.identify.steps import Steps
from belot_conformance.mistakes.mutations import compile_changed
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import laid_out_questions
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.shipped import default_spec
from belot_workshop.identifying.bars import settling_rules
from belot_workshop.tables.random_tables import random_table

SPEC = default_spec()
SETTLING = [name for name, one in OPERATIONS.items() if one.lay_out is not None]
VARIANTS = sorted(SPEC.playable())


def answers_of(asked: Ruleset, played: Ruleset, operation: str) -> list[Observation]:
    """Return what a program that plays some rules answers to the deals that are laid out by others."""
    found = []
    for place, (name, question) in enumerate(laid_out_questions(asked, [operation])):
        ((kind, value),) = put(name, played, question).message().items()
        found.append(Observation(f"{name} {place}", name, question, kind, value))
    return found


@pytest.mark.parametrize("operation", SETTLING)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_deal_that_is_laid_out_can_come_up(variant: str, operation: str) -> None:
    rules = Reference().ruleset(variant)
    asked = [question for _, question in laid_out_questions(rules, [operation])]
    assert asked
    assert all(OPERATIONS[operation].is_wellformed(rules, question) for question in asked)


def test_the_deals_tell_every_two_options_of_contree_apart_that_settle_otherwise() -> None:
    base = Reference().ruleset("contree")
    settling = settling_rules("contree")
    ways = {
        option: compile_changed(base.profile, {rule: one.value for rule, one in changed.settings.items()}, SPEC)
        for option, changed in SPEC.options_of("contree").items()
        if settling.intersection(changed.settings)
    }
    assert len(ways) >= 8
    told = {
        option: [one.value for one in answers_of(base, rules, "score-deal")]
        for option, rules in {"": base, **ways}.items()
    }
    assert [pair for pair in combinations(told, 2) if told[pair[0]] == told[pair[1]]] == []


@pytest.mark.parametrize("operation", SETTLING)
@pytest.mark.parametrize("seed", range(2))
def test_settling_rules_that_hide_each_other_are_found_together(seed: int, operation: str, tmp_path: Path) -> None:
    about = settling_rules("contree")
    table = random_table(SPEC, tmp_path / "house.yaml", Random(seed), (4, 8), "contree", about)
    asked, played = SPEC.profile("contree"), compile_profile(table.profile)
    seen = answers_of(compile_profile(asked), played, operation)
    sets = Several(Steps(Scorer([asked], seen, SPEC, {}).laid_out())).sets()
    state = Scorer([asked], seen, SPEC, {}).state(sets[0])
    assert state is not None
    # Errors where nobody may double, and a few questions that no others are like, are left to the search of single rules.
    wrong = [one for one in state.wrong if seen[one].kind == "result"]
    assert len(wrong) <= len(seen) // 20, f"{table.values} is not {dict(state.changes)}"


def test_a_third_rule_is_found_beside_two_that_say_the_same_in_other_words() -> None:
    asked = SPEC.profile("contree+double-the-bid-alone")
    capot = {"scoring.capot-fall": "fixed-sum"}
    true = {
        "scoring.all-tricks.counted": "on-top",
        "scoring.all-tricks.points": 270,
        "scoring.raised-kinds": ["all-tricks", "bid"],
    }
    played = compile_changed(asked, {**capot, **true}, SPEC)
    answers = answers_of(compile_profile(asked), played, "score-deal")
    # Only a doubled capot tells 270 on top of 162 from 432 in their place.
    seen = [one for one in answers if one.input.get("raised", 1) == 1 or one.input["bid"] == "capot"]
    scorer = Scorer([asked], seen, SPEC, {})
    begun = scorer.state(
        {scorer.slot(0, rule): value for rule, value in {**capot, "scoring.all-tricks.points": 432}.items()}
    )
    assert begun is not None
    assert len(begun.wrong) == 6
    steps = Steps(scorer)
    steps.moved()
    found = Pairs(steps, Vain()).escaped(begun)
    assert found is not None
    assert not found.wrong
    assert {rule: value for (rule, _), value in found.changes.items()} == {**capot, **true}


def test_what_was_asked_by_tricks_is_told_by_the_sums_that_came_of_them() -> None:
    base = Reference().ruleset("contree")
    seen = answers_of(base, base, "settle-tricks")
    told = Scorer([base.profile], seen, SPEC, {}).laid_out()
    state = told.state({})
    assert state is not None
    assert {one.operation for one in told.observations} == {"score-deal"}
    assert not state.wrong
