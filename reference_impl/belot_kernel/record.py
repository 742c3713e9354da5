"""What a kernel keeps of one deal: a record of whole numbers, used for deal after deal."""

from typing import Final

import numpy as np

from belot_kernel.layout import CARDS, KINDS, SEATS, Records

# Eight sequences, two a suit, and four squares are the most that sixteen cards hold.
MOST_DECLARED: Final = 12

# How a deal ended, in ``ended``.
OPEN, BY_PLAY, PASSED, BELOT, CLAIM = range(5)
ENDINGS: Final = (None, "played", "passed", "belot", "claim")

# Places in a row of ``declared``.
OF_CARDS, OF_POINTS, OF_KEY, OF_KIND, OF_WINNING = range(5)

# Rows of ``sums``: what a side brings to the count.
SUM_CARDS, SUM_TRICKS, SUM_DECLARED, SUM_OUTRANKED, SUM_BELOTE = range(5)

_NUMBERS: Final = (
    # Who deals and took, in which mode, with which amount, times how much, who led first, is to play, won the last
    # trick, and the side that won the match; -1 for nobody.
    *("dealer", "taker", "mode", "bid", "raised", "leader", "turn", "last", "winner"),
    # How it ended, what was bid, laid away and turned up, tricks done and cards played.
    *("ended", "bids", "laid_away", "turned", "done", "number"),
    # Cards that are in no trick yet, and who led to the running one.
    *("unseen", "leading"),
    # The settlement's outcome, whether by a margin of zero, and held points.
    *("outcome", "level", "held"),
    # Decisions, and those at which other rules allow something else.
    *("decisions", "differing"),
)
_ARRAYS: Final = {
    # The deck as it lies after the cut, what each card covers, the cards in the order played.
    **dict.fromkeys(("deck", "under", "played"), (CARDS,)),
    # By seat: what is held, the full hands, those before the bidding, how many declarations, belotes said of each suit,
    # points made.
    **dict.fromkeys(("hands", "dealt", "seen", "said", "calls", "made"), (SEATS,)),
    # By seat its declarations, a row each; the last two are for trying.
    "declared": (SEATS + 2, MOST_DECLARED, 5),
    # By side: cards and tricks without the last trick's points, and the settlement.
    **dict.fromkeys(("cards", "tricks", "counted", "points", "score"), (SEATS,)),
    "sums": (5, SEATS),
    "kinds": (KINDS, SEATS),
    "spare": (4, SEATS),
}
DEAL: Final = np.dtype(
    [*((name, np.int64) for name in _NUMBERS), *((name, np.int64, shape) for name, shape in _ARRAYS.items())]
)


def new_deals(number: int = 1) -> Records:
    """Return records for so many deals, all zero."""
    return np.zeros(number, dtype=DEAL)
