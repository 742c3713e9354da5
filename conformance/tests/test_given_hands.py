"""Whole deals for a program that is given hands: the same answers as with the deck, and a report that says so."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from belot_conformance.programs.protocol import Hello, Request, Shape
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.deals import random_deal
from belot_conformance.questions.dealt import with_hands
from belot_conformance.reports.report import Run, as_json
from belot_conformance.reports.words import told_of_tables
from belot_conformance.suite.cases import Case
from belot_conformance.suite.shapes import ABOUT_THE_DECK
from belot_conformance.suite.verdicts import Planned, judge_all
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from suite_testing import VARIANTS, of_each_variant

RANDOM_DEALS = 60


@pytest.fixture(scope="module")
def with_a_deck(cases: list[Case]) -> list[Case]:
    return [case for case in cases if case.operation == "replay" and "deck" in case.input]


def is_about_the_deck(case: Case) -> bool:
    return case.expected[0].kind == "rejected" and case.expected[0].fields["reason"] in ("bad-cut", "bad-shuffle")


def spoilt(question: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return a deal in which one action is left out, said twice or done by another seat, so that it is refused."""
    actions = list(question["actions"])
    place = random.randrange(len(actions))
    match random.randrange(3):
        case 0:
            del actions[place]
        case 1:
            actions.insert(place, actions[place])
        case _:
            actions[place] = {**actions[place], "seat": random.randrange(2)}
    return {**question, "actions": actions}


def answered_alike(rules: Ruleset, question: Mapping[str, Any]) -> str:
    given = with_hands(rules, question)
    assert given is not None
    assert "deck" not in given
    found = answer("replay", rules, question).message()
    assert answer("replay", rules, given).message() == found
    return next(iter(found))


@of_each_variant
def test_random_deals_have_the_same_answer_with_hands(variant: str, reference: Reference) -> None:
    rules, random = reference.ruleset(variant), Random(f"hands {variant}")
    kinds = set()
    for number in range(RANDOM_DEALS):
        question = random_deal(rules, random).question
        kinds.add(answered_alike(rules, spoilt(question, random) if number % 2 else question))
    assert kinds == {"result", "rejected"}


def test_a_seven_among_the_last_cards_is_not_exchanged_with_hands_either(reference: Reference) -> None:
    # Without the cards that were seen, the hands alone would make every seven one that was seen.
    rules, random = reference.ruleset("bela-2"), Random(1)
    for _ in range(RANDOM_DEALS):
        question = random_deal(rules, random).question
        given = with_hands(rules, question) or {}
        bids = [action for action in question["actions"] if "bid" in action]
        suit = given["turn_up"][-1]
        for seat, hand in enumerate(given["hands"]):
            if bids[-1]["bid"] == suit and f"7{suit}" in hand and f"7{suit}" not in given["before"][seat]:
                asked = {**given, "actions": [*bids, {"seat": seat, "exchange": True}]}
                assert answer("replay", rules, asked).message()["rejected"]["reason"] == "no-exchange"
                del asked["before"]
                assert answer("replay", rules, asked).message()["rejected"]["reason"] == "unfinished"
                return
    pytest.fail("no deal in which the seven came with the last cards")


def hello(**changes: Any) -> Hello:
    names = tuple(map(ProfileName, VARIANTS))
    return replace(Hello(1, "handy", "1", "Python", names, ("replay",), shape=Shape("hands")), **changes)


def asked_of(planned: list[Planned], said: Hello, reference: Reference) -> tuple[list[Request], Run]:
    asked = []

    def reply(operation: str, profile: str, question: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(Request("", operation, profile, question))
        return reference.reply(operation, profile, question)

    verdicts = judge_all(FunctionTarget(said, reply), planned)
    return asked, Run(said, "handy", "0", verdicts, [], 0.0)


def test_who_wants_hands_gets_no_deck_and_others_do(with_a_deck: list[Case], reference: Reference, spec: Spec) -> None:
    plain = [Planned(case, case.profile) for case in with_a_deck if "+" not in case.profile]
    undeclared = Planned(plain[0].case, ProfileName("bela-4+pass"))
    undeclared = replace(undeclared, case=replace(undeclared.case, id="other"))
    plain = plain[1:]
    asked, run = asked_of([*plain, undeclared], hello(), reference)
    about = [planned.case.id for planned in plain if is_about_the_deck(planned.case)]
    assert asked
    assert not any("deck" in question.input for question in asked)
    assert [one.planned.case.id for one in run.verdicts if one.detail == ABOUT_THE_DECK] == about
    assert {one.outcome for one in run.verdicts} == {"passed", "unsupported"}
    told = next(line for line in told_of_tables(run) if "hands" in line)
    assert told.startswith(f"The program wants hands, so that is how {len(plain) - len(about)} whole deals were")
    assert as_json(run, spec)["target"]["deals"] == "hands"
    # Any other program gets the deck.
    case = next(one for one in with_a_deck if one.expected[0].kind == "result")
    asked, run = asked_of([Planned(case, case.profile)], hello(shape=Shape()), reference)
    assert [question.input for question in asked] == [case.input]
    assert as_json(run, spec)["target"]["deals"] == "deck"
    assert not any("hands" in line for line in told_of_tables(run))
    # A wrong answer shows the hands that were asked.
    target = FunctionTarget(hello(), lambda *_: {"rejected": {"at": 0, "reason": "illegal-card"}})
    verdicts = judge_all(target, [Planned(case, case.profile)])
    (shown,) = as_json(Run(hello(), "handy", "0", verdicts, [], 0.0), spec)["cases"]
    assert ("hands" in shown["asked"], "deck" in shown["asked"]) == (True, False)
