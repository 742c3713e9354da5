"""Deals can be played, and random questions drawn, at any table."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from belot_conformance.mistakes.mutations import compile_changed
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.matches import DealPool, random_match
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.operations.settle import tally
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec
from belot_workshop.tables.random_tables import random_table

SPEC = default_spec()


@pytest.mark.parametrize("fault", ["innocent-gets-all", "other-side-gains", "guilty-side-loses"])
def test_only_accusations_that_end_a_deal_stand_in_a_match(fault: str) -> None:
    free = {"penalties.fault": fault, "penalties.wrong-accusation": "free", "penalties.points": 25}
    rules = compile_changed(SPEC.profile("denderbelot"), free, SPEC)
    random = Random(4)
    pool = DealPool(rules, [random_deal(rules, random) for _ in range(10)])
    matches = [random_match(rules, pool, random).question for _ in range(20)]
    told = [deal["accusation"]["proved"] for asked in matches for deal in asked["deals"] if "accusation" in deal]
    assert told
    assert all(told)


@pytest.mark.parametrize("profile", SPEC.playable())
def test_the_points_of_drawn_deals_are_others_each_time_and_often_equal(profile: str) -> None:
    rules, random = compile_profile(SPEC.profile(profile)), Random(1)
    draw = partial(OPERATIONS["score-deal"].until_possible, rules, partial(tally, rules))
    tallies = [draw(random) for _ in range(300)]
    assert all(OPERATIONS["score-deal"].is_wellformed(rules, one) for one in tallies)
    drawn = [tuple(side["cards"] for side in one["sides"]) for one in tallies]
    assert len(set(drawn)) > 50
    assert sum(max(cards) - min(cards) <= 2 for cards in drawn) > 10


@pytest.mark.parametrize("seed", range(4))
def test_what_a_file_of_house_rules_may_say_can_be_played(seed: int, tmp_path: Path) -> None:
    """The same for 5,000 tables found no other fault; these are as many as a run of all tests has time for."""
    for number in range(15):
        random = Random(f"{seed} {number}")
        table = random_table(SPEC, tmp_path / f"table-{number}.yaml", random)
        rules = compile_profile(table.profile)
        for _ in range(2):
            assert random_deal(rules, random).state.ended
