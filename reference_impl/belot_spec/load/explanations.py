"""What is wrong with a value that does not fit its JSON Schema, told so that people see what would be right.

It reads the schemas with ``jsonschema``, which takes longer to import than it takes to check every value there is; so
only ``belot_spec.load.schemas`` imports this module, and only where something is wrong.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from belot_spec.card_names import card_meant
from belot_spec.data import schema_files
from belot_spec.document import Explanation, KeyPath
from belot_spec.errors import MOST_TOLD, closest, nearest
from belot_spec.files import read_json

_KINDS = {
    "object": "a mapping", "array": "a list", "string": "a text", "integer": "a whole number",
    "number": "a number", "boolean": "true or false", "null": "nothing (null)",
}  # fmt: skip
_TRUTHS: Final[Mapping[str, str]] = {
    "yes": "; write true", "on": "; write true", "no": "; write false", "off": "; write false",
}  # fmt: skip
# What the keywords ``minItems``, ``maxItems`` and their like count.
_COUNTED: Final = {"Items": "item", "Length": "character", "Properties": "key"}
_LONGEST_SHOWN: Final = 60
# Between the keys that an alternative needs.
_AND_KEY: Final = " with "
# The title of the schema of a card, and what its parts are called.
_CARD: Final = "card"
_RANK_WORDS: Final = {"10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


@cache
def _registry() -> Registry[Any]:
    resources = [(path.name, Resource.from_contents(read_json(path))) for path in schema_files()]
    return Registry().with_resources(resources)


def explained(instance: Any, contents: Mapping[str, Any]) -> list[Explanation]:
    """Return (key path, message) for each way in which a value does not fit a schema."""
    return _explain_errors(Draft202012Validator(dict(contents), registry=_registry()).iter_errors(instance))


def explained_schema(contents: Mapping[str, Any]) -> list[Explanation]:
    """Return (key path, message) for each way in which a mapping is no JSON Schema."""
    return explained(contents, Draft202012Validator.META_SCHEMA)


def _explain_errors(errors: Iterable[ValidationError]) -> list[Explanation]:
    """Turn validation errors into (key path, message) for people, in the order of the paths."""
    every = list(errors)
    misspelt = frozenset(pair for error in every for pair in _misspelt(error))
    found = {pair for error in every for pair in _explain(error, misspelt)}
    return sorted(found, key=lambda pair: (_sort_key(pair[0]), pair[1]))


def _sort_key(path: KeyPath) -> list[tuple[int, str]]:
    return [(part, "") if isinstance(part, int) else (-1, part) for part in path]


def _unknown_keys(error: ValidationError) -> Iterator[tuple[str, str | None]]:
    """Yield each key that a mapping may not have, with the known key that is probably meant."""
    rule: Any = error.schema
    if error.validator in ("additionalProperties", "unevaluatedProperties") and isinstance(error.instance, dict):
        known = sorted(rule.get("properties", {}))
        patterns = rule.get("patternProperties", {})
        for number, key in enumerate(sorted(set(error.instance) - set(known))):
            if not any(re.search(pattern, key) for pattern in patterns):
                # Nobody reads more of them, and to look for what is meant takes long.
                yield key, closest(key, known) if number < MOST_TOLD else None


def _misspelt(error: ValidationError) -> Iterator[tuple[KeyPath, str]]:
    for _, meant in _unknown_keys(error):
        if meant is not None:
            yield tuple(error.absolute_path), meant


def _explain(error: ValidationError, misspelt: frozenset[tuple[KeyPath, str]]) -> Iterator[Explanation]:
    """Explain one error; a key that is only ``misspelt`` is not also reported as missing."""
    path = tuple(error.absolute_path)
    rule: Any = error.schema
    if error.validator in ("additionalProperties", "unevaluatedProperties") and isinstance(error.instance, dict):
        known = sorted([*rule.get("properties", {}), *rule.get("required", ())])
        for key, meant in _unknown_keys(error):
            hint = f"; did you mean {meant}?" if meant else _one_of(list(dict.fromkeys(known)))
            yield (*path, key), f"unknown key{hint}"
    elif error.validator in ("oneOf", "anyOf") and error.context:
        yield from _explain_alternatives(error, misspelt)
    elif "propertyNames" in error.relative_schema_path:
        yield (*path, str(error.instance)), f"wrong key: {_message(error)}"
    elif error.validator == "required":
        keys: Any = error.validator_value
        present: Any = error.instance
        missing = [key for key in keys if key not in present and (path, key) not in misspelt]
        if missing:
            words = (
                f"the key {missing[0]} is missing" if len(missing) == 1 else f"the keys {_list(missing)} are missing"
            )
            yield path, words + _wish(rule)
    else:
        yield path, _message(error)


def _explain_alternatives(error: ValidationError, misspelt: frozenset[tuple[KeyPath, str]]) -> Iterator[Explanation]:
    """Explain the only alternative of the right shape, or else say what all of them are."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or []:
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    every = [leaf for branch in branches.values() for inner in branch for leaf in _leaves(inner)]
    texts = [item for inner in every for item in _texts(inner)]
    # Beside texts that are listed, one of a certain form is no more what is meant than these.
    shapes = ("type", "const", "enum", "required", *(("pattern",) if texts else ()))
    wrong = [inner for inner in every if inner.absolute_path == error.absolute_path and inner.validator in shapes]
    kept = [branch for branch in branches.values() if not any(_is_one_of(wrong, inner) for inner in branch)]
    if len(kept) == 1:
        yield from _explain_errors(kept[0])
        return
    choices = list(dict.fromkeys(_wanted(inner) for inner in wrong if inner.validator != "required"))
    if not choices:
        path, keys = tuple(error.absolute_path), [key for one in _alternatives(error) for key in one.split(_AND_KEY)]
        if not any((path, key) in misspelt for key in keys):
            yield path, _none_of(error, keys)
        return
    text = f"must be {' or '.join(choices)}, is {describe(error.instance)}"
    value = str(error.instance)
    # A letter is no more than a part of what is longer.
    meant = [one for one in (*texts, *_respelt(value, wrong)) if len(one) > 1 or len(value) == 1]
    yield tuple(error.absolute_path), text + nearest(value, meant)


