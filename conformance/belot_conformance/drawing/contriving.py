"""Questions made for what seldom happens: declarations that are nearly alike, hands that cannot follow, close ranks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Final

from belot_conformance.drawing.rivals import Rivals, random_run, taker_told
from belot_conformance.drawing.situations import Situations
from belot_conformance.drawing.turns import Turns
from belot_conformance.recording.random_questions import (
    Question,
    belote_plays,
    dealing,
    position,
    rich_hands,
    rivalry,
    some_cards,
    tally,
    trick_of_two_suits,
)
from belot_reference.cards import (
    EVERY_SUIT,
    SUIT_CARDS,
    Card,
    card_set,
    cards_in,
    names_of,
    rank_of,
)
from belot_reference.compile import Ruleset
from belot_reference.declarations import four_of
from belot_reference.operations import answer
from belot_reference.scoring import points_to_beat
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS

# How much of what can be about seldom things is; of declarations that are compared more is seldom than of all else.
_SHARES: Final = {
    "compare-declarations": 0.8, "declarations": 0.5, "trick-winner": 0.7, "deal": 0.7, "score-deal": 0.5,
    "legal-cards": 0.6,
}  # fmt: skip
# How many bids are passes and no more than one suit, and how many hands of few cards hold few suits.
_SHARE: Final = 0.5
_LENGTHS: Final = (3, 4, 5, 6, 7, 8)
# Cards in a hand are fewer than so many where all ways to play them are counted, so many cards deep at most.
_FEW: Final = 3
_DEEPEST: Final = 5

# How often the other cards of a trick are of any suit, and the taker's side ties with what it is held against.
_ANY_OTHERS: Final = 0.3
_TAKERS_TIE: Final = 0.6

Contriver = Callable[[Ruleset, Random], dict[str, Any]]


class Contriving:
    """Contrived questions of the ``OPERATIONS`` by the rules of a profile."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._rivals = Rivals(rules)
        self._neighbours = Turns(_neighbours(rules))
        self._crossings = Turns(product(_LENGTHS, range(len(RANKS))))
        self._limits = Turns(_limits(rules))
        self._situations = Situations(rules)

    def question(self, operation: str, random: Random) -> dict[str, Any]:
        """Return a question of an operation, half of those that can be about seldom things."""
        seldom = random.random() < _SHARES.get(operation, 0)
        return self._seldom(operation, random) if seldom else _ANY[operation](self._rules, random)

    def _seldom(self, operation: str, random: Random) -> dict[str, Any]:
        rules = self._rules
        match operation:
            case "compare-declarations":
                return self._rivals.question(random)
            case "declarations":
                return _crossing(rules, self._crossings.next(random), random)
            case "trick-winner":
                return _close(rules, self._neighbours.next(random), random)
            case "deal":
                return {**_shuffled(rules, random), **self._limits.next(random)}
            case "score-deal":
                return tied(rules, random)
            case _:
                return self._situations.question(random)


def contrived_questions(rules: Ruleset, each: int, seed: int, wanted: frozenset[str]) -> Iterator[Question]:
    """Yield so many contrived questions of each of the wanted operations; the same seed draws the same."""
    contriving, random = Contriving(rules), Random(f"contrived {rules.profile.id} {seed}")
    for operation in filter(wanted.__contains__, OPERATIONS):
        yield from ((operation, contriving.question(operation, random)) for _ in range(each))


