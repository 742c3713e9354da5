"""The workflows of the project run what anybody can run: targets of the Makefile, and scripts that are there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from belot_spec.load.documents import read_document

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def commands(path: Path) -> Iterator[list[str]]:
    """Yield the words of each command that a workflow runs."""
    for job in read_document(path).data["jobs"].values():
        for step in job["steps"]:
            for line in step.get("run", "").splitlines():
                yield shlex.split(line)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_command_of_a_workflow_is_one_of_the_project(path: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    found = list(commands(path))
    assert found
    for program, *rest in found:
        if program == "make":
            assert rest[0] in targets, rest
        else:
            assert program == "gh" or (ROOT / program).is_file(), program


def test_the_workflows_are_those_of_the_tests_the_site_and_the_release() -> None:
    assert [path.stem for path in WORKFLOWS] == ["release", "site", "tests"]


def test_what_ci_runs_is_what_the_jobs_of_a_change_run() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    (jobs,) = ([*commands(path)] for path in WORKFLOWS if path.stem == "tests")
    assert jobs == [["make", "check"], *(line.split() for line in script if re.match(r"make \w", line))]


def test_no_release_is_published_before_all_tests_have_passed_and_its_wheel_and_sdist_were_tried() -> None:
    (release,) = (list(commands(path)) for path in WORKFLOWS if path.stem == "release")
    assert [words[:2] for words in release] == [
        [".ci/run"],
        ["make", "assets"],
        ["make", "try-wheel"],
        ["make", "try-wheel"],
        ["gh", "release"],
    ]


def test_the_container_runs_the_command() -> None:
    lines = (ROOT / "conformance/Containerfile").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == 'ENTRYPOINT ["belot"]'
    copied = [word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]]
    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
