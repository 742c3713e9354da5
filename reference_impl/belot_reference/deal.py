"""A deal: from a deck that was cut or from known cards, and as an immutable value between two actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from belot_reference.auction import taken
from belot_reference.belote import NO_CALLS, Calls
from belot_reference.bidding import Bidding, start_bidding
from belot_reference.cards import (
    CARD_BY_NAME,
    NO_CARDS,
    ONLY,
    Card,
    CardSet,
    card_set,
    cards_in,
    holds,
    names_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.declarations import Declaration
from belot_reference.errors import BadCut, BadQuestionError, BadShuffle
from belot_reference.play import PlayState, first_leader, start_play
from belot_reference.questions import (
    Json,
    cards_named,
    check_in_deck,
    check_turn_up,
    contract_named,
    hands_named,
)
from belot_reference.sentences import say
from belot_spec.card_names import CARD_NAMES

Pile = tuple[Card, Card]
_THREE: Final = 3


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
        case "at-least-three":
            allowed = passes is None or passes >= _THREE
        case most:
            allowed = (passes or 0) <= most
    if not allowed:
        raise BadShuffle("deal.shuffle-passes")


def check_deck(rules: Ruleset, deck: Sequence[Card]) -> None:
    """Raise ``BadQuestionError`` unless a deck holds every card of the variant once and nothing else."""
    whole = _cards_of(rules.deck)
    if len(deck) == len(whole) and whole == {*deck}:
        return
    for card in deck:
        if not 0 <= card < len(CARD_NAMES):
            raise BadQuestionError(f"deck: a card is a number from 0 to {len(CARD_NAMES) - 1}, not {card}")
    cards = card_set(deck)
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


@lru_cache(maxsize=8)
def _cards_of(deck: CardSet) -> frozenset[Card]:
    return frozenset(cards_in(deck))


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
    dealt: list[list[Card]] = [[] for _ in range(rules.players)]
    top, order = 0, _round(rules, dealer)
    for size in rules.value("deal.packets-before-bidding"):
        for seat in order:
            dealt[seat] += deck[top : top + size]
            top += size
    stock = tuple(deck[top:])
    match rules.value("deal.turn-up"):
        case "none":
            turn_up = None
        case "dealers-last-card":
            turn_up = dealt[dealer][-1]
        case _:
            turn_up, stock = stock[0], stock[1:]
    if rules.open_piles:
        piles = tuple(_piles(hand) for hand in dealt)
        return Dealt(dealer, tuple(map(open_cards, piles)), turn_up, stock, piles)
    return Dealt(dealer, tuple(card_set(hand) for hand in dealt), turn_up, stock)


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
    hands, stock, top = list(dealt.hands), dealt.stock, 0
    turn_up = dealt.turn_up if rules.value("deal.turn-up") == "to-taker" else None
    order = _round(rules, dealt.dealer)
    for size in rules.value("deal.packets-after-bidding"):
        for seat in order:
            after = top + size
            if turn_up is not None and seat == taker:
                hands[seat] |= ONLY[turn_up]
                turn_up = None
                after -= 1
            hands[seat] |= card_set(stock[top:after])
            top = after
    if rules.value_or("deal.taker-discards", 0):
        hands[taker] |= card_set(stock[top:])
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


def _round(rules: Ruleset, dealer: int) -> list[int]:
    first_dealt = rules.value("deal.first-dealt")
    first = 0 if first_dealt == "first-seat" else dealer + (first_dealt == "eldest")
    return [(first + step) % rules.players for step in range(rules.players)]


# A deal between two actions.

Ending = Literal["played", "passed", "belot", "claim"]


class DealState(NamedTuple):
    """A deal between two actions. ``totals`` are score points before the deal; ``hands`` are full hands.

    ``covered`` are the covered cards by the open card on them, ``shown`` the trick in which each seat showed (0: not
    yet), ``calls`` how often each seat has said belote of each suit so that it counts, ``made`` the card points that
    turned cards have earned each seat. ``heard`` counts the seats, from the one that leads first, whose turn to
    announce before the first lead is over: those up to the last that announced. ``before`` are the cards that each seat
    saw while trump was chosen. Once a belot or a claim has ended the deal, ``winner`` is the side that won the match,
    and ``taken`` are the card points on which a claim rested. ``called`` are the places of the tricks whose roem was
    called.
    """

    dealt: Dealt | None
    turn_up: Card | None
    covered: Mapping[Card, Card]
    totals: tuple[int, ...]
    bidding: Bidding
    hands: tuple[CardSet, ...]
    before: tuple[CardSet, ...]
    play: PlayState | None
    announced: tuple[tuple[Declaration, ...], ...]
    shown: tuple[int, ...]
    calls: tuple[Calls, ...]
    made: tuple[int, ...]
    discarded: CardSet = NO_CARDS
    heard: int = 0
    ended: Ending | None = None
    winner: int | None = None
    taken: int = 0
    called: tuple[int, ...] = ()

    def played_on(self, play: PlayState, ended: Ending | None) -> "DealState":
        """Return the deal after cards with which nothing was said, and how that ended it."""
        return _new(DealState, (*self[:_PLAY], play, *self[_PLAY + 1 : _ENDED], ended, *self[_ENDED + 1 :]))

    @property
    def held(self) -> tuple[CardSet, ...]:
        """The cards in hand now: before anybody has taken, those dealt until then."""
        if self.play is not None:
            return self.play.hands
        return self.hands if self.dealt is None else self.dealt.hands

    @property
    def contract(self) -> DealContract:
        """What was taken; there is none before somebody has."""
        contract = self.bidding.contract
        assert contract is not None
        return contract


# What a named tuple's own constructor does, without its keyword arguments.
_new = tuple.__new__
_PLAY: Final = DealState._fields.index("play")
_ENDED: Final = DealState._fields.index("ended")


def shuffled_and_cut(rules: Ruleset, question: Json) -> Sequence[Card]:
    """Return the deck that is dealt from; raises ``BadShuffle`` or ``BadCut``, and ``BadQuestionError``."""
    check_shuffle(rules, question.get("shuffles"))
    check_deck(rules, deck := cards_named(question["deck"]))
    return cut_deck(rules, deck, question.get("cut"))


def open_deal(rules: Ruleset, question: Json) -> DealState:
    """Return the deal that a question of ``replay`` begins with, before its first action.

    Raises ``BadShuffle`` or ``BadCut``, and ``BadQuestionError`` for cards that cannot be those of a deal.
    """
    totals = question.get("totals", (0,) * rules.side_count)
    dealer = question["dealer"]
    if "played" in question and not rules.has_set_length:
        raise BadQuestionError(say("no-played", of="played", profile=rules.profile.id))
    if "deck" in question:
        return start_deal(rules, totals, deal_before_bidding(rules, dealer, shuffled_and_cut(rules, question)))
    if ("piles" in question) != rules.open_piles:
        raise BadQuestionError(say("dealt-in", profile=rules.profile.id, what="piles" if rules.open_piles else "hands"))
    if rules.open_piles:
        check_turn_up(rules, "turn_up" in question)
        state = known_deal(rules, dealer, totals, piles=piles_named(rules, question["piles"]))
    else:
        hands = full_hands_named(rules, question["hands"])
        turn_up = turn_up_named(rules, question.get("turn_up"), hands, dealer, is_taken="taker" in question)
        state = known_deal(rules, dealer, totals, hands, turn_up=turn_up)
        if "before" in question:
            state = state._replace(before=tuple(seen_named(rules, question["before"], hands)))
    if "taker" not in question:
        return state
    contract = contract_named(rules, question)
    return begin_play(rules, state, Bidding((), taken(state.bidding.node, contract)), contract)


def start_deal(rules: Ruleset, totals: Sequence[int], dealt: Dealt) -> DealState:
    """Return a deal before the first bid, as it was just dealt."""
    state = known_deal(rules, dealt.dealer, totals, piles=dealt.piles, turn_up=dealt.turn_up)
    return state._replace(dealt=dealt, before=dealt.hands)


def known_deal(
    rules: Ruleset,
    dealer: int,
    totals: Sequence[int],
    hands: Sequence[CardSet] = (),
    *,
    piles: Sequence[Sequence[Pile]] = (),
    turn_up: Card | None = None,
) -> DealState:
    """Return a deal before the first bid of which all cards are known, the full hands or the piles, and were seen."""
    hands = tuple(map(open_cards, piles) if piles else hands)
    return DealState(
        dealt=None,
        turn_up=turn_up,
        covered={top: under for seat in piles for top, under in seat},
        totals=tuple(totals),
        bidding=start_bidding(rules, dealer, None if turn_up is None else suit_of(turn_up)),
        hands=hands,
        before=hands,
        play=None,
        announced=((),) * rules.players,
        shown=(0,) * rules.players,
        calls=(NO_CALLS,) * rules.players,
        made=(0,) * rules.players,
    )


def begin_play(rules: Ruleset, state: DealState, bidding: Bidding, contract: DealContract) -> DealState:
    """Return the deal before its first card, once somebody has taken; see ``deal_after_bidding``."""
    taker = contract.taker
    hands = state.hands if state.dealt is None else deal_after_bidding(rules, state.dealt, taker)
    leader = first_leader(rules, bidding.dealer, taker)
    if max(hand.bit_count() for hand in hands) > hands[taker].bit_count():
        raise BadQuestionError(say("left-over", of="hands"))
    play = start_play(rules, contract.mode, hands, leader)
    return state._replace(bidding=bidding, hands=hands, play=play)


def full_hands_named(rules: Ruleset, named: Sequence[Sequence[str]]) -> list[CardSet]:
    """Return the hands of a whole deal, all of one size; cards left over for the taker are in his hand."""
    hands = hands_named(rules, named)
    extra: int = rules.value_or("deal.taker-discards", 0)
    sizes = sorted(hand.bit_count() for hand in hands)
    if not sizes[0] or sizes != [sizes[0]] * (rules.players - 1) + [sizes[0] + extra]:
        taker = say("taker-has-more", n=extra) if extra else ""
        raise BadQuestionError(say("hands-of-one-size", of="hands", taker=taker))
    return hands


def seen_named(rules: Ruleset, named: Sequence[Sequence[str]], hands: Sequence[CardSet]) -> list[CardSet]:
    """Return what each seat saw of its hand while trump was chosen."""
    seen = hands_named(rules, named)
    for seat, (part, hand) in enumerate(zip(seen, hands, strict=True)):
        if strangers := names_of(part & ~hand):
            raise BadQuestionError(say("not-in-hand", of="before", cards=", ".join(strangers), n=seat))
    return seen


def turn_up_named(
    rules: Ruleset, name: str | None, hands: Sequence[CardSet], dealer: int, *, is_taken: bool = False
) -> Card | None:
    """Return the turn-up of a deal with known hands: there only where the variant has one, and in a hand or in none.

    Of a deal that ``is_taken`` already it may be left out: what was bid on it is known.
    """
    if name is not None or not is_taken:
        check_turn_up(rules, name is not None)
    if name is None:
        return None
    card = CARD_BY_NAME[name]
    check_in_deck(rules, ONLY[card])
    if rules.value("deal.turn-up") == "out-of-play" and any(holds(hand, card) for hand in hands):
        raise BadQuestionError(say("out-of-play", of="turn_up", card=name))
    if rules.value("deal.turn-up") == "dealers-last-card" and not holds(hands[dealer], card):
        raise BadQuestionError(say("dealers-own", of="turn_up", card=name))
    return card


def piles_named(rules: Ruleset, named: Sequence[Sequence[Sequence[str]]]) -> tuple[tuple[Pile, ...], ...]:
    """Return the piles of a whole deal, per seat (open card, covered card)."""
    if len(named) != rules.players:
        raise BadQuestionError(say("per-seat", of="piles", n=rules.players, profile=rules.profile.id))
    piles = tuple(tuple((CARD_BY_NAME[top], CARD_BY_NAME[under]) for top, under in seat) for seat in named)
    cards = [card for seat in piles for pile in seat for card in pile]
    if not cards or len(set(cards)) != len(cards) or len({len(seat) for seat in piles}) != 1:
        raise BadQuestionError(say("piles-alike", of="piles"))
    return piles
