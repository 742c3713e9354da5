"""The contract of a deal, which the bidding makes and the count goes by."""

from typing import Any, Final, NamedTuple

from belot_reference.mode import Mode

# The taker where a question does not say who took.
UNTOLD: Final = -1


class DealContract(NamedTuple):
    """Who took and in which mode; where amounts are bid the card points that he said, and what doubling multiplies."""

    taker: int
    mode: Mode
    bid: int | None = None
    raised: int = 1

    def told(self) -> dict[str, Any]:
        """Return what the inputs of the protocol say of a contract."""
        raised = {"raised": self.raised} if self.raised > 1 else {}
        return {"taker": self.taker, "trump": self.mode.name, **raised}
