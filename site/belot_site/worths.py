"""What a change of the rules is worth to people: in how many deals it decides otherwise, where that was measured."""

from collections.abc import Iterator, Mapping
from functools import cache

from belot_conformance.rules.reading import value_text
from belot_spec.spec import Spec
from belot_spec.worth import Worth, variant_worth


def telling(spec: Spec, variant: str) -> Iterator[Worth]:
    """Yield the changes of a variant whose figures hold and were measured with sensible players."""
    for one in variant_worth(spec, variant).fresh():
        figures = one.players.get("sensible")
        if figures and figures.deals:
            yield one


@cache
def shares(spec: Spec, variant: str) -> Mapping[tuple[str, str], float]:
    """Return the share of deals that another value of a rule decides otherwise, by rule and the value as a text."""
    return {(one.rule, value_text(one.value)): one.share() for one in telling(spec, variant) if one.rule}
