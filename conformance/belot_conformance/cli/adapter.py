"""The commands ``belot adapter new`` and ``belot smoke``: the first steps with a program of one's own."""

import json
import sys
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

import click

from belot_conformance.cli.common import (
    EXIT_FAILED,
    EXIT_NOT_STARTED,
    FORMAT,
    LANGUAGE,
    SECONDS,
    TARGET,
    TargetCommand,
    errors_as_messages,
    named_target,
)

if TYPE_CHECKING:
    from belot_conformance.table.smoke import SmokeReport
    from belot_spec.catalogue import Language


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
    from belot_conformance.programs.adapter import write_adapter

    command = write_adapter(kind, folder, language)
    first, then = _NEW_WORDS[language]
    try_it = join(["belot", "smoke", *(["--lang", language] if language != "en" else []), "--", *command])
    click.echo(f"{first.format(folder=folder)}\n\n  cd {join([str(folder)])}\n  {try_it}\n\n{then}")


_NEW_WORDS = {
    "en": (
        "An adapter that works is in the folder {folder} now; try it:",
        "README.md there says how to put your own engine in.",
    ),
    "nl": (
        "In de map {folder} staat nu een werkende adapter; probeer maar:",
        "In README.md staat hoe je er je eigen programma in zet.",
    ),
}


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
        click.echo(json.dumps(as_json(report), ensure_ascii=False, indent=2))
    else:
        _print(report, language)
    sys.exit(EXIT_NOT_STARTED if report.hello is None else 0 if report.passed else EXIT_FAILED)


_MARKS = {"right": ("✓", "green"), "wrong": ("✗", "bold red"), "missing": ("·", "dim")}
_WORDS = {
    "en": {"asked": "asked", "expected": "expected", "came": "came", "or": "or", "next": "Next:"},
    "nl": {"asked": "gevraagd", "expected": "verwacht", "came": "gekregen", "or": "of", "next": "Verder:"},
}
_ABOUT_NL = {
    "start": "start", "handshake": "handdruk", "profiles": "profielen", "operations": "bewerkingen",
}  # fmt: skip


def _print(report: "SmokeReport", language: "Language") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text as RichText

    from belot_conformance.text.brief import brief

    console = Console(highlight=False)
    words = _WORDS[language]
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in report.findings:
        mark, style = _MARKS[finding.level]
        about = _ABOUT_NL.get(finding.about, finding.about) if language == "nl" else finding.about
        grid.add_row(RichText(mark, style=style), RichText(about), RichText(finding.said.in_language(language)))
        lines = finding.details.splitlines()
        if finding.verdict is not None and finding.level == "wrong":
            case, came = finding.verdict.planned.case, finding.verdict.came
            expected = f" {words['or']} ".join(brief({one.kind: one.fields}) for one in case.expected)
            lines += [f"{words['asked']} ({case.id}): {brief(case.input)}", f"{words['expected']}: {expected}"]
            lines += [f"{words['came']}: {brief(came)}"] if came is not None else []
        for line in lines:
            grid.add_row("", "", RichText(line))
    console.print(grid)
    if report.advice:
        console.print(f"\n{words['next']}")
    for text in report.advice:
        said, _, command = text.in_language(language).partition("\n")
        console.print(f"- {said}", markup=False)
        if command:
            # A command is for copying, so it is not broken into lines.
            console.print(f"    {command}", markup=False, soft_wrap=True)
