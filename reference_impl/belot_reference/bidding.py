"""The bidding: what the next player may say, and when somebody has taken or nobody has."""

from dataclasses import dataclass
from typing import Literal

from belot_reference.cards import EVERY_SUIT, Suit
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError, BiddingOver, MustName, NotYourTurn, SuitNotOffered
from belot_reference.known_values import unknown_value
from belot_spec.card_names import SUITS

Bid = Suit | None


@dataclass(frozen=True, slots=True)
class Bidding:
    """The bidding so far; a bid of ``None`` is a pass. ``turn_up`` is the suit of the turn-up, if there is one."""

    dealer: int
    turn_up: Suit | None
    bids: tuple[Bid, ...]
    state: Literal["open", "taken", "failed"]
    turn: int
    round: int
    taker: int | None = None
    trump: Suit | None = None


def start_bidding(rules: Ruleset, dealer: int, turn_up: Suit | None) -> Bidding:
    """Return a bidding in which nobody has spoken; raises ``BadQuestionError`` for a dealer not at the table."""
    rules.check_seat("dealer", dealer)
    first = rules.next_seat(dealer) if rules.value("bidding.first-bidder") == "eldest" else dealer
    return Bidding(dealer, turn_up, (), "open", first, 1)


def offered_suits(rules: Ruleset, bidding: Bidding) -> tuple[Suit, ...]:
    """Return the suits that the next player may name in this round."""
    match offered := rules.value("bidding.rounds")[bidding.round - 1]:
        case "turn-up-suit":
            return tuple(suit for suit in EVERY_SUIT if suit == bidding.turn_up)
        case "other-suit":
            return tuple(suit for suit in EVERY_SUIT if suit != bidding.turn_up)
        case "any-suit":
            return EVERY_SUIT
    raise unknown_value("bidding.rounds", offered)


def may_pass(rules: Ruleset, bidding: Bidding) -> bool:
    """Say whether the next player may pass."""
    if bidding.round < len(rules.value("bidding.rounds")):
        return True
    match who := rules.value("bidding.must-name"):
        case "dealer":
            return bidding.turn != bidding.dealer
        case "eldest":
            return bidding.turn != rules.next_seat(bidding.dealer)
        case "nobody":
            return True
    raise unknown_value("bidding.must-name", who)


def bid_choices(rules: Ruleset, bidding: Bidding) -> tuple[Bid, ...]:
    """Return what the next player may say: to pass comes first."""
    suits = offered_suits(rules, bidding)
    return (None, *suits) if may_pass(rules, bidding) else suits


def bid_name(choice: Bid) -> str:
    """Return a bid as the protocol writes it."""
    return "pass" if choice is None else SUITS[choice]


def bid(rules: Ruleset, bidding: Bidding, choice: Bid, seat: int | None = None) -> Bidding:
    """Return the bidding after the next player's choice.

    Raises ``BiddingOver``, ``NotYourTurn`` (where a seat is given), ``MustName`` or ``SuitNotOffered``, and
    ``BadQuestionError`` for what is no suit.
    """
    if choice is not None and not 0 <= choice < len(SUITS):
        raise BadQuestionError(f"suit: a suit is a number from 0 to {len(SUITS) - 1}, not {choice}")
    if bidding.state != "open":
        raise BiddingOver("bidding.rounds")
    if seat is not None and seat != bidding.turn:
        raise NotYourTurn("bidding.first-bidder")
    bids = (*bidding.bids, choice)
    if choice is not None:
        if choice not in offered_suits(rules, bidding):
            raise SuitNotOffered("bidding.rounds")
        return Bidding(
            bidding.dealer, bidding.turn_up, bids, "taken", bidding.turn, bidding.round, bidding.turn, choice
        )
    if not may_pass(rules, bidding):
        raise MustName("bidding.must-name")
    round_over = len(bids) % rules.players == 0
    last = round_over and bidding.round == len(rules.value("bidding.rounds"))
    return Bidding(
        bidding.dealer,
        bidding.turn_up,
        bids,
        "failed" if last else "open",
        rules.next_seat(bidding.turn),
        bidding.round + (round_over and not last),
    )
