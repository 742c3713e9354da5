"""JSON Schemas (draft 2020-12): fast validation, and messages that say what would be right."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from belot_reference.data import spec_folder
from belot_reference.documents import Document
from belot_reference.errors import Problem, nearest

_KINDS = {
    "object": "a mapping", "array": "a list", "string": "a text", "integer": "a whole number",
    "number": "a number", "boolean": "true or false", "null": "nothing (null)",
}  # fmt: skip


def schema_folder() -> Path:
    """Return the folder that holds the project's JSON Schemas."""
    return spec_folder() / "schema"


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the schema ``spec/schema/<name>.schema.json``."""
    loaded: dict[str, Any] = json.loads((schema_folder() / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


@cache
def _registry() -> Registry[Any]:
    resources = [
        (path.name, Resource.from_contents(json.loads(path.read_text(encoding="utf-8"))))
        for path in schema_folder().glob("*.schema.json")
    ]
    return Registry().with_resources(resources)


def _retrieve(uri: str) -> dict[str, Any]:
    return schema(uri.rsplit("/", 1)[-1].removesuffix(".schema.json"))


def _reference(name: str, definition: str | None) -> dict[str, Any]:
    return {"$ref": f"{name}.schema.json" + (f"#/$defs/{definition}" if definition else "")}


@cache
def _fast(name: str, definition: str | None) -> Any:
    contents = {"$id": "json-schema:///root.json", **_reference(name, definition)}
    return jsonschema_rs.Draft202012Validator(contents, retriever=_retrieve)


def is_valid(instance: Any, name: str, definition: str | None = None) -> bool:
    """Say whether a value fits a schema, or one of the schema's ``$defs``."""
    return bool(_fast(name, definition).is_valid(instance))


def validator(contents: Mapping[str, Any]) -> Draft202012Validator:
    """Return a validator for a schema that may refer to the project's own schemas by file name."""
    return Draft202012Validator(dict(contents), registry=_registry())


def explain(instance: Any, name: str, definition: str | None = None) -> list[tuple[tuple[str | int, ...], str]]:
    """Return (key path, message) for each way in which a value does not fit a schema."""
    return explain_errors(validator(_reference(name, definition)).iter_errors(instance))


def document_problems(document: Document, name: str) -> list[Problem]:
    """Return the problems of a YAML file that does not fit its schema."""
    if is_valid(document.data, name):
        return []
    return [document.problem(path, message) for path, message in explain(document.data, name)]


def explain_errors(errors: Iterable[ValidationError]) -> list[tuple[tuple[str | int, ...], str]]:
    """Turn validation errors into (key path, message) for people, in the order of the paths."""
    found = {pair for error in errors for pair in _explain(error)}
    return sorted(found, key=lambda pair: ([str(part) for part in pair[0]], pair[1]))


def _explain(error: ValidationError) -> Iterator[tuple[tuple[str | int, ...], str]]:
    path = tuple(error.absolute_path)
    rule: Any = error.schema
    if error.validator in ("additionalProperties", "unevaluatedProperties") and isinstance(error.instance, dict):
        known = sorted(rule.get("properties", {}))
        for key in sorted(set(error.instance) - set(known)):
            yield (*path, key), f"unknown key{nearest(key, known) or _one_of(known)}"
    elif error.validator in ("oneOf", "anyOf") and error.context:
        yield from _explain_alternatives(error)
    elif error.validator == "propertyNames":
        allowed = rule["propertyNames"].get("enum", [])
        key = str(error.instance)
        yield (*path, key), f"unknown key{nearest(key, allowed) or _one_of(allowed)}"
    else:
        yield path, _message(error)


def _explain_alternatives(error: ValidationError) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Explain the alternative that fits best: the one whose first mistake lies deepest, else the fewest."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or []:
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    kept = {index: inner for index, inner in branches.items() if not any(_wrong_shape(e, error) for e in inner)}
    if len(kept) == 1:
        for inner in next(iter(kept.values())):
            yield from _explain(inner)
        return
    choices = [_message(e) for inner in branches.values() for e in inner if e.validator in ("enum", "const", "type")]
    yield tuple(error.absolute_path), " or ".join(dict.fromkeys(choices)) or _message(error)


def _wrong_shape(inner: ValidationError, outer: ValidationError) -> bool:
    at_top = list(inner.absolute_path) == list(outer.absolute_path)
    return at_top and inner.validator in ("type", "const", "enum", "required")


def _message(error: ValidationError) -> str:
    value: Any = error.instance
    limit: Any = error.validator_value
    rule: Any = error.schema
    match error.validator:
        case "type":
            wanted = [limit] if isinstance(limit, str) else limit
            text = f"must be {' or '.join(_KINDS[kind] for kind in wanted)}, is {describe(value)}"
            return text + _scalar_hint(value, wanted)
        case "enum":
            hint = nearest(str(value), [str(item) for item in limit])
            return f"must be one of {_list(limit)}, is {describe(value)}{hint}{_scalar_hint(value, limit)}"
        case "const":
            return f"must be {json.dumps(limit)}, is {describe(value)}"
        case "required":
            missing = [key for key in limit if key not in value]
            return f"the key {missing[0]} is missing" if len(missing) == 1 else f"the keys {_list(missing)} are missing"
        case "uniqueItems":
            return "holds the same item twice"
        case "minItems":
            return f"must have at least {limit} item(s), has {len(value)}"
        case "maxItems":
            return f"must have at most {limit} item(s), has {len(value)}"
        case "minLength":
            return "must not be empty"
        case "contains":
            return f"must contain {_list([limit['const']] if 'const' in limit else limit.get('enum', []))}"
        case "minimum" | "maximum":
            return f"must be at {'least' if error.validator == 'minimum' else 'most'} {limit}, is {describe(value)}"
        case "pattern":
            wanted_form = rule.get("description", f"must match {limit}")
            return f"{describe(value)} does not have the right form: {wanted_form}"
        case "not" | "dependentRequired" | "if" | "then":
            return str(rule.get("description", error.message))
        case _:
            return str(error.message)


def describe(value: Any) -> str:
    """Return a value as people should see it in a message: its kind and a short text."""
    if isinstance(value, dict):
        return f"a mapping with {len(value)} key(s)"
    if isinstance(value, list):
        return f"a list of {len(value)} item(s)"
    if isinstance(value, str):
        return f'the text "{value[:60]}"'
    if value is None:
        return "nothing"
    return f"the {'number ' if not isinstance(value, bool) else 'value '}{json.dumps(value)}"


def _scalar_hint(value: Any, wanted: Iterable[Any]) -> str:
    options = list(wanted)
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and ("string" in options or str(value) in options)
    ):
        return f'; write "{value}" in quotes'
    if (
        isinstance(value, str)
        and value.lower() in ("yes", "no", "on", "off")
        and ("boolean" in options or True in options)
    ):
        return "; write true or false"
    return ""


def _list(values: Iterable[Any]) -> str:
    return ", ".join(str(value) if isinstance(value, str) else json.dumps(value) for value in values)


def _one_of(known: list[str]) -> str:
    return f"; known are {_list(known)}" if 0 < len(known) <= 12 else ""
