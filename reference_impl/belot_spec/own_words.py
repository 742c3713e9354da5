"""What a thing is called at a table: a term of the glossary that players of some variants know by another word."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from belot_spec.catalogue import Condition, Text, condition_of, holds, text_of
from belot_spec.languages import LANGUAGES, Language


@dataclass(frozen=True, slots=True)
class OwnWord:
    """The word for a term where rules have certain values, where the common word stays, and its other forms.

    What is ``said`` may be a word of many uses (French *contre*): it gives way only where it stands alone.
    """

    when: Condition
    term: Text
    word: Text
    kept: Mapping[Language, tuple[str, ...]]
    forms: Mapping[Language, Mapping[str, str]] = field(default_factory=dict)
    said: tuple[Text, Text] | None = None


def own_words_of(terms: Mapping[str, Mapping[str, Any]]) -> tuple[OwnWord, ...]:
    """Return what the terms of a glossary are called under ``called``."""
    return tuple(
        OwnWord(
            condition_of(other["when"]),
            text_of(term),
            text_of(other),
            {one: tuple(other.get("but", {}).get(one, ())) for one in LANGUAGES},
            other.get("forms", {}),
            (text_of(term["said"]), text_of(other["said"])) if "said" in other else None,
        )
        for term in terms.values()
        for other in term.get("called", ())
    )


def in_own_words(text: str, language: Language, words: Iterable[OwnWord], values: Mapping[str, Any]) -> str:
    """Return a text with each term called as players call it where rules have these values."""
    for word in words:
        if not holds(word.when, values):
            continue
        if word.said and text == word.said[0].in_language(language):
            return word.said[1].in_language(language)
        forms = {word.term.in_language(language): word.word.in_language(language), **word.forms.get(language, {})}
        for common, own in forms.items():
            if common in text.lower():
                text = _renamed(text, common, own, word.kept[language])
    return text


def _renamed(text: str, common: str, own: str, kept: tuple[str, ...]) -> str:
    def name(found: re.Match[str]) -> str:
        if found["kept"] is not None:
            return found[0]
        return own.capitalize() if found[0][0].isupper() else own

    return _whole_word(common, kept).sub(name, text)


@cache
def _whole_word(common: str, kept: tuple[str, ...]) -> re.Pattern[str]:
    stays = "|".join(map(re.escape, kept)) or "(?!)"
    return re.compile(rf"\b(?:(?P<kept>{stays})|{re.escape(common)})\b", re.IGNORECASE)
