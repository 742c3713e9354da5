"""The builder of house rules: every value that a rule is known to have, in words, for a table to choose from."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from belot_conformance.mistakes.killing import load_matrix
from belot_site.content.edition import MARKS, SiteEdition, lettered, option_mark, site_words
from belot_site.pages.page import SitePage, texts_in_tongue
from belot_site.pages.variants import says_nothing
from belot_site.pages.worth import telling
from belot_site.playground.bundle import pyodide_folder
from belot_spec.catalogue import Rule, value_key
from belot_spec.languages import IN_PLACE, TONGUES
from belot_spec.load.worth import variant_worth
from belot_spec.own_words import in_own_words
from belot_spec.spec import Spec
from belot_spec.value_shapes import ValueShape, enumerated_values
from belot_spec.variants import settled
from belot_spec.wording import sentence
from belot_workshop.mutants.judging import entry_for, load_equivalents

# In the sentence of a rule whose values cannot be listed, where the number stands.
_ANY_NUMBER: Final = "{n}"
_MOST: Final = 9999
_WORDS: Final = (
    "otherwise", "missing", "nothing", "not-here", "number", "copied", "remembered", "not-remembered", "replace",
    "checking", "fits", "unchecked", "worth", "worth-little", "worth-match", "worth-match-little", "worth-unseen",
    "worth-unknown", "none-found", "no-effect", "idle", "idle-fold",
)  # fmt: skip
# The sheets of a table: their pages, and the words that each has in the browser.
_SHEETS: Final = {
    ("sheet", "print"): ("title", "based", "ticked", "mark", "basis"),
    ("agreement", "agreement"): ("title", "lead", "chosen", "decides", "date", "player"),
}


def house_rules_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the page on which house rules are put together, and the sheets on which they are printed."""
    front = {"hide": ["navigation", "toc"]}
    words = {key: edition.word(f"house-{key}") for key in _WORDS}
    words |= {key[4:]: edition.word(key) for key in site_words() if key.startswith("try-fault-")}
    tongue = TONGUES[edition.language]
    engine = pyodide_folder() is not None
    context = {"words": texts_in_tongue(words, tongue), "engine": engine, "languages": IN_PLACE}
    yield SitePage("house-rules", "house_rules.md", edition.word("house"), context, edition.word("house-lead"), front)
    for (name, path), keys in _SHEETS.items():
        own = {key: edition.word(f"house-{name}-{key}") for key in keys} | {"absent": edition.word("absent")}
        told = {"script": f"house-{name}.js", "words": texts_in_tongue(own, tongue)}
        title, about = (edition.word(f"house-{name}-{key}") for key in ("title", "about"))
        paper = {"template": "print.html", "search": {"exclude": True}}
        yield SitePage(f"house-rules/{path}", "house_rules_print.md", title, told, about, paper)


def house_rules_data(edition: SiteEdition) -> dict[str, Any]:
    """Return the rules with their values, and what each says beside the other rules of each variant.

    Values and sentences are told once and then referred to by their place.
    """
    library = edition.library
    sentences: dict[str, int] = {}
    rules = [rule for rule in library.rules if rule.topic != "presentation"]
    known = {rule.id: _values(edition, rule) for rule in rules}
    return {
        "topics": {topic: edition.topic(topic) for topic in library.topics},
        "rules": [_rule(edition, rule, known[rule.id]) for rule in rules],
        "variants": {name: _variant(edition, name, known, sentences) for name in edition.variants},
        "sentences": list(sentences),
    }


def _values(edition: SiteEdition, rule: Rule) -> dict[str, Any]:
    """Return every value that a rule may have or that a variant or an option has, by its key."""
    found = {value_key(value): value for value in enumerated_values(rule.value_schema)}
    for name in edition.library.variants:
        played = [way[rule.id].value for way in edition.library.spec.ways_of(name) if rule.id in way]
        found |= {value_key(value): value for value in played}
    return found


def _is_number(values: Mapping[str, Any]) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values.values())


def _rule(edition: SiteEdition, rule: Rule, values: Mapping[str, Any]) -> dict[str, Any]:
    schema, free = rule.value_schema, rule.shape is ValueShape.NUMBER
    return {
        "id": rule.id,
        "topic": rule.topic,
        "title": edition.text(rule.title),
        "ask": edition.text(rule.question),
        "needs": _needs(edition.library.spec, rule),
        "values": list(values.values()),
        "short": [edition.short(rule.id, value) for value in values.values()],
        "free": [schema.get("minimum", 0), schema.get("maximum", _MOST)] if free else None,
    }


def _needs(spec: Spec, rule: Rule) -> dict[str, list[str]]:
    """Return the rules without which one does not matter, and of each the values that it must be or hold, as JSON.

    What those need is needed too.
    """
    found: dict[str, list[str]] = {}
    for name, wanted in rule.needs.items():
        texts = [json.dumps(one, separators=(",", ":")) for one in wanted]
        for needed, some in {**_needs(spec, spec.rules[name]), name: texts}.items():
            found[needed] = [text for text in found.get(needed, some) if text in some]
    return found


