"""A comparison of two rulesets: what is simulated, whether the two can be compared, and what is counted."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from belot_reference.compile import Ruleset, compile_profile
from belot_spec.errors import UnplayableError
from belot_spec.shipped import open_profile
from belot_workshop.impact.estimate import Clusters, Mean, Sample, Share, Summed, wilson

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
