"""Matches from the middle: totals near the target, and what seldom comes several times in a row."""

from random import Random
from typing import Any, Final

from belot_conformance.drawing.contriving import Contriving, tied
from belot_conformance.drawing.turns import Turns
from belot_conformance.drawing.varying import TALLY
from belot_conformance.recording.matches import DealPool
from belot_conformance.recording.random_questions import near_the_end, tally
from belot_reference.compile import Ruleset
from belot_reference.operations import answer

Deal = dict[str, Any]

_TAKER_LAST: Final = 0.5
_BOTH_SCORE: Final = 0.7
_OVER: Final = (-1, 0, 0, 1, 5, 20, 40)
_IN_A_ROW: Final = 5
_BEFORE: Final = 0.5
_TRIALS: Final = 6


class CloseMatches:
    """Matches of every kind in turn: near their end, or with the same thing several times in a row."""

    def __init__(self, rules: Ruleset, contriving: Contriving) -> None:
        self._rules = rules
        self._contriving = contriving
        decided, booked, tied = [self._decided] * 3, [self._booked] * 4, [self._tied_in_a_row] * 2
        self._kinds = Turns([*decided, *booked, *tied, self._passed_in_a_row, self._accused])

    def question(self, pool: DealPool, random: Random) -> dict[str, Any]:
        """Return some deals of such a match, some of them drawn from those that were played."""
        return self._kinds.next(random)(pool, random)

    def _decided(self, _: DealPool, random: Random) -> dict[str, Any]:
        """Return a deal at totals at which it brings every side just to the target, or a little less or more."""
        rules = self._rules
        begun = near_the_end(rules, random)
        scored = self._scored(random)
        settled = answer("score-deal", rules, scored, well_formed=True).result
        if settled is not None:
            target, taking = rules.value("match.target"), rules.side_of[scored["taker"]]
            # Often everybody is there, and the taker's side has the least.
            over = [random.choice(_OVER) for _ in settled["score"]]
            if random.random() < _TAKER_LAST:
                over = [0 if side == taking else max(1, points) for side, points in enumerate(over)]
            pairs = zip(settled["score"], over, strict=True)
            begun["totals"] = [max(0, min(target - 1, target - score + points)) for score, points in pairs]
        return {**begun, "deals": [{"scored": scored}]}

    def _scored(self, random: Random) -> dict[str, Any]:
        """Return the points of a deal, most often of one in which more than one side scores."""
        scored = self._contriving.question("score-deal", random)
        for _ in range(_TRIALS if random.random() < _BOTH_SCORE else 0):
            settled = answer("score-deal", self._rules, scored, well_formed=True).result
            if settled is not None and sum(points > 0 for points in settled["score"]) > 1:
                break
            scored = self._contriving.question("score-deal", random)
        return scored

    def _booked(self, pool: DealPool, random: Random) -> dict[str, Any]:
        deals = [_booked(self._rules, pool, self._contriving, random) for _ in range(random.choice((1, 1, 2, 3)))]
        begun = _long_before_the_end if len(deals) > 1 and random.random() < _BEFORE else near_the_end
        return {**begun(self._rules, random), "deals": deals}

    def _tied_in_a_row(self, _: DealPool, random: Random) -> dict[str, Any]:
        """Return ties, of which the points may be held, and a deal after them."""
        deals = [{"scored": _held(self._rules, random)} for _ in range(random.randrange(1, _IN_A_ROW))]
        deals.append({"scored": self._contriving.question("score-deal", random)})
        return {**_long_before_the_end(self._rules, random), "deals": deals}

    def _passed_in_a_row(self, _: DealPool, random: Random) -> dict[str, Any]:
        passed = [{"passed": True} for _ in range(random.randrange(1, _IN_A_ROW))]
        return {**_long_before_the_end(self._rules, random), "deals": passed}

    def _accused(self, _: DealPool, random: Random) -> dict[str, Any]:
        return {**near_the_end(self._rules, random), "deals": [_accusation(self._rules, random)]}


def _long_before_the_end(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a dealer and totals at which some more deals can be played."""
    half = rules.value("match.target") // 2
    return {**near_the_end(rules, random), "totals": [random.randrange(half) for _ in range(rules.side_count)]}


def _held(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return the points of a deal of which some are held, if some trials find any."""
    for _ in range(_TRIALS):
        found = tied(rules, random)
        settled = answer("score-deal", rules, found, well_formed=True).result
        if settled is not None and settled["held"]:
            break
    return found


def _booked(rules: Ruleset, pool: DealPool, contriving: Contriving, random: Random) -> Deal:
    lot = random.random()
    if lot < 0.1:
        return {"passed": True}
    if lot < 0.25:
        return _accusation(rules, random)
    if lot < 0.5 and not pool.is_empty:
        return pool.draw(random.randrange(rules.players), random)
    if lot < 0.75:
        return {"scored": contriving.question("score-deal", random)}
    return {"scored": random.choice(TALLY)(rules, tally(rules, random), random)}


def _accusation(rules: Ruleset, random: Random) -> Deal:
    by, of = random.sample(range(rules.players), 2)
    declared = random.choice(({}, {"declared": random.choice((20, 50, 100))}))
    return {"accusation": {"by": by, "of": of, "proved": random.random() < 0.5, **declared}}
