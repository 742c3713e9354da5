"""Several copies of a program: the same verdicts as from one, in the same order, and nothing left running."""

import os
import signal
import sys
from collections import Counter
from dataclasses import replace
from itertools import count as count_from
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.target import Answer, Fault, Limits, StartError
from belot_conformance.programs.targets import JobsTarget
from process_testing import LIMITS, PATIENCE, assert_nothing_runs, started, until
from suite_testing import PLAN, Belot, ClockOfPrograms, miniature

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are run under POSIX systems only")


def copies(program: str, folder: Path, count: int, window: int = 4, limits: Limits = LIMITS) -> JobsTarget:
    return JobsTarget(lambda: CommandTarget(miniature(program, window, folder), limits), count)


def copies_with_clocks(program: str, folder: Path, count: int) -> JobsTarget:
    """Each copy has a folder of its own, as time passes for each by itself."""
    numbers = count_from(1)

    def open_one() -> CommandTarget:
        own = folder / str(next(numbers))
        own.mkdir()
        return CommandTarget(miniature(program, 4, own, folder), LIMITS, ClockOfPrograms(own))

    return JobsTarget(open_one, count)


@pytest.mark.parametrize("count", [1, 3, 16])
def test_answers_come_in_the_order_of_the_questions(count: int, tmp_path: Path) -> None:
    told: list[str] = []
    with copies("answers_rightly", tmp_path, count) as target:
        answers = target.ask(PLAN, lambda question_id, _: told.append(question_id))
    assert [*answers] == [question.id for question in PLAN]
    assert [answer.value for answer in answers.values() if isinstance(answer, Reply)] == [one.input for one in PLAN]
    assert sorted(told) == sorted(answers)
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize(("program", "kind"), [
    ("crashes_on_one", "crashed"), ("answers_twice", "protocol_violation"), ("answers_late_to_one", "timed_out"),
])  # fmt: skip
def test_only_the_culprit_is_blamed(program: str, kind: str, tmp_path: Path) -> None:
    with copies_with_clocks(program, tmp_path, 3) as target:
        answers = target.ask(PLAN)
    assert {key: one.kind for key, one in answers.items() if isinstance(one, Fault)} == {"q3": kind}
    assert_nothing_runs(tmp_path)


def test_each_copy_is_given_up_by_itself(tmp_path: Path) -> None:
    with copies("crashes_on_all", tmp_path, 2, limits=replace(LIMITS, faults=2)) as target:
        answers = target.ask(PLAN)
    assert Counter(one.kind for one in answers.values()) == {"crashed": 4, "not_run": 6}


def test_a_program_that_cannot_be_started_leaves_no_copy(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="exited with code 1"):
        copies("crashes_at_start", tmp_path, 3)
    assert_nothing_runs(tmp_path)


def test_copies_that_introduce_themselves_differently_are_refused(tmp_path: Path) -> None:
    window = iter(("1", "2"))

    def open_one() -> CommandTarget:
        return CommandTarget(miniature("answers_rightly", next(window), tmp_path), LIMITS)

    with pytest.raises(StartError, match="do not all say the same"):
        JobsTarget(open_one, 2)
    assert_nothing_runs(tmp_path)


def test_what_one_copy_s_progress_raises_stops_all(tmp_path: Path) -> None:
    def fail(question_id: str, _: Answer) -> None:
        if question_id == "q1":
            raise KeyboardInterrupt

    with copies("slow_but_steady", tmp_path, 2, window=1) as target, pytest.raises(KeyboardInterrupt):
        target.ask(PLAN, fail)
    assert_nothing_runs(tmp_path)


HELLO = '{"protocol": 1, "name": "h", "version": "1", "language": "x", "profiles": ["bela-4"], "operations": ["deal"]}'
HANGING = f"""
import os, sys, time
sys.stdin.readline()
print('{{"id": "hello", "result": {HELLO}}}', flush=True)
sys.stdin.readline()
open(f"{{sys.argv[1]}}/{{os.getpid()}}", "w").close()
time.sleep(600)
"""


@pytest.mark.parametrize(("copies", "sigint", "sent", "code", "message"), [
    (3, "SIG_DFL", ["SIGINT"], 130, b"belot: interrupted"),
    (3, "SIG_DFL", ["SIGHUP"], 129, b"belot: ended by SIGHUP"),
    (1, "SIG_DFL", ["SIGTERM"], 143, b"belot: ended by SIGTERM"),
    # A job of a script in the background: Ctrl-C is meant for another, a request to end is not.
    (3, "SIG_IGN", ["SIGINT", "SIGTERM"], 143, b"belot: ended by SIGTERM"),
])  # fmt: skip
def test_whatever_ends_a_run_ends_every_copy(
    root: Path, tmp_path: Path, copies: int, sigint: Any, sent: list[str], code: int, message: bytes
) -> None:
    asked = tmp_path / "asked"
    asked.mkdir()
    program = tmp_path / "hangs.py"
    program.write_text(HANGING, encoding="utf-8")
    command = [sys.executable, "-m", "belot_conformance", "check", "--operation", "deal", "--deadline", "500"]
    words = ["--copies", str(copies), "--", sys.executable, str(program), str(asked)]
    with started([*command, *words], asked, sigint=sigint, cwd=root) as run:
        until(lambda: len([*asked.iterdir()]) == copies or run.poll() is not None)
        for name in sent:
            run.send_signal(signal.Signals[name])
        _, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == code, errors
        assert errors.splitlines()[-1] == message
        assert b"Traceback" not in errors
        assert_nothing_runs(asked)


LEAVES_AND_HANGS = """
import os, subprocess, sys, time
for way in (os.setsid, os.setpgrp, lambda: None):
    child = os.fork()
    if child == 0:
        way()
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)", sys.argv[1]])
        os._exit(0)
    os.waitpid(child, 0)
open(f"{sys.argv[1]}/{os.getpid()}", "w").close()
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="what leaves its family is found under Linux only")
@pytest.mark.parametrize(("sent", "code"), [(["SIGINT"] * 3, 130), (["SIGTERM"] * 2, 143), (["SIGQUIT"], 131)])
def test_while_programs_start_a_signal_ends_them_all(root: Path, tmp_path: Path, sent: list[str], code: int) -> None:
    asked, program = tmp_path / "asked", tmp_path / "leaves.py"
    asked.mkdir()
    program.write_text(LEAVES_AND_HANGS, encoding="utf-8")
    command = [sys.executable, "-m", "belot_conformance", "check", "--copies", "2", "--start", "500", "--"]
    with started([*command, sys.executable, "-S", str(program), str(asked)], asked, cwd=root) as run:
        until(lambda: len([*asked.iterdir()]) == 2 or run.poll() is not None)
        for name in sent:
            run.send_signal(signal.Signals[name])
        _, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == code, errors
        assert b"Traceback" not in errors
        assert_nothing_runs(asked)


def test_the_command_gives_the_same_verdicts_with_copies(belot: Belot) -> None:
    asked = ("--operation", "card-points", "--", sys.executable, "conformance/examples/python/bela.py")
    one, three = belot("check", *asked), belot("check", "--copies", "3", *asked)
    assert (one.returncode, one.stdout) == (three.returncode, three.stdout)
    done = belot("check", "--copies", "2", "reference")
    assert done.returncode == 2
    assert "--copies starts copies of a program, and reference is not one" in " ".join(done.stderr.split())
