"""What can be said in the bidding: a pass, a mode, a double or a redouble, as a small value and by name."""

from typing import Final

from belot_reference.mode import MODE_NAMES

# ``None`` for a pass, the number of a mode (of a suit the suit) for a bid in it, and two more.
Bid = int | None
DOUBLE: Final = len(MODE_NAMES)
REDOUBLE: Final = DOUBLE + 1
# What raises a contract, in that order.
RAISES: Final = (DOUBLE, REDOUBLE)
# As the protocol names them, the pass first and then each at the place after its number.
BID_NAMES: Final = ("pass", *MODE_NAMES, "double", "redouble")


def bid_name(bid: Bid) -> str:
    """Return a bid as the protocol writes it."""
    return BID_NAMES[0 if bid is None else bid + 1]


def bid_named(said: str) -> Bid:
    """Return the bid of a name."""
    return None if said == "pass" else BID_NAMES.index(said) - 1
