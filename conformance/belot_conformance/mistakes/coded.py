"""Mistakes of programs that no value of a rule says, most of them after public bug reports.

Each answers as the reference but for one mistake in its code, which the list of mistakes names in words.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import Question
from belot_reference.cards import Card, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.play import table_of
from belot_reference.questions import cards_named, mode_named
from belot_reference.tricks import NO_SUIT
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.errors import BelotError

Json = Mapping[str, Any]
Message = Mapping[str, Any]
# What a mistake runs into where the rules have not what it speaks of.
NOT_HERE: Final = (KeyError, IndexError, TypeError, ValueError, StopIteration, BelotError)
_PASS: Final = "pass"
_NO_BIDS: Final = (_PASS, "double", "redouble")


@dataclass(frozen=True, slots=True)
class Asked(Question):
    """A question as a wrong program meets it: with the right answer, and the reference to ask other questions."""

    reference: Reference
    profile: str
    right: Message

    @property
    def rules(self) -> Ruleset:
        """The rules that it is asked by."""
        return self.reference.ruleset(self.profile)

    @property
    def result(self) -> dict[str, Any]:
        """A copy of the right result, empty where the right answer is a refusal."""
        return deepcopy(dict(self.right.get("result", {})))

    def ask(self, **other: Any) -> Message:
        """Return the right answer to the question with other fields."""
        return self.reference.reply(self.operation, self.profile, {**self.input, **other})


Mistake = Callable[[Asked], Message | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A wrong program: its name in the list, what it spoils, and its answer where that is not the right one."""

    name: str
    operations: tuple[str, ...]
    mistake: Mistake
    is_held_out: bool = False

    def answer(self, asked: Asked) -> Message:
        """Return the answer to a question: the right one where the mistake speaks of what these rules have not."""
        if asked.operation not in self.operations or "error" in asked.right:
            return asked.right
        try:
            came = self.mistake(asked)
        except NOT_HERE:
            return asked.right
        return asked.right if came is None or "error" in came else came


_KINDS: Final[dict[str, Kind]] = {}


def _kind(name: str, *operations: str, held_out: bool = False) -> Callable[[Mistake], Mistake]:
    def entered(mistake: Mistake) -> Mistake:
        _KINDS[name] = Kind(name, operations, mistake, held_out)
        return mistake

    return entered


def _told(result: Json, **other: Any) -> Message:
    return {"result": {**result, **other}}


# Tricks.


def _cards(q: Asked) -> list[Card]:
    return cards_named(q.input["cards" if "cards" in q.input else "trick"])


def _trump(q: Asked) -> int:
    mode = mode_named(q.rules, q.input["trump"])
    cards = _cards(q)
    return mode.trumps[suit_of(cards[0])] if cards else NO_SUIT


def _winner(q: Asked, height: Callable[[Card, int, int], tuple[int, ...]]) -> Message:
    """Return the first of the highest cards, told a card, the suit led and the one that is trump."""
    cards = _cards(q)
    led, trump = suit_of(cards[0]), _trump(q)
    best = max(range(len(cards)), key=lambda place: height(cards[place], led, trump))
    return {"result": {"winner": (q.input["leader"] + best) % q.rules.players}}


def _plain(q: Asked, card: Card) -> int:
    return q.rules.plain_strength[rank_of(card)]


def _strength(q: Asked, card: Card) -> int:
    return mode_named(q.rules, q.input["trump"]).strength[suit_of(card)][rank_of(card)]


@_kind("ruff-loses-to-a-higher-card", "trick-winner")
def _(q: Asked) -> Message:
    return _winner(q, lambda card, led, trump: (suit_of(card) in (led, trump), _strength(q, card)))


@_kind("second-ruff-never-wins", "trick-winner")
def _(q: Asked) -> Message:
    return _winner(
        q,
        lambda card, led, trump: (
            suit_of(card) == trump,
            suit_of(card) == led,
            (suit_of(card) != trump or led == trump) * _strength(q, card),
        ),
    )


@_kind("any-suit-wins-at-all-trumps", "trick-winner")
def _(q: Asked) -> Message | None:
    return _winner(q, lambda card, *_: (_strength(q, card),)) if q.input["trump"] == "A" else None


