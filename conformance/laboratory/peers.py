"""The kernel and the engine measured beside other engines, in the same run, in turn: ratios, as speeds swing."""

import statistics as stats
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from random import Random
from typing import Any, Final

from belot_kernel.needed import is_installed
from belot_reference.compile import Ruleset
from belot_reference.game import Game
from belot_reference.players import SensiblePlayer, next_of
from belot_reference.word import MOST_SEATS

Work = Callable[[], int]

_DEALS: Final = 100_000
_SEED: Final = 7
_OPENSPIEL_DEALS: Final = 100
# Games of OpenSpiel with tricks, of which each card is an action.
_OPENSPIEL: Final = ("euchre", "hearts", "spades")
_EPISODES: Final = 40
_GAMES_OF_CHESS: Final = 4
_LONGEST_OF_CHESS: Final = 200
_DRAWN: Final = 20


def measure_peers(
    rules: Ruleset, engine: Work, game: Work, rounds: int, variants: Iterable[str] = ()
) -> dict[str, Any]:
    """Measure what is installed: play-outs and whole deals of the kernel, and the ratios to other engines.

    ``engine`` plays cards by the traced engine and returns how many, ``game`` does as a user of the library. Deals
    drawn from what a seat knows and steps of the environment are told of each of some ``variants`` too. What is missing
    is said to be.
    """
    works: dict[str, Work] = {"engine": engine, "game": game}
    works |= {f"deals drawn, {variant}": _drawn(variant) for variant in variants}
    if is_installed("chess"):
        works["python-chess"] = _chess()
    if is_installed("pettingzoo"):
        works["environment"] = _environment(rules.profile.id)
        works |= {f"environment, {variant}": _environment(variant) for variant in variants}
    if is_installed("pyspiel"):
        works |= {f"openspiel {game}": _openspiel(game) for game in _OPENSPIEL}
        works |= {f"openspiel {game}, seen": _openspiel(game, seen=True) for game in _OPENSPIEL}
        works |= {f"openspiel {game}, environment": _openspiel_environment(game) for game in _OPENSPIEL}
    if is_installed("numba"):
        works |= _kernel(rules)
        if is_installed("colver"):
            works["colver play-outs"] = _colver()
    speeds = _in_turn(works, rounds)
    ratios = {
        "kernel play-outs to colver's": _ratio(speeds, "kernel play-outs", ["colver play-outs"]),
        "engine to OpenSpiel, card plays": _ratio(speeds, "engine", [f"openspiel {name}" for name in _OPENSPIEL]),
        "Game to OpenSpiel, actions": _ratio(speeds, "game", [f"openspiel {name}" for name in _OPENSPIEL]),
        "Game to python-chess, actions": _ratio(speeds, "game", ["python-chess"]),
        "environment to OpenSpiel's, steps": _to_openspiel(speeds, "environment"),
        "environment to OpenSpiel, seen": _to_openspiel(speeds, "seen"),
    }
    missing = [name for name in ("numba", "colver", "pyspiel", "chess", "pettingzoo") if not is_installed(name)]
    return {
        "per_second": {name: _spread(found) for name, found in speeds.items()},
        "ratios": {name: _spread(found, 2) for name, found in ratios.items() if found},
        "not_installed": missing,
    }


def _in_turn(works: Mapping[str, Work], rounds: int) -> dict[str, list[float]]:
    """Return how much each does a second, round by round, so that whatever else the machine does slows all of them."""
    for work in works.values():
        work()
    speeds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            # Time of this process: what others do on the machine meanwhile is no matter of speed.
            began = time.process_time()
            done = work()
            speeds[name].append(done / (time.process_time() - began))
    return speeds


def _ratio(speeds: Mapping[str, list[float]], one: str, others: list[str]) -> list[float]:
    """Return the ratio of each round, to the median of several others."""
    if one not in speeds or not all(other in speeds for other in others):
        return []
    by_round = zip(*(speeds[other] for other in others), strict=True)
    return [speed / stats.median(found) for speed, found in zip(speeds[one], by_round, strict=True)]


def _to_openspiel(speeds: dict[str, list[float]], what: str) -> list[float]:
    return _ratio(speeds, "environment", [f"openspiel {name}, {what}" for name in _OPENSPIEL])


