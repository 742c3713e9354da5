"""The bidding: what the players said, and when somebody has taken or nobody has."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from belot_reference.auction import Auction, AuctionNode
from belot_reference.bids import BID_NAMES, DOUBLE, RAISES, Bid, amount_of_bid, bid_name, in_short
from belot_reference.cards import EVERY_SUIT, Suit
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.errors import BadQuestionError, BiddingOver, NotYourTurn
from belot_reference.sentences import say
from belot_spec.card_names import SUITS


@dataclass(frozen=True, slots=True)
class Bidding:
    """The bidding so far; a bid of ``None`` is a pass, and ``seats`` say who made each."""

    bids: tuple[Bid, ...]
    node: AuctionNode
    seats: tuple[int, ...] = ()

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self.node.dealer

    @property
    def turn(self) -> int:
        """The seat that is to speak, or that took."""
        return self.node.turn

    @property
    def contract(self) -> DealContract | None:
        """The contract once somebody has taken."""
        return self.node.contract

    @property
    def taker(self) -> int | None:
        """The seat that took, ``None`` until somebody has."""
        return None if self.node.contract is None else self.node.contract.taker

    @property
    def state(self) -> Literal["open", "taken", "failed"]:
        """Whether somebody is to speak, somebody has taken, or nobody has."""
        return "taken" if self.node.contract else "open" if self.node.choices else "failed"


def start_bidding(rules: Ruleset, dealer: int, turn_up: Suit | None) -> Bidding:
    """Return a bidding in which nobody has spoken; raises ``BadQuestionError`` for a dealer not at the table.

    ``turn_up`` is the suit of the turn-up, if there is one.
    """
    rules.check_seat("dealer", dealer)
    rules.note({"bidding.first-bidder": None})
    return Bidding((), rules.auction.start(dealer, turn_up))


def bid_choices(rules: Ruleset, bidding: Bidding) -> tuple[Bid, ...]:
    """Return what the next player may say: to pass comes first."""
    asked = bidding.node.asked
    rules.note(asked.offered_by)
    rules.note(asked.passes_by)
    rules.note(asked.raised_by)
    return bidding.node.choices


def bid(rules: Ruleset, bidding: Bidding, choice: Bid, seat: int | None = None) -> Bidding:
    """Return the bidding after the next player's choice.

    Raises ``BiddingOver``, ``NotYourTurn`` (where a seat is given), ``MayNotDouble``, ``BidTooLow``, ``SuitNotOffered``
    or ``MustName``, and ``BadQuestionError`` for what is never said in this bidding.
    """
    if choice is not None and not _is_sayable(rules, choice):
        known = ", ".join(_sayable(rules.auction) if rules.has_auction else (BID_NAMES[0], *SUITS))
        said = bid_name(choice) if choice >= 0 else choice
        raise BadQuestionError(say("what-is-said", of="bid", profile=rules.profile.id, known=known, told=said))
    if bidding.state != "open":
        raise BiddingOver(rules.auction.ended_by(bidding.bids, bidding.node.contract))
    node = bidding.node
    if seat is not None and seat != bidding.turn:
        if choice != DOUBLE or not may_speak_out_of_turn(rules):
            raise NotYourTurn(rules.auction.out_of_turn(bidding.node))
        node = rules.auction.spoken_by(node, seat)
    rules.note(node.read_for(choice))
    if not node.asked.offers(choice):
        raise rules.auction.refusal(node, choice)
    return Bidding((*bidding.bids, choice), rules.auction.after(node, choice), (*bidding.seats, node.turn))


def bid_on(rules: Ruleset, bidding: Bidding, said: Iterable[tuple[int, Bid]]) -> Bidding:
    """Return the bidding after choices, each with its seat, up to the first that ``bid`` would not take as it comes.

    What it would do, without a bidding for each choice.
    """
    node, bids, seats, auction = bidding.node, list(bidding.bids), list(bidding.seats), rules.auction
    for seat, choice in said:
        if seat != node.turn or not node.asked.offers(choice):
            break
        if choice is not None:
            _is_sayable(rules, choice)
        rules.note(node.read_for(choice))
        bids.append(choice)
        seats.append(seat)
        node = auction.after_again(node, choice)
    return Bidding(tuple(bids), node, tuple(seats))


def may_speak_out_of_turn(rules: Ruleset) -> bool:
    """Say whether a player may double without waiting for his turn."""
    return rules.has_auction and bool(rules.value_or("bidding.double-turn", "in-turn") == "any-time")


def _is_sayable(rules: Ruleset, choice: int) -> bool:
    """Say whether something is a bid here: a suit; in an auction any mode and the doubles, or an amount in any mode."""
    if choice < 0 or not rules.has_auction:
        return choice in EVERY_SUIT
    return choice in RAISES or rules.has_amounts == bool(amount_of_bid(choice))


@lru_cache
def _sayable(auction: Auction) -> list[str]:
    """Return what may be said in an auction, in short."""
    said = dict.fromkeys((None, *auction.start(0, None).choices, *RAISES))
    return in_short(map(bid_name, said))
