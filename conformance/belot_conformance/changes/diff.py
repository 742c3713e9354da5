"""What differs between two editions of the rules, rule by rule and in words; never a comparison of texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

from belot_conformance.changes.editions import Edition
from belot_conformance.changes.version import EFFECTS, NATURES, Kind, Nature, Step, step_for
from belot_conformance.rules.reading import STATUS_WORDS, as_runs, value_text, where_it_matters
from belot_spec.catalogue import Rule, Setting, Text, same_text
from belot_spec.data import spec_digest
from belot_spec.languages import LANGUAGES
from belot_spec.load.worth import Worth, variant_worth
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import enumerated_values, listed_values
from belot_spec.wording import sentence_text
from belot_spec.words import joined

DIFF_VERSION: Final = 1

_VARIANT_KINDS: Final[tuple[Kind, Kind, Kind]] = ("variant-added", "variant-removed", "variant-reworded")
_OPTION_KINDS: Final[tuple[Kind, Kind, Kind]] = ("option-added", "option-removed", "option-reworded")
_VALUE_KINDS: Final[tuple[Kind, Kind, Kind]] = ("value-added", "value-dropped", "value-changed")
_RULING_KINDS: Final[tuple[Kind, Kind, Kind]] = ("ruling-added", "ruling-removed", "ruling-reworded")

# What a ruling is about, beside its words.
_ABOUT: Final = ("variants", "statements", "rules", "options")
_EVERYWHERE: Final = "*"

Pairs = Sequence[tuple[ProfileName, Profile, Profile]]


@dataclass(frozen=True, slots=True)
class Side:
    """How something reads before or after: the sentence, and the value it states where it states one.

    ``unsourced`` marks the value of an option that no source of the variant says.
    """

    text: Text
    value: Any = None
    unsourced: bool = field(default=False, compare=False)


# A place with how something reads there before and after.
Row = tuple[ProfileName | None, Side | None, Side | None]


@dataclass(frozen=True, slots=True)
class Stand:
    """A before and an after that are the same in some places (profiles, or rules of an option)."""

    places: tuple[str, ...]
    before: Side | None
    after: Side | None


@dataclass(frozen=True, slots=True)
class Change:
    """One change to a rule, a variant, an option or a ruling, and how it reads in each place that it concerns."""

    kind: Kind
    id: str
    title: Text
    stands: tuple[Stand, ...]

    @property
    def nature(self) -> Nature:
        """What the change does to those who rely on the rules."""
        return EFFECTS[self.kind].nature


@dataclass(frozen=True, slots=True)
class SpecDiff:
    """Every change from one edition to another; ``silent`` if files differ and no rule, word or citation does.

    ``worth`` is what is known by rule of how often deals end otherwise by its changed value.
    """

    old: str
    new: str
    changes: tuple[Change, ...]
    silent: bool
    worth: Mapping[str, Sequence[Worth]] = field(default_factory=dict)

    @property
    def step(self) -> Step:
        """The step of the version that the changes ask for."""
        return "patch" if self.silent else step_for(change.kind for change in self.changes)

    def of(self, nature: Nature) -> list[Change]:
        """Return the changes of one nature."""
        return [change for change in self.changes if change.nature == nature]


def spec_diff(old: Edition, new: Edition) -> SpecDiff:
    """Hold two editions against each other, both whole specs or both profiles."""
    if old.profile is not None and new.profile is not None:
        changes = list(_values_between(old.spec, new.spec, [(new.profile.id, old.profile, new.profile)]))
        pairs = [(old.profile.id, old.profile, new.profile)]
    else:
        specs, pairs = (old.spec, new.spec), list(_profiles_of_both(old.spec, new.spec))
        changes = [*_variants_between(*specs), *_options_between(*specs), *_rules_between(*specs, pairs)]
        changes += [*_values_between(*specs, pairs), *_rulings_between(*specs)]
    changes = [told for change in changes if (told := _without_translations(change))]
    silent = not changes and old.profile is None and spec_digest(old.spec.folder) != spec_digest(new.spec.folder)
    changes.sort(key=lambda change: NATURES.index(change.nature))
    return SpecDiff(old.name, new.name, tuple(changes), silent, known_worth(old.spec, pairs))


def _without_translations(change: Change) -> Change | None:
    """Return a change of words but for what is told in a language more and reads as before in the others."""
    if not change.kind.endswith("-reworded"):
        return change
    stands = tuple(stand for stand in change.stands if not _is_translated(stand))
    if len(stands) < len(change.stands) and not any(stand.before for stand in stands):
        return None
    return replace(change, stands=stands)


def _is_translated(stand: Stand) -> bool:
    """Say whether all that came is a text in languages that it lacked."""
    if stand.before is None or stand.after is None or stand.before == stand.after:
        return False
    before, after = stand.before.text, stand.after.text
    return all(before.only(one) == after.only(one) for one in LANGUAGES if before.has(one) and after.has(one))


def _profiles_of_both(old: Spec, new: Spec) -> Iterator[tuple[ProfileName, Profile, Profile]]:
    """Yield each variant that both play, and each with an option that both have."""
    for variant in new.playable():
        if variant not in old.playable():
            continue
        names = [
            variant,
            *(ProfileName.of(variant, one) for one in new.options_of(variant) if one in old.options_of(variant)),
        ]
        for name in names:
            yield (profile := new.profile(name)).id, old.profile(name), profile


def _variants_between(old: Spec, new: Spec) -> Iterator[Change]:
    before, after = ({name: spec.variants[name] for name in spec.playable()} for spec in (old, new))
    for name in _all(before, after):
        titles = [told[name].name for told in (after, before) if name in told]
        sides = [
            Side(joined(": ", (told[name].name, told[name].summary))) if name in told else None
            for told in (before, after)
        ]
        kind = _kind(sides[0], sides[1], _VARIANT_KINDS)
        if kind is not None:
            yield Change(kind, name, titles[0], (Stand((), *sides),))


def _kind(before: Any, after: Any, kinds: tuple[Kind, Kind, Kind]) -> Kind | None:
    """Return which of three kinds it is: added, removed or changed; ``None`` if nothing did."""
    if before == after:
        return None
    return kinds[0] if before is None else kinds[1] if after is None else kinds[2]


def _options_between(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield options that came, went or got other words; those of a variant that came or went go with it."""
    found: dict[tuple[Kind, str, Text], list[tuple[str, tuple[Stand, ...]]]] = {}
    for variant in new.playable():
        if variant not in old.playable():
            continue
        before, after = old.options_of(variant), new.options_of(variant)
        for name in _all(before, after):
            titles = [options[name].title for options in (after, before) if name in options]
            kind = _kind(titles[-1] if name in before else None, titles[0] if name in after else None, _OPTION_KINDS)
            if kind is not None:
                stands = _option_stands(kind, variant, name, (old, before), (new, after))
                found.setdefault((kind, name, titles[0]), []).append((variant, stands))
    for (kind, name, title), places in found.items():
        distinct = {repr(stand): stand for _, own in places for stand in own}
        where = Stand(tuple(variant for variant, _ in places), None, None)
        yield Change(kind, name, title, (where, *distinct.values()))


