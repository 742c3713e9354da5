"""How strongly answers speak for some rules: a probability of what was seen, and a price for each rule that differs.

A program that errs at random errs in many answers, and none of its errors says anything about its rules. So the chance
of an error is estimated from the answers that stay wrong: one answer that becomes right is much where no other is
wrong, and little among forty that stay wrong. Where one operation errs far more than the others, it has a chance of
its own. An answer that the program gives to many questions says little when it is right by some rule.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import lgamma, log
from typing import Any, Final

from belot_conformance.programs.protocol import Reply
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import (
    OTHER_KIND,
    Expectation,
    differences,
    fields_apart,
    in_fixed_order,
)
from belot_spec.files import canonical

# A program that gave none of these said nothing about its rules: a crash, no answer in time.
ANSWERS: Final = frozenset(("result", "rejected", "error"))
# What a program says that cannot answer, be it because a question makes no sense by its rules.
ERROR: Final = "error"
# What the program says it cannot answer.
UNSUPPORTED: Final = "unsupported"
# From so many answers on, a field that is in none of them is one that the program does not give.
FEWEST: Final = 3
# And from so many different answers on that were wanted, one answer to all of them is no answer.
_FEWEST_WANTED: Final = 5

# What is said of answers that are all the same.
SAME: Final = "same"

Ignored = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Observation:
    """A question and what a program answered: ``kind`` and ``value`` are those of its reply, ``fault`` of none.

    ``context`` is the number of the profile that it was asked for. ``expected`` is what the suite compares, and says
    which fields matter; without it all fields do, or of an answer that ``is_partial`` those that it has. What
    ``is_mute`` tells nothing, whatever it is.
    """

    id: str
    operation: str
    input: Mapping[str, Any]
    kind: str
    value: Any
    context: int = 0
    expected: Sequence[Expectation] = ()
    is_partial: bool = False
    is_mute: bool = False

    @classmethod
    def of_case(cls, case: Case, came: Mapping[str, Any], context: int = 0) -> "Observation":
        """Return what came of a case as it was asked."""
        ((kind, value),) = came.items()
        return cls(case.id, case.operation, case.input, kind, value, context, case.expected)

    @property
    def says_nothing(self) -> bool:
        """Whether it is no answer by any rules."""
        return self.is_mute or self.kind not in ANSWERS

    @cached_property
    def size(self) -> int:
        """How long the question is."""
        return len(str(self.input))

    @cached_property
    def given(self) -> Mapping[str, Any]:
        """The fields of the answer, with their sets in a fixed order."""
        if self.kind != "result":
            return self.value if isinstance(self.value, Mapping) else {}
        return {field: in_fixed_order(self.operation, field, value) for field, value in self.value.items()}

    @cached_property
    def compared(self) -> Mapping[str, frozenset[str]]:
        """For results and refusals the fields that the suite compares; a kind that it does not expect has none."""
        found: dict[str, frozenset[str]] = {}
        for one in self.expected:
            found[one.kind] = found.get(one.kind, frozenset()) | one.fields.keys()
        return found

    @cached_property
    def is_one_of_several(self) -> bool:
        """Whether several answers are right, and this is one of them."""
        return len(self.expected) > 1 and self.is_expected

    @property
    def is_expected(self) -> bool:
        """Whether the suite takes this answer for right."""
        return self._fits({self.kind: self.value})

    def _fits(self, message: Mapping[str, Any]) -> bool:
        kind = next(iter(message))
        return not differences(self.operation, self.expected, Reply(self.id, kind, message[kind]))  # type: ignore[arg-type]

    def wrong_fields(self, message: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the fields in which the answer is not what a message holds; all of it where the kinds differ.

        An error is right where the question makes no sense, whatever it says.
        """
        ((kind, own),) = message.items()
        compared: Collection[str] | None = None
        if kind == self.kind and kind != ERROR:
            # What the suite did not expect says which fields there are, and a program may give but some of them.
            compared = self.compared.get(kind) if self.expected else None if self.is_partial else own.keys()
            compared = self.given.keys() if compared is None else compared
            if own and not any(field in compared for field in own if field != "rule"):
                return (OTHER_KIND,)
        wrong = fields_apart(self.operation, message, {self.kind: self.value}, compared)
        return () if wrong and self.is_one_of_several and self._fits(message) else wrong


def constant_apart(observations: Sequence[Observation]) -> list[Observation]:
    """Return observations in which the answers of an operation that answers everything alike say nothing.

    That is so where all of its answers are one, and several different ones were expected.
    """
    by_operation: dict[str, list[Observation]] = {}
    for one in observations:
        if not one.says_nothing and one.kind != ERROR:
            by_operation.setdefault(one.operation, []).append(one)
    constant = {operation for operation, ones in by_operation.items() if _is_constant(ones)}
    return [
        replace(one, kind=SAME) if one.operation in constant and not one.says_nothing and one.kind != ERROR else one
        for one in observations
    ]


def broken_apart(observations: Sequence[Observation]) -> list[Observation]:
    """Return observations in which the errors of an operation that answers nothing else say nothing."""
    answered = {one.operation for one in observations if not one.says_nothing and one.kind != ERROR}
    return [
        replace(one, is_mute=True) if one.kind == ERROR and one.operation not in answered else one
        for one in observations
    ]


def _is_constant(ones: Sequence[Observation]) -> bool:
    said = {canonical([one.kind, one.value]) for one in ones}
    wanted = {canonical([[each.kind, dict(each.fields)] for each in one.expected]) for one in ones}
    if len(said) > 1:
        return False
    if all(one.compared and one.kind == "result" and one.given.keys().isdisjoint(_all_compared(one)) for one in ones):
        return True
    return len(wanted) >= _FEWEST_WANTED


def _all_compared(one: Observation) -> frozenset[str]:
    return frozenset().union(*one.compared.values())


def never_given(observations: Iterable[Observation]) -> dict[str, frozenset[str]]:
    """Return for each operation the fields that the suite compares and that are in none of the results that came."""
    wanted: dict[str, set[str]] = {}
    given: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for one in observations:
        if one.kind == "result":
            fields = one.compared.get("result", frozenset()) - {OPERATIONS[one.operation].reasons}
            wanted.setdefault(one.operation, set()).update(fields)
            given.setdefault(one.operation, set()).update(one.value)
            counts[one.operation] = counts.get(one.operation, 0) + 1
    return {
        operation: missing
        for operation, fields in wanted.items()
        if (missing := frozenset(fields - given[operation])) and counts[operation] >= FEWEST
    }


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
