"""Mutants of a profile: one value changed in every way that its schema suggests; and programs' common mistakes."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from belot_conformance.contrast.probe import Rival
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.card_names import SUITS
from belot_spec.catalogue import Rule, Text, enumerated_values, resolve, text_of
from belot_spec.errors import UnknownNameError, UnplayableError, nearest
from belot_spec.files import canonical
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

COMMON_MISTAKE: Final = "a common mistake"
_ID_LENGTH: Final = 10

# Other values, each with the way in which it was changed.
Changes = Iterator[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A profile with another value for one rule; ``change`` names the way in which it was changed.

    ``also`` are values of other rules that a common mistake changes along with it.
    """

    profile: str
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
        for name in (variant, *(f"{variant}+{option}" for option in spec.options_of(variant)))
    ]


@lru_cache(maxsize=128)
def mutants_of(name: str, spec: Spec) -> tuple[Mutant, ...]:
    """Return the playable mutants of a variant, or those of the rules that an option sets.

    A variant with one option has mutants only where the option says something: the rest are the variant's own.
    """
    profile = spec.profile(name)
    named = ProfileName.parse(name)
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
    seen = [profile.settings[rule.id].value]
    for change, value in _changes(rule, profile, spec):
        if not any(_same(value, other) for other in seen) and rule.validator.is_valid(value):
            seen.append(value)
            yield change, value


@lru_cache(maxsize=4)
def _first_values(spec: Spec) -> Mapping[str, Any]:
    """Return a value for each rule: that of the first variant that has one."""
    found: dict[str, Any] = {}
    for variant in spec.playable():
        for rule, setting in spec.profile(variant).settings.items():
            found.setdefault(rule, setting.value)
    return found


def _mutants_of_rule(rule: Rule, profile: Profile, spec: Spec) -> Iterator[Mutant]:
    candidates = [Mutant(profile.id, rule.id, value, change) for change, value in _changed_values(rule, profile, spec)]
    seen = [profile.settings[rule.id].value, *(mutant.value for mutant in candidates)]
    for mutant in (*candidates, *_mistakes_of_several_rules(rule, profile, seen)):
        with suppress(UnplayableError):
            compile_mutant(mutant, profile, spec)
            yield mutant


def _mistakes_of_several_rules(rule: Rule, profile: Profile, seen: Sequence[Any]) -> Iterator[Mutant]:
    """Yield the common mistakes that change this rule, the first of theirs that differs, and others along with it.

    Rules that do not matter in the profile are left out, and what then is one value among those ``seen`` as well.
    """
    for mistake in load_mistakes().values():
        played = {name: value for name, value in mistake.values.items() if name in profile.settings}
        differing = [name for name, value in played.items() if not _same(profile.settings[name].value, value)]
        also = {name: value for name, value in played.items() if name != rule.id}
        is_new = bool(also) or not any(_same(played.get(rule.id), other) for other in seen)
        if len(mistake.values) > 1 and differing[:1] == [rule.id] and is_new:
            yield Mutant(profile.id, rule.id, played[rule.id], COMMON_MISTAKE, also)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _changes(rule: Rule, profile: Profile, spec: Spec) -> Changes:
    own = profile.settings[rule.id].value
    for part in (rule.value_schema, *rule.value_schema.get("oneOf", ())):
        for value in enumerated_values(part):
            yield "another value", value
    yield from mixed_up(rule, profile, spec)
    for mistake in load_mistakes().values():
        if list(mistake.values) == [rule.id]:
            yield COMMON_MISTAKE, mistake.values[rule.id]
    neighbours = _values_elsewhere(rule.id, spec)
    yield from _changes_of_shape(rule, own, neighbours)
    for value in neighbours:
        yield "a neighbour's value", value
    for other in spec.rules.values():
        shape = rule.value_schema.get("$ref")
        if shape is not None and other.value_schema.get("$ref") == shape and other.id in profile.settings:
            yield f"the value of {other.id}", profile.settings[other.id].value


