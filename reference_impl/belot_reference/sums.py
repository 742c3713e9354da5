"""The sums that a deal can give: tricks and card points, declarations and belote of each side.

``score-deal`` settles whatever it is told; whoever lets people or programs ask looks here first.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from belot_reference.belote import counts_in
from belot_reference.cards import cards_in
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.counting import last_trick_bonus
from belot_reference.declarations import count_in
from belot_reference.errors import BadQuestionError
from belot_reference.mode import Mode
from belot_reference.questions import contract_of_sums, mode_named

Json = Mapping[str, Any]
Sides = Sequence[Mapping[str, int]]

_DECLARED: Final = ("declarations", "outranked")


class ImpossibleSumsError(BadQuestionError):
    """Sums that no deal gives: ``fault`` says what is wrong by its ``kind``, and the numbers that it is about."""

    def __init__(self, message: str, kind: str, **about: Any) -> None:
        super().__init__(message)
        self.fault: dict[str, Any] = {"kind": kind, **about}


def check_sums(rules: Ruleset, operation: str, question: Json) -> None:
    """Raise ``ImpossibleSumsError`` if a question that has its form tells of a deal whose sums no deal can give."""
    match operation:
        case "score-deal":
            check_deal_sums(rules, question)
        case "settle-tricks":
            check_extras(rules, question)
        case "match":
            for scored in (deal["scored"] for deal in question["deals"] if "scored" in deal):
                check_deal_sums(rules, scored)


def check_deal_sums(rules: Ruleset, question: Json) -> None:
    """Raise ``ImpossibleSumsError`` unless all tricks are won, and all card points by whoever won a trick.

    A side without a trick has but what its taker has laid away.
    """
    name, sides, laid_away = rules.profile.id, question["sides"], rules.value_or("deal.taker-discards", 0)
    tricks = [side["tricks"] for side in sides]
    if sum(tricks) != rules.hand_size:
        message = f"sides: a deal of {name} has {rules.hand_size} tricks, not {sum(tricks)}"
        raise ImpossibleSumsError(message, "tricks", n=sum(tricks), wanted=rules.hand_size)
    bonus, winner = last_trick_bonus(rules, tricks), question.get("last_trick")
    if winner is not None:
        if not tricks[winner]:
            message = f"last_trick: side {winner} has no trick, so it has not won the last one"
            raise ImpossibleSumsError(message, "last-trick", side=winner)
        bonus = 0
    contract = contract_of_sums(rules, question)
    mode, taking = contract.mode, rules.side_of[contract.taker]
    for number, side in enumerate(sides):
        own = sums_of_cards(rules, mode, laid_away) if number == taking else (0,)
        if not side["tricks"] and side["cards"] not in own:
            message = f"sides.{number}.cards: a side without a trick has no card points, not {side['cards']}"
            raise ImpossibleSumsError(message, "cards-without-trick", side=number)
    _check_all_cards(rules, mode, sum(side["cards"] for side in sides), bonus, laid_away)
    check_extras(rules, question)


def _check_all_cards(rules: Ruleset, mode: Mode, told: int, bonus: int, laid_away: int) -> None:
    everything = rules.points_in_deck(mode) + bonus
    left = rules.deck.bit_count() - rules.players * rules.hand_size - laid_away
    if everything - told in sums_of_cards(rules, mode, left):
        return
    together = f"all sides together have {told} card points"
    if left:
        message = f"sides: {together}, which no {left} cards left over make {everything}"
    else:
        message = f"sides: {together}, and a deal of {rules.profile.id} has {everything}"
    raise ImpossibleSumsError(message, "cards", n=told, wanted=everything, left=left)


def check_extras(rules: Ruleset, question: Json) -> None:
    """Raise ``ImpossibleSumsError`` unless sides can have such declarations and belote, in the mode that is told."""
    sides: Sides = question.get("sides", ())
    mode = mode_named(rules, question["trump"]) if rules.has_auction else rules.unsaid_mode
    _check_belote(rules, mode, sides)
    most = _most_declared(rules) if count_in(rules, mode) else 0
    for number, side in enumerate(sides):
        for kind in _DECLARED:
            points = side.get(kind, 0)
            if points > most or points not in declared_sums(rules, points):
                each = ", ".join(map(str, declaration_points(rules) if most else ())) or "nothing"
                message = f"sides.{number}.{kind}: {points} is no sum of declarations; each is worth {each}"
                raise ImpossibleSumsError(message, "declared", side=number, n=points, each=declaration_points(rules))
    taking = rules.side_of[question["taker"]]
    declaring = [number for number, side in enumerate(sides) if side.get("declarations", 0)]
    if any(not can_both_declare(rules, one, other, taking) for one in declaring for other in declaring):
        message = f"sides: declarations of {_listed(declaring)} do not count together in {rules.profile.id}"
        raise ImpossibleSumsError(message, "declared-twice", sides=declaring)


def _check_belote(rules: Ruleset, mode: Mode, sides: Sides) -> None:
    """Raise ``ImpossibleSumsError`` for more belote than there are suits that are trump, or for a part of one."""
    worth, most = rules.value("declarations.belote.points"), belote_in(rules, mode)
    belote = {number: points for number, side in enumerate(sides) if (points := side.get("belote", 0))}
    if most == 1 and len(belote) > 1:
        raise ImpossibleSumsError("sides: only one side holds king and queen of trump", "belote-twice")
    possible = {worth * several for several in range(most + 1)}
    for number, points in belote.items():
        if points not in possible:
            told = str(worth) if most == 1 else f"{worth} in each suit that is trump" if most else "not played"
            message = f"sides.{number}.belote: belote is worth {told} in {rules.profile.id}, not {points}"
            raise ImpossibleSumsError(message, "belote", side=number, n=points, wanted=worth if most else 0)
    if sum(belote.values()) > worth * most:
        raise ImpossibleSumsError(f"sides: there are {most} kings and queens of trump", "belote-twice")


def belote_in(rules: Ruleset, mode: Mode) -> int:
    """Return how often belote can be had in a deal: once for each suit that is trump, where it counts."""
    return len(mode.pairs) if counts_in(rules, mode) else 0


def _listed(sides: Sequence[int]) -> str:
    return " and ".join(f"side {number}" for number in sides)


def can_both_declare(rules: Ruleset, one: int, other: int, taking: int) -> bool:
    """Say whether declarations of two sides can count in one deal, given the taker's side."""
    if one == other or rules.open_piles or rules.value_or("declarations.compared-together", "together") == "apart":
        return True
    who = rules.value_or("declarations.winner-scores", "everybody")
    return bool(who == "everybody" or (who == "winning-camp" and taking not in (one, other)))


