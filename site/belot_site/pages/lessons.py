"""Learning a variant in ten minutes: its rules in the order of a lesson, with pictures and one whole deal."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations, zip_longest
from math import cos, pi, sin
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from belot_conformance.logs.played import PlayedDeal, tell
from belot_reference.action import bid_action
from belot_reference.bidding import bid_choices
from belot_reference.bids import mode_of_bid
from belot_reference.cards import EVERY_SUIT, ONLY, Card, CardSet, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.deal import DealState, open_deal
from belot_reference.replay import shuffled
from belot_reference.simulated import PLAYERS, worth_of
from belot_reference.turn import apply_action
from belot_site.content.edition import SiteEdition, seat_letter
from belot_site.content.library import Library, grouped, sources_of
from belot_site.pages.glossary import entries
from belot_site.pages.page import SitePage
from belot_site.pages.readings import Basis, basis_of
from belot_site.pictures.drawing import SUIT_OF_TRUMP, Pictures, decks, figure, order_note
from belot_site.pictures.packs import hungarian_cards
from belot_site.pictures.story import Story
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS
from belot_spec.catalogue import text_of
from belot_spec.conditions import holds
from belot_spec.errors import BelotError, UnknownNameError, nearest
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.load.translations import read_translated
from belot_spec.whole_file import write_whole

_PARTS: Final = Path(__file__).with_name("learn.yaml")
LESSON_DEALS: Final = Path(__file__).with_name("lesson_deals.json")
_TERMS: Final = ("trick", "follow", "ruff", "declaration")
# Of the table that is seen from above, as it is drawn.
_MIDDLE: Final = 130
_RADIUS: Final = 88
# Of how many random deals the best is chosen, and by how little it may be won.
_DEALS: Final = 2500
_A_LITTLE: Final = 24
# From which worth of a hand on takers are counted together.
_BANDS: Final = (0, 30, 45, 60)
# With so much anybody would take, where such a deal is natural as well.
_GOOD: Final = 60
# Of fewer takers a share says little.
_ENOUGH: Final = 100


@dataclass(frozen=True, slots=True)
class LessonSentence:
    """A sentence of a lesson, and what it rests on."""

    sentence: str
    basis: Basis


@dataclass(frozen=True, slots=True)
class ChartRow:
    """What must be played in a situation: the best that the hand allows, then the next best, and so on."""

    number: int
    when: str
    steps: tuple[str, ...]
    basis: Basis
    rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class Phrase:
    """What somebody says at the table, in the language of the table, and what that means."""

    says: str
    language: str
    means: str


@dataclass(frozen=True, slots=True)
class Takers:
    """Of hands worth so much how many in a hundred make it."""

    least: int
    most: int | None
    of_hundred: int


@dataclass(frozen=True, slots=True)
class LessonDeals:
    """The deals from which a variant is taught by name, as inputs of ``replay``, and how often takers made it.

    ``takers`` are, for each band of what a hand is worth, from its least on, the simulated deals that a taker with such
    a hand made, and all that he took.
    """

    stories: Mapping[str, Mapping[str, Any]]
    takers: Mapping[str, tuple[int, int]]


class Choice(NamedTuple):
    """A bid in a suit, the cards that somebody sees for it, and what they are worth with that trump."""

    worth: int
    bid: int
    cards: CardSet


class LessonError(BelotError):
    """A variant has no lesson, or no deals that could teach it."""


@cache
def lesson_texts() -> Mapping[str, Any]:
    """Return what lessons are made of: the gist, the parts with the rules that they tell, the chart, what is said."""
    found: Mapping[str, Any] = read_translated(_PARTS).data
    return found


@cache
def lesson_deals() -> Mapping[str, LessonDeals]:
    """Return for each variant the deals that its lesson tells."""
    found: Mapping[str, Any] = read_json(LESSON_DEALS, MAX_OF_OURS)
    return {variant: LessonDeals(**deals) for variant, deals in found.items()}


def lesson_of(variant: str) -> LessonDeals:
    """Return the deals that the lesson of a variant tells; raises ``LessonError`` if none were chosen yet."""
    if variant not in lesson_deals():
        raise LessonError(
            f"the variant {variant} has no lesson yet; choose its deals: python -m belot_site lessons {variant}"
        )
    return lesson_deals()[variant]


def lesson_deal(edition: SiteEdition, variant: str, which: str = "made") -> PlayedDeal:
    """Return a deal that the lesson of a variant tells, played again by its rules."""
    question = lesson_of(variant).stories[which]
    return tell(edition.library.reference.ruleset(variant), 0, question)


def _story(edition: SiteEdition, variant: str, which: str) -> Story:
    name = "" if which == "made" else edition.word(f"deal-{which}")
    return Story(lesson_deal(edition, variant, which), edition, name, brief=True)


def lesson_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the lesson of each variant."""
    for variant in edition.variants:
        name = edition.variant_name(variant)
        title = edition.word("learn-title", name=name)
        context, front = _context(edition.at(variant), variant), {"search": {"boost": 2}}
        yield SitePage(f"variants/{variant}/learn", "learn.md", title, context, front=front, profile=variant)


