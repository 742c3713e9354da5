"""Mutants of a profile: one value changed in every way that its schema suggests; and programs' common mistakes."""

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from belot_conformance.contrast.probe import Rival
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.catalogue import Rule, Text, different, mixed_up_values, near_values, text_of
from belot_spec.errors import UnknownNameError, UnplayableError, nearest
from belot_spec.files import canonical
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import Changes, ValueShape

COMMON_MISTAKE: Final = "a common mistake"
_ID_LENGTH: Final = 10


@dataclass(frozen=True, slots=True)
class Mutant:
    """A profile with another value for one rule; ``change`` names the way in which it was changed.

    ``also`` are values of other rules that a common mistake changes along with it.
    """

    profile: ProfileName
    rule: str
    value: Any
    change: str
    also: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The permanent name of this mutant: profile, rule and a digest of the value."""
        return f"{self.profile}:{self.rule}:{sha256(self.playing.encode()).hexdigest()[:_ID_LENGTH]}"

    @property
    def playing(self) -> str:
        """What the mutant plays instead, as text: the same for the same values in every profile."""
        return canonical([self.value, self.also] if self.also else self.value)

    @property
    def values(self) -> dict[str, Any]:
        """All values that are changed, by rule."""
        return {self.rule: self.value, **self.also}

    def as_json(self) -> dict[str, Any]:
        """Return the mutant as JSON values."""
        also = {"also": dict(self.also)} if self.also else {}
        return {"profile": self.profile, "rule": self.rule, "value": self.value, "change": self.change, **also}


def profiles_to_mutate(spec: Spec) -> list[str]:
    """Return every variant, each followed by its options one at a time."""
    return [
        name
        for variant in spec.playable()
        for name in (variant, *(ProfileName.of(variant, option) for option in spec.options_of(variant)))
    ]


@lru_cache(maxsize=128)
def mutants_of(name: str, spec: Spec) -> tuple[Mutant, ...]:
    """Return the playable mutants of a variant, or those of the rules that an option sets.

    A variant with one option has mutants only where the option says something: the rest are the variant's own.
    """
    profile = spec.profile(name)
    named = profile.id
    options = spec.options_of(named.variant)
    said = {rule for option in named.options for rule in options[option].settings}
    rules = said if named.options else profile.settings
    return tuple(mutants_of_rules(profile, rules, spec))


def mutants_of_rules(profile: Profile, rules: Container[str], spec: Spec) -> list[Mutant]:
    """Return the playable mutants of some rules of a profile, in the catalogue's order."""
    return [
        mutant
        for rule in spec.rules.values()
        if rule.id in rules and rule.id in profile.settings
        for mutant in _mutants_of_rule(rule, profile, spec)
    ]


def compile_mutant(mutant: Mutant, asked: Profile, spec: Spec) -> Ruleset:
    """Return the ruleset of a program that plays a mutant when it is asked for a profile of the same variant.

    Rules that matter only with the changed value get the value they have elsewhere. Raises ``UnplayableError`` if
    nobody could play so.
    """
    return compile_changed(asked, mutant.values, spec)


def rival_of(mutant: Mutant, asked: Profile, spec: Spec) -> Rival:
    """Return what a mutant plays in place of a profile, to be told from it."""
    return Rival(compile_mutant(mutant, asked, spec), mutant.values)


def compile_changed(asked: Profile, values: Mapping[str, Any], spec: Spec) -> Ruleset:
    """Return the ruleset of a profile with some values changed; raises ``UnplayableError`` if nobody could play so."""
    return compile_profile(changed_profile(asked, values, spec))


def changed_profile(asked: Profile, values: Mapping[str, Any], spec: Spec) -> Profile:
    """Return a profile with some values changed; rules that only then matter get the value they have elsewhere."""
    return asked.with_values(asked.id, values, spec.rules, _first_values(spec))


def other_values(rule: Rule, profile: Profile, spec: Spec) -> list[Any]:
    """Return the other values of a rule of a profile that its schema suggests, each once."""
    return [value for _, value in _changed_values(rule, profile, spec)]