@_kind("seats-not-counted-round", "trick-winner")
def _(q: Asked) -> Message | None:
    winner = q.result["winner"]
    return {"result": {"winner": q.rules.players - 1}} if winner < q.input["leader"] else None


def _legal(q: Asked, keep: Callable[[Card], bool], *, among: str = "hand") -> Message | None:
    chosen = [
        name for name in (q.input["hand"] if among == "hand" else q.result["cards"]) if keep(cards_named([name])[0])
    ]
    return _told({"cards": chosen}) if chosen else None


def _node(q: Asked) -> Any:
    return table_of(q.rules, mode_named(q.rules, q.input["trump"]), 0, _cards(q)).node


def _is_void(q: Asked) -> bool:
    return bool(q.input["trick"]) and not any(card[-1] == q.input["trick"][0][-1] for card in q.input["hand"])


@_kind("discard-taken-for-winning", "legal-cards")
def _(q: Asked) -> Message | None:
    cards = _cards(q)
    if not _is_void(q) or suit_of(_node(q).winning) == _trump(q):
        return None
    best = max(range(len(cards)), key=lambda place: _plain(q, cards[place]))
    if (best == len(cards) - 2) == (_node(q).winner == len(cards) - 2):
        return None
    trump = _trump(q)
    return _legal(q, lambda _: True) if best == len(cards) - 2 else _legal(q, lambda card: suit_of(card) == trump)


@_kind("overruff-the-partner-if-able", "legal-cards")
def _(q: Asked) -> Message | None:
    node, trump = _node(q), _trump(q)
    if not _is_void(q) or node.winner != node.count - 2 or suit_of(node.winning) != trump or node.count < 2:
        return None
    return _legal(q, lambda card: suit_of(card) == trump and _strength(q, card) > _strength(q, node.winning))


@_kind("neighbour-taken-for-the-partner", "legal-cards")
def _(q: Asked) -> Message | None:
    node = _node(q)
    return _legal(q, lambda _: True) if _is_void(q) and node.winner == node.count - 1 else None


@_kind("no-leading-trump", "legal-cards")
def _(q: Asked) -> Message | None:
    return None if q.input["trick"] else _legal(q, lambda card: CARD_NAMES[card][-1] != q.input["trump"])


@_kind("last-card-checked", "legal-cards")
def _(q: Asked) -> Message | None:
    return _told({"cards": []}) if len(q.input["hand"]) == 1 and _is_void(q) else None


@_kind("no-ruff-on-an-ace", "legal-cards")
def _(q: Asked) -> Message | None:
    return _legal(q, lambda _: True) if _is_void(q) and q.input["trick"][0][0] == "A" else None


@_kind("ruff-ranked-in-plain-order", "trick-winner")
def _(q: Asked) -> Message | None:
    led, trump = suit_of(_cards(q)[0]), _trump(q)
    return _winner(q, lambda card, *_: (suit_of(card) in (led, trump), _plain(q, card))) if led != trump else None


# Counting cards.


@_kind("last-trick-needs-a-trump", "card-points")
def _(q: Asked) -> Message | None:
    if q.input.get("last_trick") and not any(card[-1] == q.input["trump"] for card in q.input["cards"]):
        return _told({"points": q.result["points"] - 10})
    return None


@_kind("trump-nine-needs-three-trumps", "card-points")
def _(q: Asked) -> Message | None:
    trumps = [card for card in q.input["cards"] if card[-1] == q.input["trump"]]
    nine = f"9{q.input['trump']}"
    return _told({"points": q.result["points"] - 14}) if nine in trumps and len(trumps) < 3 else None


# Declarations.


@_kind("second-declaration-not-found", "declarations")
def _(q: Asked) -> Message | None:
    sets = [{**one, "declarations": one["declarations"][:1]} for one in q.result["sets"]]
    return None if sets == q.result["sets"] else _told(q.result, sets=sets)


@_kind("run-not-found-with-a-square", "declarations")
def _(q: Asked) -> Message | None:
    def is_square(one: Sequence[str]) -> bool:
        return len({card[:-1] for card in one}) == 1

    sets = [
        {**s, "declarations": [one for one in s["declarations"] if is_square(one)]}
        for s in q.result["sets"]
        if any(map(is_square, s["declarations"]))
    ]
    return _told(q.result, sets=sets) if sets and sets != q.result["sets"] else None


