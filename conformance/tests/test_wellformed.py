"""Whatever is asked can come up at a table: what is drawn at any table, what is made smaller of it, and its parts."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_conformance.mistakes.mutations import compile_changed
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.matches import DealPool, random_match
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.operations.settle import tally
from belot_conformance.questions.stream import Stream, laid_out_questions
from belot_conformance.questions.suits import relabelled, renaming, renamings
from belot_conformance.suite.cases import load_cases
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec
from belot_workshop.tables.random_tables import random_table

REFERENCE = Reference()
PROFILES = [
    name
    for variant in REFERENCE.spec.playable()
    for name in (variant, *(f"{variant}+{option}" for option in REFERENCE.spec.options_of(variant)))
]
# Cases that begin with a side at the target: nothing is booked any more, or in Bulgarian belot the match still goes on.
ON_PURPOSE = {"bc-2177", "bc-6470", "bc-6471"}
SOME = 60


@pytest.mark.parametrize("profile", REFERENCE.spec.playable())
def test_what_is_drawn_is_wellformed(profile: str) -> None:
    rules = REFERENCE.ruleset(profile)
    stream = Stream(rules, 11, other_suits_after=3)
    for one in (drawn for _ in range(2) for drawn in stream.round()):
        assert OPERATIONS[one.operation].is_wellformed(rules, one.question), (one.operation, one.question)
    for name in (name for name, one in OPERATIONS.items() if one.lay_out is not None):
        laid_out = [question for _, question in laid_out_questions(rules, [name])]
        assert laid_out
        assert all(OPERATIONS[name].is_wellformed(rules, question) for question in laid_out)


@pytest.mark.long
@settings(deadline=None, max_examples=15)
@given(st.sampled_from(PROFILES), st.sampled_from([*OPERATIONS]), st.integers(0, 10_000), st.booleans())
def test_whatever_is_made_of_a_question_is_wellformed(profile: str, operation: str, seed: int, far: bool) -> None:
    rules, about, random = REFERENCE.ruleset(profile), OPERATIONS[operation], Random(seed)
    drawn = Stream(rules, seed, [operation], other_suits_after=0).round()
    if not drawn:
        return
    assert all(about.is_wellformed(rules, one.question) for one in drawn)
    question = random.choice(drawn).question
    made = about.far_smaller if far else about.smaller
    smaller = [(operation, one) for one in islice(made(rules, question), SOME)]
    further = [(operation, one) for _, one in random.sample(smaller, min(3, len(smaller)))]
    deeper = [(operation, one) for _, start in further for one in islice(made(rules, start), SOME)]
    for name, one in (*smaller, *deeper, *about.parts(rules, question)):
        assert OPERATIONS[name].is_wellformed(rules, one), (name, one)


def test_every_case_is_wellformed_but_for_one_that_asks_on_purpose() -> None:
    malformed = {
        case.id
        for case in load_cases()
        if case.origin != "derived"
        and not OPERATIONS[case.operation].is_wellformed(REFERENCE.ruleset(case.profile), case.input)
    }
    assert malformed == ON_PURPOSE


HALVES = [{"cards": 81, "tricks": 4}, {"cards": 81, "tricks": 4}]
ALL = [{"cards": 162, "tricks": 8}, {"cards": 0, "tricks": 0}]
RUN = ["7S", "8S", "9S"]


@pytest.mark.parametrize(("operation", "question", "can_be"), [
    ("match", {"dealer": 0, "totals": [499, 0], "deals": [{"scored": {"taker": 0, "sides": HALVES}}]}, True),
    ("match", {"dealer": 0, "totals": [1002, 0], "deals": [{"scored": {"taker": 0, "sides": HALVES}}]}, False),
    ("match", {"dealer": 0, "deals": [{"scored": {"taker": 0, "sides": [{"cards": 0, "tricks": 0}] * 2}}]}, False),
    ("compare-declarations", {"trump": "S", "leader": 0, "announced": [[RUN], [], [["JS", "QS", "KS"]], []]}, True),
    ("compare-declarations", {"trump": "S", "leader": 0, "announced": [[RUN], [], [RUN], []]}, False),
    ("compare-declarations", {"trump": "S", "leader": 0, "announced": [[RUN, RUN], [], [], []]}, False),
    ("score-deal", {"taker": 0, "sides": ALL}, True),
    ("score-deal", {"taker": 0, "last_trick": 0, "sides": [{**ALL[0], "cards": 152}, ALL[1]]}, True),
    ("score-deal", {"taker": 0, "last_trick": 1, "sides": [{**ALL[0], "cards": 152}, ALL[1]]}, False),
    ("score-deal", {"taker": 0, "sides": [{**HALVES[0], "belote": 20}, HALVES[1]]}, True),
    ("score-deal", {"taker": 0, "sides": [{**HALVES[0], "belote": 10}, HALVES[1]]}, False),
    ("score-deal", {"taker": 0, "sides": [{**one, "belote": 20} for one in HALVES]}, False),
    ("score-deal", {"taker": 0, "sides": [{**HALVES[0], "declarations": 30}, HALVES[1]]}, False),
    ("card-points", {"trump": "S", "cards": ["7S"], "last_trick": True}, False),
    ("compare-hands", {"trump": "S", "leader": 0, "hands": [["7S"], ["8S"], ["9S"], ["10S"]]}, True),
    ("compare-hands", {"trump": "S", "leader": 0, "hands": [["7S", "7H"], ["8S"], ["9S"], ["10S"]]}, False),
])  # fmt: skip
def test_what_nobody_could_see_is_no_question(operation: str, question: Mapping[str, Any], can_be: bool) -> None:
    rules = REFERENCE.ruleset("bela-4")
    assert OPERATIONS[operation].is_wellformed(rules, question) is can_be


def test_only_what_the_schema_calls_a_card_or_suit_is_in_other_suits() -> None:
    """A text that looks like one, as a bid of an ace of hearts would, stays what it is."""
    spades_as_hearts = renaming({"S": "H", "H": "S", "D": "D", "C": "C"})
    asked = {"dealer": 0, "turn_up": "AS", "bids": ["pass", "S", "SA"]}
    assert relabelled("bidding-input", asked, spades_as_hearts) == {
        **asked,
        "turn_up": "AH",
        "bids": ["pass", "H", "SA"],
    }
    # Three play with two sevens less, of the black suits.
    found = renamings(REFERENCE.ruleset("denderbelot-3"), "legal-cards")
    assert {tuple(names[suit] for suit in "SCHD") for names in found} == {tuple("CSHD"), tuple("SCDH"), tuple("CSDH")}
    result = {"state": "taken", "taker": 1, "trump": "S", "round": 1}
    assert relabelled("bidding-result", result, spades_as_hearts) == {**result, "trump": "H"}


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
    tallies = [tally(rules, random) for _ in range(150)]
    assert all(OPERATIONS["score-deal"].is_wellformed(rules, one) for one in tallies)
    drawn = [tuple(side["cards"] for side in one["sides"]) for one in tallies]
    assert len(set(drawn)) > 25
    assert sum(max(cards) - min(cards) <= 2 for cards in drawn) > 5


@pytest.mark.parametrize("seed", range(2))
def test_what_a_file_of_house_rules_may_say_can_be_played(seed: int, tmp_path: Path) -> None:
    """The same for 5,000 tables found no other fault; these are as many as a run of all tests has time for."""
    for number in range(8):
        random = Random(f"{seed} {number}")
        table = random_table(SPEC, tmp_path / f"table-{number}.yaml", random)
        rules = compile_profile(table.profile)
        for _ in range(2):
            assert random_deal(rules, random).state.ended
