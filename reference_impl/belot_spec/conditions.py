"""Conditions on the values of rules: where a rule matters, and where words apply."""

from collections.abc import Mapping
from typing import Any

Condition = Mapping[str, tuple[Any, ...]]


def condition_of(data: Mapping[str, Any]) -> Condition:
    """Return the condition of a mapping from rules to lists of values."""
    return {rule: tuple(values) for rule, values in data.items()}


def holds(condition: Condition, values: Mapping[str, Any]) -> bool:
    """Say whether each rule of a condition has one of the values that it asks for; a rule without a value has none."""
    return all(
        rule in values and any(_is_or_contains(values[rule], one) for one in wanted)
        for rule, wanted in condition.items()
    )


def _is_or_contains(value: Any, wanted: Any) -> bool:
    """Say whether a value is what is wanted, a list with it in it at any depth, or a table with all of its entries."""
    if value == wanted:
        return True
    if isinstance(value, dict) and isinstance(wanted, dict):
        return wanted.items() <= value.items()
    return isinstance(value, list) and (wanted in value or any(_is_in(item, wanted) for item in value))


def _is_in(item: Any, wanted: Any) -> bool:
    return isinstance(item, list) and wanted in item
