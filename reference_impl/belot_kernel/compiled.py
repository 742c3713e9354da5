"""The tables of a ruleset, all of them, and the file that holds them."""

from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from belot_kernel.bid_tables import bid_tables
from belot_kernel.declared_tables import declared_tables
from belot_kernel.graph_tables import DUTIES, graph_tables
from belot_kernel.scoring_tables import match_tables, settling_tables
from belot_kernel.table_tables import seat_tables
from belot_kernel.tables import TABLES_VERSION, Arrays, card_tables
from belot_reference.compile import Ruleset
from belot_spec.card_names import CARD_NAMES
from belot_spec.data import spec_digest, spec_folder
from belot_spec.whole_file import write_whole

# Names in a file that are not of a table: what the numbers in it stand for.
LEGEND: Final = ("version", "profile", "spec", "card_names", "mode_names", "duty_names")


@lru_cache(maxsize=4)
def tables_of(rules: Ruleset) -> dict[str, Arrays]:
    """Return the tables of a ruleset by group."""
    return {
        "graph": graph_tables(rules.tricks, rules.players, tuple(mode.trumps for mode in rules.modes)),
        "cards": card_tables(rules),
        "table": seat_tables(rules),
        "bids": bid_tables(rules),
        "declared": declared_tables(rules),
        "settling": settling_tables(rules),
        "matches": match_tables(rules),
    }


def arrays_of(rules: Ruleset) -> dict[str, Any]:
    """Return every array of a ruleset's tables by its name, ``graph.step`` for one, and the legend."""
    modes = [mode.name for mode in rules.modes]
    legend = (TABLES_VERSION, rules.profile.id, spec_digest(spec_folder()), CARD_NAMES, modes, DUTIES)
    found: dict[str, Any] = {name: np.array(value) for name, value in zip(LEGEND, legend, strict=True)}
    for group, tables in tables_of(rules).items():
        found.update({f"{group}.{name}": np.asarray(value) for name, value in tables.items()})
    return found


def write_tables(rules: Ruleset, path: Path) -> dict[str, Any]:
    """Write the tables of a ruleset to a file of numpy, whole or not at all, and return its arrays.

    The file needs no pickles to be read. Raises ``OSError`` for a path that cannot be written.
    """
    arrays = arrays_of(rules)
    data = BytesIO()
    np.savez_compressed(data, **arrays)
    write_whole(path, data.getvalue())
    return arrays
