"""What holds in every deal, whichever cards fall."""

import json
from collections.abc import Callable
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belot_reference.bids import is_bid_name
from belot_reference.cards import (
    ALL_CARDS,
    CARD_BY_NAME,
    EVERY_CARD,
    EVERY_SUIT,
    Card,
    Suit,
    card_set,
    cards_in,
    holds,
    names_of,
)
from belot_reference.compile import Ruleset
from belot_reference.dealing import cut_deck, deal_before_bidding
from belot_reference.declarations import check_announcement, possible_sets
from belot_reference.errors import IllegalCard
from belot_reference.operations import Answer, answer
from belot_reference.play import force_card, legal_cards, play_card, start_play, table_of
from belot_reference.questions import action_of, mode_named, suit_named
from belot_reference.recording import Shuffled, record_deal
from belot_reference.replay import apply_all, start_deal
from belot_spec.card_names import CARD_NAMES, SUITS

Recording = dict[str, Any]
Recorder = Callable[[Ruleset, Random], Recording]

seeds = st.integers(min_value=0, max_value=2**32)
relaxed = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def replayed(rules: Ruleset, recording: Recording) -> dict[str, Any]:
    found: Answer = answer("replay", rules, recording)
    assert found.rejected is None, found.rejected
    assert found.result is not None
    return dict(found.result)


@relaxed
@given(seed=seeds)
def test_a_legal_recording_replays_to_its_end(rules: Ruleset, random_recording: Recorder, seed: int) -> None:
    result = replayed(rules, random_recording(rules, Random(seed)))
    assert result["ended"] == "played"
    assert len(result["tricks"]) == rules.hand_size


@relaxed
@given(seed=seeds)
def test_card_points_of_a_deal_are_conserved(rules: Ruleset, random_recording: Recorder, seed: int) -> None:
    recording = random_recording(rules, Random(seed))
    result = replayed(rules, recording)
    played = card_set(
        CARD_BY_NAME[card]
        for action in recording["actions"]
        for card in [*action.get("discard", ()), *([action["play"]] if "play" in action else [])]
    )
    points = rules.points_of(mode_named(rules, result["trump"]), played)
    tricks = [0] * rules.side_count
    for trick in result["tricks"]:
        tricks[rules.side_of[trick["winner"]]] += 1
    cancelled = tricks.count(0) == 1 and rules.value_or("scoring.trickless-player", "none") != "none"
    assert sum(result["cards"]) == points + (0 if cancelled else 10)
    if played == ALL_CARDS:
        everything = {} if rules.has_amounts else {"A": 258, "N": 130}
        assert sum(result["cards"]) == everything.get(result["trump"], 162)


@relaxed
@given(seed=seeds)
def test_points_paid_out_are_points_counted_unless_held_or_forfeited(
    rules: Ruleset, random_recording: Recorder, seed: int
) -> None:
    result = replayed(rules, random_recording(rules, Random(seed)))
    if rules.has_amounts:
        assert sum(result["points"]) == _written_with_a_bid(rules, result)
        return
    taking = rules.side_of[result["taker"]]
    forfeited = result["outcome"] == "fell" and rules.value_or("scoring.fall-to", "") == "nobody"
    kept_back = result["counted"][taking] if result["outcome"] == "tied" or forfeited else 0
    raised = result.get("raised", 1)
    if raised > 1 and result["outcome"] == "tied":
        kept_back = raised * sum(result["counted"])
    assert sum(result["points"]) + kept_back == raised * sum(result["counted"])


def _written_with_a_bid(rules: Ruleset, result: dict[str, Any]) -> int:
    """Return what both sides write together: a capot counts 250, and so do its cards, all others 160.

    At coinche all tricks of the takers count 250 in a doubled deal without capot too.
    """
    is_capot, raised, is_made = result["bid"] == "capot", result["raised"], result["outcome"] == "made"
    bid = 250 if is_capot else result["bid"]
    if is_made and raised == 1:
        return int(sum(result["counted"]) + bid)
    swept = is_made and all(rules.partners(trick["winner"], result["taker"]) for trick in result["tricks"])
    for_all = is_capot or (swept and rules.value("scoring.raised-sum") == "fixed-or-all-tricks")
    return int(raised * ((250 if for_all else 160) + bid) + sum(result["belote"]) + sum(result["declarations"]))


@relaxed
@given(seed=seeds, turn=st.integers(min_value=1, max_value=3))
def test_moving_everybody_round_the_table_changes_nothing(
    rules: Ruleset, random_recording: Recorder, seed: int, turn: int
) -> None:
    recording = random_recording(rules, Random(seed))
    seats, side_of = rules.players, rules.side_of
    moved = {**recording, "dealer": (recording["dealer"] + turn) % seats}
    moved["actions"] = [{**action, "seat": (action["seat"] + turn) % seats} for action in recording["actions"]]
    before, after = replayed(rules, recording), replayed(rules, moved)
    was = {side_of[(seat + turn) % seats]: side_of[seat] for seat in range(seats)}
    for field in ("cards", "declarations", "outranked", "belote", "counted", "points", "score"):
        assert after[field] == [before[field][was[side]] for side in range(rules.side_count)]


