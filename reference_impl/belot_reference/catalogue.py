"""The rule catalogue: every rule with its question, the schema of its value and its wording."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from jsonschema import Draft202012Validator

from belot_reference.cards import RANKS
from belot_reference.documents import Document, KeyPath, read_document
from belot_reference.errors import Problem, SpecError, nearest
from belot_reference.schemas import document_problems, explain_errors, schema, validator

Language = Literal["en", "nl"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "nl")


@dataclass(frozen=True, slots=True)
class Text:
    """The same text in English and in Dutch."""

    en: str
    nl: str

    def in_language(self, language: Language) -> str:
        """Return the text in one language."""
        return self.en if language == "en" else self.nl


def text_of(data: Mapping[str, str]) -> Text:
    """Return the bilingual text of a mapping with ``en`` and ``nl``."""
    return Text(data["en"], data["nl"])


@dataclass(frozen=True, slots=True)
class Wording:
    """How a rule's values read as a sentence: by value, or a sentence with ``{value}`` in it."""

    values: Mapping[str, Text]
    text: Text | None
    empty: Text | None
    items: Mapping[str, Text]
    separator: Text
    entry: Text | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it asks, which values it may have, when it matters, and its words."""

    id: str
    topic: str
    title: Text
    question: Text
    value_schema: Mapping[str, Any]
    needs: Mapping[str, tuple[Any, ...]]
    wording: Wording
    validator: Draft202012Validator


_COMMA: Final = Text(", ", ", ")
_SHAPES: Final = "values.schema.json#/$defs/"


def load_catalogue(folder: Path) -> dict[str, Rule]:
    """Load every topic file of ``spec/rules``; raise ``SpecError`` with all that is wrong in them."""
    rules: dict[str, Rule] = {}
    homes: dict[str, Document] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.yaml")):
        document = read_document(path)
        wrong = document_problems(document, "rules")
        if not wrong and document.data["topic"] != path.stem:
            message = f"a topic file is named after its topic: {path.stem}.yaml holds the topic {path.stem}"
            wrong = [document.problem(("topic",), message)]
        problems += wrong
        if wrong:
            continue
        for rule in _rules_of(document):
            problems += _rule_problems(rule, document, homes)
            rules[rule.id] = rule
            homes[rule.id] = document
    if not rules and not problems:
        problems.append(Problem(folder, 1, "", "there is no rule catalogue here"))
    if not problems:
        problems += _needs_problems(rules, homes)
    if problems:
        raise SpecError(problems)
    return rules


def _rules_of(document: Document) -> Iterator[Rule]:
    shared = {key: text_of(words) for key, words in document.data.get("items", {}).items()}
    separator = document.data.get("separator")
    for rule_id, data in document.data["rules"].items():
        words = data["wording"]
        wording = Wording(
            values={key: text_of(value) for key, value in words.get("values", {}).items()},
            text=text_of(words["text"]) if "text" in words else None,
            empty=text_of(words["empty"]) if "empty" in words else None,
            items={**shared, **{key: text_of(value) for key, value in words.get("items", {}).items()}},
            separator=text_of(words.get("separator") or separator or {"en": _COMMA.en, "nl": _COMMA.nl}),
            entry=text_of(words["entry"]) if "entry" in words else None,
        )
        yield Rule(
            id=rule_id,
            topic=document.data["topic"],
            title=text_of(data["title"]),
            question=text_of(data["question"]),
            value_schema=data["value"],
            needs={key: tuple(values) for key, values in data.get("needs", {}).items()},
            wording=wording,
            validator=validator(data["value"]),
        )


def _rule_problems(rule: Rule, document: Document, homes: Mapping[str, Document]) -> Iterator[Problem]:
    at = ("rules", rule.id)
    if rule.id in homes:
        first = homes[rule.id]
        yield document.problem(at, f"this rule is already in {first.path.name}, on line {first.line(at)}")
        return
    if not rule.id.startswith(f"{rule.topic}."):
        yield document.problem(at, f"the id of a rule of the topic {rule.topic} starts with {rule.topic}.")
    unusable = list(_schema_problems(rule, document, (*at, "value")))
    yield from unusable or _wording_problems(rule, document, (*at, "wording"))


def _schema_problems(rule: Rule, document: Document, at: KeyPath) -> Iterator[Problem]:
    """Check that the schema of a rule's values is a JSON Schema, and that it refers only to shapes that exist."""
    wrong = explain_errors(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(rule.value_schema))
    for path, message in wrong:
        yield document.problem((*at, *path), f"this is not a JSON Schema: {message}")
    if not wrong:
        yield from _pattern_problems(rule.value_schema, document, at)
        yield from _reference_problems(rule.value_schema, document, at)


