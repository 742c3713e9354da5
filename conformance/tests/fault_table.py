"""Prints what the runner makes of every program of the folder `programs`: ``python conformance/tests/fault_table.py``.

Each is asked the questions q0 to q9, with a window of 1 and of 8; outcomes are given as runs of questions.
"""

import ast
import sys
import tempfile
import time
from itertools import groupby
from pathlib import Path

from belot_conformance.programs.process import StartError
from belot_conformance.programs.protocol import Question, Reply
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.target import Answer, Limits
from echo_testing import PLAN

PROGRAMS = Path(__file__).parent / "programs"
LIMITS = Limits(start=1.0, answer=0.4, faults=3)


def main() -> None:
    """Print the table as Markdown."""
    print("| program | what it does | window | outcomes | seconds | incidents |\n|---|---|---|---|---|---|")
    for path in sorted(PROGRAMS.glob("*.py")):
        if path.stem != "miniature":
            for window in (1, 8):
                began = time.monotonic()
                outcomes, incidents = outcomes_of(path, window)
                told = f"{outcomes} | {time.monotonic() - began:.2f} | {incidents or ''}"
                print(f"| `{path.stem}` | {description(path)} | {window} | {told} |", flush=True)


def description(path: Path) -> str:
    """Return the first line of a program's docstring."""
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return words.splitlines()[0].rstrip(".")


def outcomes_of(path: Path, window: int) -> tuple[str, int]:
    """Ask one program; return its outcomes in words and the number of incidents."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with CommandTarget([sys.executable, "-S", "-E", str(path), str(window), folder], LIMITS) as target:
                answers = target.ask(PLAN)
        except StartError as error:
            return f"not started: {error.reason.partition(' did not shake hands: ')[2][:60]}", 0
    runs = groupby(PLAN, key=lambda question: in_words(question, answers[question.id]))
    return ", ".join(f"{span([question.id for question in run])} {outcome}" for outcome, run in runs), len(
        target.incidents
    )


def in_words(question: Question, answer: Answer) -> str:
    """Return a fault's kind, or whether a reply is the right one."""
    if isinstance(answer, Reply):
        return "right" if answer.value == question.input else answer.kind if answer.kind != "result" else "wrong"
    return answer.kind


def span(ids: list[str]) -> str:
    """Return ids that follow each other as one text."""
    return ids[0] if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"


if __name__ == "__main__":
    main()
