"""An answered question as it is looked at, once, so that its features can be asked: the trick, auction or deal in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from belot_reference.bids import CAPOT, DOUBLE, RAISES, Bid, amount_of_bid, bid_named, mode_of_bid
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    rank_of,
    ranks_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.contract import UNTOLD, DealContract
from belot_reference.dealing import deal_before_bidding
from belot_reference.declarations import Declaration, counted_by_themselves, identify, runs_in, squares_in, strength
from belot_reference.mode import Mode
from belot_reference.opening import shuffled_and_cut
from belot_reference.operations import settle_sums
from belot_reference.play import table_of
from belot_reference.questions import Json, cards_named, contract_named, hands_named, mode_named, set_named
from belot_reference.scoring import Tally, points_to_beat, settle
from belot_reference.tricks import NO_SUIT
from belot_reference.tricks_told import deal_of_tricks
from belot_spec.card_names import CARD_NAMES


class Put(NamedTuple):
    """A question with the right answer: a message of the protocol."""

    rules: Ruleset
    operation: str
    question: Json
    message: Json


class View:
    """A question as it stands; ``result`` is the right one, empty where it is refused, for a ``reason`` and ``at`` a place."""

    def __init__(self, put: Put) -> None:
        self.rules, self.question = put.rules, put.question
        self.result: Json = put.message.get("result", {})
        refused: Json = put.message.get("rejected", {})
        self.reason: str = refused.get("reason", "")
        self.at: int | None = refused.get("at")

    @cached_property
    def mode(self) -> Mode:
        """The mode that the question names."""
        return mode_named(self.rules, self.question["trump"])

    @cached_property
    def cards(self) -> CardSet:
        """The cards that it is about."""
        return set_named(self.question.get("cards", self.question.get("hand", ())))


class Hand(View):
    """A hand, and what can be announced of it."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        self.runs, self.squares = [*runs_in(self.rules, self.cards)], [*squares_in(self.rules, self.cards)]
        ranks = [ranks_of(self.cards, suit) for suit in EVERY_SUIT]
        self.fours = (ranks[0] & ranks[1] & ranks[2] & ranks[3]).bit_count()

    @property
    def ends_meet(self) -> bool:
        """Whether it has the highest and the lowest of a suit, and one beside them."""
        places = [{self.rules.sequence_position[rank_of(card)] for card in _cards(self.cards & suit)} for suit in SUIT_CARDS]
        return any({0, 7} <= own and own & {1, 6} for own in places)


