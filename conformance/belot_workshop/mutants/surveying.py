"""Making a survey: choosing mutants, running the cases against them, judging them, and keeping the matrix."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from belot_conformance.diagnosis.killing import (
    Row,
    changed_rows,
    hand_written,
    load_matrix,
    run_mutants,
    thin_places,
    write_matrix,
)
from belot_conformance.diagnosis.mutations import Mutant, mutants_of, profiles_to_mutate
from belot_conformance.programs.progress import counting_bar
from belot_conformance.suite.cases import load_cases
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.spec import default_spec
from belot_workshop.mutants.equivalents import idle_entries, load_equivalents
from belot_workshop.mutants.judging import judge_rows
from belot_workshop.mutants.survey import Survey


@dataclass(frozen=True, slots=True)
class Chosen:
    """The mutants of a survey, and whether they are all there are."""

    mutants: Sequence[Mutant]
    whole: bool


def chosen_mutants(profiles: Sequence[str], rules: Sequence[str], sample: int | None, seed: int) -> Chosen:
    """Return the mutants of some profiles and rules (of all, if none is named), or a sample of them.

    Raises ``UnknownNameError`` for a name that does not exist, and if nothing is left.
    """
    spec = default_spec()
    known = profiles_to_mutate(spec)
    for profile in profiles:
        if profile not in known:
            raise UnknownNameError(f"there are no mutants of {profile}{nearest(profile, known)}")
    for name in rules:
        if not any(f"{rule}.".startswith(f"{name}.") for rule in spec.rules):
            raise UnknownNameError(f"there is no rule or topic {name}{nearest(name, spec.rules)}")
    found = [
        mutant
        for profile in profiles or known
        for mutant in mutants_of(profile, spec)
        if not rules or any(f"{mutant.rule}.".startswith(f"{rule}.") for rule in rules)
    ]
    if not found:
        raise UnknownNameError("no mutant fits: these rules have no other value that can be played there")
    if sample is not None and sample < len(found):
        kept = sorted(found, key=lambda mutant: sha256(f"{seed} {mutant.id}".encode()).digest())[:sample]
        ids = {mutant.id for mutant in kept}
        found = [mutant for mutant in found if mutant.id in ids]
    return Chosen(found, not (profiles or rules or sample))


def survey_mutants(chosen: Chosen, *, jobs: int | None = None, fresh: bool = False, write: bool = False) -> Survey:
    """Run the hand-written cases against mutants, judge them, and compare with the kept matrix or write it anew."""
    began = time.monotonic()
    processes = jobs or os.cpu_count() or 1
    with counting_bar("mutants", len(chosen.mutants)) as advance:
        rows = list(run_mutants(chosen.mutants, jobs=processes, fresh=fresh, advance=advance))
    waiting = [row.mutant for row in rows if not row.killed_by]
    with counting_bar("equivalents", len(waiting)) as advance:
        judged = judge_rows(rows, jobs=processes, advance=advance)
    problems = idle_entries(load_equivalents(), waiting, default_spec()) if chosen.whole else []
    if write:
        write_matrix(rows)
        load_matrix.cache_clear()
    cases = [case.id for case in hand_written(load_cases())]
    return Survey(
        judged=judged,
        thin=thin_places(rows, cases if chosen.whole else ()),
        problems=[str(problem) for problem in problems],
        stale=_stale(rows, chosen.whole),
        seconds=time.monotonic() - began,
    )


def _stale(rows: Sequence[Row], whole: bool) -> int:
    """Return how many rows the kept matrix lacks or has otherwise, and for a whole survey those it has too many."""
    kept = load_matrix()
    return len(changed_rows(rows, kept)) + (len(kept.rows.keys() - {row.mutant.id for row in rows}) if whole else 0)
