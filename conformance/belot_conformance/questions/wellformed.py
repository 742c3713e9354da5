"""What a question can be: the counts, hands, announcements and totals that a deal or a match by some rules can have.

The engine answers whatever it can make sense of; the protocol asks only what can come up at a table. Which sums a deal
can give is known to the engine itself.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, CardSet, holds, union
from belot_reference.compile import Ruleset
from belot_reference.declarations import check_announcement
from belot_reference.errors import Refusal
from belot_reference.match import winner_of
from belot_reference.questions import set_named
from belot_reference.sums import ImpossibleSumsError, check_deal_sums, check_extras, declaration_points, declared_sums

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
            check_announcement(rules, hand, declarations, None)
        except Refusal:
            return False
        if hand & taken or hand.bit_count() > largest_hand(rules):
            return False
        taken |= hand
    return True


def can_be_scored(rules: Ruleset, question: Json) -> bool:
    """Say whether a deal can give this count."""
    return _passes(check_deal_sums, rules, question)


def can_be_extra(rules: Ruleset, question: Json) -> bool:
    """Say whether sides can have such declarations, and one of them, which holds king and queen of trump, belote."""
    return _passes(check_extras, rules, question)


def _passes(check: Callable[[Ruleset, Json], None], rules: Ruleset, question: Json) -> bool:
    try:
        check(rules, question)
    except ImpossibleSumsError:
        return False
    return True


def can_be_declared(rules: Ruleset, told: Json) -> bool:
    """Say whether all that was declared in a deal, with belote, can be worth what an accusation tells."""
    declared = told.get("declared", 0)
    sums = declared_sums(rules, declared)
    return declared in sums or declared - rules.value("declarations.belote.points") in sums


def declared_by_lot(rules: Ruleset, random: Random) -> int:
    """Return the points of up to two declarations, often nothing."""
    number = random.choice(_DECLARED)
    each = declaration_points(rules) if number else ()
    return sum(random.choice(each) for _ in range(number)) if each else 0


def scored_deals(question: Json) -> Iterator[Json]:
    """Yield the counts of the deals of a match that were played."""
    yield from (deal["scored"] for deal in question["deals"] if "scored" in deal)
