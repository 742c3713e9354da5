"""A match: totals, held points, whose deal it is, and when somebody has won."""

from dataclasses import dataclass, replace

from belot_reference.compile import Ruleset
from belot_reference.errors import MatchOver, NoPenalty
from belot_reference.scoring import Settlement


@dataclass(frozen=True, slots=True)
class Match:
    """A match between deals; totals, held and freed points are score points."""

    dealer: int
    totals: tuple[int, ...]
    held: int = 0
    failed_deals: int = 0
    winner: int | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet: the deal's score, held points booked with it, and what then stands."""

    dealer: int
    score: tuple[int, ...]
    freed: tuple[int, ...]
    held: int
    totals: tuple[int, ...]


def start_match(rules: Ruleset, dealer: int) -> Match:
    """Return a match in which nobody has scored."""
    return Match(dealer, (0,) * rules.side_count)


def book_settlement(rules: Ruleset, match: Match, settlement: Settlement, taker: int) -> tuple[Match, Line]:
    """Book a deal that was played; held points go to the side with more points in a decided deal (ruling G-06)."""
    _refuse_after_end(match, settlement)
    freed = [0] * rules.side_count
    held = match.held + settlement.held
    consulted: tuple[str, ...] = settlement.rules
    if match.held or settlement.held:
        consulted = (*consulted, "scoring.held-points")
    if match.held and settlement.outcome != "tied":
        freed[settlement.points.index(max(settlement.points))] = match.held
        held = 0
    return _book(rules, match, settlement.score, tuple(freed), held, consulted, rules.side_of[taker])


def book_failed_deal(rules: Ruleset, match: Match) -> tuple[Match, Line]:
    """Book a deal that nobody took: it scores nothing (ruling G-07)."""
    _refuse_after_end(match, "passed")
    nothing = (0,) * rules.side_count
    failed = match.failed_deals + 1
    changes_hands = failed >= rules.value_or("bidding.deals-per-dealer", 1)
    after = replace(
        match,
        dealer=rules.next_seat(match.dealer) if changes_hands else match.dealer,
        failed_deals=0 if changes_hands else failed,
        rules=(*match.rules, "bidding.must-name", "bidding.deals-per-dealer"),
    )
    return after, Line(match.dealer, nothing, nothing, match.held, match.totals)


def accusation_score(
    rules: Ruleset, accuser: int, accused: int, proved: bool
) -> tuple[tuple[int, ...] | None, tuple[str, ...]]:
    """Return the change of the totals (score points) after an accusation, ``None`` if play goes on, and the rules.

    Raises ``NoPenalty`` where the variant has none.
    """
    fault = rules.value("penalties.fault")
    if fault == "none":
        raise NoPenalty({"by": accuser, "of": accused}, None, "penalties.fault", ("deal.sides",))
    consulted: tuple[str, ...] = ("penalties.fault", "penalties.points", "deal.sides", "deal.players")
    guilty = rules.side_of[accused]
    if not proved:
        consulted = (*consulted, "penalties.wrong-accusation")
        if rules.value("penalties.wrong-accusation") == "free":
            return None, consulted
        guilty = rules.side_of[accuser]
    points = rules.value("penalties.points")
    score = [0] * rules.side_count
    if fault == "guilty-side-loses":
        score[guilty] = -points
    else:
        score = [points if side != guilty else 0 for side in range(rules.side_count)]
    return tuple(score), consulted


def book_accusation(rules: Ruleset, match: Match, accuser: int, accused: int, proved: bool) -> tuple[Match, Line]:
    """Book a deal that ended by an accusation; it is not a decided deal, so held points stay held (WB-R18)."""
    _refuse_after_end(match, "accusation")
    score, consulted = accusation_score(rules, accuser, accused, proved)
    nothing = (0,) * rules.side_count
    return _book(rules, match, score or nothing, nothing, match.held, consulted, None)


def _book(
    rules: Ruleset,
    match: Match,
    score: tuple[int, ...],
    freed: tuple[int, ...],
    held: int,
    consulted: tuple[str, ...],
    taking: int | None,
) -> tuple[Match, Line]:
    totals = tuple(sum(parts) for parts in zip(match.totals, score, freed, strict=True))
    winner, end_rules = winner_of(rules, totals, taking)
    stays = rules.value("deal.next-dealer") == "same-seat"
    after = Match(
        dealer=match.dealer if stays else rules.next_seat(match.dealer),
        totals=totals,
        held=held,
        winner=winner,
        rules=(*match.rules, *consulted, *end_rules, "deal.next-dealer"),
    )
    return after, Line(match.dealer, score, freed, held, totals)


def winner_of(rules: Ruleset, totals: tuple[int, ...], taking: int | None) -> tuple[int | None, tuple[str, ...]]:
    """Return the side that has won with these totals, if any: the top total must stand alone (G-05, G-15)."""
    target = rules.value("match.target")
    reach = rules.value("match.target-reached") == "reach"
    there = [side for side, total in enumerate(totals) if total > target or (reach and total == target)]
    consulted: tuple[str, ...] = ("match.target", "match.target-reached")
    if len(there) < 2:
        return (there[0] if there else None), consulted
    consulted = (*consulted, "match.both-over")
    if rules.value("match.both-over") == "takers-side" and taking in there:
        return taking, consulted
    top = max(totals)
    leaders = [side for side in there if totals[side] == top]
    return (leaders[0] if len(leaders) == 1 else None), consulted


def _refuse_after_end(match: Match, action: object) -> None:
    if match.winner is not None:
        raise MatchOver(action, match, "match.target-reached", match.rules)
