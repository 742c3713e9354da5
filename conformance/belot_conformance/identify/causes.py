"""Which single values explain a few answers: what makes two differences found apart one and the same.

`causes_of` is for whoever found answers that differ from the rules, one by one, and wants to tell those with the same
cause together: two of them have it if a value of one rule makes both exactly right. Ask it with the first difference
of a cause and a new one; an empty list says that no single value explains both. It is the step that `Search` takes
first, without its weighing: of a few answers none is too improbable, and no answer that is right is looked at, unless
it is given too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from belot_conformance.identify.bench import Bench
from belot_conformance.identify.evidence import Evidence
from belot_conformance.identify.observations import Observation
from belot_conformance.identify.search import Search
from belot_spec.spec import Profile, Spec


@dataclass(frozen=True, slots=True)
class Cause:
    """A rule with the value by which answers are right."""

    rule: str
    value: Any


def causes_of(observations: Sequence[Observation], profile: Profile, spec: Spec) -> list[Cause]:
    """Return each single value of a rule by which all of these answers are exactly right, the likeliest first.

    Empty where no single value explains them, and where they are right by the profile itself or say nothing.
    """
    bench = Bench([profile], observations, spec, {})
    search = Search(bench, Evidence(bench.observations))
    state = bench.state({})
    if state is None or not state.wrong or len(bench.observations) < len(observations):
        return []
    found = [(search.price(slot, value), Cause(slot[0], value)) for slot, value in search.explaining(state) if slot[1]]
    return [cause for _, cause in sorted(found, key=lambda one: one[0])]
