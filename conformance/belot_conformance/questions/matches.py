"""Whole matches made of recorded deals, with deals that nobody took and accusations in between."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.rarities import MATCHES
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.match import winner_of
from belot_reference.operations import answer
from belot_reference.possible import any_declared
from belot_reference.sheet import tally_json

PASSED: Final = 0.06
ACCUSED: Final = 0.05
TIED: Final = 0.08
DECLARED: Final = (0, 0, 20, 50, 100)
# Far more than any variant needs; house rules may have a target that is never reached.
MOST_DEALS: Final = 100

_HALF_A_DEAL: Final = 81

# What a side may lack near the end of a match.
_LACKING: Final = (0, 1, 1, 5, 10, 20, 40, 80, 140, 160)

Deal = dict[str, Any]


def goes_on(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Say whether nobody has won the match with these totals."""
    return winner_of(rules, tuple(totals)) is None


def target_of(rules: Ruleset) -> int:
    """Return the target of a match; where it is so many deals, half of what they bring, about which it is decided."""
    target: int = _HALF_A_DEAL * rules.given("match.deals") if rules.has_set_length else rules.value("match.target")
    return target


def late_totals(rules: Ruleset, random: Random) -> list[int]:
    """Return totals near the target, at which nobody has won the match yet."""
    target = target_of(rules)
    totals = [max(0, target - random.choice(_LACKING)) for _ in range(rules.side_count)]
    return totals if goes_on(rules, totals) else [max(0, total - 1) for total in totals]


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """One match from the first deal on: the profile, the input of ``match``, its result, what was rare."""

    profile: str
    question: Mapping[str, Any]
    result: Mapping[str, Any]
    tags: tuple[str, ...]


class DealPool:
    """Counted deals by dealer, so that a match can go on with a deal of whoever deals next."""

    def __init__(self, rules: Ruleset, deals: Sequence[RecordedDeal] = ()) -> None:
        self._rules = rules
        self._all: dict[int, list[Deal]] = {seat: [] for seat in range(rules.players)}
        self._tied: dict[int, list[Deal]] = {seat: [] for seat in range(rules.players)}
        for deal in deals:
            self.add(deal)

    def add(self, deal: RecordedDeal) -> None:
        """Count a deal and keep it, if it was played to its last trick."""
        if deal.state.ended != "played":
            return
        scored = tally_json(self._rules, deal.state, count_deal(self._rules, deal.state))
        self._all[deal.question["dealer"]].append(scored)
        if "tied" in deal.tags:
            self._tied[deal.question["dealer"]].append(scored)

    def draw(self, dealer: int, random: Random) -> Deal:
        """Return the tally of a deal by this dealer, of a tied one more often than they happen.

        A dealer of whom there is none gets one of another's: who dealt makes no difference to a tally.
        """
        tied = self._tied[dealer] if random.random() < TIED else []
        return random.choice(tied or self._all[dealer] or [deal for deals in self._all.values() for deal in deals])

    @property
    def is_empty(self) -> bool:
        """Whether no deal at all was played to its last trick."""
        return not any(self._all.values())


def random_match(rules: Ruleset, pool: DealPool, random: Random) -> RecordedMatch:
    """Return a match played until somebody has won, or for ``MOST_DEALS`` deals."""
    question: dict[str, Any] = {"dealer": random.randrange(rules.players), "deals": []}
    dealer: int | None = question["dealer"]
    result: Mapping[str, Any] = {}
    while dealer is not None and len(question["deals"]) < MOST_DEALS:
        question["deals"].append(_next_deal(rules, pool, dealer, random))
        answered = answer("match", rules, question)
        assert answered.result is not None, answered.rejected
        result = answered.result
        dealer = result["next_dealer"]
    return RecordedMatch(rules.profile.id, question, result, match_tags(rules, question["deals"], result))


def _next_deal(rules: Ruleset, pool: DealPool, dealer: int, random: Random) -> Deal:
    if rules.value("bidding.must-name") == "nobody" and random.random() < PASSED:
        return {"passed": True}
    if rules.value("penalties.fault") != "none" and random.random() < ACCUSED:
        return accusation(rules, random)
    return pool.draw(dealer, random)


def accusation(rules: Ruleset, random: Random) -> Deal:
    """Return a deal that an accusation ends: a wrong one that costs nothing does not."""
    accuser = random.randrange(rules.players)
    accused = random.choice([seat for seat in range(rules.players) if not rules.partners(seat, accuser)])
    declared = random.choice(DECLARED)
    free_if_wrong = rules.value_or("penalties.wrong-accusation", "") == "free"
    told = {"by": accuser, "of": accused, "proved": random.random() < 0.6 or free_if_wrong}
    return {"accusation": {**told, **({"declared": declared} if declared and declared in any_declared(rules) else {})}}


def match_tags(rules: Ruleset, deals: Sequence[Deal], result: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the rare things that happened in a match, in the order of ``MATCHES``."""
    found = {*_deal_tags(deals), *_line_tags(rules, result["deals"])}
    if result["surplus"]:
        found.add("surplus")
    before = result["deals"][-2]["totals"] if len(result["deals"]) > 1 else [0]
    winner = result["winner"]
    if winner is not None and before[winner % len(before)] < max(before):
        found.add("comeback")
    return tuple(tag for tag in MATCHES if tag in found)


def _deal_tags(deals: Sequence[Deal]) -> Iterator[str]:
    for deal in deals:
        if "passed" in deal:
            yield "passed"
        elif "accusation" in deal:
            yield "accusation-proved" if deal["accusation"]["proved"] else "accusation-wrong"
        elif sum(side["tricks"] > 0 for side in deal["scored"]["sides"]) == 1:
            yield "capot"


def _line_tags(rules: Ruleset, lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    target, held = target_of(rules), 0
    for number, line in enumerate(lines, start=1):
        over = [total for total in line["totals"] if total >= target and not rules.has_set_length]
        if len(over) > 1:
            yield "both-over" if number == len(lines) else "equal-at-target"
        if line["held"] > held:
            yield "held-again" if held else "held"
        if any(line["freed"]):
            yield "freed"
        if min(line["totals"]) < 0:
            yield "below-zero"
        held = line["held"]
