"""A whole deal, action by action: bidding, laying away, announcing, playing, showing, belote and claims."""

from collections.abc import Sequence
from typing import Final

from belot_reference.actions import (
    Action,
    AnnounceAction,
    BidAction,
    ClaimAction,
    DiscardAction,
    ExchangeAction,
    LookAction,
    PlayAction,
)
from belot_reference.announcing import (
    announce_before_lead,
    announce_with_card,
    announced_by_itself,
    announces_itself,
    won_by_eight,
)
from belot_reference.belote import NO_CALLS, call_belote, calls_itself, once_more, royal_now
from belot_reference.bidding import Bidding, bid, start_bidding
from belot_reference.cards import EVERY_CARD, ONLY, CardSet, card_at, holds, suit_of, union
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.counting import comparison_of, contract_is_safe, taken_so_far
from belot_reference.deal_state import DealState, Ending
from belot_reference.dealing import Dealt, Known, check_cards, deal_after_bidding, open_cards
from belot_reference.declarations import turned_points
from belot_reference.errors import (
    BadDiscard,
    BadQuestionError,
    CardNotHeld,
    ClaimFalse,
    ClaimNotAllowed,
    DealOver,
    NoExchange,
    NothingToShow,
    NotMade,
    NotYourTurn,
    Refusal,
    Unfinished,
    WrongPhase,
    WrongTimeToShow,
    within,
)
from belot_reference.match import winner_of
from belot_reference.play import (
    WAITING_RULES,
    PlayState,
    first_leader,
    force_card,
    has_begun,
    holds_belote,
    legal_now,
    look_at,
    play_card,
    start_play,
)
from belot_reference.scoring import score_points
from belot_reference.sentences import say
from belot_reference.tricks import Duty
from belot_spec.card_names import RANKS

SEVEN: Final = RANKS.index("7")
_NOTHING_SAID: Final = PlayAction(0, EVERY_CARD[0])[2:]


def start_deal(rules: Ruleset, dealer: int, totals: Sequence[int], cards: Dealt | Known) -> DealState:
    """Return a deal before the first bid, either just dealt or with all cards known beforehand."""
    dealt = cards if isinstance(cards, Dealt) else None
    bidding = start_bidding(rules, dealer, None if cards.turn_up is None else suit_of(cards.turn_up))
    full = cards.hands if isinstance(cards, Known) else ()
    hands = tuple(map(open_cards, cards.piles) if cards.piles else full)
    seen = cards.hands if isinstance(cards, Dealt) else cards.before or hands
    return DealState(
        dealt=dealt,
        turn_up=cards.turn_up,
        covered={top: under for seat in cards.piles for top, under in seat},
        totals=tuple(totals),
        bidding=bidding,
        hands=hands,
        before=tuple(seen),
        play=None,
        announced=((),) * rules.players,
        shown=(0,) * rules.players,
        calls=(NO_CALLS,) * rules.players,
        made=(0,) * rules.players,
    )


def apply_action(rules: Ruleset, state: DealState, action: Action) -> DealState:
    """Return the deal after an action; raises a ``Refusal`` for one that is not allowed.

    An action of a seat or in a suit that does not exist raises ``BadQuestionError``.
    """
    rules.check_seat("seat", action.seat)
    if state.ended is not None:
        raise DealOver
    if isinstance(action, BidAction):
        return _bid(rules, state, action)
    if state.play is None:
        raise WrongPhase("bidding.rounds")
    match action:
        case PlayAction():
            return _play(rules, state, state.play, action)
        case AnnounceAction():
            if must_discard(rules, state):
                raise WrongPhase("deal.taker-discards")
            return announce_before_lead(rules, state, state.play, action)
        case DiscardAction():
            return _discard(rules, state, state.play, action)
        case ExchangeAction():
            return _exchange(rules, state, state.play, action)
        case LookAction():
            look_at(rules, state.play, action.trick)
            return state
        case ClaimAction():
            return _claim(rules, state, state.play, action)


def apply_all(rules: Ruleset, state: DealState, actions: Sequence[Action]) -> DealState:
    """Return the deal after a whole recording.

    Raises a ``Refusal`` of the first action that is not allowed, with its index in ``at``; that is the number of
    actions if the recording stops early.
    """
    index = 0
    try:
        while index < len(actions):
            state, after = _play_plain_cards(rules, state, actions, index)
            if after == index:
                state = apply_action(rules, state, actions[index])
                after += 1
            index = after
        if state.ended is None:
            raise Unfinished
    except Refusal as refusal:
        refusal.at = index
        raise
    except BadQuestionError as error:
        raise within(error, f"actions.{index}") from None
    return state


