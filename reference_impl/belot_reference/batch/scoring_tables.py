"""Settling a deal and keeping a match as numbers: sums to take, margins to hold against zero, and who gets what."""

from typing import Final

from belot_reference.batch.tables import NONE, Arrays, Small, coded, listed, number_or_none, numbers, small
from belot_reference.compile import Ruleset
from belot_reference.counting import MOST_IN_A_DEAL
from belot_reference.mode import Mode
from belot_reference.scoring import all_card_points, card_factor, score_points

# The kinds of points of a side, in the order of the arrays.
KINDS: Final = ("cards", "declarations", "belote", "all-tricks")
FELL, TIED, MADE = range(3)
# The heir of a fallen taker where it is the strongest of his opponents.
STRONGEST: Final = -2
NEVER: Final = -1
# Whose declarations the side with every trick scores; see ``settle_kernel``.
CAPOT_DECLARED: Final = ("own-counted", "all-announced", "all-that-count")
_ROUNDINGS: Final = ("half-up", "half-down", "down", "up", "rest-to-taker", "rest-to-taker-half-down", "fewer-goes-up")
# How the scores of the sides come to make up that of the deal, where they do.
REST_TO_TAKER, FEWER_GOES_UP = 1, 2


def settling_tables(rules: Ruleset) -> Arrays:
    """Return the settling of a ruleset."""
    unit, add = _rounding(rules)
    rounding = _ROUNDINGS[coded(rules, "scoring.rounding", *_ROUNDINGS, default="down")]
    margin, at_zero = _contract(rules)
    return {
        "last_trick": rules.value("scoring.last-trick"),
        "all_points": numbers([all_card_points(rules, mode) for mode in rules.modes]),
        "card_factor": numbers([card_factor(rules, mode) for mode in rules.modes]),
        "confirmation": coded(rules, "scoring.confirmation", "none", "one-trick"),
        "capot_points": numbers([_capot_points(rules, mode) for mode in rules.modes]),
        "capot_on_top": coded(rules, "scoring.all-tricks.counted", "instead", "on-top"),
        "capot_takers_only": coded(rules, "scoring.all-tricks.side", "either", "takers"),
        "capot_declared": coded(rules, "scoring.all-tricks.declarations", *CAPOT_DECLARED),
        "trickless": number_or_none(rules, "scoring.trickless-player", NONE),
        "counts": _of_kinds(rules, "scoring.contract-counts", KINDS[:-1]),
        "judged_rounded": coded(
            rules, "scoring.contract-judged", "before-rounding", "after-rounding", default="before-rounding"
        ),
        "margin": numbers(margin),
        "outcome": small([FELL, at_zero, MADE]),
        "fall_passes": _of_kinds(rules, "scoring.fall-passes", KINDS[:-1]),
        # What a fallen taker's cards are worth: as counted, every card point, or that and nothing beside it.
        "fall_worth": coded(
            rules, "scoring.fall-worth", "as-counted", "all-cards", "all-cards-alone", default="as-counted"
        ),
        "heir": small([_heir(rules, taker) for taker in range(rules.players)]),
        "unit": unit,
        "add": add,
        "adds_up": FEWER_GOES_UP if rounding == "fewer-goes-up" else int(rounding.startswith("rest-to-taker")),
        "multiplied": _of_kinds(rules, "scoring.raised-kinds", KINDS) if _is_raised(rules) else small([0] * len(KINDS)),
        "raised_split": int(
            rules.value_or("scoring.tie", "taker-falls") == "each-keeps-own"
            or coded(rules, "scoring.raised-tie", "all-held", "split", default="all-held")
        ),
    }


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
    return small([int((kind if kind in known else "cards") in kinds) for kind in KINDS])


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
    if coded(rules, "scoring.contract-needs", "more-than-others", "at-least-half"):
        return [2, -1, 0, 0, 0], MADE
    each_alone = coded(rules, "scoring.contract-against", "all-together", "each-alone", default="all-together")
    # The places of the names are FELL, TIED and MADE.
    tie = coded(rules, "scoring.tie", "taker-falls", "taker-held", "each-keeps-own")
    return [1, 0, 0, -1, 0] if each_alone else [1, 0, -1, 0, 0], tie


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
