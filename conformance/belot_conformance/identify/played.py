"""Profiles as they are played after some changes of their rules: each made once, and compiled when it is asked."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from belot_conformance.diagnosis.mutations import changed_profile
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.files import canonical
from belot_spec.playability import refuse_unplayable
from belot_spec.spec import Profile, Spec

# A rule and the value that the profile asked for has for it, as text; "" where the rule does not matter there.
Slot = tuple[str, str]
Changes = Mapping[Slot, Any]

_COMPILED: Final = 96
_PROFILES: Final = 4000


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """A profile with each of its values as text."""

    profile: Profile
    keys: Mapping[str, str]


class Tables:
    """What is played for each profile that was asked for, made when it is wanted."""

    def __init__(self, house: "House", changes: Changes, before: "Tables | None" = None, step: Changes | None = None):
        self.changes = changes
        self._house = house
        self._before = before
        self._step = step or {}
        self._made: dict[int, Played | None] = {}

    def __getitem__(self, context: int) -> Played:
        """Return what is played for one profile; where nobody could play so, it is played as it was asked for."""
        return self.found(context) or self._house.asked[context]

    def found(self, context: int) -> Played | None:
        """Return what is played for one profile; ``None`` if nobody could play so."""
        if context not in self._made:
            before = None if self._before is None else self._before.found(context)
            self._made[context] = self._house.played(context, self.changes, before, self._step)
        return self._made[context]


class House:
    """The profiles that a program was asked for, with whatever changes."""

    def __init__(self, contexts: Sequence[Profile], spec: Spec) -> None:
        self.contexts = contexts
        self.own = [{rule: canonical(s.value) for rule, s in one.settings.items()} for one in contexts]
        self.asked = [Played(one, own) for one, own in zip(contexts, self.own, strict=True)]
        self._spec = spec
        self._profiles: dict[Any, Played | None] = {}
        self._rulesets: OrderedDict[int, tuple[Played, Ruleset]] = OrderedDict()

    def tables(self, changes: Changes) -> Tables | None:
        """Return what is played after some changes; ``None`` if nobody could play so for the first profile."""
        made = Tables(self, changes)
        return None if made.found(0) is None else made

    def after(self, tables: Tables, step: Changes) -> Tables | None:
        """Return what is played after one more step; ``None`` if nobody could play so for the first profile."""
        made = Tables(self, {**tables.changes, **step}, tables, step)
        return None if made.found(0) is None else made

    def played(self, context: int, changes: Changes, before: Played | None, step: Changes) -> Played | None:
        """Return what is played for one profile, if possible made by one step from what was played ``before``."""
        if before is not None:
            values = self._values(context, step)
            if not values:
                return before
            if values.keys() <= before.keys.keys() and _on_which_rules_rest(self._spec).isdisjoint(values):
                return self._once((before, *_texts(values)), before, values)
        values = self._values(context, changes)
        return self._once((context, *_texts(values)), None, values, context) if values else self.asked[context]

    def is_compiled(self, played: Played) -> bool:
        """Say whether the rules of what is played are compiled by now."""
        return id(played) in self._rulesets

    def ruleset(self, played: Played) -> Ruleset:
        """Return the compiled rules of what is played."""
        key = id(played)
        if key in self._rulesets:
            self._rulesets.move_to_end(key)
            return self._rulesets[key][1]
        made = compile_profile(played.profile)
        self._rulesets[key] = played, made
        if len(self._rulesets) > _COMPILED:
            self._rulesets.popitem(last=False)
        return made

    def _values(self, context: int, changes: Changes) -> dict[str, Any]:
        own = self.own[context]
        return {rule: value for (rule, text), value in changes.items() if own.get(rule, "") == text}

    def _once(
        self, key: tuple[Any, ...], before: Played | None, values: Mapping[str, Any], context: int = 0
    ) -> Played | None:
        if key not in self._profiles:
            if len(self._profiles) > _PROFILES:
                self._profiles.clear()
            profile = before.profile if before is not None else self.contexts[context]
            keys = before.keys if before is not None else self.own[context]
            self._profiles[key] = _changed(profile, keys, values, self._spec)
        return self._profiles[key]


def _changed(profile: Profile, keys: Mapping[str, str], values: Mapping[str, Any], spec: Spec) -> Played | None:
    made = changed_profile(profile, values, spec)
    try:
        refuse_unplayable(made.id, made.settings)
    except UnplayableError:
        return None
    texts = {rule: canonical(value) for rule, value in values.items()}
    return Played(
        made,
        {
            rule: texts[rule] if rule in texts else keys.get(rule) or canonical(setting.value)
            for rule, setting in made.settings.items()
        },
    )


def _texts(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return sorted((rule, canonical(value)) for rule, value in values.items())


@lru_cache(maxsize=4)
def _on_which_rules_rest(spec: Spec) -> frozenset[str]:
    """Return the rules whose values decide which other rules matter."""
    return frozenset(needed for rule in spec.rules.values() for needed in rule.needs)
