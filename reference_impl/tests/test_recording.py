"""Recorded deals are legal whatever the players forget, and habits do what they say."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from belot_reference.cards import cards_in
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.deal_state import DealState
from belot_reference.operations import answer
from belot_reference.recording import ATTENTIVE, Habits, Shuffled, record_deal
from belot_spec.spec import Spec

Recorded = tuple[dict[str, Any], DealState]


def recorded(rules: Ruleset, seed: int, habits: Habits = ATTENTIVE, totals: Sequence[int] = ()) -> Recorded:
    random = Random(seed)
    deck = list(cards_in(rules.deck))
    random.shuffle(deck)
    start = Shuffled(random.randrange(rules.players), deck, len(deck) // 2, totals)
    return record_deal(rules, start, random.choice, habits)


def said(question: dict[str, Any], word: str) -> int:
    return sum(word in action for action in question["actions"])


def test_a_deal_of_forgetful_players_replays_to_its_end(rules: Ruleset) -> None:
    habits = Habits(forgets_to_announce=2, forgets_to_show=2, forgets_belote=2, claims=True)
    for seed in range(40):
        question, state = recorded(rules, seed, habits, [rules.value("match.target") - 60] * rules.side_count)
        answered = answer("replay", rules, question)
        assert answered.result is not None, answered.rejected
        assert answered.result["ended"] == state.ended


@pytest.mark.parametrize("word", ["announce", "show", "belote"])
def test_what_is_forgotten_every_time_never_happens(spec: Spec, word: str) -> None:
    rules = compile_profile(spec.profile("denderbelot"))
    forgetful = Habits(
        forgets_to_announce=int(word == "announce"),
        forgets_to_show=int(word == "show"),
        forgets_belote=int(word == "belote"),
    )
    assert sum(said(recorded(rules, seed)[0], word) for seed in range(30)) > 0
    assert sum(said(recorded(rules, seed, forgetful)[0], word) for seed in range(30)) == 0


def test_a_player_who_may_claim_does_so_only_by_habit(spec: Spec) -> None:
    rules = compile_profile(spec.profile("bela-4"))
    close = (950, 950)
    assert {recorded(rules, seed, Habits(claims=True), close)[1].ended for seed in range(20)} == {"claim"}
    assert "claim" not in {recorded(rules, seed, ATTENTIVE, close)[1].ended for seed in range(20)}


def test_players_pick_from_what_they_consider(spec: Spec) -> None:
    def passes(rules: Ruleset, state: DealState, choices: Sequence[Any]) -> Sequence[Any]:
        return [None] if None in choices else choices

    rules = compile_profile(spec.profile("belotten"))
    assert recorded(rules, 1, Habits(considers=passes))[1].ended == "passed"
