"""JSON Schema as far as the project's own schemas go, by the standard library alone: for rules, and in a browser.

A test holds that it says yes and no as other validators do; a word that it does not know is refused by name.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from belot_spec.errors import BelotError, closest, nearest
from belot_spec.files import canonical

Schema = Mapping[str, Any]
Schemas = Mapping[str, Schema]
# Whether what a word asks holds, by what it asks, the value, and what says whether another value fits a part.
_Holds = Callable[[Any, Any, Callable[[Any, Any], bool]], bool]


class UnknownWordError(BelotError):
    """A schema asks something by a word that is not understood here."""


def _same(one: Any, other: Any) -> bool:
    """Compare as JSON does, where 1 is not true."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "any": lambda _: True,
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "null": lambda value: value is None,
    "number": _is_number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def _is_of(kinds: str | list[str], value: Any) -> bool:
    return any(_KINDS[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds))


# Of which kind of values a word asks something, and whether one has it; in the order in which a fault is told.
_WORDS: Final[Mapping[str, tuple[str, _Holds]]] = {
    "required": ("object", lambda keys, value, _: value.keys() >= {*keys}),
    "enum": ("any", lambda listed, value, _: any(_same(one, value) for one in listed)),
    "minimum": ("number", lambda limit, value, _: bool(value >= limit)),
    "maximum": ("number", lambda limit, value, _: bool(value <= limit)),
    "minItems": ("array", lambda limit, value, _: len(value) >= limit),
    "maxItems": ("array", lambda limit, value, _: len(value) <= limit),
    "uniqueItems": ("array", lambda asked, value, _: not asked or len({*map(canonical, value)}) == len(value)),
    "type": ("any", lambda kinds, value, _: _is_of(kinds, value)),
    "const": ("any", lambda wanted, value, _: _same(wanted, value)),
    "pattern": ("string", lambda form, value, _: re.search(form, value) is not None),
    "not": ("any", lambda part, value, fits: not fits(value, part)),
    "anyOf": ("any", lambda parts, value, fits: any(fits(value, one) for one in parts)),
    "oneOf": ("any", lambda parts, value, fits: sum(fits(value, one) for one in parts) == 1),
    "contains": ("array", lambda part, value, fits: any(fits(item, part) for item in value)),
    "propertyNames": ("object", lambda part, value, fits: all(fits(key, part) for key in value)),
    "dependentRequired": ("object", lambda by_key, value, _: all(
        value.keys() >= {*others} for key, others in by_key.items() if key in value
    )),
    "dependentSchemas": ("object", lambda by_key, value, fits: all(
        fits(value, part) for key, part in by_key.items() if key in value
    )),
}  # fmt: skip
# What is wrong is told by the word that asks for it; of the words that are not among these only that the form is wrong.
_LIMITS: Final = ("minimum", "maximum", "minItems", "maxItems", "uniqueItems", "type")
_BY_NAME: Final = frozenset(("properties", "patternProperties", "dependentSchemas"))
KNOWN: Final = frozenset((*_WORDS, *_BY_NAME, "$ref", "items", "additionalProperties", "description", "title"))


def name_of(reference: str) -> str:
    """Return the name of a shared schema from a reference to it."""
    return reference.rsplit("/", 1)[-1]


def whole(part: Any, shapes: Schemas) -> Any:
    """Return a schema with the shape of that name, its title then, in the place of each reference to one of these."""
    if isinstance(part, list):
        return [whole(one, shapes) for one in part]
    if not isinstance(part, Mapping):
        return part
    own = {key: whole(inner, shapes) for key, inner in part.items()}
    if (name := name_of(str(part.get("$ref", "")))) in shapes:
        del own["$ref"]
        own = {**whole(shapes[name], shapes), "title": name, **own}
    return own


def fits(value: Any, schema: Schema | bool, shared: Schemas) -> bool:
    """Say whether a value fits a schema; ``shared`` are those that it may refer to by name.

    Raises ``UnknownWordError`` for a word of the schema that is not understood.
    """
    return next(faults(value, schema, shared), None) is None


def checker(schema: Schema | bool, shared: Schemas) -> Callable[[Any], bool]:
    """Return what says whether a value fits a schema, as ``fits`` does, for many values: some ten times as fast."""
    made: dict[int, Callable[[Any], bool]] = {}

    def of(part: Schema | bool) -> Callable[[Any], bool]:
        if id(part) not in made:
            made[id(part)] = (lambda _: part) if isinstance(part, bool) else whole_check(part)
        return made[id(part)]

    def within(value: Any, part: Any) -> bool:
        return of(part)(value)

    def whole_check(part: Schema) -> Callable[[Any], bool]:
        if strange := part.keys() - KNOWN:
            raise UnknownWordError(f"what {min(strange)} asks of a value is not understood")
        checks = [_asking(word, part[word], within) for word in _WORDS if word in part]
        if "$ref" in part:
            # What refers to itself is made when it is first asked.
            checks.insert(0, lambda value: within(value, shared[name_of(part["$ref"])]))
        if "items" in part:
            checks.append(lambda value: not isinstance(value, list) or all(map(of(part["items"]), value)))
        if part.keys() & {"properties", "patternProperties", "additionalProperties"}:
            checks.append(
                lambda value: (
                    not isinstance(value, dict)
                    or all(within(value[key], one) for key in value for one in _parts_of(key, part))
                )
            )
        return lambda value: all(check(value) for check in checks)

    return of(schema)


