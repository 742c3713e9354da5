"""The bidding as a graph: what the next player may say, and what becomes of it.

The nodes of a ruleset are made as they are first reached and then kept.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from belot_reference.bids import CAPOT, RAISES, REDOUBLE, Bid, amount_of_bid, bid_of, mode_of_bid
from belot_reference.cards import EVERY_SUIT, Suit
from belot_reference.contract import DealContract, contract_of_bid
from belot_reference.errors import BidTooLow, MayNotDouble, MustName, Refusal, SuitNotOffered
from belot_reference.known_values import unknown_value
from belot_reference.mode import MODE_NAMES, Mode
from belot_reference.trace import Noted, Trace
from belot_spec.spec import Profile


@dataclass(frozen=True, slots=True, eq=False)
class AuctionNode:
    """How far a bidding has come, as far as the rules care.

    ``choices`` are what the next player may say, to pass first: he may name these modes by the rules ``offered_by``,
    pass or not by ``passes_by``, and double by ``raised_by``; ``next`` is what follows. ``standing`` is the contract
    that stands unless somebody bids more. Once the bidding has ended in one it is the ``contract``, and all else is
    about the taker; without one and without choices nobody has taken.
    """

    dealer: int
    turn_up: Suit | None
    turn: int
    round: int
    passes: int = 0
    choices: tuple[Bid, ...] = ()
    offered_by: Noted = field(default_factory=dict)
    passes_by: Noted = field(default_factory=dict)
    raised_by: Noted = field(default_factory=dict)
    next: dict[Bid, "AuctionNode"] = field(default_factory=dict)
    standing: DealContract | None = None
    contract: DealContract | None = None

    def read_for(self, choice: Bid) -> Noted:
        """Return the rules by which a choice may be made or not."""
        if choice is None:
            return self.passes_by
        return self.raised_by if choice in RAISES else self.offered_by


class Auction(ABC):
    """The graph of a profile, of one kind or another of bidding.

    ``amounts`` are what can be promised, from low to high; nothing where a bid has no number.
    """

    amounts: tuple[int, ...] = ()

    def __init__(self, profile: Profile, modes: Sequence[Mode]) -> None:
        self._profile = profile
        self._modes = modes
        self._players: int = profile.value("deal.players")
        self._starts: dict[tuple[int, Suit | None], AuctionNode] = {}
        self._same_in: dict[tuple[Suit, ...], bool] = {}

    @abstractmethod
    def refusal(self, node: AuctionNode, choice: Bid) -> Refusal:
        """Return why the next player may not make a choice."""

    @abstractmethod
    def _after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        """Return the bidding after one more legal choice."""

    @abstractmethod
    def _choices(self, node: AuctionNode) -> tuple[tuple[Bid, ...], Trace, Trace]:
        """Return all but the pass that the next player may say, and the rules read for modes and for doubling."""

    @abstractmethod
    def _is_asked(self, node: AuctionNode) -> bool:
        """Say whether the player to speak is one who may not pass if ``bidding.must-name`` names him."""

    def first_bidder(self, dealer: int) -> int:
        """Return the seat that speaks first."""
        return self._behind(dealer) if self._profile.value("bidding.first-bidder") == "eldest" else dealer

    def start(self, dealer: int, turn_up: Suit | None) -> AuctionNode:
        """Return the bidding in which nobody has spoken."""
        found = self._starts.get((dealer, turn_up))
        if found is None:
            first = AuctionNode(dealer, turn_up, self.first_bidder(dealer), 1)
            found = self._starts[dealer, turn_up] = self._asking(first)
        return found

    def after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        """Return the bidding after one more legal choice."""
        found = node.next.get(choice)
        if found is None:
            found = node.next[choice] = self._after(node, choice)
        return found

    def is_same_in(self, suits: Sequence[Suit]) -> bool:
        """Say whether the players may always say the same with these suits in place of the four."""
        order = tuple(suits)
        if order not in self._same_in:
            self._same_in[order] = self._walk_agrees(order)
        return self._same_in[order]

    def _walk_agrees(self, suits: Sequence[Suit]) -> bool:
        """Walk the graph beside itself in other suits, from one dealer: which seats speak does not hang on suits."""
        called = partial(_called, suits)
        turned = (None,) if self._profile.value("deal.turn-up") == "none" else EVERY_SUIT
        left = [(self.start(0, suit), self.start(0, suit if suit is None else suits[suit])) for suit in turned]
        seen = set(left)
        while left:
            one, other = left.pop()
            if one.contract is not None:
                continue
            choices = {choice: called(choice) for choice in one.choices}
            if {*choices.values()} != {*other.choices}:
                return False
            behind = {(self.after(one, choice), self.after(other, same)) for choice, same in choices.items()} - seen
            seen |= behind
            left += behind
        return True

    def _behind(self, seat: int) -> int:
        return (seat + 1) % self._players

    def _asking(self, node: AuctionNode) -> AuctionNode:
        """Return a node with what the next player may say."""
        passing = Trace(self._profile)
        may_pass = self._may_pass(passing, node)
        said, naming, raising = self._choices(node)
        return replace(
            node,
            choices=(None, *said) if may_pass else said,
            offered_by=naming.read,
            passes_by=passing.read,
            raised_by=raising.read,
        )

    def _may_pass(self, rules: Trace, node: AuctionNode) -> bool:
        rules.value("bidding.rounds")
        if not self._is_asked(node):
            return True
        match who := rules.value("bidding.must-name"):
            case "dealer":
                return node.turn != node.dealer
            case "eldest":
                return node.turn != self._behind(node.dealer)
            case "nobody":
                return True
        raise unknown_value("bidding.must-name", who)


def _called(suits: Sequence[Suit], choice: Bid) -> Bid:
    """Return a choice with these suits in place of the four."""
    mode = None if choice is None else mode_of_bid(choice)
    if choice is None or mode not in EVERY_SUIT:
        return choice
    return bid_of(suits[mode], amount_of_bid(choice))


class BidRounds(Auction):
    """The bidding of players who speak in rounds, until the first of them names a suit."""

    def refusal(self, node: AuctionNode, choice: Bid) -> Refusal:
        """Return why the next player may not make a choice."""
        return MustName("bidding.must-name") if choice is None else SuitNotOffered("bidding.rounds")

    def _after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        if choice is not None:
            return taken(node, DealContract(node.turn, self._modes[choice]))
        passes, turn = node.passes + 1, self._behind(node.turn)
        rounds, into_round = divmod(passes, self._players)
        if rounds == len(self._profile.value("bidding.rounds")):
            return AuctionNode(node.dealer, node.turn_up, turn, node.round, passes)
        return self._asking(AuctionNode(node.dealer, node.turn_up, turn, node.round + (not into_round), passes))

    def _is_asked(self, node: AuctionNode) -> bool:
        return node.round == len(self._profile.value("bidding.rounds"))

    def _choices(self, node: AuctionNode) -> tuple[tuple[Bid, ...], Trace, Trace]:
        rules = Trace(self._profile)
        return self._offered(rules, node), rules, Trace(self._profile)

    def _offered(self, rules: Trace, node: AuctionNode) -> tuple[Suit, ...]:
        match offered := rules.value("bidding.rounds")[node.round - 1]:
            case "turn-up-suit":
                return tuple(suit for suit in EVERY_SUIT if suit == node.turn_up)
            case "other-suit":
                return tuple(suit for suit in EVERY_SUIT if suit != node.turn_up)
            case "any-suit":
                return EVERY_SUIT
        raise unknown_value("bidding.rounds", offered)


class Ladder(Auction):
    """The bidding of players who bid over one another, and double, until all others have passed.

    It is one round, as long as it takes; ``passes`` are those since the last call.
    """

    def __init__(self, profile: Profile, modes: Sequence[Mode]) -> None:
        super().__init__(profile, modes)
        classes: list[list[str]] = profile.value("bidding.modes")
        # By the number of a mode how high it stands, the lowest first.
        self._height = {
            number: height for height, names in enumerate(classes) for number in sorted(map(MODE_NAMES.index, names))
        }
        self.amounts = _amounts_of(profile)
        every = ((amount, mode) for amount in self.amounts or (0,) for mode in self._height)
        self._ranked = [(self._rank(amount, mode), bid_of(mode, amount)) for amount, mode in every]
        self._raises: list[int] = profile.value("bidding.raises")
        self._pairs = profile.value("deal.sides") == "partners-opposite"
        self._nodes: dict[Any, AuctionNode] = {}

    def refusal(self, node: AuctionNode, choice: Bid) -> Refusal:
        """Return why the next player may not make a choice."""
        if choice is None:
            return MustName("bidding.must-name")
        if choice in RAISES:
            return MayNotDouble("bidding.raises")
        # What cannot be bid at all is refused as what is too low (ruling BG-R4).
        amount, mode, standing = amount_of_bid(choice), mode_of_bid(choice), node.standing
        can_be_bid = mode in self._height and (amount in self.amounts if self.amounts else not amount)
        if can_be_bid and standing is not None and self._rank(amount, mode) > self._rank_of(standing):
            return BidTooLow("bidding.after-double")
        if mode not in self._height or not self.amounts:
            return BidTooLow("bidding.modes")
        return BidTooLow("bidding.capot" if amount == CAPOT and CAPOT not in self.amounts else "bidding.amounts")

    def _rank(self, amount: int, mode: int) -> int:
        """Return how high a bid stands: by its amount where amounts are bid, or else by its mode."""
        return self.amounts.index(amount) if self.amounts else self._height[mode]

    def _rank_of(self, standing: DealContract) -> int:
        return self._rank(standing.bid or 0, standing.mode.number)

    def _after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        standing, turn = node.standing, self._behind(node.turn)
        if choice is None:
            passes = node.passes + 1
            if standing is not None and passes == self._most_passes(standing):
                return taken(node, standing)
            if passes == self._players:
                return AuctionNode(node.dealer, node.turn_up, turn, node.round, passes)
            if standing is not None and self._answers_alone(standing):
                turn = self._behind(turn)
            return self._known(node, turn, passes, standing)
        if choice in RAISES:
            assert standing is not None
            raised = standing._replace(raised=self._raises[RAISES.index(choice)])
            is_over = self._answers_alone(raised) and self._raised(raised) == len(self._raises)
            if is_over or (choice == REDOUBLE and self._profile.value("bidding.after-double") == "redouble-ends"):
                return taken(node, raised)
            return self._known(node, turn, 0, raised)
        return self._known(node, turn, 0, contract_of_bid(node.turn, choice, self._modes))

    def _answers_alone(self, standing: DealContract) -> bool:
        """Say whether only the side of a doubled contract still speaks."""
        return standing.raised > 1 and bool(self._profile.value("bidding.after-double") == "answer-alone")

    def _most_passes(self, standing: DealContract) -> int:
        """Return how many passes in a row end a bidding with a contract: those of all others, or of its own side."""
        return self._players // 2 if self._answers_alone(standing) else self._players - 1

    def _known(self, node: AuctionNode, turn: int, passes: int, standing: DealContract | None) -> AuctionNode:
        """Return the one node of all biddings that have come so far, whatever was said before."""
        told = None if standing is None else (standing.taker, standing.mode.number, standing.bid, standing.raised)
        key = (node.dealer, node.turn_up, turn, passes, told)
        found = self._nodes.get(key)
        if found is None:
            asked = AuctionNode(node.dealer, node.turn_up, turn, node.round, passes, standing=standing)
            found = self._nodes[key] = self._asking(asked)
        return found

    def _is_asked(self, node: AuctionNode) -> bool:
        return node.standing is None

    def _may_pass(self, rules: Trace, node: AuctionNode) -> bool:
        if node.standing is not None and node.standing.raised > 1:
            rules.value("bidding.after-double")
        return super()._may_pass(rules, node)

    def _choices(self, node: AuctionNode) -> tuple[tuple[Bid, ...], Trace, Trace]:
        naming, raising = Trace(self._profile), Trace(self._profile)
        return (*self._higher(naming, node.standing), *self._raise(raising, node)), naming, raising

    def _higher(self, rules: Trace, standing: DealContract | None) -> tuple[Bid, ...]:
        rules.value("bidding.modes")
        for rule in AMOUNT_RULES if rules.value("bidding.amounts") == "points" else ():
            rules.value(rule)
        if standing is not None and standing.raised > 1 and rules.value("bidding.after-double") != "open":
            return ()
        least = -1 if standing is None else self._rank_of(standing)
        return tuple(bid for rank, bid in self._ranked if rank > least)

    def _raise(self, rules: Trace, node: AuctionNode) -> tuple[Bid, ...]:
        """Return the double or the redouble that the next player may say, if any."""
        raises: list[int] = rules.value("bidding.raises")
        standing = node.standing
        if standing is None or not raises:
            return ()
        rules.value("bidding.after-double")
        done = self._raised(standing)
        if done == len(raises):
            return ()
        return (RAISES[done],) if self._is_own(node.turn, standing) == (RAISES[done] == REDOUBLE) else ()

    def _raised(self, standing: DealContract) -> int:
        """Return how often a contract was doubled and redoubled."""
        return 0 if standing.raised == 1 else self._raises.index(standing.raised) + 1

    def _is_own(self, seat: int, contract: DealContract) -> bool:
        apart = (seat - contract.taker) % self._players
        return apart == 0 or (self._pairs and apart % 2 == 0)


# The rules by which it is known which numbers can be bid.
AMOUNT_RULES: Final = ("bidding.lowest-amount", "bidding.highest-amount", "bidding.amount-step", "bidding.capot")


def _amounts_of(profile: Profile) -> tuple[int, ...]:
    if profile.value("bidding.amounts") == "none":
        return ()
    low, high, step = (profile.value(rule) for rule in AMOUNT_RULES[:3])
    capot = (CAPOT,) if profile.value("bidding.capot") == "above-all" else ()
    return (*range(low, high + 1, step), *capot)


def auction_of(profile: Profile, modes: Sequence[Mode], *, is_ladder: bool) -> Auction:
    """Return the graph of a profile, a ladder where players bid over one another."""
    return Ladder(profile, modes) if is_ladder else BidRounds(profile, modes)


def taken(node: AuctionNode, contract: DealContract) -> AuctionNode:
    """Return the end of a bidding by a contract."""
    return replace(node, turn=contract.taker, choices=(), next={}, standing=None, contract=contract)
