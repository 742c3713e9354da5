"""A sample of what the laboratory holds of the kernel: that it plays deals as the engine does, to the last figure."""

from typing import Any

import pytest

from belot_conformance.mistakes.mutations import compile_changed
from belot_reference.simulated import PLAYERS
from belot_spec.spec import Spec
from process_testing import NEEDS_FAST, Lazily
from suite_testing import of_each_variant, ruleset

pytestmark = NEEDS_FAST
equality, layout = Lazily("laboratory.kernel_bar"), Lazily("belot_kernel.layout")
SEED = 20261129
DEALS = 80
# What no variant and no option has: in bids, cards, declarations, points and the end of a match.
HOUSE_RULES: list[tuple[str, dict[str, Any]]] = [
    ("bulgarian-belot", {"bidding.raises": [2], "bidding.after-double": "closed", "match.while-held": "may-end"}),
    ("bela-3", {"play.trick-winner": "highest-card-of-any-suit", "scoring.contract-needs": 82}),
    ("belotten", {"declarations.announced": "automatic", "declarations.per-player": "best"}),
    ("denderbelot", {"scoring.rounding": "rest-to-taker", "scoring.contract-needs": "at-least-half"}),
    ("bela-4", {"match.claim": "enough-when-safe", "declarations.tie": "first-from-taker"}),
    ("belote", {"declarations.belote.calls": "automatic", "play.void.opponent-ruffed": ["any"]}),
]


@of_each_variant
def test_deals_of_a_variant_are_the_engines_to_the_last_field(variant: str) -> None:
    if why_not := layout.not_for_kernel(ruleset(variant)):
        assert why_not.startswith("declarations.played: the kernel does not know the value in-trick")
        return
    for player in PLAYERS:
        assert equality.differing_deals(ruleset(variant), player, SEED, DEALS)[1] == [], player


@pytest.mark.parametrize(("variant", "values"), HOUSE_RULES, ids=lambda one: one if isinstance(one, str) else "")
def test_deals_by_house_rules_are_the_engines_too(spec: Spec, variant: str, values: dict[str, Any]) -> None:
    rules = compile_changed(spec.profile(variant), values, spec)
    for player in PLAYERS:
        assert equality.differing_deals(rules, player, SEED, DEALS)[1] == [], player
