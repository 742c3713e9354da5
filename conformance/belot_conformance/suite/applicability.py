"""Which cases apply to which profile: those whose consulted rules have the same values in both."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, Provenance
from belot_reference.cards import CARD_BY_NAME, cards_in
from belot_reference.compile import Ruleset
from belot_spec.card_names import CARD_NAMES
from belot_spec.spec import Profile


def consulted_rules(case: Case, reference: Reference) -> frozenset[str]:
    """Return the rules that the engine consults for a case in the case's own profile, with those the case pins."""
    return reference.consulted(case.operation, case.profile, case.input) | frozenset(case.rules)


def applies(case: Case, profile: Profile, reference: Reference) -> bool:
    """Say whether a case holds for a profile: all rules it consults have there the value of its own profile."""
    return _applies(case, profile, differing_rules(reference.ruleset(case.profile).profile, profile), reference)


def differing_rules(own: Profile, other: Profile) -> frozenset[str]:
    """Return the rules of one profile that another has not, or has with another value."""
    return frozenset(rule for rule, setting in own.settings.items() if not other.plays(rule, setting.value))


def _applies(case: Case, profile: Profile, differing: frozenset[str], reference: Reference) -> bool:
    # The engine is asked last, because that takes longest.
    if not differing.isdisjoint(case.rules):
        return False
    if not can_occur(case, reference.ruleset(case.profile), reference.ruleset(profile.id)):
        return False
    return not differing or differing.isdisjoint(consulted_rules(case, reference))


def can_occur(case: Case, own: Ruleset, other: Ruleset) -> bool:
    """Say whether the other game has the cards and the tricks that a case of its own game speaks of."""
    if any(tricks == own.hand_size != other.hand_size for tricks in _tricks_taken(case.input)):
        return False
    if own.deck | other.deck == other.deck and largest_hand(own) <= largest_hand(other):
        return True
    known = {CARD_NAMES[card] for card in cards_in(other.deck)}
    return len(case.input.get("hand", ())) <= largest_hand(other) and _cards_of(case.input) <= known


def largest_hand(rules: Ruleset) -> int:
    """Return how many cards a player holds at most, with those that a taker lays away."""
    held: int = rules.hand_size + rules.value_or("deal.taker-discards", 0)
    return held


def _tricks_taken(value: Any) -> Iterator[int]:
    """Yield for each deal that is told by what its sides took how many tricks that is in all."""
    if isinstance(value, Mapping):
        if value.get("sides"):
            yield sum(side.get("tricks", 0) for side in value["sides"])
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        yield from _tricks_taken(item)


def _cards_of(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value} & CARD_BY_NAME.keys()
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return set().union(*map(_cards_of, inside))


def plan_own(cases: Iterable[Case]) -> list[Planned]:
    """Plan every case for its own profile."""
    return [Planned(case, case.profile, provenance=provenance_of(case)) for case in cases]


def provenance_of(case: Case) -> Provenance:
    """Return where the expectation of a case comes from: somebody worked it out, or it was recorded."""
    return "derived" if case.origin == "derived" else "worked-out"


def plan_for(cases: Iterable[Case], profile_name: str, reference: Reference) -> list[Planned]:
    """Plan the cases that apply to a profile, whichever profile they were written for."""
    profile = reference.ruleset(profile_name).profile
    differing = cache(lambda own: differing_rules(reference.ruleset(own).profile, profile))
    return [Planned(case, profile.id) for case in cases if _applies(case, profile, differing(case.profile), reference)]
