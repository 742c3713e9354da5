"""Belote, king and queen of trump in one hand: who may say it, when it counts, and what it is worth.

Where all suits are trumps a player may have several; what he has said is kept by suit.
"""

from typing import Final, NamedTuple

from belot_reference.cards import EVERY_SUIT, Card, CardSet, Suit, suit_of
from belot_reference.compile import Ruleset
from belot_reference.errors import NoBelote
from belot_reference.mode import SUIT, Mode
from belot_reference.play import PlayState, holds_pair_of

# How often a player has said belote of each suit so that it counts.
Calls = tuple[int, ...]
NO_CALLS: Final[Calls] = (0,) * len(EVERY_SUIT)


class Royal(NamedTuple):
    """A card that may be king or queen of trump, as somebody plays it.

    ``dealt`` is the player's full hand, ``held`` what he holds with the card still in it, ``led`` the suit that was led
    before him, if any was. ``taking`` says whether he is of the taker's side.
    """

    mode: Mode
    dealt: CardSet
    held: CardSet
    card: Card
    led: Suit | None
    taking: bool = True


def royal_now(rules: Ruleset, play: PlayState, dealt: CardSet, card: Card, taker: int) -> Royal:
    """Return a card as the player to move plays it."""
    node, seat = play.node, play.turn
    led = suit_of(node.best_led) if node.count else None
    return Royal(play.mode, dealt, play.hands[seat], card, led, rules.partners(seat, taker))


def call_belote(rules: Ruleset, royal: Royal, calls: Calls) -> Calls:
    """Return the calls that count after one more, said with a card; raises ``NoBelote``.

    Where both calls are needed, a call at the second card without one at the first is worth nothing (ruling G-17), and
    where none is needed, one changes nothing.
    """
    if (refusing := _refusing_rule(rules, royal)) is not None:
        raise NoBelote(refusing)
    if rules.given("declarations.belote.calls") == "automatic":
        return calls
    return once_more(calls, royal.card) if _has_both(royal) or calls[suit_of(royal.card)] else calls


def _refusing_rule(rules: Ruleset, royal: Royal) -> str | None:
    """Return the rule by which belote may not be said with a card.

    It may with king or queen of trump, by a player who holds or has held both, unless he throws the card away.
    """
    if rules.has_roem:
        return "declarations.played"
    if not counts_in(rules, royal.mode):
        return "declarations.belote.modes"
    if not _of_right_side(rules, royal):
        return "declarations.belote.side"
    while_held = rules.given("declarations.belote.calls") == "first-card"
    if not holds_pair_of(royal.mode, royal.card, royal.held if while_held else royal.dealt):
        return "declarations.belote.calls"
    return "declarations.belote.discarded" if _is_lost(rules, royal) else None


def _has_both(royal: Royal) -> bool:
    return holds_pair_of(royal.mode, royal.card, royal.held)


def counts_in(rules: Ruleset, mode: Mode) -> bool:
    """Say whether belote counts in a mode."""
    if rules.has_roem:
        return False
    return not rules.has_auction or mode.kind in rules.value_or("declarations.belote.modes", [SUIT])


def _is_lost(rules: Ruleset, royal: Royal) -> bool:
    """Say whether a card is thrown on a suit that is trump in its place, which loses belote."""
    if royal.led is None or royal.mode.trumps[royal.led] == suit_of(royal.card):
        return False
    return bool(rules.value_or("declarations.belote.discarded", "counts") == "lost")


def need_call_belote(rules: Ruleset, royal: Royal) -> bool:
    """Say whether belote may be said with a card, and saying it makes a difference."""
    if rules.has_roem or rules.given("declarations.belote.calls") == "automatic":
        return False
    return _refusing_rule(rules, royal) is None


def calls_itself(rules: Ruleset, royal: Royal) -> bool:
    """Say whether belote counts by playing a card, without being said."""
    if not _has_both(royal) or rules.has_roem or rules.given("declarations.belote.calls") != "automatic":
        return False
    return counts_in(rules, royal.mode) and _of_right_side(rules, royal) and not _is_lost(rules, royal)


def _of_right_side(rules: Ruleset, royal: Royal) -> bool:
    return royal.taking or not rules.has_amounts or bool(rules.given("declarations.belote.side") == "either")


def belote_points(rules: Ruleset, calls: Calls) -> int:
    """Return the card points of a player's belote calls."""
    if rules.has_roem:
        return 0
    needed = 2 if rules.given("declarations.belote.calls") == "both-cards" else 1
    several = sum(said >= needed for said in calls)
    return several * rules.given("declarations.belote.points") if several else 0


def once_more(calls: Calls, card: Card) -> Calls:
    """Return the calls that count after one more of a card's suit."""
    suit = suit_of(card)
    return (*calls[:suit], calls[suit] + 1, *calls[suit + 1 :])
