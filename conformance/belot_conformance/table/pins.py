"""Which values of a table's rules its questions pin: every other value must change an answer, or change nothing at all.

A value that no question pins, and that does not provably play the same game, is searched for a question that would.
What is found is asked too. What is not found is said to be unobservable, with how that was seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from belot_conformance.diagnosis.mutations import Mutant, compile_mutant, mutants_of_rules
from belot_conformance.diagnosis.proofs import proved_alike
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.shape import Shape
from belot_conformance.table.questions import RECORDINGS, TableQuestion
from belot_conformance.table.searching import Search, Sought, fewest
from belot_conformance.table.told_questions import Asked, Teller, ToldQuestion, first_wrong
from belot_reference.compile import compile_profile
from belot_reference.operations import OPERATIONS
from belot_spec.spec import Profile, default_spec

_LABEL: Final = "looking which rules of the table are tested"

Fate = Literal["pinned", "found", "undeclared", "unobservable"]

# Smaller questions are answered faster and read more easily.
_COST: Final[Mapping[str, int]] = {operation: cost for cost, operation in enumerate(OPERATIONS)}


@dataclass(frozen=True, slots=True)
class Pin:
    """What became of one other value of a rule.

    ``pinned``: the answer to ``question`` would be another, by its id. ``found``: the same of a question that was
    searched for, ``asked`` as operation and input. ``undeclared``: only ``operation`` shows it, or a field
    of it that the program does not give. ``unobservable``:
    nothing does, as ``tried`` tricks, comparisons or questions show.
    """

    rule: str
    change: str
    fate: Fate
    question: str = ""
    operation: str = ""
    asked: Mapping[str, Any] | None = None
    tried: int = 0


def pin_all(
    profile: Profile,
    questions: Sequence[TableQuestion],
    operations: frozenset[str],
    jobs: int,
    shape: Shape,
) -> list[Pin]:
    """Return the fate of every other value of every rule of a profile, asked in these operations and this shape."""
    mutants = mutants_of_rules(profile, profile.settings, default_spec())
    known = Known(profile, questions, operations, shape)
    looked: list[Pin | Sought] = []
    with counting_bar(_LABEL, len(mutants)) as advance:
        for mutant in mutants:
            looked.append(known.look(mutant))
            advance(1)
    left = [one for one in looked if isinstance(one, Sought)]
    searched = Search(profile, operations, shape, jobs).all(left)
    ended = iter([_ended(one) for one in fewest(searched, profile)])
    return [one if isinstance(one, Pin) else next(ended) for one in looked]


def _ended(one: Sought) -> Pin:
    mutant, found = one.mutant, one.found
    if found is not None:
        return Pin(mutant.rule, mutant.change, "found", found.id, found.operation, found.source)
    if one.undeclared:
        return Pin(mutant.rule, mutant.change, "undeclared", operation=one.undeclared)
    return Pin(mutant.rule, mutant.change, "unobservable", tried=one.tried)


class Known:
    """What the questions of one table tell of other values of its rules."""

    def __init__(
        self, profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], shape: Shape
    ) -> None:
        self._rules = compile_profile(profile)
        teller = Teller(self._rules, operations, shape)
        self._asked = Asked(one for question in sorted(questions, key=_cost) for one in teller.of_case(question))

    def look(self, mutant: Mutant) -> Pin | Sought:
        """Return what is known of a mutant without a search, or that it has to be sought."""
        spec = default_spec()
        changed = compile_mutant(mutant, self._rules.profile, spec)
        asked = self._asked.of(mutant)
        recorded = [one for one in asked if one.operation in RECORDINGS]
        small = [one for one in asked if one.operation not in RECORDINGS]
        if one := first_wrong(small, changed, given=True):
            return _pinned(mutant, one)
        # Before whole deals are played by it: that takes longest, and tells nothing of a value that is proved alike.
        if tried := proved_alike(mutant, self._rules, changed, spec):
            return Pin(mutant.rule, mutant.change, "unobservable", tried=tried)
        if one := first_wrong(recorded, changed, given=True):
            return _pinned(mutant, one)
        shown = first_wrong(asked, changed, given=False)
        consulting = frozenset(one.operation for one in asked)
        return Sought(mutant, shown.operation if shown else "", consulting, len(asked))


def _pinned(mutant: Mutant, one: ToldQuestion) -> Pin:
    return Pin(mutant.rule, mutant.change, "pinned", question=one.id, operation=one.operation)


def _cost(one: TableQuestion) -> tuple[int, int]:
    return _COST[one.planned.case.operation], len(str(one.planned.case.input))
