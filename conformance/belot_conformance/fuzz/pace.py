"""How many questions are put in one go: as many as a program answers while somebody waits for the end."""

import time
from collections.abc import Callable
from typing import Final

Clock = Callable[[], float]

# Between two goes, of so many seconds at most if each takes as long as the last, it is looked whether the time is over.
_GO: Final = 0.5
# Nobody knows yet how fast a program is, or whether it answers at all.
_FIRST: Final = 1
_GROWTH: Final = 4


class Pace:
    """The time that somebody waits at most, and how many questions are put before it is looked at again.

    ``seconds`` is ``None`` where it takes as long as it takes; the questions are put ``most`` at a time then.
    """

    def __init__(self, most: int, seconds: float | None, clock: Clock = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._until = None if seconds is None else clock() + seconds
        self._size = most if seconds is None else min(most, _FIRST)

    @property
    def size(self) -> int:
        """How many questions are put next."""
        return self._size

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self._until is not None and self._clock() >= self._until

    def now(self) -> float:
        """Return what the clock says."""
        return self._clock()

    def put(self, number: int, began: float) -> None:
        """Learn that so many questions were put, and when the first was."""
        if self._until is not None:
            each = (self._clock() - began) / number
            wanted = self._most if each * self._most <= _GO else int(_GO / each)
            self._size = max(1, min(wanted, self._most, self._size * _GROWTH))
