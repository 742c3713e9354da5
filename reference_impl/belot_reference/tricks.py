"""The running trick as a node of a graph: what it asks of the next player, and what a card makes of it.

The nodes of a ruleset are made as they are first reached and then kept, so that playing a card is one look-up.
"""

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Final, NamedTuple

from belot_reference.cards import (
    ALL_CARDS,
    EVERY_SUIT,
    NO_CARDS,
    ONLY,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    rank_of,
    suit_of,
    union,
)
from belot_reference.trace import Noted, Trace
from belot_spec.card_names import RANKS
from belot_spec.spec import Profile

NO_CARD: Final = Card(-1)
NO_SUIT: Final = Suit(-1)
NOBODY: Final = -1

# By the suit that is led, the suit that is then trump.
Trumps = tuple[Suit, ...]


class Rung(NamedTuple):
    """A rung of a ladder: it ``binds`` a hand that has any of these cards, which may play those of them ``allowed``."""

    binds: CardSet
    allowed: CardSet


@dataclass(frozen=True, slots=True, eq=False)
class Duty:
    """What one situation of a trick asks of a hand.

    The rule, its ladder, of which the first rung that binds decides, and all rules read to find it.
    """

    rule: str
    rungs: tuple[Rung, ...]
    read: Noted


_NOBODY_PLAYS: Final = Duty("play.trick-winner", (), {})


class TrickNode:
    """A running trick as far as the rules care: its best cards, who is winning, and the next player's duties.

    ``trumps`` are by the suit that is led the suit that is then trump. ``best_led`` is the best card of the led suit,
    ``winning`` the card that would win the trick. ``winner`` counts from the leader. ``following`` binds a hand with a
    card of ``led_suit``, ``void`` any other.
    """

    __slots__ = ("best_led", "count", "following", "led_suit", "next", "trumps", "void", "winner", "winning")

    def __init__(
        self, trumps: Trumps, count: int, best_led: Card, winning: Card, winner: int, duties: tuple[CardSet, Duty, Duty]
    ) -> None:
        self.trumps = trumps
        self.count = count
        self.best_led = best_led
        self.winning = winning
        self.winner = winner
        self.led_suit, self.following, self.void = duties
        self.next: list[TrickNode | None] = [None] * 32