def _asking(word: str, asked: Any, within: Callable[[Any, Any], bool]) -> Callable[[Any], bool]:
    """Return what says whether a value has what a word asks; of texts a list is looked up."""
    kind, holds = _WORDS[word]
    is_of = _KINDS[kind]
    if word == "enum" and all(isinstance(one, str) for one in asked):
        known = frozenset(asked)
        return lambda value: isinstance(value, str) and value in known
    if word == "uniqueItems":
        return lambda value: (
            not isinstance(value, list)
            or (
                len({*value}) == len(value)
                if all(isinstance(one, str) for one in value)
                else holds(asked, value, within)
            )
        )
    return lambda value: not is_of(value) or holds(asked, value, within)


def faults(value: Any, schema: Schema | bool, shared: Schemas, place: str = "") -> Iterator[dict[str, Any]]:
    """Yield where a value does not fit a schema and the kind of fault, in no language; what is inside comes first."""
    if isinstance(schema, bool):
        if not schema:
            yield {"place": place, "kind": "form", "value": value}
        return
    if strange := schema.keys() - KNOWN:
        raise UnknownWordError(f"what {min(strange)} asks of a value is not understood{nearest(min(strange), KNOWN)}")
    if "$ref" in schema:
        yield from faults(value, shared[name_of(schema["$ref"])], shared, place)
    if isinstance(value, list | dict):
        yield from _faults_inside(value, schema, shared, place)
    within = partial(fits, shared=shared)
    asked = [(word, kind, holds) for word, (kind, holds) in _WORDS.items() if word in schema]
    unmet = [word for word, kind, holds in asked if _KINDS[kind](value) and not holds(schema[word], value, within)]
    if "oneOf" in unmet and isinstance(value, dict):
        meant = (one for one in schema["oneOf"] if value.keys() <= one.get("properties", {}).keys())
        yield from faults(value, next(meant, True), shared, place)
    for word in unmet:
        # Of several lists any value will do: they are told as one.
        lists = [listed(one, shared) for one in schema[word]] if word == "anyOf" else [[]]
        told = (
            _fault(word, schema[word], value)
            if [] in lists
            else _fault("enum", [one for each in lists for one in each], value)
        )
        yield {"place": place, **told}


def _faults_inside(value: Any, schema: Schema, shared: Schemas, place: str) -> Iterator[dict[str, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    parts = {key: _parts_of(key, schema) for key, _ in entries}
    for key, asked in parts.items():
        for part in asked if asked != [False] else ():
            yield from faults(value[key], part, shared, f"{place}.{key}" if place else str(key))
    if strange := min((str(key) for key, asked in parts.items() if asked == [False]), default=None):
        near = closest(strange, schema.get("properties", ()))
        yield {"place": place, "kind": "unknown-field", "key": strange, "nearest": near}


def _parts_of(key: str | int, schema: Schema) -> list[Any]:
    """Return what a schema asks of what stands under a key, or at a place of a list."""
    if isinstance(key, int):
        return [schema.get("items", True)]
    named = [schema["properties"][key]] if key in schema.get("properties", {}) else []
    named += [part for form, part in schema.get("patternProperties", {}).items() if re.search(form, key)]
    return named or [schema.get("additionalProperties", True)]


def _fault(word: str, asked: Any, value: Any) -> dict[str, Any]:
    if word == "required":
        return {"kind": "missing-field", "key": next(key for key in asked if key not in value)}
    if word == "enum":
        return {"kind": "listed", "value": value, "listed": asked}
    if word in _LIMITS:
        return {"kind": word, "value": value, "wanted": asked}
    sets = [one["required"] for one in asked if "required" in one] if word == "oneOf" else []
    return {"kind": "form", "value": value, **({"fields": sets} if sets else {})}


def listed(schema: Schema, shared: Schemas) -> list[Any]:
    """Return the values, or the parts of a list, that a schema lists; nothing if it lists none."""
    if "$ref" in schema:
        return listed(shared[name_of(schema["$ref"])], shared)
    found = schema.get("enum", [schema["const"]] if "const" in schema else [])
    inner = [*schema.get("oneOf", []), *([schema["items"]] if isinstance(schema.get("items"), dict) else [])]
    return [*found, *(one for part in inner for one in listed(part, shared))]


def unknown_words(schema: Any) -> Iterator[str]:
    """Yield the words of a schema, at any depth, that are not understood."""
    for word, inner in schema.items() if isinstance(schema, Mapping) else ():
        if word not in KNOWN:
            yield word
        for part in inner.values() if word in _BY_NAME else inner if isinstance(inner, list) else [inner]:
            yield from unknown_words(part)


def in_whole_numbers(value: Any) -> Any:
    """Return a value in which 1.0 is 1: to JSON Schema both are that integer, and the engine knows it by one name."""
    if isinstance(value, list):
        return [in_whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {key: in_whole_numbers(item) for key, item in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value
