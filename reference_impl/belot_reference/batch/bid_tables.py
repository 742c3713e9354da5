"""The bidding as arrays: every state that it can come to, each kind of state once, as seen from the dealer's seat."""

from typing import Final

from belot_reference.auction import Auction, AuctionNode
from belot_reference.batch.tables import NONE, Arrays, NoRoomError, coded, numbers, small
from belot_reference.bids import DOUBLE, REDOUBLE, Bid, bid_of
from belot_reference.cards import EVERY_SUIT
from belot_reference.compile import Ruleset

# What may be said has a place each, a bit of a number of 64: bids from the lowest, and behind the room for these a
# double, a redouble and a pass.
BIDS: Final = 60
DOUBLES, REDOUBLES, PASSES = range(BIDS, BIDS + 3)
SAYINGS: Final = PASSES + 1

_Signature = tuple[object, ...]
_DEALER: Final = 0


class _BidNumbering:
    """Numbers the states of a bidding, and gives two from which all goes on alike one number."""

    def __init__(self, auction: Auction, places: dict[Bid, int]) -> None:
        self._auction = auction
        self._places = places
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
                after[self._places[choice]] = self.number(self._auction.after(node, choice))
            signature = (node.turn, *_standing(node), *after)
            found = self._alike.setdefault(signature, len(self.nodes))
            if found == len(self.nodes):
                self.nodes.append(node)
                self.after.append(after)
            self._known[node] = found
        return found


def _bids_of(rules: Ruleset) -> list[int]:
    """Return all modes and amounts that can be bid, from the lowest; without amounts every mode by its number."""
    amounts = rules.auction.amounts or (0,)
    modes = rules.playable_modes if rules.has_amounts else rules.modes
    return [bid_of(mode.number, amount) for amount in amounts for mode in modes]


def _standing(node: AuctionNode) -> tuple[int, int, int, int]:
    """Return who named what stands, its mode, its amount and how often raised, also where somebody may still speak."""
    found = node.contract or node.standing
    return (NONE, NONE, 0, 0) if found is None else (found.taker, found.mode.number, found.bid or 0, found.raised)


def bid_tables(rules: Ruleset) -> Arrays:
    """Return the bidding of a ruleset, from its opening by the turned suit, the last place for no turned card.

    Raises ``NoRoomError`` for more bids than have a place.
    """
    coded(rules, "bidding.amounts", "none", "points", default="none")
    bids = _bids_of(rules)
    if len(bids) > BIDS:
        raise NoRoomError(f"it has room for {BIDS} bids")
    said = dict(enumerate(bids)) | {DOUBLES: DOUBLE, REDOUBLES: REDOUBLE}
    numbering = _BidNumbering(rules.auction, {None: PASSES} | {bid: place for place, bid in said.items()})
    opening = [numbering.number(rules.auction.start(_DEALER, suit)) for suit in (*EVERY_SUIT, None)]
    named_by, named, promised, raised = zip(*map(_standing, numbering.nodes), strict=True)
    return {
        "said": small([said.get(place, NONE) for place in range(SAYINGS)]),
        "lowest_amount": rules.value("bidding.lowest-amount") if rules.has_amounts else 0,
        "opening": small(opening),
        "speaker": small([node.turn for node in numbering.nodes]),
        "choices": numbers([sum(1 << place for place, n in enumerate(row) if n != NONE) for row in numbering.after]),
        "after": small(numbering.after),
        "named_by": small(named_by),
        "named": small(named),
        "promised": small(promised),
        "raised": small(raised),
    }
