"""The playground's page: what it knows of each variant, positions answered beforehand, and the cases that it opens."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Final

from belot_conformance.rules.reading import as_runs, ruling_path, statement_path
from belot_conformance.suite.cases import Case
from belot_reference.bids import BID_NAMES, RAISES, bid_name
from belot_reference.compile import Ruleset
from belot_reference.mode import MODE_NAMES
from belot_reference.sentences import REASONS, sentences_in
from belot_site.content.edition import SiteEdition, site_words
from belot_site.content.library import Library, grouped
from belot_site.content.positions import position
from belot_site.pages.page import SitePage
from belot_site.pages.questions import answers_of
from belot_site.pages.rules import entries
from belot_site.playground import engine
from belot_site.playground.bundle import pyodide_folder, rules_as_json
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.catalogue import Rule, Setting
from belot_spec.languages import LANGUAGES
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.variants import Option

_EXAMPLES: Final = 4
_ASKED: Final = ("trump", "trick", "hand")
# What a card is played for; other words begin alike.
_WHYS: Final = (
    "only",
    "last",
    "low",
    "beatable",
    "trumps",
    "master",
    "gift",
    "partner",
    "ruffs",
    "takes",
    "cannot",
    "loses",
    "keeps",
)
_HIGH_TO_LOW: Final = ("A", "K", "Q", "J", "10", "9", "8", "7")
# What the page says of the rules of these topics anyhow; those of the others come with the questions.
_SHOWN_TOPICS: Final = ("play", "declarations", "scoring", "match", "deck")


def playground_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the page of the playground."""
    modes = dict.fromkeys(mode for name in edition.library.variants for mode in _modes(edition, name))
    context = {"cards": [[rank + suit for rank in _HIGH_TO_LOW] for suit in SUITS], "modes": modes}
    front = {"hide": ["navigation", "toc"]}
    yield SitePage("try", "try.md", edition.word("try"), context, edition.word("try-lead"), front)


def playground_data(edition: SiteEdition) -> dict[str, Any]:
    """Return what the page of the playground needs in one language."""
    library = edition.library
    return {
        "engine": pyodide_folder() is not None,
        "variants": {name: _variant(edition, name) for name in edition.variants},
        "examples": {name: _examples(edition, name) for name in edition.variants},
        "cards": {card: {"name": edition.card(card), "short": edition.short_card(card)} for card in CARD_NAMES},
        "modes": {mode: edition.mode(mode) for mode in MODE_NAMES},
        "suits": list(SUITS),
        "bids": {bid: edition.bid(bid) for bid in BID_NAMES},
        "rules": {rule.id: edition.text(rule.title) for rule in library.rules if rule.topic in _SHOWN_TOPICS},
        "known": [rule.id for rule in library.rules],
        "words": _page_words(edition),
        "notation": sentences_in(edition.text),
    }


def question_files(edition: SiteEdition) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the page fetches of a variant or when something is asked: names and data, from the page's folder."""
    for variant in edition.variants:
        yield f"rules/{variant}.json", _said_in(edition, variant)
    yield "questions.json", _question_data(edition)
    # The name of a file is that of its cases without their last figure.
    cases = sorted(edition.library.cases, key=lambda case: case.id)
    for name, some in groupby(cases, key=lambda case: case.id[:-1]):
        yield f"cases/{name}.json", {case.id: _opened(edition, case) for case in some}


def _said_in(edition: SiteEdition, variant: str) -> dict[str, Any]:
    """Return the sentences of a variant and its options, what they rest on, and where that stands."""
    options, shown = edition.library.spec.options_of(variant).values(), edition.library.rules
    table = edition.at(variant)
    return {
        # Of those that its players call otherwise.
        "titles": {rule.id: own for rule in shown if (own := table.text(rule.title)) != edition.text(rule.title)},
        **_rules_of(edition, variant, [rule for rule in shown if rule.topic in _SHOWN_TOPICS]),
        "options": {option.id: _option(edition, variant, option) for option in options},
        "basis": _basis(edition, _SHOWN_TOPICS, [variant]),
    }