@_kind("run-round-the-corner", "declarations")
def _(q: Asked) -> Message | None:
    hand = set(q.input["hand"])
    round_corner = [s for s in SUITS if {f"7{s}", f"A{s}"} <= hand and {f"8{s}", f"K{s}"} & hand]
    if not round_corner:
        return None
    return _told(q.result, best_points=q.result["best_points"] + 20)


def _without(q: Asked, seats: Callable[[int, Sequence[Any]], Sequence[Any]]) -> Message:
    return q.ask(announced=[seats(seat, own) for seat, own in enumerate(q.input["announced"])])


@_kind("second-declaration-lost", "compare-declarations")
def _(q: Asked) -> Message | None:
    return _without(q, lambda _, own: own[:1]) if "announced" in q.input else None


@_kind("partners-equals-cancel", "compare-declarations")
def _(q: Asked) -> Message | None:
    def look(one: Sequence[str]) -> tuple[Any, ...]:
        return len({card[:-1] for card in one}) == 1, *[card[:-1] for card in one]

    heights = [{look(one) for one in own} for own in q.input["announced"]]
    lost = [heights[seat] & heights[(seat + 2) % 4] for seat in range(4)]
    return _without(q, lambda seat, own: [one for one in own if look(one) not in lost[seat]]) if any(lost) else None


@_kind("ties-from-seat-0", "compare-declarations")
def _(q: Asked) -> Message | None:
    return q.ask(leader=0)


@_kind("best-among-the-first", "compare-declarations")
def _(q: Asked) -> Message | None:
    first = _without(q, lambda _, own: own[:1]).get("result")
    if not first or first["winner"] is None or first["winner"] == q.result["winner"]:
        return None
    side = first["winner"] % 2
    alone = _without(q, lambda seat, own: own if seat % 2 == side else [])["result"]
    return _told(alone, winner=first["winner"])


@_kind("partner-with-less-scores-nothing", "compare-declarations")
def _(q: Asked) -> Message | None:
    winner = q.result["winner"]
    if winner is None:
        return None
    points = [
        own if seat in (winner,) or own >= q.result["points"][winner] else 0
        for seat, own in enumerate(q.result["points"])
    ]
    return _told(q.result, points=points)


@_kind("dearest-declarations-win", "compare-declarations")
def _(q: Asked) -> Message | None:
    winner = q.result["winner"]
    if winner is None:
        return None
    lost = _without(q, lambda seat, own: own if seat % 2 != winner % 2 else [])["result"]
    return (
        _told(q.result, winner=lost["winner"], points=lost["points"])
        if sum(lost["points"]) > sum(q.result["points"])
        else None
    )


# Belote.


@_kind("half-belote-counts", "belote")
def _(q: Asked) -> Message | None:
    royal = {f"K{q.input['trump']}", f"Q{q.input['trump']}"}
    said = any(one.get("call") and one["card"] in royal for one in q.input["plays"])
    return _told({"points": 20}) if said and len(royal & {*q.input["hand"]}) == 1 else None


@_kind("belote-counted-twice", "belote")
def _(q: Asked) -> Message | None:
    calls = sum(bool(one.get("call")) for one in q.input["plays"])
    return _told({"points": 40}) if calls > 1 and q.result.get("points") else None


@_kind("belote-lost-with-the-queen-first", "belote")
def _(q: Asked) -> Message | None:
    played = [
        one["card"][0] for one in q.input["plays"] if one["card"] in (f"K{q.input['trump']}", f"Q{q.input['trump']}")
    ]
    return _told({"points": 0}) if played[:1] == ["Q"] and q.result.get("points") else None


# Bidding.


def _turns(q: Asked, bids: Sequence[str]) -> list[tuple[int, str, int | None]]:
    """Return who said what, and who had the last bid before it."""
    found, bidder = list[tuple[int, str, int | None]](), None
    for place, said in enumerate(bids):
        turn = _turn(q, bids[:place])
        if turn is None:
            break
        found.append((turn, said, bidder))
        bidder = bidder if said in _NO_BIDS else turn
    return found


def _bidder(q: Asked) -> int | None:
    """Return who has the bid that stands where the bidding is open or refused."""
    bids = q.input["bids"][: q.right.get("rejected", {}).get("at")]
    turns = _turns(q, bids)
    return next((seat for seat, said, _ in reversed(turns) if said not in _NO_BIDS), None)


