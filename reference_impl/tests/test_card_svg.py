"""Cards as inline SVG: what is drawn once, what each card refers to, and what a screen reader says."""

import xml.etree.ElementTree as ET

import pytest

from belot_reference.card_svg import Mark, card_label, card_svg, card_symbols
from belot_spec.card_names import CARD_NAMES
from belot_spec.languages import LANGUAGES, Language

MARKS: tuple[Mark | None, ...] = (None, "legal", "illegal")


@pytest.fixture(scope="module")
def symbols() -> dict[str, ET.Element]:
    return {symbol.get("id", ""): symbol for symbol in ET.fromstring(card_symbols())}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mark", MARKS)
def test_every_card_is_an_image_with_a_name_that_uses_symbols_that_exist(
    language: Language, mark: Mark | None, symbols: dict[str, ET.Element]
) -> None:
    labels = set()
    for card in CARD_NAMES:
        drawn = ET.fromstring(card_svg(card, language, mark))
        assert drawn.get("role") == "img"
        assert drawn.get("data-card") == card
        uses = [use.get("href", "") for use in drawn]
        assert len(uses) == (2 if mark else 1)
        assert all(use.removeprefix("#") in symbols for use in uses)
        labels.add(drawn.get("aria-label"))
    assert len(labels) == len(CARD_NAMES)


@pytest.mark.parametrize(("card", "english", "dutch", "index"), [
    ("QS", "queen of spades", "schoppendame", ("Q", "D")),
    ("10H", "10 of hearts", "harten 10", ("10", "10")),
    ("AC", "ace of clubs", "klaverenaas", ("A", "A")),
    ("JD", "jack of diamonds", "ruitenboer", ("J", "B")),
    ("KD", "king of diamonds", "ruitenheer", ("K", "H")),
])  # fmt: skip
def test_a_card_speaks_and_looks_as_in_the_language_of_the_page(
    card: str, english: str, dutch: str, index: tuple[str, str], symbols: dict[str, ET.Element]
) -> None:
    assert [card_label(card, "en"), card_label(card, "nl")] == [english, dutch]
    assert card_label(card, "en", "illegal") == f"{english}, not legal"
    assert card_label(card, "nl", "illegal") == f"{dutch}, mag niet gespeeld worden"
    drawn = (ET.fromstring(card_svg(card, language))[0].get("href", "") for language in ("en", "nl"))
    assert tuple("".join(symbols[use.removeprefix("#")].itertext()) for use in drawn) == index


def test_legal_and_illegal_differ_in_outline_and_sign_and_nothing_is_faded(symbols: dict[str, ET.Element]) -> None:
    outlines = [symbols[f"mark-{mark}"].find("rect") for mark in ("legal", "illegal")]
    assert [outline is not None and outline.get("stroke-dasharray") is not None for outline in outlines] == [
        False,
        True,
    ]
    signs = {symbols[f"mark-{mark}"].findall("path")[0].get("d") for mark in ("legal", "illegal")}
    assert len(signs) == 2
    assert "opacity" not in card_symbols()