def _context(edition: SiteEdition, variant: str) -> dict[str, Any]:
    library, rules = edition.library, edition.library.reference.ruleset(variant)
    profile, texts = library.profile(variant), lesson_texts()
    rows = chart(edition, variant)
    hungarian = profile.settings.get("presentation.cards")
    said = list(said_aloud(edition, variant))
    much = has_much_to_learn(edition, variant)
    finer = texts["finer-deals"] if much else ()
    declares = profile.value("declarations.played") == "all"
    terms = [term for term in _TERMS if declares or term != "declaration"]
    return {
        "variant": library.spec.variants[variant],
        "profile": profile,
        "gist": list(gist(edition, variant)),
        "parts": {name: _told(edition, part, variant) for name, part in texts["parts"].items()},
        "titles": {name: text_of(part["title"]) for name, part in texts["parts"].items()},
        "terms": [entry for term in terms for entry in entries(library) if entry.id == term],
        "seating": table_from_above(edition, rules),
        "decks": decks(edition, profile),
        "order_note": order_note(edition, variant),
        "pack": hungarian_cards(edition) if hungarian and hungarian.value == "hungarian" else "",
        "said": said,
        # What is spoken at the table.
        "tongue": said[0].language if said else "",
        "chart": rows,
        "also": grouped((f"{other.title}{other.mark}", row.number) for row in rows for other in row.basis.others),
        "row_of": {rule: row.number for row in rows for rule in row.rules},
        "declarations": ranked_declarations(edition, variant) if declares else "",
        "good_hand": good_hand(edition, variant),
        "takers": takers(variant),
        "numbers": rules.has_amounts,
        "taken": sum(taken for _, taken in lesson_of(variant).takers.values()),
        "much": much,
        "stories": {
            which: _story(edition, variant, which) for which in lesson_of(variant).stories if which not in finer
        },
    }


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


def _told(edition: SiteEdition, part: Mapping[str, Any], variant: str) -> list[LessonSentence]:
    settings, unsaid = edition.library.profile(variant).settings, part.get("unsaid", {})
    finer = part.get("finer", ()) if has_much_to_learn(edition, variant) else ()
    known = (
        rule
        for rule in part["rules"]
        if rule in settings and rule not in finer and (rule not in unsaid or settings[rule].value != unsaid[rule])
    )
    return [LessonSentence(edition.stated(rule, variant), basis_of(edition, [rule], variant)) for rule in known]


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


def said_aloud(edition: SiteEdition, variant: str) -> Iterator[Phrase]:
    """Yield what is said at a table where a game is at home, as far as its rules give occasion."""
    profile = edition.library.profile(variant)
    values = {rule: setting.value for rule, setting in profile.settings.items()}
    told = lesson_texts()["said"].get(sources_of(profile)[0], {"lang": "", "phrases": ()})
    for phrase in told["phrases"]:
        if holds(phrase.get("needs", {}), values):
            yield Phrase(phrase["says"], told["lang"], edition.text(text_of(phrase["means"])))


