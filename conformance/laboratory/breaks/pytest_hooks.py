"""A plugin of pytest: tells a recording which test is at work, or runs chosen tests in their order."""

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

from laboratory.breaks.recording import STARTED, Recording

CHOSEN: Final = "BELOT_BREAKS_CHOSEN"
LOG: Final = "BELOT_BREAKS_LOG"
MOST: Final = "BELOT_BREAKS_CPU_SECONDS"


class Recorder:
    """Tells the recording of this process which test, or which fixture that tests share, is at work."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Let a test rest on the fixtures that it shares with others, whoever came first and made them."""
        with self._recording.of(item.nodeid, told=True):
            found = getattr(item, "_fixtureinfo", None)
            for fixtures in found.name2fixturedefs.values() if found else ():
                self._recording.used(*(_unit(one) for one in fixtures if one.scope != "function"))
            done = yield
        self._recording.fold()
        return done

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """Let what makes a shared fixture be a unit of its own."""
        if fixturedef.scope == "function":
            return (yield)
        with self._recording.of(_unit(fixturedef), told=True):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test cost, as the plugin of the project counts it."""
        self._recording.cost[report.nodeid] += getattr(report, "cpu", 0) + getattr(report, "cpu_shared", 0)


def _unit(fixture: pytest.FixtureDef[Any]) -> str:
    return f"fixture:{fixture.baseid}::{fixture.argname}"


class Chooser:
    """Runs the chosen tests alone, in their order, until one fails or the processor has worked long enough."""

    def __init__(self) -> None:
        self._places = {name: place for place, name in enumerate(json.loads(Path(os.environ[CHOSEN]).read_text()))}
        self._log = Path(os.environ[LOG])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """Leave the others out, after whatever else sorts them."""
        yield
        items[:] = sorted(
            (one for one in items if one.nodeid in self._places), key=lambda one: self._places[one.nodeid]
        )

    def _say(self, **said: object) -> None:
        with self._log.open("a") as log:
            log.write(json.dumps(said) + "\n")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say which test begins: it is the last one if it hangs."""
        self._say(began=nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Say which one failed."""
        if report.failed:
            self._say(failed=report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Say which one is done."""
        self._say(done=nodeid, cpu=sum(os.times()[:4]))

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Go no further when time is up."""
        if sum(os.times()[:4]) > float(os.environ[MOST]):
            item.session.shouldstop = "time is up"


def pytest_configure(config: pytest.Config) -> None:
    """Do what the environment says."""
    if CHOSEN in os.environ:
        config.pluginmanager.register(Chooser())
    elif STARTED and (hasattr(config, "workerinput") or config.getoption("numprocesses", 0) in (None, 0)):
        config.pluginmanager.register(Recorder(STARTED[0]))


def pytest_unconfigure() -> None:
    """Write the record before whoever started this worker ends it."""
    for recording in STARTED:
        recording.write()
