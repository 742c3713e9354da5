"""What must be done again for a deal that one ruleset played, to know how another would have ended it: a plan.

A plan is made by holding the records of two rulesets against each other, field by field. A field that no plan knows
of has the deal played again from its first bid on.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from belot_reference.batch.layout import NODES, RULES, Records, covers, differing_fields

_NUMBERS: Final = (
    # Which trick graph, and where its nodes begin and end among those of all.
    *("begin", "end"),
    # By what the points of the old and the new rules are multiplied, to be compared.
    *("unit_old", "unit_new"),
    # Everything is played again; bids, cards, the choice among the same cards, what is laid away may be others.
    *("anew", "bids", "cards", "values", "away"),
    # Other sets may be announced; declarations may count otherwise: of those who made any, or always.
    *("sets", "declaring"),
    # What is said and turned along with cards, card points, the settlement, and the match may be others.
    *("saying", "points", "settling", "booking"),
    # Ranks of which a square is declared otherwise, as bits.
    "squares",
)
PLAN: Final = np.dtype([*((name, np.int64) for name in _NUMBERS), ("noted", np.int64, (256,))])

_SEATS: Final = {"most", "seat", "choices"}
_WORTH: Final = {"worth", "worth_taking", "worth_taking_per_card", "to_taker"}
_ORDERS: Final = {"cost", "higher", "strength"}
_HOLDINGS: Final = {"runs", "run_points", "run_key", "run_wins", "square_points", "square_key"}
_DECLARING: Final = {
    *("sharing", "announced", "best_only", "everybody", "apart"),
    *("tie_order", "tie_cancels", "scores_with", "shown_in"),
}
_MATCH: Final = {"target", "reach", "takers_side", "claim", "near", "held", "next_dealer", "failed_deals"}
_SETTLING: Final = {
    *("last_trick", "all_points", "confirmation", "capot_points", "capot_on_top", "capot_takers_only"),
    *("capot_everything", "trickless", "counts", "margin", "outcome", "fall_passes", "fall_worth", "heir"),
    *("unit", "add", "rest_to_taker", "belote_points"),
}
# In whatever way these differ, something below has noticed it: where the graph's nodes are, and card points.
_SEEN_TO: Final = {"root", "points", "king_first", "belote_calls", "played", "turned_sequence", "cut_minimum"}
_KNOWN: Final = _SEATS | _WORTH | _ORDERS | _HOLDINGS | _DECLARING | _MATCH | _SETTLING | _SEEN_TO
_HALF: Final = 32


def plans_for(
    base: tuple[Any, Records], others: Sequence[tuple[Any, Records]], units: Sequence[tuple[int, int]], sensible: bool
) -> tuple[Records, Records, Records]:
    """Return of rulesets that are compared with one the records, the nodes of all their graphs, and a plan for each.

    Each ruleset is a record and the nodes of its graph.
    """
    records, plans = np.zeros(len(others), dtype=RULES), np.zeros(len(others), dtype=PLAN)
    nodes: list[Records] = []
    begins: dict[bytes, int] = {}
    total = 0
    for place, (record, graph) in enumerate(others):
        records[place] = record
        key = graph.tobytes()
        if key not in begins:
            begins[key] = total
            nodes.append(graph)
            total += len(graph)
        plan = plans[place]
        plan["begin"], plan["end"] = begins[key], begins[key] + len(graph)
        plan["unit_old"], plan["unit_new"] = units[place]
        _compare(plan, base, (record, graph), sensible)
    return records, np.concatenate(nodes) if nodes else np.zeros(0, dtype=NODES), plans


def _compare(plan: Any, base: tuple[Any, Records], other: tuple[Any, Records], sensible: bool) -> None:
    (old, old_nodes), (new, new_nodes) = base, other
    found = differing_fields(old, new)
    graph_differs = old_nodes.tobytes() != new_nodes.tobytes() or "root" in found
    declares = bool(found & (_HOLDINGS | {"played"}))
    values = sensible and (bool(found & _ORDERS) or _other_orders(old, new) or _other_winners(base, other))
    plan["anew"] = bool(found - _KNOWN)
    plan["bids"] = bool(found & _SEATS) or (sensible and bool(found & _WORTH))
    plan["cards"] = graph_differs or "king_first" in found or values
    plan["values"] = values
    plan["away"] = values and bool(old["discards"])
    plan["sets"] = declares or "sharing" in found
    plan["declaring"] = 2 if "played" in found else int(bool(found & _DECLARING))
    plan["saying"] = "belote_calls" in found or (covers(old) and (declares or "turned_sequence" in found))
    plan["points"] = "points" in found
    plan["settling"] = bool(found & _SETTLING)
    plan["booking"] = bool(found & _MATCH)
    _note(plan, old, new, found)


def _note(plan: Any, old: Any, new: Any, found: set[str]) -> None:
    """Note the holdings of a suit, and the ranks of a square, that are declared otherwise."""
    if found & _HOLDINGS:
        other = (old["run_points"] != new["run_points"]) | (old["run_key"] != new["run_key"]).any(axis=0)
        other |= (old["run_wins"] != new["run_wins"]).any(axis=0)
        for held in range(256):
            rows = {*old["runs"][held].tolist(), *new["runs"][held].tolist()}
            plan["noted"][held] = (old["runs"][held] != new["runs"][held]).any() or any(other[run] for run in rows)
        squares = (old["square_points"] != new["square_points"]) | (old["square_key"] != new["square_key"])
        plan["squares"] = sum(1 << rank for rank, differs in enumerate(squares) if differs)


def _other_orders(old: Any, new: Any) -> bool:
    """Say whether card points put any two cards in another order."""
    pairs = zip(old["points"], new["points"], strict=True)
    return any(not np.array_equal(_places(mine), _places(others)) for mine, others in pairs)


def _places(values: Any) -> Any:
    """Return for each value how many smaller ones there are, each once."""
    return np.unique(values, return_inverse=True)[1]


def _other_winners(base: tuple[Any, Records], other: tuple[Any, Records]) -> bool:
    """Say whether the same cards may be won by others, by walking both graphs by all cards at once."""
    (old, old_nodes), (new, new_nodes) = base, other
    here, there = (np.asarray(record["root"]).astype(np.int64) for record in (old, new))
    for _ in range(int(old["players"]) + 1):
        for name in ("played", "winner", "winning"):
            if not np.array_equal(old_nodes[name][here], new_nodes[name][there]):
                return True
        steps = old_nodes["step"][here].astype(np.int64), new_nodes["step"][there].astype(np.int64)
        pairs = np.unique(steps[0].ravel() << _HALF | steps[1].ravel())
        here, there = pairs >> _HALF, pairs & ((1 << _HALF) - 1)
    return False
