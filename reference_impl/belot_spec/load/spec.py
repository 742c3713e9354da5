"""The whole spec and overlay files, read and checked."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Rule, Setting, text_of, value_key
from belot_spec.data import spec_folder
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, SpecError, UnknownNameError, nearest, refuse
from belot_spec.json_schema import in_whole_numbers
from belot_spec.load.catalogue import load_catalogue, setting_of, value_problems
from belot_spec.load.documents import read_document
from belot_spec.load.register import basis_problems, load_rulings, load_sources
from belot_spec.load.schemas import check_document, document_problems, valid_documents
from belot_spec.load.translations import read_translated
from belot_spec.own_words import own_words_of
from belot_spec.playability import Contradiction, contradictions
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling, Source
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


# The variants read from their files, each held against the catalogue, the sources and the rulings.


def load_variants(
    folder: Path, rules: Mapping[str, Rule], sources: Mapping[str, Source], rulings: Mapping[str, Ruling]
) -> dict[str, Variant]:
    """Load ``spec/variants``; raise ``SpecError`` for unknown rules, parents, citations, values and cycles."""
    variants: dict[str, Variant] = {}
    problems: list[Problem] = []
    for document in valid_documents(folder, "variant", problems):
        wrong = list(_settings_problems(document, rules, sources, rulings))
        if document.data["id"] != document.path.stem:
            wrong = [document.problem(("id",), f"a variant's id is its file's name, {document.path.stem}")]
        problems += wrong
        if not wrong:
            variants[document.data["id"]] = _variant(document)
    if not variants and not problems:
        problems.append(Problem(folder, 1, "", "there are no variants here"))
    if not problems:
        problems += _family_problems(variants)
    if not problems:
        problems += _completeness_problems(variants, rules)
    refuse(problems)
    return variants


def _variant(document: Document) -> Variant:
    data = document.data
    return Variant(
        id=data["id"],
        parent=data.get("extends"),
        abstract=data.get("abstract", False),
        draft=data.get("draft", False),
        name=text_of(data["name"]),
        summary=text_of(data["summary"]),
        settings=_settings(data["rules"]),
        options={
            option_id: Option(option_id, text_of(option["title"]), _settings(option["rules"], of_option=True))
            for option_id, option in data.get("options", {}).items()
        },
        elsewhere={
            rule: tuple(setting_of({**item, "status": "stated"}) for item in items)
            for rule, items in data.get("elsewhere", {}).items()
        },
        document=document,
    )


def _settings(data: Mapping[str, Any], of_option: bool = False) -> dict[str, Setting]:
    return {rule: setting_of(item, of_option) for rule, item in data.items()}


def _settings_problems(
    document: Document,
    rules: Mapping[str, Rule],
    sources: Mapping[str, Source],
    rulings: Mapping[str, Ruling],
) -> Iterator[Problem]:
    for here, rule_id, setting in _told(document.data):
        if rule_id not in rules:
            yield document.problem(here, f"there is no rule {rule_id}{nearest(rule_id, rules)}")
        else:
            yield from value_problems(document, (*here, "value"), rules[rule_id], setting["value"])
            yield from basis_problems(document, here, setting, sources, rulings)


def _told(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str, Mapping[str, Any]]]:
    """Yield every value that a file states, with its place and its rule."""
    options = data.get("options", {}).items()
    places = [(("rules",), data["rules"]), *((("options", name, "rules"), option["rules"]) for name, option in options)]
    for at, settings in places:
        yield from (((*at, rule_id), rule_id, setting) for rule_id, setting in settings.items())
    for rule_id, items in data.get("elsewhere", {}).items():
        yield from ((("elsewhere", rule_id, index), rule_id, item) for index, item in enumerate(items))


def _family_problems(variants: Mapping[str, Variant]) -> Iterator[Problem]:
    """Check that every parent exists, is shown where its heir is, and that nobody is his own ancestor.

    A cycle is reported once.
    """
    in_cycles: set[str] = set()
    for variant in variants.values():
        if variant.parent is not None and variant.parent not in variants:
            message = f"there is no variant {variant.parent} to extend{nearest(variant.parent, variants)}"
            yield variant.document.problem(("extends",), message)
        elif variant.parent is not None and variants[variant.parent].draft and not variant.draft:
            message = f"{variant.parent} is a draft, and {variant.id} is not: take draft: true away there, or add it"
            yield variant.document.problem(("extends",), message)
        cycle = _cycle_from(variant, variants)
        if cycle and variant.id not in in_cycles:
            in_cycles.update(cycle)
            yield variant.document.problem(("extends",), f"a cycle of parents: {' → '.join([*cycle, variant.id])}")


def _cycle_from(variant: Variant, variants: Mapping[str, Variant]) -> list[str]:
    """Return the variants met on the way from a variant back to itself, or nothing if it is in no cycle."""
    chain = [variant.id]
    parent = variant.parent
    while parent is not None and parent in variants and parent not in chain:
        chain.append(parent)
        parent = variants[parent].parent
    return chain if parent == variant.id else []


def _completeness_problems(variants: Mapping[str, Variant], rules: Mapping[str, Rule]) -> Iterator[Problem]:
    for variant in variants.values():
        if variant.abstract:
            continue
        settings, missing = settled(resolved_settings(variant, variants), rules)
        for rule in missing:
            yield variant.document.problem(("rules",), f"the rule {rule} has no value, here or in a parent")
        for rule in variant.settings:
            if rule not in settings:
                message = f"this rule matters only where {condition(rules[rule])}"
                yield variant.document.problem(("rules", rule), message)
