"""What a search for rules and a run of questions may spend, each number with its reason, and the clocks for it."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, process_time
from typing import Final

# Seconds that only go forward; tests let them pass faster than they do.
Now = Callable[[], float]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzBudget:
    """What a run may spend. `belot lab bars fuzz` says whether it is enough: how soon what is found, and how small."""

    # Questions put in one go; between two goes the clock is looked at.
    batch: int = 1500
    # Kept: wrong answers of one kind, and kinds of them; right answers that rest on the same rules, and sets of rules
    # of one operation, fewer of whole deals and matches, which take long to answer by other rules. Enough to find a
    # rule and what wrong answers have in common; without right ones what is seldom wrong looks as if it always were.
    wrong_each: int = 10
    wrong_kinds: int = 400
    right_each: int = 4
    right_kinds: int = 25
    few_right: int = 8

    # Questions of one cause that are made smaller, with a result and refused each; long ones; of these the smallest by
    # every step there is. Candidates tried for one question, and how many at once: over a pipe many are answered at
    # a time.
    shrunk: int = 8
    long_shrunk: int = 5
    shrunk_further: int = 3
    patience: int = 2500
    at_once: int = 32
    # Seconds that the search for causes has at least, after a short run too.
    least_seconds: float = 10.0


FUZZ_BUDGET: Final = FuzzBudget()


class Clock:
    """Says when so many seconds are over, counted from when it was made; without a number they never are."""

    def __init__(self, seconds: float | None, now: Now = process_time) -> None:
        self.now = now
        self._end = None if seconds is None else now() + seconds

    def part(self, share: float) -> "Clock":
        """Return a clock of a part of the seconds that are left."""
        return Clock(None if self._end is None else share * (self._end - self.now()), self.now)

    def longer(self, seconds: float) -> "Clock":
        """Return a clock that goes on for so many seconds from where this one ends, or from now if it ended."""
        return Clock(None if self._end is None else max(0.0, self._end - self.now()) + seconds, self.now)

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and self.now() >= self._end


# The longest go in seconds, if each question takes as long as those before: then the clock is looked at.
_GO: Final = 0.5
# The questions of the first go, as it is not known how fast a program is, or whether it answers at all.
_FIRST: Final = 1
_GROWTH: Final = 4


class Pace(Clock):
    """How many questions are put in one go, ``most`` at the most: as many as a program answers while somebody waits."""

    def __init__(self, most: int, seconds: float | None, now: Now = monotonic) -> None:
        super().__init__(seconds, now)
        self._most = most
        self.size = most if seconds is None else min(most, _FIRST)

    def put(self, number: int, began: float) -> None:
        """Learn that so many questions were put, and when the first was."""
        if self._end is not None:
            each = (self.now() - began) / number
            wanted = self._most if each * self._most <= _GO else int(_GO / each)
            self.size = max(1, min(wanted, self._most, self.size * _GROWTH))
