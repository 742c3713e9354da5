"""A plugin of pytest: coverage hears which test is at work, files that it opens are noted, chosen tests run alone."""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

# Variables: where a run is recorded, which test is at work (for coverage in processes that it starts), and a file that
# names the tests to run; beside it is written what became of them.
INTO: Final = "BELOT_BREAKS_INTO"
TEST: Final = "BELOT_BREAKS_TEST"
CHOSEN: Final = "BELOT_BREAKS_CHOSEN"


class Recorder:
    """Says which test is at work, and notes the files below this folder that it opens and what it costs."""

    def __init__(self) -> None:
        self._root, self._test = f"{Path.cwd()}/", ""
        self._files, self._cost = defaultdict[str, set[str]](set), defaultdict[str, float](float)
        sys.addaudithook(self._opened)

    def _opened(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str):
            name = os.path.join(self._root, arguments[0]).removeprefix(self._root)  # noqa: PTH118
            if not name.startswith(("/", ".", "build/")) and not name.endswith((".py", ".pyc")):
                self._files[name].add(self._test)

    def _begin(self, test: str) -> None:
        from coverage import Coverage

        self._test = os.environ[TEST] = test
        if (coverage := Coverage.current()) is not None:
            coverage.switch_context(test)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record what runs for a test as its own."""
        self._begin(item.nodeid)
        try:
            return (yield)
        finally:
            self._begin("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what it costs as the plugin of the project does."""
        self._cost[report.nodeid] += getattr(report, "cpu", 0) + getattr(report, "cpu_shared", 0)

    def pytest_unconfigure(self) -> None:
        """Write the record before whoever started this worker ends it."""
        from coverage import Coverage

        files = {name: sorted(tests - {""}) for name, tests in self._files.items()}
        path = Path(os.environ[INTO]) / f"{os.getpid()}.json"
        path.write_text(json.dumps({"files": files, "cost": self._cost}))
        if (coverage := Coverage.current()) is not None:
            coverage.stop()
            coverage.save()


class Chooser:
    """Runs the chosen tests alone and in their order, and writes which failed and ended."""

    def __init__(self) -> None:
        path = Path(os.environ[CHOSEN])
        self._places = {name: place for place, name in enumerate(json.loads(path.read_text()))}
        self._log = path.with_suffix(".tests").open("w", buffering=1)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """Leave the others out, after whatever else sorts them."""
        yield
        items[:] = sorted(
            (one for one in items if one.nodeid in self._places), key=lambda one: self._places[one.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Say which one failed."""
        if report.failed:
            print(json.dumps(["failed", report.nodeid]), file=self._log)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Say which one is done."""
        print(json.dumps(["done", nodeid]), file=self._log)


def pytest_configure(config: pytest.Config) -> None:
    """Do what the environment says: every worker records, or the one process runs what is chosen."""
    if CHOSEN in os.environ:
        config.pluginmanager.register(Chooser())
    elif INTO in os.environ and (hasattr(config, "workerinput") or config.getoption("numprocesses", 0) in (None, 0)):
        config.pluginmanager.register(Recorder())
