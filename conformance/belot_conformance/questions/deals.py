"""Recording many random deals of a profile, and choosing those in which rare things happen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final, Protocol, TypeVar

from belot_conformance.questions.cards import sequence_of
from belot_conformance.questions.rarities import deal_tags
from belot_reference.bids import RAISES, Bid, mode_of_bid
from belot_reference.cards import (
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    holds,
    rank_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState, deal_after_bidding, deal_before_bidding
from belot_reference.declarations import four_of
from belot_reference.mode import Mode
from belot_reference.play import PlayState, table_of, winning_seat
from belot_reference.replay import Habits, opening, record_deal
from belot_spec.card_names import RANKS, SUITS

ORDINARY_SHARE: Final = 0.15


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """One recorded deal: the profile, the input of ``replay``, how it ended, and what was rare in it."""

    profile: str
    question: Mapping[str, Any]
    state: DealState
    tags: tuple[str, ...]


class Tagged(Protocol):
    """Anything that carries tags."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The rare things in it."""
        ...


Candidate = TypeVar("Candidate", bound=Tagged)


def random_deal(rules: Ruleset, random: Random) -> RecordedDeal:
    """Record one deal by a random plan, with players who sometimes forget things."""
    dealer = random.randrange(rules.players)
    least = rules.value("deal.cut-minimum")
    cut = random.randrange(least, rules.deck.bit_count() - least + 1)
    plan = random_plan(rules, random)
    deck = stacked_deck(rules, dealer, plan, cut, random)
    totals = _late_totals(rules, random) if random.random() < 0.06 else ()
    forgets_to_announce, forgets_to_show, forgets_belote = (random.choice((0, 0, 3)) for _ in range(3))
    habits = Habits(forgets_to_announce, forgets_to_show, forgets_belote, bool(totals), plan.considers)
    question, state = record_deal(rules, opening(dealer, deck, cut, totals), random.choice, habits)
    return RecordedDeal(rules.profile.id, question, state, deal_tags(rules, state, question["actions"]))


def _late_totals(rules: Ruleset, random: Random) -> tuple[int, ...]:
    """Return totals near the target where a claim is possible, else none."""
    if rules.value("match.claim") == "played-out":
        return ()
    target: int = rules.given("match.target")
    return tuple(target - random.randrange(40, 180) for _ in range(rules.side_count))


def choose_rare(candidates: Sequence[Candidate], number: int, random: Random) -> list[Candidate]:
    """Choose candidates so that each tag occurs, and rare ones as often as others; some are chosen blindly."""
    left = dict(enumerate(candidates))
    chosen: list[int] = []
    seen: Counter[str] = Counter()
    blindly = int(number * ORDINARY_SHARE)
    while left and len(chosen) < number - blindly:
        best = max(left, key=lambda index: sum(0.25 ** seen[tag] for tag in left[index].tags))
        seen.update(left.pop(best).tags)
        chosen.append(best)
    chosen += random.sample(sorted(left), min(len(left), number - len(chosen)))
    return [candidates[index] for index in sorted(chosen)]


