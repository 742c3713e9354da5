"""Bulgarian belot beside Bridge Belot 2.06 of 2001: a sample of what it answered, recorded by others."""

import json
from pathlib import Path
from typing import Any

from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.reference import put
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec

SPEC = default_spec()
# The program's own rounding is BG-133; that of the variant differs from it in two of 1,795 deals.
PROFILE = changed_profile(SPEC.profile("bulgarian-belot"), {"scoring.rounding": "bigger-first"}, SPEC)
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


def test_a_deal_is_written_alike() -> None:
    for row in RECORDED["settled"]:
        assert written(row) == row[-1], row
