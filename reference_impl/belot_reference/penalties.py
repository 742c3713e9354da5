"""Penalties: whether an accused player played a card that may not be played."""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_reference.cards import Card, CardSet, Suit
from belot_reference.compile import Ruleset
from belot_reference.errors import CardNotHeld
from belot_reference.match import penalty_for
from belot_reference.play import LEGAL_RULES, consulted_by_play, force_card, legal_now, start_play
from belot_spec.card_names import CARD_NAMES


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an accusation: the first fault's index, whether the deal ends, and the change of the totals."""

    proved: bool
    at: int | None
    ends_deal: bool
    score: tuple[int, ...]
    rules: tuple[str, ...]


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
    consulted: set[str] = {"play.trick-winner", *LEGAL_RULES}
    penalty_for(rules, accuser, accused, proved=True)
    for index, card in enumerate(plays):
        seat = state.turn
        if not state.hands[seat] >> card & 1:
            raise CardNotHeld((seat, CARD_NAMES[card]), state, None, consulted)
        if seat == accused and fault is None:
            legal, rule = legal_now(rules, state)
            consulted.update(consulted_by_play(state, rule))
            if not legal >> card & 1:
                fault = index
        state = force_card(rules, state, card)
    penalty = penalty_for(rules, accuser, accused, proved=fault is not None, declared=declared)
    return Verdict(fault is not None, fault, penalty.ends_deal, penalty.score, (*penalty.rules, *sorted(consulted)))
