"""The values that a rule may have: which there are, and whether one schema allows all that another does."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Final

from belot_conformance.rules.reading import value_text
from belot_spec.value_shapes import enumerated_values, listed_values

_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", bool: "boolean"}
_LOWER_BOUNDS: Final = ("minimum", "exclusiveMinimum", "minItems", "minLength", "minProperties")
_UPPER_BOUNDS: Final = ("maximum", "exclusiveMaximum", "maxItems", "maxLength", "maxProperties")


def possible_values(value_schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the values, or items of a list, that a schema names one by one, as they are written in a variant."""
    listed = listed_values(value_schema) or listed_values(value_schema.get("items", {}))
    return tuple(map(value_text, listed))


def accepts_all_of(wide: Any, narrow: Any) -> bool:
    """Say whether a schema surely allows every value that another does.

    Bounds, enumerations, items, properties and alternatives are understood; of anything else only the same is known to
    do so.
    """
    wide, narrow = (part if isinstance(part, Mapping) else {"not-understood": part} for part in (wide, narrow))
    if {"oneOf"} in (wide.keys(), narrow.keys()):
        parts = wide.get("oneOf", [wide])
        single = [{"const": value} for value in listed_values(narrow)]
        rest = [part for part in narrow.get("oneOf", [narrow]) if not enumerated_values(part)]
        # What fits two of the alternatives fits none.
        apart = all(_are_apart(one, other) for one, other in combinations(parts, 2))
        return apart and all(any(accepts_all_of(part, one) for part in parts) for one in (*single, *rest))
    ours, theirs = _enumeration(wide), _enumeration(narrow)
    if ours is not None and theirs is not None:
        return all(value in ours for value in theirs)
    keywords = {*wide, *narrow} - {"description", "title"}
    return all(_allows(key, wide.get(key), narrow.get(key)) for key in keywords)


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


def _allows(keyword: str, wide: Any, narrow: Any) -> bool:
    if wide is None or wide == narrow:
        return True
    if narrow is None:
        return False
    if keyword in _LOWER_BOUNDS:
        return bool(wide <= narrow)
    if keyword in _UPPER_BOUNDS:
        return bool(wide >= narrow)
    if keyword in ("items", "contains"):
        return accepts_all_of(wide, narrow)
    if keyword == "required":
        return set(wide) <= set(narrow)
    if keyword == "properties":
        return wide.keys() == narrow.keys() and all(accepts_all_of(wide[key], narrow[key]) for key in wide)
    return bool(wide == narrow)
