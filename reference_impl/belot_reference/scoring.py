"""Settling a deal: confirmation, all tricks, the contract, and the score sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.known_values import unknown_value
from belot_reference.mode import Mode

Outcome = Literal["made", "fell", "tied"]

# The value of ``scoring.sheet-unit`` by which a score point is half of what the sheet shows.
_HALF_A_POINT: Final = 5


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
    """A settled deal. ``counted`` and ``points`` are card points, ``score`` and ``held`` score points.

    ``sums`` are the card points of each side by kind once the contract is made, fallen or tied; no answer tells them.
    """

    counted: tuple[int, ...]
    outcome: Outcome
    points: tuple[int, ...]
    score: tuple[int, ...]
    held: int
    written: tuple[str, ...]
    sums: tuple[Mapping[str, int], ...] = field(default=(), compare=False)


_Kinds = dict[str, int]


def settle(rules: Ruleset, contract: DealContract, tallies: Sequence[Tally]) -> Settlement:
    """Settle a deal that was played out, in the order of ruling G-08: confirm, all tricks, contract, rounding.

    The contract is made, fallen or tied; then each side has sums by kind; then these are written.
    """
    taking = rules.side_of[contract.taker]
    kinds = _after_tricks(rules, tallies, taking)
    counted = tuple(sum(side[kind] for kind in rules.value("scoring.contract-counts")) for side in kinds)
    outcome = _outcome(rules, _judged(rules, counted, taking), taking)
    if outcome == "fell":
        _pass_on(rules, contract, kinds, counted)
    return _write(rules, contract, kinds, counted, outcome)


def _pass_on(rules: Ruleset, contract: DealContract, kinds: Sequence[_Kinds], counted: Sequence[int]) -> None:
    """Give others what passes to them after the taker fell, or where the deal is worth a fixed sum that."""
    taking, heir = rules.side_of[contract.taker], _heir(rules, counted, contract.taker)
    worth = rules.value_or("scoring.fall-worth", "as-counted")
    if worth != "as-counted" and heir is not None:
        kinds[taking]["cards"], kinds[heir]["cards"] = 0, all_card_points(rules, contract.mode)
        if worth == "all-cards-alone":
            for side in kinds:
                side.update(declarations=0, belote=0)
    for kind in rules.value("scoring.fall-passes"):
        if heir is not None:
            kinds[heir][kind] += kinds[taking][kind]
        kinds[taking][kind] = 0


def _write(
    rules: Ruleset, contract: DealContract, kinds: Sequence[_Kinds], counted: tuple[int, ...], outcome: Outcome
) -> Settlement:
    """Round each side's sum, and hold a tied taker's back."""
    taking, held = rules.side_of[contract.taker], 0
    points = [sum(side.values()) for side in kinds]
    score = [score_points(rules, side) for side in points] if outcome == "fell" else _scores(rules, points, taking)
    if outcome == "tied":
        held, score[taking], points[taking] = score[taking], 0, 0
    on_sheet = tuple(written(rules, side) for side in score)
    return Settlement(counted, outcome, tuple(points), tuple(score), held, on_sheet, tuple(kinds))


def all_card_points(rules: Ruleset, mode: Mode) -> int:
    """Return every card point of a deal with the last trick."""
    last: int = rules.value("scoring.last-trick")
    return rules.points_in_deck(mode) + last


def _scores(rules: Ruleset, points: Sequence[int], taking: int) -> list[int]:
    """Return each side's score points in a deal that the taker did not lose, also where he gets the rest."""
    scored = [score_points(rules, side) for side in points]
    if rules.value_or("scoring.rounding", "down") in ("rest-to-taker", "rest-to-taker-half-down"):
        scored[taking] += score_points(rules, sum(points)) - sum(scored)
    return scored


def _after_tricks(rules: Ruleset, tallies: Sequence[Tally], taking: int) -> list[_Kinds]:
    """Return each side's points by kind after confirmation and all tricks."""
    kinds = [{"cards": side.cards, "declarations": side.declarations, "belote": side.belote} for side in tallies]
    winners = [index for index, side in enumerate(tallies) if side.tricks]
    if len(winners) == len(tallies):
        return kinds
    if rules.value("scoring.confirmation") == "one-trick":
        for index, side in enumerate(tallies):
            if not side.tricks:
                kinds[index].update(declarations=0, belote=0)
    if len(winners) == 1:
        if winners[0] == taking or rules.value("scoring.all-tricks.side") == "either":
            _all_tricks(rules, tallies, kinds, winners[0])
        return kinds
    bonus = rules.value_or("scoring.trickless-player", "none")
    for winner in winners if bonus != "none" else ():
        kinds[winner]["cards"] += bonus
    return kinds


