"""The features of questions: what the situation is and of what kind the right outcome, never which cards or numbers.

They are data: words that stand in a sentence, *wrong wherever trump is led and the hand has none of it*, each with what
asks it of a view of the question (`views.py`). Between braces stand the words by which it is so, and those by which it
is not, where that says anything.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from belot_conformance.explain.views import (
    Belote,
    Hand,
    Match,
    Put,
    Recorded,
    Settled,
    Trick,
    View,
    announced_of,
    auction_of,
    scored_of,
    trick_of,
)
from belot_reference.bids import CAPOT
from belot_reference.cards import EVERY_SUIT, SUIT_CARDS, Card, cards_in, rank_of, suit_of
from belot_reference.mode import KINGS, NO_TRUMPS, QUEENS, SUIT
from belot_reference.sentences import REASONS

Test = Callable[[Any], object]
Table = dict[str, Test]

_SLOT: Final = re.compile(r"{(.*)\|(.*)}")
_SEATS: Final = {seat: f"seat {seat}" for seat in range(4)}
_SIDES: Final = {0: "first", 1: "second", 2: "third"}
_SUITS: Final = dict(enumerate(("spades", "hearts", "diamonds", "clubs")))


class Feature(NamedTuple):
    """Something that is so of a question or not; its name is its words as they stand below."""

    name: str
    holds: Test

    @property
    def yes(self) -> str:
        """What is said where it is so."""
        return _SLOT.sub(r"\1", self.name)

    @property
    def no(self) -> str:
        """What is said where it is not so, nothing where that is not worth saying."""
        return _SLOT.sub(r"\2", self.name) if _SLOT.search(self.name) else ""


def _of(test: Callable[[Any, Any], object], value: Any) -> Test:
    return lambda view: test(view, value)


def _each(phrase: str, words: Mapping[Any, str], of: Test) -> Table:
    """Return a feature for each value that something may have."""
    return {phrase % said: _of(lambda view, value: of(view) == value, value) for value, said in words.items()}


def _among(phrase: str, words: Mapping[Any, str], of: Callable[[Any], Any]) -> Table:
    """Return a feature for each value that may be among some."""
    return {phrase % said: _of(lambda view, value: value in of(view), value) for value, said in words.items()}


def _part(name: str, table: Table) -> Table:
    """Return features of a part of a question, which may be missing."""

    def one(holds: Test) -> Test:
        return lambda view: (part := getattr(view, name)) is not None and holds(part)

    return {phrase: one(holds) for phrase, holds in table.items()}


def _some(what: str, table: Table, name: str) -> Table:
    """Return features of at least one of several parts, and of the last of them."""

    def some(holds: Test) -> Test:
        return lambda view: any(map(holds, getattr(view, name)))

    def last(holds: Test) -> Test:
        return lambda view: any(map(holds, getattr(view, name)[-1:]))

    found = {f"in {{some|no}} {what} {Feature(phrase, holds).yes}": some(holds) for phrase, holds in table.items()}
    return found | {f"in the last {what} {phrase}": last(holds) for phrase, holds in table.items()}


_MODE: Final[Table] = {
    "{a|no one} suit is trump": lambda v: v.mode and v.mode.kind == SUIT,
    "there are {no trumps|trumps}": lambda v: v.mode and v.mode.kind == NO_TRUMPS,
    "{all|not all} suits are trumps": lambda v: v.mode and v.mode.kind not in (SUIT, NO_TRUMPS),
    **_each("%s are trump", _SUITS, lambda v: v.mode and v.mode.number),
}
_REFUSED: Final[Table] = {
    "{the rules refuse it|the rules allow it}": lambda v: v.reason,
    **_each("the rules refuse it as %s", {reason: reason for reason in REASONS}, lambda v: v.reason),
}

# By what another card might be taken to win a trick.
_ORDERS: Final[Mapping[str, Callable[[Trick, Card], tuple[int, ...]]]] = {
    "if cards of any suit could": lambda t, c: (t.kind(c)[0], t.strength(c)),
    "if a ruff were a card of the suit led": lambda t, c: (any(t.kind(c)), t.strength(c)),
    "if a ruff were a card of the suit led and ranked so": lambda t, c: (any(t.kind(c)), t.plain(c)),
    "by its rank alone, whatever its suit": lambda t, c: (t.strength(c),),
    "if the last card of the suit led won": lambda t, c: (t.kind(c)[1], t.cards.index(c)),
    "if the first ruff stood": lambda t, c: (*t.kind(c), t.trump == t.led and t.strength(c)),
    "by the order of suits that are not trump": lambda t, c: (*t.kind(c), t.plain(c)),
    "by the order of trumps": lambda t, c: (*t.kind(c), t.rules.trump_strength[rank_of(c)]),
    "by the order from seven to ace": lambda t, c: (*t.kind(c), rank_of(c)),
}

# Of tricks, whole or running.
_TRICK: Final[Table] = {
    "{trump is led|the suit led is not trump}": lambda t: t.led == t.trump >= 0,
    "{somebody|nobody} ruffs": lambda t: t.ruffs,
    "{two or more ruff|at most one ruffs}": lambda t: len(t.ruffs) > 1,
    "a ruff {is|is not} beaten by a later one": lambda t: len(t.ruffs) > 1 and t.best != t.ruffs[0],
    "the last ruff {does not win|wins}": lambda t: len(t.ruffs) > 1 and t.best != t.ruffs[-1],
    "{somebody|nobody} throws off a card of another suit": lambda t: t.discards,
    "{a|no} card thrown off ranks above the winning card":
        lambda t: any(t.plain(one) > t.strength(t.winning) for one in t.discards),
    "{a|no} card thrown off ranks above every card of the suit led":
        lambda t: any(t.plain(one) > t.height for one in t.discards),
    "{a|no} card of the suit led ranks above the ruff that wins":
        lambda t: t.ruffs and t.plain(t.best_led) > t.plain(t.winning),
    **{f"{{another|no other}} card would win {said}": _of(lambda t, order: t.best_by(order) != t.best, order)
       for said, order in _ORDERS.items()},
    "{the highest card of the suit led lies|a higher card of the suit led could come}": lambda t: t.height == 7,
    "the card led {wins|is beaten}": lambda t: t.best == 0,
    "the last card played {wins|does not win}": lambda t: t.best == t.count - 1 > 0,
    "{everybody|not everybody} follows suit": lambda t: not t.discards and not t.ruffs,
    **_each("%s are led", _SUITS, lambda t: t.led),
}  # fmt: skip
_WHOLE: Final[Table] = {
    **_TRICK,
    "the {leader's|other} side wins it": lambda t: t.rules.partners(t.leader, t.winner),
    "the leader's partner {wins|does not win} it": lambda t: t.best > 0 and t.rules.partners(t.leader, t.winner),
    "a seat of a {lower|higher} number than the leader's wins it": lambda t: t.winner < t.leader,
    **_each("%s {leads|does not lead}", _SEATS, lambda t: t.leader),
    **_each("%s {wins|does not win} it", _SEATS, lambda t: t.winner),
}
_HAND: Final[Table] = {
    "{the hand leads|somebody has led}": lambda t: t.count == 0,
    "one card lies": lambda t: t.count == 1,
    "two cards lie": lambda t: t.count == 2,
    "{the hand plays last to the trick|others play after the hand}": lambda t: t.count == t.rules.players - 1,
    "the hand {has none of the suit led|can follow suit}": lambda t: t.count and not t.follows,
    "the hand holds {trumps|no trumps}": lambda t: t.trumps,
    "the hand holds {nothing but|other cards than} trumps": lambda t: len(t.trumps) == t.hand.bit_count(),
    "the hand {could|could not} go over the ruff that lies": lambda t: any(one > t.ruff for one in t.trumps),
    "the hand holds {trumps|no trumps} below the ruff that lies":
        lambda t: t.ruffs and any(one < t.ruff for one in t.trumps),
    "the hand {can|cannot} beat the best card of the suit led": lambda t: any(one > t.height for one in t.follows),
    "the hand {can|cannot} follow with a lower card": lambda t: any(one < t.height for one in t.follows),
    "the partner is {winning|not winning}": lambda t: t.partner_wins,
    "{an|no} opponent is winning": lambda t: t.count and not t.partner_wins,
    "{another|the same} side would be winning if cards of any suit could":
        lambda t: t.partner_played and (t.best_by(_ORDERS["if cards of any suit could"]) - t.best) % 2,
    "the partner's ruff is {winning|not winning}": lambda t: t.partner_wins and t.best in t.ruffs,
    "{an|no} opponent's ruff is winning": lambda t: t.best in t.ruffs and not t.partner_wins,
    "the partner {has|has not} played": lambda t: t.partner_played,
    "the partner {led|did not lead}": lambda t: t.partner_played and t.count == t.rules.players // 2,
    "the player just before is {winning|not winning}": lambda t: t.count and t.best == t.count - 1,
    "the hand has {one card left|more than one card}": lambda t: t.hand.bit_count() == 1,
    "it is {the|not the} first trick": lambda t: t.hand.bit_count() == t.rules.hand_size,
    "the hand {holds|does not hold} king and queen of trump":
        lambda t: any(t.hand & pair == pair for pair in t.mode.pairs),
    "{every|not every} card may be played": lambda t: t.legal == t.hand.bit_count(),
    "{one card alone|more than one card} may be played": lambda t: t.legal == 1 < t.hand.bit_count(),
}  # fmt: skip

_WHO: Final = {0: "the bidder", 1: "the opponent after the bidder", 2: "the bidder's partner",
               3: "the opponent before the bidder"}  # fmt: skip
_BY: Final = {0: "himself", 1: "the opponent before", 2: "his partner", 3: "the opponent after"}
_CALLS: Final = {"pass": "a pass", "double": "a double", "redouble": "a redouble", "bid": "a bid", "capot": "a capot"}
_MAKES: Final = {"bid": "bids", "capot": "bids capot", "double": "doubles", "redouble": "redoubles"}
_STATES: Final = {"open": "the bidding goes on", "taken": "somebody has taken", "failed": "nobody takes",
                  "refused": "a call is refused"}  # fmt: skip
_MADE: Final = {(kind, place): f"{who} {verb}" for kind, verb in _MAKES.items() for place, who in _WHO.items()}
_PAIRS: Final = {(one, other): f"{after} follows at once on {before}" for one, before in _CALLS.items()
                 for other, after in _CALLS.items()}  # fmt: skip
_AUCTION: Final[Table] = {
    **_each("%s", _STATES, lambda a: a.state),
    "{nothing|something} has been said": lambda a: not a.calls,
    "{nobody|somebody} has bid": lambda a: not a.named,
    "there {are two bids or more|is one bid at most}": lambda a: len(a.named) > 1,
    "there are {three bids or more|two bids at most}": lambda a: len(a.named) > 2,
    "the bidding {has|has not} gone round the table": lambda a: len(a.calls) >= a.rules.players,
    "the first to speak {passed|did not pass}": lambda a: a.calls[:1] == ["pass"],
    "{all have|not all have} passed before anybody bid":
        lambda a: a.calls[: a.rules.players].count("pass") >= a.rules.players,
    **_each("%s", {0: "no pass stands last", 1: "one pass stands last", 2: "two passes stand last",
                   3: "three passes stand last"}, lambda a: a.passes),
    **_each("the last call is %s", _CALLS, lambda a: a.calls[-1] if a.calls else ""),
    "what stands is {not doubled|doubled}": lambda a: not a.raised,
    "what stands is doubled and not redoubled": lambda a: a.raised == 1,
    "what stands is {redoubled|not redoubled}": lambda a: a.raised > 1,
    "{a|no} doubled bid is outbid": lambda a: a.overbid,
    **_each("%s is to speak", _WHO, lambda a: a.speaks),
    "the side of the last bid is {to|not to} speak": lambda a: a.speaks in (0, 2),
    "the opponents of the last bidder are {to|not to} speak": lambda a: a.speaks in (1, 3),
    "the dealer is {to|not to} speak": lambda a: a.choices and a.turn == a.dealer,
    "the first to speak is {to|not to} speak again": lambda a: a.choices and a.turn in a.seats[:1],
    **_among("%s the next to speak {has|has not} bid", {2: "the partner of", 1: "the opponent after",
                                                        3: "the opponent before"}, lambda a: a.bid_before),
    "the next to speak {has|has not} bid": lambda a: 0 in a.bid_before,
    "the side of the next to speak {has|has not} bid": lambda a: a.bid_before & {0, 2},
    "the dealer {has|has not} the bid that stands": lambda a: a.bidder == a.dealer,
    "{both sides have|at most one side has} bid": lambda a: len({a.rules.side_of[seat] for seat, _ in a.named}) > 1,
    "capot {stands|does not stand}": lambda a: {"capot", "bid"} & {*a.kinds[-1:]} == {"capot"},
    "the highest number {stands|does not stand}":
        lambda a: a.amounts and a.amounts[-1] >= len(a.rules.auction.amounts) - 2,
    "the lowest number {stands|does not stand}": lambda a: a.amounts[-1:] == [0],
    "{a|no} bid is higher than it need be": lambda a: a.jumps,
    **_among("the next to speak {may|may not} %s", {kind: kind for kind in _CALLS}, lambda a: a.choices),
    **_each("%s is refused", _CALLS, lambda a: a.refused),
    "{a call is refused while|nothing is refused as long as} the bidding goes on": lambda a: a.refused and a.choices,
    "it is the {second|first} round": lambda a: a.node.round > 1,
    "the suit of the turn-up {is|is not} named": lambda a: a.suit is not None and a.suit == a.standing,
    **_among("%s, or may next", _MADE, lambda a: a.made),
    **_among("%s", _PAIRS, lambda a: a.pairs),
    **_among("somebody outbids %s", _BY, lambda a: a.outbid),
    **_among("somebody names a mode again that was named by %s", _BY, lambda a: a.renamed),
    **_each("%s {deals|does not deal}", _SEATS, lambda a: a.dealer),
    **_each("%s {has|has not} the bid that stands", _SEATS, lambda a: a.bidder),
    **{f"the bid that stands is such that {phrase}": holds for phrase, holds in _MODE.items()},
}  # fmt: skip

_SEATED: Final = {"leader": "the leader", "last": "the last in turn", "taker": "the taker"}
_ANNOUNCED: Final[Table] = {
    "{nobody|somebody} announces": lambda c: not c.every,
    "{more than one side announces|one side at most announces}": lambda c: len(c.sides) > 1,
    "{a|no} seat announces two or more": lambda c: any(len(own) > 1 for own in c.seats),
    "{a|no} seat announces three or more": lambda c: any(len(own) > 2 for own in c.seats),
    "{a|no} seat whose declarations count announces two or more":
        lambda c: any(len(own) > 1 and points for own, points in zip(c.seats, c.points, strict=True)),
    "{a|no} seat whose declarations do not count announces two or more":
        lambda c: any(len(own) > 1 and not points for own, points in zip(c.seats, c.points, strict=True)),
    "{two|no two} partners announce": lambda c: sum(map(bool, c.seats)) > len(c.sides),
    "declarations of {two seats|one seat at most} count": lambda c: sum(map(bool, c.points)) > 1,
    "declarations of two seats count and are {not worth the same|worth the same}": lambda c: len({*c.points} - {0}) > 1,
    "declarations of {two sides|one side at most} count":
        lambda c: len({c.side[s] for s, p in enumerate(c.points) if p}) > 1,
    "the partner of who has the best {has something too|has nothing}":
        lambda c: any(c.side[seat] in c.tied_sides and seat not in c.tied_seats for seat, _ in c.every),
    "{three seats or more|two seats at most} announce": lambda c: sum(map(bool, c.seats)) > 2,
    "{a|no} square is announced": lambda c: c.squares,
    "{two squares are|at most one square is} announced": lambda c: len(c.squares) > 1,
    "{a|no} run is announced": lambda c: c.runs,
    "{two runs are|at most one run is} announced": lambda c: len(c.runs) > 1,
    "{a|no} run of five or more is announced": lambda c: any(one.length > 4 for one in c.runs),
    "all cards of a suit are announced": lambda c: any(one.length == 8 for one in c.runs),
    "the best is {a|no} square": lambda c: c.best is not None and c.best.kind == "square",
    "the best is {a|no} run in trump": lambda c: c.best is not None and c.mode.is_trump(c.best.suit),
    "{a|no} run in trump is announced": lambda c: any(c.mode.is_trump(one.suit) for one in c.runs),
    "{two seats have|one seat alone has} the best": lambda c: len(c.tied_seats) > 1,
    "{two sides have|one side alone has} the best": lambda c: len(c.tied_sides) > 1,
    "{two|no two} partners have the best": lambda c: len(c.tied_seats) > len(c.tied_sides),
    "two partners have the best and no opponent has one like it": lambda c: len(c.tied_seats) > len(c.tied_sides) == 1,
    "{two|no two} sides have declarations that are equal": lambda c: any(c.side[a] != c.side[b] for a, b in c.equals()),
    "{two|no two} partners have declarations that are equal":
        lambda c: any(c.side[a] == c.side[b] for a, b in c.equals()),
    "{two|no two} partners have declarations that are equal and count":
        lambda c: any(c.side[a] == c.side[b] and c.points[a] and c.points[b] for a, b in c.equals()),
    "another seat has a run like the best but for {what is trump|more}": lambda c: any(
        seat not in c.tied_seats and (d.kind, d.length, d.top) == (c.best.kind, c.best.length, c.best.top)
        for seat, d in c.every),
    "{another|no other} side has a run as long as the best": lambda c: any(
        c.side[seat] not in c.tied_sides and d.kind == c.best.kind != "square" and d.length == c.best.length
        for seat, d in c.every),
    "{a|no} longer run stands lower than a shorter one": lambda c: any(
        one.length > other.length and one.top < other.top for one in c.runs for other in c.runs),
    "the best {is not|is} among what seats announce first": lambda c: c.every and not {*c.best_of(0)} & {*c.tied_seats},
    "the best {is not|is} among what seats announce last": lambda c: c.every and not {*c.best_of(-1)} & {*c.tied_seats},
    "another side would have the best by what seats announce first":
        lambda c: c.every and {c.side[seat] for seat in c.best_of(0)} != c.tied_sides,
    "the best comes {after one that is lower|first in turn}": lambda c: c.every and c.every[0][1] is not c.best,
    **_among("%s {has|has not} the best", _SEATED, lambda c: c.among(c.tied_seats)),
    **_among("%s's side {has|has not} the best", _SEATED, lambda c: c.among(c.tied_seats, sides=True)),
    **_among("%s announces {something|nothing}", _SEATED, lambda c: c.among([seat for seat, _ in c.every])),
    **_among("declarations of %s {count|do not count}", _SEATED,
             lambda c: c.among([seat for seat, points in enumerate(c.points) if points])),
    "an opponent before the leader's partner has the best too":
        lambda c: len(c.tied_sides) > 1 and c.side[c.tied_seats[0]] != c.side[c.leader],
    "those whose declarations do not count announce {more|not more} points": lambda c: c.lost > sum(c.points),
    "{nothing|something} that is announced counts": lambda c: not any(c.points),
    "{nobody|somebody} wins the comparison": lambda c: c.winner is None,
    "of the seats with the best {not the lowest|the lowest} number wins":
        lambda c: c.winner not in {None, min(c.tied_seats, default=None)},
    "of the seats with the best {not the first|the first} in turn wins":
        lambda c: c.winner not in {None, *c.tied_seats[:1]},
    "{a|no} card is in two declarations": lambda c: sum(d.length for _, d in c.every) > c.cards.bit_count(),
    **_each("%s {wins|does not win} the comparison", _SEATS, lambda c: c.winner),
    **_each("%s {leads|does not lead}", _SEATS, lambda c: c.leader),
    **_MODE,
}  # fmt: skip

_WHOSE: Final[Mapping[str, Callable[[Any], Any]]] = {
    "the taker's side": lambda d: [d.own], "the other side": lambda d: d.others, "any side": lambda d: d.tallies,
    "a side without a trick": lambda d: d.trickless,
}  # fmt: skip
_SUMS: Final = {"declarations": "declarations", "outranked declarations": "outranked", "belote": "belote"}
_DEAL: Final[Table] = {
    "the contract {is made|is not made}": lambda d: d.outcome == "made",
    "the contract {falls|does not fall}": lambda d: d.outcome == "fell",
    "the deal is {tied|not tied}": lambda d: d.outcome == "tied",
    "the sides are {level|not level}": lambda d: d.margin == 0,
    "{one or two points|more than two points} decide": lambda d: 0 < abs(d.margin) <= 2,
    "the taker's side has {more|not more} points": lambda d: d.margin > 0,
    "the deal is {doubled or redoubled|not doubled}": lambda d: d.raised > 1,
    "the deal is {redoubled|not redoubled}": lambda d: d.raised > 2,
    "the deal is doubled and not redoubled": lambda d: d.raised == 2,
    "{capot|no capot} is bid": lambda d: d.bid == CAPOT,
    "the taker's side has {exactly|not exactly} what it bid": lambda d: d.bid == d.counted[d.taking],
    "the taker's side has what it bid and not more than the others":
        lambda d: d.bid and d.bid != CAPOT and d.bid <= d.counted[d.taking] <= d.to_beat,
    "{one|no} side wins every trick": lambda d: d.swept_by is not None,
    "the taker's side {wins|does not win} every trick": lambda d: d.swept_by == d.taking,
    "the other side {wins|does not win} every trick": lambda d: d.swept_by not in (None, d.taking),
    "{a side has no|every side has a} trick": lambda d: d.trickless,
    "the taker's side has {no|a} trick": lambda d: not d.own.tricks,
    **{f"{who} has {{{what}|no {what}}}": _of(lambda d, key: any(getattr(one, key[1]) for one in key[0](d)), (of, name))
       for who, of in _WHOSE.items() for what, name in _SUMS.items()},
    "{both sides have|not both sides have} declarations": lambda d: all(one.declarations for one in d.tallies),
    "it would end {otherwise|the same} without belote": lambda d: d.hangs_on(belote=0),
    "it would end {otherwise|the same} without declarations": lambda d: d.hangs_on(declarations=0),
    "it would end {otherwise|the same} by the cards alone": lambda d: d.hangs_on(declarations=0, belote=0),
    "the taker's side {wins|does not win} the last trick": lambda d: d.last == d.taking,
    "the other side {wins|does not win} the last trick": lambda d: d.last not in (None, d.taking),
    "{a side scores nothing|every side scores something}": lambda d: 0 in d.score,
    "the taker's side scores {nothing|something}": lambda d: not d.score[d.taking],
    "the score {is|need not be} rounded": lambda d: d.rests,
    "{a|no} side's points lie halfway between two scores": lambda d: 0 in d.rests,
    "{both|not both} sides' points lie halfway between two scores": lambda d: d.rests.count(0) > 1,
    "{a|no} side's points lie nearer to the higher score": lambda d: any(rest > 0 for rest in d.rests),
    **_each("%s {takes|does not take}", _SEATS, lambda d: d.contract.taker),
    "seat {1 or 2|0 or 3} takes": lambda d: d.contract.taker in (1, 2),
    **_each("the %s side {takes|does not take}", _SIDES, lambda d: d.taking),
    **_each("the %s side {scores|does not score} most", _SIDES, lambda d: d.winner),
    **_each("the %s side {wins|does not win} the last trick", _SIDES, lambda d: d.last),
    **_MODE,
}  # fmt: skip

_MATCH: Final[Table] = {
    "{a|no} deal is passed": lambda m: m.has("passed"),
    "the first deal is {passed|not passed}": lambda m: "passed" in m.told[0],
    "the last deal is {passed|not passed}": lambda m: "passed" in m.told[-1],
    "{a|no} deal follows on one that is passed": lambda m: any("passed" in one for one in m.told[:-1]),
    "{a|no} deal ends by an accusation": lambda m: m.has("accusation"),
    "an accusation is not proved":
        lambda m: any(not one["accusation"]["proved"] for one in m.told if "accusation" in one),
    "the last deal {ends|does not end} by an accusation": lambda m: "accusation" in m.told[-1],
    "{points|no points} are held at the start": lambda m: m.held[0],
    "{points|no points} are held for a later deal": lambda m: any(m.held[1:]),
    "{points|no points} are held at the end": lambda m: m.held[-1],
    "{points|no points} are held while others are":
        lambda m: any(0 < one < other for one, other in zip(m.held, m.held[1:], strict=False)),
    "{a|no} deal is passed while points are held": lambda m: m.has("passed", held=True),
    "{an|no} accusation ends a deal while points are held": lambda m: m.has("accusation", held=True),
    "{held|no held} points are booked": lambda m: any(any(line["freed"]) for line in m.lines),
    "{somebody|nobody} has won": lambda m: m.won is not None,
    "a side has exactly the target": lambda m: m.target in m.last,
    "{a|no} side is at the target at the end": lambda m: m.over(m.last),
    "{both|not both} sides are at the target at the end": lambda m: m.over(m.last) > 1,
    "the match goes on with a side at the target":
        lambda m: any(m.over(one) for one in m.totals[: -1 if m.won is not None else None]),
    "the totals are {level|not level}": lambda m: len({*m.last}) < len(m.last),
    "the side that took last {has|has not} the lower total":
        lambda m: m.taking is not None and m.last and m.last[m.taking] < max(m.last),
    "the side that took last {wins|does not win} the match": lambda m: m.taking is not None and m.won == m.taking,
    "{totals|no totals} are given at the start": lambda m: any(m.question.get("totals", ())),
    "a side is at the target at the start": lambda m: m.over(m.question.get("totals", ())),
    **_each("there %s", {1: "{is one deal|are two deals or more}", 2: "are two deals", 3: "are three deals"},
            lambda m: len(m.told)),
    "the deal {has|has not} gone round the table": lambda m: m.question["dealer"] + len(m.told) >= m.rules.players,
    **_each("%s deals first", _SEATS, lambda m: m.question["dealer"]),
    **_each("the %s side {wins|does not win} the match", _SIDES, lambda m: m.won),
    **_REFUSED,
    **_some("deal", _DEAL, "scored"),
}  # fmt: skip

_BELOTE: Final[Table] = {
    "the hand {has|has not} king and queen of trump": lambda v: any(v.cards & pair == pair for pair in v.mode.pairs),
    "the hand has king and queen of two suits that are trump":
        lambda v: sum(v.cards & pair == pair for pair in v.mode.pairs) > 1,
    "the hand has king or queen of trump alone":
        lambda v: any((v.cards & pair).bit_count() == 1 for pair in v.mode.pairs),
    "the hand {has|has not} king and queen of a suit that is not trump": lambda v: any(
        v.cards & KINGS & cards and v.cards & QUEENS & cards and not v.mode.is_trump(suit)
        for suit, cards in zip(EVERY_SUIT, SUIT_CARDS, strict=True)),
    "belote is {said|not said}": lambda v: v.calls,
    "belote is {said|not said} twice": lambda v: len(v.calls) > 1,
    "belote is {said|not said} with the first of the two": lambda v: {*v.royals[:1]} & {*v.calls},
    "belote is {said|not said} with the second of the two": lambda v: {*v.royals[1:]} & {*v.calls},
    "belote is {said|not said} with another card": lambda v: {*v.calls} - {*v.royals},
    "king and queen of trump are {both|not both} played": lambda v: len(v.royals) > 1,
    "{neither king nor|king or} queen of trump is played": lambda v: not v.royals,
    "the queen of trump is {played|not played} first": lambda v: v.first == "Q",
    "king or queen of trump is {played|not played} at once": lambda v: v.royals[:1] == [0],
    "{a|no} card is played between the two": lambda v: v.royals[1:] and v.royals[1] > v.royals[0] + 1,
    "king or queen of trump is {thrown|not thrown} on another suit": lambda v: any(
        v.plays[at].get("led", v.plays[at]["card"][-1]) != v.plays[at]["card"][-1] for at in v.royals),
    "it is {said|not said} which suit was led": lambda v: any("led" in one for one in v.plays),
    "belote is {not for the player|for the player} to say": lambda v: "announcing" in v.question,
    "belote {counts|does not count}": lambda v: v.result.get("points"),
    **_MODE,
    **_REFUSED,
}  # fmt: skip


_RANKS: Final = {2: "nine", 3: "ten", 4: "jack", 5: "queen", 6: "king", 7: "ace"}


def _ranks(view: View, trump: bool) -> set[int]:
    return {rank_of(card) for card in cards_in(view.cards) if view.mode.is_trump(suit_of(card)) == trump}


_POINTS: Final[Table] = {
    "the last trick {is|is not} among them": lambda v: v.question.get("last_trick"),
    "there {is one card|are several cards}": lambda v: v.cards.bit_count() == 1,
    "there are {trumps|no trumps} among them": lambda v: v.cards & v.mode.trump_cards,
    "there are {other|no other} cards than trumps": lambda v: v.cards & ~v.mode.trump_cards,
    "the cards are worth {nothing|something}": lambda v: not v.result["points"],
    **_among("there is {a|no} trump %s", _RANKS, lambda v: _ranks(v, trump=True)),
    **_among("there is {a|no} %s that is not trump", _RANKS, lambda v: _ranks(v, trump=False)),
    "there are {more than eight cards|eight cards at most}": lambda v: v.cards.bit_count() > 8,
    "all cards are there": lambda v: v.cards == v.rules.deck,
    **_MODE,
}  # fmt: skip

_RUNS: Final = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "all eight"}
_HELD: Final[Table] = {
    "there is {nothing|something} to announce": lambda v: not v.result["sets"],
    "the hand has {a|no} run": lambda v: v.runs,
    "the hand has {two runs|one run at most}": lambda v: len(v.runs) > 1,
    "the hand has two runs of a suit": lambda v: len({one.suit for one in v.runs}) < len(v.runs),
    **_each("the longest run is of %s", _RUNS, lambda v: max((one.length for one in v.runs), default=0)),
    "the hand has {a|no} run of five or more": lambda v: any(one.length > 4 for one in v.runs),
    "{a|no} run goes up to the highest card": lambda v: any(one.top == 7 for one in v.runs),
    "{a|no} run begins with the lowest card": lambda v: any(one.top == one.length - 1 for one in v.runs),
    "the hand has the highest and the lowest of a suit and one beside them": lambda v: any(
        {0, 7} <= own and own & {1, 6} for own in v.places),
    "the hand has {a|no} square": lambda v: v.squares,
    "the hand has {two squares|one square at most}": lambda v: len(v.squares) > 1,
    "the hand has {both a run and a square|not both a run and a square}": lambda v: v.runs and v.squares,
    "{a|no} card is in a run and in a square":
        lambda v: any(run.cards & four.cards for run in v.runs for four in v.squares),
    "the hand has four of a rank that are {worth nothing|no less}": lambda v: v.fours > len(v.squares),
    "there is {a|no} choice of what to announce": lambda v: len(v.result["sets"]) > 1,
    "{two or more|not two} may be announced together":
        lambda v: any(len(one["declarations"]) > 1 for one in v.result["sets"]),
    "{a|no} run holds king and queen": lambda v: any(one.cards & KINGS and one.cards & QUEENS for one in v.runs),
    "the hand is {not a|a} whole one": lambda v: v.cards.bit_count() != v.rules.hand_size,
}  # fmt: skip

_DEALING: Final[Table] = {
    **_each("%s deals", _SEATS, lambda v: v.question["dealer"]),
    **_each("%s takes", {0: "the dealer", 1: "the first to speak", 2: "the second to speak", 3: "the third to speak"},
            lambda v: (v.question["taker"] - v.question["dealer"]) % v.rules.players),
    **_each("%s takes", _SEATS, lambda v: v.question["taker"]),
    "the deck is {cut|not cut}": lambda v: "cut" in v.question,
    "{fewer|no fewer} cards are lifted than a seat is dealt": lambda v: v.question.get("cut", 99) < v.rules.hand_size,
    "{fewer|no fewer} cards are left than a seat is dealt":
        lambda v: v.question.get("cut", 0) > len(v.question["deck"]) - v.rules.hand_size,
    "{shuffles|no shuffles} are told": lambda v: "shuffles" in v.question,
    "{nobody|somebody} shuffles": lambda v: not v.question.get("shuffles"),
    **_REFUSED,
}  # fmt: skip

_PENALTY: Final[Table] = {
    "the accusation is {right|wrong}": lambda v: v.result.get("proved"),
    "the deal {ends with it|goes on}": lambda v: v.result.get("ends_deal"),
    "the fault is {the|not the} last card played": lambda v: v.result.get("at") == len(v.question["plays"]) - 1,
    "the fault is {in|not in} the first trick": lambda v: v.result.get("at") in range(v.rules.players),
    "{declarations|no declarations} count": lambda v: v.question.get("declared"),
    "{a|no} trick is complete": lambda v: len(v.question["plays"]) >= v.rules.players,
    "the accuser {sits|does not sit} behind the accused":
        lambda v: (v.question["accuser"] - v.question["accused"]) % v.rules.players == 1,
    **_each("%s accuses", _SEATS, lambda v: v.question["accuser"]),
    **_each("%s is accused", _SEATS, lambda v: v.question["accused"]),
    **_MODE,
    **_REFUSED,
}  # fmt: skip


def _dealt(view: View) -> int:
    return len(view.question.get("hands") or view.question["piles"][0] * 2) * view.rules.players


_PERFT: Final[Table] = {
    "{one|more than one} card is played": lambda v: v.question["depth"] == 1,
    "{no|a} trick is completed": lambda v: v.question["depth"] < v.rules.players,
    "{a|no} second trick begins": lambda v: v.question["depth"] > v.rules.players,
    "{all|not all} cards are played": lambda v: v.question["depth"] >= _dealt(v),
    "there {is one way|are several ways}": lambda v: v.result["count"] == 1,
    **_each("%s leads", _SEATS, lambda v: v.question["leader"]),
    **_MODE,
}

_ENDS: Final = {"played": "the deal is played out", "passed": "everybody passes", "belot": "eight in a row win",
                "claim": "a side ends it by saying enough"}  # fmt: skip
_ACTIONS: Final = {
    "bid": "somebody bids", "play": "a card is played", "announce": "something is declared", "belote": "belote is said",
    "show": "somebody shows", "discard": "cards are laid away", "exchange": "the seven is exchanged",
    "look": "somebody looks at a trick", "claim": "somebody says enough", "made": "a turned card makes something",
}  # fmt: skip
_TOLD: Final = {"deck": "the deck is given", "hands": "the hands are given", "tricks": "the tricks are given",
                "piles": "the piles are given", "totals": "totals are given", "shuffles": "shuffles are told",
                "announcing": "nobody announces for himself"}  # fmt: skip
_REPLAY: Final[Table] = {
    **_each("%s", _ENDS, lambda v: v.result.get("ended")),
    **{said: _of(lambda v, name: v.count(name), name) for name, said in _ACTIONS.items()},
    **_among("it is refused where %s", _ACTIONS, lambda v: v.failing),
    **_among("%s", _TOLD, lambda v: v.question),
    "{two seats announce|at most one seat announces}": lambda v: v.count("announce") > 1,
    "belote is {said|not said} twice": lambda v: v.count("belote") > 1,
    "the taker {leads|does not lead} to the first trick": lambda v: v.tricks and v.contract.taker == v.tricks[0].leader,
    **_each("%s {deals|does not deal}", _SEATS, lambda v: v.question["dealer"]),
    **_REFUSED,
    **_part("deal", _DEAL),
    **_part("auction", _AUCTION),
    **_part("announced", _ANNOUNCED),
    **_some("trick", _WHOLE, "tricks"),
}

_TABLES: Final[Mapping[str, tuple[Callable[[Put], Any], Table]]] = {
    "card-points": (View, _POINTS),
    "trick-winner": (trick_of, _WHOLE | _MODE),
    "legal-cards": (trick_of, _HAND | _MODE | _TRICK),
    "declarations": (Hand, _HELD),
    "compare-declarations": (announced_of, _ANNOUNCED),
    "compare-hands": (announced_of, _ANNOUNCED),
    "belote": (Belote, _BELOTE),
    "bidding": (auction_of, _AUCTION),
    "deal": (View, _DEALING),
    "score-deal": (scored_of, _DEAL),
    "settle-tricks": (Settled, _part("deal", _DEAL) | _some("trick", _WHOLE, "tricks")),
    "match": (Match, _MATCH),
    "penalty": (View, _PENALTY),
    "perft": (View, _PERFT),
    "replay": (Recorded, _REPLAY),
}
# The features of the questions of each operation, the plainest first.
FEATURES: Final = {name: tuple(map(Feature, table, table.values())) for name, (_, table) in _TABLES.items()}


def look(put: Put) -> Any:
    """Return a question as its features are asked of it."""
    return _TABLES[put.operation][0](put)
