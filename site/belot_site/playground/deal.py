"""A deal against sensible players, played again from its beginning whenever the person at the table has chosen."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from belot_reference.actions import Action, BidAction, PlayAction
from belot_reference.automatic import apply_automatically
from belot_reference.bidding import bid_choices, bid_name
from belot_reference.cards import CARD_BY_NAME, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.deal_state import DealState
from belot_reference.errors import BadQuestionError
from belot_reference.opening import open_deal
from belot_reference.play import PlayState, legal_noted, refusing_rule
from belot_reference.questions import bid_named
from belot_reference.recording import action_json, shuffled
from belot_reference.replay import apply_action, must_discard
from belot_reference.simulated import PLAYERS
from belot_spec.card_names import CARD_NAMES

Json = dict[str, Any]

# The seat of the person; the last seat deals.
_PERSON: Final = 0


def play_deal(rules: Ruleset, question: Mapping[str, Any]) -> Json:
    """Return how a deal stands after what the person has chosen so far, up to the next choice or the end.

    The same ``seed`` deals the same cards. What may be announced, shown and said is done by itself.
    """
    state = open_deal(rules, {"dealer": rules.players - 1, **shuffled(rules, Random(question["seed"]))})
    chosen, told = list(question["chosen"]), []
    while state.ended is None:
        action = PLAYERS["sensible"].action(rules, state, question["seed"], claims=False)
        if action.seat == _PERSON and isinstance(action, BidAction | PlayAction):
            if not chosen:
                break
            action = _choice(state, action, chosen.pop(0))
        before = state
        state = (
            apply_automatically(rules, state, action)
            if isinstance(action, PlayAction)
            else apply_action(rules, state, action)
        )
        told.append(_told(before, state, action))
    return {"told": told, **_standing(rules, state)}


def _choice(state: DealState, action: Action, chosen: str) -> Action:
    if isinstance(action, BidAction):
        return BidAction(_PERSON, bid_named(chosen))
    if chosen not in CARD_BY_NAME:
        raise BadQuestionError(f"chosen: {chosen} is no card")
    return PlayAction(_PERSON, CARD_BY_NAME[chosen])


def _told(before: DealState, after: DealState, action: Action) -> Json:
    """Return what was done, with what was announced along with it, and who won the trick if that ended one."""
    said = action_json(action)
    new = {
        seat: [names_of(one.cards) for one in after.announced[seat][len(before.announced[seat]) :]]
        for seat in range(len(after.announced))
        if len(after.announced[seat]) > len(before.announced[seat])
    }
    calls = after.calls[action.seat] if after.calls != before.calls else 0
    trick = {}
    if after.play is not None and before.play is not None and len(after.play.tricks) > len(before.play.tricks):
        last = after.play.tricks[-1]
        trick = {"won": last.winner, "trick": [CARD_NAMES[card] for card in last.cards]}
    said.pop("announce", None)
    return {**said, "announced": new, "calls": calls, **trick}


def _standing(rules: Ruleset, state: DealState) -> Json:
    play = state.play
    if state.ended == "played" and play is not None:
        count = count_deal(rules, state)
        settled = count.settlement
        return {
            "ended": "played",
            "trump": play.mode.name,
            "taker": state.bidding.taker,
            "outcome": settled.outcome,
            "rows": {
                **{row: getattr(count, row) for row in ("cards", "declarations", "belote")},
                **{row: getattr(settled, row) for row in ("counted", "points", "written")},
            },
            "held": settled.held,
        }
    if state.ended is not None:
        return {"ended": state.ended, "winner": state.winner}
    if play is None:
        hands = state.hands if state.dealt is None else state.dealt.hands
        choices = [bid_name(choice) for choice in bid_choices(rules, state.bidding)]
        turned = None if state.turn_up is None else CARD_NAMES[state.turn_up]
        return {"hand": names_of(hands[_PERSON]), "bids": choices, "turn_up": turned}
    return {**_table(rules, state, play), "trump": play.mode.name, "taker": state.bidding.taker}


def _table(rules: Ruleset, state: DealState, play: PlayState) -> Json:
    assert not must_discard(rules, state)
    legal = legal_noted(rules, play)
    hand = play.hands[_PERSON]
    refused = {CARD_NAMES[card]: refusing_rule(rules, play.mode, card, legal) for card in cards_in(hand & ~legal.cards)}
    return {
        "hand": names_of(hand),
        "cards": names_of(legal.cards),
        "refused": refused,
        "rule": legal.rule,
        "leader": play.leader,
        "trick": [CARD_NAMES[card] for card in play.cards],
    }
