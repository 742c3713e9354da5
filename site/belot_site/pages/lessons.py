"""Learning a variant in ten minutes: its rules in the order of a lesson, with pictures and one whole deal."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import combinations, zip_longest
from math import cos, pi, sin
from pathlib import Path
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from belot_conformance.logs.played import PlayedDeal, tell
from belot_reference.cards import Card, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_site.content.drawing import SUIT_OF_TRUMP, Pictures, decks, figure, order_note
from belot_site.content.edition import Basis, SiteEdition, basis_of, seat_letter
from belot_site.content.library import Library, grouped, sources_of
from belot_site.content.story import Story
from belot_site.pages.page import SitePage
from belot_site.pages.rules import entries
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS
from belot_spec.catalogue import text_of
from belot_spec.conditions import holds
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.load.translations import read_translated
from belot_spec.whole_file import write_whole
from belot_workshop.lesson_deals import LessonDeals, LessonError, best_lesson, taken_with

_PARTS: Final = Path(__file__).with_name("learn.yaml")
_DEALS: Final = Path(__file__).with_name("lesson_deals.json")
_TERMS: Final = ("trick", "follow", "ruff", "declaration")
# The table as it is seen from above, and where the arrows from seat to seat run.
_MIDDLE: Final = 130
_RADIUS: Final = 88
_ROUND: Final = 108
# The points of an arrow: its ends, its tip, and the sides of that; how far on to the next seat, and how far out.
_ARROW: Final = ((0.3, _ROUND), (0.7, _ROUND), (0.74, _ROUND), (0.64, _ROUND - 7), (0.64, _ROUND + 7))
# Of fewer takers a share says little.
_ENOUGH: Final = 100


class ChartRow(NamedTuple):
    """What must be played in a situation: the best that the hand allows, then the next best, and so on."""

    number: int
    when: str
    steps: tuple[str, ...]
    basis: Basis
    rules: frozenset[str]


class Takers(NamedTuple):
    """Of hands worth so much how many in a hundred make it."""

    least: int
    most: int | None
    of_hundred: int


@cache
def lesson_texts() -> Mapping[str, Any]:
    """Return what lessons are made of: the gist, the parts with the rules that they tell, the chart, what is said."""
    found: Mapping[str, Any] = read_translated(_PARTS).data
    return found


@cache
def lesson_deals() -> Mapping[str, LessonDeals]:
    """Return for each variant the deals that its lesson tells."""
    found: Mapping[str, Any] = read_json(_DEALS, MAX_OF_OURS)
    return {variant: LessonDeals(**deals) for variant, deals in found.items()}


def write_lessons(library: Library, variants: Sequence[str], advance: Callable[[str], object]) -> None:
    """Choose the deals of some variants anew, of all if none is named, and keep them; ``advance`` hears of each.

    Raises ``UnknownNameError`` for a variant that cannot be played.
    """
    for name in variants:
        if name not in library.variants:
            raise UnknownNameError(f"there is no variant {name} to teach{nearest(name, library.variants)}")
    found = {name: deals for name, deals in lesson_deals().items() if name in library.variants}
    for name in sorted(variants or library.variants):
        found[name] = best_lesson(library.reference.ruleset(name))
        advance(name)
    lines = (f"{json.dumps(name)}: {json.dumps(asdict(found[name]), separators=(',', ':'))}" for name in sorted(found))
    write_whole(_DEALS, "{\n" + ",\n".join(lines) + "\n}\n")


def _lesson_of(variant: str) -> LessonDeals:
    """Return the deals that the lesson of a variant tells; raises ``LessonError`` if none were chosen yet."""
    if variant not in lesson_deals():
        raise LessonError(
            f"the variant {variant} has no lesson yet; choose its deals: python -m belot_site lessons {variant}"
        )
    return lesson_deals()[variant]


def lesson_deal(edition: SiteEdition, variant: str, which: str = "made") -> PlayedDeal:
    """Return a deal that the lesson of a variant tells, played again by its rules."""
    return tell(edition.library.reference.ruleset(variant), 0, _lesson_of(variant).stories[which])


def lesson_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the lesson of each variant."""
    for variant in edition.variants:
        title = edition.word("learn-title", name=edition.variant_name(variant))
        context, front = _context(edition.at(variant), variant), {"search": {"boost": 2}}
        yield SitePage(f"variants/{variant}/learn", "learn.md", title, context, front=front, profile=variant)


