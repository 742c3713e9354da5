"""What tests of the suite share: running commands in this process, some house rules, and the wrong programs."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from belot_conformance.cli.main import main
from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.target import Answer, Fault
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.languages import IN_PLACE
from belot_spec.shipped import default_spec

# What runs the command, as the fixtures `belot` and `belot_process` do.
Belot = Callable[..., "subprocess.CompletedProcess[str]"]
PROGRAMS: Final = Path(__file__).parent / "tests" / "programs"
VARIANTS: Final = default_spec().playable()
# A handshake that says no more than it must.
LEAST_HELLO: Final[Mapping[str, Any]] = {
    "protocol": 1, "name": "a", "version": "1", "language": "C", "profiles": [], "operations": [],
}  # fmt: skip

in_both_languages = pytest.mark.parametrize("language", IN_PLACE)
of_each_variant = pytest.mark.parametrize("variant", VARIANTS)


def run(*words: object, columns: int = 80, stdin: bytes | None = None) -> Result:
    """Run ``belot`` in this process, where it stands, and so wide; return what it said, a traceback among it."""
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin, env=environment)


def miniature(way: str, window: object, *folders: Path) -> list[str]:
    """Return the command of a program that is wrong in one way, with a folder for its marks."""
    return [sys.executable, "-S", "-E", str(PROGRAMS / "miniature.py"), way, str(window), *map(str, folders)]


def told(*words: object) -> Any:
    """Return what a command that succeeds says as JSON."""
    done = run(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def flat(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


@cache
def ruleset(profile: str) -> Ruleset:
    """Return the rules of a profile."""
    return compile_profile(default_spec().profile(profile))


def house_rules(folder: Path, rules: Mapping[str, Any], base: str, name: str = "our-table") -> Path:
    """Write house rules as a file, named after them, and return it."""
    path = folder / f"{name}.yaml"
    lines = [f"  {rule}: {{value: {json.dumps(value)}}}" for rule, value in rules.items()]
    path.write_text("\n".join([f"id: {name}", f"base: {base}", "rules:", *lines, ""]), encoding="utf-8")
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    """Return what the files of a folder hold, by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# What tests of several ways in share: ten questions that a right program echoes, and what must come of them.

PLAN: Final = [Request(f"q{n}", "echo", "bela-4", {"n": n}) for n in range(10)]


@dataclass(frozen=True, slots=True)
class ClockOfPrograms:
    """A clock on which time also passes when a program of the folder ``programs`` says so, by `pass_time`.

    A program that hangs is so given up at once, and one that works has all the time it needs on a busy machine.
    """

    folder: Path

    def __call__(self) -> float:
        """Return the seconds."""
        passed = self.folder / "passed"
        return time.monotonic() + (10 * passed.stat().st_size if passed.exists() else 0)


def faults(answers: Mapping[str, Answer]) -> dict[str, Fault]:
    """Return the faults among answers."""
    return {question_id: answer for question_id, answer in answers.items() if isinstance(answer, Fault)}


def assert_right_but_for(wrong: set[str], answers: Mapping[str, Answer]) -> None:
    """Hold that every question has an answer, in order, and that all are right but for some."""
    assert [*answers] == [question.id for question in PLAN]
    for question in PLAN:
        answer = answers[question.id]
        if question.id not in wrong:
            assert isinstance(answer, Reply), answer
            assert (answer.id, answer.kind, answer.value) == (question.id, "result", question.input)