@relaxed
@given(seed=seeds, order=st.sampled_from(list(permutations(SUITS))))
def test_renaming_the_suits_changes_no_figure(
    rules: Ruleset, random_recording: Recorder, seed: int, order: tuple[str, ...]
) -> None:
    if not rules.is_same_in([suit_named(suit) for suit in order]):
        order = SUITS
    recording = random_recording(rules, Random(seed))
    renamed = dict(zip(SUITS, order, strict=True))

    def rename(value: Any) -> Any:
        if isinstance(value, list):
            return [rename(item) for item in value]
        if isinstance(value, dict):
            return {key: rename(item) for key, item in value.items()}
        if isinstance(value, str) and (
            value in CARD_NAMES or (len(value) > 1 and is_bid_name(value) and value[-1] in SUITS)
        ):
            return value[:-1] + renamed[value[-1]]
        return renamed.get(value, value) if isinstance(value, str) else value

    before, after = replayed(rules, recording), replayed(rules, rename(recording))
    assert {**before, "trump": renamed.get(before["trump"], before["trump"])} == after


@relaxed
@given(seed=seeds)
def test_answers_survive_a_round_trip_through_json(rules: Ruleset, random_recording: Recorder, seed: int) -> None:
    recording = random_recording(rules, Random(seed))
    result = replayed(rules, json.loads(json.dumps(recording)))
    assert json.loads(json.dumps(result)) == result


@relaxed
@given(seed=seeds)
def test_playing_one_action_at_a_time_ends_where_the_whole_recording_does(rules: Ruleset, seed: int) -> None:
    rng = Random(seed)
    deck = list(cards_in(rules.deck))
    rng.shuffle(deck)
    recording, played = record_deal(rules, Shuffled(rng.randrange(rules.players), deck, 12), rng.choice)
    dealt = deal_before_bidding(rules, recording["dealer"], cut_deck(rules, deck, 12))
    start = start_deal(rules, recording["dealer"], (0,) * rules.side_count, dealt)
    assert apply_all(rules, start, [action_of(action) for action in recording["actions"]]) == played


def _shuffled(seed: int) -> list[Card]:
    deck = list(EVERY_CARD)
    Random(seed).shuffle(deck)
    return deck


# Much quicker than st.permutations, which draws card by card.
decks = seeds.map(_shuffled)
positions = st.tuples(decks, st.integers(0, 3), st.integers(1, 8), st.sampled_from(EVERY_SUIT))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=positions)
def test_some_card_of_the_hand_is_always_legal(rules: Ruleset, position: tuple[list[Card], int, int, Suit]) -> None:
    deck, in_trick, in_hand, trump = position
    in_trick %= rules.players
    hand = card_set(deck[in_trick : in_trick + in_hand])
    legal = legal_cards(rules, rules.modes[trump], hand, table_of(rules, rules.modes[trump], 0, deck[:in_trick])).cards
    assert legal
    assert legal & ~hand == 0


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deck=decks, trump=st.sampled_from(EVERY_SUIT))
def test_a_refused_card_leaves_the_state_as_it_was(rules: Ruleset, deck: list[Card], trump: Suit) -> None:
    mode = rules.modes[trump]
    state = start_play(rules, mode, [card_set(deck[seat * 8 : seat * 8 + 8]) for seat in range(rules.players)], 0)
    state = force_card(rules, state, deck[0])
    for card in deck[8:16]:
        legal = legal_cards(rules, mode, state.hands[1], state.table)
        if not holds(legal.cards, card):
            before = tuple(state)
            with pytest.raises(IllegalCard) as refused:
                play_card(rules, state, 1, card)
            assert tuple(state) == before
            assert refused.value.rule in (legal.rule, "declarations.belote.order")
            assert refused.value.rule in rules.profile.settings


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hand=st.sets(st.sampled_from(EVERY_CARD), min_size=5, max_size=12))
def test_every_set_that_a_hand_could_announce_may_be_announced(rules: Ruleset, hand: set[Card]) -> None:
    held = card_set(hand)
    for found in possible_sets(rules, held):
        announced = [declaration.cards for declaration in found]
        assert check_announcement(rules, held, announced, None) == found


def test_card_sets_and_names_agree() -> None:
    assert names_of(ALL_CARDS) == list(CARD_NAMES)
    assert card_set(cards_in(ALL_CARDS)) == ALL_CARDS
