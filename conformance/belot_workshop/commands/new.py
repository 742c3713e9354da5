"""The commands ``belot spec new …``: the file with which a variant or a source begins."""

import click

from belot_conformance.cli.common import LazyGroup, echo, number_option
from belot_spec.data import refuse_installed
from belot_spec.shipped import default_spec
from belot_workshop.scaffolds.scaffold import MOST_STATEMENTS, source_languages, write_source, write_variant


@click.group(cls=LazyGroup)
def new() -> None:
    """Begin a new variant or source."""


@new.command("variant")
@click.argument("name", metavar="ID")
@click.option("--extends", "base", required=True, metavar="BASE", help="The variant as which it plays so far.")
def new_variant(name: str, base: str) -> None:
    """Write the file of a variant that so far plays as BASE does.

    With its rules, options, rulings and right to cite. belot spec lint then names what is still to be written.
    """
    refuse_installed("every variant")
    echo(f"{write_variant(default_spec(), name, base)}: belot spec lint names what is still to be written")


@new.command("source")
@click.argument("name", metavar="ID")
@click.option("--about", "variant", required=True, metavar="VARIANT", help="The variant that it speaks of.")
@number_option("--statements", "How many statements it has.", 1, most=MOST_STATEMENTS)
@click.option("--written-in", "language", type=click.Choice(source_languages()), default="en", help="Its language.")
def new_source(name: str, variant: str, statements: int, language: str) -> None:
    """Write the file of a source with two capitals as its ID.

    Its statements have numbers. belot spec lint then names the texts that are still to be written, and belot spec trace
    the statements of which nothing says what becomes of them.
    """
    refuse_installed("every source")
    path = write_source(default_spec(), name, variant, language, statements)
    echo(f"{path}: belot spec lint and belot spec trace name what is still to be written")
