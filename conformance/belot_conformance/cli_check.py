"""The command ``belot check``: put the cases to a program."""

import json
import shlex
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from belot_conformance.cli_common import EXIT_FAILED, EXIT_NOT_STARTED, FORMAT, LANGUAGE, errors_as_messages

if TYPE_CHECKING:
    from belot_conformance.runner import Progress


class _TargetCommand(click.Command):
    """A command that takes everything after ``--`` as the command line of the program under test."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            ctx.meta["command"] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


@click.command(cls=_TargetCommand)
@click.argument("target", required=False, metavar="reference | -- COMMAND …")
@click.option("--profile", help="Ask every case that applies to this profile (bela-4+length-counts, house-rules.yaml).")
@click.option("--operation", "operations", multiple=True, help="Ask only this operation; may be repeated.")
@click.option("--case", "case_ids", multiple=True, help="Ask only this case; may be repeated.")
@click.option("--deadline", type=click.FloatRange(min=0.01), default=5.0, show_default=True, help="Seconds per answer.")
@click.option("--start", type=click.FloatRange(min=0.01), default=10.0, show_default=True, help="Seconds to start.")
@click.option("--show", type=click.IntRange(min=0), default=10, show_default=True, help="Failures to print in full.")
@FORMAT
@LANGUAGE
@click.pass_context
@errors_as_messages
def check(
    context: click.Context,
    target: str | None,
    profile: str | None,
    operations: tuple[str, ...],
    case_ids: tuple[str, ...],
    deadline: float,
    start: float,
    show: int,
    form: str,
    language: Any,
) -> None:
    """Put the cases to a program and say what is wrong with it.

    TARGET is the word "reference" for the engine in this process, or "--" and the command of a program that speaks
    the protocol. Exit code: 0 all passed, 1 something failed, 2 wrong usage or a faulty spec, 3 the program could
    not be started or shook hands wrongly.
    """
    from rich.console import Console

    from belot_conformance.reference import suite_version
    from belot_conformance.report import Run, as_json
    from belot_conformance.runner import Limits, StartError
    from belot_conformance.selection import plan_cases
    from belot_conformance.targets import open_target
    from belot_conformance.terminal import print_report
    from belot_conformance.verdicts import judge_all
    from belot_reference.spec import default_spec

    command = _target_command(target, context.meta.get("command"))
    spec = default_spec()
    plan = plan_cases(profile, operations, case_ids)
    console = Console(highlight=False)
    began = time.monotonic()
    try:
        with open_target(command, profile, Limits(start=start, answer=deadline)) as opened:
            with _progress(len(plan)) as advance:
                verdicts = judge_all(opened, plan, advance)
            hello = opened.hello
        run = Run(
            hello,
            shlex.join(command) or "reference",
            suite_version(),
            verdicts,
            opened.incidents,
            time.monotonic() - began,
        )
    except StartError as error:
        click.echo(f"belot: {error}", err=True)
        sys.exit(EXIT_NOT_STARTED)
    if form == "json":
        click.echo(json.dumps(as_json(run, spec), ensure_ascii=False, indent=2))
    else:
        print_report(console, run, spec, language, show)
    sys.exit(0 if run.passed else EXIT_FAILED)


def _target_command(target: str | None, command: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the command of the program under test, empty for the reference in this process."""
    if target is None and command:
        return command
    if target == "reference" and command is None:
        return ()
    if target is None or target == "reference":
        raise click.UsageError('say what to check: either "reference", or "--" and the command of a program')
    raise click.UsageError(f'a program\'s command stands after "--": belot check -- {target} …')


def _progress(total: int) -> "AbstractContextManager[Progress | None]":
    """Show a bar on stderr while a person waits; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        return nullcontext(None)
    from belot_conformance.progress import progress_bar

    return progress_bar(total)
