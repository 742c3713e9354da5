"""An answered question as its features are asked of it, looked at once: the trick, the auction or the deal in it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from belot_reference.bids import CAPOT, DOUBLE, RAISES, Bid, amount_of_bid, bid_named, mode_of_bid
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    NO_CARDS,
    SUIT_CARDS,
    Card,
    CardSet,
    cards_in,
    rank_of,
    suit_of,
    union,
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

# What cannot be known of a question that is refused before it comes so far.
_UNKNOWN: Final = ("not-your-turn", "deal-over", "wrong-phase", "bad-cut", "bad-shuffle")


class Put(NamedTuple):
    """A question with the right answer: a message of the protocol."""

    rules: Ruleset
    operation: str
    question: Json
    message: Json


class View:
    """A question: its cards, and the right result, empty where it is refused for a ``reason`` and ``at`` a place."""

    def __init__(self, put: Put) -> None:
        self.rules, self.question = put.rules, put.question
        self.result: Json = put.message.get("result", {})
        refused: Json = put.message.get("rejected", {})
        self.reason: str = refused.get("reason", "")
        self.at: int | None = refused.get("at")
        self.cards = set_named(self.question.get("cards", self.question.get("hand", ())))
        if "trump" in self.question:
            self.mode = mode_named(self.rules, self.question["trump"])


class Trick:
    """A trick so far; ``follows`` and ``trumps`` are how many cards of their suit those of the next hand beat."""

    def __init__(
        self, rules: Ruleset, mode: Mode, leader: int, cards: Sequence[Card], hand: CardSet = NO_CARDS
    ) -> None:
        self.rules, self.mode, self.leader, self.cards, self.hand = rules, mode, leader, cards, hand
        node, self.count, players = table_of(rules, mode, leader, cards).node, len(cards), rules.players
        self.best, self.winning, self.best_led = node.winner, node.winning, node.best_led
        self.winner = (leader + node.winner) % players
        self.led = suit_of(cards[0]) if cards else NO_SUIT
        self.trump = mode.trumps[self.led] if cards else NO_SUIT
        self.ruffs = [place for place, card in enumerate(cards) if suit_of(card) == self.trump != self.led]
        self.discards = [card for card in cards if suit_of(card) not in (self.led, self.trump)]
        self.partner_played = rules.side_count < players and self.count >= players // 2
        self.partner_wins = self.partner_played and self.best == self.count - players // 2
        trumps = SUIT_CARDS[self.trump] if self.trump != NO_SUIT else NO_CARDS if cards else mode.trump_cards
        self.trumps = [self.strength(card) for card in cards_in(hand & trumps)]
        self.follows = [self.strength(card) for card in cards_in(hand & SUIT_CARDS[self.led])] if cards else []
        self.legal = 0
        self.height = self.strength(node.best_led) if cards else -1
        self.ruff = self.strength(node.winning) if self.ruffs else 99

    def strength(self, card: Card) -> int:
        """Return how many cards of its suit a card beats."""
        return self.mode.strength[suit_of(card)][rank_of(card)]

    def plain(self, card: Card) -> int:
        """Return the same where its suit is not trump."""
        return self.rules.plain_strength[rank_of(card)]

    def kind(self, card: Card) -> tuple[int, int]:
        """Whether a card is trump, and whether it is of the suit led: what counts before its strength."""
        return suit_of(card) == self.trump, suit_of(card) == self.led

    def best_by(self, order: Callable[["Trick", Card], tuple[int, ...]]) -> int:
        """Return the place of the card that would win by another order, of equals the first."""
        return max(range(self.count), key=lambda place: order(self, self.cards[place]), default=self.best)


def trick_of(put: Put) -> Trick:
    """Return the trick of a question about one, with how many cards may be played."""
    question, mode = put.question, mode_named(put.rules, put.question["trump"])
    if put.operation == "trick-winner":
        return Trick(put.rules, mode, question["leader"], cards_named(question["cards"]))
    found = Trick(put.rules, mode, 0, cards_named(question["trick"]), set_named(question["hand"]))
    found.legal = len(put.message["result"]["cards"])
    return found


class Hand(View):
    """A hand, and what can be announced of it."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        self.runs, self.squares = [*runs_in(self.rules, self.cards)], [*squares_in(self.rules, self.cards)]
        held = [{rank_of(card) for card in cards_in(self.cards & SUIT_CARDS[suit])} for suit in EVERY_SUIT]
        self.places = [{self.rules.sequence_position[rank] for rank in ranks} for ranks in held]
        self.fours = len(set.intersection(*held))


