"""A program that names no variant, or answers another one's questions, is told which one it seems to play."""

from collections.abc import Iterator

import pytest

from belot_conformance.explain.answers import Answered
from belot_conformance.explain.nearest import nearest_notes
from belot_conformance.mistakes.killing import the_reference
from belot_conformance.programs.protocol import Request
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.suite.cases import load_cases
from belot_spec.spec import Profile
from laboratory.lot import TrialProgram

SMALL = ("trick-winner", "legal-cards", "score-deal", "card-points")


def program(name: str, plays: str, operations: tuple[str, ...] = SMALL) -> FunctionTarget:
    return TrialProgram(name, the_reference().ruleset(plays), operations).target()


def answers(declared: str, plays: str) -> Iterator[tuple[Profile, Answered]]:
    """Yield what a program that plays one variant answers to the cases of another that it declares."""
    reference, target = the_reference(), program(declared, plays)
    for case in load_cases():
        if case.profile == declared and case.operation in SMALL:
            came = target.ask([Request(case.id, case.operation, declared, case.input)])[case.id].message()
            yield reference.profile(declared), Answered(case.operation, case.input, case.id, came)


def notes(declared: str, plays: str) -> list[str]:
    found = nearest_notes(program(declared, plays), answers(declared, plays), the_reference())
    return [*found]


@pytest.mark.parametrize(("declared", "plays"), [("bela-4", "belote"), ("bulgarian-belot", "bela-4")])
def test_another_variant_that_is_played_is_named(declared: str, plays: str) -> None:
    [said] = notes(declared, plays)
    assert said.startswith(f"It seems to play {plays}: of ")
    assert said.endswith(f"--profile {plays}")


def test_of_a_few_answers_no_variant_is_named() -> None:
    few = [*answers("bela-4", "belote")][-9:]
    assert not [*nearest_notes(program("bela-4", "belote"), few, the_reference())]


@pytest.mark.parametrize("plays", ["bela-4", "bela-4+length-counts"])
def test_nothing_is_said_of_who_plays_what_he_declares_but_for_some_rules(plays: str) -> None:
    assert not notes("bela-4", plays)


@pytest.mark.parametrize("plays", ["belote", "coinche", "bulgarian-belot"])
def test_a_program_of_an_unknown_name_is_told_the_nearest_variant(plays: str) -> None:
    [said] = nearest_notes(program("my-game", plays), [], the_reference())
    assert f"rules of {plays}, by which" in said


def test_a_program_without_answers_is_told_nothing() -> None:
    target = program("my-game", "belote")
    mute = FunctionTarget(target.hello, lambda *_: {"error": "no"})
    assert not [*nearest_notes(mute, [], the_reference())]
