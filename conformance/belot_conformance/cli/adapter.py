"""The commands ``belot adapter``, of which ``try`` is ``belot smoke`` too: the first steps with a program."""

import sys
from pathlib import Path
from shlex import join
from typing import Any

import click

from belot_conformance.cli.common import (
    BRIEF,
    EXIT_FAILED,
    EXIT_NOT_STARTED,
    PROFILE,
    TargetCommand,
    asking_options,
    echo,
    named_target,
    tell_page,
)
from belot_conformance.house_suite.smoke import SmokeReport, as_json
from belot_conformance.house_suite.smoke import smoke as look
from belot_conformance.programs.adapter import ADAPTERS, WORDS, write_adapter
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.reports.report import notes_of, rulings_of
from belot_conformance.rules.reading import as_runs
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec


@click.group()
def adapter() -> None:
    """Begin an adapter, the program by which belot asks your engine."""


@adapter.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--language", "kind", type=click.Choice([*ADAPTERS]), required=True, help="The language to write it in.")
def new(folder: Path, kind: Any) -> None:
    """Write a working adapter and its README into the folder DIR.

    Nothing that is there is overwritten.
    """
    made = write_adapter(kind, folder)

    try_it = ["belot", "adapter", "try", "--", *made.command]
    commands = [["cd", str(folder)], *([list(made.build)] if made.build else []), try_it]
    echo(WORDS.say("made", folder=folder) + "\n")
    for command in commands:
        echo(f"  {join(command)}")
    echo("\n" + WORDS.say("then"))


@click.command(cls=TargetCommand)
@PROFILE
@BRIEF
@asking_options
def smoke(context: click.Context, /, target: str | None, *, brief: bool, form: str, **how: Any) -> None:
    """Try the handshake and one easy question of each operation.

    belot smoke and belot adapter try are one command. It says in words what is wrong and what is missing, and explains
    each operation: the question, its answer and the rules behind that, and what those ask that are not declared. With
    --brief only what is wrong is explained. TARGET is as for belot check, and so is --profile: it is asked by those
    rules, whatever it declares. Exit code: 0 all well, 1 something is wrong, 2 wrong usage, 3 the program could not be
    started or reached, or shook hands wrongly.
    """
    spec = default_spec()
    report = look(named_target(context, target), how["limits"], spec, how["profile"])
    explained_by = None if brief else spec
    tell_page(form, lambda page: _print(page, report, explained_by), lambda: as_json(report))
    sys.exit(EXIT_NOT_STARTED if report.hello is None else 0 if report.passed else EXIT_FAILED)


def _print(page: Page, report: SmokeReport, spec: Spec | None = None) -> None:
    """Print each finding with its mark, and what to do next.

    With a ``spec`` each operation is explained: what it asks, the question, its right answer and the rules behind that.
    """
    declared = report.hello.operations if report.hello else EASY_FIRST
    verdicts = [one.verdict if spec is not None else None for one in report.findings]
    tell(
        page,
        "try.j2",
        width=2 + max((len(one.about) for one in report.findings), default=0),
        findings=report.findings,
        advice=report.advice,
        is_whole=spec is not None,
        rules=[notes_of(one, spec) if one and spec else () for one in verdicts],
        rulings=[rulings_of(one, spec) if one and spec else () for one in verdicts],
        statements=[as_runs(one.planned.case.statements) if one else () for one in verdicts],
        undeclared={one: OPERATIONS[one].asks.en for one in EASY_FIRST if one not in declared},
    )


adapter.add_command(smoke, "try")
