"""Playing cards to tricks: which cards are legal, who wins, and what follows from a card."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from belot_reference.cards import EVERY_SUIT, ONLY, Card, CardSet, Suit, card_at, card_set, holds
from belot_reference.compile import Ruleset
from belot_reference.errors import CardNotHeld, IllegalCard, MayNotLook, NotYourTurn
from belot_reference.known_values import unknown_value
from belot_reference.tricks import NOBODY, Duty, TrickNode
from belot_spec.card_names import RANKS as RANK_NAMES

# What a named tuple's own constructor does, without its keyword arguments: this is the engine's innermost loop.
_new = tuple.__new__

KING: Final = RANK_NAMES.index("K")
QUEEN: Final = RANK_NAMES.index("Q")

# What decides whether a queen of trump waits for the king; it matters to whoever holds both.
WAITING_RULES: Final[Mapping[str, None]] = {"declarations.belote.order": None}

_WITHOUT: Final = tuple(~card for card in ONLY)
_PAIRS: Final = tuple(card_set((card_at(KING, suit), card_at(QUEEN, suit))) for suit in EVERY_SUIT)


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
    """A deal in play: trump, the cards each seat holds, whose turn it is, the running trick and the completed ones."""

    trump: Suit
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


def table_of(rules: Ruleset, trump: Suit, leader: int, cards: Sequence[Card]) -> RunningTrick:
    """Return the trick that these cards make, in the order played."""
    node = rules.roots[trump]
    for card in cards:
        tricks = rules.tricks
        node = node.next[card] or tricks.after(node, card)
    return RunningTrick(leader, tuple(cards), node)


def legal_cards(rules: Ruleset, trump: Suit, hand: CardSet, table: RunningTrick) -> Legal:
    """Return the cards of one hand that may be played to a trick, and the rule that decides: see ``legal_now``."""
    return legal_noted(rules, PlayState(trump, (hand,), 0, table.cards, table.node, ()))


def legal_noted(rules: Ruleset, state: PlayState) -> Legal:
    """Return what ``legal_now`` does, and note the rules that it rests on."""
    legal, duty = legal_now(rules, state)
    rules.note(duty.read)
    if holds_belote(state.trump, state.hands[state.turn]):
        rules.note(WAITING_RULES)
    return Legal(legal, duty.rule)


def legal_now(rules: Ruleset, state: PlayState) -> tuple[CardSet, Duty]:
    """Return the cards that the player to move may play, and the duty that decides.

    They are those that the first rung which binds the hand allows. A queen of trump that must wait for the king
    (``declarations.belote.order``) is left out beforehand. Who keeps what was read must ``note`` what the duty names.
    """
    trump, hands, seat, _, node, _ = state
    hand = hands[seat]
    if rules.king_first and holds_belote(trump, hand):
        hand &= _WITHOUT[card_at(QUEEN, trump)]
    duty = node.following if hand & node.led_suit else node.void
    for binds, allowed in duty.rungs:
        if hand & binds:
            return hand & allowed, duty
    raise AssertionError("a ladder ends in a rung that every hand can climb")


def has_begun(play: PlayState) -> bool:
    """Say whether the first card has been played."""
    return bool(play.tricks or play.cards)


def holds_belote(trump: Suit, hand: CardSet) -> bool:
    """Say whether a hand holds both king and queen of trump."""
    pair = _PAIRS[trump]
    return hand & pair == pair


def belote_cards(trump: Suit) -> CardSet:
    """Return the king and the queen of trump."""
    return _PAIRS[trump]


def start_play(rules: Ruleset, trump: Suit, hands: Sequence[CardSet], leader: int) -> PlayState:
    """Return the state in which the first trick is about to be led."""
    return PlayState(trump, tuple(hands), leader, (), rules.tricks.root(trump), ())


def first_leader(rules: Ruleset, dealer: int, taker: int) -> int:
    """Return the seat that leads to the first trick."""
    match who := rules.value("play.first-leader"):
        case "eldest":
            return rules.next_seat(dealer)
        case "dealer":
            return dealer
        case "taker":
            return taker
    raise unknown_value("play.first-leader", who)


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
        raise IllegalCard(refusing_rule(rules, state.trump, card, legal))
    return force_card(rules, state, card)


def force_card(rules: Ruleset, state: PlayState, card: Card) -> PlayState:
    """Play a card of the hand that is to move without asking whether it is legal."""
    trump, hands, seat, cards, node, tricks = state
    left = list(hands)
    left[seat] &= _WITHOUT[card]
    cards += (card,)
    after = node.next[card] or rules.tricks.after(node, card)
    players = rules.players
    if after.count < players:
        return _new(PlayState, (trump, tuple(left), (seat + 1) % players, cards, after, tricks))
    leader = (seat + 1) % players
    winner = (leader + after.winner) % players
    trick = _new(CompletedTrick, (leader, cards, winner))
    return _new(PlayState, (trump, tuple(left), winner, (), rules.roots[trump], (*tricks, trick)))


def waits_for_king(rules: Ruleset) -> bool:
    """Say whether a player with king and queen of trump plays the king first."""
    rules.note(WAITING_RULES)
    return rules.king_first


def refusing_rule(rules: Ruleset, trump: Suit, card: Card, legal: Legal) -> str:
    """Return the rule that makes a card of the hand illegal: the order of king and queen, else the one that decides."""
    queen_waits = card == card_at(QUEEN, trump) and legal.cards & belote_cards(trump) and waits_for_king(rules)
    return "declarations.belote.order" if queen_waits else legal.rule


def look_at(rules: Ruleset, state: PlayState, number: int) -> CompletedTrick:
    """Return a completed trick (counted from 1) that may be looked at again; raises ``MayNotLook``."""
    allowed = rules.value("play.review-tricks")
    third_has_begun = len(state.tricks) > 2 or (len(state.tricks) == 2 and bool(state.cards))
    complete = 1 <= number <= len(state.tricks)
    first_in_time = allowed == "first-until-third-begins" and number == 1 and not third_has_begun
    if complete and (allowed == "all" or first_in_time):
        return state.tricks[number - 1]
    raise MayNotLook("play.review-tricks")
