"""Which cases apply to which profile: those whose consulted rules have the same values in both."""

from collections.abc import Iterable

from belot_conformance.cases import Case
from belot_conformance.reference import Reference
from belot_conformance.verdicts import Planned
from belot_reference.spec import Profile


def consulted_rules(case: Case, reference: Reference) -> frozenset[str]:
    """Return the rules that the engine consults for a case in the case's own profile, with those the case pins."""
    return reference.consulted(case.operation, case.profile, case.input) | frozenset(case.rules)


def applies(case: Case, profile: Profile, reference: Reference) -> bool:
    """Say whether a case holds for a profile: all rules it consults have there the value of its own profile."""
    own = reference.ruleset(case.profile).profile.settings
    for rule in consulted_rules(case, reference):
        if rule in own and (rule not in profile.settings or profile.settings[rule].value != own[rule].value):
            return False
    return True


def plan_own(cases: Iterable[Case]) -> list[Planned]:
    """Plan every case for its own profile."""
    return [Planned(case, case.profile) for case in cases]


def plan_for(cases: Iterable[Case], profile_name: str, reference: Reference) -> list[Planned]:
    """Plan the cases that apply to a profile, whichever profile they were written for."""
    profile = reference.ruleset(profile_name).profile
    return [Planned(case, profile.id) for case in cases if applies(case, profile, reference)]