def _turn(q: Asked, bids: Sequence[str]) -> int | None:
    turn: int | None = q.ask(bids=list(bids)).get("result", {}).get("turn")
    return turn


def _is_raised(bids: Sequence[str]) -> bool:
    raised = False
    for said in bids:
        raised = said in ("double", "redouble") or (raised and said == _PASS)
    return raised


@_kind("doubling-the-partner", "bidding")
def _(q: Asked) -> Message | None:
    bids, at = list(q.input["bids"]), q.right.get("rejected", {}).get("at")
    before = bids if at is None else bids[:at]
    bidder, turn = _bidder(q), _turn(q, before)
    if bidder is None or turn is None or (turn - bidder) % 4 != 2 or _is_raised(before):
        return None
    if at is None:
        return _told(q.result, choices=[*q.result["choices"], "double"])
    return q.ask(bids=[*before, _PASS, *bids[at + 1 :]]) if bids[at] == "double" else None


@_kind("only-the-bidder-redoubles", "bidding")
def _(q: Asked) -> Message | None:
    bids = q.input["bids"]
    for at, (seat, said, bidder) in enumerate(_turns(q, bids)):
        if (
            said == "redouble"
            and bidder is not None
            and seat != bidder
            and at < q.right.get("rejected", {}).get("at", 99)
        ):
            return {"rejected": {"at": at, "reason": "may-not-double"}}
    bidder = _bidder(q)
    if q.result.get("state") == "open" and "redouble" in q.result["choices"] and q.result["turn"] != bidder:
        return _told(q.result, choices=[one for one in q.result["choices"] if one != "redouble"])
    return None


@_kind("bidding-open-after-a-double", "bidding")
def _(q: Asked) -> Message | None:
    if q.result.get("state") == "taken" and q.result["raised"] > 1 and q.input["bids"][-1] == _PASS:
        return _told({"state": "open", "turn": (q.result["taker"] + 3) % 4, "choices": [_PASS]})
    return None


@_kind("capot-over-capot", "bidding")
def _(q: Asked) -> Message | None:
    bids = q.input["bids"]
    capot = [said for said in bids if said.startswith("capot")]
    if q.result.get("state") == "open" and capot and not _is_raised(bids):
        return _told(q.result, choices=[*q.result["choices"], *(f"capot{suit}" for suit in SUITS)])
    return None


@_kind("suit-named-once", "bidding")
def _(q: Asked) -> Message | None:
    if q.result.get("state") != "open":
        return None
    own = {
        said[-1]
        for seat, said, _ in _turns(q, q.input["bids"])
        if seat % 2 == q.result["turn"] % 2 and said not in _NO_BIDS
    }
    return _told(
        q.result,
        choices=[one for one in q.result["choices"] if one in _NO_BIDS or one[-1] not in own],
    )


@_kind("dealer-may-not-double", "bidding")
def _(q: Asked) -> Message | None:
    if q.result.get("state") == "open" and q.result["turn"] == q.input["dealer"]:
        return _told(q.result, choices=[one for one in q.result["choices"] if one != "double"])
    return None


@_kind("three-passes-end-all", "bidding")
def _(q: Asked) -> Message | None:
    return _told({"state": "failed"}) if q.input["bids"] == [_PASS] * 3 else None


@_kind("second-round-from-the-dealer", "bidding")
def _(q: Asked) -> Message | None:
    if q.result.get("state") == "open" and len(q.input["bids"]) >= 4:
        return _told(q.result, turn=(q.result["turn"] + 3) % 4)
    return None


@_kind("late-redouble-not-heard", "bidding")
def _(q: Asked) -> Message | None:
    bids = q.input["bids"]
    late = "redouble" in bids and bids[bids.index("redouble") - 1] == _PASS
    return _told(q.result, raised=2) if late and q.result.get("raised") == 4 else None


@_kind("any-bid-after-a-double", "bidding")
def _(q: Asked) -> Message | None:
    bids = q.input["bids"]
    if q.result.get("state") != "open" or [said for said in bids if said != _PASS][-1] != "double":
        return None
    bidden = [one for one in q.ask(bids=[])["result"]["choices"] if one not in q.result["choices"]]
    return _told(q.result, choices=[*q.result["choices"], *bidden])


