"""A whole deal in a kernel, from the bidding to the last card. See ``paired_deal`` of the workshop and ``replay``."""

from typing import Any, Final

import numpy as np

from belot_kernel.bid_tables import PASSES
from belot_kernel.declare_kernel import announce, announce_itself, announceable, squares_in
from belot_kernel.declared_tables import BEFORE_LEAD, BY_ITSELF, WITH_CARD
from belot_kernel.jit import kernel, lowest_of
from belot_kernel.layout import CARDS, SEATS, SUITS
from belot_kernel.play_kernel import ROYAL, around, legal_cards, points_left
from belot_kernel.players_kernel import after_saying, choose_away, choose_bid, consider, may_say, next_said
from belot_kernel.random_kernel import preference, preferred
from belot_kernel.record import (
    BELOT,
    BY_PLAY,
    CLAIM,
    OF_POINTS,
    OPEN,
    PASSED,
    SUM_BELOTE,
    SUM_CARDS,
    SUM_DECLARED,
    SUM_TRICKS,
)
from belot_kernel.scoring_tables import MADE
from belot_kernel.settle_kernel import belote_of, last_trick_counts, points_of, settle, sum_up, winner_of
from belot_kernel.tables import NONE

# The numbers of decisions, as ``players`` counts them.
FIRST_CARD: Final = 1000
LAID_AWAY: Final = 900
_WHEN_HELD, _WHEN_DEALT, _UNSAID = range(3)
_WHEN_SAFE: Final = 2
# What is compared while a deal is played by one ruleset: the bids, sets and cards of another.
OTHER_BIDS, OTHER_SETS, OTHER_CARDS = 1, 2, 4
# Nothing of it; numba would compile a deal anew for a constant of Python's.
UNWATCHED: Final = np.int64(0)
# Those of one suit among a seat's calls.
_CALLS: Final = 0xFF


@kernel
def _lay_out(t: Any, deal: Any, dealer: Any) -> None:
    """Deal the first packets of the deck, and turn a card up."""
    deal.dealer, deal.taker, deal.winner, deal.ended = dealer, NONE, NONE, OPEN
    deal.bids = deal.laid_away = deal.done = deal.number = deal.decisions = deal.differing = 0
    deal.held = deal.outcome = 0
    for seat in range(SEATS):
        deal.hands[seat] = deal.dealt[seat] = deal.said[seat] = deal.calls[seat] = deal.made[seat] = 0
        deal.cards[seat] = deal.tricks[seat] = deal.score[seat] = deal.points[seat] = deal.counted[seat] = 0
    for card in range(CARDS):
        deal.under[card] = NONE
    for place in range(t.number_of_cards):
        card, top = deal.deck[place], t.cover[dealer, place]
        seat = t.first_seat[dealer, place]
        if top >= 0:
            deal.under[deal.deck[top]] = card
        elif seat >= 0:
            deal.hands[seat] |= 1 << card
    for seat in range(SEATS):
        deal.seen[seat] = deal.hands[seat]
    deal.turned = deal.deck[t.turn_up] if t.turn_up >= 0 else NONE


@kernel
def _bid(t: Any, new: Any, deal: Any, stream: Any, sensible: Any, watched: Any) -> None:
    """Bid until nobody may speak any more: what was named last is played, or nobody has taken."""
    suit_up = deal.turned >> 3 if deal.turned >= 0 else SUITS
    at, other = t.opening[suit_up], new.opening[suit_up]
    while t.choices[at]:
        deal.turn = around(t, deal.dealer + t.speaker[at])
        if watched & OTHER_BIDS and other_bid(t, new, at, other):
            deal.differing += 1
        choice = choose_bid(t, deal, at, preference(stream, deal.bids), sensible)
        deal.bids += 1
        deal.decisions += 1
        at = after_saying(t, at, choice)
        if watched and other >= 0:
            place = place_in(t, new, choice)
            other = after_saying(new, other, place) if place >= 0 and may_say(new, other, place) else NONE
    if t.named_by[at] < 0:
        deal.ended = PASSED
        return
    deal.taker = around(t, deal.dealer + t.named_by[at])
    deal.mode, deal.bid, deal.raised = t.named[at], t.promised[at], t.raised[at]


