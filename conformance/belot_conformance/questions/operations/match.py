"""What is asked about a match: deals one after the other, near its end or with the same several times in a row."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final

from belot_conformance.questions.cards import Turns
from belot_conformance.questions.matches import DealPool, accusation, goes_on, late_totals, random_match, target_of
from belot_conformance.questions.operation import Fields, Json, Operation, Question, Tagged
from belot_conformance.questions.operations.settle import SCORE_DEAL, tally, tied
from belot_conformance.questions.relabelling import STEPS, exchanged
from belot_reference.compile import Ruleset
from belot_reference.operations import answer

Deal = Fields

# How often one side alone just comes to the target, the others lacking so much; or the taker's side comes last to it.
_ALONE: Final = 0.3
_LACKING: Final = (1, 5, 20, 80)
_TAKER_LAST: Final = 0.5
_BOTH_SCORE: Final = 0.7
_OVER: Final = (-1, 0, 0, 1, 5, 20, 40)
_LEFT: Final = (1, 1, 1, 1, 2, 3)
_IN_A_ROW: Final = 5
_BEFORE: Final = 0.5
_TRIALS: Final = 6
_HOLDING: Final = 0.3
_ALL_EQUAL: Final = 0.2
# How often a deal of a match is passed, ends by an accusation, was played, or is contrived; else it is a varied tally.
_KINDS: Final = (0.1, 0.25, 0.5, 0.75)
# A whole match takes long to answer; of others so many a round, and one more for each three times as many questions.
_WHOLE_EVERY: Final = 6
_EACH: Final = 3
_GROW: Final = 3


def _near_the_end(rules: Ruleset, random: Random) -> Fields:
    """Return a dealer and totals near the target, and sometimes held points where there are any."""
    holding = rules.value_or("scoring.held-points", None) is not None and random.random() < _HOLDING
    held = {"held": random.randrange(1, 100)} if holding else {}
    return {
        "dealer": random.randrange(rules.players),
        "totals": late_totals(rules, random),
        **_played(rules, random.choice(_LEFT)),
        **held,
    }


def _played(rules: Ruleset, left: int) -> Fields:
    """Return how many deals went before, where so many are a match and these are left of them."""
    return {"played": max(0, rules.given("match.deals") - left)} if rules.has_set_length else {}


class CloseMatches:
    """Matches of every kind in turn: near their end, or with the same thing several times in a row."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._counted = SCORE_DEAL.contriving(rules)
        decided, booked, tied = [self._decided] * 3, [self._booked] * 4, [self._tied_in_a_row] * 2
        self._kinds = Turns([*decided, *booked, *tied, self._passed_in_a_row, self._accused])

    def questions(self, pool: DealPool, random: Random, breadth: int) -> Iterator[Tagged]:
        """Yield some of such matches, now and then after a whole one made of deals that were played."""
        if not pool.is_empty and random.randrange(_WHOLE_EVERY) == 0:
            match = random_match(self._rules, pool, random)
            yield match.question, match.tags
        for _ in range(_EACH + breadth // _GROW):
            yield self.question(pool, random), ()

    def question(self, pool: DealPool, random: Random) -> Fields:
        """Return some deals of such a match, some of them drawn from those that were played."""
        return self._kinds.next(random)(pool, random)

    def _decided(self, _: DealPool, random: Random) -> Fields:
        """Return a deal at totals at which it brings every side just to the target, or a little less or more."""
        rules = self._rules
        begun = _near_the_end(rules, random)
        scored = self._scored(random)
        settled = answer("score-deal", rules, scored, well_formed=True).result
        if settled is not None:
            target, taking = target_of(rules), rules.side_of[scored["taker"]]
            # Often everybody is there, and the taker's side has the least.
            over = [random.choice(_OVER) for _ in settled["score"]]
            if random.random() < _ALONE:
                first = random.randrange(len(over))
                over = [0 if side == first else -random.choice(_LACKING) for side in range(len(over))]
            elif random.random() < _TAKER_LAST:
                over = [0 if side == taking else max(1, points) for side, points in enumerate(over)]
            pairs = zip(settled["score"], over, strict=True)
            begun["totals"] = [max(0, min(target - 1, target - score + points)) for score, points in pairs]
        return {**begun, "deals": [{"scored": scored}]}

    def _scored(self, random: Random) -> Fields:
        """Return the points of a deal, most often of one in which more than one side scores."""
        scored = self._counted(random)
        for _ in range(_TRIALS if random.random() < _BOTH_SCORE else 0):
            settled = answer("score-deal", self._rules, scored, well_formed=True).result
            if settled is not None and sum(points > 0 for points in settled["score"]) > 1:
                break
            scored = self._counted(random)
        return scored

    def _booked(self, pool: DealPool, random: Random) -> Fields:
        deals = [self._deal(pool, random) for _ in range(random.choice((1, 1, 2, 3)))]
        begun = _long_before_the_end if len(deals) > 1 and random.random() < _BEFORE else _near_the_end
        return {**begun(self._rules, random), "deals": deals}

    def _deal(self, pool: DealPool, random: Random) -> Deal:
        lot, (passed, accused, played, contrived) = random.random(), _KINDS
        if lot < passed:
            return {"passed": True}
        if lot < accused and self._rules.value("penalties.fault") != "none":
            return accusation(self._rules, random)
        if lot < played and not pool.is_empty:
            return pool.draw(random.randrange(self._rules.players), random)
        if lot < contrived:
            return {"scored": self._counted(random)}
        return {"scored": SCORE_DEAL.until_possible(self._rules, self._varied, random)}

    def _varied(self, random: Random) -> Fields:
        return SCORE_DEAL.varied(self._rules, tally(self._rules, random), random)

    def _tied_in_a_row(self, _: DealPool, random: Random) -> Fields:
        """Return ties, of which the points may be held, and a deal after them."""
        deals = [{"scored": _held(self._rules, random)} for _ in range(random.randrange(1, _IN_A_ROW))]
        deals.append({"scored": self._counted(random)})
        return {**_long_before_the_end(self._rules, random), "deals": deals}

    def _passed_in_a_row(self, _: DealPool, random: Random) -> Fields:
        passed = [{"passed": True} for _ in range(random.randrange(1, _IN_A_ROW))]
        return {**_long_before_the_end(self._rules, random), "deals": passed}

    def _accused(self, _: DealPool, random: Random) -> Fields:
        return {**_near_the_end(self._rules, random), "deals": [accusation(self._rules, random)]}


def _long_before_the_end(rules: Ruleset, random: Random) -> Fields:
    """Return a dealer and totals at which some more deals can be played."""
    half = target_of(rules) // 2
    totals = [random.randrange(max(1, half)) for _ in range(rules.side_count)]
    return {
        **_near_the_end(rules, random),
        "totals": totals,
        **_played(rules, random.randrange(_IN_A_ROW, 2 * _IN_A_ROW)),
    }


def _held(rules: Ruleset, random: Random) -> Fields:
    """Return the points of a deal of which some are held, if some trials find any."""
    for _ in range(_TRIALS):
        found = SCORE_DEAL.until_possible(rules, partial(tied, rules), random)
        settled = answer("score-deal", rules, found, well_formed=True).result
        if settled is not None and settled["held"]:
            break
    return found


def _totals(rules: Ruleset, question: Json, random: Random) -> Fields:
    target = target_of(rules)
    totals = list(question.get("totals", [target] * rules.side_count))
    side = random.randrange(len(totals))
    totals[side] = max(0, totals[side] + random.choice((-1, 1)) * random.choice((*STEPS, 80)))
    if random.random() < _ALL_EQUAL:
        totals = [totals[side]] * len(totals)
    return {**question, "totals": totals} if goes_on(rules, totals) else dict(question)


def _last_deal(rules: Ruleset, question: Json, random: Random) -> Fields:
    deals = list(question["deals"])
    if deals and "scored" in deals[-1]:
        deals[-1] = {"scored": SCORE_DEAL.varied(rules, deals[-1]["scored"], random)}
    elif deals and "accusation" in deals[-1]:
        told = dict(deals[-1]["accusation"])
        deals[-1] = {"accusation": {**told, "proved": not told["proved"]}}
    return {**question, "deals": deals}


def _one_deal_again(_: Ruleset, question: Json, random: Random) -> Fields:
    return {**question, "deals": [*question["deals"], random.choice(question["deals"])]}


def _fewer_deals(_: Ruleset, question: Json, random: Random) -> Fields:
    deals = question["deals"]
    return {**question, "deals": deals[random.randrange(len(deals)) :] if len(deals) > 1 else deals}


def _deal_passed(_: Ruleset, question: Json, random: Random) -> Fields:
    return {
        **question,
        "deals": exchanged(question["deals"], random.randrange(len(question["deals"])), {"passed": True}),
    }


def _of_match(_: Ruleset, question: Json) -> Iterator[Question]:
    yield from (Question("score-deal", deal["scored"]) for deal in question["deals"] if "scored" in deal)


MATCH: Final = Operation(
    "match",
    rank=12,
    from_pool=lambda rules: CloseMatches(rules).questions,
    vary=(_totals, _totals, _last_deal, _last_deal, _one_deal_again, _fewer_deals, _deal_passed),
    parts=_of_match,
    is_recording=True,
    is_long=True,
)
