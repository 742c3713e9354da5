"""Whoever calls the engine from Python with a seat, suit or deck that does not exist is told so in one sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from belot_reference.action import Action
from belot_reference.cards import ONLY, Card, cards_in
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState, cutter, deal_after_bidding, deal_before_bidding, known_deal, start_deal
from belot_reference.errors import BadQuestionError
from belot_reference.match import start_match
from belot_reference.replay import apply_all
from belot_reference.turn import apply_action

Do = Callable[[Ruleset, Any], object]


def deck_of(rules: Ruleset) -> list[Card]:
    return list(cards_in(rules.deck))


def started(rules: Ruleset, *, bid: bool) -> DealState:
    state = start_deal(rules, (0, 0), deal_before_bidding(rules, 3, deck_of(rules)))
    return apply_action(rules, state, Action(seat=0, bid="H")) if bid else state


def acting(*, bid_first: bool = True, **action: Any) -> Do:
    return lambda rules, _: apply_action(rules, started(rules, bid=bid_first), Action(**action))


def dealing(*deck: int) -> Do:
    return lambda rules, _: deal_before_bidding(rules, 3, [Card(card) for card in deck])


@pytest.mark.parametrize(("do", "told"), [
    *((acting(seat=0, bid=said, bid_first=False), f"bid: what is said in bela-4 is one of pass, S, H, D, C, not {said}")
      for said in ("N", "double", "capotS")),
    *((acting(seat=seat, **done), f"seat: bela-4 has seats 0 to 3, not {seat}")
      for seat in (7, -1)
      for done in ({"bid": "H"}, {"play": "7S"}, {"discard": ("7S",)}, {"exchange": True}, {"look": 1}, {"claim": True})),
    *((do, "dealer: bela-4 has seats 0 to 3, not 7")
      for do in (lambda rules, deck: deal_before_bidding(rules, 7, deck),
                 lambda rules, _: known_deal(rules, 7, (0, 0), ONLY[:4]),
                 lambda rules, _: start_match(rules, 7),
                 lambda rules, _: cutter(rules, 7))),
    (dealing(*range(1, 31)), "deck: every card of bela-4 once; 7S AC missing"),
    (dealing(*range(32), 0), "deck: every card of bela-4 once; 7S twice"),
    (dealing(*range(31), 99), "deck: a card is a number from 0 to 31, not 99"),
    (lambda rules, _: apply_all(rules, started(rules, bid=True), [Action(seat=7, play="7S")]),
     "actions.0.seat: bela-4 has seats 0 to 3, not 7"),
])  # fmt: skip
def test_what_does_not_exist_is_refused_in_a_sentence(ruleset_of: Callable[[str], Ruleset], do: Do, told: str) -> None:
    rules = ruleset_of("bela-4")
    with pytest.raises(BadQuestionError) as refused:
        do(rules, deck_of(rules))
    assert str(refused.value) == told


def test_the_taker_sits_at_the_table(ruleset_of: Callable[[str], Ruleset]) -> None:
    rules = ruleset_of("belote")
    dealt = deal_before_bidding(rules, 3, deck_of(rules))
    with pytest.raises(BadQuestionError, match=r"^taker: belote has seats 0 to 3, not 4$"):
        deal_after_bidding(rules, dealt, 4)
