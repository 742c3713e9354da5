"""Belote, king and queen of trump in one hand: who may say it, when it counts, and what it is worth."""

from belot_reference.cards import Card, CardSet, Suit, holds
from belot_reference.compile import Ruleset
from belot_reference.errors import NoBelote
from belot_reference.play import belote_cards, holds_belote


def call_belote(rules: Ruleset, trump: Suit, dealt: CardSet, held: CardSet, card: Card, calls: int) -> int:
    """Return the number of calls that count after one more, said with a card; raises ``NoBelote``.

    ``dealt`` is the player's full hand, ``held`` what he holds with the card still in it. Where both calls are
    needed, a call at the second card without one at the first is worth nothing (ruling G-17), and where none is
    needed, one changes nothing.
    """
    if not may_call_belote(rules, trump, dealt, held, card):
        raise NoBelote("declarations.belote.calls")
    if rules.value("declarations.belote.calls") == "automatic":
        return calls
    return calls + 1 if holds_belote(trump, held) or calls else calls


def may_call_belote(rules: Ruleset, trump: Suit, dealt: CardSet, held: CardSet, card: Card) -> bool:
    """Say whether belote may be said with a card: king or queen of trump, by a player who holds or has held both."""
    while_held = rules.value("declarations.belote.calls") == "first-card"
    return holds(belote_cards(trump), card) and holds_belote(trump, held if while_held else dealt)


def need_call_belote(rules: Ruleset, trump: Suit, dealt: CardSet, held: CardSet, card: Card) -> bool:
    """Say whether belote may be said with a card, and saying it makes a difference."""
    calls = rules.value("declarations.belote.calls")
    return bool(calls != "automatic" and may_call_belote(rules, trump, dealt, held, card))


def calls_itself(rules: Ruleset, trump: Suit, held: CardSet, card: Card) -> bool:
    """Say whether belote counts by playing a card, without being said; ``held`` has the card still in it."""
    if not (holds(belote_cards(trump), card) and holds_belote(trump, held)):
        return False
    return bool(rules.value("declarations.belote.calls") == "automatic")


def belote_points(rules: Ruleset, calls: int) -> int:
    """Return the card points of a player's belote calls."""
    if calls < (2 if rules.value("declarations.belote.calls") == "both-cards" else 1):
        return 0
    points: int = rules.value("declarations.belote.points")
    return points
