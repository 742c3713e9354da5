"""Many changes of a variant held against it on the kernel, which plays again only what a change may have altered."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from belot_reference.batch.changes_kernel import ENDED, FAR, hold_against
from belot_reference.batch.layout import SEATS, Records
from belot_reference.batch.match_kernel import COLUMNS, MOST_DEALS
from belot_reference.batch.plans import plans_for
from belot_reference.batch.record import new_deals
from belot_reference.batch.settle_kernel import MATCH
from belot_reference.batch.trail_kernel import TRAIL
from belot_reference.compile import Ruleset
from belot_workshop.impact.kernel import SENSIBLE, kernel_rules, mixed_seed
from belot_workshop.impact.simulation import units

Rules = tuple[Any, Records]


class ChangesKernel:
    """Plays the matches of one ruleset, and holds each against the same match by others.

    The least cut of the one is that of all: a cut is as good as another after a shuffle.
    """

    def __init__(self, base: Ruleset, others: Sequence[Ruleset], player: str, seed: int) -> None:
        self._base = kernel_rules(base)
        pairs = [units(base, other) for other in others]
        found = plans_for(self._base, list(map(kernel_rules, others)), pairs, player == "sensible")
        self._others = (found.records, found.nodes, found.plans)
        self._seed, self._player = mixed_seed(seed), SENSIBLE[player]
        self._least = base.value("deal.cut-minimum")
        self._work = (
            new_deals(MOST_DEALS),
            new_deals(MOST_DEALS),
            np.zeros(MOST_DEALS, dtype=TRAIL),
            np.zeros(MOST_DEALS, dtype=ENDED),
            np.zeros(MOST_DEALS, dtype=np.int64),
            np.full(SEATS, FAR),
        )
        self._more = (
            np.zeros((MOST_DEALS + 2, MATCH), dtype=np.int64),
            np.zeros(MOST_DEALS + 1, dtype=ENDED),
            np.zeros(4, dtype=np.int64),
        )

    def play(self, first: int, number: int) -> Any:
        """Play so many matches, from a number on; return a row of sums for each of the other rulesets."""
        rows = np.zeros((len(self._others[2]), COLUMNS), dtype=np.int64)
        place = (self._seed, first, number, self._player, self._least)
        hold_against(self._base, self._others, self._work, self._more, new_deals(1)[0], place, rows)
        return rows
