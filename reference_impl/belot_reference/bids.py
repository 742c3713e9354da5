"""What can be said in the bidding: a pass, a mode, a number with a mode, a double or a redouble, as a small value.

Every bid has a name too, that of the protocol: ``H``, ``90H``, ``capotH``.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from belot_reference.mode import MODE_NAMES

# ``None`` for a pass, the number of a mode (of a suit the suit) for a bid in it, and two more. Where amounts are bid,
# the amount stands above these.
Bid = int | None
DOUBLE: Final = len(MODE_NAMES)
REDOUBLE: Final = DOUBLE + 1
_AMOUNT: Final = REDOUBLE + 1
# What raises a contract, in that order.
RAISES: Final = (DOUBLE, REDOUBLE)
# As the protocol names them, the pass first and then each at the place after its number.
BID_NAMES: Final = ("pass", *MODE_NAMES, "double", "redouble")

# The amount of a bid that promises all tricks, in a contract and in a bid; what any other promises is more than this.
CAPOT: Final = 1
CAPOT_NAME: Final = "capot"
# From here on an amount with a suit is not the name of a card, which ``10S`` is.
LOWEST_AMOUNT: Final = 20
_NAME: Final = re.compile(f"(?P<amount>{CAPOT_NAME}|[1-9][0-9]{{1,2}})(?P<mode>[{''.join(MODE_NAMES)}])")

# Bids whose names are kept: a ladder from 80 to 500 by one has over 2,000.
_KEPT: Final = 4096
# More numbers than this are listed by their ends alone.
_MOST_TOLD: Final = 4


def bid_of(mode: int, amount: int = 0) -> int:
    """Return the bid of a mode, by its number, with an amount: card points, or ``CAPOT``."""
    return amount * _AMOUNT + mode


def mode_of_bid(bid: int) -> int:
    """Return the number of the mode that a bid names, or ``DOUBLE`` or ``REDOUBLE``."""
    return bid % _AMOUNT


def amount_of_bid(bid: int) -> int:
    """Return the card points that a bid promises, ``CAPOT`` for all tricks, 0 for none."""
    return bid // _AMOUNT


@lru_cache(maxsize=_KEPT)
def bid_name(bid: Bid) -> str:
    """Return a bid as the protocol writes it."""
    if bid is None:
        return BID_NAMES[0]
    return f"{amount_name(amount_of_bid(bid))}{BID_NAMES[mode_of_bid(bid) + 1]}"


def amount_name(amount: int) -> str:
    """Return an amount as it stands in the name of a bid: nothing where none is bid."""
    return CAPOT_NAME if amount == CAPOT else str(amount or "")


def amount_json(amount: int) -> int | str:
    """Return an amount as the protocol tells it of a contract."""
    return CAPOT_NAME if amount == CAPOT else amount


def amount_named(told: int | str | None) -> int | None:
    """Return the amount that the protocol tells of a contract, if it tells one."""
    return CAPOT if told == CAPOT_NAME else None if told is None else int(told)


def is_bid_name(said: str) -> bool:
    """Say whether a text is the name of something that can be said, at some table."""
    return said in BID_NAMES or _amount_and_mode(said) is not None


@lru_cache(maxsize=_KEPT)
def bid_named(said: str) -> Bid:
    """Return the bid of a name; raises ``ValueError`` for a text that is none."""
    if (found := _amount_and_mode(said)) is not None:
        return bid_of(MODE_NAMES.index(found[1]), found[0])
    return None if said == "pass" else BID_NAMES.index(said) - 1


def said_bid(told: str | Mapping[str, Any]) -> tuple[str, int | None]:
    """Return the name of what was said, and the seat where somebody said it out of turn."""
    return (told, None) if isinstance(told, str) else (told["bid"], told["seat"])


def in_short(names: Iterable[str]) -> list[str]:
    """Return bids by their names, those of one number together: ``80S/H/D/C``; of many numbers the ends alone."""
    numbered: dict[str, list[str]] = {}
    others: list[str] = []
    for name in names:
        if found := _NAME.fullmatch(name):
            numbered.setdefault(found["amount"], []).append(found["mode"])
        else:
            others.append(name)
    told = [f"{amount}{'/'.join(modes)}" for amount, modes in numbered.items()]
    if len(told) > _MOST_TOLD:
        told[2:-2] = ["…"]
    return [*others[:1], *told, *others[1:]]


def _amount_and_mode(said: str) -> tuple[int, str] | None:
    if not (found := _NAME.fullmatch(said)):
        return None
    amount = CAPOT if found["amount"] == CAPOT_NAME else int(found["amount"])
    return (amount, found["mode"]) if amount == CAPOT or amount >= LOWEST_AMOUNT else None
