"""What a change of the rules is worth to people: in how many deals it decides otherwise, where that says something."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from belot_conformance.rules.reading import value_text
from belot_spec.spec import Spec
from belot_spec.worth import Worth, variant_worth

# Other packets deal other cards from the same deck, and another unit writes other figures for the same points: nearly
# every deal then ends otherwise, and that says nothing of the rule.
_SAYS_NOTHING: Final = ("deal.", "scoring.sheet-unit", "scoring.rounding")


def telling(spec: Spec, variant: str) -> Iterator[Worth]:
    """Yield the changes of a variant whose figures hold, were measured with sensible players, and say something."""
    for one in variant_worth(spec, variant).fresh():
        changed = spec.options_of(variant)[one.option].settings if one.option else (one.rule or "", *one.also)
        figures = one.players.get("sensible")
        if figures and figures.deals and not any(rule.startswith(_SAYS_NOTHING) for rule in changed):
            yield one


@cache
def shares(spec: Spec, variant: str) -> Mapping[tuple[str, str], float]:
    """Return the share of deals that another value of a rule decides otherwise, by rule and the value as a text."""
    return {(one.rule, value_text(one.value)): one.share() for one in telling(spec, variant) if one.rule}
