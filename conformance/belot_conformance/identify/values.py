"""Which values of a rule are worth trying: those of other games first, then what the answers themselves suggest."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from belot_conformance.mistakes.measured import load_measured
from belot_conformance.mistakes.mutations import load_mistakes, mixed_up_with, other_values
from belot_spec.catalogue import Rule
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import listed_values, shifted
from belot_spec.values import distinct, far_values


@dataclass(frozen=True, slots=True)
class Hints:
    """Numbers that wrong answers suggest: by how much numbers in them differ, and the numbers that stand in them."""

    offsets: Sequence[int] = ()
    numbers: Sequence[int] = ()


NO_HINTS: Final = Hints()


class RuleValues:
    """The values of rules that are worth trying, by one spec; what is found out about them is found out once."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        measured, mistakes = load_measured().values(), load_mistakes().values()
        self._played = {
            rule: _by_text(
                [
                    *spec.played_values(rule),
                    *spec.values_elsewhere(rule),
                    *(values[rule] for values in measured if rule in values),
                ]
            )
            for rule in spec.rules
        }
        self._known = {
            rule: played
            | _by_text([one.values[rule] for one in mistakes if rule in one.values])
            | _by_text(listed_values(spec.rules[rule].value_schema))
            for rule, played in self._played.items()
        }
        self._mutated: dict[tuple[str, str], list[Any]] = {}

    def to_try(self, rule: Rule, profile: Profile, asked: Profile | None, hints: Hints = NO_HINTS) -> list[Any]:
        """Return other values of a rule than the one it has in a profile, the likeliest first, each once.

        The value of the profile ``asked`` for comes first; later come those near it, which no step from here may reach.
        """
        now = profile.settings[rule.id].value
        asked = None if asked is None or rule.id not in asked.settings else asked
        sources: tuple[Iterable[Any], ...] = (
            () if asked is None else (asked.value(rule.id),),
            self.known(rule.id),
            self._of_mutants(rule, profile),
            () if asked is None or asked.plays(rule.id, now) else self._of_mutants(rule, asked),
            far_values(rule, now, hints.offsets, hints.numbers),
        )
        return list(distinct(rule, now, chain.from_iterable(sources)))

    def known(self, rule: str) -> Collection[Any]:
        """Return the values that a rule has in a variant, option, document or mistake, and those that can be listed."""
        return self._known[rule].values()

    def is_known(self, rule: str, value: Any) -> bool:
        """Say whether a value is one of the known ones."""
        return canonical(value) in self._known[rule]

    def is_played(self, rule: str, value: Any) -> bool:
        """Say whether a variant, an option, a document or a program measured before plays a value.

        Else it looks like a mistake.
        """
        return canonical(value) in self._played[rule]

    def by_offset(self, rule: Rule, now: Any, offsets: Sequence[int]) -> Iterator[Any]:
        """Yield the values of a rule in which one number is by an offset another one; none of what has no numbers."""
        return distinct(rule, now, shifted(now, offsets))

    def _of_mutants(self, rule: Rule, profile: Profile) -> list[Any]:
        """Return the values of mutants, worked out once for each value and those it may be mixed up with."""
        resting_on = (rule.id, *mixed_up_with(rule, self._spec))
        key = rule.id, canonical({one: profile.settings[one].value for one in resting_on if one in profile.settings})
        if key not in self._mutated:
            self._mutated[key] = other_values(rule, profile, self._spec)
        return self._mutated[key]


@lru_cache(maxsize=4)
def rule_values(spec: Spec) -> RuleValues:
    """Return the values worth trying by a spec, which all searches share."""
    return RuleValues(spec)


def _by_text(values: Iterable[Any]) -> dict[str, Any]:
    return {canonical(value): value for value in values}


def hints_of(pairs: Iterable[tuple[Any, Any, Any]], offsets_most: int, numbers_most: int) -> Hints:
    """Return what wrong answers suggest most, each told as what is asked, what came and what the rules so far say."""
    offsets: dict[int, int] = {}
    numbers: dict[int, int] = {}
    for asked, came, said in pairs:
        for difference in differences(came, said):
            offsets[difference] = offsets.get(difference, 0) + 1
        for number in dict.fromkeys(_numbers([came, asked])):
            for near in (number, number + 1, number - 1):
                numbers[near] = numbers.get(near, 0) + 1
    halves = [offset // part for offset in offsets for part in (2, 3, 4) if offset % part == 0]
    by_count = sorted(offsets, key=lambda offset: -offsets[offset])
    both = dict.fromkeys([*by_count, *halves, *(-offset for offset in by_count)])
    by_number = sorted(numbers, key=lambda number: -numbers[number])
    return Hints(tuple(both)[:offsets_most], tuple(by_number[:numbers_most]))


def differences(one: Any, other: Any) -> Iterator[int]:
    """Yield by how much the numbers of one answer are more than those of another, place by place, where they differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in filter(other.__contains__, one):
            yield from differences(one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list):
        for first, second in zip(one, other, strict=False):
            yield from differences(first, second)
    elif _is_number(one) and _is_number(other) and one != other:
        yield int(one - other)


def has_numbers(value: Any) -> bool:
    """Say whether a value of a rule is a number, or a list or table with one in it."""
    each = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return any(isinstance(one, int) and not isinstance(one, bool) for one in each)


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif _is_number(value):
        yield int(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 10**6