class Belote(View):
    """A hand as it is played, with what is said of belote: ``royals`` are the places of king and queen of trump."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        self.plays: Sequence[Json] = self.question["plays"]
        self.calls = [place for place, one in enumerate(self.plays) if one.get("call")]
        self.royals = [place for place, one in enumerate(self.plays) if self.mode.pair_of[CARD_BY_NAME[one["card"]]]]
        self.first = self.plays[self.royals[0]]["card"][0] if self.royals else ""


def kind_of_bid(bid: Bid) -> str:
    """Return ``pass``, ``double``, ``redouble``, ``capot`` or ``bid``."""
    if bid is None or bid in RAISES:
        return "pass" if bid is None else "double" if bid == DOUBLE else "redouble"
    return "capot" if amount_of_bid(bid) == CAPOT else "bid"


class Auction:
    """A bidding up to where it is decided: its end, or the call that is refused.

    ``calls`` are kinds, ``named`` all bids with their seats. In pairs with how many seats after the bidder of then, or
    of now, the seat is, ``made`` are the calls that were made or may be next, ``outbid`` and ``renamed`` who outbid or
    named again the mode of whom.
    """

    def __init__(self, rules: Ruleset, dealer: int, turn_up: Card | None, bids: Sequence[Bid], at: int | None) -> None:
        self.rules, self.dealer, self.refused = rules, dealer, "" if at is None else kind_of_bid(bids[at])
        self.suit = None if turn_up is None else suit_of(turn_up)
        node, bidder, self.raised, self.overbid = rules.auction.start(dealer, self.suit), UNTOLD, 0, False
        self.calls, self.seats, self.named = list[str](), list[int](), list[tuple[int, int]]()
        self.made = set[tuple[str, int]]()
        for bid in bids[:at]:
            kind = kind_of_bid(bid)
            self.calls.append(kind)
            self.seats.append(node.turn)
            self.made |= {(kind, self._place(node.turn, bidder))}
            if bid is not None and bid not in RAISES:
                self.overbid |= self.raised > 0
                bidder, self.raised = node.turn, 0
                self.named.append((node.turn, bid))
            self.raised += bid in RAISES
            node = rules.auction.after(node, bid)
        self.node, self.turn, self.bidder = node, node.turn, bidder
        self.choices = {kind_of_bid(bid) for bid in node.choices}
        self.speaks = self._place(node.turn, bidder) if self.choices else UNTOLD
        self.made |= {(kind, self.speaks) for kind in self.choices}
        self.standing = self.named[-1][1] if self.named else None
        self.mode = None if self.standing is None else rules.modes[mode_of_bid(self.standing)]
        self.passes = next((n for n, kind in enumerate(reversed(self.calls)) if kind != "pass"), len(self.calls))
        ended = "taken" if node.contract else "open" if self.choices else "failed"
        self.kinds = [kind for kind in self.calls if kind in ("bid", "capot")]
        self.pairs = {*pairwise(self.calls)}
        self.state = "refused" if at is not None else ended
        later = [
            ((there - here) % rules.players, bid, other) for (here, bid), (there, other) in combinations(self.named, 2)
        ]
        self.outbid = {place for place, _, _ in later}
        self.renamed = {place for place, bid, other in later if mode_of_bid(bid) == mode_of_bid(other)}
        self.bid_before = {(seat - node.turn) % rules.players for seat, _ in self.named} if self.choices else set()
        known = rules.auction.amounts
        self.amounts = [known.index(amount_of_bid(bid)) for _, bid in self.named] if known else []
        self.jumps = any(later > one + 1 for one, later in pairwise([-1, *self.amounts]))

    def _place(self, seat: int, bidder: int) -> int:
        return UNTOLD if bidder == UNTOLD else (seat - bidder) % self.rules.players


def auction_of(put: Put) -> Auction:
    """Return the auction of a question about one."""
    turn_up, bids = put.question.get("turn_up"), [*map(bid_named, put.question["bids"])]
    at = put.message.get("rejected", {}).get("at")
    return Auction(put.rules, put.question["dealer"], CARD_BY_NAME[turn_up] if turn_up else None, bids, at)


class Announced:
    """What each seat announces and which counts; ``every`` are all with their seats in turn, ``tied`` the best."""

    def __init__(self, rules: Ruleset, question: Json, seats: Sequence[Sequence[Declaration]], result: Json) -> None:
        self.rules, self.seats, self.side = rules, seats, rules.side_of
        self.mode, self.leader = mode_named(rules, question["trump"]), question["leader"]
        self.taker: int | None = question.get("taker")
        self.winner, self.points = result["winner"], result["points"]
        self.turn = [(self.leader + step) % rules.players for step in range(rules.players)]
        self.every = [(seat, one) for seat in self.turn for one in seats[seat]]
        self.sides = {self.side[seat] for seat, _ in self.every}
        self.tied = self._best(self.every)
        self.best = self.tied[0][1] if self.tied else None
        self.tied_seats = [*dict.fromkeys(seat for seat, _ in self.tied)]
        self.tied_sides = {self.side[seat] for seat in self.tied_seats}
        self.squares = [one for _, one in self.every if one.kind == "square"]
        self.runs = [one for _, one in self.every if one.kind != "square"]
        self.cards = union(one.cards for _, one in self.every)
        self.lost = sum(one.points for seat, one in self.every if not self.points[seat])

    def height(self, one: Declaration) -> tuple[int, ...]:
        """Return what a declaration is compared by, or where nothing is, what it is."""
        if self.rules.value_or("declarations.compared-by", None) is None:
            return one.kind == "square", one.length, one.top
        return strength(self.rules, one, self.mode)

    def _best(self, some: Sequence[tuple[int, Declaration]]) -> list[tuple[int, Declaration]]:
        top = max((self.height(one) for _, one in some), default=())
        return [(seat, one) for seat, one in some if self.height(one) == top]

    def best_of(self, place: int) -> list[int]:
        """Return who has the best of what each seat announces first, or last."""
        return [
            seat for seat, _ in self._best([(seat, self.seats[seat][place]) for seat in self.turn if self.seats[seat]])
        ]

    def among(self, seats: Sequence[int], *, sides: bool = False) -> set[str]:
        """Return who of the leader, the last in turn and the taker is among some seats, or on the side of one."""
        named = {"leader": self.leader, "last": self.turn[-1], "taker": self.taker}
        of = self.side if sides else range(self.rules.players)
        return {who for who, seat in named.items() if seat is not None and of[seat] in {of[one] for one in seats}}

    def equals(self) -> Iterator[tuple[int, int]]:
        """Yield each two seats that have equal declarations."""
        for (one, first), (other, second) in combinations(self.every, 2):
            if one != other and self.height(first) == self.height(second):
                yield one, other


def announced_of(put: Put) -> Announced:
    """Return what is announced in a question that compares."""
    rules, question, mode = put.rules, put.question, mode_named(put.rules, put.question["trump"])
    if "hands" in question:
        seats = [counted_by_themselves(rules, hand, mode) for hand in hands_named(rules, question["hands"])]
    else:
        seats = [tuple(identify(rules, set_named(one), mode) for one in own) for own in question["announced"]]
    return Announced(rules, question, seats, put.message["result"])


class Deal:
    """A deal that is settled: what was taken, what each side brings in, who won the last trick, what comes of it."""

    def __init__(
        self, rules: Ruleset, contract: DealContract, tallies: Sequence[Tally], settled: Any, last: int | None
    ) -> None:
        self.rules, self.contract, self.tallies, self.last = rules, contract, tallies, last
        self.mode, self.raised, self.bid = contract.mode, contract.raised, contract.bid
        self.taking, self.outcome, self.counted = rules.side_of[contract.taker], settled.outcome, settled.counted
        self.own = tallies[self.taking]
        self.others = [one for side, one in enumerate(tallies) if side != self.taking]
        winners = [side for side, one in enumerate(tallies) if one.tricks]
        self.swept_by = winners[0] if len(winners) == 1 else None
        self.trickless = [one for one in tallies if not one.tricks]
        self.to_beat = points_to_beat(rules, self.counted, self.taking)
        self.margin = self.counted[self.taking] - self.to_beat
        self.score, self.held, best = settled.score, settled.held, max(settled.score)
        self.winner = list(self.score).index(best) if list(self.score).count(best) == 1 else None
        unit: int = rules.value("scoring.sheet-unit")
        self.rests = [2 * (points % unit) - unit for points in settled.points if points % unit]

    def hangs_on(self, **nothing: int) -> bool:
        """Say whether it would end otherwise without the points of a kind."""
        tallies = [replace(one, **nothing) for one in self.tallies]
        return bool(settle(self.rules, self.contract, tallies).outcome != self.outcome)


def deal_of_sums(rules: Ruleset, question: Json) -> Deal:
    """Return the deal that sums tell."""
    return Deal(rules, *settle_sums(rules, question), question.get("last_trick"))


def scored_of(put: Put) -> Deal:
    """Return the deal of a question that tells sums."""
    return deal_of_sums(put.rules, put.question)


def _deal_of_tricks(rules: Ruleset, contract: DealContract, result: Json, told: Sequence[Json]) -> Deal:
    """Return the deal of a result that tells its tricks, given what each side has besides cards."""
    won = [rules.side_of[trick["winner"]] for trick in result["tricks"]]
    tallies = [Tally(cards, won.count(side), **told[side]) for side, cards in enumerate(result["cards"])]
    return Deal(rules, contract, tallies, SimpleNamespace(**result), won[-1])


class Settled(View):
    """A deal that is told by its tricks."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        rules, contract = self.rules, contract_named(self.rules, self.question)
        told = self.question.get("sides", ({},) * rules.side_count)
        self.deal = _deal_of_tricks(rules, contract, self.result, told)
        self.tricks = [
            Trick(rules, self.mode, one["leader"], cards_named(one["cards"])) for one in self.question["tricks"]
        ]


