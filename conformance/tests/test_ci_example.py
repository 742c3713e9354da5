"""The example workflow does what its page says: its steps are run as they stand, with the suite installed anew."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from belot_spec.load.documents import read_document

REPORTS = {"report.json", "report.html", "junit.xml", "badge.svg"}


@dataclass(frozen=True)
class Job:
    """What the steps of a job did: how each that ran ended, and what it wrote."""

    folder: Path
    codes: Mapping[str, int]
    said: Mapping[str, str]
    summary: str


@pytest.fixture(scope="module")
def workflow(root: Path) -> Mapping[str, Any]:
    data: Mapping[str, Any] = read_document(root / "conformance/examples/ci/belot.yml").data
    return data


INSTALL = "Install the suite"


@pytest.fixture(scope="module")
def environment(workflow: Mapping[str, Any], tmp_path_factory: pytest.TempPathFactory, root: Path) -> Mapping[str, str]:
    """Return an environment in which the first step has installed the suite, from a wheel as the page says.

    ``pip install`` takes it into a folder and asks no index.
    """
    place = tmp_path_factory.mktemp("installed")
    wheel = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(place)]
    subprocess.run(wheel, cwd=root, check=True, capture_output=True, timeout=600)
    named = workflow["env"]["BELOT"]
    own = {} if (place / named).is_file() else {"BELOT": str(next(place.glob("*.whl")))}
    (place / "bin").mkdir()
    (place / "bin/python").symlink_to(sys.executable)
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTEST_"))},
        "PATH": os.pathsep.join([str(place / "site/bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(place / "site"),
        **own,
        "PIP_TARGET": str(place / "site"),
        "PIP_NO_BUILD_ISOLATION": "0",
        **dict.fromkeys(("PIP_NO_INDEX", "PIP_NO_DEPS", "PIP_UPGRADE", "PIP_DISABLE_PIP_VERSION_CHECK"), "1"),
        "NO_COLOR": "1",
    }
    install = next(commands(workflow))
    assert install["name"] == INSTALL
    done = run_step(install, {**workflow["env"], **environment}, place)
    assert done.returncode == 0, done.stdout + done.stderr
    return environment


def run_step(step: Mapping[str, Any], own: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(script, cwd=folder, env=own, capture_output=True, text=True, check=False, timeout=600)


def run_job(workflow: Mapping[str, Any], environment: Mapping[str, str], folder: Path, command: str) -> Job:
    """Run the commands after the first as the service does: each in bash, none after a failure but ``always()``."""
    summary = folder / "summary.md"
    own = {**workflow["env"], "PROGRAM": command, **environment, "GITHUB_STEP_SUMMARY": str(summary)}
    codes: dict[str, int] = {}
    said: dict[str, str] = {}
    for step in commands(workflow):
        if step["name"] == INSTALL or (any(codes.values()) and step.get("if") != "always()"):
            continue
        done = run_step(step, own, folder)
        codes[step["name"]], said[step["name"]] = done.returncode, done.stdout + done.stderr
    return Job(folder, codes, said, summary.read_text(encoding="utf-8") if summary.exists() else "")


def commands(workflow: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    return (step for step in workflow["jobs"]["conformance"]["steps"] if "run" in step)


@pytest.mark.long
def test_every_step_passes_and_a_failure_that_is_not_listed_fails_the_job_and_leaves_the_reports(
    workflow: Mapping[str, Any], environment: Mapping[str, str], root: Path, tmp_path: Path
) -> None:
    program, command = tmp_path / "bela.py", "python bela.py"
    shutil.copyfile(root / "conformance/examples/python/bela.py", program)
    shutil.copyfile(root / "conformance/examples/ci/belot-expected.yaml", tmp_path / "belot-expected.yaml")
    job = run_job(workflow, environment, tmp_path, command)
    assert set(job.codes.values()) == {0}, job.said
    assert {path.name for path in (tmp_path / "belot-report").iterdir()} == REPORTS
    assert ET.parse(tmp_path / "belot-report/junit.xml").getroot().get("failures") == "0"
    badge = ET.parse(tmp_path / "belot-report/badge.svg").getroot().get("aria-label")
    passed = re.fullmatch(r"belot: (\d+) of \1 passed, not all rules", str(badge))
    assert passed
    assert f"{passed[1]}/{passed[1]} " in job.summary

    shutil.rmtree(tmp_path / "belot-report")
    text = program.read_text(encoding="utf-8")
    wrong = re.sub(r"(?m)^(LAST_TRICK\w* = )10\b", r"\g<1>20", text)
    assert wrong != text
    program.write_text(wrong, encoding="utf-8")
    job = run_job(workflow, environment, tmp_path, command)
    assert job.codes == {
        "Shake hands and answer one easy question of each kind": 0,
        "Put every case to the program": 1,
        "Draw the badge": 0,
    }, job.said
    assert {path.name for path in (tmp_path / "belot-report").iterdir()} == REPORTS
    assert "❌" in job.summary
    # With the failures listed, as the page says, the same program passes.
    update = f"belot check --expected belot-expected.yaml --update-expected -- {command}"
    subprocess.run(update.split(), cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=600)
    listed = run_job(workflow, environment, tmp_path, command)
    assert set(listed.codes.values()) == {0}, listed.said
    assert "known to fail" in (tmp_path / "belot-report/badge.svg").read_text(encoding="utf-8")


def test_an_installed_wheel_has_the_library_with_each_extra_that_is_for_users(
    environment: Mapping[str, str], root: Path, tmp_path: Path
) -> None:
    tried = """
from importlib.metadata import metadata, requires
import re, sys, belot, belot.rl, belot_kernel.tables
assert belot.__file__.startswith(sys.argv[1]) and belot.rl.__file__.startswith(sys.argv[1])
for extra in sys.argv[2:]:
    needed = [re.match(r"[\\w-]+", one)[0] for one in requires("belot-conformance") if f"extra == '{extra}'" in one]
    assert needed and all(metadata(name) for name in needed), extra
belot.rl.env("belotten").reset(seed=1)
print(belot.Game("bela-4", seed=1).view(0))
"""
    users = ["fast", "rl", "cluster", "notebook"]
    begun = [sys.executable, "-c", tried, environment["PYTHONPATH"], *users]
    done = subprocess.run(
        begun, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stdout.count("(hidden)")) == (0, 3), done.stderr


def test_the_page_shows_the_commands_of_the_workflow(workflow: Mapping[str, Any], root: Path) -> None:
    page = (root / "conformance/docs/ci.md").read_text(encoding="utf-8")
    for step in commands(workflow):
        for word in re.findall(r"(?:python -m pip|belot) \w+(?: badge)?", step["run"]):
            assert f"`{word}" in page, word
    for path in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", page):
        assert path == "badge.svg" or (root / "conformance/docs" / path).exists(), path
