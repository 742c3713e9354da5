"""The whole spec and overlay files, read and checked."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from belot_spec.catalogue import Setting, text_of, value_key
from belot_spec.data import spec_folder
from belot_spec.document import Document
from belot_spec.errors import Problem, SpecError, UnknownNameError, nearest, refuse
from belot_spec.json_schema import in_whole_numbers
from belot_spec.load.catalogue import load_catalogue, value_problems
from belot_spec.load.documents import read_document
from belot_spec.load.register import load_rulings, load_sources
from belot_spec.load.schemas import check_document, document_problems
from belot_spec.load.translations import read_translated
from belot_spec.load.variants import load_variants
from belot_spec.own_words import own_words_of
from belot_spec.playability import Contradiction, contradictions
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Glossary, Profile, Spec, mattering_rules
from belot_spec.variants import Option, Variant, ancestry, condition, defaults_of, resolved_settings, settled

# In bytes: many times what it takes to change every rule, and explain why.
_LARGEST_OVERLAY: Final = 200_000


def overlay(path: Path, spec: Spec) -> Profile:
    """Return the profile of a file with house rules; raises ``SpecError`` for what is wrong in it."""
    document = read_document(path, _LARGEST_OVERLAY)
    problems = document_problems(document, "overlay")
    if not problems:
        problems = list(_overlay_problems(document, spec))
    refuse(problems)
    data = document.data
    base = spec.profile(data["base"])
    values = {rule: in_whole_numbers(item["value"]) for rule, item in data["rules"].items()}
    changed = base.with_values(data["id"], values, spec.rules)
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
    if wrong:
        return
    found, missing = settled(settings, spec.rules)
    for rule in missing:
        yield document.problem(("rules",), f"with these values the rule {rule} needs a value too")
    for rule in document.data["rules"]:
        if rule not in found:
            yield document.problem(("rules", rule), f"this rule matters only where {condition(spec.rules[rule])}")


def _unplayable(document: Document, at: tuple[str, ...], told: Iterable[str], found: Contradiction) -> Problem:
    """Return the problem of values that do not fit together, at the first of them that a file tells under a key."""
    here = next(((*at, rule) for rule in found.rules if rule in told), at)
    return document.problem(here, f"nobody can play so: {found.message}")


def load_spec(folder: Path | None = None) -> Spec:
    """Load and check a folder of the spec's layout (the one that ships with this package if none is given).

    Raises ``SpecError`` with every problem found, each with file, line and key.
    """
    root = folder or spec_folder()
    misnamed = [Problem(path, 1, "", f"rename this file to {path.stem}.yaml") for path in sorted(root.rglob("*.yml"))]
    refuse(misnamed)
    sources = load_sources(root / "sources")
    rulings = load_rulings(root / "rulings.yaml", sources)
    rules = load_catalogue(root / "rules", sources, rulings)
    glossary = _load_glossary(root / "glossary.yaml")
    variants = load_variants(root / "variants", rules, sources, rulings)
    spec = Spec(root, rules, sources, rulings, glossary, variants)
    problems = [*_ruling_problems(spec), *_term_problems(spec), *_option_problems(spec)]
    refuse(problems or list(_unplayable_problems(spec)))
    return spec


def _load_glossary(path: Path) -> Glossary:
    document = read_translated(path)
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
    options = {option for variant in spec.nameable() for option in spec.options_of(variant)}
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
                elif kind == "variant" and spec.variants[name].abstract:
                    yield at, f"{name} is only there to be extended; name the variants that extend it"
                elif kind == "rule" and name not in touched:
                    yield at, f"the rule {name} matters in none of the variants of this ruling"


def _options(spec: Spec) -> Iterator[tuple[Variant, Option, Variant]]:
    """Yield each variant that can be played with each of its options, and the variant whose file states the option."""
    for variant_id in spec.nameable():
        for option in spec.options_of(variant_id).values():
            yield spec.variants[variant_id], option, _home(spec.variants[variant_id], option, spec)


def _option_problems(spec: Spec) -> Iterator[Problem]:
    """Check that each option leaves every rule that matters with a value, and sets only rules that matter."""
    lacking: dict[tuple[str, ...], Problem] = {}
    idle: dict[tuple[str, ...], Problem] = {}
    useful: set[tuple[str, ...]] = set()
    for variant, option, home in _options(spec):
        own = {**resolved_settings(variant, spec.variants), **option.settings}
        settings, missing = settled(own, spec.rules)
        for rule in missing:
            message = f"with this option the rule {rule} needs a value too"
            lacking[home.id, option.id, rule] = home.document.problem(("options", option.id), message)
        for rule in option.settings:
            place, at = (home.id, option.id, rule), ("options", option.id, "rules", rule)
            if rule in settings:
                useful.add(place)
            else:
                message = f"this rule matters only where {condition(spec.rules[rule])}"
                idle[place] = home.document.problem(at, message)
    yield from lacking.values()
    yield from (problem for place, problem in idle.items() if place not in useful)


def restated_options(spec: Spec) -> Iterator[Problem]:
    """Yield what options set although every variant that has them plays so without them.

    Nothing is wrong to play by; a value that changed may have left them behind.
    """
    restated: dict[tuple[str, ...], Problem] = {}
    useful: set[tuple[str, ...]] = set()
    for variant, option, home in _options(spec):
        base = {**defaults_of(spec.rules), **resolved_settings(variant, spec.variants)}
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
    for variant_id in spec.nameable():
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
        for found in contradictions(spec.profile(ProfileName.of(variant.id, option.id)).settings):
            document = _home(variant, option, spec).document
            yield _unplayable(document, ("options", option.id, "rules"), option.settings, found)


def _home(variant: Variant, option: Option, spec: Spec) -> Variant:
    """Return the variant, this one or an ancestor, whose file states the option."""
    return next(ancestor for ancestor in reversed(ancestry(variant, spec.variants)) if option.id in ancestor.options)