def _option_stands(
    kind: Kind, variant: str, name: str, before: tuple[Spec, Mapping[str, Any]], after: tuple[Spec, Mapping[str, Any]]
) -> tuple[Stand, ...]:
    """Return the words of an option, and for one that came or went those of its values."""
    if kind == "option-reworded":
        return (Stand((), Side(before[1][name].title), Side(after[1][name].title)),)
    spec, options = after if kind == "option-added" else before
    own = options[name].settings
    settings = {**spec.profile(variant).settings, **own}
    sides = {rule: _side(rule, spec, settings) for rule in own}
    return tuple(
        Stand((rule,), None, side) if kind == "option-added" else Stand((rule,), side, None)
        for rule, side in sides.items()
    )


def _rules_between(old: Spec, new: Spec, pairs: Pairs) -> Iterator[Change]:
    """Yield what the catalogue says otherwise: rules that came or went, the values they may have, their words."""
    possible = [{rule.id: possible_values(rule.value_schema) for rule in spec.rules.values()} for spec in (old, new)]
    for name in _all(old.rules, new.rules):
        before, after = old.rules.get(name), new.rules.get(name)
        if before is None and after is not None:
            yield Change("rule-added", name, after.title, _grouped(_values_of(after, new, added=True)))
        elif after is None and before is not None:
            yield Change("rule-removed", name, before.title, _grouped(_values_of(before, old, added=False)))
        elif before is not None and after is not None:
            yield from _schema_changes(before, after)
            yield from _needs_changes(before, after, *possible)
            words = _grouped(_words_between(before, after, (old, new), pairs))
            if words:
                yield Change("rule-reworded", name, after.title, words)