def sums_of_cards(rules: Ruleset, mode: Mode, number: int) -> frozenset[int]:
    """Return the card points that so many cards of a deck can have together in a mode."""
    return _sums(tuple(sorted(mode.points[card] for card in cards_in(rules.deck))), number)


@lru_cache(maxsize=64)
def _sums(points: tuple[int, ...], number: int) -> frozenset[int]:
    """Return the points that so many cards can have together."""
    found: list[set[int]] = [{0}, *(set() for _ in range(number))]
    for worth in points:
        for size in range(number, 0, -1):
            found[size] |= {total + worth for total in found[size - 1]}
    return frozenset(found[number])


def declaration_points(rules: Ruleset) -> tuple[int, ...]:
    """Return what a declaration may be worth, from the least; nothing where none are played."""
    return _in_order(tuple(_worth_of_each(rules)))


def _worth_of_each(rules: Ruleset) -> Iterator[int]:
    if rules.value("declarations.played") == "all":
        yield from rules.value("declarations.sequence-points").values()
        yield from rules.value("declarations.square-points").values()
        if rules.open_piles:
            yield rules.value("declarations.turned-sequence")


@lru_cache(maxsize=256)
def _in_order(points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({each for each in points if each > 0}))


def _most_declared(rules: Ruleset) -> int:
    """Return more than all declarations of a deal can be worth together."""
    return rules.deck.bit_count() // SHORTEST_SEQUENCE * max(declaration_points(rules), default=0)


def declared_sums(rules: Ruleset, most: int) -> frozenset[int]:
    """Return every sum of the points of declarations, up to the most."""
    return _sums_up_to(declaration_points(rules), most)


@lru_cache(maxsize=256)
def _sums_up_to(each: tuple[int, ...], most: int) -> frozenset[int]:
    found = {0}
    for total in range(1, most + 1):
        if any(total - points in found for points in each):
            found.add(total)
    return frozenset(found)
