"""What a program answered is kept for an hour, so that it is asked little twice, and forgotten once it has changed."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from belot_conformance.programs.answer_book import KEPT_FOR, RIGHT_ASKED_AGAIN, AnswerBook
from belot_conformance.programs.protocol import Hello, Reply, Request
from belot_conformance.programs.reference import put
from belot_conformance.programs.serving import make_server
from belot_conformance.programs.target import Fault
from belot_conformance.programs.targets import TargetName, read_target
from belot_reference.compile import compile_profile
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from suite_testing import Belot

pytestmark = pytest.mark.long


SPEC = default_spec()
HELLO = Hello(1, "kept", "1", "", (ProfileName("bela-4"),), ("trick-winner",))
FIRST, SECOND = (
    Request(f"q{number}", "trick-winner", "bela-4", {"trump": "S", "leader": 0, "cards": cards})
    for number, cards in enumerate((["7S", "8S", "9S", "10S"], ["7H", "8H", "9H", "10H"]))
)
PROGRAM = """
import json
from pathlib import Path
from belot_conformance.programs.reference import put
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec

SPEC = default_spec()
RULES = compile_profile(SPEC.profile("bela-4").with_values("house", {"scoring.last-trick": 15}, SPEC.rules))
LOG = Path(__file__).with_name("log")


class Logged:
    name, version, profiles, operations = "logged", "1", ("bela-4",), ("card-points", "legal-cards")

    def __call__(self, operation, profile, question):
        with LOG.open("a") as log:
            print(json.dumps([operation, question]), file=log)
        return put(operation, RULES, question).message()
"""


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TargetName:
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    return read_target("http://127.0.0.1:9", None)


def winner(question: Request, seat: int) -> Reply:
    return Reply(question.id, "result", {"winner": seat})


Told = tuple[Request, Reply]
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


def test_a_program_that_answers_otherwise_or_no_more_has_said_nothing_before(target: TargetName) -> None:
    written(target, 0, SAID, SAID_SECOND)
    book = kept_at(target, 5)
    assert not book.keep(FIRST, Fault("timed_out", "no answer"))
    assert book.get(SECOND) is None
    written(target, 5, SAID_ELSE, asks_again=True)
    assert kept_at(target, 9).get(FIRST) == winner(FIRST, 3)
    assert kept_at(target, 9).get(SECOND) is None


def test_each_answer_is_kept_for_an_hour(target: TargetName) -> None:
    written(target, 0, SAID)
    written(target, KEPT_FOR / 2, SAID_SECOND, asks_again=True)
    assert kept_at(target, KEPT_FOR).get(FIRST) == winner(FIRST, 1)
    assert kept_at(target, KEPT_FOR + 1).get(FIRST) is None
    assert kept_at(target, KEPT_FOR + 1).get(SECOND) == winner(SECOND, 2)


def test_wrong_and_some_right_ones_come_again(belot: Belot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By belot identify after belot check, and after itself, whatever was checked in between."""
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "logged_program.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    program, log = "python:logged_program:Logged", tmp_path / "log"
    right, own = (
        compile_profile(SPEC.profile("bela-4").with_values("house", changed, SPEC.rules))
        for changed in ({}, {"scoring.last-trick": 15})
    )

    said: list[str] = []

    def asked(*arguments: str) -> list[str]:
        log.unlink(missing_ok=True)
        came = belot(*arguments, program)
        assert came.returncode in (0, 1), came.stderr
        said.append(" ".join(came.stdout.split()))
        return log.read_text(encoding="utf-8").splitlines()

    def is_wrong(line: str) -> bool:
        operation, question = json.loads(line)
        return put(operation, right, question).message() != put(operation, own, question).message()

    checked = asked("check", "--drawn", "0", "--no-search")
    wrong = {line for line in checked if is_wrong(line)}
    identified = asked("identify")
    again = [line for line in identified if line in checked]
    assert {*again} > wrong
    assert len(again) == len(wrong) + RIGHT_ASKED_AGAIN < len(checked)
    assert sorted(asked("check", "--drawn", "0", "--no-search")) == sorted(checked)
    known = {*checked, *identified}
    once_more = asked("identify")
    assert {*once_more} < known
    assert f"and {len(once_more)} of them asked for again" in said[-1]
    assert {line for line in known if is_wrong(line)} <= {*once_more}


IMPORTING = """
import sys
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import put
from belot_conformance.programs.serving import serve
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec
from engine_of_it import LAST_TRICK

SPEC = default_spec()
RULES = compile_profile(SPEC.profile("bela-4").with_values("house", {"scoring.last-trick": LAST_TRICK}, SPEC.rules))


class Importing:
    name, version, profiles, operations = "importing", "1", ("bela-4",), ("card-points", "belote")

    def __call__(self, operation, profile, question):
        return put(operation, RULES, question).message()

    reply = __call__

    def hello(self):
        return Hello(1, self.name, self.version, "Python", self.profiles, self.operations)


if __name__ == "__main__":
    serve(Importing(), sys.stdin.buffer, sys.stdout.buffer)
"""


PORTS: dict[Path, int] = {}


@contextmanager
def opened(kind: str, folder: Path) -> Iterator[Sequence[str]]:
    """Yield the words that name the program in a folder, with the engine that it imports as that is now."""
    if kind == "python":
        yield ("python:importing_program:Importing",)
    elif kind == "command":
        yield ("--", sys.executable, str(folder / "importing_program.py"))
    else:
        told: dict[str, Any] = {"__name__": "importing_program"}
        sys.modules.pop("engine_of_it", None)
        exec(compile((folder / "importing_program.py").read_text("utf-8"), "importing_program", "exec"), told)
        with make_server(told["Importing"](), PORTS.setdefault(folder, 0)) as server:
            PORTS[folder] = server.server_port
            serving = Thread(target=server.serve_forever)
            serving.start()
            yield (f"http://127.0.0.1:{server.server_port}/",)
            server.shutdown()
            serving.join()


@pytest.mark.parametrize("kind", ["command", "python", "http"])
def test_a_program_is_not_accused_of_what_the_engine_it_imports_said_before(
    kind: str, belot: Belot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    # Bytecode is told apart by the second it was written in, and two engines are written in one.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "importing_program.py").write_text(IMPORTING, encoding="utf-8")

    def found(last_trick: int) -> str:
        (tmp_path / "engine_of_it.py").write_text(f"LAST_TRICK = {last_trick}\n", encoding="utf-8")
        with opened(kind, tmp_path) as words:
            return " ".join(belot("identify", *words).stdout.split())

    assert "but for 1 rule" in found(15)
    for last_trick, told in ((10, "plays Bela for four (bela-4)."), (15, "but for 1 rule")):
        said = found(last_trick)
        assert told in said
        assert "within the hour" not in said
