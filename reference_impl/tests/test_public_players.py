"""Players over a view: they play what the players of simulated deals play, see nothing else, and play matches."""

import pickle
from collections.abc import Sequence
from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import belot
from belot_reference.game import engine_of
from belot_reference.players import chosen
from belot_reference.simulated import PLAYERS
from belot_spec.spec import Spec

PROFILES = ("bela-2", "bela-3", "bela-4+announced-with-first-card", "belotten", "coinche", "denderbelot", "open-belot")


def said(action: belot.Action) -> tuple[object, ...]:
    return action.seat, action.bid, action.play, action.belote, action.show, set(action.made), set(action.discard), {
        frozenset(cards) for cards in action.announce
    }, action.exchange  # fmt: skip


@pytest.mark.parametrize("kind", PLAYERS)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_player_over_a_view_does_what_simulation_does(spec: Spec, profile: str, kind: str) -> None:
    compared = 0
    for seed in range(4):
        game = belot.Game(profile, seed=seed, dealer=seed % spec.profile(profile).value("deal.players"))
        while game.deal_number == 1 and not game.is_over:
            rules, state = engine_of(game)
            wanted = PLAYERS[kind].action(rules, state, seed, claims=False)
            announces = wanted.announce and wanted.play is None and wanted.seat == game.turn
            if game.phase == "announce" and not announces and not wanted.exchange:
                # Who has nothing to announce is silent here, and passed over there.
                assert game.turn is not None
                found = chosen(PLAYERS[kind], game.view(game.turn), game.legal_actions(), seed)
                assert found == belot.Action(seat=game.turn, silent=True)
                game = game.apply(found)
                continue
            found = chosen(PLAYERS[kind], game.view(wanted.seat), game.legal_actions(wanted.seat), seed)
            if wanted.show and not found.show:  # where showing changes nothing it is not offered
                assert not any(one.show for one in game.legal_actions() if one.play == wanted.play)
                wanted = belot.Action.from_json({name: one for name, one in wanted.to_json().items() if name != "show"})
            assert said(found) == said(wanted)
            compared += 1
            game = game.apply(found)
    assert compared > 40


@pytest.mark.parametrize("profile", PROFILES)
def test_players_play_a_match_and_its_record_plays_it_again(spec: Spec, profile: str) -> None:
    players = [belot.SensiblePlayer(seat) if seat % 2 else belot.RandomPlayer(seat) for seat in range(4)]
    seats = spec.profile(profile).value("deal.players")
    game = belot.play_match(profile, players[:seats], seed=3)
    assert game.is_over
    assert belot.Game.from_record(game.to_record()) == game
    assert belot.play_match(profile, players[:seats], seed=3) == game


def test_sensible_players_win_from_random_ones() -> None:
    won = 0
    for seed in range(10):
        players = [belot.SensiblePlayer(1), belot.RandomPlayer(2), belot.SensiblePlayer(3), belot.RandomPlayer(4)]
        won += belot.play_match("belotten", players, seed=seed, dealer=seed % 4).score().winner == 0
    assert won >= 8


@settings(max_examples=30)
@given(st.integers(0, 2**53), st.integers(0, 40), st.integers(0, 3))
def test_what_a_player_does_hangs_on_his_view_alone(seed: int, steps: int, own: int) -> None:
    rng = Random(seed)
    game = belot.Game("belotten", seed=seed)
    for _ in range(steps):
        game = game.apply(rng.choice(game.legal_actions()))
    assert game.turn is not None
    view, actions = game.view(game.turn), game.legal_actions()
    for player in (belot.SensiblePlayer(own), belot.RandomPlayer(own)):
        found = player.choose(view, actions)
        assert found in actions
        for other in (deepcopy(player), pickle.loads(pickle.dumps(player))):
            assert other == player
            assert repr(other) == repr(player)
            assert other.choose(pickle.loads(pickle.dumps(view)), actions) == found


class Wrong(belot.Player):
    """Returns what nobody offered."""

    def choose(self, view: belot.View, actions: Sequence[belot.Action]) -> belot.Action:
        return belot.Action(seat=0, bid="X")


def test_a_player_that_does_what_it_was_not_offered_is_told_so() -> None:
    with pytest.raises(belot.BadQuestionError, match=r"^players.0: it chose what it was not offered: seat 0: bid X$"):
        belot.play_match("belotten", [Wrong(), Wrong(), Wrong(), Wrong()], seed=1)
    with pytest.raises(belot.BadQuestionError, match=r"^players: one for each seat, 4 in belotten, not 2$"):
        belot.play_match("belotten", [Wrong(), Wrong()])


class Claimer(belot.SensiblePlayer):
    """Says enough as soon as it may, whoever's turn it is."""

    claimed = 0

    def interrupt(self, view: belot.View, actions: Sequence[belot.Action]) -> belot.Action | None:
        found = next((action for action in actions if action.claim), None)
        Claimer.claimed += found is not None
        return found


def test_a_player_may_claim_out_of_turn() -> None:
    games = [belot.play_match("bela-4", [Claimer(seat) for seat in range(4)], seed=seed) for seed in range(5)]
    assert Claimer.claimed
    assert "claim" in {game.score().deals[-1].ended for game in games}
