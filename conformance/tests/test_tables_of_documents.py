"""The house rules that are those of a document write what the document says."""

from pathlib import Path
from typing import Any

import pytest

from belot_conformance.mistakes.mutations import compile_changed
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.shipped import default_spec, open_profile

# Bid and factor, card points and belote of takers and others, and what both write by the words of the document.
_Told = tuple[int | str, int, tuple[int, int], tuple[int, int], tuple[int, int]]
DEALS: dict[str, list[_Told]] = {
    # 162 and a bid that alone is multiplied, by two and three; 252 where all tricks are won; a 5 goes down.
    "cannes-2016": [
        (100, 1, (104, 58), (0, 0), (200, 60)),
        (100, 1, (75, 87), (20, 0), (0, 280)),
        (100, 2, (110, 52), (0, 0), (360, 0)),
        (100, 3, (90, 72), (0, 0), (0, 460)),
        (80, 1, (85, 77), (0, 0), (160, 80)),
        (110, 1, (162, 0), (0, 0), (360, 0)),
        (100, 2, (162, 0), (0, 0), (450, 0)),
        ("capot", 1, (162, 0), (0, 0), (520, 0)),
        ("capot", 1, (150, 12), (0, 0), (0, 430)),
    ],
    # The bid alone is multiplied, the side that holds belote keeps it, and a bid of 80 needs 82.
    "pagat-coinche": [
        (100, 2, (70, 92), (20, 0), (20, 360)),
        (100, 2, (110, 52), (0, 0), (360, 0)),
        (80, 1, (81, 81), (0, 0), (0, 240)),
        (80, 1, (82, 80), (0, 0), (160, 80)),
    ],
}


def assert_written(rules: Ruleset, told: _Told) -> None:
    bid, raised, cards, belote, written = told
    tricks = (8, 0) if not cards[1] else (5, 3)
    sides: list[dict[str, Any]] = [
        {"cards": points, "tricks": number, **({"belote": extra} if extra else {})}
        for points, number, extra in zip(cards, tricks, belote, strict=True)
    ]
    factor = {"raised": raised} if raised > 1 else {}
    found = answer("score-deal", rules, {"trump": "H", "taker": 0, "bid": bid, **factor, "sides": sides}).result or {}
    assert tuple(found["score"]) == written, told


@pytest.mark.parametrize("name", DEALS)
def test_a_table_of_a_document_writes_what_the_document_says(root: Path, name: str) -> None:
    rules = compile_profile(open_profile(str(root / f"conformance/examples/house-rules/{name}.yaml")))
    for told in DEALS[name]:
        assert_written(rules, told)


# What documents work out by values that are no option: the game, the values, the question, and what it comes to.
_SUM_OF_162 = {"scoring.fixed-sum": 162, "scoring.tens": "exact"}
_CARDS_TWICE = {"scoring.raised-kinds": ["cards", "all-tricks"], "bidding.raises": [2, 3]}
_ALONE = {"scoring.contract-written": "points-alone", "scoring.raised-sum": "fixed-and-all-tricks"}
WORKED_OUT: dict[str, tuple[dict[str, Any], _Told]] = {
    "a failed capot is 160 and 250": ({"scoring.capot-fall": "fixed-sum"}, ("capot", 1, (150, 12), (0, 0), (0, 410))),
    "a failed 100 is 162 and the bid": (_SUM_OF_162, (100, 1, (90, 72), (0, 0), (0, 262))),
    "a failed 80 is 162 and the bid": (_SUM_OF_162, (80, 1, (70, 92), (0, 0), (0, 242))),
    "doubled, 160 alone counts twice": (_CARDS_TWICE, (100, 2, (110, 52), (0, 0), (2 * 160 + 100, 0))),
    "redoubled, 160 alone counts three times": (_CARDS_TWICE, (100, 3, (110, 52), (0, 0), (3 * 160 + 100, 0))),
    "points alone, doubled, every trick: 320, and the last trick's 100": (
        {**_ALONE, "scoring.all-tricks.points": 252, "scoring.raised-kinds": ["cards", "bid"]}, (100, 2, (162, 0), (0, 0), (320 + 100, 0)),
    ),
    "points alone, redoubled, a trick lost: 640": (_ALONE, (100, 4, (150, 12), (0, 0), (640, 0))),
}  # fmt: skip


@pytest.mark.parametrize("what", WORKED_OUT)
def test_what_a_document_works_out_comes_of_the_values_that_it_plays_by(what: str) -> None:
    values, told = WORKED_OUT[what]
    assert_written(compile_changed(default_spec().profile("contree"), values, default_spec()), told)


def test_one_card_in_several_declarations_makes_240_of_a_run_in_trumps_and_four_jacks() -> None:
    values = {"declarations.shared-cards": "allowed"}
    rules = compile_changed(default_spec().profile("coinche"), values, default_spec())
    jacks, run = ["JH", "JS", "JD", "JC"], ["JH", "QH", "KH"]
    announced = {"trump": "H", "taker": 0, "leader": 0, "announced": [[jacks, run], [], [], []]}
    found = answer("compare-declarations", rules, announced).result or {}
    # Belote is told by queen and king beside them.
    assert sum(found["points"]) + rules.value("declarations.belote.points") == 200 + 20 + 20
