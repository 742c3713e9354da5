"""The two foreign programs pass what they declare, and agree with the reference far beyond the cases."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.programs.protocol import Question, Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.questions.judge import REASON_FIELDS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, judge_all
from belot_spec.card_names import CARD_NAMES, SUITS

DECLARED = {"trick-winner", "card-points", "legal-cards"}


def _command(name: str, root: Path) -> tuple[str, ...]:
    if name == "python":
        return (sys.executable, str(root / "conformance/examples/python/bela.py"))
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed, so the JavaScript example cannot be run")
    return (node, str(root / "conformance/examples/javascript/bela.js"))


@pytest.fixture(params=["javascript", "python"])
def command(request: pytest.FixtureRequest, root: Path) -> tuple[str, ...]:
    return _command(request.param, root)


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


def test_an_example_agrees_with_the_reference_on_random_positions(
    command: tuple[str, ...], reference: Reference
) -> None:
    rng = Random(20261121)
    questions = [_random_question(rng, number) for number in range(3000)]
    with CommandTarget(command) as target:
        answers = target.ask(questions)
    for question in questions:
        own = reference.reply(question.op, question.profile, question.input)
        theirs = answers[question.id]
        assert isinstance(theirs, Reply), question
        assert _comparable(theirs.value) == _comparable(own["result"]), question


def _random_question(rng: Random, number: int) -> Question:
    deck = rng.sample(CARD_NAMES, 32)
    trump = rng.choice(SUITS)
    makers: list[Callable[[], tuple[str, dict[str, Any]]]] = [
        lambda: ("trick-winner", {"trump": trump, "leader": rng.randrange(4), "cards": deck[:4]}),
        lambda: (
            "card-points",
            {"trump": trump, "cards": deck[: rng.randrange(1, 32)], "last_trick": rng.random() < 0.5},
        ),
        lambda: ("legal-cards", _position(rng, deck, trump)),
    ]
    operation, question = rng.choice(makers)()
    return Question(f"q{number}", operation, "bela-4", question)


def _position(rng: Random, deck: list[str], trump: str) -> dict[str, Any]:
    in_trick = rng.randrange(4)
    return {"trump": trump, "hand": deck[4 : 4 + rng.randrange(1, 9)], "trick": deck[:in_trick]}


def _comparable(result: dict[str, Any]) -> dict[str, Any]:
    """Return what is compared: without the reasons, and lists in one order."""
    compared = {key: value for key, value in result.items() if key not in REASON_FIELDS.values()}
    return {key: sorted(value) if isinstance(value, list) else value for key, value in compared.items()}


def test_the_examples_do_not_use_the_project_s_packages(root: Path) -> None:
    for path in sorted((root / "conformance/examples").rglob("bela.*")):
        text = path.read_text(encoding="utf-8")
        assert "belot_reference" not in text
        assert "belot_conformance" not in text
