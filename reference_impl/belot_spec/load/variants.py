"""The variants read from their files, each held against the catalogue, the sources and the rulings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from belot_spec.catalogue import Rule, text_of
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.load.register import citation_problems
from belot_spec.load.schemas import explain_by, valid_documents
from belot_spec.register import Ruling, Source, expand_statements
from belot_spec.variants import Option, Setting, Variant, condition, is_needed, resolved_settings


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
            rule: tuple(Setting(item["value"], "stated", expand_statements(item["cite"]), None) for item in items)
            for rule, items in data.get("elsewhere", {}).items()
        },
        document=document,
    )


def _settings(data: Mapping[str, Any], of_option: bool = False) -> dict[str, Setting]:
    return {
        rule: Setting(
            item["value"],
            item["status"],
            expand_statements(item["cite"]),
            item.get("ruling"),
            of_option,
            expand_statements(item.get("against", [])),
        )
        for rule, item in data.items()
    }


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
            yield from citation_problems(document, (*here, "cite"), setting["cite"], sources)
            if (ruling := setting.get("ruling", "")) and ruling not in rulings:
                message = f"there is no ruling {ruling}{nearest(ruling, rulings)}"
                yield document.problem((*here, "ruling"), message)


def _told(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str, Mapping[str, Any]]]:
    """Yield every value that a file states, with its place and its rule."""
    options = data.get("options", {}).items()
    places = [(("rules",), data["rules"]), *((("options", name, "rules"), option["rules"]) for name, option in options)]
    for at, settings in places:
        yield from (((*at, rule_id), rule_id, setting) for rule_id, setting in settings.items())
    for rule_id, items in data.get("elsewhere", {}).items():
        yield from ((("elsewhere", rule_id, index), rule_id, item) for index, item in enumerate(items))


def value_problems(document: Document, at: KeyPath, rule: Rule, value: Any) -> Iterator[Problem]:
    """Yield a problem for each way in which a value does not fit its rule's schema."""
    if rule.allows(value):
        return
    for path, message in explain_by(value, rule.value_schema):
        yield document.problem((*at, *path), message)


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
        settings = resolved_settings(variant, variants)
        for rule in rules.values():
            needed = is_needed(rule, settings)
            if needed and rule.id not in settings:
                message = f"the rule {rule.id} has no value, here or in a parent"
                yield variant.document.problem(("rules",), message)
            elif not needed and rule.id in variant.settings:
                yield variant.document.problem(("rules", rule.id), f"this rule matters only where {condition(rule)}")
