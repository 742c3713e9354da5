"""A compiled ruleset as plain numbers and arrays: what a kernel needs to play, and nothing of what the rules say.

Every rule is settled here, by asking the engine wherever it can be asked. ``TABLES.md`` says what each array holds.
Cards are numbers 0 to 31 (``CARD_NAMES``), sets of cards bit masks, ranks indices in ``RANKS``, sides and seats numbers
from 0. Needs numpy, of the extra ``fast``.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from belot_reference.cards import EVERY_CARD, cards_in, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.errors import UnknownValueError
from belot_reference.tricks import higher_cards
from belot_spec.errors import BelotError

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Masks = npt.NDArray[np.uint32]

# Grows with every change by which somebody who reads the arrays would go wrong.
TABLES_VERSION: Final = 6

# What an array holds where there is nothing to point to.
NONE: Final = -1


# A group of tables by name; what each holds stands in ``TABLES.md``.
Arrays = dict[str, Any]


class NoRoomError(BelotError):
    """The tables have no room for something that a ruleset knows: what it is, and how much of it there may be."""


def small(values: Any) -> Small:
    """Return an array of small whole numbers."""
    return np.array(values, dtype=np.int32)


def numbers(values: Any) -> Numbers:
    """Return an array of whole numbers."""
    return np.array(values, dtype=np.int64)


def masks(values: Any) -> Masks:
    """Return an array of sets of cards."""
    return np.array(values, dtype=np.uint32)


def coded(rules: Ruleset, rule: str, *names: Any, default: Any = None) -> int:
    """Return the place of a rule's value among the names that the kernel knows, or that of a default where it has none.

    Raises ``UnknownValueError`` for any other.
    """
    value = rules.value(rule) if default is None else rules.value_or(rule, default)
    if value not in names:
        raise UnknownValueError(rule, value, names, "the kernel")
    return names.index(value)


def listed(rules: Ruleset, rule: str, names: tuple[Any, ...]) -> list[Any]:
    """Return the names that a rule lists; raises ``UnknownValueError`` for one that the kernel does not know."""
    found: list[Any] = rules.value(rule)
    if unknown := [name for name in found if name not in names]:
        raise UnknownValueError(rule, unknown[0], names, "the kernel")
    return found


def by_mode(rules: Ruleset, rule: str, *kinds: str) -> list[bool]:
    """Return for each mode whether it is of a kind that a rule lists; yes where the rule does not matter."""
    if rules.value_or(rule, None) is None:
        return [True] * len(rules.modes)
    found = listed(rules, rule, kinds)
    return [mode.kind in found for mode in rules.modes]


def number_or_none(rules: Ruleset, rule: str, none: int, name: str = "none") -> int:
    """Return the number that a rule has, or ``none`` where it has the name for none; raises ``UnknownValueError``."""
    value = rules.value_or(rule, name)
    return value if isinstance(value, int) else (none, coded(rules, rule, name, default=name))[0]


def filled_up(row: list[int], most: int, filler: int = 0) -> list[int]:
    """Return a row with so many items."""
    return row + [filler] * (most - len(row))


def card_tables(rules: Ruleset) -> Arrays:
    """Return what the cards of a ruleset are worth and which beat which."""
    orders = [[mode.strength[suit_of(card)] for card in EVERY_CARD] for mode in rules.modes]
    return {
        "deck": small(list(cards_in(rules.deck))),
        "trumps": masks([mode.trump_cards for mode in rules.modes]),
        "points": numbers([mode.points for mode in rules.modes]),
        "strength": numbers(
            [[order[rank_of(card)] for card, order in zip(EVERY_CARD, row, strict=True)] for row in orders]
        ),
        "higher": masks(
            [[higher_cards(order)[card] for card, order in zip(EVERY_CARD, row, strict=True)] for row in orders]
        ),
        "king_first": int(rules.king_first),
    }
