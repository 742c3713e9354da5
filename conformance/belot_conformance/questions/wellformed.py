"""What a question can be: the counts, hands, announcements and totals that a deal or a match by some rules can have.

The engine answers whatever it can make sense of; the protocol asks only what can come up at a table.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, CardSet, cards_in, holds, union
from belot_reference.compile import Ruleset
from belot_reference.counting import last_trick_bonus
from belot_reference.declarations import check_announcement
from belot_reference.errors import Refusal
from belot_reference.match import winner_of
from belot_reference.questions import set_named

Json = Mapping[str, Any]

# How many declarations there are by lot.
_DECLARED: Final = (0, 0, 1, 1, 2)
# What a side may lack near the end of a match.
_LACKING: Final = (0, 1, 1, 5, 10, 20, 40, 80, 140, 160)


def largest_hand(rules: Ruleset) -> int:
    """Return how many cards a player holds at most, with those that a taker lays away."""
    held: int = rules.hand_size + rules.value_or("deal.taker-discards", 0)
    return held


def in_deck(rules: Ruleset, value: Any) -> bool:
    """Say whether all cards that a question names are played with."""
    if rules.deck == ALL_CARDS:
        return True
    if isinstance(value, str):
        return value not in CARD_BY_NAME or holds(rules.deck, CARD_BY_NAME[value])
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return all(in_deck(rules, item) for item in inside)


def is_hand(rules: Ruleset, question: Json) -> bool:
    """Say whether a player can hold so many cards as his hand has."""
    return len(question["hand"]) <= largest_hand(rules)


def are_of_one_size(rules: Ruleset, question: Json) -> bool:
    """Say whether everybody holds as many cards, at least one and no more than are dealt."""
    (size, *others) = {len(hand) for hand in question["hands"]}
    return not others and 0 < size <= rules.hand_size


def goes_on(rules: Ruleset, question: Json) -> bool:
    """Say whether nobody has won the match with the totals that it begins at."""
    return winner_of(rules, tuple(question.get("totals", ())), None) is None


def late_totals(rules: Ruleset, random: Random) -> list[int]:
    """Return totals near the target, at which nobody has won the match yet."""
    target = rules.value("match.target")
    totals = [max(0, target - random.choice(_LACKING)) for _ in range(rules.side_count)]
    return totals if goes_on(rules, {"totals": totals}) else [max(0, total - 1) for total in totals]


def can_be_announced(rules: Ruleset, question: Json) -> bool:
    """Say whether each player can hold and announce what he does: no card is in two hands, no run is told twice."""
    taken = CardSet(0)
    for told in filter(None, question["announced"]):
        declarations = [set_named(cards) for cards in told]
        hand = union(declarations)
        try:
            check_announcement(rules, hand, declarations)
        except Refusal:
            return False
        if hand & taken or hand.bit_count() > largest_hand(rules):
            return False
        taken |= hand
    return True


def can_be_scored(rules: Ruleset, question: Json) -> bool:
    """Say whether a deal can give this count: all tricks are won, and all card points by whoever won a trick.

    A side without a trick has but what its taker has laid away.
    """
    sides, laid_away = question["sides"], rules.value_or("deal.taker-discards", 0)
    tricks = [side["tricks"] for side in sides]
    if sum(tricks) != rules.hand_size or not can_be_extra(rules, question):
        return False
    bonus, winner = last_trick_bonus(rules, tricks), question.get("last_trick")
    if winner is not None:
        bonus = 0 if tricks[winner] else -1
    left = rules.deck.bit_count() - rules.players * rules.hand_size - laid_away
    missing = rules.points_in_deck(rules.unsaid_mode) + bonus - sum(side["cards"] for side in sides)
    if bonus < 0 or missing not in sums_of_cards(rules, left):
        return False
    taking = rules.side_of[question["taker"]]
    kept = [sums_of_cards(rules, laid_away) if side == taking else {0} for side in range(len(sides))]
    return all(side["tricks"] or side["cards"] in own for side, own in zip(sides, kept, strict=True))


def sums_of_cards(rules: Ruleset, number: int) -> frozenset[int]:
    """Return the card points that so many cards of a deck can have together."""
    return _sums(tuple(sorted(rules.unsaid_mode.points[card] for card in cards_in(rules.deck))), number)


@lru_cache(maxsize=64)
def _sums(points: tuple[int, ...], number: int) -> frozenset[int]:
    """Return the points that so many cards can have together."""
    found: list[set[int]] = [{0}, *(set() for _ in range(number))]
    for worth in points:
        for size in range(number, 0, -1):
            found[size] |= {total + worth for total in found[size - 1]}
    return frozenset(found[number])


def can_be_extra(rules: Ruleset, question: Json) -> bool:
    """Say whether sides can have such declarations, and one of them, which holds king and queen of trump, belote."""
    sides: Sequence[Mapping[str, int]] = question.get("sides", ())
    belote = [points for side in sides if (points := side.get("belote", 0))]
    if belote and belote != [rules.value("declarations.belote.points")]:
        return False
    told = [side.get(kind, 0) for side in sides for kind in ("declarations", "outranked")]
    return all(total in declared_sums(rules, max(told)) for total in told)


def can_be_declared(rules: Ruleset, told: Json) -> bool:
    """Say whether all that was declared in a deal, with belote, can be worth what an accusation tells."""
    declared = told.get("declared", 0)
    sums = declared_sums(rules, declared)
    return declared in sums or declared - rules.value("declarations.belote.points") in sums


def declared_points(rules: Ruleset) -> tuple[int, ...]:
    """Return what a declaration may be worth, from the least; nothing where none are played."""
    if rules.value("declarations.played") != "all":
        return ()
    sequences, squares = rules.value("declarations.sequence-points"), rules.value("declarations.square-points")
    return _in_order((*sequences.values(), *squares.values()))


@lru_cache(maxsize=256)
def _in_order(points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({each for each in points if each > 0}))


def declared_sums(rules: Ruleset, most: int) -> frozenset[int]:
    """Return every sum of the points of declarations, up to the most."""
    return _sums_up_to(declared_points(rules), most)


@lru_cache(maxsize=256)
def _sums_up_to(each: tuple[int, ...], most: int) -> frozenset[int]:
    found = {0}
    for total in range(1, most + 1):
        if any(total - points in found for points in each):
            found.add(total)
    return frozenset(found)


def declared_by_lot(rules: Ruleset, random: Random) -> int:
    """Return the points of up to two declarations, often nothing."""
    number = random.choice(_DECLARED)
    each = declared_points(rules) if number else ()
    return sum(random.choice(each) for _ in range(number)) if each else 0


def scored_deals(question: Json) -> Iterator[Json]:
    """Yield the counts of the deals of a match that were played."""
    yield from (deal["scored"] for deal in question["deals"] if "scored" in deal)
