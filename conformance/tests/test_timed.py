"""What the tests and `make` say of how long they took."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from process_testing import LONG, SlowestTests

pytest_plugins = ["pytester"]


def report(name: str, cpu: float, shared: float = 0.0, *marks: str) -> pytest.TestReport:
    found = pytest.TestReport(f"a.py::{name}", ("a.py", 1, name), dict.fromkeys(marks, 1), "passed", None, "call")
    found.__dict__.update(cpu=cpu, cpu_shared=shared)
    return found


def test_the_slowest_tests_are_told_and_those_that_are_long_and_not_marked_named() -> None:
    slowest, lines = SlowestTests(), list[str]()
    page: Any = SimpleNamespace(section=lines.append, write_line=lambda line, **_: lines.append(line))
    for one in (report("quick", 0.5), report("slow", LONG + 1.0), report("marked", LONG + 2.0, 0.0, "long")):
        slowest.pytest_runtest_logreport(one)
    slowest.pytest_runtest_logreport(report("first", 2.0, LONG + 9.0))
    slowest.pytest_terminal_summary(page)
    head, *told, warned = lines
    assert head == f"the slowest of {0.5 + 2 + 3 * LONG + 12:.0f} CPU seconds"
    assert [line.split()[1] for line in told] == ["a.py", "a.py::marked", "a.py::slow", "a.py::first"]
    assert warned == f"over {LONG} CPU seconds, and not marked long: a.py::slow"


def test_make_says_how_long_a_command_took_and_keeps_its_exit_code() -> None:
    script = Path(__file__).parents[1] / "timed.py"
    burn = "import sys, time\nwhile time.process_time() < 3.5: pass\nsys.exit(3)"
    command = [sys.executable, "-S", str(script), "It", sys.executable, "-S", "-c", burn]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 3
    assert done.stdout.startswith("It: ")
    assert done.stdout.endswith(" s, 0.1 CPU min\n")
