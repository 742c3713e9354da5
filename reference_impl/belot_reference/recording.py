"""Recording a deal in which every choice comes from outside: what may be done next, and the recording as JSON."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from belot_reference.actions import (
    Action,
    AnnounceAction,
    BidAction,
    ClaimAction,
    DiscardAction,
    ExchangeAction,
    LookAction,
    PlayAction,
)
from belot_reference.belote import need_call_belote, royal_now
from belot_reference.bidding import bid_choices
from belot_reference.bids import Bid, bid_name
from belot_reference.cards import NO_CARDS, ONLY, Card, CardSet, cards_in, names_of
from belot_reference.choices import announces_apart, announces_with_card, makeable, may_show
from belot_reference.compile import Ruleset
from belot_reference.deal_state import DealState
from belot_reference.declarations import possible_sets
from belot_reference.errors import Refusal
from belot_reference.opening import open_deal
from belot_reference.play import PlayState, legal_now
from belot_reference.replay import apply_action, may_exchange, must_discard
from belot_spec.card_names import CARD_NAMES

# How many chances a pass has, at least, and where players bid over one another for each other choice.
_LEAST_PASSES: Final = 2
PASSES_PER_CHOICE: Final = 2

Chooser = Callable[[Sequence[Any]], Any]
Thought = Callable[[Ruleset, DealState, Sequence[Any]], Sequence[Any]]


def everything(rules: Ruleset, state: DealState, choices: Sequence[Any]) -> Sequence[Any]:
    """Leave a player every choice that the rules leave him."""
    return choices


@dataclass(frozen=True, slots=True)
class Habits:
    """What players do where the rules leave it to them. Each ``forgets`` is one time in so many, 0 for never.

    ``considers`` narrows the bids, and later the cards, that a player picks from; ``claims`` makes whoever may say
    *enough* between two tricks say so.
    """

    forgets_to_announce: int = 0
    forgets_to_show: int = 0
    forgets_belote: int = 0
    claims: bool = False
    considers: Thought = everything


ATTENTIVE: Final = Habits()


class Shuffled(NamedTuple):
    """What a deal begins with: the dealer, the deck as it lies before the cut, and the score points before the deal."""

    dealer: int
    deck: Sequence[Card]
    cut: int
    totals: Sequence[int] = ()


def shuffled(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a shuffled deck and where it is cut, as ``replay`` takes them."""
    deck = [CARD_NAMES[card] for card in cards_in(rules.deck)]
    random.shuffle(deck)
    least = rules.value("deal.cut-minimum")
    return {"deck": deck, "cut": random.randint(least, len(deck) - least)}


def record_deal(
    rules: Ruleset, start: Shuffled, choose: Chooser, habits: Habits = ATTENTIVE
) -> tuple[dict[str, Any], DealState]:
    """Play a deal from a shuffled deck to its end; ``choose`` picks one of a list wherever there is a choice.

    Returns the input of the operation ``replay`` and the final state. Unless the habits say otherwise, players
    announce all that one of their largest sets allows, show in time and say belote whenever they may; they never
    claim. Nobody looks back.
    """
    before = {"totals": list(start.totals)} if start.totals else {}
    deck = [CARD_NAMES[card] for card in start.deck]
    opening = {"dealer": start.dealer, **before, "deck": deck, "cut": start.cut}
    state = open_deal(rules, opening)
    actions: list[dict[str, Any]] = []
    while state.ended is None:
        action = next_action(rules, state, choose, habits)
        actions.append(action_json(action))
        state = apply_action(rules, state, action)
    return {**opening, "actions": actions}, state


def next_action(rules: Ruleset, state: DealState, choose: Chooser, habits: Habits = ATTENTIVE) -> Action:
    """Return a legal action for the player whose turn it is, or a claim between two tricks."""
    if state.play is None:
        bidding = state.bidding
        choices = bid_choices(rules, bidding)
        return BidAction(bidding.turn, choose(habits.considers(rules, state, weighed_bids(rules, choices))))
    taker = state.bidding.taker
    if taker is not None and must_discard(rules, state):
        number: int = rules.value("deal.taker-discards")
        return DiscardAction(taker, choose_cards(state.play.hands[taker], number, choose))
    for seat in range(rules.players):
        if state.dealt is not None and may_exchange(rules, state, state.play, seat):
            return ExchangeAction(seat)
    announcement = _announcement(rules, state, state.play, choose, habits)
    if announcement is not None:
        return announcement
    claim = _claim(rules, state, state.play) if habits.claims else None
    return claim or _play(rules, state, state.play, choose, habits)


