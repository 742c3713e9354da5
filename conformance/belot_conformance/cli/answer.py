"""The command ``belot answer``: the reference as a program, right or with one common mistake."""

import sys

import click

from belot_conformance.cli.common import echo
from belot_conformance.mistakes.faulty_player import FaultyPlayer, WrongPlayer
from belot_conformance.mistakes.mutations import mistake_named
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.programs.serving import serve, serve_http


@click.command()
@click.option("--profile", "profiles", multiple=True, help="Declare this profile too; may be repeated.")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve over HTTP on this machine, at this port.")
@click.option("--mistake", help="Make one common mistake in all that is played; belot mistakes lists them.")
def answer(profiles: tuple[str, ...], port: int | None, mistake: str | None) -> None:
    """Serve the reference engine as a program, right or mistaken.

    It takes requests on stdin and replies on stdout, or over HTTP. Port 0 takes any that is free; the address is
    printed first.
    """
    served = ServedReference(_player(profiles, mistake))
    if port is None:
        serve(served, sys.stdin.buffer, sys.stdout.buffer)
        return
    serve_http(served, port, lambda address: echo(f"belot answers at {address}"))


def _player(profiles: tuple[str, ...], mistake: str | None) -> Reference:
    if mistake is None:
        return Reference(extra_profiles=profiles)
    values = mistake_named(mistake).values
    return WrongPlayer(mistake, values, profiles) if values else FaultyPlayer(mistake, profiles)
