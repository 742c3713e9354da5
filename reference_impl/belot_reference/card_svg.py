"""Playing cards as small inline SVG, drawn for this project: symbols once in a page, and a short reference per card.

A page holds ``card_symbols()`` once; after that ``card_svg(card, language)`` is one short element per card. A card that
is legal or not has a mark and an outline of its own, never only another colour.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Final, Literal

from belot_reference.view import INDICES
from belot_spec.card_names import CARD_NAMES
from belot_spec.languages import LANGUAGES, Language
from belot_spec.shipped import default_spec
from belot_spec.wording import card_words
from belot_spec.words import Words

Mark = Literal["legal", "illegal"]

WIDTH: Final = 50
HEIGHT: Final = 70

MARK_WORDS: Final = Words(__name__, "marks")
COLOURS: Final[Mapping[str, str]] = {"S": "#16181d", "H": "#c4161c", "D": "#c4161c", "C": "#16181d"}

# Each in a box of 24 by 24.
_SUITS: Final[Mapping[str, str]] = {
    "S": "M12 1.5C9 7 2.2 10 2.2 15a4.7 4.7 0 0 0 8.5 2.7Q10.4 20.6 8 22.5h8q-2.4-1.9-2.7-4.8"
    "A4.7 4.7 0 0 0 21.8 15C21.8 10 15 7 12 1.5Z",
    "H": "M12 22C6.5 16.5 1.8 13 1.8 8A5.3 5.3 0 0 1 12 5.8 5.3 5.3 0 0 1 22.2 8C22.2 13 17.5 16.5 12 22Z",
    "D": "M12 1.2Q15.5 7.5 20.8 12 15.5 16.5 12 22.8 8.5 16.5 3.2 12 8.5 7.5 12 1.2Z",
    "C": "M12 1.8a4.7 4.7 0 0 1 3.7 7.6 4.8 4.8 0 1 1-2.5 7.4Q13.5 20.5 16.2 22.5H7.8"
    "q2.7-2 3-5.7A4.8 4.8 0 1 1 8.3 9.4 4.7 4.7 0 0 1 12 1.8Z",
}
# The same suits in a Hungarian pack: leaves, hearts, bells and acorns.
HUNGARIAN_SUITS: Final[Mapping[str, str]] = {
    "S": '<path fill="#1d7a34" '
    'd="M12 1C7 6 3 9 3 14c0 3.6 4 5 7 3.2L9.4 22h5.2L14 17.2c3 1.8 7 .4 7-3.2 0-5-4-8-9-13Z"/>'
    '<path fill="none" stroke="#0c4a1c" d="M12 4v16M12 9l-4 3M12 9l4 3M12 13l-4 2.5M12 13l4 2.5"/>',
    "H": f'<path fill="#c4161c" d="{_SUITS["H"]}"/>'
    '<path fill="none" stroke="#f2a29a" stroke-width="1.5" d="M5 8a3 3 0 0 1 3-2.5"/>',
    "D": '<circle cx="12" cy="13" r="9" fill="#e2a51b" stroke="#7a5200"/><path fill="none" stroke="#7a5200" '
    'd="M3 13h18M12 17v4.5"/><circle cx="12" cy="16.5" r="1.8" fill="#7a5200"/>'
    '<path fill="none" stroke="#7a5200" stroke-width="2" d="M10 3.5a2 2 0 1 1 4 0"/>',
    "C": '<path fill="#b7792f" stroke="#5d3a0e" d="M6 11c0 6 3 9.5 6 12 3-2.5 6-6 6-12Z"/><path fill="#3f7d2c" '
    'stroke="#1f4d13" d="M4 11c0-4 3.5-7 8-7s8 3 8 7Z"/><path stroke="#1f4d13" stroke-width="2" d="M12 4V1"/>',
}
_HAIR: Final = {"K": "#7d5a33", "Q": "#a4552a", "J": "#d0a04a"}
# Half figures in a box of 32 by 40, in robes of the colour of the suit: what is behind the face, and what is before it.
_COURTS: Final[Mapping[str, tuple[str, str]]] = {
    "K": (
        f'<path fill="{_HAIR["K"]}" d="M8.5 12v8q0 6 3 8h9q3-2 3-8v-8Z"/>',
        f'<path fill="{_HAIR["K"]}" d="M10.2 19.5q3 2 5.8.4 2.8 1.6 5.8-.4.4 9-5.8 11.5-6.2-2.5-5.8-11.5Z"/>'
        '<path fill="#e9b949" stroke="#7a5200" d="M8 12.5 6.5 3.5l5 3.6L16 1l4.5 6.1 5-3.6L24 12.5Z"/>',
    ),
    "Q": (
        f'<path fill="{_HAIR["Q"]}" d="M7 29Q5 9 16 9t9 20Z"/>',
        f'<path fill="{_HAIR["Q"]}" d="M9.8 17q.2-8 6.2-8t6.2 8q-2-4.5-6.2-5-4.2.5-6.2 5Z"/><path fill="#c4161c" '
        'd="M14 22.2q2 1.6 4 0-2-.8-4 0Z"/>'
        '<path fill="#e9b949" stroke="#7a5200" d="M9.5 9.5 8.5 4l4 2L16 2l3.5 4 4-2-1 5.5Z"/>',
    ),
    "J": (
        f'<path fill="{_HAIR["J"]}" d="M8 23V13q0-6 8-6t8 6v10q-3 2-4-1h-8q-1 3-4 1Z"/>',
        '<path fill="none" stroke="#8c4a2f" d="M14.2 22.4h3.6"/><path d="M7 13q-2-9 9-9.5Q27 4 25 13q-9-3.5-18 0Z"/>'
        '<path fill="#e9b949" stroke="#7a5200" d="M21 8Q23 1 31 .5 30 7 23 9.5Z"/>',
    ),
}


def card_name(card: str, language: Language) -> str:
    """Return a card in words: ``queen of spades``, ``schoppendame``."""
    return card_words(card, language, default_spec().glossary)


def card_label(card: str, language: Language, mark: Mark | None = None) -> str:
    """Return what a screen reader says of a drawn card: its name, and whether it is legal if that is marked."""
    name = card_name(card, language)
    return f"{name}, {MARK_WORDS[mark].in_language(language)}" if mark else name


@cache
def symbol_id(card: str, language: Language) -> str:
    """Return the id of the symbol of a card; only jacks, queens and kings look otherwise in another language."""
    index = INDICES.get(card[:-1])
    own = index is not None and index.in_language(language) != index.en
    return f"card-{card}-{language}" if own else f"card-{card}"


@cache
def card_svg(card: str, language: Language, mark: Mark | None = None) -> str:
    """Return one card (``QS``) as an inline ``<svg>`` that uses the symbols of ``card_symbols``; KeyError if unknown.

    A script that changes the language of a page finds the card in ``data-card`` and the mark in ``data-mark``.
    """
    label = escape(card_label(card, language, mark))
    marked = f' data-mark="{mark}"' if mark else ""
    over = f'<use href="#mark-{mark}"/>' if mark else ""
    return (
        f'<svg class="card" data-card="{card}"{marked} role="img" aria-label="{label}">'
        f'<use href="#{symbol_id(card, language)}"/>{over}</svg>'
    )


def suit_svg(suit: str) -> str:
    """Return the sign of a suit (``S``) as an inline ``<svg>`` that says nothing; its name belongs beside it."""
    return f'<svg class="suit" aria-hidden="true"><use href="#suit-{suit}"/></svg>'


def card_symbols(cards: Iterable[str] = CARD_NAMES, languages: Iterable[Language] = LANGUAGES) -> str:
    """Return the hidden ``<svg>`` with the symbols of suits, marks and cards that a page needs once."""
    wanted = list(cards)
    symbols = [
        f'<symbol id="suit-{suit}" viewBox="0 0 24 24">'
        f'<path class="french suit-{suit}" fill="{COLOURS[suit]}" d="{path}"/>'
        f'<g class="hungarian" display="none">{HUNGARIAN_SUITS[suit]}</g></symbol>'
        for suit, path in _SUITS.items()
    ]
    symbols += [_court_symbol(rank) for rank in _COURTS if any(card.startswith(rank) for card in wanted)]
    symbols += _mark_symbols()
    drawn = {symbol_id(card, language): (card, language) for card in wanted for language in languages}
    symbols += [_card_symbol(name, card, language) for name, (card, language) in drawn.items()]
    return f'<svg class="card-symbols" width="0" height="0" aria-hidden="true">{"".join(symbols)}</svg>'


def _mark_symbols() -> list[str]:
    """Return the two marks: a whole outline with a tick, and a broken outline with a cross."""
    outline = f'x="1.5" y="1.5" width="{WIDTH - 3}" height="{HEIGHT - 3}" rx="5.5" fill="none" stroke-width="3"'
    badge = '<circle cx="11" cy="58" r="9" fill="{0}" stroke="#fff" stroke-width="2"/>'
    stroke = 'fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"'
    legal, illegal = "#0b6b34", "#a40e26"
    return [
        f'<symbol id="mark-legal" viewBox="0 0 {WIDTH} {HEIGHT}"><rect {outline} stroke="{legal}"/>'
        f'{badge.format(legal)}<path d="m6.8 58.5 3 3 5.5-6.5" {stroke}/></symbol>',
        f'<symbol id="mark-illegal" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect {outline} stroke="{illegal}" stroke-dasharray="7 5"/>'
        f'{badge.format(illegal)}<path d="m7.5 54.5 7 7m0-7-7 7" {stroke}/></symbol>',
    ]


def _card_symbol(name: str, card: str, language: Language) -> str:
    rank, suit = card[:-1], card[-1]
    colour = COLOURS[suit]
    index = INDICES[rank].in_language(language) if rank in INDICES else rank
    squeezed = ' textLength="21" lengthAdjust="spacingAndGlyphs"' if len(index) > 1 else ""
    inside = (
        f'<use href="#suit-{suit}" x="6" y="26" width="13" height="13"/>'
        f'<use href="#court-{rank}" fill="{colour}" class="suit-{suit}" x="14.5" y="24" width="34" height="42.5"/>'
        if rank in _COURTS
        else f'<use href="#suit-{suit}" x="15" y="31" width="30" height="30"/>'
    )
    return (
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="6" fill="#fffefa" stroke="#8d918a"/>'
        f'<text class="suit-{suit}" fill="{colour}" x="5.5" y="23" font-family="system-ui,sans-serif" font-size="23" '
        f'font-weight="700"{squeezed}>{index}</text>{inside}</symbol>'
    )


def _court_symbol(rank: str) -> str:
    behind, before = _COURTS[rank]
    return (
        f'<symbol id="court-{rank}" viewBox="0 0 32 40">{behind}<path d="M1 40q0-13 15-13t15 13Z"/>'
        '<path fill="#e9b949" d="M11 27.4 16 37l5-9.6Z"/><path fill="#fffefa" d="M13 27.1 16 33l3-5.9Z"/>'
        '<ellipse fill="#f7dcc0" stroke="#5a4a3c" stroke-width=".6" cx="16" cy="18" rx="6.2" ry="7.6"/>'
        '<g fill="#2b2f36"><circle cx="13.6" cy="17" r=".9"/><circle cx="18.4" cy="17" r=".9"/></g>'
        f"{before}</symbol>"
    )
