"""Whatever is asked can come up at a table: what is drawn, and the parts that it is made of."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.relabelling import relabelled, renaming, renamings
from belot_conformance.questions.stream import Stream, random_questions
from belot_conformance.suite.cases import load_cases
from belot_reference.possible import why_impossible
from belot_spec.card_names import RANKS, SUITS

REFERENCE = Reference()
PROFILES = [
    name
    for variant in REFERENCE.spec.playable()
    for name in (variant, *(f"{variant}+{option}" for option in REFERENCE.spec.options_of(variant)))
]


@pytest.mark.parametrize("profile", REFERENCE.spec.playable())
def test_every_drawer_asks_only_what_can_be_at_the_table(profile: str) -> None:
    rules, random = REFERENCE.ruleset(profile), Random(5)
    stream = Stream(rules, 11, other_suits_after=3)
    for one in (drawn for _ in range(2) for drawn in stream.round()):
        assert OPERATIONS[one.operation].is_wellformed(rules, one.input), (one.operation, one.input)
    drawn = [
        *random_questions(rules, 3, 5),
    ]
    by_operation = {one.operation: one.input for one in drawn}
    for operation, question in by_operation.items():
        about = OPERATIONS[operation]
        drawn += about.parts(rules, question)
        varied = (about.varied(rules, question, random) for _ in range(10))
        drawn += [Question(operation, one) for one in varied if about.is_wellformed(rules, one)]
    assert set(OPERATIONS) - by_operation.keys() <= {"penalty", "roem"}
    impossible = [(one, why_impossible(rules, one.operation, one.input)) for one in drawn]
    assert not [(one, str(error)) for one, error in impossible if error is not None]


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(PROFILES), st.sampled_from([*OPERATIONS]), st.integers(0, 10_000))
def test_whatever_is_asked_and_its_parts_are_wellformed(profile: str, operation: str, seed: int) -> None:
    rules = REFERENCE.ruleset(profile)
    for drawn in Stream(rules, seed, [operation], other_suits_after=0).round():
        for one in (drawn, *OPERATIONS[operation].parts(rules, drawn.input)):
            assert OPERATIONS[one.operation].is_wellformed(rules, one.input), one


def test_every_case_can_be_at_the_table() -> None:
    refused = {
        case.id: str(error)
        for case in load_cases()
        if (error := why_impossible(REFERENCE.ruleset(case.profile), case.operation, case.input)) is not None
    }
    assert not refused


HALVES = [{"cards": 81, "tricks": 4}, {"cards": 81, "tricks": 4}]
ALL = [{"cards": 162, "tricks": 8}, {"cards": 0, "tricks": 0}]
RUN = ["7S", "8S", "9S"]
HAND = [f"{rank}S" for rank in RANKS]
TRICKS = [{"leader": 0, "cards": [f"{rank}{suit}" for suit in SUITS]} for rank in RANKS]


@pytest.mark.parametrize(("operation", "question", "can_be"), [
    ("match", {"dealer": 0, "totals": [499, 0], "deals": [{"scored": {"taker": 0, "sides": HALVES}}]}, True),
    ("match", {"dealer": 0, "totals": [1002, 0], "deals": [{"scored": {"taker": 0, "sides": HALVES}}]}, True),
    ("replay", {"dealer": 0, "totals": [1002, 0], "tricks": TRICKS, "taker": 0, "trump": "S"}, False),
    ("replay", {"dealer": 0, "totals": [499, 0], "tricks": TRICKS, "taker": 0, "trump": "S"}, True),
    ("score-deal", {"taker": 0, "sides": [{"cards": 81, "tricks": 7}, {"cards": 81, "tricks": 1}]}, False),
    ("score-deal", {"taker": 0, "sides": [{**HALVES[0], "declarations": 60, "outranked": 20}, HALVES[1]]}, False),
    ("score-deal", {"taker": 0, "sides": [{**HALVES[0], "outranked": 20}, {**HALVES[1], "declarations": 20}]}, True),
    ("declarations", {"hand": HAND}, True),
    ("declarations", {"hand": HAND[1:]}, False),
    ("belote", {"trump": "S", "hand": HAND[1:], "plays": [{"card": "8S"}]}, False),
    ("legal-cards", {"trump": "S", "hand": HAND[1:], "trick": []}, True),
    ("legal-cards", {"trump": "S", "hand": [*HAND, "7H"], "trick": []}, False),
    ("legal-cards", {"trump": "S", "hand": HAND, "trick": ["7H"]}, True),
    ("match", {"dealer": 0, "deals": [{"scored": {"taker": 0, "sides": [{"cards": 0, "tricks": 0}] * 2}}]}, False),
    ("compare-declarations", {"trump": "S", "leader": 0, "announced": [[RUN], [], [["JS", "QS", "KS"]], []]}, True),
    ("compare-declarations", {"trump": "S", "leader": 0, "announced": [[RUN], [], [RUN], []]}, False),
    ("compare-declarations", {"trump": "S", "leader": 0, "announced": [[RUN, RUN], [], [], []]}, False),
    ("score-deal", {"taker": 0, "sides": ALL}, True),
    ("score-deal", {"taker": 0, "last_trick": 0, "sides": [{**ALL[0], "cards": 152}, ALL[1]]}, True),
    ("score-deal", {"taker": 0, "last_trick": 1, "sides": [{**ALL[0], "cards": 152}, ALL[1]]}, False),
    ("score-deal", {"taker": 0, "sides": [{**HALVES[0], "belote": 20}, HALVES[1]]}, True),
    ("card-points", {"trump": "S", "cards": ["7S"], "last_trick": True}, False),
    ("compare-hands", {"trump": "S", "leader": 0, "hands": [["7S"], ["8S"], ["9S"], ["10S"]]}, True),
    ("compare-hands", {"trump": "S", "leader": 0, "hands": [["7S", "7H"], ["8S"], ["9S"], ["10S"]]}, False),
])  # fmt: skip
def test_what_no_table_can_have_is_no_question(operation: str, question: Mapping[str, Any], can_be: bool) -> None:
    rules = REFERENCE.ruleset("bela-4")
    assert OPERATIONS[operation].is_wellformed(rules, question) is can_be


def test_only_what_the_schema_calls_a_card_or_suit_is_in_other_suits() -> None:
    """A text that looks like one, as a bid of an ace of hearts would, stays what it is."""
    spades_as_hearts = renaming({"S": "H", "H": "S", "D": "D", "C": "C"})
    asked = {"dealer": 0, "turn_up": "AS", "bids": ["pass", "S", "SA", "90S", "capotN", "double"]}
    bids = ["pass", "H", "SA", "90H", "capotN", "double"]
    assert relabelled("bidding-input", asked, spades_as_hearts) == {**asked, "turn_up": "AH", "bids": bids}
    result = {"state": "taken", "taker": 1, "trump": "S", "round": 1}
    assert relabelled("bidding-result", result, spades_as_hearts) == {**result, "trump": "H"}


def test_suits_are_alike_where_the_same_cards_of_them_are_in_the_deck() -> None:
    """Three play with two sevens less, of the black suits."""
    found = renamings(REFERENCE.ruleset("denderbelot-3"), "legal-cards")
    assert {tuple(names[suit] for suit in "SCHD") for names in found} == {tuple("CSHD"), tuple("SCDH"), tuple("CSDH")}
