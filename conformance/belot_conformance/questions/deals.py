"""Recording many random deals of a profile, and choosing those in which rare things happen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol, TypeVar

from belot_conformance.questions.decks import random_plan, stacked_deck
from belot_conformance.questions.rarities import deal_tags
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState
from belot_reference.replay import Habits, opening, record_deal

ORDINARY_SHARE: Final = 0.15


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """One recorded deal: the profile, the input of ``replay``, how it ended, and what was rare in it."""

    profile: str
    question: Mapping[str, Any]
    state: DealState
    tags: tuple[str, ...]


class Tagged(Protocol):
    """Anything that carries tags."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The rare things in it."""
        ...


Candidate = TypeVar("Candidate", bound=Tagged)


def random_deal(rules: Ruleset, random: Random) -> RecordedDeal:
    """Record one deal by a random plan, with players who sometimes forget things."""
    dealer = random.randrange(rules.players)
    least = rules.value("deal.cut-minimum")
    cut = random.randrange(least, rules.deck.bit_count() - least + 1)
    plan = random_plan(rules, random)
    deck = stacked_deck(rules, dealer, plan, cut, random)
    totals = _late_totals(rules, random) if random.random() < 0.06 else ()
    forgets_to_announce, forgets_to_show, forgets_belote = (random.choice((0, 0, 3)) for _ in range(3))
    habits = Habits(forgets_to_announce, forgets_to_show, forgets_belote, bool(totals), plan.considers)
    question, state = record_deal(rules, opening(dealer, deck, cut, totals), random.choice, habits)
    return RecordedDeal(rules.profile.id, question, state, deal_tags(rules, state, question["actions"]))


def _late_totals(rules: Ruleset, random: Random) -> tuple[int, ...]:
    """Return totals near the target where a claim is possible, else none."""
    if rules.value("match.claim") == "played-out":
        return ()
    target: int = rules.value("match.target")
    return tuple(target - random.randrange(40, 180) for _ in range(rules.side_count))


def choose_rare(candidates: Sequence[Candidate], number: int, random: Random) -> list[Candidate]:
    """Choose candidates so that each tag occurs, and rare ones as often as others; some are chosen blindly."""
    left = dict(enumerate(candidates))
    chosen: list[int] = []
    seen: Counter[str] = Counter()
    blindly = int(number * ORDINARY_SHARE)
    while left and len(chosen) < number - blindly:
        best = max(left, key=lambda index: sum(0.25 ** seen[tag] for tag in left[index].tags))
        seen.update(left.pop(best).tags)
        chosen.append(best)
    chosen += random.sample(sorted(left), min(len(left), number - len(chosen)))
    return [candidates[index] for index in sorted(chosen)]