@lru_cache(maxsize=256)
def _values_elsewhere(rule: str, spec: Spec) -> tuple[Any, ...]:
    """Return the values of a rule in the variants and their options."""
    found: list[Any] = []
    for variant in spec.playable():
        found += [way[rule].value for way in spec.ways_of(variant) if rule in way]
    return tuple(found)


def _changes_of_shape(rule: Rule, own: Any, neighbours: Sequence[Any]) -> Changes:
    if isinstance(own, (bool, str)):
        return
    if isinstance(own, int):
        yield from _moved(own, [value for value in neighbours if isinstance(value, int)])
    elif isinstance(own, dict):
        yield from _entries_changed(own, neighbours)
    else:
        yield from _list_changed(own, resolve(rule.value_schema).get("items", {}))


def _moved(number: int, neighbours: Sequence[int]) -> Changes:
    yield "one more", number + 1
    yield "one less", number - 1
    yield "doubled", number * 2
    for value in neighbours:
        yield "a neighbour's value", value


def _entries_changed(own: Mapping[str, int], neighbours: Sequence[Mapping[str, int]]) -> Changes:
    for key, number in own.items():
        for change, value in _moved(number, [neighbour[key] for neighbour in neighbours]):
            yield f"{key}: {change}", {**own, key: value}
    for one, other in pairwise(own):
        yield f"{one} and {other} swapped", {**own, one: own[other], other: own[one]}


def _list_changed(own: list[Any], items: Mapping[str, Any]) -> Changes:
    if "enum" in items:
        return _names_changed(own, items)
    if items.get("type") == "integer":
        return _numbers_changed(own)
    if items.get("type") == "array":
        return _classes_changed(own)
    return _cards_changed(own) if items.get("$ref", "").endswith("/card") else _names_changed(own, items)


def _names_changed(own: list[str], items: Mapping[str, Any]) -> Changes:
    """Remove each rung, swap neighbours, and add each rung that is missing at every place."""
    yield from _places_changed(own)
    for name in items.get("enum", ()):
        for place in range(len(own) + 1):
            if name not in own:
                yield f"{name} added", [*own[:place], name, *own[place:]]
        for place in range(len(own)):
            yield f"{name} for {own[place]}", [*own[:place], name, *own[place + 1 :]]


def _places_changed(own: list[Any]) -> Changes:
    for place, item in enumerate(own):
        yield f"{item} removed", [*own[:place], *own[place + 1 :]]
    for place in range(len(own) - 1):
        one, other = own[place : place + 2]
        yield f"{one} and {other} swapped", [*own[:place], other, one, *own[place + 2 :]]


def _numbers_changed(own: list[int]) -> Changes:
    """Change the packets: their order, their sizes, and how many there are."""
    yield from _places_changed(own)
    for place, number in enumerate(own):
        for change, value in _moved(number, ()):
            yield f"packet {place + 1} {change}", [*own[:place], value, *own[place + 1 :]]
        for first in range(1, number):
            yield f"packet {place + 1} split", [*own[:place], first, number - first, *own[place + 1 :]]
    for place in range(len(own) - 1):
        one, other = own[place : place + 2]
        yield f"packets {place + 1} and {place + 2} in one", [*own[:place], one + other, *own[place + 2 :]]
        for step in (1, -1):
            yield "a card moved between packets", [*own[:place], one + step, other - step, *own[place + 2 :]]


def _classes_changed(own: list[list[Any]]) -> Changes:
    """Swap, merge and split classes that lie next to each other, and leave members out."""
    yield from _places_changed(own)
    for place in range(len(own) - 1):
        one, other = own[place : place + 2]
        yield f"{one} and {other} alike", [*own[:place], [*one, *other], *own[place + 2 :]]
    for place, members in enumerate(own):
        for member in members if len(members) > 1 else ():
            rest = [other for other in members if other != member]
            yield f"{member} above its class", [*own[:place], rest, [member], *own[place + 1 :]]
            yield f"{member} below its class", [*own[:place], [member], rest, *own[place + 1 :]]


