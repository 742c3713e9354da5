"""The command ``belot``."""

import sys

import click

from belot_conformance.cli_bench import bench
from belot_conformance.cli_cases import cases
from belot_conformance.cli_check import check
from belot_conformance.cli_common import errors_as_messages
from belot_conformance.cli_play import play
from belot_conformance.cli_spec import spec


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-conformance", prog_name="belot")
def main() -> None:
    """Rules of belot as data, and a conformance suite for any belot program."""


@main.command()
@click.option("--profile", "profiles", multiple=True, help="Declare this profile too; may be repeated.")
@errors_as_messages
def answer(profiles: tuple[str, ...]) -> None:
    """Serve the reference over the protocol: requests on stdin, replies on stdout."""
    from belot_conformance.reference import Reference, serve

    serve(Reference(extra_profiles=profiles), sys.stdin.buffer, sys.stdout.buffer)


main.add_command(check)
main.add_command(spec)
main.add_command(cases)
main.add_command(play)
main.add_command(bench)
