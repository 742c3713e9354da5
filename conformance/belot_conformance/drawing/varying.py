"""Questions that differ in one thing from one that was asked: another card, suit, seat or number, more or less said."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from belot_conformance.drawing.retelling import said_elsewhere, shown_later
from belot_conformance.recording.random_questions import EXTRAS, spoiled
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset
from belot_spec.card_names import SUITS

Json = Mapping[str, Any]
Varied = dict[str, Any]

# Every way to play so many cards is soon counted.
_DEEPEST: Final = 5
_STEPS: Final = (1, 1, 2, 5, 10, 20)
_KEPT: Final = 0.5
# No taker lays away as many points.
_LAID_AWAY: Final = 40


def varied(rules: Ruleset, operation: str, question: Json, random: Random) -> Varied:
    """Return a question that differs in one thing from another of the same operation.

    It is well-formed if the other was, but for what the engine says is no question at all.
    """
    return _VARIATIONS[operation](rules, question, random)


def _one_of(*changes: "Variation") -> "Variation":
    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        return random.choice(changes)(rules, question, random)

    return change


def _other_trump(_: Ruleset, question: Json, random: Random) -> Varied:
    return {**question, "trump": random.choice(SUITS)}


def _seat(name: str) -> "Variation":
    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        return {**question, name: random.randrange(rules.players)}

    return change


def _free(rules: Ruleset, taken: Sequence[str]) -> list[str]:
    used = set(taken)
    return [name for name in names_of(rules.deck) if name not in used]


def _exchanged(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    return [*items[:place], item, *items[place + 1 :]]


def _another_card(field: str, *others: str) -> "Variation":
    """Put a card that is in none of the fields in the place of one."""

    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        cards = question[field]
        free = _free(rules, [card for name in (field, *others) for card in question[name]])
        if not cards or not free:
            return dict(question)
        return {**question, field: _exchanged(cards, random.randrange(len(cards)), random.choice(free))}

    return change


def _card_less(field: str, least: int) -> "Variation":
    def change(_: Ruleset, question: Json, random: Random) -> Varied:
        cards = list(question[field])
        if len(cards) > least:
            del cards[random.randrange(len(cards))]
        return {**question, field: cards}

    return change


def _two_exchanged(field: str) -> "Variation":
    def change(_: Ruleset, question: Json, random: Random) -> Varied:
        items = list(question[field])
        if len(items) > 1:
            one, other = random.sample(range(len(items)), 2)
            items[one], items[other] = items[other], items[one]
        return {**question, field: items}

    return change


def _flag(name: str) -> "Variation":
    def change(_: Ruleset, question: Json, _random: Random) -> Varied:
        return {**question, name: not question.get(name)}

    return change


def _between_hands(_: Ruleset, question: Json, random: Random) -> Varied:
    """Exchange a card of one hand for one of another."""
    hands = [list(hand) for hand in question["hands"]]
    one, other = random.sample(range(len(hands)), 2)
    if hands[one] and hands[other]:
        here, there = random.randrange(len(hands[one])), random.randrange(len(hands[other]))
        hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
    return {**question, "hands": hands}


def _cards_exchanged(rules: Ruleset, question: Json, random: Random) -> Varied:
    return (
        _between_hands(rules, question, random)
        if "hands" in question
        else _two_exchanged("piles")(rules, question, random)
    )


def _one_deeper(_: Ruleset, question: Json, random: Random) -> Varied:
    return {**question, "depth": min(_DEEPEST, max(1, question["depth"] + random.choice((-1, 1))))}


def _one_less_announced(_: Ruleset, question: Json, random: Random) -> Varied:
    announced = [list(seat) for seat in question["announced"]]
    full = [seat for seat in announced if seat]
    if full:
        seat = random.choice(full)
        del seat[random.randrange(len(seat))]
    return {**question, "announced": announced}


def _shorter_run(_: Ruleset, question: Json, random: Random) -> Varied:
    """Leave the first or last card of a long sequence out of what is announced."""
    announced = [[list(one) for one in seat] for seat in question["announced"]]
    long = [one for seat in announced for one in seat if len(one) > 3 and len({name[-1] for name in one}) == 1]
    if long:
        del random.choice(long)[random.choice((0, -1))]
    return {**question, "announced": announced}


def _belote_called(_: Ruleset, question: Json, random: Random) -> Varied:
    plays = [dict(play) for play in question["plays"]]
    play = random.choice(plays)
    play["call"] = not play.get("call")
    return {**question, "plays": plays}


def _bid(_: Ruleset, question: Json, random: Random) -> Varied:
    bids = list(question["bids"])
    match random.randrange(3):
        case 0:
            bids.append(random.choice(("pass", *SUITS)))
        case 1 if bids:
            bids.pop()
        case _ if bids:
            bids[random.randrange(len(bids))] = random.choice(("pass", *SUITS))
    return {**question, "bids": bids}


def _number(name: str, least: int, most: Callable[[Ruleset], int]) -> "Variation":
    def change(rules: Ruleset, question: Json, random: Random) -> Varied:
        number = question.get(name, least) + random.choice((-1, 1)) * random.choice(_STEPS)
        return {**question, name: min(most(rules), max(least, number))}

    return change


def _left_out(name: str) -> "Variation":
    def change(_: Ruleset, question: Json, _random: Random) -> Varied:
        return {key: value for key, value in question.items() if key != name}

    return change


def points_moved(_: Ruleset, question: Json, random: Random) -> Varied:
    """Move card points from one side to another, often so that both have as many."""
    sides = [dict(side) for side in question["sides"]]
    one, other = random.sample(range(len(sides)), 2)
    giving, taking = sides[one], sides[other]
    extra = ("declarations", "belote")
    gap = sum(giving.get(kind, 0) - taking.get(kind, 0) for kind in ("cards", *extra))
    step = random.choice((*_STEPS, abs(gap) // 2, abs(gap) // 2, (abs(gap) + 1) // 2))
    if giving["tricks"] and taking["tricks"]:
        step = min(step, giving["cards"])
        giving["cards"] -= step
        taking["cards"] += step
    return {**question, "sides": sides}


def _extra(rules: Ruleset, question: Json, random: Random) -> Varied:
    """Give a side other declarations or belote, or what a tie needs."""
    sides = [dict(side) for side in question["sides"]]
    one, other = random.sample(range(len(sides)), 2)
    kind = random.choice(("declarations", "declarations", "outranked", "belote"))
    number = rules.value("declarations.belote.points") if kind == "belote" else random.choice(EXTRAS)
    if kind == "declarations" and random.random() < 0.3:
        gap = sides[other].get("cards", 0) - sides[one].get("cards", 0)
        number = max(0, gap - gap % 10)
    sides[one] = {name: value for name, value in sides[one].items() if name != kind}
    return {
        **question,
        "sides": [*sides[:one], {**sides[one], **({kind: number} if number else {})}, *sides[one + 1 :]],
    }


def _all_tricks(rules: Ruleset, question: Json, random: Random) -> Varied:
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


TALLY: Final = (points_moved, points_moved, _extra, _extra, _all_tricks, _seat("taker"))


def _totals(rules: Ruleset, question: Json, random: Random) -> Varied:
    target = rules.value("match.target")
    totals = list(question.get("totals", [target] * rules.side_count))
    side = random.randrange(len(totals))
    totals[side] = max(0, totals[side] + random.choice((-1, 1)) * random.choice((*_STEPS, 80)))
    if random.random() < 0.2:
        totals = [totals[side]] * len(totals)
    return {**question, "totals": totals}


def _last_deal(rules: Ruleset, question: Json, random: Random) -> Varied:
    deals = list(question["deals"])
    if deals and "scored" in deals[-1]:
        deals[-1] = {"scored": random.choice(TALLY)(rules, deals[-1]["scored"], random)}
    elif deals and "accusation" in deals[-1]:
        told = dict(deals[-1]["accusation"])
        deals[-1] = {"accusation": {**told, "proved": not told["proved"]}}
    return {**question, "deals": deals}


def _one_deal_again(_: Ruleset, question: Json, random: Random) -> Varied:
    return {**question, "deals": [*question["deals"], random.choice(question["deals"])]}


def _fewer_deals(_: Ruleset, question: Json, random: Random) -> Varied:
    deals = question["deals"]
    return {**question, "deals": deals[random.randrange(len(deals)) :] if len(deals) > 1 else deals}


def _deal_passed(_: Ruleset, question: Json, random: Random) -> Varied:
    return {
        **question,
        "deals": _exchanged(question["deals"], random.randrange(len(question["deals"])), {"passed": True}),
    }


def _last_card_played(_: Ruleset, question: Json, random: Random) -> Varied:
    """Have the last card known be another one of the hand that played it."""
    plays = list(question["plays"])
    hand = next((hand for hand in question["hands"] if plays[-1] in hand), ())
    left = [card for card in hand if card not in plays]
    if left:
        plays[-1] = random.choice(left)
    return {**question, "plays": plays}


def _shorter_plays(_: Ruleset, question: Json, random: Random) -> Varied:
    return {**question, "plays": question["plays"][: random.randrange(len(question["plays"])) + 1]}


def _settled_extra(rules: Ruleset, question: Json, random: Random) -> Varied:
    kinds = ("declarations", "outranked", "belote")
    sides = [{random.choice(kinds): random.choice(EXTRAS) or 20} for _ in range(rules.side_count)]
    return {**question, "sides": sides}


def _told_otherwise(_: Ruleset, question: Json, random: Random) -> Varied:
    return spoiled(question, random)


def _late_totals(rules: Ruleset, question: Json, random: Random) -> Varied:
    target = rules.value("match.target")
    return {
        **question,
        "totals": [max(0, target - random.choice((1, 10, 40, 80, 140))) for _ in range(rules.side_count)],
    }


def _claimed_somewhere(rules: Ruleset, question: Json, random: Random) -> Varied:
    actions = question["actions"]
    kept = actions[: random.randrange(len(actions)) + 1]
    return {**question, "actions": [*kept, {"seat": random.randrange(rules.players), "claim": True}]}


def _after_the_end(_: Ruleset, question: Json, random: Random) -> Varied:
    actions = question["actions"]
    return {**question, "actions": [*actions, random.choice(actions)]}


Variation = Callable[[Ruleset, Json, Random], Varied]

_VARIATIONS: Final[Mapping[str, Variation]] = {
    "card-points": _one_of(_other_trump, _another_card("cards"), _card_less("cards", 1), _flag("last_trick")),
    "trick-winner": _one_of(_other_trump, _another_card("cards"), _two_exchanged("cards"), _seat("leader")),
    "legal-cards": _one_of(
        _other_trump,
        _another_card("hand", "trick"),
        _another_card("trick", "hand"),
        _card_less("hand", 1),
        _two_exchanged("trick"),
    ),
    "declarations": _one_of(_another_card("hand"), _card_less("hand", 1)),
    "compare-declarations": _one_of(
        _other_trump, _one_less_announced, _shorter_run, _seat("leader"), _seat("taker"), _two_exchanged("announced")
    ),
    "compare-hands": _one_of(_other_trump, _between_hands, _seat("leader"), _seat("taker"), _two_exchanged("hands")),
    "belote": _one_of(_other_trump, _belote_called, _two_exchanged("plays")),
    "bidding": _one_of(_bid, _bid, _seat("dealer")),
    "deal": _one_of(
        _number("cut", 0, lambda rules: rules.deck.bit_count()),
        _number("shuffles", 0, lambda _: 9),
        _left_out("cut"),
        _left_out("shuffles"),
        _seat("taker"),
        _seat("dealer"),
    ),
    "score-deal": _one_of(*TALLY),
    "settle-tricks": _one_of(_settled_extra, _seat("taker")),
    "perft": _one_of(_other_trump, _seat("leader"), _cards_exchanged, _one_deeper),
    "match": _one_of(_totals, _totals, _last_deal, _last_deal, _one_deal_again, _fewer_deals, _deal_passed),
    "penalty": _one_of(_last_card_played, _shorter_plays, _seat("accuser"), _seat("accused")),
    "replay": _one_of(
        _told_otherwise, _told_otherwise, said_elsewhere, shown_later, _late_totals, _claimed_somewhere, _after_the_end
    ),
}
