"""A whole deal, action by action: bidding, announcing, playing, showing, belote, claims, and the full count."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from belot_reference.bidding import BID_RULES, Bidding, bid, start_bidding
from belot_reference.cards import Card, CardSet, Suit, card_set, suit_of
from belot_reference.compile import Ruleset
from belot_reference.dealing import DEAL_RULES, Dealt, deal_after_bidding
from belot_reference.declarations import (
    BELOTE_RULES,
    FIND_RULES,
    WHOLE_SUIT,
    Comparison,
    Declaration,
    belote_points,
    call_belote,
    check_announcement,
    compare,
    wins_match,
)
from belot_reference.errors import (
    AnnouncedLate,
    ClaimFalse,
    ClaimNotAllowed,
    DealOver,
    NothingToShow,
    NotYourTurn,
    Refusal,
    Unfinished,
    WrongPhase,
    WrongTimeToShow,
)
from belot_reference.match import winner_of
from belot_reference.play import (
    TRICK_RULES,
    PlayState,
    Trick,
    consulted_by_play,
    first_leader,
    holds_belote,
    look_at,
    play_card,
    start_play,
    turn,
)
from belot_reference.scoring import Settlement, Tally, score_points, settle

POINT_RULES: Final = ("scoring.trump-points", "scoring.plain-points", "scoring.last-trick")


@dataclass(frozen=True, slots=True)
class BidAction:
    """A player passes (``None``) or names a suit."""

    seat: int
    suit: Suit | None


@dataclass(frozen=True, slots=True)
class PlayAction:
    """A player plays a card, and may announce before it, say belote with it or show with it."""

    seat: int
    card: Card
    announce: tuple[CardSet, ...] = ()
    belote: bool = False
    show: bool = False


@dataclass(frozen=True, slots=True)
class LookAction:
    """A player asks to look at a completed trick, counted from 1."""

    seat: int
    trick: int


@dataclass(frozen=True, slots=True)
class ClaimAction:
    """A player says *enough* for his side."""

    seat: int


Action = BidAction | PlayAction | LookAction | ClaimAction
Ending = Literal["played", "passed", "belot", "claim"]


@dataclass(frozen=True, slots=True)
class DealState:
    """A deal between two actions. ``totals`` are score points before the deal; ``hands`` are full hands."""

    dealt: Dealt | None
    totals: tuple[int, ...]
    bidding: Bidding
    hands: tuple[CardSet, ...]
    play: PlayState | None
    announced: tuple[tuple[Declaration, ...], ...]
    shown: frozenset[int]
    calls: tuple[int, ...]
    ended: Ending | None = None
    winner: int | None = None
    taken: int = 0
    rules: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Count:
    """The full count of a deal that was played out; all but the settlement's score in card points, per side."""

    trick_points: tuple[int, ...]
    cards: tuple[int, ...]
    declarations: tuple[int, ...]
    outranked: tuple[int, ...]
    belote: tuple[int, ...]
    settlement: Settlement
    rules: frozenset[str]


def start_deal(
    rules: Ruleset,
    dealer: int,
    totals: Sequence[int],
    *,
    dealt: Dealt | None = None,
    hands: Sequence[CardSet] = (),
    turn_up: Card | None = None,
) -> DealState:
    """Return a deal before the first bid, either just dealt or with the full hands known beforehand."""
    turned = dealt.turn_up if dealt is not None else turn_up
    bidding = start_bidding(rules, dealer, None if turned is None else suit_of(turned))
    nobody: tuple[tuple[Declaration, ...], ...] = ((),) * rules.players
    consulted = frozenset((*DEAL_RULES, *BID_RULES)) if dealt is not None else frozenset(BID_RULES)
    return DealState(
        dealt,
        tuple(totals),
        bidding,
        tuple(hands),
        None,
        nobody,
        frozenset(),
        (0,) * rules.players,
        rules=consulted,
    )


def apply_action(rules: Ruleset, state: DealState, action: Action) -> DealState:
    """Return the deal after an action; raises a ``Refusal`` that holds the unchanged state."""
    if state.ended is not None:
        raise DealOver(action, state, "bidding.must-name" if state.ended == "passed" else "play.trick-winner")
    if isinstance(action, BidAction):
        return _bid(rules, state, action)
    if state.play is None:
        raise WrongPhase(action, state, "bidding.rounds")
    match action:
        case PlayAction():
            return _play(rules, state, state.play, action)
        case LookAction():
            look_at(rules, state.play, action.trick)
            return replace(state, rules=state.rules | {"play.review-tricks"})
        case ClaimAction():
            return _claim(rules, state, state.play, action)