@kernel
def other_bid(t: Any, new: Any, at: Any, other: Any) -> Any:
    """Say whether by other rules another might speak here, or say something else, or nobody anything."""
    if other < 0 or new.speaker[other] != t.speaker[at] or new.choices[other] != t.choices[at]:
        return True
    choice = next_said(t, at, np.int64(t.lowest[at]))
    while choice < PASSES:
        place = place_in(t, new, choice)
        if place < 0 or not may_say(new, other, place):
            return True
        choice = next_said(t, at, choice + 1)
    return may_say(t, at, choice) != may_say(new, other, choice)


@kernel
def place_in(t: Any, new: Any, place: Any) -> Any:
    """Return the place by other rules of what may be said, which is the same but for bids with other numbers."""
    said = t.said[place]
    if new.said[place] == said:
        return place
    for other in range(new.bids):
        if new.said[other] == said:
            return other
    return NONE


@kernel
def _take(t: Any, deal: Any, stream: Any, sensible: Any) -> None:
    """Deal the rest, let the taker lay away and whoever may exchange the seven."""
    dealer, taker = deal.dealer, deal.taker
    for seat in range(SEATS):
        deal.hands[seat] = 0
    for place in range(t.number_of_cards):
        seat = t.full_seat[dealer, taker, place]
        if seat >= 0:
            deal.hands[seat] |= 1 << deal.deck[place]
    deal.leader = deal.turn = t.leader[dealer, taker]
    if t.discards:
        deal.laid_away = choose_away(t, deal, preference(stream, LAID_AWAY), sensible)
        deal.hands[taker] &= ~deal.laid_away
    if t.seven_exchange and deal.turned >= 0 and t.trumps[deal.mode] >> deal.turned & 1:
        seven = 1 << 8 * (deal.turned >> 3)
        for seat in range(t.players):
            if deal.seen[seat] & deal.hands[seat] & seven:
                deal.hands[seat] = deal.hands[seat] & ~seven | 1 << deal.turned
                break
    for seat in range(SEATS):
        deal.dealt[seat] = deal.hands[seat]


@kernel
def _announce_all(t: Any, deal: Any, stream: Any) -> None:
    """Let everybody announce before the first lead, or at the first card by itself, in turn."""
    base = preference(stream, FIRST_CARD + deal.leader)
    for step in range(t.players):
        seat = around(t, deal.leader + step)
        if t.announced == BY_ITSELF:
            won = announce_itself(t, deal, seat)
        else:
            won = announce(t, deal, seat, base)
        if won:
            deal.ended, deal.winner = BELOT, t.side_of[seat]
            return


@kernel
def say_belote(t: Any, deal: Any, led: Any, seat: Any, card: Any) -> None:
    """Say belote with a card if it may be said, given the cards of the suit that was led; see ``belote``."""
    if not t.belote_cards[deal.mode] >> card & 1:
        return
    if t.belote_thrown[deal.mode] and led and not led >> card & 1:
        return
    first = card & 24
    royal, once = ROYAL << first, 1 << first
    holds = deal.hands[seat] & royal == royal
    if t.belote_calls == _WHEN_DEALT:
        if deal.dealt[seat] & royal == royal and (holds or deal.calls[seat] >> first & _CALLS):
            deal.calls[seat] += once
    elif holds:
        deal.calls[seat] += once


