"""Compiled profiles, and random deals that are legal from the first bid to the last card."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from belot_reference.cards import cards_in
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.recording import Shuffled, record_deal
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec

# A run in CI repeats exactly; at home every run looks at new examples. How long one takes says nothing about it.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("home", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")

OPTIONS = (
    "bela-4+no-shared-cards",
    "bela-4+length-counts+belot-as-quint",
    "belotten+undertrump-forced",
)
PROFILES = (*default_spec().nameable(), *OPTIONS)
Recording = dict[str, Any]


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
def random_recording() -> Callable[[Ruleset, Random], Recording]:
    """Return a function that records random deals until one is played to its last trick."""
    return _random_recording


def _random_recording(rules: Ruleset, rng: Random) -> Recording:
    while True:
        deck = list(cards_in(rules.deck))
        rng.shuffle(deck)
        least = rules.value("deal.cut-minimum")
        cut = rng.randrange(least, len(deck) - least + 1)
        recording, state = record_deal(rules, Shuffled(rng.randrange(rules.players), deck, cut), rng.choice)
        if state.ended == "played":
            return recording
