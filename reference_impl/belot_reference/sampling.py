"""Drawing a whole deal that agrees with what a seat knows: every such deal as likely as any other.

A deal agrees if every card played was legal, and nothing shown, announced or said of belote is contradicted. Cards that
a play rules out are left out beforehand, and what was announced is given to a hand first; whatever else there is to
agree with is found by playing the deal again up to now, and looking at it from the seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from belot_reference.action import Action
from belot_reference.cards import (
    CARD_BY_NAME,
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    holds,
    names_of,
    ranks_of,
    suit_of,
    union,
)
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState, Pile, deal_after_bidding, deal_before_bidding
from belot_reference.declarations import four_of
from belot_reference.errors import BadQuestionError, Refusal
from belot_reference.match import Match
from belot_reference.mode import QUEENS
from belot_reference.play import PlayState, force_card, start_play
from belot_reference.questions import set_named
from belot_reference.tricks import Duty
from belot_reference.turn import SEVEN
from belot_reference.view import Declared, View
from belot_spec.card_names import CARD_NAMES, RANKS

if TYPE_CHECKING:
    from belot_reference.game import Game, MatchState

_MOST_TRIES: Final = 100_000
_LARGEST_SEED: Final = 2**53
_NOT_CARDS: Final = ("cut", "shuffles", "taker", "trump", "bid", "raised", "announcing")
# What may have been announced, one set of cards for each hidden declaration of each seat.
_Guess = tuple[tuple[CardSet, ...], ...]


class Known(NamedTuple):
    """What a seat knows of a deal beside what its view shows; of others' cards nothing.

    ``match`` is what stands on the sheet, ``first_dealer`` dealt the first of the ``ended`` deals, and ``asked`` counts
    the seats that have announced before the first lead or let it be.
    ``opening`` are the fields with which the deal began but for the cards, ``form`` is the one that told these. ``own``
    are the cards that the seat was dealt, ``own_before`` those of them that it saw while bidding, ``sizes`` how many
    each has been dealt by now, ``in_play`` all cards of the deal. Of ``actions`` the cards that others laid away, or
    announced and have not shown, are left out. Where cards lie in piles, ``lay_open`` lay open at first by seat, and
    ``turned`` are those that have been turned, by the card that covered them.
    """

    rules: Ruleset
    first_dealer: int
    match: Match
    ended: tuple[Any, ...]
    asked: int
    opening: Mapping[str, Any]
    form: str
    turn_up: Card | None
    own: CardSet
    own_before: CardSet
    sizes: tuple[int, ...]
    in_play: CardSet
    actions: tuple[Action, ...]
    lay_open: tuple[CardSet, ...] = ()
    turned: Mapping[Card, Card] = {}


def known_to(rules: Ruleset, so_far: "MatchState", seat: int | None) -> Known:
    """Return what a seat knows of the running deal of a match beside its view."""
    state, opening, actions = so_far.deal, so_far.opening, so_far.actions
    assert state is not None
    form = next(name for name in ("deck", "piles", "hands") if name in opening)
    dealt = state.hands if state.play is not None or state.dealt is None else state.dealt.hands
    own, turn_up = NO_CARDS if seat is None else dealt[seat], state.turn_up
    for action in actions:
        if action.exchange and turn_up is not None:
            # The seven lies there now: the seat that took the turned card was dealt it.
            seven = turn_up
            turn_up = CARD_BY_NAME[opening["turn_up"]] if state.dealt is None else state.dealt.turn_up
            if action.seat == seat and turn_up is not None:
                own = own & ~ONLY[turn_up] | ONLY[seven]
            break
    sizes = [hand.bit_count() for hand in dealt]
    if state.discarded:
        taker = state.contract.taker
        sizes[taker] += state.discarded.bit_count()
        own |= state.discarded if taker == seat else NO_CARDS
    covered, held = state.covered, union(state.held)
    in_play = rules.deck
    if form != "deck" and max(sizes) < rules.hand_size // (1 + rules.open_piles):
        in_play = union(state.hands) | card_set(covered.values()) | state.discarded
    return Known(
        rules=rules,
        first_dealer=so_far.first_dealer,
        match=so_far.match,
        ended=so_far.ended,
        asked=so_far.asked,
        opening={name: opening[name] for name in _NOT_CARDS if name in opening},
        form=form,
        turn_up=turn_up,
        own=own,
        own_before=NO_CARDS if seat is None else state.before[seat] & own,
        sizes=tuple(sizes),
        in_play=in_play,
        actions=_told(actions, state, seat) if state.discarded or any(state.announced) else actions,
        lay_open=state.hands if rules.open_piles else (),
        turned={top: under for top, under in covered.items() if not holds(held, top)},
    )


def _told(actions: Sequence[Action], state: DealState, seat: int | None) -> tuple[Action, ...]:
    """Return the actions without the cards that a seat has not seen."""
    return tuple(
        action
        if action.seat == seat or not (action.discard or (action.announce and not state.shown[action.seat]))
        else Action(
            seat=action.seat,
            play=action.play,
            belote=action.belote,
            show=action.show,
            made=action.made,
            announce=((),) * len(action.announce),
        )
        for action in actions
    )


class Place(NamedTuple):
    """Where hidden cards are: how many, and the cards that cannot be there."""

    room: int
    never: CardSet


class Deals:
    """All deals that agree with what a seat knows, to draw from."""

    def __init__(self, view: View, known: Known) -> None:
        if view.phase in ("deal", "over"):
            raise BadQuestionError("sample: no deal is running")
        self._view, self._known, self._rules = view, known, known.rules
        self._others = [seat for seat in range(known.rules.players) if seat != view.seat]
        self._hidden = {seat: [one for one in view.announced[seat] if not one.cards] for seat in self._others}
        plays = [action for action in known.actions if action.play is not None]
        self._sure = self._surely_dealt(plays)
        seen = union(self._sure) | union(ONLY[under] for under in known.turned.values())
        self._unknown = known.in_play & ~seen & ~(NO_CARDS if known.turn_up is None else ONLY[known.turn_up])
        self._places = self._places_of(plays)
        guesses = [(guess, self._ways(guess)) for guess in self._guesses()]
        self._likely = [guess for guess, ways in guesses if ways]
        self._weights = [ways for _, ways in guesses if ways]
        if not self._weights:
            raise BadQuestionError("sample: no deal agrees with this view")

    def draw(self, random: Random) -> "Game":
        """Return a game with a deal that agrees."""
        for _ in range(_MOST_TRIES):
            (guess,) = random.choices(self._likely, self._weights)
            hands, away, rest = self._dealt(guess, random)
            opening, seed = self._opening(hands, rest, random), random.randrange(_LARGEST_SEED)
            if (game := self._played(opening, guess, away, seed)) is None:
                continue
            # A deal in which other sets may have been announced comes up that many times more often.
            others = (other for other in self._likely if other is not guess and self._fits(other, hands))
            agreeing = 1 + sum(self._played(opening, other, away, seed) is not None for other in others)
            if random.random() * agreeing < 1:
                return game
        raise BadQuestionError(f"sample: in {_MOST_TRIES:,} tries no deal agreed with this view")

    def _played(self, opening: Mapping[str, Any], guess: _Guess, away: CardSet, seed: int) -> "Game | None":
        """Return the game of a deal, if what was done could be done in it and its seat would see what it sees."""
        from belot_reference.game import game_in

        known, view = self._known, self._view
        try:
            game = game_in(known, opening, self._actions(guess, away), seed)
        except (Refusal, BadQuestionError):
            return None
        return game if (game.table if view.seat is None else game.view(view.seat)) == view else None

    # What is known.

    def _surely_dealt(self, plays: Sequence[Action]) -> list[CardSet]:
        """Return by seat the cards that it is known to have been dealt."""
        known, view = self._known, self._view
        if known.lay_open:
            return list(known.lay_open)
        sure = [NO_CARDS] * self._rules.players
        mode = None if view.contract is None else self._mode()
        for action in plays:
            card = CARD_BY_NAME[str(action.play)]
            sure[action.seat] |= ONLY[card]
            if action.belote and mode is not None:
                sure[action.seat] |= mode.pair_of[card]
        for seat in self._others:
            sure[seat] |= union(set_named(one.cards) for one in view.announced[seat])
        if known.turn_up is not None:
            turned = ONLY[known.turn_up]
            for action in known.actions:
                if action.exchange:
                    sure[action.seat] = sure[action.seat] & ~turned | ONLY[card_at(SEVEN, suit_of(known.turn_up))]
            taker = None if view.contract is None else view.contract.taker
            goes_to = self._rules.value("deal.turn-up")
            if goes_to == "dealers-last-card":
                sure[view.dealer] |= turned
            elif taker is not None and goes_to == "to-taker":
                sure[taker] |= turned
        if view.seat is not None:
            sure[view.seat] = known.own
        return sure

    def _mode(self) -> Any:
        assert self._view.contract is not None
        name = self._view.contract.trump
        return next(mode for mode in self._rules.modes if mode.name == name)

    def _places_of(self, plays: Sequence[Action]) -> list[Place]:
        """Return where unknown cards are: in the hands of the seats, laid away, and with nobody (or covered)."""
        known, view = self._known, self._view
        never = [NO_CARDS] * self._rules.players
        if view.contract is not None and not known.lay_open:
            never = self._ruled_out(plays)
        away = 0
        rooms = [0] * self._rules.players
        for seat in self._others:
            rooms[seat] = 0 if known.lay_open else known.sizes[seat] - self._sure[seat].bit_count()
        taker = None if view.contract is None else view.contract.taker
        if taker is not None and taker != view.seat and self._has_laid_away():
            away = int(self._rules.given("deal.taker-discards"))
            rooms[taker] -= away
        rest = self._unknown.bit_count() - sum(rooms) - away
        return [*map(Place, rooms, never), Place(away, NO_CARDS), Place(rest, NO_CARDS)]

    def _has_laid_away(self) -> bool:
        """Say whether the cards that are laid away are: before anything that is done with a card or announced."""
        if not self._rules.value_or("deal.taker-discards", 0):
            return False
        return any(action.bid is None and not action.exchange for action in self._known.actions)

    def _ruled_out(self, plays: Sequence[Action]) -> list[CardSet]:
        """Return by seat the unknown cards that it cannot have, or a card that it played would not have been legal.

        Only those that no other card could make legal again: the rest is found when the deal is played again.
        """
        rules, never = self._rules, [NO_CARDS] * self._rules.players
        hands = [*self._sure]
        turned = self._known.turn_up
        if turned is not None:
            for action in self._known.actions:
                if action.exchange:
                    hands[action.seat] = hands[action.seat] & ~ONLY[card_at(SEVEN, suit_of(turned))] | ONLY[turned]
        leader = plays[0].seat if plays else 0
        state = start_play(rules, self._mode(), hands, leader)
        for action in plays:
            card = CARD_BY_NAME[str(action.play)]
            if action.seat != self._view.seat:
                never[action.seat] |= self._ruled_out_by(state, action.seat, card)
            state = force_card(rules, state, card)
        return never

    def _ruled_out_by(self, state: PlayState, seat: int, card: Card) -> CardSet:
        node, hand, unknown = state.node, state.hands[seat], self._unknown
        gone = NO_CARDS
        if self._rules.king_first and holds(QUEENS, card):
            gone |= state.mode.pair_of[card] & ~ONLY[card] & unknown
        if hand & node.led_suit:
            return gone | _ruled_out_in(node.following, hand, unknown, card)
        led = node.led_suit & unknown
        if led and any(rung.allowed & ONLY[card] and rung.binds & (hand | unknown) for rung in node.following.rungs):
            return gone
        return gone | led | _ruled_out_in(node.void, hand, unknown & ~led, card)

    # What may have been announced.

    def _guesses(self) -> Iterator[_Guess]:
        """Yield every way in which the hidden declarations may be cards, one tuple for each of the other seats."""
        by_seat = []
        for seat in self._others:
            place = self._places[seat]
            may_hold = self._sure[seat] | (self._unknown & ~place.never if not self._known.lay_open else NO_CARDS)
            each = [[*self._candidates(one, may_hold)] for one in self._hidden[seat]]
            by_seat.append([sets for sets in product(*each) if self._go_together(seat, sets)])
        for guess in product(*by_seat):
            added = [union(sets) & ~self._sure[seat] for seat, sets in zip(self._others, guess, strict=True)]
            if union(added).bit_count() == sum(one.bit_count() for one in added):
                yield guess

    def _go_together(self, seat: int, sets: tuple[CardSet, ...]) -> bool:
        """Say whether a seat may have announced these: no card twice in a kind, and of those alike one order alone."""
        hidden = self._hidden[seat]
        at_once = self._rules.value_or("declarations.announced", "with-any-card") != "with-any-card"
        for (one, cards), (other, others) in combinations(zip(hidden, sets, strict=True), 2):
            if one.kind == other.kind and (cards & others or (at_once and one == other and cards > others)):
                return False
        return True

    def _candidates(self, declared: Declared, cards: CardSet) -> Iterator[CardSet]:
        rules = self._rules
        if declared.kind == "square":
            for rank, name in enumerate(RANKS):
                if not four_of(rank) & ~cards and rules.entry("declarations.square-points", name) == declared.points:
                    yield four_of(rank)
            return
        for suit in EVERY_SUIT:
            for first, after in rules.runs[ranks_of(cards, suit)]:
                for length in range(3, after - first + 1):
                    if rules.entry("declarations.sequence-points", str(length)) == declared.points:
                        yield from (self._run(suit, start, length) for start in range(first, after - length + 1))

    def _run(self, suit: Suit, start: int, length: int) -> CardSet:
        ranks = (self._rules.sequence_position.index(position) for position in range(start, start + length))
        return card_set(card_at(rank, suit) for rank in ranks)

    def _fits(self, guess: _Guess, hands: Sequence[CardSet]) -> bool:
        return all(not cards & ~hands[seat] for seat, sets in zip(self._others, guess, strict=True) for cards in sets)

    # Dealing the unknown cards.

    def _with(self, guess: _Guess) -> tuple[CardSet, list[CardSet], tuple[int, ...]]:
        """Return what is unknown still, what each seat has for sure, and how much room each place has, with a guess."""
        sure, rooms = [*self._sure], [place.room for place in self._places]
        for seat, sets in zip(self._others, guess, strict=True):
            added = union(sets) & ~sure[seat]
            sure[seat] |= added
            rooms[seat] -= added.bit_count()
        return self._unknown & ~union(sure), sure, tuple(rooms)

    def _groups(self, unknown: CardSet) -> tuple[tuple[int, ...], list[list[Card]]]:
        """Return the unknown cards by the places where they can be, each a number with a bit for each place."""
        groups: dict[int, list[Card]] = {}
        for card in cards_in(unknown):
            where = sum(1 << at for at, place in enumerate(self._places) if not holds(place.never, card))
            groups.setdefault(where, []).append(card)
        wheres = sorted(groups)
        return tuple(wheres), [groups[where] for where in wheres]

    def _ways(self, guess: _Guess) -> int:
        unknown, _, rooms = self._with(guess)
        if min(rooms) < 0:
            return 0
        wheres, groups = self._groups(unknown)
        return _number(tuple(zip(wheres, map(len, groups), strict=True)), rooms)

    def _dealt(self, guess: _Guess, random: Random) -> tuple[list[CardSet], CardSet, CardSet]:
        """Return what each seat was dealt, what was laid away of it, and all that nobody has seen, drawn by lot."""
        unknown, hands, rooms = self._with(guess)
        wheres, groups = self._groups(unknown)
        found = [*hands, NO_CARDS, NO_CARDS]
        sizes = tuple(zip(wheres, map(len, groups), strict=True))
        for number, cards in enumerate(groups):
            random.shuffle(cards)
            shares = _shares(sizes[number][0], len(cards), rooms)
            weights = [ways * _number(sizes[number + 1 :], after) for _, ways, after in shares]
            ((share, _, rooms),) = random.choices(shares, weights)
            for place, number_here in enumerate(share):
                found[place] |= card_set(cards[:number_here])
                cards = cards[number_here:]
        *hands, away, rest = found
        contract = self._view.contract
        if contract is not None:
            hands[contract.taker] |= away
        return hands, away, rest

    # The deal as it would have been recorded.

    def _opening(self, hands: Sequence[CardSet], rest: CardSet, random: Random) -> dict[str, Any]:
        known = self._known
        opening = dict(known.opening)
        if known.form == "deck":
            opening["deck"] = self._deck(hands, rest, random)
            return opening
        if known.form == "piles":
            piles = self._piles(rest, random)
            opening["piles"] = [[[CARD_NAMES[top], CARD_NAMES[under]] for top, under in own] for own in piles]
            return opening
        opening["hands"] = [names_of(hand) for hand in hands]
        if known.turn_up is not None:
            opening["turn_up"] = CARD_NAMES[known.turn_up]
        if known.own_before != known.own and self._view.seat is not None:
            opening["before"] = [
                names_of(known.own_before if seat == self._view.seat else hand) for seat, hand in enumerate(hands)
            ]
        return opening

    def _piles(self, rest: CardSet, random: Random) -> list[list[Pile]]:
        turned, covers = self._known.turned, [*cards_in(rest)]
        random.shuffle(covers)
        return [
            [(top, turned[top] if top in turned else covers.pop()) for top in cards_in(cards)]
            for cards in self._known.lay_open
        ]

    def _deck(self, hands: Sequence[CardSet], rest: CardSet, random: Random) -> list[str]:
        """Return a deck from which these hands are dealt: first a deck is dealt of which the places are known."""
        rules, view, turn_up = self._rules, self._view, self._known.turn_up
        places = [*cards_in(rules.deck)]
        dealt = deal_before_bidding(rules, view.dealer, places)
        found: dict[Card, Card] = {}

        def put(cards: CardSet, there: CardSet) -> None:
            drawn = [*cards_in(cards)]
            random.shuffle(drawn)
            found.update(zip(cards_in(there), drawn, strict=True))

        if dealt.piles:
            for own, piles in zip(dealt.piles, self._piles(rest, random), strict=True):
                for place, pile in zip(own, piles, strict=True):
                    found.update(zip(place, pile, strict=True))
        else:
            turned, turned_place = NO_CARDS, NO_CARDS
            if dealt.turn_up is not None and turn_up is not None:
                turned, turned_place = ONLY[turn_up], ONLY[dealt.turn_up]
                put(turned, turned_place)
            whole = dealt.hands if view.contract is None else deal_after_bidding(rules, dealt, view.contract.taker)
            for seat, hand in enumerate(hands):
                here = dealt.hands[seat] & ~turned_place
                before = self._before(seat, hand & ~turned, here.bit_count(), random)
                put(before, here)
                put(hand & ~turned & ~before, whole[seat] & ~dealt.hands[seat] & ~turned_place)
            put(rest, rules.deck & ~card_set(found))
        deck = [CARD_NAMES[found[place]] for place in places]
        lifted = len(deck) - self._known.opening.get("cut", 0)
        return [*deck[lifted:], *deck[:lifted]]

    def _before(self, seat: int, hand: CardSet, number: int, random: Random) -> CardSet:
        """Return the cards of a hand that were dealt before the bidding; a seven that was exchanged is one of them."""
        known = self._known
        if seat == self._view.seat:
            return known.own_before & hand
        sure = NO_CARDS
        if known.turn_up is not None and any(action.exchange and action.seat == seat for action in known.actions):
            sure = ONLY[card_at(SEVEN, suit_of(known.turn_up))]
        others = [*cards_in(hand & ~sure)]
        random.shuffle(others)
        return sure | card_set(others[: number - sure.bit_count()])

    def _actions(self, guess: _Guess, away: CardSet) -> list[Action]:
        """Return what was done, with the cards that were laid away and announced, as they are guessed."""
        left = {seat: [*sets] for seat, sets in zip(self._others, guess, strict=True)}
        found = []
        for action in self._known.actions:
            if () in action.announce:
                sets = [left[action.seat].pop(0) for _ in action.announce]
                fields = {"play": action.play, "belote": action.belote, "show": action.show, "made": action.made}
                announce = tuple(tuple(names_of(cards)) for cards in sets)
                action = Action(seat=action.seat, announce=announce, **fields)  # type: ignore[arg-type]
            elif action == Action(seat=action.seat):
                action = Action(seat=action.seat, discard=tuple(names_of(away)))
            found.append(action)
        return found


def _ruled_out_in(duty: Duty, hand: CardSet, unknown: CardSet, card: Card) -> CardSet:
    """Return the unknown cards with which a duty would not let a card be played from a hand, whatever else is in it."""
    gone = NO_CARDS
    for binds, allowed in duty.rungs:
        if hand & binds:
            return gone
        if holds(allowed, card):
            if binds & unknown:
                return gone
        else:
            gone |= binds & unknown
    return gone


@lru_cache(maxsize=1 << 14)
def _shares(where: int, number: int, rooms: tuple[int, ...]) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    """Return how places can share a number of cards that can be there, in how many ways, and how much room is left."""
    found: list[tuple[tuple[int, ...], int, tuple[int, ...]]] = []

    def share(place: int, left: int, taken: tuple[int, ...], ways: int) -> None:
        if place == len(rooms):
            if not left:
                after = tuple(room - own for room, own in zip(rooms, taken, strict=True))
                found.append((taken, ways, after))
            return
        most = min(left, rooms[place]) if where >> place & 1 else 0
        for own in range(most + 1):
            share(place + 1, left - own, (*taken, own), ways * comb(left, own))

    share(0, number, (), 1)
    return found


@lru_cache(maxsize=1 << 14)
def _number(groups: tuple[tuple[int, int], ...], rooms: tuple[int, ...]) -> int:
    """Return in how many ways groups of cards fill all places: each group by where it can be, and its number."""
    if not groups:
        return int(not any(rooms))
    (where, number), *others = groups
    return sum(ways * _number(tuple(others), after) for _, ways, after in _shares(where, number, rooms))
