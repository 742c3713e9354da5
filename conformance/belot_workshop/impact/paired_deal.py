"""One deal played by two rulesets: the same shuffled deck, the same players, the same random numbers.

A *decision* is a bid or a card (with what may be announced along with it). The decisions of a deal are those along the
play under the old rules: at each of these positions the bids, the cards and the announcements that are legal by either
ruleset are compared. After that the same deck is dealt and played by the new rules from its first bid on, and what it
scores is compared with what the old rules scored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from belot_reference.action import Action
from belot_reference.bids import Bid
from belot_reference.cards import Card, CardSet, cards_in, holds, union
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.counting import MOST_IN_A_DEAL, Count, count_deal, enough_in_reach
from belot_reference.deal import DealState, cut_deck, deal_before_bidding, start_deal
from belot_reference.declarations import count_in, possible_sets
from belot_reference.play import PlayState, force_card, legal_now
from belot_reference.roem import roem_to_call
from belot_reference.scoring import Settlement, score_points
from belot_reference.simulated import SimulatedPlayer
from belot_reference.streams import drawn_cut, players_stream, shuffle_by
from belot_reference.turn import apply_action, ending

# The topics whose rules may decide what may be bid, announced and played.
_OF_BIDS: Final = ("bidding", "deal")
_OF_DECLARATIONS: Final = ("declarations", "deck")
_OF_CARDS: Final = ("play", "deck", "deal", "declarations")

# Rules that are looked at only once the last card has been played, but for those by which players value their cards.
_AFTER_PLAY: Final = ("scoring.", "match.", "penalties.", "presentation.")
_SEEN_BY_PLAYERS: Final = ("scoring.trump-points", "scoring.plain-points", "match.claim")


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What a deal is made of before anybody plays: the deck, how many cards are cut off, and the players' stream."""

    deck: Sequence[Card]
    cut: int
    stream: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A deal that has ended, with its count where it was played to its last trick."""

    state: DealState
    count: Count | None

    @property
    def settlement(self) -> Settlement | None:
        """How it was settled, if it was."""
        return None if self.count is None else self.count.settlement

    @property
    def contract(self) -> DealContract | None:
        """What was taken, if anybody took."""
        return self.state.bidding.contract

    @property
    def winner(self) -> int | None:
        """The side that won the match in the middle of the deal, if one did."""
        return self.state.winner

    def score(self, rules: Ruleset) -> tuple[int, ...]:
        """Return the score points of each side, nothing where nobody took or the match ended in mid-play."""
        return (0,) * rules.side_count if self.settlement is None else self.settlement.score

    @property
    def held(self) -> int:
        """The score points that stay held for a later deal."""
        return 0 if self.settlement is None else self.settlement.held


def shuffle(old: Ruleset, new: Ruleset, stream: int) -> Shuffle:
    """Return the shuffle of a deal's stream; it is cut as both rulesets allow."""
    deck = shuffle_by(stream, list(cards_in(old.deck)))
    least = max(rules.value("deal.cut-minimum") for rules in (old, new))
    return Shuffle(deck, drawn_cut(stream, len(deck), least), players_stream(stream))


class Watch:
    """Counts the decisions of one deal, and at how many of them other bids or cards are legal by the new rules."""

    def __init__(self, old: Ruleset, new: Ruleset) -> None:
        self.decisions = 0
        self.differing = 0
        self._old = old
        self._new = new
        self._bids_differ, self._sets_differ, self._cards_differ = what_differs(old, new)

    def see(self, state: DealState, action: Action) -> None:
        """Count the decision that an action by the old rules was, if it was one."""
        if action.bid is not None:
            self.decisions += 1
            self.differing += self._bids_differ and _open_bids(self._old, state) != _open_bids(self._new, state)
        elif action.play is not None and state.play is not None:
            self.decisions += 1
            hand, mode, first = state.hands[action.seat], state.play.mode.number, not state.play.tricks
            self.differing += self._other_cards(state.play, None) or (
                self._sets_differ
                and first
                and _announceable(self._old, hand, mode) != _announceable(self._new, hand, mode)
            )

    def see_card(self, play: PlayState, legal: CardSet) -> None:
        """Count the decision that a card was with which nothing could be announced, given the cards that were legal."""
        self.decisions += 1
        self.differing += self._other_cards(play, legal)

    def _other_cards(self, play: PlayState, legal: CardSet | None) -> bool:
        if not self._cards_differ:
            return False
        new = self._new
        if play.mode.number >= len(new.modes):
            return True
        node = new.modes[play.mode.number].root
        for card in play.cards:
            node = node.next[card] or new.tricks.after(node, card)
        by_old = legal_now(self._old, play)[0] if legal is None else legal
        return by_old != legal_now(new, play._replace(node=node))[0]


