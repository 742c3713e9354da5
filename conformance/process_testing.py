"""What tests that start processes share; as a plugin of pytest, it holds that the tests leave none behind.

A process is known by what it was started with: a folder that only one test has, or a mark in its environment.
Nothing here waits for a time to pass; whatever is waited for has a minute to come, on a machine however busy.
"""

import fcntl
import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import click
import psutil
import pytest

from belot_conformance.programs.collector import collect_seldom
from belot_conformance.programs.target import Limits

Made = TypeVar("Made")

PATIENCE: Final = 60.0
NEEDS_FAST: Final = pytest.mark.skipif(find_spec("numba") is None, reason="the extra [fast] is not installed")
LIMITS: Final = Limits(start=PATIENCE, answer=PATIENCE)
LONG: Final = 20  # CPU seconds; a test that takes more is to be marked
_SLOWEST = 10
_LOOK_AGAIN = 0.02
_MARK = "BELOT_STARTED_BY_TESTS"
# How one program hands its place to another whose signals are as they should be, whoever started the tests.
_WITH_SIGNALS = """
import os, signal, sys
signal.signal(signal.SIGINT, getattr(signal, sys.argv[1]))
for number in signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture(scope="session", autouse=True)
def programs_have_time_to_start() -> Iterator[None]:
    """Let every program that a test starts in this process take a minute to shake hands, unless the test says else.

    Ten seconds are enough for whoever checks a program, and not on a machine that runs several workers of tests.
    """
    usual, real = Limits().start, click.Option.get_default

    def get_default(option: click.Option, ctx: click.Context, call: bool = True) -> Any:
        found = real(option, ctx, call)
        return PATIENCE if call and option.name == "start" and found == usual else found

    with pytest.MonkeyPatch.context() as patch:
        _, *others = Limits.__init__.__defaults__ or ()
        patch.setattr(Limits.__init__, "__defaults__", (PATIENCE, *others))
        patch.setattr(click.Option, "get_default", get_default)
        yield


class Lazily:
    """A module that is imported when a test first asks it for something, and not while tests are collected."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, wanted: str) -> Any:
        # Whoever collects tests asks everything whether it is one.
        if wanted.startswith("_"):
            raise AttributeError(wanted)
        return getattr(import_module(self._name), wanted)


def until(condition: Callable[[], bool], tell: Callable[[], object] = str) -> None:
    """Wait until a condition holds; fail, and tell how things stand, when it does not come to hold."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, tell()
        time.sleep(_LOOK_AGAIN)


def processes_marked(mark: Path) -> dict[int, str]:
    """Return the command lines by process, zombies aside, that have this path among their arguments."""
    told = ((one.pid, one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"]))
    return {number: " ".join(words) for number, words in told if str(mark) in words}


def assert_so_many_run(count: int, mark: Path) -> None:
    """Hold that so many processes have this path among their arguments, once those starting or ending have done so."""
    until(lambda: len(processes_marked(mark)) == count, lambda: processes_marked(mark))


def assert_nothing_runs(mark: Path) -> None:
    """Hold that no process has this path among its arguments."""
    assert_so_many_run(0, mark)


@contextmanager
def started(
    command: Sequence[str], mark: Path, *, sigint: Literal["SIG_DFL", "SIG_IGN"] = "SIG_DFL", **options: Any
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a command, which hears of Ctrl-C or does not; at the end kill whatever has the mark among its arguments."""
    words = [sys.executable, "-c", _WITH_SIGNALS, sigint, *command]
    with subprocess.Popen(words, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}) as run:
        try:
            yield run
        finally:
            run.kill()
            for number in processes_marked(mark):
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)


def made_once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], Made]) -> Made:
    """Return what one worker of pytest made in a folder, or of values that can be pickled, for all the workers."""
    base = folders.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"once-{name}"
    kept = folder.with_suffix(".pickle")
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            folder.mkdir(exist_ok=True)
            kept.write_bytes(pickle.dumps(make(folder)))
    made: Made = pickle.loads(kept.read_bytes())
    return made


