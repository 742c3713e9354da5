"""Settling a deal: confirmation, all tricks, the contract, and the score sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final, Literal

from belot_reference.bids import CAPOT
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.errors import UnknownValueError
from belot_reference.mode import NO_TRUMPS, SUIT, Mode

Outcome = Literal["made", "fell", "tied"]

# The value of ``scoring.tens`` by which cards are rounded before a double multiplies them, and those by which the cards
# of one side are rounded and the other has the rest of the deal.
_CARDS_FIRST: Final = "cards-half-up"
_REST: Final = ("rest-to-taker", "rest-to-others")

# Card points; a part of one is left where those of a deal are converted (``scoring.scaled``).
Points = int | Fraction

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
    sums: tuple[Mapping[str, Points], ...] = field(default=(), compare=False)


# Points by kind; those for all tricks, which count among the cards, stand apart.
_Kinds = dict[str, Points]
ALL_TRICKS: Final = "all-tricks"
# What was bid, as it is written.
BID: Final = "bid"


def settle(rules: Ruleset, contract: DealContract, tallies: Sequence[Tally]) -> Settlement:
    """Settle a deal that was played out, in the order of ruling G-08: confirm, all tricks, contract, rounding.

    The contract is made, fallen or tied; then each side has sums by kind; then these are written.
    """
    taking = rules.side_of[contract.taker]
    trickless = [side for side, tally in enumerate(tallies) if not tally.tricks]
    all_to_one = len(trickless) == len(tallies) - 1
    if contract.raised > 1 and all_to_one and rules.given("scoring.raised-capot") == "cancelled":
        contract = contract._replace(raised=1)
    kinds = _after_tricks(rules, contract, tallies)
    counting = _with_all_tricks(rules.value("scoring.contract-counts"))
    counted = tuple(sum(map(side.__getitem__, counting)) for side in kinds)
    outcome = _outcome(rules, contract, _judged(rules, contract.mode, counted, taking), tallies)
    if rules.has_amounts:
        settlement = _write_bid(rules, contract, kinds, counted, outcome, all_to_one and taking not in trickless)
    else:
        if outcome == "fell":
            _pass_on(rules, contract, kinds, counted)
        settlement = _write(rules, contract, kinds, counted, outcome)
    less: int | str = rules.value_or("scoring.trickless-side", "none") if trickless else "none"
    if isinstance(less, str):
        return settlement
    score = tuple(points - less * (side in trickless) for side, points in enumerate(settlement.score))
    return replace(settlement, score=score, written=tuple(written(rules, side) for side in score))


def _settled(
    rules: Ruleset,
    judged: tuple[Sequence[Points], Outcome],
    points: Sequence[Points],
    score: Sequence[int],
    kinds: Sequence[_Kinds],
    held: int = 0,
) -> Settlement:
    """Return a settlement, of which parts of a card point are not told."""
    counted, outcome = judged
    on_sheet = tuple(written(rules, side) for side in score)
    return Settlement(whole(counted), outcome, whole(points), tuple(score), held, on_sheet, tuple(kinds))


def whole(points: Sequence[Points]) -> tuple[int, ...]:
    """Return card points without the parts of one."""
    return tuple(map(int, points))


def _pass_on(rules: Ruleset, contract: DealContract, kinds: Sequence[_Kinds], counted: Sequence[Points]) -> None:
    """Give others what passes to them after the taker fell, or where the deal is worth a fixed sum that."""
    taking, heir = rules.side_of[contract.taker], _heir(rules, counted, contract.taker)
    worth = rules.value_or("scoring.fall-worth", "as-counted")
    if worth != "as-counted" and heir is not None:
        _stand_for_cards(kinds[taking], 0)
        is_fixed = worth in ("fixed-sum", "fixed-sum-alone")
        _stand_for_cards(
            kinds[heir], rules.given("scoring.fixed-sum") if is_fixed else all_card_points(rules, contract.mode)
        )
        if worth in ("all-cards-alone", "fixed-sum-alone"):
            for side in kinds:
                side.update(declarations=0, belote=0)
    for kind in _with_all_tricks(rules.value("scoring.fall-passes")):
        if heir is not None:
            kinds[heir][kind] += kinds[taking][kind]
        kinds[taking][kind] = 0


def _stand_for_cards(side: _Kinds, cards: Points, all_tricks: Points = 0) -> None:
    """Let sums stand in the place of what a side has for its cards."""
    side.update({"cards": cards, ALL_TRICKS: all_tricks})


def _write_bid(
    rules: Ruleset,
    contract: DealContract,
    kinds: Sequence[_Kinds],
    counted: Sequence[Points],
    outcome: Outcome,
    swept: bool,
) -> Settlement:
    """Write a deal whose contract is an amount: the points of the side that wins it, and what was bid.

    In a doubled deal some kinds of these are multiplied, and the other side has little or nothing, or what it has is
    multiplied too. The taker's side may have ``swept``, won every trick.
    """
    taking = rules.side_of[contract.taker]
    winner = taking if outcome == "made" else 1 - taking
    how: str = rules.given("scoring.contract-written")
    is_capot = contract.bid == CAPOT
    if is_capot and rules.given("scoring.capot-beside") == "nothing":
        for side in kinds:
            side.update(declarations=0, belote=0)
    if how == "bid-alone":
        for side in kinds:
            side.update(dict.fromkeys(side, 0))
    if outcome == "tied":
        return _write_tied_bid(rules, kinds, counted, taking)
    if outcome == "fell" and how != "bid-alone":
        _pass_on(rules, contract, kinds, counted)
        if is_capot and rules.given("scoring.capot-fall") == "all-tricks":
            _stand_for_cards(kinds[winner], 0, rules.value("scoring.all-tricks.points"))
    elif how != "bid-alone" and contract.raised > 1:
        _raise_made(rules, contract, kinds, winner, swept)
    if how == "bid-for-points" and outcome == "made":
        kinds[winner].update(dict.fromkeys(kinds[winner], 0))
    if outcome == "made" if how == "bid-for-points" else is_capot or how != "points-alone":
        kinds[winner][BID] = _bid_on_sheet(rules, contract)
    _round_cards(rules, contract, kinds, taking, outcome == "made" and not swept and how != "bid-alone")
    multiplied: list[str] = rules.given("scoring.raised-kinds") if contract.raised > 1 else []
    loser = kinds[1 - winner]
    both = any(map(loser.get, multiplied)) and rules.given("scoring.raised-side") == "each"
    for side in kinds if both else (kinds[winner],):
        for kind in side.keys() & multiplied:
            side[kind] *= contract.raised
    points = [sum(side.values()) for side in kinds]
    score = [score_points(rules, _in_tens(rules, side)) for side in points]
    return _settled(rules, (counted, outcome), points, score, kinds)


def _bid_on_sheet(rules: Ruleset, contract: DealContract) -> int:
    """Return what a bid counts where it is written, before a double multiplies it."""
    amount = rules.given("scoring.capot-amount") if contract.bid == CAPOT else contract.bid or 0
    twice = contract.mode.kind == NO_TRUMPS and rules.given("scoring.no-trump-bid") == "twice"
    return 2 * amount if twice else amount


def _write_tied_bid(rules: Ruleset, kinds: Sequence[_Kinds], counted: Sequence[Points], taking: int) -> Settlement:
    """Write a deal in which the taker's side has what it bid and no more than the others: nothing is multiplied."""
    anew = rules.given("scoring.bid-tie") == "dealt-anew"
    points = [0 if anew else sum(side.values()) for side in kinds]
    score = [score_points(rules, _in_tens(rules, side)) for side in points]
    held, score[taking], points[taking] = score[taking], 0, 0
    return _settled(rules, (counted, "tied"), points, score, kinds, held)


