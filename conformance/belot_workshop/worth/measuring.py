"""Measuring what changes are worth on the kernel; what a file has already, for the same rules, is not played again."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from belot_conformance.programs.process_pool import in_processes
from belot_conformance.rules.reading import Json
from belot_reference.batch.changes_kernel import BLOCK, ENDED, FAR, hold_against
from belot_reference.batch.layout import SEATS
from belot_reference.batch.match_kernel import COLUMNS, DEALS, MOST_DEALS
from belot_reference.batch.plans import plans_for
from belot_reference.batch.record import DEAL, new_deals
from belot_reference.batch.settle_kernel import MATCH
from belot_reference.batch.trail_kernel import TRAIL
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.files import read_json
from belot_spec.spec import Spec, default_spec
from belot_spec.whole_file import write_whole
from belot_spec.worth import EDITION, PLAYERS, WORTH_VERSION, rules_digest
from belot_workshop.impact.cluster import on_cluster
from belot_workshop.impact.estimate import Mean, Share
from belot_workshop.impact.kernel import SENSIBLE, compile_by, kernel_of_thread, kernel_rules, mixed_seed, sums_of
from belot_workshop.impact.simulation import Sums
from belot_workshop.worth.changes import Changes, Noticed, changes_of, plain

# Significant digits: an interval is never narrower than the last of them, whatever is measured.
_DIGITS: Final = 4


# Which figure: of a change, as ``name_of`` names it, with some players.
Figure = tuple[str, str]


def head_of(spec: Spec, variant: str, seed: int) -> Json:
    """Return what all figures of a file hang on."""
    rules = rules_digest(spec.profile(variant).settings)
    return {"version": WORTH_VERSION, "variant": variant, "edition": EDITION, "rules": rules, "seed": seed}


def known_figures(path: Path, head: Json, deals: int) -> dict[Figure, Json]:
    """Return the figures of a file that were found by the same rules and seed, on so many deals at least."""
    if not path.is_file():
        return {}
    data = read_json(path)
    if not isinstance(data, dict) or any(data.get(key) != value for key, value in head.items()):
        return {}
    return {
        (name_of(entry), player): entry[player]
        for entry in data["changes"]
        for player in PLAYERS
        if player in entry and entry[player]["simulated"] >= deals
    }


def name_of(change: Json) -> str:
    """Return a change without its figures as text, the same for the same change."""
    return json.dumps({key: value for key, value in change.items() if key not in PLAYERS}, sort_keys=True)


def write_figures(path: Path, head: Json, changes: Sequence[Json], found: Mapping[Figure, Json]) -> list[Json]:
    """Write the figures that were found of some changes, and return them; ``head`` is all that stands before them."""
    entries = []
    for change in changes:
        of_change = {player: found.get((name_of(change), player)) for player in PLAYERS}
        measured = {player: one for player, one in of_change.items() if one is not None}
        entries += [{**change, **measured}] if measured else []
    start = json.dumps(head, ensure_ascii=False)[:-1]
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    write_whole(path, f'{start}, "changes": [\n{lines}\n]}}\n'.encode())
    return entries


def figure(sums: Sums, unit: int) -> Json:
    """Return sums as the figures of a file; ``unit`` is how many of the points in them make a score point."""
    means = sums.means()
    return {
        "simulated": sums.deals,
        **{name: _rounded(share) for name, share in sums.shares().items()},
        "taker": _rounded(means["taker"], unit),
        "length": _rounded(means["length"]),
    }


def _rounded(found: Share | Mean | None, unit: int = 1) -> list[float] | None:
    if found is None:
        return None
    return [float(f"{one / unit:.{_DIGITS}g}") + 0.0 for one in (found.value, found.low, found.high)]


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

    def play_share(self, share: int) -> Any:
        """Play the matches of a share."""
        return self.play(share * AT_ONCE, AT_ONCE)


def make_ready() -> None:
    """Compile the kernel if it has not been."""
    bela = compile_profile(default_spec().profile("bela-2"))
    compile_by(lambda: ChangesKernel(bela, [], "random", 0).play(0, 1), "hold_against", "twenty")


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
        return in_processes(ChangesKernel.play_share, count(), jobs, partial(_itself, kernel))

    return play


def by_cluster(scheduler: str) -> Work:
    """Return what plays matches, share by share, on a Dask cluster."""
    return lambda asked, _: on_cluster(scheduler, partial(play_share, asked), count())


def _itself(kernel: ChangesKernel) -> ChangesKernel:
    """Return a kernel that was made before: it takes long to make another for each process."""
    return kernel


def play_share(asked: Asked, share: int) -> Rows:
    """Play the matches of a share, in any process and in any of its threads."""
    kernel = kernel_of_thread(asked, lambda: kernel_for(asked, _changes_of(asked.variant, asked.rules)))
    return kernel.play_share(share)


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
