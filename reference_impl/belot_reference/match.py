"""A match: totals, held points, whose deal it is, accusations, and when somebody has won."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from belot_reference.cards import Card, holds
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.errors import BadQuestionError, MatchOver, NoPenalty
from belot_reference.mode import Mode
from belot_reference.play import PlayState, force_card, legal_noted
from belot_reference.scoring import Settlement, Tally, all_card_points, score_points
from belot_spec.card_names import CARD_NAMES

# What doubling multiplies a contract by whose winner has won the match: it was doubled a third time.
DECIDES_MATCH: Final = 8


@dataclass(frozen=True, slots=True)
class Match:
    """A match between deals; totals, held and freed points are score points.

    ``target`` stands in the place of the rule's once it was lifted.
    ``played`` counts the deals that were scored, where so many are a match; one that ``is_drawn`` nobody has won.
    """

    dealer: int
    totals: tuple[int, ...]
    held: int = 0
    failed_deals: int = 0
    winner: int | None = None
    target: int | None = None
    played: int = 0
    is_drawn: bool = False

    @property
    def is_over(self) -> bool:
        """Whether no deal follows."""
        return self.winner is not None or self.is_drawn


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet: the deal's score, held points booked with it, and what then stands."""

    dealer: int
    score: tuple[int, ...]
    freed: tuple[int, ...]
    held: int
    totals: tuple[int, ...]


def start_match(rules: Ruleset, dealer: int) -> Match:
    """Return a match in which nobody has scored; raises ``BadQuestionError`` for a dealer not at the table."""
    rules.check_seat("dealer", dealer)
    return Match(dealer, (0,) * rules.side_count)


def book_settlement(
    rules: Ruleset, match: Match, settlement: Settlement, contract: DealContract, tallies: Sequence[Tally]
) -> tuple[Match, Line]:
    """Book a deal that was played; held points go to the side with more points in a decided deal (ruling G-06).

    ``tallies`` are what each side brought in.
    """
    _refuse_after_end(rules, match)
    nothing = (0,) * rules.side_count
    if settlement.outcome == "tied":
        stays = match.held and rules.value_or("scoring.held-points", None) != "latest-tie"
        freed, held = nothing, settlement.held + (match.held if stays else 0)
    else:
        freed, held = _freed(rules, match.held, settlement.points)
    taking = rules.side_of[contract.taker]
    deal = _LastDeal(settlement, taking, tallies)
    after, line = _book(rules, match, settlement.score, freed, held, deal)
    if rules.has_amounts and rules.value_or("match.last-deal-written", "rounded") == "exact":
        exact, exact_line = _book(rules, match, settlement.points, freed, held, deal)
        after, line = (exact, exact_line) if exact.is_over else (replace(after, winner=None), line)
    if contract.raised == DECIDES_MATCH and deal.winner is not None:
        return replace(after, winner=deal.winner), line
    if after.is_over and goes_on(rules, held, [tally.tricks for tally in tallies]):
        lifted = rules.has_auction and rules.given("match.after-all-tricks") == "target-lifted"
        after = replace(after, winner=None, target=max(after.totals) + 1 if lifted else match.target)
    elif after.is_over and _must_bring(rules, after, line, tallies):
        after = replace(after, winner=None)
    if settlement.outcome == "tied" and rules.value_or("scoring.bid-tie", None) == "dealt-anew":
        after = replace(after, dealer=match.dealer)
    return after, line


def goes_on(rules: Ruleset, held: int, tricks: Sequence[int]) -> bool:
    """Say whether the match cannot end by now: with points held, or by a deal in which one side won every trick."""
    if not rules.has_auction:
        return False
    if held and rules.value_or("match.while-held", "may-end") == "goes-on":
        return True
    return sum(map(bool, tricks)) == 1 and rules.given("match.after-all-tricks") != "may-end"


def _must_bring(rules: Ruleset, match: Match, line: "Line", tallies: Sequence[Tally]) -> bool:
    """Say whether a match goes on because somebody won nothing in the deal that would end it."""
    match rules.value_or("match.ending-deal", "any") if rules.has_auction else "any":
        case "leaders-write":
            return match.winner is not None and not line.score[match.winner]
        case "losers-take-points":
            return not all(tally.cards for side, tally in enumerate(tallies) if side != match.winner)
    return False


def won_before(rules: Ruleset, totals: tuple[int, ...], held: int) -> int | None:
    """Return who has won before the first deal of a question: nobody where a match may go on with such totals."""
    winner = winner_of(rules, totals) if any(totals) else None
    # The deal before it may have been one that ends no match.
    all_tricks = (1, *(0,) * (rules.side_count - 1))
    if winner is None or goes_on(rules, held, all_tricks):
        return None
    by_rounding = rules.has_amounts and rules.value_or("match.last-deal-written", "rounded") == "exact"
    return None if by_rounding else winner


