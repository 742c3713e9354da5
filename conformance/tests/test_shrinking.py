"""Questions made smaller: never larger, never without what they show, and as small as one step can make them."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.contrast.probe import Contrast
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import shrink, shrink_together, size, steps, two_steps
from belot_conformance.suite.judge import without_reasons
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_reference.possible import why_impossible
from belot_spec.shipped import default_spec
from belot_workshop.impact.smallest_position import PositionSearch

SPEC = default_spec()
json_values = st.recursive(
    st.booleans() | st.integers(-500, 500) | st.sampled_from(["QS", "H"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


def weight(value: Any) -> tuple[int, int]:
    """Return a measure that no step may leave as it was: how much there is, and how high the numbers are."""
    if isinstance(value, Mapping):
        inside = [weight(item) for item in value.values()]
        return len(value) + sum(one for one, _ in inside), sum(other for _, other in inside)
    if isinstance(value, list):
        inside = [weight(item) for item in value]
        return len(value) + sum(one for one, _ in inside), sum(other for _, other in inside)
    return 0, abs(value) if isinstance(value, int) else 0


@given(json_values)
def test_every_step_leaves_less(value: Any) -> None:
    assert all(weight(smaller) < weight(value) for smaller in steps(value))


@given(st.dictionaries(st.sampled_from("abc"), json_values, max_size=3))
def test_what_shows_everything_shrinks_to_nothing(question: dict[str, Any]) -> None:
    assert shrink(question, lambda _: True) == {}


@given(st.lists(st.integers(0, 400), min_size=1, max_size=12))
def test_only_what_is_needed_is_left(numbers: list[int]) -> None:
    wanted = max(numbers)
    found = shrink({"numbers": numbers, "other": 7}, lambda one: max(one.get("numbers") or [-1]) >= wanted)
    assert found == {"numbers": [wanted]}


def test_a_deck_is_only_put_in_order() -> None:
    deck = ["QS", "7S", "AH"]
    assert shrink({"deck": deck, "cut": 2}, lambda one: len(one.get("deck", ())) == 3) == {"deck": ["7S", "QS", "AH"]}


def test_patience_ends() -> None:
    tried = []

    def shows(one: Mapping[str, Any]) -> bool:
        tried.append(one)
        return False

    question = {"numbers": list(range(100))}
    assert shrink(question, shows, patience=20) == question
    assert len(tried) == 20


@pytest.mark.parametrize(
    ("sides", "whole"),
    [
        ([{"cards": 81, "tricks": 4}, {"cards": 81, "tricks": 4}], True),
        ([{"cards": 162, "tricks": 8}, {"cards": 0, "tricks": 0, "declarations": 20}], True),
        ([{"cards": 80, "tricks": 4}, {"cards": 81, "tricks": 4}], False),  # a point is missing
        ([{"cards": 81, "tricks": 4}, {"cards": 81, "tricks": 3}], False),  # a trick is missing
        ([{"cards": 100, "tricks": 8}, {"cards": 62, "tricks": 0}], False),  # points without a trick
        ([{"cards": 81, "tricks": 4, "declarations": 33}, {"cards": 81, "tricks": 4}], False),  # no such declaration
    ],
)
def test_a_count_is_whole_when_a_deal_can_give_it(sides: list[dict[str, int]], whole: bool) -> None:
    rules = compile_profile(SPEC.profile("belote"))
    match = {"dealer": 0, "deals": [{"scored": {"taker": 0, "sides": sides}}]}
    assert OPERATIONS["score-deal"].is_wellformed(rules, {"taker": 0, "sides": sides}) == whole
    assert OPERATIONS["match"].is_wellformed(rules, match) == whole


def test_of_played_tricks_only_what_is_told_besides_can_be_no_count() -> None:
    rules = compile_profile(SPEC.profile("belote"))
    played = {"trump": "S", "taker": 0, "tricks": [{"leader": 0, "cards": ["7S", "8S", "9S", "10S"]}]}
    assert not why_impossible(rules, "settle-tricks", {**played, "sides": [{"declarations": 20}, {}]})
    assert why_impossible(rules, "settle-tricks", {**played, "sides": [{"belote": 21}, {}]})


def test_two_things_that_must_go_together_go_together() -> None:
    question = {"announced": [["7S", "8S", "9S", "10S"], ["7H", "8H", "9H", "10H"]]}
    found = shrink_together(question, _first_of_two_alike, two_steps, at_once=1)
    assert [len(one) for one in found["announced"]] == [1, 1]


def _first_of_two_alike(candidates: Sequence[Mapping[str, Any]]) -> int | None:
    def alike(one: Mapping[str, Any]) -> bool:
        sizes = {len(cards) for cards in one.get("announced", ())}
        return len(one.get("announced", ())) == 2 and len(sizes) == 1 and sizes != {0}

    return next((place for place, one in enumerate(candidates) if alike(one)), None)


def changed(name: str, rule: str, value: Any) -> tuple[Ruleset, Ruleset]:
    profile = SPEC.profile(name)
    return compile_profile(profile), compile_profile(profile.with_values(name, {rule: value}, SPEC.rules))


def told(operation: str, rules: Ruleset, question: Mapping[str, Any]) -> Mapping[str, Any]:
    return without_reasons(operation, answer(operation, rules, question).message())


@cache
def search_in(name: str) -> PositionSearch:
    return PositionSearch(compile_profile(SPEC.profile(name)), [], seed=1)


CHANGES = [
    ("belote", "play.void.opponent-ruffed", ["higher_trump", "any"], "legal-cards", 10),
    ("belote", "play.follow.unruffed", ["higher_of_led_suit", "led_suit"], "legal-cards", 10),
    ("belote", "declarations.tie", "leaders-side", "compare-declarations", 16),
    ("belote", "scoring.all-tricks.points", 90, "score-deal", 16),
    ("belote", "scoring.tie", "taker-falls", "score-deal", 16),
    ("belotten", "declarations.belote.order", "king-first", "legal-cards", 8),
    ("belotten", "match.target", 101, "match", 24),
]


@pytest.mark.parametrize(("name", "rule", "value", "operation", "most"), CHANGES)
def test_the_smallest_position_shows_the_change_and_cannot_be_made_smaller(
    name: str, rule: str, value: Any, operation: str, most: int
) -> None:
    old, new = changed(name, rule, value)
    found, tried = search_in(name).smallest(new, [rule])
    assert tried > 0
    assert found is not None
    assert found.operation == operation
    assert size(found.input) <= most
    assert told(operation, old, found.input) == found.before
    assert told(operation, new, found.input) == found.after
    assert found.before != found.after
    for smaller in steps(found.input):
        assert not _shows_as_well(old, new, found, smaller)


def _shows_as_well(old: Ruleset, new: Ruleset, found: Contrast, smaller: Mapping[str, Any]) -> bool:
    try:
        before, after = (told(found.operation, rules, smaller) for rules in (old, new))
    except Exception:
        return False
    same_kind = before.keys() == found.before.keys() and after.keys() == found.after.keys()
    return before != after and same_kind and OPERATIONS[found.operation].is_wellformed(old, smaller)


def test_the_undertrump_takes_two_cards_against_two() -> None:
    _, new = changed("belote", "play.void.opponent-ruffed", ["higher_trump", "any"])
    found, _ = search_in("belote").smallest(new, ["play.void.opponent-ruffed"])
    assert found is not None
    assert len(found.input["hand"]) == len(found.input["trick"]) == 2
    assert len(found.before["result"]["cards"]) == 1
    assert len(found.after["result"]["cards"]) == 2


def test_the_same_seed_finds_the_same_position_and_a_given_question_is_used() -> None:
    old, new = changed("belote", "play.void.opponent-ruffed", ["higher_trump", "any"])
    rule = ["play.void.opponent-ruffed"]
    asked = {"trump": "S", "hand": ["7S", "8D", "9D"], "trick": ["AH", "8S"]}
    one, other = (PositionSearch(old, [], seed=3, deals=8).smallest(new, rule) for _ in range(2))
    assert one == other
    found, tried = PositionSearch(old, [("legal-cards", asked)], seed=3, deals=0).smallest(new, rule)
    assert tried == 1
    assert found is not None
    assert found.input == {"trump": "S", "hand": ["7S", "9D"], "trick": ["AH", "8S"]}


def test_a_rule_that_nothing_shows_is_told_so() -> None:
    old, _ = changed("belote", "scoring.tie", "taker-falls")
    found, tried = search_in("belote").smallest(old, ["play.lead"])
    assert found is None
    assert tried > 0


@pytest.mark.parametrize(
    ("name", "other", "rule"),
    [("bela-4", "belotten", "penalties.points"), ("bela-4", "denderbelot", "declarations.not-shown")],
)
def test_a_rule_that_only_matters_in_the_new_game_is_shown_by_its_answers(name: str, other: str, rule: str) -> None:
    old, new = (compile_profile(SPEC.profile(one)) for one in (name, other))
    assert rule not in old.profile.settings
    # A search keeps to the first new game that it meets, so this one shares none with another test.
    found, tried = PositionSearch(old, [], seed=1, deals=20).smallest(new, [rule])
    assert tried > 0
    assert found is not None
    assert rule in answer(found.operation, new, found.input).rules


def test_a_rule_that_no_question_to_both_games_consults_is_told_so() -> None:
    new = compile_profile(SPEC.profile("bela-2"))
    assert search_in("bela-4").smallest(new, ["presentation.direction"]) == (None, 0)


@pytest.mark.parametrize("deals", [1, 2, 3, 6, 7])
def test_however_few_deals_are_played_questions_are_made_of_them(deals: int) -> None:
    """Of some dealers no deal was played to its last trick then, or of nobody."""
    rules = compile_profile(SPEC.profile("belotten"))
    for seed in range(6):
        assert PositionSearch(rules, [], seed=seed, deals=deals).smallest(rules, ["scoring.last-trick"])[0] is None


def test_the_reason_of_a_refusal_is_no_other_answer() -> None:
    """A card that two games refuse by different rules is refused in both."""
    rules = compile_profile(SPEC.profile("belote"))
    asked = {"trump": "S", "hand": ["7S", "8D"], "trick": ["AH", "8S"]}
    assert told("legal-cards", rules, asked) == {"result": {"cards": ["7S"]}}