class TrickGraph:
    """The nodes of a profile, by what distinguishes them; of its rules, it is given those that tricks are played by."""

    def __init__(self, profile: Profile, trump_strength: tuple[int, ...], plain_strength: tuple[int, ...]) -> None:
        self._profile = profile
        self._players: int = profile.value("deal.players")
        self._discards_win = profile.value("play.trick-winner") == "highest-card-of-any-suit"
        self._trump_strength = trump_strength
        self._plain_strength = plain_strength
        self._higher_trumps = higher_cards(trump_strength)
        self._higher_plain = higher_cards(plain_strength)
        self._nodes: dict[tuple[Trumps, int, Card, Card, int], TrickNode] = {}

    def root(self, trumps: Trumps) -> TrickNode:
        """Return the trick to which nobody has played."""
        return self._node(trumps, 0, NO_CARD, NO_CARD, NOBODY)

    def after(self, node: TrickNode, card: Card) -> TrickNode:
        """Return the trick with one more card, whether or not that card was legal."""
        best_led, winning, winner = node.best_led, node.winning, node.winner
        trump = node.trumps[suit_of(best_led if node.count else card)]
        if node.count == 0 or (suit_of(card) == suit_of(best_led) and self._wins(card, best_led, trump)):
            best_led = card
        if node.count == 0 or self._wins(card, winning, trump):
            winning, winner = card, node.count
        found = self._node(node.trumps, node.count + 1, best_led, winning, winner)
        node.next[card] = found
        return found

    def _wins(self, card: Card, winning: Card, trump: Suit) -> bool:
        """Say whether a card takes the trick from the one that is winning, by ``play.trick-winner`` (ruling G-02)."""
        if suit_of(card) == trump:
            return suit_of(winning) != trump or self._beats(self._trump_strength, card, winning)
        if suit_of(winning) == trump or (suit_of(card) != suit_of(winning) and not self._discards_win):
            return False
        return self._beats(self._plain_strength, card, winning)

    @staticmethod
    def _beats(strength: tuple[int, ...], card: Card, other: Card) -> bool:
        return strength[rank_of(card)] > strength[rank_of(other)]

    def _node(self, trumps: Trumps, count: int, best_led: Card, winning: Card, winner: int) -> TrickNode:
        key = (trumps, count, best_led, winning, winner)
        if key not in self._nodes:
            duties = self._duties(*key)
            self._nodes[key] = TrickNode(*key, duties)
        return self._nodes[key]

    def _duties(
        self, trumps: Trumps, count: int, best_led: Card, winning: Card, winner: int
    ) -> tuple[CardSet, Duty, Duty]:
        """Return the led suit's cards, and the duties of a hand with and without one of them."""
        rules = Trace(self._profile)
        if count == 0:
            led = trump_cards(trumps)
            sets = {"trump": led, "higher_trump": led, "lower_trump": NO_CARDS}
            rungs = tuple(sets.get(rung, ALL_CARDS) for rung in rules.value("play.lead"))
            lead = Duty("play.lead", tuple(Rung(cards, cards) for cards in rungs), rules.read)
            return NO_CARDS, lead, lead
        if count == self._players:
            return NO_CARDS, _NOBODY_PLAYS, _NOBODY_PLAYS
        trump = trumps[suit_of(best_led)]
        best_trump = winning if suit_of(winning) == trump else NO_CARD
        ruffed = best_trump != NO_CARD
        partner = rules.value("deal.sides") == "partners-opposite" and (count - winner) % 2 == 0
        if suit_of(best_led) == trump:
            if trumps == EVERY_SUIT:
                rule = "play.all-trumps.partner-winning" if partner else "play.all-trumps.opponent-winning"
            else:
                rule = "play.trump-led.partner-winning" if partner else "play.trump-led.opponent-winning"
            duty = self._duty(rules, rule, trump, best_led, best_trump)
            return SUIT_CARDS[trump], duty, duty
        rule = "play.follow.ruffed" if ruffed else "play.follow.unruffed"
        following = self._may_ruff(self._duty(Trace(self._profile), rule, trump, best_led, best_trump, partner), trump)
        if partner:
            rule = "play.void.partner-ruffed" if ruffed else "play.void.partner-winning"
        else:
            rule = "play.void.opponent-ruffed" if ruffed else "play.void.opponent-winning"
        return SUIT_CARDS[suit_of(best_led)], following, self._duty(rules, rule, trump, best_led, best_trump)

    def _may_ruff(self, following: Duty, trump: Suit) -> Duty:
        """Return a duty of a hand that can follow, which may play trumps too where the rules say so."""
        rules = Trace(self._profile)
        rules.read |= dict(following.read)
        if rules.value("play.may-ruff") == "when-void" or trump == NO_SUIT:
            return replace(following, read=rules.read)
        rungs = (Rung(binds, allowed | SUIT_CARDS[trump]) for binds, allowed in following.rungs)
        return Duty(following.rule, tuple(rungs), rules.read)

    def _duty(
        self, rules: Trace, rule: str, trump: Suit, best_led: Card, best_trump: Card, partner: bool = False
    ) -> Duty:
        led, trumps = suit_of(best_led), NO_CARDS if trump == NO_SUIT else SUIT_CARDS[trump]
        higher, lower = trumps, NO_CARDS
        if best_trump != NO_CARD:
            higher = self._higher_trumps[best_trump]
            lower = trumps & ~higher & ~ONLY[best_trump]
        selected = {
            "any": ALL_CARDS,
            "trump": trumps,
            "led_suit": SUIT_CARDS[led],
            "higher_trump": higher,
            "higher_trump_or_plain": ALL_CARDS & ~trumps | higher,
            "lower_trump": lower,
            "higher_of_led_suit": (self._higher_trumps if led == trump else self._higher_plain)[best_led],
        }
        binding = {**selected, "no_lower_trump_if_higher": higher}
        allowed = {**selected, "no_lower_trump_if_higher": selected["higher_trump_or_plain"]}
        ladder: list[str] = rules.value(rule)
        if partner and "higher_of_led_suit" in ladder and rules.value_or("play.heading", "anyone") != "anyone":
            ladder = [selector for selector in ladder if selector != "higher_of_led_suit"]
        rungs = tuple(Rung(binding[selector], allowed[selector]) for selector in ladder)
        return Duty(rule, rungs, rules.read)


@cache
def trump_cards(trumps: Trumps) -> CardSet:
    """Return the cards that are trumps when they are led."""
    return union(SUIT_CARDS[suit] for suit in EVERY_SUIT if trumps[suit] == suit)


@cache
def higher_cards(strength: tuple[int, ...]) -> tuple[CardSet, ...]:
    """Return for each card the cards of its suit that beat it."""
    return tuple(
        card_set(card_at(rank, suit_of(card)) for rank in range(len(RANKS)) if strength[rank] > strength[rank_of(card)])
        for card in cards_in(ALL_CARDS)
    )


@dataclass(frozen=True, slots=True)
class _Played:
    """What tricks are played by: the same for all profiles that agree on it, whatever else they say."""

    values: str
    trump_strength: tuple[int, ...]
    plain_strength: tuple[int, ...]
    profile: Profile = field(compare=False)


def graph_of(rules: Trace, trump_strength: tuple[int, ...], plain_strength: tuple[int, ...]) -> TrickGraph:
    """Return the graph of a profile, which it shares with others by whose rules tricks are played alike."""
    rules.value("deal.players")
    rules.value("play.trick-winner")
    settings = {rule: setting for rule, setting in rules.profile.settings.items() if is_of_tricks(rule)}
    values = repr([(rule, setting.value) for rule, setting in settings.items()])
    # With nothing but these rules in its hands, a graph cannot come to depend on any other.
    return _graph(_Played(values, trump_strength, plain_strength, replace(rules.profile, settings=settings)))


@cache
def is_of_tricks(rule: str) -> bool:
    """Say whether a trick may be played by a rule, beside the orders of the cards."""
    return rule.startswith("play.") or rule in ("deal.players", "deal.sides")


# A search tries thousands of profiles that differ in the scoring alone; a graph takes some megabytes.
@lru_cache(maxsize=8)
def _graph(played: _Played) -> TrickGraph:
    return TrickGraph(played.profile, played.trump_strength, played.plain_strength)