def apply_all(rules: Ruleset, state: DealState, actions: Sequence[Action]) -> DealState:
    """Return the deal after a whole recording.

    Raises ``RefusedAt`` with the index of the first action that is not allowed, or the number of actions if the
    recording stops early.
    """
    for index, action in enumerate(actions):
        try:
            state = apply_action(rules, state, action)
        except Refusal as refusal:
            raise RefusedAt(index, refusal, state.rules) from refusal
    if state.ended is None:
        raise RefusedAt(len(actions), Unfinished(None, state, "play.trick-winner"), state.rules)
    return state


class RefusedAt(Exception):
    """A refusal inside a recorded deal: which action, why, and the rules consulted up to it."""

    def __init__(self, at: int, refusal: Refusal, consulted: frozenset[str]) -> None:
        self.at = at
        self.refusal = refusal
        self.rules = refusal.consulted | consulted
        super().__init__(f"action {at}: {refusal}")


def _bid(rules: Ruleset, state: DealState, action: BidAction) -> DealState:
    if state.play is not None:
        raise WrongPhase(action, state, "bidding.rounds", BID_RULES)
    bidding = bid(rules, state.bidding, action.suit, action.seat)
    if bidding.state == "failed":
        return replace(state, bidding=bidding, ended="passed")
    if bidding.taker is None or bidding.trump is None:
        return replace(state, bidding=bidding)
    hands = state.hands if state.dealt is None else deal_after_bidding(rules, state.dealt, bidding.taker)
    leader = first_leader(rules, bidding.dealer, bidding.taker)
    play = start_play(bidding.trump, hands, leader)
    consulted = state.rules | {"play.first-leader"}
    return replace(state, bidding=bidding, hands=hands, play=play, rules=consulted)


