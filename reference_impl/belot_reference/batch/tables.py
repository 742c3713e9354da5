"""A compiled ruleset as plain numbers and arrays: what a kernel needs to play, and nothing of what the rules say.

Every rule is settled here, by asking the engine wherever it can be asked. ``TABLES.md`` says what each array holds.
Cards are numbers 0 to 31 (``CARD_NAMES``), sets of cards bit masks, ranks indices in ``RANKS``, sides and seats numbers
from 0. Needs numpy, of the extra ``fast``.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from belot_reference.cards import EVERY_SUIT, SUIT_CARDS, CardSet, card_at, cards_in
from belot_reference.compile import Ruleset
from belot_spec.card_names import RANKS

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Masks = npt.NDArray[np.uint32]

# Grows with every change by which somebody who reads the arrays would go wrong.
TABLES_VERSION: Final = 1

# What an array holds where there is nothing to point to.
NONE: Final = -1


class Graph(NamedTuple):
    """The trick graph: nodes by number, what each asks of a hand, and the node that a card leads to."""

    root: Small
    step: Small
    led: Masks
    rungs: Masks
    duty: Small
    played: Small
    winner: Small
    winning: Small


class Cards(NamedTuple):
    """The cards: which there are, what they are worth and which beat them, by trump."""

    deck: Small
    points: Numbers
    strength: Numbers
    higher: Masks
    king_first: int


class Table(NamedTuple):
    """The seats, and where each card of a deck goes: in the first packets, to a taker, under another card."""

    players: int
    sides: int
    hand_size: int
    side_of: Small
    leader: Small
    first_seat: Small
    full_seat: Small
    turn_up: int
    cover: Small
    discards: int
    seven_exchange: int
    cut_minimum: int


class Bids(NamedTuple):
    """The bidding as long as everybody passes: whose turn it is, and what he may say."""

    most: int
    seat: Small
    choices: Small


class Declared(NamedTuple):
    """Sequences and squares: what is worth how much, what beats what, and whose count."""

    played: int
    runs: Small
    run_points: Numbers
    run_key: Numbers
    run_wins: Small
    square_points: Numbers
    square_key: Numbers
    sharing: int
    announced: int
    best_only: int
    everybody: int
    apart: int
    tie_order: Small
    tie_cancels: int
    scores_with: Small
    shown_in: int
    belote_points: int
    belote_calls: int
    turned_sequence: int


class Settling(NamedTuple):
    """Counting a deal: what is added to what, when a contract is made, and how points are written."""

    last_trick: int
    all_points: int
    confirmation: int
    capot_points: int
    capot_on_top: int
    capot_takers_only: int
    capot_everything: int
    trickless: int
    counts: Small
    margin: Numbers
    outcome: Small
    fall_passes: Small
    fall_worth: int
    heir: Small
    unit: int
    add: int
    rest_to_taker: int


class Matches(NamedTuple):
    """A match: when it is won, what happens to held points, and who deals next."""

    target: int
    reach: int
    takers_side: int
    claim: int
    near: int
    held: int
    next_dealer: int
    failed_deals: int


class Tables(NamedTuple):
    """All tables of a profile."""

    graph: Graph
    cards: Cards
    table: Table
    bids: Bids
    declared: Declared
    settling: Settling
    matches: Matches


def small(values: Any) -> Small:
    """Return an array of small whole numbers."""
    return np.array(values, dtype=np.int32)


def numbers(values: Any) -> Numbers:
    """Return an array of whole numbers."""
    return np.array(values, dtype=np.int64)


def masks(values: Any) -> Masks:
    """Return an array of sets of cards."""
    return np.array(values, dtype=np.uint32)


def card_tables(rules: Ruleset) -> Cards:
    """Return what the cards of a ruleset are worth and which beat which."""
    strength = [
        [
            (rules.trump_strength if suit == trump else rules.plain_strength)[rank]
            for suit in EVERY_SUIT
            for rank in _RANKS
        ]
        for trump in EVERY_SUIT
    ]
    higher = [[_higher(strength[trump], card) for card in range(len(strength[trump]))] for trump in EVERY_SUIT]
    return Cards(
        deck=small(list(cards_in(rules.deck))),
        points=numbers(rules.points),
        strength=numbers(strength),
        higher=masks(higher),
        king_first=int(rules.king_first),
    )


_RANKS: Final = range(len(RANKS))


def _higher(strength: list[int], card: int) -> CardSet:
    """Return the cards of its suit that are stronger than a card."""
    suit = EVERY_SUIT[card // len(RANKS)]
    stronger = (card_at(rank, suit) for rank in _RANKS if strength[card_at(rank, suit)] > strength[card])
    return CardSet(sum(1 << other for other in stronger)) & SUIT_CARDS[suit]
