"""Whoever calls the engine from Python with a seat, suit or deck that does not exist is told so in one sentence."""

from collections.abc import Callable, Sequence

import pytest

from belot_reference.actions import (
    Action,
    BidAction,
    ClaimAction,
    DiscardAction,
    ExchangeAction,
    LookAction,
    PlayAction,
)
from belot_reference.cards import NO_CARDS, ONLY, Card, Suit, cards_in
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.dealing import Known, cutter, deal_after_bidding, deal_before_bidding
from belot_reference.errors import BadQuestionError
from belot_reference.match import start_match
from belot_reference.replay import apply_action, apply_all, start_deal

RulesetOf = Callable[[str], Ruleset]


def deck_of(rules: Ruleset) -> list[Card]:
    return list(cards_in(rules.deck))


def started(rules: Ruleset) -> DealState:
    return start_deal(rules, 3, (0, 0), deal_before_bidding(rules, 3, deck_of(rules)))


@pytest.mark.parametrize(("bid", "told"), [(-1, "-1"), (4, "N"), (6, "double"), (8, "capotS")])
def test_a_bid_is_one_of_those_that_are_ever_said(ruleset_of: RulesetOf, bid: int, told: str) -> None:
    rules = ruleset_of("bela-4")
    with pytest.raises(BadQuestionError, match=f"^bid: what is said in bela-4 is one of pass, S, H, D, C, not {told}$"):
        apply_action(rules, started(rules), BidAction(0, bid))


@pytest.mark.parametrize("seat", [7, -1])
@pytest.mark.parametrize(
    "action",
    [
        BidAction(0, Suit(1)),
        PlayAction(0, Card(0)),
        DiscardAction(0, NO_CARDS),
        ExchangeAction(0),
        LookAction(0, 1),
        ClaimAction(0),
    ],
)
def test_an_action_is_of_a_seat_at_the_table(ruleset_of: RulesetOf, action: Action, seat: int) -> None:
    rules = ruleset_of("bela-4")
    state = started(rules)
    if not isinstance(action, BidAction):
        state = apply_action(rules, state, BidAction(0, Suit(1)))
    with pytest.raises(BadQuestionError, match=f"^seat: bela-4 has seats 0 to 3, not {seat}$"):
        apply_action(rules, state, action._replace(seat=seat))


@pytest.mark.parametrize(
    "begin",
    [
        lambda rules: deal_before_bidding(rules, 7, deck_of(rules)),
        lambda rules: start_deal(rules, 7, (0, 0), Known(ONLY[:4])),
        lambda rules: start_match(rules, 7),
        lambda rules: cutter(rules, 7),
    ],
)
def test_the_dealer_sits_at_the_table(ruleset_of: RulesetOf, begin: Callable[[Ruleset], object]) -> None:
    with pytest.raises(BadQuestionError, match=r"^dealer: bela-4 has seats 0 to 3, not 7$"):
        begin(ruleset_of("bela-4"))


def test_the_taker_sits_at_the_table(ruleset_of: RulesetOf) -> None:
    rules = ruleset_of("belote")
    dealt = deal_before_bidding(rules, 3, deck_of(rules))
    with pytest.raises(BadQuestionError, match=r"^taker: belote has seats 0 to 3, not 4$"):
        deal_after_bidding(rules, dealt, 4)


@pytest.mark.parametrize(
    ("deck", "fault"),
    [
        (range(1, 31), "every card of bela-4 once; 7S AC missing"),
        ([*range(32), 0], "every card of bela-4 once; 7S twice"),
        ([*range(31), 99], "a card is a number from 0 to 31, not 99"),
    ],
)
def test_only_a_whole_deck_is_dealt(ruleset_of: RulesetOf, deck: Sequence[Card], fault: str) -> None:
    with pytest.raises(BadQuestionError, match=f"^deck: {fault}$"):
        deal_before_bidding(ruleset_of("bela-4"), 3, deck)


@pytest.mark.parametrize("card", [99, -1])
@pytest.mark.parametrize("apply", [apply_action, lambda rules, state, action: apply_all(rules, state, [action])])
def test_only_a_card_is_played(
    ruleset_of: RulesetOf, apply: Callable[[Ruleset, DealState, Action], DealState], card: int
) -> None:
    rules = ruleset_of("bela-4")
    state = apply_action(rules, started(rules), BidAction(0, Suit(1)))
    with pytest.raises(BadQuestionError, match=rf"^(actions\.0\.)?play: a card is a number from 0 to 31, not {card}$"):
        apply(rules, state, PlayAction(0, Card(card)))
