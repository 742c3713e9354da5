"""Learning a variant in ten minutes: its rules in the order of a lesson, with pictures and one whole deal."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from math import cos, pi, sin
from pathlib import Path
from random import Random
from typing import Any, Final

from markupsafe import Markup

from belot_conformance.logs.played import PlayedDeal, tell
from belot_reference.compile import Ruleset
from belot_reference.opening import open_deal
from belot_reference.recording import action_json, shuffled
from belot_reference.replay import apply_action
from belot_reference.simulated import PLAYERS
from belot_site.content.edition import SiteEdition, seat_letter
from belot_site.pages.glossary import entries
from belot_site.pages.page import SitePage
from belot_site.pages.questions import PlayerQuestion, questions, stated_answer
from belot_site.pictures.drawing import SUIT_OF_TRUMP, Pictures, decks, figure
from belot_site.pictures.story import Story
from belot_spec.card_names import RANKS, SUITS
from belot_spec.catalogue import text_of
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.load.documents import read_document

_MISTAKES: Final = 6
_PARTS: Final = Path(__file__).with_name("learn.yaml")
LESSON_DEALS: Final = Path(__file__).with_name("lesson_deals.json")
_TERMS: Final = (
    "trick",
    "lead",
    "follow",
    "trump",
    "plain-suit",
    "ruff",
    "taker",
    "defence",
    "contract",
    "fall",
    "declaration",
)
# Of the table that is seen from above, as it is drawn.
_MIDDLE: Final = 130
_RADIUS: Final = 88
# Of how many random deals the best is chosen, and by how little it may be won.
_DEALS: Final = 1500
_A_LITTLE: Final = 24


@cache
def lesson_parts() -> Mapping[str, Any]:
    """Return the parts of a lesson, in order: each with its title and the rules that it tells."""
    found: Mapping[str, Any] = read_document(_PARTS).data
    return found


@cache
def lesson_deals() -> Mapping[str, Any]:
    """Return for each variant the deal that its lesson tells, as the input of ``replay``."""
    found: Mapping[str, Any] = read_json(LESSON_DEALS, MAX_OF_OURS)
    return found


def lesson_deal(edition: SiteEdition, variant: str) -> PlayedDeal:
    """Return the deal that the lesson of a variant tells, played again by its rules."""
    return tell(edition.library.reference.ruleset(variant), 0, lesson_deals()[variant])


def lesson_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the lesson of each variant."""
    for variant in edition.library.variants:
        name = edition.variant_name(variant)
        title = edition.word("learn-title", name=name)
        context, front = _context(edition, variant), {"search": {"boost": 2}}
        yield SitePage(f"variants/{variant}/learn", "learn.md", title, context, front=front, profile=variant)


def _context(edition: SiteEdition, variant: str) -> dict[str, Any]:
    library, rules = edition.library, edition.library.reference.ruleset(variant)
    profile = library.profile(variant)
    options = library.spec.options_of(variant).values()
    return {
        "variant": library.spec.variants[variant],
        "profile": profile,
        "parts": {name: _told(edition, part, variant) for name, part in lesson_parts().items()},
        "titles": {name: text_of(part["title"]) for name, part in lesson_parts().items()},
        "terms": [entry for term in _TERMS for entry in entries(library) if entry.id == term],
        "seating": table_from_above(edition, rules),
        "decks": decks(edition, profile),
        "declarations": ranked_declarations(edition, variant),
        "story": Story(lesson_deal(edition, variant), edition),
        "mistakes": _mistakes(edition, variant),
        "options": [option for option in options if library.changed_by(variant, option)],
    }


def _told(edition: SiteEdition, part: Mapping[str, Any], variant: str) -> list[tuple[str, str]]:
    settings = edition.library.profile(variant).settings
    return [(rule, edition.stated(rule, variant)) for rule in part["rules"] if rule in settings]


def _mistakes(edition: SiteEdition, variant: str) -> list[tuple[PlayerQuestion, str]]:
    settings = edition.library.profile(variant).settings
    asked = [one for one in questions(edition.library) if one.rule in settings][:_MISTAKES]
    return [(question, stated_answer(edition, question, variant)[1]) for question in asked]


def ranked_declarations(edition: SiteEdition, variant: str) -> Markup:
    """Return one declaration of each kind that is worth something, the dearest first within squares and sequences."""
    rules = edition.library.reference.ruleset(variant)
    profile, pictures = rules.profile, Pictures(rules, edition)
    squares: Mapping[str, int] = profile.value("declarations.square-points")
    sequences: Mapping[str, int] = profile.value("declarations.sequence-points")
    order = profile.value("deck.sequence-order")
    kinds = [(points, [rank + suit for suit in SUITS]) for rank in reversed(RANKS) if (points := squares.get(rank, 0))]
    kinds.sort(key=lambda kind: -kind[0])
    runs = [(sequences[length], [rank + SUIT_OF_TRUMP for rank in order[: int(length)]]) for length in ("5", "4", "3")]
    kinds += runs
    compared = profile.settings.get("declarations.compared-by")
    if compared is None or "square-first" not in compared.value:
        kinds.sort(key=lambda kind: -kind[0])
    return figure(*(pictures.plain_row(edition.word("points", n=points), cards) for points, cards in kinds))


