"""A rule's value as a sentence, in English or Dutch."""

from typing import Any

from belot_reference.cards import CARD_BY_NAME
from belot_reference.catalogue import Language, Rule, Text, value_key
from belot_reference.spec import Glossary


def sentence(rule: Rule, value: Any, language: Language, glossary: Glossary) -> str:
    """Return the sentence that states a rule with this value."""
    wording = rule.wording
    if not isinstance(value, (list, dict)) and value_key(value) in wording.values:
        return wording.values[value_key(value)].in_language(language)
    if value == [] and wording.empty is not None:
        return wording.empty.in_language(language)
    if wording.text is None:
        return value_key(value)
    return wording.text.in_language(language).replace("{value}", value_words(rule, value, language, glossary))


def value_words(rule: Rule, value: Any, language: Language, glossary: Glossary) -> str:
    """Return the value itself in words: a list with its separator, a mapping entry by entry."""
    wording = rule.wording
    if isinstance(value, dict):
        entry = (wording.entry or Text("{key} {value}", "{key} {value}")).in_language(language)
        parts = [
            entry.replace("{key}", _item(rule, key, language, glossary)).replace("{value}", str(number))
            for key, number in value.items()
        ]
        return ", ".join(parts)
    if isinstance(value, list):
        nested = any(isinstance(item, list) for item in value)
        parts = [
            " = ".join(_item(rule, part, language, glossary) for part in item)
            if isinstance(item, list)
            else _item(rule, item, language, glossary)
            for item in value
        ]
        return (wording.separator.in_language(language) if not nested else " < ").join(parts)
    return _item(rule, value, language, glossary)


def _item(rule: Rule, item: Any, language: Language, glossary: Glossary) -> str:
    key = value_key(item)
    if key in rule.wording.items:
        return rule.wording.items[key].in_language(language)
    if key in glossary.ranks:
        return glossary.ranks[key].in_language(language)
    if key in CARD_BY_NAME:
        return card_words(key, language, glossary)
    return key


def card_words(card: str, language: Language, glossary: Glossary) -> str:
    """Return a card's name in words: ``jack of spades``, ``schoppenboer``, ``ruiten 7``."""
    rank = glossary.ranks[card[:-1]].in_language(language)
    suit = glossary.suits[card[-1]].in_language(language)
    if language == "en":
        return f"{rank} of {suit}"
    return f"{suit} {rank}" if rank.isdecimal() else f"{suit}{rank}"
