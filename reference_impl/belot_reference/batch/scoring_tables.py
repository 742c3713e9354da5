"""Settling a deal and keeping a match as numbers: sums to take, margins to hold against zero, and who gets what."""

from typing import Any, Final

from belot_reference.batch.tables import NONE, Arrays, Small, numbers, small
from belot_reference.compile import Ruleset
from belot_reference.counting import MOST_IN_A_DEAL
from belot_reference.scoring import all_card_points, score_points

# The kinds of points of a side, in the order of the arrays.
KINDS: Final = ("cards", "declarations", "belote")
FELL, TIED, MADE = range(3)
# What a fallen taker's cards are worth: as counted, every card point, or that and nothing beside it.
_FALL_WORTH: Final = {"as-counted": 0, "all-cards": 1, "all-cards-alone": 2}
# The heir of a fallen taker where it is the strongest of his opponents.
STRONGEST: Final = -2
NEVER: Final = -1
_CLAIMS: Final = {"played-out": 0, "enough": 1, "enough-when-safe": 2}
_HELD: Final = {"next-decided-deal": 0, "latest-tie": 1, "nobody": 2}
_TIES: Final = {"taker-falls": FELL, "taker-held": TIED, "each-keeps-own": MADE}


def settling_tables(rules: Ruleset) -> Arrays:
    """Return the settling of a ruleset."""
    unit, add = _rounding(rules)
    margin, at_zero = _contract(rules)
    trickless = rules.value_or("scoring.trickless-player", "none")
    return {
        "last_trick": rules.value("scoring.last-trick"),
        "all_points": all_card_points(rules),
        "confirmation": int(rules.value("scoring.confirmation") == "one-trick"),
        "capot_points": rules.value("scoring.all-tricks.points"),
        "capot_on_top": int(rules.value("scoring.all-tricks.counted") == "on-top"),
        "capot_takers_only": int(rules.value("scoring.all-tricks.side") != "either"),
        "capot_everything": int(rules.value("scoring.all-tricks.declarations") == "all-announced"),
        "trickless": NONE if trickless == "none" else trickless,
        "counts": _of_kinds(rules.value("scoring.contract-counts")),
        "margin": numbers(margin),
        "outcome": small([FELL, at_zero, MADE]),
        "fall_passes": _of_kinds(rules.value("scoring.fall-passes")),
        "fall_worth": _FALL_WORTH[rules.value_or("scoring.fall-worth", "as-counted")],
        "heir": small([_heir(rules, taker) for taker in range(rules.players)]),
        "unit": unit,
        "add": add,
        "rest_to_taker": int(rules.value_or("scoring.rounding", "down") == "rest-to-taker"),
    }


def _of_kinds(kinds: Any) -> Small:
    return small([int(kind in kinds) for kind in KINDS])


def _rounding(rules: Ruleset) -> tuple[int, int]:
    """Return the unit of the score sheet, and what is added to card points before they are divided by it."""
    unit: int = rules.value("scoring.sheet-unit")
    return unit, sum(score_points(rules, points) for points in range(1, unit)) if unit > 1 else 0


def _contract(rules: Ruleset) -> tuple[list[int], int]:
    """Return how many times what is in a contract's margin, and what a margin of zero means.

    The margin is made of the taker's side's points, those of all, of all others, the most of any other, and one.
    """
    needs = rules.value("scoring.contract-needs")
    if needs == "more-than-others":
        together = rules.value_or("scoring.contract-against", "all-together") == "all-together"
        return [1, 0, -1, 0, 0] if together else [1, 0, 0, -1, 0], _TIES[rules.value("scoring.tie")]
    return ([2, -1, 0, 0, 0] if needs == "at-least-half" else [1, 0, 0, 0, -needs]), MADE


def _heir(rules: Ruleset, taker: int) -> int:
    """Return the side that gets a fallen taker's points where that is known beforehand."""
    opponents = {rules.side_of[seat] for seat in range(rules.players) if not rules.partners(seat, taker)}
    if len(opponents) == 1:
        return opponents.pop()
    return NONE if rules.value("scoring.fall-to") == "nobody" else STRONGEST


def match_tables(rules: Ruleset) -> Arrays:
    """Return what a match of a ruleset goes by."""
    most = rules.value_or("bidding.deals-per-dealer", "always-the-same")
    return {
        "target": rules.value("match.target"),
        "reach": int(rules.value("match.target-reached") == "reach"),
        "takers_side": int(rules.value("match.both-over") == "takers-side"),
        "claim": _CLAIMS[rules.value("match.claim")],
        "near": score_points(rules, MOST_IN_A_DEAL),
        "held": _HELD[rules.value_or("scoring.held-points", "next-decided-deal")],
        "next_dealer": int(rules.value("deal.next-dealer") != "same-seat"),
        "failed_deals": NEVER if most == "always-the-same" else most,
    }