def _cards_changed(own: list[str]) -> Changes:
    """Leave out other cards: one fewer, one more, the same ranks in other suits."""
    yield from _places_changed(own)
    for place, card in enumerate(own):
        for suit in SUITS:
            yield f"{card[:-1]}{suit} for {card}", [*own[:place], f"{card[:-1]}{suit}", *own[place + 1 :]]
    for suit in SUITS:
        yield f"7{suit} removed too", [*own, f"7{suit}"]


WRONG_ORDER: Final = "wrong order"
WRONG_UNIT: Final = "wrong unit"

_ORDER: Final = "rank-order"
_CLASSES: Final = "rank-classes"
_POINTS: Final = frozenset(("points", "rank-points"))
# Points of which the schema says only that they are a number.
_NUMBERS: Final = frozenset(("match.target", "scoring.contract-needs", "scoring.trickless-player"))
_UNIT: Final = 10


def mixed_up(rule: Rule, profile: Profile, spec: Spec) -> Iterator[tuple[str, Any]]:
    """Yield what a rule's value would be in each other order of the profile, or in tens and tenths of its unit.

    Squares are ranked from low to high, orders of cards from high to low.
    """
    own = profile.settings[rule.id].value
    if _shape(rule.value_schema) == _ORDER:
        for other, order in _orders(profile, spec):
            yield f"{WRONG_ORDER}: {other}", order
    elif _shape(rule.value_schema) == _CLASSES:
        yield f"{WRONG_ORDER}: from high to low", own[::-1]
        known = {rank for ranks in own for rank in ranks}
        for other, order in _orders(profile, spec):
            yield f"{WRONG_ORDER}: {other}", [[rank] for rank in reversed(order) if rank in known]
    elif (rule.id in _NUMBERS or _is_points(rule.value_schema)) and not isinstance(own, str):
        yield f"{WRONG_UNIT}: tenfold", _each(own, lambda number: number * _UNIT)
        yield f"{WRONG_UNIT}: in tens", _each(own, lambda number: number // _UNIT)


def mixed_up_with(rule: Rule, spec: Spec) -> tuple[str, ...]:
    """Return the other rules of a profile from whose values those of `other_values` may be taken."""
    shapes = {_shape(rule.value_schema)} | ({_ORDER} if _shape(rule.value_schema) == _CLASSES else set())
    return tuple(one.id for one in spec.rules.values() if one is not rule and _shape(one.value_schema) in shapes - {""})


def _orders(profile: Profile, spec: Spec) -> Iterator[tuple[str, list[str]]]:
    for rule in spec.rules.values():
        if rule.id in profile.settings and _shape(rule.value_schema) == _ORDER:
            yield rule.id, profile.settings[rule.id].value


def _shape(schema: Mapping[str, Any]) -> str:
    reference: str = schema.get("$ref", "")
    return reference.rsplit("/", 1)[-1]


def _is_points(schema: Mapping[str, Any]) -> bool:
    """Say whether the numbers of a schema are points, of cards or of the score."""
    return _shape(schema) in _POINTS or any(map(_is_points, schema.get("patternProperties", {}).values()))


def _each(value: Any, change: Callable[[int], int]) -> Any:
    """Change a number, or every number of a table."""
    return {key: change(number) for key, number in value.items()} if isinstance(value, Mapping) else change(value)


LIST: Final = Path(__file__).with_name("mistakes.yaml")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake: its name, the values that are played, and words that complete *plays as if*.

    One that is no value of a rule has none, and words that complete *the program*.
    """

    name: str
    values: Mapping[str, Any]
    title: Text


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
    return {name: Mistake(name, {}, text_of(data["title"])) for name, data in faults.items()}


def mistake_named(name: str) -> Mistake:
    """Return a mistake by name, one without values too; raises ``UnknownNameError``."""
    known = {**load_mistakes(), **load_faults()}
    if name not in known:
        hint = nearest(name, known) or "; belot mistakes lists them"
        raise UnknownNameError(f"there is no mistake {name}{hint}")
    return known[name]
