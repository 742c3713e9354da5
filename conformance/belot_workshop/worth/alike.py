"""Which rulesets simulated players cannot tell apart: those whose tables are the same, entry by entry."""

import numpy as np

from belot_reference.batch.layout import Records, covers, differing_fields
from belot_reference.compile import Ruleset
from belot_workshop.impact.kernel import kernel_rules

# What a kernel's record says of the way from a shuffled deck to the seats.
_OF_PLACES = ("first_seat", "full_seat", "cover", "turn_up", "cut_minimum")


def plays_the_same(old: Ruleset, new: Ruleset) -> bool:
    """Say whether two rulesets play the same, but for the places of the deck that a seat's cards come from."""
    (mine, tricks), (other, other_tricks) = kernel_rules(old), kernel_rules(new)
    if differing_fields(mine, other) - set(_OF_PLACES) or not same_deals(mine, other):
        return False
    return plain(tricks).tobytes() == plain(other_tricks).tobytes()


def same_hands(old: Ruleset, new: Ruleset) -> bool:
    """Say whether everybody gets the same cards from the same deck by two rulesets, whoever takes."""
    (mine, _), (other, _) = kernel_rules(old), kernel_rules(new)
    return all(np.array_equal(mine[name], other[name]) for name in ("full_seat", "cover"))


def plain(nodes: Records) -> Records:
    """Return a trick graph in which ladders that ask the same of every hand are the same.

    A hand that cannot follow holds nothing of the led suit, and a rung whose cards are all on rungs before it never
    binds.
    """
    found = nodes.copy()
    rungs = found["rungs"].copy()
    rungs[:, 1, :] &= ~found["led"][:, np.newaxis]
    before = np.zeros(rungs.shape[:2], dtype=rungs.dtype)
    for rung in range(rungs.shape[2]):
        binds = (rungs[:, :, rung] & ~before) != 0
        before |= rungs[:, :, rung]
        rungs[:, :, rung] = np.where(binds, rungs[:, :, rung], 0)
    order = np.argsort(rungs == 0, axis=2, kind="stable")
    found["rungs"] = np.take_along_axis(rungs, order, axis=2)
    return found


def same_deals(old: Records, new: Records) -> bool:
    """Say whether the same numbers of cards go the same ways, so that a shuffled deck makes any hands as likely."""
    if covers(old) or covers(new):
        return all(np.array_equal(old[name], new[name]) for name in _OF_PLACES if name != "cut_minimum")
    return _ways(old) == _ways(new)


def _ways(record: Records) -> list[list[tuple[int, ...]]]:
    """Return by dealer and taker where the card of each place of the deck goes, the places in no order."""
    seats, places = range(int(record["players"])), range(int(record["number_of_cards"]))
    first, full, turn_up = record["first_seat"].tolist(), record["full_seat"].tolist(), int(record["turn_up"])
    return [
        sorted((place == turn_up, first[dealer][place], full[dealer][taker][place]) for place in places)
        for dealer in seats
        for taker in seats
    ]
