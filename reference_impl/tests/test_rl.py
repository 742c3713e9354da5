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
from belot_spec.shipped import default_spec

VARIANTS = default_spec().nameable()
# What it warns of is no mistake here: the numbers of an observation have no common upper limit.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo", "ignore::DeprecationWarning")


@pytest.mark.parametrize("profile", VARIANTS)
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


@pytest.mark.parametrize("profile", VARIANTS)
def test_a_match_is_won_by_one_side_and_lost_by_the_others(profile: str) -> None:
    one = BelotEnv(profile, match=True)
    one.reset(seed=2)
    rng = Random(2)
    while not any(one.terminations.values()):
        one.step(rng.choice(sorted(offered(one.game, one._away))))
    score = one.game.score()
    assert score.winner is not None
    for side, seats in enumerate(score.sides):
        assert {one.rewards[f"seat_{seat}"] for seat in seats} == {1.0 if side == score.winner else -1.0}


@pytest.mark.parametrize("profile", ["belotten", "bela-3", "open-belot"])
def test_a_seed_deals_the_same_cards_and_another_others(profile: str) -> None:
    assert episode(env(profile), 5) == episode(env(profile), 5)
    assert episode(env(profile), 5) != episode(env(profile), 6)


def test_an_auction_adds_numbers_of_actions_behind_those_of_all_other_games() -> None:
    one = BelotEnv("bulgarian-belot")
    assert actions(one.game) == AUCTION_ACTIONS == ACTIONS + 4
    assert actions(Game("belotten")) == ACTIONS
    assert one.action_space("seat_0").contains(np.int64(AUCTION_ACTIONS - 1))
    assert not BelotEnv("belotten").action_space("seat_0").contains(np.int64(ACTIONS))
    one.reset(seed=1)
    opening = range(5), range(ACTIONS, ACTIONS + 2)
    assert sorted(offered(one.game)) == [number for numbers in opening for number in numbers]
    one.step(ACTIONS)
    assert sorted(offered(one.game)) == [0, ACTIONS + 1, ACTIONS + 2]
    one.step(ACTIONS + 2)
    assert [said for _, said in one.game.view(0).bids] == ["N", "double"]
    assert sorted(offered(one.game)) == [0, ACTIONS + 1, ACTIONS + 3]


def test_what_stands_in_an_auction_and_who_said_it_is_seen() -> None:
    one = BelotEnv("bulgarian-belot")
    one.reset(seed=1)
    found = {part.name: part for part in parts(one.game)}
    first = one.game.turn or 0

    def told(name: str, seat: int) -> list[int]:
        return [int(observation(one.game, seat)[place]) for place in found[name].places]

    assert told("mode", first) + told("raised", first) == [0] * 7
    for number in (2, 0, 0, ACTIONS + 1, ACTIONS + 2, ACTIONS + 3):
        one.step(number)
    assert told("mode", first) == [0, 0, 0, 0, 0, 1]
    assert told("raised", first) == [4]
    # Hearts and the double by the observer, all trumps by the last seat, the redouble by the second, its partner.
    said = [[index for index in range(8) if told("said", first)[8 * seat + index]] for seat in range(4)]
    assert said == [[1, 6], [7], [], [5]]


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


def test_a_card_is_offered_without_a_word_and_with_all_that_may_be_said() -> None:
    said = 0
    one = BelotEnv("belotten", match=True)
    one.reset(seed=3)
    rng = Random(3)
    while not any(one.terminations.values()):
        choices = offered(one.game, one._away)
        for number, action in choices.items():
            if number >= PLAY_AND_SAY:
                said += 1
                assert number - PLAY_AND_SAY + PLAY in choices
                assert not isinstance(action, str)
                assert action.belote or action.announce or action.show
        one.step(rng.choice(sorted(choices)))
    assert said


def test_an_action_that_is_not_offered_ends_the_episode() -> None:
    one = env("belotten")
    one.reset(seed=1)
    agent = one.agent_selection
    one.step(ACTIONS - 1)
    assert one.terminations[agent]
    assert one._cumulative_rewards[agent] == -1


def test_an_environment_can_be_packed_for_another_process() -> None:
    assert episode(pickle.loads(pickle.dumps(BelotEnv("belote"))), 4) == episode(BelotEnv("belote"), 4)


@pytest.mark.parametrize("profile", VARIANTS)
def test_every_number_of_an_observation_belongs_to_one_part_and_is_what_that_says(profile: str) -> None:
    one = BelotEnv(profile, match=True)
    one.reset(seed=4)
    found = {part.name: part for part in parts(one.game)}
    places = sorted(place for part in found.values() for place in part.places)
    assert places == list(range(len(observation(one.game, 0))))
    rng = Random(4)
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
        assert all(action_number(one.game, action) == number for number, action in choices.items()
                   if isinstance(action, Action) and not action.discard)  # fmt: skip
        one.step(rng.choice(sorted(choices)))


def test_a_packed_environment_goes_on_where_it_was() -> None:
    one = BelotEnv("belote")
    one.reset(seed=3)
    one.step(min(offered(one.game)))
    other = pickle.loads(pickle.dumps(one))
    assert other.game == one.game
    assert (other.observe(one.agent_selection)["observation"] == one.observe(one.agent_selection)["observation"]).all()


def test_an_environment_shows_the_score_sheet_and_the_table() -> None:
    one = env("belotten", render_mode="ansi")
    one.reset(seed=1)
    assert str(one.unwrapped.game) in str(one.render())
    assert one.render() == f"{one.unwrapped.game.score()}\n{one.unwrapped.game}"
