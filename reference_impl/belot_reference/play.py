"""Playing cards to tricks: which cards are legal, who wins, and what follows from a card."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from belot_reference.cards import CARD_NAMES, Card, CardSet, Suit, card_at, card_set, rank_of, suit_of
from belot_reference.cards import RANKS as RANK_NAMES
from belot_reference.compile import NO_CARD, Duty, Ruleset
from belot_reference.errors import CardNotHeld, IllegalCard, MayNotLook, NotYourTurn

KING: Final = RANK_NAMES.index("K")
QUEEN: Final = RANK_NAMES.index("Q")

TRICK_RULES: Final = ("deck.trump-order", "deck.plain-order", "play.trick-winner", "deal.players")
LEGAL_RULES: Final = ("deck.trump-order", "deck.plain-order", "deal.players", "deal.sides")


class Table(NamedTuple):
    """The cards of the running trick, with what the next player needs to know of them."""

    leader: int
    cards: tuple[Card, ...]
    best_led: Card
    best_trump: Card
    winner: int


class Trick(NamedTuple):
    """A completed trick: who led, the cards in the order played, and who won it."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


class PlayState(NamedTuple):
    """A deal in play: trump, the cards still held by each seat, the running trick and the completed ones."""

    trump: Suit
    hands: tuple[CardSet, ...]
    table: Table
    tricks: tuple[Trick, ...]


class Legal(NamedTuple):
    """The cards that may be played, and the rule that decides."""

    cards: CardSet
    rule: str


def empty_table(leader: int) -> Table:
    """Return a trick to which nobody has played."""
    return Table(leader, (), NO_CARD, NO_CARD, NO_CARD)


def turn(rules: Ruleset, table: Table) -> int:
    """Return the seat that is to play to a trick."""
    return (table.leader + len(table.cards)) % rules.players


def add_card(rules: Ruleset, trump: Suit, table: Table, card: Card) -> Table:
    """Return the trick with one more card, whether or not that card was legal.

    The trick is with the highest trump, else with the highest card of the led suit (ruling G-02).
    """
    seat = turn(rules, table)
    suit = suit_of(card)
    _, cards, best_led, best_trump, winner = table
    if suit == trump:
        if best_trump == NO_CARD or rules.trump_strength[rank_of(card)] > rules.trump_strength[rank_of(best_trump)]:
            best_trump, winner = card, seat
            if not cards or suit_of(best_led) == trump:
                best_led = card
    elif not cards:
        best_led, winner = card, seat
    elif suit == suit_of(best_led) and rules.plain_strength[rank_of(card)] > rules.plain_strength[rank_of(best_led)]:
        best_led = card
        if best_trump == NO_CARD:
            winner = seat
    return Table(table.leader, (*cards, card), best_led, best_trump, winner)


def table_of(rules: Ruleset, trump: Suit, leader: int, cards: Sequence[Card]) -> Table:
    """Return the trick that these cards make, in the order played."""
    table = empty_table(leader)
    for card in cards:
        table = add_card(rules, trump, table, card)
    return table


def duty(rules: Ruleset, trump: Suit, hand: CardSet, table: Table) -> Duty:
    """Return the duty that a trick lays on the next player's hand."""
    if not table.cards:
        return rules.lead
    partner_winning = rules.partners(table.winner, turn(rules, table))
    situation = rules.situations[trump][table.best_led, table.best_trump, partner_winning]
    return situation.following if hand & situation.led_suit else situation.void


def legal_cards(rules: Ruleset, trump: Suit, hand: CardSet, table: Table) -> Legal:
    """Return the cards of a hand that may be played to a trick: the first rung of the ladder that leaves a card.

    A queen of trump that must wait for the king (``declarations.belote.order``) is left out beforehand.
    """
    rule, rungs = duty(rules, trump, hand, table)
    if rules.king_first and holds_belote(trump, hand):
        hand &= ~(1 << card_at(QUEEN, trump))
    for rung in rungs:
        legal = hand & rung
        if legal:
            break
    return Legal(legal, rule)


