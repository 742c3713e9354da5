"""Playing cards as small inline SVG, drawn for this project: symbols once in a page, and a short reference per card.

A page holds ``card_symbols()`` once; after that ``card_svg(card, language)`` is one short element per card. A card that
is legal or not has a mark and an outline of its own, never only another colour.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from typing import Final, Literal

from belot_conformance.text.brief import INDICES
from belot_spec.card_names import CARD_NAMES
from belot_spec.languages import LANGUAGES, Language
from belot_spec.shipped import default_spec
from belot_spec.wording import card_words
from belot_spec.words import Words

Mark = Literal["legal", "illegal"]

WIDTH: Final = 50
HEIGHT: Final = 70

MARK_WORDS: Final = Words(__name__, "marks")
COLOURS: Final[Mapping[str, str]] = {"S": "#16181d", "H": "#c4161c", "D": "#1a5fb4", "C": "#157a3c"}

# Each in a box of 24 by 24.
_SUITS: Final[Mapping[str, str]] = {
    "S": "M12 1.5C9 7 2.2 10 2.2 15a4.7 4.7 0 0 0 8.5 2.7Q10.4 20.6 8 22.5h8q-2.4-1.9-2.7-4.8"
    "A4.7 4.7 0 0 0 21.8 15C21.8 10 15 7 12 1.5Z",
    "H": "M12 22C6.5 16.5 1.8 13 1.8 8A5.3 5.3 0 0 1 12 5.8 5.3 5.3 0 0 1 22.2 8C22.2 13 17.5 16.5 12 22Z",
    "D": "M12 1.2Q15.5 7.5 20.8 12 15.5 16.5 12 22.8 8.5 16.5 3.2 12 8.5 7.5 12 1.2Z",
    "C": "M12 1.8a4.7 4.7 0 0 1 3.7 7.6 4.8 4.8 0 1 1-2.5 7.4Q13.5 20.5 16.2 22.5H7.8"
    "q2.7-2 3-5.7A4.8 4.8 0 1 1 8.3 9.4 4.7 4.7 0 0 1 12 1.8Z",
}
# A crown, a coronet and a plumed cap, each in a box of 24 by 16.
_COURTS: Final[Mapping[str, str]] = {
    "K": "M2 15V3l5 5 5-7 5 7 5-5v12Z",
    "Q": "M3 15 1.5 5.5 7 9.5 12 3l5 6.5 5.5-4L21 15ZM12 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z",
    "J": "M2 15v-4q1-6 9-6 2-4.5 9-4.5-1.5 5-6 6 5 1.5 6 4.5l2 .5V15Z",
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
    symbols = [
        f'<symbol id="suit-{suit}" viewBox="0 0 24 24"><path fill="{COLOURS[suit]}" d="{path}"/></symbol>'
        for suit, path in _SUITS.items()
    ]
    symbols += _mark_symbols()
    drawn = {symbol_id(card, language): (card, language) for card in cards for language in languages}
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
    squeezed = ' textLength="22" lengthAdjust="spacingAndGlyphs"' if len(index) > 1 else ""
    court = f'<path transform="translate(28 9) scale(.7)" d="{_COURTS[rank]}"/>' if rank in _COURTS else ""
    return (
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="6" fill="#fff" stroke="#7d828c"/>'
        f'<g fill="{colour}"><text x="6" y="25" font-family="system-ui,sans-serif" font-size="24" '
        f'font-weight="700"{squeezed}>{index}</text>{court}'
        f'<path transform="translate(19.5 37) scale(1.1)" d="{_SUITS[suit]}"/></g></symbol>'
    )
