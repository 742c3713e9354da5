"""Bulgarian belot beside Bridge Belot 2.06 of 2001: a sample of what it answered, recorded by others."""

import json
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.programs.reference import put
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec

PROFILE = default_spec().profile("bulgarian-belot")
RULES = compile_profile(PROFILE)
RECORDED = json.loads((Path(__file__).parents[1] / "bridge-belot-2.06.json").read_text(encoding="utf-8"))


def answer(operation: str, **question: Any) -> dict[str, Any]:
    result: dict[str, Any] = put(operation, RULES, question).message()["result"]
    return result


def written(row: list[Any]) -> list[int]:
    """Return what both sides write for a deal, with the points that were held before it."""
    trump, taker, raised, cards, tricks, declarations, held, _ = row
    sides = [{"cards": cards[i], "tricks": tricks[i], "declarations": declarations[i]} for i in (0, 1)]
    deal = {"scored": {"trump": trump, "taker": taker, "raised": raised, "sides": sides}}
    [told] = answer("match", dealer=0, held=held, deals=[deal])["deals"]
    return [score + freed for score, freed in zip(told["score"], told["freed"], strict=True)]


def test_cards_rank_and_count_alike() -> None:
    for trump, suit, row in RECORDED["cards"]:
        ranks, points = zip(*(one.split("=") for one in row.split()), strict=True)
        order = "deck.trump-order" if trump in (suit, "A") else "deck.plain-order"
        assert list(ranks) == PROFILE.value(order)
        assert [answer("card-points", trump=trump, cards=[rank + suit])["points"] for rank in ranks] == [
            *map(int, points)
        ]


def test_the_same_cards_may_be_played() -> None:
    for trump, hand, trick, may in RECORDED["legal"]:
        found = answer("legal-cards", trump=trump, hand=hand.split(), trick=trick.split())
        assert sorted(found["cards"]) == sorted(may.split()), (trump, hand, trick)


def test_a_hand_declares_as_much() -> None:
    for hand, points in RECORDED["declarations"]:
        assert answer("declarations", hand=hand.split())["best_points"] == points, hand


@pytest.mark.parametrize(("name", "alike"), [("settled", True), ("settled_otherwise", False)])
def test_a_deal_is_written_alike_but_where_a_side_of_few_points_gets_one(name: str, alike: bool) -> None:
    for row in RECORDED[name]:
        assert (written(row) == row[-1]) == alike, row
