"""Compiled profiles, and random deals that are legal from the first bid to the last card."""

import os
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from belot_reference.cards import cards_in
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.deal import DealState
from belot_reference.replay import ATTENTIVE, Habits, opening, record_deal
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec

# A run in CI repeats exactly; at home every run looks at new examples. How long one takes says nothing about it.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("home", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")

# Every variant, some with an option that changes what a deal is.
PROFILES = (
    "bela-2", "bela-3", "bela-4+length-counts+belot-as-quint", "bela-4+no-shared-cards", "belote",
    "belotten+undertrump-forced", "bulgarian-belot", "coinche", "contree", "denderbelot-3", "denderbelot", "open-belot",
)  # fmt: skip
Recorded = tuple[dict[str, Any], DealState]


@pytest.fixture(scope="session")
def spec() -> Spec:
    return default_spec()


@pytest.fixture(scope="session", params=PROFILES)
def rules(request: pytest.FixtureRequest, spec: Spec) -> Ruleset:
    return compile_profile(spec.profile(request.param))


@pytest.fixture(scope="session")
def ruleset_of(spec: Spec) -> Callable[[str], Ruleset]:
    """Return a function that compiles a profile by its name."""
    return lambda name: compile_profile(spec.profile(name))


@pytest.fixture(scope="session")
def house(spec: Spec) -> Callable[[str, Mapping[str, Any]], Ruleset]:
    """Return a function that compiles a profile with other values of some rules."""
    return lambda base, values: compile_profile(spec.profile(base).with_values("house", values, spec.rules))


@pytest.fixture(scope="session")
def recorded() -> Callable[..., Recorded]:
    """Return a function that records a deal by random players."""
    return _recorded


def _recorded(
    rules: Ruleset, random: Random, habits: Habits = ATTENTIVE, totals: Sequence[int] = (), *, played: bool = False
) -> Recorded:
    while True:
        deck = list(cards_in(rules.deck))
        random.shuffle(deck)
        least = rules.value("deal.cut-minimum")
        cut = random.randrange(least, len(deck) - least + 1)
        found = record_deal(rules, opening(random.randrange(rules.players), deck, cut, totals), random.choice, habits)
        if found[1].ended == "played" or not played:
            return found
