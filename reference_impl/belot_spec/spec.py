"""The whole spec, loaded and checked, and the profiles that can be made of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Rule, Text, load_catalogue, text_of, value_key
from belot_spec.data import spec_folder
from belot_spec.errors import Problem, SpecError, UnknownNameError, nearest, refuse
from belot_spec.files import canonical
from belot_spec.load.documents import Document, read_document
from belot_spec.load.schemas import check_document, document_problems
from belot_spec.own_words import OwnWord, own_words_of
from belot_spec.playability import Contradiction, contradictions, refuse_unplayable
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling, Source, load_rulings, load_sources
from belot_spec.variants import (
    Option,
    Setting,
    Variant,
    ancestry,
    available_options,
    condition,
    is_needed,
    load_variants,
    resolved_settings,
    value_problems,
)

# In bytes: many times what it takes to change every rule, and explain why.
_LARGEST_OVERLAY: Final = 200_000


@dataclass(frozen=True, slots=True)
class Glossary:
    """The names of ranks, suits and terms, and what some terms are called where certain rules hold."""

    ranks: Mapping[str, Text]
    suits: Mapping[str, Text]
    terms: Mapping[str, Mapping[str, Any]]
    called: tuple[OwnWord, ...] = ()


_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Profile:
    """A variant with options, or with a user's own changes: a value for every rule that matters.

    ``needs`` are, for each rule that matters only at some tables, the rules on which that depends.
    """

    id: str
    name: Text
    settings: Mapping[str, Setting]
    needs: Mapping[str, tuple[str, ...]]

    def value(self, rule: str) -> Any:
        """Return the value of a rule that matters in this profile; raises ``KeyError`` for any other."""
        return self.settings[rule].value

    def plays(self, rule: str, value: Any) -> bool:
        """Say whether a rule matters in this profile and has this value."""
        return rule in self.settings and canonical(self.settings[rule].value) == canonical(value)

    def with_values(
        self, name: str, values: Mapping[str, Any], rules: Mapping[str, Rule], elsewhere: Mapping[str, Any] = _NOTHING
    ) -> "Profile":
        """Return this profile with some values changed, under another name and without checking the values.

        Rules that only then matter get the value that they have ``elsewhere``.
        """
        settings = {**self.settings, **_house_settings(values)}
        if values.keys() <= self.settings.keys() and all(map(values.keys().isdisjoint, self.needs.values())):
            return Profile(name, self.name, settings, self.needs)  # No rule comes to matter, none ceases to.
        return profile_of(name, self.name, {**_house_settings(elsewhere), **settings}, rules)


def _house_settings(values: Mapping[str, Any]) -> dict[str, Setting]:
    return {rule: Setting(value, "house", (), None) for rule, value in values.items()}


def profile_of(name: str, title: Text, settings: Mapping[str, Setting], rules: Mapping[str, Rule]) -> Profile:
    """Return a profile of those settings that matter beside the others; ``KeyError`` if one is missing that does."""
    needs = {rule.id: tuple(rule.needs) for rule in rules.values() if rule.needs}
    active = {
        rule_id: settings[rule_id]
        for rule_id, rule in rules.items()
        if rule_id in settings or is_needed(rule, settings)
    }
    # A rule that does not matter itself makes none matter that depends on it.
    while lost := [rule for rule in needs if rule in active and not is_needed(rules[rule], active)]:
        for rule_id in lost:
            del active[rule_id]
    return Profile(name, title, active, needs)


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
        """Return the ids of the variants that can be played, leaving out the abstract ones."""
        return tuple(variant.id for variant in self.variants.values() if not variant.abstract)

    def options_of(self, variant: str) -> Mapping[str, Option]:
        """Return the options of a variant by name."""
        return available_options(self.variants[variant], self.variants)

    def ways_of(self, variant: str) -> Sequence[Mapping[str, Setting]]:
        """Return the values of a variant, and those that each of its options gives."""
        return [self.profile(variant).settings, *(option.settings for option in self.options_of(variant).values())]

    def profile(self, name: str) -> Profile:
        """Return the profile ``variant+option+…`` or that of an overlay file.

        Raises ``UnknownNameError`` for an unknown variant or option and for options that contradict each other,
        ``UnplayableError`` for options by which together nobody could play, ``SpecError`` for a faulty overlay.
        """
        if name.endswith((".yaml", ".yml")):
            return self._overlay(Path(name))
        if ProfileName.parse(name).variant not in self.playable() and Path(name).is_file():
            raise UnknownNameError(f"{name} is a file, and the name of one with house rules ends in .yaml")
        return self.named(name)

    def named(self, name: str) -> Profile:
        """Return the profile ``variant+option+…`` as ``profile`` does, and look at no file, whatever the name is."""
        named = ProfileName.parse(name)
        variant_id = named.variant
        if variant_id not in self.playable():
            known = ", ".join(self.playable())
            hint = nearest(variant_id, self.playable())
            why = f"; {variant_id} is only there to be extended" if variant_id in self.variants else ""
            raise UnknownNameError(f"there is no variant {variant_id or '(empty)'}{hint} (known: {known}){why}")
        variant = self.variants[variant_id]
        options = [self._option(variant_id, option_id) for option_id in named.options]
        _refuse_contradictions(name, options)
        settings = resolved_settings(variant, self.variants)
        for option in options:
            settings.update(option.settings)
        profile = profile_of(name, variant.name, settings, self.rules)
        if len(options) > 1:
            refuse_unplayable(name, profile.settings)
        return profile

    def _option(self, variant_id: str, option_id: str) -> Option:
        options = self.options_of(variant_id)
        if option_id not in options:
            hint = nearest(option_id, options) or f"; it has {', '.join(sorted(options)) or 'none'}"
            raise UnknownNameError(f"the variant {variant_id} has no option {option_id or '(empty)'}{hint}")
        return options[option_id]

    def _overlay(self, path: Path) -> Profile:
        document = read_document(path, _LARGEST_OVERLAY)
        problems = document_problems(document, "overlay")
        if not problems:
            problems = list(_overlay_problems(document, self))
        refuse(problems)
        data = document.data
        base = self.profile(data["base"])
        changed = base.with_values(
            data["id"], {rule: item["value"] for rule, item in data["rules"].items()}, self.rules
        )
        if found := contradictions(changed.settings):
            raise SpecError(_unplayable(document, ("rules",), data["rules"], one) for one in found)
        return replace(changed, name=text_of(data["name"])) if "name" in data else changed


def _overlay_problems(document: Document, spec: Spec) -> Iterator[Problem]:
    try:
        base = spec.profile(document.data["base"])
    except UnknownNameError as error:
        yield document.problem(("base",), str(error))
        return
    if document.data["id"] in spec.variants:
        yield document.problem(("id",), "this is the id of a variant; give your house rules a name of their own")
    settings = dict(base.settings)
    wrong = False
    for rule_id, item in document.data["rules"].items():
        if rule_id not in spec.rules:
            wrong = True
            yield document.problem(("rules", rule_id), f"there is no rule {rule_id}{nearest(rule_id, spec.rules)}")
            continue
        for problem in value_problems(document, ("rules", rule_id, "value"), spec.rules[rule_id], item["value"]):
            wrong = True
            yield problem
        settings[rule_id] = Setting(item["value"], "house", (), None)
    for rule in () if wrong else spec.rules.values():
        needed = is_needed(rule, settings)
        if needed and rule.id not in settings:
            yield document.problem(("rules",), f"with these values the rule {rule.id} needs a value too")
        elif not needed and rule.id in document.data["rules"]:
            yield document.problem(("rules", rule.id), f"this rule matters only where {condition(rule)}")


def _unplayable(document: Document, at: tuple[str, ...], told: Iterable[str], found: Contradiction) -> Problem:
    """Return the problem of values that do not fit together, at the first of them that a file tells under a key."""
    here = next(((*at, rule) for rule in found.rules if rule in told), at)
    return document.problem(here, f"nobody can play so: {found.message}")


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


def load_spec(folder: Path | None = None) -> Spec:
    """Load and check a folder of the spec's layout (the one that ships with this package if none is given).

    Raises ``SpecError`` with every problem found, each with file, line and key.
    """
    root = folder or spec_folder()
    misnamed = [Problem(path, 1, "", f"rename this file to {path.stem}.yaml") for path in sorted(root.rglob("*.yml"))]
    refuse(misnamed)
    rules = load_catalogue(root / "rules")
    sources = load_sources(root / "sources")
    rulings = load_rulings(root / "rulings.yaml", sources)
    glossary = _load_glossary(root / "glossary.yaml")
    variants = load_variants(root / "variants", rules, sources, rulings)
    spec = Spec(root, rules, sources, rulings, glossary, variants)
    problems = [*_ruling_problems(spec), *_term_problems(spec), *_option_problems(spec)]
    refuse(problems or list(_unplayable_problems(spec)))
    return spec


@cache
def default_spec() -> Spec:
    """Return the spec that ships with this package, loaded once."""
    return load_spec()


def _load_glossary(path: Path) -> Glossary:
    document = read_document(path)
    check_document(document, "glossary")
    data = document.data
    return Glossary(
        ranks={key: text_of(words) for key, words in data["ranks"].items()},
        suits={key: text_of(words) for key, words in data["suits"].items()},
        terms=data["terms"],
        called=own_words_of(data["terms"]),
    )


def _term_problems(spec: Spec) -> Iterator[Problem]:
    """Check the rules on which it depends what a term is called."""
    for name, term in spec.glossary.terms.items():
        for index, other in enumerate(term.get("called", ())):
            for rule in sorted(other["when"].keys() - spec.rules.keys()):
                document = read_document(spec.folder / "glossary.yaml")
                at = ("terms", name, "called", index, "when", rule)
                yield document.problem(at, f"there is no rule {rule}{nearest(rule, spec.rules)}")


def _ruling_problems(spec: Spec) -> list[Problem]:
    """Check the variants, options and rules that the register names: they exist, and the rules matter there."""
    found = list(_wrong_names_of_rulings(spec))
    if not found:
        return []
    document = read_document(spec.folder / "rulings.yaml")
    return [document.problem(at, message) for at, message in found]


def _wrong_names_of_rulings(spec: Spec) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield where a ruling names what it should not, and what is wrong with that."""
    options = {option for variant in spec.playable() for option in spec.options_of(variant)}
    mattering = {variant: mattering_rules(variant, spec) for variant in spec.variants}
    for ruling in spec.rulings.values():
        touched = {rule for variant in ruling.variants or mattering for rule in mattering.get(variant, ())}
        for kind, names, known in (
            ("variant", ruling.variants, spec.variants),
            ("option", ruling.options, options),
            ("rule", ruling.rules, spec.rules),
        ):
            for index, name in enumerate(names):
                at = ("rulings", ruling.id, f"{kind}s", index)
                if name not in known:
                    yield at, f"there is no {kind} {name}{nearest(name, known)}"
                elif kind == "rule" and name not in touched:
                    yield at, f"the rule {name} matters in none of the variants of this ruling"