class Belote(View):
    """A hand as it is played, with what is said of belote."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        self.plays: Sequence[Json] = self.question["plays"]
        self.calls = [bool(one.get("call")) for one in self.plays]
        at = [place for place, one in enumerate(self.plays) if self.is_royal(one["card"])]
        self.royals = [self.plays[place]["card"][0] for place in at]
        self.royal_calls = [self.calls[place] for place in at]
        self.apart = at[1] - at[0] if len(at) > 1 else 0

    def is_royal(self, card: str) -> bool:
        """Say whether a card is king or queen of trump."""
        return bool(self.mode.pair_of[CARD_BY_NAME[card]])


class Counted(View):
    """Ways of playing on that are counted."""

    @property
    def held(self) -> int:
        """How many cards there are."""
        return sum(map(len, self.question.get("hands", ()))) + 2 * sum(map(len, self.question.get("piles", ())))


@dataclass
class Trick:
    """A trick as far as it was played, and the hand that is to play to it, if that is asked."""

    rules: Ruleset
    mode: Mode
    leader: int
    cards: Sequence[Card]
    hand: CardSet = NO_CARDS
    legal: int = 0

    def __post_init__(self) -> None:
        self.node = table_of(self.rules, self.mode, self.leader, self.cards).node
        self.count, self.best = len(self.cards), self.node.winner
        self.led = suit_of(self.cards[0]) if self.cards else NO_SUIT
        self.trump = self.mode.trumps[self.led] if self.cards else NO_SUIT
        self.trump_led = self.led == self.trump != NO_SUIT
        suits = [suit_of(card) for card in self.cards]
        self.ruffs = [place for place, suit in enumerate(suits) if suit == self.trump != self.led]
        self.discards = [card for card, suit in zip(self.cards, suits, strict=True) if suit not in (self.led, self.trump)]

    @property
    def winner(self) -> int:
        """The seat that wins, or is winning."""
        return (self.leader + self.best) % self.rules.players

    def strength(self, card: Card) -> int:
        """How many cards of its suit a card beats."""
        return self.mode.strength[suit_of(card)][rank_of(card)]

    def plain(self, card: Card) -> int:
        """The same by the order of suits that are not trump."""
        return self.rules.plain_strength[rank_of(card)]

    def as_trump(self, card: Card) -> int:
        """The same by the order of trumps."""
        return self.rules.trump_strength[rank_of(card)]

    def another_wins(self, order: Callable[[Card], int], *, discards: bool = False, ruffs: bool = True) -> bool:
        """Say whether another card would win by this order, or if cards of other suits won, or trumps did not."""

        def height(card: Card) -> tuple[bool, bool, int]:
            suit = suit_of(card)
            return ruffs and suit == self.trump, discards or suit == self.led, order(card)

        return max(range(self.count), key=lambda place: height(self.cards[place]), default=self.best) != self.best

    @cached_property
    def is_paired(self) -> bool:
        """Whether the player to move has a partner who has played."""
        return self.rules.side_count < self.rules.players and self.count >= self.rules.players // 2

    @property
    def partner_wins(self) -> bool:
        """Whether the partner of the player to move is winning."""
        return self.is_paired and self.best == self.count - self.rules.players // 2

    @cached_property
    def follows(self) -> Sequence[int]:
        """How much each card of the suit led beats, of those that the hand holds."""
        return [self.strength(card) for card in _cards(self.hand & SUIT_CARDS[self.led])] if self.cards else ()

    @cached_property
    def trumps(self) -> Sequence[int]:
        """The same of the trumps in the hand."""
        held = self.mode.trump_cards if not self.cards else SUIT_CARDS[self.trump] if self.trump != NO_SUIT else NO_CARDS
        return [self.strength(card) for card in _cards(self.hand & held)]

    @property
    def height(self) -> int:
        """How much the best card of the suit led beats."""
        return self.strength(self.node.best_led)

    @property
    def ruff(self) -> int:
        """How much the winning ruff beats, more than any card where there is none."""
        return self.strength(self.node.winning) if self.ruffs else 99


def _cards(cards: CardSet) -> list[Card]:
    return [card for card in CARD_BY_NAME.values() if cards & ONLY[card]]


def trick_of(put: Put) -> Trick:
    """Return the trick of a question about one."""
    question, mode = put.question, mode_named(put.rules, put.question["trump"])
    if put.operation == "trick-winner":
        return Trick(put.rules, mode, question["leader"], cards_named(question["cards"]))
    legal = len(put.message["result"]["cards"])
    return Trick(put.rules, mode, 0, cards_named(question["trick"]), set_named(question["hand"]), legal)


class Said(NamedTuple):
    """What somebody said, with who stood as bidder by then; how often the bid was doubled."""

    seat: int
    bid: Bid
    bidder: int | None
    raised: int

    @property
    def kind(self) -> str:
        """What kind of a call it is."""
        return kind_of_bid(self.bid)


def kind_of_bid(bid: Bid) -> str:
    """Return ``pass``, ``double``, ``redouble``, ``capot`` or ``bid``."""
    if bid is None:
        return "pass"
    if bid in RAISES:
        return "double" if bid == DOUBLE else "redouble"
    return "capot" if amount_of_bid(bid) == CAPOT else "bid"


class Auction:
    """A bidding up to where it is decided: its end, or the call that is refused."""

    def __init__(self, rules: Ruleset, dealer: int, turn_up: str | None, bids: Sequence[Bid], at: int | None) -> None:
        self.rules, self.dealer = rules, dealer
        suit = None if turn_up is None else suit_of(CARD_BY_NAME[turn_up])
        self.turn_up = suit
        self.refused = bids[at] if at is not None else None
        self.is_refused = at is not None
        node = rules.auction.start(dealer, suit)
        self.said: list[Said] = []
        bidder, raised = None, 0
        for bid in bids if at is None else bids[:at]:
            self.said.append(Said(node.turn, bid, bidder, raised))
            if bid in RAISES:
                raised += 1
            elif bid is not None:
                bidder, raised = node.turn, 0
            node = rules.auction.after(node, bid)
        self.node, self.turn, self.bidder, self.raised = node, node.turn, bidder, raised
        self.choices = {kind_of_bid(bid) for bid in node.choices}
        self.named = [one for one in self.said if one.kind in ("bid", "capot")]
        self.standing = self.named[-1].bid if self.named else None
        self.passes = next((n for n, one in enumerate(reversed(self.said)) if one.bid is not None), len(self.said))

    @property
    def state(self) -> str:
        """How it stands: ``refused``, ``taken``, ``failed`` or ``open``."""
        return "refused" if self.is_refused else "taken" if self.node.contract else "open" if self.choices else "failed"

    def place(self, seat: int, bidder: int | None) -> int | None:
        """Return how many seats after a bidder a seat is; ``None`` where nobody has bid."""
        return None if bidder is None else (seat - bidder) % self.rules.players

    @property
    def speaks(self) -> int | None:
        """How many seats after the bidder the player to speak is."""
        return self.place(self.turn, self.bidder) if self.choices else None

    def is_or_may_be(self, kind: str, place: int) -> bool:
        """Say whether a kind of call was made, or may be now, so many seats after the bidder of then."""
        made = any(one.kind == kind and self.place(one.seat, one.bidder) == place for one in self.said)
        return made or (kind in self.choices and self.speaks == place)

    def is_said_after(self, kind: str, before: str) -> bool:
        """Say whether a kind of call follows at once on another."""
        kinds = [one.kind for one in self.said]
        return (before, kind) in pairwise(kinds)

    def named_by(self, place: int, *, again: bool = False) -> bool:
        """Say whether a bid was outbid so many seats later, in the same mode where it is named again."""
        return any(
            (later.seat - one.seat) % self.rules.players == place
            and (not again or mode_of_bid(later.bid or 0) == mode_of_bid(one.bid or 0))
            for number, one in enumerate(self.named)
            for later in self.named[number + 1 :]
        )

    @cached_property
    def amounts(self) -> list[int]:
        """The numbers that were bid, as their places among those that may be."""
        known = self.rules.auction.amounts
        return [known.index(amount_of_bid(one.bid or 0)) for one in self.named] if known else []

    @property
    def jumps(self) -> bool:
        """Whether a bid is higher than it need be."""
        return any(later > one + 1 for one, later in pairwise(self.amounts)) or self.amounts[:1] > [0]


def mode_of_call(rules: Ruleset, bid: Bid) -> str | None:
    """Return the kind of the mode that a bid names."""
    return None if bid is None else rules.modes[mode_of_bid(bid)].kind


def auction_of(put: Put) -> Auction:
    """Return the auction of a question about one."""
    at = put.message.get("rejected", {}).get("at")
    return Auction(put.rules, put.question["dealer"], put.question.get("turn_up"), [*map(bid_named, put.question["bids"])], at)


@dataclass
class Announced:
    """What each seat announces, and how it compares."""

    rules: Ruleset
    mode: Mode
    leader: int
    taker: int
    seats: Sequence[Sequence[Declaration]]
    winner: int | None
    points: Sequence[int]

    def __post_init__(self) -> None:
        turn = [(self.leader + step) % self.rules.players for step in range(self.rules.players)]
        self.every = [(seat, one) for seat in turn for one in self.seats[seat]]
        ranked = [(self.height(one), seat, one) for seat, one in self.every]
        top = max((height for height, _, _ in ranked), default=())
        self.tied = [(seat, one) for height, seat, one in ranked if height == top]
        self.best = self.tied[0][1] if self.tied else None
        self.lower = [(height, seat) for height, seat, _ in ranked if height != top]
        self.turn = turn

    def height(self, one: Declaration) -> tuple[int, ...]:
        """Return what a declaration is compared by, or where nothing is, what it is."""
        if self.rules.value_or("declarations.compared-by", None) is None:
            return one.kind == "square", one.length, one.top
        return strength(self.rules, one, self.mode)

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return self.rules.side_of[seat]

    @property
    def is_best_square(self) -> bool:
        """Whether the best is a square."""
        return self.best is not None and self.best.kind == "square"

    @cached_property
    def sides(self) -> set[int]:
        """The sides that announce anything."""
        return {self.side(seat) for seat, _ in self.every}

    @property
    def best_sides(self) -> set[int]:
        """The sides that have the best."""
        return {self.side(seat) for seat, _ in self.tied}

    def has(self, test: Callable[[Declaration], bool]) -> int:
        """Return how many declarations are of a kind."""
        return sum(test(one) for _, one in self.every)

    def wins(self, seat: int) -> bool:
        """Say whether a seat's declarations count."""
        return self.points[seat] > 0

    def equals(self, *, partners: bool) -> bool:
        """Say whether two seats, of one side or of two, have equal declarations."""
        return any(
            one != other and self.height(first) == self.height(second) and (self.side(one) == self.side(other)) == partners
            for one, first in self.every
            for other, second in self.every
        )


