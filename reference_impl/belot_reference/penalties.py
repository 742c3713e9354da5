"""Penalties: whether an accused player played a card that may not be played."""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_reference.cards import Card, CardSet, Suit
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.match import fault_penalised, penalty_for
from belot_reference.play import force_card, legal_noted, start_play
from belot_spec.card_names import CARD_NAMES


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an accusation: the first fault's index, whether the deal ends, and the change of the totals."""

    proved: bool
    at: int | None
    ends_deal: bool
    score: tuple[int, ...]


def judge_accusation(
    rules: Ruleset,
    trump: Suit,
    leader: int,
    hands: Sequence[CardSet],
    plays: Sequence[Card],
    accuser: int,
    accused: int,
    declared: int = 0,
) -> Verdict:
    """Look through the played cards for the accused player's first card outside the legal ones (ruling WB-R18).

    ``score`` is in score points per side, ``declared`` in card points. Raises ``NoPenalty`` where the variant has none.
    """
    state = start_play(rules, trump, hands, leader)
    fault: int | None = None
    fault_penalised(rules)
    for index, card in enumerate(plays):
        seat = state.turn
        if not state.hands[seat] >> card & 1:
            raise BadQuestionError(f"plays: {CARD_NAMES[card]} is not held by seat {seat}")
        if seat == accused and fault is None and not legal_noted(rules, state).cards >> card & 1:
            fault = index
        state = force_card(rules, state, card)
    penalty = penalty_for(rules, accuser, accused, proved=fault is not None, declared=declared)
    return Verdict(fault is not None, fault, penalty.ends_deal, penalty.score)