def _variant(edition: SiteEdition, name: str) -> dict[str, Any]:
    library = edition.library
    rules, plain, table = library.reference.ruleset(name), _page_words(edition), edition.at(name)
    return {
        "name": edition.variant_name(name),
        "players": rules.players,
        **seats_of(table, rules),
        "hand": rules.hand_size,
        "modes": _modes(edition, name),
        "auction": rules.has_auction,
        "declares": not rules.has_roem,
        "sheet": _asked("sheet", [name], {"deals": []})[name],
        "options": {option: {} for option in library.spec.options_of(name)},
        "words": {key: text for key, text in _page_words(table).items() if text != plain[key]},
        "bids": {bid: table.bid(bid) for bid in BID_NAMES if table.bid(bid) != edition.bid(bid)},
        "aloud": _aloud(library, name),
    }


def _aloud(library: Library, variant: str) -> dict[str, str]:
    """Return what is said for a double where a game is at home, if that is in no language of the site."""
    home, raises = library.spec.sources[library.home_sources[variant]].language, [bid_name(bid) for bid in RAISES]
    said = {one.id: one.spoken(home) for one in entries(library) if one.id in raises}
    return {} if home in LANGUAGES else {bid: own for bid, own in said.items() if own}


def seats_of(edition: SiteEdition, rules: Ruleset) -> dict[str, Any]:
    """Return who sits where, seen from the reader, who the sides are, and on which side each seat plays.

    The next player sits on the left, or on the right where play goes anticlockwise.
    """
    after, before = ("right", "left") if rules.value("presentation.direction") == "anticlockwise" else ("left", "right")
    opposite = "opponent" if rules.players == 2 else "partner" if rules.partners(0, 2) else "opposite"
    round_the_table = {2: ("you", opposite), 3: ("you", after, before), 4: ("you", after, opposite, before)}
    keys = round_the_table[rules.players]
    seats = [edition.word(f"try-{key}") for key in keys]
    sides = grouped(zip(rules.side_of, range(rules.players), strict=True)).values()
    return {
        "seats": seats,
        "places": ["top" if key == opposite else key for key in keys],
        "sides": [
            seats[own[0]] if len(own) == 1 else edition.word("try-us" if 0 in own else "try-them") for own in sides
        ],
        "side_of": rules.side_of,
    }


def _modes(edition: SiteEdition, variant: str) -> list[str]:
    return [mode.name for mode in edition.library.reference.ruleset(variant).modes]


def _page_words(edition: SiteEdition) -> dict[str, str]:
    """Return the texts of the page itself, why a card is played, how a deal is settled, and how it was doubled."""
    steps = {f"step-{key}": text for key, text in _words(edition, "row-").items()}
    raised = {f"raised-{key}": text for key, text in _words(edition, "raised-").items()}
    whys = {f"why-{key}": edition.word(f"why-{key}") for key in _WHYS}
    return {**_words(edition, "try-"), **whys, **steps, **raised}


def _words(edition: SiteEdition, prefix: str) -> dict[str, str]:
    known = (key for key in site_words() if key.startswith(prefix) and "@" not in key)
    return {key.removeprefix(prefix): edition.word(key) for key in known}


def _rules_of(edition: SiteEdition, name: str, rules: Iterable[Rule]) -> dict[str, Any]:
    profile = edition.library.profile(name)
    known = [rule.id for rule in rules if rule.id in profile.settings]
    return {
        "rules": {rule: edition.sentence(rule, profile) for rule in known},
        "rests": {rule: _rests_on(profile.settings[rule]) for rule in known},
    }


def _option(edition: SiteEdition, variant: str, option: Option) -> dict[str, Any]:
    told = [rule for rule in edition.library.changed_by(variant, option) if rule.partition(".")[0] in _SHOWN_TOPICS]
    return {
        "title": edition.at(variant).text(option.title),
        "rules": {rule: edition.stated(rule, ProfileName.of(variant, option.id)) for rule in told},
        "rests": {rule: _rests_on(option.settings[rule]) for rule in told if rule in option.settings},
    }


def _rests_on(setting: Setting) -> str:
    """Return what a value rests on: statements as runs, and the ruling."""
    return " ".join([*as_runs(setting.cite), *([setting.ruling] if setting.ruling else [])])


