"""Matches played by two rulesets at once: the same deck and choices, the same sums however they are shared out."""

import multiprocessing
from typing import Any

import pytest

from belot_reference.cards import ONLY, names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.deal_state import DealState
from belot_reference.match import start_match
from belot_reference.operations import answer
from belot_reference.simulated import PLAYERS
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import UnplayableError
from belot_spec.shipped import default_spec
from belot_workshop.impact import paired_deal
from belot_workshop.impact.comparison import SimulationSetup, Sums
from belot_workshop.impact.paired_deal import Watch, finished, play_out, plays_alike, shuffle
from belot_workshop.impact.simulation import PairedTable, booked, simulate, table_of
from suite_testing import ruleset

SPEC = default_spec()
VARIANTS = SPEC.playable()
NO_UNDERTRUMP = "belote+no-undertrump"


def with_value(name: str, rule: str, value: Any) -> Ruleset:
    return compile_profile(SPEC.profile(name).with_values(f"{name}-changed", {rule: value}, SPEC.rules))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", ["random", "sensible"])
def test_a_game_compared_with_itself_never_differs(variant: str, player: str) -> None:
    sums = simulate(SimulationSetup(variant, variant, player, 5), 12, jobs=1).sums
    assert sums.deals >= 12
    assert (sums.other_deals, sums.decisions.part, sums.other_winner, sums.undecided) == (0, 0, 0, 0)
    assert set(sums.changes) <= {0}
    assert (sums.taker.total, sums.defence.total, sums.length.total) == (0, 0, 0)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("player", ["random", "sensible"])