def _values_of(rule: Rule, spec: Spec, added: bool) -> Iterator[Row]:
    for variant in spec.playable():
        profile = spec.profile(variant)
        if rule.id in profile.settings:
            side = _side(rule.id, spec, profile.settings)
            yield (profile.id, None, side) if added else (profile.id, side, None)


def _schema_changes(before: Rule, after: Rule) -> Iterator[Change]:
    wider = accepts_all_of(after.value_schema, before.value_schema)
    narrower = accepts_all_of(before.value_schema, after.value_schema)
    if wider and narrower:
        return
    old, new = possible_values(before.value_schema), possible_values(after.value_schema)
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    stand = Stand((), _listed(gone), _listed(come)) if gone or come else Stand((), None, None)
    yield Change("values-widened" if wider else "values-narrowed", after.id, after.title, (stand,))


def _listed(values: Sequence[str]) -> Side | None:
    return Side(same_text(", ".join(values)), list(values)) if values else None


def _needs_changes(
    before: Rule, after: Rule, old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]
) -> Iterator[Change]:
    """Yield a change of where a rule matters; one that only concerns values which did not exist only extends it."""
    if before.needs == after.needs:
        return
    extended = before.needs.keys() == after.needs.keys() and all(
        set(map(value_text, wanted)) - (set(new.get(rule, ())) - set(old.get(rule, ())))
        == set(map(value_text, before.needs[rule]))
        for rule, wanted in after.needs.items()
    )
    stand = Stand((), Side(where_it_matters(before.needs)), Side(where_it_matters(after.needs)))
    yield Change("needs-extended" if extended else "needs-changed", after.id, after.title, (stand,))


def _words_between(before: Rule, after: Rule, specs: tuple[Spec, Spec], pairs: Pairs) -> Iterator[Row]:
    for one, other in ((before.title, after.title), (before.question, after.question)):
        if one != other:
            yield None, Side(one), Side(other)
    for name, own, theirs in pairs:
        earlier, later = own.settings.get(before.id), theirs.settings.get(after.id)
        if earlier is None or later is None or earlier.value != later.value:
            continue
        # Both beside the same other rules, as those are told of where they change themselves.
        sides = _side(before.id, specs[0], theirs.settings), _side(after.id, specs[1], theirs.settings)
        if sides[0] != sides[1]:
            yield name, *sides


def _values_between(old: Spec, new: Spec, pairs: Pairs) -> Iterator[Change]:
    """Yield the rules whose value differs between profiles, and then those that rest on something else now."""
    for rule in new.rules.values():
        if rule.id in old.rules:
            for kind in _VALUE_KINDS:
                stands = _grouped(_settings_between(rule.id, kind, old, new, pairs))
                if stands:
                    yield Change(kind, rule.id, rule.title, stands)
    for rule in new.rules.values():
        stands = _grouped(_bases_between(rule.id, pairs))
        if stands:
            yield Change("basis-changed", rule.id, rule.title, stands)


