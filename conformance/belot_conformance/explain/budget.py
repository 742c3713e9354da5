"""How much a search for rules may do: every number of it, with the measurement that chose it."""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Final


@dataclass(frozen=True, slots=True)
class Budget:
    """What one search may spend.

    Measured on programs that hide rules, drawn by ``belot lab explained``.
    """

    # Seconds of this command's own processor; what the program needs is not counted.
    seconds: float = 10.0
    # Wrong answers, of those that read the fewest rules, whose values are tried in one step.
    at_once: int = 12
    # Answers of either side on which a candidate is scored: more change the order of candidates in one program of 50.
    scored: int = 120
    # Rules that are put to one answer in pairs; 1,000 take a third of a second, and are all there are where an answer
    # reads few rules.
    pairs: int = 1000
    # Questions put for one rule and each of its rivals, before it is named.
    confirming: int = 6
    # Deals from which such questions are drawn.
    deals: int = 6
    # How often further questions are asked and the search goes on.
    rounds: int = 3


BUDGET: Final = Budget()
_SELDOM: Final = 16


class Clock:
    """Says when the seconds of a budget are over, counted from when it was made."""

    def __init__(self, seconds: float, now: Callable[[], float] = process_time) -> None:
        self._now = now
        self._end = now() + seconds
        self._asked = 0
        self._over = False

    @property
    def is_over(self) -> bool:
        """Whether the time is over; who asks often is told what the processor said some questions ago."""
        self._asked += 1
        if not self._over and self._asked % _SELDOM == 0:
            self._over = self._now() > self._end
        return self._over
