"""How much a search for rules may do: every number of it, with the measurement that chose it."""

from dataclasses import dataclass
from time import process_time
from typing import Final


@dataclass(frozen=True, slots=True)
class Budget:
    """What one search may spend.

    Measured on programs that hide rules, drawn by ``belot lab bars rules``.
    """

    # Seconds of this command's own processor; what the program needs is not counted.
    seconds: float = 10.0
    # What is looked at side by side: wrong answers in one step, half as many beginnings of a longer explanation.
    abreast: int = 12
    # Answers of either side on which a candidate is scored: more change the order of candidates in one program of 50.
    scored: int = 120
    # What is put to one answer to bring it right by several rules; 1,000 take a third of a second.
    several: int = 1000
    # Of the answers on which a rule and its absence part, the share that may speak against it. With 2 of 100 answers
    # spoiled none at all loses a rule in one of six programs, and a quarter names no more than a tenth does.
    against: float = 0.1
    # Questions put for one rule and each of its rivals, as many rivals, and the deals from which they are drawn.
    confirming: int = 6
    # How often further questions are asked, or further records looked at, and the search goes on.
    rounds: int = 3
    # Records of a log that are searched.
    records: int = 300


BUDGET: Final = Budget()


class Clock:
    """Says when the seconds of a budget are over, counted from when it was made."""

    def __init__(self, seconds: float) -> None:
        self._end = process_time() + seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return process_time() > self._end