@kernel
def turn(t: Any, deal: Any, seat: Any, card: Any) -> None:
    """Turn the card that a played one covered, and earn what it makes."""
    under = deal.under[card]
    if under < 0:
        return
    deal.hands[seat] |= 1 << under
    if not t.played[deal.mode]:
        return
    hand = deal.hands[seat]
    ranks = hand >> 8 * (under >> 3) & 0xFF
    for place in range(2):
        if t.runs[ranks, place] >> (under & 7) & 1:
            deal.made[seat] += t.turned_sequence
    if squares_in(t, hand) >> (under & 7) & 1:
        deal.made[seat] += t.square_points[under & 7]


@kernel
def _play_one(t: Any, g: Any, deal: Any, at: Any, seat: Any, legal: Any, base: Any) -> Any:
    """Play one card, with what is said and turned, and return it."""
    card = preferred(base, legal) if legal & (legal - 1) else lowest_of(legal)
    say_belote(t, deal, np.int64(g[at].led), seat, card)
    deal.hands[seat] &= ~(1 << card)
    turn(t, deal, seat, card)
    deal.unseen &= ~(1 << card)
    deal.played[deal.number] = card
    deal.number += 1
    return card


@kernel
def _first_of_seat(t: Any, new: Any, deal: Any, base: Any, differing: Any, watched: Any) -> None:
    """Count a decision in the first trick, and announce along with the card where it is done so."""
    if not differing and watched & OTHER_SETS:
        hand = deal.dealt[deal.turn]
        differing = announceable(t, hand, deal) != announceable(new, hand, deal)
    deal.differing += 1 if differing else 0
    if t.announced == WITH_CARD:
        if announce(t, deal, deal.turn, base):
            deal.ended, deal.winner = BELOT, t.side_of[deal.turn]


@kernel
def _trick(t: Any, g: Any, new: Any, others: Any, deal: Any, stream: Any, sensible: Any, watched: Any) -> None:
    """Play a trick to its end, or to the announcement that wins the match."""
    mode, leading = deal.mode, deal.turn
    at, other, seat, worth = t.root[mode], new.root[mode], leading, np.int64(0)
    deal.leading, decision = leading, FIRST_CARD + deal.done * t.players
    for _ in range(t.players):
        hand = deal.hands[seat]
        legal = legal_cards(t, g[at], hand, mode)
        base = preference(stream, decision + seat)
        deal.decisions += 1
        # Rules that do not know the mode have no node for it.
        differing = watched & OTHER_CARDS and (other < 0 or legal != legal_cards(new, others[other], hand, mode))
        if deal.done == 0:
            _first_of_seat(t, new, deal, base, differing, watched)
        elif differing:
            deal.differing += 1
        if sensible and legal & (legal - 1):
            legal = consider(t, g, deal, at, legal)
        card = _play_one(t, g, deal, at, seat, legal, base)
        worth += t.points[mode, card]
        at = np.int64(g[at].step[card])
        if watched and other >= 0:
            other = np.int64(others[other].step[card])
        deal.turn = seat = around(t, seat + 1)
        if deal.ended != OPEN:
            return
        if deal.number == 1 and t.announced == BY_ITSELF:
            _announce_all(t, deal, stream)
            if deal.ended != OPEN:
                return
    winner = around(t, leading + g[at].winner)
    side = t.side_of[winner]
    deal.cards[side] += worth
    deal.tricks[side] += 1
    deal.done += 1
    deal.turn = deal.last = winner


@kernel
def might_claim(t: Any, deal: Any, totals: Any) -> Any:
    """Say whether a side might have the target by now; see ``counting.enough_in_reach``."""
    points, factor = deal.spare[3], t.card_factor[deal.mode]
    for side in range(t.sides):
        points[side] = factor * deal.cards[side]
    for seat in range(t.players):
        side = t.side_of[seat]
        points[side] += deal.made[seat] + (belote_of(t, deal.calls[seat]) if deal.calls[seat] else 0)
        for place in range(deal.said[seat]):
            points[side] += deal.declared[seat, place, OF_POINTS]
    points[t.side_of[deal.taker]] += factor * points_of(t.points[deal.mode], deal.laid_away)
    for side in range(t.sides):
        if _may_reach(t, totals, side, points[side]):
            return True
    return False


