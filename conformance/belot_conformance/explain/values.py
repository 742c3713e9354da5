"""Which values of a rule are worth trying: those of other games first, then what the answers themselves suggest."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, Final

from belot_conformance.explain.answers import Answered, Message, differing_numbers, numbers_in
from belot_conformance.mistakes.mutations import load_mistakes, mixed_up_with, other_values
from belot_conformance.programs.published import load_measured
from belot_spec.catalogue import Rule, distinct, far_values
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import listed_values

# So many of the numbers read off one answer are tried as values, and as offsets of them.
_NUMBERS: Final = 12
# Lists of values read off answers that are kept.
_KEPT: Final = 5000
# Three numbers show a first step and another one.
_LADDER: Final = 3


# By how much numbers of a wrong answer differ, and the numbers that stand in it.
Hints = tuple[tuple[int, ...], tuple[int, ...]]


def hints_of(one: Answered, said: Message) -> Hints:
    """Return the numbers that can be read off an answer: the least, the greatest and the smallest step come first."""
    came = [*numbers_in(one.came)]
    ordered = sorted(set(came))
    steps = sorted({high - low for low, high in pairwise(ordered)})
    offsets = dict.fromkeys(differing_numbers(one.came, said))
    parts = (offset // part for offset in offsets for part in (2, 3, 4) if offset % part == 0)
    both = dict.fromkeys((*offsets, *parts, *(-offset for offset in offsets)))
    near = chain.from_iterable((number, number + 1, number - 1) for number in (*came, *numbers_in(one.input)))
    # What a total does not reach is more than that.
    numbers = dict.fromkeys((*ordered[:1], *ordered[-1:], *(each + 1 for each in ordered[-1:]), *steps[:2], *near))
    return tuple(both)[:_NUMBERS], tuple(numbers)[:_NUMBERS]


def ladder_of(one: Answered) -> dict[str, Any]:
    """Return the rules of a ladder of bids as the choices of an answer show it: none is right without the others.

    What is below an earlier bid is not among the choices, so that where one was made they show no lowest bid.
    """
    choices = one.value.get("choices") if isinstance(one.value, Mapping) else None
    if not isinstance(choices, list) or len(amounts := sorted({*numbers_in(choices)})) < _LADDER:
        return {}
    first, step = amounts[1] - amounts[0], amounts[-1] - amounts[-2]
    ladder: dict[str, Any] = {"bidding.amount-step": step, "bidding.highest-amount": amounts[-1]}
    if not any(numbers_in(dict(one.input))):
        ladder["bidding.lowest-amount"] = amounts[0]
        ladder["bidding.first-step"] = first if first != step else "like-the-others"
    return ladder


class RuleValues:
    """The values of rules that are worth trying, by one spec; what is found out about them is found out once."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        measured = [*load_measured().values()]
        mistakes = [one.values for one in load_mistakes().values()]
        self._played: dict[str, dict[str, Any]] = {}
        self._known: dict[str, dict[str, Any]] = {}
        for name, rule in spec.rules.items():
            theirs, wrong = ([values[name] for values in some if name in values] for some in (measured, mistakes))
            self._played[name] = _by_text([*spec.played_values(name), *spec.values_elsewhere(name), *theirs])
            self._known[name] = self._played[name] | _by_text([*wrong, *listed_values(rule.value_schema)])
        self._near: dict[tuple[str, ...], dict[str, Any]] = {}
        self._far: dict[tuple[str, str, Hints, bool], dict[str, Any]] = {}

    def to_try(self, rule: Rule, profile: Profile, asked: Profile, hints: Hints, is_few: bool) -> list[Any]:
        """Return other values of a rule than the one it has in a profile, the likeliest first, each once.

        Those near the rule's own come before those read off an answer. Of an answer that reads few rules every order
        with two cards exchanged, or one moved, is tried too: by steps between neighbours one takes as long as all else.
        """
        near = {**self._nearby(rule, profile, asked)}
        if any(hints) or (is_few and isinstance(profile.value(rule.id), list)):
            near |= self._further(rule, profile.value(rule.id), hints, is_few)
        return [*near.values()]

    def is_played(self, rule: str, value: Any) -> bool:
        """Say whether a variant, an option, a document or a program measured before plays a value."""
        return canonical(value) in self._played[rule]

    def _nearby(self, rule: Rule, profile: Profile, asked: Profile) -> Mapping[str, Any]:
        """Return the values that others play, and those of mutants of either profile, by their text."""
        resting_on = (rule.id, *mixed_up_with(rule, self._spec))
        settings = [
            {one: each.settings[one].value for one in resting_on if one in each.settings} for each in (profile, asked)
        ]
        key = (rule.id, *map(canonical, settings))
        if key not in self._near:
            now, own = profile.value(rule.id), [each.value(rule.id) for each in (asked,) if rule.id in each.settings]
            near = [
                *other_values(rule, profile, self._spec),
                *(other_values(rule, asked, self._spec) if own and own != [now] else ()),
            ]
            self._near[key] = _by_text(distinct(rule, now, chain(own, self._known[rule.id].values(), near)))
        return self._near[key]

    def _further(self, rule: Rule, now: Any, hints: Hints, is_few: bool) -> Mapping[str, Any]:
        """Return the values that an answer suggests, by their text."""
        key = rule.id, canonical(now), hints, is_few
        if key not in self._far:
            if len(self._far) >= _KEPT:
                self._far.clear()
            self._far[key] = _by_text(far_values(rule, now, *hints))
        return self._far[key]


@lru_cache(maxsize=4)
def rule_values(spec: Spec) -> RuleValues:
    """Return the values worth trying by a spec, which all searches share."""
    return RuleValues(spec)


def _by_text(values: Iterable[Any]) -> dict[str, Any]:
    return {canonical(value): value for value in values}
