"""What became of each mutant: killed by a case, proved equivalent, or a survivor that the suite ought to notice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from belot_conformance.diagnosis.equivalence import Difference, Search, is_duty, tricks_played_alike
from belot_conformance.diagnosis.killing import Row, the_reference
from belot_conformance.diagnosis.mutations import Mutant, compile_mutant
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import Advance, unseen
from belot_spec.spec import default_spec
from belot_workshop.mutants.equivalents import Check, Entry, entry_for, load_equivalents

Fate = Literal["killed", "equivalent", "survived"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a check: whether the mutant plays the same game, over how many trials, else where it differs."""

    alike: bool
    trials: int
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant's row and fate; for a mutant that no case kills also the list's entry, if any, and the proof."""

    row: Row
    fate: Fate
    entry: Entry | None = None
    proof: Proof | None = None


def judge_rows(rows: Sequence[Row], *, jobs: int = 1, advance: Advance = unseen) -> list[Judged]:
    """Return the fate of every row's mutant, in order; survivors that are listed are put to the check they name.

    A survivor that is not listed is searched for a question that would notice it.
    """
    entries = load_equivalents()
    waiting = [row.mutant for row in rows if not row.killed_by]
    checks = {mutant.id: entry_for(mutant, entries) for mutant in waiting}
    proofs: dict[str, Proof] = {}
    shares = _by_profile(waiting)
    for share, proved in zip(shares, in_processes(_prove_share, shares, jobs), strict=True):
        proofs.update(zip((mutant.id for mutant in share), proved, strict=True))
        advance(len(share))
    return [_judged(row, checks.get(row.mutant.id), proofs.get(row.mutant.id)) for row in rows]


def _judged(row: Row, entry: Entry | None, proof: Proof | None) -> Judged:
    if proof is None:
        return Judged(row, "killed")
    return Judged(row, "equivalent" if entry is not None and proof.alike else "survived", entry, proof)


def _by_profile(mutants: Iterable[Mutant]) -> list[list[Mutant]]:
    shares: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        shares.setdefault(mutant.profile, []).append(mutant)
    return list(shares.values())


def _prove_share(share: Sequence[Mutant]) -> list[Proof]:
    entries = load_equivalents()
    named = [entry_for(mutant, entries) for mutant in share]
    return [_proof(mutant, entry.check if entry else "search") for mutant, entry in zip(share, named, strict=True)]


def _proof(mutant: Mutant, check: Check) -> Proof:
    spec, reference = default_spec(), the_reference()
    rules = reference.ruleset(mutant.profile)
    if check == "every-hand":
        if not is_duty(mutant, spec):
            return Proof(alike=False, trials=0)
        trials = tricks_played_alike(rules, compile_mutant(mutant, rules.profile, spec))
        if trials:
            return Proof(alike=True, trials=trials)
    difference, asked = _search(mutant.profile).compare(mutant, spec)
    alike = difference is None and (check == "search") == (asked > 0)
    return Proof(alike and check != "every-hand", asked, difference)


# The shares come by profile, and the questions of one take some 100 MB.
@lru_cache(maxsize=1)
def _search(profile: str) -> Search:
    return Search(profile, the_reference())
