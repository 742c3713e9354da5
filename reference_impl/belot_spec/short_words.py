"""That each choice of a rule, and each value of a variant or an option, can be told in few words."""

from collections.abc import Iterable, Iterator

from belot_spec.catalogue import enumerated_values, value_key
from belot_spec.documents import KeyPath, read_document
from belot_spec.errors import Problem, refuse
from belot_spec.spec import Spec
from belot_spec.variants import Setting, Variant


def check_short_words(spec: Spec) -> None:
    """Raise ``SpecError`` with each choice of a rule, and each value of a variant or an option, without short words."""
    problems = [*_choice_faults(spec)]
    for variant in spec.variants.values():
        problems += _faults(spec, variant, variant.settings.items(), ("rules",))
        for option in variant.options.values():
            problems += _faults(spec, variant, option.settings.items(), ("options", option.id, "rules"))
    refuse(problems)


def _choice_faults(spec: Spec) -> Iterator[Problem]:
    for topic in dict.fromkeys(rule.topic for rule in spec.rules.values()):
        document = read_document(spec.folder / "rules" / f"{topic}.yaml")
        for rule in spec.rules.values():
            for value in enumerated_values(rule.value_schema) if rule.topic == topic else ():
                if rule.short.of(value) is None:
                    message = f"the value {value_key(value)} has no short words; add them under values"
                    yield document.problem(("rules", rule.id, "short"), message)


def _faults(spec: Spec, variant: Variant, settings: Iterable[tuple[str, Setting]], at: KeyPath) -> Iterator[Problem]:
    for name, setting in settings:
        rule = spec.rules[name]
        if not enumerated_values(rule.value_schema) and rule.short.of(setting.value) is None:
            message = f"{value_key(setting.value)} has no short words; add them to {name} in rules/{rule.topic}.yaml"
            yield variant.document.problem((*at, name, "value"), message)
