"""The rule pages: the question, the answers side by side, positions and cases; and the glossary."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from belot_conformance.rules.asked import unaccented
from belot_conformance.rules.reading import rulings_on_rule, value_text
from belot_conformance.suite.cases import Case
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library, grouped
from belot_site.content.positions import Position, position
from belot_site.pages.page import ARTICLE, SitePage
from belot_site.pages.worth import lines_of
from belot_spec.catalogue import Rule, Setting, Text, text_of
from belot_spec.languages import LANGUAGES, Language
from belot_spec.load.translations import read_translated
from belot_spec.profile_name import ProfileName
from belot_spec.variants import Option

_MOST_POSITIONS: Final = 5
# A position has to be taken in at a glance; an input that takes more room than this is not drawn on a rule's page.
LARGEST_INPUT: Final = 420


class RuleAnswer(NamedTuple):
    """One answer to a rule's question in the words of the variants that give it."""

    value: Any
    sentence: str
    variants: tuple[str, ...]


class OptionChange(NamedTuple):
    """An option of a variant that changes a rule."""

    variant: str
    option: Option
    setting: Setting
    sentence: str


def rule_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of rules by topic, and a page for each rule."""
    yield SitePage("rules/index", "rules.md", edition.word("rules"))
    for rule in edition.library.rules:
        yield _page(edition, rule)


def answers(edition: SiteEdition, rule: Rule) -> list[RuleAnswer]:
    """Return the answers to a rule's question, the one that most variants give first."""
    settings = edition.library.settings(rule.id)
    found = grouped(
        ((value_text(setting.value), edition.stated(rule.id, variant)), variant)
        for variant, setting in settings.items()
    )
    groups = sorted(found.items(), key=lambda group: len(group[1]), reverse=True)
    return [RuleAnswer(settings[names[0]].value, said, tuple(names)) for (_, said), names in groups]


def options_about(edition: SiteEdition, rule: str) -> list[OptionChange]:
    """Return the options that change a rule, by variant; one that names what is played anyway changes nothing."""
    library = edition.library
    return [
        OptionChange(variant, option, option.settings[rule], edition.stated(rule, ProfileName.of(variant, option.id)))
        for variant in library.variants
        for option in library.spec.options_of(variant).values()
        if rule in library.changed_by(variant, option)
    ]


def _page(edition: SiteEdition, rule: Rule) -> SitePage:
    library = edition.library
    found = answers(edition, rule)
    settings = library.settings(rule.id)
    cases = library.cases_by_rule[rule.id]
    positions = _positions(edition, cases)
    sentences = " ".join(answer.sentence for answer in found)
    context = {
        "rule": rule,
        "answers": found,
        "settings": settings,
        "absent": grouped((library.decided_by(rule.id, variant), variant) for variant in library.absent(rule.id)),
        "options": options_about(edition, rule.id),
        "rulings": rulings_on_rule(rule.id, library.spec),
        "fed": library.statements_by_rule.get(rule.id, ()),
        "worth": lines_of(edition, rule.id),
        "positions": positions,
        "cases": cases,
        "words": words_in(edition, f"{edition.text(rule.title)} {edition.text(rule.question)} {sentences}"),
    }
    return SitePage(f"rules/{rule.id}", "rule.md", edition.text(rule.title), context, edition.text(rule.question))


def _positions(edition: SiteEdition, cases: Sequence[Case]) -> list[tuple[Case, Position]]:
    """Return small cases to draw: from as many variants as there are, the sources' own examples first."""
    small = [case for case in cases if len(str(case.input)) <= LARGEST_INPUT]
    profiles = dict.fromkeys(case.profile for case in small)
    chosen = [next(case for case in small if case.profile == profile) for profile in profiles]
    chosen += [case for case in small if case not in chosen]
    return [(case, position(case, edition)) for case in chosen[:_MOST_POSITIONS]]


class GlossaryEntry(NamedTuple):
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
        elsewhere = {"hr": self.hr, "bg": next(iter(self.bg), "")}
        return elsewhere.get(language, self.name(language) if self.names.has(language) else "")

    @property
    def every(self) -> tuple[str, ...]:
        """Each word for it, in any language, once."""
        return tuple(dict.fromkeys(filter(None, (*self.names.as_json().values(), self.hr, *self.bg, *self.also))))


@cache
def entries(library: Library) -> tuple[GlossaryEntry, ...]:
    """Return every word of the glossary: the terms, the ranks that have a name, and the suits."""
    data = read_translated(library.spec.folder / "glossary.yaml").data
    # A rank that has no more of a name than its figure is no word.
    ranks = {
        k: words for k, words in data["ranks"].items() if not words["en"].isdecimal() or len(words) > len(LANGUAGES)
    }
    # What one family of games calls a thing has an entry of its own.
    of_family = {
        f"{name}-{number}": {**words, **called, "also": [*dict.fromkeys(words[language] for language in LANGUAGES)]}
        for name, words in data["terms"].items()
        for number, called in enumerate(words.get("called", ()), 1)
    }
    kinds = {"": ("term", data["terms"] | of_family), "rank-": ("rank", ranks), "suit-": ("suit", data["suits"])}
    return tuple(
        GlossaryEntry(
            f"{start}{name.lower()}" if start else name,
            kind,
            text_of(words),
            words.get("hr", ""),
            tuple(word[script] for word in words.get("bg", ()) for script in ("cyrillic", "latin")),
            tuple(words.get("also", ())),
            text_of(words["meaning"]) if "meaning" in words else None,
        )
        for start, (kind, own) in kinds.items()
        for name, words in own.items()
    )


def glossary_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the glossary."""
    words = sorted(headwords(edition), key=lambda entry: _sorted_by(entry.name(edition.language)))
    letters = {_sorted_by(entry.name(edition.language))[0].upper(): entry.id for entry in reversed(words)}
    context = {"entries": words, "letters": dict(reversed(letters.items()))}
    front = {"hide": ["navigation"]}
    yield SitePage("glossary", "glossary.md", edition.word("glossary"), context, front=front)


def headwords(edition: SiteEdition) -> list[GlossaryEntry]:
    """Return the entries of the glossary in a language, where a family of games need not have a word of its own."""
    every, language = entries(edition.library), edition.language
    common = edition.library.spec.glossary.terms
    told = {entry.name(language) for entry in every if entry.id in common}
    return [one for one in every if one.kind != "term" or one.id in common or one.name(language) not in told]


def _sorted_by(name: str) -> str:
    return unaccented(ARTICLE.sub("", name.lower()))


def words_in(edition: SiteEdition, text: str) -> list[GlossaryEntry]:
    """Return the entries of the glossary whose word, or a form of it, stands in a text."""
    lowered = text.lower()

    def occurs(word: str) -> bool:
        stem = re.escape(ARTICLE.sub("", word.lower()))
        return re.search(rf"(?<!\w){stem}(?:s|es|en|t|ed|n)?(?!\w)", lowered) is not None

    return [entry for entry in headwords(edition) if occurs(entry.name(edition.language))]