def _limits(rules: Ruleset) -> Iterator[dict[str, int]]:
    """Yield cuts that leave just few enough cards in a packet, one less and one more, and as many shuffles likewise."""
    cards, least = rules.deck.bit_count(), rules.value("deal.cut-minimum")
    yield from ({"cut": cut} for few in (least - 1, least, least + 1) for cut in (few, cards - few))
    passes = rules.value_or("deal.shuffle-passes", None)
    most = passes if isinstance(passes, int) else 0
    yield from ({"cut": cards // 2, "shuffles": most + more} for more in (-1, 0, 1) if most + more >= 0)


def _neighbours(rules: Ruleset) -> Iterator[tuple[bool, int]]:
    """Yield every two neighbours in strength, in trump or not, by the place of the lower."""
    longest = max((SUIT_CARDS[suit] & rules.deck).bit_count() for suit in EVERY_SUIT)
    yield from product((False, True), range(longest - 1))


def _close(rules: Ruleset, two: tuple[bool, int], random: Random) -> dict[str, Any]:
    """Return a trick in which two neighbours in strength meet, most often with no other card that beats both."""
    is_trump, place = two
    suit = random.choice([one for one in EVERY_SUIT if (SUIT_CARDS[one] & rules.deck).bit_count() > place + 1])
    other, third = random.sample([one for one in EVERY_SUIT if one != suit], 2)
    trump, rest = (suit, other) if is_trump else (other, third)
    strength = rules.trump_strength if is_trump else rules.plain_strength
    order = sorted(cards_in(SUIT_CARDS[suit] & rules.deck), key=lambda card: strength[rank_of(card)])
    pair = random.sample(order[place : place + 2], 2)
    if random.random() < _ANY_OTHERS:
        rest = random.choice(EVERY_SUIT)
    others = SUIT_CARDS[rest] & rules.deck & ~card_set(pair)
    follow = [pair[1], *some_cards(others, rules.players - 2, random)]
    follow += some_cards(rules.deck & ~card_set([pair[0], *follow]), rules.players - len(follow) - 1, random)
    random.shuffle(follow)
    # Of two plain cards neither wins unless one of them was led.
    cards = [pair[0], *follow]
    if is_trump:
        random.shuffle(cards)
    return {"trump": SUITS[trump], "leader": random.randrange(rules.players), "cards": _named(cards)}


def tied(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return the points of a deal in which two sides have as many, or one has one point more.

    Most often these are the taker's side and what it is held against.
    """
    question = tally(rules, random)
    sides = question["sides"]
    one, other = random.sample(range(len(sides)), 2)
    gap = sum(sides[one].get(kind, 0) - sides[other].get(kind, 0) for kind in ("cards", "declarations", "belote"))
    if random.random() < _TAKERS_TIE:
        one = rules.side_of[question["taker"]]
        settled = answer("score-deal", rules, question, well_formed=True).result
        assert settled is not None
        counted = settled["counted"]
        other = max((side for side in range(len(sides)) if side != one), key=counted.__getitem__)
        gap = counted[one] - points_to_beat(rules, counted, one)
    moved = gap // 2 + random.choice((0, 0, 0, 1, -1))
    if all(sides[side]["tricks"] for side in (one, other)) and -sides[other]["cards"] <= moved <= sides[one]["cards"]:
        sides[one]["cards"] -= moved
        sides[other]["cards"] += moved
    return question


def _crossing(rules: Ruleset, kinds: tuple[int, int], random: Random) -> dict[str, Any]:
    """Return a hand with a sequence of a length and a square of a rank, which often share a card."""
    length, rank = kinds
    run = random_run(rules, length, random)
    if run and random.random() < 0.7:
        rank = rank_of(random.choice(list(cards_in(run))))
    square = four_of(rank) & rules.deck
    held = list(cards_in(run | square))
    others = some_cards(rules.deck & ~(run | square), max(0, rules.hand_size - len(held)), random)
    return {"hand": _named([*held, *others][: rules.hand_size])}


def _cards(rules: Ruleset, random: Random) -> dict[str, Any]:
    cards = some_cards(rules.deck, random.randrange(1, 9), random)
    return {"trump": random.choice(SUITS), "cards": _named(cards), "last_trick": random.random() < 0.3}


def _hands(rules: Ruleset, random: Random) -> dict[str, Any]:
    return {
        "trump": random.choice(SUITS),
        "leader": random.randrange(rules.players),
        "hands": [names_of(hand) for hand in rich_hands(rules, random)],
        **taker_told(rules, random),
    }


def _bids(rules: Ruleset, random: Random) -> dict[str, Any]:
    turned = {} if rules.value("deal.turn-up") == "none" else {"turn_up": _named(some_cards(rules.deck, 1, random))[0]}
    if random.random() < _SHARE:
        bids = ["pass"] * random.randrange(3 * rules.players)
        bids += random.choice(([], [random.choice(SUITS)]))
    else:
        bids = [random.choice(("pass", "pass", "pass", *SUITS)) for _ in range(random.randrange(2 * rules.players + 2))]
    return {"dealer": random.randrange(rules.players), **turned, "bids": bids}


def _shuffled(rules: Ruleset, random: Random) -> dict[str, Any]:
    deck = _named(some_cards(rules.deck, rules.deck.bit_count(), random))
    return dealing(rules, {"dealer": random.randrange(rules.players), "deck": deck}, random)


def _few_cards(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Have everybody hold so few cards that all ways to play them are soon counted."""
    each = random.randrange(1, _FEW)
    cards = _named(some_cards(rules.deck, rules.players * each * (1 + rules.open_piles), random))
    # A suit that is held by many is followed more often.
    cards.sort(key=lambda card: (SUITS.index(card[-1]), random.random()) if random.random() < _SHARE else (0, 0))
    hands = [cards[seat :: rules.players] for seat in range(rules.players)]
    piles = [[[hand[place], hand[place + each]] for place in range(each)] for hand in hands] if rules.open_piles else ()
    return {
        "trump": random.choice(SUITS),
        "leader": random.randrange(rules.players),
        **({"piles": piles} if rules.open_piles else {"hands": hands}),
        "depth": random.randrange(1, min(_DEEPEST, rules.players * each) + 1),
    }


def _named(cards: Sequence[Card]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


_ANY: Final[Mapping[str, Contriver]] = {
    "card-points": _cards,
    "trick-winner": lambda rules, random: trick_of_two_suits(rules, random.choice(EVERY_SUIT), random),
    "legal-cards": lambda rules, random: position(rules, random.choice(EVERY_SUIT), random),
    "declarations": lambda rules, random: {"hand": names_of(rich_hands(rules, random)[0])},
    "compare-declarations": lambda rules, random: rivalry(
        rules, random.choice(EVERY_SUIT), rich_hands(rules, random), random
    ),
    "compare-hands": _hands,
    "belote": lambda rules, random: belote_plays(rules, random.choice(EVERY_SUIT), random),
    "bidding": _bids,
    "deal": _shuffled,
    "score-deal": tally,
    "perft": _few_cards,
}
OPERATIONS: Final = tuple(_ANY)