def mattering_rules(variant: str, spec: Spec) -> set[str]:
    """Return the rules that matter in a variant, as it is or with one of its options."""
    base = resolved_settings(spec.variants[variant], spec.variants)
    ways = [base, *({**base, **option.settings} for option in spec.options_of(variant).values())]
    return {rule.id for settings in ways for rule in spec.rules.values() if is_needed(rule, settings)}


def _options(spec: Spec) -> Iterator[tuple[Variant, Option, Variant]]:
    """Yield each variant that can be played with each of its options, and the variant whose file states the option."""
    for variant_id in spec.playable():
        for option in spec.options_of(variant_id).values():
            yield spec.variants[variant_id], option, _home(spec.variants[variant_id], option, spec)


def _option_problems(spec: Spec) -> Iterator[Problem]:
    """Check that each option leaves every rule that matters with a value, and sets only rules that matter."""
    lacking: dict[tuple[str, ...], Problem] = {}
    idle: dict[tuple[str, ...], Problem] = {}
    useful: set[tuple[str, ...]] = set()
    for variant, option, home in _options(spec):
        settings = {**resolved_settings(variant, spec.variants), **option.settings}
        for rule in spec.rules.values():
            place = (home.id, option.id, rule.id)
            at = ("options", option.id, "rules", rule.id)
            if not is_needed(rule, settings):
                if rule.id in option.settings:
                    idle[place] = home.document.problem(at, f"this rule matters only where {condition(rule)}")
                continue
            useful.add(place)
            if rule.id not in settings:
                message = f"with this option the rule {rule.id} needs a value too"
                lacking[place] = home.document.problem(at[:2], message)
    yield from lacking.values()
    yield from (problem for place, problem in idle.items() if place not in useful)


