"""Players over what a seat may know, and a match between them.

A player is asked with a ``View`` and the actions that its seat may do, and returns one of these. ``RandomPlayer`` and
``SensiblePlayer`` choose as the players of simulated deals do, by the same habits: they announce, show and say all that
they may, exchange the seven where they can, call the roem that they win, and never claim.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import Final

from belot_reference.action import Action, in_english
from belot_reference.auction import taken
from belot_reference.bidding import Bidding, bid
from belot_reference.bids import amount_named, bid_named
from belot_reference.cards import CARD_BY_NAME, NO_CARDS
from belot_reference.compile import Ruleset
from belot_reference.contract import DealContract
from belot_reference.deal import DealState, known_deal
from belot_reference.declarations import possible_sets
from belot_reference.errors import BadQuestionError
from belot_reference.game import Game
from belot_reference.play import CompletedTrick, PlayState, first_leader, table_of
from belot_reference.questions import cards_named, mode_named, set_named
from belot_reference.replay import Chooser, choose_cards, weighed_bids
from belot_reference.simulated import FIRST_CARD, LAID_AWAY, PLAYERS, SimulatedPlayer, preference
from belot_reference.streams import SPREAD, mixed
from belot_reference.view import Trick, View, rules_of
from belot_spec.card_names import CARD_NAMES

_LARGEST_SEED: Final = 2**53


class Player(ABC):
    """Somebody who plays at a seat, and knows of the deal what a ``View`` shows."""

    @abstractmethod
    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """Return one of the actions that the seat of a view may do, as it is its turn."""

    def interrupt(self, view: View, actions: Sequence[Action]) -> Action | None:
        """Return one of the actions that a seat may do out of turn, or nothing: to exchange the seven, or to claim."""
        return None


class RandomPlayer(Player):
    """A player that bids and plays any that it may, and says all that may be said with it.

    The same ``seed`` chooses the same where it sees the same; without one it is drawn by lot.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = SystemRandom().randrange(_LARGEST_SEED) if seed is None else seed

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), self.seed))

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """Return one of the actions that the seat of a view may do, as it is its turn."""
        return chosen(PLAYERS[self._kind], view, actions, self._stream(view))

    def interrupt(self, view: View, actions: Sequence[Action]) -> Action | None:
        """Exchange the seven of trump, if that is offered."""
        return next((action for action in actions if action.exchange), None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.seed})"

    _kind = "random"

    def _stream(self, view: View) -> int:
        """Return random numbers that hang on the seed and on what is seen, so that nothing need be remembered."""
        known = set_named([*view.hand, *view.discarded, *([] if view.turn_up is None else [view.turn_up])])
        return mixed(mixed(self.seed + known * SPREAD) + (view.seat or 0))


class SensiblePlayer(RandomPlayer):
    """A player that plays well enough to be played against: it sees its hand and what lies open, and nothing else.

    It names a suit in which it is strong, leads what nothing beats, takes a trick as cheaply as it can, and gives a
    partner who has it points. Where several cards are as good the ``seed`` decides.
    """

    _kind = "sensible"


def play_match(
    profile: str | Path, players: Sequence[Player], *, seed: int | None = None, dealer: int | None = None
) -> Game:
    """Play a match between players, one for each seat, and return the game: ``to_record()`` is its record.

    ``profile``, ``seed`` and ``dealer`` are those of a ``Game``. Raises ``BadQuestionError`` for another number of
    players and for a player that returns what it was not offered.
    """
    game = Game(profile, seed=seed, dealer=dealer)
    if len(players) != game.players:
        raise BadQuestionError(f"players: one for each seat, {game.players} in {game.profile}, not {len(players)}")
    while not game.is_over:
        game = game.apply(next_of(game, players))
    return game


def next_of(game: Game, players: Sequence[Player]) -> Action:
    """Return what is done next: what a player does out of turn, if one does, else what the one to move chooses."""
    turn = game.turn
    assert turn is not None
    for seat in (one for one in range(game.players) if one != turn and game.phase not in ("bid", "discard")):
        others = game.legal_actions(seat)
        if others and (found := players[seat].interrupt(game.view(seat), others)) is not None:
            return _offered(seat, found, others)
    actions = game.legal_actions()
    return _offered(turn, players[turn].choose(game.view(turn), actions), actions)


