"""Matches in a kernel, played by one ruleset and held against many others, without playing again what stays the same.

What it gives for each of them is what ``match_kernel`` gives for the two alone.
"""

from typing import Any, Final

import numpy as np

from belot_reference.batch.deal_kernel import may_claim, might_claim, play_on
from belot_reference.batch.jit import kept_kernel, kernel
from belot_reference.batch.layout import SEATS
from belot_reference.batch.match_kernel import (
    MOST_DEALS,
    add_alike,
    add_match,
    book,
    compare,
    play_ready,
    same_position,
    totals_for,
)
from belot_reference.batch.random_kernel import deal_stream, drawn, match_stream, players_stream, shuffle
from belot_reference.batch.record import BY_PLAY, PASSED
from belot_reference.batch.recount_kernel import (
    add_cards,
    announce_again,
    go_back,
    has_declared,
    restore,
    say_and_turn,
)
from belot_reference.batch.settle_kernel import DEALS_NEXT, MATCH, TOTALS, WON, begin_match, count
from belot_reference.batch.tables import NONE
from belot_reference.batch.trail_kernel import differing_bids, follow, leave_trail, same_away, same_bids

# Matches that are played before others are held against them.
BLOCK: Final = 16

# What is compared and booked of a deal.
ENDED: Final = np.dtype(
    [
        *((name, np.int64) for name in ("ended", "winner", "taker", "outcome", "held", "decisions", "differing")),
        *((name, np.int64, (SEATS,)) for name in ("score", "points")),
    ]
)
# Totals from which nobody can have enough.
FAR: Final = -(1 << 40)
# How other rules play a deal: from the first bid on otherwise, just the same, or the same but counted anew. A number
# above zero is that of the trick in which they play otherwise.
_OTHERWISE, _THE_SAME, _COUNTED = 0, -1, -2


@kernel
def _keep(deal: Any, kept: Any) -> None:
    """Keep how a deal ended."""
    kept.ended, kept.winner, kept.taker = deal.ended, deal.winner, deal.taker
    kept.outcome, kept.held, kept.decisions = deal.outcome, deal.held, deal.decisions
    for side in range(SEATS):
        kept.score[side], kept.points[side] = deal.score[side], deal.points[side]


@kernel
def _play_base(base: Any, place: Any, index: Any, dealer: Any, totals: Any, work: Any) -> None:
    """Play a deal of a match by the base, and keep it, a copy, its trail and how it ended."""
    t, g = base
    seed, number, sensible, least = place
    deals, copies, trails, ended, dealers, _ = work
    stream = deal_stream(seed, number, index)
    deal = deals[index]
    shuffle(t.deck[: t.number_of_cards], stream, least, deal)
    players = players_stream(stream)
    play_ready(t, g, deal, dealer, totals, (players, sensible, 0))
    copies[index] = deal
    _keep(deal, ended[index])
    leave_trail(t, g, copies[index], trails[index], players, sensible)
    dealers[index] = dealer


@kernel
def _count_again(n: Any, plan: Any, deal: Any, played: Any, trail: Any, totals: Any) -> Any:
    """Count a deal that other rules play just so, unless it may be ended by a claim."""
    declaring = (plan.sets or plan.declaring or plan.squares) and has_declared(plan, played)
    altered = declaring or plan.saying or plan.points
    won = declaring and announce_again(n, deal, trail.stream)
    if plan.saying:
        say_and_turn(n, deal, trail, deal.number)
    if plan.points:
        add_cards(n, deal, trail, deal.number)
    # What a side has only grows, so who has not enough after the last trick had not between two tricks.
    claimed = may_claim(n, totals) and might_claim(n, deal, totals)
    how = _OTHERWISE if won or claimed else _THE_SAME
    if how == _THE_SAME and (altered or plan.settling):
        count(n, deal)
        how = _COUNTED
    if altered:
        restore(deal, played)
    return how


