"""What holds in every deal, whichever cards fall."""

import json
from collections.abc import Callable
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_reference.action import action_of
from belot_reference.bids import is_bid_name
from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, EVERY_CARD, EVERY_SUIT, Card, Suit, card_set, holds
from belot_reference.compile import Ruleset
from belot_reference.deal import cut_deck, deal_before_bidding, start_deal
from belot_reference.declarations import check_announcement, possible_sets
from belot_reference.errors import IllegalCard
from belot_reference.operations import answer
from belot_reference.play import force_card, legal_cards, play_card, start_play, table_of
from belot_reference.questions import mode_named, suit_named
from belot_reference.replay import apply_all
from belot_spec.card_names import CARD_NAMES, SUITS

Json = dict[str, Any]


def replayed(rules: Ruleset, recording: Json) -> Json:
    found = answer("replay", rules, recording)
    assert found.result is not None, found.rejected
    return dict(found.result)


@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), turn=st.integers(1, 3), order=st.sampled_from(list(permutations(SUITS))))
def test_what_holds_in_every_deal_that_is_played(
    rules: Ruleset, recorded: Callable[..., Any], seed: int, turn: int, order: tuple[str, ...]
) -> None:
    recording, end = recorded(rules, Random(seed), played=True)
    result = replayed(rules, json.loads(json.dumps(recording)))
    assert (result["ended"], len(result["tricks"])) == ("played", rules.hand_size)
    assert json.loads(json.dumps(result)) == result
    card_points_are_conserved(rules, recording, result)
    points_are_those_counted_unless_held_or_forfeited(rules, result)
    one_action_at_a_time_ends_there_too(rules, recording, end)
    moved_round_the_table_nothing_changes(rules, recording, result, turn)
    if not rules.is_same_in([suit_named(suit) for suit in order]):
        order = SUITS
    renamed = dict(zip(SUITS, order, strict=True))
    trump = renamed.get(result["trump"], result["trump"])
    assert replayed(rules, renaming(recording, renamed)) == {**result, "trump": trump}


def card_points_are_conserved(rules: Ruleset, recording: Json, result: Json) -> None:
    played = card_set(
        CARD_BY_NAME[card]
        for action in recording["actions"]
        for card in [*action.get("discard", ()), *([action["play"]] if "play" in action else [])]
    )
    tricks = [0] * rules.side_count
    for trick in result["tricks"]:
        tricks[rules.side_of[trick["winner"]]] += 1
    cancelled = tricks.count(0) == 1 and rules.value_or("scoring.trickless-player", "none") != "none"
    points = rules.points_of(mode_named(rules, result["trump"]), played)
    assert sum(result["cards"]) == points + (0 if cancelled else 10)
    if played == ALL_CARDS:
        everything = {} if rules.has_amounts else {"A": 258, "N": 130}
        assert sum(result["cards"]) == everything.get(result["trump"], 162)


def points_are_those_counted_unless_held_or_forfeited(rules: Ruleset, result: Json) -> None:
    if rules.has_amounts:
        return  # a bid is written too, which the cases say
    taking = rules.side_of[result["taker"]]
    forfeited = result["outcome"] == "fell" and rules.value_or("scoring.fall-to", "") == "nobody"
    kept_back = result["counted"][taking] if result["outcome"] == "tied" or forfeited else 0
    raised = result.get("raised", 1)
    if raised > 1 and result["outcome"] == "tied":
        kept_back = raised * sum(result["counted"])
    assert sum(result["points"]) + kept_back == raised * sum(result["counted"])


def moved_round_the_table_nothing_changes(rules: Ruleset, recording: Json, before: Json, turn: int) -> None:
    seats, side_of = rules.players, rules.side_of
    moved = {**recording, "dealer": (recording["dealer"] + turn) % seats}
    moved["actions"] = [{**action, "seat": (action["seat"] + turn) % seats} for action in recording["actions"]]
    after = replayed(rules, moved)
    was = {side_of[(seat + turn) % seats]: side_of[seat] for seat in range(seats)}
    for field in ("cards", "declarations", "outranked", "belote", "counted", "points", "score"):
        assert after[field] == [before[field][was[side]] for side in range(rules.side_count)]


def renaming(value: Any, renamed: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [renaming(item, renamed) for item in value]
    if isinstance(value, dict):
        return {key: renaming(item, renamed) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    if value in CARD_NAMES or (len(value) > 1 and is_bid_name(value) and value[-1] in SUITS):
        return value[:-1] + renamed[value[-1]]
    return renamed.get(value, value)


def one_action_at_a_time_ends_there_too(rules: Ruleset, recording: Json, end: Any) -> None:
    deck = cut_deck(rules, [CARD_BY_NAME[card] for card in recording["deck"]], recording["cut"])
    dealt = deal_before_bidding(rules, recording["dealer"], deck)
    start = start_deal(rules, (0,) * rules.side_count, dealt)
    assert apply_all(rules, start, [action_of(action) for action in recording["actions"]]) == end


def _shuffled(seed: int) -> list[Card]:
    deck = list(EVERY_CARD)
    Random(seed).shuffle(deck)
    return deck


# Much quicker than st.permutations, which draws card by card.
decks = st.integers(0, 2**32).map(_shuffled)


@settings(max_examples=60)
@given(deck=decks, in_trick=st.integers(0, 3), in_hand=st.integers(1, 8), trump=st.sampled_from(EVERY_SUIT))
def test_some_card_is_always_legal(rules: Ruleset, deck: list[Card], in_trick: int, in_hand: int, trump: Suit) -> None:
    in_trick %= rules.players
    hand = card_set(deck[in_trick : in_trick + in_hand])
    legal = legal_cards(rules, rules.modes[trump], hand, table_of(rules, rules.modes[trump], 0, deck[:in_trick])).cards
    assert legal
    assert legal & ~hand == 0


@settings(max_examples=40)
@given(deck=decks, trump=st.sampled_from(EVERY_SUIT))
def test_a_refused_card_leaves_the_state_as_it_was(rules: Ruleset, deck: list[Card], trump: Suit) -> None:
    mode = rules.modes[trump]
    state = start_play(rules, mode, [card_set(deck[seat * 8 : seat * 8 + 8]) for seat in range(rules.players)], 0)
    state = force_card(rules, state, deck[0])
    legal = legal_cards(rules, mode, state.hands[1], state.table)
    for card in deck[8:16]:
        if not holds(legal.cards, card):
            before = tuple(state)
            with pytest.raises(IllegalCard) as refused:
                play_card(rules, state, 1, card)
            assert tuple(state) == before
            assert refused.value.rule in (legal.rule, "declarations.belote.order")
            assert refused.value.rule in rules.profile.settings


@settings(max_examples=40)
@given(hand=st.sets(st.sampled_from(EVERY_CARD), min_size=5, max_size=12))
def test_every_set_that_a_hand_could_announce_may_be_announced(rules: Ruleset, hand: set[Card]) -> None:
    held = card_set(hand)
    for found in possible_sets(rules, held):
        assert check_announcement(rules, held, [declaration.cards for declaration in found], None) == found
