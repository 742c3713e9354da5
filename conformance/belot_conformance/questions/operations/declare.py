"""What is asked about declarations and belote: what a hand holds, which counts, and who says it when."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations, pairwise, product
from random import Random
from typing import Any, Final

from belot_conformance.questions.cards import Turns, named, rich_hands, sequence_of, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.operation import (
    MISSING,
    Fields,
    Json,
    Operation,
    Question,
    Seldom,
    each_sorted,
)
from belot_reference.cards import (
    EVERY_SUIT,
    ONLY,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    names_of,
    rank_of,
    suit_of,
)
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.deal import DealState
from belot_reference.declarations import count_in, four_of, possible_sets, strength, worth_hangs_on_mode
from belot_reference.play import PlayState
from belot_reference.possible import largest_hand, why_impossible
from belot_reference.questions import hands_named, mode_named
from belot_spec.card_names import RANKS, SUITS

# Questions of ``compare-declarations`` by lot: which of two players' declarations is the better.
# A *kind* is a length of sequence or a rank of square, a *meeting* what draws a question in which two kinds meet. Most
# meetings are of kinds that are neighbours in strength, where a program that compares wrongly is seen, and often the
# weaker one has all else in its favour: higher cards, trumps, or the lead.

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


_LENGTHS: Final = range(3, len(RANKS) + 1)
# What is asked of each operation.

# How often sequence and square share a card, a player leaves out some of what he may announce, and belote is said with
# a card of the pair, or with another.
_SHARED: Final = 0.7
_LESS: Final = 0.5
_SAID: Final = (0.03, 0.7)
# How often it is told in which suit the trick was led that a card is played to.
_LED: Final = 0.2


def _rich_hand(rules: Ruleset, random: Random) -> Fields:
    return {"hand": names_of(rich_hands(rules, random)[0]), **_mode_told(rules, random)}


def _mode_told(rules: Ruleset, random: Random) -> Fields:
    """Return what is trump where what squares are worth hangs on it."""
    if not worth_hangs_on_mode(rules):
        return {}
    return {"trump": random.choice([mode.name for mode in rules.playable_modes])}


def _hands_of(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    yield from ({"hand": names_of(hand), **_mode_told(rules, random)} for hand in deal.state.hands)


def _crossings(rules: Ruleset) -> Callable[[Random], Fields]:
    """Have a sequence of every length cross a square of every rank in turn."""
    kinds = Turns(product(_LENGTHS, range(len(RANKS))))
    return lambda random: _crossing(rules, kinds.next(random), random)


def _crossing(rules: Ruleset, kinds: tuple[int, int], random: Random) -> Fields:
    """Return a hand with a sequence of a length and a square of a rank, which often share a card."""
    (length, rank), size = kinds, largest_hand(rules)
    run = random_run(rules, length, random)
    if run and random.random() < _SHARED:
        rank = rank_of(random.choice(list(cards_in(run))))
    square = four_of(rank) & rules.deck
    held = list(cards_in(run | square))
    others = some_cards(rules.deck & ~(run | square), max(0, size - len(held)), random)
    return {"hand": named([*held, *others][:size]), **_mode_told(rules, random)}


def _hands(rules: Ruleset, random: Random) -> Fields:
    return {
        "trump": random.choice(SUITS),
        "leader": random.randrange(rules.players),
        "hands": [names_of(hand) for hand in rich_hands(rules, random)],
        **taker_told(rules, random),
    }


def _rivalry(rules: Ruleset, random: Random) -> Fields:
    """Return what the players announce: one of their largest sets, or only some of it."""
    trump, announced = random.choice(SUITS), []
    for hand in rich_hands(rules, random):
        found = list(random.choice(possible_sets(rules, hand) or [()]))
        if found and random.random() < _LESS:
            found = random.sample(found, random.randrange(len(found) + 1))
        announced.append([names_of(one.cards) for one in found])
    leader, taker = random.randrange(rules.players), random.randrange(rules.players)
    return {"trump": trump, "leader": leader, "announced": announced, "taker": taker}


def compared_in(state: DealState, play: PlayState) -> Fields:
    """Return the question whose declarations count in a deal that was played."""
    leader = play.tricks[0].leader if play.tricks else play.leader
    taker = {} if state.bidding.taker is None else {"taker": state.bidding.taker}
    announced = [[names_of(one.cards) for one in declarations] for declarations in state.announced]
    return {"trump": play.mode.name, "leader": leader, "announced": announced, **taker}


def _announced_in(_: Ruleset, deal: RecordedDeal, _random: Random, _share: float) -> Iterator[Json]:
    if deal.state.play is not None and deal.state.play.tricks:
        yield compared_in(deal.state, deal.state.play)


def _belote_plays(rules: Ruleset, random: Random) -> Fields:
    """Return the cards that somebody plays who often holds king and queen of trump, and when he says belote."""
    trump = random.choice(EVERY_SUIT)
    royal = [card_at(RANKS.index(rank), trump) for rank in ("K", "Q")][: random.choice((1, 2, 2, 2))]
    royal = [card for card in royal if ONLY[card] & rules.deck]
    others = some_cards(rules.deck & ~card_set(royal), rules.hand_size - len(royal), random)
    plays = random.sample([*royal, *others], random.randrange(1, rules.hand_size + 1))
    calls = [random.random() < _SAID[card in royal] for card in plays]
    told = [{"card": card, **({"call": True} if call else {})} for card, call in zip(named(plays), calls, strict=True)]
    if rules.has_auction:
        told = [{**one, **({"led": random.choice(SUITS)} if random.random() < _LED else {})} for one in told]
    return {"trump": SUITS[trump], "hand": named((*royal, *others)), "plays": told}


def _of_hands(rules: Ruleset, question: Json) -> Iterator[Question]:
    announced = []
    for hand in hands_named(rules, question["hands"]):
        if hand.bit_count() == largest_hand(rules):
            yield Question("declarations", {"hand": names_of(hand)})
        announced.append([names_of(one.cards) for one in next(iter(possible_sets(rules, hand)), ())])
    rest = {key: value for key, value in question.items() if key != "hands"}
    if count_in(rules, mode_named(rules, question["trump"])):
        yield Question("compare-declarations", {**rest, "announced": announced})


def _sets_sorted(value: Any) -> Any:
    """Put sets of declarations in a fixed order: the sets, the declarations in a set, the cards in a declaration."""
    return sorted((_set_sorted(item) for item in value), key=repr) if isinstance(value, list) else value


def _set_sorted(value: Any) -> Any:
    if not isinstance(value, Mapping) or not isinstance(value.get("declarations"), list):
        return value
    declarations = sorted(each_sorted(value["declarations"]), key=repr)
    return {"declarations": declarations, "points": value.get("points", MISSING)}


DECLARATIONS: Final = Operation(
    "declarations",
    rank=3,
    contrive=_rich_hand,
    seldom=Seldom(0.5, _crossings),
    from_deal=_hands_of,
    each=4,
    slower=4,
    in_order={"sets": _sets_sorted},
)
COMPARE_DECLARATIONS: Final = Operation(
    "compare-declarations",
    rank=4,
    contrive=_rivalry,
    seldom=Seldom(0.8, lambda rules: Rivals(rules).question),
    from_deal=_announced_in,
    each=16,
    slower=6,
)
COMPARE_HANDS: Final = Operation(
    "compare-hands",
    rank=8,
    contrive=_hands,
    parts=_of_hands,
    is_long=True,
)
BELOTE: Final = Operation(
    "belote",
    rank=5,
    contrive=_belote_plays,
    each=3,
    slower=1,
)
