"""Counting a deal: tricks, declarations that count, belote, and the settlement."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Final

from belot_reference.belote import NO_CALLS, belote_points
from belot_reference.cards import CardSet, card_set, holds, union
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.deal import DealState
from belot_reference.declarations import Comparison, compare, worth
from belot_reference.play import CompletedTrick, PlayState
from belot_reference.roem import roem_by_trick, roem_won
from belot_reference.scoring import Points, Settlement, Tally, card_share, last_trick_counts, score_points, settle

# In card points; a side that is farther from the target does not look out for a chance to say *enough*.
MOST_IN_A_DEAL: Final = 700


@dataclass(frozen=True, slots=True)
class Count:
    """The full count of a deal that was played out: the card points of each trick, and what each side has and makes.

    ``trick_roem`` are those of the roem in each trick, where there is any to be had.
    """

    trick_points: tuple[int, ...]
    trick_roem: tuple[int, ...]
    tallies: tuple[Tally, ...]
    settlement: Settlement

    def of_sides(self, kind: str) -> list[int]:
        """Return what each side has of a kind, by the field's name in a tally."""
        return [getattr(tally, kind) for tally in self.tallies]


def taken_so_far(rules: Ruleset, state: DealState, play: PlayState, side: int) -> int:
    """Return the card points a side has taken on completed tricks (ruling BL-R13)."""
    won = _tricks_of(rules, play, side)
    taken = sum(rules.points_of_each(play.mode, trick.cards) for trick in won)
    if rules.side_of[state.contract.taker] == side:
        taken += rules.points_of(play.mode, state.discarded)
    taken = int(taken * card_share(rules, play.mode))
    if rules.has_roem:
        return taken + roem_won(rules, play.mode, play.tricks, state.called)[side]
    if not won and rules.given("scoring.confirmation") == "one-trick":
        return taken
    declared = declared_points(rules, state, comparison_of(rules, state, play))
    if play.tricks:
        taken += sum(declared[seat] for seat in _seats_of(rules, side))
    return taken + _belote_of(rules, state, side)


def contract_is_safe(rules: Ruleset, state: DealState, play: PlayState) -> bool:
    """Say whether the taker's side makes its contract even if one opponent wins all that is left.

    Only what has been announced, shown and said so far counts.
    """
    taking, sides = rules.side_of[state.contract.taker], range(rules.side_count)
    taken = [
        sum(rules.points_of_each(play.mode, trick.cards) for trick in _tricks_of(rules, play, side)) for side in sides
    ]
    taken[taking] += rules.points_of(play.mode, state.discarded)
    left = rules.points_of(play.mode, _cards_left(state, play))
    for strongest in sides:
        if strongest != taking:
            tricks = [len(_tricks_of(rules, play, side)) + (side == strongest) for side in sides]
            last = rules.value("scoring.last-trick") if last_trick_counts(rules, tricks) else 0
            cards = [points + (left + last if side == strongest else 0) for side, points in enumerate(taken)]
            if settle(rules, state.contract, _tallies(rules, state, play, cards, tricks)).outcome != "made":
                return False
    return True


def _tricks_of(rules: Ruleset, play: PlayState, side: int) -> list[CompletedTrick]:
    return [trick for trick in play.tricks if rules.side_of[trick.winner] == side]


def _cards_left(state: DealState, play: PlayState) -> CardSet:
    """Return the cards that are in no completed trick: in hands, on the table, and covered by a card in a hand."""
    held = union(play.hands)
    covered = card_set(under for top, under in state.covered.items() if holds(held, top))
    return held | covered | card_set(play.cards)


def enough_in_reach(rules: Ruleset, state: DealState, play: PlayState) -> bool:
    """Say whether a side might have the target by now, so that a claim of *enough* is worth looking at.

    Counts everything announced, said and turned, whatever is confirmed and compared later: never less than the points
    that a claim rests on, and much faster.
    """
    if rules.has_set_length:
        return False
    points: list[Points] = [*roem_won(rules, play.mode, play.tricks, state.called)]
    share = card_share(rules, play.mode)
    for trick in play.tricks:
        points[rules.side_of[trick.winner]] += share * rules.points_of_each(play.mode, trick.cards)
    for seat, side in enumerate(rules.side_of):
        points[side] += sum(one.points for one in state.announced[seat]) + state.made[seat]
        if (calls := state.calls[seat]) != NO_CALLS:
            points[side] += belote_points(rules, calls)
    points[rules.side_of[state.contract.taker]] += share * rules.points_of(play.mode, state.discarded)
    most = map(sum, zip(state.totals, (score_points(rules, own) for own in points), strict=True))
    return bool(max(most) >= rules.given("match.target"))


def comparison_of(rules: Ruleset, state: DealState, play: PlayState) -> Comparison:
    """Return the comparison of what has been announced."""
    leader = play.tricks[0].leader if play.tricks else play.leader
    return compare(rules, state.contract, leader, state.announced)


def _seats_of(rules: Ruleset, side: int) -> list[int]:
    return [seat for seat in range(rules.players) if rules.side_of[seat] == side]


