"""The bidding as arrays: every state that it can come to, and which state follows each call.

A state is a node of ``belot_reference.auction``, seen from the dealer's seat, and gets a number; two from which all
goes on alike get one. ``bid_tables`` says of each number who speaks, what stands, and in which row of ``after`` the
numbers stand that follow its bids; those after a double, a redouble and a pass stand in ``after_other``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Final

from belot_kernel.tables import NONE, Arrays, NoRoomError, coded, filled_up, listed, numbers, small
from belot_reference.auction import Auction, AuctionNode, Calling
from belot_reference.bids import RAISES, Bid, bid_of
from belot_reference.cards import EVERY_SUIT
from belot_reference.compile import Ruleset
from belot_spec.files import canonical

# Every bid has a place, from the lowest; behind the room for them stand a double, a redouble and a pass.
BIDS: Final = 512
DOUBLES, REDOUBLES, PASSES = range(BIDS, BIDS + 3)

_Signature = tuple[object, ...]
# Which state follows a pass, a double or a redouble.
_After = dict[Bid, int]
_DEALER: Final = 0


class _BidNumbering:
    """Numbers the states of a bidding, and gives two from which all goes on alike one number."""

    def __init__(self, auction: Auction) -> None:
        self._auction = auction
        self._known: dict[AuctionNode, int] = {}
        self._alike: dict[_Signature, int] = {}
        # By speaker and calls which state follows each call, from the highest down to the lowest that may be made.
        self._follow: dict[tuple[int, int], dict[int, int]] = {}
        self.nodes: list[AuctionNode] = []
        self.others: list[_After] = []

    def number(self, node: AuctionNode) -> int:
        """Return the number of a state, which all that follow from it have before it."""
        found = self._known.get(node)
        if found is None:
            self._number_calls(node)
            said = (*node.asked.passes, *node.asked.raises)
            others = {choice: self._number_after(node, choice) for choice in said}
            signature = (*_standing(node), *node.calling, *others.items())
            found = self._alike.setdefault(signature, len(self.nodes))
            if found == len(self.nodes):
                self.nodes.append(node)
                self.others.append(others)
            self._known[node] = found
        return found

    def following(self, calling: Calling) -> dict[int, int]:
        """Return which states follow some calls of a player."""
        speaker, every, number = calling
        return dict(islice(self._follow[speaker, every].items(), number))

    def _number_calls(self, node: AuctionNode) -> None:
        """Give what follows each call its number: it hangs on who makes it alone."""
        calls, (speaker, every, number) = node.asked.calls, node.calling
        follow = self._follow.setdefault((speaker, every), {})
        for place in range(len(follow) + 1, number + 1):
            follow[calls[-place]] = self._number_after(node, calls[-place])

    def _number_after(self, node: AuctionNode, choice: Bid) -> int:
        return self.number(self._auction.after(node, choice))


class _BidRows:
    """Rows of what follows each bid: a state may share one if there every bid from its lowest on leads to the same.

    Where players bid over one another what follows a bid hangs on who makes it alone: there are as many rows as seats.
    """

    def __init__(self, bids: list[int]) -> None:
        self._places = {bid: place for place, bid in enumerate(bids)}
        self._ends: dict[_Signature, int] = {}
        self.rows: list[list[int]] = []

    def place(self, after: Mapping[int, int]) -> tuple[int, int]:
        """Return the row of a state and the lowest place that it may use; from the end on it may use none."""
        size = len(self._places)
        row = [NONE] * size
        for bid, state in after.items():
            row[self._places[bid]] = state
        lowest = next((place for place, state in enumerate(row) if state != NONE), size)
        if lowest == size:
            return 0, size
        end = (lowest, *row[lowest:])
        if end not in self._ends:
            self._ends |= {(first, *row[first:]): len(self.rows) for first in range(lowest, size)}
            self.rows.append(row)
        return self._ends[end], lowest


def _bids_of(rules: Ruleset) -> list[int]:
    """Return all modes and amounts that can be bid, from the lowest; without amounts every mode by its number."""
    amounts = rules.auction.amounts or (0,)
    modes = rules.playable_modes if rules.has_amounts else rules.modes
    return [bid_of(mode.number, amount) for amount in amounts for mode in modes]


def _standing(node: AuctionNode) -> tuple[int, int, int, int]:
    """Return who named what stands, its mode, its amount and how often raised, also where somebody may still speak."""
    found = node.contract or node.standing
    return (NONE, NONE, 0, 0) if found is None else (found.taker, found.mode.number, found.bid or 0, found.raised)


@dataclass(frozen=True, slots=True)
class _Bidding:
    """A ruleset as far as its bidding goes: equal to another with the same values about dealing and bidding."""

    values: tuple[tuple[str, str], ...]
    rules: Ruleset = field(compare=False)


def bid_tables(rules: Ruleset) -> Arrays:
    """Return the bidding of a ruleset, from its opening by the turned suit, the last place for no turned card.

    Raises ``NoRoomError`` for more bids than have a place.
    """
    settings = sorted(rules.profile.settings.items())
    about_it = tuple((rule, canonical(one.value)) for rule, one in settings if rule.startswith(("deal.", "bidding.")))
    return _tables_of(_Bidding(about_it, rules))


@lru_cache(maxsize=8)
def _tables_of(bidding: _Bidding) -> Arrays:
    rules = bidding.rules
    if rules.value_or("bidding.raises", None) is not None:
        listed(rules, "bidding.raises", (2, 3, 4))
    coded(rules, "bidding.last-bidder", "silent", default="silent")
    coded(rules, "bidding.double-turn", "in-turn", default="in-turn")
    coded(rules, "bidding.amounts", "none", "points", default="none")
    bids = _bids_of(rules)
    if len(bids) > BIDS:
        raise NoRoomError(f"it has room for {BIDS} bids")
    numbering, rows = _BidNumbering(rules.auction), _BidRows(bids)
    has_turn_up = coded(rules, "deal.turn-up", "none", "out-of-play", "to-taker")
    turned = (*EVERY_SUIT, None) if has_turn_up else (None,)
    opening = [numbering.number(rules.auction.start(_DEALER, suit)) for suit in turned]
    # From high to low, so that a row is there before one of which it is a part; else as they are numbered, lest two
    # rulesets with the same bidding have it in another order.
    may_call = sorted(dict.fromkeys(node.calling for node in numbering.nodes), key=lambda calls: -calls[2])
    placed = {calls: rows.place(numbering.following(calls)) for calls in may_call}
    row_of, lowest = zip(*(placed[node.calling] for node in numbering.nodes), strict=True)
    named_by, named, promised, raised = zip(*map(_standing, numbering.nodes), strict=True)
    return {
        "bids": len(bids),
        "said": numbers([*filled_up(bids, BIDS, NONE), *RAISES, NONE]),
        "lowest_amount": rules.value("bidding.lowest-amount") if rules.has_amounts else 0,
        "opening": small([*[opening[0]] * (len(EVERY_SUIT) + 1 - len(opening)), *opening]),
        "speaker": small([node.turn for node in numbering.nodes]),
        "choices": small([len(node.choices) for node in numbering.nodes]),
        "lowest": small(lowest),
        "row": small(row_of),
        "after": small(rows.rows),
        "after_other": small([[after.get(said, NONE) for said in (*RAISES, None)] for after in numbering.others]),
        "named_by": small(named_by),
        "named": small(named),
        "promised": small(promised),
        "raised": small(raised),
    }