def _round_cards(rules: Ruleset, contract: DealContract, kinds: Sequence[_Kinds], taking: int, as_taken: bool) -> None:
    """Round what sides have for their cards where that is done before anything else.

    They may be ``as_taken`` by both: then one of them may have what the other leaves of the whole deal.
    """
    how = rules.value_or("scoring.tens", "exact")
    if how == _CARDS_FIRST:
        for side in kinds:
            side.update({kind: _in_tens(rules, side[kind]) for kind in ("cards", ALL_TRICKS)})
    if how in _REST and as_taken and contract.raised == 1:
        rounded = 1 - taking if how == "rest-to-taker" else taking
        cards = _in_tens(rules, kinds[rounded]["cards"])
        kinds[rounded]["cards"] = cards
        kinds[1 - rounded]["cards"] = _in_tens(rules, all_card_points(rules, contract.mode)) - cards


def _raise_made(rules: Ruleset, contract: DealContract, kinds: Sequence[_Kinds], winner: int, swept: bool) -> None:
    """Change what sides have where a doubled contract is made: a sum for the cards, and the others lose theirs."""
    loser = kinds[1 - winner]
    if (how := rules.given("scoring.raised-sum")) != "own-points":
        if contract.bid == CAPOT or (swept and how == "fixed-or-all-tricks"):
            _stand_for_cards(kinds[winner], 0, rules.value("scoring.all-tricks.points"))
        else:
            beside = all_tricks_beyond_cards(rules, contract.mode) if swept and how == "fixed-and-all-tricks" else 0
            _stand_for_cards(kinds[winner], rules.given("scoring.fixed-sum"), beside)
    if rules.given("scoring.raised-defence") == "nothing":
        passing: list[str] = rules.value("scoring.fall-passes")
        for kind in ("declarations", "belote"):
            if kind in passing:
                kinds[winner][kind] += loser[kind]
                loser[kind] = 0
        _stand_for_cards(loser, 0)