def holds_belote(trump: Suit, hand: CardSet) -> bool:
    """Say whether a hand holds both king and queen of trump."""
    pair = belote_cards(trump)
    return hand & pair == pair


def belote_cards(trump: Suit) -> CardSet:
    """Return the king and the queen of trump."""
    return card_set((card_at(KING, trump), card_at(QUEEN, trump)))


def start_play(trump: Suit, hands: Sequence[CardSet], leader: int) -> PlayState:
    """Return the state in which the first trick is about to be led."""
    return PlayState(trump, tuple(hands), empty_table(leader), ())


def first_leader(rules: Ruleset, dealer: int, taker: int) -> int:
    """Return the seat that leads to the first trick."""
    return rules.next_seat(dealer) if rules.value("play.first-leader") == "eldest" else taker


def play_card(rules: Ruleset, state: PlayState, seat: int, card: Card) -> tuple[PlayState, str]:
    """Play a legal card; return the new state and the rule that allowed it.

    Raises ``NotYourTurn``, ``CardNotHeld`` or ``IllegalCard``, each with the unchanged state.
    """
    action = (seat, CARD_NAMES[card])
    if seat != turn(rules, state.table):
        raise NotYourTurn(action, state, "play.trick-winner", LEGAL_RULES)
    hand = state.hands[seat]
    if not hand >> card & 1:
        raise CardNotHeld(action, state, "deck.removed-cards", LEGAL_RULES)
    legal = legal_cards(rules, state.trump, hand, state.table)
    if not legal.cards >> card & 1:
        raise IllegalCard(
            action, state, _refusing_rule(rules, state, card, legal), consulted_by_play(state, legal.rule)
        )
    return force_card(rules, state, card), legal.rule


def force_card(rules: Ruleset, state: PlayState, card: Card) -> PlayState:
    """Play a card of the hand that is to move without asking whether it is legal."""
    seat = turn(rules, state.table)
    hands = (*state.hands[:seat], state.hands[seat] & ~(1 << card), *state.hands[seat + 1 :])
    table = add_card(rules, state.trump, state.table, card)
    if len(table.cards) < rules.players:
        return PlayState(state.trump, hands, table, state.tricks)
    trick = Trick(table.leader, table.cards, table.winner)
    return PlayState(state.trump, hands, empty_table(table.winner), (*state.tricks, trick))


def _refusing_rule(rules: Ruleset, state: PlayState, card: Card, legal: Legal) -> str:
    """Return the rule that refuses a held card: the order of king and queen, or the ladder."""
    waits_for_king = (
        rules.king_first and card == card_at(QUEEN, state.trump) and legal.cards & belote_cards(state.trump)
    )
    return "declarations.belote.order" if waits_for_king else legal.rule


def consulted_by_play(state: PlayState, rule: str) -> tuple[str, ...]:
    """Return the rules that a decision about the next card rests on: its ladder's and those that name the situation."""
    found = (rule, *LEGAL_RULES) if state.table.cards else (rule,)
    seat = (state.table.leader + len(state.table.cards)) % len(state.hands)
    return (*found, "declarations.belote.order") if holds_belote(state.trump, state.hands[seat]) else found


def look_at(rules: Ruleset, state: PlayState, number: int) -> Trick:
    """Return a completed trick (counted from 1) that may be looked at again; raises ``MayNotLook``."""
    allowed = rules.value("play.review-tricks")
    third_has_begun = len(state.tricks) > 2 or (len(state.tricks) == 2 and bool(state.table.cards))
    complete = 1 <= number <= len(state.tricks)
    first_in_time = allowed == "first-until-third-begins" and number == 1 and not third_has_begun
    if complete and (allowed == "all" or first_in_time):
        return state.tricks[number - 1]
    raise MayNotLook({"look": number}, state, "play.review-tricks")