def _freed(rules: Ruleset, held: int, points: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Return the held points that go to the side with most points, and what stays held if no side stands alone."""
    if not held:
        return (0,) * len(points), 0
    top = [side for side, own in enumerate(points) if own == max(points)]
    if len(top) > 1:
        return (0,) * len(points), held
    freed = held if rules.value_or("scoring.held-points", None) != "nobody" else 0
    return tuple(freed if side == top[0] else 0 for side in range(len(points))), 0


def book_failed_deal(rules: Ruleset, match: Match) -> tuple[Match, Line]:
    """Book a deal that nobody took: it scores nothing (ruling G-07)."""
    _refuse_after_end(rules, match)
    if rules.value("bidding.must-name") != "nobody":
        raise BadQuestionError(f"in {rules.profile.id} somebody must name trump, so no deal is passed")
    nothing = (0,) * rules.side_count
    failed = match.failed_deals + 1
    most = rules.given("bidding.deals-per-dealer")
    changes_hands = most != "always-the-same" and failed >= most
    after = replace(
        match,
        dealer=rules.next_seat(match.dealer) if changes_hands else match.dealer,
        failed_deals=0 if changes_hands else failed,
    )
    return after, Line(match.dealer, nothing, nothing, match.held, match.totals)


def book_ended(
    rules: Ruleset,
    match: Match,
    settlement: Settlement | None,
    contract: DealContract | None,
    winner: int | None,
    tallies: Sequence[Tally],
) -> tuple[Match, Line]:
    """Book a deal by how it ended: in mid-play with a winner of the match, played and settled, or passed by everybody.

    A side that wins in mid-play, by eight in a row or by saying *enough*, scores nothing more. ``tallies`` are what
    each side brought in where the deal was played.
    """
    if winner is not None:
        _refuse_after_end(rules, match)
        nothing = (0,) * rules.side_count
        return replace(match, winner=winner), Line(match.dealer, nothing, nothing, match.held, match.totals)
    if settlement is None or contract is None:
        return book_failed_deal(rules, match)
    return book_settlement(rules, match, settlement, contract, tallies)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What an accusation does: the change of the totals (score points), whether the deal ends, and is decided."""

    score: tuple[int, ...]
    ends_deal: bool
    decided: bool


def fault_penalised(rules: Ruleset) -> str:
    """Return what a fault costs; raises ``NoPenalty`` where the variant has no penalty."""
    fault: str = rules.value("penalties.fault")
    if fault == "none":
        raise NoPenalty("penalties.fault")
    return fault


@dataclass(frozen=True, slots=True)
class Accusation:
    """A player accuses one of another side.

    ``declared`` are card points of declarations and belote counted so far; the ``mode`` is told where it matters which.
    """

    by: int
    of: int
    proved: bool
    declared: int = 0
    mode: Mode | None = None


def penalty_for(rules: Ruleset, accusation: Accusation) -> Penalty:
    """Return what an accusation does.

    Raises ``NoPenalty`` where the variant has none, and ``BadQuestionError`` for an accusation within one side.
    """
    if rules.partners(accusation.by, accusation.of):
        raise BadQuestionError("a player accuses somebody of another side")
    fault = fault_penalised(rules)
    guilty, innocent = rules.side_of[accusation.of], rules.side_of[accusation.by]
    if not accusation.proved:
        if rules.given("penalties.wrong-accusation") == "free":
            return Penalty((0,) * rules.side_count, ends_deal=False, decided=False)
        guilty, innocent = innocent, guilty
    if fault == "innocent-gets-all":
        cards = all_card_points(rules, accusation.mode or rules.unsaid_mode)
        everything = score_points(rules, cards + accusation.declared)
        score = tuple(everything if side == innocent else 0 for side in range(rules.side_count))
        return Penalty(score, ends_deal=True, decided=True)
    points = rules.given("penalties.points")
    if fault == "guilty-side-loses":
        score = tuple(-points if side == guilty else 0 for side in range(rules.side_count))
    else:
        score = tuple(points if side != guilty else 0 for side in range(rules.side_count))
    return Penalty(score, ends_deal=True, decided=False)


def book_accusation(rules: Ruleset, match: Match, accusation: Accusation) -> tuple[Match, Line]:
    """Book a deal that ended by an accusation.

    Held points stay held unless the penalty scores the deal, which then counts as decided (ruling WB-R18).
    """
    _refuse_after_end(rules, match)
    penalty = penalty_for(rules, accusation)
    if not penalty.ends_deal:
        raise BadQuestionError("this accusation costs nothing and play goes on, so it does not end a deal")
    freed, held = (0,) * rules.side_count, match.held
    if penalty.decided:
        freed, held = _freed(rules, match.held, penalty.score)
    after, line = _book(rules, match, penalty.score, freed, held, None)
    return (replace(after, winner=None) if after.is_over and goes_on(rules, held, ()) else after), line


@dataclass(frozen=True, slots=True)
class _LastDeal:
    """A deal by which a match may end, and what each side brought in."""

    settlement: Settlement
    taking: int
    tallies: Sequence[Tally]

    @property
    def winner(self) -> int | None:
        """The side that won it: the taker's if it made its contract, nobody where neither did."""
        if self.settlement.outcome == "tied":
            return None
        return self.taking if self.settlement.outcome == "made" else 1 - self.taking


def _book(
    rules: Ruleset,
    match: Match,
    score: tuple[int, ...],
    freed: tuple[int, ...],
    held: int,
    deal: _LastDeal | None,
) -> tuple[Match, Line]:
    totals = tuple(sum(parts) for parts in zip(match.totals, score, freed, strict=True))
    stays = rules.value("deal.next-dealer") == "same-seat"
    dealer = match.dealer if stays else rules.next_seat(match.dealer)
    winner = winner_of(rules, totals, deal, match.target)
    after = Match(dealer, totals, held, 0, winner, match.target, match.played + rules.has_set_length)
    if rules.has_set_length:
        after = ended_by_length(rules, after)
    return after, Line(match.dealer, score, freed, held, totals)


def ended_by_length(rules: Ruleset, match: Match) -> Match:
    """Return a match that is so many deals with its winner, once these were played, or as a draw."""
    if match.played < rules.given("match.deals"):
        return match
    leaders = [side for side, total in enumerate(match.totals) if total == max(match.totals)]
    if len(leaders) == 1:
        return replace(match, winner=leaders[0])
    return replace(match, is_drawn=rules.given("match.level-at-end") == "draw")


def with_totals(rules: Ruleset, match: Match, totals: tuple[int, ...]) -> Match:
    """Return a match that stands so after a deal, with the winner that these totals make."""
    if rules.has_set_length:
        return ended_by_length(rules, replace(match, totals=totals, winner=None, is_drawn=False))
    return replace(match, totals=totals, winner=winner_of(rules, totals))


def winner_of(
    rules: Ruleset, totals: tuple[int, ...], deal: _LastDeal | None = None, lifted: int | None = None
) -> int | None:
    """Return the side that has won with these totals, if any: the top total must stand alone (G-05, G-15).

    Where a deal led to them it may decide, and who may not end the match by it has not.
    """
    if rules.has_set_length:
        return None
    target = rules.given("match.target") if lifted is None else lifted
    reach = rules.given("match.target-reached") == "reach"
    there = [side for side, total in enumerate(totals) if total > target or (reach and total == target)]
    if there and deal is not None and rules.has_amounts:
        there = [side for side in there if not _is_by_belote(rules, totals[side], side, deal, target)]
    if len(there) < 2:
        return there[0] if there else None
    how = rules.given("match.both-over")
    if how == "takers-side" and deal is not None and deal.taking in there:
        return deal.taking
    deciding = deal.settlement.points if how == "last-deal-points" and deal is not None else totals
    top = max(deciding[side] for side in there)
    leaders = [side for side in there if deciding[side] == top]
    if len(leaders) == 1:
        return leaders[0]
    by_latest = rules.has_auction and deal and rules.given("match.equal-totals") == "latest-winners"
    return deal.winner if by_latest and deal is not None else None


def _is_by_belote(rules: Ruleset, total: int, side: int, deal: _LastDeal, target: int) -> bool:
    """Say whether only its belote brings a side to the target, in a deal in which that does not end the match."""
    match rules.given("match.by-belote"):
        case "may-end":
            return False
        case "not-without-trick":
            barred = not deal.tallies[side].tricks
        case "not-without-trick-or-contract":
            barred = not deal.tallies[side].tricks or (side == deal.taking and deal.settlement.outcome == "fell")
        case _:
            barred = True
    without = total - deal.settlement.sums[side]["belote"]
    reach = rules.given("match.target-reached") == "reach"
    return barred and not (without > target or (reach and without == target))


def surplus(rules: Ruleset, match: Match) -> int:
    """Return the score points that the winner has over the target, where the variant keeps them, else 0."""
    if match.winner is None or rules.has_set_length or rules.given("match.surplus") == "ignored":
        return 0
    over: int = match.totals[match.winner] - (match.target or rules.given("match.target"))
    return over


def _refuse_after_end(rules: Ruleset, match: Match) -> None:
    if match.is_over:
        raise MatchOver("match.deals" if rules.has_set_length else "match.target-reached")


def judge_accusation(
    rules: Ruleset, state: PlayState, plays: Sequence[Card], accuser: int, accused: int, declared: int = 0
) -> tuple[int | None, Penalty]:
    """Return the first illegal card of the accused player among those played from ``state`` on, and what that costs.

    By its index, ``None`` if all were legal (ruling WB-R18). ``declared`` are card points. Raises ``NoPenalty`` where
    the variant has none.
    """
    fault: int | None = None
    fault_penalised(rules)
    for index, card in enumerate(plays):
        seat = state.turn
        if not holds(state.hands[seat], card):
            raise BadQuestionError(f"plays: {CARD_NAMES[card]} is not held by seat {seat}")
        if seat == accused and fault is None and not holds(legal_noted(rules, state).cards, card):
            fault = index
        state = force_card(rules, state, card)
    return fault, penalty_for(rules, Accusation(accuser, accused, fault is not None, declared, state.mode))
