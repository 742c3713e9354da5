"""Questions and answers as HTML: cards drawn, suits with their names, and everything else as short text."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from belot_conformance.text.brief import brief
from belot_reference.card_svg import Mark, card_svg, suit_svg
from belot_reference.cards import CARD_BY_NAME
from belot_spec.card_names import SUITS
from belot_spec.files import read_text
from belot_spec.shipped import default_spec
from belot_spec.words import English

# Fields of inputs and results that people read as words; other fields keep the name that the protocol gives them.
_FIELD_WORDS: Final = English(__name__, "fields")
_WORDS: Final = English(__name__, "drawn-cards")
# An input may hold a whole match; beyond this many cards or lines it is cut, and the page says so.
_MOST_CARDS: Final = 64
_MOST_LINES: Final = 60
_LONGEST_TEXT: Final = 400


def field_name(name: str) -> Markup:
    """Return the name of a field in words; a path (``tricks[3].points``) stays as it is."""
    return escape(_FIELD_WORDS[name]) if name in _FIELD_WORDS else Markup("<code>{}</code>").format(name)


def draw(value: Any) -> Markup:
    """Return a JSON value drawn: cards as cards, suits as signs, lists of those by line, mappings field by field."""
    if isinstance(value, Mapping) and value:
        return draw_fields(value)
    if isinstance(value, str) and value in CARD_BY_NAME:
        return Markup(card_svg(value, "en"))
    if isinstance(value, str) and value in SUITS:
        name = default_spec().glossary.suits[value].en
        return Markup('<span class="suit-name">{} {}</span>').format(Markup(suit_svg(value)), name)
    if _are_cards(value):
        return draw_cards(value)
    if isinstance(value, list) and value and any(isinstance(item, (list, Mapping)) for item in value):
        return _lines(value)
    return _text(value)


def draw_answer(kind: str, value: Any) -> Markup:
    """Return an answer of one kind: the fields of a result as they are, every other kind under its name."""
    if kind == "result" and isinstance(value, Mapping) and value:
        return draw_fields(value)
    return Markup('<p class="kind">{}</p>{}').format(field_name(kind), draw(value))


def draw_fields(fields: Mapping[str, Any]) -> Markup:
    """Return the fields of an input or an answer as a list of names and values."""
    row = Markup("<div><dt>{}</dt><dd>{}</dd></div>")
    rows = (row.format(field_name(name), draw(value)) for name, value in fields.items())
    return Markup('<dl class="fields">{}</dl>').format(Markup("").join(rows))


def draw_cards(cards: Sequence[str], marks: Mapping[str, Mark] | None = None) -> Markup:
    """Return cards in a row, each with its mark if it has one."""
    if not cards:
        return escape(_WORDS["no_cards"])
    drawn = "".join(card_svg(card, "en", (marks or {}).get(card)) for card in cards[:_MOST_CARDS])
    return Markup('<span class="cards">{}</span>{}').format(Markup(drawn), _cut(len(cards), _MOST_CARDS))


def draw_choice(hand: Sequence[str], chosen: Sequence[Any]) -> Markup:
    """Return a hand with the chosen cards marked legal and the others not; chosen cards not held come after it."""
    marks: dict[str, Mark] = {card: "legal" if card in chosen else "illegal" for card in hand}
    drawn = draw_cards(hand, marks)
    foreign = [card for card in chosen if card not in hand]
    told = Markup(' <span class="foreign">{}: {}</span>')
    words = escape(_WORDS["foreign"])
    return drawn + told.format(words, draw(foreign)) if foreign else drawn


def _are_cards(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(one, str) and one in CARD_BY_NAME for one in value)
    )


def _lines(items: Sequence[Any]) -> Markup:
    """Return a list of lists or mappings as numbered lines, counted from 0 as the protocol counts."""
    # Mappings of which only some hold cards, such as the actions of a deal, read best as text.
    as_text = not all(isinstance(item, list) or _holds_cards(item) for item in items)
    drawn = [_text(item) if as_text else _line(item) for item in items[:_MOST_LINES]]
    kind = "lines texts" if as_text or not any(map(_holds_cards, items)) else "lines"
    lines = Markup("").join(Markup("<li>{}</li>").format(line) for line in drawn)
    return Markup('<ol class="{}" start="0">{}</ol>{}').format(kind, lines, _cut(len(items), _MOST_LINES))


def _line(item: Any) -> Markup:
    """Return one item of a list: its cards drawn where it is made of them, else short text."""
    if _are_cards(item):
        return draw_cards(item)
    if isinstance(item, Mapping) and _holds_cards(item):
        return draw_fields(item)
    if isinstance(item, list) and _holds_cards(item):
        return Markup(" ").join(draw_cards(cards) for cards in item)
    return _text(item) if item != [] else Markup("–")


def _holds_cards(item: Any) -> bool:
    """Say whether an item is a list of cards, a list of such lists, or a mapping with one of those in it."""
    if isinstance(item, Mapping):
        return any(isinstance(value, list) and _holds_cards(value) and not _are_cards(value) for value in item.values())
    return _are_cards(item) or (isinstance(item, list) and bool(item) and all(map(_are_cards, item)))


def _text(value: Any) -> Markup:
    text = value if isinstance(value, str) else brief(value)
    return escape(text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…")


def _cut(number: int, shown: int) -> Markup:
    if number <= shown:
        return Markup("")
    return Markup(' <span class="cut">{}</span>').format(_WORDS.say("more", n=number - shown))


def environment(package: str, folder: str) -> Environment:
    """Return the templates in a folder of a package."""
    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def asset(package: str, folder: str, name: str) -> str:
    """Return a file in a folder of a package as text."""
    return read_text(Path(str(files(package).joinpath(folder, name))))


def policy_hash(text: str) -> str:
    """Return the digest by which a page's own policy knows a script or style that may work in it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
