"""Questions made for what seldom happens: declarations that are nearly alike, hands that cannot follow, close ranks."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from belot_conformance.fuzz.rivals import Rivals, random_run, taker_told
from belot_conformance.recording.random_questions import (
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
    CardSet,
    card_set,
    cards_in,
    names_of,
    rank_of,
)
from belot_reference.compile import Ruleset
from belot_reference.declarations import four_of
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS

# How much of what can be about seldom things is.
_SHARE: Final = 0.5
_LENGTHS: Final = (3, 4, 5, 6, 7, 8)
# Cards in a hand are fewer than so many where all ways to play them are counted, so many cards deep at most.
_FEW: Final = 3
_DEEPEST: Final = 5

# Of declarations that are compared more is seldom than of anything else.
_RIVALS: Final = 0.7

Contriver = Callable[[Ruleset, Random], dict[str, Any]]


class Contriving:
    """Contrived questions of the ``OPERATIONS`` by the rules of a profile."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._rivals = Rivals(rules)

    def question(self, operation: str, random: Random) -> dict[str, Any]:
        """Return a question of an operation, half of those that can be about seldom things."""
        if operation == "compare-declarations" and random.random() < _RIVALS:
            return self._rivals.question(random)
        if operation in _SELDOM and random.random() < _SHARE:
            return _SELDOM[operation](self._rules, random)
        return _ANY[operation](self._rules, random)


def _void(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a hand that cannot follow, with trumps above and below those that lie there."""
    trump, led = random.choice(EVERY_SUIT), random.choice(EVERY_SUIT)
    size = random.randrange(1, rules.players)
    leads = list(cards_in(SUIT_CARDS[led] & rules.deck))
    others = list(cards_in((SUIT_CARDS[led] | SUIT_CARDS[trump]) & rules.deck))
    trick = [random.choice(leads)]
    while len(trick) < size:
        card = random.choice(others)
        if card not in trick:
            trick.append(card)
    free = rules.deck & ~card_set(trick)
    plain = free & ~SUIT_CARDS[trump] & ~(SUIT_CARDS[led] if random.random() < 0.8 else CardSet(0))
    trumps = list(cards_in(free & SUIT_CARDS[trump]))
    hand = random.sample(trumps, random.randrange(min(4, len(trumps)) + 1))
    rest = list(cards_in(plain & ~card_set(hand)))
    hand += random.sample(rest, random.randrange(0 if hand else 1, 4))
    return {
        "trump": SUITS[trump],
        "hand": [CARD_NAMES[card] for card in hand],
        "trick": [CARD_NAMES[card] for card in trick],
    }


def _close(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a trick in which two cards meet that follow each other in rank, the others of their suit or of another."""
    suit, trump = random.choice(EVERY_SUIT), random.choice(EVERY_SUIT)
    strength = rules.trump_strength if suit == trump else rules.plain_strength
    order = sorted(cards_in(SUIT_CARDS[suit] & rules.deck), key=lambda card: strength[rank_of(card)])
    place = random.randrange(len(order) - 1)
    pair = order[place : place + 2]
    others = SUIT_CARDS[random.choice(EVERY_SUIT)] & rules.deck & ~card_set(pair)
    cards = [*pair, *random.sample(list(cards_in(others)), rules.players - 2)]
    random.shuffle(cards)
    return {"trump": SUITS[trump], "leader": random.randrange(rules.players), "cards": _named(cards)}


def tied(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return the points of a deal in which two sides have as many, or one has one point more."""
    question = tally(rules, random)
    sides = [dict(side) for side in question["sides"]]
    one, other = random.sample(range(len(sides)), 2)
    gap = sum(sides[one].get(kind, 0) - sides[other].get(kind, 0) for kind in ("cards", "declarations", "belote"))
    moved = gap // 2 + random.choice((0, 0, 0, 1, -1))
    if (
        sides[one]["tricks"]
        and sides[other]["tricks"]
        and moved + sides[other]["cards"] >= 0
        and moved <= sides[one]["cards"]
    ):
        sides[one]["cards"] -= moved
        sides[other]["cards"] += moved
    return {**question, "sides": sides}


def _crossing(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a hand with a sequence and a square, which often share a card."""
    run = random_run(rules, random.choice(_LENGTHS), random)
    rank = random.randrange(len(RANKS))
    if run and random.random() < 0.7:
        rank = rank_of(random.choice(list(cards_in(run))))
    square = four_of(rank) & rules.deck
    held = list(cards_in(run | square))
    others = some_cards(rules.deck & ~(run | square), max(0, rules.hand_size - len(held)), random)
    return {"hand": _named([*held, *others][: rules.hand_size])}


_SELDOM: Final[Mapping[str, Contriver]] = {
    "declarations": _crossing,
    "score-deal": tied,
    "legal-cards": _void,
    "trick-winner": _close,
}


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
