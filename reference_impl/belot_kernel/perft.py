"""Counting sequences of legal cards on the kernel: the same numbers as ``perft``, and deeper."""

import numpy as np

from belot_kernel.layout import nodes_of, record_of
from belot_kernel.play_kernel import count_sequences
from belot_kernel.record import new_deals
from belot_kernel.tables import NONE
from belot_reference.compile import Ruleset
from belot_reference.perft import Covered
from belot_reference.play import PlayState


def sequences_from(rules: Ruleset, play: PlayState, depth: int, covered: Covered | None = None) -> int:
    """Return how many sequences of so many legal cards there are from a play between two tricks, 18 digits at most.

    ``covered`` are the cards under open ones. Every sequence is walked: nothing is counted by what was counted before.
    """
    deal = new_deals()
    record = deal[0]
    record["under"] = NONE
    for top, under in (covered or {}).items():
        record["under"][top] = under
    record["hands"][: rules.players] = [int(hand) for hand in play.hands]
    record["turn"], record["leader"], record["mode"] = play.turn, play.leader, play.mode.number
    return int(count_sequences(record_of(rules)[0], nodes_of(rules), record, np.int64(depth)))
