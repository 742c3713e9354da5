"""Matches from the middle: totals near the target, and deals of which most end otherwise than others."""

from random import Random
from typing import Any, Final

from belot_conformance.fuzz.contriving import Contriving, tied
from belot_conformance.fuzz.varying import TALLY
from belot_conformance.recording.matches import DealPool
from belot_conformance.recording.random_questions import near_the_end, tally
from belot_reference.compile import Ruleset
from belot_reference.operations import answer

Deal = dict[str, Any]

_LAST_DEAL: Final = 0.3
_TAKER_LAST: Final = 0.5
_NOBODY_TAKES: Final = 0.12
_TIES: Final = 0.12
_OVER: Final = (-1, 0, 0, 1, 5, 20, 40)
_IN_A_ROW: Final = 5
_TRIALS: Final = 6


def close_match(rules: Ruleset, pool: DealPool, contriving: Contriving, random: Random) -> dict[str, Any]:
    """Return some deals of a match that is near its end.

    Now and then it is the same thing in a row: deals that nobody takes, or ties, of which the points may be held.
    """
    lot = random.random()
    if lot < _LAST_DEAL:
        return _decided(rules, contriving.question("score-deal", random), random)
    many = range(random.randrange(1, _IN_A_ROW))
    deals: list[Deal]
    if lot < _LAST_DEAL + _NOBODY_TAKES:
        deals = [{"passed": True} for _ in many]
    elif lot < _LAST_DEAL + _NOBODY_TAKES + _TIES:
        deals = [{"scored": _held(rules, random)} for _ in many]
        deals.append({"scored": contriving.question("score-deal", random)})
    else:
        deals = [_booked(rules, pool, contriving, random) for _ in range(random.choice((1, 1, 2, 3)))]
    return {**near_the_end(rules, random), "deals": deals}


def _decided(rules: Ruleset, scored: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a deal at totals at which it brings every side just to the target, or a little less or more."""
    begun = near_the_end(rules, random)
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
        by, of = random.sample(range(rules.players), 2)
        declared = random.choice(({}, {"declared": random.choice((20, 50, 100))}))
        return {"accusation": {"by": by, "of": of, "proved": random.random() < 0.5, **declared}}
    if lot < 0.5 and not pool.is_empty:
        return pool.draw(random.randrange(rules.players), random)
    if lot < 0.75:
        return {"scored": contriving.question("score-deal", random)}
    return {"scored": random.choice(TALLY)(rules, tally(rules, random), random)}
