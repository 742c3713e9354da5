"""A value is called unobservable without a search only where every case there is can be gone through."""

from typing import Any

import pytest

from belot_conformance.contrast.proofs import proved_alike
from belot_conformance.mistakes.mutations import Mutant, rival_of
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_reference.known_values import KNOWN_VALUES
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec

SQUARES = {"7": 0, "8": 0, "9": 150, "10": 100, "J": 200, "Q": 100, "K": 100, "A": 100}


@pytest.mark.parametrize(
    ("profile", "rule", "value", "alike"),
    [
        # Four queens and four kings are worth as much; which stand higher is settled by the top card all the same.
        ("belote", "declarations.square-classes", [["Q", "K"], ["10"], ["A"], ["9"], ["J"]], True),
        ("belote", "declarations.square-classes", [["Q"], ["K"], ["10"], ["A"], ["J"], ["9"]], False),
        ("belote", "declarations.compared-by", ["square-first", "class", "top-card", "points", "trump"], True),
        ("belote", "declarations.compared-by", ["square-first", "class", "trump", "top-card"], False),
        ("belote", "declarations.compared-by", ["square-first", "top-card", "class", "trump"], False),
        # Eight in a row wins the match, so it is compared with nothing; without that it beats seven.
        ("bela-4+length-counts", "declarations.sequence-classes", [[3], [4], [5], [6], [7, 8]], True),
        ("belote", "declarations.sequence-classes", [[3], [4], [5], [6], [7, 8]], False),
        ("belote", "scoring.contract-counts", ["belote", "declarations", "cards"], True),
        ("belote", "scoring.contract-counts", ["cards", "declarations"], False),
        ("denderbelot-3", "deck.removed-cards", ["7C", "7S"], True),
        ("denderbelot-3", "deck.removed-cards", ["7C", "7H"], False),
        # Two sevens are out of this deck, so nobody holds four.
        ("denderbelot-3", "declarations.square-points", {**SQUARES, "7": 100}, True),
        ("denderbelot-3", "declarations.square-points", {**SQUARES, "8": 100}, False),
        ("belote", "presentation.direction", "clockwise", True),
        # Nobody needs a search to see this, yet nothing else is claimed to be a proof.
        ("bela-2", "deal.cutter", "eldest", False),
    ],
)
def test_other_values_that_play_the_same_game_are_proved_to(
    profile: str, rule: str, value: Any, alike: bool, spec: Spec, reference: Reference
) -> None:
    rules, mutant = reference.ruleset(profile), Mutant(ProfileName(profile), rule, value, "")
    assert rules.value(rule) != value
    assert bool(proved_alike(rules, rival_of(mutant, rules.profile, spec), spec)) is alike


def test_a_ladder_that_is_changed_along_with_something_else_is_not_proved_by_the_tricks(
    spec: Spec, reference: Reference
) -> None:
    also = {"scoring.last-trick": 11}
    mutant = Mutant(ProfileName("belote"), "play.lead", ["led_suit", "any"], "", also)
    rules = reference.ruleset("belote")
    assert proved_alike(rules, rival_of(mutant, rules.profile, spec), spec) == 0


def test_the_engine_reads_every_rule_that_it_says_it_reads_and_no_other(
    cases: list[Case], reference: Reference
) -> None:
    """A verdict rests on it: another value of a rule that is never read cannot be noticed."""
    consulted = {rule for case in cases for rule in reference.consulted(case.operation, case.profile, case.input)}
    assert consulted == KNOWN_VALUES.keys()
