"""How much is asked, kept and tried before a cause is told: every number of it, in one value that is passed on."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzBudget:
    """What a run may spend. `belot lab bars fuzz` says whether it is enough: how soon what is found, and how small."""

    # So many questions are put in one go; between two goes it is looked whether the time is over.
    batch: int = 1500
    # Kept of answers that are wrong in the same way, and of so many ways: enough to search for a rule, and to say what
    # they have in common, however long a run lasts. Of right ones as many that rest on the same rules, from so many
    # sets of rules an operation, or what is seldom wrong looks as if it always were; of whole deals and matches fewer,
    # which take long to answer by other rules.
    wrong_each: int = 10
    wrong_kinds: int = 400
    right_each: int = 4
    right_kinds: int = 25
    few_right: int = 8

    # Of the questions of one cause so many with a result and so many refusals are made smaller, fewer of long ones;
    # the smallest of these by every step there is. No more candidates than patience are tried for one question, so
    # many of them at once, as a program over a pipe answers many at a time.
    shrunk: int = 8
    long_shrunk: int = 5
    shrunk_further: int = 3
    patience: int = 2500
    at_once: int = 32
    # After a short run the search for causes has at least so many seconds.
    least_seconds: float = 10.0


FUZZ_BUDGET: Final = FuzzBudget()
