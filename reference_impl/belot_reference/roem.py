"""Roem: what cards that meet in one trick earn the side that wins it."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from belot_reference.cards import EVERY_SUIT, Card, card_set, rank_of, ranks_of
from belot_reference.compile import Ruleset
from belot_reference.mode import Mode
from belot_reference.play import CompletedTrick, PlayState
from belot_spec.card_names import RANKS

_JACK: Final = RANKS.index("J")


class Roem(NamedTuple):
    """The card points of the roem in one trick: of cards in a row, of four equal ones, of king and queen of trump."""

    sequence: int = 0
    square: int = 0
    stuk: int = 0


NO_ROEM: Final = Roem()


def roem_of(rules: Ruleset, mode: Mode, cards: Sequence[Card]) -> Roem:
    """Return the roem of a trick, nothing where only what a hand holds earns points.

    Of cards in a row the whole row counts, once, and king and queen of trump on top of it.
    """
    if not rules.has_roem:
        return NO_ROEM
    trick = card_set(cards)
    rows = [after - first for suit in EVERY_SUIT for first, after in rules.runs[ranks_of(trick, suit)]]
    pairs = sum(trick & pair == pair for pair in mode.pairs)
    return Roem(
        sum(rules.entry("declarations.in-trick.sequence-points", str(length)) for length in rows),
        _square(rules, rank_of(cards[0])) if len({*map(rank_of, cards)}) == 1 and len(cards) == len(EVERY_SUIT) else 0,
        pairs * rules.given("declarations.in-trick.royal-points") if pairs else 0,
    )


def _square(rules: Ruleset, rank: int) -> int:
    if rank != _JACK:
        return int(rules.entry("declarations.in-trick.square-points", RANKS[rank]))
    return int(rules.given("declarations.in-trick.jacks-points"))


def roem_won(
    rules: Ruleset, mode: Mode, tricks: Sequence[CompletedTrick], called: Collection[int] | None = None
) -> list[int]:
    """Return the card points of roem that each side has won with the tricks so far."""
    won = [0] * rules.side_count
    for trick, points in zip(tricks, roem_by_trick(rules, mode, tricks, called), strict=False):
        won[rules.side_of[trick.winner]] += points
    return won


def roem_by_trick(
    rules: Ruleset, mode: Mode, tricks: Sequence[CompletedTrick], called: Collection[int] | None = None
) -> tuple[int, ...]:
    """Return the card points of the roem that counts in each trick, nothing where no trick has any to be had.

    Where roem must be ``called`` it is that of the tricks of these places alone; of all where nobody tells the calls.
    """
    if not rules.has_roem:
        return ()
    counts = range(len(tricks)) if called is None or not must_call(rules) else called
    return tuple(sum(roem_of(rules, mode, trick.cards)) * (at in counts) for at, trick in enumerate(tricks))


def must_call(rules: Ruleset) -> bool:
    """Say whether roem counts only for whoever calls it."""
    return bool(rules.has_roem and rules.given("declarations.in-trick.called") != "by-itself")


def roem_to_call(rules: Ruleset, play: PlayState, called: Collection[int]) -> int:
    """Return the card points of the roem that may be called now, that of the last trick; 0 where there is none."""
    last = len(play.tricks) - 1
    if last < 0 or play.cards or not must_call(rules) or last in called:
        return 0
    return sum(roem_of(rules, play.mode, play.tricks[last].cards))


def roem_amounts(rules: Ruleset) -> frozenset[int]:
    """Return what the roem of one trick may be worth, nothing left out."""
    royal: int = rules.given("declarations.in-trick.royal-points")
    rows = {0, *rules.given("declarations.in-trick.sequence-points").values()}
    squares = {*rules.given("declarations.in-trick.square-points").values()}
    jacks: int = rules.given("declarations.in-trick.jacks-points")
    return frozenset({*rows, *(royal + row for row in rows), *squares, jacks})