@kernel
def _may_reach(t: Any, totals: Any, side: Any, points: Any) -> Any:
    """Say whether a side might have the target with points more, without the quotient that its score is."""
    return points + t.add >= (t.target - totals[side]) * t.unit


@kernel
def _claim(t: Any, deal: Any, totals: Any) -> None:
    """End the deal if a side says *enough* and is right (rulings BL-R11 and BL-R13)."""
    sum_up(t, deal)
    sums, mine = deal.sums, deal.spare[2]
    for seat in range(t.players):
        side = t.side_of[seat]
        taken = t.card_factor[deal.mode] * sums[SUM_CARDS, side]
        if deal.tricks[side] or not t.confirmation:
            taken += sums[SUM_DECLARED, side] + sums[SUM_BELOTE, side]
        if taken == 0 or not _may_reach(t, totals, side, taken):
            continue
        for index in range(t.sides):
            mine[index] = NONE
        mine[side] = totals[side] + (taken + t.add) // t.unit
        if winner_of(t, mine, NONE) != side:
            continue
        if side == t.side_of[deal.taker] and t.claim == _WHEN_SAFE and not _is_safe(t, deal):
            sum_up(t, deal)
            continue
        deal.ended, deal.winner, deal.held = CLAIM, side, 0
        for index in range(t.sides):
            deal.score[index] = deal.points[index] = 0
        return


@kernel
def _is_safe(t: Any, deal: Any) -> Any:
    """Say whether the taker's side makes its contract even if one opponent wins all that is left."""
    taking, left = t.side_of[deal.taker], points_left(t, deal)
    for strongest in range(t.sides):
        if strongest == taking:
            continue
        sum_up(t, deal)
        deal.sums[SUM_TRICKS, strongest] += 1
        deal.sums[SUM_CARDS, strongest] += left
        if last_trick_counts(t, deal.sums[SUM_TRICKS]):
            deal.sums[SUM_CARDS, strongest] += t.last_trick
        settle(t, deal)
        if deal.outcome != MADE:
            return False
    return True


@kernel
def play_deal(t: Any, g: Any, new: Any, others: Any, deal: Any, dealer: Any, totals: Any, how: Any) -> None:
    """Play a deal whose deck lies ready; ``how`` is the players' stream, whether they are sensible, what is watched."""
    stream, sensible, watched = how
    _lay_out(t, deal, dealer)
    _bid(t, new, deal, stream, sensible, watched)
    if deal.ended != OPEN:
        return
    _take(t, deal, stream, sensible)
    deal.unseen = 0
    for place in range(t.number_of_cards):
        deal.unseen |= 1 << deal.deck[place]
    if t.announced == BEFORE_LEAD:
        _announce_all(t, deal, stream)
    play_on(t, g, new, others, deal, totals, how)


@kernel
def play_on(t: Any, g: Any, new: Any, others: Any, deal: Any, totals: Any, how: Any) -> None:
    """Play the tricks of a deal that are left, from between two tricks on."""
    stream, sensible, watched = how
    claims = may_claim(t, totals)
    while deal.ended == OPEN and deal.hands[deal.turn]:
        if claims and deal.done and might_claim(t, deal, totals):
            _claim(t, deal, totals)
            if deal.ended != OPEN:
                return
        _trick(t, g, new, others, deal, stream, sensible, watched)
    if deal.ended == OPEN:
        deal.ended = BY_PLAY


@kernel
def may_claim(t: Any, totals: Any) -> Any:
    """Say whether somebody might say *enough* in a deal: the rules know it, and the target is near."""
    most = np.int64(0)
    for side in range(t.sides):
        most = max(most, totals[side])
    return t.claim != 0 and most + t.near >= t.target