def _variant(
    edition: SiteEdition, name: str, known: Mapping[str, Mapping[str, Any]], sentences: dict[str, int]
) -> dict[str, Any]:
    """Return what a variant plays, what its options change, and what each value would say there."""
    profile, options = edition.library.profile(name), edition.library.spec.options_of(name)

    def place(rule: str, value: Any) -> int:
        return list(known[rule]).index(value_key(value))

    def told(rule: str, value: Any) -> int:
        return sentences.setdefault(edition.sentence_with(rule, value, profile), len(sentences))

    topics = {topic: edition.at(name).topic(topic) for topic in edition.library.topics}
    return {
        "name": edition.variant_name(name),
        # Those that are called otherwise there.
        "topics": {topic: title for topic, title in topics.items() if title != edition.topic(topic)},
        "words": _own_words(edition, name, known),
        "players": profile.value("deal.players"),
        "plays": {rule: place(rule, setting.value) for rule, setting in profile.settings.items() if rule in known},
        "options": {
            option.id: {
                "title": edition.at(name).text(option.title),
                "mark": option_mark(option),
                "plays": {rule: place(rule, one.value) for rule, one in option.settings.items() if rule in known},
            }
            for option in options.values()
        },
        "absent": [rule for rule in known if says_nothing(profile, rule)],
        "worth": _worth(edition, name, known),
        "alike": _alike(name, known),
        "marks": _marks(edition, name, place),
        "beside": _beside(edition, name, known, lambda text: sentences.setdefault(text, len(sentences))),
        "told": {
            rule: [told(rule, value) for value in [*values.values(), *([_ANY_NUMBER] if _is_number(values) else [])]]
            for rule, values in known.items()
        },
    }


def _beside(
    edition: SiteEdition, name: str, known: Mapping[str, Mapping[str, Any]], kept: Callable[[str], int]
) -> dict[str, dict[int, dict[str, dict[int, int]]]]:
    """Return what other rules of a variant say where one has another value, by that rule and the value's place.

    That is for each other rule what it says otherwise, by the place of its own value.
    """
    profile = edition.library.profile(name)
    spec, plain = edition.library.spec, profile.settings
    names = {rule: setting.value for rule, setting in plain.items()}
    hangs_on = {
        other: {one for way in spec.rules[other].wording.alternatives for one in way.when}
        for other in known
        if other in plain
    }
    found: dict[str, dict[int, dict[str, dict[int, int]]]] = {}
    for rule in hangs_on:
        for place, value in enumerate(known[rule].values()):
            settings, _ = settled({**plain, rule: replace(plain[rule], value=value)}, spec.rules)
            changed = {one for one in plain if one not in settings or settings[one].value != plain[one].value}
            for other in (other for other in hangs_on if other != rule and other in settings):
                if changed.isdisjoint(hangs_on[other]):
                    continue
                for at, one in enumerate(known[other].values()):
                    told = sentence(spec.rules[other], one, edition.language, spec.glossary, settings)
                    # What players call things is as in their variant.
                    text = lettered(in_own_words(told, edition.language, spec.glossary.called, names))
                    if text != edition.sentence_with(other, one, profile):
                        found.setdefault(rule, {}).setdefault(place, {}).setdefault(other, {})[at] = kept(text)
    return found


def _alike(name: str, known: Mapping[str, Mapping[str, Any]]) -> dict[str, list[int]]:
    """Return the values that change nothing in a variant by themselves, as was proved of its mutants."""
    found: dict[str, list[int]] = {}
    for row in load_matrix().of_profile(name):
        rule, value = row.mutant.rule, value_key(row.mutant.value)
        is_offered = value in known.get(rule, ()) and not row.mutant.also
        if is_offered and not row.killed_by and entry_for(row.mutant, load_equivalents()):
            found.setdefault(rule, []).append(list(known[rule]).index(value))
    return found


def _own_words(edition: SiteEdition, name: str, known: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the title, question and short values of the rules that players of a variant tell in words of their own."""

    def words(edition: SiteEdition, rule: str, values: Mapping[str, Any]) -> dict[str, Any]:
        told = edition.library.spec.rules[rule]
        shorts = [edition.short(rule, value) for value in values.values()]
        return {"title": edition.text(told.title), "ask": edition.text(told.question), "short": shorts}

    own = {rule: words(edition.at(name), rule, values) for rule, values in known.items()}
    return {rule: told for rule, told in own.items() if told != words(edition, rule, known[rule])}


def _marks(edition: SiteEdition, name: str, place: Callable[[str, Any], int]) -> dict[str, dict[int, str]]:
    """Return the marks of the values that no statement says in so many words, by rule and the place of the value."""
    found: dict[str, dict[int, str]] = {}
    options = edition.library.spec.options_of(name).values()
    for settings in (*(option.settings for option in options), edition.library.profile(name).settings):
        for rule, setting in settings.items():
            if MARKS[setting.status] and rule.partition(".")[0] != "presentation":
                found.setdefault(rule, {})[place(rule, setting.value)] = MARKS[setting.status]
    return found


def _worth(edition: SiteEdition, name: str, known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many of a hundred deals an option, or another value of a rule, decides otherwise.

    Of what only decides when a match ends, which is named apart, it is how many of a hundred matches.
    """
    spec = edition.library.spec
    values: dict[str, dict[int, float]] = {}
    options: dict[str, float] = {}
    matches = set()
    for one in telling(spec, name):
        share = round(100 * one.share(), 1)
        matches |= {one.subject} if one.of_match else set()
        if one.option:
            options[one.option] = share
        elif (key := value_key(one.value)) in known.get(one.rule or "", ()):
            values.setdefault(one.rule or "", {})[list(known[one.rule or ""]).index(key)] = share
    found = variant_worth(spec, name)
    apart = [one for one in found.apart() if one not in found.uncompared]
    return {
        "options": options,
        "values": values,
        "matches": sorted(matches),
        "unnoticed": [*found.unnoticed, *apart],
    }