def _settings_between(rule: str, kind: Kind, old: Spec, new: Spec, pairs: Pairs) -> Iterator[Row]:
    for name, own, theirs in pairs:
        before, after = own.settings.get(rule), theirs.settings.get(rule)
        values = [setting.value if setting else None for setting in (before, after)]
        if values[0] != values[1] and kind == _kind(before, after, _VALUE_KINDS):
            yield name, _side_or_none(rule, old, own.settings), _side_or_none(rule, new, theirs.settings)


def _bases_between(rule: str, pairs: Pairs) -> Iterator[Row]:
    for name, own, theirs in pairs:
        before, after = own.settings.get(rule), theirs.settings.get(rule)
        if before is None or after is None or before.value != after.value:
            continue
        sides = (_basis(before), _basis(after))
        if sides[0] != sides[1]:
            yield name, *sides


def _basis(setting: Setting) -> Side:
    rest = [*as_runs(setting.cite), *([setting.ruling] if setting.ruling else [])]
    status = STATUS_WORDS[setting.status]
    return Side(joined("; ", [status, *([same_text(", ".join(rest))] if rest else [])]))


def _rulings_between(old: Spec, new: Spec) -> Iterator[Change]:
    for name in _all(old.rulings, new.rulings):
        before, after = old.rulings.get(name), new.rulings.get(name)
        kind = _kind(before, after, _RULING_KINDS)
        if before is not None and after is not None and _worded_alike(before, after):
            yield from _about_otherwise(before, after)
            continue
        named = after or before
        if kind is not None and named is not None:
            sides = [Side(ruling.reading) if ruling else None for ruling in (before, after)]
            yield Change(kind, name, named.title, (Stand((), *sides),))


def _worded_alike(before: Ruling, after: Ruling) -> bool:
    """Say whether two rulings differ in nothing but what they are about."""
    names = {name: getattr(after, name) for name in _ABOUT}
    return replace(before, **names) == after


def _about_otherwise(before: Ruling, after: Ruling) -> Iterator[Change]:
    """Yield that a ruling is about more, or no longer about all that it was."""
    come, gone = (_touched(one) - _touched(other) for one, other in ((after, before), (before, after)))
    if not after.variants:
        gone -= {*before.variants}
    if come or gone:
        kind: Kind = "ruling-narrowed" if gone else "ruling-extended"
        yield Change(kind, after.id, after.title, (Stand(tuple(sorted(gone or come)), None, None),))


def _touched(ruling: Ruling) -> frozenset[str]:
    """Return what a ruling is about; one without variants is about all of them."""
    named = (name for names in _ABOUT for name in getattr(ruling, names))
    return frozenset((*named, *(() if ruling.variants else (_EVERYWHERE,))))


def _side_or_none(rule: str, spec: Spec, settings: Mapping[str, Setting]) -> Side | None:
    return _side(rule, spec, settings) if rule in settings else None


def _side(rule: str, spec: Spec, settings: Mapping[str, Setting]) -> Side:
    value = settings[rule].value
    told = sentence_text(spec.rules[rule], value, spec.glossary, settings)
    return Side(told, value, settings[rule].is_unsourced)


def _grouped(stands: Iterable[Row]) -> tuple[Stand, ...]:
    """Put places with the same before and after together, in the order met; a variant speaks for its options."""
    found: dict[str, tuple[list[str], Side | None, Side | None]] = {}
    for place, before, after in stands:
        places, _, _ = found.setdefault(repr((before, after)), ([], before, after))
        if place is not None and place.variant not in places:
            places.append(place)
    return tuple(Stand(tuple(places), before, after) for places, before, after in found.values())


def _all(old: Iterable[str], new: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*new, *old]))


def as_json(diff: SpecDiff) -> dict[str, Any]:
    """Return the differences as JSON."""
    return {
        "diff": DIFF_VERSION,
        "old": diff.old,
        "new": diff.new,
        "step": diff.step,
        "changes": [
            {
                "kind": change.kind,
                "nature": change.nature,
                "step": EFFECTS[change.kind].step,
                "id": change.id,
                "title": change.title.as_json(),
                "stands": [
                    {"places": list(stand.places), "before": _side_json(stand.before), "after": _side_json(stand.after)}
                    for stand in change.stands
                ],
            }
            for change in diff.changes
        ],
    }


