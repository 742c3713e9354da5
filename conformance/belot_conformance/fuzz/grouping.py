"""Sorting wrong answers by their cause: a rule that explains them, or else their operation and what is wrong of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_conformance.fuzz.fuzzing import Outcome, Seen
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.identification import Identification, Identified, RuleFinding
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import put
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec


@dataclass(frozen=True, slots=True)
class Group:
    """Answers of one cause; ``finding`` is the rule that explains them.

    They ``certainly`` have one where a rule explains them all, and so what is wrong about their parts has it too.
    """

    seen: Sequence[Seen]
    finding: RuleFinding | None = None
    identified: Identified | None = None
    certainly: bool = True

    def played(self) -> Profile | None:
        """Return the rules of the program, if a rule explains the answers."""
        if self.finding is None or self.identified is None:
            return None
        return self.identified.played[self.finding.contexts[0] if self.finding.contexts else 0]

    def played_at(self, seen: Seen) -> Ruleset | None:
        """Return the rules that explain one of the answers, compiled."""
        if self.finding is None or self.identified is None:
            return None
        return compile_profile(self.identified.played[_context_of(seen, self.identified)])


def groups_of(outcome: Outcome, spec: Spec, *, rules: bool) -> list[Group]:
    """Return what went wrong in groups with one cause each; ``rules`` are looked for if the answers hang on rules.

    Each variant is searched for rules on its own; what none explains is told apart by nothing but what is wrong.
    """
    found: list[Group] = []
    left = outcome.all_wrong()
    for variant in dict.fromkeys(map(variant_of, left)) if rules else ():
        own = [one for one in left if variant_of(one) == variant]
        right = [one for one in outcome.all_right() if variant_of(one) == variant]
        explained, unexplained = _by_rule(own, right, spec)
        found += explained
        left = [one for one in left if variant_of(one) != variant or one in unexplained]
    kinds: dict[tuple[object, ...], list[Seen]] = {}
    for one in left:
        kinds.setdefault((one.operation, one.fields, one.came.kind), []).append(one)
    return found + [Group(alike, certainly=False) for alike in kinds.values()]


def variant_of(seen: Seen) -> str:
    """Return the variant that a question was asked by, whatever the options."""
    return ProfileName.parse(seen.table.rules.profile.id).variant


def _by_rule(wrong: Sequence[Seen], right: Sequence[Seen], spec: Spec) -> tuple[list[Group], list[Seen]]:
    """Return groups of answers that one rule each explains, and the answers that none does."""
    left = list(wrong)
    found = []
    identified, numbers = _identified(wrong, right, spec)
    for finding in identified.findings:
        explained = [numbers[index] for index in finding.right if index in numbers]
        explained = [one for one in explained if one in left]
        if explained:
            left = [one for one in left if one not in explained]
            found.append(Group(explained, finding, identified))
    return found, [one for one in left if not _makes_no_sense(one, identified)]


def _identified(wrong: Sequence[Seen], right: Sequence[Seen], spec: Spec) -> tuple[Identified, dict[int, Seen]]:
    """Return what the search for rules finds, and the wrong answers by their numbers among its observations."""
    profiles: dict[str, Profile] = {}
    for one in (*wrong, *right):
        profiles.setdefault(one.table.rules.profile.id, one.table.rules.profile)
    contexts = sorted(profiles.values(), key=lambda profile: len(profile.id))
    places = {profile.id: place for place, profile in enumerate(contexts)}
    observations = [_observation(one, places[one.table.rules.profile.id]) for one in (*wrong, *right)]
    identified = Identification(observations, spec).around(contexts)
    by_id = {str(one.number): one for one in wrong}
    numbers = {place: by_id[one.id] for place, one in enumerate(identified.observations) if one.id in by_id}
    return identified, numbers


def _makes_no_sense(one: Seen, identified: Identified) -> bool:
    """Say whether a program could not answer what is no question by the rules that it was found to play."""
    if not identified.findings or one.came.kind not in ("error", "unsupported"):
        return False
    played = compile_profile(identified.played[_context_of(one, identified)])
    return put(one.operation, played, one.question).answer is None


def _context_of(one: Seen, identified: Identified) -> int:
    own = one.table.rules.profile.id
    return next((place for place, base in enumerate(identified.bases) if base.id == own), 0)


def _observation(one: Seen, context: int) -> Observation:
    value = one.came.value if isinstance(one.came, Reply) else one.came.detail
    return Observation(str(one.number), one.operation, one.question, one.came.kind, value, context, (one.expected,))
