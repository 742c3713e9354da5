"""A test that fails is told when it fails, while others still run, whether or not workers share the tests."""

import sys
from pathlib import Path

import pytest

from process_testing import started, until

TESTS = """
from pathlib import Path
from process_testing import until

def test_that_fails():
    print("what it wrote")
    assert 1 == 2, "the reason"

def test_that_waits():
    until(Path("go").exists)
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_failure_is_printed_while_other_tests_run(workers: str, tmp_path: Path) -> None:
    path, told = tmp_path / "test_both.py", tmp_path / "told"
    path.write_text(TESTS, encoding="utf-8")
    options = ("-p", "process_testing", "-p", "no:randomly", "-p", "no:cacheprovider", "-n", workers)
    with told.open("wb") as output:
        command = [sys.executable, "-m", "pytest", "-q", *options, str(path)]
        with started(command, path, cwd=tmp_path, stdout=output) as run:
            until(lambda: "AssertionError: the reason" in told.read_text(), told.read_text)
            while_running = told.read_text()
            (tmp_path / "go").touch()
            assert run.wait() == 1
    assert "test_both.py::test_that_fails" in while_running
    assert "what it wrote" in while_running
    assert "1 failed" not in while_running
    assert "1 failed, 1 passed" in told.read_text()
