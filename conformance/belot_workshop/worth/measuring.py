"""Measuring what changes are worth on the kernel; what a file has already, for the same rules, is not played again."""

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.process_pool import in_processes
from belot_conformance.rules.reading import Json
from belot_reference.batch.match_kernel import DEALS
from belot_spec.spec import Spec, default_spec
from belot_spec.worth import PLAYERS
from belot_workshop.impact.cluster import on_cluster
from belot_workshop.impact.kernel import kernel_of_thread, sums_of
from belot_workshop.worth.changes import Changes, changes_of
from belot_workshop.worth.files import Figure, figure, head_of, known_figures, name_of, write_figures
from belot_workshop.worth.holding import ChangesKernel, make_ready

# Matches that a process plays at once, by a hundred rulesets or more: a second or so.
AT_ONCE: Final = 128

Rows = Any
Work = Callable[["Asked", ChangesKernel], Generator[Rows, None, None]]


@dataclass(frozen=True, slots=True)
class Asked:
    """Which changes of a variant, by name, with which players, of which seed: all that a machine needs to know."""

    variant: str
    names: frozenset[str]
    player: str
    seed: int

    @property
    def rules(self) -> frozenset[str]:
        """The rules of which other values are asked for."""
        changes = map(json.loads, self.names)
        return frozenset(change["rule"] for change in changes if "rule" in change)


def by_processes(jobs: int) -> Work:
    """Return what plays matches, share by share, in processes of this machine."""

    def play(asked: Asked, kernel: ChangesKernel) -> Generator[Rows, None, None]:
        make_ready()
        return in_processes(partial(play_share, asked), count(), jobs, _sit_down, [asked, kernel])

    return play


def by_cluster(scheduler: str) -> Work:
    """Return what plays matches, share by share, on a Dask cluster."""
    return lambda asked, _: on_cluster(scheduler, partial(play_share, asked), count())


def _sit_down(asked: Asked, kernel: ChangesKernel) -> None:
    """Take a kernel that was made for what is asked; it takes long to make another."""
    kernel_of_thread(asked, lambda: kernel)


def play_share(asked: Asked, share: int) -> Rows:
    """Play the matches of a share, in any process, prepared for it or not, and in any of its threads."""
    kernel = kernel_of_thread(asked, lambda: kernel_for(asked, _changes_of(asked.variant, asked.rules)))
    return kernel.play(share * AT_ONCE, AT_ONCE)


@lru_cache(maxsize=2)
def _changes_of(variant: str, rules: frozenset[str]) -> Changes:
    return changes_of(variant, rules)


def kernel_for(asked: Asked, changes: Changes) -> ChangesKernel:
    """Return a kernel that plays a variant and the changes of it that are asked for, in their order."""
    spec = default_spec()
    others = [one for one in changes.noticed if name_of(one.change.as_json(spec)) in asked.names]
    return ChangesKernel(changes.base, others, asked.player, asked.seed)


class Measuring:
    """Finds the figures of a variant that a file does not have yet."""

    def __init__(self, path: Path, spec: Spec, changes: Changes, seed: int, deals: int) -> None:
        self._path, self._changes, self._seed, self._deals = path, changes, seed, deals
        self._head = head_of(spec, changes.base.profile.id, seed)
        self._left_out = {why: [change.named for change in some] for why, some in changes.left_out.items()}
        self._changed = [one.change.as_json(spec) for one in changes.noticed]
        self._units = {
            name_of(change): one.units[0] for change, one in zip(self._changed, changes.noticed, strict=True)
        }
        self._found = known_figures(path, self._head, deals)

    def missing(self, player: str) -> list[str]:
        """Return the changes of which no figures are known with some players."""
        return [name for name in self._units if (name, player) not in self._found]

    def measure(self, work: Work, told: Callable[[int], None]) -> list[Json]:
        """Find what is missing, and write the file, also when interrupted; ``told`` hears of deals of both players.

        Matches are played, whole shares of them, until the variant has so many deals. Returns the changes with their
        figures.
        """
        try:
            for player in PLAYERS:
                if missing := self.missing(player):
                    self._found |= self._measured(
                        Asked(self._head["variant"], frozenset(missing), player, self._seed), work, told
                    )
                else:
                    told(self._deals)
        finally:
            rules = {name: list(getattr(self._changes, name)) for name in ("unnoticed", "uncompared")}
            head = {**self._head, **rules, "left_out": self._left_out}
            entries = write_figures(self._path, head, self._changed, self._found)
        return entries

    def _measured(self, asked: Asked, work: Work, told: Callable[[int], None]) -> dict[Figure, Json]:
        names = [name for name in self._units if name in asked.names]
        kernel = kernel_for(asked, self._changes)
        shares = work(asked, kernel)
        total: Any = 0
        try:
            for rows in shares:
                total = total + rows
                told(int(rows[0, DEALS]))
                if total[0, DEALS] >= self._deals:
                    break
        finally:
            shares.close()
        return {
            (name, asked.player): figure(sums_of(row), self._units[name])
            for name, row in zip(names, total.tolist(), strict=True)
        }
