"""The bidding as a graph: what the next player may say, and what becomes of it.

A long ladder has millions of nodes and edges, of which only the last few thousand are kept: what may be said next is
once for all nodes in which that is the same, and what follows is worked out.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import Final, NamedTuple

from belot_reference.bids import CAPOT, RAISES, REDOUBLE, Bid, amount_of_bid, bid_of, mode_of_bid
from belot_reference.cards import EVERY_SUIT, Suit
from belot_reference.contract import DealContract, contract_of_bid
from belot_reference.errors import BidTooLow, MayNotDouble, MustName, Refusal, SuitNotOffered, UnknownValueError
from belot_reference.mode import MODE_NAMES, Mode
from belot_reference.trace import Noted, Trace
from belot_spec.spec import Profile

_MOST_KEPT: Final = 1 << 13

# On this alone it hangs what may follow if the next player makes a call; an auction has equal calls once.
Calling = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What the next player may say, and by which rules: one for all biddings in which that is the same.

    He may ``passes`` or not by ``passes_by``, make those ``calls`` that stand from the place ``least`` on by
    ``offered_by``, and say what ``raises`` the contract by ``raised_by``. An auction has equal ``calls`` once.
    """

    passes: tuple[None, ...] = ()
    calls: tuple[int, ...] = ()
    least: int = 0
    raises: tuple[int, ...] = ()
    passes_by: Noted = field(default_factory=dict)
    offered_by: Noted = field(default_factory=dict)
    raised_by: Noted = field(default_factory=dict)

    def offers(self, choice: Bid) -> bool:
        """Say whether a choice is one of these."""
        if choice is None or choice in RAISES:
            return choice in self.passes or choice in self.raises
        return choice in self.calls[self.least :]


_NOTHING: Final = Asked()


class AuctionNode(NamedTuple):
    """How far a bidding has come, as far as the rules care.

    ``asked`` is what the next player may say. ``standing`` is the contract that stands unless somebody bids more. Once
    the bidding has ended in one it is the ``contract``, and all else is about the taker; without one and without
    choices nobody has taken.
    """

    dealer: int
    turn_up: Suit | None
    turn: int
    round: int
    passes: int = 0
    standing: DealContract | None = None
    contract: DealContract | None = None
    asked: Asked = _NOTHING

    @property
    def choices(self) -> tuple[Bid, ...]:
        """What the next player may say, to pass first."""
        asked = self.asked
        return (*asked.passes, *asked.calls[asked.least :], *asked.raises)

    @property
    def calling(self) -> Calling:
        """Who speaks, which calls he may make some of, and how many: the highest of them."""
        asked = self.asked
        return self.turn, id(asked.calls), len(asked.calls) - asked.least

    def read_for(self, choice: Bid) -> Noted:
        """Return the rules by which a choice may be made or not."""
        if choice is None:
            return self.asked.passes_by
        return self.asked.raised_by if choice in RAISES else self.asked.offered_by


