"""The contract of a deal, which the bidding makes and the count goes by."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from belot_reference.bids import amount_json, amount_of_bid, mode_of_bid
from belot_reference.mode import Mode

# The taker where a question does not say who took.
UNTOLD: Final = -1


class DealContract(NamedTuple):
    """Who took and in which mode; where amounts are bid the card points that he promised, and what doubling multiplies.

    The amount of a capot is ``CAPOT``.
    """

    taker: int
    mode: Mode
    bid: int | None = None
    raised: int = 1

    def to_json(self) -> dict[str, Any]:
        """Return what the inputs of the protocol say of a contract."""
        raised = {"raised": self.raised} if self.raised > 1 else {}
        return {"taker": self.taker, "trump": self.mode.name, **self.bid_json(), **raised}

    def bid_json(self) -> dict[str, Any]:
        """Return what the protocol says of the amount, nothing where none is bid."""
        if self.bid is None:
            return {}
        return {"bid": amount_json(self.bid)}


def contract_of_bid(seat: int, bid: int, modes: Sequence[Mode]) -> DealContract:
    """Return the contract of a player's bid, given the modes by their numbers."""
    return DealContract(seat, modes[mode_of_bid(bid)], amount_of_bid(bid) or None)
