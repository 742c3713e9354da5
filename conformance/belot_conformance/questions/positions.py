"""Positions in which a card is to be played, as questions of ``legal-cards``, and the positions that follow them."""

from collections.abc import Iterable, Iterator
from typing import Any

from belot_reference.cards import Card, names_of
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState
from belot_reference.perft import Plays
from belot_reference.play import PlayState, force_card, start_play
from belot_spec.card_names import CARD_NAMES


def asked_in(state: PlayState) -> dict[str, Any]:
    """Return the question which cards may be played in a position."""
    held, lying = names_of(state.hands[state.turn]), [CARD_NAMES[card] for card in state.cards]
    return {"trump": state.mode.name, "hand": held, "trick": lying}


def following(plays: Plays, level: Iterable[PlayState]) -> dict[PlayState, tuple[PlayState, Card]]:
    """Return what follows some positions by any legal card, each with the first way to it: a position and a card."""
    after: dict[PlayState, tuple[PlayState, Card]] = {}
    for state in level:
        for card in plays.legal(state):
            after.setdefault(without_past(plays.after(state, card)), (state, card))
    return after


def without_past(state: PlayState) -> PlayState:
    """Return a position without the tricks that lie face down: they make no difference to what may be played."""
    return state._replace(tricks=()) if state.tricks else state


def positions_of(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[dict[str, Any]]:
    """Yield the question of each position in which a card of a deal was played; none in open piles, which tell less."""
    if rules.open_piles:
        return
    leader = play.tricks[0].leader if play.tricks else play.leader
    now = start_play(rules, play.mode, [hand & ~state.discarded for hand in state.hands], leader)
    for card in (*(card for trick in play.tricks for card in trick.cards), *play.cards):
        yield asked_in(now)
        now = force_card(rules, now, card)
