"""What a deal is worth that is told by its tricks: as the game that was played, step by step, and what is no deal."""

from dataclasses import replace
from typing import Any

import pytest

import belot

# Seat 0 took spades and wins all tricks. It has 9-10-J of spades and four aces, seat 2 has 10-J-Q of hearts, so 20, 100
# and 20 count; 7-8-9 of hearts of seat 1 does not. Seat 3 has king and queen of trump.
SWEEP = [
    "JS 7S 8S QS",
    "9S 7H 7D KS",
    "AS 8H 8D 7C",
    "10S 9H 9C 8C",
    "AH KC 10H KH",
    "AD 10D JC 9D",
    "AC QC JH JD",
    "10C KD QH QD",
]
TRICKS = [{"leader": 0, "cards": cards.split()} for cards in SWEEP]


def tricks_of(game: belot.Game) -> list[dict[str, Any] | None]:
    """Return the deals of a match that has ended, as ``score`` takes them."""
    found: list[dict[str, Any] | None] = []
    again = belot.Game(game.profile, seed=int(game.to_record()["seed"]), dealer=game.to_record()["match"]["dealer"])
    for deal in game.to_record()["deals"]:
        last = again
        for action in deal["actions"]:
            last, again = again, again.apply(action)
        contract, table, played = last.contract, last.table, deal["actions"][-1]
        if contract is None or table.trick is None:
            found.append(None)
            continue
        tricks = [*table.tricks, belot.Trick(table.trick.leader, (*table.trick.cards, played["play"]), None)]
        found.append(
            {
                "taker": contract.taker,
                "trump": contract.trump,
                "bid": contract.bid,
                "raised": contract.raised,
                "tricks": tricks,
            }
        )
    return found


@pytest.mark.parametrize("profile", ["belotten", "bela-4", "contree"])
def test_the_deals_of_a_match_told_by_their_tricks_give_its_sheet(profile: str) -> None:
    players = [belot.SensiblePlayer(seat) for seat in range(belot.Game(profile).players)]
    game = belot.play_match(profile, players, seed=5)
    deals = tricks_of(game)
    sheet = belot.score(profile, deals, dealer=game.to_record()["match"]["dealer"])
    wanted = game.score()
    lines = [
        line if line.contract is None else replace(line, contract=replace(line.contract, round=1))
        for line in wanted.deals
    ]
    assert sheet == replace(wanted, deals=tuple(lines))
    for deal, line in zip(deals, lines, strict=True):
        if deal is not None:
            one = belot.score(profile, **deal)
            assert (one.score, one.written, one.contract) == (line.score, line.written, line.contract)


def test_a_deal_comes_with_its_parts_and_steps() -> None:
    one = belot.score("belote", taker=0, trump="S", tricks=TRICKS)
    assert one.trick_points == (23, 18, 11, 10, 29, 23, 18, 20)  # by hand, from the values of the cards
    assert (one.cards, one.declarations, one.outranked, one.belote) == ((162, 0), (140, 0), (0, 20), (0, 20))
    assert dict(one.steps)["cards"] == (162, 0)
    assert str(one).splitlines()[0] == "belote, seat 0 at S: made"
    told = belot.score(
        "belote", taker=0, trump="S", tricks=[belot.Trick(0, tuple(one.split()), None) for one in SWEEP], sides=[{}, {}]
    )
    assert (told.declarations, told.belote, told.cards) == ((0, 0), (0, 0), one.cards)


@pytest.mark.parametrize(("told", "message"), [
    ({"tricks": TRICKS[:7]}, "^tricks: "),
    ({"tricks": [TRICKS[0]] * 8}, "^tricks.1"),
    ({"tricks": "7S"}, "tricks: "),
    ({"bid": 90}, "^bid: "),
    ({"trick": []}, "^score: a deal tells taker, trump, tricks and, where they are there, bid, raised, discarded, sides"),
    ({"taker": 1}, None),
])  # fmt: skip
def test_what_is_no_deal_is_told(told: dict[str, Any], message: str | None) -> None:
    asked: dict[str, Any] = {"taker": 0, "trump": "S", "tricks": TRICKS, **told}
    if message is None:
        assert belot.score("belote", **asked).outcome == "fell"
        return
    with pytest.raises(belot.BadQuestionError, match=message):
        belot.score("belote", **asked)
    with pytest.raises(belot.BadQuestionError, match=r"deals\.1: "):
        belot.score("belote", [None, asked])
