"""A rule's value as a sentence, as it reads beside the other values of a profile."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Final

from belot_spec.card_names import CARD_NAMES
from belot_spec.catalogue import Rule, Setting, Text, Wording, holds, text_by, told_in, value_key
from belot_spec.languages import TONGUES, Language
from belot_spec.own_words import in_own_words
from belot_spec.spec import Glossary
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "wording")

Settings = Mapping[str, Setting]


def sentence_text(rule: Rule, value: Any, glossary: Glossary, settings: Settings) -> Text:
    """Return the sentence that states a rule with this value, where the other rules have these settings.

    A language in which a part of it is not there is left out: no sentence is half in one and half in another.
    """
    return text_by(partial(_told, rule, value, glossary, settings))


def sentence(rule: Rule, value: Any, language: Language, glossary: Glossary, settings: Settings) -> str:
    """Return that sentence in one language, or whole in English."""
    return told_in(language, partial(_told, rule, value, glossary, settings))


def _told(rule: Rule, value: Any, glossary: Glossary, settings: Settings, language: Language) -> str:
    values = {**{name: setting.value for name, setting in settings.items()}, rule.id: value}
    return in_own_words(_stated(rule, value, language, glossary, values), language, glossary.called, values)


def _stated(rule: Rule, value: Any, language: Language, glossary: Glossary, values: Mapping[str, Any]) -> str:
    """Return the sentence with each term as the glossary has it."""
    wording = _worded(rule.wording, values)
    if value_key(value) in wording.values:
        return wording.values[value_key(value)].only(language)
    if value == [] and wording.empty is not None:
        return wording.empty.only(language)
    if wording.text is None:
        return value_key(value)
    left_out = frozenset(item for item, condition in wording.leave_out.items() if holds(condition, values))
    told = _Telling(wording, left_out, language, glossary).value(value)
    told = told or _Telling(wording, frozenset(), language, glossary).value(value)
    return wording.text.only(language).replace("{value}", told)


def value_text(rule: Rule, value: Any, glossary: Glossary) -> Text:
    """Return the value itself in words: a list with its separators, a mapping entry by entry."""
    return text_by(lambda language: _Telling(rule.wording, frozenset(), language, glossary).value(value))


def _worded(wording: Wording, values: Mapping[str, Any]) -> Wording:
    """Return a wording with the alternatives that apply in the place of its own words, the first one foremost."""
    for other in reversed(wording.alternatives):
        if holds(other.when, values):
            wording = replace(
                wording,
                values={**wording.values, **other.values},
                text=other.text or wording.text,
                empty=other.empty or wording.empty,
            )
    return wording


class _Telling:
    """A value put into words of one language, item by item."""

    def __init__(self, wording: Wording, left_out: frozenset[str], language: Language, glossary: Glossary) -> None:
        self.wording = wording
        self.left_out = left_out
        self.language: Language = language
        self.glossary = glossary

    def value(self, value: Any) -> str:
        """Return a whole value in words."""
        if isinstance(value, dict):
            return self._separated(list(self._entries(value)))
        if isinstance(value, list):
            return self._separated(list(self._items(value)))
        return self._item(value_key(value))

    def _entries(self, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the entries of a table of numbers, those with the same number as one.

        A table whose keys make runs keeps its order; any other starts with the highest number.
        """
        told = [(key, number) for key, number in table.items() if key not in self.left_out]
        if self.wording.run is None:
            told.sort(key=lambda entry: -entry[1])
        for number, group in groupby(told, key=lambda entry: entry[1]):
            keys = [key for key, _ in group]
            entry = (number == 0 and self.wording.nothing) or self.wording.entry or _WORDS["entry"]
            words = entry.only(self.language).replace("{key}", self._together(keys))
            yield keys[-1], words.replace("{value}", str(number))

    def _items(self, items: Sequence[Any]) -> Iterator[tuple[str, str]]:
        for item, group in groupby(items):
            times = len(list(group))
            words = self._class(item) if isinstance(item, list) else self._told(item)
            if words and times > 1 and self.wording.repeated is not None:
                repeated = self.wording.repeated.only(self.language)
                yield value_key(item), repeated.replace("{times}", str(times)).replace("{item}", words)
            elif words:
                yield from [(value_key(item), words)] * times

    def _told(self, item: Any) -> str:
        key = value_key(item)
        if key in self.left_out:
            return ""
        if self.wording.entry is not None and key not in self.wording.items:
            return self.wording.entry.only(self.language).replace("{value}", key)
        return self._item(key)

    def _class(self, items: Iterable[Any]) -> str:
        keys = [key for key in map(value_key, items) if key not in self.left_out]
        words = self._together(keys) if keys else ""
        if len(keys) > 1 and self.wording.alike is not None:
            return self.wording.alike.only(self.language).replace("{items}", words)
        return words

    def _together(self, keys: Sequence[str]) -> str:
        """Return items that belong together: the two ends of a run, or all of them with a last *and*."""
        run = self.wording.run
        if run is not None and len(keys) > 1:
            words = (run.up if keys[-1] == run.last else run.to).only(self.language)
            return words.replace("{first}", self._item(keys[0])).replace("{last}", self._item(keys[-1]))
        *others, last = map(self._item, keys)
        return f"{', '.join(others)} {_WORDS['and'].only(self.language)} {last}" if others else last

    def _separated(self, parts: Sequence[tuple[str, str]]) -> str:
        """Return parts one after the other, with what stands after each of them but the last."""
        told = between = ""
        for key, words in parts:
            told += between + words
            between = self.wording.separators.get(key, self.wording.separator).only(self.language)
        return told

    def _item(self, key: str) -> str:
        if key in self.wording.items:
            return self.wording.items[key].only(self.language)
        if key in self.glossary.ranks:
            return self.glossary.ranks[key].only(self.language)
        if key in CARD_NAMES:
            return card_words(key, self.language, self.glossary)
        return key


def card_words(card: str, language: Language, glossary: Glossary) -> str:
    """Return a card's name in words: ``jack of spades``, ``schoppenboer``, ``dame de pique``."""
    rank = glossary.ranks[card[:-1]].only(language)
    suit = glossary.suits[card[-1]].only(language)
    tongue = TONGUES[language]
    return ((rank.isdecimal() and tongue.numbered) or tongue.card).format(rank=rank, suit=suit)
