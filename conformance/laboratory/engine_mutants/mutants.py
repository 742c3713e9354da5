"""Wrong engines: what mutmut changed, whether a case noticed, and the kept list of those that none can notice."""

import ast
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from belot_spec.data import cases_folder, spec_folder
from belot_spec.errors import BelotError, Problem, UnknownNameError, nearest
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document

Fate = Literal["noticed", "survived", "untried"]

_KEY: Final = re.compile(r"belot_reference\.(?P<module>\w+)\.(?P<generated>.+)__mutmut_\d+")
# The exit codes that mutmut keeps when pytest found nothing wrong, had nothing to run, or no test runs the function.
_SURVIVED: Final = (0, 5, 33)
# Those for a pytest that was interrupted, or broke down itself: neither says anything of the mutant.
_NOT_TRIED: Final = (None, 2, 3)


@dataclass(frozen=True, slots=True, order=True)
class EngineMutant:
    """A change of one function: where it stands (``module.function``), the code as it was and as it is now."""

    where: str
    was: str
    now: str

    @property
    def module(self) -> str:
        """The name of the engine's module."""
        return self.where.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant."""

    mutant: EngineMutant
    fate: Fate


def read_results(package: Path) -> list[Result]:
    """Return the results that mutmut left beside the mutated modules of a package, in the order of the code."""
    return [result for path in sorted(package.glob("*.py.meta")) for result in _results_of(path)]


def _results_of(meta: Path) -> Iterator[Result]:
    codes: dict[str, int | None] = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    functions = _functions(meta.with_suffix(""))
    for key, code in codes.items():
        named = _KEY.fullmatch(key)
        assert named is not None, key
        generated = named["generated"]
        was, now = change(functions[f"{generated}__mutmut_orig"], functions[key.rsplit(".", 1)[-1]])
        # What mutmut calls ``x_function`` or ``xǁClassǁmethod`` has a plain name in the source.
        where = f"{named['module']}.{generated[2:].replace('ǁ', '.')}"
        yield Result(EngineMutant(where, was, now), _fate(code))


def _fate(code: int | None) -> Fate:
    if code in _NOT_TRIED:
        return "untried"
    return "survived" if code in _SURVIVED else "noticed"


def _functions(path: Path) -> dict[str, list[str]]:
    """Return the lines of every function and method of a file, each statement on one line whatever its layout was."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            name, node.name, node.decorator_list = node.name, "_", []
            found[name] = ast.unparse(node).splitlines()
    return found


def change(before: list[str], after: list[str]) -> tuple[str, str]:
    """Return the lines that differ, as they were and as they are now."""
    lines = [line for line in difflib.ndiff(before, after) if line[0] in "-+"]
    was, now = ([line[2:].strip() for line in lines if line[0] == sign] for sign in "-+")
    return " ⏎ ".join(was), " ⏎ ".join(now)


SCHEMA = "engine-survivors"


@dataclass(frozen=True, slots=True)
class Kept:
    """One entry of the list: a mutant, and the line of the file that names it."""

    mutant: EngineMutant
    line: int


def read_survivors(path: Path) -> list[Kept]:
    """Return the mutants of a kept list, in its order; raises ``SpecError`` for a file that does not fit the schema."""
    document = read_document(path)
    check_document(document, SCHEMA)
    return [
        Kept(EngineMutant(entry["in"], entry["was"], now), document.line(("survivors", group, "mutants", index)))
        for group, told in enumerate(document.data["survivors"])
        for index, entry in enumerate(told["mutants"])
        for now in entry["now"]
    ]


def unexplained(results: Iterable[Result], kept: Iterable[Kept]) -> list[EngineMutant]:
    """Return the survivors that are not in the list, as often as they are missing from it."""
    known = Counter(entry.mutant for entry in kept)
    missing = []
    for result in results:
        if result.fate == "survived":
            if known[result.mutant] > 0:
                known[result.mutant] -= 1
            else:
                missing.append(result.mutant)
    return missing


