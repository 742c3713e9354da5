"""The commands of ``belot`` for those who keep the rules."""

import click

# Importing the two modules adds their commands to the groups of the same name.
from belot_workshop.commands import cases, spec
from belot_workshop.commands.any_table import any_table
from belot_workshop.commands.bench import bench
from belot_workshop.commands.cases import perft_deals
from belot_workshop.commands.fuzz_bar import fuzz_bar
from belot_workshop.commands.identify_bars import identify_bars
from belot_workshop.commands.impact import impact
from belot_workshop.commands.kernel_bar import kernel_bar
from belot_workshop.commands.mutants import mutants
from belot_workshop.commands.worth import worth

__all__ = ["add_commands", "cases", "spec"]


def add_commands(main: click.Group) -> None:
    """Add the commands of the workshop to ``belot``."""
    for command in (any_table, bench, fuzz_bar, identify_bars, impact, kernel_bar, mutants, perft_deals, worth):
        main.add_command(command)
