"""Playing cards to tricks: which cards are legal, who wins, and what follows from a card."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from belot_reference.cards import ONLY, Card, CardSet, holds
from belot_reference.compile import Ruleset
from belot_reference.errors import CardNotHeld, IllegalCard, MayNotLook, NotYourTurn, UnknownValueError
from belot_reference.mode import QUEENS, Mode
from belot_reference.trace import Noted
from belot_reference.tricks import NOBODY, Duty, TrickNode

# What a named tuple's own constructor does, without its keyword arguments: this is the engine's innermost loop.
_new = tuple.__new__

# What decides whether a queen of trump waits for the king; it matters to whoever holds both.
_WAITING_RULES: Final[Noted] = {"declarations.belote.order": None}

_WITHOUT: Final = tuple(~card for card in ONLY)


class RunningTrick(NamedTuple):
    """The cards of the running trick, with what the next player needs to know of them."""

    leader: int
    cards: tuple[Card, ...]
    node: TrickNode


class CompletedTrick(NamedTuple):
    """A completed trick: who led, the cards in the order played, and who won it."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


class PlayState(NamedTuple):
    """A deal in play: mode, the cards each seat holds, whose turn it is, the running trick and the completed ones."""

    mode: Mode
    hands: tuple[CardSet, ...]
    turn: int
    cards: tuple[Card, ...]
    node: TrickNode
    tricks: tuple[CompletedTrick, ...]

    @property
    def leader(self) -> int:
        """The seat that leads or has led to the running trick."""
        return (self.turn - self.node.count) % len(self.hands)

    @property
    def table(self) -> RunningTrick:
        """The running trick."""
        return RunningTrick(self.leader, self.cards, self.node)


class Legal(NamedTuple):
    """The cards that may be played, and the rule that decides."""

    cards: CardSet
    rule: str


def winning_seat(rules: Ruleset, table: RunningTrick) -> int | None:
    """Return the seat that is winning a trick, ``None`` before the lead."""
    winner = table.node.winner
    return None if winner == NOBODY else (table.leader + winner) % rules.players


def table_of(rules: Ruleset, mode: Mode, leader: int, cards: Sequence[Card]) -> RunningTrick:
    """Return the trick that these cards make, in the order played."""
    node = mode.root
    for card in cards:
        tricks = rules.tricks
        node = node.next[card] or tricks.after(node, card)
    return RunningTrick(leader, tuple(cards), node)


def legal_cards(rules: Ruleset, mode: Mode, hand: CardSet, table: RunningTrick) -> Legal:
    """Return the cards of one hand that may be played to a trick, and the rule that decides: see ``legal_now``."""
    return legal_noted(rules, PlayState(mode, (hand,), 0, table.cards, table.node, ()))


def legal_noted(rules: Ruleset, state: PlayState) -> Legal:
    """Return what ``legal_now`` does, and note the rules that it rests on."""
    legal, duty = legal_now(rules, state)
    rules.note(duty.read)
    if holds_belote(state.mode, state.hands[state.turn]):
        waits_for_king(rules)
    return Legal(legal, duty.rule)


def legal_now(rules: Ruleset, state: PlayState) -> tuple[CardSet, Duty]:
    """Return the cards that the player to move may play, and the duty that decides.

    They are those that the first rung which binds the hand allows. A queen of trump that must wait for the king
    (``declarations.belote.order``) is left out beforehand. Who keeps what was read must ``note`` what the duty names.
    """
    mode, hands, seat, _, node, _ = state
    hand = hands[seat]
    if rules.king_first:
        for pair in mode.pairs:
            if hand & pair == pair:
                hand ^= pair & QUEENS
    duty = node.following if hand & node.led_suit else node.void
    for binds, allowed in duty.rungs:
        if hand & binds:
            return hand & allowed, duty
    raise AssertionError("a ladder ends in a rung that every hand can climb")


def has_begun(play: PlayState) -> bool:
    """Say whether the first card has been played."""
    return bool(play.tricks or play.cards)


def holds_belote(mode: Mode, hand: CardSet) -> bool:
    """Say whether a hand holds both king and queen of trump."""
    for pair in mode.pairs:  # noqa: SIM110  # asked for every card: a generator takes three times as long
        if hand & pair == pair:
            return True
    return False


def holds_pair_of(mode: Mode, card: Card, hand: CardSet) -> bool:
    """Say whether a card is king or queen of trump, and a hand holds both."""
    pair = mode.pair_of[card]
    return bool(pair) and hand & pair == pair


def start_play(rules: Ruleset, mode: Mode, hands: Sequence[CardSet], leader: int) -> PlayState:
    """Return the state in which the first trick is about to be led."""
    return PlayState(mode, tuple(hands), leader, (), rules.tricks.root(mode.trumps), ())


def first_leader(rules: Ruleset, dealer: int, taker: int) -> int:
    """Return the seat that leads to the first trick."""
    match who := rules.value("play.first-leader"):
        case "eldest":
            return rules.next_seat(dealer)
        case "dealer":
            return dealer
        case "taker":
            return taker
    raise UnknownValueError("play.first-leader", who)


def play_card(rules: Ruleset, state: PlayState, seat: int, card: Card) -> PlayState:
    """Return the state after a legal card.

    Raises ``NotYourTurn``, ``CardNotHeld`` or ``IllegalCard``.
    """
    if seat != state.turn:
        raise NotYourTurn("play.trick-winner")
    if not holds(state.hands[seat], card):
        raise CardNotHeld
    legal = legal_noted(rules, state)
    if not holds(legal.cards, card):
        raise IllegalCard(refusing_rule(rules, state.mode, card, legal))
    return force_card(rules, state, card)


def force_card(rules: Ruleset, state: PlayState, card: Card) -> PlayState:
    """Play a card of the hand that is to move without asking whether it is legal."""
    mode, hands, seat, cards, node, tricks = state
    left = list(hands)
    left[seat] &= _WITHOUT[card]
    cards += (card,)
    after = node.next[card] or rules.tricks.after(node, card)
    players = rules.players
    if after.count < players:
        return _new(PlayState, (mode, tuple(left), (seat + 1) % players, cards, after, tricks))
    leader = (seat + 1) % players
    winner = (leader + after.winner) % players
    trick = _new(CompletedTrick, (leader, cards, winner))
    return _new(PlayState, (mode, tuple(left), winner, (), mode.root, (*tricks, trick)))


def waits_for_king(rules: Ruleset) -> bool:
    """Say whether a player with king and queen of trump plays the king first."""
    if not rules.has_roem:
        rules.note(_WAITING_RULES)
    return rules.king_first


def refusing_rule(rules: Ruleset, mode: Mode, card: Card, legal: Legal) -> str:
    """Return the rule that makes a card of the hand illegal: the order of king and queen, else the one that decides."""
    queen_waits = holds(QUEENS, card) and legal.cards & mode.pair_of[card] and waits_for_king(rules)
    return "declarations.belote.order" if queen_waits else legal.rule


def look_at(rules: Ruleset, state: PlayState, number: int) -> CompletedTrick:
    """Return a completed trick (counted from 1) that may be looked at again; raises ``MayNotLook``."""
    allowed = rules.value("play.review-tricks")
    third_has_begun = len(state.tricks) > 2 or (len(state.tricks) == 2 and bool(state.cards))
    complete = 1 <= number <= len(state.tricks)
    first_in_time = allowed == "first-until-third-begins" and number == 1 and not third_has_begun
    is_last = allowed == "last" and number == len(state.tricks)
    if complete and (allowed == "all" or first_in_time or is_last):
        return state.tricks[number - 1]
    raise MayNotLook("play.review-tricks")