def _in_tens(rules: Ruleset, points: Points) -> int:
    """Return card points as they are written: exactly, or to the nearest ten."""
    how = rules.value_or("scoring.tens", "exact")
    unit = 1 if how == "exact" else 10
    return unit * _rounded(points, unit, "scoring.tens", "half-up" if how == "exact" else how)


def _write(
    rules: Ruleset, contract: DealContract, kinds: Sequence[_Kinds], counted: Sequence[Points], outcome: Outcome
) -> Settlement:
    """Round each side's sum, multiply it if it was doubled, and hold a tied taker's back."""
    taking, held = rules.side_of[contract.taker], 0
    if contract.raised > 1:
        points, score = _raised(rules, contract, kinds, counted, outcome)
    else:
        points = [sum(side.values()) for side in kinds]
        score = _on_sheet(rules, contract.mode, kinds, taking, together=outcome != "fell")
    if outcome == "tied":
        held, score[taking], points[taking] = score[taking], 0, 0
    return _settled(rules, (counted, outcome), points, score, kinds, held)


def _on_sheet(
    rules: Ruleset, mode: Mode, kinds: Sequence[Mapping[str, Points]], taking: int, *, together: bool
) -> list[int]:
    """Return each side's score points of what it has, ``together`` those of the deal where the rules say so.

    Where points are doubled once they are rounded, those of the cards are taken as they were.
    """

    def of(points: Sequence[Points]) -> list[int]:
        return _scores(rules, mode, points, taking) if together else [score_points(rules, side) for side in points]

    factor = card_factor(rules, mode)
    if factor == 1 or rules.value_or("scoring.no-trump-rounded", "after-doubling") == "after-doubling":
        return of([sum(side.values()) for side in kinds])
    cards = of([Fraction(side["cards"], factor) for side in kinds])
    rest = of([sum(side.values()) - side["cards"] for side in kinds])
    return [factor * own + other for own, other in zip(cards, rest, strict=True)]


def _raised(
    rules: Ruleset,
    contract: DealContract,
    kinds: Sequence[_Kinds],
    counted: Sequence[Points],
    outcome: Outcome,
) -> tuple[list[Points], list[int]]:
    """Return the points and the score of each side in a deal that was doubled: one side has those of both.

    Where that is a tied taker's they are held, and each may have its own, at equal points or always. The deal is
    rounded before it is multiplied, or once it is.
    """
    taking, more, together = rules.side_of[contract.taker], contract.raised - 1, outcome != "fell"
    if not _keep_their_own(rules, contract.mode, counted, outcome, taking):
        winner = _heir(rules, counted, contract.taker) if outcome == "fell" else taking
        whole_deal = {kind: sum(side[kind] for side in kinds) for kind in kinds[0]}
        kinds = [whole_deal if side == winner else dict.fromkeys(whole_deal, 0) for side in range(len(kinds))]
        together = False
    multiplied: list[str] = rules.given("scoring.raised-kinds")
    again = [{kind: side[kind] if kind in multiplied else 0 for kind in side} for side in kinds]
    in_full = [{kind: side[kind] + more * part[kind] for kind in side} for side, part in zip(kinds, again, strict=True)]
    points = [sum(side.values()) for side in in_full]
    if rules.value_or("scoring.raised-rounded", "before-multiplying") == "after-multiplying":
        return points, _on_sheet(rules, contract.mode, in_full, taking, together=together)
    once, parts = (_on_sheet(rules, contract.mode, of, taking, together=together) for of in (kinds, again))
    return points, [one + more * part for one, part in zip(once, parts, strict=True)]


