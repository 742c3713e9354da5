"""What no variant and no option plays, and so no case can ask: worked out by hand from the words of the rules."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from belot_reference.compile import Ruleset
from belot_reference.operations import answer

Json = dict[str, Any]
House = Callable[[str, Mapping[str, Any]], Ruleset]
HANDS = [[f"{rank}{suit}" for rank in ("J", "9", "A", "10", "K", "Q", "8", "7")] for suit in "SHDC"]
OWN_POINTS = {"scoring.raised-sum": "own-points", "scoring.raised-defence": "own-points"}
SAFE, KEEPS_OWN = {"match.claim": "enough-when-safe"}, {"scoring.tie": "each-keeps-own"}
CLOSED, REDOUBLE_ENDS = {"bidding.after-double": "closed"}, {"bidding.after-double": "redouble-ends"}
TAKER_ANSWERS, EACH = {"bidding.after-double": "taker-answers"}, {"scoring.raised-side": "each"}
ALIKE = {"bidding.modes": [["S", "H", "D", "C"], ["A"]], "bidding.raises": [2]}
HALF, LEAD = {"scoring.contract-needs": "at-least-half"}, {"play.lead": ["trump", "any"]}
TAKEN = {"state": "taken", "taker": 0, "trump": "H", "bid": 90}


def bids(*said: str) -> Json:
    return {"dealer": 3, "bids": said}


def sums(*cards: int, taker: int = 0, tricks: Any = None, **more: Any) -> Json:
    tricks = tricks or ((4, 4) if len(cards) == 2 else (4, 3, 3))
    sides = [{"cards": one, "tricks": won} for one, won in zip(cards, tricks, strict=True)]
    return {"taker": taker, "sides": sides, **more}


def at_all(cards: int) -> Json:
    """Ask for a deal at all trumps, on the full scale, of a taker who bid 100 and has belote."""
    question = sums(cards, 258 - cards, trump="A", bid=100)
    question["sides"][0]["belote"] = 20
    return question


def capot(*tricks: int) -> Json:
    """Ask for a capot that was bid, with a belote."""
    question = sums(162 - 20 * tricks[1], 20 * tricks[1], trump="S", bid="capot", tricks=tricks)
    question["sides"][0]["belote"] = 20
    return question


def with_belote(question: Json) -> Json:
    question["sides"][1]["belote"] = 20
    return question


def ended(totals: list[int], *deals: Json) -> Json:
    return {"dealer": 3, "totals": totals, "deals": [{"scored": deal} for deal in deals]}


LINE = {"dealer": 3, "freed": [0, 0], "held": 0}
SWEEP, NEAR_SWEEP = (sums(162, 0, trump="H", tricks=tricks) for tricks in ((8, 0), (7, 1)))
LOST = sums(4, 158, taker=1, trump="H", tricks=(1, 7))
SPLITS = ((86, 76), (87, 75), (134, 124), (135, 123), (160, 2))
ANY_TIME = {"bidding.double-turn": "any-time"}
TO_100 = {"bidding.highest-amount": 100, "bidding.capot": "none"}
HEADING, RUFFING = {"play.heading": "opponents-alone"}, {"play.may-ruff": "always"}
NT_SQUARES = {"declarations.no-trump-squares": "by-plain-order"}
FOUR_ACES, FOUR_TENS, FOUR_JACKS = ([f"{rank}{suit}" for suit in "SHDC"] for rank in ("A", "10", "J"))
THIRD = {"bidding.raises": [2, 4, 8]}
STEPS = {"bidding.lowest-amount": 82, "bidding.first-step": 8, "bidding.highest-amount": 100, "bidding.capot": "none"}
LEVEL = {"scored": sums(81, 81, trump="H", bid=80)}
FULL = {
    "scoring.all-trump-points": {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3, "8": 0, "7": 0},
    "scoring.scaled": ["all-trumps"],
}
PLAIN = {
    "scoring.no-trump-points": {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0},
    "scoring.scaled": ["no-trumps"],
}


def claim(by: int, points: int, *tricks: str) -> Json:
    """Ask for a claim after some tricks, by a side that is so many points short of 1001; seat 0 plays spades, trump."""
    cards = [{"seat": seat, "play": card} for trick in tricks for seat, card in enumerate(trick.split())]
    actions = [{"seat": 0, "bid": "S"}, *cards, {"seat": by, "claim": True}]
    return {"dealer": 3, "totals": [1001 - points, 500], "hands": HANDS, "actions": actions}


ONE, HALF_OF_ALL = ("JS AH AD AC",), ("JS AH AD AC", "9S 8H 8D 8C", "10S 7H 7D 7C")
FOUR = ("JS JH JD JC", "9S 9H 9D 9C", "AS KH KD KC", "7S 10H 10D 10C")
DEFENCE = claim(0, 51, *ONE)
DEFENCE |= {
    "totals": [950, 900],
    "actions": [{"seat": 0, "bid": "pass"}, {"seat": 1, "bid": "S"}, *DEFENCE["actions"][1:]],
}
SQUARE = {"cards": 100, "tricks": 5, "declarations": 20}


@pytest.mark.parametrize(("base", "values", "operation", "question", "wanted"), [
    # Only the sixteen of the cards are taken four times, and the two of the run stay two.
    ("bulgarian-belot", {"scoring.raised-kinds": ["cards"]}, "score-deal",
     {"taker": 0, "trump": "H", "raised": 4, "sides": [SQUARE, {"cards": 62, "tricks": 3}]}, {"score": [66, 0]}),
    # 81 each is 8 each of the 16 of the deal, and twice that; nothing is held.
    ("bulgarian-belot", KEEPS_OWN, "score-deal", sums(81, 81, trump="S", raised=2),
     {"outcome": "made", "score": [16, 16], "points": [162, 162], "held": 0}),
    ("bulgarian-belot", KEEPS_OWN, "score-deal", sums(82, 80, trump="S", raised=2), {"outcome": "made", "score": [32, 0]}),
    ("bulgarian-belot", {"match.after-all-tricks": "may-end"}, "match",
     {"dealer": 0, "totals": [145, 100], "deals": [{"scored": {"taker": 0, "trump": "H", "sides": [
         {"cards": 162, "tricks": 8}, {"cards": 0, "tricks": 0}]}}]}, {"winner": 0}),
    # After a double nothing but a redouble.
    ("bulgarian-belot", CLOSED, "bidding", bids("H", "double"), {"choices": ["pass", "redouble"]}),
    ("bulgarian-belot", CLOSED, "bidding", bids("H", "double", "A"), (2, "bid-too-low", "bidding.after-double")),
    # What programs play: 100 and 62 are 10 and 6, and each is doubled; after a fall 162 go to the others, and belote may stay.
    ("bulgarian-belot", EACH, "score-deal", sums(100, 62, trump="H", raised=2), {"score": [20, 12], "points": [200, 124]}),
    ("bulgarian-belot", {**EACH, "scoring.fall-passes": ["cards", "declarations"]}, "score-deal",
     with_belote(sums(100, 62, taker=1, trump="H", raised=4)), {"outcome": "fell", "score": [64, 8]}),
    # 162 four times are 648, which is 65; 16 four times are 64.
    ("bulgarian-belot", {"scoring.raised-rounded": "after-multiplying"}, "score-deal", sums(100, 62, trump="H", raised=4), {"score": [65, 0]}),
    # The player of the contract answers a double, and nobody else.
    ("contree", TAKER_ANSWERS, "bidding", bids("90H", "double"), {"turn": 0, "choices": ["pass", "redouble"]}),
    ("contree", TAKER_ANSWERS, "bidding", bids("90H", "double", "pass"), {**TAKEN, "raised": 2}),
    ("contree", TAKER_ANSWERS, "bidding", bids("90H", "pass", "pass", "double", "redouble"), {**TAKEN, "raised": 4}),
    ("contree", TAKER_ANSWERS, "bidding", bids("90H", "double", "pass", "pass"), (3, "bidding-over", "bidding.after-double")),
    # Modes that rank alike do not outbid one another.
    ("bulgarian-belot", ALIKE, "bidding", bids("D"), {"choices": ["pass", "A", "double"]}),
    ("bulgarian-belot", ALIKE, "bidding", bids("D", "S"), (1, "bid-too-low", "bidding.modes")),
    ("bulgarian-belot", ALIKE, "bidding", bids("D", "N"), (1, "bid-too-low", "bidding.modes")),
    ("bulgarian-belot", ALIKE, "bidding", bids("D", "double", "redouble"), (2, "may-not-double", None)),
    # Where nothing can be doubled a bid is answered by bids alone.
    ("contree", {"bidding.raises": []}, "bidding", bids("150H"),
     {"choices": ["pass", *(f"{most}{suit}" for most in (160, "capot") for suit in "SHDC")]}),
    ("contree", {"bidding.raises": []}, "bidding", bids("150H", "double"), (1, "may-not-double", "bidding.raises")),
    # CO-061, CO-064, CO-065 and CO-066: a redouble ends the bidding, a double waits for three passes.
    ("contree", REDOUBLE_ENDS, "bidding", bids("90H", "double"), {"turn": 2, "choices": ["pass", "redouble"]}),
    ("contree", REDOUBLE_ENDS, "bidding", bids("90H", "double", "pass"), {"turn": 3, "choices": ["pass"]}),
    ("contree", REDOUBLE_ENDS, "bidding", bids("90H", "double", "pass", "pass"), {"turn": 0, "choices": ["pass", "redouble"]}),
    ("contree", REDOUBLE_ENDS, "bidding", bids("90H", "double", "pass", "pass", "pass"), {**TAKEN, "raised": 2}),
    ("contree", REDOUBLE_ENDS, "bidding", bids("90H", "double", "pass", "pass", "redouble"), {**TAKEN, "raised": 4}),
    # 94 and 90 are 184, four times that 736; 90 and 90 four times are 720; the others' 68 are 70.
    *(("contree", {**OWN_POINTS, "scoring.tens": how}, "score-deal", sums(68, 94, taker=1, trump="S", bid=90, **raised),
       {"score": [70, written]})
      for how, raised, written in (("half-up", {"raised": 4}, 740), ("cards-half-up", {"raised": 4}, 720),
                                   ("half-up", {}, 180), ("cards-half-up", {}, 180))),
    # CO-159: without the bid all tricks are the 162 of their cards; 160 and 110 are written. With it they are 250, and the bid too.
    *(("contree", {"scoring.all-tricks.side": "takers-who-bid"}, "score-deal", sums(162, 0, trump="S", bid=bid, tricks=(8, 0)),
       {"score": score}) for bid, score in ((110, [270, 0]), ("capot", [500, 0]))),
    # The bid in place of 94 points, and 68 beside it; nothing beside twice 90; 160 after a fall, and no bid.
    *(("contree", {"scoring.contract-written": "bid-for-points"}, "score-deal", sums(68, 94, taker=1, trump="S", **more),
       {"score": score}) for more, score in (({"bid": 90}, [70, 90]), ({"bid": 90, "raised": 2}, [0, 180]), ({"bid": 110}, [160, 0]))),
    # 94 and 90 four times are 736, and the 68 of the others four times 272.
    ("contree", {**OWN_POINTS, **EACH}, "score-deal", sums(68, 94, taker=1, trump="S", bid=90, raised=4), {"score": [270, 740]}),
    # CO-171: of 87 and 75 the others write 80 and the takers what is missing to 160; or the other way round.
    *(("contree", {"scoring.tens": how}, "score-deal", sums(87, 75, trump="S", bid=80), {"score": score})
      for how, score in (("half-up", [170, 80]), ("rest-to-taker", [160, 80]), ("rest-to-others", [170, 70]))),
    # CO-018: 128 of 258 are 80.4 of 162, and with a belote 100.4; 127 are 79.7, and 99.7 are not 100.
    ("coinche", FULL, "score-deal", at_all(128), {"outcome": "made", "counted": [100, 81], "score": [200, 80]}),
    ("coinche", FULL, "score-deal", at_all(127), {"outcome": "fell", "counted": [99, 82], "score": [20, 260]}),
    # 65 of 130 are 81 of 162; 66 are 82.2.
    ("coinche", PLAIN, "score-deal", sums(65, 65, trump="N", bid=80), {"outcome": "fell", "score": [0, 240]}),
    ("coinche", PLAIN, "score-deal", sums(66, 64, trump="N", bid=80), {"outcome": "made", "score": [160, 80]}),
    # CO-134: nobody writes, the same player deals; CO-135: the takers' 80 wait for whoever has more in the next deal.
    ("coinche", {"scoring.bid-tie": "dealt-anew"}, "match", {"dealer": 3, "deals": [LEVEL]},
     {"deals": [{"dealer": 3, "score": [0, 0], "freed": [0, 0], "held": 0, "totals": [0, 0]}], "next_dealer": 3}),
    ("coinche", {"scoring.bid-tie": "taker-held"}, "match", {"dealer": 3, "deals": [LEVEL, {"scored": sums(100, 62, trump="H", bid=90)}]},
     {"deals": [{"dealer": 3, "score": [0, 80], "freed": [0, 0], "held": 80, "totals": [0, 80]},
                {"dealer": 0, "score": [190, 60], "freed": [80, 0], "held": 0, "totals": [270, 140]}]}),
    # BG-120: with every trick 162 and 90 are 25, doubled or not.
    ("bulgarian-belot", {"scoring.raised-capot": "cancelled"}, "score-deal",
     sums(162, 0, trump="H", tricks=(8, 0), raised=4), {"score": [25, 0]}),
    ("bulgarian-belot", {"scoring.trickless-side": 10}, "score-deal",
     sums(162, 0, trump="H", tricks=(8, 0)), {"score": [25, -10], "written": ["25", "-10"]}),
    # What programs play: a capot of 500 and no belote, a fall without belote, a bid at no trumps twice.
    *(("contree", {"scoring.capot-beside": "nothing"}, "score-deal", capot(*won), {"score": score})
      for won, score in (((8, 0), [500, 0]), ((7, 1), [0, 500]))),
    ("contree", {"scoring.fall-worth": "fixed-sum-alone"}, "score-deal",
     {"taker": 0, "trump": "H", "bid": 120, "sides": [{"cards": 90, "tricks": 4, "belote": 20}, {"cards": 72, "tricks": 4}]},
     {"score": [0, 280]}),
    *(("coinche", {"scoring.no-trump-bid": "twice"}, "score-deal", sums(110, 52, trump="N", bid=100, **raised), {"score": score})
      for raised, score in (({}, [310, 50]), ({"raised": 2}, [720, 0]))),
    # CO-046: a capot ends the bidding.
    ("contree", {"bidding.capot": "ends-bidding"}, "bidding", bids("80H", "capotS"),
     {"state": "taken", "taker": 1, "trump": "S", "bid": "capot", "raised": 1}),
    ("contree", {"bidding.capot": "ends-bidding"}, "bidding", bids("capotS", "double"), (1, "bidding-over", "bidding.capot")),
    # CO-182: 230 of the deal against 42, though 2030 is less than 2035; CO-184: at 2030 each whoever made his bid.
    *(("contree", values, "match", ended([1800, theirs], sums(120, 42, trump="H", bid=110)), {"winner": winner})
      for values, theirs, winner in (({}, 1995, 1), ({"match.both-over": "last-deal-points"}, 1995, 0),
                                     ({}, 1990, None), ({"match.equal-totals": "latest-winners"}, 1990, 0))),
    # CO-172: 166 and 1832 are not 2000, though 170 would be; 166 and 1834 are, and are written so.
    *(("contree", {"match.last-deal-written": "exact"}, "match", ended([total, 0], sums(86, 76, trump="H", bid=80)),
       {"deals": [{**LINE, "score": score, "totals": totals}], "winner": winner})
      for total, score, totals, winner in ((1832, [170, 80], [2002, 80], None), (1834, [166, 76], [2000, 76], 0))),
    # CO-185: belote alone brings side 1 to 2000, without a trick, after a fall, or beside 62 that are not enough.
    *(("contree", {"match.by-belote": how, "scoring.fall-passes": ["cards", "declarations"]}, "match",
       ended([0, total], with_belote(deal)), {"winner": winner})
      for total, deal, allowed in ((1980, sums(162, 0, trump="H", bid=80, tricks=(8, 0)), 1),
                                   (1980, sums(102, 60, taker=1, trump="H", bid=120), 2),
                                   (1930, sums(100, 62, trump="H", bid=80), 3))
      for place, how in enumerate(("may-end", "not-without-trick", "not-without-trick-or-contract", "never"))
      for winner in [1 if place < allowed else None]),
    # BG-145: after the sweep the target is 171, which 170 is not; BG-148: who leads writes nothing; BG-149: no point.
    *(("bulgarian-belot", values, "match", ended(totals, *deals), {"winner": winner})
      for values, totals, deals, winner in (
          ({}, [145, 100], (SWEEP, LOST), 0), ({"match.after-all-tricks": "target-lifted"}, [145, 100], (SWEEP, LOST), None),
          ({}, [170, 100], (LOST,), 0), ({"match.ending-deal": "leaders-write"}, [170, 100], (LOST,), None),
          ({}, [145, 100], (NEAR_SWEEP,), 0), ({"match.ending-deal": "losers-take-points"}, [145, 100], (NEAR_SWEEP,), None))),
    # BG-129 (and BG-136), BG-131 and BG-133; BG-104: 66 of 130 are 7 of 13, which is 14 of 26.
    *(("bulgarian-belot", {"scoring.rounding": how}, "score-deal",
       sums(*cards, trump=trump, tricks=(7, 1) if 2 in cards else None), {"score": score})
      for how, *scores in (("disputed-to-bigger", [9, 7], [9, 7], [14, 12], [14, 12], [16, 0]),
                           ("half-down-bigger", [9, 7], [9, 7], [13, 13], [14, 12], [16, 0]),
                           ("bigger-first", [8, 8], [9, 7], [13, 13], [14, 12], [15, 1]))
      for score, trump, cards in zip(scores, "HHAAH", SPLITS, strict=True)),
    *(("bulgarian-belot", {"scoring.no-trump-rounded": "before-doubling"}, "score-deal", sums(*cards, trump="N", **raised),
       {"score": score})
      for cards, raised, score in (((66, 64), {}, [14, 12]), ((64, 66), {}, [0, 26]), ((66, 64), {"raised": 2}, [52, 0]))),
    # CO-036 and CO-037: 82 stands below 90 and 100.
    ("contree", STEPS, "bidding", bids("82H"), {"choices": ["pass", *(f"{most}{suit}" for most in (90, 100) for suit in "SHDC"), "double"]}),
    ("contree", STEPS, "bidding", bids("82H", "92S"), (1, "bid-too-low", "bidding.amount-step")),
    # CO-056 and CO-068: all others have passed, and the bidder speaks again; a fourth pass ends it.
    *(("contree", {**TO_100, "bidding.last-bidder": how}, "bidding", bids("80H", *["pass"] * 3), {"turn": 0, "choices": [
        "pass", *(f"{most}{suit}" for most in (90, 100) for suit in suits)]}) for how, suits in (("may-bid", "SHDC"), ("other-suit", "SDC"))),
    ("contree", {"bidding.last-bidder": "may-bid"}, "bidding", bids("80H", *["pass"] * 4), {**TAKEN, "bid": 80, "raised": 1}),
    ("contree", {"bidding.last-bidder": "other-suit"}, "bidding", bids("80H", *["pass"] * 3, "90S"), {"state": "open", "turn": 1}),
    ("contree", {"bidding.last-bidder": "other-suit"}, "bidding", bids("80H", *["pass"] * 3, "90H"),
     (4, "bid-too-low", "bidding.last-bidder")),
    # CO-060: whoever sits before the bidder doubles before his turn, and the bidder answers; his partner may not.
    ("contree", ANY_TIME, "bidding", {"dealer": 3, "bids": ["80H", {"seat": 3, "bid": "double"}]}, {"turn": 0, "choices": ["pass", "redouble"]}),
    ("contree", ANY_TIME, "bidding", {"dealer": 3, "bids": ["80H", {"seat": 2, "bid": "double"}]}, (1, "may-not-double", None)),
    ("contree", ANY_TIME, "replay", {"dealer": 3, "hands": HANDS, "actions": [
        {"seat": 0, "bid": "80H"}, {"seat": 3, "bid": "double"}, {"seat": 2, "bid": "double"}]}, (2, "may-not-double", None)),
    # The partner wins the trick with a ten: an ace need not go over it; a trump may be played though one can follow.
    *(("bela-4", values, "legal-cards", {"trump": "H", "hand": ["AS", "7S", "8H", "7C"], "trick": trick}, {"cards": cards})
      for values, trick, cards in (({}, ["10S", "KS"], ["AS"]), (HEADING, ["10S", "KS"], ["7S", "AS"]), (HEADING, ["10S"], ["AS"]),
                                   (RUFFING, ["10S", "KS"], ["AS", "8H"]), ({**HEADING, **RUFFING}, ["10S", "KS"], ["7S", "AS", "8H"]))),
    # At no trumps aces are worth what jacks are elsewhere and tens what nines are, which they then beat too.
    *(("coinche", NT_SQUARES, "declarations", {"hand": [*hand, "7S", "9S", "7H", "9H"], **trump}, {"best_points": points})
      for hand, trump, points in ((FOUR_ACES, {"trump": "N"}, 200), (FOUR_ACES, {"trump": "H"}, 100), (FOUR_TENS, {"trump": "N"}, 150))),
    *(("coinche", values, "compare-declarations", {"trump": "N", "leader": 0, "announced": [[FOUR_TENS], [FOUR_JACKS], [], []]},
       {"winner": winner, "points": points})
      for values, winner, points in (({}, 1, [0, 200, 0, 0]), (NT_SQUARES, 0, [150, 0, 0, 0]))),
    # BG-028: whoever doubled may double again, and whoever then wins the deal has won the match.
    *(("bulgarian-belot", THIRD, "bidding", bids(*said), result) for said, result in (
        (("H", "double", "redouble"), {"turn": 3, "choices": ["pass", "S", "N", "A", "double"]}),
        (("H", "double", "redouble", "double", "pass", "pass", "pass"), {"state": "taken", "taker": 0, "trump": "H", "raised": 8}),
        (("H", "double", "redouble", "double"), {"turn": 0, "choices": ["pass", "S", "N", "A"]}))),
    ("bulgarian-belot", THIRD, "match", ended([0, 0], sums(100, 62, trump="H", raised=8)),
     {"deals": [{**LINE, "score": [128, 0], "totals": [128, 0]}], "winner": 0}),
    # CO-103: the others' belote earns nothing, and is not said.
    *(("contree", {"declarations.belote.side": side}, "score-deal", with_belote(sums(98, 64, trump="H", bid=80)), {"score": score})
      for side, score in (("either", [180, 80]), ("takers", [180, 60]))),
    ("contree", {"declarations.belote.side": "takers"}, "replay",
     {"dealer": 3, "hands": HANDS, "actions": [
         *({"seat": seat, "bid": bid} for seat, bid in enumerate(("80H", "pass", "pass", "pass"))),
         {"seat": 0, "play": "JS"}, {"seat": 1, "play": "KH", "belote": True}]}, (5, "no-belote", "declarations.belote.side")),
    # Seat 0 leads trump as long as it has any, and then what it likes.
    ("bela-4", LEAD, "legal-cards", {"trump": "H", "hand": ["7H", "AS"], "trick": []}, {"cards": ["7H"]}),
    ("bela-4", LEAD, "legal-cards", {"trump": "D", "hand": ["7H", "AS"], "trick": []}, {"cards": ["AS", "7H"]}),
    # Half of everything is enough, or a number that is fixed.
    ("belotten", HALF, "score-deal", sums(81, 81), {"outcome": "made", "points": [81, 81]}),
    ("belotten", HALF, "score-deal", sums(80, 82), {"outcome": "fell"}),
    ("bela-3", HALF, "score-deal", sums(81, 41, 40), {"outcome": "made", "points": [81, 41, 40]}),
    ("denderbelot-3", HALF, "score-deal", sums(80, 42, 40), {"outcome": "fell"}),
    ("denderbelot", {"scoring.contract-needs": 81}, "score-deal", sums(81, 81), {"outcome": "made", "points": [81, 81]}),
    ("denderbelot", {"scoring.contract-needs": 81}, "score-deal", sums(80, 82), {"outcome": "fell"}),
    ("bela-3", {"scoring.contract-needs": 60}, "score-deal", sums(60, 51, 51), {"outcome": "made", "points": [60, 51, 51]}),
    ("bela-2", {"scoring.contract-needs": 82}, "score-deal", sums(70, 55, tricks=(5, 5)), {"outcome": "fell"}),
    # A taker's side that can still fall, or tie and so fall, may not stop the deal; the defence may.
    ("bela-4", SAFE, "replay", claim(2, 53, *ONE), (5, "claim-false", "match.claim")),
    ("bela-4", SAFE, "replay", claim(2, 93, *FOUR), {"ended": "claim", "winner": 0, "taken": 93}),
    ("bela-4", SAFE, "replay", claim(0, 81, *HALF_OF_ALL, "KS 9H 9D 9C"), (17, "claim-false", "match.claim")),
    ("bela-4", SAFE, "replay", claim(0, 82, *HALF_OF_ALL, "QS JH 9D 9C"), {"ended": "claim", "winner": 0, "taken": 82}),
    ("bela-4", SAFE, "replay", DEFENCE, {"ended": "claim", "winner": 0, "taken": 53}),
])  # fmt: skip
def test_a_house_rule_is_played_as_its_words_say(
    house: House, base: str, values: Json, operation: str, question: Json, wanted: Json | tuple[int, str, str | None]
) -> None:
    found = answer(operation, house(base, values), question)
    if isinstance(wanted, tuple):
        at, reason, rule = wanted
        assert found.rejected is not None
        assert (found.rejected["at"], found.rejected["reason"]) == (at, reason)
        assert rule in (None, found.rejected.get("rule"))
    else:
        assert found.result is not None, found.rejected
        assert {**found.result, **wanted} == found.result


def test_suits_that_rank_alike_may_be_renamed_others_not(house: House, ruleset_of: Callable[[str], Ruleset]) -> None:
    order: Any = [1, 0, 2, 3]
    assert house("bulgarian-belot", ALIKE).is_same_in(order)
    assert not ruleset_of("bulgarian-belot").is_same_in(order)


@pytest.mark.parametrize(("trump", "cards", "units"), [("H", 162, 16), ("A", 258, 26), ("N", 130, 26)])
def test_what_both_sides_write_and_what_is_held_is_the_whole_deal(
    ruleset_of: Callable[[str], Ruleset], trump: str, cards: int, units: int
) -> None:
    rules = ruleset_of("bulgarian-belot")
    for own in range(1, cards):
        for premium in (0, 20, 150) if trump != "N" else (0,):
            question = sums(own, cards - own, taker=own % 4, trump=trump)
            question["sides"][0]["declarations"] = premium
            settled = answer("score-deal", rules, question, can_be=True).result
            assert settled is not None
            assert sum(settled["score"]) + settled["held"] == units + premium // 10
