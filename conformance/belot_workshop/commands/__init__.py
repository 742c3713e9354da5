"""The commands of ``belot`` for those who keep the rules."""

from collections.abc import Mapping
from typing import Final

_HERE: Final = "belot_workshop.commands"
# Where the commands are that a group of ``belot`` has besides its own.
PLACES: Final[Mapping[str, Mapping[str, str]]] = {
    "main": {"impact": f"{_HERE}.impact:impact", "lab": f"{_HERE}.lab:lab"},
    "lab": {
        **{name: f"{_HERE}.{name.replace('-', '_')}:{name.replace('-', '_')}" for name in (
            "any-table", "bench", "breaks", "coded-faults", "explained", "explained-kinds", "fuzz-bar", "kernel-bar",
            "ledger", "mutants", "worth",
        )},
        "impact": f"{_HERE}.impact:impact_anywhere",
        **{name: f"{_HERE}.spec:{name}" for name in ("addresses", "assets")},
        "perft-deals": f"{_HERE}.cases:perft_deals",
        "release": f"{_HERE}.spec:release",
    },
    "spec": {"new": f"{_HERE}.new:new"},
    "cases": {name: f"{_HERE}.cases:cases_{name}" for name in ("record", "retire", "review", "update")},
}  # fmt: skip
# The old names of commands, by the group that had them, and what they are called now.
MOVED: Final[Mapping[str, Mapping[str, str]]] = {
    "main": {"identify-bars": "lab explained", **{name: f"lab {name}" for name in (
        "any-table", "bench", "fuzz-bar", "kernel-bar", "mutants", "perft-deals", "worth",
    )}},
    "lab": {"identify-bars": "lab explained"},
    "spec": {"release": "lab release"},
}  # fmt: skip