def _changed_values(rule: Rule, profile: Profile, spec: Spec) -> Changes:
    """Yield the values near a rule's own, those of the likeliest mistakes first, and last those of rules like it."""
    own, settings = profile.settings[rule.id].value, profile.settings
    alone = [one.values[rule.id] for one in load_mistakes().values() if list(one.values) == [rule.id]]
    likely = (*mixed_up(rule, profile, spec), *((COMMON_MISTAKE, value) for value in alone))
    near = near_values(rule, own, spec.played_values(rule.id), likely)
    alike = (other.id for other in spec.rules.values() if other.is_like(rule) and other.id in settings)
    theirs = ((f"the value of {other}", settings[other].value) for other in alike)
    return different(rule, own, (*near, *theirs))


def mixed_up(rule: Rule, profile: Profile, spec: Spec) -> Changes:
    """Yield what a rule's value would be in each other order of the profile, or in tens and tenths of its unit."""
    orders = [other.id for other in spec.rules.values() if other.shape is ValueShape.RANK_ORDER]
    ranked = {other: profile.value(other) for other in orders if other in profile.settings}
    return mixed_up_values(rule, profile.value(rule.id), ranked)


def mixed_up_with(rule: Rule, spec: Spec) -> tuple[str, ...]:
    """Return the other rules of a profile from whose values those of `other_values` may be taken."""
    taken = ValueShape.RANK_ORDER if rule.shape is ValueShape.RANK_CLASSES else None
    return tuple(one.id for one in spec.rules.values() if one is not rule and (one.is_like(rule) or one.shape is taken))


@lru_cache(maxsize=4)
def _first_values(spec: Spec) -> Mapping[str, Any]:
    """Return a value for each rule: that of the first variant that has one."""
    found: dict[str, Any] = {}
    for variant in spec.nameable():
        for rule, setting in spec.profile(variant).settings.items():
            found.setdefault(rule, setting.value)
    return found


def _mutants_of_rule(rule: Rule, profile: Profile, spec: Spec) -> Iterator[Mutant]:
    near = (Mutant(profile.id, rule.id, value, change) for change, value in _changed_values(rule, profile, spec))
    found: dict[str, Mutant] = {}
    for mutant in (*near, *_mistakes_of_several_rules(rule, profile)):
        found.setdefault(mutant.playing, mutant)
    for mutant in found.values():
        with suppress(UnplayableError):
            compile_mutant(mutant, profile, spec)
            yield mutant


def _mistakes_of_several_rules(rule: Rule, profile: Profile) -> Iterator[Mutant]:
    """Yield the common mistakes that change this rule, the first of theirs that differs, and others along with it.

    Rules that do not matter in the profile are left out.
    """
    for mistake in load_mistakes().values():
        played = {name: value for name, value in mistake.values.items() if name in profile.settings}
        differing = [name for name, value in played.items() if not profile.plays(name, value)]
        if len(mistake.values) > 1 and differing[:1] == [rule.id]:
            also = {name: value for name, value in played.items() if name != rule.id}
            yield Mutant(profile.id, rule.id, played[rule.id], COMMON_MISTAKE, also)


LIST: Final = Path(__file__).with_name("mistakes.yaml")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake: its name, the values that are played, and words that complete *plays as if*.

    One that is no value of a rule has none, and words that complete *the program*; most of them were made for a
    variant, and a case of it fails.
    """

    name: str
    values: Mapping[str, Any]
    title: Text
    variant: str = ""
    case: str = ""


@cache
def load_mistakes(path: Path = LIST) -> Mapping[str, Mistake]:
    """Load the list; raises ``SpecError`` for a faulty one."""
    document = read_document(path)
    check_document(document, "mistakes")
    return {
        name: Mistake(name, data["rules"], text_of(data["title"])) for name, data in document.data["mistakes"].items()
    }


@cache
def load_faults(path: Path = LIST) -> Mapping[str, Mistake]:
    """Load the mistakes that are no values of rules."""
    faults = read_document(path).data["faults"]
    return {
        name: Mistake(name, {}, text_of(data["title"]), data.get("variant", ""), data.get("case", ""))
        for name, data in faults.items()
    }


def mistake_named(name: str) -> Mistake:
    """Return a mistake by name, one without values too; raises ``UnknownNameError``."""
    known = {**load_mistakes(), **load_faults()}
    if name not in known:
        hint = nearest(name, known) or "; belot mistakes lists them"
        raise UnknownNameError(f"there is no mistake {name}{hint}")
    return known[name]