def _keep_their_own(rules: Ruleset, mode: Mode, counted: Sequence[Points], outcome: Outcome, taking: int) -> bool:
    """Say whether in a doubled deal each side has its own: always, or at equal points, the taker's perhaps held."""
    if outcome == "tied":
        return bool(rules.given("scoring.raised-tie") == "split")
    if rules.given("scoring.raised-side") == "each":
        return True
    judged = _judged(rules, mode, counted, taking)
    level = outcome == "made" and judged[taking] == points_to_beat(rules, judged, taking)
    return bool(level and rules.value("scoring.contract-needs") == "more-than-others")


def _with_all_tricks(kinds: Sequence[str]) -> Sequence[str]:
    """Return kinds of points with those for all tricks where the cards are among them."""
    return (*kinds, ALL_TRICKS) if "cards" in kinds else kinds


def card_factor(rules: Ruleset, mode: Mode) -> int:
    """Return how many times card points count in a mode."""
    factor: int = rules.value_or("scoring.no-trump-factor", 1) if mode.kind == NO_TRUMPS else 1
    return factor


def card_share(rules: Ruleset, mode: Mode) -> Points:
    """Return by what a side's card points are multiplied: so that they come to those of a suit, where the rules say so.

    Parts of a card point come of that.
    """
    if mode.kind == SUIT or not rules.has_amounts or mode.kind not in rules.given("scoring.scaled"):
        return card_factor(rules, mode)
    last: int = rules.value("scoring.last-trick")
    return Fraction(rules.points_in_deck(rules.modes[0]) + last, rules.points_in_deck(mode) + last)


def all_card_points(rules: Ruleset, mode: Mode) -> int:
    """Return every card point of a deal with the last trick, as they count."""
    last: int = rules.value("scoring.last-trick")
    return int(card_share(rules, mode) * (rules.points_in_deck(mode) + last))


def all_tricks_beyond_cards(rules: Ruleset, mode: Mode) -> int:
    """Return by how many card points all tricks are worth more than the cards in them without the last trick."""
    points: int = rules.value("scoring.all-tricks.points")
    return max(0, int(points - card_share(rules, mode) * rules.points_in_deck(mode)))


def _scores(rules: Ruleset, mode: Mode, points: Sequence[Points], taking: int) -> list[int]:
    """Return each side's score points in a deal that the taker did not lose, also where he gets the rest."""
    how = rules.value_or("scoring.rounding", "down")
    if how == "fewer-goes-up":
        return _fewer_goes_up(rules, points, taking)
    if how in _OF_TWO:
        return _of_two(rules, how, mode, points, taking)
    scored = [score_points(rules, side) for side in points]
    if how in ("rest-to-taker", "rest-to-taker-half-down"):
        scored[taking] += score_points(rules, sum(points)) - sum(scored)
    return scored


# By the values of ``scoring.rounding`` that are about two sides, the tenths of a score point from which a side's points
# go up: if one suit is trump, at no trumps and at all trumps.
_OF_TWO: Final = {
    "bigger-first": (7, 5, 5), "disputed-to-bigger": (6, 5, 4), "half-down-bigger": (5, 5, 5)
}  # fmt: skip
# The values of ``scoring.rounding`` and ``scoring.tens`` by which half a unit goes up.
_HALF_UP: Final = frozenset(("half-up", "rest-to-taker", "rest-to-others", "fewer-goes-up", _CARDS_FIRST, *_OF_TWO))


