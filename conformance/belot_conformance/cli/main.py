"""The command ``belot``."""

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from belot_conformance.cli.adapter import adapter, smoke
from belot_conformance.cli.audit import audit
from belot_conformance.cli.cases import cases
from belot_conformance.cli.check import check
from belot_conformance.cli.common import Belot, echo
from belot_conformance.cli.fuzz import fuzz
from belot_conformance.cli.identify import identify
from belot_conformance.cli.looking import baselines, mistakes, play
from belot_conformance.cli.perft import perft
from belot_conformance.cli.report import report
from belot_conformance.cli.spec import spec

if TYPE_CHECKING:
    from belot_conformance.programs.reference import Reference


@click.group(cls=Belot, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-conformance", prog_name="belot")
def main() -> None:
    """Rules of belot as data, and a conformance suite for any belot program."""


@main.command()
@click.option("--profile", "profiles", multiple=True, help="Declare this profile too; may be repeated.")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve over HTTP on this machine, at this port.")
@click.option("--mistake", help="Make one common mistake in all that is played; belot mistakes lists them.")
def answer(profiles: tuple[str, ...], port: int | None, mistake: str | None) -> None:
    """Serve the reference over the protocol: requests on stdin, replies on stdout, or over HTTP.

    Port 0 takes any that is free; the address is printed first.
    """
    from belot_conformance.programs.reference import ServedReference
    from belot_conformance.programs.serving import serve

    served = ServedReference(_player(profiles, mistake))
    if port is None:
        serve(served, sys.stdin.buffer, sys.stdout.buffer)
        return
    from belot_conformance.programs.http_server import serve_http

    serve_http(served, port, lambda address: echo(f"belot answers at {address}"))


def _player(profiles: tuple[str, ...], mistake: str | None) -> "Reference":
    from belot_conformance.programs.reference import Reference

    if mistake is None:
        return Reference(extra_profiles=profiles)
    from belot_conformance.diagnosis.faulty_player import FaultyPlayer, WrongPlayer
    from belot_conformance.diagnosis.mutations import mistake_named

    values = mistake_named(mistake).values
    return WrongPlayer(mistake, values, profiles) if values else FaultyPlayer(mistake, profiles)


for command in (
    check, identify, fuzz, perft, smoke, audit, adapter, report, spec, cases, play, baselines, mistakes,
):  # fmt: skip
    main.add_command(command)

# The workshop is found by name where it is installed; nothing here depends on it. (An entry point would say the same,
# and reading those of every installed distribution doubles the time of belot --help.)
if find_spec("belot_workshop"):
    import_module("belot_workshop.commands").add_commands(main)
