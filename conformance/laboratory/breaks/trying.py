"""Which tests a break is put to: those that run its line or read its file, cheapest first."""

import ast
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from signal import SIGKILL
from threading import Lock
from typing import Any, Final

import click
import psutil
import yaml

from belot_conformance.cli.common import EXIT_FAILED
from belot_spec.data import refuse_installed
from belot_spec.errors import BelotError
from belot_spec.whole_file import write_whole
from laboratory.breaks.drawing import Break, draw
from laboratory.breaks.pytest_hooks import CHOSEN, LOG, MOST
from laboratory.breaks.recording import INTO, PACKAGES, ROOT, SHARED


def merged(folder: Path) -> dict[str, Any]:
    """Return what all processes of a recorded run left in a folder, as one record."""
    from coverage.numbits import numbits_union

    lines: dict[str, dict[str, bytes]] = defaultdict(dict)
    sets: dict[str, dict[str, set[str]]] = {"files": defaultdict(set), "uses": defaultdict(set)}
    cost: dict[str, float] = defaultdict(float)
    for path in sorted(folder.glob("*.pickle")):
        told = pickle.loads(path.read_bytes())
        for unit, files in told["lines"].items():
            for name, bits in files.items():
                lines[unit][name] = numbits_union(lines[unit].get(name, b""), bits)
        for kind, found in sets.items():
            for unit, names in told[kind].items():
                found[unit] |= names
        for test, seconds in told["cost"].items():
            cost[test] += seconds
    return {"lines": dict(lines), "cost": dict(cost), **{kind: dict(found) for kind, found in sets.items()}}


class Choice:
    """A record of a tree of files, asked which tests a break of it could matter to."""

    def __init__(self, root: Path, record: Mapping[str, Any]) -> None:
        self.root, self.names, self._record = root, record.get("names", ()), record
        self.cost: Mapping[str, float] = record["cost"]
        self._tests_of: dict[str, set[str]] = defaultdict(set)
        for test in self.cost:
            seen, todo = {test}, [test]
            while todo:
                new = record["uses"].get(todo.pop(), set()) - seen
                seen |= new
                todo += new
            for unit in seen:
                self._tests_of[unit].add(test)
        self._units_by_file: dict[str, set[str]] = defaultdict(set)
        for found in (record["lines"], record["files"]):
            for unit, files in found.items():
                for name in files:
                    self._units_by_file[name].add(unit)
        self._importers = _importers(root)

    def tests(self, one: Break) -> list[str]:
        """Return them: those that run it themselves, those that rest on what ran it, those that touch its file.

        Where it runs only when it is imported, or in compiled code, first those that run what is in the file or what
        imports it, step by step.
        """
        if one.file.endswith(".py"):
            source = (self.root / one.file).read_text()
            wanted = statement_lines(source, one.line)
            units = self._running(one.file, wanted)
            tiers = [units & set(self.cost), self._resting(units)]
            if wanted[0] not in function_lines(source) or not units:
                tiers = [*self._steps(one.file), self._resting(units)]
            elif any(_is_shared(unit) for unit in units):
                tiers.append(self._touching(one.file))
        else:
            units = self._units_by_file[one.file]
            tiers = [units & set(self.cost), self._resting(units)]
            if not units or any(_is_shared(unit) for unit in units):
                beside = re.sub("(/templates)?(/(en|nl))?/[^/]*$", "/", one.file)
                near = {
                    unit for name, found in self._units_by_file.items() if name.startswith(beside) for unit in found
                }
                tiers.append(self._resting(near) if beside.startswith(PACKAGES) else set(self.cost))
        chosen: dict[str, None] = {}
        for found in tiers:
            chosen |= dict.fromkeys(self._cheapest_first(found - set(chosen)))
        return [*chosen]

    def _steps(self, name: str) -> Iterator[set[str]]:
        """Yield the tests that touch a file, those that touch what imports it, and on until there are some."""
        tier, seen, found = {name}, {name}, set[str]()
        while tier and (len(seen) == 1 or not found):
            yield (found := {test for module in tier for test in self._touching(module)})
            tier = {further for module in tier for further in self._importers[module]} - seen
            seen |= tier

    def _touching(self, name: str) -> set[str]:
        """Return the tests that rest on anything in a function of a file."""
        return self._resting(self._running(name, function_lines((self.root / name).read_text())))

    def _running(self, name: str, wanted: Collection[int]) -> set[str]:
        """Return the units that ran any of some lines of a file."""
        bits = sum(1 << line for line in wanted)
        lines = self._record["lines"]
        return {
            unit
            for unit in self._units_by_file[name]
            if int.from_bytes(lines.get(unit, {}).get(name, b""), "little") & bits
        }

    def _resting(self, units: Iterable[str]) -> set[str]:
        return {test for unit in units if not _is_shared(unit) for test in self._tests_of[unit]}

    def _cheapest_first(self, tests: set[str]) -> list[str]:
        """Order them roughly by what they take, those of a module together; modules by what all theirs take."""
        modules: dict[tuple[int, str], list[str]] = defaultdict(list)
        for test in tests:
            rough = sum(self.cost[test] > most for most in (0.3, 3))
            modules[rough, test.partition("::")[0]].append(test)
        ordered = sorted(modules.items(), key=lambda one: (one[0][0], sum(self.cost[test] for test in one[1]), one[0]))
        return [test for _, found in ordered for test in sorted(found, key=lambda test: (self.cost[test], test))]


