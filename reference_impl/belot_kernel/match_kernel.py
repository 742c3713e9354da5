"""Matches in a kernel, played by two rulesets at once; ``simulation`` of the workshop says what is compared."""

from typing import Any, Final

from belot_kernel.deal_kernel import UNWATCHED, may_claim, play_deal
from belot_kernel.jit import kept_kernel, kernel
from belot_kernel.layout import SEATS
from belot_kernel.random_kernel import deal_stream, drawn, match_stream, players_stream, shuffle
from belot_kernel.record import BY_PLAY, PASSED
from belot_kernel.settle_kernel import (
    DEALS_NEXT,
    MATCH,
    TOTALS,
    WON,
    begin_match,
    book_passed,
    book_played,
    count,
)
from belot_kernel.tables import NONE

# A match that is not over by then is left undecided; with targets of the sources none comes near.
MOST_DEALS: Final = 400

# What a match gave, a column each: sums of whole numbers only.
DEALS, OTHER_DEALS = 0, 1
DECISIONS: Final = 2
TAKER, DEFENCE, HELD, LENGTH = 8, 12, 16, 20
MATCHES, OTHER_WINNER, UNDECIDED = 24, 25, 26
COLUMNS: Final = 27


@kernel
def play_ready(t: Any, g: Any, deal: Any, dealer: Any, totals: Any, how: Any) -> None:
    """Play and count a deal whose deck lies ready, watching nothing."""
    play_deal(t, g, t, g, deal, dealer, totals, how)
    if deal.ended == BY_PLAY:
        count(t, deal)


@kernel
def book(t: Any, match: Any, deal: Any) -> None:
    """Book a deal by how it ended."""
    if deal.winner != NONE:
        match[WON] = deal.winner
    elif deal.ended == PASSED:
        book_passed(t, match)
    else:
        book_played(t, match, deal)


@kernel
def add(row: Any, place: Any, observation: Any) -> None:
    """Add an observation to those of a row."""
    row[place] += 1
    row[place + 1] += observation != 0
    row[place + 2] += observation
    row[place + 3] += observation * observation


@kernel
def add_match(row: Any, won: Any, other: Any, longer: Any) -> None:
    """Add which sides won a match by two rulesets, if both have a winner, and by how many deals it was longer."""
    if won == NONE or other == NONE:
        row[UNDECIDED] += 1
        return
    row[MATCHES] += 1
    row[OTHER_WINNER] += other != won
    add(row, LENGTH, longer)


@kernel
def _add_decisions(row: Any, part: Any, whole: Any) -> None:
    row[DECISIONS] += 1
    row[DECISIONS + 1] += part
    row[DECISIONS + 2] += whole
    row[DECISIONS + 3] += part * part
    row[DECISIONS + 4] += whole * whole
    row[DECISIONS + 5] += part * whole


@kernel
def _differs(old: Any, new: Any, sides: Any, unit: Any) -> Any:
    """Say whether two deals ended otherwise: how, with which winner, score or held points, in one unit.

    Where the sheets have other units, less than one point of the coarser is no difference but of writing.
    """
    if old.ended != new.ended or old.winner != new.winner:
        return True
    least = 1 if unit[0] == unit[1] else max(unit[0], unit[1])
    if abs(unit[1] * new.held - unit[0] * old.held) >= least:
        return True
    for side in range(sides):
        if abs(unit[1] * new.score[side] - unit[0] * old.score[side]) >= least:
            return True
    return False


@kernel
def keep_result(deal: Any, kept: Any) -> None:
    """Write of a deal what comparing and booking read, before it is counted once more."""
    kept.taker, kept.ended, kept.winner = deal.taker, deal.ended, deal.winner
    kept.outcome, kept.held = deal.outcome, deal.held
    kept.decisions, kept.differing = deal.decisions, deal.differing
    for side in range(SEATS):
        kept.tricks[side], kept.points[side], kept.score[side] = deal.tricks[side], deal.points[side], deal.score[side]


@kernel
def compare(t: Any, old: Any, new: Any, row: Any, unit: Any) -> Any:
    """Add what two ways of playing a deal gave; return how much the taker's side's points changed, if they count."""
    row[DEALS] += 1
    row[OTHER_DEALS] += 1 if _differs(old, new, t.sides, unit) else 0
    _add_decisions(row, old.differing, old.decisions)
    if old.winner != NONE or new.winner != NONE:
        return 0, False
    early = late = late_all = early_all = 0
    for side in range(t.sides):
        early_all += old.score[side]
        late_all += new.score[side]
    if old.taker != NONE:
        early = old.score[t.side_of[old.taker]]
    if new.taker != NONE:
        late = new.score[t.side_of[new.taker]]
    change = unit[1] * late - unit[0] * early
    add(row, TAKER, change)
    add(row, DEFENCE, unit[1] * (late_all - late) - unit[0] * (early_all - early))
    add(row, HELD, unit[1] * new.held - unit[0] * old.held)
    return change, True


