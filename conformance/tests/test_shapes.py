"""Deals in the shapes that programs want: the same answers to what is told, and nothing told that they cannot know."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.programs.protocol import Hello, ProtocolViolation, Reply, parse_hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.shape import Shape
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.reports.report import Run, as_json
from belot_conformance.reports.words import told_of_tables
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.shapes import (
    ABOUT_MORE_THAN_TRICKS,
    ABOUT_THE_BIDDING,
    ABOUT_THE_DECK,
    ABOUT_WHAT_IS_SAID,
    NotAskedError,
    told_case,
)
from belot_conformance.suite.verdicts import Askable, Planned, judge_all
from belot_reference.operations import answer
from belot_spec.load.schemas import explain
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from suite_testing import LEAST_HELLO

PLAY, TRICKS = Shape("play"), Shape("tricks")
AUTOMATIC, APART = Shape(announcing="automatic"), Shape(last_trick="apart")
SAID = ("announce", "belote", "show", "made")
STEP = 3


@pytest.fixture(scope="module")
def deals(cases: list[Case]) -> list[Case]:
    """Return whole deals of every variant, some of each file."""
    plain = [case for case in cases if case.operation == "replay" and len(case.expected) == 1]
    return plain[::STEP]


def told(shape: Shape, cases: list[Case], reference: Reference) -> tuple[list[tuple[Case, Case]], Counter[str]]:
    """Return each case with what is told of it, and why others are not asked."""
    pairs, left = [], Counter[str]()
    for case in cases:
        try:
            pairs.append((case, told_case(shape, reference.ruleset(case.profile), case)))
        except NotAskedError as why:
            left[str(why)] += 1
    return pairs, left


@pytest.mark.parametrize(
    ("shape", "whys"),
    [
        (PLAY, {ABOUT_THE_DECK, ABOUT_THE_BIDDING}),
        (AUTOMATIC, {ABOUT_WHAT_IS_SAID}),
        (TRICKS, {ABOUT_THE_DECK, ABOUT_THE_BIDDING, ABOUT_WHAT_IS_SAID, ABOUT_MORE_THAN_TRICKS}),
    ],
)
def test_a_deal_that_is_told_otherwise_has_the_same_answer(
    shape: Shape, whys: set[str], deals: list[Case], reference: Reference
) -> None:
    pairs, left = told(shape, deals, reference)
    assert set(left) == whys
    kinds = Counter(asked.expected[0].kind for _, asked in pairs)
    # Whatever is refused stops a deal of a case, and then the cards do not tell all.
    assert kinds["result"] > 50
    assert (kinds["rejected"] > 3) == (shape is not TRICKS)
    for case, asked in pairs:
        came = answer("replay", reference.ruleset(case.profile), asked.input).message()
        (expected,), (told_expected,) = case.expected, asked.expected
        assert {name: came[expected.kind][name] for name in told_expected.fields} == told_expected.fields
        assert {**told_expected.fields, "at": 0} == {**expected.fields, "at": 0}


def test_without_the_bidding_no_bid_is_told(deals: list[Case], reference: Reference) -> None:
    for case, asked in told(PLAY, deals, reference)[0]:
        bids = sum("bid" in action for action in case.input["actions"])
        assert {"taker", "trump"} <= asked.input.keys()
        assert "deck" not in asked.input
        assert asked.input["actions"] == case.input["actions"][bids:] or "bid" in case.input["actions"][-1]


def test_what_is_announced_by_itself_is_not_told(deals: list[Case], reference: Reference) -> None:
    pairs, _ = told(AUTOMATIC, deals, reference)
    assert all(not any(name in action for name in SAID) for _, asked in pairs for action in asked.input["actions"])
    counted = [asked for case, asked in pairs if any(asked.expected[0].fields.get("declarations", ()))]
    assert counted


def test_a_deal_that_is_told_by_its_contract_comes_as_a_program_wants_it(
    cases: list[Case], reference: Reference
) -> None:
    by_contract = [
        case for case in cases if case.operation == "replay" and "taker" in case.input and "tricks" not in case.input
    ]
    by_tricks, _ = told(TRICKS, by_contract, reference)
    assert by_tricks
    assert all("tricks" in asked.input and "actions" not in asked.input for _, asked in by_tricks)
    by_itself, _ = told(AUTOMATIC, by_contract, reference)
    assert by_itself
    assert not any(name in action for name in SAID for _, asked in by_itself for action in asked.input["actions"])


def test_king_and_queen_that_announce_themselves_are_told_without_a_word(
    cases: list[Case], reference: Reference
) -> None:
    pairs, left = told(AUTOMATIC, [case for case in cases if case.operation == "belote"], reference)
    assert set(left) == {ABOUT_WHAT_IS_SAID}
    assert Counter(asked.expected[0].kind for _, asked in pairs).keys() == {"result", "rejected"}
    assert any(asked.expected[0].fields.get("points") for _, asked in pairs)
    for case, asked in pairs:
        assert asked.input["announcing"] == "automatic"
        assert not any("call" in play for play in asked.input["plays"])
        came = answer("belote", reference.ruleset(case.profile), asked.input).message()
        assert Expectation.of("belote", came).message in [one.message for one in case.expected]
        assert (
            explain({"id": "1", "op": "belote", "profile": str(case.profile), "input": asked.input}, "protocol-request")
            == []
        )


def test_by_tricks_a_refused_card_is_counted_among_cards(deals: list[Case], reference: Reference) -> None:
    refused = 0
    for case, _ in told(TRICKS, deals, reference)[0]:
        spoilt = _with_two_cards_swapped(case)
        found = answer("replay", reference.ruleset(case.profile), spoilt.input)
        if found.rejected is None or found.rejected["reason"] != "illegal-card":
            continue
        pairs, _ = told(TRICKS, [replace(spoilt, expected=(Expectation.whole(found.message()),))], reference)
        for _, asked in pairs:
            cards = [card for trick in asked.input["tricks"] for card in trick["cards"]]
            at = asked.expected[0].fields["at"]
            assert cards[at] == spoilt.input["actions"][found.rejected["at"]]["play"]
            refused += at != found.rejected["at"]
    assert refused > 3


def _with_two_cards_swapped(case: Case) -> Case:
    """Return a deal in which the leader plays in the second trick what he played in the last one."""
    actions = [dict(action) for action in case.input["actions"]]
    plays = [action for action in actions if "play" in action]
    own = [action for action in plays if action["seat"] == plays[0]["seat"]]
    own[1]["play"], own[-1]["play"] = own[-1]["play"], own[1]["play"]
    return replace(case, input={**case.input, "actions": actions})


def test_the_last_tricks_bonus_is_told_apart(cases: list[Case], reference: Reference) -> None:
    pairs, left = told(APART, [case for case in cases if case.operation in ("score-deal", "match")], reference)
    assert sum(left.values()) < len(pairs) / 20
    differing = 0
    for case, asked in pairs:
        rules = reference.ruleset(case.profile)
        assert answer(case.operation, rules, asked.input).result == answer(case.operation, rules, case.input).result
        differing += asked.input != case.input
    assert differing > len(pairs) / 2


def test_whoever_wants_another_shape_is_asked_so_and_the_report_says_it(
    deals: list[Case], reference: Reference, spec: Spec
) -> None:
    asked = []

    def reply(operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(question)
        return reference.reply(operation, profile, question)

    hello = Hello(1, "tricky", "1", "C", (ProfileName("belotten"),), ("replay",), shape=TRICKS)
    plan = [Planned(case, case.profile) for case in deals if case.profile == "belotten"]
    verdicts = judge_all(FunctionTarget(hello, reply), plan)
    run = Run(hello, "tricky", "0", verdicts, [], 0.0)
    assert asked
    assert all("tricks" in question and "actions" not in question for question in asked)
    assert {verdict.outcome for verdict in verdicts} == {"passed", "unsupported"}
    report = as_json(run, spec)
    assert report["target"]["deals"] == "tricks"
    assert explain(report, "report") == []
    line = next(line for line in told_of_tables(run) if "tricks" in line.en)
    assert f"that is how {len(asked)} whole deals were asked; {len(plan) - len(asked)} about more" in line.en


def test_telling_a_deal_twice_changes_nothing(deals: list[Case], reference: Reference) -> None:
    for shape in (PLAY, TRICKS, AUTOMATIC):
        for case, asked in told(shape, deals[:60], reference)[0]:
            again = told_case(replace(shape), reference.ruleset(case.profile), asked)
            assert again.input == asked.input


def test_rules_of_the_same_name_are_told_each_by_their_own(cases: list[Case], spec: Spec) -> None:
    ours = spec.profile("bela-4")
    others = ours.with_values(ours.id, {"scoring.last-trick": 20}, spec.rules)
    case = next(one for one in cases if one.operation == "score-deal" and one.profile == ours.id)
    declared = Askable(Hello(1, "a program", "1", "Python", (ProfileName("ours"),), ("score-deal",), shape=APART))
    told_so = [
        declared.as_told(Planned(case, ours.id, asked_as="ours", rules=rules))[0].case.input
        for rules in (ours, others, ours)
    ]
    assert told_so[0] == told_so[2] != told_so[1]


@pytest.mark.parametrize("shape", [PLAY, TRICKS, AUTOMATIC, APART])
def test_hello_says_which_shape_is_wanted(shape: Shape) -> None:
    assert parse_hello(Reply("hello", "result", {**LEAST_HELLO, **shape.as_json()})).shape == shape


@pytest.mark.parametrize("said", [{"deals": "cards"}, {"announcing": True}, {"last_trick": "outside"}])
def test_another_shape_is_refused(said: dict[str, object]) -> None:
    (name,) = said
    with pytest.raises(ProtocolViolation, match=rf"`{name}` in the answer to `hello` has the wrong form"):
        parse_hello(Reply("hello", "result", {**LEAST_HELLO, **said}))