def differing_rules(old: Ruleset, new: Ruleset) -> list[str]:
    """Return the rules that have another value in one ruleset than in the other."""
    rules = {*old.profile.settings, *new.profile.settings}
    return [rule for rule in rules if old.value_or(rule, None) != new.value_or(rule, None)]


def what_differs(old: Ruleset, new: Ruleset) -> tuple[bool, bool, bool]:
    """Say of two rulesets whether other bids, other sets of declarations, and other cards may be legal by them."""
    topics = {rule.partition(".")[0] for rule in differing_rules(old, new)}
    bids, sets, cards = (not topics.isdisjoint(deciding) for deciding in (_OF_BIDS, _OF_DECLARATIONS, _OF_CARDS))
    return bids, sets, cards


def _open_bids(rules: Ruleset, state: DealState) -> tuple[int, frozenset[Bid]] | None:
    """Return who may say what after the bids of a deal by some rules; ``None`` where it would not have come to that."""
    said = state.bidding
    node = rules.auction.start(said.dealer, said.node.turn_up)
    for choice in said.bids:
        if choice not in node.choices:
            return None
        node = rules.auction.after(node, choice)
    return (node.turn, frozenset(node.choices)) if node.choices and node.contract is None else None


def _announceable(rules: Ruleset, hand: CardSet, mode: int) -> set[frozenset[CardSet]]:
    """Return every largest set that may be announced in a mode, by its number; none where rules do not know it."""
    if mode >= len(rules.modes) or not count_in(rules, rules.modes[mode]):
        return set()
    return {frozenset(one.cards for one in together) for together in possible_sets(rules, hand)}


def play_out(
    rules: Ruleset,
    dealer: int,
    shuffled: Shuffle,
    player: SimulatedPlayer,
    totals: Sequence[int],
    watch: Watch | None = None,
) -> Finished:
    """Play a deal to its end, everybody in the same way; ``totals`` are score points before the deal."""
    dealt = deal_before_bidding(rules, dealer, cut_deck(rules, shuffled.deck, shuffled.cut))
    state = start_deal(rules, totals, dealt)
    claims = may_claim(rules, totals)
    while state.ended is None:
        now = claims and state.play is not None and _might_claim(rules, state, state.play)
        action = player.action(rules, state, shuffled.stream, now)
        if watch is not None:
            watch.see(state, action)
        state = apply_action(rules, state, action)
        if state.ended is None:
            state = _plain_cards(rules, state, player, shuffled.stream, claims, watch)
    return finished(rules, state)


def finished(rules: Ruleset, state: DealState) -> Finished:
    """Return how a deal that has ended is counted by rules that play it in the same way."""
    return Finished(state, count_deal(rules, state) if state.ended == "played" else None)


def _might_claim(rules: Ruleset, state: DealState, play: PlayState) -> bool:
    """Say whether a side has so many points between two tricks that it might say *enough* and be right."""
    return bool(play.tricks) and not play.cards and enough_in_reach(rules, state, play)


def _plain_cards(
    rules: Ruleset, state: DealState, player: SimulatedPlayer, stream: int, claims: bool, watch: Watch | None
) -> DealState:
    """Play cards with which nothing can be said, shown or turned, as many as follow one another.

    What the player's actions would do, without a state for each card: most of a deal is such cards. The rules that
    these cards consult are not kept, as nobody asks for them here.
    """
    play = state.play
    if play is None or not play.tricks or state.covered:
        return state
    royal = union(play.mode.pairs)
    wanted = rules.value_or("declarations.shown-in-trick", "none")
    showing = (wanted, wanted + 1) if wanted != "none" else ()
    while any(play.hands):
        seat = play.turn
        if state.announced[seat] and len(play.tricks) + 1 in showing:
            break
        called = rules.has_roem and roem_to_call(rules, play, state.called)
        if called or (claims and _might_claim(rules, state, play)):
            break
        legal = legal_now(rules, play)[0]
        card = player.card(rules, state, play, legal, stream)
        if holds(royal, card):
            break
        if watch is not None:
            watch.see_card(play, legal)
        play = force_card(rules, play, card)
    return state._replace(play=play, ended=ending(rules, state, play))


def may_claim(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Say whether somebody might say *enough* in a deal: the rules know it, and there is a target that is near."""
    if rules.has_set_length or rules.value("match.claim") == "played-out":
        return False
    target: int = rules.given("match.target")
    return max(totals) + score_points(rules, MOST_IN_A_DEAL) >= target


def plays_alike(old: Ruleset, new: Ruleset) -> bool:
    """Say whether two rulesets can only differ in how a deal counts once it has been played, whoever plays it."""
    differing = differing_rules(old, new)
    return all(rule.startswith(_AFTER_PLAY) and rule not in _SEEN_BY_PLAYERS for rule in differing)
