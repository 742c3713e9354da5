"""Who may say *enough* where a taker's side has to be sure of its contract first."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.spec import Spec

House = Callable[[str, Mapping[str, Any]], Ruleset]
RANKS = ("J", "9", "A", "10", "K", "Q", "8", "7")
SUITS = ("S", "H", "D", "C")
HANDS = [[f"{rank}{suit}" for rank in RANKS] for suit in SUITS]


@pytest.fixture
def house(spec: Spec) -> House:
    return lambda base, values: compile_profile(spec.profile(base).with_values("house", values, spec.rules))


def claimed(rules: Ruleset, totals: Sequence[int], tricks: Sequence[str], by: int) -> Mapping[str, Any]:
    """Return the answer to a claim after some tricks; seat 0 has all spades, trump, and leads every one of them."""
    cards = [{"seat": seat, "play": card} for trick in tricks for seat, card in enumerate(trick.split())]
    actions = [{"seat": 0, "bid": "S"}, *cards, {"seat": by, "claim": True}]
    return answer("replay", rules, {"dealer": 3, "totals": totals, "hands": HANDS, "actions": actions}).message()


@pytest.mark.parametrize(
    ("tricks", "points"),
    [
        (["JS AH AD AC"], 53),
        (["JS JH JD JC", "9S 9H 9D 9C", "AS KH KD KC", "7S 10H 10D 10C"], 93),
    ],
)
def test_a_takers_side_that_can_still_fall_may_stop_the_deal_or_not(
    house: House, tricks: list[str], points: int
) -> None:
    unsafe = points < 82
    totals = [1001 - points, 500]
    free = claimed(house("bela-4", {"match.claim": "enough"}), totals, tricks, 2)
    bound = claimed(house("bela-4", {"match.claim": "enough-when-safe"}), totals, tricks, 2)
    assert free == {"result": {"ended": "claim", "winner": 0, "taken": points}}
    refusal = {"at": 1 + 4 * len(tricks), "reason": "claim-false", "rule": "match.claim"}
    assert bound == ({"rejected": refusal} if unsafe else free)


@pytest.mark.parametrize(("fourth", "points", "safe"), [("KS 9H 9D 9C", 81, False), ("QS JH 9D 9C", 82, True)])
def test_a_takers_side_with_half_of_all_points_can_still_tie_and_so_fall(
    house: House, fourth: str, points: int, safe: bool
) -> None:
    tricks = ["JS AH AD AC", "9S 8H 8D 8C", "10S 7H 7D 7C", fourth]
    found = claimed(house("bela-4", {"match.claim": "enough-when-safe"}), [1001 - points, 500], tricks, 0)
    assert found.get("result") == ({"ended": "claim", "winner": 0, "taken": points} if safe else None)


def test_the_defence_may_stop_the_deal_whether_the_taker_falls_or_not(house: House) -> None:
    actions = [
        {"seat": 0, "bid": "pass"},
        {"seat": 1, "bid": "S"},
        *({"seat": seat, "play": card} for seat, card in enumerate(["JS", "AH", "AD", "AC"])),
        {"seat": 0, "claim": True},
    ]
    question = {"dealer": 3, "totals": [950, 900], "hands": HANDS, "actions": actions}
    found = answer("replay", house("bela-4", {"match.claim": "enough-when-safe"}), question).message()
    assert found == {"result": {"ended": "claim", "winner": 0, "taken": 53}}
