"""The command ``belot lab``: what those need who keep the rules and the cases."""

import click

from belot_conformance.cli.common import LazyGroup


@click.group(cls=LazyGroup)
def lab() -> None:
    """Measure and release: mutants, bars, worth, benchmarks."""
