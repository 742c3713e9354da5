"""A program that plays with other cards is asked about each of them, and one that is broken is not taken for it."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any, Final

import pytest

from belot_conformance.identify.asking import _laid_out, _suite_of, identify_program
from belot_conformance.identify.identification import Identified
from belot_conformance.programs.answer_book import AnswerBook, BookTarget
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import FunctionTarget
from belot_reference.compile import compile_profile
from belot_spec.spec import Spec
from belot_workshop.identifying.programs import Fault, TrialProgram

pytestmark = pytest.mark.long

WITHOUT_SEVENS: Final = {
    "deck.removed-cards": ["7S", "7H", "7D", "7C"],
    "deal.packets-before-bidding": [3],
    "deal.packets-after-bidding": [2, 2],
}
# What nobody can answer about a whole deal of another deck.
OF_WHOLE_DEALS: Final = ("compare-hands", "deal", "penalty", "perft", "replay", "settle-tricks")


def identified(spec: Spec, reference: Reference, values: Mapping[str, Any], fault: Fault | None = None) -> Identified:
    rules = compile_profile(spec.profile("bela-4").with_values("house", values, spec.rules))
    with BookTarget(TrialProgram("bela-4", rules, fault).target(), AnswerBook()) as target:
        return identify_program(target, None, reference).found


@pytest.mark.parametrize("questions", [0, 40])
def test_what_was_found_by_then_is_kept_when_identify_is_told_to_end(
    questions: int, spec: Spec, reference: Reference
) -> None:
    """It is told while it asks further, after what the suite asks and what is laid out."""
    value = {"scoring.last-trick": 20}
    rules = compile_profile(spec.profile("bela-4").with_values("house", value, spec.rules))
    left = len(_suite_of("bela-4", reference)) + len(_laid_out("bela-4", reference)) + questions

    def reply(operation: str, _profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return put(operation, rules, question).message()

    with BookTarget(FunctionTarget(TrialProgram("bela-4", rules).target().hello, reply), AnswerBook()) as target:
        inquiry = identify_program(target, None, reference)
    assert isinstance(inquiry.told_to_end, KeyboardInterrupt)
    assert inquiry.found.is_cut
    assert {one.rule: one.value for one in inquiry.found.findings} == value


def test_of_an_operation_that_no_rules_explain_no_more_is_asked(spec: Spec, reference: Reference) -> None:
    """The program has two cards of each deal at the wrong seats: no further deal tells what it would take."""
    rules = compile_profile(spec.profile("bela-4").with_values("house", {"scoring.last-trick": 20}, spec.rules))

    def exchanged(_: Random, operation: str, right: Mapping[str, Any]) -> Mapping[str, Any]:
        if operation != "deal" or "result" not in right:
            return right
        told = dict(right["result"])
        for name in {"before", "hands"} & told.keys():
            (first, *mine), (other, *theirs), *others = told[name]
            told[name] = [[other, *mine], [first, *theirs], *others]
        return {"result": told}

    with BookTarget(TrialProgram("bela-4", rules, exchanged).target(), AnswerBook()) as target:
        inquiry = identify_program(target, None, reference)
    assert {one.rule for one in inquiry.found.findings} == {"scoring.last-trick"}
    assert inquiry.found.hopeless == {"deal"}
    further = Counter(one.case.operation for name, one in inquiry.planned.items() if name.startswith("further-"))
    assert further["deal"] == 0 < further["match"]


def broken_down(_: Random, operation: str, right: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"error": "not yet"} if operation in OF_WHOLE_DEALS else right


def test_four_players_with_seven_cards_each_are_known_by_their_cards(spec: Spec, reference: Reference) -> None:
    """No single other value can be played: without the sevens there are no eight cards for each."""
    found = identified(spec, reference, WITHOUT_SEVENS)
    assert {one.rule: one.value for one in found.findings} == WITHOUT_SEVENS
    assert not found.groups


def test_a_program_that_knows_no_whole_deals_plays_with_no_other_cards(spec: Spec, reference: Reference) -> None:
    found = identified(spec, reference, {}, broken_down)
    assert not found.findings
    assert {group.operation for group in found.groups} == set(OF_WHOLE_DEALS)
