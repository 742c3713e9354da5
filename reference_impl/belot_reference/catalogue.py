"""The rule catalogue: every rule with its question, the schema of its value and its wording."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from belot_reference.cards import RANKS
from belot_reference.documents import Document, read_document
from belot_reference.errors import Problem, SpecError
from belot_reference.schemas import document_problems, schema, validator

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


def load_catalogue(folder: Path) -> dict[str, Rule]:
    """Load every topic file of ``spec/rules``; raise ``SpecError`` with all that is wrong in them."""
    rules: dict[str, Rule] = {}
    homes: dict[str, Document] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.yaml")):
        document = read_document(path)
        wrong = document_problems(document, "rules")
        problems += wrong
        if wrong:
            continue
        for rule in _rules_of(document):
            problems += _rule_problems(rule, document, homes)
            rules[rule.id] = rule
            homes[rule.id] = document
    if not rules and not problems:
        problems.append(Problem(folder, 1, "", "there is no rule catalogue here"))
    for rule in rules.values():
        for needed in rule.needs:
            if needed not in rules and not problems:
                message = f"there is no rule {needed}"
                problems.append(homes[rule.id].problem(("rules", rule.id, "needs", needed), message))
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
        yield document.problem(at, f"this rule is already in {homes[rule.id].path.name}")
    if not rule.id.startswith(f"{rule.topic}."):
        yield document.problem(at, f"a rule of the topic {rule.topic} has an id that starts with {rule.topic}.")
    try:
        Draft202012Validator.check_schema(dict(rule.value_schema))
    except SchemaError as error:
        yield document.problem((*at, "value"), f"this is not a JSON Schema: {error.message}")
        return
    for value in enumerated_values(rule.value_schema):
        if value_key(value) not in rule.wording.values and rule.wording.text is None:
            yield document.problem((*at, "wording"), f"the value {value_key(value)} has no wording in both languages")
    if not enumerated_values(rule.value_schema) and rule.wording.text is None:
        yield document.problem((*at, "wording"), "a rule with free values needs a wording text with {value} in it")
    for item in _enumerated_items(rule.value_schema):
        if item not in rule.wording.items and item not in RANKS:
            yield document.problem((*at, "wording"), f"the list item {item} has no wording in both languages")
    for key in rule.wording.values:
        if enumerated_values(rule.value_schema) and key not in map(value_key, enumerated_values(rule.value_schema)):
            yield document.problem((*at, "wording", "values", key), "the rule cannot have this value")


def value_key(value: Any) -> str:
    """Return a scalar value as the text that keys its wording: ``true``, ``10``, ``none``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def resolve(value_schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a value schema with a reference to ``values.schema.json`` replaced by what it refers to."""
    reference = value_schema.get("$ref", "")
    if not reference.startswith("values.schema.json#/$defs/"):
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