def _of_two(rules: Ruleset, how: str, mode: Mode, points: Sequence[Points], taking: int) -> list[int]:
    """Return the scores of two sides, which together are those of the deal; at equal points the taker's is the bigger.

    But equal points are rounded alike where the bigger one comes first.
    """
    unit: int = rules.value("scoring.sheet-unit")
    whole_deal, others = score_points(rules, sum(points)), 1 - taking
    at = 0 if mode.kind == SUIT else 1 if mode.kind == NO_TRUMPS else 2
    tenths = [10 * (side % unit) / Fraction(unit) for side in points]
    goes_up = [rest >= _OF_TWO[how][at] and (rest > 5 or how != "half-down-bigger") for rest in tenths]
    scored = [int(side // unit) + above for side, above in zip(points, goes_up, strict=True)]
    bigger = taking if points[taking] >= points[others] else others
    match how:
        case "bigger-first" if points[0] != points[1]:
            scored[1 - bigger] = whole_deal - scored[bigger]
            if scored[1 - bigger] <= 0 < points[1 - bigger]:
                scored[1 - bigger], scored[bigger] = 1, whole_deal - 1
        case "disputed-to-bigger":
            scored[1 - bigger] -= max(0, sum(scored) - whole_deal)
        case "half-down-bigger":
            missing = whole_deal - sum(scored)
            scored[others if missing > 0 and tenths == [4, 4] else bigger if missing > 0 else 1 - bigger] += missing
    return scored


def _fewer_goes_up(rules: Ruleset, points: Sequence[Points], taking: int) -> list[int]:
    """Return the scores that together are those of the whole deal: what is missing goes to the larger rests.

    Of equal rests to whoever has fewer points, and of equal points to the taker.
    """
    unit: int = rules.value("scoring.sheet-unit")
    scored = [int(side // unit) for side in points]
    order = sorted(range(len(points)), key=lambda side: (-(points[side] % unit), points[side], side != taking))
    for side in order[: score_points(rules, sum(points)) - sum(scored)]:
        scored[side] += 1
    return scored


def _after_tricks(rules: Ruleset, contract: DealContract, tallies: Sequence[Tally]) -> list[_Kinds]:
    """Return each side's points by kind after confirmation and all tricks."""
    factor, taking = card_factor(rules, contract.mode), rules.side_of[contract.taker]
    share = card_share(rules, contract.mode)
    kinds: list[_Kinds] = [
        {"cards": share * side.cards, "declarations": side.declarations, "belote": side.belote, ALL_TRICKS: 0}
        for side in tallies
    ]
    if rules.has_amounts and rules.given("declarations.belote.side") == "takers":
        for index, own in enumerate(kinds):
            own["belote"] *= index == taking
    winners = [index for index, side in enumerate(tallies) if side.tricks]
    if len(winners) == len(tallies):
        return kinds
    if not rules.has_roem and rules.given("scoring.confirmation") == "one-trick":
        for index, side in enumerate(tallies):
            if not side.tricks:
                kinds[index].update(declarations=0, belote=0)
    if len(winners) == 1:
        takers = winners[0] == taking
        as_bid = takers and (not rules.has_amounts or contract.bid == CAPOT)
        if as_bid or rules.value("scoring.all-tricks.side") in (("either", "takers") if takers else ("either",)):
            times = factor if factor > 1 and rules.given("scoring.no-trump-all-tricks") == "times-factor" else 1
            _all_tricks(rules, tallies, kinds, winners[0], times)
        return kinds
    bonus = rules.value_or("scoring.trickless-player", "none")
    for winner in winners if bonus != "none" else ():
        kinds[winner]["cards"] += bonus
    return kinds


def last_trick_counts(rules: Ruleset, tricks: Sequence[int]) -> bool:
    """Say whether the last trick earns its bonus: not where a third player without a trick brings the others one."""
    return list(tricks).count(0) != 1 or rules.value_or("scoring.trickless-player", "none") == "none"


_AT_A_TIE: Final[Mapping[str, Outcome]] = {
    "taker-falls": "fell", "taker-held": "tied", "each-keeps-own": "made", "dealt-anew": "tied"
}  # fmt: skip


def _all_tricks(rules: Ruleset, tallies: Sequence[Tally], kinds: list[_Kinds], winner: int, times: int) -> None:
    """Give the side with every trick its points, ``times`` over, and others' declarations where the rules say so."""
    kinds[winner][ALL_TRICKS] = times * rules.value("scoring.all-tricks.points")
    if rules.value("scoring.all-tricks.counted") != "on-top":
        kinds[winner]["cards"] = 0
    if rules.has_roem:
        return
    match whose := rules.given("scoring.all-tricks.declarations"):
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
            raise UnknownValueError("scoring.all-tricks.declarations", whose)


def _judged(rules: Ruleset, mode: Mode, counted: Sequence[Points], taking: int) -> Sequence[Points]:
    """Return the points on which the contract is judged, in card points: as they are, or rounded to score points."""
    if rules.value_or("scoring.contract-judged", "before-rounding") == "before-rounding":
        return counted
    unit: int = rules.value("scoring.sheet-unit")
    return [unit * score for score in _scores(rules, mode, counted, taking)]


def _outcome(rules: Ruleset, contract: DealContract, counted: Sequence[Points], tallies: Sequence[Tally]) -> Outcome:
    """Judge the contract: the side needs more than the others, half of everything, a fixed number, or what it bid."""
    taking = rules.side_of[contract.taker]
    own, needs = counted[taking], rules.value("scoring.contract-needs")
    if contract.bid == CAPOT:
        return "made" if _won_every_trick(tallies, taking) else "fell"
    if needs in ("bid", "bid-and-more"):
        margin = own - points_to_beat(rules, counted, taking) if needs == "bid-and-more" else 1
        if own < _least_for(rules, contract.bid) or margin < 0:
            return "fell"
        return "made" if margin else _AT_A_TIE[rules.given("scoring.bid-tie")]
    if needs == "more-than-others":
        margin = own - points_to_beat(rules, counted, taking)
        if margin == 0:
            return _AT_A_TIE[rules.given("scoring.tie")]
        return "made" if margin > 0 else "fell"
    enough = 2 * own >= sum(counted) if needs == "at-least-half" else own >= needs
    return "made" if enough else "fell"


def _won_every_trick(tallies: Sequence[Tally], side: int) -> bool:
    return sum(one.tricks for one in tallies) == tallies[side].tricks


def _least_for(rules: Ruleset, bid: int | None) -> int:
    """Return how many points a bid needs."""
    if bid == rules.given("bidding.lowest-amount"):
        least: int = rules.given("scoring.lowest-bid-needs")
        return least
    return bid or 0


def points_to_beat(rules: Ruleset, counted: Sequence[Points], taking: int) -> Points:
    """Return what a taker's side that needs more than the others is held against: all they have, or the most of them.

    In card points.
    """
    others = [points for side, points in enumerate(counted) if side != taking]
    together = rules.value_or("scoring.contract-against", "all-together") == "all-together"
    return sum(others) if together else max(others)


def _heir(rules: Ruleset, counted: Sequence[Points], taker: int) -> int | None:
    """Return the side that gets a fallen taker's points, if any: the defence, or the strongest opponent."""
    seats = [(taker + step) % rules.players for step in range(1, rules.players)]
    opponents = list(dict.fromkeys(rules.side_of[seat] for seat in seats if not rules.partners(seat, taker)))
    if len(opponents) == 1:
        return opponents[0]
    if rules.given("scoring.fall-to") == "nobody":
        return None
    return max(opponents, key=lambda side: counted[side])


def score_points(rules: Ruleset, points: Points) -> int:
    """Return the score points of card points, rounded as the variant rounds (half up: ruling G-03)."""
    how = rules.value_or("scoring.rounding", "down")
    return _rounded(points, rules.value("scoring.sheet-unit"), "scoring.rounding", how)


def _rounded(points: Points, unit: int, rule: str, how: str) -> int:
    """Return how many units points are, rounded as a rule says."""
    units, rest = int(points // unit), points % unit
    if how in _HALF_UP:
        return units + (2 * rest >= unit)
    match how:
        case "half-down" | "rest-to-taker-half-down":
            return units + (2 * rest > unit)
        case "up":
            return units + (rest > 0)
        case "down":
            return units
    raise UnknownValueError(rule, how)


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
