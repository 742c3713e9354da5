"""Other values of a rule: each is one that the rule may have, none is its own, and each comes once."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_spec.catalogue import Rule, different, far_values, mixed_up_values, near_values, random_values
from belot_spec.data import schema
from belot_spec.files import canonical
from belot_spec.json_schema import whole
from belot_spec.load.schemas import validator
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.value_shapes import UnknownShapeError, ValueShape

RANKS = {"enum": ["J", "Q", "K", "A"]}
# For each shape a rule that the catalogue does not have, and a value of it.
TOYS: dict[ValueShape, tuple[dict[str, Any], Any]] = {
    ValueShape.FLAG: ({"type": "boolean"}, True),
    ValueShape.CHOICE: ({"enum": ["left", "right"]}, "left"),
    ValueShape.CHOICE_OR_NUMBER: ({"oneOf": [{"const": "never"}, {"type": "integer", "minimum": 1, "maximum": 9}]}, 4),
    ValueShape.NUMBER: ({"type": "integer", "minimum": 0}, 7),
    ValueShape.POINTS: ({"$ref": "values.schema.json#/$defs/points"}, 20),
    ValueShape.POINTS_TABLE: ({
        "type": "object",
        "patternProperties": {"^[AB]$": {"$ref": "values.schema.json#/$defs/points"}},
        "additionalProperties": False,
    }, {"A": 1, "B": 30}),
    ValueShape.NAMES: ({"type": "array", "uniqueItems": True, "items": RANKS}, ["J", "K"]),
    ValueShape.LADDER: ({"title": "ladder", "type": "array", "items": RANKS}, ["J", "A"]),
    ValueShape.RANK_ORDER: ({"$ref": "values.schema.json#/$defs/rank-order"}, ["7", "8", "9", "10", "J", "Q", "K", "A"]),
    ValueShape.RANK_CLASSES: ({"$ref": "values.schema.json#/$defs/rank-classes"}, [["9", "10"], ["J"], ["A"]]),
    ValueShape.LENGTH_CLASSES: ({"$ref": "values.schema.json#/$defs/length-classes"}, [[3, 4], [5]]),
    ValueShape.MODE_CLASSES: ({"title": "mode-classes", "type": "array", "items": {"type": "array", "minItems": 1, "items": {"enum": [*"SHDNA"]}}}, [["S", "H"], ["N"], ["A"]]),
    ValueShape.PACKETS: ({"$ref": "values.schema.json#/$defs/packets"}, [3, 2]),
    ValueShape.CARDS: ({"$ref": "values.schema.json#/$defs/cards"}, ["7S", "8H"]),
}  # fmt: skip


def toy(value_schema: dict[str, Any]) -> Rule:
    return replace(
        default_spec().rules["match.target"], id="toy.rule", value_schema=whole(value_schema, schema("values")["$defs"])
    )


def assert_others(rule: Rule, own: Any, values: Sequence[Any]) -> None:
    """Hold that a rule may have each value, by a validator that nobody here has written, and that each is another."""
    told = [canonical(own), *map(canonical, values)]
    assert len(set(told)) == len(told)
    is_valid = validator(rule.value_schema).is_valid
    assert [value for value in values if not is_valid(value)] == []


def test_every_rule_has_a_shape_and_the_same_values_by_the_same_lot_beside_each_that_is_played(spec: Spec) -> None:
    for rule in spec.rules.values():
        assert rule.shape in ValueShape
        for own in spec.played_values(rule.id):
            # Nothing is near the only word of a rule of numbers, and near no packets at all.
            if own != [] and not (rule.shape is ValueShape.CHOICE_OR_NUMBER and isinstance(own, str)):
                assert list(near_values(rule, own)), own
        one, other = (list(random_values(rule, own, Random(rule.id))) for _ in range(2))
        assert one == other


@given(st.data(), st.lists(st.integers(-200, 200)), st.lists(st.integers(-5, 10**6)), st.integers(0, 10**6))
def test_every_other_value_can_be_is_not_the_own_one_and_comes_once(
    spec: Spec, data: st.DataObject, offsets: list[int], numbers: list[int], seed: int
) -> None:
    rule = data.draw(st.sampled_from(list(spec.rules.values())))
    played, random = spec.played_values(rule.id), Random(seed)
    own = random.choice(played)
    for _ in range(random.randrange(4)):  # a few steps away from what anybody plays
        own = next(random_values(rule, own, random), own)
    orders = {one: spec.played_values(one)[0] for one in ("deck.trump-order", "deck.plain-order")}
    assert_others(rule, own, [value for _, value in near_values(rule, own, played)])
    assert_others(rule, own, list(far_values(rule, own, offsets, numbers)))
    assert_others(rule, own, list(random_values(rule, own, random)))
    assert_others(rule, own, [value for _, value in different(rule, own, mixed_up_values(rule, own, orders))])


@pytest.mark.parametrize("shape", ValueShape, ids=lambda shape: shape.name)
def test_a_rule_of_each_shape_that_the_catalogue_does_not_have_needs_nothing_else(shape: ValueShape) -> None:
    schema, own = TOYS[shape]
    rule = toy(schema)
    assert rule.shape is shape
    assert rule.allows(own)
    near = [value for _, value in near_values(rule, own)]
    drawn = [value for seed in range(40) for value in random_values(rule, own, Random(seed))]
    assert near
    assert drawn
    assert_others(rule, own, near)
    assert_others(rule, own, list(far_values(rule, own, (1, -2), (3, 5))))
    assert_others(rule, own, [*{canonical(value): value for value in drawn}.values()])


@pytest.mark.parametrize(("schema", "message"), [
    ({"type": "string"}, "toy.rule: no shape of values is known for the schema of string"),
    ({"$ref": "values.schema.json#/$defs/card"}, "card; did you mean cards?"),
    ({"type": "array", "items": {"type": "boolean"}}, "list of boolean"),
    ({"type": "array", "items": {"$ref": "values.schema.json#/$defs/rank"}}, "list of rank"),
    ({"oneOf": [{"const": "never"}, {"type": "string"}]}, "listed or string"),
    ({"description": "anything at all"}, "anything"),
])  # fmt: skip
def test_a_shape_that_nobody_knows_is_refused_by_name(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownShapeError) as refused:
        near_values(toy(schema), "x")
    assert message in str(refused.value)
