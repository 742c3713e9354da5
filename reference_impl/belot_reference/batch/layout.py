"""The tables of a ruleset as a kernel reads them: one record of whole numbers, and a record for each kind of trick.

Every array stands at a fixed place whatever the profile, so that one compiled kernel plays them all, and a kernel is
given two pointers.
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from belot_reference.batch.compiled import tables_of
from belot_reference.batch.tables import Bids, Cards, Declared, Graph, Matches, Settling, Table
from belot_reference.cards import ALL_CARDS
from belot_reference.compile import Ruleset

Records = npt.NDArray[np.void]

SEATS: Final = 4
CARDS: Final = 32
# A ladder with more rungs than this, once those that can never bind are left out, is not for the kernel.
RUNGS: Final = 4
# Three rounds of bids of four seats.
BIDS: Final = 12

# The arrays of the tables with the room that each has in the record; everything else is one number.
_SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "deck": (CARDS,),
    "points": (SEATS, CARDS),
    "strength": (SEATS, CARDS),
    "higher": (SEATS, CARDS),
    "side_of": (SEATS,),
    "leader": (SEATS, SEATS),
    "first_seat": (SEATS, CARDS),
    "full_seat": (SEATS, SEATS, CARDS),
    "cover": (SEATS, CARDS),
    "seat": (SEATS, BIDS),
    "choices": (SEATS, SEATS + 1, BIDS),
    "runs": (256, 2),
    "run_points": (256,),
    "run_key": (2, 256),
    "run_wins": (2, 256),
    "square_points": (8,),
    "square_key": (8,),
    "tie_order": (SEATS, SEATS, SEATS),
    "scores_with": (SEATS, SEATS),
    "counts": (3,),
    "margin": (5,),
    "outcome": (3,),
    "fall_passes": (3,),
    "heir": (SEATS,),
    "root": (SEATS,),
    # Of the players; see ``belot_workshop``.
    "worth": (SEATS, CARDS),
    "cost": (SEATS, CARDS),
}
_GROUPS: Final = (Cards, Table, Bids, Declared, Settling, Matches)
_OF_PLAYERS: Final = ("worth", "cost", "worth_taking", "worth_taking_per_card", "to_taker")
_FIELDS: Final = (*(name for group in _GROUPS for name in group._fields), "number_of_cards", "root", *_OF_PLAYERS)

RULES: Final = np.dtype([(name, np.int64, _SHAPES.get(name, ())) for name in _FIELDS])
# Its bytes are compared, so none may be left between the fields: what stands there is copied or not, by chance.
NODES: Final = np.dtype(
    [
        ("rungs", np.uint32, (2, RUNGS)),
        ("led", np.uint32),
        ("winning", np.int16),
        ("played", np.int8),
        ("winner", np.int8),
        ("step", np.int16, (CARDS,)),
    ],
    align=True,
)


def not_for_kernel(rules: Ruleset) -> str | None:
    """Return why a kernel cannot play a ruleset, ``None`` where it can."""
    if rules.value("deal.players") > SEATS:
        return f"it seats {SEATS} players at most"
    if len(rules.value("bidding.rounds")) * rules.players > BIDS:
        return f"it has room for {BIDS} bids"
    graph = tables_of(rules).graph
    if max(len(_binding(ladder)) for node in graph.rungs for ladder in node) > RUNGS:
        return f"it climbs ladders of {RUNGS} rungs"
    return None


def _binding(ladder: Any) -> list[int]:
    """Return a ladder without the rungs that never bind, as all their cards are on rungs before them."""
    found, before = [], 0
    for rung in map(int, ladder):
        if rung & ~before:
            found.append(rung)
        before |= rung
    return found


@lru_cache(maxsize=8)
def record_of(rules: Ruleset) -> Records:
    """Return the one record of a ruleset, but for what its players bring."""
    tables, found = tables_of(rules), np.zeros(1, dtype=RULES)
    record = found[0]
    for group in tables[1:]:
        for name, value in group._asdict().items():
            _fill(record, name, value)
    record["number_of_cards"] = len(tables.cards.deck)
    _fill(record, "root", tables.graph.root)
    return found


def _fill(record: Any, name: str, value: Any) -> None:
    """Write a value into the corner of the room that it has."""
    if name in _SHAPES:
        record[name][tuple(slice(size) for size in value.shape)] = value
    else:
        record[name] = value


def nodes_of(rules: Ruleset) -> Records:
    """Return the kinds of tricks of a ruleset, a record each."""
    return _nodes(_ById(tables_of(rules).graph))


class _ById:
    """A graph that is known again by being the same."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.graph is self.graph

    def __hash__(self) -> int:
        return id(self.graph)


@lru_cache(maxsize=8)
def _nodes(known: _ById) -> Records:
    graph = known.graph
    found = np.zeros(len(graph.step), dtype=NODES)
    for name in ("led", "played", "winner", "winning", "step"):
        found[name] = getattr(graph, name)
    ladders = [[_padded(_binding(ladder)[:RUNGS]) for ladder in node] for node in graph.rungs]
    found["rungs"] = ladders
    return found


def _padded(ladder: list[int]) -> list[int]:
    return [*ladder, *[int(ALL_CARDS)] * (RUNGS - len(ladder))]
