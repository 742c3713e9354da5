"""The smallest question that shows what a changed rule changes: found among cases and random questions, then shrunk."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from belot_conformance.contrast.probe import AnsweredQuestion, Budget, Contrast, Probe, answered
from belot_conformance.programs.reference import Came, put
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import shrink, size
from belot_conformance.suite.judge import fields_apart, kind_of, without_reasons
from belot_reference.compile import Ruleset

SEARCHED_DEALS: Final = 40
_TRIED_PER_OPERATION: Final = 3


class PositionSearch:
    """The questions among which positions are looked for; asked once by the old rules, whatever has changed.

    Rules that only matter in the new game are always looked for in one and the same new game.
    """

    def __init__(self, old: Ruleset, questions: Iterable[Question], *, seed: int, deals: int = SEARCHED_DEALS) -> None:
        self._old = old
        self._budget = Budget(deals, seed)
        self._probe = Probe(answered(old, chain(questions, self._budget.questions(old))))
        self._probe_of_new: Probe[AnsweredQuestion] | None = None

    def _probes(self, new: Ruleset, wanted: frozenset[str]) -> Iterator[Iterable[AnsweredQuestion]]:
        """Yield the questions to try: for rules that only matter in the new game also what happens in that game."""
        if not wanted.isdisjoint(self._old.profile.settings):
            yield self._probe.reading(wanted)
            return
        if self._probe_of_new is None:
            self._probe_of_new = Probe(answered(self._old, self._budget.questions(new)))
        yield from (self._probe, self._probe_of_new)

    def smallest(self, new: Ruleset, rules: Iterable[str]) -> tuple[Contrast | None, int]:
        """Return the smallest position that is answered otherwise by new rules, and how many questions were tried.

        Only questions that consult one of the rules are tried, before or after.
        """
        wanted = frozenset(rules)
        tried = 0
        differing: dict[str, list[Question]] = {}
        for one in chain.from_iterable(self._probes(new, wanted)):
            after = put(one.operation, new, one.input)
            # Rules that only matter in the new game can be consulted only by its own answers.
            if after.answer is None or wanted.isdisjoint(one.consulted | after.rests_on):
                continue
            tried += 1
            if one.is_told_by(after):
                differing.setdefault(one.operation, []).append((one.operation, one.input))
        for operation in sorted(OPERATIONS, key=lambda name: OPERATIONS[name].rank):
            if operation in differing:
                first = sorted(differing[operation], key=lambda one: self._order(one, new))[:_TRIED_PER_OPERATION]
                found = [self._shrunk(question, new, wanted) for question in first]
                return min(found, key=lambda one: self._order((operation, one.input), new)), tried
        return None, tried

    def _order(self, question: Question, new: Ruleset) -> tuple[bool, int, str]:
        """Return what puts the better of two positions first: one that somebody allows, then the smaller."""
        operation, asked = question
        return "allowed" not in self._kinds(operation, asked, new), size(asked), str(asked)

    def _shrunk(self, question: Question, new: Ruleset, wanted: frozenset[str]) -> Contrast:
        """Return a question made smaller while both answers stay of their kinds and one of the rules is consulted."""
        operation, asked = question
        kinds = self._kinds(operation, asked, new)
        is_wellformed = OPERATIONS[operation].is_wellformed

        def shows(smaller: Mapping[str, Any]) -> bool:
            came = self._both(operation, smaller, new)
            messages = [one.message() for one in came]
            consulted = not wanted.isdisjoint(came[0].rests_on | came[1].rests_on)
            if not consulted or [*map(kind_of, messages)] != kinds or not fields_apart(operation, *messages):
                return False
            return is_wellformed(self._old, smaller)

        found = shrink(asked, shows)
        answers = (one.message() for one in self._both(operation, found, new))
        return Contrast(operation, found, *(without_reasons(operation, one) for one in answers))

    def _kinds(self, operation: str, question: Mapping[str, Any], new: Ruleset) -> list[str]:
        return [kind_of(one.message()) for one in self._both(operation, question, new)]

    def _both(self, operation: str, question: Mapping[str, Any], new: Ruleset) -> tuple[Came, Came]:
        """Return what comes of a question by the old rules and by the new ones."""
        return put(operation, self._old, question), put(operation, new, question)
