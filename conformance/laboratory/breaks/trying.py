"""Putting breaks to tests: first those that run the line, then those that touch the file, then the others."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from signal import SIGKILL
from threading import Lock
from typing import Any, Final

import click
import yaml

from belot_conformance.cli.common import EXIT_FAILED
from belot_spec.data import refuse_installed
from belot_spec.errors import BelotError
from belot_spec.whole_file import write_whole
from laboratory.breaks.drawing import Break, draw
from laboratory.breaks.recording import CHOSEN, INTO, TEST

ALL_TESTS: Final = (
    "reference_impl/tests", "conformance/tests", "site/tests", "conformance/laboratory/tests", "site/tests/lab",
)  # fmt: skip
_KEPT: Final = Path(__file__).with_name("breaks.yaml")
_ROOT: Final = _KEPT.parents[3]
WORK: Final = _ROOT / "build" / "breaks"
_FILES: Final = WORK / "files.json"
_TITLE: Final = (
    "# Breaks drawn by lot, as `make breaks` tells them; `why` says of one that survived why that is no matter.\n"
)
_PYTEST: Final = ("-m", "pytest", "-p", "laboratory.breaks.recording", "-p", "no:cacheprovider")
# What `make test` runs besides, by the files that it reads.
_RULES: Final = (("-m", "belot_conformance", "spec", "lint"), ("-m", "belot_conformance", "cases", "lint"))
_LINTS: Final[Mapping[str, Sequence[tuple[str, ...]]]] = {
    ".py": (("-m", "ruff", "check", "--no-cache", "--ignore=E501"), ("-m", "mypy")), ".yaml": _RULES, ".json": _RULES,
}  # fmt: skip
_A_DAY: Final = 86_400.0
_COVERAGE: Final = """[run]
parallel = true
data_file = {into}/coverage
context = ${{{test}}}
source_dirs = {sources}
concurrency = multiprocessing, thread
patch = _exit, fork
disable_warnings = no-data-collected, module-not-measured, couldnt-parse
"""


class BreaksError(BelotError):
    """There is no git to say what belongs to the project, or no record of its tests."""


class Copy:
    """A copy of the project below ``build/breaks``, whose programs import what stands in it."""

    def __init__(self, name: str) -> None:
        self.root = WORK / name
        self.log = self.root.with_suffix(".log")

    def make(self, files: Sequence[str], source: Path) -> "Copy":
        """Make it anew, and show that what is broken in it is broken for whoever imports it."""
        shutil.rmtree(self.root, ignore_errors=True)
        for path in files:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / path, self.root / path)
        for beside in (".venv", "site/node_modules"):
            if (_ROOT / beside).exists():
                (self.root / beside).symlink_to((_ROOT / beside).resolve())
        code = "import belot_conformance, belot_reference, belot_site, belot_spec as spec; print(spec.__file__)"
        if self.run(("-c", code), _A_DAY) or not self.log.read_text().startswith(str(self.root)):
            raise BreaksError(f"{self.root} does not import its own code: see {self.log}")
        self.run(("-m", "kernel_testing"), _A_DAY)
        return self

    def run(self, words: Sequence[str], seconds: float, more: Mapping[str, str] | None = None) -> int | None:
        """Run Python there, with all that it prints in ``log``; return ``None`` if it did not end in time."""
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
        environment = {
            "PLAYWRIGHT_BROWSERS_PATH": str(cache / "ms-playwright"), **os.environ, "PYTEST_ADDOPTS": "",
            "PYTHONPATH": os.pathsep.join(str(self.root / top) for top in ("reference_impl", "conformance", "site")),
            "XDG_CACHE_HOME": str(self.root / ".cache"), **(more or {}),
        }  # fmt: skip
        with self.log.open("wb") as log:
            run = subprocess.Popen(
                [sys.executable, *words], cwd=self.root, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            try:
                return run.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(run.pid, SIGKILL)
                run.wait()

    def first_failure(self, tests: Sequence[str], seconds: float) -> tuple[str | None, dict[str, str], int]:
        """Put tests to it; return which failed first, how if it did not just fail, and how many passed before."""
        chosen = self.root.with_suffix(".json")
        chosen.write_text(json.dumps(tests))
        files = dict.fromkeys(map(_module, tests))
        code = self.run((*_PYTEST, "-n", "0", "-x", "-p", "no:randomly", *files), seconds, {CHOSEN: str(chosen)})
        events = [json.loads(line) for line in chosen.with_suffix(".tests").read_text().splitlines()]
        failed, done = ([test for what, test in events if what == kind] for kind in ("failed", "done"))
        if not failed and code not in (0, 5):  # 5: the chosen ones are gone.
            how = "it hangs" if code is None else "pytest breaks down"
            return tests[min(len(done), len(tests) - 1)], {"by": how}, len(done)
        return (failed[0], {}, len(done) - 1) if failed else (None, {}, len(done))

    @contextmanager
    def broken(self, one: Break) -> Iterator[None]:
        """Break it; at the end it is as it was, with nothing left that it worked out meanwhile."""
        (self.root / one.file).write_bytes(one.text)
        try:
            yield
        finally:
            shutil.copy2(_CONTROL.root / one.file, self.root / one.file)
            for left in (*self.root.glob(".cache/*/*"), self.root / ".hypothesis", self.root / "build"):
                # Kernels are kept by what they are compiled from, and take a minute.
                if not left.name.startswith("kernels-"):
                    shutil.rmtree(left, ignore_errors=True)


# What was recorded, and is broken: the project may have gone on since.
_CONTROL: Final = Copy("control")


def record(tests: Sequence[str], jobs: int) -> str:
    """Run tests and keep what each runs, reads and costs; return what pytest says at its end."""
    try:
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError) as error:
        raise BreaksError("git cannot say which files belong to the project") from error
    files = [name for name in listed if (_ROOT / name).is_file()]
    _CONTROL.make(files, _ROOT)
    into = WORK / "recorded"
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    sources = ", ".join(str(_CONTROL.root / top) for top in ("reference_impl", "conformance", "site"))
    settings = WORK / "coverage.ini"
    settings.write_text(_COVERAGE.format(into=into, test=TEST, sources=sources))
    told = {INTO: str(into), TEST: "", "COVERAGE_PROCESS_START": str(settings)}
    _CONTROL.run((*_PYTEST, "-n", str(jobs), "--dist", "worksteal", *tests), _A_DAY, told)
    said = _CONTROL.log.read_text(errors="replace").splitlines()[-1]
    _CONTROL.run(("-m", "coverage", "combine", "--quiet", "--rcfile", str(settings)), _A_DAY)
    _FILES.write_text(json.dumps(files))
    return said


class Record:
    """What was recorded, asked to which tests a break could matter."""

    def __init__(self, root: Path, folder: Path) -> None:
        from coverage import CoverageData

        self._root, self._lines = root, CoverageData(str(folder / "coverage"))
        self._lines.read()
        self.cost, self._readers = defaultdict[str, float](float), defaultdict[str, set[str]](set)
        for path in folder.glob("*.json"):
            kept = json.loads(path.read_text())
            for name, tests in kept["files"].items():
                self._readers[name].update(tests)
            for test, seconds in kept["cost"].items():
                self.cost[test] += seconds

    def tests(self, one: Break) -> list[str]:
        """Return all tests: those that run the line or read the file, those that touch the file, the others.

        A result that is kept for others, a fixture and what runs at import are recorded with whoever came first.
        """
        lines = self._lines.contexts_by_lineno(str(self._root / one.file))
        near = max((line for line in lines if line <= one.line), default=0)
        tiers = [{*lines.get(near, ())} | self._readers[one.file], {test for some in lines.values() for test in some}]
        modules = Counter[str]()
        for test, seconds in self.cost.items():
            modules[_module(test)] += seconds  # type: ignore[assignment]

        def place(test: str) -> tuple[object, ...]:
            """Put those of a module together, the cheapest first, but the dear ones after all others."""
            cost, module = self.cost[test], _module(test)
            tier = next((number for number, some in enumerate(tiers) if test in some), len(tiers))
            return tier, cost > 0.3, cost > 3, modules[module], module, cost, test

        return sorted(self.cost, key=place)


def _module(test: str) -> str:
    return test.partition("::")[0]


class Trials:
    """Puts breaks to tests, several at once, each in a copy of its own."""

    def __init__(self, known: Record, jobs: int, seconds: float) -> None:
        self._record, self._jobs, self._seconds = known, jobs, seconds
        self._lock, self._fit = Lock(), dict[str | tuple[str, ...], bool]()

    def run(self, breaks: Sequence[Break], files: Sequence[str]) -> Iterator[tuple[Break, dict[str, Any]]]:
        """Yield what became of each, as soon as it is known."""
        free: Queue[Copy] = Queue()
        for number in range(self._jobs):
            free.put(Copy(f"broken-{number + 1}").make(files, _CONTROL.root))

        def one(broken: Break) -> tuple[Break, dict[str, Any]]:
            copy = free.get()
            try:
                with copy.broken(broken):
                    return broken, self._fate(copy, broken)
            finally:
                free.put(copy)

        with ThreadPoolExecutor(self._jobs) as pool:
            yield from (done.result() for done in as_completed([pool.submit(one, each) for each in breaks]))

    def _fate(self, copy: Copy, broken: Break) -> dict[str, Any]:
        every, left, passed = self._record.tests(broken), self._seconds, 0
        tests = [test for test in every if (left := left - self._record.cost[test]) > 0]
        in_time = len(tests) == len(every)
        while tests:
            failed, how, number = copy.first_failure(tests, 5 * self._seconds + 300)
            passed += number
            if failed is None:
                break
            if self._holds(failed):
                return {"caught": failed, **how, "tests": f"{passed} of {len(every)} passed before"}
            tests = tests[tests.index(failed) + 1 :]
        for words in _LINTS.get(Path(broken.file).suffix, ()):
            if self._holds(words) and copy.run(words, _A_DAY):
                return {"caught": " ".join(words[1:]), "tests": f"{passed} of {len(every)} passed before"}
        return {"survived": f"{passed} of {len(every)} tests" + ("" if in_time else "; time was up")}

    def _holds(self, check: str | tuple[str, ...]) -> bool:
        """Say whether a test, or what `make test` runs besides, passes where nothing is broken."""
        with self._lock:
            if check not in self._fit:
                if isinstance(check, str):
                    self._fit[check] = _CONTROL.first_failure([check], _A_DAY)[0] is None
                else:
                    self._fit[check] = _CONTROL.run(check, _A_DAY) == 0
            return self._fit[check]


def _number(name: str, least: int, default: int, text: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(name, type=click.IntRange(min=least), default=default, show_default=True, help=text)


@click.command()
@click.argument("tests", nargs=-1, metavar="[TESTS …]")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the lot.")
@_number("--count", 1, 60, "Breaks to draw.")
@_number("--jobs", 1, os.cpu_count() or 1, "Breaks that are tried at once.")
@_number("--minutes", 1, 6, "Of the processor, for each.")
@click.option(
    "--record", "recording", is_flag=True, help="Run TESTS, by default all, to record what each runs and reads."
)
@click.option("--resume", is_flag=True, help="Keep what is in the list, and try what is drawn and not in it yet.")
@click.option("--list", "showing", is_flag=True, help="Print what is drawn and its first test; try nothing.")
def breaks(tests: tuple[str, ...], seed: int, count: int, jobs: int, minutes: int, **given: bool) -> None:
    """Break the product in small ways, and see what tests notice.

    Rules, engine, suite, reports and site.

    Each break is put to the tests that run its line or read its file, cheapest first, and then to the others, until one
    fails. The list is kept in breaks.yaml beside this. Exit code: 0 if all are noticed or have a reason there why not,
    else 1.
    """
    refuse_installed("what is broken")
    if given["recording"]:
        click.echo(record(tests or ALL_TESTS, jobs))
        return
    if not _FILES.exists():
        raise BreaksError("no run of the tests is recorded yet: belot lab breaks --record")
    known, files = Record(_CONTROL.root, WORK / "recorded"), json.loads(_FILES.read_text())
    drawn = draw(_CONTROL.root, files, seed, count)
    if given["showing"]:
        click.echo(yaml.safe_dump([{**one.entry(), "first": known.tests(one)[:1]} for one in drawn], sort_keys=False))
        return
    kept: list[dict[str, Any]] = yaml.safe_load(_KEPT.read_text())["breaks"] if given["resume"] else []
    old = [{name: entry[name] for name in drawn[0].entry()} for entry in kept]
    new = [one for one in drawn if one.entry() not in old]
    for one, fate in Trials(known, jobs, 60 * minutes).run(new, files):
        kept.append({**one.entry(), **fate})
        click.echo(f"{one.file}:{one.line} {one.kind}: {' '.join(f'{name} {said}' for name, said in fate.items())}")
        listed = yaml.safe_dump({"seed": seed, "breaks": kept}, allow_unicode=True, sort_keys=False, width=120)
        write_whole(_KEPT, _TITLE + listed)
    missed = [one for one in kept if "survived" in one]
    click.echo(f"{len(kept)} breaks, {len(kept) - len(missed)} caught, {len(missed)} survived")
    sys.exit(EXIT_FAILED if any("why" not in one for one in missed) else 0)
