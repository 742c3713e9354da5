"""The spec, the reference, the cases, and ways to run the command as a person would."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import settings

from belot_conformance.cli.main import main
from belot_conformance.contrast.probe import Budget, Probe, answered, is_other
from belot_conformance.house_suite.questions import TableBudget
from belot_conformance.mistakes.killing import the_reference
from belot_conformance.mistakes.mutations import Mutant, mutants_of_rules
from belot_conformance.programs.protocol import Hello, Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import AnsweredQuestion
from belot_conformance.reports.report import Run
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.verdicts import OUTCOMES, Outcome, Planned, Verdict, judge
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import bring_rules, default_spec
from belot_spec.spec import Spec

ROOT = Path(__file__).resolve().parents[1]
Completed = subprocess.CompletedProcess[str]
# A fault of ours shows where it comes from.
AT_A_TERMINAL = {"COLUMNS": "80", "NO_COLOR": "1", "BELOT_TRACEBACK": "1"}

# A run in CI repeats exactly; at home every run looks at new examples. How long one takes says nothing about it.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("home", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")


@pytest.fixture(scope="module", autouse=True)
def _rules_of_the_files() -> None:
    """Forget the rules that a test of the site's engine, which reads no files, brought into this process."""
    bring_rules({})


@pytest.fixture(scope="session", autouse=True)
def every_command_is_imported() -> None:
    """Import the commands, or one first called while a test patches what it imports would keep the patch."""

    def look_at(group: click.Group) -> None:
        for name in tuple(group.commands):
            command = group.commands[name]
            if isinstance(command, click.Group):
                look_at(command)

    look_at(main)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def spec() -> Spec:
    return default_spec()


@pytest.fixture(scope="session")
def reference(spec: Spec) -> Reference:
    return Reference(spec)


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    return load_cases()


@pytest.fixture(scope="session")
def belot() -> Callable[..., Completed]:
    """Return a function that runs ``belot`` in this process, from the project's folder and 80 columns wide.

    Reading the rules and the cases takes a process of its own longer than most commands take for what they do.
    """
    return _run_here


def _run_here(*arguments: str) -> Completed:
    with chdir(ROOT):
        run = CliRunner().invoke(main, arguments, prog_name="belot", env=AT_A_TERMINAL, catch_exceptions=False)
    return Completed(arguments, run.exit_code, run.stdout, run.stderr)


@pytest.fixture(scope="session")
def belot_process() -> Callable[..., Completed]:
    """Return a function that runs ``belot`` as a process, as a person would."""

    def run(*arguments: str) -> Completed:
        return subprocess.run(
            [sys.executable, "-m", "belot_conformance", *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**os.environ, **AT_A_TERMINAL},
            timeout=600,
            check=False,
        )

    return run


@pytest.fixture(scope="module")
def searching_less(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Look at tables with a fraction of the questions and deals; what is found out so is not kept for real runs."""
    kept = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        for name, less in (
            ("table.BUDGET", TableBudget(deal_candidates=120, first=20, further=10, by_the_other=4)),
            ("table.cache_folder", lambda: kept),
            # A second process would draw the same questions once more.
            ("table.os.cpu_count", lambda: 1),
        ):  # fmt: skip
            patch.setattr(f"belot_conformance.house_suite.{name}", less)
        yield


@pytest.fixture(scope="module")
def belot_searching_less(searching_less: None) -> Iterator[Callable[..., Completed]]:
    """Return what runs ``belot`` as the fixture ``belot`` does; of each rule it tries one other value."""

    def one_each(*of: Any) -> list[Mutant]:
        return [*{mutant.rule: mutant for mutant in mutants_of_rules(*of)}.values()]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("belot_conformance.house_suite.table.mutants_of_rules", one_each)
        yield _run_here


@cache
def _brief_probe(profile: str) -> Probe[AnsweredQuestion]:
    rules = the_reference().ruleset(profile)
    return Probe(answered(rules, Budget(deals=24).questions(rules)), partial(is_other, reasons=True))


@pytest.fixture
def proving_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a mutant with the rules that it changes by the questions of a tenth of the deals."""
    monkeypatch.setattr("belot_workshop.mutants.judging._probe", _brief_probe)


@pytest.fixture(scope="session")
def mixed_run(cases: list[Case]) -> Run:
    """Return a run in which every outcome occurs, some in several operations, and whose texts are as nasty as can be."""
    by_operation = {case.operation: [one for one in cases if one.operation == case.operation] for case in cases}
    chosen = [case for group in by_operation.values() for case in (*group[:6], *group[6:][-6:])]
    verdicts = [_verdict(case, OUTCOMES[number % len(OUTCOMES)]) for number, case in enumerate(chosen)]
    hello = Hello(1, f"nasty {NASTY}", "1.0", "Bad | `C`", (ProfileName("bela-4"),), tuple(by_operation))
    asked_with = ("--profile", "it's mine.yaml", "--", "node", "my game.js")
    return Run(hello, "node 'my game.js'", "0.1.0", verdicts, [f"incident {NASTY}"], 1.25, asked_with)


# Markup, a quotation, an escape, the end of a block of code, and what XML forbids.
NASTY = "<script>alert('x')</script> & \"q\" | `b` ``` \x00\x1b[31m \ufffe ]]> {{ 7 * 7 }}"


def _verdict(case: Case, outcome: Outcome) -> Verdict:
    planned = Planned(case, case.profile)
    if outcome == "failed":
        right = case.expected[0]
        wrong = {**right.fields, **dict.fromkeys(list(right.fields)[:2], NASTY)}
        return judge(planned, Reply(case.id, right.kind, wrong, 0.001))
    if outcome == "errored":
        return judge(planned, Reply(case.id, "error", NASTY, 0.002))
    if outcome == "passed":
        return Verdict(planned, outcome, seconds=0.001)
    return Verdict(planned, outcome, f"why {NASTY}", stderr="" if outcome in ("unsupported", "skipped") else NASTY)