def _play_plain_cards(rules: Ruleset, state: DealState, actions: Sequence[Action], start: int) -> tuple[DealState, int]:
    """Play legal cards with which nothing is said or shown, as many as follow one another.

    What ``apply_action`` would do, without a state for each card: most actions of a deal are such cards. Stops before
    any other action, and before one that is not allowed.
    """
    play = state.play
    if play is None or state.covered or state.ended or must_discard(rules, state) or announces_itself(rules, play):
        return state, start
    duties: dict[str, Duty] = {}
    royals, waiting = union(play.mode.pairs), False
    index = start
    for action in actions[start:]:
        if not isinstance(action, PlayAction) or action[2:] != _NOTHING_SAID or not any(play.hands):
            break
        seat = play.turn
        legal, duty = legal_now(rules, play)
        if action.seat != seat or action.card < 0 or not holds(legal, action.card):
            break
        if play.hands[seat] & royals and holds_belote(play.mode, play.hands[seat]):
            if calls_itself(rules, royal_now(play, state.hands[seat], action.card)):
                break
            waiting = True
        duties[duty.rule] = duty
        play = force_card(rules, play, action.card)
        index += 1
    if index == start:
        return state, start
    for duty in duties.values():
        rules.note(duty.read)
    if waiting:
        rules.note(WAITING_RULES)
    ended: Ending | None = None if any(play.hands) else "played"
    return state._replace(play=play, ended=ended), index


def must_discard(rules: Ruleset, state: DealState) -> bool:
    """Say whether the taker has still to lay cards away, which comes before the first card."""
    if state.discarded or state.play is None or has_begun(state.play):
        return False
    return bool(rules.value_or("deal.taker-discards", 0))


def _bid(rules: Ruleset, state: DealState, action: BidAction) -> DealState:
    if state.play is not None:
        raise WrongPhase("bidding.rounds")
    bidding = bid(rules, state.bidding, action.said, action.seat)
    if bidding.state == "failed":
        return state._replace(bidding=bidding, ended="passed")
    if bidding.contract is None:
        return state._replace(bidding=bidding)
    return begin_play(rules, state, bidding, bidding.contract)


def begin_play(rules: Ruleset, state: DealState, bidding: Bidding, contract: DealContract) -> DealState:
    """Return the deal before its first card, once somebody has taken; see ``deal_after_bidding``."""
    taker = contract.taker
    hands = state.hands if state.dealt is None else deal_after_bidding(rules, state.dealt, taker)
    leader = first_leader(rules, bidding.dealer, taker)
    if any(hand.bit_count() > hands[taker].bit_count() for hand in hands):
        raise BadQuestionError(say("left-over", of="hands"))
    play = start_play(rules, contract.mode, hands, leader)
    return state._replace(bidding=bidding, hands=hands, play=play)


def _discard(rules: Ruleset, state: DealState, play: PlayState, action: DiscardAction) -> DealState:
    """Lay cards away; they count as the taker's card points but are no trick (ruling BL3-R1)."""
    wanted = rules.value_or("deal.taker-discards", 0)
    if not wanted or state.discarded or has_begun(play):
        raise WrongPhase("deal.taker-discards")
    if action.seat != state.bidding.taker:
        raise NotYourTurn("deal.taker-discards")
    if action.cards & ~play.hands[action.seat]:
        raise CardNotHeld
    if action.cards.bit_count() != wanted:
        raise BadDiscard("deal.taker-discards")
    after = _with_hand(state, play, action.seat, play.hands[action.seat] & ~action.cards)
    return after._replace(discarded=action.cards)


def _exchange(rules: Ruleset, state: DealState, play: PlayState, action: ExchangeAction) -> DealState:
    """Exchange the seven of trump for the turn-up (rulings BL2-R2 and BL2-R4)."""
    if has_begun(play) or state.heard:
        raise WrongPhase("deal.seven-exchange")
    turn_up = state.turn_up
    if turn_up is None or not may_exchange(rules, state, play, action.seat):
        raise NoExchange("deal.seven-exchange")
    seven = card_at(SEVEN, suit_of(turn_up))
    hand = play.hands[action.seat] & ~ONLY[seven] | ONLY[turn_up]
    after = _with_hand(state, play, action.seat, hand)
    return after._replace(turn_up=seven)


