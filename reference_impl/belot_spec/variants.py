"""Variants: for each rule a value with its status and citations, stating only what differs from the parent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from graphlib import TopologicalSorter

from belot_spec.catalogue import BareRule, Setting, Text, is_one_of, value_key
from belot_spec.document import Document


@dataclass(frozen=True, slots=True)
class Option:
    """A named set of rule changes."""

    id: str
    title: Text
    settings: Mapping[str, Setting]

    @property
    def is_unsourced(self) -> bool:
        """Say whether no source of the variant says any of it."""
        return all(setting.is_unsourced for setting in self.settings.values())


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant as its file states it, and the document it was read from.

    ``elsewhere`` are the values, by rule, that documents of it have, or programs play, and no option does.
    """

    id: str
    parent: str | None
    abstract: bool
    draft: bool
    name: Text
    summary: Text
    settings: Mapping[str, Setting]
    options: Mapping[str, Option]
    elsewhere: Mapping[str, Sequence[Setting]]
    document: Document


def ancestry(variant: Variant, variants: Mapping[str, Variant]) -> list[Variant]:
    """Return a variant's ancestors, the oldest first, and the variant itself last."""
    line = [variant]
    while line[0].parent is not None:
        line.insert(0, variants[line[0].parent])
    return line


def resolved_settings(variant: Variant, variants: Mapping[str, Variant]) -> dict[str, Setting]:
    """Return a variant's settings with those it inherits."""
    return {rule: setting for one in ancestry(variant, variants) for rule, setting in one.settings.items()}


def available_options(
    variant: Variant, variants: Mapping[str, Variant], rules: Mapping[str, BareRule]
) -> dict[str, Option]:
    """Return a variant's options with those it inherits, but for such as it plays by anyway."""
    played = {**defaults_of(rules), **resolved_settings(variant, variants)}
    every = {name: option for one in ancestry(variant, variants) for name, option in one.options.items()}
    return {name: option for name, option in every.items() if name in variant.options or _changes(option, played)}


def _changes(option: Option, played: Mapping[str, Setting]) -> bool:
    return any(rule not in played or played[rule].value != one.value for rule, one in option.settings.items())


def defaults_of(rules: Mapping[str, BareRule]) -> dict[str, Setting]:
    """Return what every game plays that says nothing of a rule."""
    return {rule.id: rule.default for rule in rules.values() if rule.default is not None}


def settled(settings: Mapping[str, Setting], rules: Mapping[str, BareRule]) -> tuple[dict[str, Setting], list[str]]:
    """Return a value for each rule that matters beside the others, its default where it has none here.

    The second are the rules that matter and have neither.
    """
    own, needs = {**defaults_of(rules), **settings}, needs_of(rules)
    found = {rule: own[rule] for rule in rules if rule in own and rule not in needs}
    missing = [rule for rule in rules if rule not in own and rule not in needs]
    # Each stands after those that it needs.
    for rule in needs:
        if is_needed(rules[rule], found):
            if rule in own:
                found[rule] = own[rule]
            else:
                missing.append(rule)
    return {rule: found[rule] for rule in rules if rule in found}, missing


def is_needed(rule: BareRule, settings: Mapping[str, Setting]) -> bool:
    """Say whether a rule matters, given the values of the rules that it depends on."""
    return all(
        needed in settings and is_one_of(settings[needed].value, wanted) for needed, wanted in rule.needs.items()
    )


class Needs(dict[str, tuple[str, ...]]):
    """The rules on which each rule depends that matters only at some tables, each after those that it needs."""

    @cached_property
    def resting_on(self) -> Mapping[str, frozenset[str]]:
        """The rules that depend on each rule on which any does."""
        needed = {rule for each in self.values() for rule in each}
        return {rule: frozenset(one for one, each in self.items() if rule in each) for rule in needed}


def needs_of(rules: Mapping[str, BareRule]) -> Needs:
    """Return the rules on which each rule depends; raises ``graphlib.CycleError`` where rules need each other."""
    return _in_order(tuple((rule.id, tuple(rule.needs)) for rule in rules.values()))


@lru_cache(maxsize=8)
def _in_order(needs: tuple[tuple[str, tuple[str, ...]], ...]) -> Needs:
    """Return needs in order, once for all profiles of a spec: it is most of what a profile costs."""
    needed = dict(needs)
    return Needs({rule: needed[rule] for rule in TopologicalSorter(needed).static_order() if needed.get(rule)})


def condition(rule: BareRule) -> str:
    """Say where a rule matters: ``deal.turn-up is to-taker``."""
    return " and ".join(
        f"{needed} is {' or '.join(value_key(value) for value in values)}" for needed, values in rule.needs.items()
    )
