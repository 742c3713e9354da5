"""Settling a deal and keeping a match as numbers: sums to take, margins to hold against zero, and who gets what."""

from typing import Final

from belot_kernel.tables import NONE, Arrays, Small, coded, listed, number_or_none, numbers, small
from belot_reference.compile import Ruleset
from belot_reference.counting import MOST_IN_A_DEAL
from belot_reference.mode import Mode
from belot_reference.scoring import (
    ALL_TRICKS,
    BID,
    all_card_points,
    all_tricks_beyond_cards,
    card_factor,
    score_points,
)

# The kinds of points of a side, in the order of the arrays.
KINDS: Final = ("cards", "declarations", "belote", ALL_TRICKS, BID)
FELL, TIED, MADE = range(3)
# The heir of a fallen taker where it is the strongest of his opponents.
STRONGEST: Final = -2
NEVER: Final = -1
# Whose declarations the side with every trick scores; see ``settle_kernel``.
CAPOT_DECLARED: Final = ("own-counted", "all-announced", "all-that-count")
_ROUNDINGS: Final = ("half-up", "half-down", "down", "up", "rest-to-taker", "rest-to-taker-half-down", "fewer-goes-up")
# Those that can pass to others or count for a contract, by name.
_PASSING: Final = KINDS[:3]
# What goes with another kind where it cannot be named.
_GOES_WITH: Final = {ALL_TRICKS: "cards"}
_MORE: Final = "more-than-others"
_NEEDS_BID: Final = ("bid", "bid-and-more")
# What is written of a number that was bid, where one was: see ``settle_kernel``.
_WRITTEN: Final = ("points-and-bid", "bid-alone", "points-alone")
BID_ALONE, POINTS_ALONE = 2, 3
_FIXED_SUM: Final = "fixed-sum"
# What stands for the cards of a doubled contract that is made; the last two say what comes where all tricks were won.
_RAISED_SUMS: Final = ("own-points", _FIXED_SUM, "fixed-or-all-tricks", "fixed-and-all-tricks")
OR_ALL_TRICKS, AND_ALL_TRICKS = 2, 3
_FALL_WORTH: Final = ("as-counted", "all-cards", "all-cards-alone", _FIXED_SUM)
# To what is rounded, what is added before it is, and whether cards are rounded before a double multiplies them.
_TENS: Final = {"exact": (1, 0, 0), "half-up": (10, 5, 0), "half-down": (10, 4, 0), "cards-half-up": (10, 5, 1)}
_OF_BIDS: Final = (
    *("lowest_needs", "needs_bid", "bid_written", "capot_bid", "capot_fall", "capot_sum", "fixed_sum"),
    *("raised_sum", "raised_defence", "tens", "tens_add", "tens_first"),
)
# Of these the kernel knows one value alone.
_KNOWN_ALONE: Final = {
    "scoring.raised-capot": "multiplied",
    "scoring.raised-side": "winner",
    "scoring.raised-rounded": "before-multiplying",
    "scoring.bid-tie": "taker-falls",
    "scoring.capot-beside": "counted",
    "scoring.no-trump-bid": "once",
    "scoring.scaled": [],
    "scoring.trickless-side": "none",
    "scoring.no-trump-rounded": "after-doubling",
    "declarations.belote.side": "either",
    "declarations.no-trump-squares": "as-elsewhere",
    "match.ends": "target",
    "match.ending-deal": "any",
    "match.equal-totals": "goes-on",
    "match.last-deal-written": "rounded",
    "match.by-belote": "may-end",
}
# How much more than its bid a side needs: nothing, or more than the others too.
AND_MORE: Final = 2
# How the scores of the sides come to make up that of the deal, where they do.
REST_TO_TAKER, FEWER_GOES_UP = 1, 2