# Settling a deal.


def _summed(q: Asked, side: int, **other: Any) -> list[Json]:
    return [{**one, **other} if number == side else one for number, one in enumerate(q.input["sides"])]


def _swept(q: Asked) -> bool:
    return any(not one.get("tricks") for one in q.input["sides"])


@_kind("double-lost-at-all-tricks", "score-deal")
def _(q: Asked) -> Message | None:
    return q.ask(raised=1) if _swept(q) and q.input.get("raised", 1) > 1 else None


@_kind("tie-to-the-taker-with-belote", "score-deal")
def _(q: Asked) -> Message | None:
    taking = q.input["taker"] % 2
    if len({*q.result["counted"]}) > 1 or not q.input["sides"][taking].get("belote"):
        return None
    return _told(q.result, outcome="made", points=q.result["counted"], score=q.result["counted"])


@_kind("all-tricks-unseen-with-belote", "score-deal")
def _(q: Asked) -> Message | None:
    if not any(not one.get("tricks") and one.get("belote") for one in q.input["sides"]):
        return None
    return _told(
        q.result,
        counted=[own - 90 if own > 162 else own for own in q.result["counted"]],
        points=[max(0, own - 90) for own in q.result["points"]],
    )


@_kind("trickless-belote-counted", "score-deal")
def _(q: Asked) -> Message | None:
    losers = [
        side
        for side, one in enumerate(q.input["sides"])
        if not one.get("tricks") and one.get("belote") and not q.result["counted"][side]
    ]
    return (
        _told(q.result, counted=[own + 20 * (side in losers) for side, own in enumerate(q.result["counted"])])
        if losers
        else None
    )


@_kind("fallen-declarations-lost", "score-deal")
def _(q: Asked) -> Message | None:
    taking = q.input["taker"] % 2
    if q.result["outcome"] != "fell" or not q.input["sides"][taking].get("declarations"):
        return None
    own = q.input["sides"][taking]["declarations"]
    return _told(
        q.result, points=[points - own if side != taking else points for side, points in enumerate(q.result["points"])]
    )


@_kind("others-belote-to-the-taker", "score-deal")
def _(q: Asked) -> Message | None:
    taking = q.input["taker"] % 2
    belote = q.input["sides"][1 - taking].get("belote")
    if not belote:
        return None
    sides = [{**one, "belote": belote if side == taking else 0} for side, one in enumerate(q.input["sides"])]
    return q.ask(sides=sides)


@_kind("no-trumps-double-twice", "score-deal")
def _(q: Asked) -> Message | None:
    return q.ask(raised=4) if q.input.get("trump") == "N" and q.input.get("raised") == 2 else None


@_kind("sides-by-halves-of-the-table", "score-deal")
def _(q: Asked) -> Message | None:
    return q.ask(taker={0: 0, 1: 0, 2: 1, 3: 1}[q.input["taker"]])


@_kind("fallen-redouble-as-double", "score-deal")
def _(q: Asked) -> Message | None:
    return q.ask(raised=2) if q.input.get("raised") == 4 and q.result["outcome"] == "fell" else None


@_kind("last-trick-to-the-first-side", "settle-tricks")
def _(q: Asked) -> Message | None:
    if q.result["tricks"][-1]["winner"] % 2 == 0:
        return None
    cards = q.result["cards"]
    return _told(q.result, cards=[cards[0] + 10, cards[1] - 10])


@_kind("last-trick-to-its-leader", "settle-tricks")
def _(q: Asked) -> Message | None:
    leader, winner = q.input["tricks"][-1]["leader"], q.result["tricks"][-1]["winner"]
    if leader % 2 == winner % 2:
        return None
    cards = [own + (10 if side == leader % 2 else -10) for side, own in enumerate(q.result["cards"])]
    return _told(q.result, cards=cards)


# Matches.


