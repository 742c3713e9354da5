"""The contract of a deal, which the bidding makes and the count goes by."""

from typing import Final, NamedTuple

from belot_reference.mode import Mode

# The taker where a question does not say who took.
UNTOLD: Final = -1


class DealContract(NamedTuple):
    """Who took and in which mode; where amounts are bid the card points that he said, and what doubling multiplies."""

    taker: int
    mode: Mode
    bid: int | None = None
    raised: int = 1
