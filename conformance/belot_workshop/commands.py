"""The commands of ``belot`` for those who keep the rules, and where each is."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

import click

from belot_conformance.cli.common import LazyGroup

_HERE: Final = "belot_workshop"
# The commands of the laboratory, which stands beside the packages in a clone and is installed nowhere.
_LABORATORY: Final = {"bars": "bars", "bench": "bench", "breaks": "breaks.trying"}
_IS_CLONE: Final = find_spec("laboratory") is not None
# Where the commands are that a group of ``belot`` has besides its own.
PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "main": {"impact": f"{_HERE}.impact.command:impact", "lab": f"{_HERE}.commands:lab"},
    "lab": {
        **{name: f"laboratory.{module}:{name}" if _IS_CLONE else f"{_HERE}.commands:without_clone"
           for name, module in _LABORATORY.items()},
        "impact": f"{_HERE}.impact.command:impact_anywhere",
        "ledger": f"{_HERE}.ledger:ledger",
        "mutants": f"{_HERE}.mutants.survey:mutants",
        "perft-deals": f"{_HERE}.cases:perft_deals",
        **{name: f"{_HERE}.releases.release:{name}" for name in ("addresses", "assets", "release")},
        "worth": f"{_HERE}.impact.command:worth",
    },
    "spec": {"new": f"{_HERE}.scaffolds:new"},
    "cases": {name: f"{_HERE}.cases:cases_{name}" for name in ("record", "retire", "review", "update")},
}  # fmt: skip
_BARS: Final = {
    "any-table": "lab bars tables", "coded-faults": "lab bars faults", "explained": "lab bars rules",
    "explained-kinds": "lab bars mistakes", "fuzz-bar": "lab bars fuzz", "identify-bars": "lab bars rules",
    "kernel-bar": "lab bars kernel",
}  # fmt: skip
# The old names of commands, by the group that had them, and what they are called now.
MOVED: Final[Mapping[str, Mapping[str, str]]] = {
    "main": {**_BARS, **{name: f"lab {name}" for name in ("bench", "mutants", "perft-deals", "worth")}},
    "lab": _BARS,
    "spec": {"release": "lab release"},
}


@click.group(cls=LazyGroup)
def lab() -> None:
    """Measure and release: mutants, bars, worth, benchmarks."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True}, add_help_option=False)
@click.pass_context
def without_clone(context: click.Context) -> None:
    """Needs a clone of the project."""
    raise click.UsageError(f"{context.command_path} needs a clone of the project, where conformance/laboratory stands")
