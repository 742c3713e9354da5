"""Recording a run of the tests, and putting breaks to those that were chosen for each."""

import json
import os
import pickle
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from queue import Queue
from threading import Lock
from typing import Any, Final

from belot_spec.errors import BelotError
from belot_workshop.breaks.choosing import Choice, merged
from belot_workshop.breaks.clones import WORK, Clone, product_files
from belot_workshop.breaks.drawing import Break
from belot_workshop.breaks.pytest_hooks import CHOSEN, LOG, MOST
from belot_workshop.breaks.recording import INTO

ALL_TESTS: Final = (
    "reference_impl/tests", "conformance/tests", "site/tests", "conformance/lab_tests", "site/tests/lab",
)  # fmt: skip
_RECORD: Final = WORK / "record.pickle"
# What was recorded, and is broken: the project may have gone on since.
_CONTROL: Final = Clone(WORK / "control")
_PYTEST: Final = ("python", "-m", "pytest", "-p", "belot_workshop.breaks.pytest_hooks")
_FIRST: Final = 60
_A_DAY: Final = 86_400.0
_LINTS: Final = (("belot", "spec", "lint"), ("belot", "cases", "lint"))


class RecordError(BelotError):
    """There is no record of the tests."""


def record(tests: Sequence[str], jobs: int) -> tuple[int, str]:
    """Run tests and keep what each runs and reads; return how many were recorded, and the last line of pytest."""
    files = product_files()
    clone = Clone.make(_CONTROL.root.name, files)
    into = WORK / "recorded"
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    clone.run((*_PYTEST, "-n", str(jobs), "--dist", "worksteal", *tests), _A_DAY, {INTO: str(into)})
    found = merged(into)
    _RECORD.write_bytes(pickle.dumps({**found, "names": files}))
    return len(found["cost"]), clone.printed().splitlines()[-1]


def read_choice() -> Choice:
    """Return what was recorded; raises ``RecordError``."""
    if not _RECORD.exists():
        raise RecordError("no run of the tests is recorded yet: belot lab breaks --record")
    return Choice(_CONTROL.root, pickle.loads(_RECORD.read_bytes()))


class Trials:
    """Puts breaks to tests, several at once, each in a clone of its own."""

    def __init__(self, choice: Choice, jobs: int, seconds: float) -> None:
        self._choice, self._jobs, self._seconds = choice, jobs, seconds
        self._lock = Lock()
        self._unfit, self._good = set[str](), dict[tuple[str, ...], bool]()

    def run(self, breaks: Sequence[Break]) -> Iterator[tuple[Break, dict[str, Any]]]:
        """Yield what became of each, as soon as it is known."""
        free: Queue[Clone] = Queue()
        for number in range(self._jobs):
            free.put(Clone.make(f"broken-{number + 1}", self._choice.names, _CONTROL.root))

        def one(broken: Break) -> tuple[Break, dict[str, Any]]:
            clone = free.get()
            try:
                with clone.broken(broken):
                    return broken, self._fate(clone, broken)
            finally:
                free.put(clone)

        with ThreadPoolExecutor(self._jobs) as pool:
            yield from (done.result() for done in as_completed([pool.submit(one, each) for each in breaks]))

    def _fate(self, clone: Clone, broken: Break) -> dict[str, Any]:
        tests = [test for test in self._choice.tests(broken) if test not in self._unfit]
        count, put, left = len(tests), 0, self._seconds
        # Building the site a second time would take longest.
        first = len(tests) if broken.layer == "site" else _FIRST
        is_data = broken.file.endswith((".yaml", ".json"))
        for turn, some in enumerate((tests[:first], tests[first:])):
            # The lint is the cheapest of all that nearly every test of a file of rules could notice.
            if turn == 1 and is_data and (noticed := self._lint(clone, broken)):
                return {"caught": noticed, "tests": f"{put} of {count} passed before"}
            while some and left > 0:
                failed, how, done, spent = _put(clone, some, left)
                put, left = put + done, left - spent
                if failed is None:
                    break
                with self._lock:
                    is_fit = _put(_CONTROL, [failed], self._seconds)[0] is None
                if is_fit:
                    return {
                        "caught": failed,
                        **({"by": how} if how else {}),
                        "tests": f"{put} of {count} passed before",
                    }
                self._unfit.add(failed)
                some = some[some.index(failed) + 1 :]
        if not is_data and (noticed := self._lint(clone, broken)):
            return {"caught": noticed, "tests": f"{put} of {count} passed before"}
        return {"survived": f"{put} of {count} tests" + ("; time was up" if left <= 0 else "")}

    def _lint(self, clone: Clone, broken: Break) -> str | None:
        """Return which check of ``make test`` that is no test notices a break."""
        commands: tuple[tuple[str, ...], ...] = ()
        if broken.file.endswith(".py"):
            commands = (("ruff", "check", "--no-cache", "--ignore", "E501", broken.file), ("mypy",))
        elif broken.file.endswith((".yaml", ".json")):
            commands = _LINTS
        for command in commands:
            kept = clone.root / ".mypy_cache"
            with self._lock:
                if command not in self._good:
                    self._good[command] = _passes(_CONTROL, command)
                if command == ("mypy",) and not kept.exists():
                    shutil.copytree(_CONTROL.root / kept.name, kept)
            if self._good[command] and not _passes(clone, command):
                return " ".join(command[:2] if command[0] == "ruff" else command)
        return None


def _passes(clone: Clone, command: Sequence[str]) -> bool:
    words = ("python", "-m", *command) if command[0] in ("ruff", "mypy") else command
    return clone.run(words, _A_DAY) == 0


def _put(clone: Clone, tests: Sequence[str], seconds: float) -> tuple[str | None, str, int, float]:
    """Put tests to a clone: which failed first and how, if it did not just fail; how many passed; CPU seconds."""
    chosen, log = clone.root.with_suffix(".chosen"), clone.root.with_suffix(".jsonl")
    chosen.write_text(json.dumps(list(tests)))
    log.write_text("")
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    told = {CHOSEN: str(chosen), LOG: str(log), MOST: str(seconds)}
    before = sum(os.times()[2:4])
    code = clone.run(
        (*_PYTEST, "-n", "0", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", *files), 3 * seconds + 300, told
    )
    said = [json.loads(line) for line in log.read_text().splitlines()]
    done = [one for one in said if "done" in one]
    spent = max((one["cpu"] for one in done), default=sum(os.times()[2:4]) - before)
    if failed := next((one["failed"] for one in said if "failed" in one), None):
        return failed, "", len(done) - 1, spent
    # Code 2: time was up, or a module of tests cannot be imported any more.  5: the chosen ones are gone.
    if code not in (0, 2, 5) or (code == 2 and not done):
        last = next((one["began"] for one in reversed(said) if "began" in one), tests[0])
        return last, "it hangs" if code is None else "pytest breaks down", len(done), spent
    return None, "", len(done), spent
