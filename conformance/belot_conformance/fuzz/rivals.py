"""Declarations of several players that are compared: any two kinds meet, most often two of which one just wins."""

from itertools import combinations, pairwise
from random import Random
from typing import Any, Final

from belot_reference.cards import EVERY_SUIT, CardSet, Suit, card_at, card_set, cards_in, names_of, rank_of, suit_of
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.declarations import four_of, possible_sets, strength
from belot_spec.card_names import RANKS, SUITS

# How many sequences of one length have the same ranks, how often the taker is told, and how often a third player
# announces too.
_TIED: Final = 0.5
_TAKER_TOLD: Final = 0.5
_THIRD: Final = 0.3
# Of all pairs so many times fewer meet than of those that are close to each other.
_FEWER: Final = 2
# So often another sequence is drawn for one that shares a card with what is there.
_TRIALS: Final = 6
_ANY_TRUMP: Final = 0.5

_RUN: Final = "sequence"
_SQUARE: Final = "square"
# A length of sequence, or a rank of square.
Kind = tuple[str, int]


class Rivals:
    """Questions of ``compare-declarations``, each about the next two kinds until all have met, and then anew."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        kinds = {kind: _strength(rules, kind) for kind in _kinds(rules)}
        self._kinds = sorted(kinds, key=kinds.__getitem__)
        self._close = [*pairwise(self._kinds), *((kind, kind) for kind in self._kinds if kind[0] == _RUN)]
        # A sequence and a square that may be worth the same to each other, as far as their kinds go.
        pairs = ((one, other) for one, other in combinations(self._kinds, 2) if one[0] != other[0])
        self._close += [(one, other) for one, other in pairs if kinds[one][:1] == kinds[other][:1]]
        self._to_meet: list[tuple[Kind, Kind]] = []

    def question(self, random: Random) -> dict[str, Any]:
        """Have two players, now and then three, announce one declaration each."""
        rules = self._rules
        first, second = self._next_pair(random)
        one = of_kind(rules, first, random)
        other = _apart_from(rules, one, second, random)
        if first == second and first[0] == _RUN and random.random() < _TIED:
            other = _moved_to(one, random.choice(EVERY_SUIT))
        third = [of_kind(rules, random.choice(self._kinds), random)] if random.random() < _THIRD else []
        return {
            "trump": _trump(one | other, random),
            "leader": random.randrange(rules.players),
            "announced": _announced(rules, [one, other, *third], random),
            **taker_told(rules, random),
        }

    def _next_pair(self, random: Random) -> tuple[Kind, Kind]:
        if not self._to_meet:
            others = [*combinations(self._kinds, 2)]
            self._to_meet = [*self._close, *random.sample(others, len(self._close) // _FEWER)]
            random.shuffle(self._to_meet)
        return self._to_meet.pop()


def taker_told(rules: Ruleset, random: Random) -> dict[str, int]:
    """Return who took, which may be left out where it makes no difference."""
    return {"taker": random.randrange(rules.players)} if random.random() < _TAKER_TOLD else {}


def _trump(cards: CardSet, random: Random) -> str:
    """Return a trump suit, half of the time that of one of some cards."""
    suits = EVERY_SUIT if random.random() < _ANY_TRUMP else [suit_of(card) for card in cards_in(cards)]
    return SUITS[random.choice(suits or EVERY_SUIT)]


def _announced(rules: Ruleset, made: list[CardSet], random: Random) -> list[list[list[str]]]:
    """Return what each player announces; a card is held once, and a square worth nothing is no declaration."""
    announced: list[list[list[str]]] = [[] for _ in range(rules.players)]
    seats = [*random.sample(range(rules.players), 2), random.randrange(rules.players)]
    taken = CardSet(0)
    for seat, cards in zip(seats, made, strict=False):
        if cards and not cards & taken and possible_sets(rules, cards):
            announced[seat].append(names_of(cards))
            taken |= cards
    return announced


def _apart_from(rules: Ruleset, taken: CardSet, kind: Kind, random: Random) -> CardSet:
    """Return cards of a kind that share none with others, if some trials find any."""
    found = of_kind(rules, kind, random)
    for _ in range(_TRIALS):
        if not found & taken:
            break
        found = of_kind(rules, kind, random)
    return found


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
    return strength(rules, found[0][0], EVERY_SUIT[0]) if found else ()


def of_kind(rules: Ruleset, kind: Kind, random: Random) -> CardSet:
    """Return the cards of a square, or of a sequence that begins anywhere."""
    name, number = kind
    return random_run(rules, number, random) if name == _RUN else four_of(number) & rules.deck


def random_run(rules: Ruleset, length: int, random: Random) -> CardSet:
    """Return a sequence of a length that begins anywhere, as far as the deck has its cards."""
    return _run(rules, length, random.randrange(len(RANKS) - length + 1), random.choice(EVERY_SUIT))


def _run(rules: Ruleset, length: int, start: int, suit: Suit) -> CardSet:
    ranks = (rules.sequence_position.index(position) for position in range(start, start + length))
    return card_set(card_at(rank, suit) for rank in ranks) & rules.deck


def _moved_to(cards: CardSet, suit: Suit) -> CardSet:
    """Return cards of the same ranks in another suit."""
    return card_set(card_at(rank_of(card), suit) for card in cards_in(cards))