def _context(edition: SiteEdition, variant: str) -> dict[str, Any]:
    library, rules = edition.library, edition.library.reference.ruleset(variant)
    profile, texts, deals = library.profile(variant), lesson_texts(), _lesson_of(variant)
    rows, language, said = chart(edition, variant), *_said_aloud(edition, variant)
    much = has_much_to_learn(edition, variant)
    stories = [which for which in deals.stories if not much or which not in texts["finer-deals"]]
    declares = profile.value("declarations.played") == "all"
    terms = [term for term in _TERMS if declares or term != "declaration"]
    return {
        "variant": library.spec.variants[variant],
        "profile": profile,
        "gist": list(gist(edition, variant)),
        "parts": {name: _part(edition, part, variant) for name, part in texts["parts"].items()},
        "titles": {name: text_of(part["title"]) for name, part in texts["parts"].items()},
        "terms": [entry for term in terms for entry in entries(library) if entry.id == term],
        "seating": seating(rules),
        "decks": decks(edition, profile),
        "order_note": order_note(edition, variant),
        "has_hungarian_pack": profile.plays("presentation.cards", "hungarian"),
        "said": said,
        # What is spoken at the table.
        "tongue": language if said else "",
        "chart": rows,
        "also": grouped((f"{other.title}{other.mark}", row.number) for row in rows for other in row.basis.others),
        "row_of": {rule: row.number for row in rows for rule in row.rules},
        "declarations": _ranked_declarations(edition, variant) if declares else "",
        "good_hand": _good_hand(edition, variant),
        "takers": takers(variant),
        "numbers": rules.has_amounts,
        "taken": sum(taken for _, taken in deals.takers.values()),
        "much": much,
        "stories": {which: _story(edition, variant, which) for which in stories},
    }


def _story(edition: SiteEdition, variant: str, which: str) -> Story:
    name = "" if which == "made" else edition.word(f"deal-{which}")
    return Story(lesson_deal(edition, variant, which), edition, name, brief=True)


def gist(edition: SiteEdition, variant: str) -> Iterator[str]:
    """Yield what a game is about, in a sentence each."""
    settings = edition.library.profile(variant).settings
    values = {rule: setting.value for rule, setting in settings.items()}
    for part in lesson_texts()["gist"]:
        if part["rule"] not in settings:
            continue
        own = part.get("values", {}).get(values[part["rule"]])
        others = (one["says"] for one in part.get("alternatives", ()) if holds(one["when"], values))
        told = edition.text(text_of(next(others, own))) if own else edition.stated(part["rule"], variant)
        yield told.format(players=edition.word(f"number-{values['deal.players']}"))


def _part(edition: SiteEdition, part: Mapping[str, Any], variant: str) -> list[dict[str, Any]]:
    """Return the sentences of a part of a lesson, and what each rests on."""
    settings, unsaid = edition.library.profile(variant).settings, part.get("unsaid", {})
    finer = part.get("finer", ()) if has_much_to_learn(edition, variant) else ()
    known = (
        rule
        for rule in part["rules"]
        if rule in settings and rule not in finer and (rule not in unsaid or settings[rule].value != unsaid[rule])
    )
    return [{"sentence": edition.stated(rule, variant), "basis": basis_of(edition, [rule], variant)} for rule in known]


def has_much_to_learn(edition: SiteEdition, variant: str) -> bool:
    """Say whether so much belongs to a game that its lesson leaves out what is finer."""
    settings = edition.library.profile(variant).settings
    return holds(lesson_texts()["much"], {rule: setting.value for rule, setting in settings.items()})


def chart(edition: SiteEdition, variant: str) -> list[ChartRow]:
    """Return what must be played when; rules of one row that ask for the same stand in one line."""
    settings = edition.library.profile(variant).settings
    rows: list[tuple[str, Any, tuple[str, ...]]] = []
    for row in lesson_texts()["chart"]:
        known = [rule for rule in row["rules"] if rule in settings]
        values = [settings[rule].value for rule in known]
        if known and all(value == values[0] for value in values):
            rows.append((edition.text(text_of(row["all"])), values[0], tuple(known)))
        else:
            when = dict(zip(row["rules"], row.get("each", ()), strict=False))
            rows += [(edition.text(text_of(when[rule])), settings[rule].value, (rule,)) for rule in known]
    return [
        ChartRow(number, when, _steps(edition, rules[0], value), basis_of(edition, rules, variant), frozenset(rules))
        for number, (when, value, rules) in enumerate(rows, 1)
    ]