def good_hand(edition: SiteEdition, variant: str) -> dict[str, Any]:
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
    told: list[tuple[int, int, int]] = []
    few = True
    for name, (made, taken) in lesson_of(variant).takers.items():
        first, before, all_before = told.pop() if told and few else (int(name), 0, 0)
        told.append((first, before + made, all_before + taken))
        few = told[-1][2] < _ENOUGH
    if few and len(told) > 1:
        made, taken = told.pop()[1:]
        first, before, all_before = told.pop()
        told.append((first, before + made, all_before + taken))
    return [
        Takers(least, after[0] - 1 if after else None, round(100 * made / taken))
        for (least, made, taken), after in zip_longest(told, told[1:])
    ]


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
    """Return the table as a drawing: A sits in front, the last seat deals, and a line joins partners.

    Whoever plays next sits to the left, or to the right where the game is played anticlockwise.
    """
    step = (-1 if rules.value("presentation.direction") == "anticlockwise" else 1) / rules.players
    places = {seat: _place(seat * step) for seat in range(rules.players)}
    parts = [Markup('<circle class="cloth" cx="130" cy="130" r="58"/>')]
    for one, other in combinations(places, 2):
        if not rules.partners(one, other):
            continue
        (x, y), (to_x, to_y) = places[one], places[other]
        parts.append(Markup('<line class="with" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(x, y, to_x, to_y))
    parts += [_arrow(seat, step) for seat in places]
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


def _place(part: float, radius: float = _RADIUS) -> tuple[int, int]:
    """Return the point so large a part of the way round the table, clockwise from the front."""
    angle = pi / 2 + 2 * pi * part
    return round(_MIDDLE + radius * cos(angle)), round(_MIDDLE + radius * sin(angle))


def _arrow(seat: int, step: float) -> Markup:
    """Return the arrow from a seat to the one that plays after it, a step further round the table."""
    (x, y), (to_x, to_y) = _place((seat + 0.3) * step, 108), _place((seat + 0.7) * step, 108)
    tip = _place((seat + 0.74) * step, 108)
    left, right = _place((seat + 0.64) * step, 101), _place((seat + 0.64) * step, 115)
    shaft = Markup('<path class="next" d="M{} {}A108 108 0 0 {} {} {}"/>').format(x, y, int(step > 0), to_x, to_y)
    return shaft + Markup('<path class="tip" d="M{} {}L{} {} {} {}Z"/>').format(*tip, *left, *right)


def best_lesson(rules: Ruleset, deals: int = _DEALS) -> LessonDeals:
    """Return the deals that teach a game best, of so many random ones.

    One is made and one falls; of a game with bids over one another the one that falls is doubled, and where all suits
    can be trumps one is played so. The dealer sits last. Raises ``LessonError`` if none of them is natural.
    """
    found: dict[str, list[tuple[Any, int, dict[str, Any]]]] = {which: [] for which in stories_of(rules)}
    for seed in range(deals):
        question = _simulated(rules, seed)
        if question is None:
            continue
        deal = tell(rules, seed, question)
        for which, told in found.items():
            if _STORIES[which](deal):
                told.append((_weight(deal), seed, question))
    if not all(found.values()):
        raise LessonError(f"{rules.profile.id}: none of {deals} deals is natural")
    best = {which: min(told, key=lambda one: one[:2])[2] for which, told in found.items()}
    return LessonDeals(best, takers_by_worth(rules, deals))


def stories_of(rules: Ruleset) -> tuple[str, ...]:
    """Return by which deals a game is taught, in order."""
    if not rules.has_auction:
        return "made", "fell"
    return ("made", "all-trumps", "doubled") if rules.has_all_trumps else ("made", "doubled")


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
    write_whole(LESSON_DEALS, "{\n" + ",\n".join(lines) + "\n}\n")


def takers_by_worth(rules: Ruleset, deals: int = _DEALS) -> dict[str, tuple[int, int]]:
    """Return for each band of what a hand is worth how many who took with it made it, and how many took.

    Whoever speaks first takes, whatever he holds; where others could bid more they pass, and sensible players play on.
    """
    found = {least: [0, 0] for least in _BANDS}
    for seed in range(deals):
        state = _opened(rules, f"taker {rules.profile.id} {seed}")
        choice = best_choice(rules, state)
        state = apply_action(rules, state, bid_action(state.bidding.turn, choice.bid))
        while state.bidding.state == "open":
            state = apply_action(rules, state, bid_action(state.bidding.turn, None))
        end = _played_on(rules, state, seed)[0]
        if end.ended == "played":
            counts = found[max(least for least in _BANDS if least <= choice.worth)]
            counts[0] += count_deal(rules, end).settlement.outcome == "made"
            counts[1] += 1
    return {str(least): (made, taken) for least, (made, taken) in found.items()}


def best_choice(rules: Ruleset, state: DealState) -> Choice:
    """Return the lowest bid in the best suit that the next to speak may take, his cards for it, and their worth."""
    hand, lowest = _seen(rules, state), dict[int, int]()
    for bid in bid_choices(rules, state.bidding):
        if bid is not None and mode_of_bid(bid) in EVERY_SUIT:
            lowest.setdefault(mode_of_bid(bid), bid)
    return max(Choice(worth_of(rules, hand, rules.modes[suit]), bid, hand) for suit, bid in lowest.items())


def taken_with(deal: PlayedDeal) -> Choice:
    """Return the bid that the taker of a deal took with, the cards as he saw them then, and their worth."""
    rules, state, mode = deal.rules, open_deal(deal.rules, deal.question), deal.contract.mode
    named = [bid.said is not None and mode_of_bid(bid.said) == mode.number for bid in deal.bids]
    taken = max(place for place, is_named in enumerate(named) if is_named)
    for bid in deal.bids[:taken]:
        state = apply_action(rules, state, bid_action(bid.seat, bid.said))
    hand = _seen(rules, state)
    return Choice(worth_of(rules, hand, mode), deal.bids[taken].said or 0, hand)


def _seen(rules: Ruleset, state: DealState) -> CardSet:
    """Return the cards that the next to speak would take with: his own, and the turn-up if the taker gets it."""
    hand = state.held[state.bidding.turn]
    if state.turn_up is not None and rules.value("deal.turn-up") == "to-taker":
        return hand | ONLY[state.turn_up]
    return hand


def is_natural(deal: PlayedDeal) -> bool:
    """Say whether a deal is ordinary: one declaration if any are played, belote, everybody has a trick, it is made."""
    declaring = deal.rules.value("declarations.played") == "all"
    return _announced(deal) == declaring and any(deal.count.of_sides("belote")) and _ends(deal, "made", "suit")


def is_at_all_trumps(deal: PlayedDeal) -> bool:
    """Say whether a deal at all trumps is ordinary: some declaration, tricks on every side, and the taker makes it."""
    return _announced(deal) == 1 and _ends(deal, "made", "all-trumps")


def is_doubled_fall(deal: PlayedDeal) -> bool:
    """Say whether a doubled contract in a suit falls: at most one declaration, and tricks on every side."""
    return _announced(deal) <= 1 and _ends(deal, "fell", "suit", raised=2)


def _ends(deal: PlayedDeal, outcome: str, kind: str, raised: int = 1) -> bool:
    """Say whether every side wins a trick in a deal of this kind, nothing is held, and it ends so."""
    settled, contract = deal.count.settlement, deal.contract
    played_so = contract.mode.kind == kind and contract.raised == raised
    return played_so and settled.outcome == outcome and not settled.held and _everybody_wins(deal)


def is_plain_fall(deal: PlayedDeal) -> bool:
    """Say whether a taker falls by the cards alone: no declaration, and tricks on every side."""
    return _announced(deal) == 0 and _ends(deal, "fell", "suit")


_STORIES: Final[Mapping[str, Callable[[PlayedDeal], bool]]] = {
    "made": is_natural,
    "all-trumps": is_at_all_trumps,
    "doubled": is_doubled_fall,
    "fell": is_plain_fall,
}


def _announced(deal: PlayedDeal) -> int:
    before = sum(len(one.declarations) for one in deal.announcements)
    return before + sum(len(play.announced) + len(play.made) for trick in deal.tricks for play in trick.plays)


def _everybody_wins(deal: PlayedDeal) -> bool:
    return len({deal.rules.side_of[trick.winner] for trick in deal.tricks}) == deal.rules.side_count


def _opened(rules: Ruleset, name: str) -> DealState:
    return open_deal(rules, _opening(rules, name))


def _opening(rules: Ruleset, name: str) -> dict[str, Any]:
    return {"dealer": rules.players - 1, **shuffled(rules, Random(name))}


def _simulated(rules: Ruleset, seed: int) -> dict[str, Any] | None:
    """Return a deal of sensible players, or None where nobody took or it was not played to its end."""
    opening = _opening(rules, f"lesson {rules.profile.id} {seed}")
    state, actions = _played_on(rules, open_deal(rules, opening), seed)
    return {**opening, "actions": actions} if state.ended == "played" else None


def _played_on(rules: Ruleset, state: DealState, seed: int) -> tuple[DealState, list[dict[str, Any]]]:
    """Return the end of a deal that sensible players play on, and what they do until then."""
    actions = []
    while state.ended is None:
        action = PLAYERS["sensible"].action(rules, state, seed, claims=False)
        actions.append(action.to_json())
        state = apply_action(rules, state, action)
    return state, actions


def margin(deal: PlayedDeal) -> int:
    """Return by how many points the taker makes a deal, more than the others and than he bid; below zero he falls."""
    counted, side = deal.count.settlement.counted, deal.rules.side_of[deal.contract.taker]
    lead = 2 * counted[side] - sum(counted)
    if deal.rules.value("scoring.contract-needs") != "bid-and-more" or deal.contract.bid is None:
        return lead
    return min(lead, counted[side] - deal.contract.bid)


def _weight(deal: PlayedDeal) -> tuple[bool, bool, bool, int, int]:
    """Return how far a deal is from the best lesson: close, a good hand, some bidding, many rules that bind."""
    lead = abs(margin(deal))
    rules = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
    poor = taken_with(deal).worth < _GOOD
    return lead > _A_LITTLE, poor, len(deal.bids) == 1, -len(rules), lead
