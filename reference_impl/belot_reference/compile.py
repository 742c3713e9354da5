"""Compiling a profile into lookup tables, once, so that playing by it needs no further reading of rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, CardSet, Suit, card_set, cards_in
from belot_reference.errors import BadQuestionError
from belot_reference.tricks import TrickGraph, TrickNode
from belot_spec.card_names import RANKS, SUITS
from belot_spec.errors import UnplayableError
from belot_spec.spec import Profile

SHORTEST_SEQUENCE: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """A compiled profile. Points are card points unless a name says score points.

    ``runs`` are, for each set of ranks as a bit mask, the runs of three or more in sequence order: first position and
    the one after the last.
    """

    profile: Profile
    players: int
    side_of: tuple[int, ...]
    side_count: int
    deck: CardSet
    hand_size: int
    trump_strength: tuple[int, ...]
    plain_strength: tuple[int, ...]
    sequence_position: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]
    runs: tuple[tuple[tuple[int, int], ...], ...]
    tricks: TrickGraph
    roots: tuple[TrickNode, ...]
    king_first: bool
    open_piles: bool

    def value(self, rule: str) -> Any:
        """Return the value of a rule in this profile."""
        return self.profile.settings[rule].value

    def value_or(self, rule: str, default: Any) -> Any:
        """Return the value of a rule, or a default where the rule does not matter in this profile."""
        setting = self.profile.settings.get(rule)
        return default if setting is None else setting.value

    def partners(self, one: int, other: int) -> bool:
        """Say whether two seats are on the same side."""
        return self.side_of[one] == self.side_of[other]

    def check_seat(self, name: str, seat: int) -> None:
        """Raise ``BadQuestionError`` for a seat, of the dealer or whoever is named, that is not at the table."""
        if not 0 <= seat < self.players:
            raise BadQuestionError(f"{name}: {self.profile.id} has seats 0 to {self.players - 1}, not {seat}")

    def next_seat(self, seat: int) -> int:
        """Return the seat that plays after a seat."""
        return (seat + 1) % self.players

    def points_of(self, trump: Suit, cards: CardSet) -> int:
        """Return the card points of a set of cards, without the last trick."""
        table = self.points[trump]
        return sum(table[card] for card in cards_in(cards))


def compile_profile(profile: Profile) -> Ruleset:
    """Compile a profile into a ruleset; raises ``UnplayableError`` for values that do not fit together."""
    faults = list(_contradictions(profile))
    if faults:
        raise UnplayableError(f"{profile.id} cannot be played: " + "; ".join(faults))
    players = profile.value("deal.players")
    pairs = profile.value("deal.sides") == "partners-opposite"
    sides = tuple(seat % (players // 2) if pairs else seat for seat in range(players))
    trump_strength = _strength(profile.value("deck.trump-order"))
    plain_strength = _strength(profile.value("deck.plain-order"))
    tricks = TrickGraph(profile, trump_strength, plain_strength)
    return Ruleset(
        profile=profile,
        players=players,
        side_of=sides,
        side_count=len(set(sides)),
        deck=_deck(profile),
        hand_size=_hand_size(profile),
        trump_strength=trump_strength,
        plain_strength=plain_strength,
        sequence_position=_strength(profile.value("deck.sequence-order")),
        runs=_runs(_strength(profile.value("deck.sequence-order"))),
        points=tuple(_points(profile, trump) for trump in range(len(SUITS))),
        tricks=tricks,
        roots=tuple(tricks.root(trump) for trump in range(len(SUITS))),
        king_first=profile.value("declarations.belote.order") == "king-first",
        open_piles=profile.value("deal.layout") == "open-piles",
    )


def _deck(profile: Profile) -> CardSet:
    return ALL_CARDS & ~card_set(CARD_BY_NAME[name] for name in profile.value("deck.removed-cards"))


def _hand_size(profile: Profile) -> int:
    before: list[int] = profile.value("deal.packets-before-bidding")
    after: list[int] = profile.value("deal.packets-after-bidding")
    return sum(before) + sum(after)


def _makes_piles(profile: Profile) -> bool:
    before: list[int] = profile.value("deal.packets-before-bidding")
    half = len(before) // 2
    return before[:half] == before[half:] and not profile.value("deal.packets-after-bidding")


def _contradictions(profile: Profile) -> Iterator[str]:
    """Yield what makes a profile unplayable, rule by rule."""
    players, cards = profile.value("deal.players"), _deck(profile).bit_count()
    left_over = cards - players * _hand_size(profile)
    if left_over < 0:
        yield (
            f"deal.packets-before-bidding and deal.packets-after-bidding give {players} players "
            f"{_hand_size(profile)} cards each, and the deck has {cards}"
        )
    if profile.value("deal.sides") == "partners-opposite" and players != 4:
        yield f"deal.sides is partners-opposite, which takes four players and not {players}"
    asks_turn_up = {"turn-up-suit", "other-suit"} & set(profile.value("bidding.rounds"))
    if asks_turn_up and profile.value("deal.turn-up") == "none":
        yield f"bidding.rounds has {' and '.join(sorted(asks_turn_up))}, and deal.turn-up turns no card up"
    if profile.value("deal.turn-up") == "out-of-play" and left_over == 0:
        yield "deal.turn-up is out-of-play, and no card is left over to turn up"
    discards = profile.settings.get("deal.taker-discards")
    if discards is not None and discards.value != max(0, left_over):
        yield f"deal.taker-discards is {discards.value}, and {left_over} cards are left over"
    if profile.value("deal.layout") == "open-piles" and not _makes_piles(profile):
        yield "deal.layout is open-piles, which takes an even number of packets before the bidding and none after"
    if not _hand_size(profile):
        yield "deal.packets-before-bidding and deal.packets-after-bidding deal no cards"
    if profile.value("deal.turn-up") == "to-taker" and not profile.value("deal.packets-after-bidding"):
        yield "deal.turn-up is to-taker, and no cards are dealt after the bidding"
    if profile.value("deal.sides") == "everyone-alone" and players == 4:
        yield "deal.sides is everyone-alone, which takes two or three players and not 4"
    dealer_speaks_first = profile.value("bidding.first-bidder") == "dealer"
    if dealer_speaks_first and profile.value("bidding.must-name") == "dealer":
        yield "bidding.must-name is dealer, who speaks first, so that nobody else can have passed"
    if 2 * profile.value("deal.cut-minimum") > cards:
        yield f"deal.cut-minimum asks for two packets of {profile.value('deal.cut-minimum')}, out of {cards} cards"
    yield from _contradictions_in_scoring(profile)


def _contradictions_in_scoring(profile: Profile) -> Iterator[str]:
    compared_by = profile.settings.get("declarations.compared-by")
    criteria: list[str] = [] if compared_by is None else compared_by.value
    if "class" in criteria and "square-first" not in criteria[: criteria.index("class")]:
        yield "declarations.compared-by needs square-first before class: squares and sequences share no classes"
    worth = [profile.value("scoring.trump-points"), profile.value("scoring.plain-points")]
    counted = [name for name in profile.value("deck.removed-cards") if any(points[name[:-1]] for points in worth)]
    if counted and profile.value("penalties.fault") == "innocent-gets-all":
        yield f"deck.removed-cards leaves out {' '.join(counted)}, so penalties.fault cannot count every card point"
    squares = profile.settings.get("declarations.square-points")
    counting = set() if squares is None else {rank for rank, points in squares.value.items() if points}
    for rule, wanted in (
        ("declarations.sequence-classes", set(range(3, 9))),
        ("declarations.square-classes", counting),
    ):
        if rule in profile.settings:
            members = [member for group in profile.value(rule) for member in group]
            if len(members) != len(set(members)) or not wanted <= set(members):
                yield f"{rule} must rank each of {', '.join(map(str, sorted(wanted)))} once"


def _strength(order: Sequence[str]) -> tuple[int, ...]:
    """Return for each rank how many ranks it beats."""
    return tuple(len(order) - 1 - order.index(rank) for rank in RANKS)


@cache
def _runs(position_of: tuple[int, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(tuple(_runs_of(ranks, position_of)) for ranks in range(1 << len(RANKS)))


def _runs_of(ranks: int, position_of: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    held = {position_of[rank] for rank in range(len(RANKS)) if ranks >> rank & 1}
    for first in sorted(held):
        after = next(position for position in range(first, len(RANKS) + 1) if position not in held)
        if first - 1 not in held and after - first >= SHORTEST_SEQUENCE:
            yield first, after


def _points(profile: Profile, trump: Suit) -> tuple[int, ...]:
    in_trump, in_plain = profile.value("scoring.trump-points"), profile.value("scoring.plain-points")
    return tuple((in_trump if suit == trump else in_plain)[rank] for suit in range(len(SUITS)) for rank in RANKS)