def announced_of(put: Put) -> Announced:
    """Return what is announced in a question that compares."""
    rules, question, result = put.rules, put.question, put.message["result"]
    mode = mode_named(rules, question["trump"])
    if "hands" in question:
        seats = [counted_by_themselves(rules, hand, mode) for hand in hands_named(rules, question["hands"])]
    else:
        seats = [tuple(identify(rules, set_named(one), mode) for one in own) for own in question["announced"]]
    return Announced(rules, mode, question["leader"], question.get("taker", UNTOLD), seats, result["winner"], result["points"])


@dataclass
class Deal:
    """A deal that is settled: what was taken, what each side brings in, and what the settlement says."""

    rules: Ruleset
    contract: DealContract
    tallies: Sequence[Tally]
    settled: Any
    last: int | None = None

    def __post_init__(self) -> None:
        self.mode, self.raised, self.bid = self.contract.mode, self.contract.raised, self.contract.bid
        self.taking = self.rules.side_of[self.contract.taker]
        self.own = self.tallies[self.taking]
        self.others = [one for side, one in enumerate(self.tallies) if side != self.taking]
        self.swept_by = [side for side, one in enumerate(self.tallies) if one.tricks]
        self.outcome, self.counted = self.settled.outcome, self.settled.counted
        self.to_beat = points_to_beat(self.rules, self.counted, self.taking)
        self.margin = self.counted[self.taking] - self.to_beat
        self.most_raised = max(self.rules.value_or("bidding.raises", []), default=1)

    @property
    def swept(self) -> bool:
        """Whether one side has every trick."""
        return len(self.swept_by) == 1

    @property
    def trickless(self) -> Sequence[Tally]:
        """The sides without a trick."""
        return [one for one in self.tallies if not one.tricks]

    @property
    def winner(self) -> int | None:
        """The side with the best score, if there is one."""
        score = self.settled.score
        return None if sorted(score)[-1] == sorted(score)[-2] else list(score).index(max(score))

    def hangs_on(self, **nothing: int) -> bool:
        """Say whether it would end otherwise without the points of a kind."""
        tallies = [replace(one, **nothing) for one in self.tallies]
        return bool(settle(self.rules, self.contract, tallies).outcome != self.outcome)

    @cached_property
    def rests(self) -> Sequence[tuple[int, int]]:
        """What is beyond whole score points of each side, and how much a score point is."""
        unit: int = self.rules.value("scoring.sheet-unit")
        return [(points % unit, unit) for points in self.settled.points]