def _steps(edition: SiteEdition, rule: str, value: Any) -> tuple[str, ...]:
    """Return what must be played, the best first, as a rule that is no list says it in short."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return (edition.short(rule, value),)
    return tuple(edition.value(rule, [step]) for step in value)


def _said_aloud(edition: SiteEdition, variant: str) -> tuple[str, list[dict[str, str]]]:
    """Return what is said at a table where a game is at home, as far as its rules give occasion, and its language."""
    profile = edition.library.profile(variant)
    values = {rule: setting.value for rule, setting in profile.settings.items()}
    told = lesson_texts()["said"].get(sources_of(profile)[0], {"lang": "", "phrases": ()})
    phrases = [phrase for phrase in told["phrases"] if holds(phrase.get("needs", {}), values)]
    return told["lang"], [{"says": one["says"], "means": edition.text(text_of(one["means"]))} for one in phrases]


def _good_hand(edition: SiteEdition, variant: str) -> dict[str, Any]:
    """Return with what the taker of the deal that is made took it: the cards, drawn, and what they are worth."""
    rules, deal = edition.library.reference.ruleset(variant), lesson_deal(edition, variant)
    taken = taken_with(deal)
    pictures, mode = Pictures(rules, edition), deal.contract.mode

    def place(card: Card) -> tuple[bool, int, int]:
        suit = suit_of(card)
        return not mode.is_trump(suit), suit, -mode.strength[suit][rank_of(card)]

    cards = [CARD_NAMES[card] for card in sorted(cards_in(taken.cards), key=place)]
    return {"drawn": figure(pictures.trump_is(mode.name), pictures.plain_row("", cards)), "worth": taken.worth}


def takers(variant: str) -> list[Takers]:
    """Return how often takers make it, by what their hand is worth; bands in which few took are told together."""
    bands: list[list[int]] = []
    for name, (made, taken) in _lesson_of(variant).takers.items():
        if bands and bands[-1][2] < _ENOUGH:
            bands[-1][1:] = bands[-1][1] + made, bands[-1][2] + taken
        else:
            bands.append([int(name), made, taken])
    if len(bands) > 1 and bands[-1][2] < _ENOUGH:
        _, made, taken = bands.pop()
        bands[-1][1:] = bands[-1][1] + made, bands[-1][2] + taken
    return [
        Takers(least, after[0] - 1 if after else None, round(100 * made / taken))
        for (least, made, taken), after in zip_longest(bands, bands[1:])
    ]


def _ranked_declarations(edition: SiteEdition, variant: str) -> Markup:
    """Return one declaration of each kind that is worth something, the dearest first within squares and sequences."""
    rules = edition.library.reference.ruleset(variant)
    profile, pictures = rules.profile, Pictures(rules, edition)
    order, squares = profile.value("deck.sequence-order"), profile.value("declarations.square-points")
    sequences = profile.value("declarations.sequence-points")
    kinds = [(points, [rank + suit for suit in SUITS]) for rank in reversed(RANKS) if (points := squares.get(rank, 0))]
    kinds.sort(key=lambda kind: -kind[0])
    kinds += [(sequences[size], [rank + SUIT_OF_TRUMP for rank in order[: int(size)]]) for size in ("5", "4", "3")]
    compared = profile.settings.get("declarations.compared-by")
    if compared is None or "square-first" not in compared.value:
        kinds.sort(key=lambda kind: -kind[0])
    return figure(*(pictures.plain_row(edition.word("points", n=points), cards) for points, cards in kinds))


def seating(rules: Ruleset) -> dict[str, Any]:
    """Return the table as it is drawn from above: where each seat sits, lines between partners, and arrows in turn.

    A sits in front and the last seat deals. Whoever plays next sits to the left, or to the right where the game is
    played anticlockwise.
    """
    step = (-1 if rules.value("presentation.direction") == "anticlockwise" else 1) / rules.players
    places = {seat: _place(seat * step) for seat in range(rules.players)}
    pairs = (pair for pair in combinations(places, 2) if rules.partners(*pair))
    return {
        "seats": [(seat_letter(seat), rules.side_of[seat], *place) for seat, place in places.items()],
        "lines": [(*places[one], *places[other]) for one, other in pairs],
        "arrows": [[_place((seat + part) * step, out) for part, out in _ARROW] for seat in places],
        "sweep": int(step > 0),
    }


def _place(part: float, radius: float = _RADIUS) -> tuple[int, int]:
    """Return the point so large a part of the way round the table, clockwise from the front."""
    angle = pi / 2 + 2 * pi * part
    return round(_MIDDLE + radius * cos(angle)), round(_MIDDLE + radius * sin(angle))