class Auction(ABC):
    """The graph of a profile, of one kind or another of bidding. What follows a call hangs on who makes it alone.

    ``amounts`` are what can be promised, from low to high; nothing where a bid has no number.
    """

    amounts: tuple[int, ...] = ()

    def __init__(self, profile: Profile, modes: Sequence[Mode]) -> None:
        self._profile = profile
        self._modes = modes
        self._players: int = profile.value("deal.players")
        self._asked: dict[object, Asked] = {}
        self._calls: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._same_in: dict[tuple[Suit, ...], bool] = {}
        self._starts: dict[tuple[int, Suit | None], AuctionNode] = {}
        self._kept: dict[tuple[AuctionNode, Bid], AuctionNode] = {}

    @abstractmethod
    def refusal(self, node: AuctionNode, choice: Bid) -> Refusal:
        """Return why the next player may not make a choice."""

    @abstractmethod
    def after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        """Return the bidding after one more legal choice."""

    def after_again(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        """Return what ``after`` does: in many deals the same is said again and again."""
        found = self._kept.get((node, choice))
        if found is None:
            if len(self._kept) == _MOST_KEPT:
                self._kept.clear()
            found = self._kept[node, choice] = self.after(node, choice)
        return found

    def ended_by(self, bids: Sequence[Bid], contract: DealContract | None) -> str:
        """Return the rule by which a bidding has ended, in a contract or in none."""
        return "bidding.rounds"

    def out_of_turn(self, node: AuctionNode) -> str:
        """Return the rule by which the next player is not another one."""
        return "bidding.first-bidder"

    def spoken_by(self, node: AuctionNode, seat: int) -> AuctionNode:
        """Return a bidding as it is when a seat speaks out of turn."""
        return self._asking(node._replace(turn=seat))

    @abstractmethod
    def _agrees(self, suits: Sequence[Suit]) -> bool:
        """Say whether the players may always say the same with these suits in place of the four."""

    @abstractmethod
    def _matters(self, node: AuctionNode) -> object:
        """Return all of a bidding that it hangs on what the next player may say."""

    @abstractmethod
    def _offered(self, rules: Trace, node: AuctionNode) -> tuple[tuple[int, ...], int]:
        """Return calls, and the place of the first that the next player may make."""

    @abstractmethod
    def _raise(self, rules: Trace, node: AuctionNode) -> tuple[int, ...]:
        """Return the double or the redouble that the next player may say, if any."""

    @abstractmethod
    def _is_asked(self, node: AuctionNode) -> bool:
        """Say whether the player to speak is one who may not pass if ``bidding.must-name`` names him."""

    def first_bidder(self, dealer: int) -> int:
        """Return the seat that speaks first."""
        return self._behind(dealer) if self._profile.value("bidding.first-bidder") == "eldest" else dealer

    def start(self, dealer: int, turn_up: Suit | None) -> AuctionNode:
        """Return the bidding in which nobody has spoken."""
        begun = (dealer, turn_up)
        if begun not in self._starts:
            self._starts[begun] = self._asking(AuctionNode(dealer, turn_up, self.first_bidder(dealer), 1))
        return self._starts[begun]

    def is_same_in(self, suits: Sequence[Suit]) -> bool:
        """Say whether the players may always say the same with these suits in place of the four."""
        order = tuple(suits)
        if order not in self._same_in:
            self._same_in[order] = self._agrees(order)
        return self._same_in[order]

    def _behind(self, seat: int) -> int:
        return (seat + 1) % self._players

    def _asking(self, node: AuctionNode) -> AuctionNode:
        """Return a node with what the next player may say."""
        key = self._matters(node)
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = self._ask(node)
        # What the constructor of a named tuple does, without its arguments.
        return tuple.__new__(AuctionNode, (*node[:-1], asked))

    def _ask(self, node: AuctionNode) -> Asked:
        passing, naming, raising = (Trace(self._profile) for _ in range(3))
        passes = (None,) if self._may_pass(passing, node) else ()
        calls, least = self._offered(naming, node)
        raises = self._raise(raising, node)
        calls = self._calls.setdefault(calls, calls)
        return Asked(passes, calls, least, raises, passing.read, naming.read, raising.read)

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
        raise UnknownValueError("bidding.must-name", who)


def _called(suits: Sequence[Suit], call: int) -> int:
    """Return a call with these suits in place of the four."""
    mode = mode_of_bid(call)
    return bid_of(suits[mode], amount_of_bid(call)) if mode in EVERY_SUIT else call


class BidRounds(Auction):
    """The bidding of players who speak in rounds, until the first of them names a suit."""

    def refusal(self, node: AuctionNode, choice: Bid) -> Refusal:
        """Return why the next player may not make a choice."""
        return MustName("bidding.must-name") if choice is None else SuitNotOffered("bidding.rounds")

    def after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        """Return the bidding after one more legal choice."""
        if choice is not None:
            return taken(node, DealContract(node.turn, self._modes[choice]))
        passes, turn = node.passes + 1, self._behind(node.turn)
        rounds, into_round = divmod(passes, self._players)
        if rounds == len(self._profile.value("bidding.rounds")):
            return AuctionNode(node.dealer, node.turn_up, turn, node.round, passes)
        return self._asking(AuctionNode(node.dealer, node.turn_up, turn, node.round + (not into_round), passes))

    def _agrees(self, suits: Sequence[Suit]) -> bool:
        turned = (None,) if self._profile.value("deal.turn-up") == "none" else EVERY_SUIT
        return all(self._agrees_from(suits, suit, suit if suit is None else suits[suit]) for suit in turned)

    def _agrees_from(self, suits: Sequence[Suit], one: Suit | None, other: Suit | None) -> bool:
        """Pass on from two turned suits, from one dealer: which seats speak does not hang on suits."""
        node, beside = self.start(0, one), self.start(0, other)
        while node.choices or beside.choices:
            same = {None if choice is None else _called(suits, choice) for choice in node.choices}
            if same != {*beside.choices}:
                return False
            if None not in same:
                break
            node, beside = self.after(node, None), self.after(beside, None)
        return True

    def _matters(self, node: AuctionNode) -> object:
        return node.turn_up, node.round, (node.turn - node.dealer) % self._players

    def _is_asked(self, node: AuctionNode) -> bool:
        return node.round == len(self._profile.value("bidding.rounds"))

    def _raise(self, rules: Trace, node: AuctionNode) -> tuple[int, ...]:
        return ()

    def _offered(self, rules: Trace, node: AuctionNode) -> tuple[tuple[int, ...], int]:
        match offered := rules.value("bidding.rounds")[node.round - 1]:
            case "turn-up-suit":
                return tuple(suit for suit in EVERY_SUIT if suit == node.turn_up), 0
            case "other-suit":
                return tuple(suit for suit in EVERY_SUIT if suit != node.turn_up), 0
            case "any-suit":
                return EVERY_SUIT, 0
        raise UnknownValueError("bidding.rounds", offered)


class Ladder(Auction):
    """The bidding of players who bid over one another, and double, until all others have passed.

    It is one round, as long as it takes; ``passes`` are those since the last call.
    """

    def __init__(self, profile: Profile, modes: Sequence[Mode]) -> None:
        super().__init__(profile, modes)
        named: list[list[str]] = profile.given("bidding.modes")
        classes = [sorted(map(MODE_NAMES.index, names)) for names in named]
        self._can_be_bid = frozenset(mode for modes in classes for mode in modes)
        self.amounts = _amounts_of(profile)
        self._ladder, self._above = _ladder_of(tuple(map(tuple, classes)), self.amounts)
        self._raises: list[int] = profile.given("bidding.raises")
        self._pairs = profile.value("deal.sides") == "partners-opposite"

    def refusal(self, node: AuctionNode, choice: Bid) -> Refusal:
        """Return why the next player may not make a choice."""
        if choice is None:
            return MustName("bidding.must-name")
        if choice in RAISES:
            return MayNotDouble("bidding.raises")
        # What cannot be bid at all is refused as what is too low (ruling BG-R4).
        if self._bids_again(node) and self._above.get(choice, 0) > self._least(node.standing):
            return BidTooLow("bidding.last-bidder")
        if self._above.get(choice, 0) > self._least(node.standing) > 0:
            return BidTooLow("bidding.after-double")
        if mode_of_bid(choice) not in self._can_be_bid or not self.amounts:
            return BidTooLow("bidding.modes")
        amount = amount_of_bid(choice)
        low, high = (self._profile.value(rule) for rule in AMOUNT_RULES[:2])
        if CAPOT in (amount, node.standing and node.standing.bid):
            return BidTooLow("bidding.capot")
        if not low <= amount <= high:
            return BidTooLow(AMOUNT_RULES[amount > high])
        return BidTooLow("bidding.amounts" if amount in self.amounts else "bidding.amount-step")

    def ended_by(self, bids: Sequence[Bid], contract: DealContract | None) -> str:
        """Return the rule by which a bidding has ended, in a contract or in none."""
        if contract is not None and self._ends_at_capot(contract):
            return "bidding.capot"
        if contract is not None and (self._answers_alone(contract) or self._ends_at_redouble(bids[-1])):
            return "bidding.after-double"
        return super().ended_by(bids, contract)

    def out_of_turn(self, node: AuctionNode) -> str:
        """Return the rule by which the next player is not another one."""
        alone = node.standing is not None and self._answers_alone(node.standing)
        return "bidding.after-double" if alone else super().out_of_turn(node)

    def after(self, node: AuctionNode, choice: Bid) -> AuctionNode:
        """Return the bidding after one more legal choice."""
        standing, turn = node.standing, self._behind(node.turn)
        if choice is None:
            passes = node.passes + 1
            if standing is not None and passes == self._most_passes(standing):
                return taken(node, standing)
            if passes == self._players:
                return AuctionNode(node.dealer, node.turn_up, turn, node.round, passes)
            if standing is not None and self._answers_alone(standing):
                turn = self._behind(turn)
            return self._so_far(node, turn, passes, standing)
        if choice in RAISES:
            assert standing is not None
            raised = standing._replace(raised=self._raises[self._raised(standing)])
            is_over = self._answers_alone(raised) and self._raised(raised) == len(self._raises)
            if is_over or self._ends_at_redouble(choice):
                return taken(node, raised)
            if self._raised(raised) == 1 and self._profile.given("bidding.after-double") == "taker-answers":
                turn = standing.taker
            return self._so_far(node, turn, 0, raised)
        called = contract_of_bid(node.turn, choice, self._modes)
        if self._ends_at_capot(called):
            return taken(node, called)
        return self._so_far(node, turn, 0, called)

    def _ends_at_capot(self, called: DealContract) -> bool:
        return called.bid == CAPOT and bool(self._profile.given("bidding.capot") == "ends-bidding")

    def _ends_at_redouble(self, choice: Bid) -> bool:
        may_be_answered = len(self._raises) > len(RAISES)
        how = self._profile.given("bidding.after-double") if choice == REDOUBLE and not may_be_answered else ""
        return bool(how == "redouble-ends")

    def _answers_alone(self, standing: DealContract) -> bool:
        """Say whether only the side of a doubled contract still speaks, or its player alone."""
        return standing.raised > 1 and self._profile.given("bidding.after-double") in ("answer-alone", "taker-answers")

    def _most_passes(self, standing: DealContract) -> int:
        """Return how many passes in a row end a bidding with a contract: of all others, or of who answers a double."""
        if self._answers_alone(standing):
            return self._players // 2 if self._profile.given("bidding.after-double") == "answer-alone" else 1
        return self._players - (not self._speaks_again(standing))

    def _bids_again(self, node: AuctionNode) -> bool:
        return node.standing is not None and node.standing.raised == 1 and node.turn == node.standing.taker

    def _speaks_again(self, standing: DealContract) -> bool:
        """Say whether the last bidder speaks once more after all others have passed: not where he was doubled."""
        return bool(self.amounts) and standing.raised == 1 and self._profile.given("bidding.last-bidder") != "silent"

    def _so_far(self, node: AuctionNode, turn: int, passes: int, standing: DealContract | None) -> AuctionNode:
        """Return a bidding that goes on."""
        return self._asking(AuctionNode(node.dealer, node.turn_up, turn, node.round, passes, standing))

    def _agrees(self, suits: Sequence[Suit]) -> bool:
        return self._above == {_called(suits, bid): above for bid, above in self._above.items()}

    def _matters(self, node: AuctionNode) -> object:
        standing = node.standing
        if standing is None:
            return (node.turn - node.dealer) % self._players
        again = standing.mode.number if self._bids_again(node) else -1
        return self._least(standing), standing.raised, self._is_own(node.turn, standing), again

    def _least(self, standing: DealContract | None) -> int:
        """Return the place of the first bid that is higher than what stands."""
        return 0 if standing is None else self._above[bid_of(standing.mode.number, standing.bid or 0)]

    def _is_asked(self, node: AuctionNode) -> bool:
        return node.standing is None

    def _may_pass(self, rules: Trace, node: AuctionNode) -> bool:
        if node.standing is not None and node.standing.raised > 1:
            rules.given("bidding.after-double")
        elif node.standing is not None and self.amounts:
            rules.given("bidding.last-bidder")
        return super()._may_pass(rules, node)

    def _offered(self, rules: Trace, node: AuctionNode) -> tuple[tuple[int, ...], int]:
        rules.given("bidding.modes")
        for rule in AMOUNT_RULES if rules.given("bidding.amounts") == "points" else ():
            rules.value(rule)
        standing = node.standing
        if standing is not None and standing.raised > 1 and rules.given("bidding.after-double") != "open":
            return self._ladder, len(self._ladder)
        least = self._least(standing)
        if standing is None or not (self.amounts and self._bids_again(node)):
            return self._ladder, least
        if rules.given("bidding.last-bidder") != "other-suit":
            return self._ladder, least
        higher = [bid for bid in self._ladder[least:] if mode_of_bid(bid) != standing.mode.number]
        return tuple(higher), 0

    def _raise(self, rules: Trace, node: AuctionNode) -> tuple[int, ...]:
        raises: list[int] = rules.given("bidding.raises")
        standing = node.standing
        if standing is None or not raises:
            return ()
        rules.given("bidding.after-double")
        done = self._raised(standing)
        if done == len(raises):
            return ()
        # What is doubled a third time is doubled again.
        said = RAISES[done % len(RAISES)]
        return (said,) if self._is_own(node.turn, standing) == (said == REDOUBLE) else ()

    def _raised(self, standing: DealContract) -> int:
        """Return how often a contract was doubled and redoubled."""
        return 0 if standing.raised == 1 else self._raises.index(standing.raised) + 1

    def _is_own(self, seat: int, contract: DealContract) -> bool:
        apart = (seat - contract.taker) % self._players
        return apart == 0 or (self._pairs and apart % 2 == 0)


# The rules by which it is known which numbers can be bid.
AMOUNT_RULES: Final = (
    *("bidding.lowest-amount", "bidding.highest-amount", "bidding.amount-step"),
    *("bidding.capot", "bidding.first-step"),
)


# A search compiles thousands of profiles with the same bids; a ladder by amounts has some hundreds.
@lru_cache(maxsize=64)
def _ladder_of(
    classes: tuple[tuple[int, ...], ...], amounts: tuple[int, ...]
) -> tuple[tuple[int, ...], Mapping[int, int]]:
    """Return the bids from low to high, and for each the place of the first that is higher."""
    if amounts:
        # Then it is by the amount alone that one bid is higher than another.
        steps = [[bid_of(mode, amount) for modes in classes for mode in modes] for amount in amounts]
    else:
        steps = [[bid_of(mode) for mode in modes] for modes in classes]
    behind = accumulate(map(len, steps))
    above = {bid: place for step, place in zip(steps, behind, strict=True) for bid in step}
    return tuple(chain.from_iterable(steps)), above


def _amounts_of(profile: Profile) -> tuple[int, ...]:
    if profile.given("bidding.amounts") == "none":
        return ()
    low, high, step = (profile.value(rule) for rule in AMOUNT_RULES[:3])
    capot = () if profile.given("bidding.capot") == "none" else (CAPOT,)
    first = profile.given("bidding.first-step")
    return (low, *range(low + (step if first == "like-the-others" else first), high + 1, step), *capot)


def auction_of(profile: Profile, modes: Sequence[Mode], *, is_ladder: bool) -> Auction:
    """Return the graph of a profile, a ladder where players bid over one another."""
    # With nothing but these rules in its hands, a graph cannot come to depend on any other.
    settings = {rule: setting for rule, setting in profile.settings.items() if is_of_bidding(rule)}
    bidding = replace(profile, settings=settings)
    return Ladder(bidding, modes) if is_ladder else BidRounds(bidding, modes)


@cache
def is_of_bidding(rule: str) -> bool:
    """Say whether players may bid by a rule, beside the modes of the table."""
    return rule.startswith("bidding.") or rule in ("deal.players", "deal.sides", "deal.turn-up")


def taken(node: AuctionNode, contract: DealContract) -> AuctionNode:
    """Return the end of a bidding by a contract."""
    return AuctionNode(node.dealer, node.turn_up, contract.taker, node.round, node.passes, None, contract)
