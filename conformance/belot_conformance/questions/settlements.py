"""Deals laid out so that no rule of settling hides another: a factorial design.

What a lost contract is worth is not seen where one is made, nor how points are rounded where they are tens. So each
contract meets each belote and declaration, at all sums about which a deal turns from one outcome to another.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Final, TypeVar

from belot_conformance.questions.cards import named, some_cards
from belot_conformance.questions.deals import random_deal
from belot_reference.bids import CAPOT
from belot_reference.cards import card_set, names_of
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.counting import count_deal, last_trick_bonus
from belot_reference.deal import DealState
from belot_reference.declarations import count_in
from belot_reference.mode import Mode
from belot_reference.possible import belote_in, can_declare, declaration_points
from belot_reference.scoring import card_factor

Json = Mapping[str, Any]
Fields = dict[str, Any]

# Beside the sum at which a deal turns: on either side of it, and where a number is rounded up or down.
_AT_IT: Final = (-1, 0, 1)
_ABOUT: Final = (-6, -5, -4, *_AT_IT, 4, 5, 6)
# So many played deals are for all contracts, of so many that are drawn; in so many of them one side has all tricks.
_PLAYED: Final = 24
_DRAWN: Final = 200
_ONE_SIDED: Final = 4
# Where sides may have much beside their cards, every contract but the first meets so many ways of it.
_FEW_EXTRAS: Final = 5

# How many declarations there are by lot.
_DECLARED: Final = (0, 0, 1, 1, 2)

T = TypeVar("T")


def declared_by_lot(rules: Ruleset, random: Random) -> int:
    """Return the points of up to two declarations, often nothing."""
    number = random.choice(_DECLARED)
    each = declaration_points(rules) if number else ()
    return sum(random.choice(each) for _ in range(number)) if each else 0


def laid_out_sums(rules: Ruleset, random: Random) -> Iterator[Json]:
    """Yield deals that are told by their sums."""
    for place, contract in enumerate(_contracts(rules)):
        taker = place % rules.players
        taking = rules.side_of[taker]
        told = contract._replace(taker=taker).to_json() if rules.has_auction else {"taker": taker}
        points = dealt_points(rules, contract.mode, random)
        for extras in _in_turn(_all_extras(rules, contract.mode, taking), place):
            # What is enough to make the lowest bid may be any number: without extras it has every sum.
            is_whole = place == 0 and not any(extras)
            for tricks, cards in _shares(rules, contract, points, taking, extras[taking], is_whole=is_whole):
                counts = zip(cards, tricks, extras, strict=True)
                yield {**told, "sides": [{"cards": own, "tricks": won, **extra} for own, won, extra in counts]}


def laid_out_tricks(rules: Ruleset, random: Random) -> Iterator[Json]:
    """Yield deals that are told by their tricks: played ones, each with every contract and what belongs to it.

    More of them have the lowest contract alone, of either side.
    """
    first, *others = _contracts(rules)
    for state, mode, is_for_all in _played(rules, random):
        played = settling_of(rules, state)
        told = [first._replace(taker=taker) for taker in (0, 1)] if first.mode.kind == mode.kind else []
        if is_for_all:
            yield played
            told += [
                one._replace(taker=random.randrange(rules.players)) for one in others if one.mode.kind == mode.kind
            ]
        for contract in told if rules.has_auction else ():
            each = _all_extras(rules, mode, rules.side_of[contract.taker])
            sides = random.choice(each) if is_for_all else each[0]
            extras = {"sides": sides} if any(sides) else {}
            yield {**contract._replace(mode=mode).to_json(), "tricks": played["tricks"], **extras}


def settling_of(rules: Ruleset, state: DealState) -> Fields:
    """Return the question of ``settle-tricks`` about a deal that was played out."""
    assert state.play is not None
    count = count_deal(rules, state)
    kinds = ("declarations", "outranked", "belote")
    sides = [{kind: points for kind in kinds if (points := getattr(tally, kind))} for tally in count.tallies]
    return {
        **state.contract.to_json(),
        "tricks": [{"leader": trick.leader, "cards": named(trick.cards)} for trick in state.play.tricks],
        **({"discarded": names_of(state.discarded)} if state.discarded else {}),
        **({"sides": sides} if any(sides) else {}),
    }


def dealt_points(rules: Ruleset, mode: Mode, random: Random) -> int:
    """Return the card points of what is dealt: of some cards by lot where nobody gets the others."""
    held = rules.players * rules.hand_size + rules.value_or("deal.taker-discards", 0)
    if held == rules.deck.bit_count():
        return rules.points_in_deck(mode)
    return rules.points_of(mode, card_set(some_cards(rules.deck, held, random)))


def _contracts(rules: Ruleset) -> list[DealContract]:
    """Return a contract in each kind of mode, with each multiple, and at both ends and in the middle of what is bid."""
    if not rules.has_auction:
        return [DealContract(0, rules.unsaid_mode)]
    modes = {mode.kind: mode for mode in reversed(rules.playable_modes)}
    numbers = [amount for amount in rules.auction.amounts if amount != CAPOT]
    some = dict.fromkeys([*numbers[:2], *numbers[len(numbers) // 2 :][:1], *numbers[-1:]])
    amounts: list[int | None] = [*some, *(amount for amount in rules.auction.amounts if amount == CAPOT)]
    raised = (1, *rules.value("bidding.raises"))
    return [DealContract(0, *one) for one in product(modes.values(), amounts or [None], raised)]


def _all_extras(rules: Ruleset, mode: Mode, taking: int) -> list[list[dict[str, int]]]:
    """Return what sides may have beside their cards: belote and declarations, each with the takers, others or nobody.

    Where both may count, both sides have declarations too.
    """
    other = next(side for side in range(rules.side_count) if side != taking)
    declared = declaration_points(rules) if count_in(rules, mode) else ()
    belote: list[tuple[int, ...]] = [(), *(((taking,), (other,)) if belote_in(rules, mode) else ())]
    declaring: list[tuple[int, ...]] = [(), *(((taking,), (other,)) if declared else ())]
    both = [points for points in declared[::-1] if can_declare(rules, {taking: declared[0], other: points}, taking)]
    if both:
        declaring.append((taking, other))
    found = []
    for with_belote, with_declarations in product(belote, declaring):
        sides: list[dict[str, int]] = [{} for _ in range(rules.side_count)]
        for place, side in enumerate(with_declarations):
            sides[side]["declarations"] = both[0] if place else declared[0]
        for side in with_belote:
            sides[side]["belote"] = rules.value("declarations.belote.points")
        found.append(sides)
    return found


def _in_turn(each: Sequence[T], place: int) -> Sequence[T]:
    """Return all of some for the first contract, and for every other a few, others each time."""
    if not place or len(each) <= _FEW_EXTRAS:
        return each
    return [each[(place * _FEW_EXTRAS + more) % len(each)] for more in range(_FEW_EXTRAS)]


def _shares(
    rules: Ruleset, contract: DealContract, points: int, taking: int, extra: Mapping[str, int], *, is_whole: bool
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the tricks and card points of the sides: all or none for the takers, and about what decides the deal."""
    others = [side for side in range(rules.side_count) if side != taking]
    for own in (0, 1, rules.hand_size // 2, rules.hand_size):
        tricks = _split(rules.hand_size, own, taking, others)
        whole = points + last_trick_bonus(rules, tricks)
        if own in (0, rules.hand_size):
            some: Iterable[int] = [whole if own else 0]
        elif own == 1:
            some = [0]
        elif is_whole:
            some = range(whole + 1)
        else:
            some = _turning(whole, contract, sum(extra.values()), card_factor(rules, contract.mode))
        for cards in some:
            yield tricks, _split(whole, cards, taking, others)


def _turning(whole: int, contract: DealContract, extra: int, factor: int) -> list[int]:
    """Return the takers' card points about which a deal turns, be it with what they have beside their cards.

    It turns at half of all points, or at what was bid.
    """
    near = {whole // 2: _AT_IT if contract.bid else _ABOUT}
    if contract.bid not in (None, CAPOT):
        near[contract.bid] = _ABOUT
    sums = {
        (point - beside) // factor + step for point, steps in near.items() for step in steps for beside in {0, extra}
    }
    return sorted(points for points in sums if 0 <= points <= whole)


def _split(whole: int, own: int, taking: int, others: Sequence[int]) -> list[int]:
    """Return a whole shared by all sides, so much for the takers; the first of the others has what is left over."""
    each, left = divmod(whole - own, len(others))
    shares = [each] * (len(others) + 1)
    shares[taking], shares[others[0]] = own, each + left
    return shares


def _played(rules: Ruleset, random: Random) -> Iterator[tuple[DealState, Mode, bool]]:
    """Yield deals that were played out, with their modes; a few are for all contracts, of them some with all tricks."""
    left = {False: _PLAYED - _ONE_SIDED, True: _ONE_SIDED}
    for _ in range(_DRAWN):
        state = random_deal(rules, random).state
        if state.play is None or state.ended != "played":
            continue
        is_one_sided = len({rules.side_of[trick.winner] for trick in state.play.tricks}) == 1
        left[is_one_sided] -= 1
        yield state, state.play.mode, left[is_one_sided] >= 0
