"""Questions of ``compare-declarations`` by lot: which of two players' declarations is the better.

A *kind* is a length of sequence or a rank of square, a *meeting* what draws a question in which two kinds meet. Most
meetings are of kinds that are neighbours in strength, where a program that compares wrongly is seen, and often the
weaker one has all else in its favour: higher cards, trumps, or the lead.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise
from random import Random
from typing import Any, Final

from belot_conformance.questions.cards import Turns, sequence_of
from belot_reference.cards import (
    EVERY_SUIT,
    CardSet,
    Suit,
    cards_in,
    names_of,
    rank_of,
    suit_of,
)
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.declarations import four_of, possible_sets, strength
from belot_reference.possible import why_impossible
from belot_spec.card_names import RANKS, SUITS

# How often the taker is told, a third player announces too, and any two kinds meet.
_TAKER_TOLD: Final = 0.5
_THIRD: Final = 0.3
_ANY_TWO: Final = 0.2
# How often two players as they sit have equal sequences, for each other meeting once, and the longest of these.
_TIES: Final = 3
_LONG: Final = 5
# Of so many declarations the highest or lowest is taken.
_DRAWS: Final = 3
_WEAKER_LEADS: Final = 0.4
_ANY_TRUMP: Final = 0.5

_RUN: Final = "sequence"
_SQUARE: Final = "square"
# A length of sequence, or a rank of square.
Kind = tuple[str, int]
Meeting = Callable[[Random], dict[str, Any]]


class Rivals:
    """Questions of ``compare-declarations``, each about the next meeting until there was every one, and then anew."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        kinds = {kind: _strength(rules, kind) for kind in _kinds(rules)}
        self._kinds = sorted(kinds, key=kinds.__getitem__)
        every = list(combinations(self._kinds, 2))
        close = [*pairwise(self._kinds), *((kind, kind) for kind in self._kinds if kind[0] == _RUN)]
        # A sequence and a square that may be worth the same to each other, as far as their kinds go.
        close += [(one, other) for one, other in every if one[0] != other[0] and kinds[one][:1] == kinds[other][:1]]
        pairs = [partial(way, one, other) for one, other in close for way in (self._anyhow, self._ahead)]
        self._meetings: Turns[Meeting] = Turns([*pairs, *self._two_sequences(), *self._ties()])
        self._others = Turns(every)

    def question(self, random: Random) -> dict[str, Any]:
        """Have two players, now and then three, announce one declaration each."""
        if random.random() < _ANY_TWO:
            return self._anyhow(*self._others.next(random), random)
        return self._meetings.next(random)(random)

    def _anyhow(self, first: Kind, second: Kind, random: Random) -> dict[str, Any]:
        """Have any two declarations of two kinds meet."""
        # A sequence finds room beside a square, but there is only one square of a rank.
        kinds = (first, second) if first[0] == _SQUARE else (second, first)
        one = of_kind(self._rules, kinds[0], random)
        other = of_kind(self._rules, kinds[1], random, one)
        return self._asked([one, other], self._seats(random), _trump(one | other, random), random)

    def _ahead(self, weak: Kind, strong: Kind, random: Random) -> dict[str, Any]:
        """Have declarations of two kinds meet, of which the weaker often has all else in its favour."""
        made, seats = self._favouring(weak, strong, random), self._seats(random)
        leader = seats[0] if random.random() < _WEAKER_LEADS else None
        return self._asked(made, seats, _trump(made[0], random), random, leader)

    def _favouring(self, weak: Kind, strong: Kind, random: Random) -> list[CardSet]:
        """Return a high declaration of the weaker kind and a low one of the stronger."""
        height, nothing = _height(self._rules), CardSet(0)
        stronger = of_kind(self._rules, strong, random) if strong[0] == _SQUARE else nothing
        weaker = max((of_kind(self._rules, weak, random, stronger) for _ in range(_DRAWS)), key=height)
        drawn = (of_kind(self._rules, strong, random, weaker) for _ in range(_DRAWS))
        return [weaker, stronger or min(drawn, key=height)]

    def _two_sequences(self) -> Iterator[Meeting]:
        """Yield meetings of two sequences: of one length from every two places on, and of every two lengths.

        Those of two lengths have the same highest card.
        """
        rules = self._rules
        for length in range(SHORTEST_SEQUENCE, min(rules.hand_size, _LONG) + 1):
            starts = range(len(RANKS) - length + 1)
            yield from (partial(self._sequences, (length, length), pair) for pair in combinations(starts, 2))
        lengths = range(SHORTEST_SEQUENCE, min(rules.hand_size, len(RANKS)) + 1)
        yield from (partial(self._sequences, pair, None) for pair in combinations(lengths, 2))

    def _sequences(self, lengths: tuple[int, int], starts: tuple[int, int] | None, random: Random) -> dict[str, Any]:
        if starts is None:
            top = random.randrange(max(lengths), len(RANKS) + 1)
            starts = top - lengths[0], top - lengths[1]
        suits = random.sample(EVERY_SUIT, 2)
        made = [_run(self._rules, *each) for each in zip(lengths, starts, suits, strict=True)]
        return self._asked(made, self._seats(random), _trump(made[0] | made[1], random), random)

    def _ties(self) -> Iterator[Meeting]:
        """Yield meetings of two sequences of the same ranks, for every two players as they sit from the leader on."""
        every = combinations(range(self._rules.players), 2)
        yield from (partial(self._tie, seats) for seats in every for _ in range(_TIES))

    def _tie(self, from_leader: tuple[int, int], random: Random) -> dict[str, Any]:
        rules = self._rules
        length = random.randrange(SHORTEST_SEQUENCE, min(rules.hand_size, _LONG) + 1)
        one, other, third, fourth = random.sample(EVERY_SUIT, len(EVERY_SUIT))
        start = random.randrange(len(RANKS) - length + 1)
        made = [_run(rules, length, start, suit) for suit in (one, other, third)[: 2 + (random.random() < _THIRD)]]
        leader = random.randrange(rules.players)
        seats = [(leader + seat) % rules.players for seat in random.sample(from_leader, 2)]
        trump = SUITS[fourth if random.random() < _ANY_TRUMP else random.choice(EVERY_SUIT)]
        return self._asked(made, seats, trump, random, leader)

    def _seats(self, random: Random) -> list[int]:
        return random.sample(range(self._rules.players), 2)

    def _asked(
        self, made: list[CardSet], seats: list[int], trump: str, random: Random, leader: int | None = None
    ) -> dict[str, Any]:
        rules = self._rules
        if len(made) == len(seats) and random.random() < _THIRD:
            made = [*made, of_kind(rules, random.choice(self._kinds), random)]
        return {
            "trump": trump,
            "leader": random.randrange(rules.players) if leader is None else leader,
            "announced": _announced(rules, made, [*seats, random.randrange(rules.players)]),
            **taker_told(rules, random),
        }


