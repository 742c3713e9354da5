"""Counting and settling a deal, and keeping a match, in a kernel. See ``counting``, ``scoring`` and ``match``."""

from typing import Any, Final

from belot_kernel.declare_kernel import count_declared
from belot_kernel.jit import kernel, lowest_of, size_of
from belot_kernel.layout import KINDS
from belot_kernel.record import SUM_BELOTE, SUM_CARDS, SUM_DECLARED, SUM_OUTRANKED, SUM_TRICKS
from belot_kernel.scoring_tables import (
    AND_ALL_TRICKS,
    AND_MORE,
    BID_ALONE,
    FELL,
    FEWER_GOES_UP,
    MADE,
    NEVER,
    OR_ALL_TRICKS,
    POINTS_ALONE,
    STRONGEST,
    TIED,
)
from belot_kernel.tables import NONE
from belot_reference.bids import CAPOT

_CARDS, _DECLARED, _BELOTE, _SWEPT, _BID = range(5)
# A bit for each suit, where a seat's belotes are counted.
_OF_EACH_SUIT: Final = 0x01010101
# Places in the names of ``scoring_tables.CAPOT_DECLARED``.
_OWN_COUNTED, _ALL_ANNOUNCED = 0, 1
_BOTH_CARDS: Final = 1
_ALONE: Final = 2
_LATEST, _NOBODY = 1, 2


@kernel
def points_of(points: Any, cards: Any) -> Any:
    """Return the card points of a set of cards, given those of each card."""
    total = 0
    while cards:
        total += points[lowest_of(cards)]
        cards &= cards - 1
    return total


@kernel
def belote_of(t: Any, calls: Any) -> Any:
    """Return the card points of a player's belote calls, which stand by suit, eight bits each."""
    counting = calls >> 1 if t.belote_calls == _BOTH_CARDS else calls | calls >> 1
    return t.belote_points * size_of(counting & _OF_EACH_SUIT)


@kernel
def last_trick_counts(t: Any, tricks: Any) -> Any:
    """Say whether the last trick earns its bonus."""
    without = 0
    for side in range(t.sides):
        without += tricks[side] == 0
    return without != 1 or t.trickless == NONE


@kernel
def sum_up(t: Any, deal: Any) -> None:
    """Write what each side brings to the count by now, but for the last trick."""
    sums = deal.sums
    count_declared(t, deal)
    for side in range(t.sides):
        sums[SUM_CARDS, side] = deal.cards[side]
        sums[SUM_TRICKS, side] = deal.tricks[side]
        sums[SUM_BELOTE, side] = 0
    for seat in range(t.players):
        sums[SUM_BELOTE, t.side_of[seat]] += belote_of(t, deal.calls[seat])
    if deal.laid_away:
        sums[SUM_CARDS, t.side_of[deal.taker]] += points_of(t.points[deal.mode], deal.laid_away)


@kernel
def count(t: Any, deal: Any) -> None:
    """Count and settle a deal that was played to its last trick."""
    sum_up(t, deal)
    if last_trick_counts(t, deal.sums[SUM_TRICKS]):
        deal.sums[SUM_CARDS, t.side_of[deal.last]] += t.last_trick
    settle(t, deal)


@kernel
def settle(t: Any, deal: Any) -> None:
    """Settle a deal by its sums: confirm, all tricks, contract, what passes, rounding (ruling G-08)."""
    taker = deal.taker
    taking = t.side_of[taker]
    _after_tricks(t, deal, taking)
    _count_for_contract(t, deal)
    outcome = _outcome(t, deal, taking)
    deal.outcome, deal.held = outcome, 0
    if t.bid_written:
        _write_bid(t, deal, taking)
        return
    if outcome == FELL:
        _pass_on(t, deal, taker)
    _write(t, deal, taking)


@kernel
def _stand_for_cards(deal: Any, side: Any, cards: Any, swept: Any) -> None:
    """Let sums stand in the place of what a side has for its cards."""
    deal.kinds[_CARDS, side], deal.kinds[_SWEPT, side] = cards, swept


