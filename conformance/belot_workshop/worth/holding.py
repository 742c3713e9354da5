"""Many changes of a variant held against it on the kernel, which plays again only what a change may have altered."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from belot_reference.batch.changes_kernel import BLOCK, ENDED, FAR, hold_against
from belot_reference.batch.layout import SEATS
from belot_reference.batch.match_kernel import COLUMNS, MOST_DEALS
from belot_reference.batch.plans import plans_for
from belot_reference.batch.record import DEAL, new_deals
from belot_reference.batch.settle_kernel import MATCH
from belot_reference.batch.trail_kernel import TRAIL
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.spec import default_spec
from belot_workshop.impact.kernel import SENSIBLE, compile_by, kernel_rules, mixed_seed
from belot_workshop.worth.changes import Noticed, plain


class ChangesKernel:
    """Plays the matches of one ruleset, and holds each against the same match by others; those alike are one.

    The least cut of the one is that of all: a cut is as good as another after a shuffle.
    """

    def __init__(self, base: Ruleset, others: Sequence[Noticed], player: str, seed: int) -> None:
        self._base = kernel_rules(base)
        played: dict[tuple[bytes, ...], tuple[int, Noticed]] = {}
        self._rows = []
        for other in others:
            record, nodes = other.tables
            number, _ = played.setdefault((record.tobytes(), plain(nodes).tobytes()), (len(played), other))
            self._rows.append(number)
        alone = [other for _, other in played.values()]
        tables, pairs = [other.tables for other in alone], [other.units for other in alone]
        self._others = plans_for(self._base, tables, pairs, player == "sensible")
        self._seed, self._player = mixed_seed(seed), SENSIBLE[player]
        self._least = base.value("deal.cut-minimum")
        room = (BLOCK, MOST_DEALS)
        self._work = (
            np.zeros(room, dtype=DEAL),
            np.zeros(room, dtype=DEAL),
            np.zeros(room, dtype=TRAIL),
            np.zeros(room, dtype=ENDED),
            np.zeros(room, dtype=np.int64),
            np.full(SEATS, FAR),
        )
        self._more = (
            np.zeros((BLOCK, MOST_DEALS + 2, MATCH), dtype=np.int64),
            np.zeros(MOST_DEALS + 1, dtype=ENDED),
            np.zeros(4, dtype=np.int64),
            np.zeros((BLOCK, 3), dtype=np.int64),
        )

    def play(self, first: int, number: int) -> Any:
        """Play so many matches, from a number on; return a row of sums for each of the other rulesets."""
        rows = np.zeros((len(self._others[2]), COLUMNS), dtype=np.int64)
        place = (self._seed, first, number, self._player, self._least)
        hold_against(self._base, self._others, self._work, self._more, new_deals(), place, rows)
        return rows[self._rows]


def make_ready() -> None:
    """Compile the kernel if it has not been."""
    bela = compile_profile(default_spec().profile("bela-2"))
    compile_by(lambda: ChangesKernel(bela, [], "random", 0).play(0, 1), "hold_against", "twenty")
