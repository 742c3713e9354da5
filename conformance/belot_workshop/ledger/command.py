"""The command ``belot lab ledger``: published programs, got, asked and written down."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from belot_conformance.cli.common import EXIT_FAILED, SECONDS, echo
from belot_conformance.explain.budget import BUDGET
from belot_conformance.programs.published import PublishedProgram, load_programs, program_files
from belot_spec.data import refuse_installed
from belot_spec.errors import nearest
from belot_workshop.ledger.getting import NotGotError, get_program
from belot_workshop.ledger.measuring import NotMeasuredError, measure, write_measured


@click.command("ledger")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--in-place", "write", is_flag=True, help="Write what was measured into the entries.")
@click.option("--served-by", metavar="COMMAND", help="Ask the one program by this command, and get nothing.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("build") / "ledger",
    show_default=True,
    help="Where programs are kept.",
)
@click.option(
    "--seconds", type=SECONDS, default=BUDGET.seconds, show_default=True, help="How long the processor may search."
)
def ledger(names: tuple[str, ...], folder: Path, seconds: float, *, write: bool, served_by: str | None) -> None:
    """Measure what published programs play.

    All of the ledger are got and measured, or those that are named.

    Exit code: 0 if each plays what its entry says, or was written; 1 if one plays otherwise, cannot be had or cannot be
    measured.
    """
    if write:
        refuse_installed("the ledger")
    programs = load_programs()
    for name in names:
        if name not in programs:
            known = ", ".join(programs)
            raise click.UsageError(f"no program {name} in the ledger{nearest(name, programs)} (known: {known})")
    chosen = [programs[name] for name in names or programs]
    if served_by and len(chosen) != 1:
        raise click.UsageError("--served-by COMMAND is of one program: name it")
    good = [_measured(one, served_by, folder.resolve(), seconds, write=write) for one in chosen]
    sys.exit(0 if all(good) else EXIT_FAILED)


def _measured(program: PublishedProgram, served_by: str | None, folder: Path, seconds: float, *, write: bool) -> bool:
    """Measure one program and say what came of it; return whether its entry says so too."""
    try:
        command = shlex.split(served_by) if served_by else get_program(program, folder)
        found = measure(program, command, seconds)
    except (NotGotError, NotMeasuredError) as error:
        echo(f"· {program.id}: {error}")
        return False
    known = program.measured
    same = known is not None and (known.base, dict(known.rules)) == (found["base"], _values(found))
    answers = found["answers"]
    echo(
        f"{'✓' if same else '≠'} {program.id} {program.version}: {found['base']}, but for {len(found['rules'])} rules; "
        f"{answers['wrong']} of {answers['asked']} answers wrong by these, in {answers['seconds']} s "
        f"and {answers['program_seconds']} of its own"
    )
    if write:
        write_measured(next(path for path in program_files() if path.stem == program.id), found)
    return same or write


def _values(found: dict[str, Any]) -> dict[str, Any]:
    return {rule: setting["value"] for rule, setting in found["rules"].items()}
