"""Questions with other numbers in them: where a rule is a number, just those beside it tell one value from another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def renumbered(question: Any, numbers: Sequence[int]) -> Iterator[Any]:
    """Yield a question with each of its whole numbers, one at a time, replaced by each of some others."""
    if isinstance(question, Mapping):
        for key, item in question.items():
            yield from ({**question, key: other} for other in renumbered(item, numbers))
    elif isinstance(question, list):
        for place, item in enumerate(question):
            yield from ([*question[:place], other, *question[place + 1 :]] for other in renumbered(item, numbers))
    elif _is_number(question):
        yield from (number for number in numbers if number != question)


def numbers_beside(values: Sequence[Any]) -> list[int]:
    """Return the numbers among some values, and those one less and one more, but none below zero."""
    found = (value + step for value in values if _is_number(value) for step in (0, -1, 1))
    return [number for number in dict.fromkeys(found) if number >= 0]


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
