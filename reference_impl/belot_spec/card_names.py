"""The names of ranks, suits and cards, in the order in which everything counts them."""

from typing import Final

RANKS: Final = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = ("S", "H", "D", "C")
CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
