"""Measuring what changes are worth on the kernel; what a file has already, for the same rules, is not played again."""

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from belot_conformance.programs.process_pool import in_processes
from belot_conformance.rules.reading import Json
from belot_reference.compile import compile_profile
from belot_spec.files import read_json
from belot_spec.load.worth import EDITION, PLAYERS, WORTH_VERSION, rules_digest
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec
from belot_spec.whole_file import write_whole
from belot_workshop.impact.cluster import on_cluster
from belot_workshop.impact.comparison import Sums, units
from belot_workshop.impact.estimate import Mean, Share
from belot_workshop.impact.kernel import AT_ONCE, MatchKernel, make_ready
from belot_workshop.worth.changes import Changes, MeasurableChange, base_of

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


# A change, with which players, and what is found of it.
Asked = tuple[MeasurableChange, str]
Work = Callable[[Callable[[Asked], Json], Iterable[Asked]], Generator[Json, None, None]]


def by_processes(jobs: int) -> Work:
    """Return what measures changes in processes of this machine."""

    def measure(one: Callable[[Asked], Json], asked: Iterable[Asked]) -> Generator[Json, None, None]:
        make_ready()
        return in_processes(one, asked, jobs)

    return measure


def by_cluster(scheduler: str) -> Work:
    """Return what measures changes on a Dask cluster."""
    return partial(on_cluster, scheduler)


def measured(seed: int, deals: int, asked: Asked) -> Json:
    """Return the figures of a change with some players, on the first matches that make so many deals."""
    change, player = asked
    base, new = base_of(change.variant), compile_profile(change.profile(default_spec()))
    kernel, sums, first = MatchKernel(base, new, player, seed), Sums(), 0
    while sums.deals < deals:
        sums += kernel.play(first, AT_ONCE).until(deals - sums.deals)
        first += AT_ONCE
    return figure(sums, units(base, new)[0])


class Measuring:
    """Finds the figures of a variant that a file does not have yet."""

    def __init__(self, path: Path, spec: Spec, changes: Changes, seed: int, deals: int) -> None:
        self._path, self._changes, self._seed, self._deals = path, changes, seed, deals
        self._head = head_of(spec, changes.base.profile.id, seed)
        self._left_out = {why: [change.named for change in some] for why, some in changes.left_out.items()}
        self._changed = [change.as_json(spec) for change in changes.noticed]
        self._found = known_figures(path, self._head, deals)

    def missing(self) -> dict[Figure, Asked]:
        """Return the figures that are not known, each with the change and the players to play it with."""
        named = zip(map(name_of, self._changed), self._changes.noticed, strict=True)
        wanted = {(name, player): (change, player) for name, change in named for player in PLAYERS}
        return {figure: asked for figure, asked in wanted.items() if figure not in self._found}

    def measure(self, work: Work, told: Callable[[int], None]) -> list[Json]:
        """Find what is missing, and write the file, also when interrupted; ``told`` hears of each figure.

        Returns the changes with their figures.
        """
        missing = self.missing()
        found = work(partial(measured, self._seed, self._deals), missing.values())
        try:
            for name, one in zip(missing, found, strict=True):
                self._found[name] = one
                told(1)
        finally:
            found.close()
            rules = {name: list(getattr(self._changes, name)) for name in ("unnoticed", "uncompared")}
            head = {**self._head, **rules, "left_out": self._left_out}
            entries = write_figures(self._path, head, self._changed, self._found)
        return entries
