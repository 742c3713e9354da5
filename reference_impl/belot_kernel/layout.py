"""The tables of a ruleset as a kernel reads them: one record of whole numbers, and a record for each kind of trick.

Every array stands at a fixed place whatever the profile, so that one compiled kernel plays them all, and a kernel is
given two pointers.
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from belot_kernel.bid_tables import BIDS, PASSES
from belot_kernel.compiled import tables_of
from belot_kernel.graph_tables import graph_tables
from belot_kernel.tables import NONE, NoRoomError, filled_up
from belot_reference.cards import ALL_CARDS, EVERY_SUIT
from belot_reference.compile import Ruleset
from belot_reference.errors import UnknownValueError
from belot_reference.mode import MODE_NAMES
from belot_reference.tricks import TrickGraph, Trumps

Records = npt.NDArray[np.void]

SEATS: Final = 4
CARDS: Final = 32
SUITS: Final = len(EVERY_SUIT)
MODES: Final = len(MODE_NAMES)
# A ladder with more rungs than this, once those that can never bind are left out, is not for the kernel.
RUNGS: Final = 4
# Kinds of points of a side.
KINDS: Final = 5
# States of a bidding, seen from the dealer, and rows of what follows each bid. With a power of two all that is told of
# a state would fall into one corner of a processor's cache.
STATES: Final = 30_000
BID_ROWS: Final = 128

# The tables that are one number.
_NUMBERS: Final = (
    # Cards and seats, how they are dealt.
    *("king_first", "number_of_cards", "players", "sides", "hand_size"),
    *("turn_up", "discards", "seven_exchange", "cut_minimum"),
    # Declarations and belote.
    *("squares", "sharing", "announced", "best_only", "everybody", "apart", "tie_cancels"),
    *("shown_in", "belote_points", "belote_calls", "turned_sequence"),
    # The settlement.
    *("last_trick", "confirmation", "capot_on_top", "capot_takers_only"),
    *("capot_declared", "trickless", "fall_worth", "judged_rounded", "unit", "add", "adds_up", "raised_split"),
    # … of a number that was bid.
    *("bids", "lowest_amount", "lowest_needs", "needs_bid", "bid_written", "capot_bid", "capot_fall", "capot_sum"),
    *("fixed_sum", "raised_sum", "raised_defence", "tens", "tens_add", "tens_first"),
    # The match.
    *(
        "target",
        "reach",
        "takers_side",
        "claim",
        "near",
        "held",
        "one_more_deal",
        "held_goes_on",
        "next_dealer",
        "failed_deals",
    ),
    # Of the players; see ``belot_workshop``.
    *("worth_taking", "worth_taking_per_card", "to_taker", "passes_per_choice", "less_redoubled"),
)
# The others, with the room that each has in the record.
_ARRAYS: Final[dict[str, tuple[int, ...]]] = {
    "deck": (CARDS,),
    "trumps": (MODES,),
    "points": (MODES, CARDS),
    "strength": (MODES, CARDS),
    "higher": (MODES, CARDS),
    "side_of": (SEATS,),
    "leader": (SEATS, SEATS),
    "first_seat": (SEATS, CARDS),
    "full_seat": (SEATS, SEATS, CARDS),
    "cover": (SEATS, CARDS),
    "said": (PASSES + 1,),
    "opening": (SUITS + 1,),
    "runs": (256, 2),
    "run_points": (256,),
    "run_key": (2, 256),
    "run_wins": (2, 256),
    "square_points": (8,),
    "square_key": (8,),
    "tie_order": (SEATS, SEATS, SEATS),
    "scores_with": (SEATS, SEATS),
    **dict.fromkeys(
        ("played", "belote_cards", "belote_thrown", "fall_points", "card_factor", "capot_points", "capot_beyond"),
        (MODES,),
    ),
    **dict.fromkeys(("counts", "fall_passes", "multiplied"), (KINDS,)),
    "margin": (5,),
    "outcome": (3,),
    "heir": (SEATS,),
    "root": (MODES,),
    # Of the players; see ``belot_workshop``.
    "ruffing": (MODES,),
    "worth": (MODES, CARDS),
    "cost": (MODES, CARDS),
}
# Those with so much room that their numbers are small ones.
_WIDE: Final[dict[str, tuple[int, ...]]] = {
    "after": (BID_ROWS, BIDS),
    "after_other": (STATES, 3),
    **dict.fromkeys(("speaker", "choices", "lowest", "row", "named_by", "named", "promised", "raised"), (STATES,)),
}
RULES: Final = np.dtype(
    [
        *((name, np.int64) for name in _NUMBERS),
        *((name, np.int64, shape) for name, shape in _ARRAYS.items()),
        *((name, np.int16, shape) for name, shape in _WIDE.items()),
    ]
)
# Its bytes are compared, so none may be left between the fields: what stands there is copied or not, by chance.
NODES: Final = np.dtype(
    [
        ("rungs", np.uint32, (2, RUNGS)),
        ("allowed", np.uint32, (2, RUNGS)),
        ("led", np.uint32),
        ("winning", np.int16),
        ("played", np.int8),
        ("winner", np.int8),
        ("step", np.int16, (CARDS,)),
    ],
    align=True,
)


def not_for_kernel(rules: Ruleset) -> str | None:
    """Return why a kernel cannot play a ruleset, ``None`` where it can: no room for it, or a value it does not know."""
    if rules.value("deal.players") > SEATS:
        return f"it seats {SEATS} players at most"
    try:
        tables = tables_of(rules)
    except (UnknownValueError, NoRoomError) as error:
        return str(error)
    if len(tables["bids"]["speaker"]) > STATES:
        return f"it has room for {STATES} states of a bidding"
    if len(tables["bids"]["after"]) > BID_ROWS:
        return f"it has room for {BID_ROWS} ways in which a bidding goes on"
    if max(len(_binding(ladder)) for node in tables["graph"]["rungs"] for ladder in node) > RUNGS:
        return f"it climbs ladders of {RUNGS} rungs"
    return None


def _binding(ladder: Any) -> list[int]:
    """Return the places of the rungs of a ladder that can bind: not all their cards are on rungs before them."""
    found, before = [], 0
    for place, rung in enumerate(map(int, ladder)):
        if rung & ~before:
            found.append(place)
        before |= rung
    return found


@lru_cache(maxsize=8)
def record_of(rules: Ruleset) -> Records:
    """Return the one record of a ruleset, but for what its players bring."""
    found = np.zeros(1, dtype=RULES)
    record, (graph, cards, *others) = found[0], tables_of(rules).values()
    for table in (cards, *others):
        for name, value in table.items():
            _fill(record, name, value)
    record["number_of_cards"] = len(cards["deck"])
    record["root"] = NONE
    _fill(record, "root", graph["root"])
    return found


def _fill(record: Any, name: str, value: Any) -> None:
    """Write a value into the corner of the room that it has."""
    if name in _ARRAYS or name in _WIDE:
        record[name][tuple(slice(size) for size in value.shape)] = value
    else:
        record[name] = value


def differing_fields(old: Any, new: Any) -> set[str]:
    """Return the fields in which two rulesets' records differ."""
    return {name for name in RULES.names or () if not np.array_equal(old[name], new[name])}


def covers(record: Any) -> bool:
    """Say whether cards lie on others: then it matters which two lie together."""
    return bool((record["cover"][: record["players"], : record["number_of_cards"]] >= 0).any())


def nodes_of(rules: Ruleset) -> Records:
    """Return the kinds of tricks of a ruleset, a record each."""
    return _nodes(rules.tricks, rules.players, tuple(mode.trumps for mode in rules.modes))


@lru_cache(maxsize=8)
def _nodes(tricks: TrickGraph, players: int, modes: tuple[Trumps, ...]) -> Records:
    graph = graph_tables(tricks, players, modes)
    found = np.zeros(len(graph["step"]), dtype=NODES)
    for name in ("led", "played", "winner", "winning", "step"):
        found[name] = graph[name]
    ladders = {name: graph[name].reshape(-1, graph[name].shape[-1]) for name in ("rungs", "allowed")}
    binding = [_binding(ladder)[:RUNGS] for ladder in ladders["rungs"]]
    for name, sets in ladders.items():
        kept = [[int(ladder[place]) for place in places] for ladder, places in zip(sets, binding, strict=True)]
        found[name] = np.reshape([filled_up(one, RUNGS, int(ALL_CARDS)) for one in kept], found[name].shape)
    return found
