"""One log judged by one worker of a cluster and by two, of which one may be killed: how much faster, and said alike."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import orjson

from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import random_deal

_BUILT: Final = Path(__file__).parents[2] / "build" / "audit"
# So often one worker and two have their turn.
_ROUNDS: Final = 2
# What a log is made of, in equal parts; of some thousand records one is wrong.
_VARIANTS: Final = ("belotten", "contree", "bela-4", "coinche")
_DEALS_IN_SHARE: Final = 1000
_SHARES_PER_WRONG: Final = 4
# Where a page says how long it took.
_TOOK: Final = re.compile(r" in [0-9.]+ \w+")


@dataclass(frozen=True, slots=True)
class Judged:
    """One run of ``belot audit``: what judged, in how many seconds, and whether it says what this machine says."""

    by: str
    seconds: float
    is_same: bool


class Killed(NamedTuple):
    """A worker that is killed, so many seconds after the command began."""

    worker: "subprocess.Popen[bytes]"
    after: float


def judged_in_turn(log: Path) -> Iterator[Judged]:
    """Yield a run on this machine alone, then by turns one of one worker and of two, and last one that loses one."""
    alone = _audit(log)
    yield Judged("this machine, no cluster", alone[0], is_same=True)

    def run(by: str, number: int, kill_after: float | None = None) -> Judged:
        with TemporaryDirectory() as folder, cluster(Path(folder), number) as (client, workers):
            killed = None if kill_after is None else Killed(workers[0], kill_after)
            seconds, *said = _audit(log, client.scheduler.address, killed)
        return Judged(by, seconds, tuple(said) == alone[1:])

    for _ in range(_ROUNDS):
        yield run("one worker", 1)
        yield (two := run("two workers", 2))
    yield run("two workers, one killed in the middle", 2, two.seconds / 2)


def _audit(log: Path, address: str = "", killed: "Killed | None" = None) -> tuple[float, int, str]:
    """Return how long the command takes, its exit code, and its page without the seconds that it tells."""
    on = ["--scheduler", address] if address else ["--jobs", "1"]
    command = [sys.executable, "-m", "belot_conformance", "audit", str(log), "--no-search", *on]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        if killed is not None:
            time.sleep(killed.after)
            killed.worker.kill()
        page, _ = process.communicate()
        return time.monotonic() - began, process.returncode, _TOOK.sub("", page)


def log_of(deals: int) -> Path:
    """Return a log of so many whole deals, made if it is not there yet."""
    path = _BUILT / f"{deals}.jsonl"
    if not path.exists():
        shares = range(0, deals, _DEALS_IN_SHARE)
        drawn = ((first, min(_DEALS_IN_SHARE, deals - first)) for first in shares)
        _BUILT.mkdir(parents=True, exist_ok=True)
        with (begun := path.with_suffix(".begun")).open("wb") as file:
            file.writelines(in_processes(_records, drawn, os.cpu_count() or 1))
        begun.replace(path)
    return path


@cache
def _reference() -> Reference:
    return Reference()


def _records(share: tuple[int, int]) -> bytes:
    """Return so many records, from one on; of some shares the first deal scores a point too many."""
    first, number = share
    lines: list[bytes] = []
    variant, random = _VARIANTS[first // _DEALS_IN_SHARE % len(_VARIANTS)], Random(f"log {first}")
    while len(lines) < number:
        question = random_deal(_reference().ruleset(variant), random).question
        reply = _reference().reply("replay", variant, question)
        if not lines and first // _DEALS_IN_SHARE % _SHARES_PER_WRONG == 0 and "score" in reply.get("result", {}):
            reply["result"]["score"][0] += 1
        lines.append(orjson.dumps({"profile": variant, "input": question, **reply}) + b"\n")
    return b"".join(lines)


# A cluster on this machine.

Cluster = tuple[Any, list["subprocess.Popen[bytes]"]]


@contextmanager
def cluster(folder: Path, number: int) -> Iterator[Cluster]:
    """Run a scheduler and so many workers of one thread; give a client of it, and the workers."""
    from distributed import Client

    known = str(folder / "scheduler.json")
    with ExitStack() as stack:
        stack.enter_context(
            _started(folder, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", known)
        )
        worker = ("worker", "--scheduler-file", known, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        workers = [stack.enter_context(_started(folder, *worker)) for _ in range(number)]
        with Client(scheduler_file=known, timeout="120s", set_as_default=False) as client:
            client.wait_for_workers(number, timeout=120)
            yield client, workers


@contextmanager
def _started(folder: Path, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:], "--no-dashboard"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, stdin=quiet, stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.kill()
