"""Common mistakes served as programs: after how many questions each is found, asked over the protocol.

Each is ``belot answer --mistake NAME`` in a process of its own, asked as ``belot fuzz`` asks any program, by the first
variant in which a case notices the mistake.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from belot_conformance.diagnosis.matrix import load_matrix
from belot_conformance.diagnosis.mistakes import load_mistakes
from belot_conformance.fuzz.fuzzing import Fuzz, Limit
from belot_conformance.fuzz.stream import Stream
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Limits
from belot_conformance.programs.targets import TargetName, open_target
from belot_spec.files import canonical
from belot_spec.spec import default_spec

# It is looked after so many questions whether one was answered wrongly.
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Served:
    """A mistake served as a program, the profile it was asked by, and the number of the question that found it.

    ``None`` if none did.
    """

    mistake: str
    profile: str
    first: int | None


def observable(profiles: Sequence[str]) -> list[tuple[str, str]]:
    """Return the mistakes that a case notices, each with the first of some variants (all if none) where one does."""
    rows = [row for row in load_matrix().rows.values() if row.killed_by]
    wanted = [*default_spec().playable(), *dict.fromkeys(row.mutant.profile for row in rows)]
    noticed: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: wanted.index(row.mutant.profile)):
        if not profiles or row.mutant.profile in profiles:
            noticed.setdefault(canonical(row.mutant.values), row.mutant.profile)
    found = ((name, noticed.get(canonical(mistake.values), "")) for name, mistake in load_mistakes().items())
    return [(name, profile) for name, profile in found if profile]


def serve_all(asked: Sequence[tuple[str, str]], seed: int, most: int) -> Iterator[Served]:
    """Yield what came of each mistake, asked by a profile until it is found or so many questions were put."""
    reference = Reference()
    for name, profile in asked:
        yield Served(name, profile, _first(reference, name, profile, seed, most))


def _first(reference: Reference, name: str, profile: str, seed: int, most: int) -> int | None:
    command = (sys.executable, "-m", "belot_conformance", "answer", "--mistake", name)
    with open_target(TargetName("command", command), Limits(start=60.0, answer=60.0)) as target:
        fuzz = Fuzz(target, [(Stream(reference.ruleset(profile), seed), profile)])
        while fuzz.outcome.asked < most and not fuzz.outcome.wrong and not fuzz.outcome.gave_up:
            fuzz.run(Limit(questions=min(most, fuzz.outcome.asked + _AT_ONCE)))
        return min((one.number for one in fuzz.outcome.all_wrong()), default=None)
