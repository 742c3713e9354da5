"""One language's edition of the site: its own words, the texts of the spec, and what a rule rests on."""

import copy
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case
from belot_conformance.text.brief import SUIT_SIGNS
from belot_reference.view import INDICES
from belot_site.content.library import Library
from belot_spec.catalogue import Setting, Text
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.languages import TONGUES, Language, grouped_number
from belot_spec.load.translations import read_translated
from belot_spec.own_words import in_own_words
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile
from belot_spec.variants import Option
from belot_spec.wording import card_words, sentence, value_text
from belot_spec.words import words_file

# A text of the site may be another where this rule has a value: it is then told as ``key@value``.
_WORDED_BY: Final = "declarations.played"
_SEATS: Final = re.compile(
    r"\b(?:[Ss]eats?|[Pp]laats(?:en)?|[Pp]laces?) [0-3](?:(?:, [0-3])* (?:and|or|en|of|et|ou) [0-3])?\b"
)


def seat_letter(seat: int) -> str:
    """Return what people call a seat: A to D in order of play, which a program counts from 0."""
    return "ABCD"[seat]


def lettered(text: str) -> str:
    """Return a text with the seats that it numbers called by their letters."""
    return _SEATS.sub(lambda found: re.sub("[0-3]", lambda seat: seat_letter(int(seat[0])), found[0]), text)


@cache
def site_words() -> Mapping[str, Mapping[str, str]]:
    """Return the site's own texts by key and language, and what each operation is about."""
    found: Mapping[str, Mapping[str, str]] = read_translated(words_file("belot_site")).data
    return {**found, **{f"op-{name}": operation.title.as_json() for name, operation in OPERATIONS.items()}}


class SiteEdition:
    """The library in one language."""

    def __init__(self, library: Library, language: Language) -> None:
        self.library = library
        self.language: Language = language
        # Positions that were drawn, by the id of their case and the table; `positions` fills it.
        self.drawn: dict[tuple[str, str], Any] = {}
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

    @property
    def variants(self) -> list[str]:
        """All variants; first those whose main source is in this language, which are played near the reader."""
        sources, home = self.library.spec.sources, self.library.home_sources
        return sorted(self.library.variants, key=lambda name: sources[home[name]].language != self.language)

    def _as_players_say(self, text: str) -> str:
        """Return a text in the words that players at the table that is spoken of have for things."""
        if self._values is None:
            return text
        return in_own_words(text, self.language, self.library.spec.glossary.called, self._values)

    def word(self, key: str, **values: object) -> str:
        """Return one of the site's own texts, with values filled in if there are any.

        Raises ``UnknownNameError`` if there is no such text, as when the spec has something new to speak of.
        """
        if key not in site_words():
            hint = nearest(key, site_words())
            raise UnknownNameError(f"words.yaml has no text {key}{hint}; add it in every language")
        own = f"{key}@{(self._values or {}).get(_WORDED_BY)}"
        told = site_words()[own if own in site_words() else key]
        if self.language not in told:
            raise UnknownNameError(f"words.yaml has no text {key} in {TONGUES[self.language].english}, as players need")
        text = self._as_players_say(told[self.language])
        return text.format(**values) if values else text

    def topic(self, topic: str) -> str:
        """Return the title of a topic, as it is called at the table that is spoken of."""
        own = f"topic-{topic}@{(self._values or {}).get(_WORDED_BY)}"
        return self.word(own) if own in site_words() else self.text(self.library.topics[topic])

    def text(self, text: Text) -> str:
        """Return a text in this language, its seats called by letters."""
        return lettered(self._as_players_say(text.in_language(self.language)))

    def case_title(self, case: Case) -> str:
        """Return what a case is about; in a language that cases are not told in, what kind of question it asks."""
        if case.title.has(self.language):
            return self.at(case.profile).text(case.title)
        return f"{self.word(f'op-{case.operation}')} ({case.id})"

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
        return value_text(spec.rules[rule], value, spec.glossary).in_language(self.language)

    def stated(self, rule: str, profile: str) -> str:
        """Return the sentence that states a rule as the profile of this name has it."""
        return self.sentence(rule, self.library.profile(profile))

    def short(self, rule: str, value: Any) -> str:
        """Return a value in at most 24 characters; every value that a variant or an option has can be told so.

        Without its sign: on the site a tick and a cross say of a card whether it may be played, and nothing else.
        """
        words = self.library.spec.rules[rule].short.of(value)
        return "" if words is None else self.text(words).lstrip("✓✗ ")

    def rule_title(self, rule: str) -> str:
        """Return the title of a rule."""
        return self.text(self.library.spec.rules[rule].title)

    def variant_name(self, variant: str) -> str:
        """Return the name of a variant, or of the variant of a profile with what its options say."""
        named = ProfileName(variant)
        known = self.library.spec.options_of(named.variant) if named.options else {}
        told = (self.text(known[option].title) for option in named.options)
        # A game may have the name that its players have for a thing.
        name = self.library.spec.variants[named.variant].name
        return " + ".join([name.in_language(self.language), *told])

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
        return grouped_number(number, self.language)

    def mode(self, mode: str) -> str:
        """Return the name of what is trump, as the protocol writes it: a suit, no trumps or all trumps."""
        return self.bid(mode)

    def bid(self, bid: str) -> str:
        """Return what can be said in the bidding, given as the protocol writes it."""
        return self.text(self.library.spec.glossary.bid(bid))

    def suit(self, suit: str) -> str:
        """Return the name of a suit."""
        return self.text(self.library.spec.glossary.suits[suit])


# What stands behind a value that no statement says in so many words.
MARKS: Final[Mapping[str, str]] = {"stated": "", "ruled": "°", "filled": "*"}


class OtherWay(NamedTuple):
    """An option of a variant that changes a rule: its name, its title, the value in short, and the value's mark."""

    option: str
    title: str
    short: str
    mark: str


class Basis(NamedTuple):
    """What one or more rules rest on in a variant, the foremost first, and the options that change them."""

    statuses: tuple[str, ...]
    rulings: tuple[str, ...]
    others: tuple[OtherWay, ...]

    @property
    def mark(self) -> str:
        """The mark of what is least sure among them."""
        return next((MARKS[status] for status in ("filled", "ruled") if status in self.statuses), "")


def basis_of(edition: SiteEdition, rules: Iterable[str], variant: str) -> Basis:
    """Return what those of these rules rest on that come up in a variant."""
    settings = edition.library.profile(variant).settings
    known = [rule for rule in rules if rule in settings]
    found: Iterable[Setting] = [settings[rule] for rule in known]
    return Basis(
        tuple(dict.fromkeys(setting.status for setting in found)),
        tuple(dict.fromkeys(setting.ruling for setting in found if setting.ruling)),
        tuple(other for rule in known for other in other_ways(edition, rule, variant)),
    )


def other_ways(edition: SiteEdition, rule: str, variant: str) -> list[OtherWay]:
    """Return the options of a variant that change a rule."""
    library, told = edition.library, edition.at(variant)
    return [
        OtherWay(option.id, told.text(option.title), told.short(rule, setting.value), MARKS[setting.status])
        for option in library.spec.options_of(variant).values()
        if (setting := option.settings.get(rule)) is not None and rule in library.changed_by(variant, option)
    ]


def option_mark(option: Option) -> str:
    """Return the mark of an option: of what is least sure in it."""
    statuses = {setting.status for setting in option.settings.values()}
    return next((MARKS[status] for status in ("filled", "ruled") if status in statuses), "")
