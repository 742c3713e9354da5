"""The house rules that are those of a document write what the document says."""

from pathlib import Path
from typing import Any

import pytest

from belot_conformance.mistakes.mutations import compile_changed
from belot_reference.compile import compile_profile
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


@pytest.mark.parametrize(("name", "told"), [(name, told) for name, deals in DEALS.items() for told in deals])
def test_a_table_of_a_document_writes_what_the_document_says(root: Path, name: str, told: _Told) -> None:
    bid, raised, cards, belote, written = told
    rules = compile_profile(open_profile(str(root / f"conformance/examples/house-rules/{name}.yaml")))
    tricks = (8, 0) if not cards[1] else (5, 3)
    sides: list[dict[str, Any]] = [
        {"cards": points, "tricks": number, **({"belote": extra} if extra else {})}
        for points, number, extra in zip(cards, tricks, belote, strict=True)
    ]
    factor = {"raised": raised} if raised > 1 else {}
    found = answer("score-deal", rules, {"trump": "H", "taker": 0, "bid": bid, **factor, "sides": sides}).result or {}
    assert tuple(found["score"]) == written


# What documents work out by values that are no option: the game, the values, the question, and what it comes to.
WORKED_OUT: dict[str, tuple[str, dict[str, Any], dict[str, Any], tuple[int, int]]] = {
    "a failed capot is 160 and 250": (
        "contree",
        {"scoring.capot-fall": "fixed-sum"},
        {"bid": "capot", "cards": (150, 12)},
        (0, 410),
    ),
    "a failed 100 is 162 and the bid": (
        "contree",
        {"scoring.fixed-sum": 162, "scoring.tens": "exact"},
        {"bid": 100, "cards": (90, 72)},
        (0, 262),
    ),
    "a failed 80 is 162 and the bid": (
        "contree",
        {"scoring.fixed-sum": 162, "scoring.tens": "exact"},
        {"bid": 80, "cards": (70, 92)},
        (0, 242),
    ),
    "doubled, 160 alone counts twice": (
        "contree",
        {"scoring.raised-kinds": ["cards", "all-tricks"], "bidding.raises": [2, 3]},
        {"bid": 100, "raised": 2, "cards": (110, 52)},
        (2 * 160 + 100, 0),
    ),
    "redoubled, 160 alone counts three times": (
        "contree",
        {"scoring.raised-kinds": ["cards", "all-tricks"], "bidding.raises": [2, 3]},
        {"bid": 100, "raised": 3, "cards": (110, 52)},
        (3 * 160 + 100, 0),
    ),
    "points alone, doubled, every trick: 320, and the last trick's 100": (
        "contree",
        {
            "scoring.contract-written": "points-alone",
            "scoring.all-tricks.points": 252,
            "scoring.raised-sum": "fixed-and-all-tricks",
            "scoring.raised-kinds": ["cards", "bid"],
        },
        {"bid": 100, "raised": 2, "cards": (162, 0)},
        (320 + 100, 0),
    ),
    "points alone, redoubled, a trick lost: 640": (
        "contree",
        {"scoring.contract-written": "points-alone", "scoring.raised-sum": "fixed-and-all-tricks"},
        {"bid": 100, "raised": 4, "cards": (150, 12)},
        (640, 0),
    ),
}


@pytest.mark.parametrize("told", WORKED_OUT.values(), ids=WORKED_OUT)
def test_what_a_document_works_out_comes_of_the_values_that_it_plays_by(
    told: tuple[str, dict[str, Any], dict[str, Any], tuple[int, int]],
) -> None:
    variant, values, question, written = told
    rules = compile_changed(default_spec().profile(variant), values, default_spec())
    contract = {"trump": "H", "taker": 0, **question}
    cards = contract.pop("cards")
    won = (5, 3) if cards[1] else (8, 0)
    sides = [{"cards": points, "tricks": tricks} for points, tricks in zip(cards, won, strict=True)]
    found = answer("score-deal", rules, {**contract, "sides": sides}).result or {}
    assert tuple(found["score"]) == written


def test_one_card_in_several_declarations_makes_240_of_a_run_in_trumps_and_four_jacks() -> None:
    values = {"declarations.shared-cards": "allowed"}
    rules = compile_changed(default_spec().profile("coinche"), values, default_spec())
    jacks, run = ["JH", "JS", "JD", "JC"], ["JH", "QH", "KH"]
    announced = {"trump": "H", "taker": 0, "leader": 0, "announced": [[jacks, run], [], [], []]}
    found = answer("compare-declarations", rules, announced).result or {}
    # Belote is told by queen and king beside them.
    assert sum(found["points"]) + rules.value("declarations.belote.points") == 200 + 20 + 20
