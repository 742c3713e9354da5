"""One language's edition of the site: its own words, and the texts of the spec in that language."""

import copy
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.text.brief import INDICES, SUIT_SIGNS
from belot_site.content.library import Library
from belot_spec.catalogue import Text
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.languages import Language
from belot_spec.load.documents import read_document
from belot_spec.own_words import in_own_words
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile
from belot_spec.wording import card_words, sentence, value_text
from belot_spec.words import words_file

_SEATS: Final = re.compile(r"\b(?:[Ss]eats?|[Pp]laats(?:en)?) [0-3](?:(?:, [0-3])* (?:and|or|en|of) [0-3])?\b")

OTHER: Final[Mapping[Language, Language]] = {"en": "nl", "nl": "en"}


def seat_letter(seat: int) -> str:
    """Return what people call a seat: A to D in order of play, which a program counts from 0."""
    return "ABCD"[seat]


def lettered(text: str) -> str:
    """Return a text with the seats that it numbers called by their letters."""
    return _SEATS.sub(lambda found: re.sub("[0-3]", lambda seat: seat_letter(int(seat[0])), found[0]), text)


@cache
def site_words() -> Mapping[str, Mapping[str, str]]:
    """Return the site's own texts by key and language, and what each operation is about."""
    found: Mapping[str, Mapping[str, str]] = read_document(words_file("belot_site")).data
    titles = {name: operation.title for name, operation in OPERATIONS.items()}
    return {**found, **{f"op-{name}": {"en": title.en, "nl": title.nl} for name, title in titles.items()}}


class SiteEdition:
    """The library told in one language."""

    def __init__(self, library: Library, language: Language) -> None:
        self.library = library
        self.language: Language = language
        # Positions that were drawn, by the id of their case; `positions` fills it.
        self.drawn: dict[str, Any] = {}
        # The values of the rules at the table that is spoken of, if it is one, and the editions of all tables.
        self._values: Mapping[str, Any] | None = None
        self._tables: dict[str, SiteEdition] = {}

    def at(self, profile: str) -> "SiteEdition":
        """Return this edition in the words that players by a profile have for things."""
        if profile not in self._tables:
            own = copy.copy(self)
            settings = self.library.profile(profile).settings
            own._values = {rule: setting.value for rule, setting in settings.items()}
            self._tables[profile] = own
        return self._tables[profile]

    def _own(self, text: str) -> str:
        if self._values is None:
            return text
        return in_own_words(text, self.language, self.library.spec.glossary.called, self._values)

    def word(self, key: str, **values: object) -> str:
        """Return one of the site's own texts, with values filled in if there are any.

        Raises ``UnknownNameError`` if there is no such text, as when the spec has something new to speak of.
        """
        if key not in site_words():
            hint = nearest(key, site_words())
            raise UnknownNameError(f"words.yaml has no text {key}{hint}; add it in English and Dutch")
        text = self._own(site_words()[key][self.language])
        return text.format(**values) if values else text

    def text(self, text: Text) -> str:
        """Return a bilingual text in this language, its seats called by letters."""
        return lettered(self._own(text.in_language(self.language)))

    def sentence(self, rule: str, profile: Profile) -> str:
        """Return the sentence that states a rule as a profile has it."""
        return self.sentence_with(rule, profile.value(rule), profile)

    def sentence_with(self, rule: str, value: Any, profile: Profile) -> str:
        """Return the sentence that a rule would have with another value, beside the other rules of a profile."""
        spec = self.library.spec
        return lettered(sentence(spec.rules[rule], value, self.language, spec.glossary, profile.settings))

    def value(self, rule: str, value: Any) -> str:
        """Return a value in words, without its sentence."""
        spec = self.library.spec
        return self.text(value_text(spec.rules[rule], value, spec.glossary))

    def stated(self, rule: str, profile: str) -> str:
        """Return the sentence that states a rule as the profile of this name has it."""
        return self.sentence(rule, self.library.profile(profile))

    def short(self, rule: str, value: Any) -> str:
        """Return a value in at most 24 characters; every value that a variant or an option has can be told so."""
        words = self.library.spec.rules[rule].short.of(value)
        return "" if words is None else self.text(words)

    def rule_title(self, rule: str) -> str:
        """Return the title of a rule."""
        return self.text(self.library.spec.rules[rule].title)

    def variant_name(self, variant: str) -> str:
        """Return the name of a variant, or of the variant of a profile with what its options say."""
        named = ProfileName.parse(variant)
        known = self.library.spec.options_of(named.variant) if named.options else {}
        told = (self.text(known[option].title) for option in named.options)
        # A game may have the name that its players have for a thing.
        return " + ".join([self.library.spec.variants[named.variant].name.in_language(self.language), *told])

    def card(self, card: str) -> str:
        """Return a card in words: ``jack of spades``, ``schoppenboer``."""
        return card_words(card, self.language, self.library.spec.glossary)

    def cards(self, cards: Iterable[str]) -> str:
        """Return cards in words, with commas and a last *and*."""
        *others, last = map(self.card, cards)
        return f"{', '.join(others)} {self.word('and')} {last}" if others else last

    def short_card(self, card: str) -> str:
        """Return a card as people write it: ``J♠``, ``B♠``."""
        rank, suit = card[:-1], card[-1]
        index = self.text(INDICES[rank]) if rank in INDICES else rank
        return f"{index}{SUIT_SIGNS[suit]}"

    def number(self, number: int) -> str:
        """Return a number with its thousands apart, as people write it."""
        return f"{number:,}".replace(",", "." if self.language == "nl" else ",")

    def suit(self, suit: str) -> str:
        """Return the name of a suit."""
        return self.text(self.library.spec.glossary.suits[suit])
