"""The bidding as a graph: what the next player may say, and what becomes of it.

The nodes of a ruleset are made as they are first reached and then kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from belot_reference.cards import EVERY_SUIT, Suit
from belot_reference.contract import DealContract
from belot_reference.known_values import unknown_value
from belot_reference.mode import Mode
from belot_reference.trace import Trace
from belot_spec.spec import Profile

Bid = Suit | None


@dataclass(frozen=True, slots=True, eq=False)
class AuctionNode:
    """How far a bidding has come, as far as the rules care.

    ``choices`` are what the next player may say, to pass first: he may name these suits by the rules ``offered_by``,
    and pass or not by ``passes_by``; ``next`` is what follows. Once somebody has taken there is a ``contract``, and all
    else is about the taker; without one and without choices nobody has.
    """

    dealer: int
    turn_up: Suit | None
    turn: int
    round: int
    passes: int = 0
    choices: tuple[Bid, ...] = ()
    offered_by: Mapping[str, None] = field(default_factory=dict)
    passes_by: Mapping[str, None] = field(default_factory=dict)
    next: dict[Bid, "AuctionNode"] = field(default_factory=dict)
    contract: DealContract | None = None


class Auction:
    """The graph of a profile whose players speak in rounds, until the first of them names a suit."""

    def __init__(self, profile: Profile, modes: Sequence[Mode]) -> None:
        self._profile = profile
        self._modes = modes
        self._players: int = profile.value("deal.players")
        self._starts: dict[tuple[int, Suit | None], AuctionNode] = {}
        self._same_in: dict[tuple[Suit, ...], bool] = {}

    def start(self, dealer: int, turn_up: Suit | None) -> AuctionNode:
        """Return the bidding in which nobody has spoken."""
        found = self._starts.get((dealer, turn_up))
        if found is None:
            eldest = self._profile.value("bidding.first-bidder") == "eldest"
            first = AuctionNode(dealer, turn_up, self._behind(dealer) if eldest else dealer, 1)
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
        called: dict[Bid, Bid] = {suit: suits[suit] for suit in EVERY_SUIT}
        turned = (None,) if self._profile.value("deal.turn-up") == "none" else EVERY_SUIT
        left = [(self.start(0, suit), self.start(0, suit if suit is None else suits[suit])) for suit in turned]
        seen = set(left)
        while left:
            one, other = left.pop()
            if one.contract is not None:
                continue
            choices = {choice: called.get(choice, choice) for choice in one.choices}
            if {*choices.values()} != {*other.choices}:
                return False
            behind = {(self.after(one, choice), self.after(other, same)) for choice, same in choices.items()} - seen
            seen |= behind
            left += behind
        return True

    def _after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        if choice is not None:
            return taken(node, DealContract(node.turn, self._modes[choice]))
        passes, turn = node.passes + 1, self._behind(node.turn)
        rounds, into_round = divmod(passes, self._players)
        if rounds == len(self._profile.value("bidding.rounds")):
            return AuctionNode(node.dealer, node.turn_up, turn, node.round, passes)
        return self._asking(AuctionNode(node.dealer, node.turn_up, turn, node.round + (not into_round), passes))

    def _behind(self, seat: int) -> int:
        return (seat + 1) % self._players

    def _asking(self, node: AuctionNode) -> AuctionNode:
        """Return a node with what the next player may say."""
        naming, passing = Trace(self._profile), Trace(self._profile)
        choices = (*([None] if self._may_pass(passing, node) else []), *self._offered(naming, node))
        return replace(node, choices=choices, offered_by=naming.read, passes_by=passing.read)

    def _offered(self, rules: Trace, node: AuctionNode) -> tuple[Suit, ...]:
        match offered := rules.value("bidding.rounds")[node.round - 1]:
            case "turn-up-suit":
                return tuple(suit for suit in EVERY_SUIT if suit == node.turn_up)
            case "other-suit":
                return tuple(suit for suit in EVERY_SUIT if suit != node.turn_up)
            case "any-suit":
                return EVERY_SUIT
        raise unknown_value("bidding.rounds", offered)

    def _may_pass(self, rules: Trace, node: AuctionNode) -> bool:
        if node.round < len(rules.value("bidding.rounds")):
            return True
        match who := rules.value("bidding.must-name"):
            case "dealer":
                return node.turn != node.dealer
            case "eldest":
                return node.turn != self._behind(node.dealer)
            case "nobody":
                return True
        raise unknown_value("bidding.must-name", who)


def taken(node: AuctionNode, contract: DealContract) -> AuctionNode:
    """Return the end of a bidding by a contract."""
    return replace(node, turn=contract.taker, next={}, contract=contract)
