"""Deals in which nobody has to say anything: each seat announces, shows and says belote by itself, when it may."""

from collections.abc import Sequence

from belot_reference.actions import Action, AnnounceAction, PlayAction
from belot_reference.belote import need_call_belote, royal_now
from belot_reference.cards import CardSet
from belot_reference.choices import announces_apart, announces_with_card, makeable, may_show
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.declarations import counted_by_themselves
from belot_reference.errors import BadQuestionError, Refusal, Unfinished, within
from belot_reference.play import PlayState
from belot_reference.replay import apply_action, must_discard


def apply_all_automatically(rules: Ruleset, state: DealState, actions: Sequence[Action]) -> DealState:
    """Return the deal after a recording in which only bids and cards are told; see ``apply_all``."""
    done = 0
    try:
        for action in actions:
            state = apply_automatically(rules, state, action)
            done += 1
        state = _announced(rules, state)
        if state.ended is None:
            raise Unfinished
    except Refusal as refusal:
        refusal.at = done
        raise
    except BadQuestionError as error:
        raise within(error, f"actions.{done}") from None
    return state


def apply_automatically(rules: Ruleset, state: DealState, action: Action) -> DealState:
    """Return the deal after a bid or a card, with all that everybody may announce, show and say along with it."""
    if not isinstance(action, PlayAction):
        return apply_action(rules, state, action)
    state = _announced(rules, state)
    if state.play is None or state.ended is not None or action.seat != state.play.turn:
        return apply_action(rules, state, action)
    return apply_action(rules, state, with_all_said(rules, state, state.play, action))


def _announced(rules: Ruleset, state: DealState) -> DealState:
    """Let every seat announce before the first lead, where the rules want it then."""
    play = state.play
    if play is None or state.ended or state.heard or must_discard(rules, state) or not announces_apart(rules, play):
        return state
    for step in range(rules.players):
        seat = (play.turn + step) % rules.players
        found = counted_by_themselves(rules, play.hands[seat], play.mode)
        if found and state.ended is None:
            cards = tuple(declaration.cards for declaration in found)
            state = apply_action(rules, state, AnnounceAction(seat, cards))
    return state


def with_all_said(rules: Ruleset, state: DealState, play: PlayState, action: PlayAction) -> PlayAction:
    """Return a card with all that may be said, shown and made with it."""
    seat, card = action.seat, action.card
    announce: tuple[CardSet, ...] = ()
    if not play.tricks and announces_with_card(rules, play):
        found = counted_by_themselves(rules, play.hands[seat], play.mode)
        announce = tuple(declaration.cards for declaration in found)
    belote = need_call_belote(rules, royal_now(play, state.hands[seat], card))
    show = may_show(rules, state, play, announces=bool(announce))
    return PlayAction(seat, card, announce, belote, show, makeable(rules, state, play, card))
