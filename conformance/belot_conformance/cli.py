"""The command ``belot``."""

import sys

import click

from belot_conformance.cli_baselines import baselines
from belot_conformance.cli_bench import bench
from belot_conformance.cli_cases import cases
from belot_conformance.cli_check import check
from belot_conformance.cli_common import errors_as_messages
from belot_conformance.cli_mutants import mutants
from belot_conformance.cli_play import play
from belot_conformance.cli_report import report
from belot_conformance.cli_spec import spec


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-conformance", prog_name="belot")
def main() -> None:
    """Rules of belot as data, and a conformance suite for any belot program."""


@main.command()
@click.option("--profile", "profiles", multiple=True, help="Declare this profile too; may be repeated.")
@click.option("--http", "port", type=click.IntRange(0, 65535), help="Serve over HTTP on this machine, at this port.")
@errors_as_messages
def answer(profiles: tuple[str, ...], port: int | None) -> None:
    """Serve the reference over the protocol: requests on stdin, replies on stdout, or over HTTP.

    Port 0 takes any that is free; the address is printed first.
    """
    from belot_conformance.reference import Reference, ServedReference
    from belot_conformance.serving import serve

    served = ServedReference(Reference(extra_profiles=profiles))
    if port is None:
        serve(served, sys.stdin.buffer, sys.stdout.buffer)
        return
    from belot_conformance.http_server import serve_http

    serve_http(served, port, lambda address: click.echo(f"belot answers at {address}"))


main.add_command(check)
main.add_command(report)
main.add_command(spec)
main.add_command(cases)
main.add_command(play)
main.add_command(bench)
main.add_command(baselines)
main.add_command(mutants)