def _play(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> DealState:
    seat = action.seat
    if seat != turn(rules, play.table):
        raise NotYourTurn(action, state, "play.trick-winner")
    consulted = {*TRICK_RULES}
    announced = state.announced
    if action.announce:
        consulted.update(("declarations.announced", *FIND_RULES))
        announced = _announce(rules, state, play, action)
    after, rule = play_card(rules, play, seat, action.card)
    consulted.update(consulted_by_play(play, rule))
    calls = state.calls
    if action.belote:
        consulted.update(BELOTE_RULES)
        count = call_belote(rules, play.trump, state.hands[seat], play.hands[seat], action.card, state.calls[seat])
        calls = (*calls[:seat], count, *calls[seat + 1 :])
    shown = state.shown
    if action.show:
        consulted.add("declarations.shown-in-trick")
        _check_show(rules, state, play, action)
        shown = shown | {seat}
    after_action = replace(
        state, play=after, announced=announced, calls=calls, shown=shown, rules=state.rules | consulted
    )
    return _ended(rules, after_action, after, action)


def _announce(
    rules: Ruleset, state: DealState, play: PlayState, action: PlayAction
) -> tuple[tuple[Declaration, ...], ...]:
    seat = action.seat
    if play.hands[seat] != state.hands[seat]:
        raise AnnouncedLate(action, state, "declarations.announced")
    found = check_announcement(rules, state.hands[seat], action.announce)
    return (*state.announced[:seat], found, *state.announced[seat + 1 :])


def _check_show(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> None:
    wanted = rules.value("declarations.shown-in-trick")
    if not state.announced[action.seat] and not action.announce:
        raise NothingToShow(action, state, "declarations.shown-in-trick")
    if wanted != "none" and len(play.tricks) + 1 != wanted:
        raise WrongTimeToShow(action, state, "declarations.shown-in-trick")


def _ended(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> DealState:
    """Return the state with its ending, if this card (or what was announced with it) ends the deal."""
    eights = [found for found in state.announced[action.seat] if found.length == WHOLE_SUIT]
    if action.announce and eights:
        state = replace(state, rules=state.rules | {"declarations.eight-in-a-row"})
        if any(wins_match(rules, declaration, play.trump) for declaration in eights):
            return replace(state, ended="belot", winner=rules.side_of[action.seat])
    if not any(play.hands):
        return replace(state, ended="played")
    return state


def _claim(rules: Ruleset, state: DealState, play: PlayState, action: ClaimAction) -> DealState:
    """Settle a claim of *enough* on completed tricks (rulings BL-R11 and BL-R13)."""
    consulted = {
        "match.claim",
        "match.target",
        "match.target-reached",
        "scoring.confirmation",
        "scoring.sheet-unit",
    }
    if rules.value("match.claim") != "enough":
        raise ClaimNotAllowed(action, state, "match.claim")
    side = rules.side_of[action.seat]
    taken, taken_rules = _taken_so_far(rules, state, play, side)
    consulted.update(taken_rules)
    own = state.totals[side] + score_points(rules, taken)
    totals = tuple(own if index == side else -1 for index in range(rules.side_count))
    winner, _ = winner_of(rules, totals, None)
    if taken == 0 or winner != side:
        raise ClaimFalse(action, state, "match.claim", consulted)
    return replace(state, ended="claim", winner=side, taken=taken, rules=state.rules | consulted)


def _taken_so_far(rules: Ruleset, state: DealState, play: PlayState, side: int) -> tuple[int, frozenset[str]]:
    won = [trick for trick in play.tricks if rules.side_of[trick.winner] == side]
    taken = sum(_trick_points(rules, play.trump, trick) for trick in won)
    consulted = frozenset(("scoring.trump-points", "scoring.plain-points"))
    if not won and rules.value("scoring.confirmation") == "one-trick":
        return taken, consulted
    comparison = _comparison(rules, state, play)
    for seat in _seats_of(rules, side):
        taken += belote_points(rules, state.calls[seat])
        if seat in state.shown or rules.value("declarations.shown-in-trick") == "none":
            taken += comparison.points[seat] if play.tricks else 0
    return taken, consulted | frozenset((*comparison.rules, *BELOTE_RULES, "declarations.shown-in-trick"))


def _comparison(rules: Ruleset, state: DealState, play: PlayState) -> Comparison:
    leader = play.tricks[0].leader if play.tricks else play.table.leader
    return compare(rules, play.trump, leader, state.announced)


def _trick_points(rules: Ruleset, trump: Suit, trick: Trick) -> int:
    return rules.points_of(trump, card_set(trick.cards))


def _seats_of(rules: Ruleset, side: int) -> list[int]:
    return [seat for seat in range(rules.players) if rules.side_of[seat] == side]


def count_deal(rules: Ruleset, state: DealState) -> Count:
    """Return the full count of a deal that was played to its last trick."""
    play, taker = state.play, state.bidding.taker
    assert play is not None
    assert taker is not None
    comparison = _comparison(rules, state, play)
    points = tuple(_trick_points(rules, play.trump, trick) for trick in play.tricks)
    sides = range(rules.side_count)
    cards = [0] * rules.side_count
    tricks = [0] * rules.side_count
    for trick, trick_points in zip(play.tricks, points, strict=True):
        cards[rules.side_of[trick.winner]] += trick_points
        tricks[rules.side_of[trick.winner]] += 1
    cards[rules.side_of[play.tricks[-1].winner]] += rules.value("scoring.last-trick")
    declarations, outranked = _declared(rules, state, comparison)
    belote = tuple(sum(belote_points(rules, state.calls[seat]) for seat in _seats_of(rules, side)) for side in sides)
    tallies = [Tally(cards[i], tricks[i], declarations[i], outranked[i], belote[i]) for i in sides]
    settlement = settle(rules, taker, tallies)
    consulted = state.rules | {*POINT_RULES, *settlement.rules}
    if any(state.announced):
        consulted |= {*comparison.rules, "declarations.shown-in-trick"}
    if any(holds_belote(play.trump, hand) for hand in state.hands):
        consulted |= set(BELOTE_RULES)
    return Count(points, tuple(cards), declarations, outranked, belote, settlement, consulted)


def _declared(rules: Ruleset, state: DealState, comparison: Comparison) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return per side the points of declarations that count after showing, and of those that were outranked."""
    must_show = rules.value("declarations.shown-in-trick") != "none"
    counted = [0] * rules.side_count
    outranked = [0] * rules.side_count
    for seat, declarations in enumerate(state.announced):
        side = rules.side_of[seat]
        if comparison.points[seat] and (seat in state.shown or not must_show):
            counted[side] += comparison.points[seat]
        elif not comparison.points[seat]:
            outranked[side] += sum(declaration.points for declaration in declarations)
    return tuple(counted), tuple(outranked)