def _booked(q: Asked, change: Callable[[Json, Any, Json], Json]) -> Message | None:
    """Return a match booked deal by deal, each line as a mistake has it: told the deal, how it stands, the line."""
    if not q.result:
        return None
    at = {
        "dealer": q.input["dealer"],
        "totals": q.input.get("totals", [0] * q.rules.side_count),
        "held": q.input.get("held", 0),
    }
    lines, last = list[Json](), dict[str, Any]()
    for deal in q.input["deals"]:
        last = q.ask(**at, deals=[deal]).get("result", {})
        if not last:
            return None
        after = q.result["deals"][len(lines) + 1 :]
        line = {"next": after[0]["dealer"] if after else q.result["next_dealer"], **last["deals"][0]}
        line = dict(change(deal, at, line))
        following = line.pop("next")
        lines.append(line)
        at = {"dealer": following, "totals": line["totals"], "held": line["held"]}
    return _told({"deals": lines, "winner": last["winner"], "surplus": last["surplus"], "next_dealer": at["dealer"]})


def _all_there(q: Asked, totals: Sequence[int]) -> bool:
    """Say whether every side has the target."""
    return not q.rules.has_set_length and min(totals) >= q.rules.given("match.target")


@_kind("held-points-lost-by-passing", "match")
def _(q: Asked) -> Message | None:
    return _booked(q, lambda deal, _, line: {**line, "held": 0} if "passed" in deal else line)


@_kind("dealer-stays-after-passing", "match")
def _(q: Asked) -> Message | None:
    return _booked(
        q,
        lambda deal, at, line: (
            {**line, "next": at["dealer"]} if "passed" in deal and line["next"] is not None else line
        ),
    )


@_kind("first-side-wins-at-the-target", "match")
def _(q: Asked) -> Message | None:
    totals = q.result.get("deals", [{}])[-1].get("totals", [])
    return _told(q.result, winner=0, next_dealer=None) if _all_there(q, totals) else None


@_kind("held-points-to-the-next-taker", "match")
def _(q: Asked) -> Message | None:
    def change(deal: Json, _: Any, line: Json) -> Json:
        if "scored" not in deal or not any(line["freed"]):
            return line
        taking, freed = deal["scored"]["taker"] % 2, sum(line["freed"])
        return {**line, "freed": [freed * (side == taking) for side in range(2)]}

    return _booked(q, change)


@_kind("no-winner-with-both-over", "match")
def _(q: Asked) -> Message | None:
    totals = q.result.get("deals", [{}])[-1].get("totals", [])
    if q.result.get("winner") is not None and _all_there(q, totals):
        return _told(q.result, winner=None)
    return None


@_kind("every-accusation-proved", "match")
def _(q: Asked) -> Message | None:
    def proved(deal: Json) -> Json:
        return {"accusation": {**deal["accusation"], "proved": True}} if "accusation" in deal else deal

    return q.ask(deals=[proved(deal) for deal in q.input["deals"]])


# Dealing, penalties, counting ways of playing.


@_kind("seat-0-cuts-for-itself", "deal")
def _(q: Asked) -> Message | None:
    return _told(q.result, cutter=0) if q.result and q.input["dealer"] == 0 else None


@_kind("hands-shifted-for-the-dealer", "deal")
def _(q: Asked) -> Message | None:
    if not q.result or q.input["taker"] != q.input["dealer"]:
        return None
    hands = q.result["hands"]
    return _told(q.result, hands=[*hands[1:], hands[0]])


@_kind("dealt-from-seat-0", "deal")
def _(q: Asked) -> Message | None:
    return _told(q.result, hands=q.ask(dealer=q.rules.players - 1)["result"]["hands"])


@_kind("first-trick-unseen", "penalty")
def _(q: Asked) -> Message | None:
    return (
        _told(q.result, proved=False, at=None)
        if q.result.get("at", 9) is not None and q.result.get("at", 9) < 4
        else None
    )


@_kind("ways-of-playing-miscounted", "perft")
def _(q: Asked) -> Message | None:
    return _told({"count": q.result["count"] + 1}) if q.input["depth"] > 4 and q.result["count"] > 1 else None


# Whole deals.


@_kind("replay-last-trick-to-the-taker", "replay")
def _(q: Asked) -> Message | None:
    if q.result.get("ended") != "played" or q.result["tricks"][-1]["winner"] % 2 == q.result["taker"] % 2:
        return None
    return _told(
        q.result,
        cards=[own + (10 if side == q.result["taker"] % 2 else -10) for side, own in enumerate(q.result["cards"])],
    )


