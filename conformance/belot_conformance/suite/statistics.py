"""Figures about the cases: how many of what kind, and which rule values they consult and pin."""

from collections import Counter
from typing import Any

from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import load_cases
from belot_conformance.text.page import Page
from belot_spec.spec import Spec


def case_statistics(spec: Spec) -> dict[str, Any]:
    """Return counts of cases, and per variant the rule values that at least one of its cases consults and pins.

    A case counts for the variant of its profile; where an option changes a rule, not for the variant's own value.
    """
    reference = Reference(spec)
    loaded = load_cases()
    consulted: dict[str, set[str]] = {variant: set() for variant in spec.playable()}
    pinned: dict[str, set[str]] = {variant: set() for variant in spec.playable()}
    settings = {name: spec.profile(name).settings for name in {*spec.playable(), *(case.profile for case in loaded)}}
    for case in loaded:
        variant = case.profile.split("+")[0]
        plain, profile = settings[variant], settings[case.profile]
        own = {rule for rule in plain if rule in profile and profile[rule].value == plain[rule].value}
        consulted[variant] |= reference.consulted(case.operation, case.profile, case.input) & own
        pinned[variant] |= set(case.rules) & own
    return {
        "cases": len(loaded),
        "operations": dict(Counter(case.operation for case in loaded)),
        "profiles": dict(Counter(case.profile for case in loaded)),
        "origins": dict(Counter(case.origin for case in loaded)),
        "variants": {
            variant: {
                "values": len(settings[variant]),
                "consulted": len(consulted[variant]),
                "pinned": len(pinned[variant]),
                "not_consulted": sorted(set(settings[variant]) - consulted[variant]),
                "not_pinned": sorted(set(settings[variant]) - pinned[variant]),
            }
            for variant in spec.playable()
        },
    }


def print_statistics(page: Page, found: dict[str, Any]) -> None:
    """Print the figures for people."""
    page.line(f"{found['cases']} cases")
    for heading in ("operations", "profiles", "origins"):
        counts = sorted(found[heading].items(), key=lambda item: -item[1])
        page.table([heading.removesuffix("s"), "cases"], [(name, str(number)) for name, number in counts])
        page.blank()
    for variant, figures in found["variants"].items():
        share = f"{figures['consulted']} of {figures['values']} rule values consulted, {figures['pinned']} pinned"
        page.line(f"{variant}: {share}")
        for kind in ("not_consulted", "not_pinned"):
            if figures[kind]:
                page.line(f"{kind.replace('_', ' ')}: {', '.join(figures[kind])}", indent=2, hang=2)
