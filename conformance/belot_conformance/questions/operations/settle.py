"""What is asked about the points of a deal: by their sums, or by its tricks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Final

from belot_conformance.questions.cards import EXTRAS, named
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.operation import Fields, Json, Operation, Question, Seldom
from belot_conformance.questions.varying import STEPS, one_of, seat
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.deal_state import DealState
from belot_reference.operations import answer
from belot_reference.scoring import points_to_beat

# How often a deal is all on one side, or shared alike; the taker's side ties with what it is held against.
_ONE_SIDED: Final = 0.15
_ALIKE: Final = 0.2
_TAKERS_TIE: Final = 0.6
_KEPT: Final = 0.5
_EVENED: Final = 0.3
# No taker lays away as many points.
_LAID_AWAY: Final = 40


def tally(rules: Ruleset, random: Random) -> Fields:
    """Return the points and tricks of a deal, often equal ones and often all on one side."""
    points = rules.points_in_deck(rules.unsaid_mode) + rules.value("scoring.last-trick")
    tricks = rules.hand_size
    cards, won = _split(points, rules.side_count, random), _split(tricks, rules.side_count, random)
    for side in range(rules.side_count):
        if not won[side]:
            cards[won.index(max(won))] += cards[side]
            cards[side] = 0
    sides = []
    for side in range(rules.side_count):
        extras = {kind: random.choice(EXTRAS) for kind in ("declarations", "outranked")}
        extras["belote"] = random.choice((0, 0, rules.value("declarations.belote.points")))
        tally = {"cards": cards[side], "tricks": won[side]}
        sides.append({**tally, **{kind: number for kind, number in extras.items() if number}})
    return {"taker": random.randrange(rules.players), "sides": sides}


def _split(whole: int, parts: int, random: Random) -> list[int]:
    kind = random.random()
    if kind < _ONE_SIDED:
        shares = [whole] + [0] * (parts - 1)
    elif kind < _ONE_SIDED + _ALIKE:
        shares = [whole // parts] * parts
        shares[0] += whole - sum(shares)
    else:
        cuts = sorted(random.randrange(whole + 1) for _ in range(parts - 1))
        shares = [after - before for before, after in zip([0, *cuts], [*cuts, whole], strict=True)]
    random.shuffle(shares)
    return shares


def tied(rules: Ruleset, random: Random) -> Fields:
    """Return the points of a deal in which two sides have as many, or one has one point more.

    Most often these are the taker's side and what it is held against.
    """
    question = tally(rules, random)
    sides = question["sides"]
    one, other = random.sample(range(len(sides)), 2)
    gap = sum(sides[one].get(kind, 0) - sides[other].get(kind, 0) for kind in ("cards", "declarations", "belote"))
    if random.random() < _TAKERS_TIE:
        one = rules.side_of[question["taker"]]
        settled = answer("score-deal", rules, question, well_formed=True).result
        assert settled is not None
        counted = settled["counted"]
        other = max((side for side in range(len(sides)) if side != one), key=counted.__getitem__)
        gap = counted[one] - points_to_beat(rules, counted, one)
    moved = gap // 2 + random.choice((0, 0, 0, 1, -1))
    if all(sides[side]["tricks"] for side in (one, other)) and -sides[other]["cards"] <= moved <= sides[one]["cards"]:
        sides[one]["cards"] -= moved
        sides[other]["cards"] += moved
    return question


def settling_of(rules: Ruleset, state: DealState) -> Fields:
    """Return the question of ``settle-tricks`` about a deal that was played out."""
    assert state.play is not None
    count = count_deal(rules, state)
    kinds = ("declarations", "outranked", "belote")
    sides = [{kind: points for kind in kinds if (points := getattr(tally, kind))} for tally in count.tallies]
    return {
        "trump": state.play.mode.name,
        "taker": state.bidding.taker,
        "tricks": [{"leader": trick.leader, "cards": named(trick.cards)} for trick in state.play.tricks],
        **({"discarded": names_of(state.discarded)} if state.discarded else {}),
        **({"sides": sides} if any(sides) else {}),
    }


def _points_moved(_: Ruleset, question: Json, random: Random) -> Fields:
    """Move card points from one side to another, often so that both have as many."""
    sides = [dict(side) for side in question["sides"]]
    one, other = random.sample(range(len(sides)), 2)
    giving, taking = sides[one], sides[other]
    extra = ("declarations", "belote")
    gap = sum(giving.get(kind, 0) - taking.get(kind, 0) for kind in ("cards", *extra))
    step = random.choice((*STEPS, abs(gap) // 2, abs(gap) // 2, (abs(gap) + 1) // 2))
    if giving["tricks"] and taking["tricks"]:
        step = min(step, giving["cards"])
        giving["cards"] -= step
        taking["cards"] += step
    return {**question, "sides": sides}


def _extra(rules: Ruleset, question: Json, random: Random) -> Fields:
    """Give a side other declarations or belote, or what a tie needs."""
    sides = [dict(side) for side in question["sides"]]
    one, other = random.sample(range(len(sides)), 2)
    kind = random.choice(("declarations", "declarations", "outranked", "belote"))
    number = rules.value("declarations.belote.points") if kind == "belote" else random.choice(EXTRAS)
    if kind == "declarations" and random.random() < _EVENED:
        gap = sides[other].get("cards", 0) - sides[one].get("cards", 0)
        number = max(0, gap - gap % 10)
    sides[one] = {name: value for name, value in sides[one].items() if name != kind}
    return {
        **question,
        "sides": [*sides[:one], {**sides[one], **({kind: number} if number else {})}, *sides[one + 1 :]],
    }


def _all_tricks(rules: Ruleset, question: Json, random: Random) -> Fields:
    """Give one side all tricks and all card points, but now and then those that the taker has laid away."""
    sides = [dict(side) for side in question["sides"]]
    winner = random.randrange(len(sides))
    tricks, cards = sum(side["tricks"] for side in sides), sum(side["cards"] for side in sides)
    for number, side in enumerate(sides):
        side["tricks"], side["cards"] = (tricks, cards) if number == winner else (0, 0)
    taking = rules.side_of[question["taker"]]
    if rules.value_or("deal.taker-discards", 0) and random.random() < _KEPT and taking != winner:
        laid_away = random.randrange(min(_LAID_AWAY, cards))
        sides[winner]["cards"] -= laid_away
        sides[taking]["cards"] += laid_away
    return {**question, "sides": sides}


def _settled_in(rules: Ruleset, deal: RecordedDeal, _random: Random, _share: float) -> Iterator[Json]:
    if deal.state.play is not None and deal.state.ended == "played":
        yield settling_of(rules, deal.state)


def _settled_extra(rules: Ruleset, question: Json, random: Random) -> Fields:
    kinds = ("declarations", "outranked", "belote")
    sides = [{random.choice(kinds): random.choice(EXTRAS) or 20} for _ in range(rules.side_count)]
    return {**question, "sides": sides}


def of_tricks(rules: Ruleset, question: Json) -> Iterator[Question]:
    """Yield what is asked of each trick of a deal, and the sums that they make."""
    tricks = question["tricks"]
    for trick in tricks:
        yield "trick-winner", {"trump": question["trump"], "leader": trick["leader"], "cards": trick["cards"]}
        yield "card-points", {"trump": question["trump"], "cards": trick["cards"], "last_trick": trick is tricks[-1]}
    settled = answer("settle-tricks", rules, question).result
    if settled is not None:
        won = Counter(rules.side_of[trick["winner"]] for trick in settled["tricks"])
        extras = question.get("sides", [{} for _ in settled["cards"]])
        sides = [
            {"cards": cards, "tricks": won[side], **extra}
            for side, (cards, extra) in enumerate(zip(settled["cards"], extras, strict=True))
        ]
        yield "score-deal", {"taker": question["taker"], "sides": sides}


def as_counted(cards: Sequence[int]) -> Fields:
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
    return {"result": {"tricks": tricks, "cards": sides, **as_counted(sides)}}


tally_varied: Final = one_of(_points_moved, _points_moved, _extra, _extra, _all_tricks, seat("taker"))

SCORE_DEAL: Final = Operation(
    "score-deal",
    rank=7,
    plain=lambda _, asked: {"result": as_counted([side["cards"] for side in asked["sides"]])},
    contrive=tally,
    seldom=Seldom(0.5, lambda rules: partial(tied, rules)),
    vary=tally_varied,
    each=6,
    slower=1,
)
SETTLE_TRICKS: Final = Operation(
    "settle-tricks",
    rank=9,
    plain=_leaders_make_them,
    from_deal=_settled_in,
    vary=one_of(_settled_extra, seat("taker")),
    parts=of_tricks,
    is_long=True,
)
