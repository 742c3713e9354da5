"""What counts as the same answer."""

from typing import Any

import pytest

from belot_conformance.programs.protocol import Reply
from belot_conformance.suite.judge import Expectation, differences, fields_apart


@pytest.mark.parametrize(("operation", "expected", "came", "fields"), [
    # Order and further fields do not matter where the protocol says so.
    ("legal-cards", {"cards": ["KS", "AS"]}, {"cards": ["AS", "KS"]}, ()),
    ("card-points", {"points": 22}, {"points": 22, "unit": "card points"}, ()),
    ("card-points", {"points": 22}, {"points": 22.0}, ()),
    ("bidding", {"choices": ["pass", "S"]}, {"choices": ["S", "pass"]}, ()),
    ("deal", {"hands": [["7S", "8S"], ["9S"]]}, {"hands": [["8S", "7S"], ["9S"]]}, ()),
    ("declarations",
     {"sets": [{"declarations": [["7S", "8S", "9S"], ["AS", "AH", "AD", "AC"]], "points": 120}]},
     {"sets": [{"points": 120, "declarations": [["AC", "AH", "AD", "AS"], ["9S", "8S", "7S"]]}]}, ()),
    ("declarations",
     {"sets": [{"declarations": [["7S"]], "points": 1}, {"declarations": [["8S"]], "points": 2}]},
     {"sets": [{"declarations": [["8S"]], "points": 2}, {"declarations": [["7S"]], "points": 1}]}, ()),
    # Everything else is a difference in that field.
    ("legal-cards", {"cards": ["KS"]}, {"cards": ["KS", "KS"]}, ("cards",)),
    ("legal-cards", {"cards": ["KS"]}, {"cards": "KS"}, ("cards",)),
    ("legal-cards", {"cards": ["KS"]}, {}, ("cards",)),
    ("legal-cards", {"cards": ["KS"]}, {"cards": [["KS"]]}, ("cards",)),
    ("card-points", {"points": 1}, {"points": True}, ("points",)),
    ("card-points", {"points": 22}, {"points": "22"}, ("points",)),
    ("deal", {"hands": [["7S"], ["8S"]]}, {"hands": [["8S"], ["7S"]]}, ("hands",)),
    ("score-deal", {"score": [20, 0]}, {"score": [0, 20]}, ("score",)),
    ("declarations", {"sets": []}, {"sets": [{"declarations": "x"}]}, ("sets",)),
    ("declarations", {"sets": []}, {"sets": {}}, ("sets",)),
    ("compare-declarations", {"winner": None}, {}, ("winner",)),
    ("penalty", {"proved": False}, {"proved": 0}, ("proved",)),
])  # fmt: skip
def test_answers_differ_in_the_fields_that_the_protocol_compares(
    operation: str, expected: dict[str, Any], came: dict[str, Any], fields: tuple[str, ...]
) -> None:
    found = differences(operation, [Expectation("result", expected)], Reply("x", "result", came))
    assert tuple(difference.field for difference in found) == fields


def test_the_nearest_of_several_expectations_is_compared_and_an_error_is_never_a_refusal() -> None:
    results = [Expectation("result", {"a": 1, "b": 2}), Expectation("result", {"a": 3, "b": 4})]
    refusal = [Expectation("rejected", {"reason": "illegal-card", "at": 1})]
    wrong_place = {"reason": "illegal-card", "at": 2, "rule": "play.lead"}
    for operation, expected, reply, fields in (
        ("match", results, Reply("x", "result", {"a": 3, "b": 4}), []),
        ("match", results, Reply("x", "result", {"a": 3, "b": 5}), ["b"]),
        ("replay", refusal, Reply("x", "error", "no"), ["answer"]),
        ("replay", refusal, Reply("x", "unsupported", "no"), ["answer"]),
        ("replay", refusal, Reply("x", "rejected", wrong_place), ["at"]),
    ):
        assert [difference.field for difference in differences(operation, expected, reply)] == fields
    assert len(differences("match", results, Reply("x", "result", {"a": 3, "b": 2}))) == 1


RIGHT = {"result": {"cards": ["7S", "8S"], "illegal": {"9S": "play.lead"}}}


@pytest.mark.parametrize(("wanted", "came", "given", "reasons", "apart"), [
    (RIGHT, {"result": {"cards": ["8S", "7S"], "illegal": {}}}, None, False, ()),
    (RIGHT, {"result": {"cards": ["8S", "7S"], "illegal": {}}}, None, True, ("illegal",)),
    (RIGHT, {"result": {"cards": ["7S"]}}, None, False, ("cards",)),
    ({"result": {"a": 1}}, {"result": {"b": 1, "a": 1}}, None, False, ("b",)),
    ({"result": {"a": 1}}, {"result": {"b": 1, "a": 1}}, ("a",), False, ()),
    ({"result": {"a": 1, "b": 2}}, {"result": {"a": 1}}, ("a", "b"), False, ("b",)),
    ({"result": {"a": 1}}, {"result": {"a": True}}, None, False, ("a",)),
    ({"rejected": {"reason": "r", "rule": "x"}}, {"rejected": {"reason": "r", "rule": "y"}}, None, False, ()),
    ({"rejected": {"reason": "r", "rule": "x"}}, {"rejected": {"reason": "r", "rule": "y"}}, None, True, ("rule",)),
    (RIGHT, {"rejected": {"reason": "r"}}, None, False, ("answer",)),
    (RIGHT, {"error": "no such card"}, None, False, ("error",)),
    ({"error": "no such card"}, {"error": "what?"}, None, False, ()),
])  # fmt: skip
def test_two_answers_part_in_the_fields_that_are_compared(
    wanted: Any, came: Any, given: Any, reasons: bool, apart: tuple[str, ...]
) -> None:
    assert fields_apart("legal-cards", wanted, came, given, reasons=reasons) == apart
