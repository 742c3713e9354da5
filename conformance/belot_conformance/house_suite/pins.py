"""Which values of a table's rules its questions pin: every other value must change an answer, or change nothing at all.

A value that no question pins, and that does not provably play the same game, is searched for a question that would.
What is found is asked too. What is not found is said to be unobservable, with how that was seen.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Final, Literal

from belot_conformance.contrast.probe import Budget, Probe, Rival
from belot_conformance.contrast.proofs import proved_alike
from belot_conformance.house_suite.questions import TableQuestion, Teller, ToldQuestion
from belot_conformance.mistakes.mutations import Mutant, compile_mutant, mutants_of_rules, rival_of
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.shape import Shape
from belot_conformance.questions.operations import OPERATIONS, RECORDINGS
from belot_conformance.questions.stream import EVERY_OPERATION
from belot_reference.compile import compile_profile
from belot_spec.spec import Profile, default_spec


@dataclass(frozen=True, slots=True)
class PinBudget:
    """How many deals are drawn for what no question tells yet."""

    # Tried on every value, each with all operations.
    first: int = 160
    # What is left by then is rare: more deals, of those operations alone of which a question consulted the value.
    further: int = 320
    # Few, since each value is played for itself, and does what it changes in deals of its own.
    by_the_other: int = 24
    # What one process draws at a time, so that several are busy until the end.
    a_share: int = 40
    first_seed: int = 1
    further_seed: int = 1001


BUDGET: Final = PinBudget()
_SEARCHING: Final = "searching for further questions"


@dataclass(frozen=True, slots=True)
class Sought:
    """A mutant that no question tells yet, and what is known of it.

    ``undeclared`` is an operation that shows it, and is not declared, or not all of it given. ``consulting`` are the
    operations of questions that consulted its rule, ``tried`` is how many did not tell it.
    """

    mutant: Mutant
    undeclared: str = ""
    consulting: frozenset[str] = frozenset()
    tried: int = 0
    found: ToldQuestion | None = None

    def after(self, later: "Sought") -> "Sought":
        """Return what is known after more was tried; what is found first stays found."""
        if self.found is not None:
            return self
        known = self.undeclared or later.undeclared
        return replace(
            later, undeclared=known, consulting=self.consulting | later.consulting, tried=self.tried + later.tried
        )


@dataclass(frozen=True, slots=True)
class PinShare:
    """Deals that are played by this table's rules or by a mutant's, to be tried on some of those sought."""

    places: Sequence[int]
    sought: Sequence[Sought]
    operations: frozenset[str]
    drawn: Budget
    played_by: Mutant | None = None


class Rounds:
    """Three rounds of deals at one table, for a program that answers these operations in this shape."""

    def __init__(
        self, profile: Profile, operations: frozenset[str], shape: Shape, jobs: int, budget: PinBudget
    ) -> None:
        self._budget = budget
        self._make = partial(_teller, profile, operations, shape)
        self._declared = operations
        self._jobs = jobs

    def all(self, sought: Sequence[Sought]) -> list[Sought]:
        """Return what became of each mutant: found with a question that tells it, or tried so many times in vain.

        After the first deals a mutant is tried on no operation of which no question has consulted its rule.
        """
        known, budget = list(sought), self._budget
        self._try(known, self._drawn(known, budget.first, budget.first_seed, consulting=False))
        self._try(known, self._played_by_others(known))
        self._try(known, self._drawn(known, budget.further, budget.further_seed, consulting=True))
        return known

    def _try(self, known: list[Sought], shares: Sequence[PinShare]) -> None:
        """Bring up to date what is known of those sought, in the order of the shares, whoever is done first."""
        with counting_bar(_SEARCHING, len(shares)) as advance:
            tried = in_processes(_tried, shares, self._jobs, self._make)
            for share, found in zip(shares, tried, strict=True):
                for place, one in zip(share.places, found, strict=True):
                    known[place] = known[place].after(one)
                advance(1)

    def _drawn(self, known: Sequence[Sought], deals: int, seed: int, *, consulting: bool) -> list[PinShare]:
        """Return shares of deals that are played by this table's rules."""
        wanted = {place: self._showing(one, consulting) for place, one in enumerate(known)}
        places = [place for place, operations in wanted.items() if operations]
        operations = frozenset().union(*(wanted[place] for place in places))
        most, some = self._budget.a_share, [known[place] for place in places]
        starts = range(0, deals if places else 0, most)
        return [
            PinShare(places, some, operations, Budget(min(most, deals - start), seed + at))
            for at, start in enumerate(starts)
        ]

    def _played_by_others(self, known: Sequence[Sought]) -> list[PinShare]:
        """Return for each mutant deals that are played by it: they do what nobody would do at this table."""
        drawn = Budget(self._budget.by_the_other, self._budget.first_seed)
        return [
            PinShare([place], [one], operations, drawn, one.mutant)
            for place, one in enumerate(known)
            if (operations := self._showing(one, consulting=True))
        ]

    def _showing(self, one: Sought, consulting: bool) -> frozenset[str]:
        """Return the operations of which a question may tell a mutant; none where it is found."""
        if one.found is not None:
            return frozenset()
        within = one.consulting if consulting else EVERY_OPERATION
        return within & self._declared if one.undeclared else within


