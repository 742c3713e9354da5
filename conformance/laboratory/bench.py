"""How fast the engine and the runner are on this machine.

Of the engine: deals and cards a second of each variant, loading, and replaying; of the runner: cases a second put to a
program that answers at once. Since machines differ and swing, each stands beside what else was measured in the same
run: a bare loop, a bare echo of the same lines, or (``--peers``) other engines, in turn.
"""

import json
import os
import statistics as stats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from belot_conformance.cli.common import FORMAT, tell_page
from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.protocol import encode_hello, encode_request
from belot_conformance.programs.reference import Reference, compiled_variants, suite_version
from belot_conformance.programs.serving import serve
from belot_conformance.programs.target import Limits
from belot_conformance.suite.selection import Selection, plan_variants
from belot_conformance.suite.verdicts import Planned, judge_each
from belot_conformance.text.template import tell
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
from belot_spec.whole_file import write_whole
from belot_workshop.impact.paired_deal import play_out, shuffle
from laboratory import instant_program
from laboratory.peers import measure_peers

ROUNDS: Final = 5
DEALS: Final = 1000
SEED: Final = 20261121


def measure_beside_peers(deals: int, rounds: int) -> dict[str, Any]:
    """Measure the engine and the kernel beside what else is installed, in turn; see ``peers``."""
    spec = load_spec()
    rules = compile_profile(spec.profile("belotten"))
    hands = _random_hands(rules, deals)
    games = _begun_games(max(1, deals // 10))
    engine, game = (lambda: len(_play_all(rules, hands))), (lambda: _play_on(games))
    return measure_peers(rules, engine, game, rounds, spec.playable())


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
        "load_and_compile": {
            "cold_ms": round(1000 * _median(lambda: compiled_variants(load_spec(spec_folder())), rounds), 1)
        },
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
        found.append([card_set(deck[seat * size :][:size]) for seat in range(rules.players)])
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


def _replay_figures(rules: Ruleset, rounds: int) -> dict[str, float]:
    lines = [json.dumps(question) for question in _recorded(rules)]
    seconds = _median(lambda: [answer("replay", rules, json.loads(line)) for line in lines], rounds)
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


_CHUNK: Final = 1 << 16


def measure_throughput(rounds: int) -> dict[str, Any]:
    """Put the whole suite to a program that answers at once; the figures are medians of the rounds.

    Beside it stands a bare echo: the same lines through the same pipes to a program that sends each back as it came,
    and nobody looks at them. It goes once line by line, each sent when the one before is back, as the plainest runner
    would; and once with as many lines open at the same time as this runner has.
    """
    plan = plan_variants(Selection())
    lines = _requests(plan)
    with _table(plan) as table:
        # In turn, so that whatever else the machine does slows all three.
        figures = [
            (_cases_per_second(plan, table), _echo_per_second(lines, 1), _echo_per_second(lines, Limits().window))
            for _ in range(rounds)
        ]
    cases, one_by_one, at_once = zip(*figures, strict=True)
    return {
        "cases": len(plan),
        "megabytes_asked": round(sum(map(len, lines)) / 1e6, 2),
        "cases_per_second": round(stats.median(cases)),
        "bare_echo_lines_per_second": round(stats.median(one_by_one)),
        "ratio_to_bare_echo": _median_ratio(cases, one_by_one),
        "windowed_echo_lines_per_second": round(stats.median(at_once)),
        "ratio_to_windowed_echo": _median_ratio(cases, at_once),
    }


def _median_ratio(some: Sequence[float], others: Sequence[float]) -> float:
    return round(stats.median(one / other for one, other in zip(some, others, strict=True)), 2)


def _command(table: str) -> list[str]:
    return [sys.executable, "-I", "-S", instant_program.__file__, table]


def _requests(plan: Sequence[Planned]) -> list[bytes]:
    return [encode_request(planned.case.request(planned.profile)) for planned in plan]


@contextmanager
def _table(plan: Sequence[Planned]) -> Iterator[str]:
    """Write the right replies to a plan, and the answer to ``hello``, into a file for the time of the measurement."""
    replies = BytesIO()
    serve(Reference(), BytesIO(encode_hello(suite_version()) + b"".join(_requests(plan))), replies)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replies.jsonl"
        write_whole(path, replies.getvalue(), durable=False)
        yield str(path)


def _cases_per_second(plan: Sequence[Planned], table: str) -> float:
    with CommandTarget(_command(table), Limits()) as target:
        began = time.perf_counter()
        passed = sum(verdict.outcome == "passed" for verdict in judge_each(target, plan))
        seconds = time.perf_counter() - began
    if passed < len(plan):
        raise AssertionError(f"{len(plan) - passed} right answers did not pass")
    return len(plan) / seconds


def _echo_per_second(lines: Sequence[bytes], window: int) -> float:
    """Send lines to a program that echoes them, so many at once, and read them back."""
    command = [sys.executable, "-I", "-S", instant_program.__file__, "echo"]
    with subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        stdin, stdout = process.stdin.fileno(), process.stdout.fileno()
        _echo(stdin, stdout, lines[:1], 1)
        began = time.perf_counter()
        _echo(stdin, stdout, lines, window)
        seconds = time.perf_counter() - began
        process.stdin.close()
    return len(lines) / seconds


def _echo(stdin: int, stdout: int, lines: Sequence[bytes], window: int) -> None:
    sent = back = 0
    while back < len(lines):
        if sent < len(lines) and sent - back <= window // 2:
            top = min(len(lines), back + window)
            data = memoryview(b"".join(lines[sent:top]))
            sent = top
            while data:
                data = data[os.write(stdin, data) :]
        back += os.read(stdout, _CHUNK).count(b"\n")


@click.command()
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True, help="Deals per round.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="Rounds; medians are printed.")
@click.option("--peers", is_flag=True, help="Instead measure beside other engines that are installed (extra [bench]).")
@FORMAT
def bench(deals: int, rounds: int, peers: bool, form: str) -> None:
    """Measure the engine and the runner on this machine.

    Figures and ratios are printed; nothing is judged. The runner is measured against a program that answers at once,
    and against a bare echo of the same lines.
    """
    if peers:
        found, template = measure_beside_peers(deals, rounds), "peers.j2"
    else:
        # The runner first, while little else is in memory.
        throughput = measure_throughput(rounds)
        found, template = {**measure(deals, rounds), "throughput": throughput}, "bench.j2"
    tell_page(form, lambda page: tell(page, template, package="laboratory", **found), lambda: found)
