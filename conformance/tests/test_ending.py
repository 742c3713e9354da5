"""Being told to end, and how an interrupt ends work in threads: nothing is left running, wherever it arrives."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import sleep
from types import FrameType

import pytest

from belot_conformance.programs.ending import ToldToEndError, heeding_signals, not_to_be_divided
from belot_conformance.programs.process_pool import at_once
from process_testing import PATIENCE, assert_nothing_runs, started

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are run under POSIX systems only")

LOSES_THE_INTERRUPT = """
import os, signal, sys, time
from belot_conformance.programs.ending import heeding_signals, not_to_be_divided
from belot_conformance.programs.pipe import Program

signal.signal(signal.SIGHUP, signal.SIG_DFL)
with heeding_signals(patience=0.1):
    program = Program([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], 100, time.monotonic)
    try:
        os.kill(os.getpid(), signal.SIGHUP)
    except BaseException:
        time.sleep(600)
"""


def test_work_that_loses_the_interrupt_ends_anyway(tmp_path: Path) -> None:
    with started([sys.executable, "-c", LOSES_THE_INTERRUPT, str(tmp_path)], tmp_path) as run:
        _, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == 128 + signal.SIGHUP, errors
        assert errors.splitlines()[-1] == b"belot: ended by SIGHUP"
        assert_nothing_runs(tmp_path)


def test_an_interrupt_that_a_library_or_a_finalizer_would_lose_is_raised_again(
    nobodys: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    class Told:
        def __del__(self) -> None:
            os.kill(os.getpid(), nobodys)

    def work_with_a_library() -> None:
        try:
            os.kill(os.getpid(), nobodys)
        except KeyboardInterrupt as stopped:
            raise ValueError("could not be fetched") from stopped

    def work_with_a_finalizer() -> None:
        Told()
        sleep(PATIENCE)

    for work in (work_with_a_library, work_with_a_finalizer):
        with pytest.raises(ToldToEndError) as told, heeding_signals():
            work()
        assert told.value.signal is nobodys
    assert capsys.readouterr().err == ""


@pytest.fixture
def nobodys() -> Iterator[signal.Signals]:
    before = signal.signal(signal.SIGUSR2, signal.SIG_DFL)
    yield signal.SIGUSR2
    signal.signal(signal.SIGUSR2, before)


INTERRUPTED_AT_ONCE = """
import os, signal, sys
from belot_conformance.entry import run

class Interrupting:
    def find_spec(self, name, *_):
        if name == "belot_conformance.cli.main":
            os.kill(os.getpid(), signal.Signals[sys.argv[1]])

sys.meta_path.insert(0, Interrupting())
run()
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_interrupt_is_heard_while_the_command_is_still_being_imported(tmp_path: Path, name: str, code: int) -> None:
    with started([sys.executable, "-c", INTERRUPTED_AT_ONCE, name, str(tmp_path)], tmp_path) as run:
        printed, errors = run.communicate(timeout=PATIENCE)
    assert (run.returncode, printed, errors.count(b"\n")) == (code, b"", 2)


def test_what_is_not_to_be_divided_is_done_before_the_interrupt(interrupt: signal.Signals) -> None:
    done = []

    def work() -> None:
        with not_to_be_divided():
            os.kill(os.getpid(), interrupt)
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done


@pytest.fixture
def interrupt() -> Iterator[signal.Signals]:
    def handle(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, handle)
    yield signal.SIGUSR1
    signal.signal(signal.SIGUSR1, before)


def test_an_interrupt_stops_work_in_threads_wherever_it_arrives(interrupt: signal.Signals) -> None:
    for _ in range(20):
        stopped = Event()

        def work(number: int, stopped: Event = stopped) -> bool:
            if number == 0:
                os.kill(os.getpid(), interrupt)
            return stopped.wait(PATIENCE)

        with pytest.raises(KeyboardInterrupt):
            at_once([lambda number=number: work(number) for number in range(3)], stopped.set)  # type: ignore[misc]


def test_an_error_in_one_thread_is_raised_once_the_others_are_over() -> None:
    stopped, over = Event(), []

    def wait() -> None:
        over.append(stopped.wait(PATIENCE))

    def fail() -> None:
        raise ValueError("one work is faulty")

    with pytest.raises(ValueError, match="one work is faulty"):
        at_once([wait, fail, wait], stopped.set)
    assert over == [True] * len(over)
