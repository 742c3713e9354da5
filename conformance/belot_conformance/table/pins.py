"""Which values of a table's rules its questions pin: every other value must change an answer, or change nothing at all.

A value that no question pins, and that does not provably play the same game, is searched for a question that would.
What is found is asked too. What is not found is said to be unobservable, with how that was seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

from belot_conformance.diagnosis.equivalence import proved_alike
from belot_conformance.diagnosis.mutations import Mutant, compile_mutant, mutants_of_rules
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar
from belot_conformance.programs.shape import Shape
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import EVERY_OPERATION, random_questions
from belot_conformance.table.questions import Asked, TableQuestion, Teller, ToldQuestion, first_wrong
from belot_reference.compile import compile_profile
from belot_spec.spec import Profile, default_spec

SEARCHED_DEALS: Final = 160
FURTHER_DEALS: Final = 320
DEALS_BY_THE_OTHER_VALUE: Final = 24
DEALS_A_SHARE: Final = 40

_FIRST_SEED: Final = 1
_FURTHER_SEED: Final = 1001
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
class Share:
    """So many deals by a seed, played by this table's rules or by a mutant's, to be tried on some of those sought."""

    places: Sequence[int]
    sought: Sequence[Sought]
    operations: frozenset[str]
    deals: int
    seed: int
    played_by: Mutant | None = None


class Search:
    """A search at one table, for a program that answers these operations in this shape."""

    def __init__(self, profile: Profile, operations: frozenset[str], shape: Shape, jobs: int) -> None:
        self._make = partial(_teller, profile, operations, shape)
        self._declared = operations
        self._jobs = jobs

    def all(self, sought: Sequence[Sought]) -> list[Sought]:
        """Return what became of each mutant: found with a question that tells it, or tried so many times in vain.

        After the first deals a mutant is tried on no operation of which no question has consulted its rule.
        """
        known = list(sought)
        self._try(known, self._drawn(known, SEARCHED_DEALS, _FIRST_SEED, consulting=False))
        self._try(known, self._played_by_others(known))
        self._try(known, self._drawn(known, FURTHER_DEALS, _FURTHER_SEED, consulting=True))
        return known

    def _try(self, known: list[Sought], shares: Sequence[Share]) -> None:
        """Bring up to date what is known of those sought, in the order of the shares, whoever is done first."""
        with counting_bar(_SEARCHING, len(shares)) as advance:
            tried = in_processes(_tried, shares, self._jobs, self._make)
            for share, found in zip(shares, tried, strict=True):
                for place, one in zip(share.places, found, strict=True):
                    known[place] = known[place].after(one)
                advance(1)

    def _drawn(self, known: Sequence[Sought], deals: int, seed: int, *, consulting: bool) -> list[Share]:
        """Return shares of deals that are played by this table's rules."""
        wanted = {place: self._showing(one, consulting) for place, one in enumerate(known)}
        places = [place for place, operations in wanted.items() if operations]
        operations = frozenset().union(*(wanted[place] for place in places))
        starts = range(0, deals if places else 0, DEALS_A_SHARE)
        return [
            Share(places, [known[place] for place in places], operations, min(DEALS_A_SHARE, deals - start), seed + at)
            for at, start in enumerate(starts)
        ]

    def _played_by_others(self, known: Sequence[Sought]) -> list[Share]:
        """Return for each mutant deals that are played by it: they do what nobody would do at this table."""
        return [
            Share([place], [one], operations, DEALS_BY_THE_OTHER_VALUE, _FIRST_SEED, one.mutant)
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


def _tried(teller: Teller, share: Share) -> list[Sought]:
    """Try a share of deals on each mutant; a question that tells one is tried first on the next."""
    rules, spec = teller.rules, default_spec()
    player = compile_mutant(share.played_by, rules.profile, spec) if share.played_by else rules
    about = {rule for one in share.sought for rule in one.mutant.values}
    drawn = random_questions(player, share.deals, share.seed, share.operations)
    asked = Asked(sorted(teller.answered(drawn, about), key=lambda one: len(str(one.input))))
    chosen, tried = Asked(()), []
    for one in share.sought:
        mutant = one.mutant
        changed = compile_mutant(mutant, rules.profile, spec)
        known = [*chosen.of(mutant), *asked.of(mutant)]
        found = first_wrong(known, changed, given=True)
        if found is not None:
            chosen.add(found)
        shown = None if found or one.undeclared else first_wrong(known, changed, given=False)
        consulting = frozenset(question.operation for question in known)
        tried.append(Sought(mutant, shown.operation if shown else "", consulting, len(known), found))
    return tried


def fewest(sought: Sequence[Sought], profile: Profile) -> list[Sought]:
    """Return those found with as few questions as will do: one that tells an earlier mutant serves for others too."""
    spec, chosen, served = default_spec(), Asked(()), []
    for one in sought:
        if one.found is not None:
            changed = compile_mutant(one.mutant, profile, spec)
            shared = first_wrong(chosen.of(one.mutant), changed, given=True)
            if shared is None:
                chosen.add(one.found)
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
        recorded = [one for one in asked if OPERATIONS[one.operation].is_recording]
        small = [one for one in asked if not OPERATIONS[one.operation].is_recording]
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
