"""The runner against programs that are wrong on purpose: the right outcome for the right question, and no other.

Each way of `programs/miniature.py` is asked ten questions, q0 to q9, whose right answer is their own input; most
are wrong about q3 alone. A program declares the window it is called with.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.programs import descendants
from belot_conformance.programs.asker import OTHER_HELLO
from belot_conformance.programs.ending import NOT_ENDED
from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.protocol import Hello, Reply, Request
from belot_conformance.programs.target import Answer, FunctionTarget, Limits, StartError
from belot_spec.profile_name import ProfileName
from process_testing import LIMITS, PATIENCE, assert_nothing_runs, assert_so_many_run, until
from suite_testing import PLAN, PROGRAMS, ClockOfPrograms, assert_right_but_for, faults, miniature

HELLO = Hello(1, "function", "1", "Python", (ProfileName("bela-4"),), ("echo",))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are run under POSIX systems only")


def opened(program: str, window: int, folder: Path, limits: Limits = LIMITS) -> CommandTarget:
    return CommandTarget(miniature(program, window, folder), limits, ClockOfPrograms(folder))


RIGHT = ["answers_rightly", "replies_out_of_order", "slow_but_steady", "floods_stderr"]

WRONG_ABOUT_ONE = [
    ("answers_late_to_one", "timed_out", "no answer within 60 s"),
    ("half_a_line_then_silence", "timed_out", "no answer within 60 s"),
    ("ignores_sigterm", "timed_out", "no answer within 60 s"),
    ("hangs_flooding_stderr", "timed_out", "no answer within 60 s"),
    ("crashes_on_one", "crashed", "exited with code 7"),
    ("killed_on_one", "crashed", "was ended by SIGSEGV"),
    ("crashes_after_answering_one", "crashed", "exited with code 3"),
    ("half_a_line_then_exit", "crashed", 'in the middle of a line: {"id": "q3", "resu'),
    ("leaves_children", "crashed", "exited with code 5"),
    ("exits_holding_stdout", "crashed", "exited with code 4"),
    ("answers_unknown_id", "protocol_violation", "an id that is not open"),
    ("answers_twice", "protocol_violation", "an id that is not open"),
    ("answers_with_previous_id", "protocol_violation", "an id that is not open"),
    ("answers_without_id", "protocol_violation", "has no `id`"),
    ("prints_after_answering_one", "protocol_violation", "that was easy"),
    ("long_line", "protocol_violation", "longer than 1048576 bytes"),
    ("not_utf8", "protocol_violation", "not UTF-8"),
    ("two_kinds", "protocol_violation", "`result` and `error`"),
    ("closes_stdout", "protocol_violation", "closed its stdout"),
]

NO_HANDSHAKE = [
    ("crashes_at_start", "exited with code 1"),
    ("never_shakes_hands", "no answer to `hello` within 0.4 s"),
    ("slow_start", "no answer to `hello` within 60 s"),
    ("wrong_version", "another protocol: 2"),
    ("wrong_fields", "`operations`"),
    ("hello_garbage", "not UTF-8"),
    ("hello_rejected", "what is hello?"),
    ("hello_to_other_id", "not to `hello`"),
    ("noise_before_handshake", "Welcome to Bela 2000!"),
    ("noise_after_handshake", "ready"),
]


@pytest.mark.parametrize("window", [1, 8])
@pytest.mark.parametrize("program", RIGHT)
def test_right_answers_are_taken(program: str, window: int, tmp_path: Path) -> None:
    with opened(program, window, tmp_path) as target:
        assert target.ask([]) == {}
        answers = target.ask(PLAN)
    assert_right_but_for(set(), answers)
    assert target.incidents == []
    target.close()
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize("window", [1, 8])
@pytest.mark.parametrize(("program", "kind", "detail"), WRONG_ABOUT_ONE)
def test_only_the_culprit_is_blamed(program: str, kind: str, detail: str, window: int, tmp_path: Path) -> None:
    with opened(program, window, tmp_path) as target:
        answers = target.ask(PLAN)
    blamed = faults(answers)
    assert [*blamed] == ["q3"]
    assert blamed["q3"].kind == kind
    assert detail in blamed["q3"].detail
    assert blamed["q3"].detail.isprintable()
    if program == "hangs_flooding_stderr":
        assert "I do not know!" in blamed["q3"].stderr
        assert len(blamed["q3"].stderr) <= 4096
    else:
        assert blamed["q3"].stderr.startswith("asked q3")
    assert_right_but_for({"q3"}, answers)
    assert target.incidents == []
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize(("program", "message"), NO_HANDSHAKE)
def test_wrong_start_says_why(program: str, message: str, tmp_path: Path) -> None:
    limits = Limits(start=0.4) if program == "never_shakes_hands" else LIMITS
    with pytest.raises(StartError) as caught:
        opened(program, 1, tmp_path, limits)
    assert message in str(caught.value)
    assert program in str(caught.value)
    assert ("The end of its stderr:\nno licence found" in str(caught.value)) == (program == "crashes_at_start")
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize(("words", "message"), [
    (["no-such-program-anywhere"], "no-such-program-anywhere could not be started: no such program"),
    ([str(PROGRAMS)], "could not be started: this is a folder"),
    ([str(PROGRAMS / "miniature.py")], "not executable"),
    (["true\0"], "null byte"),
    ([], "no command was given"),
])  # fmt: skip
def test_what_cannot_be_started_says_why(words: list[str], message: str) -> None:
    with pytest.raises(StartError) as caught:
        CommandTarget(words, LIMITS)
    assert message in str(caught.value)


@pytest.mark.parametrize("window", [1, 8])
def test_after_too_many_faults_the_rest_is_not_run(window: int, tmp_path: Path) -> None:
    limits = replace(LIMITS, faults=3)
    with opened("crashes_on_all", window, tmp_path, limits) as target:
        answers = target.ask(PLAN)
        again = target.ask(PLAN[:2])
    assert Counter(answer.kind for answer in answers.values()) == {"crashed": 3, "not_run": 7}
    assert [answers[f"q{n}"].kind for n in range(3)] == ["crashed"] * 3
    assert {answer.detail for answer in faults(answers).values() if answer.kind == "not_run"} == {
        "not asked, because the program had 3 faults before"
    }
    assert [answer.kind for answer in again.values()] == ["not_run"] * 2
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize(("window", "crashed", "incidents"), [(1, ["q3"], 0), (8, [], 1)])
def test_without_new_start_the_rest_is_not_run(window: int, crashed: list[str], incidents: int, tmp_path: Path) -> None:
    with opened("never_starts_again", window, tmp_path) as target:
        answers = target.ask(PLAN)
    blamed = faults(answers)
    assert [question_id for question_id, fault in blamed.items() if fault.kind == "crashed"] == crashed
    rest = [fault for fault in blamed.values() if fault.kind == "not_run"]
    assert len(rest) == 7 - len(crashed)
    assert {fault.stderr for fault in rest} == {"the database is locked"}
    assert all(fault.detail.isprintable() and "exited with code 1" in fault.detail for fault in rest)
    assert len(target.incidents) == incidents


@pytest.mark.parametrize("window", [1, 8])
def test_what_does_not_happen_again_is_an_incident(window: int, tmp_path: Path) -> None:
    with opened("crashes_once", window, tmp_path) as target:
        answers = target.ask(PLAN)
    assert_right_but_for(set(), answers)
    (incident,) = target.incidents
    assert "exited with code 9" in incident
    assert "q3" in incident


def test_program_that_stops_reading_does_not_block(tmp_path: Path) -> None:
    plan = [Request(question.id, "echo", "bela-4", {"cards": "7S" * 200_000}) for question in PLAN]
    with opened("stops_reading", 8, tmp_path) as target:
        answers = target.ask(plan)
    assert {question_id: fault.kind for question_id, fault in faults(answers).items()} == {"q3": "timed_out"}
    assert answers.keys() == {question.id for question in plan}
    assert all(answer.value == plan[0].input for answer in answers.values() if isinstance(answer, Reply))


@pytest.mark.parametrize(("program", "running"), [("leaves_children", 3), ("leaves_daemons", 4)])
def test_what_a_right_program_started_is_ended_too(program: str, running: int, tmp_path: Path) -> None:
    with opened(program, 8, tmp_path) as target:
        target.ask(PLAN[:2])
        assert_so_many_run(running, tmp_path)
    assert_nothing_runs(tmp_path)


def test_what_ran_before_the_program_is_not_ended_with_it(tmp_path: Path) -> None:
    ours = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    try:
        with opened("leaves_daemons", 8, tmp_path) as target:
            target.ask(PLAN)
        assert ours.poll() is None
    finally:
        ours.kill()
        ours.wait()


def test_what_cannot_be_ended_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descendants, "_GONE_WITHIN", 0.0)
    with opened("leaves_daemons", 8, tmp_path):
        until((tmp_path / "left").exists)
        monkeypatch.setattr("belot_conformance.programs.descendants.Process.kill", lambda _: None)
    monkeypatch.undo()
    assert len(NOT_ENDED) >= 2  # the third is in the program's group
    descendants.end(NOT_ENDED)
    NOT_ENDED.clear()
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize("window", [1, 8])
def test_a_program_that_closes_its_stdin_and_lives_has_incidents_at_any_window(window: int, tmp_path: Path) -> None:
    with opened("closes_stdin", window, tmp_path) as target:
        assert_right_but_for(set(), target.ask(PLAN))
    assert target.incidents
    assert all("closed its stdin and went on running" in incident for incident in target.incidents)


def test_a_program_that_is_another_when_started_again_is_asked_no_more(tmp_path: Path) -> None:
    with opened("becomes_another", 1, tmp_path) as target:
        blamed = faults(target.ask(PLAN))
    assert blamed.pop("q3").kind == "crashed"
    assert [*blamed] == ["q4", "q5", "q6", "q7", "q8", "q9"]
    assert {fault.detail for fault in blamed.values()} == {OTHER_HELLO}


def test_shared_ids_are_refused_and_seconds_are_counted(tmp_path: Path) -> None:
    twice = [PLAN[0], Request("q0", "echo", "bela-4", {"n": 7})]
    with opened("slow_but_steady", 1, tmp_path) as target:
        with pytest.raises(ValueError, match="'q0'"):
            target.ask(twice)
        (answer,) = target.ask(PLAN[:1]).values()
    assert 10 <= answer.seconds < 10 + PATIENCE


def test_failing_progress_leaves_a_target_that_works(tmp_path: Path) -> None:
    def fail(question_id: str, _: Answer) -> None:
        if question_id == "q1":
            raise KeyboardInterrupt

    with opened("answers_rightly", 8, tmp_path) as target:
        with pytest.raises(KeyboardInterrupt):
            target.ask(PLAN, fail)
        assert_nothing_runs(tmp_path)
        assert_right_but_for(set(), target.ask(PLAN))


@pytest.mark.parametrize(("done", "kind", "value"), [
    (KeyError("trump"), "error", "KeyError: 'trump'"),
    (SystemExit(2), "error", "SystemExit: 2"),
    (OSError(), "error", "OSError"),
    ({"result": {"cards": ("7S", "8S")}}, "result", {"cards": ["7S", "8S"]}),
    *((wrong, "protocol_violation", None) for wrong in (None, 7, {}, {"result": {}, "error": ""}, {"result": {"n": float("nan")}}, {"result": {"cards": {"7S"}}})),
])  # fmt: skip
def test_a_function_answers_as_if_over_the_wire_and_changes_no_question(done: Any, kind: str, value: Any) -> None:
    question = Request("q0", "echo", "bela-4", {"cards": ["7S"]})

    def answer(op: str, profile: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        assert (op, profile, given) == (question.op, question.profile, {"cards": ["7S"]})
        given["cards"].clear()
        if isinstance(done, BaseException):
            raise done
        return done  # type: ignore[no-any-return]

    with FunctionTarget(HELLO, answer) as target:
        came = target.ask([question])["q0"]
    assert came.kind == kind
    assert value is None or (isinstance(came, Reply) and came.value == value)
    assert question.input == {"cards": ["7S"]}