def _pattern_problems(part: Any, document: Document, at: KeyPath) -> Iterator[Problem]:
    for path, pattern in _strings_under("pattern", part, at):
        try:
            re.compile(pattern)
        except re.error as error:
            yield document.problem(path, f"this is not a regular expression: {error.msg}")


def _reference_problems(part: Any, document: Document, at: KeyPath) -> Iterator[Problem]:
    shapes = schema("values")["$defs"]
    for path, reference in _strings_under("$ref", part, at):
        name = reference.removeprefix(_SHAPES)
        if name == reference:
            yield document.problem(path, f"a rule's schema refers only to {_SHAPES}<shape>")
        elif name not in shapes:
            yield document.problem(path, f"values.schema.json has no shape {name}{nearest(name, shapes)}")


def _strings_under(keyword: str, part: Any, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield each text that stands under a keyword, at any depth of a schema."""
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inner:
        if key == keyword and isinstance(value, str):
            yield (*at, key), value
        yield from _strings_under(keyword, value, (*at, key))


def _wording_problems(rule: Rule, document: Document, at: KeyPath) -> Iterator[Problem]:
    """Check that every value has words, and that there are no words for what cannot be a value."""
    values = [value_key(value) for value in enumerated_values(rule.value_schema)]
    items = _enumerated_items(rule.value_schema)
    words = rule.wording
    if words.text is None:
        for key in values:
            if key not in words.values:
                yield document.problem(at, f"the value {key} has no wording; add it under values, or a text for all")
    if not values and (words.text is None or not all("{value}" in text for text in (words.text.en, words.text.nl))):
        yield document.problem(at, "the values cannot all be listed, so a text with {value} in it is needed")
    for item in items:
        if item not in words.items and item not in RANKS:
            yield document.problem(at, f"the list item {item} has no wording; add it under items")
    for key in words.values:
        if not _may_be(rule, key):
            yield document.problem((*at, "values", key), f"the rule cannot have this value{nearest(key, values)}")
    for key in document.data["rules"][rule.id]["wording"].get("items", {}):
        if items and key not in items:
            yield document.problem((*at, "items", key), f"the list cannot hold this item{nearest(key, items)}")


def _may_be(rule: Rule, key: str) -> bool:
    """Say whether a rule may have the value that has this key in its wording."""
    candidates: list[Any] = [key, int(key) if key.isdecimal() else key, {"true": True, "false": False}.get(key, key)]
    return any(rule.validator.is_valid(candidate) for candidate in candidates)


def _needs_problems(rules: Mapping[str, Rule], homes: Mapping[str, Document]) -> Iterator[Problem]:
    """Check that the rules on which others depend exist, and can have the values that are asked of them."""
    for rule in rules.values():
        for needed, wanted in rule.needs.items():
            at = ("rules", rule.id, "needs", needed)
            if needed not in rules:
                yield homes[rule.id].problem(at, f"there is no rule {needed}{nearest(needed, rules)}")
                continue
            value_schema = rules[needed].value_schema
            possible = [*enumerated_values(value_schema), *_enumerated_items(value_schema)]
            for value in wanted:
                if possible and value not in possible:
                    hint = nearest(value_key(value), map(value_key, possible))
                    yield homes[rule.id].problem(at, f"{needed} never is {value_key(value)}{hint}")


def value_key(value: Any) -> str:
    """Return a scalar value as the text that keys its wording: ``true``, ``10``, ``none``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def resolve(value_schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a value schema with a reference to ``values.schema.json`` replaced by what it refers to."""
    reference = value_schema.get("$ref", "")
    if not reference.startswith(_SHAPES):
        return value_schema
    found: Mapping[str, Any] = schema("values")["$defs"].get(reference.rsplit("/", 1)[-1], {})
    return found


def enumerated_values(value_schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return every value of a rule whose values can be listed, else an empty tuple."""
    if value_schema.get("type") == "boolean":
        return (True, False)
    if "const" in value_schema:
        return (value_schema["const"],)
    return tuple(value_schema.get("enum", ()))


def _enumerated_items(value_schema: Mapping[str, Any]) -> tuple[str, ...]:
    items = resolve(value_schema).get("items", {})
    return tuple(str(item) for item in items.get("enum", ())) if isinstance(items, dict) else ()
