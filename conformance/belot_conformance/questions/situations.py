"""Positions in which a card is to be played: everything that may lie there meets everything that may be held."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

from belot_conformance.questions.cards import Turns, some_cards
from belot_reference.cards import (
    EVERY_SUIT,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_set,
    cards_in,
    rank_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_spec.card_names import CARD_NAMES, SUITS

# What may be held of a suit: none, only cards below the best that lies there, only above it, or both.
_HELD: Final = ((False, False), (False, True), (True, False), (True, True))
_MOST_OF_A_KIND: Final = 2
# With so few players whoever ruffs ends the trick.
_FEWEST: Final = 2


class _Situation(NamedTuple):
    """What lies there: a trump led or not, ruffed or not; what is held of trump and of the suit that was led.

    These say whether any cards below and any above the best of the suit; ``plain`` whether any of other suits.
    """

    trump_led: bool
    ruffed: bool
    led: tuple[bool, bool]
    trump: tuple[bool, bool]
    plain: bool


class Situations:
    """Questions of ``legal-cards``, each about the next situation until there was every one, and then anew."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._situations = Turns(_every(rules.players))
        self._suits = [suit for suit in EVERY_SUIT if SUIT_CARDS[suit] & rules.deck]

    def question(self, random: Random) -> dict[str, Any]:
        """Return a trick and a hand for the next situation, as far as the deck has the cards."""
        wanted = self._situations.next(random)
        trump, other = random.sample(self._suits, 2)
        led = trump if wanted.trump_led else other
        trick = self._trick(wanted, trump, led, random)
        hand = self._hand(wanted, trump, led, trick, random)
        named = ([CARD_NAMES[card] for card in cards] for cards in (hand, trick))
        return {"trump": SUITS[trump], **dict(zip(("hand", "trick"), named, strict=True))}

    def _trick(self, wanted: _Situation, trump: Suit, led: Suit, random: Random) -> list[Card]:
        deck = self._rules.deck
        trick = [random.choice(list(cards_in(SUIT_CARDS[led] & deck)))]
        lying = random.randrange(1 + wanted.ruffed, self._rules.players)
        while len(trick) < lying:
            suit = random.choice([led, *(one for one in self._suits if one != trump)])
            left = deck & ~card_set(trick)
            trick += some_cards(SUIT_CARDS[suit] & left or left, 1, random)
        if wanted.ruffed:
            for place in random.sample(range(1, lying), random.randrange(1, lying)):
                trumps = SUIT_CARDS[trump] & deck & ~card_set(trick)
                trick[place] = random.choice(list(cards_in(trumps or ONLY[trick[place]])))
        return trick

    def _hand(self, wanted: _Situation, trump: Suit, led: Suit, trick: Sequence[Card], random: Random) -> list[Card]:
        free = self._rules.deck & ~card_set(trick)
        kinds = self._around(trick, led, trump, wanted.led)
        kinds += [] if wanted.trump_led else self._around(trick, trump, trump, wanted.trump)
        if wanted.plain:
            kinds.append(free & ~SUIT_CARDS[trump] & ~SUIT_CARDS[led])
        hand: list[Card] = []
        for kind in kinds:
            cards = list(cards_in(kind & free))
            hand += random.sample(cards, min(len(cards), random.randrange(1, _MOST_OF_A_KIND + 1)))
        return hand[: self._rules.hand_size] or [random.choice(list(cards_in(free)))]

    def _around(self, trick: Sequence[Card], suit: Suit, trump: Suit, held: tuple[bool, bool]) -> list[CardSet]:
        """Return the cards of a suit below and above its best one in a trick, each if it is held."""
        strength = self._rules.trump_strength if suit == trump else self._rules.plain_strength
        best = max((strength[rank_of(card)] for card in trick if suit_of(card) == suit), default=-1)
        cards = list(cards_in(SUIT_CARDS[suit] & self._rules.deck))
        below = card_set(card for card in cards if strength[rank_of(card)] < best)
        above = card_set(card for card in cards if strength[rank_of(card)] > best)
        return [kind for kind, wanted in zip((below, above), held, strict=True) if wanted]


def _every(players: int) -> Iterator[_Situation]:
    for led, plain in product(_HELD, (False, True)):
        if any(led) or plain:
            yield _Situation(True, False, led, (False, False), plain)
    for ruffed in (False, True) if players > _FEWEST else (False,):
        for trump, plain in product(_HELD, (False, True)):
            if any(trump) or plain:
                yield _Situation(False, ruffed, (False, False), trump, plain)
        # Who can follow seldom does anything with his trumps.
        for led, trump in product(_HELD[1:], (_HELD[0], _HELD[-1])):
            yield _Situation(False, ruffed, led, trump, True)
