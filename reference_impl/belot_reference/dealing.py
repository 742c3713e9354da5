"""Cutting and dealing: packets, the turn-up, the rest once there is a taker, and piles that lie open."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from belot_reference.cards import NO_CARDS, ONLY, Card, CardSet, card_set, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.errors import BadCut, BadQuestionError, BadShuffle
from belot_reference.sentences import say
from belot_spec.card_names import CARD_NAMES

Pile = tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Dealt:
    """What lies on the table when the bidding starts; ``piles`` are (open card, covered card) per seat."""

    dealer: int
    hands: tuple[CardSet, ...]
    turn_up: Card | None
    stock: tuple[Card, ...]
    piles: tuple[tuple[Pile, ...], ...] = ()


def cutter(rules: Ruleset, dealer: int) -> int:
    """Return the seat that cuts."""
    rules.check_seat("dealer", dealer)
    step = -1 if rules.value("deal.cutter") == "before-dealer" else 1
    return (dealer + step) % rules.players


def check_shuffle(rules: Ruleset, passes: int | None) -> None:
    """Refuse more overhand passes than the variant allows, or none where it wants one; raises ``BadShuffle``.

    Where it is not told how many there were, there may have been any.
    """
    match rules.value("deal.shuffle-passes"):
        case "any":
            allowed = True
        case "at-least-one":
            allowed = passes != 0
        case most:
            allowed = (passes or 0) <= most
    if not allowed:
        raise BadShuffle("deal.shuffle-passes")


def check_deck(rules: Ruleset, deck: Sequence[Card]) -> None:
    """Raise ``BadQuestionError`` unless a deck holds every card of the variant once and nothing else."""
    for card in deck:
        if not 0 <= card < len(CARD_NAMES):
            raise BadQuestionError(f"deck: a card is a number from 0 to {len(CARD_NAMES) - 1}, not {card}")
    cards = card_set(deck)
    if cards == rules.deck and len(deck) == cards.bit_count():
        return
    twice = [CARD_NAMES[card] for card in cards_in(cards) if deck.count(card) > 1]
    wrong = (
        ("cards-missing-here", names_of(rules.deck & ~cards)),
        ("cards-too-much", names_of(cards & ~rules.deck)),
        ("cards-twice", twice),
    )
    first, *others = (say(told, cards=" ".join(names)) for told, names in wrong if names)
    for other in others:
        first = say("and", one=first, other=other)
    raise BadQuestionError(say("whole-deck", of="deck", profile=rules.profile.id, faults=first))


def cut_deck(rules: Ruleset, deck: Sequence[Card], cut: int | None) -> tuple[Card, ...]:
    """Lift ``cut`` cards off the top and put them under the rest; ``None`` leaves the deck as it is.

    Raises ``BadCut`` where the cut is a duty and missing, or where a packet is too small.
    """
    if cut is None:
        if rules.value("deal.cut-required"):
            raise BadCut("deal.cut-required")
        return tuple(deck)
    if min(cut, len(deck) - cut) < rules.value("deal.cut-minimum"):
        raise BadCut("deal.cut-minimum")
    return (*deck[cut:], *deck[:cut])


def deal_before_bidding(rules: Ruleset, dealer: int, deck: Sequence[Card]) -> Dealt:
    """Deal the packets that come before the bidding, and turn up a card where the variant does.

    Where the cards lie in piles, the first half of the packets is covered by the second, and a hand is what lies open.
    Raises ``BadQuestionError`` for a dealer who is not at the table and for a deck that is not whole.
    """
    rules.check_seat("dealer", dealer)
    check_deck(rules, deck)
    cards = iter(deck)
    dealt: list[list[Card]] = [[] for _ in range(rules.players)]
    for size in rules.value("deal.packets-before-bidding"):
        for seat in _round(rules, dealer):
            dealt[seat] += [next(cards) for _ in range(size)]
    turn_up = None if rules.value("deal.turn-up") == "none" else next(cards)
    if rules.open_piles:
        piles = tuple(_piles(hand) for hand in dealt)
        return Dealt(dealer, tuple(map(open_cards, piles)), turn_up, tuple(cards), piles)
    return Dealt(dealer, tuple(card_set(hand) for hand in dealt), turn_up, tuple(cards))


def _piles(cards: Sequence[Card]) -> tuple[Pile, ...]:
    half = len(cards) // 2
    return tuple(zip(cards[half:], cards[:half], strict=True))


def open_cards(piles: Sequence[Pile]) -> CardSet:
    """Return the cards that lie open on a player's piles."""
    return card_set(top for top, _ in piles)


def deal_after_bidding(rules: Ruleset, dealt: Dealt, taker: int) -> tuple[CardSet, ...]:
    """Return the full hands: the taker gets the turn-up, and so one card fewer from the stock.

    Where cards are left over for the taker, he has them too and has not yet laid any away. Raises ``BadQuestionError``
    for a taker who is not at the table.
    """
    rules.check_seat("taker", taker)
    hands = list(dealt.hands)
    stock = iter(dealt.stock)
    turn_up = dealt.turn_up if rules.value("deal.turn-up") == "to-taker" else None
    for size in rules.value("deal.packets-after-bidding"):
        for seat in _round(rules, dealt.dealer):
            from_stock = size
            if turn_up is not None and seat == taker:
                hands[seat] |= ONLY[turn_up]
                turn_up = None
                from_stock -= 1
            hands[seat] |= card_set([next(stock) for _ in range(from_stock)])
    if rules.value_or("deal.taker-discards", 0):
        hands[taker] |= card_set(stock)
    return tuple(hands)


def untouched_cards(rules: Ruleset, dealt: Dealt) -> tuple[CardSet, ...]:
    """Return the cards that lie before each seat while the bidding goes on, dealt but not looked at; often none."""
    untouched = [NO_CARDS] * rules.players
    if rules.value_or("deal.last-packets", "dealt-after-bidding") == "dealt-untouched":
        stock = iter(dealt.stock)
        for size in rules.value("deal.packets-after-bidding"):
            for seat in _round(rules, dealt.dealer):
                untouched[seat] |= card_set([next(stock) for _ in range(size)])
    return tuple(untouched)


def _round(rules: Ruleset, dealer: int) -> Iterator[int]:
    first_dealt = rules.value("deal.first-dealt")
    first = 0 if first_dealt == "first-seat" else dealer + (first_dealt == "eldest")
    return ((first + step) % rules.players for step in range(rules.players))
