"""Players for simulated deals, and matches played by two rulesets at once, with the same deck and choices."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_reference.cards import CARD_BY_NAME, ONLY, CardSet, card_set, cards_in, names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.deal import DealState, deal_before_bidding, start_deal
from belot_reference.operations import answer
from belot_reference.play import PlayState, legal_now
from belot_reference.play import table_of as cards_on_table
from belot_reference.questions import mode_named
from belot_reference.simulated import PLAYERS, preference, sensible
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.shipped import default_spec
from belot_workshop.impact import paired_deal
from belot_workshop.impact.comparison import SimulationSetup, Sums
from belot_workshop.impact.paired_deal import Watch, finished, play_out, plays_alike, shuffle
from belot_workshop.impact.simulation import PairedTable, simulate, table_of
from suite_testing import ruleset

streams = st.integers(0, 2**64 - 1)


def hand_of(names: str) -> CardSet:
    return card_set(CARD_BY_NAME[name] for name in names.split())


@given(streams, st.integers(0, 2000), st.sets(st.integers(0, 31), min_size=1), st.data())
def test_who_has_fewer_choices_keeps_his_own(stream: int, decision: int, cards: set[int], data: st.DataObject) -> None:
    choose = preference(stream, decision)
    chosen = choose(sorted(cards))
    fewer = data.draw(st.sets(st.sampled_from(sorted(cards)))) | {chosen}
    assert choose(sorted(fewer)) == choose(sorted(fewer, reverse=True)) == chosen


def test_every_card_is_preferred_about_equally_often_and_each_time_anew() -> None:
    cards = [3, 9, 12, 20, None, None]
    counted = Counter(preference(stream, 7)(cards) for stream in range(3000))
    assert {*counted} == {*cards}
    assert all(400 < counted[one] < 600 for one in cards[:4])
    assert 880 < counted[None] < 1120
    alike = sum(preference(stream, 3)(cards[:4]) == preference(stream, 4)(cards[:4]) for stream in range(2000))
    assert 400 < alike < 600


def position(rules: Ruleset, trump: str, hand: str, trick: str, seat: int = 3, others: int = 0) -> PlayState:
    """Return a state in which a seat, with this hand, is to play to a trick; the others hold some of the rest."""
    cards = tuple(CARD_BY_NAME[name] for name in trick.split())
    rest = [card for card in cards_in(rules.deck & ~hand_of(hand)) if card not in cards]
    Random(others).shuffle(rest)
    size = len(hand.split())
    hands = [card_set(rest[place * size : (place + 1) * size]) for place in range(rules.players)]
    hands[seat] = hand_of(hand)
    leader = (seat - len(cards)) % rules.players
    table = cards_on_table(rules, mode_named(rules, trump), leader, cards)
    return PlayState(mode_named(rules, trump), tuple(hands), seat, cards, table.node, ())


@pytest.mark.parametrize(("trump", "hand", "trick", "chosen"), [
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
])  # fmt: skip
def test_a_sensible_player_plays(trump: str, hand: str, trick: str, chosen: str) -> None:
    rules = ruleset("belotten")
    state = start_deal(rules, (0, 0), deal_before_bidding(rules, 0, list(cards_in(rules.deck))))
    play = position(rules, trump, hand, trick)
    legal = list(cards_in(legal_now(rules, play)[0]))
    found = sensible(rules, state._replace(play=play), legal)
    assert [CARD_NAMES[card] for card in found] == chosen.split()


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(1, 3))
def test_what_the_others_hold_makes_no_difference_to_a_sensible_player(one: int, other: int, before: int) -> None:
    rules = ruleset("belotten")
    random = Random(one)
    deck = list(CARD_NAMES)
    random.shuffle(deck)
    hand, trick = " ".join(deck[:5]), " ".join(deck[5 : 5 + before])
    trump = random.choice(SUITS)
    state = start_deal(rules, (0, 0), deal_before_bidding(rules, 0, list(cards_in(rules.deck))))
    chosen = []
    for seed in (one, other):
        play = position(rules, trump, hand, trick, others=seed)
        legal = list(cards_in(legal_now(rules, play)[0]))
        chosen.append(sensible(rules, state._replace(play=play), legal))
    assert chosen[0] == chosen[1]


SPEC = default_spec()
VARIANTS = SPEC.playable()
NO_UNDERTRUMP = "belote+no-undertrump"


def with_value(name: str, rule: str, value: Any) -> Ruleset:
    return compile_profile(SPEC.profile(name).with_values(f"{name}-changed", {rule: value}, SPEC.rules))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_compared_with_itself_never_differs(variant: str) -> None:
    for player in PLAYERS:
        sums = simulate(SimulationSetup(variant, variant, player, 5), 4, jobs=1).sums
        assert sums.deals >= 4
        assert (sums.other_deals, sums.decisions.part, sums.other_winner, sums.undecided) == (0, 0, 0, 0)
        assert set(sums.changes) <= {0}
        assert (sums.taker.total, sums.defence.total, sums.length.total) == (0, 0, 0)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", ["random", "sensible"])
def test_plain_cards_are_played_as_single_actions(variant: str, player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset(variant)
    totals = (rules.value_or("match.target", 1500) - 60,) * rules.side_count
    decks = [shuffle(rules, rules, number) for number in range(5)]
    fast, watches = [], []
    for deck in decks:
        watch = Watch(rules, rules)
        fast.append(play_out(rules, 0, deck, PLAYERS[player], totals, watch))
        watches.append(watch.decisions)
    monkeypatch.setattr(paired_deal, "_plain_cards", lambda rules, state, *rest: state)
    for deck, quickly, decisions in zip(decks, fast, watches, strict=True):
        watch = Watch(rules, rules)
        slowly = play_out(rules, 0, deck, PLAYERS[player], totals, watch)
        assert quickly.state == slowly.state
        assert quickly.settlement == slowly.settlement
        assert watch.decisions == decisions


def test_the_decisions_that_differ_are_those_with_other_legal_cards() -> None:
    """The operation legal-cards, asked at every position of a deal, finds the same decisions."""
    old, new = ruleset("belote"), ruleset(NO_UNDERTRUMP)
    differing = 0
    for number in range(30):
        watch = Watch(old, new)
        done = play_out(old, 0, shuffle(old, new, number), PLAYERS["random"], (0, 0), watch)
        counted = _differing_cards(old, new, done.state)
        assert watch.differing == counted
        differing += counted
    assert differing


def _differing_cards(old: Ruleset, new: Ruleset, state: DealState) -> int:
    if state.play is None:
        return 0
    held, found = list(state.hands), 0
    for trick in state.play.tricks:
        for place, card in enumerate(trick.cards):
            seat = (trick.leader + place) % 4
            asked = {
                "trump": state.play.mode.name,
                "hand": names_of(held[seat]),
                "trick": [CARD_NAMES[one] for one in trick.cards[:place]],
            }
            before, after = (answer("legal-cards", rules, asked).result for rules in (old, new))
            assert before is not None
            assert after is not None
            found += before["cards"] != after["cards"]
            held[seat] &= ~ONLY[card]
    return found


@pytest.mark.parametrize(("name", "rule", "value"), [
    ("belotten", "bidding.rounds", ["turn-up-suit", "any-suit"]),
    ("belotten", "bidding.first-bidder", "dealer"),
    ("belote", "play.follow.unruffed", ["higher_of_led_suit", "led_suit"]),
])  # fmt: skip
def test_a_rule_about_bids_cards_or_declarations_changes_decisions(name: str, rule: str, value: Any) -> None:
    assert SPEC.rules[rule].allows(value)
    sums = Sums()
    table = PairedTable(ruleset(name), with_value(name, rule, value), PLAYERS["random"], 1)
    while not sums.decisions.part and sums.deals < 400:
        sums += table.play_match(sums.deals)
    assert sums.decisions.part > 0


@pytest.mark.parametrize(("name", "rule", "value", "alike"), [
    ("belote", "scoring.tie", "taker-falls", True),
    ("belote", "scoring.last-trick", 20, True),
    ("bela-4", "match.claim", "played-out", False),
    ("bela-4", "play.lead", ["trump", "any"], False),
    ("bela-4", "declarations.tie", "first-in-turn", False),
])  # fmt: skip
def test_a_deal_that_only_counts_otherwise_is_not_played_again(name: str, rule: str, value: Any, alike: bool) -> None:
    old, new = ruleset(name), with_value(name, rule, value)
    assert plays_alike(old, new) is alike
    for number in range(10 if alike else 0):
        deck = shuffle(old, new, number)
        by_old, again = (play_out(rules, 1, deck, PLAYERS["sensible"], (0, 0)) for rules in (old, new))
        counted = finished(new, by_old.state)
        assert (counted.state.bidding.taker, counted.settlement) == (again.state.bidding.taker, again.settlement)


def test_points_held_after_a_tie_are_a_change_of_their_own() -> None:
    """A tie between old and new rules: what the taker's side loses, the defence gets or is held."""
    table = PairedTable(ruleset("belote"), with_value("belote", "scoring.tie", "taker-falls"), PLAYERS["random"], 3)
    sums = Sums()
    for number in range(60):
        sums += table.play_match(number)
    assert sums.other_deals > 0
    assert sums.taker.total == 0
    assert sums.defence.total == -sums.held.total > 0
    assert sums.decisions.part == 0


def test_an_interrupt_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = SimulationSetup("belote", NO_UNDERTRUMP, "random", 1)
    whole = [table_of(setting).play_match(number) for number in range(3)]
    played = PairedTable.play_match

    def interrupted(table: PairedTable, number: int) -> Sums:
        if number == 3:
            raise KeyboardInterrupt
        return played(table, number)

    monkeypatch.setattr(PairedTable, "play_match", interrupted)
    found = simulate(setting, 4_000, jobs=1)
    assert found.interrupted
    assert found.sums == sum(whole, Sums())
