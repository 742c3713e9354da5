"""Which values of a rule are worth trying: those of other games first, then what the answers themselves suggest."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from belot_conformance.mistakes.measured import load_measured
from belot_conformance.mistakes.mutations import load_mistakes, mixed_up_with, other_values
from belot_spec.card_names import CARD_NAMES
from belot_spec.catalogue import Rule, enumerated_values
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

_STEPS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 100)


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
        self._known: dict[str, Mapping[str, Any]] = {}
        self._played: dict[str, Mapping[str, Any]] = {}
        self._valid: dict[tuple[str, str], bool] = {}
        self._mutated: dict[tuple[str, str], list[Any]] = {}

    def to_try(self, rule: Rule, profile: Profile, asked: Profile | None, hints: Hints = NO_HINTS) -> list[Any]:
        """Return other values of a rule than the one it has in a profile, the likeliest first, each once.

        The value of the profile ``asked`` for comes first; later come those near it, which no step from here may reach.
        """
        now = profile.settings[rule.id].value
        asked = None if asked is None or rule.id not in asked.settings else asked
        found: dict[str, Any] = {}
        known = {canonical(now)}
        sources: tuple[Iterable[Any], ...] = (
            () if asked is None else (asked.value(rule.id),),
            self.known(rule.id),
            self._of_mutants(rule, profile),
            () if asked is None or asked.plays(rule.id, now) else self._of_mutants(rule, asked),
            _other_cards(now) if str(rule.value_schema.get("$ref")).endswith("/cards") else _wider(now, hints),
        )
        for source in sources:
            for value in source:
                text = canonical(value)
                if text not in known and text not in found and self._is_valid(rule, text, value):
                    found[text] = value
        return list(found.values())

    def known(self, rule: str) -> Collection[Any]:
        """Return the values that a rule has in some variant, option or common mistake, and those that can be listed."""
        return self._known_by_text(rule).values()

    def is_known(self, rule: str, value: Any) -> bool:
        """Say whether a value is one of the known ones."""
        return canonical(value) in self._known_by_text(rule)

    def is_played(self, rule: str, value: Any) -> bool:
        """Say whether a variant, an option or a program measured before plays a value; else it looks like a mistake."""
        if rule not in self._played:
            self._played[rule] = _played_values(rule, self._spec)
        return canonical(value) in self._played[rule]

    def by_offset(self, rule: Rule, now: Any, offsets: Sequence[int]) -> Iterator[Any]:
        """Yield the values of a rule in which one number is by an offset another one; none of what has no numbers."""
        if isinstance(now, Mapping) or (isinstance(now, int) and not isinstance(now, bool)):
            yield from (value for value in _by_offset(now, offsets) if self._is_valid(rule, canonical(value), value))

    def _is_valid(self, rule: Rule, text: str, value: Any) -> bool:
        key = rule.id, text
        if key not in self._valid:
            self._valid[key] = rule.validator.is_valid(value)
        return self._valid[key]

    def _known_by_text(self, rule: str) -> Mapping[str, Any]:
        if rule not in self._known:
            self._known[rule] = _known_values(rule, self._spec)
        return self._known[rule]

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


def _played_values(rule: str, spec: Spec) -> Mapping[str, Any]:
    places = (place for variant in spec.playable() for place in spec.ways_of(variant))
    played = [place[rule].value for place in places if rule in place]
    played += [values[rule] for values in load_measured().values() if rule in values]
    return {canonical(value): value for value in played}


def _known_values(rule: str, spec: Spec) -> Mapping[str, Any]:
    found = dict(_played_values(rule, spec))
    for mistake in load_mistakes().values():
        if rule in mistake.values:
            found.setdefault(canonical(mistake.values[rule]), mistake.values[rule])
    schema = spec.rules[rule].value_schema
    for part in (schema, *schema.get("oneOf", ())):
        for value in enumerated_values(part):
            found.setdefault(canonical(value), value)
    return found


def _by_offset(now: Mapping[str, int] | int, offsets: Iterable[int]) -> Iterator[Any]:
    """Yield the numbers that are by an offset another one, in a table every entry with one offset before the next."""
    for offset in offsets:
        if isinstance(now, Mapping):
            yield from ({**now, key: max(0, number + offset)} for key, number in now.items())
        else:
            yield now + offset


def _wider(now: Any, hints: Hints) -> Iterator[Any]:
    """Yield values further away than a mutant's."""
    if isinstance(now, (bool, str)):
        yield from hints.numbers
    elif isinstance(now, int):
        yield from _by_offset(now, hints.offsets)
        yield from hints.numbers
        yield from (now + sign * step for step in _STEPS for sign in (1, -1))
        yield from (now * 2, now // 2, now * 10, now // 10)
    elif isinstance(now, Mapping):
        yield from _entries(now, hints)
    elif now and isinstance(now[0], list):
        yield from _regrouped(now)
    else:
        yield from _reordered(now)


def _other_cards(now: Sequence[str]) -> Iterator[list[str]]:
    """Yield some cards with any one fewer, any one more, and any other one in the place of one."""
    more = [card for card in CARD_NAMES if card not in now]
    for place in range(len(now)):
        yield [*now[:place], *now[place + 1 :]]
    yield from ([*now, card] for card in more)
    yield from ([*now[:place], card, *now[place + 1 :]] for place in range(len(now)) for card in more)


def _entries(now: Mapping[str, int], hints: Hints) -> Iterator[Any]:
    offsets = dict.fromkeys([*hints.offsets, *(s * step for step in _STEPS[:12] for s in (1, -1))])
    yield from _by_offset(now, offsets)
    for key, number in now.items():
        yield from ({**now, key: value} for value in (0, number * 2, number * 10))
    for one, other in combinations(now, 2):
        yield {**now, one: now[other], other: now[one]}


def _reordered(now: Sequence[Any]) -> Iterator[Any]:
    yield list(reversed(now))
    for one, other in combinations(range(len(now)), 2):
        swapped = list(now)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        yield swapped
    for place, item in enumerate(now):
        # What may stand twice: a second round like the first.
        yield [*now[:place], item, *now[place:]]
        rest = [*now[:place], *now[place + 1 :]]
        yield from ([*rest[:to], item, *rest[to:]] for to in range(len(now)))
        if isinstance(item, int):
            yield from ([*now[:to], item + step, *now[to:]] for to in range(len(now) + 1) for step in (-1, 0, 1))
            yield from ([*now[:place], item + step, *now[place + 1 :]] for step in (-2, -1, 1, 2))


def _regrouped(now: Sequence[list[Any]]) -> Iterator[Any]:
    """Yield classes with two of them swapped or in one, or one of them in two."""
    yield from _reordered(now)
    for place, members in enumerate(now):
        for cut in range(1, len(members)):
            yield [*now[:place], members[:cut], members[cut:], *now[place + 1 :]]
            yield [*now[:place], members[cut:], members[:cut], *now[place + 1 :]]
        for member in members if len(members) > 1 else ():
            rest = [other for other in members if other != member]
            without = [*now[:place], rest, *now[place + 1 :]]
            for to in range(len(without)):
                if to != place:
                    yield [*without[:to], [*without[to], member], *without[to + 1 :]]


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
