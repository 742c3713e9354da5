"""The one explanation: rules are peeled off answers, confirmed by further questions, and told with what fits equally."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.explain.answers import Answered
from belot_conformance.explain.asking import asker, identify_program
from belot_conformance.explain.budget import BUDGET, Clock
from belot_conformance.explain.explanation import Explanation, explain
from belot_conformance.explain.lab import Lab
from belot_conformance.mistakes.killing import the_reference
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.answer_book import AnswerBook, BookTarget
from belot_conformance.programs.protocol import Shape
from belot_conformance.programs.reference import put
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operation import Question
from belot_conformance.reports.explained import explanation_json
from belot_conformance.suite.cases import load_cases
from belot_conformance.text.template import filled
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec
from laboratory.bars import Judged, Trial, observed, try_one
from laboratory.lot import Drawn, TrialProgram, draw

SPEC = default_spec()


def hiding(base: str, values: Mapping[str, Any], operations: tuple[str, ...], spoiled: float = 0) -> Drawn:
    """Return a program that declares a profile and plays some values otherwise."""
    declared = SPEC.profile(base)
    rules = compile_profile(changed_profile(declared, values, SPEC))
    return Drawn(TrialProgram(base, rules, operations, spoiled), declared, values)


def asked(drawn: Drawn, seconds: float = 60) -> Explanation:
    """Ask a program for its rules."""
    with BookTarget(drawn.program.target(), AnswerBook()) as target:
        [inquiry] = identify_program(target, the_reference(), budget=replace(BUDGET, seconds=seconds))
    return inquiry.found


def named(found: Explanation) -> dict[str, Any]:
    """Return the rules that are named, with their values."""
    return {one.rule: one.value for one in found.findings}


HIDDEN: dict[str, tuple[str, Mapping[str, Any], tuple[str, ...]]] = {
    "numbers read off an answer": ("bela-4", {"scoring.last-trick": 27}, ("settle-tricks",)),
    "two that hide each other": (
        "bela-4", {"bidding.must-name": "eldest", "bidding.first-bidder": "dealer"}, ("bidding",),
    ),
    "a bid by odd steps": (
        "contree", {"bidding.lowest-amount": 82, "bidding.first-step": 3, "bidding.amount-step": 5}, ("bidding",),
    ),
    "one that is read only with another": (
        "belote", {"declarations.square-classes": [["7", "8"], ["10", "Q", "K", "A"], ["9"], ["J"]],
                   "declarations.top-card": "sequences-only", "declarations.tie": "nobody"}, ("compare-hands",),
    ),
    "a number that matters only by another rule": (
        "klaverjas-amsterdams", {"match.ends": "target", "match.target": 1700}, ("match",),
    ),
    "a set": ("bela-4", {"scoring.contract-counts": ["cards"]}, ("score-deal",)),
}  # fmt: skip


@pytest.mark.parametrize("of", HIDDEN)
def test_what_a_program_hides_is_named_and_nothing_else(of: str) -> None:
    base, values, operations = HIDDEN[of]
    found = asked(hiding(base, values, operations))
    assert named(found) == values
    assert found.asked_wrong
    assert not found.left


def test_of_a_right_program_nothing_is_named() -> None:
    found = asked(hiding("bela-4", {}, ("trick-winner", "legal-cards", "score-deal")))
    assert named(found) == {}
    assert not found.asked_wrong
    assert not found.left


def test_slips_are_no_rules_and_hide_none() -> None:
    values = {"scoring.last-trick": 20}
    drawn = hiding("bela-4", values, ("score-deal", "settle-tricks", "trick-winner"), spoiled=0.05)
    found = asked(drawn)
    assert named(found) == values
    _, spoiled = observed(drawn)
    assert 0 < found.left <= spoiled


def test_an_answer_given_to_everything_speaks_for_no_rule() -> None:
    program = TrialProgram("bela-4", the_reference().ruleset("bela-4"), ("legal-cards", "trick-winner"))
    seats = FunctionTarget(program.hello(), lambda *_: {"result": {"winner": 0}})
    with BookTarget(seats, AnswerBook()) as target:
        [inquiry] = identify_program(target, the_reference())
    assert named(inquiry.found) == {}
    assert inquiry.found.left


def test_a_rule_that_only_one_side_plays_by_is_none() -> None:
    falls, holds = hiding("belote", {"scoring.tie": "taker-falls"}, ("score-deal",)).program, SPEC.profile("belote")

    def reply(operation: str, _: str, question: Mapping[str, Any]) -> dict[str, Any]:
        rules = compile_profile(holds) if question["taker"] % 2 else falls.rules
        return put(operation, rules, question).message()

    with BookTarget(FunctionTarget(falls.hello(), reply), AnswerBook()) as target:
        [inquiry] = identify_program(target, the_reference())
    assert inquiry.found.asked_wrong
    assert named(inquiry.found) == {}


def test_every_named_rule_has_an_example_that_is_right_by_it_alone() -> None:
    values = {"scoring.last-trick": 20, "play.follow.unruffed": ["led_suit"]}
    drawn = hiding("bela-4", values, ("settle-tricks", "legal-cards"))
    found = asked(drawn)
    assert named(found) == values
    for one in found.findings:
        assert one.example is not None
        operation, question = one.example["operation"], one.example["input"]
        assert one.example["came"] == put(operation, drawn.program.rules, question).message()
        assert one.example["came"] != one.example["expected"]


def test_what_fits_equally_is_told_with_it() -> None:
    """One answer, of which two rules tell the same."""
    declared = SPEC.profile("bela-4")
    values = {"scoring.last-trick": 20}
    rules = compile_profile(changed_profile(declared, values, SPEC))
    cases = [one for one in load_cases() if one.profile == "bela-4" and one.operation == "settle-tricks"]
    one = next(
        case for case in cases
        if put(case.operation, rules, case.input).message()
        != put(case.operation, the_reference().ruleset("bela-4"), case.input).message()
    )  # fmt: skip
    came = put(one.operation, rules, one.input).message()
    found = explain([declared], [Answered(one.operation, one.input, one.id, came, expected=one.expected)], SPEC)
    told = {(each.rule, str(each.value)) for each in found.findings}
    told |= {(rule, str(value)) for each in found.findings for rule, value in each.alike}
    assert ("scoring.last-trick", "20") in told
    assert not found.left


def test_no_seconds_name_nothing_untrue() -> None:
    found = asked(hiding("bela-4", {"scoring.last-trick": 20}, ("settle-tricks",)), seconds=0.001)
    assert found.is_cut or named(found) == {"scoring.last-trick": 20}


def test_no_field_is_said_to_be_wrong_by_all_rules_before_they_were_tried() -> None:
    assert asked(hiding("belote", {"deal.packets-after-bidding": [2]}, ("deal",)), seconds=0.001).broken == {}


# The bars.


def taken_for(number: int, seconds: float = BUDGET.seconds) -> Explanation:
    """Explain so many answers by a rule that is given, with no time to ask about it."""
    declared = SPEC.profile("bela-4")
    played = compile_profile(changed_profile(declared, {"scoring.last-trick": 20}, SPEC))
    cases = [one for one in load_cases() if one.profile == "bela-4" and one.operation == "settle-tricks"][:number]
    answers = [
        Answered("settle-tricks", one.input, one.id, put(one.operation, played, one.input).message()) for one in cases
    ]
    begin, budget = {("scoring.last-trick", "10"): 20}, replace(BUDGET, seconds=seconds)
    return explain([declared], answers, SPEC, lambda *_: [], budget, clock=Clock(0), begin=begin)


@pytest.mark.parametrize("number", [3, 6])
def test_a_rule_that_there_was_no_time_to_ask_about_needs_more_answers(number: int) -> None:
    assert bool(taken_for(number).findings) == (number >= BUDGET.confirming)


@pytest.mark.parametrize("seconds", [0, 60])
def test_it_is_said_where_there_was_no_time_to_look_what_fits_as_well(seconds: float) -> None:
    found = taken_for(6, seconds)
    facts = explanation_json(found, SPEC)
    told = filled("explained.j2", explained=[{**facts, "whose": ""}])
    assert [one["equal_all_tried"] for one in facts["rules"]] == [seconds > 0]
    assert ("Whether others fit as well was not tried" in told) == (seconds == 0)


def test_a_drawn_program_is_the_same_for_the_same_number() -> None:
    one, other = (draw(1, 4, (2, 3)) for _ in range(2))
    assert one.hidden == other.hidden
    assert one.program.operations == other.program.operations
    assert {number: draw(1, number, (2, 2)).program.spoiled > 0 for number in range(3)} == {0: True, 1: False, 2: False}


def test_the_bars_tell_exact_from_missed_and_false() -> None:
    values = {"scoring.last-trick": 20}
    drawn = hiding("bela-4", values, ("score-deal", "settle-tricks"))
    found = asked(drawn)
    observable, _ = observed(drawn)
    assert observable == ["scoring.last-trick"]
    assert Judged(drawn, found).outcome("scoring.last-trick") == "exact"
    missed = asked(hiding("bela-4", {}, ("score-deal",)))
    assert Judged(drawn, missed).outcome("scoring.last-trick") == "missed"
    other = asked(hiding("bela-4", {"scoring.last-trick": 30}, ("score-deal", "settle-tricks")))
    assert Judged(drawn, other).outcome("scoring.last-trick") == "other"
    right = hiding("bela-4", {}, ("score-deal",))
    assert Judged(right, found).is_false("scoring.last-trick", [])


def test_a_program_is_tried_over_the_protocol() -> None:
    tried = try_one(Trial(1, 2, (2, 2)))
    assert tried.program_seconds > 0
    assert set(tried.rules.values()) <= {"exact"}
    assert not tried.false


def test_a_field_told_as_null_where_it_does_not_apply_is_not_wrong() -> None:
    program = hiding("bela-4", {}, ("bidding",)).program

    def reply(operation: str, _: str, question: Mapping[str, Any]) -> dict[str, Any]:
        came = put(operation, program.rules, question).message()
        return {kind: {"turn": None, **fields} if kind == "result" else fields for kind, fields in came.items()}

    with BookTarget(FunctionTarget(program.hello(), reply), AnswerBook()) as target:
        [inquiry] = identify_program(target, the_reference())
    assert not inquiry.found.left


def test_fields_that_a_program_does_not_give_speak_against_no_rule() -> None:
    """Not where the rules asked for refuse either, so that these say nothing of fields."""
    played = changed_profile(SPEC.profile("contree"), {"bidding.after-double": "redouble-ends"}, SPEC)
    question = {"dealer": 0, "bids": ["90H", "double", "pass", "pass", "redouble"]}
    came = put("bidding", compile_profile(played), question).message()["result"]
    given = {"bidding": ("state", "taker")}
    answers = [Answered("bidding", question, "1", {"result": {name: came[name] for name in given["bidding"]}})]
    lab = Lab([SPEC.profile("contree")], SPEC, answers, given)
    assert not lab.is_right(0, lab.base)
    assert lab.is_right(0, lab.changed(lab.base, {lab.slot(0, "bidding.after-double"): "redouble-ends"}))


def test_a_further_question_that_makes_no_sense_is_not_asked_in_another_shape() -> None:
    drawn = hiding("bela-4", {}, ("card-points",))
    told = FunctionTarget(
        replace(drawn.program.hello(), shape=Shape(fields={"card-points": ("points",)})), drawn.program.reply
    )
    ask = asker(told, [drawn.declared], ["bela-4"])
    asked_for = [Question("card-points", {"trump": trump, "cards": ["7S", "AH"]}) for trump in ("N", "S")]
    assert [one.came for one in ask(0, asked_for)] == [{"result": {"points": 11}}]