def _alternatives(error: ValidationError) -> list[str]:
    """Return the name of each alternative: the keys that it needs, or what it says of itself."""
    branches: Any = error.validator_value
    return [
        _AND_KEY.join(one["required"])
        if "required" in one
        else str(
            one.get("description") or one.get("$ref", "").rpartition("/")[2] or _KINDS.get(str(one.get("type")), "")
        )
        for one in branches
    ]


def _none_of(error: ValidationError, keys: Sequence[str]) -> str:
    """Say what the alternatives are of which a value is none, and which key is probably meant for one of theirs."""
    value, rule, names = error.instance, error.schema, _alternatives(error)
    choices = f"{', '.join(names[:-1])} or {names[-1]}"
    if not isinstance(value, dict):
        return f"must be {choices}, is {describe(value)}"
    if len(fit := _fitting(value, names)) > 1:
        return f"may have only one of {_list(fit)}"
    known = {*keys, *(rule.get("properties", ()) if isinstance(rule, dict) else ())}
    strange = [(key, closest(key, keys)) for key in list(value)[:MOST_TOLD] if key not in known]
    near = [f"; did you mean {meant} by {key}?" for key, meant in strange if meant]
    has = f"it has {_list(list(value)[:MOST_TOLD])}" if value else "it is empty"
    return f"must have {choices}; {has}{''.join(near[:1])}"


def _fitting(value: Any, names: Sequence[str]) -> list[str]:
    """Return the alternatives whose keys a mapping has."""
    return [one for one in names if isinstance(value, dict) and value.keys() >= {*one.split(_AND_KEY)}]


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """Yield what is wrong by each alternative, and in its place by those that it has itself."""
    if error.validator in ("oneOf", "anyOf") and error.context:
        for inner in error.context:
            yield from _leaves(inner)
    else:
        yield error


def _is_one_of(wrong: Sequence[ValidationError], inner: ValidationError) -> bool:
    """Say whether an error is one of some, or for alternatives whether each of them has such a one."""
    if inner.validator not in ("oneOf", "anyOf") or not inner.context:
        return inner in wrong
    branches: dict[int, bool] = {}
    for one in inner.context:
        place = int(one.schema_path[0])
        branches[place] = branches.get(place, False) or _is_one_of(wrong, one)
    return all(branches.values())


def _respelt(value: str, wrong: Iterable[ValidationError]) -> Iterator[str]:
    """Yield a text in capitals and without blanks, where it then has a form that is asked for."""
    respelt = "".join(value.split()).upper()
    for inner in wrong:
        if inner.validator == "pattern" and re.search(str(inner.validator_value), respelt):
            yield respelt


def _texts(error: ValidationError) -> list[str]:
    """Return the texts among the values that an ``enum`` or ``const`` allows."""
    limit: Any = error.validator_value
    values = limit if error.validator == "enum" else [limit] if error.validator == "const" else []
    return [value for value in values if isinstance(value, str)]


def _wanted(error: ValidationError) -> str:
    """Say what a value of the wrong type, or not among the values allowed, must be."""
    limit: Any = error.validator_value
    if error.validator == "type":
        return " or ".join(_KINDS[kind] for kind in ([limit] if isinstance(limit, str) else limit))
    if error.validator == "const":
        return json.dumps(limit, ensure_ascii=False)
    if error.validator == "pattern":
        rule: Any = error.schema
        return str(rule.get("description", f"a text of the form {limit}"))
    return f"one of {_list(limit)}"


