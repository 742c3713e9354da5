"""The table seen from above: who sits where, who plays with whom, who deals, and the order of play."""

from itertools import combinations
from math import cos, pi, sin
from typing import Final

from markupsafe import Markup

from belot_reference.compile import Ruleset
from belot_site.edition import Edition, seat_letter

_MIDDLE: Final = 130
_RADIUS: Final = 88


def table_from_above(edition: Edition, rules: Ruleset) -> Markup:
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
