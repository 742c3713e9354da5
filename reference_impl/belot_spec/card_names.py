"""The names of ranks, suits and cards, in the order in which everything counts them, and of what else can be trump."""

from typing import Final

RANKS: Final = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = ("S", "H", "D", "C")
# What is bid as well as a suit, by its name in the protocol: what the rules and the glossary call it.
MODE_KINDS: Final = {"N": "no-trumps", "A": "all-trumps"}
CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)

_SIGNS: Final = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC")
# What people write for a ten.
_TENS: Final = ("T", "X", "1", "0")


def card_meant(text: str) -> str | None:
    """Return the card that a text which is none was meant to name, as ``TS``, ``10♠`` and ``s10``; ``None`` if none."""
    if len(text) > len("10S") + 1 or text in CARD_NAMES:
        return None
    plain = text.upper().translate(_SIGNS)
    for rank, suit in ((plain[:-1], plain[-1:]), (plain[1:], plain[:1])):
        name = ("10" if rank in _TENS else rank) + suit
        if name in CARD_NAMES:
            return name
    return None