def _offered(seat: int, found: Action, actions: Sequence[Action]) -> Action:
    if found not in actions:
        done = f"seat {found.seat}: {in_english(found)}" if isinstance(found, Action) else str(found)
        raise BadQuestionError(f"players.{seat}: it chose what it was not offered: {done:.100}")
    return found


def chosen(player: SimulatedPlayer, view: View, actions: Sequence[Action], stream: int) -> Action:
    """Return what a player of simulated deals does at a seat, of the actions that it may do there."""
    rules, state = rules_of(view), seen(view)
    choose = preference(stream, _decision(rules, view))
    if view.phase == "bid":
        bids = [bid_named(str(action.bid)) for action in actions]
        return actions[bids.index(choose(player.habits.considers(rules, state, weighed_bids(rules, bids))))]
    unasked = next((action for action in actions if action.exchange or action.roem), None)
    if unasked is not None:
        return unasked
    if view.phase == "discard":
        return _laid_away(player, rules, state, actions, choose)
    plays = [action for action in actions if action.play is not None]
    if plays:
        cards = cards_named([*dict.fromkeys(str(action.play) for action in plays)])
        card = CARD_NAMES[choose(player.habits.considers(rules, state, cards))]
        plays = [action for action in plays if action.play == card]
    return _said(rules, view, plays or actions, choose)


def _decision(rules: Ruleset, view: View) -> int:
    """Return the number of a decision of a deal, as ``simulated`` counts them."""
    if view.contract is None:
        return len(view.bids)
    if view.phase == "discard":
        return LAID_AWAY
    turn = first_leader(rules, view.dealer, view.contract.taker) if view.phase == "announce" else view.turn
    return FIRST_CARD + len(view.tricks) * rules.players + (turn or 0)


def _laid_away(
    player: SimulatedPlayer, rules: Ruleset, state: DealState, actions: Sequence[Action], choose: Chooser
) -> Action:
    number = len(actions[0].discard)
    assert state.play is not None
    if player.lays_away is None:
        away = choose_cards(state.play.hands[state.play.turn], number, choose)
    else:
        away = player.lays_away(rules, state, state.play, number)
    return next(action for action in actions if set_named(action.discard) == away)


def _said(rules: Ruleset, view: View, actions: Sequence[Action], choose: Chooser) -> Action:
    """Return the action with all that may be said: one of the largest sets of declarations, belote, and to show."""
    found = choose(possible_sets(rules, set_named(view.hand)) or [()]) if not view.tricks else ()
    declared = {declaration.cards for declaration in found}
    told = [one for one in actions if {set_named(cards) for cards in one.announce} == declared]
    if not told:
        told = [one for one in actions if not one.announce]
    return max(told, key=lambda one: (one.belote, one.show, len(one.made)))


def seen(view: View) -> DealState:
    """Return a deal as a seat sees it, for what looks at the engine's own form of one: the others hold nothing."""
    rules, seat = rules_of(view), view.seat
    assert seat is not None
    hands = tuple(set_named(view.hand) if other == seat else NO_CARDS for other in range(rules.players))
    turn_up = None if view.turn_up is None else CARD_BY_NAME[view.turn_up]
    state = known_deal(rules, view.dealer, view.totals, hands, turn_up=turn_up)
    bidding = state.bidding
    if view.contract is None:
        for _, said in view.bids:
            bidding = bid(rules, bidding, bid_named(said))
        return state._replace(bidding=bidding)
    mode = mode_named(rules, view.contract.trump)
    contract = DealContract(view.contract.taker, mode, amount_named(view.contract.bid), view.contract.raised)
    trick = view.trick or Trick(seat, (), None)
    table = table_of(rules, mode, trick.leader, cards_named(trick.cards))
    tricks = tuple(CompletedTrick(one.leader, tuple(cards_named(one.cards)), one.winner or 0) for one in view.tricks)
    play = PlayState(mode, hands, seat, table.cards, table.node, tricks)
    return state._replace(bidding=Bidding((), taken(bidding.node, contract)), play=play)