@kernel
def _again(t: Any, other: Any, work: Any, index: Any, totals: Any, how: Any) -> Any:
    """Say how other rules play a deal, or from which trick on otherwise; note at how many decisions others are allowed.

    ``how`` is whether players are sensible, and whether the totals are those that the deal was played from.
    """
    deals, copies, trails, ended, _, _ = work
    n, h, plan, _ = other
    sensible, from_there = how
    deal, played, trail, kept = copies[index], deals[index], trails[index], ended[index]
    kept.differing, same = 0, plan.anew == 0
    if plan.bids:
        kept.differing = differing_bids(t, n, deal)
        same = same and same_bids(n, deal, trail, sensible)
    if played.ended != PASSED:
        if plan.away:
            same = same and same_away(n, deal, trail, sensible)
        sets = plan.sets and has_declared(plan, played)
        if plan.cards or sets:
            differing, otherwise = follow(n, h, deal, trail, same, (sensible, sets, plan.values))
            kept.differing += differing
            if same and otherwise >= n.players and played.ended == BY_PLAY and not may_claim(n, totals):
                return otherwise // n.players
            same = same and otherwise == NONE
    if not same:
        return _OTHERWISE
    if played.ended == PASSED or (from_there and not _may_end_otherwise(plan)):
        return _THE_SAME
    if played.ended != BY_PLAY:
        return _OTHERWISE
    return _count_again(n, plan, deal, played, trail, totals)


@kernel
def _may_end_otherwise(plan: Any) -> Any:
    """Say whether the same cards may be counted otherwise, or end the match at another place."""
    counted = plan.sets or plan.declaring or plan.squares or plan.saying or plan.points or plan.settling
    return counted or plan.booking or plan.unit_old != plan.unit_new


@kernel
def _end(t: Any, other: Any, work: Any, index: Any, dealer: Any, totals: Any, how: Any, result: Any) -> Any:
    """Write how other rules end a deal; say whether it may be another end than the base's."""
    n, h, _, spares = other
    spare = spares[0]
    deals, copies, trails, ended, _, _ = work
    sensible, _ = how
    found = _again(t, other, work, index, totals, how)
    if found == _THE_SAME:
        result[0] = ended[index]
    elif found == _COUNTED:
        _keep(copies[index], result[0])
    else:
        if found == _OTHERWISE or not _resume(other, deals[index], trails[index], found, totals, sensible, spares):
            for place in range(n.number_of_cards):
                spare.deck[place] = deals[index].deck[place]
            play_ready(n, h, spare, dealer, totals, (trails[index].stream, sensible, 0))
        _keep(spare, result[0])
    return found != _THE_SAME


@kernel
def _resume(other: Any, played: Any, trail: Any, done: Any, totals: Any, sensible: Any, deals: Any) -> Any:
    """Play a deal on from where other rules play otherwise; say so unless they end it before that."""
    n, h, plan, _ = other
    deal = deals[0]
    deals[0] = played
    if (plan.sets or plan.declaring or plan.squares) and announce_again(n, deal, trail.stream):
        return False
    go_back(n, deal, trail, done)
    play_on(n, h, n, h, deal, totals, (trail.stream, sensible, 0))
    if deal.ended == BY_PLAY:
        count(n, deal)
    return True


@kernel
def _is_there(base: Any, place: Any, index: Any, dealer: Any, work: Any) -> Any:
    """Say whether the base has played a deal with this dealer; it plays on after its match where others do."""
    dealers = work[4]
    if dealers[index] == NONE:
        _play_base(base, place, index, dealer, work[5], work)
    return dealers[index] == dealer


