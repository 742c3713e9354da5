"""The two foreign programs pass what they declare, and agree with the reference far beyond the cases."""

import re
import shutil
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.protocol import Reply, Request
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import AnsweredQuestion
from belot_conformance.questions.stream import Stream
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation, differences
from belot_conformance.suite.verdicts import Planned, judge_all

DECLARED = {"trick-winner", "card-points", "legal-cards"}


@pytest.fixture(params=["javascript", "python"])
def command(request: pytest.FixtureRequest, root: Path) -> tuple[str, ...]:
    tool, name = {"python": (sys.executable, "bela.py"), "javascript": (shutil.which("node"), "bela.js")}[request.param]
    if tool is None:
        pytest.skip("Node is not installed, so the JavaScript example cannot be run")
    program = root / "conformance/examples" / request.param / name
    assert not re.search("belot_(reference|conformance|spec)", program.read_text(encoding="utf-8"))
    return (tool, str(program))


def test_an_example_passes_what_it_declares_and_no_more(command: tuple[str, ...], cases: list[Case]) -> None:
    with CommandTarget(command) as target:
        assert target.hello.profiles == ("bela-4",)
        assert set(target.hello.operations) == DECLARED
        verdicts = judge_all(target, [Planned(case, case.profile) for case in cases])
        assert list(target.incidents) == []
    for verdict in verdicts:
        declared = verdict.planned.profile == "bela-4" and verdict.planned.case.operation in DECLARED
        assert verdict.outcome == ("passed" if declared else "unsupported")
    assert sum(verdict.outcome == "passed" for verdict in verdicts) >= 60


def test_an_example_agrees_with_the_reference_by_lot(command: tuple[str, ...], reference: Reference) -> None:
    questions = [
        Request(f"q{number}", drawn.operation, "bela-4", drawn.input)
        for number, drawn in enumerate(islice(drawn_forever(reference), 1500))
    ]
    with CommandTarget(command) as target:
        answers = target.ask(questions)
    for question in questions:
        own, theirs = reference.reply(question.op, question.profile, question.input), answers[question.id]
        assert isinstance(theirs, Reply), question
        assert differences(question.op, [Expectation("result", own["result"])], theirs) == [], question


def drawn_forever(reference: Reference) -> Iterator[AnsweredQuestion]:
    stream = Stream(reference.ruleset("bela-4"), 20261121, DECLARED)
    while True:
        yield from (one for one in stream.round() if "result" in one.answer)
