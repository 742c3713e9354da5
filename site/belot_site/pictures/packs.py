"""Cards of the packs that players elsewhere hold, drawn for this project: the German suits of a Hungarian pack."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from belot_site.content.edition import SiteEdition
from belot_site.pictures.drawing import figure

# Each in a box of 24 by 24: what stands for spades, hearts, diamonds and clubs.
_SIGNS: Final = {
    "S": '<path fill="#1d7a34" d="M12 1C7 6 3 9 3 14c0 3.6 4 5 7 3.2L9.4 22h5.2L14 17.2c3 1.8 7 .4 7-3.2'
    ' 0-5-4-8-9-13Z"/>'
    '<path fill="none" stroke="#0c4a1c" d="M12 4v16M12 9l-4 3M12 9l4 3M12 13l-4 2.5M12 13l4 2.5"/>',
    "H": '<path fill="#c4161c" d="M12 22C6.5 16.5 1.8 13 1.8 8A5.3 5.3 0 0 1 12 5.8 5.3 5.3 0 0 1 22.2 8'
    'C22.2 13 17.5 16.5 12 22Z"/><path fill="none" stroke="#f2a29a" stroke-width="1.5" d="M5 8a3 3 0 0 1 3-2.5"/>',
    "D": '<circle cx="12" cy="13" r="9" fill="#e2a51b" stroke="#7a5200"/><path fill="none" stroke="#7a5200" '
    'd="M3 13h18M12 17v4.5"/><circle cx="12" cy="16.5" r="1.8" fill="#7a5200"/>'
    '<path fill="none" stroke="#7a5200" stroke-width="2" d="M10 3.5a2 2 0 1 1 4 0"/>',
    "C": '<path fill="#b7792f" stroke="#5d3a0e" d="M6 11c0 6 3 9.5 6 12 3-2.5 6-6 6-12Z"/>'
    '<path fill="#3f7d2c" stroke="#1f4d13" d="M4 11c0-4 3.5-7 8-7s8 3 8 7Z"/>'
    '<path stroke="#1f4d13" stroke-width="2" d="M12 4V1"/>',
}
# On these cards the ace shows two signs, the courts have no letter, and the others are numbered as the Romans did.
_NUMBERS: Final = {"10": "X", "9": "IX", "8": "VIII", "7": "VII"}
_RANKS: Final = ("A", "K", "Q", "J", "10", "9", "8", "7")
_SUITS: Final = ("S", "H", "D", "C")
# A head with what is on it, and the body below; the sign of an over hangs high, that of an under low.
_BODY: Final = (
    '<circle cx="25" cy="25" r="5.5" fill="#f3cfae" stroke="#4c3524"/>'
    '<path fill="{coat}" stroke="#2b2f36" d="M14 58c0-15 3-25 11-25s11 10 11 25Z"/>'
    '<path fill="none" stroke="#2b2f36" d="M25 33v25M18 44l14 0"/>'
)
_HATS: Final = {
    "K": '<path fill="#e2a51b" stroke="#7a5200" d="M18 20v-9l4 4 3-6 3 6 4-4v9Z"/>',
    "Q": '<path fill="#8c2f39" stroke="#3a1015" d="M17 21q0-9 8-9t8 9Zm14-7q7-2 8-8-7 1-9 6Z"/>',
    "J": '<path fill="#2f5f8c" stroke="#10253a" d="M17 21q1-7 8-7t8 7Z"/>',
}
_COATS: Final = {"K": "#a8323c", "Q": "#3f7d2c", "J": "#b58a2b"}


def hungarian_cards(edition: SiteEdition) -> Markup:
    """Return the four suits and the eight ranks of a Hungarian pack, each with what it is in a French one."""
    suits = [(_card("A", suit), f"{edition.word(f'pack-{suit}')} = {edition.suit(suit)}") for suit in _SUITS]
    ranks = [
        (_card(rank, "H"), edition.word(f"pack-{rank}") if rank in _HATS or rank == "A" else rank) for rank in _RANKS
    ]
    return figure(_row(suits), _row(ranks))


def _row(cards: Sequence[tuple[Markup, str]]) -> Markup:
    placed = (Markup('<span class="placed">{}<span class="below">{}</span></span>').format(*card) for card in cards)
    return Markup('<div class="row"><span class="cards">{}</span></div>').format(Markup("").join(placed))


def _card(rank: str, suit: str) -> Markup:
    """Return one card as a drawing that says nothing: what it is stands below it."""
    sign = _SIGNS[suit]

    def at(x: float, y: float, size: float) -> str:
        return f'<g transform="translate({x} {y}) scale({size})">{sign}</g>'

    if rank == "A":
        inside = at(12, 8, 1.1) + at(12, 37, 1.1)
    elif rank in _HATS:
        place = {"K": at(5, 5, 0.55), "Q": at(5, 5, 0.55), "J": at(5, 51, 0.55)}[rank]
        inside = _BODY.format(coat=_COATS[rank]) + _HATS[rank] + place
    else:
        number = _NUMBERS[rank]
        inside = (
            f'<text x="25" y="17" font-family="serif" font-size="13" font-weight="700" text-anchor="middle" '
            f'fill="#2b2f36">{number}</text>' + at(7, 22, 0.7) + at(26, 22, 0.7) + at(16.5, 44, 0.7)
        )
    return Markup(
        f'<svg class="card" viewBox="0 0 50 70" aria-hidden="true">'
        f'<rect x="1" y="1" width="48" height="68" rx="6" fill="#fffdf5" stroke="#7d828c"/>{inside}</svg>'
    )