def taker_told(rules: Ruleset, random: Random) -> dict[str, int]:
    """Return who took, half of the time where it makes no difference."""
    matters = rules.value_or("declarations.winner-scores", "everybody") == "winning-camp"
    return {"taker": random.randrange(rules.players)} if random.random() < _TAKER_TOLD or matters else {}


def _trump(cards: CardSet, random: Random) -> str:
    """Return a trump suit, half of the time that of one of some cards."""
    suits = EVERY_SUIT if random.random() < _ANY_TRUMP else [suit_of(card) for card in cards_in(cards)]
    return SUITS[random.choice(suits or EVERY_SUIT)]


def _announced(rules: Ruleset, made: list[CardSet], seats: list[int]) -> list[list[list[str]]]:
    """Return what each player announces; a card is held once, and a square worth nothing is no declaration."""
    announced: list[list[list[str]]] = [[] for _ in range(rules.players)]
    taken = CardSet(0)
    for seat, cards in zip(seats, made, strict=False):
        more = [*announced[seat], names_of(cards)]
        if cards and not cards & taken and why_impossible(rules, "compare-declarations", {"announced": [more]}) is None:
            announced[seat], taken = more, taken | cards
    return announced


def _kinds(rules: Ruleset) -> list[Kind]:
    """Return the kinds of declarations that a deck holds."""
    lengths = range(SHORTEST_SEQUENCE, min(rules.hand_size, len(RANKS)) + 1)
    squares = (rank for rank in range(len(RANKS)) if possible_sets(rules, four_of(rank) & rules.deck))
    return [*((_RUN, length) for length in lengths), *((_SQUARE, rank) for rank in squares)]


def _strength(rules: Ruleset, kind: Kind) -> tuple[int, ...]:
    """Return what the weakest declaration of a kind is compared by; nothing where none are compared."""
    if rules.value_or("declarations.compared-by", None) is None:
        return ()
    name, number = kind
    cards = _run(rules, number, 0, EVERY_SUIT[-1]) if name == _RUN else four_of(number)
    found = possible_sets(rules, cards & rules.deck)
    return strength(rules, found[0][0], rules.modes[0]) if found else ()


def of_kind(rules: Ruleset, kind: Kind, random: Random, taken: CardSet | None = None) -> CardSet:
    """Return the cards of a square, or of a sequence that begins anywhere, but none that are taken if that can be."""
    name, number = kind
    if name == _SQUARE:
        return four_of(number) & rules.deck
    if not taken:
        return random_run(rules, number, random)
    starts = range(len(RANKS) - number + 1)
    runs = (_run(rules, number, start, suit) for start in starts for suit in EVERY_SUIT)
    return random.choice([run for run in runs if not run & taken] or [CardSet(0)])


def random_run(rules: Ruleset, length: int, random: Random) -> CardSet:
    """Return a sequence of a length that begins anywhere, as far as the deck has its cards."""
    return _run(rules, length, random.randrange(len(RANKS) - length + 1), random.choice(EVERY_SUIT))


def _run(rules: Ruleset, length: int, start: int, suit: Suit) -> CardSet:
    return sequence_of(rules, length, start, suit) & rules.deck


def _height(rules: Ruleset) -> Callable[[CardSet], int]:
    """Return how high a declaration begins in the order of sequences."""
    return lambda cards: max((rules.sequence_position[rank_of(card)] for card in cards_in(cards)), default=0)
