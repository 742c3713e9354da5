"""The commands ``belot adapter new`` and ``belot smoke``: the first steps with a program of one's own."""

import sys
from pathlib import Path
from shlex import join
from typing import Any

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    EXIT_NOT_STARTED,
    FORMAT,
    LANGUAGE,
    SECONDS,
    TARGET,
    TargetCommand,
    echo,
    echo_json,
    errors_as_messages,
    named_target,
)


@click.group()
def adapter() -> None:
    """Begin an adapter: the small program that lets belot ask your engine."""


@adapter.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--language", "kind", type=click.Choice(["python", "javascript"]), required=True, help="Written in what.")
@click.option("--lang", "language", type=click.Choice(["en", "nl"]), default="en", help="Language of its README.")
@errors_as_messages
def new(folder: Path, kind: Any, language: Any) -> None:
    """Write a working adapter and its README into the folder DIR; nothing that is there is overwritten."""
    from belot_conformance.programs.adapter import WORDS, write_adapter

    command = write_adapter(kind, folder, language)

    try_it = join(["belot", "smoke", *(["--lang", language] if language != "en" else []), "--", *command])
    first, then = WORDS.say("made", language, folder=folder), WORDS.say("then", language)
    echo(f"{first}\n\n  cd {join([str(folder)])}\n  {try_it}\n\n{then}")


@click.command(cls=TargetCommand)
@TARGET
@click.option("--profile", help="The rules that the program plays (bela-4+length-counts, house-rules.yaml).")
@click.option("--deadline", "answer", type=SECONDS, default=5.0, show_default=True, help="Seconds per answer.")
@click.option("--start", type=SECONDS, default=10.0, show_default=True, help="Seconds to start.")
@FORMAT
@LANGUAGE
@click.pass_context
@errors_as_messages
def smoke(
    context: click.Context, /, target: str | None, profile: str | None, form: str, language: Any, **limits: Any
) -> None:
    """Try the handshake and one easy question of each operation, and say in words what is wrong.

    TARGET is as for belot check, and so is --profile: it is asked by those rules, whatever it declares. Exit code: 0
    all well, 1 something is wrong, 2 wrong usage, 3 the program could not be started or reached, or shook hands
    wrongly.
    """
    from belot_conformance.programs.target import Limits
    from belot_conformance.table.smoke import as_json
    from belot_conformance.table.smoke import smoke as look
    from belot_spec.spec import default_spec

    report = look(named_target(context, target), Limits(**limits), default_spec(), profile)
    if form == "json":
        echo_json(as_json(report))
    else:
        from belot_conformance.table.smoke_page import print_smoke
        from belot_conformance.text.terminal import TerminalPage

        print_smoke(TerminalPage(), report, language)
    sys.exit(EXIT_NOT_STARTED if report.hello is None else 0 if report.passed else EXIT_FAILED)
