"""Differences taken apart down to the smallest field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import MISSING, NOT_EXPECTED, OTHER_KIND, Difference, in_fixed_order, same, smallest

TRICKS = [{"winner": 0, "points": 3}, {"winner": 1, "points": 5}]
SETS = [{"declarations": [[card]], "points": points} for card, points in (("7S", 1), ("8S", 2), ("9S", 1))]
REFUSED = {"rejected": {"reason": "x"}}


@pytest.mark.parametrize(("operation", "field", "expected", "came", "found"), [
    ("card-points", "points", 4, 5, [("points", 4, 5)]),
    ("replay", "tricks", TRICKS, [TRICKS[0], {"winner": 1, "points": 6}], [("tricks[1].points", 5, 6)]),
    ("replay", "score", [1, 2], [1, 3], [("score", [1, 2], [1, 3])]),
    ("replay", "tricks", [{"winner": 0}], [], [("tricks", [{"winner": 0}], [])]),
    ("match", "deals", [{"held": 0}], [{"extra": 1}],
     [("deals[0].held", 0, MISSING), ("deals[0].extra", NOT_EXPECTED, 1)]),
    ("match", "deals", [{"held": 1}], "none", [("deals", [{"held": 1}], "none")]),
    ("match", "winner", 1, MISSING, [("winner", 1, MISSING)]),
    ("legal-cards", "cards", ["7S", "8S"], ["8S"], [("cards", ["7S", "8S"], ["8S"])]),
    ("deal", "hands", [["7S", "8S"], ["9S", "10S"]], [["8S", "7S"], ["9S", "JS"]],
     [("hands[1]", ["10S", "9S"], ["9S", "JS"])]),
    ("declarations", "sets", SETS[:2], SETS[1:], [("sets", SETS[:2], SETS[1:])]),
    ("replay", OTHER_KIND, REFUSED, {"result": {}}, [(OTHER_KIND, REFUSED, {"result": {}})]),
])  # fmt: skip
def test_a_difference_is_told_by_the_path_to_it(
    operation: str, field: str, expected: object, came: object, found: list[tuple[str, object, object]]
) -> None:
    assert smallest(operation, [Difference(field, expected, came)]) == [Difference(*one) for one in found]


SCALARS = st.one_of(st.integers(-3, 3), st.booleans(), st.none(), st.sampled_from(["7S", "pass", ""]))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=8,
)


@given(st.sampled_from(sorted(OPERATIONS)), st.sampled_from(["cards", "sets", "hands", "points"]), VALUES, VALUES)
def test_there_is_a_smallest_difference_exactly_where_the_comparison_sees_one(
    operation: str, field: str, expected: object, came: object
) -> None:
    sides = [in_fixed_order(operation, field, value) for value in (expected, came)]
    if same(*sides):
        return
    found = smallest(operation, [Difference(field, expected, came)])
    assert found
    assert all(not same(one.expected, one.came) for one in found)
    assert all(one.field.startswith(field) for one in found)
    assert len({one.field for one in found}) == len(found)