def restated_options(spec: Spec) -> Iterator[Problem]:
    """Yield what options set although every variant that has them plays so without them.

    Nothing is wrong to play by; a value that changed may have left them behind.
    """
    restated: dict[tuple[str, ...], Problem] = {}
    useful: set[tuple[str, ...]] = set()
    for variant, option, home in _options(spec):
        base = resolved_settings(variant, spec.variants)
        for rule, setting in option.settings.items():
            place = (home.id, option.id, rule)
            if rule not in base or value_key(base[rule].value) != value_key(setting.value):
                useful.add(place)
                continue
            at = ("options", option.id, "rules", rule)
            restated[place] = home.document.problem(at, f"{variant.id} has this value without the option")
    yield from (problem for place, problem in restated.items() if place not in useful)


def _unplayable_problems(spec: Spec) -> Iterator[Problem]:
    """Check that each variant can be played, as it is and with each of its options."""
    for variant_id in spec.playable():
        variant = spec.variants[variant_id]
        family = ancestry(variant, spec.variants)
        wrong = contradictions(spec.profile(variant_id).settings)
        for found in wrong:
            home = next((one for one in reversed(family) if not one.settings.keys().isdisjoint(found.rules)), variant)
            yield _unplayable(home.document, ("rules",), home.settings, found)
        if not wrong:
            yield from _unplayable_options(variant, spec)


def _unplayable_options(variant: Variant, spec: Spec) -> Iterator[Problem]:
    for option in spec.options_of(variant.id).values():
        for found in contradictions(spec.profile(f"{variant.id}+{option.id}").settings):
            document = _home(variant, option, spec).document
            yield _unplayable(document, ("options", option.id, "rules"), option.settings, found)


def _home(variant: Variant, option: Option, spec: Spec) -> Variant:
    """Return the variant, this one or an ancestor, whose file states the option."""
    return next(ancestor for ancestor in reversed(ancestry(variant, spec.variants)) if option.id in ancestor.options)
