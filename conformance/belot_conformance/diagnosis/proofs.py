"""Whether another value of a rule provably plays the same game, so that no question needs to be searched for."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final

import belot_reference
from belot_conformance.diagnosis.equivalence import is_duty, tricks_played_alike
from belot_conformance.diagnosis.mutations import Mutant
from belot_conformance.suite.selection import largest_hand
from belot_reference.cards import EVERY_SUIT, CardSet, Suit, card_at, card_set
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.declarations import Declaration, four_of, identify, strength, wins_match
from belot_reference.errors import NotADeclaration
from belot_spec.card_names import RANKS, SUITS
from belot_spec.files import read_text
from belot_spec.spec import Spec

# Lists that name what is added up or taken out: their order says nothing.
_SETS: Final = frozenset(("scoring.contract-counts", "scoring.fall-passes", "deck.removed-cards"))
# Rules that are read to compare declarations, and for nothing else.
_COMPARING: Final = frozenset(
    (
        "declarations.compared-by",
        "declarations.top-card",
        "declarations.sequence-classes",
        "declarations.square-classes",
    )
)

_SQUARES: Final = "declarations.square-points"


def proved_alike(mutant: Mutant, rules: Ruleset, changed: Ruleset, spec: Spec) -> int:
    """Return over how many trials, all there are, a mutant plays the same game; 0 where this proves nothing."""
    if is_duty(mutant, spec):
        return tricks_played_alike(rules, changed)
    if mutant.values.keys() <= _SETS:
        return int(all(sorted(value) == sorted(rules.value(rule)) for rule, value in mutant.values.items()))
    if mutant.values.keys() <= _COMPARING:
        return declarations_compared_alike(rules, changed)
    if mutant.values.keys() == {_SQUARES}:
        return _squares_alike(rules, mutant.value)
    return int(not any(is_read(rule) for rule in mutant.values))


def _squares_alike(rules: Ruleset, points: Mapping[str, int]) -> int:
    """Return how many squares there are in this deck, if they all keep their points: nobody can hold the others."""
    held = [name for rank, name in enumerate(RANKS) if not four_of(rank) & ~rules.deck]
    return len(held) if all(points[name] == rules.value(_SQUARES)[name] for name in held) else 0


def is_read(rule: str) -> bool:
    """Say whether the engine reads a rule at all: some only tell people how the table looks and sounds."""
    return f'"{rule}"' in _engine()


@cache
def _engine() -> str:
    folder = Path(str(belot_reference.__file__)).parent
    return "".join(read_text(path) for path in sorted(folder.glob("*.py")))


def declarations_compared_alike(rules: Ruleset, changed: Ruleset) -> int:
    """Return how many pairs of declarations, all that can meet, two rulesets put in the same order; 0 if they do not.

    They differ only in how declarations are compared. Whatever is made of a comparison rests on the order of pairs.
    """
    if rules.value_or("declarations.compared-by", None) is None:
        return 0
    declarations = list(_declarations(rules))
    compared = 0
    for trump in EVERY_SUIT:
        own, other = ([strength(one, each, trump) for each in declarations] for one in (rules, changed))
        for first, second in combinations(range(len(declarations)), 2):
            if not _can_meet(rules, declarations[first], declarations[second], trump):
                continue
            compared += 1
            if _order(own[first], own[second]) != _order(other[first], other[second]):
                return 0
    return compared


def _declarations(rules: Ruleset) -> Iterator[Declaration]:
    """Yield everything that can be declared with the cards of this deck."""
    in_order = sorted(range(len(RANKS)), key=lambda rank: rules.sequence_position[rank])
    sets = [four_of(rank) for rank in range(len(RANKS))]
    for suit in EVERY_SUIT:
        for first, last in combinations(range(len(RANKS) + 1), 2):
            if last - first >= SHORTEST_SEQUENCE:
                sets.append(card_set(card_at(rank, suit) for rank in in_order[first:last]))
    for cards in sets:
        if not cards & ~rules.deck and cards.bit_count() <= largest_hand(rules):
            with suppress(NotADeclaration):
                yield identify(rules, cards)


def _can_meet(rules: Ruleset, one: Declaration, other: Declaration, trump: Suit) -> bool:
    """Say whether two declarations can be compared: held by two players, or by one who must choose between them.

    A run that wins the match at once is compared with nothing that another player holds. Of two runs that share a card
    one is what the other leaves of itself to a square, of which the same player holds three cards more.
    """
    needed = CardSet(one.cards | other.cards).bit_count()
    if not one.cards & other.cards:
        belot = wins_match(rules, one, trump) or wins_match(rules, other, trump)
        return not belot or needed <= largest_hand(rules)
    of_one_suit = one.kind == other.kind
    return needed + (len(SUITS) - 1 if of_one_suit else 0) <= largest_hand(rules)


def _order(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return (one > other) - (one < other)
