"""The command ``belot lab coded-faults``: how many mistakes that are no value of a rule pass a check."""

import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, echo_json
from belot_conformance.text.terminal import TerminalPage
from belot_workshop.explaining.coded_faults import FAULTS, try_faults

# Of the observable faults so large a share may pass.
_MOST_PASSING: Final = 0.01
_PROFILES: Final = ("bela-4", "belotten", "open-belot", "contree", "coinche", "bulgarian-belot")
_VARIANTS: Final = ("contree", "coinche", "bulgarian-belot")


@click.command("coded-faults")
@click.option(
    "--profile", "profiles", multiple=True, default=_PROFILES, show_default=True, help="Rules to try; repeat."
)
@click.option("--tables", type=click.IntRange(min=0), default=6, show_default=True, help="House rules drawn besides.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    default=_VARIANTS,
    show_default=True,
    help="What these build on, in turn; repeat.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of tables and of the long stream.")
@FORMAT
def coded_faults(profiles: tuple[str, ...], tables: int, variants: tuple[str, ...], seed: int, form: str) -> None:
    """Try mistakes that are no value of a rule.

    Of those that random questions show, under 1 % may pass a check.

    Exit code: 0 if that is so, 1 if not.
    """
    page, observable, before, after = TerminalPage(), 0, 0, 0
    every = []
    with TemporaryDirectory() as scratch:
        for found in try_faults(profiles, tables, Path(scratch), seed, variants):
            every.append(asdict(found))
            observable += len(found.observable)
            before += len(found.before)
            after += len(found.after)
            if form == "text":
                page.line(
                    f"{found.profile}: of {len(FAULTS)} faults {len(found.observable)} are observable; "
                    f"{len(found.before)} pass the cases, {len(found.after)} the whole check"
                )
                for name in found.after:
                    page.line(f"  passes: {name}")
    if form == "json":
        echo_json(every)
    else:
        page.line(f"of {observable} observable faults {before} pass the cases, {after} the whole check")
    sys.exit(EXIT_FAILED if not observable or after >= _MOST_PASSING * observable else 0)