def table_from_above(edition: SiteEdition, rules: Ruleset) -> Markup:
    """Return the table as a drawing: A sits in front, the last seat deals, and a line joins partners."""
    places = {seat: _place(seat, rules.players) for seat in range(rules.players)}
    parts = [Markup('<circle class="cloth" cx="130" cy="130" r="58"/>')]
    for one, other in combinations(places, 2):
        if not rules.partners(one, other):
            continue
        (x, y), (to_x, to_y) = places[one], places[other]
        parts.append(Markup('<line class="with" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(x, y, to_x, to_y))
    parts += [_arrow(seat, rules.players) for seat in places]
    for seat, (x, y) in places.items():
        side = rules.side_of[seat]
        parts.append(Markup('<circle class="seat side-{}" cx="{}" cy="{}" r="22"/>').format(side, x, y))
        parts.append(Markup('<text x="{}" y="{}">{}</text>').format(x, y + 7, seat_letter(seat)))
    x, y = places[rules.players - 1]
    parts.append(Markup('<text class="small" x="{}" y="{}">{}</text>').format(x, y + 38, edition.word("dealer")))
    label = edition.word(
        "table-label", seats=", ".join(map(seat_letter, places)), dealer=seat_letter(rules.players - 1)
    )
    return Markup('<svg class="seating" viewBox="0 0 260 280" role="img" aria-label="{}">{}</svg>').format(
        label, Markup("").join(parts)
    )


def _place(seat: float, players: int, radius: float = _RADIUS) -> tuple[int, int]:
    angle = pi / 2 + 2 * pi * seat / players
    return round(_MIDDLE + radius * cos(angle)), round(_MIDDLE + radius * sin(angle))


def _arrow(seat: int, players: int) -> Markup:
    """Return the arrow from a seat to the one that plays after it."""
    (x, y), (to_x, to_y) = _place(seat + 0.3, players, 108), _place(seat + 0.7, players, 108)
    tip = _place(seat + 0.74, players, 108)
    left, right = _place(seat + 0.64, players, 101), _place(seat + 0.64, players, 115)
    shaft = Markup('<path class="next" d="M{} {}A108 108 0 0 1 {} {}"/>').format(x, y, to_x, to_y)
    return shaft + Markup('<path class="tip" d="M{} {}L{} {} {} {}Z"/>').format(*tip, *left, *right)


def best_lesson(rules: Ruleset, deals: int = _DEALS) -> dict[str, Any]:
    """Return the input of ``replay`` for the deal that teaches a game best, of so many random ones.

    The dealer sits last. Raises ``ValueError`` if none of them is natural.
    """
    found = []
    for seed in range(deals):
        question = _natural(rules, seed)
        if question is not None:
            found.append((_weight(tell(rules, seed, question)), seed, question))
    if not found:
        raise ValueError(f"{rules.profile.id}: none of {deals} deals is natural")
    return min(found, key=lambda one: one[:2])[2]


def is_natural(deal: PlayedDeal) -> bool:
    """Say whether a deal is ordinary: one declaration, belote, tricks on every side, and the taker makes it."""
    count, rules = deal.count, deal.rules
    announced = sum(len(one.declarations) for one in deal.announcements)
    announced += sum(len(play.announced) + len(play.made) for trick in deal.tricks for play in trick.plays)
    sides = {rules.side_of[trick.winner] for trick in deal.tricks}
    made = count.settlement.outcome == "made" and not count.settlement.held
    return announced == 1 and any(count.belote) and len(sides) == rules.side_count and made


def _natural(rules: Ruleset, seed: int) -> dict[str, Any] | None:
    """Return a deal of sensible players if it is natural; most are not, which is seen before it is told."""
    random = Random(f"lesson {rules.profile.id} {seed}")
    opening = {"dealer": rules.players - 1, **shuffled(rules, random)}
    state, actions = open_deal(rules, opening), []
    while state.ended is None:
        action = PLAYERS["sensible"].action(rules, state, seed, claims=False)
        actions.append(action_json(action))
        state = apply_action(rules, state, action)
    question = {**opening, "actions": actions}
    if state.ended != "played" or not any(state.calls):
        return None
    return question if is_natural(tell(rules, seed, question)) else None


def _weight(deal: PlayedDeal) -> tuple[bool, bool, int, int]:
    """Return how far a deal is from the best lesson: trump named at once, won by much, few rules that bind."""
    counted, side = deal.count.settlement.counted, deal.rules.side_of[deal.contract.taker]
    lead = 2 * counted[side] - sum(counted)
    rules = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
    return len(deal.bids) == 1, lead > _A_LITTLE, -len(rules), lead
