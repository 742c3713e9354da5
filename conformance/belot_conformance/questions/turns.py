"""Drawing without putting back: everything has its turn before anything has a second one."""

from collections.abc import Iterable
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Turns(Generic[Item]):
    """Items that come one after the other, each as often as it was given, in another order each time round.

    What is seldom by lot is so never left out for long.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = list(items)
        self._left: list[Item] = []

    def next(self, random: Random) -> Item:
        """Return the item whose turn it is; there must be one."""
        if not self._left:
            self._left = self._items.copy()
            random.shuffle(self._left)
        return self._left.pop()
