"""The rule catalogue: every rule with its question, the schema of its value and its wording."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from typing import Any

from belot_spec.files import canonical
from belot_spec.json_schema import fits
from belot_spec.languages import BESIDE, FALLBACK, IN_PLACE, LANGUAGES, Language
from belot_spec.value_shapes import POINTS, Changes, ValueShape, listed_values, other_units, shape_of

# Conditions on the values of rules: where a rule matters, and where words apply.
Condition = Mapping[str, tuple[Any, ...]]


def condition_of(data: Mapping[str, Any]) -> Condition:
    """Return the condition of a mapping from rules to lists of values."""
    return {rule: tuple(values) for rule, values in data.items()}


def holds(condition: Condition, values: Mapping[str, Any]) -> bool:
    """Say whether each rule of a condition has one of the values that it asks for; a rule without a value has none."""
    return all(rule in values and is_one_of(values[rule], wanted) for rule, wanted in condition.items())


def is_one_of(value: Any, wanted: Sequence[Any]) -> bool:
    """Say whether a value is one of those that a condition asks for, or contains one."""
    return value in wanted or (isinstance(value, list | dict) and any(_contains(value, one) for one in wanted))


def _contains(value: Any, wanted: Any) -> bool:
    """Say whether a value is a list with what is wanted in it at any depth, or a table with all of its entries."""
    if isinstance(value, dict) and isinstance(wanted, dict):
        return wanted.items() <= value.items()
    return isinstance(value, list) and (wanted in value or any(_is_in(item, wanted) for item in value))


def _is_in(item: Any, wanted: Any) -> bool:
    return isinstance(item, list) and wanted in item


class UntranslatedError(LookupError):
    """A text is not there in a language, so what is made of it is told in another one."""


@dataclass(frozen=True, slots=True)
class Text:
    """The same text in the languages of every file, and in those of the ``others`` that it was put into."""

    en: str
    nl: str
    others: tuple[tuple[Language, str], ...] = ()

    def language(self, wanted: Language) -> Language:
        """Return the language in which the text is told to who wants this one: English, if it is not there."""
        return wanted if self.has(wanted) else FALLBACK

    def has(self, language: Language) -> bool:
        """Say whether the text is there in a language."""
        return language in IN_PLACE or any(own == language for own, _ in self.others)

    def in_language(self, language: Language) -> str:
        """Return the text in one language, or whole in English."""
        return self.only(self.language(language))

    def only(self, language: Language) -> str:
        """Return the text in one language; raises ``UntranslatedError`` where it is not there."""
        if language in IN_PLACE:
            return self.en if language == "en" else self.nl
        for own, text in self.others:
            if own == language:
                return text
        raise UntranslatedError(language)

    def as_json(self) -> dict[str, str]:
        """Return the text as it stands in a file: a mapping by language."""
        return {"en": self.en, "nl": self.nl, **dict(self.others)}


def text_of(data: Mapping[str, str]) -> Text:
    """Return the text of a mapping by language."""
    return Text(data["en"], data["nl"], tuple((one, data[one]) for one in BESIDE if one in data))


def text_by(tell: Callable[[Language], str]) -> Text:
    """Return what is told in each language; one in which a part of it is not there is left out."""
    found: dict[Language, str] = {}
    for language in LANGUAGES:
        with suppress(UntranslatedError):
            found[language] = tell(language)
    return text_of(found)


def told_in(language: Language, tell: Callable[[Language], str]) -> str:
    """Return what is told in one language, or whole in English where a part of it is not there."""
    try:
        return tell(language)
    except UntranslatedError:
        return tell(FALLBACK)


def same_text(text: str) -> Text:
    """Return what reads the same in every language: a name, a number, a command."""
    return text_by(lambda _: text)


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
        if found is None and (text := self.text) is not None and type(value) is int:
            return text_by(lambda language: text.only(language).replace("{value}", str(value)))
        return found


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of a rule with where it comes from: stated, ruled, filled or house.

    Of the statements that it cites, those ``against`` it say something else.
    """

    value: Any
    status: str
    cite: tuple[str, ...]
    ruling: str | None
    of_option: bool = False
    against: tuple[str, ...] = ()

    @property
    def is_unsourced(self) -> bool:
        """Say whether an option has this value though no source of the variant says it: played, as G-23 reads it."""
        return self.of_option and self.status == "filled"


