"""Running mutmut on a copy of the engine, with the cases as its only tests."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from belot_spec.data import cases_folder, spec_folder
from belot_spec.errors import BelotError, UnknownNameError, nearest
from laboratory.engine_mutants.mutants import Result, read_results

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
