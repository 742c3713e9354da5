"""Whoever calls the engine from Python with a seat, suit or deck that does not exist is told so in one sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from belot_reference.actions import BidAction, ClaimAction, DiscardAction, ExchangeAction, LookAction, PlayAction
from belot_reference.cards import NO_CARDS, ONLY, Card, Suit, cards_in
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.dealing import Known, cutter, deal_after_bidding, deal_before_bidding
from belot_reference.errors import BadQuestionError
from belot_reference.match import start_match
from belot_reference.replay import apply_action, apply_all, start_deal

Do = Callable[[Ruleset, Any], object]
NO_CARD = "play: a card is a number from 0 to 31, not "


def deck_of(rules: Ruleset) -> list[Card]:
    return list(cards_in(rules.deck))


def started(rules: Ruleset, *, bid: bool) -> DealState:
    state = start_deal(rules, 3, (0, 0), deal_before_bidding(rules, 3, deck_of(rules)))
    return apply_action(rules, state, BidAction(0, Suit(1))) if bid else state


def acting(action: Any, *, bid: bool = True) -> Do:
    return lambda rules, _: apply_action(rules, started(rules, bid=bid), action)


def dealing(*deck: int) -> Do:
    return lambda rules, _: deal_before_bidding(rules, 3, [Card(card) for card in deck])


@pytest.mark.parametrize(("do", "told"), [
    *((acting(BidAction(0, bid), bid=False), f"bid: what is said in bela-4 is one of pass, S, H, D, C, not {said}")
      for bid, said in ((-1, "-1"), (4, "N"), (6, "double"), (8, "capotS"))),
    *((acting(action._replace(seat=seat), bid=not isinstance(action, BidAction)),
       f"seat: bela-4 has seats 0 to 3, not {seat}")
      for seat in (7, -1)
      for action in (BidAction(0, Suit(1)), PlayAction(0, Card(0)), DiscardAction(0, NO_CARDS), ExchangeAction(0),
                     LookAction(0, 1), ClaimAction(0))),
    *((do, "dealer: bela-4 has seats 0 to 3, not 7")
      for do in (lambda rules, deck: deal_before_bidding(rules, 7, deck),
                 lambda rules, _: start_deal(rules, 7, (0, 0), Known(ONLY[:4])),
                 lambda rules, _: start_match(rules, 7),
                 lambda rules, _: cutter(rules, 7))),
    (dealing(*range(1, 31)), "deck: every card of bela-4 once; 7S AC missing"),
    (dealing(*range(32), 0), "deck: every card of bela-4 once; 7S twice"),
    (dealing(*range(31), 99), "deck: a card is a number from 0 to 31, not 99"),
    *((acting(PlayAction(0, Card(card))), f"{NO_CARD}{card}") for card in (99, -1)),
    (lambda rules, _: apply_all(rules, started(rules, bid=True), [PlayAction(0, Card(99))]), f"actions.0.{NO_CARD}99"),
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
