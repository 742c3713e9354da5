"""Compiled profiles, and random deals that are legal from the first bid to the last card."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from belot_reference.cards import CARD_NAMES, SUITS, cards_in, names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.declarations import belote_points, possible_sets
from belot_reference.operations import answer
from belot_reference.play import first_leader, force_card, holds_belote, legal_cards, start_play, turn
from belot_reference.spec import Spec, default_spec

PROFILES = (
    "bela-4",
    "bela-4+no-shared-cards",
    "bela-4+length-counts+belot-as-quint",
    "belotten",
    "belotten+undertrump-forced",
)
Recording = dict[str, Any]

# A run in CI repeats exactly; at home every run looks at new examples.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def spec() -> Spec:
    return default_spec()


@pytest.fixture(scope="session", params=PROFILES)
def rules(request: pytest.FixtureRequest, spec: Spec) -> Ruleset:
    return compile_profile(spec.profile(request.param))


@pytest.fixture(scope="session")
def ruleset_of(spec: Spec) -> Callable[[str], Ruleset]:
    return lambda name: compile_profile(spec.profile(name))


@pytest.fixture(scope="session")
def random_recording() -> Callable[[Ruleset, Random], Recording]:
    """Return a function that records a deal in which somebody takes, everybody announces, shows and says belote."""
    return _random_recording


def _random_recording(rules: Ruleset, rng: Random) -> Recording:
    deck = list(cards_in(rules.deck))
    rng.shuffle(deck)
    dealer, cut = rng.randrange(rules.players), rng.randrange(1, len(deck))
    start = {"dealer": dealer, "deck": [CARD_NAMES[card] for card in deck], "cut": cut}
    taker = rng.randrange(rules.players)
    dealt = answer("deal", rules, {**start, "taker": taker}).result
    assert dealt is not None
    actions: list[dict[str, Any]] = []
    bids: list[str] = []
    trump = ""
    while not trump:
        question = {"dealer": dealer, "bids": bids}
        if dealt["turn_up"]:
            question["turn_up"] = dealt["turn_up"]
        state = answer("bidding", rules, question).result
        assert state is not None
        wants = state["turn"] == taker or "pass" not in state["choices"]
        said = rng.choice([choice for choice in state["choices"] if choice != "pass"]) if wants else "pass"
        actions.append({"seat": state["turn"], "bid": said})
        bids.append(said)
        if said != "pass":
            taker, trump = state["turn"], said
    dealt = answer("deal", rules, {**start, "taker": taker}).result
    assert dealt is not None
    actions += _random_play(rules, rng, dealt["hands"], SUITS.index(trump), first_leader(rules, dealer, taker))
    return {**start, "actions": actions}


def _random_play(rules: Ruleset, rng: Random, hands: list[list[str]], trump: int, leader: int) -> list[dict[str, Any]]:
    masks = [sum(1 << CARD_NAMES.index(card) for card in hand) for hand in hands]
    announced = {seat: rng.choice(possible_sets(rules, hand) or [()]) for seat, hand in enumerate(masks)}
    state = start_play(trump, masks, leader)
    actions: list[dict[str, Any]] = []
    while any(state.hands):
        seat = turn(rules, state.table)
        hand = state.hands[seat]
        card = rng.choice(list(cards_in(legal_cards(rules, trump, hand, state.table).cards)))
        action: dict[str, Any] = {"seat": seat, "play": CARD_NAMES[card]}
        if hand == masks[seat] and announced[seat]:
            action["announce"] = [names_of(declaration.cards) for declaration in announced[seat]]
        shown_in = rules.value("declarations.shown-in-trick")
        if shown_in != "none" and len(state.tricks) + 1 == shown_in and announced[seat]:
            action["show"] = True
        if holds_belote(trump, masks[seat]) and CARD_NAMES[card] in ("K" + SUITS[trump], "Q" + SUITS[trump]):
            first = holds_belote(trump, hand)
            if first or belote_points(rules, 1) == 0:
                action["belote"] = True
        actions.append(action)
        state = force_card(rules, state, card)
    return actions