def test_plain_cards_are_played_as_they_are_one_action_at_a_time(
    variant: str, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = ruleset(variant)
    totals = (rules.value("match.target") - 60,) * rules.side_count
    decks = [shuffle(rules, rules, number) for number in range(15)]
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


def test_somebody_says_enough_when_the_target_is_near() -> None:
    rules = ruleset("bela-4")
    endings = {
        play_out(rules, 0, shuffle(rules, rules, number), PLAYERS["sensible"], (950, 950)).state.ended
        for number in range(20)
    }
    assert "claim" in endings


def test_the_decisions_that_differ_are_those_with_other_legal_cards() -> None:
    """The operation legal-cards, asked at every position of a deal, finds the same decisions."""
    old, new = ruleset("belote"), ruleset(NO_UNDERTRUMP)
    differing = 0
    for number in range(60):
        watch = Watch(old, new)
        done = play_out(old, 0, shuffle(old, new, number), PLAYERS["random"], (0, 0), watch)
        counted = _differing_cards(old, new, done.state)
        assert watch.differing == counted
        differing += counted
    assert differing > 5


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


@pytest.mark.parametrize(
    ("name", "rule", "value"),
    [
        ("belotten", "bidding.rounds", ["turn-up-suit", "any-suit"]),
        ("belotten", "bidding.first-bidder", "dealer"),
        ("belote", "declarations.belote.order", "king-first"),
        ("belote", "deck.sequence-order", ["7", "8", "9", "10", "A", "J", "Q", "K"]),
        ("belote", "play.follow.unruffed", ["higher_of_led_suit", "led_suit"]),
    ],
)
def test_a_rule_about_bids_cards_or_declarations_changes_decisions(name: str, rule: str, value: Any) -> None:
    assert SPEC.rules[rule].allows(value)
    sums = Sums()
    table = PairedTable(ruleset(name), with_value(name, rule, value), PLAYERS["random"], 1)
    for number in range(12):
        sums += table.play_match(number)
    assert sums.decisions.part > 0


@pytest.mark.parametrize(
    ("rule", "value"),
    [("scoring.all-tricks.points", 90), ("scoring.tie", "taker-falls"), ("scoring.last-trick", 20)],
)
def test_a_deal_that_only_counts_otherwise_need_not_be_played_again(rule: str, value: Any) -> None:
    old, new = ruleset("belote"), with_value("belote", rule, value)
    assert plays_alike(old, new)
    for number in range(25):
        deck = shuffle(old, new, number)
        by_old, again = (play_out(rules, 1, deck, PLAYERS["sensible"], (0, 0)) for rules in (old, new))
        counted = finished(new, by_old.state)
        assert (counted.state.bidding.taker, counted.settlement) == (again.state.bidding.taker, again.settlement)


@pytest.mark.parametrize("rule", ["scoring.trump-points", "match.claim", "play.lead", "declarations.tie"])
def test_a_rule_that_players_or_cards_see_takes_playing_again(rule: str) -> None:
    old = ruleset("bela-4")
    elsewhere = {"play.lead": ["trump", "any"], "declarations.tie": "first-in-turn", "match.claim": "played-out"}
    value = elsewhere.get(rule, {**old.value("scoring.trump-points"), "J": 21})
    assert not plays_alike(old, with_value("bela-4", rule, value))


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


@pytest.mark.parametrize("player", ["random", "sensible"])
def test_the_sums_are_the_same_whatever_the_number_of_processes(player: str) -> None:
    setting = SimulationSetup("belote", NO_UNDERTRUMP, player, 11)
    alone, shared = (simulate(setting, 40, jobs=jobs) for jobs in (1, 3))
    assert alone == shared
    assert alone.sums.deals >= 40


def test_no_process_is_left_when_the_deals_are_played() -> None:
    simulate(SimulationSetup("belote", NO_UNDERTRUMP, "random", 8), 40, jobs=3)
    assert multiprocessing.active_children() == []


def test_another_seed_plays_other_deals() -> None:
    one, other = (
        simulate(SimulationSetup("belote", NO_UNDERTRUMP, "random", seed), 40, jobs=1).sums for seed in (1, 2)
    )
    assert one != other


def test_more_deals_begin_with_the_same_matches() -> None:
    setting = SimulationSetup("belotten", "belotten+undertrump-forced", "random", 4)
    table = table_of(setting)
    sums = Sums()
    number = 0
    while sums.deals < 30:
        sums += table.play_match(number)
        number += 1
    assert simulate(setting, 30, jobs=1).sums == sums


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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bela-4", "bela-3", "bela-4 is played by 4 and bela-3 by 3"),
        ("belote", "denderbelot-3", "belote is played by 4"),
    ],
)
def test_games_for_other_numbers_of_players_are_not_compared(old: str, new: str, message: str) -> None:
    with pytest.raises(UnplayableError, match=message):
        simulate(SimulationSetup(old, new, "random", 1), 10, jobs=1)


def test_games_with_other_cards_are_not_compared() -> None:
    old = ruleset("bela-2")
    with pytest.raises(UnplayableError, match=r"deck\.removed-cards"):
        PairedTable(old, with_value("bela-2", "deck.removed-cards", ["7S", "7H"]), PLAYERS["random"], 1)


def test_totals_with_other_units_are_compared_in_card_points() -> None:
    table = PairedTable(ruleset("belotten"), ruleset("belote"), PLAYERS["random"], 1)
    sums = table.play_match(0)
    assert sums.taker.number == sums.deals
    # Rounded to tens and multiplied by ten again, a score is never far from the card points.
    assert all(abs(change) <= 400 for change in sums.changes)
    assert any(change % 10 for change in sums.changes)


def test_a_deal_that_nobody_takes_scores_nothing_and_passes_the_deal_on() -> None:
    rules = ruleset("belotten")
    for number in range(200):
        done = play_out(rules, 2, shuffle(rules, rules, number), PLAYERS["sensible"], (0, 0))
        if done.state.ended == "passed":
            assert done.score(rules) == (0, 0)
            assert booked(rules, start_match(rules, 2), done).dealer == 3
            return
    raise AssertionError("somebody took in every deal")
