"""What there is in an answered question, as its features are asked of it: the trick, the auction or the deal in it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import Any, Final

from belot_conformance.questions.operation import Question
from belot_reference.bidding import may_speak_out_of_turn
from belot_reference.bids import CAPOT, DOUBLE, RAISES, Bid, amount_of_bid, bid_named, mode_of_bid, said_bid
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
from belot_reference.deal import deal_before_bidding, shuffled_and_cut
from belot_reference.declarations import Declaration, counted_by_themselves, identify, runs_in, squares_in, strength
from belot_reference.mode import KINGS, NO_TRUMPS, QUEENS, SUIT, Mode
from belot_reference.operations import settle_sums
from belot_reference.play import table_of
from belot_reference.questions import Json, cards_named, contract_named, hands_named, mode_named, set_named
from belot_reference.replay import deal_of_tricks, sides_told
from belot_reference.scoring import Tally, points_to_beat, settle
from belot_reference.tricks import NO_SUIT
from belot_spec.card_names import CARD_NAMES, RANKS

# What is so of a question, or of a part of it, by the names that ``features.yaml`` asks it by.
Facts = dict[str, Any]

# What is the same in all questions.
_ALIKE: Final[Facts] = {"SUIT": SUIT, "NO_TRUMPS": NO_TRUMPS, "CAPOT": CAPOT, "KINGS": KINGS, "QUEENS": QUEENS,
                        "KING": RANKS.index("K"), "QUEEN": RANKS.index("Q"), "rank_of": rank_of}  # fmt: skip
# What cannot be known of a question that is refused before it comes so far.
_UNKNOWN: Final = ("not-your-turn", "deal-over", "wrong-phase", "bad-cut", "bad-shuffle")
_EXTRAS: Final = ("declarations", "outranked", "belote")


@dataclass(frozen=True, slots=True)
class Put(Question):
    """A question with the right answer by some rules: a message of the protocol."""

    rules: Ruleset
    answer: Json


def look(put: Put) -> Facts:
    """Return what is so of a question and its right answer; of its parts what is so of each, nothing of what lacks."""
    rules, question, result = put.rules, put.input, put.answer.get("result", {})
    refused: Json = put.answer.get("rejected", {})
    facts = _ALIKE | {"rules": rules, "question": question, "result": result, "reason": refused.get("reason", "")}
    facts["cards"] = set_named(question.get("cards", question.get("hand", ())))
    facts["ranks"] = [{rank_of(card) for card in cards_in(facts["cards"] & SUIT_CARDS[suit])} for suit in EVERY_SUIT]
    facts["mode"] = mode_named(rules, question["trump"]) if "trump" in question else None
    if (more := _LOOKS.get(put.operation)) is not None:
        facts |= more(put, facts["mode"], refused.get("at"))
    return facts


def _trick(
    rules: Ruleset, mode: Mode, leader: int, cards: Sequence[Card], hand: CardSet = NO_CARDS, legal: int = 0
) -> Facts:
    """Return a trick; ``follows`` and ``trumps`` are how many cards of their suit those of the next hand beat."""
    node, count, half = table_of(rules, mode, leader, cards).node, len(cards), rules.players // 2
    best, winning, best_led, winner = node.winner, node.winning, node.best_led, (leader + node.winner) % rules.players
    led = suit_of(cards[0]) if cards else NO_SUIT
    trump = mode.trumps[led] if cards else NO_SUIT
    ruffs = [place for place, card in enumerate(cards) if suit_of(card) == trump != led]
    discards = [card for card in cards if suit_of(card) not in (led, trump)]
    partner_played = rules.side_count < rules.players and count >= half
    partner_wins = partner_played and best == count - half

    def strength(card: Card) -> int:
        return mode.strength[suit_of(card)][rank_of(card)]

    def plain(card: Card) -> int:
        return rules.plain_strength[rank_of(card)]

    def kind(card: Card) -> tuple[int, int]:
        return suit_of(card) == trump, suit_of(card) == led

    def best_by(order: Callable[[Card], Any]) -> int:
        return max(range(count), key=lambda place: order(cards[place]), default=best)

    held = SUIT_CARDS[trump] if trump != NO_SUIT else NO_CARDS if cards else mode.trump_cards
    trumps = [strength(card) for card in cards_in(hand & held)]
    follows = [strength(card) for card in cards_in(hand & SUIT_CARDS[led])] if cards else []
    height, ruff = strength(best_led) if cards else -1, strength(winning) if ruffs else len(RANKS)
    return _ALIKE | locals()


def _of_trick(put: Put, mode: Mode, _at: int | None) -> Facts:
    rules, asked = put.rules, put.input
    if put.operation == "trick-winner":
        return {"trick": [_trick(rules, mode, asked["leader"], cards_named(asked["cards"]))]}
    legal = len(put.answer["result"]["cards"])
    return {"trick": [_trick(rules, mode, 0, cards_named(asked["trick"]), set_named(asked["hand"]), legal)]}


def _kind(bid: Bid) -> str:
    if bid is None or bid in RAISES:
        return "pass" if bid is None else "double" if bid == DOUBLE else "redouble"
    return "capot" if amount_of_bid(bid) == CAPOT else "bid"


# What was said, and the seat of whoever says it out of turn.
Said = tuple[Bid, int | None]


def _said(told: str | Json) -> Said:
    name, seat = said_bid(told)
    return bid_named(name), seat


def _auction(rules: Ruleset, dealer: int, turn_up: str | None, bids: Sequence[Said], at: int | None) -> Facts:
    """Return a bidding up to where it is decided: its end, or the call that is refused.

    ``calls`` are kinds, ``named`` all bids with their seats. In pairs with how many seats after the bidder of then, or
    of now, the seat is, ``made`` are the calls that were made and ``may`` those that may be next; ``outbid`` and
    ``renamed`` are who outbid or named again the mode of whom.
    """
    suit = None if turn_up is None else suit_of(CARD_BY_NAME[turn_up])
    node, bidder, raised, overbid = rules.auction.start(dealer, suit), UNTOLD, 0, False
    calls, seats, named, made = list[str](), list[int](), list[tuple[int, int]](), set[tuple[str, int]]()

    def place(seat: int) -> int:
        return UNTOLD if bidder == UNTOLD else (seat - bidder) % rules.players

    for bid, seat in bids[:at]:
        node = node if seat is None else rules.auction.spoken_by(node, seat)
        calls.append(_kind(bid))
        seats.append(node.turn)
        made |= {(calls[-1], place(node.turn))}
        if bid is not None and bid not in RAISES:
            overbid |= raised > 0
            bidder, raised = node.turn, 0
            named.append((node.turn, bid))
        raised += bid in RAISES
        node = rules.auction.after(node, bid)
    turn, choices, refused = node.turn, {_kind(bid) for bid in node.choices}, "" if at is None else _kind(bids[at][0])
    speaks = place(turn) if choices else UNTOLD
    may = {(kind, speaks) for kind in choices}
    taken = mode_of_bid(named[-1][1]) if named else None
    mode, standing = rules.modes[taken] if taken is not None else None, _kind(named[-1][1]) if named else ""
    passes = next((n for n, kind in enumerate(reversed(calls)) if kind != "pass"), len(calls))
    state = "refused" if at is not None else "taken" if node.contract else "open" if choices else "failed"
    later = [((there - here) % rules.players, mode_of_bid(bid) == mode_of_bid(other))
             for (here, bid), (there, other) in combinations(named, 2)]  # fmt: skip
    outbid, renamed, pairs = {by for by, _ in later}, {by for by, again in later if again}, {*pairwise(calls)}
    bid_before = {(seat - turn) % rules.players for seat, _ in named} if choices else set()
    known = rules.auction.amounts
    amounts = [known.index(amount_of_bid(bid)) for _, bid in named] if known else []
    jumps = any(later > one + 1 for one, later in pairwise([-1, *amounts]))
    return _ALIKE | locals()


def _of_auction(put: Put, _mode: Mode, at: int | None) -> Facts:
    asked = put.input
    found = _auction(put.rules, asked["dealer"], asked.get("turn_up"), [*map(_said, asked["bids"])], at)
    return {"auction": [found], "mode": found["mode"]}


def _announced(
    rules: Ruleset, mode: Mode, question: Json, seats: Sequence[Sequence[Declaration]], result: Json
) -> Facts:
    """Return what each seat announces and which counts; ``every`` are all with their seats in turn, ``tied`` the best.

    ``who`` announces and whose declarations are ``counting``; ``rivals`` are what others have than who has the best.
    """
    side, leader, winner, points = rules.side_of, question["leader"], result["winner"], result["points"]
    turn = [(leader + step) % rules.players for step in range(rules.players)]
    seated = {"leader": leader, "last": turn[-1], "taker": question.get("taker")}
    every = [(seat, one) for seat in turn for one in seats[seat]]

    def height(one: Declaration) -> tuple[int, ...]:
        if rules.value_or("declarations.compared-by", None) is None:
            return one.kind == "square", one.length, one.top
        return strength(rules, one, mode)

    def best_of(some: Sequence[tuple[int, Declaration]]) -> list[int]:
        top = max((height(one) for _, one in some), default=())
        return [*dict.fromkeys(seat for seat, one in some if height(one) == top)]

    def best_at(place: int) -> list[int]:
        return best_of([(seat, seats[seat][place]) for seat in turn if seats[seat]])

    def side_of(seat: int | None) -> int | None:
        return None if seat is None else side[seat]

    def sides(some: Iterable[int]) -> set[int]:
        return {side[seat] for seat in some}

    tied, best = best_of(every), max((one for _, one in every), key=height, default=None)
    tied_sides, rivals = sides(tied), [(seat, one) for seat, one in every if seat not in tied]
    squares = [one for _, one in every if one.kind == "square"]
    runs = [one for _, one in every if one.kind != "square"]
    cards, who = union(one.cards for _, one in every), {seat for seat, _ in every}
    equal = {(one, other) for (one, first), (other, second) in combinations(every, 2)
             if one != other and height(first) == height(second)}  # fmt: skip
    counting = {seat for seat, each in enumerate(points) if each}
    return _ALIKE | locals()


def _of_announced(put: Put, mode: Mode, _at: int | None) -> Facts:
    rules, asked = put.rules, put.input
    if "hands" in asked:
        seats = [counted_by_themselves(rules, hand, mode) for hand in hands_named(rules, asked["hands"])]
    else:
        seats = [tuple(identify(rules, set_named(one), mode) for one in own) for own in asked["announced"]]
    return {"announced": [_announced(rules, mode, asked, seats, put.answer["result"])]}


def _of_hand(put: Put, mode: Mode, _at: int | None) -> Facts:
    rules, cards, sets = put.rules, set_named(put.input["hand"]), put.answer["result"]["sets"]
    held = [{rules.sequence_position[rank_of(card)] for card in cards_in(cards & suit)} for suit in SUIT_CARDS]
    return {
        "sets": sets,
        "runs": [*runs_in(rules, cards)],
        "squares": [*squares_in(rules, cards, mode if "trump" in put.input else None)],
        "places": held,
    }


def _of_belote(put: Put, mode: Mode, _at: int | None) -> Facts:
    plays = put.input["plays"]
    royals = [place for place, one in enumerate(plays) if mode.pair_of[CARD_BY_NAME[one["card"]]]]
    return {"plays": plays, "calls": [place for place, one in enumerate(plays) if one.get("call")], "royals": royals}


def _deal(rules: Ruleset, contract: DealContract, tallies: Sequence[Tally], settled: Any, last: int | None) -> Facts:
    """Return a settled deal: what was taken, what each side brings in, who won the last trick, what comes of it."""
    taker, mode, bid, raised = contract
    taking = rules.side_of[taker]
    outcome, counted, score = settled.outcome, settled.counted, list(settled.score)
    own, others = tallies[taking : taking + 1], [one for side, one in enumerate(tallies) if side != taking]
    winners = [side for side, one in enumerate(tallies) if one.tricks]
    swept_by, trickless = winners[0] if len(winners) == 1 else None, [one for one in tallies if not one.tricks]
    to_beat = points_to_beat(rules, counted, taking)
    margin = counted[taking] - to_beat
    winner = score.index(max(score)) if score.count(max(score)) == 1 else None
    unit = rules.value("scoring.sheet-unit")
    rests = [2 * (points % unit) - unit for points in settled.points if points % unit]

    def hangs_on(**nothing: int) -> bool:
        without = [replace(one, **nothing) for one in tallies]
        return bool(settle(rules, contract, without).outcome != outcome)

    return _ALIKE | locals()


def _of_sums(rules: Ruleset, told: Json) -> Facts:
    return _deal(rules, *settle_sums(rules, told), told.get("last_trick"))


def _of_scored(put: Put, _mode: Mode, _at: int | None) -> Facts:
    found = _of_sums(put.rules, put.input)
    return {"deal": [found], "mode": found["mode"]}


def _of_result(rules: Ruleset, contract: DealContract, result: Json, sides: Sequence[Json]) -> Facts:
    """Return the deal of a result that tells its tricks, given what each side has besides cards."""
    won = [rules.side_of[trick["winner"]] for trick in result["tricks"]]
    tallies = [Tally(cards, won.count(side), **sides[side]) for side, cards in enumerate(result["cards"])]
    return _deal(rules, contract, tallies, SimpleNamespace(**result), won[-1])


def _of_tricks(put: Put, mode: Mode, _at: int | None) -> Facts:
    rules, asked, contract = put.rules, put.input, contract_named(put.rules, put.input)
    sides = sides_told(rules, asked)
    tricks = [_trick(rules, mode, one["leader"], cards_named(one["cards"])) for one in asked["tricks"]]
    return {"deal": [_of_result(rules, contract, put.answer["result"], sides)], "trick": tricks}


def _of_match(put: Put, _mode: Mode, _at: int | None) -> Facts:
    """Return a match; ``held`` are the points held before each deal and at the end, ``totals`` likewise."""
    asked, told, result = put.input, put.input["deals"], put.answer.get("result", {})
    deal, lines = [_of_sums(put.rules, one["scored"]) for one in told if "scored" in one], result.get("deals", ())
    held = [asked.get("held", 0), *(line["held"] for line in lines)]
    totals = [asked.get("totals", ()), *(line["totals"] for line in lines)]
    taking, won = deal[-1]["taking"] if told and "scored" in told[-1] else None, result.get("winner")
    target = None if put.rules.has_set_length else put.rules.value("match.target")
    over = [0 if target is None else sum(one >= target for one in each) for each in totals]
    return locals()


def _of_recorded(put: Put, _mode: Mode, at: int | None) -> Facts:
    """Return a recorded deal: its auction, its tricks, what was announced, how it was settled, and what ``failing``."""
    rules, asked, result = put.rules, put.input, put.answer.get("result", {})
    told = deal_of_tricks(asked, rules.players)["actions"] if "tricks" in asked else asked["actions"]
    done, actions = told[:at], told if at is None else told[: at + 1]
    failing, contract = told[at] if at is not None and at < len(told) else {}, None
    facts: Facts = {"actions": actions, "failing": failing, "trick": []}
    doubles = may_speak_out_of_turn(rules)
    bids = [
        (bid_named(one["bid"]), one["seat"] if doubles and one["bid"] == "double" else None)
        for one in actions
        if "bid" in one
    ]
    reason = put.answer.get("rejected", {})
    if bids and reason.get("reason") not in _UNKNOWN:
        auction = _auction(
            rules, asked["dealer"], _turn_up(rules, asked), bids, len(bids) - 1 if "bid" in failing else None
        )
        facts["auction"], contract = [auction], auction["node"].contract
    elif "taker" in asked:
        contract = contract_named(rules, asked)
    if contract is None:
        return facts
    plays = [(one["seat"], CARD_BY_NAME[one["play"]]) for one in done if "play" in one]
    parts = [plays[start : start + rules.players] for start in range(0, len(plays), rules.players)]
    facts["trick"] = [_trick(rules, contract.mode, one[0][0], [card for _, card in one]) for one in parts]
    if result.get("ended") == "played":
        sides = [{name: result[name][side] for name in _EXTRAS} for side in range(rules.side_count)]
        seats = [[identify(rules, set_named(one), contract.mode) for act in done if act["seat"] == seat
                  for one in act.get("announce", ())] for seat in range(rules.players)]  # fmt: skip
        points = [result["declarations"][rules.side_of[seat]] if own else 0 for seat, own in enumerate(seats)]
        who = {"leader": parts[0][0][0], "taker": contract.taker}
        facts["deal"] = [_of_result(rules, contract, result, sides)]
        facts["announced"] = [_announced(rules, contract.mode, who, seats, {"winner": None, "points": points})]
    return facts | {"mode": contract.mode, "taker": contract.taker}


def _turn_up(rules: Ruleset, asked: Json) -> str | None:
    if rules.value("deal.turn-up") == "none" or "deck" not in asked:
        told: str | None = asked.get("turn_up")
        return told
    turned = deal_before_bidding(rules, asked["dealer"], shuffled_and_cut(rules, asked)).turn_up
    return None if turned is None else CARD_NAMES[turned]


_LOOKS: Final[dict[str, Callable[[Put, Any, int | None], Facts]]] = {
    "trick-winner": _of_trick, "legal-cards": _of_trick, "bidding": _of_auction, "declarations": _of_hand,
    "compare-declarations": _of_announced, "compare-hands": _of_announced, "belote": _of_belote,
    "score-deal": _of_scored, "settle-tricks": _of_tricks, "match": _of_match, "replay": _of_recorded,
}  # fmt: skip
