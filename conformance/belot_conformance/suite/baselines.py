"""Programs that know nothing: what a score is worth beside one that always says the same, or guesses.

A baseline answers a few operations in its own way, such as every card of the hand to ``legal-cards``. All others it
answers in the right form with what is plainest, so that its score shows what those few answers bring.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from random import Random
from typing import Final

from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operation import Fields, Json
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.relabelling import calls
from belot_conformance.suite.verdicts import Planned, Verdict, judge_each
from belot_reference.bids import RAISES, bid_named, mode_of_bid, said_bid
from belot_reference.compile import Ruleset
from belot_reference.contract import contract_of_bid
from belot_spec.words import English

Answering = Callable[[Ruleset, Json], Fields]
Guess = Callable[[Ruleset, Json, Random], Fields]

SEED: Final = 20261121
# Half of a hand is guessed to be legal, and card points of which a deal has no more.
_LEGAL: Final = 0.5
_MOST_POINTS: Final = 163
# Under this name the score of the program itself stands beside those of the baselines.
OWN: Final = "target"
_TITLES: Final = English(__name__, "baselines")


@dataclass(frozen=True, slots=True)
class BaselineScore:
    """How many cases of each operation were passed, of how many inside what was declared; skipped ones count."""

    passed: Mapping[str, int]
    asked: Mapping[str, int]

    def share(self, operation: str | None = None) -> float:
        """Return the part that was passed, from 0 to 1, of one operation or of all; 0 where nothing was asked."""
        names = self.asked if operation is None else [operation]
        passed, asked = (sum(one.get(name, 0) for name in names) for one in (self.passed, self.asked))
        return passed / asked if asked else 0.0


@dataclass(frozen=True, slots=True)
class Baseline:
    """A program that knows nothing: its name, what it always says, and its reply to each operation."""

    id: str
    title: str
    replies: Mapping[str, Answering]


def score_of(verdicts: Iterable[Verdict]) -> BaselineScore:
    """Return the score that verdicts make; what was not declared is left out, what was skipped is not passed."""
    counted = [one for one in verdicts if one.outcome != "unsupported"]
    asked = Counter(one.planned.case.operation for one in counted)
    passed = Counter(one.planned.case.operation for one in counted if one.outcome == "passed")
    return BaselineScore({name: passed[name] for name in asked}, dict(asked))


def baseline_scores(
    plan: Sequence[Planned], reference: Reference | None = None, hello: Hello | None = None, seed: int = SEED
) -> dict[str, BaselineScore]:
    """Return what each baseline scores on a plan, inside what ``hello`` declares (everything, if it is left out).

    ``reference`` is the one of this command, which knows the tester's profile; ``seed`` is that of the guesses.
    """
    reference = reference or Reference()
    declared = hello or reference.hello()
    asked = [replace(planned, skip="") for planned in plan]
    targets = {one.id: FunctionTarget(declared, partial(_answer, one, reference)) for one in baselines(seed)}
    return {name: score_of(judge_each(target, asked)) for name, target in targets.items()}


def baselines(seed: int = SEED) -> list[Baseline]:
    """Return the baselines in the order in which they are shown."""
    plain = {name: _PLAIN.get(name, _refused("unknown")) for name in OPERATIONS}
    replies: dict[str, Mapping[str, Answering]] = {
        "all-legal": {"legal-cards": _ACCEPTING["legal-cards"]},
        "first-card": {"trick-winner": lambda _, asked: {"result": {"winner": asked["leader"]}}},
        "no-declarations": _SILENT,
        "always-accept": _ACCEPTING,
        "always-refuse": _REFUSING,
        "random": {name: partial(_guess, seed, name) for name in OPERATIONS},
    }
    return [Baseline(name, _TITLES[name], {**plain, **own}) for name, own in replies.items()]


def _answer(baseline: Baseline, reference: Reference, operation: str, profile: str, question: Json) -> Fields:
    return baseline.replies[operation](reference.ruleset(profile), question)


def _guess(seed: int, operation: str, rules: Ruleset, question: Json) -> Fields:
    """Say something at random; the same seed and question always bring the same."""
    rng = Random(f"{seed}:{operation}:{json.dumps(question, sort_keys=True)}")
    if operation in _GUESS:
        return _GUESS[operation](rules, question, rng)
    replies = [kind[operation] for kind in (_PLAIN, _SILENT, _ACCEPTING, _REFUSING) if operation in kind]
    return rng.choice(replies or [_refused("unknown")])(rules, question)


def _refused(reason: str, listed: str | None = None) -> Answering:
    """Return a reply that refuses, and where there is a list, the last thing in it."""

    def reply(_: Ruleset, question: Json) -> Fields:
        place = {"at": max(len(question[listed]) - 1, 0)} if listed else {}
        return {"rejected": {**place, "reason": reason}}

    return reply


def _bidding_goes_on(rules: Ruleset, question: Json) -> Fields:
    turn = (question["dealer"] + 1 + len(question["bids"])) % rules.players
    return {"result": {"state": "open", "turn": turn, "choices": ["pass", *calls(rules)]}}


def _last_bid_stands(rules: Ruleset, question: Json) -> Fields:
    bids = [said_bid(one)[0] for one in question["bids"]]
    if not bids or bids[-1] == "pass":
        return _bidding_goes_on(rules, question)
    taker = (question["dealer"] + len(bids)) % rules.players
    said = bid_named(bids[-1])
    # A bid in a mode that is not played here stands for nothing.
    if said is None or said in RAISES or mode_of_bid(said) >= len(rules.modes):
        return _bidding_goes_on(rules, question)
    contract = contract_of_bid(taker, said, rules.modes)
    how = {"raised": 1} if rules.has_auction else {"round": (len(bids) - 1) // rules.players + 1}
    return {"result": {"state": "taken", **contract.to_json(), **how}}


def _three_in_hand(_: Ruleset, question: Json) -> Fields:
    together = {"declarations": [question["hand"][:3]], "points": 20}
    return {"result": {"sets": [together], "best_points": 20}}


def _first_announced(_: Ruleset, question: Json) -> Fields:
    announced = question["announced"]
    winner = next((seat for seat, said in enumerate(announced) if said), None)
    points = [20 * len(said) if seat == winner else 0 for seat, said in enumerate(announced)]
    return {"result": {"winner": winner, "points": points, "wins_match": False}}


def _eldest_has_the_best(_: Ruleset, question: Json) -> Fields:
    leader = question["leader"]
    points = [20 if seat == leader else 0 for seat in range(len(question["hands"]))]
    return {"result": {"winner": leader, "points": points, "wins_match": False}}


def _nobody(asked_of: str, _: Ruleset, question: Json) -> Fields:
    return {"result": {"winner": None, "points": [0] * len(question[asked_of]), "wins_match": False}}


def _whole_hand(_: Ruleset, question: Json) -> Fields:
    return {"result": {"cards": list(question["hand"])}}


def _last_to_play(_: Ruleset, question: Json) -> Fields:
    players = len(question["cards"])
    return {"result": {"winner": (question["leader"] + players - 1) % players}}


def _whatever_is_held(rules: Ruleset, question: Json) -> Fields:
    """Count as if every card might be played at any time."""
    held = question.get("hands") or question["piles"]
    rounds = [max(len(held[0]) - place // rules.players, 1) for place in range(question["depth"])]
    return {"result": {"count": prod(rounds)}}


def _legal_by_lot(_: Ruleset, question: Json, random: Random) -> Fields:
    hand = question["hand"]
    return {"result": {"cards": [card for card in hand if random.random() < _LEGAL] or [random.choice(hand)]}}


def _nobody_wins(rules: Ruleset, question: Json) -> Fields:
    totals = list(question.get("totals", [0] * rules.side_count))
    dealer, lines = question["dealer"], []
    for deal in question["deals"]:
        score = [side["cards"] for side in deal["scored"]["sides"]] if "scored" in deal else [0] * rules.side_count
        totals = [total + points for total, points in zip(totals, score, strict=True)]
        lines.append(
            {"dealer": dealer, "score": score, "freed": [0] * rules.side_count, "held": 0, "totals": list(totals)}
        )
        dealer = (dealer + 1) % rules.players
    return {"result": {"deals": lines, "winner": None, "surplus": 0, "next_dealer": dealer}}


def _as_counted(cards: Sequence[int]) -> Fields:
    """Settle a deal as if card points were score points and the taker always made it."""
    counted = list(cards)
    return {
        "counted": counted,
        "outcome": "made",
        "points": counted,
        "score": counted,
        "held": 0,
        "written": [str(points) for points in counted],
    }


def _leaders_make_them(rules: Ruleset, question: Json) -> Fields:
    """Give each trick to who led it, ten points a card."""
    sides, worth = [0] * rules.side_count, 10 * rules.players
    leaders = [trick["leader"] for trick in question["tricks"]]
    for leader in leaders:
        sides[rules.side_of[leader]] += worth
    tricks = [{"winner": leader, "points": worth} for leader in leaders]
    return {"result": {"tricks": tricks, "cards": sides, **_as_counted(sides)}}


def _dealt_in_blocks(rules: Ruleset, question: Json) -> Fields:
    size, deck = rules.hand_size, question["deck"]
    hands = [deck[seat * size : seat * size + size] for seat in range(rules.players)]
    result = {"cutter": (question["dealer"] - 1) % rules.players, "before": hands, "turn_up": None}
    if not rules.open_piles:
        return {"result": {**result, "hands": hands}}
    piles = [[hand[place : place + 2] for place in range(0, size, 2)] for hand in hands]
    return {"result": {**result, "before": [[pile[0] for pile in own] for own in piles], "piles": piles}}


def _found_wrong(at: int | None, rules: Ruleset, _: Json) -> Fields:
    """Find a card wrongly played at a place, or nothing."""
    proved = at is not None
    return {"result": {"proved": proved, "at": at, "ends_deal": proved, "score": [0] * rules.side_count}}


def _leader_takes_all(announced: int, rules: Ruleset, question: Json) -> Fields:
    """Let a recorded deal stand as it is told: each trick to who led it, ten points a card."""
    actions, sides = question.get("actions", ()), [0] * rules.side_count
    plays = [action["seat"] for action in actions if "play" in action]
    said = [(action["seat"], bid_named(action["bid"])) for action in actions if "bid" in action]
    bids = [(seat, bid) for seat, bid in said if bid is not None and bid not in RAISES]
    if not plays or not bids:
        return {"result": {"ended": "passed"}}
    if "claim" in actions[-1]:
        return {"result": {"ended": "claim", "winner": actions[-1]["seat"] % rules.side_count, "taken": 0}}
    leaders = plays[:: rules.players]
    for leader in leaders:
        sides[leader % rules.side_count] += 10 * rules.players
    return {
        "result": {
            "ended": "played",
            **contract_of_bid(*bids[-1], rules.modes).to_json(),
            **({"raised": 1} if rules.has_auction else {}),
            "tricks": [{"winner": leader, "points": 10 * rules.players} for leader in leaders],
            "cards": sides,
            "declarations": [announced * any("announce" in action for action in actions)] * rules.side_count,
            "outranked": [0] * rules.side_count,
            "belote": [announced * any("belote" in action for action in actions)] * rules.side_count,
            **_as_counted(sides),
        }
    }


# What programs say that know nothing: something plain, that nobody has anything, everything allowed, all refused.
_PLAIN: Final[Mapping[str, Answering]] = {
    "bidding": _bidding_goes_on,
    "deal": _dealt_in_blocks,
    "penalty": partial(_found_wrong, None),
    "replay": partial(_leader_takes_all, 20),
    "declarations": _three_in_hand,
    "compare-declarations": _first_announced,
    "compare-hands": _eldest_has_the_best,
    "belote": lambda _, __: {"result": {"points": 20}},
    "roem": lambda _, __: {"result": {"points": 0, "sequence": 0, "square": 0, "stuk": 0}},
    "match": _nobody_wins,
    "card-points": lambda _, asked: {"result": {"points": 10 * len(asked["cards"])}},
    "trick-winner": _last_to_play,
    "legal-cards": lambda _, asked: {"result": {"cards": asked["hand"][:1]}},
    "perft": lambda _, __: {"result": {"count": 1}},
    "score-deal": lambda _, asked: {"result": _as_counted([side["cards"] for side in asked["sides"]])},
    "settle-tricks": _leaders_make_them,
}
_SILENT: Final[Mapping[str, Answering]] = {
    "replay": partial(_leader_takes_all, 0),
    "declarations": lambda _, __: {"result": {"sets": [], "best_points": 0}},
    "compare-declarations": partial(_nobody, "announced"),
    "compare-hands": partial(_nobody, "hands"),
    "belote": lambda _, __: {"result": {"points": 0}},
}
_ACCEPTING: Final[Mapping[str, Answering]] = {
    "bidding": _last_bid_stands,
    "penalty": lambda rules, asked: _found_wrong(max(len(asked["plays"]) - 1, 0), rules, asked),
    "legal-cards": _whole_hand,
    "perft": _whatever_is_held,
}
_REFUSING: Final[Mapping[str, Answering]] = {
    "bidding": _refused("suit-not-offered", "bids"),
    "deal": _refused("bad-cut"),
    "penalty": _refused("no-penalty"),
    "replay": _refused("illegal-card", "actions"),
    "belote": _refused("no-belote", "plays"),
    "match": _refused("match-over", "deals"),
}
_GUESS: Final[Mapping[str, Guess]] = {
    "card-points": lambda _, __, random: {"result": {"points": random.randrange(_MOST_POINTS)}},
    "trick-winner": lambda _, asked, random: {"result": {"winner": random.randrange(len(asked["cards"]))}},
    "legal-cards": _legal_by_lot,
}
