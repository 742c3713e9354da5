"""Which cases apply to which profile: those whose consulted rules have the same values in both."""

from collections.abc import Iterable, Mapping
from typing import Any

from belot_conformance.cases import Case
from belot_conformance.reference import Reference
from belot_conformance.verdicts import Planned
from belot_reference.cards import CARD_BY_NAME, CARD_NAMES, cards_in
from belot_reference.compile import Ruleset
from belot_reference.spec import Profile


def consulted_rules(case: Case, reference: Reference) -> frozenset[str]:
    """Return the rules that the engine consults for a case in the case's own profile, with those the case pins."""
    return reference.consulted(case.operation, case.profile, case.input) | frozenset(case.rules)


def applies(case: Case, profile: Profile, reference: Reference) -> bool:
    """Say whether a case holds for a profile: all rules it consults have there the value of its own profile."""
    if not _can_occur(case, reference.ruleset(profile.id)):
        return False
    own = reference.ruleset(case.profile).profile.settings
    for rule in consulted_rules(case, reference):
        if rule in own and (rule not in profile.settings or profile.settings[rule].value != own[rule].value):
            return False
    return True


def _can_occur(case: Case, rules: Ruleset) -> bool:
    """Say whether a game with these rules has the cards that the case speaks of, and hands of that size."""
    largest = rules.hand_size + rules.value_or("deal.taker-discards", 0)
    known = {CARD_NAMES[card] for card in cards_in(rules.deck)}
    return len(case.input.get("hand", ())) <= largest and _cards_of(case.input) <= known


def _cards_of(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} & CARD_BY_NAME.keys()
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return set().union(*map(_cards_of, inside))


def plan_own(cases: Iterable[Case]) -> list[Planned]:
    """Plan every case for its own profile."""
    return [Planned(case, case.profile) for case in cases]


def plan_for(cases: Iterable[Case], profile_name: str, reference: Reference) -> list[Planned]:
    """Plan the cases that apply to a profile, whichever profile they were written for."""
    profile = reference.ruleset(profile_name).profile
    return [Planned(case, profile.id) for case in cases if applies(case, profile, reference)]
