"""Whether a value of a rule or a question has the right shape, and what is wrong, where no schema library is at hand.

A test holds that it says yes and no as the schemas' own validator does, and that the catalogue uses no other words.
What is wrong is told by its kind, in no language; the page has the sentence for each kind.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from belot_spec.errors import closest

Schema = Mapping[str, Any]


def _same(one: Any, other: Any) -> bool:
    """Compare as JSON does, where 1 is not true."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _is(kind: str, value: Any) -> bool:
    if kind == "integer":
        return type(value) is int or (isinstance(value, float) and value.is_integer())
    kinds: Mapping[str, type | tuple[type, ...]] = {
        "array": list,
        "object": dict,
        "string": str,
        "boolean": bool,
        "number": (int, float),
    }
    return isinstance(value, kinds[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _is_type(kinds: str | list[str], value: Any) -> bool:
    return any(_is(kind, value) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unique(value: list[Any]) -> bool:
    told = [json.dumps(item, sort_keys=True) for item in value]
    return len(set(told)) == len(told)


# What a word of a schema asks of a value by itself; each asks nothing of a value of another kind.
PLAIN: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "type": _is_type,
    "enum": lambda wanted, value: any(_same(one, value) for one in wanted),
    "const": _same,
    "minimum": lambda limit, value: not _number(value) or value >= limit,
    "maximum": lambda limit, value: not _number(value) or value <= limit,
    "minItems": lambda limit, value: not isinstance(value, list) or len(value) >= limit,
    "maxItems": lambda limit, value: not isinstance(value, list) or len(value) <= limit,
    "uniqueItems": lambda wanted, value: not (wanted and isinstance(value, list)) or _unique(value),
    "required": lambda keys, value: not isinstance(value, dict) or all(key in value for key in keys),
    "pattern": lambda form, value: not isinstance(value, str) or re.search(form, value) is not None,
}
_OTHERS: Final = (
    "$ref", "oneOf", "anyOf", "not", "contains", "items", "properties", "patternProperties", "additionalProperties",
    "propertyNames", "dependentRequired", "dependentSchemas",
)  # fmt: skip
KNOWN: Final = frozenset({*PLAIN, *_OTHERS, "description", "title"})
# What a fault is told by, the first that speaks.
_LIMITS: Final = ("minimum", "maximum", "minItems", "maxItems", "uniqueItems", "type")


def fits(value: Any, schema: Schema | bool, shared: Mapping[str, Schema]) -> bool:
    """Say whether a value fits a schema; ``shared`` are those that it may refer to by name."""
    if isinstance(schema, bool):
        return schema
    if not all(ask(schema[word], value) for word, ask in PLAIN.items() if word in schema):
        return False
    if "$ref" in schema and not fits(value, shared[name_of(schema["$ref"])], shared):
        return False
    if "oneOf" in schema and sum(fits(value, one, shared) for one in schema["oneOf"]) != 1:
        return False
    if "anyOf" in schema and not any(fits(value, one, shared) for one in schema["anyOf"]):
        return False
    if "not" in schema and fits(value, schema["not"], shared):
        return False
    if isinstance(value, list):
        return _items_fit(value, schema, shared)
    return not isinstance(value, dict) or (
        _keys_fit(value, schema, shared) and _keys_go_together(value, schema, shared)
    )


def name_of(reference: str) -> str:
    """Return the name of a shared schema from a reference to it."""
    return reference.rsplit("/", 1)[-1]


def _items_fit(value: list[Any], schema: Schema, shared: Mapping[str, Schema]) -> bool:
    if "contains" in schema and not any(fits(item, schema["contains"], shared) for item in value):
        return False
    return all(fits(item, schema.get("items", True), shared) for item in value)


def _keys_fit(value: Mapping[str, Any], schema: Schema, shared: Mapping[str, Schema]) -> bool:
    for key, inner in value.items():
        asked = [schema["properties"][key]] if key in schema.get("properties", {}) else []
        asked += [one for form, one in schema.get("patternProperties", {}).items() if re.search(form, key)]
        if not all(fits(inner, one, shared) for one in asked or [schema.get("additionalProperties", True)]):
            return False
    return True


def _keys_go_together(value: Mapping[str, Any], schema: Schema, shared: Mapping[str, Schema]) -> bool:
    if not all(fits(key, schema.get("propertyNames", True), shared) for key in value):
        return False
    if any(
        key in value and not value.keys() >= set(others) for key, others in schema.get("dependentRequired", {}).items()
    ):
        return False
    return all(fits(value, one, shared) for key, one in schema.get("dependentSchemas", {}).items() if key in value)


def listed(schema: Schema, shared: Mapping[str, Schema]) -> list[Any]:
    """Return the values, or the parts of a list, that a schema lists; nothing if it lists none."""
    if "$ref" in schema:
        return listed(shared[name_of(schema["$ref"])], shared)
    found: Iterable[Any] = schema.get("enum", [schema["const"]] if "const" in schema else [])
    inner = [*schema.get("oneOf", []), *([schema["items"]] if isinstance(schema.get("items"), dict) else [])]
    return [*found, *(one for part in inner for one in listed(part, shared))]


def fault_of(value: Any, schema: Schema, shared: Mapping[str, Schema], place: str = "") -> dict[str, Any] | None:
    """Return where a value does not fit a schema, and the kind of fault, as far inside as it can be told."""
    if fits(value, schema, shared):
        return None
    for inner, asked, where in _inside(value, schema, shared, place):
        found = fault_of(inner, asked, shared, where)
        if found is not None:
            return found
    return {"place": place, **_kind(value, schema, shared)}


def _inside(value: Any, schema: Schema, shared: Mapping[str, Schema], place: str) -> Iterator[tuple[Any, Schema, str]]:
    if "$ref" in schema:
        yield value, shared[name_of(schema["$ref"])], place
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for index, item in enumerate(value):
            yield item, schema["items"], _below(place, index)
    if isinstance(value, dict):
        for key in filter(schema.get("properties", {}).__contains__, value):
            yield value[key], schema["properties"][key], _below(place, key)
        meant = [one for one in schema.get("oneOf", ()) if value.keys() <= one.get("properties", {}).keys()]
        yield from ((value, one, place) for one in meant[:1])


def _below(place: str, key: str | int) -> str:
    return f"{place}.{key}" if place else str(key)


def _kind(value: Any, schema: Schema, shared: Mapping[str, Schema]) -> dict[str, Any]:
    if isinstance(value, dict):
        known = schema.get("properties", {})
        if schema.get("additionalProperties") is False and (strange := sorted(value.keys() - known.keys())):
            return {"kind": "unknown-field", "key": strange[0], "nearest": closest(strange[0], known)}
        for key in schema.get("required", ()):
            if key not in value:
                return {"kind": "missing-field", "key": key}
    if names := [one for one in listed({"enum": schema.get("enum", [])}, shared) if "enum" in schema]:
        return {"kind": "listed", "value": value, "listed": names}
    for word in _LIMITS:
        if word in schema and not PLAIN[word](schema[word], value):
            return {"kind": word, "value": value, "wanted": schema[word]}
    return {"kind": "form", "value": value}
