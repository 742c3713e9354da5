"""Recorded deals are legal whatever the players forget, and habits do what they say."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.deal import DealState
from belot_reference.operations import answer
from belot_reference.possible import why_impossible
from belot_reference.replay import ATTENTIVE, Habits
from belot_reference.sheet import tally_json

Recorder = Callable[..., tuple[dict[str, Any], DealState]]
RulesetOf = Callable[[str], Ruleset]
FORGETFUL = {
    "announce": Habits(forgets_to_announce=1), "show": Habits(forgets_to_show=1), "belote": Habits(forgets_belote=1)
}  # fmt: skip


def test_a_deal_of_forgetful_players_replays_and_its_sums_are_possible(rules: Ruleset, recorded: Recorder) -> None:
    habits, ended = Habits(forgets_to_announce=2, forgets_to_show=2, forgets_belote=2, claims=True), set()
    for seed in range(25):
        totals = [max(0, rules.value("match.target") - 60) if seed % 2 else 0] * rules.side_count
        question, state = recorded(rules, Random(seed), habits, totals)
        answered = answer("replay", rules, question)
        assert answered.result is not None, answered.rejected
        assert answered.result["ended"] == state.ended
        ended.add(state.ended)
        if state.ended == "played":
            told = {"deals": [tally_json(rules, state, count_deal(rules, state))]}
            assert why_impossible(rules, "match", told) is None
    assert "played" in ended


@pytest.mark.parametrize("word", FORGETFUL)
def test_what_is_forgotten_every_time_never_happens(ruleset_of: RulesetOf, recorded: Recorder, word: str) -> None:
    def said(habits: Habits) -> int:
        questions = [recorded(ruleset_of("denderbelot"), Random(seed), habits)[0] for seed in range(20)]
        return sum(word in action for question in questions for action in question["actions"])

    assert said(ATTENTIVE) > 0
    assert said(FORGETFUL[word]) == 0
