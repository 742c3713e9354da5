"""How often the mistake of a program is named: every mutant is served as a program, judged, and diagnosed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from belot_conformance.diagnosis.diagnosis import SHOWN, diagnose_verdicts
from belot_conformance.diagnosis.killing import hand_written
from belot_conformance.diagnosis.mutations import Mutant
from belot_conformance.diagnosis.wrong_player import MutantPlayer
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.verdicts import Planned, all_acceptable, judge_all


@dataclass(frozen=True, slots=True)
class Named:
    """A mutant that was served as a program: whether it was caught, and its place among the mistakes named, from 1.

    Mutants that no case asked can tell apart count as one. ``place`` is ``None`` if it was not among those named.
    """

    mutant: Mutant
    caught: bool
    place: int | None


@dataclass(frozen=True, slots=True)
class Naming:
    """The outcome for many mutants."""

    named: Sequence[Named]

    @property
    def caught(self) -> list[Named]:
        """The mutants that failed a case."""
        return [one for one in self.named if one.caught]

    def within(self, places: int) -> int:
        """Return how many of the caught mutants were named in one of the first places."""
        return sum(one.place is not None and one.place <= places for one in self.caught)


def name_all(mutants: Sequence[Mutant], *, jobs: int = 1, advance: Callable[[int], None] | None = None) -> Naming:
    """Serve each mutant as a program that declares its variant, ask it that variant's hand-written cases, name it."""
    found: list[Named] = []
    for one in in_processes(_serve, mutants, jobs):
        found.append(one)
        if advance is not None:
            advance(1)
    return Naming(found)


def _serve(mutant: Mutant) -> Named:
    player = MutantPlayer(mutant)
    verdicts = judge_all(FunctionTarget(player.hello(), player.reply), _plan(mutant.profile.partition("+")[0]))
    caught = not all_acceptable(verdicts)
    found = diagnose_verdicts(verdicts)
    places = [number for number, one in enumerate(found, start=1) if mutant in (*one.mutants, *one.alike)]
    return Named(mutant, caught, places[0] if places and places[0] <= SHOWN else None)


@cache
def _plan(variant: str) -> tuple[Planned, ...]:
    cases = hand_written(load_cases())
    return tuple(Planned(case, case.profile) for case in cases if case.profile.partition("+")[0] == variant)
