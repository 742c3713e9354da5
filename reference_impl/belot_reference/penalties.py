"""Penalties: whether an accused player played a card that may not be played."""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_reference.cards import Card, holds
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.match import Accusation, fault_penalised, penalty_for
from belot_reference.play import PlayState, force_card, legal_noted
from belot_spec.card_names import CARD_NAMES


@dataclass(frozen=True, slots=True)
class AccusationOutcome:
    """The outcome of an accusation: the first fault's index, whether the deal ends, and the change of the totals."""

    proved: bool
    at: int | None
    ends_deal: bool
    score: tuple[int, ...]


def judge_accusation(
    rules: Ruleset, state: PlayState, plays: Sequence[Card], accuser: int, accused: int, declared: int = 0
) -> AccusationOutcome:
    """Look through the cards played from ``state`` on for the accused player's first illegal one (ruling WB-R18).

    ``score`` is in score points per side, ``declared`` in card points. Raises ``NoPenalty`` where the variant has none.
    """
    fault: int | None = None
    fault_penalised(rules)
    for index, card in enumerate(plays):
        seat = state.turn
        if not holds(state.hands[seat], card):
            raise BadQuestionError(f"plays: {CARD_NAMES[card]} is not held by seat {seat}")
        if seat == accused and fault is None and not holds(legal_noted(rules, state).cards, card):
            fault = index
        state = force_card(rules, state, card)
    penalty = penalty_for(rules, Accusation(accuser, accused, fault is not None, declared, state.mode))
    return AccusationOutcome(fault is not None, fault, penalty.ends_deal, penalty.score)
