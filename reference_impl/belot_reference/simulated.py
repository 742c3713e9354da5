"""Players for simulated deals: one who does anything that is legal, and one who plays sensibly with what he can see.

A player's choices come from a stream of random numbers that hangs on the deal and on the decision, not on what was
chosen before. Of everything that can ever be said or played each decision draws an order of preference, and the player
does what he prefers most of what is left to him. So two games in which the same is legal go the same way, and where a
rule leaves him fewer choices he makes the same choice as before if that is still one of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_reference.action import Action, discard_action
from belot_reference.bidding import Bidding
from belot_reference.bids import CAPOT, DOUBLE, REDOUBLE, Bid, amount_of_bid, mode_of_bid
from belot_reference.cards import (
    NO_CARDS,
    ONLY,
    Card,
    CardSet,
    card_set,
    cards_in,
    holds,
    lowest_of,
    rank_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState
from belot_reference.declarations import Declaration
from belot_reference.mode import NO_TRUMPS, Mode
from belot_reference.play import PlayState
from belot_reference.replay import ATTENTIVE, Chooser, Habits, everything, next_action
from belot_reference.roem import roem_of
from belot_reference.streams import SPREAD, SPREAD_OF_ITEMS, mixed
from belot_reference.tricks import higher_cards
from belot_spec.card_names import RANKS

# A suit is worth making trump from this many points on: trumps by their points and their number, aces beside them.
WORTH_TAKING: Final = 20
WORTH_TAKING_PER_CARD: Final = 4
_WORTH_OF_LENGTH: Final = 5
# To redouble takes so much more than to double.
LESS_REDOUBLED: Final = 10

# More than any place in an order of preference.
_BEYOND: Final = 1 << 64


@dataclass(frozen=True, slots=True)
class SimulatedPlayer:
    """How everybody at a table plays: the habits, and what he prefers to lay away where the taker must."""

    name: str
    habits: Habits
    lays_away: Callable[[Ruleset, DealState, PlayState, int], CardSet] | None = None

    def action(self, rules: Ruleset, state: DealState, stream: int, claims: bool) -> Action:
        """Return the next action; ``claims`` says whether anybody looks out for a chance to say *enough*."""
        habits = replace(self.habits, claims=True) if claims else self.habits
        found = next_action(rules, state, preference(stream, _decision(rules, state)), habits)
        if found.discard and self.lays_away is not None and state.play is not None:
            return discard_action(found.seat, self.lays_away(rules, state, state.play, len(found.discard)))
        return found

    def card(self, rules: Ruleset, state: DealState, play: PlayState, legal: CardSet, stream: int) -> Card:
        """Return the card that ``action`` plays where nothing can be said or shown with it."""
        if legal.bit_count() == 1:
            return lowest_of(legal)
        cards: Sequence[Card] = list(cards_in(legal))
        if self.habits.considers is not everything:
            cards = self.habits.considers(rules, state._replace(play=play), cards)
        card: Card = preference(stream, _card_decision(rules, play))(cards)
        return card


# Bids are numbered from 0, cards from here on; what is laid away comes before them.
FIRST_CARD: Final = 1000
LAID_AWAY: Final = 900


def _decision(rules: Ruleset, state: DealState) -> int:
    """Return a number for a decision of a deal: the bids by their order, the cards by trick and seat."""
    if state.play is None:
        return len(state.bidding.bids)
    if rules.value_or("deal.taker-discards", 0) and not state.discarded:
        return LAID_AWAY
    return _card_decision(rules, state.play)


def _card_decision(rules: Ruleset, play: PlayState) -> int:
    return FIRST_CARD + len(play.tricks) * rules.players + play.turn


def preference(stream: int, decision: int) -> Chooser:
    """Return a chooser that takes the item that comes first in the decision's order of preference.

    An item that stands twice in what may be chosen has two chances.
    """

    def choose(items: Sequence[Any]) -> Any:
        if len(items) == 1:
            return items[0]
        base = mixed(stream + decision * SPREAD)
        best, least = items[0], _BEYOND
        met: dict[int, int] = {}
        for item in items:
            key = _key(item)
            times = met[key] = met.get(key, 0) + 1
            place = mixed(base + (key + (times << 40)) * SPREAD_OF_ITEMS)
            if place < least:
                best, least = item, place
        return best

    return choose


def _key(item: Any) -> int:
    """Return a number for what may be chosen: a card or suit, a pass, or a set of declarations."""
    if isinstance(item, int):
        return item + 1
    if item is None:
        return 0
    key = 1
    declaration: Declaration
    for declaration in item:
        key = mixed(key ^ declaration.cards)
    return key


def sensible(rules: Ruleset, state: DealState, choices: Sequence[Any]) -> Sequence[Any]:
    """Narrow bids and cards to what a sensible player would do; he sees his hand and what lies open, nothing else."""
    if state.play is None:
        return _sensible_bids(rules, state, choices)
    if len(choices) == 1:
        return choices
    return _sensible_cards(rules, state.play, choices)


def _sensible_bids(rules: Ruleset, state: DealState, bids: Sequence[Bid]) -> Sequence[Bid]:
    """Say what is worth most if that is enough, or if nobody may pass any more.

    A contract of one's own side is left as it is unless another mode is better, and a double is worth what the hand
    would be if the contract were one's own.
    """
    hand = state.held[state.bidding.turn]
    turn_up = state.turn_up if rules.value("deal.turn-up") == "to-taker" else None
    with_turn_up = hand if turn_up is None else hand | ONLY[turn_up]
    worth = dict(_worth_of_bids(rules, state.bidding, with_turn_up, bids))
    if not worth:
        return [None] if None in bids else bids
    best = max(worth.values())
    enough = WORTH_TAKING + WORTH_TAKING_PER_CARD * with_turn_up.bit_count()
    if best < enough and None in bids:
        return [None]
    return [choice for choice in worth if worth[choice] == best]


def _worth_of_bids(rules: Ruleset, bidding: Bidding, hand: CardSet, bids: Sequence[Bid]) -> Iterator[tuple[Bid, int]]:
    """Yield each bid that is worth thinking of, and what it is worth to a hand."""
    standing = bidding.node.standing
    stands, own = 0, False
    if standing is not None:
        stands, own = worth_of(rules, hand, standing.mode), rules.partners(standing.taker, bidding.turn)
    met: set[int] = set()
    for choice in bids:
        if choice == DOUBLE:
            yield choice, stands
        elif choice == REDOUBLE:
            yield choice, stands - LESS_REDOUBLED
        elif choice is not None and (mode := mode_of_bid(choice)) not in met:
            # Of several bids in a mode the lowest comes first, and nobody thinks of the others.
            met.add(mode)
            worth = worth_of(rules, hand, rules.modes[mode])
            if (not own or worth > stands) and _is_promised(rules, choice, worth):
                yield choice, worth


def _is_promised(rules: Ruleset, choice: int, worth: int) -> bool:
    """Say whether a hand is worth the lowest bid in its mode: where numbers are bid, if it is worth so much more.

    Nobody promises all tricks.
    """
    if not (amount := amount_of_bid(choice)):
        return True
    most: int = rules.given("bidding.lowest-amount") + worth - WORTH_TAKING
    return amount != CAPOT and amount <= most


def worth_of(rules: Ruleset, hand: CardSet, mode: Mode) -> int:
    """Return what a hand is worth in a mode: its trumps, their number, and the best cards of other suits.

    Where no suit is trump the two best cards of each count as trumps do; where all are, as everybody has many, these
    count their points alone.
    """
    if mode.kind != "suit":
        second = len(RANKS) - 2
        high = [card for card in cards_in(hand) if mode.strength[suit_of(card)][rank_of(card)] >= second]
        return rules.points_of_each(mode, high) + _WORTH_OF_LENGTH * len(high) * (mode.kind == NO_TRUMPS)
    trumps = hand & mode.trump_cards
    best = max(rules.plain_strength)
    aces = [card for card in cards_in(hand & ~trumps) if rules.plain_strength[rank_of(card)] == best]
    length = _WORTH_OF_LENGTH * trumps.bit_count()
    return rules.points_of(mode, trumps) + length + rules.points_of(mode, card_set(aces))


def _sensible_cards(rules: Ruleset, play: PlayState, cards: Sequence[Card]) -> Sequence[Card]:
    unseen = _unseen(rules, play)
    if not play.cards:
        return _leads(play.mode, unseen, cards)
    node = play.node
    seat = play.turn
    is_last = node.count == rules.players - 1
    holder = (play.leader + node.winner) % rules.players
    if rules.partners(holder, seat):
        safe = is_last or _is_master(play.mode, unseen, node.winning)
        return _gifts(play.mode, unseen, _by_roem(rules, play, cards, max)) if safe else _cheapest(play.mode, cards)
    winning = [card for card in cards if _wins(rules, play, card)]
    if not winning:
        return _cheapest(play.mode, _by_roem(rules, play, cards, min))
    masters = [] if is_last else [card for card in winning if _is_master(play.mode, unseen, card)]
    return _cheapest(play.mode, _by_roem(rules, play, masters or winning, max))


def _by_roem(
    rules: Ruleset, play: PlayState, cards: Sequence[Card], best: Callable[[Iterable[int]], int]
) -> Sequence[Card]:
    """Narrow cards to those with which the cards on the table earn most roem, or least."""
    if not rules.has_roem:
        return cards
    worth = {card: sum(roem_of(rules, play.mode, (*play.cards, card))) for card in cards}
    wanted = best(worth.values())
    return [card for card in cards if worth[card] == wanted]


def _leads(mode: Mode, unseen: CardSet, cards: Sequence[Card]) -> Sequence[Card]:
    """Lead a card that nothing unseen of its suit beats, trumps while others may hold some, else a cheap plain one."""
    masters = [card for card in cards if _is_master(mode, unseen, card)]
    trumps = [card for card in masters if mode.is_trump(suit_of(card))]
    if trumps and unseen & mode.trump_cards:
        return trumps
    plain = [card for card in masters if not mode.is_trump(suit_of(card))]
    if plain:
        return plain
    return _cheapest(mode, cards)


def _gifts(mode: Mode, unseen: CardSet, cards: Sequence[Card]) -> Sequence[Card]:
    """Give the partner points: the dearest plain card that would win nothing later, else the cheapest card."""
    ruffing = ruffing_cards(mode)
    plain = [card for card in cards if not holds(ruffing, card)]
    given = [card for card in plain if not _is_master(mode, unseen, card)] or plain
    if not given:
        return _cheapest(mode, cards)
    points = mode.points
    most = max(points[card] for card in given)
    return [card for card in given if points[card] == most]


def ruffing_cards(mode: Mode) -> CardSet:
    """Return the cards that beat those of other suits: no card does where all suits are trumps."""
    return mode.trump_cards if mode.kind == "suit" else NO_CARDS


def _cheapest(mode: Mode, cards: Sequence[Card]) -> Sequence[Card]:
    """Return the cards worth least."""
    least = min(cost_of(mode, card) for card in cards)
    return [card for card in cards if cost_of(mode, card) == least]


def cost_of(mode: Mode, card: Card) -> tuple[bool, int, int]:
    """Return what it costs to play a card: plain ones before trumps, then by points, then by strength."""
    suit = suit_of(card)
    return mode.trumps[suit] == suit, mode.points[card], mode.strength[suit][rank_of(card)]


def _wins(rules: Ruleset, play: PlayState, card: Card) -> bool:
    """Say whether a card would win the running trick so far."""
    node = play.node
    after = node.next[card] or rules.tricks.after(node, card)
    return after.winner == node.count


def _unseen(rules: Ruleset, play: PlayState) -> CardSet:
    """Return the cards that the player to move has not seen: neither in his hand nor played."""
    seen = play.hands[play.turn] | card_set(play.cards)
    for trick in play.tricks:
        seen |= card_set(trick.cards)
    return rules.deck & ~seen


def _is_master(mode: Mode, unseen: CardSet, card: Card) -> bool:
    """Say whether no unseen card of its suit beats a card."""
    return not unseen & higher_cards(mode.strength[suit_of(card)])[card]


def _lays_away(rules: Ruleset, state: DealState, play: PlayState, number: int) -> CardSet:
    """Lay away the dearest plain cards that win nothing by themselves, then other plain cards, trumps last."""
    hand = play.hands[state.bidding.taker or 0]
    unseen = rules.deck & ~hand

    def order(card: Card) -> tuple[bool, bool, int, int]:
        is_trump = play.mode.is_trump(suit_of(card))
        return is_trump, _is_master(play.mode, unseen, card), -play.mode.points[card], card

    return card_set(sorted(cards_in(hand), key=order)[:number])


PLAYERS: Final[Mapping[str, SimulatedPlayer]] = {
    "random": SimulatedPlayer("random", replace(ATTENTIVE, considers=everything)),
    "sensible": SimulatedPlayer("sensible", replace(ATTENTIVE, considers=sensible), _lays_away),
}