def _teller(profile: Profile, operations: frozenset[str], shape: Shape) -> Teller:
    return Teller(compile_profile(profile), operations, shape)


def _tried(teller: Teller, share: PinShare) -> list[Sought]:
    """Try a share of deals on each mutant; a question that tells one is tried first on the next."""
    rules, spec = teller.rules, default_spec()
    player = compile_mutant(share.played_by, rules.profile, spec) if share.played_by else rules
    about = {rule for one in share.sought for rule in one.mutant.values}
    drawn = teller.answered(share.drawn.questions(player, share.operations), about)
    asked = Probe(sorted(drawn, key=lambda one: len(str(one.input))))
    chosen, tried = list[ToldQuestion](), []
    for one in share.sought:
        rival = rival_of(one.mutant, rules.profile, spec)
        known = Probe(chain(_reading(chosen, rival), asked.reading(rival.values)))
        found = known.first(rival, _is_given)
        shown = None if found or one.undeclared else known.first(rival, _is_whole)
        if found is not None:
            chosen.append(found)
        operations = [question.operation for question in known]
        undeclared = shown.operation if shown else ""
        tried.append(Sought(one.mutant, undeclared, frozenset(operations), len(operations), found))
    return tried


def _reading(chosen: Sequence[ToldQuestion], rival: Rival) -> Iterator[ToldQuestion]:
    return Probe(chosen).reading(rival.values)


def _is_given(one: ToldQuestion) -> bool:
    return one.given


def _is_whole(one: ToldQuestion) -> bool:
    return not one.given


def fewest(sought: Sequence[Sought], profile: Profile) -> list[Sought]:
    """Return those found with as few questions as will do: one that tells an earlier mutant serves for others too."""
    spec, chosen, served = default_spec(), list[ToldQuestion](), []
    for one in sought:
        if one.found is not None:
            shared = Probe(chosen).first(rival_of(one.mutant, profile, spec), _is_given)
            if shared is None:
                chosen.append(one.found)
            served.append(replace(one, found=(shared or one.found).named()))
        else:
            served.append(one)
    return served


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
    budget: PinBudget | None = None,
) -> list[Pin]:
    """Return the fate of every other value of every rule of a profile, asked in these operations and this shape."""
    mutants = mutants_of_rules(profile, profile.settings, default_spec())
    known = PinnedValues(profile, questions, operations, shape)
    looked: list[Pin | Sought] = []
    with counting_bar(_LABEL, len(mutants)) as advance:
        for mutant in mutants:
            looked.append(known.look(mutant))
            advance(1)
    left = [one for one in looked if isinstance(one, Sought)]
    searched = Rounds(profile, operations, shape, jobs, budget or BUDGET).all(left)
    ended = iter([_ended(one) for one in fewest(searched, profile)])
    return [one if isinstance(one, Pin) else next(ended) for one in looked]


def _ended(one: Sought) -> Pin:
    mutant, found = one.mutant, one.found
    if found is not None:
        return Pin(mutant.rule, mutant.change, "found", found.id, found.operation, found.source)
    if one.undeclared:
        return Pin(mutant.rule, mutant.change, "undeclared", operation=one.undeclared)
    return Pin(mutant.rule, mutant.change, "unobservable", tried=one.tried)


class PinnedValues:
    """What the questions of one table tell of other values of its rules."""

    def __init__(
        self, profile: Profile, questions: Sequence[TableQuestion], operations: frozenset[str], shape: Shape
    ) -> None:
        self._rules = compile_profile(profile)
        teller = Teller(self._rules, operations, shape)
        self._probe = Probe(one for question in sorted(questions, key=_cost) for one in teller.of_case(question))

    def look(self, mutant: Mutant) -> Pin | Sought:
        """Return what is known of a mutant without a search, or that it has to be sought."""
        spec = default_spec()
        rival = rival_of(mutant, self._rules.profile, spec)
        if one := self._probe.first(rival, lambda one: one.given and one.operation not in RECORDINGS):
            return _pinned(mutant, one)
        # Before whole deals are played by it: that takes longest, and tells nothing of a value that is proved alike.
        if tried := proved_alike(self._rules, rival, spec):
            return Pin(mutant.rule, mutant.change, "unobservable", tried=tried)
        if one := self._probe.first(rival, lambda one: one.given and one.operation in RECORDINGS):
            return _pinned(mutant, one)
        shown = self._probe.first(rival, _is_whole)
        operations = [one.operation for one in self._probe.reading(mutant.values)]
        return Sought(mutant, shown.operation if shown else "", frozenset(operations), len(operations))


def _pinned(mutant: Mutant, one: ToldQuestion) -> Pin:
    return Pin(mutant.rule, mutant.change, "pinned", question=one.id, operation=one.operation)


def _cost(one: TableQuestion) -> tuple[int, int]:
    return _COST[one.planned.case.operation], len(str(one.planned.case.input))
