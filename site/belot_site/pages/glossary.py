"""The glossary: the words of the game in each language, and what else people call them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.page import SitePage
from belot_spec.catalogue import Text, text_of
from belot_spec.languages import LANGUAGES, Language
from belot_spec.load.translations import read_translated

_ARTICLE: Final = re.compile(r"^(to |de |het |een |the )")


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A word of the game: what it is called in each language, other words for it, and what it means if that is said."""

    id: str
    kind: str
    names: Text
    hr: str
    bg: tuple[str, ...]
    also: tuple[str, ...]
    meaning: Text | None

    def name(self, language: Language) -> str:
        """Return the word itself in one language."""
        return self.names.in_language(language)

    def spoken(self, language: Language) -> str:
        """Return the word as it is said where a game is played in some language, or nothing where that is not known."""
        return next(iter(self.bg), "") if language == "bg" else self.hr if language == "hr" else self._known(language)

    def _known(self, language: Language) -> str:
        return self.names.in_language(language) if self.names.has(language) else ""

    @property
    def every(self) -> tuple[str, ...]:
        """Each word for it, in any language, once."""
        return tuple(dict.fromkeys(filter(None, (*self.names.as_json().values(), self.hr, *self.bg, *self.also))))


@cache
def entries(library: Library) -> tuple[GlossaryEntry, ...]:
    """Return every word of the glossary: the terms, the ranks that have a name, and the suits."""
    data = read_translated(library.spec.folder / "glossary.yaml").data
    found = [_entry(name, "term", words) for name, words in data["terms"].items()]
    found += [
        _entry(f"rank-{rank.lower()}", "rank", words) for rank, words in data["ranks"].items() if _is_named(words)
    ]
    return (*found, *(_entry(f"suit-{suit.lower()}", "suit", words) for suit, words in data["suits"].items()))


def _is_named(words: Mapping[str, Any]) -> bool:
    """Say whether a rank has more of a name than its figure."""
    return not words["en"].isdecimal() or len(words) > len(LANGUAGES)


def _entry(name: str, kind: str, words: Mapping[str, Any]) -> GlossaryEntry:
    return GlossaryEntry(
        id=name,
        kind=kind,
        names=text_of(words),
        hr=words.get("hr", ""),
        bg=tuple(word[script] for word in words.get("bg", ()) for script in ("cyrillic", "latin")),
        also=tuple(words.get("also", ())),
        meaning=text_of(words["meaning"]) if "meaning" in words else None,
    )


def glossary_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the glossary."""
    found = sorted(entries(edition.library), key=lambda entry: entry.name(edition.language).lower())
    front = {"hide": ["navigation"]}
    yield SitePage("glossary", "glossary.md", edition.word("glossary"), {"entries": found}, front=front)


def words_in(edition: SiteEdition, text: str) -> list[GlossaryEntry]:
    """Return the entries of the glossary whose word in this language occurs in a text, in the order of the glossary."""
    lowered = text.lower()
    return [entry for entry in entries(edition.library) if _occurs(_stem(entry.name(edition.language)), lowered)]


def _stem(word: str) -> str:
    return _ARTICLE.sub("", word.lower())


def _occurs(word: str, text: str) -> bool:
    """Say whether a word, or a form of it with an ending, stands in a text."""
    return re.search(rf"(?<!\w){re.escape(word)}(?:s|es|en|t|ed|n)?(?!\w)", text) is not None
