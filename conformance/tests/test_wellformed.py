"""Whatever is asked can come up at a table: what is drawn, what is made smaller of it, and the parts it is made of."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_conformance.identify.further import Further
from belot_conformance.programs.reference import Reference, put
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import Stream
from belot_conformance.questions.suits import relabelled, renaming, renamings
from belot_conformance.suite.cases import load_cases
from belot_reference.auction import AuctionNode, BidRounds
from belot_reference.cards import CARD_BY_NAME, names_of
from belot_reference.compile import Ruleset
from belot_reference.questions import mode_named
from belot_reference.trace import Trace
from belot_spec.card_names import SUITS
from belot_spec.load.schemas import is_valid

REFERENCE = Reference()
PROFILES = [
    name
    for variant in REFERENCE.spec.playable()
    for name in (variant, *(f"{variant}+{option}" for option in REFERENCE.spec.options_of(variant)))
]
# Cases that begin with a side at the target: nothing is booked any more, or in Bulgarian belot the match still goes on.
ON_PURPOSE = {"bc-2177", "bc-6470", "bc-6471"}
SOME = 300


def cards_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value in CARD_BY_NAME else []
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [card for item in inside for card in cards_in(item)]


def absurdities(rules: Ruleset, operation: str, question: Mapping[str, Any]) -> list[str]:
    """Name what nobody could see at a table, seen with other eyes than those of the operations."""
    found = [] if is_valid(question, "protocol-operations", f"{operation}-input") else ["form"]
    found += ["refused as a question"] if put(operation, rules, question).answer is None else []
    found += ["a stranger"] if {*cards_in(question)} - {*names_of(rules.deck)} else []
    for key in ("announced", "hands", "piles", "trick", "hand", "cards"):
        cards = cards_in(question.get(key, ()))
        twice = len(cards) > len({*cards})
        if key == "announced":
            seats = [{*cards_in(seat)} for seat in question.get(key, ())]
            twice = sum(map(len, seats)) > len(set().union(*seats))
        found += [f"a card twice in {key}"] if twice else []
    if "hands" in question and operation != "replay":
        found += ["hands of two sizes"] if len({*map(len, question["hands"])}) > 1 else []
    target = rules.value("match.target")
    totals = question.get("totals", [0])
    found += ["over already"] if max(totals) > target and totals.count(max(totals)) == 1 else []
    tallies = [question] if operation == "score-deal" else []
    tallies += [deal["scored"] for deal in question.get("deals", ()) if "scored" in deal]
    for tally in tallies:
        sides = tally["sides"]
        found += ["tricks"] if sum(side["tricks"] for side in sides) != rules.hand_size else []
        mode = mode_named(rules, tally.get("trump", "S"))
        points = sum(side["cards"] for side in sides) - rules.points_in_deck(mode)
        found += (
            ["points"]
            if not (0 if "last_trick" in tally else -130) <= points <= rules.value("scoring.last-trick")
            else []
        )
        if "last_trick" in tally and not sides[tally["last_trick"]]["tricks"]:
            found.append("the last trick without a trick")
    for side in [*question.get("sides", ()), *(side for tally in tallies for side in tally["sides"])]:
        belote = side.get("belote", 0)
        worth = rules.value("declarations.belote.points")
        found += [f"belote {belote}"] if belote not in range(0, worth * (5 if rules.has_auction else 2), worth) else []
        found += ["declared"] if side.get("declarations", 0) in (10, 30) else []
    return found


@pytest.mark.parametrize("profile", REFERENCE.spec.playable())
def test_what_is_drawn_is_wellformed(profile: str) -> None:
    rules = REFERENCE.ruleset(profile)
    stream = Stream(rules, 11, other_suits_after=3)
    for one in (drawn for _ in range(5) for drawn in stream.round()):
        assert OPERATIONS[one.operation].is_wellformed(rules, one.question), (one.operation, one.question)
        assert not absurdities(rules, one.operation, one.question)


@pytest.mark.long
@settings(deadline=None, max_examples=60)
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
        assert not absurdities(rules, name, one), (name, one)


def test_every_case_is_wellformed_but_for_one_that_asks_on_purpose() -> None:
    malformed = {
        case.id
        for case in load_cases()
        if not OPERATIONS[case.operation].is_wellformed(REFERENCE.ruleset(case.profile), case.input)
    }
    assert malformed == ON_PURPOSE


HALVES = [{"cards": 81, "tricks": 4}, {"cards": 81, "tricks": 4}]
ALL = [{"cards": 162, "tricks": 8}, {"cards": 0, "tricks": 0}]
RUN = ["7S", "8S", "9S"]


@pytest.mark.parametrize(
    ("operation", "question", "can_be"),
    [
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
    ],
)
def test_what_nobody_could_see_at_a_table_is_no_question(
    operation: str, question: Mapping[str, Any], can_be: bool
) -> None:
    rules = REFERENCE.ruleset("bela-4")
    assert OPERATIONS[operation].is_wellformed(rules, question) is can_be


@pytest.mark.parametrize(
    ("profile", "rule", "value"),
    [("bela-4", "match.target", 1002), ("belotten", "match.target", 501), ("bela-4", "scoring.all-tricks.points", 100)],
)
def test_what_identify_asks_further_is_wellformed_by_the_rules_found(profile: str, rule: str, value: int) -> None:
    further = Further(REFERENCE.spec.profile(profile), REFERENCE.spec, 0)
    asked = [*further.against(rule, value, 5)]
    assert asked
    assert all(OPERATIONS[one.operation].is_wellformed(further.rules, one.input) for one in asked)


def test_only_what_the_schema_calls_a_card_or_suit_is_in_other_suits() -> None:
    """A text that looks like one, as a bid of an ace of hearts would, stays what it is."""
    spades_as_hearts = renaming({"S": "H", "H": "S", "D": "D", "C": "C"})
    asked = {"dealer": 0, "turn_up": "AS", "bids": ["pass", "S", "SA", "90S", "capotN", "double"]}
    assert relabelled("bidding-input", asked, spades_as_hearts) == {
        **asked,
        "turn_up": "AH",
        "bids": ["pass", "H", "SA", "90H", "capotN", "double"],
    }
    result = {"state": "taken", "taker": 1, "trump": "S", "round": 1}
    assert relabelled("bidding-result", result, spades_as_hearts) == {**result, "trump": "H"}


class Ladder(BidRounds):
    """Whoever bids must name a suit that ranks above clubs: in other suits something else could be bid."""

    def _offered(self, rules: Trace, node: AuctionNode) -> tuple[tuple[int, ...], int]:
        calls, least = super()._offered(rules, node)
        return tuple(suit for suit in calls if SUITS[suit] != "C"), least


@pytest.mark.parametrize("profile", ["belote", "belotten", "bela-4"])
def test_suits_that_rank_in_the_bidding_are_alike_only_where_nobody_bids(profile: str) -> None:
    rules = REFERENCE.ruleset(profile)
    ranked = replace(rules, auction=Ladder(rules.profile, rules.modes))
    assert all(len(renamings(rules, name)) == 23 for name in OPERATIONS)
    alike = {name: renamings(ranked, name) for name in OPERATIONS}
    assert {name for name, found in alike.items() if len(found) == 23} == OPERATIONS.keys() - {"bidding", "replay"}
    assert {tuple(names[suit] for suit in SUITS) for names in alike["bidding"]} == {
        (*order, "C") for order in permutations("SHD")
    } - {("S", "H", "D", "C")}


def test_suits_are_alike_where_the_same_cards_of_them_are_in_the_deck() -> None:
    """Three play with two sevens less, of the black suits."""
    found = renamings(REFERENCE.ruleset("denderbelot-3"), "legal-cards")
    assert {tuple(names[suit] for suit in "SCHD") for names in found} == {tuple("CSHD"), tuple("SCDH"), tuple("CSDH")}