def _basis(edition: SiteEdition, topics: Container[str], variants: Iterable[str]) -> dict[str, str]:
    """Return the address of whatever the rules of some topics rest on in some variants, with any of their options."""
    ways = (way for name in variants for way in edition.library.spec.ways_of(name))
    used = [one for way in ways for rule, one in way.items() if rule.partition(".")[0] in topics]
    statements = {run: statement_path(run) for setting in used for run in as_runs(setting.cite)}
    return statements | {one.ruling: ruling_path(one.ruling) for one in used if one.ruling}


def _examples(edition: SiteEdition, variant: str) -> list[dict[str, Any]]:
    """Return positions from the questions of a variant, with what is answered, and which of it by each variant."""
    found = [one for one in answers_of(edition, variant) if one.case.operation == "legal-cards"]
    return [
        {
            "ask": edition.at(variant).text(one.question.ask),
            "case": one.case.id,
            "input": one.case.input,
            **_told_once(
                _asked("may", edition.variants, {key: one.case.input[key] for key in _ASKED}),
            ),
        }
        for one in found[:_EXAMPLES]
    ]


def _told_once(found: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return what is answered, each answer once, and of each variant which of them it gives."""
    answers: list[Any] = []
    for one in found.values():
        if one not in answers:
            answers.append(one)
    return {"answers": answers, "of": [answers.index(one) for one in found.values()]}


def _asked(ask: str, profiles: Sequence[str], question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each profile answers, as the engine in the browser would."""
    _know_rules()
    told = engine.ask(json.dumps({"ask": ask, "profiles": profiles, "input": question}))
    found: dict[str, Any] = json.loads(told)
    return found


@cache
def _know_rules() -> None:
    engine.use_rules(rules_as_json(default_spec().shown()))


def _opened(edition: SiteEdition, case: Case) -> dict[str, Any]:
    asked = {
        "op": case.operation,
        "profile": case.profile,
        "title": edition.case_title(case),
        "path": edition.library.case_path(case),
        "input": case.input,
    }
    if case.origin == "derived":
        return asked
    drawn = position(case, edition)
    first = case.expected[0]
    return {
        **asked,
        "figure": str(drawn.figure),
        "answers": [answer for answer in drawn.answers if answer],
        "why": drawn.why,
        "reply": {first.kind: first.fields},
        "found": _elsewhere(edition.library)[case.id],
    }


@cache
def _elsewhere(library: Library) -> Mapping[str, Mapping[str, Any]]:
    """Return what each variant answers to every case that was not recorded; nothing where it answers the same."""
    return {case.id: _answers(library, case) for case in library.cases if case.origin != "derived"}


def _answers(library: Library, case: Case) -> dict[str, Any]:
    question = {"op": case.operation, "input": case.input}
    found = _asked("operation", [case.profile, *library.variants], question)
    own = _said(found[case.profile])
    return {name: None if _said(found[name]) == own else found[name] for name in library.variants}


def _said(reply: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in reply.items() if key != "rules"}


def _question_data(edition: SiteEdition) -> dict[str, Any]:
    """Return what the page needs to ask anything: an example of each operation, and the rules that it has not yet."""
    library = edition.library
    rules = [rule for rule in library.rules if rule.topic not in _SHOWN_TOPICS]
    examples = _first(library.cases)
    return {
        "operations": {name: edition.word(f"op-{name}") for name in examples},
        "examples": {name: _first(case for case in library.cases if case.profile == name) for name in library.variants},
        "any": examples,
        "reasons": {name: edition.text(text) for name, text in REASONS.items()},
        "fields": _words(edition, "field-"),
        "rules": {rule.id: edition.text(rule.title) for rule in rules},
        "basis": _basis(edition, {rule.topic for rule in rules}, library.variants),
        "variants": {name: _rules_of(edition, name, rules) for name in library.variants},
    }


def _first(cases: Iterable[Case]) -> dict[str, str]:
    """Return the first case of each operation that is answered, by operation."""
    found: dict[str, str] = {}
    for case in cases:
        if case.origin != "derived" and case.expected[0].kind == "result":
            found.setdefault(case.operation, case.id)
    return found
