"""Which rulesets simulated players cannot tell apart: those whose tables are the same, entry by entry."""

import numpy as np

from belot_reference.batch.layout import Records
from belot_reference.compile import Ruleset
from belot_workshop.impact.kernel import kernel_rules

# What a kernel's record says of the way from a shuffled deck to the seats.
_OF_PLACES = ("first_seat", "full_seat", "cover", "turn_up", "cut_minimum")


def plays_the_same(old: Ruleset, new: Ruleset) -> bool:
    """Say whether two rulesets play the same, but for the places of the deck that a seat's cards come from."""
    (mine, tricks), (other, other_tricks) = kernel_rules(old), kernel_rules(new)
    return (
        not differing_fields(mine, other) - set(_OF_PLACES) and same(tricks, other_tricks) and same_deals(mine, other)
    )


def differing_fields(old: Records, new: Records) -> set[str]:
    """Return the fields in which two rulesets' records differ."""
    names = old.dtype.names or ()
    return {name for name in names if not np.array_equal(old[name], new[name])}


def same(old: Records, new: Records) -> bool:
    """Say whether two trick graphs are the same, node by node."""
    return len(old) == len(new) and all(np.array_equal(old[name], new[name]) for name in old.dtype.names or ())


def same_deals(old: Records, new: Records) -> bool:
    """Say whether the same numbers of cards go the same ways, so that a shuffled deck makes any hands as likely."""
    if _covers(old) or _covers(new):
        return all(np.array_equal(old[name], new[name]) for name in _OF_PLACES if name != "cut_minimum")
    return _ways(old) == _ways(new)


def _covers(record: Records) -> bool:
    """Say whether cards lie on others: then it matters which two lie together."""
    return bool((record["cover"][: record["players"], : record["number_of_cards"]] >= 0).any())


def _ways(record: Records) -> list[list[tuple[int, ...]]]:
    """Return by dealer and taker where the card of each place of the deck goes, the places in no order."""
    seats, places = range(int(record["players"])), range(int(record["number_of_cards"]))
    first, full, turn_up = record["first_seat"].tolist(), record["full_seat"].tolist(), int(record["turn_up"])
    return [
        sorted((place == turn_up, first[dealer][place], full[dealer][taker][place]) for place in places)
        for dealer in seats
        for taker in seats
    ]