def last_trick_counts(rules: Ruleset, tricks: Sequence[int]) -> bool:
    """Say whether the last trick earns its bonus: not where a third player without a trick brings the others one."""
    return list(tricks).count(0) != 1 or rules.value_or("scoring.trickless-player", "none") == "none"


_AT_A_TIE: Final[Mapping[str, Outcome]] = {"taker-falls": "fell", "taker-held": "tied", "each-keeps-own": "made"}


def _all_tricks(rules: Ruleset, tallies: Sequence[Tally], kinds: list[_Kinds], winner: int) -> None:
    """Give the side with every trick its points, and where the variant does so the declarations of others."""
    bonus = rules.value("scoring.all-tricks.points")
    on_top = rules.value("scoring.all-tricks.counted") == "on-top"
    kinds[winner]["cards"] = kinds[winner]["cards"] + bonus if on_top else bonus
    match whose := rules.value("scoring.all-tricks.declarations"):
        case "all-announced":
            for side in kinds:
                side.update(declarations=0, belote=0)
            kinds[winner]["declarations"] = sum(side.declarations + side.outranked for side in tallies)
            kinds[winner]["belote"] = sum(side.belote for side in tallies)
        case "all-that-count":
            for side in kinds:
                side.update(declarations=0)
            kinds[winner]["declarations"] = sum(side.declarations for side in tallies)
        case "own-counted":
            pass
        case _:
            raise unknown_value("scoring.all-tricks.declarations", whose)


def _judged(rules: Ruleset, counted: Sequence[int], taking: int) -> Sequence[int]:
    """Return the points on which the contract is judged, in card points: as they are, or rounded to score points."""
    if rules.value_or("scoring.contract-judged", "before-rounding") == "before-rounding":
        return counted
    unit: int = rules.value("scoring.sheet-unit")
    return [unit * score for score in _scores(rules, counted, taking)]


def _outcome(rules: Ruleset, counted: Sequence[int], taking: int) -> Outcome:
    """Judge the contract: the taker's side needs more than the others, half of everything, or a fixed number."""
    own, needs = counted[taking], rules.value("scoring.contract-needs")
    if needs == "more-than-others":
        margin = own - points_to_beat(rules, counted, taking)
        if margin == 0:
            return _AT_A_TIE[rules.value("scoring.tie")]
        return "made" if margin > 0 else "fell"
    enough = 2 * own >= sum(counted) if needs == "at-least-half" else own >= needs
    return "made" if enough else "fell"


def points_to_beat(rules: Ruleset, counted: Sequence[int], taking: int) -> int:
    """Return what a taker's side that needs more than the others is held against: all they have, or the most of them.

    In card points.
    """
    others = [points for side, points in enumerate(counted) if side != taking]
    together = rules.value_or("scoring.contract-against", "all-together") == "all-together"
    return sum(others) if together else max(others)


def _heir(rules: Ruleset, counted: Sequence[int], taker: int) -> int | None:
    """Return the side that gets a fallen taker's points, if any: the defence, or the strongest opponent."""
    seats = [(taker + step) % rules.players for step in range(1, rules.players)]
    opponents = list(dict.fromkeys(rules.side_of[seat] for seat in seats if not rules.partners(seat, taker)))
    if len(opponents) == 1:
        return opponents[0]
    if rules.value("scoring.fall-to") == "nobody":
        return None
    return max(opponents, key=lambda side: counted[side])


def score_points(rules: Ruleset, points: int) -> int:
    """Return the score points of card points, rounded as the variant rounds (half up: ruling G-03)."""
    unit: int = rules.value("scoring.sheet-unit")
    whole, rest = divmod(points, unit)
    match rules.value_or("scoring.rounding", "down"):
        case "half-up" | "rest-to-taker":
            return whole + (2 * rest >= unit)
        case "half-down" | "rest-to-taker-half-down":
            return whole + (2 * rest > unit)
        case "up":
            return whole + (rest > 0)
        case "down":
            return whole
    raise unknown_value("scoring.rounding", rules.value("scoring.rounding"))


def written(rules: Ruleset, score: int) -> str:
    """Return a score as it is written on the sheet."""
    return "-" if score == 0 and rules.value("presentation.zero") == "dash" else on_paper(score, in_halves(rules))


def in_halves(rules: Ruleset) -> bool:
    """Say whether score points are half points, of which two make one on the score sheet (ruling G-23)."""
    return bool(rules.value("scoring.sheet-unit") == _HALF_A_POINT)


def on_paper(score: int, halves: bool) -> str:
    """Return score points as figures, of half points ``9½`` for 19."""
    whole, half = divmod(score, 2) if halves else (score, 0)
    return f"{whole or ''}½" if half else str(whole)
