"""The smallest question that shows what a changed rule changes: found among cases and random questions, then shrunk."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from belot_conformance.contrast.probe import Budget, Contrast, Probe, answered, is_other
from belot_conformance.programs.reference import put
from belot_conformance.questions.operation import AnsweredQuestion, Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.shrinking import candidates, shrink, size
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
        differing: dict[str, list[Contrast]] = {}
        for one in chain.from_iterable(self._probes(new, wanted)):
            after = put(one.operation, new, one.input)
            # Rules that only matter in the new game can be consulted only by its own answers.
            if after.answer is None or wanted.isdisjoint(one.rules | after.rests_on):
                continue
            tried += 1
            if is_other(one, after):
                contrast = Contrast(one.operation, one.input, one.answer, after.message())
                differing.setdefault(one.operation, []).append(contrast)
        for operation in sorted(OPERATIONS, key=lambda name: OPERATIONS[name].rank):
            if operation in differing:
                first = sorted(differing[operation], key=_order)[:_TRIED_PER_OPERATION]
                best = min((self._shrunk(one, new, wanted) for one in first), key=_order)
                plain = (without_reasons(operation, one) for one in (best.before, best.after))
                return Contrast(operation, best.input, *plain), tried
        return None, tried

    def _shrunk(self, one: Contrast, new: Ruleset, wanted: frozenset[str]) -> Contrast:
        """Return a question made smaller while both answers stay of their kinds and one of the rules is consulted."""

        def smaller(found: Contrast) -> Iterator[Contrast]:
            for question in candidates(self._old, found.input):
                came = put(one.operation, self._old, question), put(one.operation, new, question)
                if came[0].answer is not None and not wanted.isdisjoint(came[0].rests_on | came[1].rests_on):
                    yield Contrast(one.operation, question, *(each.message() for each in came))

        def first(some: Sequence[Contrast]) -> Contrast | None:
            return next((each for each in some if _kinds(each) == _kinds(one) and _differs(each)), None)

        return shrink(one, smaller, first)


def _kinds(one: Contrast) -> list[str]:
    return [kind_of(one.before), kind_of(one.after)]


def _differs(one: Contrast) -> bool:
    return bool(fields_apart(one.operation, one.before, one.after))


def _order(one: Contrast) -> tuple[bool, int, str]:
    """Return what puts the better of two positions first: one that somebody allows, then the smaller."""
    return "allowed" not in _kinds(one), size(one.input), str(one.input)
