"""The environment for programs that learn: what PettingZoo itself checks, and what the numbers mean."""

import pickle
from random import Random
from typing import Any

import pytest

from belot_reference import Action, Game
from belot_spec.card_names import CARD_NAMES
from process_testing import Lazily

rl = Lazily("belot_reference.rl")
VARIED = ("bela-2", "bela-3", "belotten", "coinche", "open-belot")
# What it warns of is no mistake here: the numbers of an observation have no common upper limit.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo", "ignore::DeprecationWarning")


@pytest.mark.parametrize("profile", VARIED)
def test_the_environment_is_one_by_pettingzoos_own_checks(profile: str) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(rl.env(profile), num_cycles=300)
    seed_test(lambda: rl.env(profile), num_cycles=150)


def episode(one: Any, seed: int) -> list[tuple[str, int]]:
    """Play an episode by any offered action, and return who did what."""
    import numpy as np

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
    assert episode(rl.env("belotten"), 5) == episode(pickle.loads(pickle.dumps(rl.BelotEnv("belotten"))), 5)
    assert episode(rl.env("belotten"), 5) != episode(rl.env("belotten"), 6)


def test_an_auction_adds_numbers_of_actions_behind_those_of_all_other_games() -> None:
    import numpy as np

    one = rl.BelotEnv("bulgarian-belot")
    assert rl.actions(one.game) == rl.AUCTION_ACTIONS == rl.ACTIONS + 4
    assert rl.actions(Game("belotten")) == rl.ACTIONS
    assert one.action_space("seat_0").contains(np.int64(rl.AUCTION_ACTIONS - 1))
    assert not rl.BelotEnv("belotten").action_space("seat_0").contains(np.int64(rl.ACTIONS))
    one.reset(seed=1)
    assert sorted(rl.offered(one.game)) == [0, 1, 2, 3, 4, rl.ACTIONS, rl.ACTIONS + 1]
    one.step(rl.ACTIONS)
    assert sorted(rl.offered(one.game)) == [0, rl.ACTIONS + 1, rl.ACTIONS + 2]
    one.step(rl.ACTIONS + 2)
    assert [said for _, said in one.game.view(0).bids] == ["N", "double"]
    assert sorted(rl.offered(one.game)) == [0, rl.ACTIONS + 1, rl.ACTIONS + 3]


def test_what_stands_in_an_auction_and_who_said_it_is_seen() -> None:
    one = rl.BelotEnv("bulgarian-belot")
    one.reset(seed=1)
    first = one.game.turn or 0
    for number in (2, 0, 0, rl.ACTIONS + 1, rl.ACTIONS + 2, rl.ACTIONS + 3):
        one.step(number)
    seen = rl.observation(one.game, first)
    told = {part.name: [int(seen[place]) for place in part.places] for part in rl.parts(one.game)}
    assert told["mode"] + told["raised"] == [0, 0, 0, 0, 0, 1, 4]
    # Hearts and the double by the observer, all trumps by the last seat, the redouble by the second, its partner.
    assert [place for place, said in enumerate(told["said"]) if said] == [1, 6, 8 + 7, 24 + 5]


def test_the_taker_lays_cards_away_one_at_a_time() -> None:
    one = rl.BelotEnv("bela-3")
    one.reset(seed=1)
    while one.game.phase == "bid":
        one.step(max(rl.offered(one.game)))
    hand = set(one.game.view(one.game.turn or 0).hand)
    assert {CARD_NAMES[number - rl.DISCARD] for number in rl.offered(one.game)} == hand
    first = min(rl.offered(one.game))
    one.step(first)
    assert not one.observe(one.agent_selection)["action_mask"][first]
    second = min(rl.offered(one.game, one._away))
    taker = one.agent_selection
    one.step(second)
    assert one.game.phase in ("announce", "play")
    laid = set(one.game.view(one.possible_agents.index(taker)).discarded)
    assert laid == {CARD_NAMES[first - rl.DISCARD], CARD_NAMES[second - rl.DISCARD]}


def test_of_several_announcements_the_one_worth_most_is_offered() -> None:
    found = []
    for seed in range(60):
        one = rl.BelotEnv("bela-4")
        one.reset(seed=seed)
        while one.game.phase == "bid":
            one.step(max(rl.offered(one.game)))
        choice = rl.offered(one.game).get(rl.ANNOUNCE)
        if isinstance(choice, Action):
            found.append(announced_by(one.game, choice))
            assert found[-1] == max(announced_by(one.game, one_of) for one_of in one.game.legal_actions())
    assert found


def announced_by(game: Game, action: Action) -> int:
    return sum(told.points for told in game.apply(action).view(action.seat).announced[action.seat])


def test_an_action_that_is_not_offered_ends_the_episode() -> None:
    one = rl.env("belotten")
    one.reset(seed=1)
    agent = one.agent_selection
    one.step(rl.ACTIONS - 1)
    assert one.terminations[agent]
    assert one._cumulative_rewards[agent] == -1


@pytest.mark.parametrize("profile", VARIED)
def test_a_match_is_seen_and_offered_as_it_is_and_won_by_one_side(profile: str) -> None:
    one = rl.BelotEnv(profile, match=True)
    one.reset(seed=4)
    found = {part.name: part for part in rl.parts(one.game)}
    places = sorted(place for part in found.values() for place in part.places)
    assert places == list(range(len(rl.observation(one.game, 0))))
    rng, said = Random(4), 0
    while not any(one.terminations.values()):
        for seat in range(one.game.players):
            view, seen = one.game.view(seat), rl.observation(one.game, seat)
            own = {name: [int(seen[place]) for place in part.places] for name, part in found.items()}
            assert (seen <= rl.most(one.game)).all()
            assert 0 <= rl.scaled(one.game, seat).min() <= rl.scaled(one.game, seat).max() <= 1
            assert [CARD_NAMES[card] for card, held in enumerate(own["hand"]) if held] == list(view.hand)
            assert own["dealer"].index(1) == (view.dealer - seat) % one.game.players
            assert sum(own["passes"]) == sum(said == "pass" for _, said in view.bids)
            assert own["points"][0] == sum(told.points for told in view.announced[seat])
            assert own["belote"][0] == view.belote[seat]
            assert sum(own["played"]) == sum(len(trick.cards) for trick in view.tricks)
            assert sum(own["trick"]) == (0 if view.trick is None else len(view.trick.cards))
            assert own["phase"] == [int(view.phase == phase) for phase in ("bid", "discard", "announce", "play")]
        choices = rl.offered(one.game, one._away)
        for number, action in choices.items():
            if rl.PLAY_AND_SAY <= number < rl.ACTIONS:  # offered without a word too
                assert number - rl.PLAY_AND_SAY + rl.PLAY in choices
                assert isinstance(action, Action)
                assert action.belote or action.announce or action.show or action.made
                said += 1
        assert all(rl.action_number(one.game, action) == number for number, action in choices.items()
                   if isinstance(action, Action) and not action.discard)  # fmt: skip
        one.step(rng.choice(sorted(choices)))
    assert said or profile == "open-belot"
    score = one.game.score()
    for side, seats in enumerate(score.sides):
        assert {one.rewards[f"seat_{seat}"] for seat in seats} == {1.0 if side == score.winner else -1.0}
