"""How fast the engine is on this machine, as figures and as ratios to something else measured in the same run."""

import json
import statistics as stats
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from belot_conformance.programs.process_pool import quiet_collector
from belot_conformance.programs.reference import compiled_variants
from belot_reference.cards import EVERY_SUIT, CardSet, card_set, cards_in, lowest_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.game import Game
from belot_reference.operations import answer
from belot_reference.play import force_card, legal_now, start_play
from belot_reference.replay import opening, record_deal
from belot_reference.simulated import PLAYERS
from belot_reference.streams import deal_stream
from belot_spec.data import spec_folder
from belot_spec.load.spec import load_spec
from belot_workshop.bench.peers import measure_peers
from belot_workshop.impact.paired_deal import play_out, shuffle

ROUNDS: Final = 5
DEALS: Final = 1000
SEED: Final = 20261121


def measure_beside_peers(deals: int, rounds: int) -> dict[str, Any]:
    """Measure the engine and the kernel beside what else is installed, in turn; see ``peers``."""
    rules = compile_profile(load_spec().profile("belotten"))
    hands = _random_hands(rules, deals)
    games = _begun_games(max(1, deals // 10))
    with quiet_collector():
        return measure_peers(rules, lambda: len(_play_all(rules, hands)), lambda: _play_on(games), rounds)


def _begun_games(number: int) -> list[Game]:
    """Return games in which somebody has just taken."""
    games = []
    for seed in range(number):
        game = Game("belotten", seed=seed)
        while game.phase == "bid":
            game = game.apply(game.legal_actions()[-1])
        games.append(game)
    return games


def _play_on(games: Sequence[Game]) -> int:
    """Play the first legal action of each game until its deal has ended, as a user of the library would; count them."""
    done = 0
    for game in games:
        deal = game.deal_number
        while game.deal_number == deal and not game.is_over:
            game = game.apply(game.legal_actions()[0])
            done += 1
    return done


def measure(deals: int = DEALS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure everything; every time is the median of the rounds, in seconds unless the name says otherwise."""
    spec = load_spec()
    rulesets = {variant: compile_profile(spec.profile(variant)) for variant in spec.playable()}
    loop = _median(lambda: _bare_loop(32 * deals), rounds)
    variants = {variant: _variant_figures(rules, deals, rounds) for variant, rules in rulesets.items()}
    in_hand = [figures["card_plays_per_second"] for figures in variants.values()]
    return {
        "deals": deals,
        "rounds": rounds,
        "bare_loop_per_second": round(32 * deals / loop),
        "variants": variants,
        "card_plays_per_second": {
            "lowest": min(in_hand),
            "median": round(stats.median(in_hand)),
            "highest": max(in_hand),
        },
        "ratio_to_bare_loop": round(stats.median(in_hand) / (32 * deals / loop), 4),
        "load_and_compile": _load_figures(rounds),
        "replay": _replay_figures(rulesets["belotten"], rounds),
    }


def _median(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return stats.median(times)


def _bare_loop(times: int) -> int:
    """Count and call nothing much: what this machine's Python does at best."""
    total = 0
    for number in range(times):
        total += number & 7
    return total


def _variant_figures(rules: Ruleset, deals: int, rounds: int) -> dict[str, Any]:
    hands = _random_hands(rules, deals)
    plays = deals * rules.players * (rules.hand_size // (2 if rules.open_piles else 1))
    with quiet_collector():
        seconds = _median(lambda: _play_all(rules, hands), rounds)
        simulated = {player: _simulated_per_second(rules, player, deals, rounds) for player in PLAYERS}
    return {
        "deals_per_second": round(deals / seconds),
        "card_plays_per_second": round(plays / seconds),
        "simulated_deals_per_second": simulated,
    }


def _simulated_per_second(rules: Ruleset, player: str, deals: int, rounds: int) -> int:
    """Return how many deals players play from the first bid to the score; a tenth of the deals, as each takes longer.

    That is what ``belot impact`` does with a deal, twice for most changes, on every core.
    """
    number = max(1, deals // 10)
    shuffles = [shuffle(rules, rules, deal_stream(SEED, 0, place)) for place in range(number)]
    totals = (0,) * rules.side_count
    seconds = _median(lambda: [play_out(rules, 0, one, PLAYERS[player], totals) for one in shuffles], rounds)
    return round(number / seconds)


def _random_hands(rules: Ruleset, deals: int) -> list[list[CardSet]]:
    """Return dealt hands; of open piles only the cards that lie open, as many as a hand of the other games."""
    rng = Random(SEED)
    size = rules.hand_size // 2 if rules.open_piles else rules.hand_size
    deck = list(cards_in(rules.deck))
    found = []
    for _ in range(deals):
        rng.shuffle(deck)
        found.append([card_set(deck[seat * size : seat * size + size]) for seat in range(rules.players)])
    return found


def _play_all(rules: Ruleset, deals: Sequence[Sequence[CardSet]]) -> list[str]:
    """Play every deal to its end by the public functions, the lowest legal card each time, and keep every rule id."""
    trace: list[str] = []
    for number, hands in enumerate(deals):
        state = start_play(rules, rules.modes[number % len(EVERY_SUIT)], hands, 0)
        for _ in range(sum(hand.bit_count() for hand in hands)):
            legal, duty = legal_now(rules, state)
            trace.append(duty.rule)
            state = force_card(rules, state, lowest_of(legal))
    return trace


def _load_figures(rounds: int) -> dict[str, float]:
    spec = spec_folder()

    def cold() -> object:
        return compiled_variants(load_spec(spec))

    return {"cold_ms": round(1000 * _median(cold, rounds), 1)}


def _replay_figures(rules: Ruleset, rounds: int) -> dict[str, float]:
    lines = [json.dumps(question) for question in _recorded(rules)]

    def replay() -> None:
        for line in lines:
            answer("replay", rules, json.loads(line))

    seconds = _median(replay, rounds)
    parsing = _median(lambda: [json.loads(line) for line in lines], rounds)
    return {"deals": len(lines), "seconds": round(seconds, 3), "of_which_json": round(parsing, 3)}


def _recorded(rules: Ruleset) -> list[dict[str, Any]]:
    rng = Random(SEED)
    found: list[dict[str, Any]] = []
    while len(found) < DEALS:
        deck = list(cards_in(rules.deck))
        rng.shuffle(deck)
        question, state = record_deal(rules, opening(rng.randrange(rules.players), deck, 12), rng.choice)
        if state.ended == "played":
            found.append(question)
    return found