def _belote_of(rules: Ruleset, state: DealState, side: int) -> int:
    """Return the card points of a side's belote calls; whoever has said nothing has none."""
    calls = [state.calls[seat] for seat in _seats_of(rules, side)]
    return sum(belote_points(rules, said) for said in calls if any(said))


def count_deal(rules: Ruleset, state: DealState) -> Count:
    """Return the full count of a deal that was played to its last trick."""
    play, contract = state.play, state.contract
    assert play is not None
    points, cards, tricks = cards_won(rules, contract, play.tricks, state.discarded)
    tallies = _tallies(rules, state, play, cards, tricks)
    roem = roem_by_trick(rules, play.mode, play.tricks, state.called)
    return Count(tuple(points), roem, tuple(tallies), settle(rules, contract, tallies))


def _tallies(
    rules: Ruleset, state: DealState, play: PlayState, cards: Sequence[int], tricks: Sequence[int]
) -> list[Tally]:
    """Return what each side brings in, given its card points and tricks, with what has been announced and said."""
    nothing = (0,) * rules.side_count
    declarations, outranked, belote = nothing, nothing, nothing
    if any(state.announced) or any(state.made):
        declarations, outranked = _declared(rules, state, comparison_of(rules, state, play))
    if rules.has_roem:
        declarations = tuple(roem_won(rules, play.mode, play.tricks, state.called))
    if any(map(any, state.calls)):
        belote = tuple(_belote_of(rules, state, side) for side in range(rules.side_count))
    return list(starmap(Tally, zip(cards, tricks, declarations, outranked, belote, strict=True)))


def cards_won(
    rules: Ruleset, contract: DealContract, tricks: Sequence[CompletedTrick], discarded: CardSet
) -> tuple[list[int], list[int], list[int]]:
    """Return the card points of each trick, and per side its card points and tricks of a deal that was played out.

    The cards that the taker laid away and the last trick's bonus are in the card points of a side, not of a trick.
    """
    side_of, worth = rules.side_of, contract.mode.points.__getitem__
    rules.note(contract.mode.valued_by)
    points = [sum(map(worth, trick.cards)) for trick in tricks]
    cards, won = [0] * rules.side_count, [0] * rules.side_count
    for trick, trick_points in zip(tricks, points, strict=True):
        side = side_of[trick.winner]
        cards[side] += trick_points
        won[side] += 1
    cards[side_of[tricks[-1].winner]] += last_trick_bonus(rules, won)
    cards[side_of[contract.taker]] += rules.points_of(contract.mode, discarded)
    return points, cards, won


def tricks_won(rules: Ruleset, winners: Sequence[int]) -> list[int]:
    """Return how many tricks each side has won, given the seat that won each trick."""
    tricks = [0] * rules.side_count
    for seat in winners:
        tricks[rules.side_of[seat]] += 1
    return tricks


def last_trick_points(rules: Ruleset, winners: Sequence[int]) -> int:
    """Return the card points that the last trick brings, 0 where a trickless third player cancels it (WB3-R4)."""
    return last_trick_bonus(rules, tricks_won(rules, winners))


def last_trick_bonus(rules: Ruleset, tricks: Sequence[int]) -> int:
    """Return the card points that the last trick brings, given how many tricks each side has won."""
    points: int = rules.value("scoring.last-trick")
    return points if last_trick_counts(rules, tricks) else 0


def _declared(rules: Ruleset, state: DealState, comparison: Comparison) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return per side the points of declarations that count after showing, and of those that were outranked."""
    shown = _points_after_showing(rules, state, comparison)
    counted = [0] * rules.side_count
    outranked = [0] * rules.side_count
    for seat, declarations in enumerate(state.announced):
        side = rules.side_of[seat]
        counted[side] += shown[seat] + state.made[seat]
        outranked[side] += worth(rules, declarations) - max(comparison.points[seat], shown[seat])
    return tuple(counted), tuple(outranked)


def declared_points(rules: Ruleset, state: DealState, comparison: Comparison) -> tuple[int, ...]:
    """Return per seat the card points of declarations that count after showing, and of turned cards.

    Where the winner of the comparison has not shown, his opponents who show one trick later may score in his place
    (rulings WB-R7, WB-R15 and WB3-R6); of several players who play alone only the best one does.
    """
    shown = _points_after_showing(rules, state, comparison)
    return tuple(points + made for points, made in zip(shown, state.made, strict=True))


def _points_after_showing(rules: Ruleset, state: DealState, comparison: Comparison) -> tuple[int, ...]:
    if not any(comparison.points) or (wanted := rules.given("declarations.shown-in-trick")) == "none":
        return comparison.points
    late = [seat for seat, trick in enumerate(state.shown) if trick == wanted + 1]
    if not late:
        own = zip(comparison.points, state.shown, strict=True)
        return tuple(points if trick == wanted else 0 for points, trick in own)
    assert state.play is not None
    announced = [found if seat in late else () for seat, found in enumerate(state.announced)]
    leader = state.play.tricks[0].leader
    return compare(rules, state.contract, leader, announced).points
