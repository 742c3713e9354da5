"""The rule catalogue: every rule with its question, the schema of its value and its wording."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from belot_spec.conditions import Condition
from belot_spec.data import schema

if TYPE_CHECKING:
    from belot_spec.load.schemas import Validator

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

    def as_json(self) -> dict[str, str]:
        """Return the text as it stands in a file: a mapping with ``en`` and ``nl``."""
        return {"en": self.en, "nl": self.nl}


def text_of(data: Mapping[str, str]) -> Text:
    """Return the bilingual text of a mapping with ``en`` and ``nl``."""
    return Text(data["en"], data["nl"])


@dataclass(frozen=True, slots=True)
class Alternative:
    """Other words for values, where other rules have the values that the condition asks for."""

    when: Condition
    values: Mapping[str, Text]
    text: Text | None
    empty: Text | None


@dataclass(frozen=True, slots=True)
class RunOfItems:
    """How items that follow one another read together: ``five to seven``, or ``five or more`` up to the last one."""

    last: str
    to: Text
    up: Text


@dataclass(frozen=True, slots=True)
class Wording:
    """How a rule's values read as a sentence: by value, or a sentence with ``{value}`` in it."""

    values: Mapping[str, Text]
    text: Text | None
    empty: Text | None
    alternatives: tuple[Alternative, ...]
    items: Mapping[str, Text]
    separator: Text
    separators: Mapping[str, Text]
    entry: Text | None
    nothing: Text | None
    run: RunOfItems | None
    alike: Text | None
    repeated: Text | None
    leave_out: Mapping[str, Condition]


@dataclass(frozen=True, slots=True)
class ShortWords:
    """A rule's values in so few words that several stand side by side: by value, and for every other number."""

    values: Mapping[str, Text]
    text: Text | None

    def of(self, value: Any) -> Text | None:
        """Return the short words of a value, or None if there are none."""
        found = self.values.get(value_key(value))
        if found is None and self.text is not None and type(value) is int:
            found = Text(*(text.replace("{value}", str(value)) for text in (self.text.en, self.text.nl)))
        return found


@dataclass(frozen=True)
class Rule:
    """One rule: what it asks, which values it may have, when it matters, and its words."""

    id: str
    topic: str
    title: Text
    question: Text
    value_schema: Mapping[str, Any]
    needs: Condition
    short: ShortWords
    wording: Wording

    def __getstate__(self) -> dict[str, Any]:
        """Return what is kept of the rule where it is pickled: all but the validator, which is made anew."""
        return {name: value for name, value in self.__dict__.items() if name != "validator"}

    @cached_property
    def validator(self) -> "Validator":
        """What tells whether the rule may have a value; made only where it is asked, of a schema that is sound."""
        from belot_spec.load.schemas import validator

        return validator(self.value_schema)


SHAPES: Final = "values.schema.json#/$defs/"


def value_key(value: Any) -> str:
    """Return a value as it stands in a file, the key of its wording: ``true``, ``[higher_trump, any]``, ``{J: 20}``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {value_key(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_key, value)) + "]"
    return str(value)


def resolve(value_schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a value schema with a reference to ``values.schema.json`` replaced by what it refers to."""
    reference = value_schema.get("$ref", "")
    if not reference.startswith(SHAPES):
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
