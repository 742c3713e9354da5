"""Belote, king and queen of trump in one hand: who may say it, when it counts, and what it is worth."""

from belot_reference.cards import Card, CardSet
from belot_reference.compile import Ruleset
from belot_reference.errors import NoBelote
from belot_reference.mode import Mode
from belot_reference.play import holds_pair_of


def call_belote(rules: Ruleset, mode: Mode, dealt: CardSet, held: CardSet, card: Card, calls: int) -> int:
    """Return the number of calls that count after one more, said with a card; raises ``NoBelote``.

    ``dealt`` is the player's full hand, ``held`` what he holds with the card still in it. Where both calls are
    needed, a call at the second card without one at the first is worth nothing (ruling G-17), and where none is
    needed, one changes nothing.
    """
    if not may_call_belote(rules, mode, dealt, held, card):
        raise NoBelote("declarations.belote.calls")
    if rules.value("declarations.belote.calls") == "automatic":
        return calls
    return calls + 1 if holds_pair_of(mode, card, held) or calls else calls


def may_call_belote(rules: Ruleset, mode: Mode, dealt: CardSet, held: CardSet, card: Card) -> bool:
    """Say whether belote may be said with a card: king or queen of trump, by a player who holds or has held both."""
    while_held = rules.value("declarations.belote.calls") == "first-card"
    return holds_pair_of(mode, card, held if while_held else dealt)


def need_call_belote(rules: Ruleset, mode: Mode, dealt: CardSet, held: CardSet, card: Card) -> bool:
    """Say whether belote may be said with a card, and saying it makes a difference."""
    calls = rules.value("declarations.belote.calls")
    return bool(calls != "automatic" and may_call_belote(rules, mode, dealt, held, card))


def calls_itself(rules: Ruleset, mode: Mode, held: CardSet, card: Card) -> bool:
    """Say whether belote counts by playing a card, without being said; ``held`` has the card still in it."""
    if not holds_pair_of(mode, card, held):
        return False
    return bool(rules.value("declarations.belote.calls") == "automatic")


def belote_points(rules: Ruleset, calls: int) -> int:
    """Return the card points of a player's belote calls."""
    if calls < (2 if rules.value("declarations.belote.calls") == "both-cards" else 1):
        return 0
    points: int = rules.value("declarations.belote.points")
    return points