@kernel
def _write_bid(t: Any, deal: Any, taking: Any) -> None:
    """Write a deal whose contract is an amount: the points of the side that wins it, and what was bid."""
    kinds, is_capot = deal.kinds, deal.bid == CAPOT
    winner = taking if deal.outcome == MADE else 1 - taking
    if t.bid_written == BID_ALONE:
        for kind in range(KINDS):
            kinds[kind, 0] = kinds[kind, 1] = 0
    elif deal.outcome == FELL:
        _pass_on(t, deal, deal.taker)
        if is_capot and t.capot_fall:
            _stand_for_cards(deal, winner, 0, t.capot_sum)
    elif deal.raised > 1:
        _raise_made(t, deal, winner)
    if is_capot or t.bid_written != POINTS_ALONE:
        kinds[_BID, winner] = t.capot_bid if is_capot else deal.bid
    for side in range(t.sides):
        if t.tens_first:
            _stand_for_cards(deal, side, _in_tens(t, kinds[_CARDS, side]), _in_tens(t, kinds[_SWEPT, side]))
        points = 0
        for kind in range(KINDS):
            times = deal.raised if side == winner and deal.raised > 1 and t.multiplied[kind] else 1
            points += times * kinds[kind, side]
        deal.points[side] = points
        deal.score[side] = (_in_tens(t, points) + t.add) // t.unit


