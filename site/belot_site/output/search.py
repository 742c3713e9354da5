"""What the search of each language is told: other words for a place, spellings, and what belongs to each variant."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from markupsafe import escape

from belot_conformance.rules.asked import unaccented
from belot_conformance.rules.reading import ruling_path
from belot_site.content.edition import SiteEdition
from belot_site.content.library import sources_of
from belot_site.pages.questions import answer_of, questions
from belot_site.pages.rules import headwords, words_in
from belot_spec.languages import Language
from belot_spec.load.documents import read_document

# How much less a page counts in the search that only other variants have something to do with.
_OF_OTHERS: Final = 0.2
# The parts of a lesson that somebody may look for by themselves.
_OF_LESSONS: Final = ("trump", "said", "pack")


def search_words(words: Iterable[str]) -> list[str]:
    """Return words with their spellings without accents, each once."""
    return list(dict.fromkeys(spelling for word in words for spelling in (word, unaccented(word))))


def _said_of(edition: SiteEdition, here: Container[str]) -> dict[str, tuple[str, ...]]:
    """Return the places of the site that a search should find first: what each is about, and other words for that."""
    library = edition.library
    said = {f"glossary/#{entry.id}": entry.every for entry in headwords(edition)}
    for variant in edition.variants:
        lesson, name = f"variants/{variant}/learn/", library.spec.variants[variant].name
        players = library.profile(variant).value("deal.players")
        number = edition.word(f"number-{players}").lower()
        said[f"variants/{variant}/"] = (
            edition.variant_name(variant),
            *name.as_json().values(),
            variant,
            *_listed(edition, "search-players", n=players, number=number),
        )
        title = edition.word("learn-title", name=edition.variant_name(variant))
        said[lesson] = (title, edition.word("search-learn"))
        for anchor in _OF_LESSONS:
            said[f"{lesson}#{anchor}"] = tuple(_listed(edition, f"search-{anchor}"))
    for question in questions(library):
        said[f"questions/{question.id}/"] = (edition.text(question.ask), *question.words.get(edition.language, ()))
    asked = {rule for question in questions(library) for way in question.ways for rule in way.rules}
    for rule in library.rules:
        if rule.id not in asked:
            said[f"rules/{rule.id}/"] = (edition.rule_title(rule.id), edition.text(rule.question))
    for place, told in _places_in(edition.language):
        said[place] = (told["title"][edition.language], *told["words"][edition.language])
    return {place: words for place, words in said.items() if re.split("[?#]", place)[0] in here}


def _listed(edition: SiteEdition, key: str, **values: object) -> list[str]:
    return edition.word(key, **values).split(", ")


@cache
def _places() -> Mapping[str, Any]:
    found: Mapping[str, Any] = read_document(Path(__file__).with_name("search_places.yaml")).data
    return found


def _places_in(language: Language) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the places with their words that there are in a language."""
    return ((place, told) for place, told in _places().items() if language in told["title"])


def search_places(edition: SiteEdition) -> list[dict[str, str]]:
    """Return the tools and tasks; with a text those that only a script shows, of which the index has nothing itself."""
    language = edition.language
    return [
        {
            "location": place,
            "title": told["title"][language],
            **({"text": f"<p>{escape(told['about'][language])}</p>"} if "?" in place else {}),
        }
        for place, told in _places_in(language)
    ]


def search_tags(edition: SiteEdition, here: Container[str]) -> dict[str, list[str]]:
    """Return other words by which the search finds a place of the site, and its mark."""
    said = _said_of(edition, here)
    return {place: [*search_words(texts), _mark_of(number)] for number, (place, texts) in enumerate(said.items())}


def search_table(edition: SiteEdition, here: Container[str]) -> dict[str, Any]:
    """Return how people say things in a search: words that say nothing, which stand for each other, and the places.

    A place stands beside the mark by which a search can name it: its title and other ways to say it.
    """
    told = read_document(Path(__file__).with_name("search_words.yaml")).data[edition.language]
    alike = {word: group[0] for group in told["alike"] for word in group}
    said = enumerate(_said_of(edition, here).values())
    pages = {_mark_of(number): [unaccented(text).lower() for text in texts] for number, texts in said}
    return {"idle": told["idle"], "before": told["before"], "alike": alike, "pages": pages}


def house_words(edition: SiteEdition) -> dict[str, Any]:
    """Return how people say things that look for a rule to change, and of each rule what it is called otherwise.

    That is what the glossary has beside the words of its title, and what people ask where it answers first.
    """
    told = read_document(Path(__file__).with_name("search_words.yaml")).data[edition.language]
    said: dict[str, list[str]] = {}
    for question in questions(edition.library):
        for name in dict.fromkeys(way.rule for way in question.ways):
            said.setdefault(name, []).extend(question.words.get(edition.language, ()))
    for rule in edition.library.rules:
        for entry in words_in(edition, edition.rule_title(rule.id)):
            said.setdefault(rule.id, []).extend(entry.every)
    return {
        "idle": [unaccented(word) for word in told["idle"]],
        "alike": [[unaccented(word) for word in group] for group in told["alike"]],
        "said": {rule: " ".join(dict.fromkeys(" ".join(texts).lower().split())) for rule, texts in said.items()},
    }


def _mark_of(number: int) -> str:
    """Return the mark of a place that no text holds: one word, however words are told apart."""
    return f"qq{number}qq"


def search_of(edition: SiteEdition, variant: str) -> dict[str, Any]:
    """Return the answers of a variant by address, and how much the pages of others count for who plays it."""
    name, profile = edition.variant_name(variant), edition.library.profile(variant)
    answers, titles = {}, {}
    for question in questions(edition.library):
        if way := question.way_of(profile):
            answers[f"questions/{question.id}/"] = f"{name}: {answer_of(edition, way, variant).text}"
            if (asked := edition.at(variant).text(question.ask)) != edition.text(question.ask):
                titles[f"questions/{question.id}/"] = asked
    for rule in profile.settings:
        answers[f"rules/{rule}/"] = f"{name}: {edition.stated(rule, variant)}"
        if (title := edition.at(variant).rule_title(rule)) != edition.rule_title(rule):
            titles[f"rules/{rule}/"] = title
    told = {address: str(escape(text)) for address, text in answers.items()}
    return {"answers": told, "titles": titles, "weights": dict.fromkeys(_of_others(edition, variant), _OF_OTHERS)}


def _of_others(edition: SiteEdition, variant: str) -> list[str]:
    """Return the pages, and places on pages, that have nothing to say to who plays a variant."""
    library, settings = edition.library, edition.library.profile(variant).settings
    others = [name for name in library.variants if name != variant]
    own_sources = {statement[:2] for setting in settings.values() for statement in setting.cite}
    own_sources |= set(sources_of(library.profile(variant)))
    own_rulings = {setting.ruling for setting in settings.values()}
    return [
        *(f"variants/{name}/" for name in others),
        *(f"rules/{rule.id}/" for rule in library.rules if rule.id not in settings),
        *(f"questions/{one.id}/" for one in questions(library) if not one.way_of(library.profile(variant))),
        *(f"sources/{source.lower()}/" for source in library.spec.sources if source not in own_sources),
        *(
            ruling_path(ruling)
            for ruling in library.spec.rulings
            if ruling not in own_rulings and library.uses_of_ruling.get(ruling)
        ),
    ]
