"""Semantic versions of the spec: what each kind of change asks of the next version. ``spec/VERSIONING.md`` in code."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from belot_spec.errors import BelotError

Step = Literal["none", "patch", "minor", "major"]
Nature = Literal["removing", "changing", "additive", "apart"]
Kind = Literal[
    "rule-added", "rule-removed", "rule-reworded", "values-widened", "values-narrowed", "needs-extended",
    "needs-changed", "variant-added", "variant-removed", "variant-reworded", "option-added", "option-removed",
    "option-reworded", "value-changed", "value-added", "value-dropped", "basis-changed", "ruling-added",
    "ruling-removed", "ruling-extended", "ruling-narrowed", "ruling-reworded",
]  # fmt: skip

STEPS: Final[tuple[Step, ...]] = ("none", "patch", "minor", "major")
NATURES: Final[tuple[Nature, ...]] = ("removing", "changing", "additive", "apart")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a kind of change does to those who rely on the spec, and the step that it asks for."""

    nature: Nature
    step: Step


_KINDS: Final[Sequence[tuple[Nature, Step, Sequence[Kind]]]] = (
    ("removing", "major", ("rule-removed", "variant-removed", "option-removed", "values-narrowed")),
    ("changing", "major", ("value-changed", "value-added", "value-dropped", "needs-changed")),
    ("additive", "minor", ("rule-added", "variant-added", "option-added", "values-widened", "needs-extended")),
    ("additive", "patch", ("rule-reworded", "variant-reworded", "option-reworded")),
    (
        "apart",
        "patch",
        ("basis-changed", "ruling-added", "ruling-removed", "ruling-extended", "ruling-narrowed", "ruling-reworded"),
    ),
)
EFFECTS: Final[Mapping[Kind, Effect]] = {kind: Effect(nature, step) for nature, step, some in _KINDS for kind in some}

# A number of nine figures is surely no version, and one of thousands can be no number of Python's.
_NUMBER: Final = r"(0|[1-9][0-9]{0,7})"
_VERSION: Final = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}\Z")


class VersionError(BelotError):
    """A text is no version, or a version is too low for what has changed."""


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A version ``major.minor.patch``."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def after(self, step: Step) -> "Version":
        """Return the lowest version that takes a step; before 1.0.0 every step counts one lower, but at least patch."""
        taken = STEPS[max(1, STEPS.index(step) - 1)] if self.major == 0 and step != "none" else step
        if taken == "major":
            return Version(self.major + 1, 0, 0)
        if taken == "minor":
            return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + (taken == "patch"))


def parse_version(text: str) -> Version:
    """Return the version that a text is; raises ``VersionError`` for any other text."""
    match = _VERSION.match(text)
    if match is None:
        raise VersionError(f"{text or '(empty)'} is no version; write three numbers, such as 1.2.0")
    return Version(*map(int, match.groups()))


def step_for(kinds: Iterable[Kind]) -> Step:
    """Return the largest step that kinds of change ask for."""
    return largest(EFFECTS[kind].step for kind in kinds)


def largest(steps: Iterable[Step]) -> Step:
    """Return the largest of some steps, ``none`` if there are none."""
    return max(steps, key=STEPS.index, default="none")


def check_step(last: Version, wanted: Version, step: Step) -> None:
    """Raise ``VersionError`` if a version is no higher than the last, or too low for a step."""
    if wanted <= last:
        raise VersionError(f"{wanted} is not higher than the last release, {last}")
    needed = last.after(step)
    if wanted < needed:
        raise VersionError(
            f"{wanted} is too low: what has changed since {last} asks for a {step} step, so for {needed} or higher"
        )
