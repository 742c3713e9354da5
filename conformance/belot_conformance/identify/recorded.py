"""Which rules were played by whoever made a log: searched for like a program's, but nothing more can be asked."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from belot_conformance.identify.found import Identified
from belot_conformance.identify.identification import Identification
from belot_conformance.identify.observations import Observation
from belot_conformance.programs.protocol import Question, Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.recording.records import answers_in
from belot_conformance.table.planning import is_known
from belot_spec.errors import BelotError

# Of a longer log so many records are looked at, drawn by lot.
MOST: Final = 200
_SEED: Final = 7


class NoAnswersError(BelotError):
    """A log of which no record holds an answer."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was found in a log; ``looked_at`` of its ``records`` records were, and ``unseen`` are rules that none shows.

    ``operations`` are those of the records.
    """

    found: Identified
    records: int
    looked_at: int
    operations: frozenset[str]
    unseen: tuple[str, ...]


def identify_records(path: Path, profile: str | None, reference: Reference) -> Recorded:
    """Search for the rules of a log, around a profile or among all variants; raises ``SpecError`` for a faulty line.

    Raises ``NoAnswersError`` if no record holds an answer.
    """
    records, drawn = _drawn(answers_in(path, ""))
    if not drawn:
        raise NoAnswersError(f"{path}: no record holds a result, so that nothing says what was played")
    names = Counter(question.profile for question, _ in drawn if is_known(question.profile, reference.spec))
    seen = [Observation(one.id, one.op, one.input, came.kind, came.value, is_partial=True) for one, came in drawn]
    search = Identification(seen, reference.spec)
    if profile is None:
        found = search.anywhere([name for name, _ in names.most_common(1)])
    else:
        found = search.around([reference.profile(profile)])
    operations = frozenset(question.op for question, _ in drawn)
    return Recorded(found, records, len(drawn), operations, tuple(search.unseen()))


def _drawn(answers: Iterator[tuple[Question, Reply]]) -> tuple[int, list[tuple[Question, Reply]]]:
    """Return how many answers there are, and so many of them by lot as are looked at, in their order."""
    random, kept = Random(_SEED), list[tuple[int, tuple[Question, Reply]]]()
    number = 0
    for number, one in enumerate(answers, start=1):
        if len(kept) < MOST:
            kept.append((number, one))
        elif (place := random.randrange(number)) < MOST:
            kept[place] = number, one
    return number, [one for _, one in sorted(kept, key=lambda pair: pair[0])]
