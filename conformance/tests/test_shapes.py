"""Deals in the shapes that programs want: the same answers to what is told, and nothing told that they cannot know."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.programs.protocol import Hello, ProtocolViolation, Reply, Shape, parse_hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.reports.report import Run, as_json
from belot_conformance.reports.words import told_of_tables
from belot_conformance.suite import shapes
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.verdicts import Planned, judge_all
from belot_reference.operations import answer
from belot_spec.load.schemas import explain
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from suite_testing import LEAST_HELLO

HANDS, PLAY, TRICKS = Shape("hands"), Shape("play"), Shape("tricks")
AUTOMATIC, APART = Shape(announcing="automatic"), Shape(last_trick="apart")
# A program without all trumps, capot and doubling, and what of these stands in a question or an answer.
FEW = Shape(knows={"modes": ("S", "H", "D", "C", "N"), "calls": ()})
UNKNOWN = re.compile(r'"(\d{2,3}|capot)?A"|capot|double|"raised": [2-9]')
SAID = ("announce", "belote", "show", "made")


@pytest.fixture(scope="module")
def deals(cases: list[Case]) -> list[Case]:
    plain = [case for case in cases if case.operation == "replay" and len(case.expected) == 1]
    played = [case for case in plain if case.expected[0].kind == "result"]
    return [*(case for case in plain if case not in played), *played[::11]]


def told(shape: Shape, cases: list[Case], reference: Reference) -> tuple[list[tuple[Case, Case]], Counter[str]]:
    pairs, left = [], Counter[str]()
    for case in cases:
        try:
            pairs.append((case, shapes.told_case(shape, reference.ruleset(case.profile), case, of_choices=True)))
        except shapes.NotAskedError as why:
            left[str(why)] += 1
    return pairs, left


@pytest.mark.parametrize(("shape", "whys"), [
    (HANDS, {shapes.ABOUT_THE_DECK}),
    (PLAY, {shapes.ABOUT_THE_DECK, shapes.ABOUT_THE_BIDDING}),
    (AUTOMATIC, {shapes.ABOUT_WHAT_IS_SAID}),
    (TRICKS, {shapes.ABOUT_THE_DECK, shapes.ABOUT_THE_BIDDING, shapes.ABOUT_WHAT_IS_SAID, shapes.ABOUT_MORE_THAN_TRICKS}),
])  # fmt: skip
def test_deals_retold_are_answered_alike(shape: Shape, whys: set[str], deals: list[Case], reference: Reference) -> None:
    pairs, left = told(shape, deals, reference)
    assert set(left) == whys
    kinds = Counter(asked.expected[0].kind for _, asked in pairs)
    # Whatever is refused stops a deal of a case, and then the cards do not tell all.
    assert kinds["result"] > 20
    assert (kinds["rejected"] > 3) == (shape is not TRICKS)
    for case, asked in pairs:
        came = answer("replay", reference.ruleset(case.profile), asked.input).message()
        (expected,), (told_expected,) = case.expected, asked.expected
        assert {name: came[expected.kind][name] for name in told_expected.fields} == told_expected.fields
        assert {**told_expected.fields, "at": 0} == {**expected.fields, "at": 0}


def test_nothing_is_told_that_is_not_wanted(cases: list[Case], deals: list[Case], reference: Reference) -> None:
    for case, asked in told(PLAY, deals, reference)[0]:
        bids = sum("bid" in action for action in case.input["actions"])
        assert {"taker", "trump"} <= asked.input.keys()
        assert "deck" not in asked.input
        assert asked.input["actions"] == case.input["actions"][bids:] or "bid" in case.input["actions"][-1]
    by_contract = [
        one for one in cases if one.operation == "replay" and "taker" in one.input and "tricks" not in one.input
    ]
    silent = [told(AUTOMATIC, group, reference)[0] for group in (deals, by_contract)]
    assert any(any(asked.expected[0].fields.get("declarations", ())) for _, asked in silent[0])
    assert all(silent)
    assert not any(
        word in one for pairs in silent for _, asked in pairs for one in asked.input["actions"] for word in SAID
    )
    by_tricks, _ = told(TRICKS, by_contract, reference)
    assert by_tricks
    assert all("tricks" in asked.input and "actions" not in asked.input for _, asked in by_tricks)


def test_king_and_queen_that_announce_themselves_are_told_silently(cases: list[Case], reference: Reference) -> None:
    pairs, left = told(AUTOMATIC, [case for case in cases if case.operation == "belote"], reference)
    assert set(left) == {shapes.ABOUT_WHAT_IS_SAID}
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


def test_what_was_announced_is_told_in_place_of_what_it_is_worth(cases: list[Case], reference: Reference) -> None:
    by_tricks = [case for case in cases if case.operation == "settle-tricks"]
    pairs, left = told(Shape(declared="announced"), by_tricks, reference)
    announced = [pair for pair in pairs if "announced" in pair[1].input]
    assert set(left) == {shapes.IN_NO_HAND}
    assert len(announced) > sum(left.values())
    for case, asked in announced:
        rules = reference.ruleset(case.profile)
        # A program that says nothing of it is told what declarations are worth, as ever.
        sums = shapes.told_case(Shape(), rules, asked)
        assert not any(word in sums.input for word in ("announced", "declared"))
        one, other = (answer("settle-tricks", rules, each.input).result for each in (asked, sums))
        assert one == other == answer("settle-tricks", rules, case.input).result


def unknown_in(*told: Any) -> bool:
    return UNKNOWN.search(json.dumps(told)) is not None


@pytest.mark.parametrize("variant", ["coinche", "contree", "bulgarian-belot"])
def test_of_modes_and_calls_that_a_program_does_not_know_it_is_asked_nothing(
    variant: str, cases: list[Case], reference: Reference, spec: Spec
) -> None:
    of_variant = [case for case in cases if case.profile == variant]
    pairs, left = told(FEW, of_variant, reference)
    assert left.keys() == {shapes.NOT_KNOWN}
    assert not any(unknown_in(one.input, [right.fields for right in one.expected]) for _, one in pairs)
    asked = {case.id for case, _ in pairs}
    unknown = [case for case in of_variant if unknown_in(case.input, [one.fields for one in case.expected])]
    # Of what may be said only what it knows is expected, where that is more than a pass.
    choices = [case.id for case, one in pairs if one is not case]
    assert choices
    assert {case.id for case in unknown} - {*choices} == {case.id for case in of_variant} - asked

    def answering(operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        assert not unknown_in(question)
        found = reference.reply(operation, profile, question)
        if "choices" not in found.get("result", {}):
            return found
        known = [one for one in found["result"]["choices"] if not unknown_in(one)]
        return {"result": {**found["result"], "choices": known}}

    operations = tuple({case.operation: None for case in of_variant})
    hello = Hello(1, "few", "1", "Python", (ProfileName(variant),), operations, shape=FEW)
    verdicts = judge_all(FunctionTarget(hello, answering), [Planned(case, case.profile) for case in of_variant])
    assert {verdict.outcome for verdict in verdicts} == {"passed", "unsupported"}
    run = Run(hello, "few", "1", verdicts, (), 1.0)
    assert explain(as_json(run, spec), "report") == []
    said = f"{left[shapes.NOT_KNOWN]} cases about others count as unsupported"
    assert any(said in line for line in told_of_tables(run))


def test_hello_says_which_shape_is_wanted_and_another_is_refused() -> None:
    for shape in (HANDS, PLAY, TRICKS, AUTOMATIC, APART, FEW, Shape(knows={"modes": ("H", "N")})):
        assert parse_hello(Reply("hello", "result", {**LEAST_HELLO, **shape.as_json()})).shape == shape
    knows: tuple[Any, ...] = ([], {"mode": ["S"]}, {"modes": ["X"]}, {"calls": ["kapot"]}, {"calls": "capot"})
    wrong = [("deals", "cards"), ("announcing", True), ("last_trick", "outside"), *(("knows", one) for one in knows)]
    for name, said in wrong:
        with pytest.raises(ProtocolViolation, match=rf"`{name}` in the answer to `hello` has the wrong form"):
            parse_hello(Reply("hello", "result", {**LEAST_HELLO, name: said}))