def _spread(found: list[float], digits: int = 0) -> dict[str, float]:
    figures = {"median": stats.median(found), "lowest": min(found), "highest": max(found)}
    return {name: round(figure, digits) if digits else round(figure) for name, figure in figures.items()}


def _kernel(rules: Ruleset) -> dict[str, Work]:
    from belot_kernel.match_kernel import DEALS
    from belot_kernel.play_kernel import play_outs
    from belot_kernel.record import new_deals
    from belot_workshop.impact.kernel import MatchKernel, kernel_rules, mixed_seed

    record, nodes = kernel_rules(rules)
    deal, seed = new_deals()[0], mixed_seed(_SEED)

    def played_out() -> int:
        play_outs(record, nodes, deal, _DEALS, seed)
        return _DEALS

    def whole(player: str) -> Work:
        kernel = MatchKernel(rules, rules, player, _SEED)
        return lambda: int(kernel.play(0, 2000).rows[:, DEALS].sum())

    return {"kernel play-outs": played_out, **{f"kernel deals, {name}": whole(name) for name in ("random", "sensible")}}


def _colver() -> Work:
    import colver

    env = colver.Env.deal(0, _SEED)
    env.set_contract(0, 80, 0, 0)
    env.set_phase_playing()

    def rolled_out() -> int:
        env.rollout(_DEALS)
        return _DEALS

    return rolled_out


def _chess() -> Work:
    """Return play of chess by the lot with python-chess, the legal moves listed before each."""
    import chess

    def played() -> int:
        random, done = Random(_SEED), 0
        for _ in range(_GAMES_OF_CHESS):
            board = chess.Board()
            while (moves := list(board.legal_moves)) and board.ply() < _LONGEST_OF_CHESS:
                board.push(random.choice(moves))
                done += 1
        return done

    return played


def _drawn(profile: str) -> Work:
    """Return drawing deals from views: of every third turn of a deal of sensible players, several from each."""
    players, views = [SensiblePlayer(seat) for seat in range(MOST_SEATS)], []
    game = Game(profile, seed=_SEED)
    for step in count():
        if game.deal_number > 1 or game.is_over or game.turn is None:
            break
        if step % 3 == 0:
            views.append(game.view(game.turn))
        game = game.apply(next_of(game, players[: game.players]))

    def drawn() -> int:
        random = Random(_SEED)
        for view in views:
            for _ in range(_DRAWN):
                view.sample(random)
        return _DRAWN * len(views)

    return drawn


def _environment(profile: str) -> Work:
    """Return play in the environment for programs that learn, by lot: it shows what a seat sees before each action."""
    from belot_reference.rl import env

    table = env(profile)

    def played() -> int:
        actions, random = 0, Random(_SEED)
        for seed in range(_EPISODES):
            table.reset(seed=seed)
            while not (found := table.last())[2]:
                table.step(random.choice(found[0]["action_mask"].nonzero()[0].tolist()))
                actions += 1
        return actions

    return played


def _openspiel_environment(name: str) -> Work:
    """Return play in OpenSpiel's own environment in Python, which shows what every seat sees before each action."""
    from open_spiel.python.rl_environment import Environment

    table = Environment(name)

    def played() -> int:
        actions, random = 0, Random(_SEED)
        for seed in range(_EPISODES):
            table.seed(seed)
            step = table.reset()
            while not step.last():
                legal = step.observations["legal_actions"][step.observations["current_player"]]
                step = table.step([random.choice(legal)])
                actions += 1
        return actions

    return played


def _openspiel(name: str, *, seen: bool = False) -> Work:
    """Return play of deals in Python; ``seen`` asks before each action what the player on turn sees, as numbers."""
    import pyspiel

    game, random, dealt = pyspiel.load_game(name), Random(_SEED), []
    for _ in range(_OPENSPIEL_DEALS):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.chance_outcomes())[0])
        dealt.append(state)

    told = game.get_type().provides_information_state_tensor
    look = type(dealt[0]).information_state_tensor if told else type(dealt[0]).observation_tensor

    def played() -> int:
        actions = 0
        for state in map(type(dealt[0]).clone, dealt):
            while not state.is_terminal():
                if seen:
                    look(state, state.current_player())
                state.apply_action(state.legal_actions()[0])
                actions += 1
        return actions

    return played
