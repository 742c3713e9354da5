"""Sorting wrong answers by their cause: a rule that explains them, or else their operation and what is wrong of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from belot_conformance.fuzz.fuzzing import Outcome, Seen
from belot_conformance.identify.budget import BUDGET, IdentifyBudget
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.further import Effort, Further, FurtherQuestion
from belot_conformance.identify.identification import Identification, Identified, RuleFinding
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import put
from belot_conformance.suite.judge import Expectation
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Profile, Spec

Ask = Callable[[Seen, Sequence[FurtherQuestion]], list[Seen]]

# So many times further questions are drawn to tell a rule from what fits as well; and one that fewer answers than this
# speak for is not named.
_LOTS: Final = 3
_LEAST: Final = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Answers of one cause; ``finding`` is the rule that explains them.

    They ``certainly`` have one where a rule explains them all, and so what is wrong about their parts has it too.
    """

    seen: Sequence[Seen]
    finding: RuleFinding | None = None
    identified: Identified | None = None
    certainly: bool = True
    spec: Spec | None = None

    def played(self) -> Profile | None:
        """Return the rules of the program, if a rule explains the answers."""
        if self.finding is None or self.identified is None:
            return None
        return self.identified.played[self.finding.contexts[0] if self.finding.contexts else 0]

    def explained_at(self, seen: Seen) -> "Explained | None":
        """Return what tells whether an answer to a question like this has the cause; ``None`` if no rule is one."""
        if self.finding is None or self.identified is None or self.spec is None:
            return None
        played = self.identified.played[_context_of(seen, self.identified)]
        values = {} if self.finding.own is None else {self.finding.rule: self.finding.own}
        try:
            without = compile_profile(changed_profile(played, values, self.spec)) if values else None
        except UnplayableError:
            without = None
        return Explained(compile_profile(played), without)


@dataclass(frozen=True, slots=True)
class Explained:
    """The rules that explain a cause, and the same without the one that is it; ``None`` where nobody could play so."""

    by: Ruleset
    without: Ruleset | None

    def holds(self, came: Seen) -> bool:
        """Say whether these rules give the answer that came, and do not without the one."""
        return _says(self.by, came) and not (self.without is not None and _says(self.without, came))


def _says(rules: Ruleset, came: Seen) -> bool:
    said = put(came.operation, rules, came.question)
    if said.answer is None:
        return False
    return not Expectation.of(came.operation, said.message()).apart(came.operation, came.came.message())


def groups_of(outcome: Outcome, spec: Spec, ask: Ask | None, budget: IdentifyBudget = BUDGET) -> list[Group]:
    """Return what went wrong in groups with one cause each; rules are looked for if the program can be asked further.

    Each variant is searched for rules on its own; what none explains is told apart by nothing but what is wrong.
    """
    found: list[Group] = []
    left = outcome.all_wrong()
    for variant in dict.fromkeys(map(variant_of, left)) if ask else ():
        own = [one for one in left if variant_of(one) == variant]
        right = [one for one in outcome.all_right() if variant_of(one) == variant]
        explained, unexplained = _by_rule(own, right, spec, ask, budget)
        found += explained
        left = [one for one in left if variant_of(one) != variant or one in unexplained]
    kinds: dict[tuple[object, ...], list[Seen]] = {}
    for one in left:
        kinds.setdefault((one.operation, one.fields, one.came.kind), []).append(one)
    return found + [Group(alike, certainly=False) for alike in kinds.values()]


def variant_of(seen: Seen) -> str:
    """Return the variant that a question was asked by, whatever the options."""
    return ProfileName.parse(seen.table.rules.profile.id).variant


def _by_rule(
    wrong: Sequence[Seen], right: Sequence[Seen], spec: Spec, ask: Ask | None, budget: IdentifyBudget
) -> tuple[list[Group], list[Seen]]:
    """Return groups of answers that one rule each explains, and the answers that none does.

    A rule is named once further questions, which tell it from what fits as well, speak for it too.
    """
    profiles: dict[str, Profile] = {}
    for one in (*wrong, *right):
        profiles.setdefault(one.table.rules.profile.id, one.table.rules.profile)
    contexts = sorted(profiles.values(), key=lambda profile: len(profile.id))
    places = {profile.id: place for place, profile in enumerate(contexts)}
    like = next(one for one in (*wrong, *right) if one.table.rules.profile.id == contexts[0].id)
    seen = [*wrong, *right]

    def observed() -> list[Observation]:
        return [_observation(one, places[one.table.rules.profile.id]) for one in seen]

    searching = Identification(observed(), spec, budget=budget)
    identified = searching.around(contexts)
    for lot in range(_LOTS if ask else 0):
        drawn = [*_telling(identified, searching, spec, lot, budget)]
        if not ask or not drawn or budget.is_over or not (came := ask(like, drawn)):
            break
        seen += came
        searching = Identification(observed(), spec, searching, budget=budget)
        identified = searching.onwards(is_named=True)
    by_id = {str(one.number): one for one in wrong}
    numbers = {place: by_id[one.id] for place, one in enumerate(identified.observations) if one.id in by_id}
    left = list(wrong)
    found = []
    for finding in identified.findings:
        explained = [numbers[index] for index in finding.right if index in numbers]
        explained = [one for one in explained if one in left]
        if explained and len(finding.right) >= _LEAST:
            left = [one for one in left if one not in explained]
            found.append(Group(explained, finding, identified, spec=spec))
    return found, [one for one in left if not _makes_no_sense(one, identified)]


def _telling(
    identified: Identified, searching: Identification, spec: Spec, lot: int, budget: IdentifyBudget
) -> Iterator[FurtherQuestion]:
    """Yield questions that tell each rule found from what fits as well, and from its other values."""
    rules = {one.rule for one in identified.findings} | {
        other.rule for one in identified.findings for other in one.alike
    }
    if not rules:
        return
    further = Further(
        identified.played[0], spec, lot, Effort(budget.effort_at_a_glance), searching.operations_reading(rules), budget
    )
    yield from further.telling(identified)
    for finding in identified.findings:
        if 0 in finding.contexts:
            if finding.own is not None and len(finding.right) < _LEAST:
                yield from further.against(finding.rule, finding.own, _LEAST)
            yield from further.about(finding.rule, *searching.last)


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