def _side_json(side: Side | None) -> dict[str, Any] | None:
    if side is None:
        return None
    told = {} if side.value is None else {"value": side.value, "unsourced": side.unsourced}
    return {"text": side.text.as_json(), **told}


def known_worth(spec: Spec, pairs: Iterable[tuple[str, Profile, Profile]]) -> dict[str, list[Worth]]:
    """Return by rule what its changes are worth in the variants of a spec, from their values to those of others."""
    found: dict[str, list[Worth]] = {}
    for variant, before, after in pairs:
        if variant not in spec.playable():
            continue
        for rule, setting in after.settings.items():
            if rule in before.settings and before.value(rule) != setting.value:
                worth = variant_worth(spec, variant).of_value(rule, setting.value)
                found.setdefault(rule, []).extend([] if worth is None else [worth])
    return found


# The values that a rule may have: which there are, and whether one schema allows all that another does.


_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", bool: "boolean"}
_LOWER_BOUNDS: Final = ("minimum", "exclusiveMinimum", "minItems", "minLength", "minProperties")
_UPPER_BOUNDS: Final = ("maximum", "exclusiveMaximum", "maxItems", "maxLength", "maxProperties")


def possible_values(value_schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the values, or items of a list, that a schema names one by one, as they are written in a variant."""
    listed = listed_values(value_schema) or listed_values(value_schema.get("items", {}))
    return tuple(map(value_text, listed))


def accepts_all_of(wide: Any, narrow: Any) -> bool:
    """Say whether a schema surely allows every value that another does.

    Bounds, enumerations, items, properties and alternatives are understood; of anything else only the same is known to
    do so.
    """
    wide, narrow = (part if isinstance(part, Mapping) else {"not-understood": part} for part in (wide, narrow))
    if {"oneOf"} in (wide.keys(), narrow.keys()):
        parts = wide.get("oneOf", [wide])
        single = [{"const": value} for value in listed_values(narrow)]
        rest = [part for part in narrow.get("oneOf", [narrow]) if not enumerated_values(part)]
        # What fits two of the alternatives fits none.
        apart = all(_are_apart(one, other) for one, other in combinations(parts, 2))
        return apart and all(any(accepts_all_of(part, one) for part in parts) for one in (*single, *rest))
    ours, theirs = _enumeration(wide), _enumeration(narrow)
    if ours is not None and theirs is not None:
        return all(value in ours for value in theirs)
    keywords = {*wide, *narrow} - {"description", "title"}
    return all(_allows(key, wide.get(key), narrow.get(key)) for key in keywords)


def _are_apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether surely no value fits both schemas: they list other values, or values of other types."""
    ours, theirs = _enumeration(one), _enumeration(other)
    if ours is not None and theirs is not None:
        return set(ours).isdisjoint(theirs)
    types, others = _types(one), _types(other)
    return types.isdisjoint(others) and None not in types | others


def _types(resolved: Mapping[str, Any]) -> set[str | None]:
    listed = {_TYPES.get(type(value)) for value in enumerated_values(resolved)}
    return listed or {resolved.get("type")}


def _enumeration(resolved: Mapping[str, Any]) -> list[str] | None:
    values = enumerated_values(resolved)
    return list(map(value_text, values)) if values else None


def _allows(keyword: str, wide: Any, narrow: Any) -> bool:
    if wide is None or wide == narrow:
        return True
    if narrow is None:
        return False
    if keyword in _LOWER_BOUNDS:
        return bool(wide <= narrow)
    if keyword in _UPPER_BOUNDS:
        return bool(wide >= narrow)
    if keyword in ("items", "contains"):
        return accepts_all_of(wide, narrow)
    if keyword == "required":
        return set(wide) <= set(narrow)
    if keyword == "properties":
        return wide.keys() == narrow.keys() and all(accepts_all_of(wide[key], narrow[key]) for key in wide)
    return bool(wide == narrow)
