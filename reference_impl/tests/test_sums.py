"""Sums that no deal gives are refused by name before they are settled, and those of a deal never are."""

from collections.abc import Callable
from typing import Any

import pytest

from belot_reference.compile import Ruleset
from belot_reference.possible import ImpossibleSumsError, why_impossible

RulesetOf = Callable[[str], Ruleset]


def two(first: dict[str, int], second: dict[str, int], **more: Any) -> dict[str, Any]:
    sides = [{"cards": 100, "tricks": 5, **first}, {"cards": 62, "tricks": 3, **second}]
    return {"taker": 0, "sides": sides, **more}


def three(*declared: int) -> dict[str, Any]:
    cards = ((100, 6), (40, 3), (22, 1))
    sides = [
        {"cards": points, "tricks": tricks, "declarations": told}
        for (points, tricks), told in zip(cards, declared, strict=True)
    ]
    return {"taker": 0, "sides": sides}


@pytest.mark.parametrize(("profile", "question", "kind", "message"), [
    ("belotten", two({"cards": 163}, {"cards": 162}), "cards", "325 card points, and a deal of belotten has 162"),
    ("belotten", two({"cards": 999_999_999}, {}), "cards", "1000000061 card points"),
    ("belotten", two({}, {"tricks": 4}), "tricks", "a deal of belotten has 8 tricks, not 9"),
    ("belotten", two({"tricks": 8}, {"tricks": 0}), "cards-without-trick", "sides.1.cards: a side without a trick"),
    ("belotten", two({"declarations": 33}, {}), "declared", "33 is no sum of declarations"),
    ("belotten", two({"outranked": 999_999_999}, {}), "declared", "sides.0.outranked: 999999999"),
    ("belotten", two({"declarations": 20}, {"declarations": 20}), "declared-twice", "side 0 and side 1"),
    ("belotten", two({"belote": 20}, {"belote": 20}), "belote-twice", "only one side"),
    ("belotten", two({"belote": 40}, {}), "belote", "belote is worth 20 in belotten, not 40"),
    ("belotten", two({}, {}, last_trick=0), "cards", "has 152"),
    ("belotten", {**two({"cards": 152, "tricks": 8}, {"cards": 0, "tricks": 0}), "last_trick": 1}, "last-trick", "side 1 has no trick"),
    ("bela-3", three(100, 100, 100), "declared-twice", "side 0 and side 1 and side 2"),
    ("bela-2", two({"cards": 180, "tricks": 6}, {"cards": 2, "tricks": 4}), "cards", "no 12 cards left over make 162"),
    ("bulgarian-belot", two({}, {}, trump="N"), "cards", "has 130"),
    ("bulgarian-belot", two({}, {}, trump="A"), "cards", "has 258"),
    ("bulgarian-belot", two({"cards": 70, "declarations": 20}, {"cards": 60}, trump="N"), "declared", "no sum of declarations"),
    ("bulgarian-belot", two({"cards": 68, "belote": 20}, {}, trump="N"), "belote", "not played"),
    ("bulgarian-belot", two({"cards": 196, "belote": 80}, {"belote": 20}, trump="A"), "belotes-many", "4 kings and queens"),
])  # fmt: skip
def test_sums_that_no_deal_gives_are_refused_by_what_is_wrong(
    ruleset_of: RulesetOf, profile: str, question: dict[str, Any], kind: str, message: str
) -> None:
    for operation, asked in (
        ("score-deal", question),
        ("match", {"dealer": 0, "deals": [{"passed": True}, {"scored": question}]}),
    ):
        refused = why_impossible(ruleset_of(profile), operation, asked)
        assert isinstance(refused, ImpossibleSumsError)
        assert refused.fault["kind"] == kind
        assert message in str(refused)


def test_both_sides_may_declare_where_both_can_score(ruleset_of: RulesetOf) -> None:
    assert not why_impossible(ruleset_of("open-belot"), "score-deal", {
        "taker": 0,
        "sides": [{"cards": 100, "tricks": 9, "declarations": 20}, {"cards": 62, "tricks": 7, "declarations": 20}],
    })  # fmt: skip
    assert not why_impossible(ruleset_of("bela-3"), "score-deal", three(0, 100, 20))
