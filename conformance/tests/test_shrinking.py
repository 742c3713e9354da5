"""Questions made smaller: never larger, never without what they show, and as small as one step can make them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.contrast.probe import Contrast
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import shrink, size, steps
from belot_conformance.suite.judge import without_reasons
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.shipped import default_spec
from belot_workshop.impact.impact import PositionSearch
from suite_testing import ruleset

SPEC = default_spec()
json_values = st.recursive(
    st.booleans() | st.integers(-500, 500) | st.sampled_from(["QS", "H"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


def shrunk(question: dict[str, Any], shows: Callable[[Any], bool]) -> Any:
    return shrink(question, steps, lambda some: next(filter(shows, some), None))


@given(st.dictionaries(st.sampled_from("abc"), json_values, max_size=3))
def test_what_shows_everything_shrinks_to_nothing(question: dict[str, Any]) -> None:
    assert shrunk(question, lambda _: True) == {}


@given(st.lists(st.integers(0, 400), min_size=1, max_size=12))
def test_only_what_is_needed_is_left(numbers: list[int]) -> None:
    wanted = max(numbers)
    found = shrunk({"numbers": numbers, "other": 7}, lambda one: max(one.get("numbers") or [-1]) >= wanted)
    assert found == {"numbers": [wanted]}


def changed(name: str, rule: str, value: Any) -> tuple[Ruleset, Ruleset]:
    profile = SPEC.profile(name)
    return compile_profile(profile), compile_profile(profile.with_values(name, {rule: value}, SPEC.rules))


def told(operation: str, rules: Ruleset, question: Mapping[str, Any]) -> Mapping[str, Any]:
    return without_reasons(operation, answer(operation, rules, question).message())


@cache
def search_in(name: str) -> PositionSearch:
    return PositionSearch(ruleset(name), [], seed=1)


CHANGES = [
    ("belote", "play.void.opponent-ruffed", ["higher_trump", "any"], "legal-cards", 10),
    ("belote", "declarations.tie", "leaders-side", "compare-declarations", 16),
    ("belote", "scoring.all-tricks.points", 90, "score-deal", 16),
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


def test_a_given_question_is_used() -> None:
    old, new = changed("belote", "play.void.opponent-ruffed", ["higher_trump", "any"])
    rule = ["play.void.opponent-ruffed"]
    asked = {"trump": "S", "hand": ["7S", "8D", "9D"], "trick": ["AH", "8S"]}
    found, tried = PositionSearch(old, [Question("legal-cards", asked)], seed=3, deals=0).smallest(new, rule)
    assert tried == 1
    assert found is not None
    assert found.input == {"trump": "S", "hand": ["7S", "9D"], "trick": ["AH", "8S"]}


def test_a_rule_that_nothing_shows_is_told_so() -> None:
    old, _ = changed("belote", "scoring.tie", "taker-falls")
    found, tried = search_in("belote").smallest(old, ["play.lead"])
    assert found is None
    assert tried > 0
    assert search_in("belote").smallest(ruleset("bela-2"), ["presentation.direction"]) == (None, 0)
