"""Choosing the deal from which each variant is taught: sensible players, and nothing out of the ordinary."""

from random import Random
from typing import Any, Final

from belot_conformance.recording.played import PlayedDeal, tell
from belot_reference.compile import Ruleset
from belot_reference.opening import open_deal
from belot_reference.recording import action_json, shuffled
from belot_reference.replay import apply_action
from belot_workshop.impact.players import PLAYERS

_DEALS: Final = 1500
_A_LITTLE: Final = 24


def best_lesson(rules: Ruleset, deals: int = _DEALS) -> dict[str, Any]:
    """Return the input of ``replay`` for the deal that teaches a game best, of so many random ones.

    The dealer sits last. Raises ``ValueError`` if none of them is natural.
    """
    found = []
    for seed in range(deals):
        question = _natural(rules, seed)
        if question is not None:
            found.append((_weight(tell(rules, seed, question)), seed, question))
    if not found:
        raise ValueError(f"{rules.profile.id}: none of {deals} deals is natural")
    return min(found, key=lambda one: one[:2])[2]


def is_natural(deal: PlayedDeal) -> bool:
    """Say whether a deal is ordinary: one declaration, belote, tricks on every side, and the taker makes it."""
    count, rules = deal.count, deal.rules
    announced = sum(len(one.declarations) for one in deal.announcements)
    announced += sum(len(play.announced) + len(play.made) for trick in deal.tricks for play in trick.plays)
    sides = {rules.side_of[trick.winner] for trick in deal.tricks}
    made = count.settlement.outcome == "made" and not count.settlement.held
    return announced == 1 and any(count.belote) and len(sides) == rules.side_count and made


def _natural(rules: Ruleset, seed: int) -> dict[str, Any] | None:
    """Return a deal of sensible players if it is natural; most are not, which is seen before it is told."""
    random = Random(f"lesson {rules.profile.id} {seed}")
    opening = {"dealer": rules.players - 1, **shuffled(rules, random)}
    state, actions = open_deal(rules, opening), []
    while state.ended is None:
        action = PLAYERS["sensible"].action(rules, state, seed, claims=False)
        actions.append(action_json(action))
        state = apply_action(rules, state, action)
    question = {**opening, "actions": actions}
    if state.ended != "played" or not any(state.calls):
        return None
    return question if is_natural(tell(rules, seed, question)) else None


def _weight(deal: PlayedDeal) -> tuple[bool, bool, int, int]:
    """Return how far a deal is from the best lesson: trump named at once, won by much, few rules that bind."""
    counted, side = deal.count.settlement.counted, deal.rules.side_of[deal.taker]
    lead = 2 * counted[side] - sum(counted)
    rules = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
    return len(deal.bids) == 1, lead > _A_LITTLE, -len(rules), lead
