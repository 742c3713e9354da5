"""The kept list of mutants that no case can notice, each with the reason, and how a run differs from it."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from belot_spec.documents import read_document
from belot_spec.errors import Problem
from belot_spec.schemas import check_document
from mutation.mutants import Mutant, Result

SCHEMA = "engine-survivors"


@dataclass(frozen=True, slots=True)
class Kept:
    """One entry of the list: a mutant, and the line of the file that names it."""

    mutant: Mutant
    line: int


def read_survivors(path: Path) -> list[Kept]:
    """Return the mutants of a kept list, in its order; raises ``SpecError`` for a file that does not fit the schema."""
    document = read_document(path)
    check_document(document, SCHEMA)
    return [
        Kept(Mutant(entry["in"], entry["was"], now), document.line(("survivors", group, "mutants", index)))
        for group, told in enumerate(document.data["survivors"])
        for index, entry in enumerate(told["mutants"])
        for now in entry["now"]
    ]


def unexplained(results: Iterable[Result], kept: Iterable[Kept]) -> list[Mutant]:
    """Return the survivors that are not in the list, as often as they are missing from it."""
    known = Counter(entry.mutant for entry in kept)
    missing = []
    for result in results:
        if result.fate == "survived":
            if known[result.mutant] > 0:
                known[result.mutant] -= 1
            else:
                missing.append(result.mutant)
    return missing


def outdated(path: Path, results: Collection[Result], kept: Iterable[Kept], modules: Collection[str]) -> list[Problem]:
    """Return what is wrong with the entries about some modules that have no survivor any more."""
    survived = Counter(result.mutant for result in results if result.fate == "survived")
    made = {result.mutant for result in results}
    problems = []
    for entry in kept:
        if entry.mutant.module in modules:
            survived[entry.mutant] -= 1
            if survived[entry.mutant] < 0:
                fate = "a case notices" if entry.mutant in made else "the code has no such change as"
                message = f"take it off the list: {fate} {entry.mutant.now}"
                problems.append(Problem(path, entry.line, entry.mutant.where, message))
    return problems