def may_exchange(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> bool:
    """Say whether a seat may exchange the seven of trump: it is among the cards that the seat saw while bidding."""
    allowed = rules.value_or("deal.seven-exchange", "none") == "when-turned-suit-taken"
    if not allowed or has_begun(play) or state.heard or state.turn_up is None:
        return False
    turned = suit_of(state.turn_up)
    return play.mode.is_trump(turned) and holds(state.before[seat] & play.hands[seat], card_at(SEVEN, turned))


def _with_hand(state: DealState, play: PlayState, seat: int, hand: CardSet) -> DealState:
    """Return the state with another hand for a seat, before the first card is played."""
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    return state._replace(hands=hands, play=play._replace(hands=hands))


def _play(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> DealState:
    """Play a card with all that is said and shown with it."""
    seat = action.seat
    if must_discard(rules, state):
        raise WrongPhase("deal.taker-discards")
    if seat != play.turn:
        raise NotYourTurn("play.trick-winner")
    check_cards("play", [action.card])
    announced = announce_with_card(rules, state, play, action) if action.announce else state.announced
    after = play_card(rules, play, seat, action.card)
    if announces_itself(rules, play):
        state = announced_by_itself(rules, state, play)
        announced = state.announced
    said, royal = state.calls[seat], royal_now(play, state.hands[seat], action.card)
    if action.belote:
        said = call_belote(rules, royal, said)
    if calls_itself(rules, royal):
        said = once_more(said, action.card)
    calls = state.calls if said is state.calls[seat] else (*state.calls[:seat], said, *state.calls[seat + 1 :])
    shown = state.shown
    if action.show:
        _check_show(rules, state, play, action)
        shown = _at(shown, seat, len(play.tricks) + 1)
    after, made = _turn_card(rules, state, after, action)
    changed = state._replace(play=after, announced=announced, calls=calls, shown=shown, made=made)
    return _ended(rules, changed, after, action)


def _at(numbers: tuple[int, ...], seat: int, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])


def _turn_card(
    rules: Ruleset, state: DealState, after: PlayState, action: PlayAction
) -> tuple[PlayState, tuple[int, ...]]:
    """Turn the card that the played one covered; return the play, and the points made with what is claimed for it."""
    turned = state.covered.get(action.card)
    if turned is not None:
        hand = after.hands[action.seat] | ONLY[turned]
        after = after._replace(hands=(*after.hands[: action.seat], hand, *after.hands[action.seat + 1 :]))
    made = state.made
    for kind in action.made:
        points = None if turned is None else turned_points(rules, kind, after.hands[action.seat], turned)
        if points is None:
            raise NotMade("declarations.turned-sequence")
        made = _at(made, action.seat, made[action.seat] + points)
    return after, made


def _check_show(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> None:
    """Refuse to show nothing, or at the wrong time."""
    wanted = rules.value_or("declarations.shown-in-trick", "none")
    if wanted == "none":
        return
    if not state.announced[action.seat] and not action.announce:
        raise NothingToShow("declarations.shown-in-trick")
    late = len(play.tricks) + 1 - wanted
    if late and not (late == 1 and has_second_chance(rules, state, play, action.seat)):
        raise WrongTimeToShow("declarations.shown-in-trick")


def has_second_chance(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> bool:
    """Say whether a seat may show one trick later: the winner of the comparison, an opponent, has not shown."""
    if rules.value("declarations.not-shown") != "second-chance":
        return False
    winner = comparison_of(rules, state, play).winner
    return winner is not None and not state.shown[winner] and not rules.partners(winner, seat)


def _ended(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> DealState:
    """Return the state with its ending, if this card (or what was announced with it) ends the deal."""
    if action.announce:
        state = won_by_eight(rules, state, play, action.seat)
    return state if state.ended or any(play.hands) else state._replace(ended="played")


def _claim(rules: Ruleset, state: DealState, play: PlayState, action: ClaimAction) -> DealState:
    """Settle a claim of *enough* on completed tricks (rulings BL-R11 and BL-R13)."""
    if rules.value("match.claim") == "played-out":
        raise ClaimNotAllowed("match.claim")
    side, taker = rules.side_of[action.seat], state.bidding.taker
    taken = taken_so_far(rules, state, play, side)
    own = state.totals[side] + score_points(rules, taken)
    totals = tuple(own if index == side else -1 for index in range(rules.side_count))
    if taken == 0 or winner_of(rules, totals, None) != side:
        raise ClaimFalse("match.claim")
    takes = taker is not None and side == rules.side_of[taker]
    only_when_safe = takes and rules.value("match.claim") == "enough-when-safe"
    if only_when_safe and not contract_is_safe(rules, state, play):
        raise ClaimFalse("match.claim")
    return state._replace(ended="claim", winner=side, taken=taken)