@dataclass(frozen=True)
class BareRule:
    """A rule without its words: which values it may have, when it matters, and what is played where nothing is said."""

    id: str
    value_schema: Mapping[str, Any]
    needs: Condition
    default: Setting | None

    def __getstate__(self) -> dict[str, Any]:
        """Return what is kept of the rule where it is pickled: all but what was found out about its values."""
        return {name: value for name, value in self.__dict__.items() if name not in ("shape", "verdicts")}

    @cached_property
    def verdicts(self) -> dict[str, bool]:
        """Whether the rule may have the values that were looked at before, by their canonical text."""
        return {}

    @cached_property
    def shape(self) -> ValueShape:
        """The kind of its values; raises ``UnknownShapeError`` for a schema of which no kind is known."""
        return shape_of(self.id, self.value_schema)

    def is_like(self, other: "BareRule") -> bool:
        """Say whether the values of both rules have one shape with a name."""
        return "title" in self.value_schema and self.value_schema == other.value_schema

    def allows(self, value: Any) -> bool:
        """Say whether the rule may have a value."""
        text = canonical(value)
        if text not in self.verdicts:
            self.verdicts[text] = fits(value, self.value_schema, {})
        return self.verdicts[text]


@dataclass(frozen=True)
class Rule(BareRule):
    """One rule of the catalogue, with what it asks and its words."""

    topic: str
    title: Text
    question: Text
    short: ShortWords
    wording: Wording


def value_key(value: Any) -> str:
    """Return a value as it stands in a file, the key of its wording: ``true``, ``[higher_trump, any]``, ``{J: 20}``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {value_key(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_key, value)) + "]"
    return str(value)


# Other values of a rule: those near its own, further away, drawn by lot, or mixed up with those of other rules.


def different(rule: Rule, own: Any, candidates: Iterable[tuple[str, Any]]) -> Changes:
    """Yield of some changes those to values that a rule may have and that are not its own, each value once."""
    seen = {canonical(own)}
    for change, value in candidates:
        text = canonical(value)
        if text not in seen:
            seen.add(text)
            if rule.allows(value):
                yield change, value


def near_values(rule: Rule, own: Any, elsewhere: Sequence[Any] = (), likely: Iterable[tuple[str, Any]] = ()) -> Changes:
    """Yield the values next to a rule's own: those listed, the ``likely`` ones, and those that one change makes of it.

    Last come those that the rule has ``elsewhere``, from which numbers of a table are taken one by one before.
    """
    listed = (("another value", value) for value in listed_values(rule.value_schema))
    changed = rule.shape.value.near(own, rule.value_schema, elsewhere)
    theirs = (("a neighbour's value", value) for value in elsewhere)
    return different(rule, own, chain(listed, likely, changed, theirs))


def distinct(rule: Rule, own: Any, values: Iterable[Any]) -> Iterator[Any]:
    """Yield of some values those that a rule may have and that are not its own, each once."""
    return (value for _, value in different(rule, own, (("", value) for value in values)))


def far_values(rule: Rule, own: Any, offsets: Sequence[int] = (), numbers: Sequence[int] = ()) -> Iterator[Any]:
    """Yield values further from a rule's own; its numbers moved by these offsets too, and these ``numbers``."""
    return distinct(rule, own, rule.shape.value.far(own, offsets, numbers))


def random_values(rule: Rule, own: Any, random: Random, tries: int = 8) -> Iterator[Any]:
    """Yield some other values of a rule, drawn by lot in so many tries; the same lot gives the same values."""
    whole, drawn = rule.value_schema, rule.shape.value.drawn
    return distinct(rule, own, (drawn(own, whole, random) for _ in range(tries)))


def mixed_up_values(rule: Rule, own: Any, orders: Mapping[str, list[str]]) -> Changes:
    """Yield what a rule's value would be in each order of cards, by the rule of the order, or in another unit."""
    mixed_up = other_units if rule.id in POINTS else rule.shape.value.mixed_up
    return mixed_up(own, orders)
