"""What a program answered is kept for an hour, so that it is asked nothing twice, and forgotten once it has changed."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from belot_conformance.programs.answer_book import KEPT_FOR, AnswerBook
from belot_conformance.programs.protocol import Hello, Question, Reply
from belot_conformance.programs.targets import TargetName, read_target

pytestmark = pytest.mark.long

Belot = Callable[..., subprocess.CompletedProcess[str]]

HELLO = Hello(1, "kept", "1", "", ("bela-4",), ("trick-winner",))
FIRST, SECOND = (
    Question(f"q{number}", "trick-winner", "bela-4", {"trump": "S", "leader": 0, "cards": cards})
    for number, cards in enumerate((["7S", "8S", "9S", "10S"], ["7H", "8H", "9H", "10H"]))
)
PROGRAM = """
from pathlib import Path
from belot_conformance.programs.reference import put
from belot_reference.compile import compile_profile
from belot_spec.spec import default_spec

SPEC = default_spec()
RULES = compile_profile(SPEC.profile("bela-4").with_values("house", {"scoring.last-trick": 15}, SPEC.rules))
LOG = Path(__file__).with_name("log")


class Logged:
    name, version, profiles, operations = "logged", "1", ("bela-4",), ("card-points", "belote")

    def __call__(self, operation, profile, question):
        with LOG.open("a") as log:
            print(operation, profile, question, file=log)
        return put(operation, RULES, question).message()
"""


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TargetName:
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    return read_target("http://127.0.0.1:9", None)


def winner(question: Question, seat: int) -> Reply:
    return Reply(question.id, "result", {"winner": seat})


Told = tuple[Question, Reply]
SAID: Told = FIRST, winner(FIRST, 1)
SAID_ELSE: Told = FIRST, winner(FIRST, 3)
SAID_SECOND: Told = SECOND, winner(SECOND, 2)


def kept_at(target: TargetName, time: float, *, asks_again: bool = False) -> AnswerBook:
    return AnswerBook.of(target, HELLO, lambda: time, asks_again=asks_again)


def written(target: TargetName, time: float, *told: Told, asks_again: bool = False) -> None:
    book = kept_at(target, time, asks_again=asks_again)
    for question, reply in told:
        book.keep(question, reply)
    book.save()


def test_a_run_that_asks_again_leaves_what_it_does_not_ask(target: TargetName) -> None:
    written(target, 0, SAID, SAID_SECOND)
    assert kept_at(target, 5, asks_again=True).get(FIRST) is None
    written(target, 5, SAID, asks_again=True)
    assert kept_at(target, 9).get(SECOND) == winner(SECOND, 2)


def test_a_program_that_answers_otherwise_than_before_has_said_nothing_before(target: TargetName) -> None:
    written(target, 0, SAID, SAID_SECOND)
    written(target, 5, SAID_ELSE, asks_again=True)
    assert kept_at(target, 9).get(FIRST) == winner(FIRST, 3)
    assert kept_at(target, 9).get(SECOND) is None


def test_each_answer_is_kept_for_an_hour(target: TargetName) -> None:
    written(target, 0, SAID)
    written(target, KEPT_FOR / 2, SAID_SECOND, asks_again=True)
    assert kept_at(target, KEPT_FOR).get(FIRST) == winner(FIRST, 1)
    assert kept_at(target, KEPT_FOR + 1).get(FIRST) is None
    assert kept_at(target, KEPT_FOR + 1).get(SECOND) == winner(SECOND, 2)


def test_nothing_is_asked_twice(belot: Belot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by belot identify after belot check, nor after itself, whatever was checked in between."""
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "logged_program.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    program, log = "python:logged_program:Logged", tmp_path / "log"

    def asked(*arguments: str) -> list[str]:
        log.unlink(missing_ok=True)
        came = belot(*arguments, program)
        assert came.returncode in (0, 1), came.stderr
        return log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    checked = asked("check")
    identified = asked("identify")
    assert checked
    assert identified
    assert not {*checked} & {*identified}
    assert sorted(asked("check")) == sorted(checked)
    assert asked("identify") == []
