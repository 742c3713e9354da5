"""The bidding as arrays: every state that it can come to, each kind of state once, as seen from the dealer's seat."""

from typing import Final

from belot_reference.auction import Auction, AuctionNode
from belot_reference.batch.tables import NONE, Arrays, coded, small
from belot_reference.bids import REDOUBLE, Bid
from belot_reference.cards import EVERY_SUIT
from belot_reference.compile import Ruleset

# The place of a pass among what may be said, behind all others by their numbers.
PASSES: Final = REDOUBLE + 1
SAYINGS: Final = PASSES + 1

_Signature = tuple[object, ...]
_DEALER: Final = 0


class _BidNumbering:
    """Numbers the states of a bidding, and gives two from which all goes on alike one number."""

    def __init__(self, auction: Auction) -> None:
        self._auction = auction
        self._known: dict[AuctionNode, int] = {}
        self._alike: dict[_Signature, int] = {}
        self.nodes: list[AuctionNode] = []
        self.after: list[list[int]] = []

    def number(self, node: AuctionNode) -> int:
        """Return the number of a state, which all that follow from it have before it."""
        found = self._known.get(node)
        if found is None:
            after = [NONE] * SAYINGS
            for choice in () if node.contract else node.choices:
                after[_place(choice)] = self.number(self._auction.after(node, choice))
            signature = (node.turn, *_standing(node), *after)
            found = self._alike.setdefault(signature, len(self.nodes))
            if found == len(self.nodes):
                self.nodes.append(node)
                self.after.append(after)
            self._known[node] = found
        return found


def _place(choice: Bid) -> int:
    return PASSES if choice is None else choice


def _standing(node: AuctionNode) -> tuple[int, int, int]:
    """Return who named what stands, in which mode and how often raised, whether or not somebody may still speak."""
    found = node.contract or node.standing
    return (NONE, NONE, 0) if found is None else (found.taker, found.mode.number, found.raised)


def bid_tables(rules: Ruleset) -> Arrays:
    """Return the bidding of a ruleset, from its opening by the turned suit, the last place for no turned card.

    Raises ``UnknownValueError`` where bids have a number.
    """
    coded(rules, "bidding.amounts", "none", default="none")
    numbering = _BidNumbering(rules.auction)
    opening = [numbering.number(rules.auction.start(_DEALER, suit)) for suit in (*EVERY_SUIT, None)]
    named_by, named, raised = zip(*map(_standing, numbering.nodes), strict=True)
    return {
        "opening": small(opening),
        "speaker": small([node.turn for node in numbering.nodes]),
        "choices": small([sum(1 << place for place, n in enumerate(row) if n != NONE) for row in numbering.after]),
        "after": small(numbering.after),
        "named_by": small(named_by),
        "named": small(named),
        "raised": small(raised),
    }