@kernel
def _in_tens(t: Any, points: Any) -> Any:
    """Return card points as they are written: exactly, or to the nearest ten."""
    return t.tens * ((points + t.tens_add) // t.tens)


@kernel
def _raise_made(t: Any, deal: Any, winner: Any) -> None:
    """Change what sides have where a doubled contract is made: a sum for the cards, and the others lose theirs."""
    kinds, loser = deal.kinds, 1 - winner
    if t.raised_sum:
        swept = deal.sums[SUM_TRICKS, loser] == 0
        if deal.bid == CAPOT or (swept and t.raised_sum == OR_ALL_TRICKS):
            _stand_for_cards(deal, winner, 0, t.capot_sum)
        else:
            beside = t.capot_beyond[deal.mode] if swept and t.raised_sum == AND_ALL_TRICKS else 0
            _stand_for_cards(deal, winner, t.fixed_sum, beside)
    if t.raised_defence:
        return
    for kind in (_DECLARED, _BELOTE):
        if t.fall_passes[kind]:
            kinds[kind, winner] += kinds[kind, loser]
            kinds[kind, loser] = 0
    _stand_for_cards(deal, loser, 0, 0)


@kernel
def _write(t: Any, deal: Any, taking: Any) -> None:
    """Round each side's sum, multiply it if it was doubled, and hold a tied taker's back."""
    kinds = deal.kinds
    for side in range(t.sides):
        deal.points[side] = kinds[_CARDS, side] + kinds[_DECLARED, side] + kinds[_BELOTE, side] + kinds[_SWEPT, side]
    if deal.raised > 1:
        _raise(t, deal, taking)
    else:
        _round(t, deal.points, taking, deal.outcome != FELL, deal.score)
    if deal.outcome == TIED:
        deal.held = deal.score[taking]
        deal.points[taking] = deal.score[taking] = 0


@kernel
def _round(t: Any, points: Any, taking: Any, together: Any, score: Any) -> None:
    """Write the score points of each side, where it is so ruled in such a way that ``together`` they add up."""
    total, scored = 0, 0
    down = t.adds_up == FEWER_GOES_UP and together
    for side in range(t.sides):
        score[side] = (points[side] + (0 if down else t.add)) // t.unit
        total += points[side]
        scored += score[side]
    if t.adds_up and together:
        missing = (total + t.add) // t.unit - scored
        if down:
            _fewer_goes_up(t, points, taking, missing, score)
        else:
            score[taking] += missing


@kernel
def _fewer_goes_up(t: Any, points: Any, taking: Any, missing: Any, score: Any) -> None:
    """Give what is missing to the larger rests, of equal ones to fewer points, and of equal points to the taker."""
    given = 0
    for _ in range(missing):
        best = NONE
        for side in range(t.sides):
            if given >> side & 1:
                continue
            if best < 0 or _goes_up_before(t, points, taking, side, best):
                best = side
        given |= 1 << best
        score[best] += 1


@kernel
def _goes_up_before(t: Any, points: Any, taking: Any, side: Any, other: Any) -> Any:
    mine, others = points[side] % t.unit, points[other] % t.unit
    if mine != others:
        return mine > others
    if points[side] != points[other]:
        return points[side] < points[other]
    return side == taking


@kernel
def _raise(t: Any, deal: Any, taking: Any) -> None:
    """Write the points and the score of each side in a deal that was doubled: one side has those of both."""
    more, whole, multiplied = deal.raised - 1, 0, 0
    points, score, again = deal.points, deal.score, deal.spare[0]
    for side in range(t.sides):
        again[side] = 0
        for kind in range(KINDS):
            again[side] += deal.kinds[kind, side] if t.multiplied[kind] else 0
        whole += points[side]
        multiplied += again[side]
    if deal.level and t.raised_split:
        parts = deal.spare[1]
        _round(t, points, taking, True, score)
        _round(t, again, taking, True, parts)
        for side in range(t.sides):
            points[side] += more * again[side]
            score[side] += more * parts[side]
        return
    winner = _heir(t, deal.counted, deal.taker) if deal.outcome == FELL else taking
    for side in range(t.sides):
        points[side] = score[side] = 0
    if winner >= 0:
        points[winner] = whole + more * multiplied
        score[winner] = (whole + t.add) // t.unit + more * ((multiplied + t.add) // t.unit)


@kernel
def _after_tricks(t: Any, deal: Any, taking: Any) -> None:
    """Write each side's points by kind after confirmation and all tricks."""
    sums, kinds = deal.sums, deal.kinds
    winners, winner = 0, 0
    for side in range(t.sides):
        kinds[_CARDS, side] = sums[SUM_CARDS, side] * t.card_factor[deal.mode]
        kinds[_SWEPT, side] = kinds[_BID, side] = 0
        kinds[_DECLARED, side] = sums[SUM_DECLARED, side]
        kinds[_BELOTE, side] = sums[SUM_BELOTE, side]
        if sums[SUM_TRICKS, side]:
            winners += 1
            winner = side
        elif t.confirmation:
            kinds[_DECLARED, side] = kinds[_BELOTE, side] = 0
    if winners == t.sides:
        return
    if winners == 1:
        if winner == taking or not t.capot_takers_only:
            _all_tricks(t, deal, winner)
    elif t.trickless != NONE:
        for side in range(t.sides):
            if sums[SUM_TRICKS, side]:
                kinds[_CARDS, side] += t.trickless


@kernel
def _all_tricks(t: Any, deal: Any, winner: Any) -> None:
    sums, kinds = deal.sums, deal.kinds
    kinds[_SWEPT, winner] = t.capot_points[deal.mode]
    if not t.capot_on_top:
        kinds[_CARDS, winner] = 0
    if t.capot_declared == _OWN_COUNTED:
        return
    declared, belote = 0, 0
    for side in range(t.sides):
        declared += sums[SUM_DECLARED, side]
        kinds[_DECLARED, side] = 0
        if t.capot_declared == _ALL_ANNOUNCED:
            declared += sums[SUM_OUTRANKED, side]
            belote += sums[SUM_BELOTE, side]
            kinds[_BELOTE, side] = 0
    kinds[_DECLARED, winner] = declared
    kinds[_BELOTE, winner] += belote


@kernel
def _count_for_contract(t: Any, deal: Any) -> None:
    for side in range(t.sides):
        counted = 0
        for kind in range(KINDS):
            counted += t.counts[kind] * deal.kinds[kind, side]
        deal.counted[side] = counted


@kernel
def _outcome(t: Any, deal: Any, taking: Any) -> Any:
    """Judge the contract by its margin, on the points as they are or rounded to score points."""
    if not t.judged_rounded:
        return _judge(t, deal, taking, deal.counted)
    rounded = deal.spare[1]
    _round(t, deal.counted, taking, True, rounded)
    for side in range(t.sides):
        rounded[side] *= t.unit
    return _judge(t, deal, taking, rounded)


@kernel
def _judge(t: Any, deal: Any, taking: Any, judged: Any) -> Any:
    """Judge the contract by these points of each side."""
    own, others, most = judged[taking], 0, 0
    for side in range(t.sides):
        if side != taking:
            others += judged[side]
            most = max(most, judged[side])
    times = t.margin
    if deal.bid == CAPOT:
        return MADE if deal.sums[SUM_TRICKS, 1 - taking] == 0 else FELL
    margin = times[0] * own + times[1] * (own + others) + times[2] * others + times[3] * most + times[4]
    deal.level = margin == 0
    if t.needs_bid:
        least = t.lowest_needs if deal.bid == t.lowest_amount else deal.bid
        return MADE if own >= least and (margin > 0 or t.needs_bid != AND_MORE) else FELL
    if margin < 0:
        return t.outcome[0]
    return t.outcome[2] if margin > 0 else t.outcome[1]


@kernel
def _pass_on(t: Any, deal: Any, taker: Any) -> None:
    """Give others what passes to them after the taker fell, or where the deal is worth a fixed sum that."""
    taking, kinds = t.side_of[taker], deal.kinds
    heir = _heir(t, deal.counted, taker)
    if t.fall_worth and heir != NONE:
        _stand_for_cards(deal, taking, 0, 0)
        _stand_for_cards(deal, heir, t.fall_points[deal.mode], 0)
        if t.fall_worth == _ALONE:
            for side in range(t.sides):
                kinds[_DECLARED, side] = kinds[_BELOTE, side] = 0
    for kind in range(KINDS):
        if t.fall_passes[kind]:
            if heir != NONE:
                kinds[kind, heir] += kinds[kind, taking]
            kinds[kind, taking] = 0


@kernel
def _heir(t: Any, counted: Any, taker: Any) -> Any:
    heir = t.heir[taker]
    if heir != STRONGEST:
        return heir
    taking = t.side_of[taker]
    for step in range(1, t.players):
        side = t.side_of[(taker + step) % t.players]
        if side != taking and (heir < 0 or counted[side] > counted[heir]):
            heir = side
    return heir


# Places in the numbers of a match; a side's total stands at ``TOTALS`` and its number.
DEALS_NEXT, HELD_POINTS, FAILED, WON, TOTALS = range(5)
MATCH: Final = 9


@kernel
def begin_match(match: Any, dealer: Any) -> None:
    """Begin a match in which nobody has scored."""
    for place in range(MATCH):
        match[place] = 0
    match[DEALS_NEXT], match[WON] = dealer, NONE


@kernel
def book_passed(t: Any, match: Any) -> None:
    """Book a deal that nobody took (ruling G-07)."""
    match[FAILED] += 1
    if t.failed_deals != NEVER and match[FAILED] >= t.failed_deals:
        match[DEALS_NEXT] = (match[DEALS_NEXT] + 1) % t.players
        match[FAILED] = 0


@kernel
def book_played(t: Any, match: Any, deal: Any) -> None:
    """Book a deal that was played; held points go as ruling G-06 says."""
    if deal.outcome == TIED:
        kept = match[HELD_POINTS] if t.held != _LATEST else 0
        match[HELD_POINTS] = deal.held + kept
    elif match[HELD_POINTS]:
        _free(t, match, deal.points)
    for side in range(t.sides):
        match[TOTALS + side] += deal.score[side]
    match[DEALS_NEXT] = (match[DEALS_NEXT] + t.next_dealer) % t.players
    match[FAILED] = 0
    match[WON] = winner_of(t, match[TOTALS:], t.side_of[deal.taker])
    if match[WON] != NONE and _goes_on(t, match, deal):
        match[WON] = NONE


@kernel
def _goes_on(t: Any, match: Any, deal: Any) -> Any:
    """Say whether the match cannot end by now: with points held, or by a deal in which one side won every trick."""
    if t.held_goes_on and match[HELD_POINTS]:
        return True
    winners = 0
    for side in range(t.sides):
        winners += deal.tricks[side] != 0
    return t.one_more_deal and winners == 1


@kernel
def _free(t: Any, match: Any, points: Any) -> None:
    top = 0
    for side in range(1, t.sides):
        if points[side] > points[top]:
            top = side
    for side in range(t.sides):
        if side != top and points[side] == points[top]:
            return
    if t.held != _NOBODY:
        match[TOTALS + top] += match[HELD_POINTS]
    match[HELD_POINTS] = 0


@kernel
def winner_of(t: Any, totals: Any, taking: Any) -> Any:
    """Return the side that has won with these totals, -1 for none (rulings G-05 and G-15)."""
    there, top, leaders, leader = 0, 0, 0, NONE
    for side in range(t.sides):
        total = totals[side]
        if total > t.target or (t.reach and total == t.target):
            there += 1
            if side == taking and t.takers_side:
                leaders = -t.sides
                leader = side
            elif leaders >= 0 and (leader == NONE or total > top):
                top, leaders, leader = total, 1, side
            elif leaders >= 0 and total == top:
                leaders += 1
    return leader if there and leaders <= 1 else NONE