class _Told:
    """A settlement as a result tells it."""

    def __init__(self, result: Json) -> None:
        self.outcome, self.counted = result["outcome"], result["counted"]
        self.points, self.score, self.held = result["points"], result["score"], result["held"]


def deal_of(rules: Ruleset, question: Json) -> Deal:
    """Return the deal that sums tell."""
    return Deal(rules, *settle_sums(rules, question), question.get("last_trick"))


def scored_of(put: Put) -> Deal:
    """Return the deal of a question that tells sums."""
    return deal_of(put.rules, put.question)


class Settled(View):
    """A deal that is told by its tricks."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        rules, question, result = self.rules, self.question, self.result
        contract = contract_named(rules, question)
        won = [rules.side_of[trick["winner"]] for trick in result["tricks"]]
        told = question.get("sides", ({},) * rules.side_count)
        tallies = [Tally(cards, won.count(side), **told[side]) for side, cards in enumerate(result["cards"])]
        self.deal = Deal(rules, contract, tallies, _Told(result), won[-1])
        self.tricks = [Trick(rules, contract.mode, one["leader"], cards_named(one["cards"])) for one in question["tricks"]]


class Match(View):
    """A match as it is booked deal by deal."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        told = self.question["deals"]
        self.told: Sequence[Json] = told if self.at is None else told[: self.at]
        self.scored = [deal_of(self.rules, one["scored"]) for one in told if "scored" in one]
        self.lines: Sequence[Json] = self.result.get("deals", ())
        self.held = [self.question.get("held", 0), *(line["held"] for line in self.lines)]
        self.totals = [line["totals"] for line in self.lines]
        self.target: int = self.rules.value("match.target")

    def over(self, totals: Sequence[int]) -> int:
        """Return how many sides are at the target."""
        return sum(total >= self.target for total in totals)

    @property
    def last(self) -> Sequence[int]:
        """The totals at the end, none where a deal is refused."""
        return self.totals[-1] if self.totals else ()

    @property
    def taking(self) -> int | None:
        """The side that took the last deal."""
        last = self.told[-1].get("scored") if self.told else None
        return None if last is None else self.rules.side_of[last["taker"]]