def outdated(path: Path, results: Collection[Result], kept: Iterable[Kept], modules: Collection[str]) -> list[Problem]:
    """Return what is wrong with the entries about some modules that have no survivor any more."""
    survived = Counter(result.mutant for result in results if result.fate == "survived")
    made = {result.mutant for result in results}
    problems = []
    for entry in kept:
        if entry.mutant.module in modules:
            survived[entry.mutant] -= 1
            if survived[entry.mutant] < 0:
                fate = "a case notices" if entry.mutant in made else "the code has no such change as"
                message = f"take it off the list: {fate} {entry.mutant.now}"
                problems.append(Problem(path, entry.line, entry.mutant.where, message))
    return problems


_HERE: Final = Path(__file__).resolve().parent
_CHECKOUT: Final = _HERE.parents[2]
_WORK: Final = _CHECKOUT / "build" / "engine-mutants"
_PACKAGE: Final = Path("src") / "belot_reference"
_LOG_SHOWN: Final = 30


class MutationRunError(BelotError):
    """mutmut could not be started, or did not try every mutant."""


def engine_modules() -> tuple[str, ...]:
    """Return the names of the modules that are mutated."""
    settings = tomllib.loads((_HERE / "mutmut.toml").read_text(encoding="utf-8"))
    return tuple(Path(pattern).stem for pattern in settings["tool"]["mutmut"]["only_mutate"])


def run_mutants(modules: Collection[str], jobs: int) -> list[Result]:
    """Try every mutant of some modules and return what became of it.

    Works in ``build/engine-mutants``, anew each time, so that nothing is remembered of other code or other cases.
    Raises ``UnknownNameError`` for a module that is not mutated, and ``MutationRunError``.
    """
    known = engine_modules()
    for module in modules:
        if module not in known:
            raise UnknownNameError(f"there is no engine module {module}{nearest(module, known)}")
    _copy_all()
    patterns = [f"belot_reference.{module}.*" for module in modules] if set(modules) != set(known) else []
    _mutmut(["run", "--max-children", str(jobs), *patterns])
    results = [result for result in read_results(_WORK / "mutants" / _PACKAGE) if result.mutant.module in modules]
    untried = sum(result.fate == "untried" for result in results)
    if untried or not results:
        raise MutationRunError(f"mutmut stopped before the end: {untried} of {len(results)} mutants were not tried")
    return results


def _copy_all() -> None:
    shutil.rmtree(_WORK, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "_data")
    for package in (
        "reference_impl/belot_spec",
        "reference_impl/belot_reference",
        "reference_impl/belot_kernel",
        "conformance/belot_conformance",
    ):
        shutil.copytree(_CHECKOUT / package, _WORK / "src" / Path(package).name, ignore=ignored)
    shutil.copytree(spec_folder(), _WORK / "spec")
    shutil.copytree(cases_folder(), _WORK / "cases")
    shutil.copy(_HERE / "test_cases_alone.py", _WORK)
    shutil.copy(_HERE / "mutmut.toml", _WORK / "pyproject.toml")


def _mutmut(arguments: Sequence[str]) -> None:
    """Run mutmut; it shows its progress if somebody is watching."""
    log = _WORK / "mutmut.log"
    program = Path(sys.executable).parent / "mutmut"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    # The cases need no plugin; one that does not load would end every mutant's test before it begins.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        with log.open("wb") as kept:
            shown = sys.stderr if sys.stderr.isatty() else kept
            ended = subprocess.run(
                [program, *arguments], cwd=_WORK, env=environment, stdout=shown, stderr=subprocess.STDOUT, check=False
            )
    except FileNotFoundError as error:
        raise MutationRunError("mutmut is not installed: pip install --editable '.[dev,mutation]'") from error
    if ended.returncode != 0:
        said = log.read_text(encoding="utf-8", errors="replace").replace("\r", "\n").splitlines()
        raise MutationRunError("\n".join((f"mutmut ended with exit code {ended.returncode}", *said[-_LOG_SHOWN:])))
