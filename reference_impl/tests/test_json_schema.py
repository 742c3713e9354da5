"""The project's own reader of JSON Schema says what another one says, and what it does not understand it refuses."""

from typing import Any

import pytest

from belot_spec.data import schema
from belot_spec.json_schema import KNOWN, UnknownWordError, checker, faults, fits, unknown_words, whole
from belot_spec.load.schemas import explain, validator

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.0, 2.5, 10**20, "", "a", "ab", "7S", [], [1], [1, 1], [1, True], ["a", {}], [[1], [1]],
    {}, {"a": 1}, {"b": 1}, {"a": 1, "b": "x"}, {"ab": 2}, {"a": [1, "x"]},
)  # fmt: skip
SCHEMAS: tuple[Any, ...] = (
    {"type": "integer"}, {"type": ["string", "boolean"]}, {"type": "number"}, {"type": "array"}, {"type": "object"},
    {"enum": [1, "a", [1], True]}, {"const": 1}, {"const": True}, {"const": {"a": 1}},
    {"minimum": 1}, {"maximum": 1}, {"minItems": 2}, {"maxItems": 1}, {"uniqueItems": True}, {"uniqueItems": False},
    {"pattern": "^a"}, {"required": ["a"]}, {"not": {"type": "integer"}}, {"contains": {"const": 1}},
    {"items": {"type": "integer"}}, {"items": False}, {"$ref": "values.schema.json#/$defs/card"},
    {"properties": {"a": {"type": "integer"}}, "additionalProperties": False},
    {"properties": {"a": True}, "patternProperties": {"^ab": {"minimum": 3}}, "additionalProperties": {"type": "string"}},
    {"oneOf": [{"type": "integer"}, {"minimum": 0}]}, {"anyOf": [{"type": "null"}, {"type": "integer"}]},
    {"propertyNames": {"pattern": "^a"}}, {"dependentRequired": {"a": ["b"]}},
    {"dependentSchemas": {"a": {"required": ["b"]}}, "description": "d", "title": "t"},
)  # fmt: skip


def test_each_word_that_is_understood_means_what_it_means_elsewhere() -> None:
    assert {word for one in SCHEMAS for word in one} == KNOWN
    shapes = schema("values")["$defs"]
    for one in SCHEMAS:
        other = validator(one)
        fast = checker(one, shapes)
        wrong = [value for value in VALUES if {fits(value, one, shapes), fast(value)} != {other.is_valid(value)}]
        assert not wrong, one
        assert [value for value in VALUES if fits(value, whole(one, shapes), {}) != other.is_valid(value)] == []


def test_a_word_that_is_not_understood_is_refused_by_name() -> None:
    with pytest.raises(UnknownWordError, match=r"^what minItem asks of a value is not understood; did you mean minI"):
        fits([1], {"items": {"type": "integer"}, "minItem": 2}, {})
    assert [*unknown_words({"oneOf": [{"not": {"format": "date"}}], "properties": {"format": {"multipleOf": 2}}})] == [
        "format",
        "multipleOf",
    ]


def test_what_is_furthest_inside_is_told_first() -> None:
    asked = {
        "required": ["cards"],
        "properties": {"cards": {"items": {"enum": ["7S", "8S"]}, "minItems": 3}},
        "additionalProperties": False,
    }
    found = [*faults({"cards": ["7S", "9S"], "card": 1}, asked, {})]
    places = [("cards.1", "listed"), ("cards", "minItems"), ("", "unknown-field")]
    assert [(one["place"], one["kind"]) for one in found] == places
    assert found[2]["nearest"] == "cards"


HANDS = {"dealer": 0, "hands": [["7S"]] * 4}


@pytest.mark.parametrize(("operation", "value", "key", "said"), [
    ("perft", {"trump": "H", "leader": 0, "depth": 1}, "", "must have hands or piles; it has trump, leader, depth"),
    ("match", {"dealer": 0, "deals": [{}]}, "deals.0", "must have scored, passed or accusation; it is empty"),
    ("match", {"dealer": 0, "deals": [{"pased": True}]}, "deals.0",
     "must have scored, passed or accusation; it has pased; did you mean passed by pased?"),
    ("match", {"dealer": 0, "deals": [{"passed": True, "scored": {}}]}, "deals.0", "may have only one of scored, passed"),
    ("replay", {"dealer": 0}, "", "must have deck with actions, hands with actions, piles with actions or tricks with taker; "
     "it has dealer"),
    ("replay", {**HANDS, "deck": ["7S"], "actions": []}, "", "may have only one of deck with actions, hands with actions"),
    ("replay", {**HANDS, "actions": [{"seat": 1, "plai": "7S"}]}, "actions.0.plai", "unknown key; did you mean play?"),
    ("replay", {**HANDS, "actions": [{"seat": 1, "play": "7S", "bid": "H"}]}, "actions.0", "may have only one of bid, play"),
])  # fmt: skip
def test_what_fits_no_alternative_or_several_is_told_by_name(operation: str, value: Any, key: str, said: str) -> None:
    told = explain(value, "protocol-operations", f"{operation}-input")
    assert [(".".join(map(str, place)), text) for place, text in told] == [(key, said)]


def test_what_may_not_stand_together_is_told_by_its_names() -> None:
    both = {"input": {}, "result": {}, "rejected": {"reason": "deal-over"}}
    assert explain(both, "record") == [((), "result and rejected may not stand together")]