@_kind("replay-loses-dealers-declarations", "replay")
def _(q: Asked) -> Message | None:
    dealers = any(one.get("announce") and one["seat"] == q.input["dealer"] for one in q.input["actions"])
    if not dealers or not any(q.result.get("declarations", ())):
        return None
    side = q.input["dealer"] % 2
    return _told(
        q.result, declarations=[0 if number == side else own for number, own in enumerate(q.result["declarations"])]
    )


@_kind("played-card-stays-in-the-hand", "replay")
def _(q: Asked) -> Message | None:
    held, led = set[tuple[int, str]](), ""
    plays = [(at, one["seat"], one["play"][-1]) for at, one in enumerate(q.input["actions"]) if "play" in one]
    for number, (at, seat, suit) in enumerate(plays):
        led = led if number % q.rules.players else suit
        if suit != led and (seat, led) in held:
            return {"rejected": {"at": at, "reason": "illegal-card"}}
        held.add((seat, suit))
    return None


@_kind("replay-loses-others-belote", "replay")
def _(q: Asked) -> Message | None:
    if q.result.get("ended") != "played":
        return None
    return _told(
        q.result, belote=[own if side == q.result["taker"] % 2 else 0 for side, own in enumerate(q.result["belote"])]
    )


@_kind("passed-deal-unfinished", "replay")
def _(q: Asked) -> Message | None:
    return (
        {"rejected": {"at": len(q.input["actions"]), "reason": "unfinished"}}
        if q.result.get("ended") == "passed"
        else None
    )


# Written after the features, and not looked at while they were made.


@_kind("last-card-wins-at-no-trumps", "trick-winner", held_out=True)
def _(q: Asked) -> Message | None:
    cards = _cards(q)
    if q.input["trump"] != "N":
        return None
    last = max(place for place, card in enumerate(cards) if suit_of(card) == suit_of(cards[0]))
    return {"result": {"winner": (q.input["leader"] + last) % 4}}


@_kind("no-following-partners-trump", "legal-cards", held_out=True)
def _(q: Asked) -> Message | None:
    trick = q.input["trick"]
    return _legal(q, lambda _: True) if len(trick) == 2 and trick[0][-1] == q.input["trump"] else None


@_kind("dealer-passes-the-first-round", "bidding", held_out=True)
def _(q: Asked) -> Message | None:
    if q.result.get("state") == "open" and len(q.input["bids"]) == 3:
        return _told(q.result, choices=[_PASS])
    return None


@_kind("fallen-capot-made-with-belote", "score-deal", held_out=True)
def _(q: Asked) -> Message | None:
    own = q.input["sides"][q.input["taker"] % 2].get("belote")
    return (
        _told(q.result, outcome="made") if own and q.input["bid"] == "capot" and q.result["outcome"] == "fell" else None
    )


@_kind("ties-one-seat-late", "compare-declarations", held_out=True)
def _(q: Asked) -> Message | None:
    return q.ask(leader=(q.input["leader"] + 1) % 4)


@_kind("belote-lost-with-the-last-trick", "settle-tricks", held_out=True)
def _(q: Asked) -> Message | None:
    lost = 1 - q.result["tricks"][-1]["winner"] % 2
    belote = q.input.get("sides", [{}, {}])[lost].get("belote", 0)
    return _told(q.result, counted=[own - belote * (side == lost) for side, own in enumerate(q.result["counted"])])


@_kind("dealer-stays-after-accusing", "match", held_out=True)
def _(q: Asked) -> Message | None:
    return _booked(
        q,
        lambda deal, at, line: (
            {**line, "next": at["dealer"]} if "accusation" in deal and line["next"] is not None else line
        ),
    )


@_kind("double-lost-at-no-trumps", "bidding", held_out=True)
def _(q: Asked) -> Message | None:
    return _told(q.result, raised=1) if q.result.get("trump") == "N" else None


@_kind("runs-cut-at-four", "declarations", held_out=True)
def _(q: Asked) -> Message | None:
    return _told(
        q.result, sets=[{**one, "declarations": [own[:4] for own in one["declarations"]]} for one in q.result["sets"]]
    )


@_kind("trickless-side-refused", "replay", held_out=True)
def _(q: Asked) -> Message | None:
    won = {one["winner"] % 2 for one in q.result.get("tricks", ())}
    return {"rejected": {"at": len(q.input["actions"]), "reason": "unfinished"}} if len(won) == 1 else None


KINDS: Final[Mapping[str, Kind]] = _KINDS
