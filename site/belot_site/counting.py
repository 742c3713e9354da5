"""The page on which a program is checked without any adapter: a deal to type in, and the numbers it must count."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from belot_conformance.perft.deals import Deal, published, published_profiles
from belot_conformance.text.card_svg import card_svg
from belot_site.drawing import figure, line
from belot_site.edition import Edition, seat_letter
from belot_site.pages import Page
from belot_spec.card_names import CARD_NAMES

# What follows each first card is told to so many cards.
_DIVIDED: Final = 6
_ROW: Final = Markup('<div class="row"><span class="label">{}</span><span class="cards">{}</span></div>')


@dataclass(frozen=True, slots=True)
class Counting:
    """A deal of a variant as it is shown: drawn, as text to type in, and its numbers."""

    variant: str
    drawn: Markup
    typed: str
    counts: Sequence[str]
    lasts: Sequence[tuple[int, str]]
    firsts: Sequence[tuple[str, str]]


def counting_page(edition: Edition) -> Page:
    """Return the page that says how to check a program by one number, with the first deal of each variant."""
    known = published_profiles()
    shown = [
        _counting(edition, variant, published(variant).deals[0])
        for variant in edition.library.variants
        if variant in known
    ]
    title = edition.word("counting")
    return Page("programmers/counting", f"{edition.language}/counting.md", title, {"shown": shown, "deep": _DIVIDED})


def _counting(edition: Edition, variant: str, deal: Deal) -> Counting:
    plays, start = deal.start(edition.library.reference.ruleset(variant))
    firsts = [
        (edition.short_card(CARD_NAMES[card]), edition.number(plays.count(plays.after(start, card), _DIVIDED - 1)))
        for card in plays.legal(start)
    ]
    held = {"piles": deal.piles} if deal.piles else {"hands": deal.hands}
    return Counting(
        variant,
        _drawn(edition, deal),
        json.dumps({"trump": deal.trump, "leader": deal.leader, **held}, ensure_ascii=False),
        [edition.number(count) for count in deal.counts],
        [(last.tricks, edition.number(last.count)) for last in deal.lasts],
        firsts,
    )


def _drawn(edition: Edition, deal: Deal) -> Markup:
    rows = [line(edition.word("trump"), edition.suit(deal.trump))]
    for seat in range(len(deal.hands or deal.piles)):
        who = edition.word("player", n=seat_letter(seat))
        label = f"{who} {edition.word('leads')}" if seat == deal.leader else who
        cards = deal.hands[seat] if deal.hands else [card for pile in deal.piles[seat] for card in pile]
        drawn = Markup("").join(Markup(card_svg(card, edition.language)) for card in cards)
        rows.append(_ROW.format(label, drawn))
    return figure(*rows)
