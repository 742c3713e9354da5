"""What tests of several ways in share: ten questions that a right program echoes, and what must come of them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.target import Answer, Fault

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
