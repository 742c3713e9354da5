"""The mode of a deal, in a suit that is trump, with no trumps or with all trumps, and all that hangs on it."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_CARD,
    EVERY_SUIT,
    NO_CARDS,
    SUIT_CARDS,
    CardSet,
    Suit,
    card_set,
    holds,
)
from belot_reference.trace import Noted
from belot_reference.tricks import NO_SUIT, TrickGraph, TrickNode, Trumps, trump_cards
from belot_spec.card_names import MODE_KINDS, SUITS

# As the protocol names them; a mode's number is its place, of a suit that is trump the suit.
MODE_NAMES: Final = (*SUITS, "N", "A")
KINGS: Final = card_set(CARD_BY_NAME[f"K{suit}"] for suit in SUITS)
QUEENS: Final = card_set(CARD_BY_NAME[f"Q{suit}"] for suit in SUITS)

NO_TRUMPS: Final = MODE_KINDS["N"]
# The kind of every mode in which one suit is trump.
SUIT: Final = "suit"

# A value for each rank of a suit that is trump, and of one that is not.
ByRank = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """What a deal is played in.

    ``trumps`` are by the suit that is led the suit that is then trump, ``NO_SUIT`` for none. ``strength`` says by suit
    and rank how many ranks of the suit a card beats, ``points`` what each card is worth, ``scales`` by suit the rule
    that says so: of whoever keeps what was read, ``Ruleset.points_of`` notes ``valued_by``. ``pairs`` are the kings and
    queens that are belote, ``pair_of`` by card those of which it is one: none for most.
    """

    number: int
    name: str
    trumps: Trumps
    root: TrickNode
    strength: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    scales: tuple[str, ...]
    pairs: tuple[CardSet, ...]
    pair_of: tuple[CardSet, ...]
    valued_by: Noted

    def is_trump(self, suit: Suit | None) -> bool:
        """Say whether a suit is trump when it is led; what is of no suit never is."""
        return suit is not None and self.trumps[suit] == suit

    @property
    def kind(self) -> str:
        """What the rules call a mode of this kind: ``suit``, ``no-trumps`` or ``all-trumps``."""
        return MODE_KINDS.get(self.name, SUIT)

    @property
    def trump_cards(self) -> CardSet:
        """All cards that are trumps when they are led."""
        return trump_cards(self.trumps)


def mode_of(name: str, tricks: TrickGraph, strength: ByRank, points: ByRank, scales: tuple[str, str]) -> Mode:
    """Return a mode, given what cards beat and are worth where their suit is trump, and where it is not.

    ``scales`` are the rules by which they are worth that.
    """
    trumps = _trumps_of(name)
    by_suit = tuple(scales[trumps[suit] != suit] for suit in EVERY_SUIT)
    return Mode(
        number=MODE_NAMES.index(name),
        name=name,
        trumps=trumps,
        root=tricks.root(trumps),
        strength=tuple(strength[trumps[suit] != suit] for suit in EVERY_SUIT),
        points=_points_of(trumps, points),
        scales=by_suit,
        pairs=_pairs_of(trumps),
        pair_of=_pair_by_card(trumps),
        valued_by=dict.fromkeys(by_suit),
    )


@cache
def _trumps_of(name: str) -> Trumps:
    alone = EVERY_SUIT[SUITS.index(name)] if name in SUITS else NO_SUIT
    return EVERY_SUIT if name == "A" else (alone,) * len(EVERY_SUIT)


@cache
def _points_of(trumps: Trumps, points: ByRank) -> tuple[int, ...]:
    return tuple(value for suit in EVERY_SUIT for value in points[trumps[suit] != suit])


@cache
def _pairs_of(trumps: Trumps) -> tuple[CardSet, ...]:
    return tuple((KINGS | QUEENS) & SUIT_CARDS[suit] for suit in EVERY_SUIT if trumps[suit] == suit)


@cache
def _pair_by_card(trumps: Trumps) -> tuple[CardSet, ...]:
    return tuple(next((pair for pair in _pairs_of(trumps) if holds(pair, card)), NO_CARDS) for card in EVERY_CARD)
