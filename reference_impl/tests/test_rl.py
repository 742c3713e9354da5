"""The environment for programs that learn: what PettingZoo itself checks, and what the numbers mean."""

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from belot_reference import Action, Game
from belot_reference.rl import (
    ACTIONS,
    ANNOUNCE,
    AUCTION_ACTIONS,
    DISCARD,
    PLAY,
    PLAY_AND_SAY,
    BelotEnv,
    action_number,
    actions,
    env,
    most,
    observation,
    offered,
    parts,
    scaled,
)
from belot_spec.card_names import CARD_NAMES

VARIED = ("bela-2", "bela-3", "belotten", "coinche", "open-belot")
# What it warns of is no mistake here: the numbers of an observation have no common upper limit.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo", "ignore::DeprecationWarning")


@pytest.mark.parametrize("profile", VARIED)
def test_the_environment_is_one_by_pettingzoos_own_checks(profile: str) -> None:
    api_test(env(profile), num_cycles=300)
    seed_test(lambda: env(profile), num_cycles=150)


def episode(one: Any, seed: int) -> list[tuple[str, int]]:
    """Play an episode by any offered action, and return who did what."""
    rng, told = Random(seed), []
    one.reset(seed=seed)
    for agent in one.agent_iter():
        seen, _, ended, _, _ = one.last()
        assert one.observation_space(agent).contains(seen)
        action = None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        if action is not None:
            told.append((agent, action))
        one.step(action)
    return told


def test_a_seed_deals_the_same_cards_in_another_process_too_and_another_seed_others() -> None:
    assert episode(env("belotten"), 5) == episode(pickle.loads(pickle.dumps(BelotEnv("belotten"))), 5)
    assert episode(env("belotten"), 5) != episode(env("belotten"), 6)


def test_an_auction_adds_numbers_of_actions_behind_those_of_all_other_games() -> None:
    one = BelotEnv("bulgarian-belot")
    assert actions(one.game) == AUCTION_ACTIONS == ACTIONS + 4
    assert actions(Game("belotten")) == ACTIONS
    assert one.action_space("seat_0").contains(np.int64(AUCTION_ACTIONS - 1))
    assert not BelotEnv("belotten").action_space("seat_0").contains(np.int64(ACTIONS))
    one.reset(seed=1)
    assert sorted(offered(one.game)) == [0, 1, 2, 3, 4, ACTIONS, ACTIONS + 1]
    one.step(ACTIONS)
    assert sorted(offered(one.game)) == [0, ACTIONS + 1, ACTIONS + 2]
    one.step(ACTIONS + 2)
    assert [said for _, said in one.game.view(0).bids] == ["N", "double"]
    assert sorted(offered(one.game)) == [0, ACTIONS + 1, ACTIONS + 3]


def test_what_stands_in_an_auction_and_who_said_it_is_seen() -> None:
    one = BelotEnv("bulgarian-belot")
    one.reset(seed=1)
    first = one.game.turn or 0
    for number in (2, 0, 0, ACTIONS + 1, ACTIONS + 2, ACTIONS + 3):
        one.step(number)
    seen = observation(one.game, first)
    told = {part.name: [int(seen[place]) for place in part.places] for part in parts(one.game)}
    assert told["mode"] + told["raised"] == [0, 0, 0, 0, 0, 1, 4]
    # Hearts and the double by the observer, all trumps by the last seat, the redouble by the second, its partner.
    assert [place for place, said in enumerate(told["said"]) if said] == [1, 6, 8 + 7, 24 + 5]


def test_the_taker_lays_cards_away_one_at_a_time() -> None:
    one = BelotEnv("bela-3")
    one.reset(seed=1)
    while one.game.phase == "bid":
        one.step(max(offered(one.game)))
    hand = set(one.game.view(one.game.turn or 0).hand)
    assert {CARD_NAMES[number - DISCARD] for number in offered(one.game)} == hand
    first = min(offered(one.game))
    one.step(first)
    assert first not in np.flatnonzero(one.observe(one.agent_selection)["action_mask"])
    second = min(offered(one.game, one._away))
    taker = one.agent_selection
    one.step(second)
    assert one.game.phase in ("announce", "play")
    laid = set(one.game.view(one.possible_agents.index(taker)).discarded)
    assert laid == {CARD_NAMES[first - DISCARD], CARD_NAMES[second - DISCARD]}


def test_of_several_announcements_the_one_worth_most_is_offered() -> None:
    found = []
    for seed in range(60):
        one = BelotEnv("bela-4")
        one.reset(seed=seed)
        while one.game.phase == "bid":
            one.step(max(offered(one.game)))
        choice = offered(one.game).get(ANNOUNCE)
        if isinstance(choice, Action):
            found.append(announced_by(one.game, choice))
            assert found[-1] == max(announced_by(one.game, one_of) for one_of in one.game.legal_actions())
    assert found


def announced_by(game: Game, action: Action) -> int:
    return sum(told.points for told in game.apply(action).view(action.seat).announced[action.seat])


def test_an_action_that_is_not_offered_ends_the_episode() -> None:
    one = env("belotten")
    one.reset(seed=1)
    agent = one.agent_selection
    one.step(ACTIONS - 1)
    assert one.terminations[agent]
    assert one._cumulative_rewards[agent] == -1


@pytest.mark.parametrize("profile", VARIED)
def test_a_match_is_seen_and_offered_as_it_is_and_won_by_one_side(profile: str) -> None:
    one = BelotEnv(profile, match=True)
    one.reset(seed=4)
    found = {part.name: part for part in parts(one.game)}
    places = sorted(place for part in found.values() for place in part.places)
    assert places == list(range(len(observation(one.game, 0))))
    rng, said = Random(4), 0
    while not any(one.terminations.values()):
        for seat in range(one.game.players):
            view, seen = one.game.view(seat), observation(one.game, seat)
            own = {name: [int(seen[place]) for place in part.places] for name, part in found.items()}
            assert (seen <= most(one.game)).all()
            assert 0 <= scaled(one.game, seat).min() <= scaled(one.game, seat).max() <= 1
            assert [CARD_NAMES[card] for card, held in enumerate(own["hand"]) if held] == list(view.hand)
            assert own["dealer"].index(1) == (view.dealer - seat) % one.game.players
            assert sum(own["passes"]) == sum(said == "pass" for _, said in view.bids)
            assert own["points"][0] == sum(told.points for told in view.announced[seat])
            assert own["belote"][0] == view.belote[seat]
            assert sum(own["played"]) == sum(len(trick.cards) for trick in view.tricks)
            assert sum(own["trick"]) == (0 if view.trick is None else len(view.trick.cards))
            assert own["phase"] == [int(view.phase == phase) for phase in ("bid", "discard", "announce", "play")]
        choices = offered(one.game, one._away)
        for number, action in choices.items():
            if PLAY_AND_SAY <= number < ACTIONS:  # offered without a word too
                assert number - PLAY_AND_SAY + PLAY in choices
                assert isinstance(action, Action)
                assert action.belote or action.announce or action.show or action.made
                said += 1
        assert all(action_number(one.game, action) == number for number, action in choices.items()
                   if isinstance(action, Action) and not action.discard)  # fmt: skip
        one.step(rng.choice(sorted(choices)))
    assert said or profile == "open-belot"
    score = one.game.score()
    for side, seats in enumerate(score.sides):
        assert {one.rewards[f"seat_{seat}"] for seat in seats} == {1.0 if side == score.winner else -1.0}
