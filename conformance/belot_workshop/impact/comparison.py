"""Shares and means with 95 % confidence intervals, from sums of whole numbers."""

from collections import Counter
from dataclasses import dataclass, field, fields
from math import sqrt
from typing import Any, Final, Self

from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.shipped import open_profile

# The two-sided 95 % point of the normal distribution.
Z: Final = 1.959963984540054

# With fewer observations that are not zero, an interval around a mean by the normal distribution is only rough.
ENOUGH: Final = 30

_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with the limits of the 95 % interval; shares lie between 0 and 1."""

    part: int
    whole: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself."""
        return self.part / self.whole

    def as_json(self) -> dict[str, Any]:
        """Return the share as JSON, rounded to six digits."""
        return {"part": self.part, "whole": self.whole, **_rounded(share=self.value, low=self.low, high=self.high)}


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of so many observations with its limits; ``rough`` where too few of them are other than zero."""

    number: int
    value: float
    low: float
    high: float
    rough: bool

    def as_json(self) -> dict[str, Any]:
        """Return the mean as JSON, rounded to six digits."""
        figures = _rounded(mean=self.value, low=self.low, high=self.high)
        return {"number": self.number, **figures, "rough": self.rough}


def _rounded(**figures: float) -> dict[str, float]:
    return {name: round(one, _DIGITS) + 0.0 for name, one in figures.items()}


@dataclass(frozen=True, slots=True)
class Summed:
    """Figures that are added field by field."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class Sample(Summed):
    """Observations added up: how many, how many are not zero, their sum, and the sum of their squares."""

    number: int = 0
    other_than_zero: int = 0
    total: int = 0
    squares: int = 0

    def with_one(self, observation: int) -> "Sample":
        """Return the sample with one more observation."""
        return self + Sample(1, int(observation != 0), observation, observation * observation)

    def mean(self) -> Mean | None:
        """Return the mean with its interval by the normal distribution; ``None`` without observations."""
        if not self.number:
            return None
        mean = self.total / self.number
        spread = self.squares - self.total * mean
        error = Z * sqrt(max(0.0, spread) / max(1, self.number - 1) / self.number)
        return Mean(self.number, mean, mean - error, mean + error, self.other_than_zero < ENOUGH)


@dataclass(frozen=True, slots=True)
class Clusters(Summed):
    """So many of so many in each of several clusters, added up: decisions come in deals and hang together there."""

    number: int = 0
    part: int = 0
    whole: int = 0
    part_squares: int = 0
    whole_squares: int = 0
    products: int = 0

    def with_one(self, part: int, whole: int) -> "Clusters":
        """Return the clusters with one more."""
        return self + Clusters(1, part, whole, part * part, whole * whole, part * whole)

    def share(self) -> Share | None:
        """Return the share, its interval as wide as the clusters make it; ``None`` without any."""
        return wilson(self.part, self.whole, self.design_effect()) if self.whole else None

    def design_effect(self) -> float:
        """Return how many times larger the variance is than if the clusters did not hang together; at least 1."""
        share = self.part / self.whole
        alone = share * (1 - share) * self.whole
        if self.number < 2 or not alone:
            return 1.0
        # The variance of a ratio of two sums, over that of as many independent trials.
        spread = self.part_squares - 2 * share * self.products + share * share * self.whole_squares
        return max(1.0, spread * self.number / (self.number - 1) / alone)


def wilson(part: int, whole: int, design_effect: float = 1.0) -> Share:
    """Return a share with Wilson's interval; a design effect counts the trials as that many times fewer."""
    trials = whole / design_effect
    share = part / whole
    scale = 1 + Z * Z / trials
    centre = (share + Z * Z / (2 * trials)) / scale
    half = Z / scale * sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials))
    low = 0.0 if part == 0 else max(0.0, centre - half)
    high = 1.0 if part == whole else min(1.0, centre + half)
    return Share(part, whole, low, high)


# A match that is not over by then is left undecided; with targets of the sources none comes near.
MOST_DEALS: Final = 400


@dataclass(frozen=True, slots=True)
class Sums(Summed):
    """What was counted over matches; sums of whole numbers only, so that they are the same in any order.

    Points are score points, or card points where the two rulesets have other units; a change is new less old.
    ``changes`` counts by how much the taker's side's points changed in a deal.
    """

    deals: int = 0
    other_deals: int = 0
    decisions: Clusters = field(default_factory=Clusters)
    taker: Sample = field(default_factory=Sample)
    defence: Sample = field(default_factory=Sample)
    held: Sample = field(default_factory=Sample)
    changes: Counter[int] = field(default_factory=Counter)
    matches: int = 0
    other_winner: int = 0
    undecided: int = 0
    length: Sample = field(default_factory=Sample)

    def shares(self) -> dict[str, Share | None]:
        """Return how many decisions, deals and matches were otherwise; ``None`` of what there were none of."""
        return {
            "decisions": self.decisions.share(),
            "deals": wilson(self.other_deals, self.deals) if self.deals else None,
            "matches": wilson(self.other_winner, self.matches) if self.matches else None,
        }

    def means(self) -> dict[str, Mean | None]:
        """Return the changes of each side's points and of those held, and of how many deals a match lasts."""
        samples = {"taker": self.taker, "defence": self.defence, "held": self.held, "length": self.length}
        return {name: sample.mean() for name, sample in samples.items()}

    def until(self, deals: int) -> "Sums":
        """Return the sums themselves: those of one match are not divided."""
        return self


@dataclass(frozen=True, slots=True)
class SimulationSetup:
    """What is simulated: two profiles by name, who plays, and the seed."""

    old: str
    new: str
    player: str
    seed: int


def check_comparable(old: Ruleset, new: Ruleset) -> None:
    """Raise ``UnplayableError`` for rulesets whose deals cannot be compared: other numbers of players, other decks."""
    if old.players != new.players:
        raise UnplayableError(
            f"{old.profile.id} is played by {old.players} and {new.profile.id} by {new.players}, so no deal can be "
            "played by both; compare two profiles with as many players"
        )
    if old.deck != new.deck:
        raise UnplayableError(
            f"{old.profile.id} is played with {old.deck.bit_count()} cards and {new.profile.id} with "
            f"{new.deck.bit_count()}, or with other ones, so no deal can be played by both; compare two profiles with "
            "the same deck.removed-cards"
        )


def units(old: Ruleset, new: Ruleset) -> tuple[int, int]:
    """Return by what to multiply the score points of two rulesets so that they can be compared: 1 if they can so."""
    rule = "scoring.sheet-unit"
    return (1, 1) if old.value(rule) == new.value(rule) else (old.value(rule), new.value(rule))


def rulesets_of(setting: SimulationSetup) -> tuple[Ruleset, Ruleset]:
    """Return the old and the new ruleset of a setting; raises ``UnplayableError`` if nobody can play so."""
    return compile_profile(open_profile(setting.old)), compile_profile(open_profile(setting.new))
