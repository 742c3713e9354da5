"""Simulations and an audit on a cluster: some workers, of which some are killed, and the same answer as here."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.logs.shares import shares_of
from belot_conformance.programs.process_pool import NoClusterError, on_cluster
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.deals import random_deal
from belot_workshop.impact.comparison import SimulationSetup
from belot_workshop.impact.simulation import simulate
from laboratory.audit_bar import Cluster, cluster
from process_testing import NEEDS_FAST, Lazily, assert_nothing_runs, until
from process_testing import started as belot_started
from suite_testing import run

kernel = Lazily("belot_workshop.impact.kernel")
# What the cluster itself warns of while it starts and ends is no matter of ours.
NEEDS_CLUSTER = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra [cluster] is not installed")
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore"), NEEDS_FAST, NEEDS_CLUSTER]
SETTING = SimulationSetup("belote", "belote+no-undertrump", "random", 4)
DEALS = 60_000


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster"), 2) as found:
        yield found


def alive(workers: Sequence["subprocess.Popen[bytes]"]) -> list["subprocess.Popen[bytes]"]:
    return [worker for worker in workers if worker.poll() is None]


def test_a_cluster_that_loses_a_worker_gives_what_one_process_gives(running: Cluster) -> None:
    client, workers = running
    alone = simulate(SETTING, DEALS, jobs=1)
    address = client.scheduler.address
    killed: list[int] = []

    def kill_one(deals: int) -> None:
        if not killed:
            alive(workers)[0].kill()
            killed.append(deals)

    assert simulate(SETTING, DEALS, scheduler=address, advance=kill_one) == alone
    assert killed[0] < DEALS


def tasks_of(client: Any) -> dict[str, Any]:
    """All tasks that a scheduler knows, each with the workers that have its result."""
    return dict(client.who_has())


def test_who_stops_early_takes_back_what_waits_on_a_cluster(running: Cluster) -> None:
    client, _ = running
    shares = on_cluster(client.scheduler.address, abs, (-number for number in count()))
    assert [next(shares) for _ in range(40)] == list(range(40))
    assert tasks_of(client)
    shares.close()
    until(lambda: tasks_of(client) == {}, lambda: tasks_of(client))


def test_ctrl_c_takes_back_what_waits_on_a_cluster_and_leaves_nothing_running(running: Cluster, tmp_path: Path) -> None:
    client, workers = running
    out = tmp_path / "impact.md"
    left = alive(workers)
    assert left
    until(lambda: len(client.ncores()) == len(left), client.ncores)
    client.gather([client.submit(kernel.play_share, SETTING, 0, workers=[one], pure=False) for one in client.ncores()])
    until(lambda: tasks_of(client) == {}, lambda: tasks_of(client))
    command = [sys.executable, "-m", "belot_conformance", "lab", "impact", SETTING.old, SETTING.new]
    options = ["--deals", "1000000000", "--scheduler", client.scheduler.address, "--out", str(out)]
    with belot_started([*command, *options], out) as run:
        until(lambda: len(tasks_of(client)) > 0, run.poll)
        until(lambda: any(tasks_of(client).values()), lambda: tasks_of(client))
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate()
        assert run.returncode == 130, errors
        # What the cluster's own loop says of a Ctrl-C between two of its steps passes through none of our modules.
        assert b"belot_conformance" not in errors
        assert b"belot_workshop" not in errors
    assert_nothing_runs(out)
    until(lambda: tasks_of(client) == {}, lambda: tasks_of(client))
    assert set(client.processing().values()) == {()}
    assert alive(left) == left
    assert client.submit(abs, -1).result() == 1
    assert "INTERRUPTED" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "nonsense:::"])
def test_an_address_where_nothing_answers_is_said(address: str) -> None:
    with pytest.raises(NoClusterError, match=f"--scheduler {address}: nothing answers there"):
        simulate(SETTING, 10, scheduler=address)


def test_an_audit_that_loses_a_worker_says_what_one_machine_says(
    tmp_path: Path, reference: Reference, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, random, log = reference.ruleset("belotten"), Random("cluster"), tmp_path / "log.jsonl"
    records = []
    for number in range(400):
        question = random_deal(rules, random).question
        message = reference.reply("replay", "belotten", question)
        if number == 300 and "result" in message:
            message = {"result": {**message["result"], "ended": "passed"}}
        records.append(json.dumps({"profile": "belotten", "input": question, **message}))
    log.write_text("\n".join(records), encoding="utf-8")
    monkeypatch.setattr("belot_conformance.logs.audit.shares_of", partial(shares_of, size=10_000))
    with cluster(tmp_path, 2) as (client, workers):

        def losing(address: str, work: Any, shares: Any) -> Iterator[Any]:
            for number, one in enumerate(on_cluster(address, work, shares)):
                if number == 1:
                    workers[0].kill()
                yield one

        monkeypatch.setattr("belot_conformance.cli.audit.on_cluster", losing)
        words = ("audit", str(log), "--no-search")
        alone, together = run(*words), run(*words, "--scheduler", client.scheduler.address)
    assert workers[0].poll() is not None
    assert together.exit_code == alone.exit_code == 1
    shown = [re.sub(r" in [0-9.]+ \w+", "", one.stdout) for one in (alone, together)]
    assert shown[0] == shown[1]
    assert "log.jsonl:301" in shown[0]
