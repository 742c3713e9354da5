"""Announcing declarations in a deal: apart before the first lead or along with a card, and winning the match by it."""

from belot_reference.actions import AnnounceAction, PlayAction
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.declarations import (
    Declaration,
    check_announcement,
    count_in,
    counted_by_themselves,
    wins_match,
)
from belot_reference.errors import AnnouncedLate, NotYourTurn, WrongPhase
from belot_reference.play import PlayState, has_begun


def announce_before_lead(rules: Ruleset, state: DealState, play: PlayState, action: AnnounceAction) -> DealState:
    """Announce apart from any card, in turn from the seat that leads; whoever is silent is passed over (BL-R7)."""
    if rules.value("declarations.played") != "all":
        raise WrongPhase("declarations.played")
    if not count_in(rules, play.mode):
        raise WrongPhase("declarations.modes")
    if rules.value("declarations.announced") != "before-first-lead":
        raise WrongPhase("declarations.announced")
    if has_begun(play):
        raise AnnouncedLate("declarations.announced")
    step = (action.seat - play.turn) % rules.players
    if step < state.heard:
        raise NotYourTurn("declarations.announced")
    found = check_announcement(rules, play.hands[action.seat], action.declarations, play.mode)
    announced = (*state.announced[: action.seat], found, *state.announced[action.seat + 1 :])
    after = state._replace(announced=announced, heard=step + 1)
    return won_by_eight(rules, after, play, action.seat)


def announce_with_card(
    rules: Ruleset, state: DealState, play: PlayState, action: PlayAction
) -> tuple[tuple[Declaration, ...], ...]:
    """Return all that each seat has announced, once a player has announced along with his card."""
    seat = action.seat
    when = rules.value_or("declarations.announced", "with-any-card")
    if when == "automatic":
        raise WrongPhase("declarations.announced")
    if when == "before-first-lead" or (play.tricks and when == "with-first-card"):
        raise AnnouncedLate("declarations.announced")
    found = check_announcement(rules, play.hands[seat], action.announce, play.mode, state.announced[seat])
    return (*state.announced[:seat], (*state.announced[seat], *found), *state.announced[seat + 1 :])


def announces_itself(rules: Ruleset, play: PlayState) -> bool:
    """Say whether what the players hold is about to count by itself: where nobody announces, at the first card."""
    return bool(not has_begun(play) and rules.value_or("declarations.announced", None) == "automatic")


def announced_by_itself(rules: Ruleset, state: DealState, play: PlayState) -> DealState:
    """Return the deal once everybody's declarations count by themselves; the match may be won by eight in a row."""
    announced = tuple(counted_by_themselves(rules, hand, play.mode) for hand in play.hands)
    after = state._replace(announced=announced)
    for step in range(rules.players):
        if after.ended is None:
            after = won_by_eight(rules, after, play, (play.turn + step) % rules.players)
    return after


def won_by_eight(rules: Ruleset, state: DealState, play: PlayState, seat: int) -> DealState:
    """Return the state after a seat has announced: the match is won if eight in a row wins it."""
    if any(wins_match(rules, declaration, play.mode) for declaration in state.announced[seat]):
        return state._replace(ended="belot", winner=rules.side_of[seat])
    return state