class Recorded(View):
    """A recorded deal: its auction, its tricks, what was announced and how it was settled, as far as there are such."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        rules, question = self.rules, self.question
        if "tricks" in question:
            question = deal_of_tricks(question, rules.players)
        actions: Sequence[Json] = question["actions"]
        self.actions = actions if self.at is None else actions[: self.at + 1]
        done = actions if self.at is None else actions[: self.at]
        bids = [bid_named(one["bid"]) for one in actions if "bid" in one]
        said = sum("bid" in one for one in done)
        at = said if self.at is not None and self.at < len(actions) and "bid" in actions[self.at] else None
        out_of_turn = self.reason in ("not-your-turn", "deal-over", "wrong-phase", "bad-cut", "bad-shuffle")
        self.auction = None
        if bids and not out_of_turn:
            self.auction = Auction(rules, question["dealer"], self._turn_up, bids[: said + (at is not None)], at)
        contract = self.auction.node.contract if self.auction is not None else None
        self.contract = contract_named(rules, question) if "taker" in question and not bids else contract
        self.tricks, self.announced, self.deal = self._tricks(done), None, None
        self.played = self.result.get("ended") == "played"
        if self.played and self.contract is not None:
            self.deal = self._deal(self.contract)
            self.announced = self._announced(self.contract)
        self.last_refused: Json = actions[self.at] if self.at is not None and self.at < len(actions) else {}

    @property
    def _turn_up(self) -> str | None:
        if self.rules.value("deal.turn-up") == "none" or "deck" not in self.question:
            return self.question.get("turn_up")
        found = deal_before_bidding(self.rules, self.question["dealer"], shuffled_and_cut(self.rules, self.question)).turn_up
        return None if found is None else CARD_NAMES[found]

    def _tricks(self, done: Sequence[Json]) -> list[Trick]:
        plays = [(one["seat"], CARD_BY_NAME[one["play"]]) for one in done if "play" in one]
        if self.contract is None:
            return []
        whole = [plays[start : start + self.rules.players] for start in range(0, len(plays), self.rules.players)]
        return [Trick(self.rules, self.contract.mode, one[0][0], [card for _, card in one]) for one in whole]

    def _announced(self, contract: DealContract) -> Announced:
        rules = self.rules
        told = [[one for action in self.actions if action["seat"] == seat for one in action.get("announce", ())] for seat in range(rules.players)]
        seats = [tuple(identify(rules, set_named(one), contract.mode) for one in own) for own in told]
        points = [self.result["declarations"][rules.side_of[seat]] if own else 0 for seat, own in enumerate(seats)]
        return Announced(rules, contract.mode, self.tricks[0].leader, contract.taker, seats, None, points)

    def _deal(self, contract: DealContract) -> Deal:
        rules, result = self.rules, self.result
        won = [rules.side_of[trick["winner"]] for trick in result["tricks"]]
        names = ("declarations", "outranked", "belote")
        tallies = [
            Tally(cards, won.count(side), **{name: result[name][side] for name in names})
            for side, cards in enumerate(result["cards"])
        ]
        return Deal(rules, contract, tallies, _Told(result), won[-1])

    def count(self, name: str) -> int:
        """Return how many actions have a field."""
        return sum(name in one for one in self.actions)