LENGTHS: Final = (3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8)
STRONGEST_TRUMPS: Final = ("J", "9", "A", "10", "K", "Q")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a deal is meant to bring: hands planted, who takes what, who plays to win and who to lose tricks.

    Without a taker everybody bids at random, with a taker but no trump everybody passes who may. Cards that are
    ``kept`` are played last.
    """

    planted: Mapping[int, CardSet] = field(default_factory=dict)
    taker: int | None = None
    trump: Bid = None
    eager: frozenset[int] = frozenset()
    timid: frozenset[int] = frozenset()
    kept: CardSet = NO_CARDS

    def considers(self, rules: Ruleset, state: DealState, choices: Sequence[Any]) -> Sequence[Any]:
        """Narrow the bids and cards that a player picks from to those that serve the plan."""
        if state.play is None:
            return self._bids(state.bidding.turn, choices)
        seat = state.play.turn
        choices = [card for card in choices if not holds(self.kept, card)] or choices
        if seat in self.eager:
            return _to_win(rules, state.play, seat, choices)
        return _to_lose(rules, state.play, seat, choices) if seat in self.timid else choices

    def _bids(self, seat: int, bids: Sequence[Bid]) -> Sequence[Bid]:
        if self.taker is None:
            return bids
        if seat == self.taker and (wanted := [bid for bid in bids if self._names_trump(bid)]):
            return wanted
        # Where somebody may double, now and then he does.
        raises = [bid for bid in bids if bid in RAISES]
        return [None, *([None, *raises] if raises else ())] if None in bids else bids

    def _names_trump(self, bid: Bid) -> bool:
        return bid is not None and mode_of_bid(bid) == self.trump


def _to_win(rules: Ruleset, play: PlayState, seat: int, cards: Sequence[Card]) -> Sequence[Card]:
    """Return the cards that win the trick so far, or that none can beat when led; the cheapest if there are none."""
    table = play.table
    if not table.cards:
        return [card for card in cards if _is_master(rules, play, seat, card)] or cards
    winner = winning_seat(rules, table)
    if winner is not None and rules.partners(winner, seat):
        return cards
    return [card for card in cards if _wins(rules, play, seat, card)] or _cheap(play.mode, cards)


def _to_lose(rules: Ruleset, play: PlayState, seat: int, cards: Sequence[Card]) -> Sequence[Card]:
    if not play.table.cards:
        return [card for card in cards if not _is_master(rules, play, seat, card)] or cards
    return [card for card in cards if not _wins(rules, play, seat, card)] or cards


def _wins(rules: Ruleset, play: PlayState, seat: int, card: Card) -> bool:
    table = play.table
    return winning_seat(rules, table_of(rules, play.mode, table.leader, (*table.cards, card))) == seat


def _cheap(mode: Mode, cards: Sequence[Card]) -> Sequence[Card]:
    least = min(mode.points[card] for card in cards)
    return [card for card in cards if mode.points[card] == least]


def _is_master(rules: Ruleset, play: PlayState, seat: int, card: Card) -> bool:
    """Say whether no opponent holds a card that could beat this one when it is led."""
    own_suit, trumps = SUIT_CARDS[suit_of(card)], play.mode.trump_cards
    for other, hand in enumerate(play.hands):
        if rules.partners(other, seat):
            continue
        strength = play.mode.strength[suit_of(card)]
        if any(strength[rank_of(one)] > strength[rank_of(card)] for one in cards_in(hand & own_suit)):
            return False
        if not hand & own_suit and hand & trumps:
            return False
    return True


def random_plan(rules: Ruleset, random: Random) -> Plan:
    """Return one of several kinds of plans; a third of them plan nothing."""
    nothing, nobody_takes = Plan(), Plan(taker=0)
    all_eager = Plan(eager=frozenset(range(rules.players)))
    met = _square_at_last if rules.has_roem else _declarations
    kinds = (nothing, nobody_takes, met, _rivals, _strong_side, _weak_player, all_eager)
    (kind,) = random.choices(kinds, (30, 2, 28, 8, 18, 9, 5))
    plan = kind if isinstance(kind, Plan) else kind(rules, random)
    others = [mode.number for mode in rules.playable_modes[len(SUITS) :]]
    if not others or plan.trump is None:
        return plan
    return replace(plan, trump=random.choice((plan.trump, *others)))


def _declarations(rules: Ruleset, random: Random) -> Plan:
    """Plant declarations in several hands, trump often being the suit of one of them."""
    free = rules.deck
    planted: dict[int, CardSet] = {}
    room = rules.hand_size // 2 if rules.open_piles else rules.hand_size
    for seat in random.sample(range(rules.players), rules.players):
        for _ in range(random.choice((0, 1, 1, 2))):
            found = _one_declaration(rules, random, free)
            if (planted.get(seat, NO_CARDS) | found).bit_count() <= room:
                planted[seat] = planted.get(seat, NO_CARDS) | found
                free &= ~found
    taker = random.randrange(rules.players)
    cards = [card for hand in planted.values() for card in cards_in(hand)]
    trump = suit_of(random.choice(cards)) if cards and random.random() < 0.7 else random.choice(EVERY_SUIT)
    return Plan(planted, taker, trump)


def _square_at_last(rules: Ruleset, random: Random) -> Plan:
    """Give everybody a card of one rank to keep, so that the four may meet in the last trick."""
    rank, suits = random.randrange(len(RANKS)), random.sample(EVERY_SUIT, rules.players)
    planted = {seat: ONLY[card_at(rank, suit)] for seat, suit in enumerate(suits)}
    return Plan(planted, random.randrange(rules.players), random.choice(EVERY_SUIT), kept=four_of(rank))


def _rivals(rules: Ruleset, random: Random) -> Plan:
    """Give two players who are no partners a square each, or a long run each."""
    one, other = random.sample(range(rules.players), 2)
    if rules.partners(one, other):
        other = rules.next_seat(other)
    if random.random() < 0.5:
        planted = [four_of(rank) for rank in random.sample(range(len(RANKS)), 2)]
    else:
        planted = [_run(rules, random, suit, random.randrange(5, 8)) for suit in random.sample(EVERY_SUIT, 2)]
    taker, trump = random.randrange(rules.players), random.choice(EVERY_SUIT)
    return Plan({seat: cards & rules.deck for seat, cards in zip((one, other), planted, strict=True)}, taker, trump)


def _run(rules: Ruleset, random: Random, suit: Suit, length: int) -> CardSet:
    return sequence_of(rules, length, random.randrange(len(RANKS) - length + 1), suit)


def _one_declaration(rules: Ruleset, random: Random, free: CardSet) -> CardSet:
    """Return a square or a run of cards that are still free, or nothing if the one thought of is not."""
    if random.random() < 0.45:
        cards = four_of(random.randrange(len(RANKS)))
    else:
        cards = _run(rules, random, random.choice(EVERY_SUIT), random.choice(LENGTHS))
    return cards if cards & free == cards else NO_CARDS


def _strong_side(rules: Ruleset, random: Random) -> Plan:
    """Give one player the best trumps and his side the aces; the taker is he, or somebody of the other side."""
    strong, trump = random.randrange(rules.players), random.choice(EVERY_SUIT)
    number = random.randrange(3, len(STRONGEST_TRUMPS) + 1)
    best = card_set(card_at(RANKS.index(rank), trump) for rank in STRONGEST_TRUMPS[:number])
    aces = [card_at(RANKS.index("A"), suit) for suit in EVERY_SUIT if suit != trump]
    side = [seat for seat in range(rules.players) if rules.partners(seat, strong)]
    others = [seat for seat in range(rules.players) if seat not in side]
    planted = {strong: best}
    for ace in aces:
        seat = random.choice(side)
        planted[seat] = planted.get(seat, NO_CARDS) | ONLY[ace]
    if random.random() < 0.5:
        suit = suit_of(random.choice(aces))
        planted[random.choice(others)] = rules.deck & card_set(card_at(rank, suit) for rank in range(3))
    taker = strong if random.random() < 0.5 else random.choice(others)
    return Plan(planted, taker, trump, frozenset(side), frozenset(others))


def _weak_player(rules: Ruleset, random: Random) -> Plan:
    """Give one player low plain cards, so that he may end without a trick."""
    weak, trump = random.randrange(rules.players), random.choice(EVERY_SUIT)
    plain = [suit for suit in EVERY_SUIT if suit != trump]
    low = card_set(card_at(rank, suit) for suit in plain for rank in range(3)) & rules.deck
    kept = random.sample(list(cards_in(low)), min(7, rules.hand_size, low.bit_count()))
    eager = frozenset(seat for seat in range(rules.players) if seat != weak)
    return Plan({weak: card_set(kept)}, random.randrange(rules.players), trump, eager, frozenset((weak,)))


def stacked_deck(rules: Ruleset, dealer: int, plan: Plan, cut: int, random: Random) -> list[Card]:
    """Return a deck that, once cut, deals the planted hands if the plan's taker takes; the rest is shuffled."""
    places = _places(rules, dealer, plan.taker or 0)
    order: list[Card | None] = [None] * rules.deck.bit_count()
    for seat, hand in plan.planted.items():
        drawn = random.sample(places[seat], len(places[seat]))
        for place, card in zip(drawn, cards_in(hand & rules.deck), strict=False):
            order[place] = card
    rest = list(cards_in(rules.deck & ~card_set(card for card in order if card is not None)))
    random.shuffle(rest)
    deck = [rest.pop() if card is None else card for card in order]
    return [*deck[len(deck) - cut :], *deck[: len(deck) - cut]]


def _places(rules: Ruleset, dealer: int, taker: int) -> list[list[int]]:
    """Return per seat the places in a deck that has been cut from which the seat's cards come."""
    order = list(cards_in(rules.deck))
    dealt = deal_before_bidding(rules, dealer, order)
    hands = dealt.hands if rules.open_piles else deal_after_bidding(rules, dealt, taker)
    return [[order.index(card) for card in cards_in(hand)] for hand in hands]