def _message(error: ValidationError) -> str:
    value: Any = error.instance
    limit: Any = error.validator_value
    rule: Any = error.schema
    match error.validator:
        case "type":
            hint = _scalar_hint(value, [limit] if isinstance(limit, str) else limit) or _wish(rule)
            return f"must be {_wanted(error)}, is {describe(value)}{hint}"
        case "enum" | "const":
            choices = limit if error.validator == "enum" else [limit]
            hint = _scalar_hint(value, choices) or nearest(str(value), _texts(error))
            return f"must be {_wanted(error)}, is {describe(value)}{hint}"
        case "contains":
            return f"must contain {' or '.join(map(str, _choices(limit)))}{_wish(rule)}"
        case "pattern" if rule.get("title") == _CARD and (meant := card_meant(value)) is not None:
            rank, suit = _RANK_WORDS.get(meant[:-1], meant[:-1]), _SUIT_WORDS[meant[-1]]
            return f"{value} is no card: the {rank} of {suit} is {meant}"
        case "pattern":
            return f"{describe(value)} does not have the right form: {rule.get('description', f'must match {limit}')}"
        case "not":
            keys = limit.get("required", ())
            together = f"{' and '.join(keys)} may not stand {'together' if len(keys) > 1 else 'here'}"
            return str(rule.get("description", together if "required" in limit else error.message))
        case "dependentRequired":
            lacking = [(key, one) for key in limit if key in value for one in limit[key] if one not in value]
            told = "; ".join(f"{key} stands beside {one}, which is missing" for key, one in lacking)
            return str(rule.get("description", told))
        case _:
            if error.validator == "oneOf":
                names = _alternatives(error)
                return f"may have only one of {_list(_fitting(value, names) or names)}"
            return _limit_message(str(error.validator), limit, value, rule) or str(error.message)


def _limit_message(keyword: str, limit: Any, value: Any, rule: Mapping[str, Any]) -> str | None:
    """Say which limit a number, or the size of a text, list or mapping, does not keep."""
    match keyword:
        case "minimum" | "maximum":
            return f"must be at {'least' if keyword == 'minimum' else 'most'} {limit}, is {describe(value)}"
        case "exclusiveMinimum" | "exclusiveMaximum":
            return f"must be {'more' if keyword == 'exclusiveMinimum' else 'less'} than {limit}, is {describe(value)}"
        case "multipleOf":
            return f"must be a multiple of {limit}, is {describe(value)}"
        case "uniqueItems":
            twice = next((item for index, item in enumerate(value) if item in value[:index]), None)
            return f"holds {describe(twice)} twice"
        case "minLength" | "minProperties" if limit == 1:
            return "must not be empty"
        case _ if noun := _COUNTED.get(keyword[len("min") :]):
            least, most = (rule.get(bound + keyword[len("min") :]) for bound in ("min", "max"))
            wanted = "exactly" if least == most else "at least" if keyword.startswith("min") else "at most"
            return f"must have {wanted} {_count(limit, noun)}, has {len(value)}{_wish(rule)}"
    return None


def describe(value: Any) -> str:
    """Return a value as people should see it in a message: its kind and a short text."""
    if isinstance(value, dict):
        return f"a mapping with {_count(len(value), 'key')}"
    if isinstance(value, list):
        return f"a list of {_count(len(value), 'item')}"
    if isinstance(value, str):
        shown = value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + "…"
        return f"the text {json.dumps(shown, ensure_ascii=False)}"
    if value is None:
        return "nothing"
    return f"the {'number ' if not isinstance(value, bool) else 'value '}{json.dumps(value)}"


def _scalar_hint(value: Any, wanted: Iterable[Any]) -> str:
    """Say how a value is written that YAML does not read as it was meant."""
    options = list(wanted)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f'; write "{value}" in quotes' if "string" in options or str(value) in options else ""
    if isinstance(value, str) and ("boolean" in options or True in options):
        return _TRUTHS.get(value.lower(), "")
    return ""


def _choices(limit: Mapping[str, Any]) -> list[Any]:
    return [limit["const"]] if "const" in limit else list(limit.get("enum", ()))


def _wish(rule: Mapping[str, Any]) -> str:
    """Return what a schema says about itself, in brackets."""
    return f" ({rule['description'].rstrip('.')})" if "description" in rule else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _list(values: Iterable[Any]) -> str:
    return ", ".join(str(value) if isinstance(value, str) else json.dumps(value) for value in values)


def _one_of(known: list[str]) -> str:
    return f"; known are {_list(known)}" if 0 < len(known) <= 12 else ""
