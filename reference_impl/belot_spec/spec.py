"""The whole spec, loaded and checked, and the profiles that can be made of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from belot_spec.card_names import MODE_KINDS
from belot_spec.catalogue import BareRule, Rule, Setting, Text, text_by, text_of
from belot_spec.errors import IdleRuleError, UnknownNameError, nearest
from belot_spec.files import canonical
from belot_spec.own_words import OwnWord
from belot_spec.playability import refuse_unplayable
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling, Source
from belot_spec.variants import (
    Needs,
    Option,
    Variant,
    available_options,
    is_needed,
    needs_of,
    resolved_settings,
    settled,
)


@dataclass(frozen=True, slots=True)
class Glossary:
    """The names of ranks, suits and terms, and what some terms are called where certain rules hold."""

    ranks: Mapping[str, Text]
    suits: Mapping[str, Text]
    terms: Mapping[str, Mapping[str, Any]]
    called: tuple[OwnWord, ...] = ()

    def bid(self, bid: str) -> Text:
        """Return what somebody says in the bidding, given as the protocol writes it; of a mode its name."""
        if bid in self.suits:
            return self.suits[bid]
        if bid not in self.terms and (amount := bid[:-1]):
            mode = self.bid(bid[-1])
            return text_by(lambda language: f"{amount} {mode.only(language)}")
        term = self.terms[MODE_KINDS.get(bid, bid)]
        return text_of(term.get("said", term))


_NOTHING: Final[Mapping[str, Any]] = {}
# Games of the family that people look for here in vain, as they write them.
_NOT_HERE: Final = frozenset({"klaberjass", "klabberjass", "baloot", "jass", "jassen"})


@dataclass(frozen=True, slots=True)
class Profile:
    """A variant with options, or with a user's own changes: a value for every rule that matters.

    ``needs`` are, for each rule that matters only at some tables, the rules on which that depends, ``base`` the profile
    of the spec on which changes build: its own name, where there are none.
    """

    id: ProfileName
    name: Text
    settings: Mapping[str, Setting]
    needs: Needs
    base: ProfileName

    def value(self, rule: str) -> Any:
        """Return the value of a rule that matters in this profile; raises ``KeyError`` for any other."""
        return self.settings[rule].value

    def given(self, rule: str) -> Any:
        """Return the value of a rule that matters only in some profiles; ``IdleRuleError`` where not in this one."""
        if rule not in self.settings:
            raise IdleRuleError(f"{rule} was read, and does not matter in {self.id}")
        return self.settings[rule].value

    def plays(self, rule: str, value: Any) -> bool:
        """Say whether a rule matters in this profile and has this value."""
        return rule in self.settings and canonical(self.settings[rule].value) == canonical(value)

    def with_values(
        self,
        name: str,
        values: Mapping[str, Any],
        rules: Mapping[str, BareRule],
        elsewhere: Mapping[str, Any] = _NOTHING,
    ) -> "Profile":
        """Return this profile with some values changed, under another name and without checking the values.

        Rules that only then matter get the value that they have ``elsewhere``, or else their default.
        """
        settings = {**self.settings, **_house_settings(values)}
        changed = set(values)
        # Each stands after those that it needs, so that what changes here is known before it is asked for.
        is_plain = settings.keys() == self.settings.keys() and changed.isdisjoint(self.needs.resting_on)
        for rule, needed in () if is_plain else self.needs.items():
            is_new = rule in values and rule not in self.settings
            if not is_new and changed.isdisjoint(needed):
                continue
            if (matters := is_needed(rules[rule], settings)) == (rule in settings):
                continue
            changed.add(rule)
            if matters:
                default = rules[rule].default
                if rule in elsewhere or default is None:
                    settings |= _house_settings({rule: elsewhere[rule]})
                else:
                    settings[rule] = default
            else:
                del settings[rule]
        if settings.keys() != self.settings.keys():
            settings = {rule: settings[rule] for rule in rules if rule in settings}
        return Profile(ProfileName(name), self.name, settings, self.needs, self.base)


def _house_settings(values: Mapping[str, Any]) -> dict[str, Setting]:
    return {rule: Setting(value, "house", (), None) for rule, value in values.items()}


def profile_of(
    name: str, title: Text, settings: Mapping[str, Setting], rules: Mapping[str, BareRule], base: str | None = None
) -> Profile:
    """Return a profile of those settings that matter beside the others; ``KeyError`` if one is missing that does."""
    active, missing = settled(settings, rules)
    if missing:
        raise KeyError(missing[0])
    return Profile(ProfileName(name), title, active, needs_of(rules), ProfileName(name if base is None else base))


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """Everything in ``spec/``, checked against itself."""

    folder: Path
    rules: Mapping[str, Rule]
    sources: Mapping[str, Source]
    rulings: Mapping[str, Ruling]
    glossary: Glossary
    variants: Mapping[str, Variant]

    def playable(self) -> tuple[str, ...]:
        """Return the ids of the variants that can be played, leaving out the abstract ones and drafts."""
        return tuple(variant.id for variant in self.variants.values() if not variant.abstract and not variant.draft)

    def nameable(self) -> tuple[str, ...]:
        """Return the ids of the variants that whoever names them can play: drafts too, which nobody is shown yet."""
        return tuple(variant.id for variant in self.variants.values() if not variant.abstract)

    def shown(self) -> "Spec":
        """Return the spec without its drafts, and without rules, sources and rulings that are about them alone."""
        drafts = {variant.id for variant in self.variants.values() if variant.draft}
        kept = replace(self, variants={name: one for name, one in self.variants.items() if name not in drafts})
        played = {rule for variant in kept.playable() for way in kept.ways_of(variant) for rule in way}

        def is_about_drafts(variants: Iterable[str]) -> bool:
            return bool(found := {*variants}) and found <= drafts

        return replace(
            kept,
            rules={name: rule for name, rule in self.rules.items() if name in played},
            sources={
                name: replace(
                    source,
                    homes={
                        one: home.among(() if is_about_drafts(source.parts.get(one, ())) else played)
                        for one, home in source.homes.items()
                    },
                )
                for name, source in self.sources.items()
                if not is_about_drafts(variant for variants in source.parts.values() for variant in variants)
            },
            rulings={name: one for name, one in self.rulings.items() if not is_about_drafts(one.variants)},
        )

    def options_of(self, variant: str) -> Mapping[str, Option]:
        """Return the options of a variant by name."""
        return available_options(self.variants[variant], self.variants, self.rules)

    def ways_of(self, variant: str) -> Sequence[Mapping[str, Setting]]:
        """Return the values of a variant, and those that each of its options gives."""
        return _ways_of(self, variant)

    def played_values(self, rule: str) -> Sequence[Any]:
        """Return the values that a rule has in the variants, and that their options give it; some more than once."""
        return _played_values(self).get(rule, ())

    def values_elsewhere(self, rule: str) -> Sequence[Any]:
        """Return the values of a rule that documents have and no option does."""
        return [one.value for variant in self.variants.values() for one in variant.elsewhere.get(rule, ())]

    def profile(self, name: str) -> Profile:
        """Return the profile ``variant+option+…``; no file is looked at, whatever the name is.

        Raises ``UnknownNameError`` for an unknown variant or option and for options that contradict each other,
        ``UnplayableError`` for options by which together nobody could play.
        """
        named = ProfileName(name)
        variant_id = named.variant
        if variant_id not in self.nameable():
            known = ", ".join(self.nameable())
            if variant_id.lower() in _NOT_HERE:
                raise UnknownNameError(f"{variant_id} is a game that is not here (known: {known})")
            hint = nearest(variant_id, self.nameable())
            why = f"; {variant_id} is only there to be extended" if variant_id in self.variants else ""
            raise UnknownNameError(f"there is no variant {variant_id or '(empty)'}{hint} (known: {known}){why}")
        variant = self.variants[variant_id]
        options = [self._option(variant_id, option_id) for option_id in named.options]
        _refuse_contradictions(name, options)
        settings = resolved_settings(variant, self.variants)
        for option in options:
            settings.update(option.settings)
        profile = profile_of(named, variant.name, settings, self.rules)
        if len(options) > 1:
            refuse_unplayable(name, profile.settings)
        return profile

    def _option(self, variant_id: str, option_id: str) -> Option:
        options = self.options_of(variant_id)
        if option_id not in options:
            hint = nearest(option_id, options) or f"; it has {', '.join(sorted(options)) or 'none'}"
            raise UnknownNameError(f"the variant {variant_id} has no option {option_id or '(empty)'}{hint}")
        return options[option_id]


def _refuse_contradictions(name: str, options: list[Option]) -> None:
    for index, option in enumerate(options):
        for other in options[index + 1 :]:
            for rule in sorted(option.settings.keys() & other.settings.keys()):
                if option.id == other.id:
                    raise UnknownNameError(f"{name} names the option {option.id} twice")
                if option.settings[rule].value != other.settings[rule].value:
                    raise UnknownNameError(
                        f"the options {option.id} and {other.id} contradict each other: both set {rule}"
                    )


@lru_cache(maxsize=64)
def _ways_of(spec: Spec, variant: str) -> Sequence[Mapping[str, Setting]]:
    return [spec.profile(variant).settings, *(option.settings for option in spec.options_of(variant).values())]


@lru_cache(maxsize=4)
def _played_values(spec: Spec) -> Mapping[str, Sequence[Any]]:
    found: dict[str, list[Any]] = {}
    for variant in spec.nameable():
        for way in spec.ways_of(variant):
            for rule, setting in way.items():
                found.setdefault(rule, []).append(setting.value)
    return found


def mattering_rules(variant: str, spec: Spec) -> set[str]:
    """Return the rules that matter in a variant, as it is or with one of its options."""
    base = resolved_settings(spec.variants[variant], spec.variants)
    ways = [base, *({**base, **option.settings} for option in spec.options_of(variant).values())]
    return {rule for settings in ways for some in settled(settings, spec.rules) for rule in some}
