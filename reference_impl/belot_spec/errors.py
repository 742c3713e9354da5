"""What can go wrong with rules as data: faults in files, unknown names, values that do not fit together."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import ClassVar, Final

# The message of an error tells so many faults, and counts the others.
MOST_TOLD: Final = 18


class BelotError(Exception):
    """Any error of this package whose message is meant to be read by people; a command that meets it exits so."""

    exit_code: ClassVar[int] = 2


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is closest to a misspelt one, if any is close enough."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.5)
    return close[0] if close else None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean X?`` for the known name that is closest, or an empty text."""
    close = closest(name, known)
    return f"; did you mean {close}?" if close else ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a file of the spec: where it is and what would be right."""

    file: Path
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        """Return the problem on one line, in the form that editors can jump to."""
        try:
            shown = self.file.relative_to(Path.cwd())
        except ValueError:
            shown = self.file
        what = f"{self.key}: {self.message}" if self.key else self.message
        return f"{shown}:{self.line}: {' '.join(what.splitlines())}"


class SpecError(BelotError):
    """The spec, an overlay or a file of cases is wrong; holds every problem that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        told = [str(problem) for problem in self.problems[:MOST_TOLD]]
        left = len(self.problems) - len(told)
        super().__init__("\n".join([*told, *([f"… and {left:,} more faults"] if left else [])]))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)


def refuse(problems: Iterable[Problem]) -> None:
    """Raise ``SpecError`` if there is any problem."""
    if found := list(problems):
        raise SpecError(found)


class UnknownNameError(BelotError):
    """A profile, variant, option or operation was asked for that does not exist."""


class IdleRuleError(BelotError):
    """A rule was read in a profile in which it does not matter."""


class UnplayableError(BelotError):
    """The values of a profile do not fit together: nobody could play a deal by them."""
