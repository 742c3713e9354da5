"""Counting how many sequences of legal cards, or of bids, there are: one number that proves a whole set of duties.

A deal is counted from the first card, or from any moment at which nobody has begun a trick. What is said or shown with
a card makes no difference to which cards are legal, and is not counted.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from belot_reference.auction import AuctionNode
from belot_reference.bidding import Bidding
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    cards_in,
    holds,
    rank_of,
)
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.mode import Mode
from belot_reference.play import PlayState, force_card, holds_belote, legal_noted, start_play
from belot_reference.questions import hands_named, mode_named
from belot_reference.sentences import say

Covered = Mapping[Card, Card]
_Key = tuple[object, ...]


class Plays:
    """Counts the sequences of cards in deals of one mode; what was counted once is not counted again.

    ``covered`` are the cards that lie under open ones, and are turned when those are played.
    """

    def __init__(self, rules: Ruleset, mode: Mode, covered: Covered | None = None) -> None:
        self._rules = rules
        self.covered = covered or {}
        self._known: dict[_Key, int] = {}
        self._mode = mode
        # Where plain cards of two suits are held against each other, which ranks they are makes a difference.
        across = rules.value("play.trick-winner") == "highest-card-of-any-suit"
        self._exact = bool(self.covered) or across

    def count(self, play: PlayState, depth: int) -> int:
        """Return how many sequences of ``depth`` legal cards there are; the deal may end sooner."""
        legal = self._allowed(play)
        if depth <= 1:
            return legal.bit_count() if depth and legal else 1
        if not legal:
            return 1
        if play.node.count:
            return sum(self.count(self.after(play, card), depth - 1) for card in cards_in(legal))
        key = self._key(play, depth)
        found = self._known.get(key)
        if found is None:
            found = sum(self.count(self.after(play, card), depth - 1) for card in cards_in(legal))
            self._known[key] = found
        return found

    def after(self, play: PlayState, card: Card) -> PlayState:
        """Return the play after a legal card, and after what it covered is turned."""
        after = force_card(self._rules, play, card)
        turned = self.covered.get(card)
        if turned is None:
            return after
        hand = after.hands[play.turn] | ONLY[turned]
        return after._replace(hands=(*after.hands[: play.turn], hand, *after.hands[play.turn + 1 :]))

    def legal(self, play: PlayState) -> list[Card]:
        """Return the cards that may be played now; none once the deal has ended."""
        return list(cards_in(self._allowed(play)))

    def _allowed(self, play: PlayState) -> CardSet:
        return legal_noted(self._rules, play).cards if play.hands[play.turn] else CardSet(0)

    @cached_property
    def _orders(self) -> tuple[list[list[Card]], list[list[Card]]]:
        """The cards of each suit by strength: the suits that are trump, and the others."""
        suits = ([suit for suit in EVERY_SUIT if self._mode.is_trump(suit) == wanted] for wanted in (True, False))
        trumps, plain = ([_by_strength(self._rules, self._mode, suit) for suit in kind] for kind in suits)
        return trumps, plain

    def _key(self, play: PlayState, depth: int) -> _Key:
        """Return what a count hangs on between two tricks: who holds the first, second, … card of each suit.

        Which ranks these are makes no difference, nor which of the suits of a kind is which. King and queen of trump
        do, where the queen waits for the king; and so does every card where others lie under it.
        """
        hands, turn = play.hands, play.turn
        if self._exact:
            return depth, turn, hands
        held: list[object] = []
        for kind in self._orders:
            held += sorted(
                tuple(seat for card in order for seat, hand in enumerate(hands) if holds(hand, card)) for order in kind
            )
        if self._rules.king_first and any(holds_belote(self._mode, hand) for hand in hands):
            # With the king and the queen among the trumps that are still held it matters which they are.
            held += [hand & self._mode.trump_cards for hand in hands]
        return depth, turn, *held


def opened(rules: Ruleset, question: Mapping[str, Any]) -> tuple[Plays, PlayState]:
    """Return what counts a deal, and the play before its first card, from ``trump``, ``leader`` and what is held.

    That is ``hands``, all of one size, or where cards lie open and covered ``piles``. Raises ``BadQuestionError``.
    """
    held = "piles" if rules.open_piles else "hands"
    if held not in question:
        raise BadQuestionError(say("counted-from", of=held, profile=rules.profile.id))
    sizes = [len(seat) for seat in question[held]]
    if len(sizes) != rules.players or len(set(sizes)) != 1 or not sizes[0]:
        raise BadQuestionError(say("per-seat-alike", of=held, n=rules.players, profile=rules.profile.id))
    piles = question[held] if rules.open_piles else ()
    hands_named(rules, [[card for pile in seat for card in pile] for seat in piles])
    hands = hands_named(rules, [[pile[0] for pile in seat] for seat in piles] or question["hands"])
    covered = {CARD_BY_NAME[top]: CARD_BY_NAME[under] for seat in piles for top, under in seat}
    mode = mode_named(rules, question["trump"])
    return Plays(rules, mode, covered), start_play(rules, mode, hands, question["leader"])


def _by_strength(rules: Ruleset, mode: Mode, suit: Suit) -> list[Card]:
    return sorted(cards_in(SUIT_CARDS[suit] & rules.deck), key=lambda card: -mode.strength[suit][rank_of(card)])


def count_bids(rules: Ruleset, bidding: Bidding, depth: int) -> int:
    """Return how many sequences of ``depth`` legal bids there are; the bidding may end sooner."""
    known: dict[tuple[AuctionNode, int], int] = {}
    # By who may make which calls, and by depth: how many sequences begin with the highest call, the highest two, …
    after_calls: dict[tuple[int, int, int], list[int]] = {}

    def count(node: AuctionNode, left: int) -> int:
        asked, (speaker, calls, highest) = node.asked, node.calling
        others = (*asked.passes, *asked.raises)
        if left <= 1 or not (highest or others):
            return highest + len(others) if left and (highest or others) else 1
        found = known.get((node, left))
        if found is None:
            sums = after_calls.setdefault((speaker, calls, left), [0])
            while len(sums) <= highest:
                sums.append(sums[-1] + count(rules.auction.after(node, asked.calls[-len(sums)]), left - 1))
            found = sums[highest] + sum(count(rules.auction.after(node, choice), left - 1) for choice in others)
            known[node, left] = found
        return found

    return count(bidding.node, depth)
