"""The variants read from their files, each held against the catalogue, the sources and the rulings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from belot_spec.catalogue import Rule, Setting, text_of
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.load.catalogue import setting_of, value_problems
from belot_spec.load.register import basis_problems
from belot_spec.load.schemas import valid_documents
from belot_spec.register import Ruling, Source
from belot_spec.variants import Option, Variant, condition, resolved_settings, settled


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
    """Check that every parent exists and that nobody is his own ancestor; a cycle is reported once."""
    in_cycles: set[str] = set()
    for variant in variants.values():
        if variant.parent is not None and variant.parent not in variants:
            message = f"there is no variant {variant.parent} to extend{nearest(variant.parent, variants)}"
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