class Match(View):
    """A match; ``held`` are the points held before each deal and at the end, ``last`` the totals at the end."""

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        self.told: Sequence[Json] = self.question["deals"]
        self.scored = [deal_of_sums(self.rules, one["scored"]) for one in self.told if "scored" in one]
        self.lines: Sequence[Json] = self.result.get("deals", ())
        self.held = [self.question.get("held", 0), *(line["held"] for line in self.lines)]
        self.totals = [line["totals"] for line in self.lines]
        self.last: Sequence[int] = self.totals[-1] if self.totals else ()
        self.taking = self.scored[-1].taking if self.told and "scored" in self.told[-1] else None
        self.won: int | None = self.result.get("winner")
        self.target: int = self.rules.value("match.target")

    def over(self, totals: Sequence[int]) -> int:
        """Return how many sides are at the target."""
        return sum(total >= self.target for total in totals)

    def has(self, kind: str, *, held: bool = False) -> bool:
        """Say whether a deal is of this kind, perhaps while points are held."""
        return any(kind in one and (before or not held) for before, one in zip(self.held, self.told, strict=False))


class Recorded(View):
    """A recorded deal: its auction, its tricks, what was announced and how it was settled, as far as there are such."""

    auction: Auction | None = None
    announced: Announced | None = None
    deal: Deal | None = None
    contract: DealContract | None = None

    def __init__(self, put: Put) -> None:
        super().__init__(put)
        rules, question = self.rules, self.question
        told = deal_of_tricks(question, rules.players) if "tricks" in question else question
        actions: Sequence[Json] = told["actions"]
        self.done, self.actions = actions[: self.at], actions if self.at is None else actions[: self.at + 1]
        self.failing = self.actions[-1] if len(self.actions) > len(self.done) else {}
        bids = [bid_named(one["bid"]) for one in self.actions if "bid" in one]
        if bids and self.reason not in _UNKNOWN:
            at = len(bids) - 1 if "bid" in self.failing else None
            self.auction = Auction(rules, question["dealer"], self._turn_up(), bids, at)
            self.contract = self.auction.node.contract
        elif "taker" in question:
            self.contract = contract_named(rules, question)
        plays = [(one["seat"], CARD_BY_NAME[one["play"]]) for one in self.done if "play" in one]
        self.tricks = []
        if (contract := self.contract) is not None:
            parts = [plays[start : start + rules.players] for start in range(0, len(plays), rules.players)]
            self.tricks = [Trick(rules, contract.mode, one[0][0], [card for _, card in one]) for one in parts]
        if contract is not None and self.result.get("ended") == "played":
            names = ("declarations", "outranked", "belote")
            sides = [{name: self.result[name][side] for name in names} for side in range(rules.side_count)]
            self.deal = _deal_of_tricks(rules, contract, self.result, sides)
            self.announced = self._announced(contract)

    def _announced(self, contract: DealContract) -> Announced:
        rules, seats = self.rules, list[list[Declaration]]()
        for seat in range(rules.players):
            told = [one for act in self.done if act["seat"] == seat for one in act.get("announce", ())]
            seats.append([identify(rules, set_named(one), contract.mode) for one in told])
        points = [self.result["declarations"][rules.side_of[seat]] if own else 0 for seat, own in enumerate(seats)]
        question = {"trump": contract.mode.name, "leader": self.tricks[0].leader, "taker": contract.taker}
        return Announced(rules, question, seats, {"winner": None, "points": points})

    def _turn_up(self) -> Card | None:
        if self.rules.value("deal.turn-up") == "none" or "deck" not in self.question:
            told = self.question.get("turn_up")
            return None if told is None else CARD_BY_NAME[told]
        return deal_before_bidding(
            self.rules, self.question["dealer"], shuffled_and_cut(self.rules, self.question)
        ).turn_up

    def count(self, name: str) -> int:
        """Return how many actions have a field."""
        return sum(name in one for one in self.actions)