def weighed_bids(rules: Ruleset, choices: Sequence[Bid]) -> Sequence[Bid]:
    """Return what may be said, with the pass as often as it has chances: players are not in a hurry to take.

    Where they bid over one another it has twice the chances of everything else, or all would bid to the top.
    """
    if None not in choices:
        return choices
    others = choices[1:]
    passes = PASSES_PER_CHOICE * len(others) if rules.has_auction else 0
    return [*others, *([None] * max(_LEAST_PASSES, passes))]


def _announcement(
    rules: Ruleset, state: DealState, play: PlayState, choose: Chooser, habits: Habits
) -> AnnounceAction | None:
    """Return what the next player who announces before the first lead announces; ``None`` if nobody does any more."""
    if not announces_apart(rules, play):
        return None
    for step in range(state.heard, rules.players):
        seat = (play.turn + step) % rules.players
        declarations = _declarations(rules, state.hands[seat], choose, habits)
        if declarations:
            return AnnounceAction(seat, declarations)
    return None


def _declarations(rules: Ruleset, hand: CardSet, choose: Chooser, habits: Habits) -> tuple[CardSet, ...]:
    """Return what a player announces from a hand: one of the largest sets, or nothing if he forgets."""
    found = tuple(declaration.cards for declaration in choose(possible_sets(rules, hand) or [()]))
    return () if found and _forgets(habits.forgets_to_announce, choose) else found


def _claim(rules: Ruleset, state: DealState, play: PlayState) -> ClaimAction | None:
    """Return a claim of *enough* that holds, between two tricks."""
    for seat in range(rules.players) if play.tricks and not play.cards else ():
        claim = ClaimAction(seat)
        with suppress(Refusal):
            apply_action(rules, state, claim)
            return claim
    return None


def _forgets(one_in: int, choose: Chooser) -> bool:
    return one_in > 0 and choose(range(one_in)) == 0


def choose_cards(hand: CardSet, number: int, choose: Chooser) -> CardSet:
    """Return so many cards of a hand, chosen one after the other."""
    chosen = NO_CARDS
    for _ in range(number):
        chosen |= ONLY[choose(list(cards_in(hand & ~chosen)))]
    return chosen


def _play(rules: Ruleset, state: DealState, play: PlayState, choose: Chooser, habits: Habits) -> PlayAction:
    seat = play.turn
    legal = list(cards_in(legal_now(rules, play)[0]))
    card: Card = choose(habits.considers(rules, state, legal))
    announce: tuple[CardSet, ...] = ()
    if not play.tricks and announces_with_card(rules, play):
        announce = _declarations(rules, state.hands[seat], choose, habits)
    show = may_show(rules, state, play) and not _forgets(habits.forgets_to_show, choose)
    belote = bool(play.mode.pair_of[card]) and need_call_belote(rules, royal_now(play, state.hands[seat], card))
    belote = belote and not _forgets(habits.forgets_belote, choose)
    return PlayAction(seat, card, announce, belote, show, makeable(rules, state, play, card))


def action_json(action: Action) -> dict[str, Any]:
    """Return an action as the protocol writes it."""
    match action:
        case BidAction():
            return {"seat": action.seat, "bid": bid_name(action.said)}
        case AnnounceAction():
            return {"seat": action.seat, "announce": [names_of(cards) for cards in action.declarations]}
        case DiscardAction():
            return {"seat": action.seat, "discard": names_of(action.cards)}
        case ExchangeAction():
            return {"seat": action.seat, "exchange": True}
        case PlayAction():
            extras: dict[str, Any] = {
                "announce": [names_of(cards) for cards in action.announce],
                "belote": action.belote,
                "show": action.show,
                "made": list(action.made),
            }
            said = {key: value for key, value in extras.items() if value}
            return {"seat": action.seat, "play": CARD_NAMES[action.card], **said}
        case LookAction():
            return {"seat": action.seat, "look": action.trick}
        case ClaimAction():
            return {"seat": action.seat, "claim": True}
