"""The commands of ``belot`` for those who keep the rules, and where each is."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

import click

from belot_conformance.cli.common import LazyGroup

_HERE: Final = "belot_workshop"
# The laboratory stands beside the packages in a clone and is installed nowhere.
_IS_CLONE: Final = find_spec("laboratory") is not None


def _laboratory(place: str) -> str:
    return f"laboratory.{place}" if _IS_CLONE else f"{_HERE}.commands:without_clone Needs a clone of the project."


# Where the commands are that a group of ``belot`` has besides its own, and what each is.
PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "main": {
        "impact": f"{_HERE}.impact.command:impact Say what changes when the rules OLD become NEW.",
        "lab": f"{_HERE}.commands:lab Measure and release: mutants, bars, worth, benchmarks.",
    },
    "lab": {
        "addresses": f"{_HERE}.releases.release:addresses Write where the project is into every page that says so.",
        "assets": f"{_HERE}.releases.release:assets Write what the release TAG is published as into FOLDER.",
        "bars": _laboratory("bars:bars Count how many wrong programs are noticed, and how well."),
        "bench": _laboratory("bench:bench Measure the engine and the runner on this machine."),
        "breaks": _laboratory("breaks.trying:breaks Break the product in small ways, and see what tests notice."),
        "impact": f"{_HERE}.impact.command:impact_anywhere Say as belot impact what changes, also on a cluster.",
        "ledger": f"{_HERE}.ledger:ledger Measure what published programs play.",
        "mutants": f"{_HERE}.mutants.survey:mutants Change every rule value, and see which cases notice.",
        "perft-deals": f"{_HERE}.cases:perft_deals Write the deals of belot perft into cases/perft.",
        "release": f"{_HERE}.releases.release:release Release the rules, schemas and cases as VERSION.",
        "worth": f"{_HERE}.impact.command:worth Measure what each change of a variant is worth.",
    },
    "spec": {"new": f"{_HERE}.scaffolds:new Begin a new variant or source."},
    "cases": {
        "record": f"{_HERE}.cases:cases_record Record deals and matches anew, and draw what situations lack.",
        "retire": f"{_HERE}.cases:cases_retire Retire released cases in the ledger.",
        "review": f"{_HERE}.cases:cases_review Walk through the cases that wait for a person.",
        "update": f"{_HERE}.cases:cases_update Propose new expectations after a rule has changed.",
    },
}
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
