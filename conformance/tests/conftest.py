"""The spec, the reference, the cases, and ways to run the command as a person would."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from belot_conformance.cases import Case, load_cases
from belot_conformance.reference import Reference
from belot_reference.spec import Spec, default_spec

ROOT = Path(__file__).resolve().parents[2]
Completed = subprocess.CompletedProcess[str]

# A run in CI repeats exactly; at home every run looks at new examples.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def spec() -> Spec:
    return default_spec()


@pytest.fixture(scope="session")
def reference(spec: Spec) -> Reference:
    return Reference(spec)


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    return load_cases()


@pytest.fixture(scope="session")
def belot() -> Callable[..., Completed]:
    """Return a function that runs ``belot`` with arguments, from the project's folder and 80 columns wide."""

    def run(*arguments: str) -> Completed:
        environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
        return subprocess.run(
            [sys.executable, "-m", "belot_conformance", *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env=environment,
            timeout=120,
            check=False,
        )

    return run
