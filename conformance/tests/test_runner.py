"""The runner against programs that are wrong on purpose: the right outcome for the right question, and no other.

Each program of the folder `programs` is asked ten questions, q0 to q9, whose right answer is their own input; most
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
from belot_conformance.programs.ending import NOT_ENDED
from belot_conformance.programs.process import StartError
from belot_conformance.programs.protocol import Hello, Question, Reply
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.target import OTHER_HELLO, Answer, Fault, FunctionTarget, Limits, Target
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.verdicts import Planned, judge_all
from belot_spec.catalogue import Text
from belot_spec.profile_name import ProfileName
from echo_testing import PLAN, ClockOfPrograms, assert_right_but_for, faults
from process_testing import LIMITS, PATIENCE, assert_nothing_runs, assert_so_many_run, until
from suite_testing import PROGRAMS

HELLO = Hello(1, "function", "1", "Python", (ProfileName("bela-4"),), ("echo",))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are run under POSIX systems only")


def command(program: str, window: int, folder: Path) -> list[str]:
    return [sys.executable, "-S", "-E", str(PROGRAMS / f"{program}.py"), str(window), str(folder)]


def opened(program: str, window: int, folder: Path, limits: Limits = LIMITS) -> CommandTarget:
    return CommandTarget(command(program, window, folder), limits, ClockOfPrograms(folder))


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
    ("binary_garbage", "protocol_violation", "not JSON"),
    ("not_utf8", "protocol_violation", "not UTF-8"),
    ("half_a_surrogate", "protocol_violation", "surrogate"),
    ("nan", "protocol_violation", "NaN is not JSON"),
    ("huge_integer", "protocol_violation", "an integer of more than 4300 digits"),
    ("deep_nesting", "protocol_violation", "nested deeper than 64 levels"),
    ("empty_line", "protocol_violation", "empty"),
    ("no_object", "protocol_violation", "not an object"),
    ("two_kinds", "protocol_violation", "`result` and `error`"),
    ("no_kind", "protocol_violation", "holds no `result`"),
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
        answers = target.ask(PLAN)
    assert_right_but_for(set(), answers)
    assert target.incidents == []
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
    assert program == "hangs_flooding_stderr" or blamed["q3"].stderr.startswith("asked q3")
    assert_right_but_for({"q3"}, answers)
    assert target.incidents == []
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize(("program", "message"), NO_HANDSHAKE)
def test_wrong_start_says_why(program: str, message: str, tmp_path: Path) -> None:
    limits = Limits(start=0.4) if program == "never_shakes_hands" else LIMITS
    with pytest.raises(StartError) as caught:
        opened(program, 1, tmp_path, limits)
    assert message in str(caught.value)
    assert f"{program}.py" in str(caught.value)
    assert_nothing_runs(tmp_path)


def test_wrong_start_shows_stderr(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="The end of its stderr:\nno licence found"):
        opened("crashes_at_start", 1, tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-program-anywhere"], "no-such-program-anywhere could not be started: no such program"),
        ([str(PROGRAMS)], "could not be started: this is a folder"),
        ([str(PROGRAMS / "miniature.py")], "not executable"),
        (["true\0"], "null byte"),
        ([], "no command was given"),
    ],
)
def test_what_cannot_be_started_says_why(words: list[str], message: str) -> None:
    with pytest.raises(StartError) as caught:
        CommandTarget(words, LIMITS)
    assert message in str(caught.value)


@pytest.mark.parametrize("window", [1, 8])
def test_every_kind_of_reply_arrives(window: int, tmp_path: Path) -> None:
    with opened("all_kinds", window, tmp_path) as target:
        answers = target.ask(PLAN)
    assert faults(answers) == {}
    assert answers["q1"].kind == "rejected"
    assert [answers[f"q{n}"].kind for n in range(6)] == [
        "result",
        "rejected",
        "rejected",
        "unsupported",
        "unsupported",
        "error",
    ]


@pytest.mark.parametrize("window", [1, 8])
def test_the_answer_to_the_question_before_is_wrong_for_one_question_only(window: int, tmp_path: Path) -> None:
    text = Text("an echo", "een echo")
    plan = [
        Planned(
            Case(
                id=question.id, title=text, operation="card-points", profile=ProfileName("bela-4"), input=question.input,
                expected=(Expectation("result", question.input),), rules=(), statements=(), rulings=(),
                origin="by-hand", note=None, printed=None, tags=(), behaviour=text, why=text, path=PROGRAMS, line=1,
            ),
            ProfileName("bela-4"),
        )
        for question in PLAN
    ]  # fmt: skip
    with opened("answers_previous", window, tmp_path) as target:
        verdicts = judge_all(target, plan)
        assert {verdict.outcome for verdict in verdicts} == {"unsupported"}
        target.hello = replace(target.hello, operations=("card-points",))
        verdicts = judge_all(target, plan)
    assert [verdict.planned.case.id for verdict in verdicts if verdict.outcome != "passed"] == ["q3"]
    assert verdicts[3].outcome == "failed"
    assert verdicts[3].came == {"result": {"n": 2}}
    assert target.incidents == []
    assert_nothing_runs(tmp_path)


def test_fault_has_the_end_of_stderr(tmp_path: Path) -> None:
    with opened("crashes_on_one", 8, tmp_path) as target:
        fault = target.ask(PLAN)["q3"]
    assert isinstance(fault, Fault)
    assert fault.stderr == "asked q3\ncannot think about q3"


@pytest.mark.parametrize("window", [1, 8])
def test_flood_on_stderr_is_kept_short(window: int, tmp_path: Path) -> None:
    with opened("hangs_flooding_stderr", window, tmp_path) as target:
        fault = target.ask(PLAN)["q3"]
    assert isinstance(fault, Fault)
    assert "I do not know!" in fault.stderr
    assert len(fault.stderr) <= 4096


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


@pytest.mark.parametrize(
    ("window", "crashed", "incidents"),
    [(1, ["q3"], 0), (8, [], 1)],
)
def test_without_a_new_start_the_rest_is_not_run(
    window: int, crashed: list[str], incidents: int, tmp_path: Path
) -> None:
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
    plan = [Question(question.id, "echo", "bela-4", {"cards": "7S" * 200_000}) for question in PLAN]
    with opened("stops_reading", 8, tmp_path) as target:
        answers = target.ask(plan)
    assert {question_id: fault.kind for question_id, fault in faults(answers).items()} == {"q3": "timed_out"}
    assert answers.keys() == {question.id for question in plan}
    assert all(answer.value == plan[0].input for answer in answers.values() if isinstance(answer, Reply))


def test_children_of_a_right_program_are_ended_too(tmp_path: Path) -> None:
    with opened("leaves_children", 8, tmp_path) as target:
        target.ask(PLAN[:2])
        assert_so_many_run(3, tmp_path)
    assert_nothing_runs(tmp_path)


def test_what_left_the_program_s_family_is_ended_too(tmp_path: Path) -> None:
    with opened("leaves_daemons", 8, tmp_path) as target:
        target.ask(PLAN)
        assert_so_many_run(4, tmp_path)
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


def test_no_questions_have_no_answers(tmp_path: Path) -> None:
    with opened("answers_rightly", 8, tmp_path) as target:
        assert target.ask([]) == {}


def test_one_program_answers_several_plans(tmp_path: Path) -> None:
    with opened("crashes_on_one", 8, tmp_path) as target:
        first = target.ask(PLAN[:5])
        second = target.ask(PLAN[5:])
    assert_right_but_for({"q3"}, first | second)


def test_shared_ids_are_refused(tmp_path: Path) -> None:
    twice = [PLAN[0], Question("q0", "echo", "bela-4", {"n": 7})]
    with opened("answers_rightly", 8, tmp_path) as target:
        with pytest.raises(ValueError, match="'q0'"):
            target.ask(twice)
        assert_right_but_for(set(), target.ask(PLAN))


@pytest.mark.parametrize("program", ["answers_rightly", "crashes_on_one", "answers_twice", "crashes_once"])
def test_progress_tells_every_question_once(program: str, tmp_path: Path) -> None:
    told: list[str] = []
    with opened(program, 8, tmp_path) as target:
        target.ask(PLAN, lambda question_id, _: told.append(question_id))
    assert sorted(told) == [question.id for question in PLAN]


def test_failing_progress_leaves_a_target_that_works(tmp_path: Path) -> None:
    def fail(question_id: str, _: Answer) -> None:
        if question_id == "q1":
            raise KeyboardInterrupt

    with opened("answers_rightly", 8, tmp_path) as target:
        with pytest.raises(KeyboardInterrupt):
            target.ask(PLAN, fail)
        assert_nothing_runs(tmp_path)
        assert_right_but_for(set(), target.ask(PLAN))


def test_seconds_are_counted(tmp_path: Path) -> None:
    with opened("slow_but_steady", 1, tmp_path) as target:
        (answer,) = target.ask(PLAN[:1]).values()
    assert 10 <= answer.seconds < 10 + PATIENCE


def test_closing_twice_is_harmless(tmp_path: Path) -> None:
    target = opened("answers_rightly", 8, tmp_path)
    target.close()
    target.close()
    assert_nothing_runs(tmp_path)


def ask_function(result: Any) -> Answer:
    def answer(op: str, profile: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        if isinstance(result, BaseException):
            raise result
        return result  # type: ignore[no-any-return]

    target: Target = FunctionTarget(HELLO, answer)
    with target:
        return target.ask(PLAN[:1])["q0"]


def test_function_gets_operation_profile_and_input() -> None:
    seen: list[tuple[str, str, Mapping[str, Any]]] = []

    def answer(op: str, profile: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        seen.append((op, profile, given))
        return {"result": given}

    with FunctionTarget(HELLO, answer) as target:
        assert_right_but_for(set(), target.ask(PLAN))
    assert seen == [("echo", "bela-4", question.input) for question in PLAN]


def test_function_cannot_change_the_question() -> None:
    question = Question("q0", "echo", "bela-4", {"cards": ["7S"]})

    def answer(op: str, profile: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        given["cards"].clear()
        return {"result": {}}

    FunctionTarget(HELLO, answer).ask([question])
    assert question.input == {"cards": ["7S"]}


@pytest.mark.parametrize(
    ("raised", "value"),
    [(KeyError("trump"), "KeyError: 'trump'"), (SystemExit(2), "SystemExit: 2"), (OSError(), "OSError")],
)
def test_exception_of_a_function_is_an_error(raised: BaseException, value: str) -> None:
    answer = ask_function(raised)
    assert isinstance(answer, Reply)
    assert (answer.kind, answer.value) == ("error", value)


def test_function_answers_as_if_over_the_wire() -> None:
    answer = ask_function({"result": {"cards": ("7S", "8S")}})
    assert isinstance(answer, Reply)
    assert answer.value == {"cards": ["7S", "8S"]}


@pytest.mark.parametrize(
    "returned",
    [None, 7, {}, {"result": {}, "error": ""}, {"result": float("nan")}, {"result": {"cards": {"7S"}}}],
)
def test_function_is_held_to_the_protocol(returned: Any) -> None:
    assert ask_function(returned).kind == "protocol_violation"
