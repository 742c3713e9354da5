"""A turn at which a player can only play a card, with nothing to say: most turns of a deal are such ones.

What ``choices`` and ``replay`` make of it, found at once. Wherever something else might be done or come of it, this
says so, and they are asked.
"""

from typing import Final

from belot_reference.cards import EVERY_SUIT, ONLY, Card, CardSet, ranks_of
from belot_reference.choices import announces_with_card
from belot_reference.compile import Ruleset
from belot_reference.counting import enough_in_reach
from belot_reference.deal_state import DealState
from belot_reference.play import PlayState, force_card, legal_now

# What a named tuple's own constructor does, without its keyword arguments.
_new = tuple.__new__
_PLAY: Final = DealState._fields.index("play")
_ENDED: Final = DealState._fields.index("ended")


def plain_cards(rules: Ruleset, state: DealState) -> CardSet | None:
    """Return the cards that the player to move may play, where he can do nothing else; ``None`` where he might."""
    play = state.play
    if play is None or not _is_under_way(state, play):
        return None
    seat = play.turn
    hand = play.hands[seat]
    if _might_say(state, play, hand):
        return None
    if announces_with_card(rules, play) and _might_declare(rules, hand):
        return None
    if state.announced[seat]:
        wanted = rules.value_or("declarations.shown-in-trick", "none")
        if wanted != "none" and len(play.tricks) <= wanted:
            return None
    if rules.value("match.claim") != "played-out" and enough_in_reach(rules, state, play):
        return None
    return legal_now(rules, play)[0]


def after_plain_card(rules: Ruleset, state: DealState, seat: int, card: Card) -> DealState | None:
    """Return the deal after a legal card with which nothing was said.

    ``None`` where the card is not legal, or where more might come of it.
    """
    play = state.play
    if play is None or play.turn != seat or not _is_under_way(state, play):
        return None
    if _might_say(state, play, play.hands[seat]) or not legal_now(rules, play)[0] & ONLY[card]:
        return None
    after = force_card(rules, play, card)
    ended = None if any(after.hands) else "played"
    return _new(DealState, (*state[:_PLAY], after, *state[_PLAY + 1 : _ENDED], ended, *state[_ENDED + 1 :]))


def _is_under_way(state: DealState, play: PlayState) -> bool:
    """Say whether a card lies or a trick was won, so that nobody lays away, exchanges or announces apart any more."""
    return bool(play.cards or play.tricks) and state.ended is None and not state.covered


def _might_say(state: DealState, play: PlayState, hand: CardSet) -> bool:
    """Say whether a player has a king or queen that is or was belote."""
    for pair in play.mode.pairs:  # noqa: SIM110  # asked for every card: a generator takes three times as long
        if hand & pair and state.hands[play.turn] & pair == pair:
            return True
    return False


def _might_declare(rules: Ruleset, hand: CardSet) -> bool:
    """Say whether a hand has a run of three or four of a kind."""
    four, runs = 0xFF, rules.runs
    for suit in EVERY_SUIT:
        ranks = ranks_of(hand, suit)
        if runs[ranks]:
            return True
        four &= ranks
    return four != 0