def _is_shared(unit: str) -> bool:
    return not unit or unit.startswith(SHARED)


def function_lines(source: str) -> set[int]:
    """Return the lines in the bodies of functions."""
    return {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def statement_lines(source: str, line: int) -> range:
    """Return the lines of the smallest statement around a line; of one that holds others, those before the first."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            if line <= max(end, node.lineno):
                found = range(node.lineno, max(end, node.lineno) + 1)
    return found


def _importers(root: Path) -> dict[str, set[str]]:
    """Return, by file of the packages, those that import it."""
    files = {
        str(path.relative_to((root / package).parent).with_suffix("")).replace("/", "."): str(path.relative_to(root))
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
    }
    found: dict[str, set[str]] = defaultdict(set)
    for name in files.values():
        for module in _imported((root / name).read_text()):
            if module in files:
                found[files[module]].add(name)
    return found


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


WORK: Final = Path(ROOT) / "build" / "breaks"
_A_WHILE: Final = 1800.0
_TOPS: Final = ("reference_impl", "conformance", "site")
_BEGIN: Final = (
    f'import os; "{INTO}" in os.environ and __import__("laboratory.breaks.recording", fromlist=["start"]).start()'
)


class CloneError(BelotError):
    """A copy does not import its own code, or there is no git to say what to copy."""


def product_files() -> list[str]:
    """Return the paths of all files of the project."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError) as error:
        raise CloneError("git cannot say which files belong to the project") from error
    return [name for name in listed if (Path(ROOT) / name).is_file()]


@dataclass(frozen=True, slots=True)
class Clone:
    """A copy of the project, or of another such copy, below ``build/breaks``."""

    root: Path
    source: Path = Path(ROOT)

    @classmethod
    def make(cls, name: str, files: Iterable[str], source: Path = Path(ROOT)) -> "Clone":
        """Make it anew, and show that what is broken in it is broken for whoever imports it."""
        clone = cls(WORK / name, source)
        shutil.rmtree(clone.root, ignore_errors=True)
        for path in files:
            (clone.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / path, clone.root / path)
        if (modules := Path(ROOT) / "site" / "node_modules").exists():
            (clone.root / "site" / "node_modules").symlink_to(modules.resolve())
        clone._make_environment()
        for top in ("belot_spec", "belot_reference", "belot_conformance", "belot_site"):
            module = next(clone.root.glob(f"*/{top}/__init__.py"))
            whole = module.read_bytes()
            module.write_bytes(whole + b"\nraise SystemExit(77)\n")
            broken = clone.run(["python", "-c", f"import {top}"], 60)
            module.write_bytes(whole)
            if (broken, clone.run(["python", "-c", f"import {top}"], 60)) != (77, 0):
                raise CloneError(f"{clone.root} does not import its own {top}")
        clone.run(["python", "-m", "kernel_testing"], _A_WHILE)
        return clone

    def _make_environment(self) -> None:
        own, ours = self.root / ".venv", Path(sys.prefix) / "bin"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", own], check=True)
        packages = sysconfig.get_path("purelib", vars={"base": str(own), "platbase": str(own)})
        lines = (*(str(self.root / top) for top in _TOPS), sysconfig.get_path("purelib"), _BEGIN)
        Path(packages, "clone.pth").write_text("\n".join(lines) + "\n")
        for script in ours.iterdir():
            with suppress(UnicodeDecodeError, OSError):
                first, _, rest = script.read_text().partition("\n")
                if first.startswith(f"#!{ours}") and not (own / "bin" / script.name).exists():
                    (own / "bin" / script.name).write_text(f"#!{own}/bin/python\n{rest}")
                    (own / "bin" / script.name).chmod(0o755)

    def run(self, command: Sequence[str | Path], seconds: float, more: Mapping[str, str] | None = None) -> int | None:
        """Run a program of its environment, with all that it prints in ``run.log``; ``None`` if it did not end."""
        name, *rest = command
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
        environment |= {
            "XDG_CACHE_HOME": str(self.root / ".cache"),
            "PATH": f"{self.root / '.venv/bin'}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self.root / ".venv"),
        }
        browsers = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"
        environment.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(browsers))
        with (
            self.root.with_suffix(".log").open("wb") as log,
            subprocess.Popen(
                [self.root / ".venv" / "bin" / name, *rest],
                cwd=self.root,
                env=environment | dict(more or {}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as run,
        ):
            try:
                return run.wait(seconds)
            except subprocess.TimeoutExpired:
                for child in psutil.Process(run.pid).children(recursive=True):
                    child.kill()
                return None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(run.pid, SIGKILL)

    def printed(self) -> str:
        """Return what the last program printed."""
        return self.root.with_suffix(".log").read_text(errors="replace")

    @contextmanager
    def broken(self, one: Break) -> Iterator[None]:
        """Break it; at the end it is as it was, with nothing left that it worked out meanwhile."""
        path = self.root / one.file
        path.write_bytes(one.text)
        try:
            yield
        finally:
            shutil.copy2(self.source / one.file, path)
            for left in (*self.root.glob(".cache/*/*"), self.root / ".hypothesis", self.root / "build"):
                # Kernels are kept by what they are compiled from, and take a minute.
                if not left.name.startswith("kernels-"):
                    shutil.rmtree(left, ignore_errors=True)


ALL_TESTS: Final = (
    "reference_impl/tests", "conformance/tests", "site/tests", "conformance/laboratory/tests", "site/tests/lab",
)  # fmt: skip
_RECORD: Final = WORK / "record.pickle"
# What was recorded, and is broken: the project may have gone on since.
_CONTROL: Final = Clone(WORK / "control")
_PYTEST: Final = ("python", "-m", "pytest", "-p", "laboratory.breaks.pytest_hooks")
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


_KEPT: Final = Path(ROOT) / "conformance" / "laboratory" / "breaks" / "breaks.yaml"
_MINUTE: Final = 60


@click.command()
@click.argument("tests", nargs=-1, metavar="[TESTS …]")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the lot.")
@click.option("--count", type=click.IntRange(min=1), default=60, show_default=True, help="Breaks to draw.")
@click.option("--jobs", type=click.IntRange(1, 64), default=os.cpu_count() or 1, help="Breaks that are tried at once.")
@click.option("--minutes", type=click.IntRange(min=1), default=6, show_default=True, help="Of the processor, for each.")
@click.option(
    "--record", "recording", is_flag=True, help="Run TESTS, by default all, to record what each runs and reads."
)
@click.option("--resume", is_flag=True, help="Try only those that are not in the list yet.")
@click.option("--list", "showing", is_flag=True, help="Print what is drawn and how many tests are chosen; try nothing.")
def breaks(tests: tuple[str, ...], seed: int, count: int, jobs: int, minutes: int, **given: bool) -> None:
    """Break the product in small ways, and see what tests notice.

    Rules, engine, suite, reports and site.

    Each break is put to the tests that run its line or read its file, cheapest first, until one fails. The list is
    kept in breaks.yaml beside this. Exit code: 0 if all are noticed or have a reason there why not, else 1.
    """
    refuse_installed("what is broken")
    if given["recording"]:
        number, said = record(tests or ALL_TESTS, jobs)
        click.echo(f"{number} tests recorded; {said}")
        return
    choice = read_choice()
    drawn = draw(choice.root, choice.names, seed, count)
    if given["showing"]:
        for one in drawn:
            chosen = choice.tests(one)
            click.echo(yaml.safe_dump([{**one.told(), "tests": len(chosen), "first": chosen[:1]}], sort_keys=False))
        return
    kept: list[dict[str, Any]] = []
    if given["resume"] and _KEPT.exists():
        kept = yaml.safe_load(_KEPT.read_text())["breaks"]
    told = [one.told() for one in drawn]

    def place(entry: dict[str, Any]) -> int:
        same = {name: entry[name] for name in told[0]}
        return told.index(same) if same in told else -1

    kept = [entry for entry in kept if place(entry) >= 0]
    known = [place(entry) for entry in kept]
    left = [one for number, one in enumerate(drawn) if number not in known]
    for one, fate in Trials(choice, jobs, minutes * _MINUTE).run(left):
        kept = sorted([*kept, {**one.told(), **fate}], key=place)
        click.echo(f"{one.file}:{one.line} {one.kind}: {' '.join(f'{name} {said}' for name, said in fate.items())}")
        write_whole(_KEPT, _as_text(seed, kept))
    missed = [one for one in kept if "survived" in one]
    click.echo(f"{len(kept)} breaks, {len(kept) - len(missed)} caught, {len(missed)} survived")
    sys.exit(EXIT_FAILED if any("why" not in one for one in missed) else 0)


def _as_text(seed: int, kept: list[dict[str, Any]]) -> str:
    title = (
        "# Breaks drawn by lot, as `make breaks` tells them; `why` says of one that survived why that is no matter.\n"
    )
    return title + yaml.safe_dump({"seed": seed, "breaks": kept}, allow_unicode=True, sort_keys=False, width=120)
