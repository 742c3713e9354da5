"""The features of questions: what the situation is and of what kind the right outcome, never which cards or numbers.

Each has a name, and words that stand in a sentence, *wrong wherever trump is led and the hand is void*: those that say
so, and those that say that it is not so, where this says anything. They are asked of views (`views.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from belot_conformance.explain.views import (
    Auction,
    Belote,
    Counted,
    Hand,
    Match,
    Put,
    Recorded,
    Settled,
    Trick,
    View,
    announced_of,
    auction_of,
    kind_of_bid,
    mode_of_call,
    scored_of,
    trick_of,
)
from belot_reference.bids import CAPOT
from belot_reference.cards import EVERY_SUIT, SUIT_CARDS, rank_of, ranks_of
from belot_reference.mode import KINGS, NO_TRUMPS, QUEENS, SUIT
from belot_reference.sentences import REASONS


class Feature(NamedTuple):
    """Something that is so of a question or not."""

    name: str
    yes: str
    no: str
    holds: Callable[[Any], bool]


_F = Feature
Features = Sequence[Feature]
_SEATS: Final = range(4)
_SUITS: Final = ("spades", "hearts", "diamonds", "clubs")


def _each(name: str, phrase: str, values: Sequence[Any], words: Sequence[str], of: Callable[[Any], Any]) -> Features:
    """Return a feature for each value that something may have."""

    def one(value: Any) -> Callable[[Any], bool]:
        return lambda view: bool(of(view) == value)

    return [
        _F(f"{name}-{str(word).replace(' ', '-')}", phrase.format(word), "", one(value))
        for value, word in zip(values, words, strict=True)
    ]


def _seats(name: str, phrase: str, of: Callable[[Any], Any]) -> Features:
    return _each(name, phrase, _SEATS, [f"seat {seat}" for seat in _SEATS], of)


def _inside(features: Features, part: Callable[[Any], Any]) -> Features:
    """Return features of a part of a question, which may be missing."""

    def one(feature: Feature) -> Callable[[Any], bool]:
        return lambda view: (inner := part(view)) is not None and feature.holds(inner)

    return [feature._replace(holds=one(feature)) for feature in features]


def _some(what: str, features: Features, parts: Callable[[Any], Sequence[Any]]) -> Features:
    """Return features of at least one of several parts: ``in some trick``."""

    def one(feature: Feature) -> Callable[[Any], bool]:
        return lambda view: any(map(feature.holds, parts(view)))

    return [
        _F(f"some-{feature.name}", f"in some {what} {feature.yes}", f"in no {what} {feature.yes}", one(feature))
        for feature in features
    ]


def _mode(name: str = "trump") -> Features:
    return (
        _F("suit", "a suit is trump", "no one suit is trump", lambda v: v.mode.kind == SUIT),
        _F("no-trumps", "there are no trumps", "there are trumps", lambda v: v.mode.kind == NO_TRUMPS),
        _F("all-trumps", "all suits are trumps", "not all suits are trumps", lambda v: v.mode.kind not in (SUIT, NO_TRUMPS)),
        *_each(name, "{} are trump", _SUITS, _SUITS, lambda v: _SUITS[v.mode.number] if v.mode.kind == SUIT else None),
    )  # fmt: skip


_REFUSED: Final = (
    _F("refused", "the right answer is a refusal", "nothing is refused", lambda v: bool(v.reason)),
    *_each("refused", "the rules refuse it as {}", [*REASONS], [*REASONS], lambda v: v.reason),
)

# Of tricks, whole or running.
_TRICK: Final = (
    _F("trump-led", "trump is led", "the suit led is not trump", lambda t: t.trump_led),
    _F("ruffed", "somebody ruffs", "nobody ruffs", lambda t: bool(t.ruffs)),
    _F("ruffed-twice", "two or more ruff", "at most one ruffs", lambda t: len(t.ruffs) > 1),
    _F("over-ruff", "a ruff is beaten by a later one", "", lambda t: len(t.ruffs) > 1 and t.best != t.ruffs[0]),
    _F("under-ruff", "the last ruff does not win", "", lambda t: len(t.ruffs) > 1 and t.best != t.ruffs[-1]),
    _F("ruffed-last", "the last card played is a ruff", "", lambda t: t.count - 1 in t.ruffs),
    _F("discard", "somebody throws off a card of another suit", "nobody throws off a card of another suit", lambda t: bool(t.discards)),
    _F("discards", "two or more throw off a card of another suit", "", lambda t: len(t.discards) > 1),
    _F("discard-outranks", "a card thrown off ranks above the winning card", "no card thrown off ranks above the winning card",
       lambda t: any(t.plain(one) > t.strength(t.node.winning) for one in t.discards)),
    _F("discard-outranks-led", "a card thrown off ranks above every card of the suit led", "",
       lambda t: any(t.plain(one) > t.height for one in t.discards)),
    _F("discard-equal", "a card thrown off has the rank of the winning card", "",
       lambda t: any(rank_of(one) == rank_of(t.node.winning) for one in t.discards)),
    _F("ruff-outranked", "a card of the suit led ranks above the ruff that wins", "no card of the suit led ranks above the winning card",
       lambda t: bool(t.ruffs) and t.plain(t.node.best_led) > t.plain(t.node.winning)),
    _F("ruff-outranked-as-trump", "a card of the suit led would rank above the ruff that wins if it were trump", "",
       lambda t: bool(t.ruffs) and t.as_trump(t.node.best_led) > t.strength(t.node.winning)),
    _F("plain-order", "another card would win by the order of suits that are not trump", "", lambda t: t.another_wins(t.plain)),
    _F("trump-order", "another card would win by the order of trumps", "", lambda t: t.another_wins(t.as_trump)),
    _F("rank-order", "another card would win by the order from seven to ace", "", lambda t: t.another_wins(rank_of)),
    _F("highest-of-all", "another card would win if cards of any suit could", "", lambda t: t.another_wins(t.strength, discards=True)),
    _F("without-ruffs", "another card would win if nobody could ruff", "", lambda t: t.another_wins(t.strength, ruffs=False)),
    _F("first-wins", "the card led wins", "the card led is beaten", lambda t: t.best == 0),
    _F("last-wins", "the last card played wins", "the last card played does not win", lambda t: t.best == t.count - 1 > 0),
    _F("all-follow", "everybody follows suit", "not everybody follows suit", lambda t: not t.discards and not t.ruffs),
)  # fmt: skip
_WHOLE_TRICK: Final = (
    *_TRICK,
    _F("leader-pair-wins", "the leader's side wins the trick", "the other side wins the trick",
       lambda t: t.rules.partners(t.leader, t.winner)),
    _F("partner-wins", "the leader's partner wins the trick", "", lambda t: t.leader != t.winner and t.rules.partners(t.leader, t.winner)),
    _F("round-the-table", "a seat of a lower number than the leader's wins", "", lambda t: t.winner < t.leader),
    *_seats("led-by", "{} leads", lambda t: t.leader),
    *_seats("won-by", "{} wins the trick", lambda t: t.winner),
)  # fmt: skip
_HAND: Final = (
    _F("lead", "the hand leads", "somebody has led", lambda t: t.count == 0),
    _F("second", "one card lies", "", lambda t: t.count == 1),
    _F("third", "two cards lie", "", lambda t: t.count == 2),
    _F("last", "the hand plays last to the trick", "others play after the hand", lambda t: t.count == t.rules.players - 1),
    _F("void", "the hand has none of the suit led", "the hand can follow suit", lambda t: t.count > 0 and not t.follows),
    _F("trumps", "the hand holds trumps", "the hand holds no trumps", lambda t: bool(t.trumps)),
    _F("only-trumps", "the hand holds nothing but trumps", "the hand holds other cards than trumps", lambda t: len(t.trumps) == t.hand.bit_count()),
    _F("can-overruff", "the hand could go over the ruff that lies", "the hand cannot go over a ruff", lambda t: any(one > t.ruff for one in t.trumps)),
    _F("can-under-ruff", "the hand holds trumps below the ruff that lies", "the hand holds no trumps below a ruff", lambda t: any(one < t.ruff for one in t.trumps) and bool(t.ruffs)),
    _F("can-rise", "the hand can beat the best card of the suit led", "the hand cannot beat the best card of the suit led",
       lambda t: any(one > t.height for one in t.follows)),
    _F("can-stay-below", "the hand can follow with a lower card", "the hand cannot follow with a lower card",
       lambda t: any(one < t.height for one in t.follows)),
    _F("partner-winning", "the partner is winning", "the partner is not winning", lambda t: t.partner_wins),
    _F("opponent-winning", "an opponent is winning", "no opponent is winning", lambda t: t.count > 0 and not t.partner_wins),
    _F("partner-ruffed", "the partner's ruff is winning", "", lambda t: t.partner_wins and bool(t.ruffs)),
    _F("opponent-ruffed", "an opponent's ruff is winning", "", lambda t: bool(t.ruffs) and not t.partner_wins),
    _F("partner-played", "the partner has played", "the partner has not played", lambda t: t.is_paired),
    _F("partner-led", "the partner led", "", lambda t: t.is_paired and t.count == t.rules.players // 2),
    _F("one-card", "the hand has one card left", "the hand has more than one card", lambda t: t.hand.bit_count() == 1),
    _F("whole-hand", "it is the first trick", "it is not the first trick", lambda t: t.hand.bit_count() == t.rules.hand_size),
    _F("belote-held", "the hand holds king and queen of trump", "the hand does not hold king and queen of trump",
       lambda t: any(t.hand & pair == pair for pair in t.mode.pairs)),
    _F("one-suit", "the hand holds one suit alone", "", lambda t: sum(bool(t.hand & suit) for suit in SUIT_CARDS) == 1),
    _F("all-legal", "every card may be played", "not every card may be played", lambda t: t.legal == t.hand.bit_count()),
    _F("one-legal", "one card alone may be played", "", lambda t: t.legal == 1 < t.hand.bit_count()),
    *_each("led", "{} are led", _SUITS, _SUITS, lambda t: _SUITS[t.led] if t.count else None),
)  # fmt: skip

_PLACES: Final = ("the bidder", "the opponent after the bidder", "the bidder's partner", "the opponent before the bidder")
_STATES: Final = {"open": "the bidding goes on", "taken": "somebody has taken", "failed": "nobody takes", "refused": "a call is refused"}


def _call_families() -> Features:
    """Return who makes which call, or may make it next, and which follows on which."""

    def said(kind: str, place: int) -> Callable[[Auction], bool]:
        return lambda a: a.is_or_may_be(kind, place)

    def follows(kind: str, before: str) -> Callable[[Auction], bool]:
        return lambda a: a.is_said_after(kind, before)

    def outbid(place: int, *, again: bool) -> Callable[[Auction], bool]:
        return lambda a: a.named_by(place, again=again)

    kinds = {"bid": "bids on", "capot": "bids capot", "double": "doubles", "redouble": "redoubles"}
    calls = {"pass": "a pass", "double": "a double", "redouble": "a redouble", "bid": "a bid", "capot": "a capot"}
    who = {0: "himself", 1: "the opponent before him", 2: "his partner", 3: "the opponent after him"}
    return [
        *(_F(f"{kind}-by-{place}", f"{name} {verb} or may next", "", said(kind, place))
          for kind, verb in kinds.items() for place, name in enumerate(_PLACES)),
        *(_F(f"{kind}-after-{before}", f"{words} follows at once on {other}", f"no {kind} follows at once on {other}", follows(kind, before))
          for kind, words in calls.items() for before, other in calls.items()),
        *(_F(f"outbid-by-{place}", f"somebody outbids {name}", f"nobody outbids {name}", outbid(place, again=False)) for place, name in who.items()),
        *(_F(f"renamed-by-{place}", f"somebody names the mode again that {name} has named" if place else "somebody names his own mode again", "", outbid(place, again=True))
          for place, name in who.items()),
    ]  # fmt: skip


_AUCTION: Final = (
    *_each("state", "{}", [*_STATES], [*_STATES.values()], lambda a: a.state),
    _F("nothing-said", "nothing has been said", "something has been said", lambda a: not a.said),
    _F("no-bid", "nobody has bid", "somebody has bid", lambda a: not a.named),
    _F("bids", "there are two bids or more", "there is one bid at most", lambda a: len(a.named) > 1),
    _F("more-bids", "there are three bids or more", "there are two bids at most", lambda a: len(a.named) > 2),
    _F("long", "the bidding has gone round the table", "the bidding has not gone round the table", lambda a: len(a.said) >= a.rules.players),
    _F("longer", "the bidding has gone round the table twice", "the bidding has not gone round the table twice", lambda a: len(a.said) >= 2 * a.rules.players),
    _F("passed-first", "the first to speak passed", "the first to speak did not pass", lambda a: bool(a.said) and a.said[0].kind == "pass"),
    _F("all-passed", "all have passed once before a bid", "", lambda a: all(one.kind == "pass" for one in a.said[: a.rules.players]) and len(a.said) >= a.rules.players),
    *_each("passes", "{} stand last", (0, 1, 2, 3), ("no passes", "one pass", "two passes", "three passes"), lambda a: a.passes),
    *_each("last-call", "the last call is {}", ("pass", "double", "redouble", "bid", "capot"), ("a pass", "a double", "a redouble", "a bid", "a capot"),
           lambda a: a.said[-1].kind if a.said else None),
    _F("undoubled", "nothing that stands is doubled", "the bid that stands is doubled", lambda a: a.raised == 0),
    _F("doubled-once", "the bid that stands is doubled and not redoubled", "", lambda a: a.raised == 1),
    _F("redoubled", "the bid that stands is redoubled", "the bid that stands is not redoubled", lambda a: a.raised > 1),
    _F("double-overbid", "a doubled bid is outbid", "no doubled bid is outbid", lambda a: any(one.raised and one.kind in ("bid", "capot") for one in a.said)),
    _F("late-double", "a double comes after a pass on the bid", "", lambda a: any(
        one.kind == "double" and a.said[n - 1].kind == "pass" for n, one in enumerate(a.said))),
    _F("late-redouble", "a redouble comes after a pass on the double", "", lambda a: any(
        one.kind == "redouble" and a.said[n - 1].kind == "pass" for n, one in enumerate(a.said))),
    *_each("speaks", "{} is to speak", range(4), _PLACES, lambda a: a.speaks),
    _F("own-side-speaks", "the side of the last bid is to speak", "", lambda a: a.speaks in (0, 2)),
    _F("other-side-speaks", "the opponents of the last bidder are to speak", "", lambda a: a.speaks in (1, 3)),
    _F("dealer-speaks", "the dealer is to speak", "the dealer is not to speak", lambda a: bool(a.choices) and a.turn == a.dealer),
    _F("eldest-speaks", "the first to bid is to speak again", "", lambda a: bool(a.choices) and bool(a.said) and a.turn == a.said[0].seat),
    _F("dealer-bids", "the dealer has the bid that stands", "the dealer has not the bid that stands", lambda a: a.bidder == a.dealer),
    _F("both-sides", "both sides have bid", "at most one side has bid", lambda a: len({a.rules.side_of[one.seat] for one in a.named}) > 1),
    _F("capot-stands", "capot stands", "capot does not stand", lambda a: a.standing is not None and kind_of_bid(a.standing) == "capot"),
    *_each("standing", "the bid that stands is {}", (SUIT, "no-trumps", "all-trumps"), ("in a suit", "no trumps", "all trumps"),
           lambda a: mode_of_call(a.rules, a.standing)),
    _F("highest-number", "the highest number stands", "", lambda a: bool(a.amounts) and a.amounts[-1] >= len(a.rules.auction.amounts) - 2),
    _F("lowest-number", "the lowest number stands", "", lambda a: bool(a.amounts) and a.amounts[-1] == 0),
    _F("jump", "a bid is higher than it need be", "no bid is higher than it need be", lambda a: a.jumps),
    _F("may-double", "the next to speak may double", "the next to speak may not double", lambda a: "double" in a.choices),
    _F("may-redouble", "the next to speak may redouble", "the next to speak may not redouble", lambda a: "redouble" in a.choices),
    _F("may-bid", "the next to speak may bid", "the next to speak may not bid", lambda a: bool(a.choices & {"bid", "capot"})),
    _F("must-name", "the next to speak may not pass", "", lambda a: bool(a.choices) and "pass" not in a.choices),
    *_each("refused", "{} is refused", ("pass", "double", "redouble", "bid", "capot"), ("a pass", "a double", "a redouble", "a bid", "a capot"),
           lambda a: kind_of_bid(a.refused) if a.is_refused else None),
    _F("refused-in-turn", "a call is refused while the bidding goes on", "", lambda a: a.is_refused and bool(a.choices)),
    _F("second-round", "it is the second round", "it is the first round", lambda a: a.node.round > 1),
    _F("turn-up-named", "the suit of the turn-up is named", "", lambda a: a.turn_up is not None and a.turn_up in (a.standing, a.refused)),
    *_call_families(),
    *_seats("dealt-by", "{} deals", lambda a: a.dealer),
    *_seats("bidder", "{} has the bid that stands", lambda a: a.bidder),
)  # fmt: skip

_ANNOUNCED: Final = (
    _F("nobody", "nobody announces", "somebody announces", lambda c: not c.every),
    _F("both-sides", "more than one side announces", "one side at most announces", lambda c: len(c.sides) > 1),
    _F("two-of-a-seat", "a seat announces two or more", "no seat announces two", lambda c: any(len(own) > 1 for own in c.seats)),
    _F("three-of-a-seat", "a seat announces three or more", "", lambda c: any(len(own) > 2 for own in c.seats)),
    _F("winner-has-two", "a seat whose declarations count announces two or more", "no seat whose declarations count announces two",
       lambda c: any(len(own) > 1 and c.wins(seat) for seat, own in enumerate(c.seats))),
    _F("loser-has-two", "a seat whose declarations do not count announces two or more", "",
       lambda c: any(len(own) > 1 and not c.wins(seat) for seat, own in enumerate(c.seats))),
    _F("partners", "two partners announce", "no two partners announce", lambda c: any(
        one != other and c.side(one) == c.side(other) for one, _ in c.every for other, _ in c.every)),
    _F("winners", "declarations of two seats count", "declarations of one seat at most count", lambda c: sum(map(bool, c.points)) > 1),
    _F("partners-lose", "two partners announce and what they have does not count", "", lambda c: any(
        one != other and c.side(one) == c.side(other) and not c.wins(one) for one, _ in c.every for other, _ in c.every)),
    _F("three-seats", "three seats or more announce", "two seats at most announce", lambda c: sum(map(bool, c.seats)) > 2),
    _F("square", "a square is announced", "no square is announced", lambda c: c.has(lambda d: d.kind == "square") > 0),
    _F("squares", "two squares are announced", "", lambda c: c.has(lambda d: d.kind == "square") > 1),
    _F("run", "a run is announced", "no run is announced", lambda c: c.has(lambda d: d.kind != "square") > 0),
    _F("square-and-run", "a square and a run are announced", "", lambda c: 0 < c.has(lambda d: d.kind == "square") < len(c.every)),
    _F("square-beats-run", "a square is the best and another seat has a run", "", lambda c: c.is_best_square and any(d.kind != "square" and seat != c.tied[0][0] for seat, d in c.every)),
    _F("four", "a run of four or more is announced", "", lambda c: c.has(lambda d: d.kind != "square" and d.length > 3) > 0),
    _F("five", "a run of five or more is announced", "no run of five or more is announced", lambda c: c.has(lambda d: d.length > 4) > 0),
    _F("eight", "all cards of a suit are announced", "", lambda c: c.has(lambda d: d.length == 8) > 0),
    _F("best-square", "the best is a square", "the best is no square", lambda c: c.is_best_square),
    _F("best-in-trump", "the best is a run in trump", "the best is no run in trump", lambda c: c.best is not None and c.mode.is_trump(c.best.suit)),
    _F("run-in-trump", "a run in trump is announced", "no run in trump is announced", lambda c: c.has(lambda d: c.mode.is_trump(d.suit)) > 0),
    _F("tied", "two seats have the best", "one seat alone has the best", lambda c: len({seat for seat, _ in c.tied}) > 1),
    _F("tied-sides", "two sides have the best", "one side alone has the best", lambda c: len(c.best_sides) > 1),
    _F("tied-partners", "two partners have the best", "no two partners have the best",
       lambda c: len({seat for seat, _ in c.tied}) > len(c.best_sides)),
    _F("partners-alone-tied", "two partners have the best and no opponent has one like it", "",
       lambda c: len({seat for seat, _ in c.tied}) > len(c.best_sides) == 1),
    _F("equals", "two sides have declarations that are equal", "no two sides have declarations that are equal", lambda c: c.equals(partners=False)),
    _F("equal-partners", "two partners have declarations that are equal", "no two partners have declarations that are equal", lambda c: c.equals(partners=True)),
    _F("tied-but-for-trump", "two seats have the best but for what is trump", "",
       lambda c: c.best is not None and any(seat != c.tied[0][0] and (d.kind, d.length, d.top) == (c.best.kind, c.best.length, c.best.top) for seat, d in c.every)),
    _F("as-long", "two sides have runs of the best's length", "", lambda c: c.best is not None and not c.is_best_square and any(
        c.side(seat) != c.side(c.tied[0][0]) and d.length == c.best.length for seat, d in c.every)),
    _F("longer-is-lower", "a longer run stands lower than a shorter one", "", lambda c: any(
        one.length > other.length and one.top < other.top and one.kind == other.kind != "square" for _, one in c.every for _, other in c.every)),
    _F("best-not-first", "the best is not the first that its seat announces", "the best is the first that its seat announces",
       lambda c: bool(c.tied) and all(c.seats[seat][0] is not d for seat, d in c.tied)),
    _F("best-not-last", "the best is not the last that its seat announces", "the best is the last that its seat announces",
       lambda c: bool(c.tied) and all(c.seats[seat][-1] is not d for seat, d in c.tied)),
    _F("best-later", "the best comes after one that is lower", "the best comes first in turn", lambda c: bool(c.tied) and c.every[0][1] is not c.best),
    _F("leader-best", "the leader has the best", "the leader has not the best", lambda c: any(seat == c.leader for seat, _ in c.tied)),
    _F("leader-side-best", "the leader's side has the best", "the leader's side has not the best", lambda c: c.side(c.leader) in c.best_sides),
    _F("leader-side-second", "the leader's partner has the best and an opponent before him has one like it", "", lambda c: len(c.best_sides) > 1 and c.side(c.tied[0][0]) != c.side(c.leader)),
    _F("leader-silent", "the leader announces nothing", "the leader announces something", lambda c: not c.seats[c.leader]),
    _F("taker-best", "the taker has the best", "the taker has not the best", lambda c: any(seat == c.taker for seat, _ in c.tied)),
    _F("taker-side-best", "the taker's side has the best", "the taker's side has not the best", lambda c: c.taker >= 0 and c.side(c.taker) in c.best_sides),
    _F("losers-worth-more", "those who lose the comparison announce more points", "",
       lambda c: sum(d.points for s, d in c.every if not c.wins(s)) > sum(c.points) > 0),
    _F("nothing-counts", "nothing that is announced counts", "", lambda c: bool(c.every) and not any(c.points)),
    _F("both-count", "declarations of two sides count", "", lambda c: len({c.side(seat) for seat, own in enumerate(c.points) if own}) > 1),
    _F("no-winner", "nobody wins the comparison", "somebody wins the comparison", lambda c: c.winner is None and bool(c.every)),
    _F("shared", "a card is in two declarations", "no card is in two declarations", lambda c: any(
        one is not other and one.cards & other.cards for _, one in c.every for _, other in c.every)),
    _F("round-the-table", "a seat of a lower number than the leader's has the best", "", lambda c: bool(c.tied) and c.tied[0][0] < c.leader),
    *_seats("winner", "{} wins the comparison", lambda c: c.winner),
    *_seats("led-by", "{} leads", lambda c: c.leader),
)  # fmt: skip

_DEAL: Final = (
    _F("made", "the contract is made", "the contract is not made", lambda d: d.outcome == "made"),
    _F("fell", "the contract falls", "the contract does not fall", lambda d: d.outcome == "fell"),
    _F("tied", "the deal is tied", "the deal is not tied", lambda d: d.outcome == "tied"),
    _F("level", "the sides are level", "the sides are not level", lambda d: d.margin == 0),
    _F("close", "one or two points decide", "", lambda d: 0 < abs(d.margin) <= 2),
    _F("ahead", "the taker's side has more points", "the taker's side has not more points", lambda d: d.margin > 0),
    _F("doubled", "the deal is doubled or redoubled", "the deal is not doubled", lambda d: d.raised > 1),
    _F("redoubled", "the deal is redoubled", "the deal is not redoubled", lambda d: d.raised == d.most_raised > 1),
    _F("doubled-once", "the deal is doubled and not redoubled", "", lambda d: 1 < d.raised < d.most_raised),
    _F("capot-bid", "capot is bid", "no capot is bid", lambda d: d.bid == CAPOT),
    _F("bid-exactly", "the taker's side has exactly what it bid", "", lambda d: d.bid == d.counted[d.taking]),
    _F("bid-behind", "the taker's side has what it bid and not more than the others", "",
       lambda d: d.bid is not None and d.bid != CAPOT and d.bid <= d.counted[d.taking] <= d.to_beat),
    _F("swept", "one side wins every trick", "no side wins every trick", lambda d: d.swept),
    _F("swept-by-taker", "the taker's side wins every trick", "the taker's side does not win every trick", lambda d: d.swept_by == [d.taking]),
    _F("swept-by-others", "the other side wins every trick", "the other side does not win every trick", lambda d: d.swept and d.swept_by != [d.taking]),
    _F("trickless", "a side has no trick", "every side has a trick", lambda d: bool(d.trickless)),
    _F("trickless-taker", "the taker's side has no trick", "the taker's side has a trick", lambda d: not d.own.tricks),
    _F("trickless-declares", "a side without a trick has declarations", "no side without a trick has declarations", lambda d: any(t.declarations for t in d.trickless)),
    _F("trickless-belote", "a side without a trick has belote", "no side without a trick has belote", lambda d: any(t.belote for t in d.trickless)),
    _F("declarations", "there are declarations", "there are no declarations", lambda d: any(t.declarations for t in d.tallies)),
    _F("taker-declares", "the taker's side has declarations", "the taker's side has no declarations", lambda d: d.own.declarations > 0),
    _F("others-declare", "the other side has declarations", "the other side has no declarations", lambda d: any(t.declarations for t in d.others)),
    _F("all-declare", "both sides have declarations", "", lambda d: all(t.declarations for t in d.tallies)),
    _F("outranked", "declarations are outranked", "no declarations are outranked", lambda d: any(t.outranked for t in d.tallies)),
    _F("taker-outranked", "declarations of the taker's side are outranked", "", lambda d: d.own.outranked > 0),
    _F("others-outranked", "declarations of the other side are outranked", "", lambda d: any(t.outranked for t in d.others)),
    _F("belote", "a side has belote", "no side has belote", lambda d: any(t.belote for t in d.tallies)),
    _F("taker-belote", "the taker's side has belote", "the taker's side has no belote", lambda d: d.own.belote > 0),
    _F("others-belote", "the other side has belote", "the other side has no belote", lambda d: any(t.belote for t in d.others)),
    _F("hangs-on-belote", "it would end otherwise without belote", "it would end the same without belote", lambda d: d.hangs_on(belote=0)),
    _F("hangs-on-declarations", "it would end otherwise without declarations", "it would end the same without declarations", lambda d: d.hangs_on(declarations=0)),
    _F("hangs-on-both", "it would end otherwise by the cards alone", "it would end the same by the cards alone", lambda d: d.hangs_on(declarations=0, belote=0)),
    _F("last-to-taker", "the taker's side wins the last trick", "the taker's side does not win the last trick", lambda d: d.last == d.taking),
    _F("last-to-others", "the other side wins the last trick", "", lambda d: d.last is not None and d.last != d.taking),
    _F("held", "points are held", "no points are held", lambda d: d.settled.held > 0),
    _F("scoreless", "a side scores nothing", "every side scores something", lambda d: 0 in d.settled.score),
    _F("taker-scoreless", "the taker's side scores nothing", "the taker's side scores something", lambda d: d.settled.score[d.taking] == 0),
    _F("rest", "a side has more than whole score points", "every side has whole score points", lambda d: any(rest for rest, _ in d.rests)),
    _F("half", "a side's points lie halfway between two scores", "no side's points lie halfway between two scores", lambda d: any(2 * rest == unit for rest, unit in d.rests)),
    _F("halves", "both sides' points lie halfway between two scores", "", lambda d: all(2 * rest == unit for rest, unit in d.rests)),
    _F("over-half", "a side's points lie nearer to the higher score", "no side's points lie nearer to the higher score", lambda d: any(2 * rest > unit for rest, unit in d.rests)),
    _F("alone", "the taker plays alone against two", "", lambda d: len(d.tallies) > 2),
    _F("no-cards", "the taker's side has no card points", "", lambda d: d.own.cards == 0),
    *_seats("taker", "{} takes", lambda d: d.contract.taker),
    *_each("taking", "the {} side takes", _SEATS[:3], ("first", "second", "third"), lambda d: d.taking),
    *_each("winner", "the {} side scores most", _SEATS[:3], ("first", "second", "third"), lambda d: d.winner),
    *_each("last", "the {} side wins the last trick", _SEATS[:3], ("first", "second", "third"), lambda d: d.last),
)  # fmt: skip

_MATCH: Final = (
    _F("passed", "a deal is passed", "no deal is passed", lambda m: any("passed" in one for one in m.told)),
    _F("first-passed", "the first deal is passed", "", lambda m: m.told and "passed" in m.told[0]),
    _F("last-passed", "the last deal is passed", "", lambda m: m.told and "passed" in m.told[-1]),
    _F("passed-before", "a deal follows on one that is passed", "", lambda m: any("passed" in one for one in m.told[:-1])),
    _F("accused", "a deal ends by an accusation", "no deal ends by an accusation", lambda m: any("accusation" in one for one in m.told)),
    _F("accused-in-vain", "an accusation is not proved", "", lambda m: any(not one["accusation"]["proved"] for one in m.told if "accusation" in one)),
    _F("last-accused", "the last deal ends by an accusation", "", lambda m: m.told and "accusation" in m.told[-1]),
    _F("held-before", "points are held at the start", "no points are held at the start", lambda m: m.held[0] > 0),
    _F("held", "points are held for a later deal", "no points are held for a later deal", lambda m: any(m.held[1:])),
    _F("held-to-the-end", "points are held after the last deal", "", lambda m: m.held[-1] > 0),
    _F("held-again", "points are held while others are", "", lambda m: any(0 < one < other for one, other in zip(m.held, m.held[1:], strict=False))),
    _F("held-passed", "a deal is passed while points are held", "no deal is passed while points are held", lambda m: any(held and "passed" in one for held, one in zip(m.held, m.told, strict=False))),
    _F("held-accused", "an accusation ends a deal while points are held", "", lambda m: any(held and "accusation" in one for held, one in zip(m.held, m.told, strict=False))),
    _F("freed", "held points are booked", "no held points are booked", lambda m: any(any(line["freed"]) for line in m.lines)),
    _F("ended", "somebody has won", "nobody has won", lambda m: m.result.get("winner") is not None),
    _F("at-target", "a side has exactly the target", "", lambda m: m.target in m.last),
    _F("over", "a side is at the target at the end", "no side is at the target at the end", lambda m: m.over(m.last) > 0),
    _F("both-over", "both sides are at the target at the end", "not both sides are at the target at the end", lambda m: m.over(m.last) > 1),
    _F("both-over-once", "both sides are at the target after some deal", "", lambda m: any(m.over(one) > 1 for one in m.totals)),
    _F("goes-on", "the match goes on with a side at the target", "", lambda m: any(m.over(one) for one in m.totals[:-1]) or (m.over(m.last) > 0 and m.result["winner"] is None)),
    _F("totals-tied", "the totals are level", "the totals are not level", lambda m: len(m.last) > 0 and len({*m.last}) < len(m.last)),
    _F("taker-behind", "the side that took last is at the target with less than the others", "",
       lambda m: m.taking is not None and m.over(m.last) > 1 and m.last[m.taking] < max(m.last)),
    _F("taker-wins", "the side that took last wins the match", "the side that took last does not win the match", lambda m: m.taking is not None and m.result.get("winner") == m.taking),
    _F("surplus", "the winner has more than the target", "", lambda m: bool(m.result.get("surplus"))),
    _F("negative", "a total is below nothing", "", lambda m: any(total < 0 for line in m.totals for total in line)),
    _F("totals", "totals are given at the start", "no totals are given at the start", lambda m: any(m.question.get("totals", ()))),
    _F("over-before", "a side is at the target at the start", "", lambda m: m.over(m.question.get("totals", ())) > 0),
    *_each("deals", "there {}", (1, 2, 3), ("is one deal", "are two deals", "are three deals"), lambda m: len(m.told)),
    _F("several", "there are two deals or more", "there is one deal at most", lambda m: len(m.told) > 1),
    _F("round", "the deal has gone round the table", "the deal has not gone round the table", lambda m: m.question["dealer"] + len(m.told) >= m.rules.players),
    *_seats("dealt-by", "{} deals first", lambda m: m.question["dealer"]),
    *_each("won-by", "the {} side wins the match", _SEATS[:3], ("first", "second", "third"), lambda m: m.result.get("winner")),
)  # fmt: skip

_BELOTE: Final = (
    _F("pair", "the hand has king and queen of trump", "the hand has not king and queen of trump", lambda v: any(v.cards & pair == pair for pair in v.mode.pairs)),
    _F("pairs", "the hand has king and queen of two suits that are trump", "", lambda v: sum(v.cards & pair == pair for pair in v.mode.pairs) > 1),
    _F("one-royal", "the hand has king or queen of trump alone", "", lambda v: any((v.cards & pair).bit_count() == 1 for pair in v.mode.pairs)),
    _F("plain-pair", "the hand has king and queen of a suit that is not trump", "", lambda v: any(
        (v.cards & (KINGS | QUEENS) & cards).bit_count() == 2 and not v.mode.is_trump(suit) for suit, cards in enumerate(SUIT_CARDS))),
    _F("called", "belote is said", "belote is not said", lambda v: any(v.calls)),
    _F("called-twice", "belote is said twice", "belote is not said twice", lambda v: sum(v.calls) > 1),
    _F("called-first", "belote is said with the first of the two", "belote is not said with the first of the two", lambda v: v.royal_calls[:1] == [True]),
    _F("called-second", "belote is said with the second of the two", "belote is not said with the second of the two", lambda v: v.royal_calls[1:2] == [True]),
    _F("both-played", "king and queen of trump are both played", "king and queen of trump are not both played", lambda v: len(v.royals) > 1),
    _F("none-played", "neither king nor queen of trump is played", "king or queen of trump is played", lambda v: not v.royals),
    _F("queen-first", "the queen of trump is played first", "the queen of trump is not played first", lambda v: v.royals[:1] == ["Q"]),
    _F("at-once", "the first card played is king or queen of trump", "", lambda v: bool(v.plays) and v.is_royal(v.plays[0]["card"])),
    _F("apart", "cards are played between the two", "", lambda v: v.apart > 1),
    _F("called-with-other", "belote is said with another card", "belote is said with no other card", lambda v: any(one.get("call") and not v.is_royal(one["card"]) for one in v.plays)),
    _F("led", "it is said which suit was led", "it is not said which suit was led", lambda v: any("led" in one for one in v.plays)),
    _F("thrown", "king or queen of trump is thrown on another suit", "", lambda v: any("led" in one and one["led"] != one["card"][-1] and v.is_royal(one["card"]) for one in v.plays)),
    _F("automatic", "belote is not for the player to say", "", lambda v: v.question.get("announcing") == "automatic"),
    _F("counts", "belote counts", "belote does not count", lambda v: v.result.get("points", 0) > 0),
)  # fmt: skip

_RANKS: Final = {"nine": 2, "ten": 3, "jack": 4, "queen": 5, "king": 6, "ace": 7}


def _ranks(yes: str, no: str, words: Sequence[str], trump: bool | None) -> Features:
    """Return whether a rank is among some cards: as a trump, as none, or at all."""

    def one(rank: int) -> Callable[[Any], bool]:
        return lambda v: any(
            trump in (None, v.mode.is_trump(suit)) and ranks_of(v.cards, suit) >> rank & 1 for suit in EVERY_SUIT
        )

    return [_F(f"{word}-{trump}", yes.format(word), no.format(word), one(_RANKS[word])) for word in words]


_POINTS: Final = (
    _F("last-trick", "the last trick is among them", "the last trick is not among them", lambda v: bool(v.question.get("last_trick"))),
    _F("none", "there are no cards", "there are cards", lambda v: not v.cards),
    _F("one", "there is one card", "", lambda v: v.cards.bit_count() == 1),
    _F("trumps", "there are trumps among them", "there are no trumps among them", lambda v: bool(v.cards & v.mode.trump_cards)),
    _F("plain", "there are other cards than trumps", "there are no other cards than trumps", lambda v: bool(v.cards & ~v.mode.trump_cards)),
    _F("worthless", "the cards are worth nothing", "the cards are worth something", lambda v: v.result["points"] == 0),
    *_ranks("there is a trump {}", "there is no trump {}", ("nine", "jack"), True),
    *_ranks("there is a {} that is not trump", "there is no {} that is not trump", ("nine", "jack"), False),
    *_ranks("a {} is there", "no {} is there", ("ten", "queen", "king", "ace"), None),
    _F("many", "there are more than eight cards", "there are eight cards at most", lambda v: v.cards.bit_count() > 8),
    _F("all", "all cards are there", "", lambda v: v.cards == v.rules.deck),
)  # fmt: skip

_HELD: Final = (
    _F("nothing", "there is nothing to announce", "there is something to announce", lambda v: not v.result["sets"]),
    _F("runs", "the hand has a run", "the hand has no run", lambda v: bool(v.runs)),
    _F("two-runs", "the hand has two runs", "the hand has one run at most", lambda v: len(v.runs) > 1),
    _F("two-in-a-suit", "the hand has two runs of a suit", "", lambda v: len({d.suit for d in v.runs}) < len(v.runs)),
    *_each("run-of", "the hand has a run of {}", (3, 4, 5, 6, 7, 8), ("three", "four", "five", "six", "seven", "all eight"), lambda v: max((d.length for d in v.runs), default=0)),
    _F("long-run", "the hand has a run of five or more", "the hand has no run of five or more", lambda v: any(d.length > 4 for d in v.runs)),
    _F("top-run", "a run goes up to the highest card", "no run goes up to the highest card", lambda v: any(d.top == 7 for d in v.runs)),
    _F("low-run", "a run begins with the lowest card", "no run begins with the lowest card", lambda v: any(d.top - d.length == -1 for d in v.runs)),
    _F("ends-joined", "the hand has the highest and the lowest of a suit and one beside them", "", lambda v: v.ends_meet),
    _F("squares", "the hand has a square", "the hand has no square", lambda v: bool(v.squares)),
    _F("two-squares", "the hand has two squares", "", lambda v: len(v.squares) > 1),
    _F("both", "the hand has a run and a square", "the hand has not both a run and a square", lambda v: bool(v.runs and v.squares)),
    _F("shared", "a card is in a run and in a square", "no card is in a run and in a square", lambda v: any(one.cards & other.cards for one in v.runs for other in v.squares)),
    _F("worthless-four", "the hand has four of a rank that are worth nothing", "", lambda v: v.fours > len(v.squares)),
    _F("choice", "there is a choice of what to announce", "there is no choice of what to announce", lambda v: len(v.result["sets"]) > 1),
    _F("several", "two or more may be announced together", "one at most may be announced", lambda v: any(len(one["declarations"]) > 1 for one in v.result["sets"])),
    _F("royal-run", "a run holds king and queen", "", lambda v: any(d.cards & KINGS and d.cards & QUEENS for d in v.runs)),
    _F("part-hand", "the hand is not a whole one", "the hand is a whole one", lambda v: v.cards.bit_count() != v.rules.hand_size),
)  # fmt: skip

_DEALING: Final = (
    *_seats("dealt-by", "{} deals", lambda v: v.question["dealer"]),
    *_each("taker", "{} takes", _SEATS, ("the dealer", "the first after the dealer", "the second after the dealer", "the third after the dealer"),
           lambda v: (v.question["taker"] - v.question["dealer"]) % v.rules.players),
    *_seats("taken-by", "{} takes", lambda v: v.question["taker"]),
    _F("cut", "the deck is cut", "the deck is not cut", lambda v: "cut" in v.question),
    _F("shallow", "fewer cards are lifted than are dealt to a seat", "", lambda v: v.question.get("cut", 99) < v.rules.hand_size),
    _F("deep", "fewer cards are left than are dealt to a seat", "", lambda v: len(v.question["deck"]) - v.question.get("cut", 0) < v.rules.hand_size),
    _F("shuffles", "shuffles are told", "no shuffles are told", lambda v: "shuffles" in v.question),
    _F("unshuffled", "nobody shuffles", "", lambda v: v.question.get("shuffles") == 0),
)  # fmt: skip

_PENALTY: Final = (
    _F("proved", "the accusation is right", "the accusation is wrong", lambda v: bool(v.result.get("proved"))),
    _F("ends", "the deal ends with it", "the deal goes on", lambda v: bool(v.result.get("ends_deal"))),
    _F("last-card", "the fault is the last card played", "the fault is not the last card played", lambda v: v.result.get("at") == len(v.question["plays"]) - 1),
    _F("first-trick", "the fault is in the first trick", "the fault is not in the first trick", lambda v: (v.result.get("at") or 0) < v.rules.players),
    _F("declared", "declarations count", "no declarations count", lambda v: v.question.get("declared", 0) > 0),
    _F("after-a-trick", "a trick is complete", "no trick is complete", lambda v: len(v.question["plays"]) >= v.rules.players),
    _F("next", "the accuser sits behind the accused", "", lambda v: (v.question["accuser"] - v.question["accused"]) % v.rules.players == 1),
    *_seats("accuser", "{} accuses", lambda v: v.question["accuser"]),
    *_seats("accused", "{} is accused", lambda v: v.question["accused"]),
)  # fmt: skip

_PERFT: Final = (
    _F("one-card", "one card is played", "more than one card is played", lambda v: v.question["depth"] == 1),
    _F("part-trick", "no trick is completed", "a trick is completed", lambda v: v.question["depth"] < v.rules.players),
    _F("second-trick", "a second trick begins", "no second trick begins", lambda v: v.question["depth"] > v.rules.players),
    _F("to-the-end", "all cards are played", "not all cards are played", lambda v: v.question["depth"] >= v.held),
    _F("beyond", "there are fewer cards than are to be played", "", lambda v: v.question["depth"] > v.held),
    _F("one-way", "there is one way", "there are several ways", lambda v: v.result["count"] == 1),
    _F("piles", "the cards lie in piles", "", lambda v: "piles" in v.question),
    *_seats("led-by", "{} leads", lambda v: v.question["leader"]),
)  # fmt: skip

_ENDS: Final = {"played": "the deal is played out", "passed": "everybody passes", "belot": "eight in a row win the match", "claim": "a side says enough"}
_ACTIONS: Final = {"announce": "somebody announces", "belote": "belote is said", "show": "somebody shows", "discard": "cards are laid away",
                   "exchange": "the seven is exchanged", "look": "somebody looks at a trick", "claim": "somebody says enough", "made": "a turned card makes something"}  # fmt: skip
_TOLD: Final = {"deck": "the deck is given", "hands": "the hands are given", "tricks": "the tricks are given", "piles": "the piles are given",
                "totals": "totals are given", "shuffles": "shuffles are told", "announcing": "nobody announces for himself"}  # fmt: skip


def _each_name(before: str, words: Mapping[str, str], holds: Callable[[Any, str], bool]) -> Features:
    def one(name: str) -> Callable[[Any], bool]:
        return lambda view: holds(view, name)

    return [_F(f"{before}{name}", before + said, "", one(name)) for name, said in words.items()]


_REPLAY: Final = (
    *_each("ended", "{}", [*_ENDS], [*_ENDS.values()], lambda v: v.result.get("ended")),
    *_each_name("", _ACTIONS, lambda v, name: v.count(name) > 0),
    *_each_name("it is refused where ", {"bid": "somebody bids", "play": "somebody plays a card", **_ACTIONS}, lambda v, name: name in v.last_refused),
    *_each_name("", _TOLD, lambda v, name: name in v.question),
    _F("announced-twice", "two seats announce", "", lambda v: v.count("announce") > 1),
    _F("belote-twice", "belote is said twice", "belote is not said twice", lambda v: v.count("belote") > 1),
    _F("late", "something happens in a later trick", "", lambda v: len(v.tricks) > 1),
    _F("taker-leads", "the taker leads to the first trick", "the taker does not lead to the first trick", lambda v: bool(v.tricks) and v.contract.taker == v.tricks[0].leader),
    *_seats("dealt-by", "{} deals", lambda v: v.question["dealer"]),
)  # fmt: skip


def _last_trick(view: Any) -> Trick | None:
    return view.tricks[-1] if view.tricks else None


_LAST: Final = [one._replace(name=f"last-{one.name}", yes=f"in the last trick {one.yes}", no="") for one in _WHOLE_TRICK]
_TRICKS: Final = (*_some("trick", _WHOLE_TRICK, lambda v: v.tricks), *_inside(_LAST, _last_trick))


def _part(name: str, features: Features) -> Features:
    return _inside(features, lambda view: getattr(view, name))


# What is asked of the questions of each operation, the plainest first.
FEATURES: Final[Mapping[str, Features]] = {
    "card-points": (*_mode(), *_POINTS),
    "trick-winner": (*_mode(), *_WHOLE_TRICK),
    "legal-cards": (*_HAND, *_mode(), *_TRICK),
    "declarations": _HELD,
    "compare-declarations": (*_ANNOUNCED, *_mode()),
    "compare-hands": (*_ANNOUNCED, *_mode()),
    "belote": (*_BELOTE, *_mode(), *_REFUSED),
    "bidding": _AUCTION,
    "deal": (*_DEALING, *_REFUSED),
    "score-deal": (*_DEAL, *_mode()),
    "settle-tricks": (*_part("deal", (*_DEAL, *_mode())), *_TRICKS),
    "match": (*_MATCH, *_REFUSED, *_some("deal", (*_DEAL, *_mode()), lambda m: m.scored)),
    "penalty": (*_PENALTY, *_REFUSED, *_mode()),
    "perft": (*_PERFT, *_mode()),
    "replay": (
        *_REPLAY, *_REFUSED, *_part("deal", (*_DEAL, *_mode())), *_part("auction", _AUCTION), *_part("announced", _ANNOUNCED), *_TRICKS
    ),
}  # fmt: skip
LOOKS: Final[Mapping[str, Callable[[Put], Any]]] = {
    "trick-winner": trick_of,
    "legal-cards": trick_of,
    "declarations": Hand,
    "compare-declarations": announced_of,
    "compare-hands": announced_of,
    "belote": Belote,
    "bidding": auction_of,
    "score-deal": scored_of,
    "settle-tricks": Settled,
    "match": Match,
    "replay": Recorded,
    "perft": Counted,
}


def look(put: Put) -> Any:
    """Return a question as its features are asked of it."""
    return LOOKS.get(put.operation, View)(put)
