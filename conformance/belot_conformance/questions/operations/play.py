"""What is asked about playing cards: their worth, who wins, what is legal, in how many ways they can be played."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

from belot_conformance.questions.cards import Turns, named, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.dealt import asked_in, following, positions_of
from belot_conformance.questions.operation import Fields, Json, Operation, Question, Seldom, texts_sorted
from belot_reference.cards import (
    EVERY_SUIT,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    rank_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.perft import opened
from belot_reference.play import CompletedTrick, PlayState
from belot_spec.card_names import CARD_NAMES, RANKS, SUITS

# Positions in which a card is to be played: everything that may lie there meets everything that may be held.

# What may be held of a suit: none, only cards below the best that lies there, only above it, or both.
_HELD: Final = ((False, False), (False, True), (True, False), (True, True))
_MOST_OF_A_KIND: Final = 2
# With so few players whoever ruffs ends the trick.
_FEWEST: Final = 2


class _Situation(NamedTuple):
    """What lies there: a trump led or not, ruffed or not; what is held of trump and of the suit that was led.

    These say whether any cards below and any above the best of the suit; ``plain`` whether any of other suits.
    """

    trump_led: bool
    ruffed: bool
    led: tuple[bool, bool]
    trump: tuple[bool, bool]
    plain: bool


class Situations:
    """Questions of ``legal-cards``, each about the next situation until there was every one, and then anew."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._situations = Turns(_every(rules.players))
        self._suits = [suit for suit in EVERY_SUIT if SUIT_CARDS[suit] & rules.deck]

    def question(self, random: Random) -> dict[str, Any]:
        """Return a trick and a hand for the next situation, as far as the deck has the cards."""
        wanted = self._situations.next(random)
        trump, other = random.sample(self._suits, 2)
        led = trump if wanted.trump_led else other
        trick = self._trick(wanted, trump, led, random)
        hand = self._hand(wanted, trump, led, trick, random)
        named = ([CARD_NAMES[card] for card in cards] for cards in (hand, trick))
        return {"trump": SUITS[trump], **dict(zip(("hand", "trick"), named, strict=True))}

    def _trick(self, wanted: _Situation, trump: Suit, led: Suit, random: Random) -> list[Card]:
        deck = self._rules.deck
        trick = [random.choice(list(cards_in(SUIT_CARDS[led] & deck)))]
        lying = random.randrange(1 + wanted.ruffed, self._rules.players)
        while len(trick) < lying:
            suit = random.choice([led, *(one for one in self._suits if one != trump)])
            left = deck & ~card_set(trick)
            trick += some_cards(SUIT_CARDS[suit] & left or left, 1, random)
        if wanted.ruffed:
            for place in random.sample(range(1, lying), random.randrange(1, lying)):
                trumps = SUIT_CARDS[trump] & deck & ~card_set(trick)
                trick[place] = random.choice(list(cards_in(trumps or ONLY[trick[place]])))
        return trick

    def _hand(self, wanted: _Situation, trump: Suit, led: Suit, trick: Sequence[Card], random: Random) -> list[Card]:
        free = self._rules.deck & ~card_set(trick)
        kinds = self._around(trick, led, trump, wanted.led)
        kinds += [] if wanted.trump_led else self._around(trick, trump, trump, wanted.trump)
        if wanted.plain:
            kinds.append(free & ~SUIT_CARDS[trump] & ~SUIT_CARDS[led])
        hand: list[Card] = []
        for kind in kinds:
            cards = list(cards_in(kind & free))
            hand += random.sample(cards, min(len(cards), random.randrange(1, _MOST_OF_A_KIND + 1)))
        return hand[: self._rules.hand_size] or [random.choice(list(cards_in(free)))]

    def _around(self, trick: Sequence[Card], suit: Suit, trump: Suit, held: tuple[bool, bool]) -> list[CardSet]:
        """Return the cards of a suit below and above its best one in a trick, each if it is held."""
        strength = self._rules.trump_strength if suit == trump else self._rules.plain_strength
        best = max((strength[rank_of(card)] for card in trick if suit_of(card) == suit), default=-1)
        cards = list(cards_in(SUIT_CARDS[suit] & self._rules.deck))
        below = card_set(card for card in cards if strength[rank_of(card)] < best)
        above = card_set(card for card in cards if strength[rank_of(card)] > best)
        return [kind for kind, wanted in zip((below, above), held, strict=True) if wanted]


