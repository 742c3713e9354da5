"""What a search for rules found: the rules that differ, what fits equally, and what no rules explain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.identify.observations import ERROR, Ignored, Observation
from belot_spec.spec import Profile

# A program that answers so often with an error what makes sense may play with other cards.
_SOME_ERRORS: Final = 8


@dataclass(frozen=True, slots=True)
class Alike:
    """Another rule with a value that would explain the same answers."""

    rule: str
    value: Any


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what the program answered, and what other rules say; of the last only what differs is of interest."""

    id: str
    operation: str
    input: Mapping[str, Any]
    came: Mapping[str, Any]
    said: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Broken:
    """Answers of one operation that no rules explain: in which fields they are wrong, how many, and the smallest.

    ``fields`` of what is no answer at all holds its kind: an error, a crash. ``places`` name the first of the records
    of a log.
    """

    operation: str
    fields: tuple[str, ...]
    count: int
    example: Example
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a program plays otherwise: its value, and the numbers of the answers that are right by it alone.

    ``own`` is the value of the profile asked for, ``None`` where the rule does not matter there. ``values`` fit
    equally, and so do the rules of ``alike``.
    """

    rule: str
    own: Any
    value: Any
    right: tuple[int, ...]
    wrong: int
    contexts: tuple[int, ...]
    example: Example | None
    values: tuple[Any, ...] = ()
    alike: tuple[Alike, ...] = ()


@dataclass(frozen=True)
class Identified:
    """What a search found: the profiles on which it builds, and what they differ in, the most telling rule first.

    ``wrong`` are the numbers of the answers that no rule explains; ``silent`` gave no answer. ``missing`` are the
    fields that the program never gives, ``broken`` those that no rules explain; neither is compared. ``spoiled`` says
    for each operation how many answers are wrong in those fields alone.
    """

    bases: Sequence[Profile]
    played: Sequence[Profile]
    findings: Sequence[Finding]
    observations: Sequence[Observation]
    silent: Sequence[Observation]
    asked_wrong: frozenset[int]
    wrong: frozenset[int]
    groups: Sequence[Broken]
    missing: Ignored
    broken: Ignored
    spoiled: Mapping[str, int]
    tried: int = 0

    @property
    def explained(self) -> int:
        """How many answers that are wrong by the bases are right by the rules found."""
        return len(self.asked_wrong - self.wrong)

    @property
    def errors(self) -> int:
        """How many answers are errors to what makes sense by the rules found."""
        return sum(group.count for group in self.groups if group.fields == (ERROR,))

    @property
    def may_have_other_cards(self) -> bool:
        """Whether there are so many errors that the program may play with other cards."""
        return self.errors >= _SOME_ERRORS