@kernel
def totals_for(match: Any, sides: Any, unit: Any, totals: Any) -> Any:
    """Write the totals for the new rules, which matter only where somebody may say *enough*."""
    for side in range(sides):
        totals[side] = match[TOTALS + side] if unit[0] == unit[1] else 0
    return totals


@kernel
def same_position(new: Any, before: Any, match: Any, unit: Any, totals: Any) -> Any:
    """Say whether a deal of the match by the new rules is one that was compared."""
    if before[DEALS_NEXT] != match[DEALS_NEXT]:
        return False
    compared = totals_for(before, new.sides, unit, totals)
    if not may_claim(new, compared) and not may_claim(new, match[TOTALS:]):
        return True
    for side in range(new.sides):
        if compared[side] != match[TOTALS + side]:
            return False
    return True


@kernel
def play_match(old: Any, new: Any, work: Any, place: Any, row: Any, changes: Any) -> Any:
    """Play one match by both rulesets, each given by its record and its tricks; return how many changes were written.

    ``place`` is the mixed seed, the number of the match, which players, what is watched, whether both play alike, the
    least cut and the units of points; ``work`` the deals and matches to write in.
    """
    (t, g), (n, h) = old, new
    deals, known, befores, totals = work
    seed, number, sensible, watched, alike, least, unit = place
    dealer = drawn(match_stream(seed, number), 0, t.players)
    match, played, changed = befores[MOST_DEALS], 0, 0
    begin_match(match, dealer)
    deal = deals[0]
    while match[WON] == NONE and played < MOST_DEALS:
        again, before = known[played], befores[played]
        for index in range(MATCH):
            before[index] = match[index]
        stream = deal_stream(seed, number, played)
        compared = totals_for(match, n.sides, unit, totals)
        together = alike and not may_claim(t, match[TOTALS:]) and not may_claim(n, compared)
        shuffle(t.deck[: t.number_of_cards], stream, least, again)
        mine = players_stream(stream)
        if not together:
            for index in range(t.number_of_cards):
                deal.deck[index] = again.deck[index]
            play_ready(n, h, again, match[DEALS_NEXT], compared, (mine, sensible, UNWATCHED))
        one = again if together else deal
        play_deal(t, g, n, h, one, match[DEALS_NEXT], match[TOTALS:], (mine, sensible, watched))
        if one.ended == BY_PLAY:
            count(t, one)
        if together:
            keep_result(again, deal)
            if again.ended == BY_PLAY:
                count(n, again)
        changes[changed], counted = compare(t, deal, again, row, unit)
        changed += 1 if counted else 0
        book(t, match, deal)
        played += 1
    _by_new_rules(new, work, place, row, dealer, played, match[WON])
    return changed


@kernel
def _by_new_rules(new: Any, work: Any, place: Any, row: Any, dealer: Any, played: Any, won: Any) -> None:
    """Play the match by the new rules; deals that were played from the same position are not played again."""
    n, h = new
    deals, known, befores, totals = work
    seed, number, sensible, _, _, least, unit = place
    match, length = befores[MOST_DEALS + 1], 0
    begin_match(match, dealer)
    while match[WON] == NONE and length < MOST_DEALS:
        if length < played and same_position(n, befores[length], match, unit, totals):
            book(n, match, known[length])
        else:
            stream = deal_stream(seed, number, length)
            shuffle(n.deck[: n.number_of_cards], stream, least, deals[1])
            how = (players_stream(stream), sensible, UNWATCHED)
            play_ready(n, h, deals[1], match[DEALS_NEXT], match[TOTALS:], how)
            book(n, match, deals[1])
        length += 1
    add_match(row, won, match[WON], length - played)


@kept_kernel
def play_matches(old: Any, new: Any, work: Any, place: Any, rows: Any, changes: Any) -> Any:
    """Play as many matches as there are rows; return how many changes were written of each match."""
    seed, first, sensible, watched, alike, least, unit = place
    written = 0
    for index in range(len(rows)):
        here = (seed, first + index, sensible, watched, alike, least, unit)
        found = play_match(old, new, work, here, rows[index], changes[written:])
        rows[index, COLUMNS] = found
        written += found
    return written
