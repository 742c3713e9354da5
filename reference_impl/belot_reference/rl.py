"""A PettingZoo environment over ``Game``, for programs that learn; needs the extra ``[rl]``.

``env(profile)`` is one deal of any profile, or a whole match. An agent, ``seat_0`` and so on, observes what its seat
may know, as numbers, and what it may choose from, as a mask. Actions are numbers below ``actions(game)``. That is
``ACTIONS``, or ``AUCTION_ACTIONS`` where players bid over one another, and more where they bid numbers:

- 0 passes, 1 to 4 name spades, hearts, diamonds or clubs;
- 5 is silent before the first lead and 6 announces; 7 exchanges the seven, 8 claims the match;
- from 9 on a card is laid away, one at a time; from 41 on a card is played without a word;
- from 73 on a card is played with all that may be said with it. Of several announcements it is the one worth most;
- from 105 on, in an auction, no trumps and all trumps are named, and a contract is doubled or redoubled;
- from 109 on, where numbers are bid, six for each number from the lowest on, capot last: in spades, hearts, diamonds or
  clubs, at no trumps or at all trumps;
- the last number, where roem must be called, calls that of the trick just won; who is silent then leaves it uncalled.

``action_number`` is the number of an action in a game, and ``offered`` the actions by number that may be chosen there.

An observation is a vector of whole numbers; seats count from the observer's own. ``parts`` says of each part where it
stands, in which unit it is, and the most that it can be. ``scaled`` divides by that, so that all is from 0 to 1:

- ``hand``, ``turn_up``, ``discarded``: 1 for each card that it holds, of 32; ``trump``: 1 for the suit, of 4;
- ``phase``: 1 for what is to be done: to bid, to lay cards away, to announce, to play;
- by seat, five numbers each: ``dealer`` and ``taker`` (1 for who is it), ``passes`` (how often it passed), ``points``
  (card points of what it announced), ``belote`` (its calls that count);
- by seat, three times 32 cards: ``played`` in completed tricks, in the running ``trick``, ``open`` before it;
- in an auction also ``mode`` (1 for what stands or is played, of 6: the suits, no trumps, all trumps), ``raised`` (what
  doubling multiplies it by, 0 while nothing stands), and by seat ``said`` (1 for each mode that it named, then for a
  double and for a redouble); where numbers are bid also ``amount`` (the card points that were promised last, 0 before
  that, and what capot counts as for capot).

What else ``Game`` knows, to announce only some and to look at a trick again, is left out. Cards count in the order of
the deck: the spades from seven to ace, then hearts, diamonds and clubs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import pack
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from belot_reference.action import Action, plain_plays
from belot_reference.belote import NO_CALLS
from belot_reference.bidding import Bidding
from belot_reference.bids import BID_NAMES, CAPOT, RAISES, amount_named, amount_of_bid, bid_named, mode_of_bid
from belot_reference.cards import NO_CARDS, ONLY, CardSet
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState
from belot_reference.declarations import identify
from belot_reference.game import Game, engine_of, last_deal
from belot_reference.mode import MODE_NAMES
from belot_reference.questions import set_named
from belot_reference.roem import must_call
from belot_reference.turn import plain_cards
from belot_spec.card_names import CARD_NAMES, SUITS

BIDS: Final = ("pass", *SUITS)
SILENT: Final = 5
ANNOUNCE: Final = 6
EXCHANGE: Final = 7
CLAIM: Final = 8
DISCARD: Final = 9
PLAY: Final = DISCARD + len(CARD_NAMES)
PLAY_AND_SAY: Final = PLAY + len(CARD_NAMES)
ACTIONS: Final = PLAY_AND_SAY + len(CARD_NAMES)
# What is said in an auction alone, from the first number after all others on.
AUCTION_BIDS: Final = BID_NAMES[len(BIDS) :]
_CALLS: Final = BID_NAMES[1:]
AUCTION_ACTIONS: Final = ACTIONS + len(AUCTION_BIDS)
_PHASES: Final = ("bid", "discard", "announce", "play")
_PLACE: Final = {card: place for place, card in enumerate(CARD_NAMES)}


def env(profile: str, *, match: bool = False, render_mode: str | None = None) -> AECEnv:
    """Return the environment as others should use it: an action that is not offered ends the episode with -1."""
    return _Ordered(_Guarded(profile, match, render_mode))


class BelotEnv(AECEnv):  # type: ignore[misc]  # the package says nothing about its types
    """One deal at a table, or a match.

    A deal rewards each seat with its side's score points less the most of another side, a match with 1 or -1.
    """

    metadata: Final = {"name": "belot_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, profile: str, match: bool = False, render_mode: str | None = None) -> None:
        super().__init__()
        self.profile, self.match, self.render_mode = profile, match, render_mode
        self.game = Game(profile, seed=0)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.players)]
        self._actions = actions(self.game)
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        seen = spaces.Box(np.int16(0), most(self.game), dtype=np.int16)
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin another episode; the same seed deals the same cards, in this one and in those after it."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        drawn = int(self._random.integers(2**31))
        game = Game(self.profile, seed=drawn, dealer=drawn % len(self.possible_agents))
        self.game = game if self.match else last_deal(game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next()

    def _next(self, away: tuple[str, ...] = ()) -> None:
        """Look who is to act, and at what; ``away`` are the cards chosen so far to be laid away."""
        turn = self.game.turn
        assert turn is not None
        self._away = away
        self.agent_selection = self.possible_agents[turn]
        self._offered = offered(self.game, away)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent's seat may know; the mask is empty for whoever is not to act."""
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection and not self.terminations[agent]:
            mask[list(self._offered)] = 1
        return {"observation": observation(self.game, self.possible_agents.index(agent)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do what the agent whose turn it is has chosen."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        done = self._offered[int(action or 0)]
        if isinstance(done, str):
            self._next((*self._away, done))
            return
        self.game = self.game.apply(done)
        if self.game.phase in ("over", "deal"):
            self._end()
        else:
            self._next()

    def _end(self) -> None:
        score = self.game.score()
        points: Sequence[int] = score.deals[-1].score
        if score.winner is not None and (self.match or score.deals[-1].ended in ("belot", "claim")):
            points = [int(side == score.winner) for side in range(len(score.sides))]
        for side, seats in enumerate(score.sides):
            others = max(own for other, own in enumerate(points) if other != side)
            for seat in seats:
                self.rewards[self.possible_agents[seat]] = float(points[side] - others)
        self.terminations = dict.fromkeys(self.agents, True)
        self._offered = {}
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """Return the score sheet and the table, as text."""
        return f"{self.game.score()}\n{self.game}" if self.render_mode == "ansi" else None


class _Ordered(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper that says what was done before ``reset``; what it asks at each turn is asked within."""

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the agent to act sees, what it has earned, whether it has ended, and more."""
        return self.env.last(observe) if self._has_reset else super().last(observe)  # type: ignore[no-any-return]


class _Guarded(BelotEnv):
    """The environment that ends with -1 for whoever does what is not offered: two wrappers of PettingZoo in one."""

    def step(self, action: int | None) -> None:
        """Do what the agent whose turn it is has chosen, or end the episode if it was not offered that."""
        agent = self.agent_selection
        if action in self._offered or self.terminations[agent] or self.truncations[agent]:
            super().step(action)
            return
        assert self.action_spaces[agent].contains(action), "action is not in action space"
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations, self.truncations = dict.fromkeys(self.agents, True), dict.fromkeys(self.agents, True)
        self.rewards = {one: -1.0 if one == agent else 0.0 for one in self.agents}
        self._accumulate_rewards()
        self._deads_step_first()


def actions(game: Game) -> int:
    """Return how many numbers there are of actions in games by these rules."""
    rules = engine_of(game)[0]
    amounts = len(rules.auction.amounts) * len(MODE_NAMES)
    return (AUCTION_ACTIONS + amounts if rules.has_auction else ACTIONS) + must_call(rules)


def offered(game: Game, away: Sequence[str] = ()) -> dict[int, Action | str]:
    """Return by number what the seat on turn may choose: an action, or one more card to lay away."""
    rules, deal = engine_of(game)
    plain = None if away else plain_cards(rules, deal)
    if plain is not None and deal.play is not None:
        return dict(_offered_plain(deal.play.turn, plain))
    found: dict[int, Action | str] = {}
    choices: Sequence[Action] = game.legal_actions()
    if any(map(_says, choices)):
        choices = sorted(choices, key=lambda action: _worth(game, action))
    for action in choices:
        if action.discard:
            left = [card for card in action.discard if card not in away]
            if len(left) == len(action.discard) - len(away):
                cards = {DISCARD + _PLACE[card]: card for card in left}
                found.update(dict.fromkeys(cards, action) if len(left) == 1 else cards)
        else:
            found[action_number(game, action)] = action
    return found


@lru_cache(maxsize=1 << 14)
def _offered_plain(seat: int, cards: CardSet) -> dict[int, Action]:
    return {PLAY + _PLACE[str(action.play)]: action for action in plain_plays(seat, cards)}


def _says(action: Action) -> bool:
    return bool(action.announce or action.belote or action.show or action.made)


def _worth(game: Game, action: Action) -> tuple[int, int]:
    """Return what is announced with an action, in card points, and how much else is said, for the most to come last."""
    said = action.belote + action.show + len(action.made)
    if not action.announce:
        return 0, said
    rules, deal = engine_of(game)
    before = sum(one.points for one in deal.announced[action.seat])
    return before + sum(_points_of(rules, cards) for cards in action.announce), said


@lru_cache(maxsize=1 << 10)
def _points_of(rules: Ruleset, cards: tuple[str, ...]) -> int:
    return identify(rules, set_named(cards)).points


def action_number(game: Game, action: Action) -> int:
    """Return the number of an action in a game, for a discard that of its first card.

    Whatever is said with a card is one number.
    """
    if action.discard:
        return DISCARD + _PLACE[action.discard[0]]
    if action.bid is not None:
        return _bid_number(game, action.bid)
    if action.play is not None:
        return (PLAY_AND_SAY if _says(action) else PLAY) + _PLACE[action.play]
    if action.roem is not None:
        return actions(game) - 1
    return ANNOUNCE if action.announce else EXCHANGE if action.exchange else CLAIM if action.claim else SILENT


def _bid_number(game: Game, said: str) -> int:
    if said in BIDS:
        return BIDS.index(said)
    if said in AUCTION_BIDS:
        return ACTIONS + AUCTION_BIDS.index(said)
    bid = bid_named(said)
    assert bid is not None
    place = engine_of(game)[0].auction.amounts.index(amount_of_bid(bid))
    return AUCTION_ACTIONS + place * len(MODE_NAMES) + mode_of_bid(bid)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation: the ``places`` where it stands, what is counted, and the most that it can be."""

    name: str
    places: tuple[int, ...]
    unit: str
    most: int


def parts(game: Game) -> tuple[Part, ...]:
    """Return what an observation of a game by these rules is made of; the module's docstring explains it."""
    return _parts(engine_of(game)[0])


@lru_cache(maxsize=16)
def _parts(rules: Ruleset) -> tuple[Part, ...]:
    players, cards = rules.players, len(CARD_NAMES)
    runs = max(rules.value_or("declarations.sequence-points", {"3": 0}).values()) * (rules.hand_size // 3)
    points = runs + sum(rules.value_or("declarations.square-points", {}).values())
    passes, calls, raises = len(rules.value("bidding.rounds")), 2, rules.value_or("bidding.raises", [])
    if rules.has_auction:
        # A player passes at most once between two calls.
        passes = 1 + max(len(rules.auction.amounts), len(rules.modes)) * (1 + len(raises))
        calls *= len(SUITS)
    measures = {"passes": ("passes", passes), "points": ("card points", max(points, 1)), "belote": ("calls", calls),
                "raised": ("times", max((1, *raises))), "amount": ("card points", 0)}  # fmt: skip
    # Parts with their sizes, as they stand beside one another once, or once for each seat.
    groups = [
        (1, {"hand": cards, "turn_up": cards, "discarded": cards, "trump": len(SUITS), "phase": len(_PHASES)}),
        (players, dict.fromkeys(("dealer", "taker", "passes", "points", "belote"), 1)),
        (players, dict.fromkeys(("played", "trick", "open"), cards)),
    ]
    if rules.has_auction:
        groups += [(1, {"mode": len(MODE_NAMES), "raised": 1}), (players, {"said": len(_CALLS)})]
    if rules.has_amounts:
        groups.append((1, {"amount": 1}))
        measures["amount"] = "card points", max(_points(rules, bid) for bid in rules.auction.amounts)
    found, start = [], 0
    for times, sizes in groups:
        width, first = sum(sizes.values()), start
        for name, size in sizes.items():
            places = (first + width * seat + place for seat in range(times) for place in range(size))
            found.append(Part(name, tuple(places), *measures.get(name, ("yes or no", 1))))
            first += size
        start += width * times
    return tuple(found)


def most(game: Game) -> Any:
    """Return the most that each number of an observation can be."""
    found = parts(game)
    largest = np.zeros(sum(len(part.places) for part in found), np.int16)
    for part in found:
        largest[list(part.places)] = part.most
    return largest


def scaled(game: Game, seat: int) -> Any:
    """Return an observation with every number from 0 to 1, as 32-bit floats."""
    return (observation(game, seat) / most(game)).astype(np.float32)


class _Layout:
    """Where the parts of an observation begin: those between the cards as they stand there, by seat for the first."""

    def __init__(self, rules: Ruleset) -> None:
        found = _parts(rules)
        self.size = sum(len(part.places) for part in found)
        self.starts = {part.name: part.places[0] for part in found}
        self.cards_by_seat = self.starts["played"]
        self.trump, self.phase = self.starts["trump"] - _OWN, self.starts["phase"] - _OWN
        self.dealer, self.taker = self.starts["dealer"] - _OWN, self.starts["taker"] - _OWN
        self.passes, self.points = self.starts["passes"] - _OWN, self.starts["points"] - _OWN
        self.belote = self.starts["belote"] - _OWN


_layout = lru_cache(maxsize=16)(_Layout)
# The cards of the seat's own: its hand, what was turned up, what it laid away.
_OWN: Final = 3 * len(CARD_NAMES)
# Numbers of each seat that are no cards: the dealer, the taker, passes, points and belote.
_FIGURES: Final = 5


def observation(game: Game, seat: int) -> Any:
    """Return what a seat may know as numbers, 16-bit whole ones; ``parts`` says which is which."""
    rules, state = engine_of(game)
    layout, players, bidding = _layout(rules), rules.players, state.bidding
    numbers, contract = np.zeros(layout.size, np.int16), bidding.contract
    turn_up = NO_CARDS if state.turn_up is None else ONLY[state.turn_up]
    held, order = state.held, [(seat + step) % players for step in range(players)]
    sets = [held[seat], turn_up, state.discarded if seat == bidding.taker else NO_CARDS]
    played, lying = _played(rules, state)
    for who in order:
        sets += (played[who], lying[who], held[who] if rules.open_piles else NO_CARDS)
    bits = np.unpackbits(np.frombuffer(pack(f"<{len(sets)}I", *sets), np.uint8), bitorder="little")
    # Between the cards of the seat's own and those of each seat stand the few numbers that are no cards.
    between = [0] * (layout.cards_by_seat - _OWN)
    if contract is not None:
        between[layout.taker + _FIGURES * ((contract.taker - seat) % players)] = 1
        if contract.mode.kind == "suit":
            between[layout.trump + contract.mode.number] = 1
    if (phase := game.phase) in _PHASES:
        between[layout.phase + _PHASES.index(phase)] = 1
    between[layout.dealer + _FIGURES * ((bidding.dealer - seat) % players)] = 1
    for who, said in zip(bidding.seats, bidding.bids, strict=True):
        if said is None:
            between[layout.passes + _FIGURES * ((who - seat) % players)] += 1
    if any(state.announced) or state.calls != (NO_CALLS,) * players:
        for place, who in enumerate(order):
            between[layout.points + _FIGURES * place] = sum(one.points for one in state.announced[who])
            between[layout.belote + _FIGURES * place] = sum(state.calls[who])
    numbers[:_OWN], numbers[_OWN : layout.cards_by_seat] = bits[:_OWN], between
    numbers[layout.cards_by_seat : layout.cards_by_seat + len(bits) - _OWN] = bits[_OWN:]
    if rules.has_auction:
        _put_auction(rules, bidding, seat, numbers, layout.starts)
    return numbers


def _played(rules: Ruleset, state: DealState) -> tuple[list[CardSet], list[CardSet]]:
    """Return by seat what was played in completed tricks, and in the running one."""
    play, players = state.play, rules.players
    if play is None:
        return [NO_CARDS] * players, [NO_CARDS] * players
    lying = [NO_CARDS] * players
    for step, card in enumerate(play.cards, play.leader):
        lying[step % players] = ONLY[card]
    if not rules.open_piles:
        return [dealt & ~left & ~own for dealt, left, own in zip(state.hands, play.hands, lying, strict=True)], lying
    whole = [NO_CARDS] * players
    for leader, cards, _ in play.tricks:
        for step, card in enumerate(cards, leader):
            whole[step % players] |= ONLY[card]
    return whole, lying


def _points(rules: Ruleset, amount: int | None) -> int:
    """Return the card points that an amount stands for."""
    points: int = rules.given("scoring.capot-amount") if amount == CAPOT else amount or 0
    return points


def _put_auction(rules: Ruleset, bidding: Bidding, seat: int, numbers: Any, starts: Mapping[str, int]) -> None:
    """Put what stands, what doubling multiplies it by, and what each seat has called, from a ``seat`` on."""
    mode, raised, amount = -1, 0, 0
    for who, bid in zip(bidding.seats, bidding.bids, strict=True):
        if bid is None:
            continue
        called = mode_of_bid(bid)
        numbers[starts["said"] + len(_CALLS) * ((who - seat) % rules.players) + called] = 1
        if bid in RAISES:
            raises = rules.given("bidding.raises")
            raised = raises[raises.index(raised) + 1 if raised in raises else 0]
        else:
            mode, raised, amount = called, 1, amount_of_bid(bid)
    if (contract := bidding.contract) is not None:
        mode, raised = contract.mode.number, contract.raised
        amount = amount_named(contract.bid_json().get("bid")) or 0
    if mode >= 0:
        numbers[starts["mode"] + mode] = 1
    numbers[starts["raised"]] = raised
    if rules.has_amounts:
        numbers[starts["amount"]] = _points(rules, amount)
