"""Settling a deal: confirmation, all tricks, the contract, and the score sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from belot_reference.compile import Ruleset

Outcome = Literal["made", "fell", "tied"]


@dataclass(frozen=True, slots=True)
class Tally:
    """What one side brings to the count: tricks, and card points (the last trick's bonus is in ``cards``)."""

    cards: int
    tricks: int
    declarations: int = 0
    outranked: int = 0
    belote: int = 0


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled deal. ``counted`` and ``points`` are card points, ``score`` and ``held`` score points."""

    counted: tuple[int, ...]
    outcome: Outcome
    points: tuple[int, ...]
    score: tuple[int, ...]
    held: int
    written: tuple[str, ...]
    rules: tuple[str, ...]


_Kinds = dict[str, int]


def settle(rules: Ruleset, taker: int, tallies: Sequence[Tally]) -> Settlement:
    """Settle a deal that was played out, in the order of ruling G-08: confirm, all tricks, contract, rounding."""
    taking = rules.side_of[taker]
    kinds, consulted = _after_tricks(rules, tallies)
    counted = tuple(sum(side[kind] for kind in rules.value("scoring.contract-counts")) for side in kinds)
    outcome, decided_by = _outcome(rules, counted, taking)
    own = [sum(side.values()) for side in kinds]
    points = list(own)
    held = 0
    if outcome == "fell":
        passing = sum(kinds[taking][kind] for kind in rules.value("scoring.fall-passes"))
        points[taking] -= passing
        points[1 - taking] += passing
    elif outcome == "tied":
        points[taking] = 0
        held = score_points(rules, own[taking])
    score = tuple(score_points(rules, side) for side in points)
    return Settlement(
        counted=counted,
        outcome=outcome,
        points=tuple(points),
        score=score,
        held=held,
        written=tuple(written(rules, side) for side in score),
        rules=("deal.players", "deal.sides", *consulted, *decided_by, *_sheet_rules(rules)),
    )


def _after_tricks(rules: Ruleset, tallies: Sequence[Tally]) -> tuple[list[_Kinds], tuple[str, ...]]:
    """Return each side's points by kind after confirmation and all tricks, and the rules consulted."""
    kinds = [{"cards": side.cards, "declarations": side.declarations, "belote": side.belote} for side in tallies]
    winners = [index for index, side in enumerate(tallies) if side.tricks]
    if len(winners) == len(tallies):
        return kinds, ()
    if rules.value("scoring.confirmation") == "one-trick":
        for index, side in enumerate(tallies):
            if not side.tricks:
                kinds[index].update(declarations=0, belote=0)
    if len(winners) != 1:
        return kinds, ("scoring.confirmation",)
    winner = winners[0]
    bonus = rules.value("scoring.all-tricks.points")
    on_top = rules.value("scoring.all-tricks.counted") == "on-top"
    kinds[winner]["cards"] = kinds[winner]["cards"] + bonus if on_top else bonus
    if rules.value("scoring.all-tricks.declarations") == "all-announced":
        for index in range(len(tallies)):
            kinds[index].update(declarations=0, belote=0)
        kinds[winner]["declarations"] = sum(side.declarations + side.outranked for side in tallies)
        kinds[winner]["belote"] = sum(side.belote for side in tallies)
    return kinds, (
        "scoring.confirmation",
        "scoring.all-tricks.points",
        "scoring.all-tricks.counted",
        "scoring.all-tricks.declarations",
    )


def _outcome(rules: Ruleset, counted: Sequence[int], taking: int) -> tuple[Outcome, tuple[str, ...]]:
    """Judge the contract: the taker's side needs more than the other."""
    own, other = counted[taking], counted[1 - taking]
    if own > other:
        return "made", ("scoring.contract-counts",)
    if own < other:
        return "fell", ("scoring.contract-counts", "scoring.fall-passes")
    outcomes: dict[str, Outcome] = {"taker-falls": "fell", "taker-held": "tied", "each-keeps-own": "made"}
    outcome = outcomes[rules.value("scoring.tie")]
    decided_by = ("scoring.contract-counts", "scoring.tie")
    return outcome, (*decided_by, "scoring.fall-passes") if outcome == "fell" else decided_by


def score_points(rules: Ruleset, points: int) -> int:
    """Return the score points of card points, rounded as the variant rounds (half up: ruling G-03)."""
    unit: int = rules.value("scoring.sheet-unit")
    whole, rest = divmod(points, unit)
    match rules.value_or("scoring.rounding", "down"):
        case "half-up":
            return whole + (2 * rest >= unit)
        case "half-down":
            return whole + (2 * rest > unit)
        case "up":
            return whole + (rest > 0)
        case _:
            return whole


def written(rules: Ruleset, score: int) -> str:
    """Return a score as it is written on the sheet."""
    return "-" if score == 0 and rules.value("presentation.zero") == "dash" else str(score)


def _sheet_rules(rules: Ruleset) -> tuple[str, ...]:
    found = ("scoring.sheet-unit", "presentation.zero")
    return (*found, "scoring.rounding") if "scoring.rounding" in rules.profile.settings else found
