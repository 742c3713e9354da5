"""The simulation on the kernel: the tables of two rulesets with what its players value, and matches by the hundred.

The kernel is compiled when it is first used, and kept. What it gives is what the engine gives, to the last figure.
"""

import gc
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import local
from typing import Any, Final, TypeVar

import numpy as np

from belot_conformance.text.terminal import say_aside
from belot_kernel.deal_kernel import OTHER_BIDS, OTHER_CARDS, OTHER_SETS
from belot_kernel.jit import is_compiled
from belot_kernel.layout import Records, nodes_of, record_of
from belot_kernel.match_kernel import (
    COLUMNS,
    DEALS,
    DECISIONS,
    DEFENCE,
    HELD,
    LENGTH,
    MATCHES,
    MOST_DEALS,
    OTHER_DEALS,
    OTHER_WINNER,
    TAKER,
    UNDECIDED,
    play_matches,
)
from belot_kernel.record import new_deals
from belot_kernel.settle_kernel import MATCH
from belot_kernel.tables import coded
from belot_reference.cards import EVERY_CARD, ONLY
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.replay import PASSES_PER_CHOICE
from belot_reference.simulated import (
    LESS_REDOUBLED,
    WORTH_TAKING,
    WORTH_TAKING_PER_CARD,
    cost_of,
    ruffing_cards,
    worth_of,
)
from belot_reference.streams import mixed
from belot_spec.shipped import default_spec
from belot_workshop.impact.comparison import Clusters, Sample, SimulationSetup, Sums, rulesets_of, units
from belot_workshop.impact.paired_deal import plays_alike, what_differs

Rules = tuple[Any, Records]
Kernel = TypeVar("Kernel")

# The place of this name among those of what becomes of the turned card.
_TO_TAKER: Final = 2
SENSIBLE: Final = {"random": 0, "sensible": 1}


@lru_cache(maxsize=8)
def kernel_rules(rules: Ruleset) -> Rules:
    """Return a ruleset as the kernel takes it, with what its players value."""
    found = record_of(rules).copy()
    record = found[0]
    for mode in rules.modes:
        costs = [cost_of(mode, card) for card in EVERY_CARD]
        places = {cost: place for place, cost in enumerate(sorted(set(costs)))}
        record["cost"][mode.number] = [places[cost] for cost in costs]
        record["ruffing"][mode.number] = ruffing_cards(mode)
        record["worth"][mode.number] = [worth_of(rules, ONLY[card], mode) for card in EVERY_CARD]
    record["worth_taking"], record["worth_taking_per_card"] = WORTH_TAKING, WORTH_TAKING_PER_CARD
    record["passes_per_choice"], record["less_redoubled"] = PASSES_PER_CHOICE * rules.has_auction, LESS_REDOUBLED
    record["to_taker"] = coded(rules, "deal.turn-up", "none", "out-of-play", "to-taker") == _TO_TAKER
    return record, nodes_of(rules)


def mixed_seed(seed: int) -> np.uint64:
    """Return a seed as the kernel takes it."""
    return np.uint64(mixed(seed))


# Matches that a process plays at once: a second or less, so that Ctrl-C and other processes need not wait.
AT_ONCE: Final = 128


@dataclass(frozen=True, slots=True)
class Played:
    """Matches that the kernel played: a row of sums for each, and all changes of the taker's points, in order."""

    rows: Any
    changes: Any

    def until(self, deals: int) -> Sums:
        """Return the sums of the first matches that make so many deals together, of all if they do not."""
        number = int(np.searchsorted(np.cumsum(self.rows[:, DEALS]), deals)) + 1
        rows = self.rows[:number]
        row = [int(total) for total in rows.sum(axis=0)]
        return sums_of(row, Counter(self.changes[: row[COLUMNS]].tolist()))


def sums_of(row: Sequence[int], changes: Counter[int] | None = None) -> Sums:
    """Return what the kernel counted in a row as sums."""
    return Sums(
        deals=row[DEALS],
        other_deals=row[OTHER_DEALS],
        decisions=Clusters(*row[DECISIONS:TAKER]),
        taker=Sample(*row[TAKER:DEFENCE]),
        defence=Sample(*row[DEFENCE:HELD]),
        held=Sample(*row[HELD:LENGTH]),
        changes=changes or Counter(),
        matches=row[MATCHES],
        other_winner=row[OTHER_WINNER],
        undecided=row[UNDECIDED],
        length=Sample(*row[LENGTH:MATCHES]),
    )


class MatchKernel:
    """Plays the matches of a setting by the kernel."""

    def __init__(self, old: Ruleset, new: Ruleset, player: str, seed: int) -> None:
        self._rules = kernel_rules(old), kernel_rules(new)
        self._seed = mixed_seed(seed)
        bits = zip((OTHER_BIDS, OTHER_SETS, OTHER_CARDS), what_differs(old, new), strict=True)
        watched = sum(bit for bit, differs in bits if differs)
        least = max(rules.value("deal.cut-minimum") for rules in (old, new))
        self._how = (SENSIBLE[player], watched, int(plays_alike(old, new)), least, units(old, new))
        self._work = (
            new_deals(2),
            new_deals(MOST_DEALS),
            np.zeros((MOST_DEALS + 2, MATCH), dtype=np.int64),
            np.zeros(4, dtype=np.int64),
        )

    def play(self, first: int, number: int) -> Played:
        """Play so many matches, from a number on."""
        rows = np.zeros((number, COLUMNS + 1), dtype=np.int64)
        changes = np.zeros(number * MOST_DEALS + 1, dtype=np.int64)
        written = play_matches(*self._rules, self._work, (self._seed, first, *self._how), rows, changes)
        return Played(rows, changes[:written])

    def deals_of_match(self, number: int) -> list[tuple[Any, Any]]:
        """Play one match: return each of its deals as the new rules played it, and the match as it then stands."""
        played = int(self.play(number, 1).rows[0, DEALS])
        _, known, matches, _ = self._work
        return list(zip(known[:played], (*matches[1:played], matches[MOST_DEALS]), strict=True))


def make_ready() -> None:
    """Compile the kernel if it has not been."""
    bela = compile_profile(default_spec().profile("bela-2"))
    compile_by(lambda: MatchKernel(bela, bela, "random", 0).play(0, 1), "play_matches", "twenty")


def compile_by(play: Callable[[], object], name: str, seconds: str) -> None:
    """Have a kernel compiled, by playing with it, if it has not been, and say so: only the first time takes a while."""
    if not is_compiled(name):
        say_aside(f"compiling the kernel, this once ({seconds} seconds or so)")
    # A compiler makes much and throws away little: looking for what may go takes a fifth of the time.
    gc.disable()
    try:
        play()
    finally:
        gc.enable()


_of_thread = local()


def kernel_of_thread(asked: object, make: Callable[[], Kernel]) -> Kernel:
    """Return this thread's kernel for what is asked, made if it has another: what a kernel plays in is its own."""
    if getattr(_of_thread, "asked", None) != asked:
        _of_thread.asked, _of_thread.kernel = asked, make()
    found: Kernel = _of_thread.kernel
    return found


def play_share(setting: SimulationSetup, share: int) -> Played:
    """Play the matches of a share, in any process and in any of its threads."""
    kernel = kernel_of_thread(setting, lambda: MatchKernel(*rulesets_of(setting), setting.player, setting.seed))
    return kernel.play(share * AT_ONCE, AT_ONCE)