def _every(players: int) -> Iterator[_Situation]:
    for led, plain in product(_HELD, (False, True)):
        if any(led) or plain:
            yield _Situation(True, False, led, (False, False), plain)
    for ruffed in (False, True) if players > _FEWEST else (False,):
        for trump, plain in product(_HELD, (False, True)):
            if any(trump) or plain:
                yield _Situation(False, ruffed, (False, False), trump, plain)
        # Who can follow seldom does anything with his trumps.
        for led, trump in product(_HELD[1:], (_HELD[0], _HELD[-1])):
            yield _Situation(False, ruffed, led, trump, True)


# What is asked of each operation.

# How often the other cards of a trick are of any suit, and hands of few cards hold few suits.
_ANY_OTHERS: Final = 0.3
_LAST_TRICK: Final = 0.5
_FEW_SUITS: Final = 0.5
# Of a deal so many tricks are asked about.
_TRICKS: Final = 3
# Every way to play so many cards is soon counted; of a deal that was played the last tricks are, of so many cards.
_DEEPEST: Final = 5
_LAST_CARDS: Final = 8
_FEW: Final = 3


def _cards(rules: Ruleset, random: Random) -> Fields:
    cards = some_cards(rules.deck, random.randrange(1, 9), random)
    is_last = random.random() < _LAST_TRICK and len(cards) >= rules.players
    return {"trump": random.choice(SUITS), "cards": named(cards), "last_trick": is_last}


def _trick_of_two_suits(rules: Ruleset, random: Random) -> Fields:
    """Return a whole trick, most often of trumps and one other suit."""
    trump, plain = random.choice(EVERY_SUIT), random.choice(EVERY_SUIT)
    two_suits = rules.deck & card_set(card_at(rank, suit) for suit in (trump, plain) for rank in range(len(RANKS)))
    cards = some_cards(two_suits if random.random() < 0.8 else rules.deck, rules.players, random)
    return {"trump": SUITS[trump], "leader": random.randrange(rules.players), "cards": named(cards)}


def _close_ranks(rules: Ruleset) -> Callable[[Random], Fields]:
    """Have every two neighbours in strength meet in turn, in trump or not."""
    longest = max((SUIT_CARDS[suit] & rules.deck).bit_count() for suit in EVERY_SUIT)
    neighbours = Turns(product((False, True), range(longest - 1)))
    return lambda random: _close(rules, neighbours.next(random), random)


def _close(rules: Ruleset, two: tuple[bool, int], random: Random) -> Fields:
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
    return {"trump": SUITS[trump], "leader": random.randrange(rules.players), "cards": named(cards)}


def _position(rules: Ruleset, random: Random) -> Fields:
    """Return a hand and a running trick in which trumps and the led suit are frequent."""
    trump = random.choice(EVERY_SUIT)
    suits = (trump, trump, random.choice(EVERY_SUIT), random.choice(EVERY_SUIT))
    free = rules.deck
    trick: list[Card] = []
    for _ in range(random.randrange(rules.players)):
        suit = random.choice((suit_of(trick[0]), *suits)) if trick else random.choice(suits)
        # Of a suit that is not played with, nobody plays a card.
        choices = list(cards_in(free & SUIT_CARDS[suit])) or list(cards_in(free))
        card = random.choice(choices)
        trick.append(card)
        free &= ~ONLY[card]
    hand = some_cards(free, random.randrange(1, 7), random)
    return {"trump": SUITS[trump], "hand": named(hand), "trick": named(trick)}


