"""Declarations as arrays: points and comparison keys of every sequence and square, and whose count."""

from itertools import product
from typing import Final

from belot_kernel.tables import (
    Arrays,
    Small,
    by_mode,
    coded,
    filled_up,
    masks,
    number_or_none,
    numbers,
    small,
)
from belot_reference.cards import EVERY_SUIT, CardSet, union
from belot_reference.compile import Ruleset
from belot_reference.declarations import Declaration, four_of, runs_in, scores_with, squares_in, strength, wins_match
from belot_reference.mode import Mode
from belot_spec.card_names import RANKS

_EVERY_HOLDING: Final = 1 << len(RANKS)
_MOST_RUNS: Final = 2

# What a shared card does: both count, one keeps its sequences out of the squares, or the square takes its cards.
SHARING: Final = {"allowed": 0, "one-or-other": 1, "shorten-sequence": 2}
# When declarations are announced, by players who announce as soon as they may.
BEFORE_LEAD, WITH_CARD, BY_ITSELF = range(3)
_ANNOUNCED: Final = {
    "before-first-lead": BEFORE_LEAD,
    "with-first-card": WITH_CARD,
    "with-any-card": WITH_CARD,
    "automatic": BY_ITSELF,
}
# When belote counts: said with the first of the two cards, with both, or without being said.
CALLS: Final = {"first-card": 0, "both-cards": 1, "automatic": 2}
_TIES: Final = ("first-in-turn", "first-from-taker", "leaders-side", "nobody")
_KINDS_OF_MODES: Final = ("suit", "no-trumps", "all-trumps")
_SCORING: Final = ("winning-side", "winning-player", "winning-camp", "everybody")


class _Known:
    """The sequences and squares of a ruleset; ``held`` are those of one suit by the ranks that make them."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._compared = rules.value_or("declarations.compared-by", None) is not None
        self.runs = [list(runs_in(rules, CardSet(held))) for held in range(_EVERY_HOLDING)]
        self.held = {run.cards: run for runs in self.runs for run in runs}
        self.squares = {one.rank: one for rank in range(len(RANKS)) for one in squares_in(rules, four_of(rank))}
        found = [self._strength(one, trump) for one in self._every() for trump in (True, False)]
        self._keys = {key: place for place, key in enumerate(sorted(set(found)))}

    def _every(self) -> list[Declaration]:
        return [*self.held.values(), *self.squares.values()]

    def _strength(self, one: Declaration, in_trump: bool) -> tuple[int, ...]:
        return strength(self._rules, one, self._mode(in_trump)) if self._compared else ()

    def _mode(self, in_trump: bool) -> Mode:
        # Every sequence here is of the first suit; a square is of none.
        return next(mode for mode in self._rules.modes if mode.is_trump(EVERY_SUIT[0]) == in_trump)

    def key(self, one: Declaration | None, in_trump: bool) -> int:
        """Return the place of a declaration among all that are compared, the weakest first; 0 for none."""
        return 0 if one is None else self._keys[self._strength(one, in_trump)]

    def wins(self, one: Declaration | None, in_trump: bool) -> int:
        """Say whether a declaration wins the match."""
        return int(one is not None and wins_match(self._rules, one, self._mode(in_trump)))


def declared_tables(rules: Ruleset) -> Arrays:
    """Return the declarations of a ruleset as arrays, of sequences by the set of ranks that make them."""
    known = _Known(rules)
    runs = [known.held.get(CardSet(held)) for held in range(_EVERY_HOLDING)]
    squares = [known.squares.get(rank) for rank in range(len(RANKS))]
    scores = _SCORING[coded(rules, "declarations.winner-scores", *_SCORING, default="everybody")]
    tie = _TIES[coded(rules, "declarations.tie", *_TIES, default="first-in-turn")]
    announced = coded(rules, "declarations.announced", *_ANNOUNCED, default="with-any-card")
    played = coded(rules, "declarations.played", "belote-only", "all")
    return {
        "played": small([played * counts for counts in by_mode(rules, "declarations.modes", *_KINDS_OF_MODES)]),
        "runs": small([filled_up([int(run.cards) for run in found], _MOST_RUNS) for found in known.runs]),
        "run_points": numbers([run.points if run else 0 for run in runs]),
        "run_key": numbers([[known.key(run, trump) for run in runs] for trump in (False, True)]),
        "run_wins": small([[known.wins(run, trump) for run in runs] for trump in (False, True)]),
        "squares": sum(1 << rank for rank, square in enumerate(squares) if square),
        "square_points": numbers([square.points if square else 0 for square in squares]),
        "square_key": numbers([known.key(square, in_trump=False) for square in squares]),
        "sharing": coded(rules, "declarations.shared-cards", *SHARING, default="allowed"),
        "announced": [*_ANNOUNCED.values()][announced],
        "best_only": coded(rules, "declarations.per-player", "all", "best", default="all"),
        "everybody": int(scores == "everybody"),
        "apart": coded(rules, "declarations.compared-together", "together", "apart", default="together"),
        "tie_order": _tie_order(rules, tie),
        "tie_cancels": int(tie == "nobody"),
        "scores_with": _scores_with(rules, scores),
        "shown_in": number_or_none(rules, "declarations.shown-in-trick", 0),
        "belote_points": rules.value("declarations.belote.points"),
        "belote_calls": coded(rules, "declarations.belote.calls", *CALLS),
        **_belote_by_mode(rules),
        "turned_sequence": rules.value_or("declarations.turned-sequence", 0),
    }


def _belote_by_mode(rules: Ruleset) -> Arrays:
    """Return for each mode the cards that can be belote, and whether thrown on another suit that is trump they cannot.

    With one suit that is trump there is no such other.
    """
    lost = coded(rules, "declarations.belote.discarded", "counts", "lost", default="counts")
    counting = by_mode(rules, "declarations.belote.modes", *_KINDS_OF_MODES)
    pairs = [union(mode.pairs) if counts else 0 for mode, counts in zip(rules.modes, counting, strict=True)]
    return {
        "belote_cards": masks(pairs),
        "belote_thrown": small([lost * (len(mode.pairs) > 1) for mode in rules.modes]),
    }


def _tie_order(rules: Ruleset, tie: str) -> Small:
    """Return by leader and taker the place of each seat among equal holders: the lowest of them wins."""
    seats = range(rules.players)

    def place(leader: int, taker: int, seat: int) -> int:
        first = taker if tie == "first-from-taker" else leader
        behind = tie == "leaders-side" and not rules.partners(seat, leader)
        return (seat - first) % rules.players + (rules.players if behind else 0)

    return small([[[place(leader, taker, seat) for seat in seats] for taker in seats] for leader in seats])


def _scores_with(rules: Ruleset, scores: str) -> Small:
    """Return by taker and winner the seats, as bits, that score when this winner has the best declaration."""
    seats = range(rules.players)

    def scoring(taker: int, winner: int, seat: int) -> bool:
        return scores == "everybody" or scores_with(rules, seat, winner, taker)

    pairs = product(seats, seats)
    found = [sum(1 << seat for seat in seats if scoring(taker, winner, seat)) for taker, winner in pairs]
    return small(found).reshape(rules.players, rules.players)