def settling_tables(rules: Ruleset) -> Arrays:
    """Return the settling of a ruleset."""
    for rule, value in _KNOWN_ALONE.items():
        coded(rules, rule, value, default=value)
    unit, add = _rounding(rules)
    rounding = _ROUNDINGS[coded(rules, "scoring.rounding", *_ROUNDINGS, default="down")]
    margin, at_zero = _contract(rules)
    return {
        "last_trick": rules.value("scoring.last-trick"),
        "card_factor": numbers([card_factor(rules, mode) for mode in rules.modes]),
        "confirmation": coded(rules, "scoring.confirmation", "none", "one-trick"),
        "capot_points": numbers([_capot_points(rules, mode) for mode in rules.modes]),
        "capot_beyond": numbers([all_tricks_beyond_cards(rules, mode) for mode in rules.modes]),
        "capot_on_top": coded(rules, "scoring.all-tricks.counted", "instead", "on-top"),
        "capot_takers_only": coded(rules, "scoring.all-tricks.side", "either", "takers"),
        "capot_declared": coded(rules, "scoring.all-tricks.declarations", *CAPOT_DECLARED),
        "trickless": number_or_none(rules, "scoring.trickless-player", NONE),
        "counts": _of_kinds(rules, "scoring.contract-counts", _PASSING),
        "judged_rounded": coded(
            rules, "scoring.contract-judged", "before-rounding", "after-rounding", default="before-rounding"
        ),
        "margin": numbers(margin),
        "outcome": small([FELL, at_zero, MADE]),
        "fall_passes": _of_kinds(rules, "scoring.fall-passes", _PASSING),
        # What a fallen taker's cards are worth: as counted, every card point, that and nothing beside it, a fixed sum.
        "fall_worth": coded(rules, "scoring.fall-worth", *_FALL_WORTH, default="as-counted"),
        "fall_points": numbers([_fall_points(rules, mode) for mode in rules.modes]),
        "heir": small([_heir(rules, taker) for taker in range(rules.players)]),
        "unit": unit,
        "add": add,
        "adds_up": FEWER_GOES_UP if rounding == "fewer-goes-up" else int(rounding.startswith("rest-to-taker")),
        "multiplied": _of_kinds(rules, "scoring.raised-kinds", KINDS) if _is_raised(rules) else small([0] * len(KINDS)),
        "raised_split": _keep_their_own(rules, at_zero),
        **_bid_tables(rules),
    }


def _bid_tables(rules: Ruleset) -> Arrays:
    """Return how a number that was bid is judged and written; where none is, nothing of it matters."""
    if not rules.has_amounts:
        return dict.fromkeys(_OF_BIDS, 0) | {"tens": 1}
    lowest: int = rules.value("bidding.lowest-amount")
    whole, add, first = tuple(_TENS.values())[coded(rules, "scoring.tens", *_TENS, default="exact")]
    return {
        "lowest_needs": rules.value_or("scoring.lowest-bid-needs", lowest),
        "needs_bid": 1 + coded(rules, "scoring.contract-needs", *_NEEDS_BID),
        "bid_written": 1 + coded(rules, "scoring.contract-written", *_WRITTEN),
        "capot_bid": rules.value_or("scoring.capot-amount", 0),
        "capot_fall": coded(rules, "scoring.capot-fall", "fixed-sum", "all-tricks", default="fixed-sum"),
        "capot_sum": rules.value("scoring.all-tricks.points"),
        "fixed_sum": rules.value_or("scoring.fixed-sum", 0),
        "raised_sum": coded(rules, "scoring.raised-sum", *_RAISED_SUMS, default="own-points"),
        "raised_defence": coded(rules, "scoring.raised-defence", "nothing", "own-points", default="nothing"),
        "tens": whole,
        "tens_add": add,
        "tens_first": first,
    }


def _fall_points(rules: Ruleset, mode: Mode) -> int:
    """Return what a fallen taker's cards are worth where that is not as they were counted."""
    if rules.value_or("scoring.fall-worth", _FALL_WORTH[0]) == _FIXED_SUM:
        fixed: int = rules.value_or("scoring.fixed-sum", 0)
        return fixed
    return all_card_points(rules, mode)


