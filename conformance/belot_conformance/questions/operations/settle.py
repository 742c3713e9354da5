"""What is asked about the points of a deal: by their sums, or by its tricks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Final

from belot_conformance.questions.cards import dealt_points, declared_by_lot
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.dealt import settling_of
from belot_conformance.questions.operation import Fields, Json, Operation, Question, Seldom
from belot_conformance.questions.relabelling import STEPS
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.counting import last_trick_bonus
from belot_reference.declarations import count_in
from belot_reference.mode import Mode
from belot_reference.operations import answer
from belot_reference.possible import belote_in, can_be_outranked, can_declare, declared_sums, sums_of_cards
from belot_reference.questions import mode_named
from belot_reference.replay import sides_told
from belot_reference.scoring import card_factor, points_to_beat
from belot_spec.card_names import SUITS

# How often a deal is all on one side, or shared alike; the taker's side ties with what it is held against.
_ONE_SIDED: Final = 0.15
_ALIKE: Final = 0.2
_TAKERS_TIE: Final = 0.6
_AT_THE_BID: Final = 0.7
_OTHER_BID: Final = 0.4
_KEPT: Final = 0.5
_EVENED: Final = 0.3
_DECLARED: Final = ("declarations", "outranked")


def tally(rules: Ruleset, random: Random) -> Fields:
    """Return the points and tricks of a deal, often equal ones and often all on one side."""
    mode, told = _contract_by_lot(rules, random) if rules.has_auction else (rules.unsaid_mode, {})
    won = _split(rules.hand_size, rules.side_count, random)
    points = dealt_points(rules, mode, random) + last_trick_bonus(rules, won)
    cards = _split(points, rules.side_count, random)
    for side in range(rules.side_count):
        if not won[side]:
            cards[won.index(max(won))] += cards[side]
            cards[side] = 0
    taker = random.randrange(rules.players)
    counts = zip(cards, won, _extras(rules, mode, taker, random), strict=True)
    sides = [{"cards": points, "tricks": tricks, **extras} for points, tricks, extras in counts]
    return {**told, "taker": taker, "sides": sides}


def _contract_by_lot(rules: Ruleset, random: Random) -> tuple[Mode, Fields]:
    """Return a mode, of no trumps, all trumps and a suit each as often, and how a question tells it with a double."""
    mode = random.choice((rules.modes[random.randrange(len(SUITS))], *rules.playable_modes[len(SUITS) :]))
    raised = random.choice((1, 1, 1, *rules.value("bidding.raises")))
    amount = random.choice(rules.auction.amounts) if rules.has_amounts else None
    return mode, DealContract(0, mode, amount, raised).to_json()


def _mode_of(rules: Ruleset, question: Json) -> Mode:
    return mode_named(rules, question["trump"]) if "trump" in question else rules.unsaid_mode


def _extras(rules: Ruleset, mode: Mode, taker: int, random: Random) -> list[Fields]:
    """Return what each side has beside its cards; one of them may have belote, or more where all are trumps."""
    sides: list[Fields] = [{} for _ in range(rules.side_count)]
    if rules.has_roem:
        return [{"declarations": points} if (points := declared_by_lot(rules, random)) else {} for _ in sides]
    if count_in(rules, mode):
        sides = [{kind: declared_by_lot(rules, random) for kind in _DECLARED} for _ in sides]
    if declaring := [side for side, own in enumerate(sides) if own.get("declarations")]:
        _let_count(rules, sides, random.choice(declaring), taker)
    for _ in range(belote_in(rules, mode)):
        has_belote = random.randrange(-1, rules.side_count)
        if has_belote >= 0:
            own = sides[has_belote]
            own["belote"] = own.get("belote", 0) + rules.value("declarations.belote.points")
    return [{kind: points for kind, points in side.items() if points} for side in sides]


def _let_count(rules: Ruleset, sides: Sequence[Fields], counting: int, taker: int) -> None:
    """Take away declarations that cannot count together with those of one side, or cannot be beaten beside them."""
    taking, declaring = rules.side_of[taker], {counting: sides[counting]["declarations"]}
    for number, side in enumerate(sides):
        if number != counting and side.get("declarations"):
            more = {**declaring, number: side["declarations"]}
            if can_declare(rules, more, taking):
                declaring = more
            else:
                side["outranked"] = side.pop("declarations")
    for number, side in enumerate(sides):
        if not can_be_outranked(rules, number, declaring, taking):
            side.pop("outranked", None)


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
        if rules.has_amounts and random.random() < _AT_THE_BID:
            gap = 2 * (counted[one] - _bid_points(question))
    moved = gap // (2 * card_factor(rules, _mode_of(rules, question))) + random.choice((0, 0, 0, 1, -1))
    if all(sides[side]["tricks"] for side in (one, other)) and -sides[other]["cards"] <= moved <= sides[one]["cards"]:
        sides[one]["cards"] -= moved
        sides[other]["cards"] += moved
    return question


def _bid_points(question: Json) -> int:
    """Return the card points that a contract promises, about which it is made or falls."""
    return question["bid"] if isinstance(question["bid"], int) else 0


def _points_moved(rules: Ruleset, question: Json, random: Random) -> Fields:
    """Move card points from one side to another, often so that both have as many; or have another number be bid."""
    if rules.has_amounts and random.random() < _OTHER_BID:
        amount = random.choice(rules.auction.amounts)
        return {**question, **DealContract(0, _mode_of(rules, question), amount).bid_json()}
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
    kind = "declarations" if rules.has_roem else random.choice(("declarations", "declarations", "outranked", "belote"))
    mode = _mode_of(rules, question)
    if kind == "belote":
        number = rules.value("declarations.belote.points") if belote_in(rules, mode) else 0
    else:
        number = declared_by_lot(rules, random)
    if kind == "declarations" and random.random() < _EVENED:
        gap = sides[other].get("cards", 0) - sides[one].get("cards", 0)
        number = max((points for points in declared_sums(rules) if points <= gap), default=0)
    if rules.has_auction and not count_in(rules, mode) and kind != "belote":
        number = 0
    for side in sides if kind == "belote" else (sides[one],):
        side.pop(kind, None)
    if number:
        sides[one][kind] = number
        if kind == "declarations":
            _let_count(rules, sides, one, question["taker"])
    return {**question, "sides": sides}


def _all_tricks(rules: Ruleset, question: Json, random: Random) -> Fields:
    """Give one side all tricks and all card points, but now and then those that the taker has laid away."""
    sides = [dict(side) for side in question["sides"]]
    winner = random.randrange(len(sides))
    won = [side["tricks"] for side in sides]
    everything = [sum(won) if side == winner else 0 for side in range(len(sides))]
    cards = sum(side["cards"] for side in sides)
    cards += last_trick_bonus(rules, everything) - last_trick_bonus(rules, won)
    for number, side in enumerate(sides):
        side["tricks"], side["cards"] = everything[number], cards if number == winner else 0
    taking = rules.side_of[question["taker"]]
    if (number := rules.value_or("deal.taker-discards", 0)) and random.random() < _KEPT and taking != winner:
        laid_away = random.choice(sums_of_cards(rules, _mode_of(rules, question), number))
        sides[winner]["cards"] -= laid_away
        sides[taking]["cards"] += laid_away
    return {**question, "sides": sides}


def _other_taker(rules: Ruleset, question: Json, random: Random) -> Fields:
    return {**question, "taker": random.randrange(rules.players)}


def _settled_in(rules: Ruleset, deal: RecordedDeal, _random: Random, _share: float) -> Iterator[Json]:
    if deal.state.play is not None and deal.state.ended == "played":
        yield settling_of(rules, deal.state)


def _settled_extra(rules: Ruleset, question: Json, random: Random) -> Fields:
    if rules.has_roem:  # what the tricks bring is all that there is
        return dict(question)
    rest = {key: value for key, value in question.items() if key != "announced"}
    return {**rest, "sides": _extras(rules, mode_named(rules, question["trump"]), question["taker"], random)}


def of_tricks(rules: Ruleset, question: Json) -> Iterator[Question]:
    """Yield what is asked of each trick of a deal, and the sums that they make."""
    tricks = question["tricks"]
    for trick in tricks:
        mode = {"trump": question["trump"]}
        yield Question("trick-winner", {**mode, "leader": trick["leader"], "cards": trick["cards"]})
        yield Question("card-points", {**mode, "cards": trick["cards"], "last_trick": trick is tricks[-1]})
    settled = answer("settle-tricks", rules, question).result
    if settled is not None:
        yield Question("score-deal", _by_sums(rules, question, settled))


def _by_sums(rules: Ruleset, question: Json, settled: Json) -> Fields:
    """Return the question by the sums that the tricks of a deal make."""
    won = Counter(rules.side_of[trick["winner"]] for trick in settled["tricks"])
    counts = enumerate(zip(settled["cards"], sides_told(rules, question), strict=True))
    sides = [{"cards": points, "tricks": won[side], **extra} for side, (points, extra) in counts]
    told = ("taker", "trump", "bid", "raised") if rules.has_auction else ("taker",)
    return {**{name: question[name] for name in told if name in question}, "sides": sides}


SCORE_DEAL: Final = Operation(
    "score-deal",
    rank=7,
    contrive=tally,
    seldom=Seldom(0.5, lambda rules: partial(tied, rules)),
    vary=(_points_moved, _points_moved, _extra, _extra, _all_tricks, _other_taker),
    each=6,
    slower=1,
)
SETTLE_TRICKS: Final = Operation(
    "settle-tricks",
    rank=9,
    from_deal=_settled_in,
    vary=(_settled_extra, _other_taker),
    parts=of_tricks,
    is_long=True,
)
