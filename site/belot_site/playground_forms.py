"""What is wrong with the form of a question, where no schema library is at hand.

What is wrong is told by its kind, in no language; the page has the sentence for each kind.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from belot_site.playground_values import PLAIN, Schema, fits, listed, name_of
from belot_spec.errors import closest

Json = dict[str, Any]

_LIMITS: Final = ("minimum", "maximum", "minItems", "maxItems", "uniqueItems", "type")


def fault_of(value: Any, schema: Schema, shared: Mapping[str, Schema], place: str = "") -> Json | None:
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


def _kind(value: Any, schema: Schema, shared: Mapping[str, Schema]) -> Json:
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
