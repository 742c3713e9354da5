"""What notebooks show: hands, tricks, deals and games as pictures, the sheet and a reckoning as tables; in English."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from belot_reference.card_svg import HEIGHT, WIDTH, card_symbols, symbol_id
from belot_spec.card_names import CARD_NAMES

if TYPE_CHECKING:
    from belot_reference.notation import Deal
    from belot_reference.position import Position
    from belot_reference.sheet import Score
    from belot_reference.told import Reckoning
    from belot_reference.view import Trick, View

_GAP: Final = 4
_LABEL: Final = 110
_LETTER: Final = 7.5
_LINE: Final = 22
_INK: Final = 'fill="currentColor" font-family="system-ui,sans-serif" font-size="14"'


class Row(NamedTuple):
    """A row of a picture: a label, the cards beside it, a note behind them, and the cards that are marked as legal."""

    label: str
    cards: Sequence[str] = ()
    note: str = ""
    legal: Sequence[str] = ()


def picture(rows: Iterable[Row]) -> str:
    """Return rows as one ``<svg>``, with what it shows in words for whoever reads with the ears."""
    rows, drawn, top, wide = list(rows), [], 0.0, 0.0
    for label, cards, note, legal in rows:
        height = HEIGHT + _GAP if cards else _LINE
        middle = top + height / 2 + 5
        drawn.append(f'<text x="2" y="{middle}" {_INK}>{escape(label)}</text>')
        left = float(_LABEL if cards else len(label) * _LETTER + 8)
        for card in cards:
            place = f'x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}"'
            drawn.append(f'<use href="#{symbol_id(card, "en")}" {place}/>')
            if card in legal:
                drawn.append(f'<use href="#mark-legal" {place}/>')
            left += WIDTH + _GAP
        if note:
            drawn.append(f'<text x="{left + 4}" y="{middle}" {_INK}>{escape(note)}</text>')
        wide = max(wide, left + 8 + len(note) * _LETTER)
        top += height
    symbols = card_symbols(dict.fromkeys(card for row in rows for card in row.cards), ["en"])
    box = f'viewBox="0 0 {wide:.0f} {top:.0f}" width="{wide:.0f}" height="{top:.0f}"'
    said = "; ".join(" ".join(filter(None, (row.label.strip(), *row.cards, row.note))) for row in rows)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(said)}" {box}>'
    return f"{head}{symbols}{''.join(drawn)}</svg>"


def in_order(cards: Iterable[str]) -> list[str]:
    """Return cards by suit, the highest of the deck first."""
    return sorted(cards, key=lambda card: ("SHCD".index(card[-1]), -CARD_NAMES.index(card)))


def view_svg(view: "View", hands: Mapping[int, Sequence[str]], title: str | None) -> str:
    """Return what a view shows, with the hands that are known."""
    from belot_reference.view import seat_row, told_of

    rows = [] if title is None else [Row(title)]
    for seat in range(view.players):
        name, held, *notes = seat_row(view, seat, hands.get(seat), "en")
        note = ", ".join(notes if seat in hands else (held, *notes))
        rows.append(Row(name, in_order(hands.get(seat, ())), note))
    last = view.trick or (view.tricks[-1] if view.tricks else None)
    if last is not None:
        rows.append(trick_row(last, f"trick {len(view.tricks) + (view.trick is not None)}"))
    return picture([*rows, Row(" ".join(told_of(view, "en")))])


def trick_row(trick: "Trick", label: str = "trick") -> Row:
    """Return a trick as a row."""
    won = "" if trick.winner is None else f", won by seat {trick.winner}"
    return Row(label, trick.cards, f"seat {trick.leader} led{won}")


def position_svg(position: "Position") -> str:
    """Return a position: what is held now, what lies on the table, and which cards may be played."""
    hands = position.now()
    rows = [
        Row(f"{'▸' if seat == position.turn else ' '} seat {seat}", in_order(cards)) for seat, cards in hands.items()
    ]
    if position.turn is not None:
        turn = [*hands].index(position.turn)
        rows[turn] = rows[turn]._replace(legal=position.legal_cards())
    won = "" if position.winner() is None else f", won by seat {position.winner()}"
    if position.trick:
        rows.append(Row("trick", position.trick, f"seat {position.leader} led{won}"))
    return picture([*rows, Row(f"{position.profile}, trump {position.trump}")])


def deal_svg(deal: "Deal") -> str:
    """Return a deal or a position as a text holds it: its hands, and what was done."""
    from belot_reference.notation import action_rows, head_text

    held = deal.opening.get("hands", ())
    rows = [Row(f"seat {seat}", in_order(cards)) for seat, cards in enumerate(held)]
    rows += [Row(name, deal.opening[name]) for name in ("hand", "deck") if name in deal.opening]
    for words in action_rows(deal):
        seat, *told = words
        cards = [word.partition("+")[0] for word in told]
        said = ", ".join(word for word in told if "+" in word)
        are_cards = all(card in CARD_NAMES for card in cards)
        rows.append(Row(f"seat {seat[:-1]}", cards, said) if are_cards else Row(" ".join(words)))
    return picture([Row(head_text(deal)), *rows])


def score_html(score: "Score") -> str:
    """Return the score sheet as a table."""
    head, *lines = _sheet_rows(score)
    return _table(head, lines, str(score).splitlines()[0].split("  ")[0])


def _sheet_rows(score: "Score") -> Iterator[list[str]]:
    from belot_reference.scoring import on_paper
    from belot_reference.sheet import happened, side_name

    yield ["", *(side_name(seats) for seats in score.sides), "total"]
    for number, deal in enumerate(score.deals, start=1):
        totals = " - ".join(on_paper(points, score.in_halves) for points in deal.totals)
        yield [f"{number}. {happened(deal, 'en')}", *deal.written, totals]


def reckoning_html(reckoning: "Reckoning") -> str:
    """Return the steps of a reckoning as a table, by side."""
    sides = len(reckoning.score)
    lines = [[what.replace("-", " "), *map(str, figures)] for what, figures in reckoning.steps]
    return _table(["", *(f"side {side}" for side in range(sides))], lines, str(reckoning).splitlines()[0])


def _table(head: Sequence[str], lines: Iterable[Sequence[str]], caption: str) -> str:
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for name, *cells in lines
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
