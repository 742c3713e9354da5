"""The beginning of a recorded deal: from the deck that was cut, or from the hands or piles that everybody got."""

from collections.abc import Sequence

from belot_reference.auction import taken
from belot_reference.bidding import Bidding
from belot_reference.cards import Card
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.dealing import Known, check_shuffle, cut_deck, deal_before_bidding
from belot_reference.errors import BadQuestionError
from belot_reference.questions import (
    Json,
    check_turn_up,
    contract_named,
    deck_named,
    full_hands_named,
    piles_named,
    seen_named,
    turn_up_named,
)
from belot_reference.replay import begin_play, start_deal
from belot_reference.sentences import say


def shuffled_and_cut(rules: Ruleset, question: Json) -> Sequence[Card]:
    """Return the deck that is dealt from; raises ``BadShuffle`` or ``BadCut``, and ``BadQuestionError``."""
    check_shuffle(rules, question.get("shuffles"))
    return cut_deck(rules, deck_named(rules, question["deck"]), question.get("cut"))


def open_deal(rules: Ruleset, question: Json) -> DealState:
    """Return the deal that a question of ``replay`` begins with, before its first action.

    Raises ``BadShuffle`` or ``BadCut``, and ``BadQuestionError`` for cards that cannot be those of a deal.
    """
    totals = question.get("totals", (0,) * rules.side_count)
    dealer = question["dealer"]
    if "deck" in question:
        dealt = deal_before_bidding(rules, dealer, shuffled_and_cut(rules, question))
        return start_deal(rules, dealer, totals, dealt)
    if ("piles" in question) != rules.open_piles:
        raise BadQuestionError(say("dealt-in", profile=rules.profile.id, what="piles" if rules.open_piles else "hands"))
    if rules.open_piles:
        check_turn_up(rules, "turn_up" in question)
        known = Known(piles=piles_named(rules, question["piles"]))
    else:
        hands = full_hands_named(rules, question["hands"])
        turn_up = turn_up_named(rules, question.get("turn_up"), hands, is_taken="taker" in question)
        before = seen_named(rules, question["before"], hands) if "before" in question else ()
        known = Known(hands, turn_up=turn_up, before=before)
    state = start_deal(rules, dealer, totals, known)
    if "taker" not in question:
        return state
    contract = contract_named(rules, question)
    return begin_play(rules, state, Bidding((), taken(state.bidding.node, contract)), contract)
