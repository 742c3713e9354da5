"""Measuring what changes are worth on the kernel, one after the other; what is known already is kept."""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import orjson

from belot_conformance.rules.reading import Json
from belot_reference.compile import compile_profile
from belot_spec.errors import Problem, SpecError
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.spec import Spec, default_spec
from belot_spec.whole_file import write_whole
from belot_workshop.impact.impact import figures
from belot_workshop.impact.kernel import AT_ONCE, MatchKernel
from belot_workshop.impact.players import PLAYERS
from belot_workshop.impact.simulation import Sums
from belot_workshop.worth.changes import Change, changes_of, key_of

WORTH_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Task:
    """One figure to find: a change, who plays, the seed, how many deals at least, and the key of all that."""

    change: Change
    player: str
    seed: int
    deals: int
    key: str


def measured(task: Task) -> tuple[Task, Sums]:
    """Return the sums of a task, on any machine the same: whole matches until there are so many deals."""
    kernel = _kernel(task.change.variant, task.change.name, task)
    sums, first = Sums(), 0
    while sums.deals < task.deals:
        sums += kernel.play(first, AT_ONCE).until(task.deals - sums.deals)
        first += AT_ONCE
    return task, sums


@lru_cache(maxsize=1)
def _kernel(variant: str, name: str, task: Task) -> MatchKernel:
    spec = default_spec()
    old, new = compile_profile(spec.profile(variant)), compile_profile(task.change.profile(spec))
    return MatchKernel(old, new, task.player, task.seed)


def tasks_of(spec: Spec, variant: str, seed: int, deals: int, *, options_only: bool = False) -> list[Task]:
    """Return what is to be found of a variant."""
    old = compile_profile(spec.profile(variant))
    return [
        Task(change, player, seed, deals, key_of(old, new, player, seed, deals))
        for change, new in changes_of(spec, variant, options_only=options_only)
        for player in PLAYERS
    ]


def known(path: Path) -> dict[str, Json]:
    """Return the figures of a file by their keys, none where there is no file; raises ``SpecError`` for other data."""
    if not path.is_file():
        return {}
    found: Json = read_json(path, MAX_OF_OURS)
    try:
        return {entry["key"]: entry for entry in found["worth"]}
    except (KeyError, TypeError):
        message = "these are no figures of belot worth; delete the file, or name another folder"
        raise SpecError([Problem(path, 1, "", message)]) from None


Work = Callable[[Callable[[Task], tuple[Task, Sums]], Iterable[Task]], Generator[tuple[Task, Sums], None, None]]


def measure(path: Path, variant: str, tasks: Iterable[Task], work: Work, told: Callable[[], None]) -> list[Json]:
    """Find the figures of a variant that a file does not have yet, and write it whole, also when interrupted."""
    tasks, before = list(tasks), known(path)
    found: dict[str, Json] = {task.key: before[task.key] for task in tasks if task.key in before}
    missing = [task for task in tasks if task.key not in before]
    for _ in range(len(tasks) - len(missing)):
        told()
    try:
        for task, sums in work(measured, missing):
            found[task.key] = _entry(task, sums)
            told()
    finally:
        entries = [found[task.key] for task in tasks if task.key in found]
        data = {"version": WORTH_VERSION, "variant": variant, "worth": entries}
        write_whole(path, orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
    return entries


def _entry(task: Task, sums: Sums) -> Json:
    counted = figures(sums)
    shares = {"decisions": counted.decisions, "deals": counted.deals, "matches": counted.matches}
    means: Mapping[str, Any] = {**counted.points, "length": counted.length}
    return {
        "key": task.key,
        "change": task.change.as_json(),
        "player": task.player,
        "seed": task.seed,
        "simulated": sums.deals,
        **{name: share and share.as_json() for name, share in shares.items()},
        "points": {name: mean and mean.as_json() for name, mean in means.items()},
    }


def ranking(entries: Iterable[Json], player: str) -> list[Json]:
    """Return the figures of one player, those by which most deals end otherwise first."""
    of_player = [entry for entry in entries if entry["player"] == player]
    return sorted(of_player, key=lambda entry: (-entry["deals"]["share"], str(entry["change"])))
