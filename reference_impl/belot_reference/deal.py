"""A deal between two actions, as an immutable value, and how one begins: from a deck that was cut, or known cards."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from belot_reference.auction import taken
from belot_reference.belote import NO_CALLS, Calls
from belot_reference.bidding import Bidding, start_bidding
from belot_reference.cards import NO_CARDS, Card, CardSet, suit_of
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.dealing import (
    Dealt,
    Pile,
    check_shuffle,
    cut_deck,
    deal_after_bidding,
    deal_before_bidding,
    open_cards,
)
from belot_reference.declarations import Declaration
from belot_reference.errors import BadQuestionError
from belot_reference.play import PlayState, first_leader, start_play
from belot_reference.questions import (
    Json,
    check_turn_up,
    contract_named,
    deck_named,
    full_hands_named,
    piles_named,
    seen_named,
    turn_up_named,
)
from belot_reference.sentences import say

Ending = Literal["played", "passed", "belot", "claim"]


class DealState(NamedTuple):
    """A deal between two actions. ``totals`` are score points before the deal; ``hands`` are full hands.

    ``covered`` are the covered cards by the open card on them, ``shown`` the trick in which each seat showed (0: not
    yet), ``calls`` how often each seat has said belote of each suit so that it counts, ``made`` the card points that
    turned cards have earned each seat. ``heard`` counts the seats, from the one that leads first, whose turn to
    announce before the first lead is over: those up to the last that announced. ``before`` are the cards that each seat
    saw while trump was chosen. Once a belot or a claim has ended the deal, ``winner`` is the side that won the match,
    and ``taken`` are the card points on which a claim rested.
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


def shuffled_and_cut(rules: Ruleset, question: Json) -> Sequence[Card]:
    """Return the deck that is dealt from; raises ``BadShuffle`` or ``BadCut``, and ``BadQuestionError``."""
    check_shuffle(rules, question.get("shuffles"))
    return cut_deck(rules, deck_named(rules, question["deck"]), question.get("cut"))


def open_deal(rules: Ruleset, question: Json) -> DealState:
    """Return the deal that a question of ``replay`` begins with, before its first action.

    Raises ``BadShuffle`` or ``BadCut``, and ``BadQuestionError`` for cards that cannot be those of a deal.
    """
    totals = question.get("totals", (0,) * rules.side_count)
    dealer = question["dealer"]
    if "deck" in question:
        return start_deal(rules, totals, deal_before_bidding(rules, dealer, shuffled_and_cut(rules, question)))
    if ("piles" in question) != rules.open_piles:
        raise BadQuestionError(say("dealt-in", profile=rules.profile.id, what="piles" if rules.open_piles else "hands"))
    if rules.open_piles:
        check_turn_up(rules, "turn_up" in question)
        state = known_deal(rules, dealer, totals, piles=piles_named(rules, question["piles"]))
    else:
        hands = full_hands_named(rules, question["hands"])
        turn_up = turn_up_named(rules, question.get("turn_up"), hands, is_taken="taker" in question)
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
    if any(hand.bit_count() > hands[taker].bit_count() for hand in hands):
        raise BadQuestionError(say("left-over", of="hands"))
    play = start_play(rules, contract.mode, hands, leader)
    return state._replace(bidding=bidding, hands=hands, play=play)
