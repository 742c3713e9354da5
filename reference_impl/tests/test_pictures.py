"""What notebooks show: pictures with the cards that are known and no other, and tables."""

import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any

import belot

NAMES = {"use": "{http://www.w3.org/2000/svg}use"}


def drawn(shown: Any) -> Counter[str]:
    """Return the cards of a picture, each with how often it is drawn."""
    uses = ET.fromstring(shown._repr_svg_()).findall(NAMES["use"])
    return Counter(use.get("href", "").removeprefix("#card-").removesuffix("-en") for use in uses)


def test_a_picture_shows_what_is_known_and_nothing_else() -> None:
    game = belot.Game.from_text(
        "profile contree dealer 3 hands A.A.7.8/9.8.8.7/J.7.9.9/10.Q.J.10 taker 1 trump S bid 80 0: AH 8H 7H"
    )
    table, view, position = ["AH", "8H", "7H"], game.view(1), game.position
    assert drawn(game) == Counter(table + [card for seat in range(4) for card in game.view(seat).hand])
    assert drawn(view) == Counter([*view.hand, *table])
    assert position is not None
    assert drawn(position) - drawn(game) == Counter({"#mark-legal": 1})  # seat 3 follows with the queen
    assert drawn(belot.Deal.parse(str(position))) == drawn(game) + Counter(table)
    last = belot.Trick(0, ("AH", "8H", "7H", "QH"), 0)
    assert "seat 0 led, won by seat 0" in last._repr_svg_()
    assert drawn(last) == Counter(last.cards)


def test_a_sheet_and_a_reckoning_are_tables() -> None:
    sheet = belot.play_match("contree", [belot.SensiblePlayer(seat) for seat in range(4)], seed=2).score()
    table = ET.fromstring(sheet._repr_html_())
    assert len(table.findall("tbody/tr")) == len(sheet.deals)
    assert [cell.text for cell in table.findall("tbody/tr")[-1]][1:] == [
        *sheet.deals[-1].written,
        " - ".join(map(str, sheet.totals)),
    ]
