"""The values that a rule may have: which there are, and whether one schema allows all that another does."""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from belot_conformance.rules.reading import value_text
from belot_spec.files import read_json
from belot_spec.json_schema import name_of
from belot_spec.value_shapes import enumerated_values, listed_values, shared_shapes

Shapes = Mapping[str, Any]

_FILE: Final = "values.schema.json"
_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", bool: "boolean"}
_LOWER_BOUNDS: Final = ("minimum", "exclusiveMinimum", "minItems", "minLength", "minProperties")
_UPPER_BOUNDS: Final = ("maximum", "exclusiveMaximum", "maxItems", "maxLength", "maxProperties")


def shapes_of(spec: Path) -> Shapes:
    """Return the shapes that values share in the spec of a folder, or those that ship where it holds no schemas."""
    path = spec / "schema" / _FILE
    return read_json(path)["$defs"] if path.is_file() else shared_shapes()


def possible_values(value_schema: Mapping[str, Any], shapes: Shapes) -> tuple[str, ...]:
    """Return the values, or items of a list, that a schema names one by one, as they are written in a variant."""
    whole = _resolved(value_schema, shapes)
    items = _resolved(whole.get("items", {}), shapes)
    return tuple(map(value_text, listed_values(whole) or listed_values(items)))


def accepts_all_of(wide: Any, narrow: Any, shapes: tuple[Shapes, Shapes]) -> bool:
    """Say whether a schema surely allows every value that another does; ``shapes`` are those of each of the two.

    Bounds, enumerations, items, properties and alternatives are understood; of anything else only the same is known to
    do so.
    """
    wide, narrow = _resolved(wide, shapes[0]), _resolved(narrow, shapes[1])
    if {"oneOf"} in (wide.keys(), narrow.keys()):
        parts = [_resolved(part, shapes[0]) for part in wide.get("oneOf", [wide])]
        single = [{"const": value} for value in listed_values(narrow)]
        rest = [part for part in narrow.get("oneOf", [narrow]) if not enumerated_values(_resolved(part, shapes[1]))]
        # What fits two of the alternatives fits none.
        apart = all(_are_apart(one, other) for one, other in combinations(parts, 2))
        return apart and all(any(accepts_all_of(part, one, shapes) for part in parts) for one in (*single, *rest))
    ours, theirs = _enumeration(wide), _enumeration(narrow)
    if ours is not None and theirs is not None:
        return all(value in ours for value in theirs)
    keywords = {*wide, *narrow} - {"description", "title"}
    return all(_allows(key, wide.get(key), narrow.get(key), shapes) for key in keywords)


def _are_apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether surely no value fits both schemas: they list other values, or values of other types."""
    ours, theirs = _enumeration(one), _enumeration(other)
    if ours is not None and theirs is not None:
        return set(ours).isdisjoint(theirs)
    types, others = _types(one), _types(other)
    return types.isdisjoint(others) and None not in types | others


def _types(resolved: Mapping[str, Any]) -> set[str | None]:
    listed = {_TYPES.get(type(value)) for value in enumerated_values(resolved)}
    return listed or {resolved.get("type")}


def _enumeration(resolved: Mapping[str, Any]) -> list[str] | None:
    values = enumerated_values(resolved)
    return list(map(value_text, values)) if values else None


def _allows(keyword: str, wide: Any, narrow: Any, shapes: tuple[Shapes, Shapes]) -> bool:
    if wide is None or (wide == narrow and "$ref" not in json.dumps(wide)):
        return True
    if narrow is None:
        return False
    if keyword in _LOWER_BOUNDS:
        return bool(wide <= narrow)
    if keyword in _UPPER_BOUNDS:
        return bool(wide >= narrow)
    if keyword in ("items", "contains"):
        return accepts_all_of(wide, narrow, shapes)
    if keyword == "required":
        return set(wide) <= set(narrow)
    if keyword == "properties":
        return wide.keys() == narrow.keys() and all(accepts_all_of(wide[key], narrow[key], shapes) for key in wide)
    return bool(wide == narrow)


def _resolved(part: Any, shapes: Shapes) -> Mapping[str, Any]:
    while isinstance(part, Mapping) and "$ref" in part:
        part = shapes.get(name_of(part["$ref"]), {})
    return part if isinstance(part, Mapping) else {"not-understood": part}