@kernel
def _own_match(base: Any, other: Any, work: Any, more: Any, place: Any, row: Any, at: Any) -> None:
    """Play the match by other rules; ``at`` says how many deals the base played, who dealt first and which side won."""
    n, h, plan, spares = other
    spare = spares[0]
    befores, results, totals = more
    played, dealer, won = at
    match, length, unit = befores[MOST_DEALS + 1], 0, (plan.unit_old, plan.unit_new)
    seed, number, sensible, least = place
    last = results[MOST_DEALS:]
    begin_match(match, dealer)
    while match[WON] == NONE and length < MOST_DEALS:
        if length < played and same_position(n, befores[length], match, unit, totals):
            book(n, match, results[length])
        else:
            deals = match[DEALS_NEXT]
            if plan.anew == 0 and _is_there(base, place, length, deals, work):
                _end(base[0], other, work, length, deals, match[TOTALS:], (sensible, False), last)
            else:
                stream = deal_stream(seed, number, length)
                shuffle(n.deck[: n.number_of_cards], stream, least, spare)
                play_ready(n, h, spare, deals, match[TOTALS:], (players_stream(stream), sensible, 0))
                _keep(spare, last[0])
            book(n, match, last[0])
        length += 1
    add_match(row, won, match[WON], length - played)


@kernel
def _hold(base: Any, other: Any, work: Any, more: Any, place: Any, row: Any, at: Any) -> None:
    """Hold the deals of a match that the base played against those of other rules, and the match against theirs."""
    t, n, plan = base[0], other[0], other[2]
    befores, results, totals = more
    played, _, won = at
    changed, unit = plan.anew or plan.booking, (plan.unit_old, plan.unit_new)
    for index in range(played):
        before = befores[index]
        compared = totals_for(before, n.sides, unit, totals)
        how = (place[2], unit[0] == unit[1])
        ended = work[3][index]
        otherwise = _end(t, other, work, index, before[DEALS_NEXT], compared, how, results[index:])
        if otherwise or ended.differing:
            compare(t, ended, results[index], row, unit)
        else:
            add_alike(t, ended, row, 1)
        changed = otherwise or changed
    if changed:
        _own_match(base, other, work, more, place, row, at)
    else:
        add_match(row, won, won, 0)


@kernel
def _play_match(base: Any, work: Any, befores: Any, place: Any) -> Any:
    """Play a match by the base; return how many deals it took, who dealt first, and which side won."""
    seed, number, _, _ = place
    t, dealers = base[0], work[4]
    dealer = drawn(match_stream(seed, number), 0, t.players)
    match, played = befores[MOST_DEALS], 0
    begin_match(match, dealer)
    for index in range(MOST_DEALS):
        dealers[index] = NONE
    while match[WON] == NONE and played < MOST_DEALS:
        for index in range(MATCH):
            befores[played, index] = match[index]
        _play_base(base, place, played, match[DEALS_NEXT], match[TOTALS:], work)
        book(t, match, work[3][played])
        played += 1
    return played, dealer, match[WON]


@kept_kernel
def hold_against(base: Any, others: Any, work: Any, more: Any, spares: Any, place: Any, rows: Any) -> None:
    """Play matches by one ruleset, and add to a row for each of the others what ``match_kernel`` adds for the two.

    ``place`` is the mixed seed, the first match, how many, whether players are sensible, and the least cut. ``work``
    and ``more`` have room for ``BLOCK`` matches: so many are played before others are held against them, each of which
    has its tables at hand then.
    """
    seed, first, matches, sensible, least = place
    records, nodes, plans = others
    befores, results, totals, ends = more
    for start in range(first, first + matches, BLOCK):
        number = min(BLOCK, first + matches - start)
        for one in range(number):
            here = (seed, start + one, sensible, least)
            ends[one, 0], ends[one, 1], ends[one, 2] = _play_match(base, _of_match(work, one), befores[one], here)
        for index in range(len(plans)):
            plan = plans[index]
            other = (records[index], nodes[plan.begin : plan.end], plan, spares)
            for one in range(number):
                here = (seed, start + one, sensible, least)
                at = (ends[one, 0], ends[one, 1], ends[one, 2])
                mine = (befores[one], results, totals)
                _hold(base, other, _of_match(work, one), mine, here, rows[index], at)


@kernel
def _of_match(work: Any, one: Any) -> Any:
    """Return the room of one match of a block."""
    deals, copies, trails, ended, dealers, far = work
    return deals[one], copies[one], trails[one], ended[one], dealers[one], far
