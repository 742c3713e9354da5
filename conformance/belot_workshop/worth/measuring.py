"""Measuring what changes are worth on the kernel; what a file has already, for the same rules, is not played again."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from belot_conformance.rules.reading import Json
from belot_reference.compile import compile_profile
from belot_spec.spec import Spec, default_spec
from belot_spec.worth import PLAYERS
from belot_workshop.impact.kernel import AT_ONCE, MatchKernel
from belot_workshop.impact.simulation import Sums, units
from belot_workshop.worth.changes import Change, Changes
from belot_workshop.worth.files import Figure, figure, head_of, known_figures, name_of, write_figures


@dataclass(frozen=True, slots=True)
class Task:
    """One figure to find: a change, who plays, the seed, and how many deals at least."""

    change: Change
    player: str
    seed: int
    deals: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a task gave, in points of which so many make a score point of the variant."""

    sums: Sums
    unit: int


def measured(task: Task) -> Found:
    """Return the sums of a task, on any machine the same: whole matches until there are so many deals."""
    spec = default_spec()
    old, new = compile_profile(spec.profile(task.change.variant)), compile_profile(task.change.profile(spec))
    kernel = MatchKernel(old, new, task.player, task.seed)
    sums, first = Sums(), 0
    while sums.deals < task.deals:
        sums += kernel.play(first, AT_ONCE).until(task.deals - sums.deals)
        first += AT_ONCE
    return Found(sums, units(old, new)[0])


Work = Callable[[Callable[[Task], Found], Iterable[Task]], Generator[Found, None, None]]


class Measuring:
    """Finds the figures of a variant that a file does not have yet."""

    def __init__(self, path: Path, spec: Spec, changes: Changes, seed: int, deals: int) -> None:
        self._path, self._changes = path, changes
        self._head = head_of(spec, changes.base.profile.id, seed)
        self._names = [change.as_json(spec) for change, _ in changes.noticed]
        self._found = known_figures(path, self._head, deals)
        self._missing = {
            Figure(name_of(name), player): Task(change, player, seed, deals)
            for name, (change, _) in zip(self._names, changes.noticed, strict=True)
            for player in PLAYERS
            if Figure(name_of(name), player) not in self._found
        }

    @property
    def missing(self) -> int:
        """How many figures are to be found."""
        return len(self._missing)

    def measure(self, work: Work, told: Callable[[], None]) -> list[Json]:
        """Find what is missing, and write the file, also when interrupted; return the changes with their figures."""
        try:
            for key, found in zip(self._missing, work(measured, self._missing.values()), strict=False):
                self._found[key] = figure(found.sums, found.unit)
                told()
        finally:
            rules = {name: list(getattr(self._changes, name)) for name in ("unnoticed", "uncompared")}
            entries = write_figures(self._path, {**self._head, **rules}, self._names, self._found)
        return entries


def ranking(entries: Iterable[Json], player: str) -> list[Json]:
    """Return the figures of one player, those by which most deals end otherwise first."""
    of_player = [entry for entry in entries if player in entry]
    return sorted(of_player, key=lambda entry: (-entry[player]["deals"][0], name_of(entry)))