class FailuresAtOnce:
    """Prints what fails when it fails; pytest itself, and whoever shares tests among workers, says it at the end."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print a failure with what the test wrote."""
        if not report.failed:
            return
        self._reporter.ensure_newline()
        self._reporter.write_sep("_", report.nodeid, red=True)
        self._reporter.write_line(report.longreprtext)
        for title, text in report.sections:
            self._reporter.write_sep("-", title)
            self._reporter.write_line(text.rstrip())
        self._reporter.flush()


class Spent:
    """Counts the seconds of the processor that each test takes, with those of the processes that it waits for."""

    def __init__(self) -> None:
        self._mark = _used()
        self._shared = 0.0
        self._depth = 0

    def pytest_collection_finish(self) -> None:
        """Count from here."""
        self._mark = _used()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """Count what is made for several tests apart from the test that happens to be the first of them."""
        own = fixturedef.scope != "function" and not self._depth
        self._depth += own
        began = _used()
        try:
            return (yield)
        finally:
            if own:
                self._depth, self._shared = 0, self._shared + _used() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write them into the report, which goes from a worker to whoever prints it."""
        report = yield
        now = _used()
        spent = now - self._mark
        # What ends with the last test that needs it, such as a browser, shows only now what it took.
        shared = spent if call.when == "teardown" else self._shared
        report.__dict__.update(cpu=spent - shared, cpu_shared=shared)
        self._mark, self._shared = now, 0.0
        return report


class SlowestTests:
    """Prints which tests took the processor most, and names the long ones that are not marked as such."""

    def __init__(self) -> None:
        self._spent: Counter[str] = Counter()
        self._marked: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what a test took, and what it shares with others of its module."""
        self._spent[report.nodeid] += getattr(report, "cpu", 0)
        self._spent[f"{report.nodeid.partition('::')[0]} (shared by its tests)"] += getattr(report, "cpu_shared", 0)
        if "long" in report.keywords:
            self._marked.add(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print both, if anything took long enough to speak of."""
        slowest = [(name, spent) for name, spent in self._spent.most_common(_SLOWEST) if spent >= 1]
        if slowest:
            terminalreporter.section(f"the slowest of {self._spent.total():.0f} CPU seconds")
        for name, spent in slowest:
            terminalreporter.write_line(f"{spent:6.1f}  {name}")
        for name, spent in self._spent.items():
            if spent > LONG and "::" in name and name not in self._marked:
                terminalreporter.write_line(f"over {LONG} CPU seconds, and not marked long: {name}", yellow=True)


def _used() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Print failures as they happen, and what took long, where there is somebody to read them: not in a worker."""
    config.pluginmanager.register(Spent())
    if reporter := config.pluginmanager.get_plugin("terminalreporter"):
        config.pluginmanager.register(FailuresAtOnce(reporter))
        config.pluginmanager.register(SlowestTests())


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Let one worker more than there are cores share the tests, as some wait for programs, browsers and clocks."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else 1 + (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Keep what was made so far, which stays to the end, out of the rounds of the garbage collector; make them rare."""
    gc.collect()
    gc.freeze()
    collect_seldom()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the modules that take long, lest one worker waits in the end for the other's last test."""
    site = {item.path for item in items if "site" in getattr(item, "fixturenames", ())}
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (item.path in site, item.path in long), reverse=True)


@pytest.fixture(scope="session", autouse=True)
def git_reads_no_settings() -> Iterator[None]:
    """Keep what a machine, its user or whoever called git has set from the repositories that tests make."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_process_is_left() -> Iterator[None]:
    """Hold, after the last test, that nothing runs any more that a test started, with the test that started it."""
    os.environ[_MARK] = mark = str(os.getpid())
    yield
    del os.environ[_MARK]
    until(lambda: not _left(mark), lambda: f"the tests left these running: {_left(mark)}")


def _left(mark: str) -> dict[str, str]:
    """Return the command lines of what tests started; the environment of each tells by which test."""
    found = {}
    for one in psutil.process_iter(["cmdline", "environ", "ppid"]):
        environment, words = one.info["environ"] or {}, one.info["cmdline"]
        # One that was forked off shares its parent's first environment, in which there is no mark.
        if words and one.pid != os.getpid() and (environment.get(_MARK) == mark or one.info["ppid"] == os.getpid()):
            found[f"{one.pid} {environment.get('PYTEST_CURRENT_TEST', '')}"] = " ".join(words)
    return found