def _keep_their_own(rules: Ruleset, at_zero: int) -> int:
    """Say whether in a doubled deal with equal points each side has its own."""
    split = coded(rules, "scoring.raised-tie", "all-held", "split", default="all-held")
    return split if at_zero == TIED else int(at_zero == MADE and rules.value("scoring.contract-needs") == _MORE)


def _is_raised(rules: Ruleset) -> bool:
    return rules.value_or("scoring.raised-kinds", None) is not None


def _capot_points(rules: Ruleset, mode: Mode) -> int:
    """Return what all tricks bring in a mode."""
    points: int = rules.value("scoring.all-tricks.points")
    times = coded(rules, "scoring.no-trump-all-tricks", "once", "times-factor", default="once")
    return points * (card_factor(rules, mode) if times else 1)


def _of_kinds(rules: Ruleset, rule: str, known: tuple[str, ...]) -> Small:
    """Return which kinds of points a rule names; those for all tricks go with the cards where it cannot name them."""
    kinds = listed(rules, rule, known)
    named = [kind if kind in known else _GOES_WITH.get(kind) for kind in KINDS]
    return small([int(kind in kinds) for kind in named])


def _rounding(rules: Ruleset) -> tuple[int, int]:
    """Return the unit of the score sheet, and what is added to card points before they are divided by it."""
    unit: int = rules.value("scoring.sheet-unit")
    return unit, sum(score_points(rules, points) for points in range(1, unit)) if unit > 1 else 0


def _contract(rules: Ruleset) -> tuple[list[int], int]:
    """Return how many times what is in a contract's margin, and what a margin of zero means.

    The margin is made of the taker's side's points, those of all, of all others, the most of any other, and one.
    """
    needs = rules.value("scoring.contract-needs")
    if isinstance(needs, int):
        return [1, 0, 0, 0, -needs], MADE
    if needs in _NEEDS_BID:
        return _more_than_others(rules), MADE
    if coded(rules, "scoring.contract-needs", _MORE, "at-least-half"):
        return [2, -1, 0, 0, 0], MADE
    # The places of the names are FELL, TIED and MADE.
    tie = coded(rules, "scoring.tie", "taker-falls", "taker-held", "each-keeps-own")
    return _more_than_others(rules), tie


def _more_than_others(rules: Ruleset) -> list[int]:
    each_alone = coded(rules, "scoring.contract-against", "all-together", "each-alone", default="all-together")
    return [1, 0, 0, -1, 0] if each_alone else [1, 0, -1, 0, 0]


def _heir(rules: Ruleset, taker: int) -> int:
    """Return the side that gets a fallen taker's points where that is known beforehand."""
    opponents = {rules.side_of[seat] for seat in range(rules.players) if not rules.partners(seat, taker)}
    if len(opponents) == 1:
        return opponents.pop()
    return (STRONGEST, NONE)[coded(rules, "scoring.fall-to", "strongest-opponent", "nobody")]


def match_tables(rules: Ruleset) -> Arrays:
    """Return what a match of a ruleset goes by."""
    return {
        "target": rules.value("match.target"),
        "reach": coded(rules, "match.target-reached", "exceed", "reach"),
        "takers_side": coded(rules, "match.both-over", "higher-total", "takers-side"),
        "claim": coded(rules, "match.claim", "played-out", "enough", "enough-when-safe"),
        "near": score_points(rules, MOST_IN_A_DEAL),
        "held": coded(
            rules, "scoring.held-points", "next-decided-deal", "latest-tie", "nobody", default="next-decided-deal"
        ),
        "next_dealer": coded(rules, "deal.next-dealer", "same-seat", "next-seat"),
        "one_more_deal": coded(rules, "match.after-all-tricks", "may-end", "one-more-deal", default="may-end"),
        "held_goes_on": coded(rules, "match.while-held", "may-end", "goes-on", default="may-end"),
        "failed_deals": number_or_none(rules, "bidding.deals-per-dealer", NEVER, "always-the-same"),
    }
