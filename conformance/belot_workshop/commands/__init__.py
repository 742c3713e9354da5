"""The commands of ``belot`` for those who keep the rules."""

from collections.abc import Mapping
from typing import Final

_HERE: Final = "belot_workshop.commands"
# Where the commands are that a group of ``belot`` has besides its own.
PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "main": {
        **{name: f"{_HERE}.{name.replace('-', '_')}:{name.replace('-', '_')}" for name in (
            "any-table", "bench", "fuzz-bar", "identify-bars", "impact", "kernel-bar", "mutants", "worth",
        )},
        "perft-deals": f"{_HERE}.cases:perft_deals",
    },
    "spec": {name: f"{_HERE}.spec:spec_{name}" for name in ("diff", "release")},
    "cases": {name: f"{_HERE}.cases:cases_{name}" for name in ("record", "retire", "update")},
}  # fmt: skip
