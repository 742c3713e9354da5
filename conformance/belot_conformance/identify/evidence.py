"""How strongly answers speak for some rules: a probability of what was seen, and a price for each rule that differs.

A program that errs at random errs in many answers, and none of its errors says anything about its rules. So the chance
of an error is estimated from the answers that stay wrong: one answer that becomes right is much where no other is
wrong, and little among forty that stay wrong. Where one operation errs far more than the others, it has a chance of
its own. An answer that the program gives to many questions says little when it is right by some rule.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import lgamma, log
from typing import Final

from belot_conformance.identify.observations import ERROR, Observation
from belot_spec.files import canonical

# Nats. An option is one change, a value that some game has is likelier than any other.
PRICE_OF_OPTION: Final = 7.0
PRICE_OF_KNOWN: Final = 8.0
PRICE_OF_ANY: Final = 9.0
# What it costs to say that an operation errs by a chance of its own.
_PRICE_OF_BROKEN: Final = 8.0
# Most programs never err at random: the chance of an error is nearly always nearly nothing.
_SELDOM: Final = 0.001
# An answer that no other question got is at most so telling; a whole deal of a log is hardly right by chance.
_MOST_TELLING: Final = 1.5
_DEAL_TELLING: Final = 4.0


class Evidence:
    """The answers of one program as evidence; errors tell nothing one by one, but it is seldom that a program errs."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        self._operation = [one.operation for one in observations]
        self._asked = Counter(self._operation)
        said = [canonical([one.operation, one.kind, one.value]) for one in observations]
        counts = Counter(said)
        self._telling = [self._telling_of(one, counts[text]) for one, text in zip(observations, said, strict=True)]

    def _telling_of(self, one: Observation, alike: int) -> float:
        if one.kind == ERROR:
            return 0.0
        return _DEAL_TELLING if one.is_partial else min(_MOST_TELLING, log(self._asked[one.operation] / alike))

    def of(self, wrong: Iterable[int]) -> float:
        """Return the logarithm of the probability of what was seen if these answers are wrong and all others right."""
        counts: Counter[str] = Counter()
        total = 0.0
        for index in wrong:
            counts[self._operation[index]] += 1
            total -= self._telling[index]
        return total + _errors({name: (counts[name], asked) for name, asked in self._asked.items()})


def _errors(counts: dict[str, tuple[int, int]]) -> float:
    """Return the logarithm of the probability of errors in the best way to share chances among operations."""
    wrong, asked = sum(w for w, _ in counts.values()), sum(n for _, n in counts.values())
    best, apart = _chance(wrong, asked, _SELDOM), 0.0
    for errors, of_all in sorted(counts.values(), key=lambda pair: -pair[0] / max(1, pair[1])):
        if not errors:
            break
        wrong, asked = wrong - errors, asked - of_all
        apart += _chance(errors, of_all, 1.0) - _PRICE_OF_BROKEN
        best = max(best, apart + _chance(wrong, asked, _SELDOM))
    return best


@lru_cache(maxsize=100_000)
def _chance(wrong: int, asked: int, seldom: float) -> float:
    """Return the logarithm of the probability of so many errors in certain places, whatever their chance is."""
    return (
        lgamma(wrong + seldom)
        + lgamma(asked - wrong + 1)
        - lgamma(asked + seldom + 1)
        - lgamma(seldom)
        + lgamma(seldom + 1)
    )
