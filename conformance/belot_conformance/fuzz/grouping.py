"""Sorting wrong answers by their cause: a rule that explains them, or else their operation and what is wrong of it.

A rule is named only once further answers speak for it, none against it, and no other explains them as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, Protocol

from belot_conformance.contrast.probe import Budget, Probe, Rival, answered
from belot_conformance.contrast.proofs import proved_alike
from belot_conformance.fuzz.budget import FUZZ_BUDGET, FuzzBudget
from belot_conformance.fuzz.fuzzing import Outcome, Seen, Tabled
from belot_conformance.identify.budget import IdentifyBudget
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.further import Effort, Further
from belot_conformance.identify.identification import Identification, Identified, RuleFinding
from belot_conformance.mistakes.mutations import changed_profile
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import put
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import Expectation
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec

# Cheap to ask, and what whole deals and counts are made of.
_SMALL: Final = frozenset(name for name, one in OPERATIONS.items() if not one.is_long)


class Questioner(Protocol):
    """Puts further questions to a program."""

    @property
    def declared(self) -> frozenset[str]:
        """The operations that it answers."""

    def further(self, table: Tabled, drawn: Sequence[Question]) -> list[Seen]:
        """Ask questions by the rules of a table; return what came of as many as make sense there, and were put."""


def says(rules: Ruleset, came: Seen) -> bool:
    """Say whether some rules give the answer that came."""
    said = put(came.operation, rules, came.question)
    if said.answer is None:
        return False
    return not Expectation.of(came.operation, said.message()).apart(came.operation, came.came.message())


@dataclass(frozen=True)
class Explanation:
    """A rule that explains wrong answers, beside all else that was found of a program."""

    finding: RuleFinding
    identified: Identified
    spec: Spec
    _rules: dict[int, tuple[Ruleset, Ruleset]] = field(default_factory=dict)

    @property
    def played(self) -> Profile:
        """The rules of the program."""
        return self.identified.played[self.finding.contexts[0] if self.finding.contexts else 0]

    def rules(self, place: int) -> tuple[Ruleset, Ruleset]:
        """Return the rules that were found for one of the profiles, and the same without this one."""
        if place not in self._rules:
            played, base = self.identified.played[place], self.identified.bases[place]
            values = {} if self.finding.own is None else {self.finding.rule: self.finding.own}
            try:
                without = compile_profile(changed_profile(played, values, self.spec) if values else base)
            except UnplayableError:
                without = compile_profile(base)
            self._rules[place] = compile_profile(played), without
        return self._rules[place]

    def holds(self, came: Seen) -> bool:
        """Say whether these rules give the answer that came, and do not without the one."""
        by, without = self.rules(context_of(came, self.identified))
        return says(by, came) and not says(without, came)

    def is_refuted(self, came: Seen) -> bool:
        """Say whether the answer that came is right without the rule, and only so."""
        by, without = self.rules(context_of(came, self.identified))
        return says(without, came) and not says(by, came)


def context_of(one: Seen, identified: Identified) -> int:
    """Return the number of the profile that a question was asked for."""
    own = one.table.rules.profile.id
    return next((place for place, base in enumerate(identified.bases) if base.id == own), 0)


@dataclass(frozen=True, slots=True)
class Group:
    """Answers of one cause: the rule that explains them, or none. It ``is_named`` only if further answers confirm it.

    ``others`` are causes of other answers, that what is made smaller of these must not show. Answers that only look
    alike ``may_differ`` in their causes. No rules can be said to explain what ``is_beyond_rules``; of other answers
    without a rule too little was asked to say.
    """

    seen: Sequence[Seen]
    explanation: Explanation | None = None
    is_named: bool = True
    others: Sequence[Explanation] = ()
    may_differ: bool = False
    is_beyond_rules: bool = False

    def shows(self, came: Seen) -> bool:
        """Say whether an answer to another question has this cause."""
        if self.explanation is not None:
            return self.explanation.holds(came)
        own = variant_of(came)
        return not any(one.holds(came) for one in self.others if one.played.id.variant == own)


def groups_of(
    outcome: Outcome, spec: Spec, asking: Questioner | None, searching: IdentifyBudget, budget: FuzzBudget = FUZZ_BUDGET
) -> list[Group]:
    """Return what went wrong in groups with one cause each; rules are looked for if the program can be asked further.

    Each variant is searched for rules on its own; what none explains is told apart by nothing but what is wrong.
    """
    found: list[Group] = []
    left, unsure = outcome.all_wrong(), set[int]()
    for variant in dict.fromkeys(map(variant_of, left)) if asking else ():
        assert asking is not None
        wrong, right = ([one for one in some if variant_of(one) == variant] for some in (left, outcome.all_right()))
        search = _RuleSearch(wrong, right, spec, asking, searching, budget)
        search.run()
        found += search.explained()
        gone = {one.number for group in found for one in group.seen} | search.senseless()
        left = [one for one in left if one.number not in gone]
        unsure |= search.unsure
    others = [one.explanation for one in found if one.explanation is not None]
    kinds: dict[tuple[object, ...], list[Seen]] = {}
    for one in left:
        kinds.setdefault((one.operation, one.fields, one.came.kind), []).append(one)
    for alike in kinds.values():
        is_answer = alike[0].came.kind in ("result", "rejected")
        is_beyond = asking is not None and is_answer and unsure.isdisjoint(one.number for one in alike)
        found.append(Group(alike, others=others, may_differ=True, is_beyond_rules=is_beyond))
    return found


def variant_of(seen: Seen) -> str:
    """Return the variant that a question was asked by, whatever the options."""
    return seen.table.rules.profile.id.variant


class _RuleSearch:
    """The search for rules that explain the wrong answers of one variant, with further questions about those found."""

    def __init__(
        self,
        wrong: Sequence[Seen],
        right: Sequence[Seen],
        spec: Spec,
        asking: Questioner,
        searching: IdentifyBudget,
        budget: FuzzBudget,
    ) -> None:
        self._wrong = wrong
        self._seen = [*wrong, *right]
        self._further: list[Seen] = []
        self._spec, self._asking, self._searching, self._budget = spec, asking, searching, budget
        tables = {one.table.rules.profile.id: one.table for one in self._seen}
        self._tables = sorted(tables.values(), key=lambda table: len(table.rules.profile.id))
        self._places = {table.rules.profile.id: place for place, table in enumerate(self._tables)}
        self._asked: set[str] = set()
        self._identified: Identified
        # The numbers of the answers of which a rule may be the cause that was not confirmed, or not looked for.
        self.unsure: set[int] = set()

    def run(self) -> None:
        """Search for rules, then ask further until there is nothing that tells them from others."""
        search = Identification(self._observed(), self._spec, budget=self._searching)
        self._identified = search.around([table.rules.profile for table in self._tables])
        for lot in range(self._budget.lots):
            explained = [Explanation(one, self._identified, self._spec) for one in self._identified.findings]
            if all(map(self._is_confirmed, explained)):
                break
            before = len(self._further)
            for place, table in enumerate(self._tables):
                questions = [*self._new(place, self._telling(search, place, lot))]
                self._further += self._asking.further(table, questions) if questions else []
            if len(self._further) == before:
                break
            search = Identification(self._observed(), self._spec, search, budget=self._searching)
            self._identified = search.onwards(is_named=True)

    def explained(self) -> list[Group]:
        """Return the answers that each rule explains against which no further answer speaks."""
        left = {str(one.number): one for one in self._wrong}
        groups = []
        for finding in self._identified.findings:
            ids = [self._identified.observations[index].id for index in finding.right]
            explained = [left[name] for name in ids if name in left]
            explanation = Explanation(finding, self._identified, self._spec)
            if explained and not any(map(explanation.is_refuted, self._further)):
                groups.append(Group(explained, explanation, self._is_confirmed(explanation)))
                left = {name: one for name, one in left.items() if one not in explained}
            else:
                self.unsure |= {one.number for one in explained}
        if self._identified.is_cut:
            self.unsure |= {one.number for one in left.values()}
        return groups

    def senseless(self) -> set[int]:
        """Return the numbers of errors to what is no question by the rules that the program was found to play."""
        played = [compile_profile(profile) for profile in self._identified.played]
        errors = (one for one in self._wrong if one.came.kind in ("error", "unsupported"))
        if not self._identified.findings:
            return set()
        asked = ((one, played[context_of(one, self._identified)]) for one in errors)
        return {one.number for one, rules in asked if put(one.operation, rules, one.question).answer is None}

    def _is_confirmed(self, explanation: Explanation) -> bool:
        """Say whether enough further answers speak for a rule, and no other value or rule explains as much."""
        finding = explanation.finding
        rivals = [{finding.rule: value} for value in finding.values]
        undone = {} if finding.own is None else {finding.rule: finding.own}
        rivals += [{one.rule: one.value, **undone} for one in finding.alike]
        if not all(self._plays_alike(explanation, values) for values in rivals):
            return False
        return sum(map(explanation.holds, self._further)) >= self._budget.least

    def _plays_alike(self, explanation: Explanation, values: Mapping[str, Any]) -> bool:
        """Say whether other values in the place of some are proved to be the same game, or nobody's."""
        try:
            rules = compile_profile(changed_profile(explanation.played, values, self._spec))
        except UnplayableError:
            return True
        return proved_alike(compile_profile(explanation.played), Rival(rules, values), self._spec) > 0

    def _telling(self, search: Identification, place: int, lot: int) -> Iterator[Question]:
        """Yield questions by one profile that tell each rule found from its own value, others, and other rules."""
        own = [one for one in self._identified.findings if place in one.contexts]
        if not own or self._searching.is_over:
            return
        rules = {one.rule for one in own} | {other.rule for one in own for other in one.alike}
        reading = search.operations_reading(rules) & self._asking.declared
        at_place = replace(self._identified, bases=[self._identified.bases[place]], findings=own)
        effort = Effort(self._searching.effort_at_a_glance)
        further = Further(self._identified.played[place], self._spec, lot, effort, reading, self._searching)
        drawn = [*further.telling(at_place)]
        if place == 0:
            drawn += [one for finding in own for one in further.about(finding.rule, *search.last)]
        yield from ((one.operation, one.input) for one in drawn)
        for finding in own:
            operations = reading | (_SMALL & self._asking.declared)
            by, without = Explanation(finding, self._identified, self._spec).rules(place)
            probe = Probe(answered(by, Budget(self._budget.deals, lot).questions(by, operations)))
            telling = probe.telling(Rival(without, {finding.rule: finding.own}))
            yield from ((one.operation, one.input) for one, _ in islice(telling, self._budget.telling))

    def _new(self, place: int, questions: Iterator[Question]) -> Iterator[Question]:
        """Yield the questions that were not asked before by this profile."""
        for operation, question in questions:
            text = canonical([place, operation, dict(question)])
            if text not in self._asked:
                self._asked.add(text)
                yield operation, question

    def _observed(self) -> list[Observation]:
        return [self._observation(one) for one in (*self._seen, *self._further)]

    def _observation(self, one: Seen) -> Observation:
        value: Any = one.came.value if isinstance(one.came, Reply) else one.came.detail
        place = self._places[one.table.rules.profile.id]
        return Observation(
            str(one.number), one.operation, one.question, one.came.kind, value, place, (one.expected,)
        )  # fmt: skip