def _tricks_of(deal: RecordedDeal, random: Random) -> Iterator[tuple[PlayState, CompletedTrick]]:
    play = deal.state.play
    if play is not None:
        yield from ((play, trick) for trick in random.sample(play.tricks, min(_TRICKS, len(play.tricks))))


def _won_in(_: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    for play, trick in _tricks_of(deal, random):
        yield {"trump": play.mode.name, "leader": trick.leader, "cards": named(trick.cards)}


def _worth_in(_: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    for play, trick in _tricks_of(deal, random):
        is_last = trick is play.tricks[-1]
        yield {"trump": play.mode.name, "cards": named(trick.cards), "last_trick": is_last}


def _positions(rules: Ruleset, deal: RecordedDeal, random: Random, share: float) -> Iterator[Json]:
    """Yield what players were to choose from, a share of all that there was."""
    play = deal.state.play
    if play is not None and play.tricks:
        yield from (one for one in positions_of(rules, deal.state, play) if random.random() < share)


def _last_tricks(rules: Ruleset, deal: RecordedDeal, _random: Random, _share: float) -> Iterator[Json]:
    """Yield in how many ways the last tricks of a deal that was played out may be played."""
    play = deal.state.play
    if play is None or rules.open_piles or deal.state.ended != "played":
        return
    last = play.tricks[-max(1, _LAST_CARDS // rules.players) :]
    hands: list[list[str]] = [[] for _ in range(rules.players)]
    for trick in last:
        for place, card in enumerate(named(trick.cards)):
            hands[(trick.leader + place) % rules.players].append(card)
    depth = len(last) * rules.players
    yield {"trump": play.mode.name, "leader": last[0].leader, "hands": hands, "depth": depth}


def _few_cards(rules: Ruleset, random: Random) -> Fields:
    """Have everybody hold so few cards that all ways to play them are soon counted."""
    each = random.randrange(1, _FEW)
    cards = named(some_cards(rules.deck, rules.players * each * (1 + rules.open_piles), random))
    # A suit that is held by many is followed more often.
    cards.sort(key=lambda card: (SUITS.index(card[-1]), random.random()) if random.random() < _FEW_SUITS else (0, 0))
    hands = [cards[seat :: rules.players] for seat in range(rules.players)]
    piles = [[[hand[place], hand[place + each]] for place in range(each)] for hand in hands] if rules.open_piles else ()
    return {
        "trump": random.choice(SUITS),
        "leader": random.randrange(rules.players),
        **({"piles": piles} if rules.open_piles else {"hands": hands}),
        "depth": random.randrange(1, min(_DEEPEST, rules.players * each) + 1),
    }


def _of_count(rules: Ruleset, question: Json) -> Iterator[Question]:
    plays, start = opened(rules, question)
    level: Iterable[PlayState] = (start,)
    asked = set()
    for _ in range(question["depth"]):
        level = [state for state in level if state.hands[state.turn]]
        for state in level:
            # What the others hold makes no difference here.
            if (seen := (state.hands[state.turn], state.cards)) not in asked:
                asked.add(seen)
                yield Question("legal-cards", asked_in(state))
        level = following(plays, level)


CARD_POINTS: Final = Operation(
    "card-points",
    rank=2,
    contrive=_cards,
    from_deal=_worth_in,
    each=2,
    slower=1,
)
TRICK_WINNER: Final = Operation(
    "trick-winner",
    rank=1,
    contrive=_trick_of_two_suits,
    seldom=Seldom(0.7, _close_ranks),
    from_deal=_won_in,
    each=6,
    slower=1,
)
LEGAL_CARDS: Final = Operation(
    "legal-cards",
    rank=0,
    contrive=_position,
    seldom=Seldom(0.6, lambda rules: Situations(rules).question),
    from_deal=_positions,
    each=12,
    slower=1,
    in_order={"cards": texts_sorted},
    reasons="illegal",
)
PERFT: Final = Operation(
    "perft",
    rank=14,
    contrive=_few_cards,
    from_deal=_last_tricks,
    parts=_of_count,
)
