"""Players for simulated deals: they do what is legal, hang on the stream alone, and see no hidden card."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_reference.actions import DiscardAction
from belot_reference.cards import CARD_BY_NAME, CardSet, card_set, cards_in
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.dealing import deal_before_bidding
from belot_reference.play import PlayState, legal_now, table_of
from belot_reference.questions import mode_named, suit_named
from belot_reference.replay import apply_action, start_deal
from belot_reference.simulated import PLAYERS, SimulatedPlayer, preference, sensible
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.shipped import default_spec
from belot_workshop.impact.paired_deal import play_out, shuffle

VARIANTS = default_spec().playable()
streams = st.integers(0, 2**64 - 1)


def rules_of(name: str) -> Ruleset:
    return compile_profile(default_spec().profile(name))


def hand_of(names: str) -> CardSet:
    return card_set(CARD_BY_NAME[name] for name in names.split())


@given(streams, st.integers(0, 2000), st.sets(st.integers(0, 31), min_size=1), st.data())
def test_whoever_has_fewer_choices_keeps_his_choice_if_it_is_left(
    stream: int, decision: int, cards: set[int], data: st.DataObject
) -> None:
    choose = preference(stream, decision)
    chosen = choose(sorted(cards))
    fewer = data.draw(st.sets(st.sampled_from(sorted(cards)))) | {chosen}
    assert choose(sorted(fewer)) == choose(sorted(fewer, reverse=True)) == chosen


def test_every_card_is_preferred_about_equally_often() -> None:
    cards = [3, 9, 12, 20, 31]
    counted = Counter(preference(stream, 7)(cards) for stream in range(5000))
    assert set(counted) == set(cards)
    assert all(850 < times < 1150 for times in counted.values())


def test_what_stands_twice_is_chosen_twice_as_often() -> None:
    counted = Counter(preference(stream, 1)([0, 1, None, None]) for stream in range(4000))
    assert 1850 < counted[None] < 2150


def test_decisions_of_a_deal_do_not_hang_on_each_other() -> None:
    cards = list(range(8))
    alike = sum(preference(stream, 3)(cards) == preference(stream, 4)(cards) for stream in range(4000))
    assert 400 < alike < 600


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", PLAYERS.values(), ids=list(PLAYERS))
def test_every_player_can_play_every_variant_to_its_end(variant: str, player: SimulatedPlayer) -> None:
    rules = rules_of(variant)
    for number in range(12):
        shuffled = shuffle(rules, rules, number)
        done = play_out(rules, number % rules.players, shuffled, player, (0,) * rules.side_count)
        assert done.state.ended is not None
        if done.settlement is not None and done.state.play is not None:
            assert len(done.state.play.tricks) == rules.hand_size


def test_sensible_players_take_often_and_mostly_make_it() -> None:
    rules = rules_of("belote")
    outcomes: Counter[str] = Counter()
    for number in range(200):
        done = play_out(rules, number % 4, shuffle(rules, rules, number), PLAYERS["sensible"], (0, 0))
        outcomes[done.settlement.outcome if done.settlement else "passed"] += 1
    assert outcomes["passed"] < 60
    assert outcomes["made"] > 2 * outcomes["fell"]


def position(rules: Ruleset, trump: str, hand: str, trick: str, seat: int = 3, others: int = 0) -> PlayState:
    """Return a state in which a seat, with this hand, is to play to a trick; the others hold some of the rest."""
    cards = tuple(CARD_BY_NAME[name] for name in trick.split())
    rest = [card for card in cards_in(rules.deck & ~hand_of(hand)) if card not in cards]
    Random(others).shuffle(rest)
    size = len(hand.split())
    hands = [card_set(rest[place * size : (place + 1) * size]) for place in range(rules.players)]
    hands[seat] = hand_of(hand)
    leader = (seat - len(cards)) % rules.players
    table = table_of(rules, mode_named(rules, trump), leader, cards)
    return PlayState(mode_named(rules, trump), tuple(hands), seat, cards, table.node, ())


@pytest.mark.parametrize(
    ("trump", "hand", "trick", "chosen"),
    [
        ("S", "AH 10H KH 7H", "8H 9H QH", "KH"),  # the cheapest card that takes the trick from the opponent
        ("S", "JS 7S 8D 9D", "AH 8H 7H", "7S"),  # a ruff, and the cheapest one
        ("S", "AH KH 7H", "10H 8H JH", "AH"),
        ("S", "KH 7H 8H", "9H AH QH", "KH"),  # the partner is winning for good: points for him
        ("S", "10D 7D KC", "7H AH 8H", "10D"),  # the same when void
        ("S", "KH 8H 7H", "10H AH", "7H"),  # the opponent keeps the trick: the cheapest card
        ("S", "9D 7D 8C", "AH 10H KH", "7D"),  # nothing to win with: what is worth least
        ("S", "AD 7D 8D 9C", "", "AD"),  # nothing beats the ace of a suit when it is led
        ("S", "JS 9S 7D", "", "9S JS"),  # trumps that win, while others may hold some
        ("S", "KD 7D 8C QC", "", "7D"),  # otherwise something cheap
    ],
)
def test_a_sensible_player_plays(trump: str, hand: str, trick: str, chosen: str) -> None:
    rules = rules_of("belotten")
    state = start_deal(rules, 0, (0, 0), deal_before_bidding(rules, 0, list(cards_in(rules.deck))))
    play = position(rules, trump, hand, trick)
    legal = list(cards_in(legal_now(rules, play)[0]))
    found = sensible(rules, state._replace(play=play), legal)
    assert [CARD_NAMES[card] for card in found] == chosen.split()


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(1, 3))
def test_what_the_others_hold_makes_no_difference_to_a_sensible_player(one: int, other: int, before: int) -> None:
    rules = rules_of("belotten")
    random = Random(one)
    deck = list(CARD_NAMES)
    random.shuffle(deck)
    hand, trick = " ".join(deck[:5]), " ".join(deck[5 : 5 + before])
    trump = random.choice(SUITS)
    state = start_deal(rules, 0, (0, 0), deal_before_bidding(rules, 0, list(cards_in(rules.deck))))
    chosen = []
    for seed in (one, other):
        play = position(rules, trump, hand, trick, others=seed)
        legal = list(cards_in(legal_now(rules, play)[0]))
        chosen.append(sensible(rules, state._replace(play=play), legal))
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(("first_five", "says"), [("JS 9S AS AH 7D", "S"), ("7S 8H 9D QC KC", None)])
def test_a_sensible_player_names_a_strong_suit_and_passes_without_one(first_five: str, says: str | None) -> None:
    rules = rules_of("belotten")
    deck = list(cards_in(rules.deck))
    state = start_deal(rules, 0, (0, 0), deal_before_bidding(rules, 0, deck))
    assert state.dealt is not None
    hands = list(state.dealt.hands)
    hands[state.bidding.turn] = hand_of(first_five)
    turned = CARD_BY_NAME["KS"] if says else CARD_BY_NAME["7H"]
    known = state._replace(dealt=replace(state.dealt, hands=tuple(hands)), turn_up=turned)
    bids = [suit_named("S") if says else suit_named("H"), None, None]
    assert list(sensible(rules, known, bids)) == [None if says is None else suit_named(says)]


def test_a_sensible_taker_lays_points_away_and_keeps_trumps_and_aces() -> None:
    rules = rules_of("bela-3")
    laid: Counter[str] = Counter()
    for number in range(60):
        shuffled = shuffle(rules, rules, number)
        dealt = deal_before_bidding(rules, 0, list(shuffled.deck))
        state = start_deal(rules, 0, (0, 0, 0), dealt)
        while state.play is None or not state.discarded:
            action = PLAYERS["sensible"].action(rules, state, shuffled.stream, claims=False)
            if isinstance(action, DiscardAction) and state.play is not None:
                laid["trump" if action.cards & state.play.mode.trump_cards else "plain"] += 1
                laid["points"] += rules.points_of(state.play.mode, action.cards)
            state = apply_action(rules, state, action)
            if state.ended:
                break
    assert laid["trump"] < laid["plain"] / 10
    assert laid["points"] > 5 * laid["plain"]
