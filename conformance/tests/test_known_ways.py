"""Ways of playing that statements tell and no value says: named where wrong answers are such that they would differ."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from belot_conformance.explain import common
from belot_conformance.explain.answers import Answered
from belot_conformance.explain.explanation import Explanation, explain
from belot_conformance.mistakes.killing import the_reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.reports.explained import explanation_json, first_lines
from belot_conformance.situations.features import Situation, literals_of, ways_of
from belot_spec.shipped import default_spec

SPEC = default_spec()
ENDED = ["pass", "pass", "pass"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_way_is_told_by_a_statement_that_says_what_differs(operation: str) -> None:
    for statement in ways_of(operation):
        assert SPEC.sources[statement[:2]].told[statement].differs


def situation(row: str) -> Situation:
    known = literals_of("bidding")
    return Situation(tuple(known[words][0] for words in row.split("; ")))


def explained(profile: str, is_wrong: Callable[[Any], bool]) -> Explanation:
    """Explain the answers of a program in which the bidding goes on after some questions."""
    reference, answers = the_reference(), []
    draw, random = OPERATIONS["bidding"].contriving(reference.ruleset(profile)), Random(f"contrived {profile} 1")
    for number in range(1500):
        question = draw(random)
        came = reference.reply("bidding", profile, question)
        if came.get("result", {}).get("state") == "taken" and is_wrong(question):
            came = {"result": {"state": "open", "turn": question["dealer"], "choices": ["pass"]}}
        answers.append(Answered("bidding", question, str(number), came))
    return explain([SPEC.profile(profile)], answers, SPEC)


def test_a_way_is_known_of_contree_and_says_so_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        common, "ways_of", lambda _: {"CO-049": situation("three passes stand last; somebody has taken")}
    )
    found = explained("contree", lambda question: question["bids"][-3:] == ENDED)
    assert [one.known for one in found.groups] == [("CO-049",)]
    said = "ur sources know a way that would differ here (CO-049); it has no value here yet"
    assert said in explanation_json(found, SPEC)["broken"][0]["said"][-1]
    assert any(said in line for line, _ in first_lines([found], SPEC))


def test_nothing_is_known_of_another_game_or_of_what_comes_right_as_well() -> None:
    assert not [one for one in explained("bulgarian-belot", lambda _: True).groups if one.known]
    some = explained("contree", lambda question: question["dealer"] == 0)
    assert some.groups
    assert not [one for one in some.groups if one.known]
