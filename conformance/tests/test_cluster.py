"""Simulations on a cluster: three workers, one of them killed, and the same answer as here."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest

from belot_workshop.impact.simulation import Setting, simulate

pytest.importorskip("numba", reason="the extra [fast] is not installed")
pytest.importorskip("distributed", reason="the extra [cluster] is not installed")

from belot_workshop.impact.cluster import NoClusterError, on_cluster

# What the cluster itself warns of while it starts and ends is no matter of ours.
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]
SETTING = Setting("belote", "belote+no-undertrump", "random", 4)
DEALS = 60_000


@contextmanager
def started(folder: Path, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A part of a cluster as people start it, for as long as it is needed."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:], "--no-dashboard"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, stdin=quiet, stdout=quiet, stderr=quiet) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_cluster_that_loses_a_worker_gives_what_one_process_gives(tmp_path: Path) -> None:
    from distributed import Client

    known = str(tmp_path / "scheduler.json")
    alone = simulate(SETTING, DEALS, jobs=1)
    with ExitStack() as stack:
        stack.enter_context(
            started(tmp_path, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", known)
        )
        worker = ("worker", "--scheduler-file", known, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        workers = [stack.enter_context(started(tmp_path, *worker)) for _ in range(3)]
        with Client(scheduler_file=known, timeout="120s", set_as_default=False) as client:
            client.wait_for_workers(3, timeout=120)
            address = client.scheduler.address
        killed: list[int] = []

        def kill_one(deals: int) -> None:
            if not killed:
                workers[0].kill()
                killed.append(deals)

        assert simulate(SETTING, DEALS, scheduler=address, advance=kill_one) == alone
        assert killed[0] < DEALS
        shares = on_cluster(address, abs, (-number for number in count()))
        assert [next(shares) for _ in range(40)] == list(range(40))
        shares.close()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "nonsense:::"])
def test_an_address_where_nothing_answers_is_said(address: str) -> None:
    with pytest.raises(NoClusterError, match=f"--scheduler {address}: nothing answers there"):
        simulate(SETTING, 10, scheduler=address)
