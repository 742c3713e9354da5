"""One moment of a recorded deal: what a player held, and what lay on the table."""

from collections.abc import Mapping
from typing import Any

from belot_reference.cards import names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.errors import Refusal
from belot_reference.opening import open_deal
from belot_reference.questions import action_of
from belot_reference.replay import apply_action
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import BelotError
from belot_spec.spec import Profile


def moment_before(operation: str, profile: Profile, question: Mapping[str, Any], at: int) -> dict[str, Any]:
    """Return the hand of whoever does the action at a place, and the trick on the table; nothing before the play."""
    actions = question.get("actions", ())
    if operation != "replay" or at >= len(actions):
        return {}
    rules = _compiled(profile)
    try:
        state = open_deal(rules, question)
        for action in actions[:at]:
            state = apply_action(rules, state, action_of(action))
    except (Refusal, BelotError):
        return {}
    if state.play is None:
        return {"hand": names_of(state.before[actions[at]["seat"]])}
    trick = [CARD_NAMES[card] for card in state.play.cards]
    return {"hand": names_of(state.play.hands[actions[at]["seat"]]), **({"trick": trick} if trick else {})}


_compiled_before: dict[str, tuple[Profile, Ruleset]] = {}


def _compiled(profile: Profile) -> Ruleset:
    """Compile a profile once; house rules of the same name may be others."""
    known, rules = _compiled_before.get(profile.id, (None, None))
    if known is not profile or rules is None:
        rules = compile_profile(profile)
        _compiled_before[profile.id] = (profile, rules)
    return rules
