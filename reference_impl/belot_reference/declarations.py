"""Declarations: finding them in a hand, announcing, comparing, and belote."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal

from belot_reference.cards import (
    EVERY_SUIT,
    SUIT_CARDS,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    cards_in,
    holds,
    lowest_of,
    rank_of,
    ranks_of,
    suit_of,
    union,
)
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.contract import UNTOLD, DealContract
from belot_reference.errors import (
    BadQuestionError,
    CardNotHeld,
    NotADeclaration,
    SameRunTwice,
    SharedCard,
    UnknownValueError,
)
from belot_reference.mode import NO_TRUMPS, SUIT, Mode
from belot_spec.card_names import RANKS, SUITS

WHOLE_SUIT: Final = 8


@dataclass(frozen=True, slots=True)
class Declaration:
    """A sequence or a square; ``points`` are card points, ``top`` is the position in sequence order."""

    kind: Literal["sequence", "square"]
    cards: CardSet
    points: int
    top: int
    suit: Suit | None
    rank: int | None

    @property
    def length(self) -> int:
        """The number of cards."""
        return self.cards.bit_count()


def count_in(rules: Ruleset, mode: Mode) -> bool:
    """Say whether sequences and squares are played, and count in a mode."""
    return _played(rules) and (not rules.has_auction or mode.kind in rules.value_or("declarations.modes", [SUIT]))


def identify(rules: Ruleset, cards: CardSet, mode: Mode | None = None) -> Declaration:
    """Return the declaration that exactly these cards make, in a mode or in any; raises ``NotADeclaration``."""
    if cards and _played(rules):
        if mode is not None and not count_in(rules, mode):
            raise NotADeclaration("declarations.modes")
        lowest = lowest_of(cards)
        suit, rank = suit_of(lowest), rank_of(lowest)
        if cards == four_of(rank):
            found = _square(rules, rank, mode)
            if _is_declared(rules, found):
                return found
        elif cards & SUIT_CARDS[suit] == cards and cards.bit_count() >= SHORTEST_SEQUENCE:
            for first, after in rules.runs[ranks_of(cards, suit)]:
                if after - first == cards.bit_count():
                    return _sequence(rules, suit, first, after)
    raise NotADeclaration(_refusing_rule(rules, cards))


def _refusing_rule(rules: Ruleset, cards: CardSet) -> str | None:
    """Return the rule by which these cards are no declaration, ``None`` if they have no form of one."""
    if not _played(rules):
        return "declarations.played"
    of_one_rank = len({rank_of(card) for card in cards_in(cards)}) == 1 and cards.bit_count() == len(SUITS)
    return "declarations.square-points" if of_one_rank else None


def _played(rules: Ruleset) -> bool:
    played: str = rules.value("declarations.played")
    return played == "all"


def _sequence(rules: Ruleset, suit: Suit, first: int, after: int) -> Declaration:
    cards = _run_of(rules.sequence_position, suit, first, after)
    points = rules.entry("declarations.sequence-points", str(after - first))
    return Declaration("sequence", cards, points, after - 1, suit, None)


@lru_cache(maxsize=1 << 10)
def _run_of(position_of: tuple[int, ...], suit: Suit, first: int, after: int) -> CardSet:
    return card_set(card_at(position_of.index(position), suit) for position in range(first, after))


_EVERY_FOUR: Final = tuple(card_set(card_at(rank, suit) for suit in EVERY_SUIT) for rank in range(len(RANKS)))


def four_of(rank: int) -> CardSet:
    """Return the four cards of a rank."""
    return _EVERY_FOUR[rank]


def _square(rules: Ruleset, rank: int, mode: Mode | None) -> Declaration:
    points = rules.entry("declarations.square-points", RANKS[_counted_as(rules, rank, mode)])
    return Declaration("square", four_of(rank), points, rules.sequence_position[rank], None, rank)


def _counted_as(rules: Ruleset, rank: int, mode: Mode | None) -> int:
    """Return the rank as which four of a rank count: at no trumps perhaps the one with its place among trumps."""
    if mode is None or mode.kind != NO_TRUMPS or not worth_hangs_on_mode(rules):
        return rank
    return rules.trump_strength.index(rules.plain_strength[rank])


def worth_hangs_on_mode(rules: Ruleset) -> bool:
    """Say whether it must be known what is trump to say what the squares of a hand are worth."""
    return bool(rules.value_or("declarations.no-trump-squares", "as-elsewhere") == "by-plain-order")


def _is_declared(rules: Ruleset, square: Declaration) -> bool:
    """Say whether a square is a declaration, worth something or not."""
    return square.points > 0 or bool(rules.given("declarations.worthless-squares") == "declared")


def runs_in(rules: Ruleset, hand: CardSet) -> Iterator[Declaration]:
    """Yield the longest runs of three or more cards in a hand, none where only belote is played."""
    if not _played(rules):
        return
    for run in _runs_held(rules, hand):
        yield _sequence(rules, *run)


def _runs_held(rules: Ruleset, hand: CardSet) -> Iterator[tuple[Suit, int, int]]:
    """Yield the suit of each longest run in a hand, and its first position and the one after the last."""
    runs = rules.runs
    for suit in EVERY_SUIT:
        for first, after in runs[ranks_of(hand, suit)]:
            yield suit, first, after


def squares_in(rules: Ruleset, hand: CardSet, mode: Mode | None = None) -> Iterator[Declaration]:
    """Yield the squares in a hand that are declarations, none where only belote is played."""
    if not _played(rules):
        return
    for rank in range(len(RANKS)):
        cards = four_of(rank)
        if hand & cards == cards and _is_declared(rules, square := _square(rules, rank, mode)):
            yield square


def possible_sets(rules: Ruleset, hand: CardSet, mode: Mode | None = None) -> list[tuple[Declaration, ...]]:
    """Return every largest set of declarations that a hand may announce together; none for an empty one.

    What they are worth may hang on the ``mode``.

    Where a card may not serve twice, each choice of squares leaves the runs that do not touch them (whole) or
    what is left of the runs without their cards (shortened).
    """
    if not _played(rules):
        return []
    squares = list(squares_in(rules, hand, mode))
    everything = (*runs_in(rules, hand), *squares)
    if not _share_cards(everything) or (sharing := rules.given("declarations.shared-cards")) == "allowed":
        return [everything] if everything else []
    found: list[tuple[Declaration, ...]] = []
    for size in range(len(squares) + 1):
        for kept in combinations(squares, size):
            used = union(square.cards for square in kept)
            left = hand & ~used if sharing == "shorten-sequence" else hand
            runs = [run for run in runs_in(rules, left) if not run.cards & used]
            left_out = [square for square in squares if square not in kept]
            touched = union(run.cards for run in runs)
            if not any(not square.cards & touched for square in left_out) and (runs or kept):
                found.append((*runs, *kept))
    return found


def _share_cards(declarations: Sequence[Declaration]) -> bool:
    """Say whether a card serves in more than one of some declarations."""
    cards = [one.cards for one in declarations]
    return union(cards).bit_count() < sum(one.bit_count() for one in cards)


def worth(rules: Ruleset, together: Sequence[Declaration]) -> int:
    """Return the card points of one player's declarations, before any are compared."""
    points = [declaration.points for declaration in together]
    if len(points) > 1 and rules.value_or("declarations.per-player", "all") == "best":
        return max(points)
    return sum(points)


def counted_by_themselves(rules: Ruleset, hand: CardSet, mode: Mode) -> tuple[Declaration, ...]:
    """Return what counts of a hand where nobody announces: of several choices what is worth most, then the better."""
    found = possible_sets(rules, hand, mode) if count_in(rules, mode) else []
    return _worth_most(rules, found, mode) if found else ()


def _worth_most(rules: Ruleset, choices: Sequence[tuple[Declaration, ...]], mode: Mode) -> tuple[Declaration, ...]:
    """Return what is worth most of what one player may choose; only of equals it matters which is the better."""
    if len(choices) == 1:
        return choices[0]
    points = [worth(rules, together) for together in choices]
    best = [together for together, own in zip(choices, points, strict=True) if own == max(points)]
    if len(best) == 1:
        return best[0]
    return max(best, key=lambda together: sorted(_rank(rules, one, mode) for one in together)[::-1])


def _rank(rules: Ruleset, declaration: Declaration, mode: Mode) -> tuple[int, ...]:
    """Return what tells declarations of one player apart: their strength, if any are compared here, and their cards."""
    compared = rules.value_or("declarations.compared-by", None) is not None
    return (*(strength(rules, declaration, mode) if compared else ()), declaration.cards)


def turned_points(rules: Ruleset, kind: str, open_hand: CardSet, turned: Card) -> int | None:
    """Return the card points that a turned card earns as part of a sequence or square, ``None`` if it makes none.

    ``open_hand`` are the player's open cards with the turned one (ruling OB-R4).
    """
    found = squares_in(rules, open_hand) if kind == "square" else runs_in(rules, open_hand)
    for declaration in found:
        if holds(declaration.cards, turned):
            points: int = rules.given("declarations.turned-sequence")
            return declaration.points if kind == "square" else points
    return None


def check_announcement(
    rules: Ruleset, hand: CardSet, announced: Sequence[CardSet], mode: Mode | None, before: Sequence[Declaration] = ()
) -> tuple[Declaration, ...]:
    """Return the declarations that a player announces from a hand, in that order, in a mode or in any.

    A player may announce less than he holds, even part of a run, but one run only once (ruling G-12), also if he
    announced some of it ``before``. Raises ``CardNotHeld``, ``NotADeclaration``, ``SharedCard`` or ``SameRunTwice``,
    in that order: all are looked at for one fault before any is for the next (ruling G-22).
    """
    for cards in announced:
        if cards & ~hand:
            raise CardNotHeld
    found = [identify(rules, cards, mode) for cards in announced]
    squares = union(declaration.cards for declaration in found if declaration.kind == "square")
    sequences = [declaration for declaration in found if declaration.kind == "sequence"]
    sharing = rules.given("declarations.shared-cards") if squares and sequences else "allowed"
    if len(found) == 1 and not before:
        return tuple(found)
    left = hand & ~squares if sharing == "shorten-sequence" else hand
    whole_runs = [_run_of(rules.sequence_position, *run) for run in _runs_held(rules, left)]
    for sequence in sequences:
        touched = sequence.cards
        if sharing == "one-or-other":
            touched = next(run for run in whole_runs if run & sequence.cards)
        if sharing != "allowed" and touched & squares:
            raise SharedCard("declarations.shared-cards")
    for run in whole_runs:
        if sum(bool(run & sequence.cards) for sequence in sequences) > 1:
            raise SameRunTwice("declarations.announced")
    for index, one in enumerate(found):
        for other in (*before, *found[:index]):
            if one.kind == other.kind and one.cards & other.cards:
                raise SameRunTwice("declarations.announced")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whose declarations count: the seat with the best one, and card points per seat.

    There is no one ``winner`` where nothing is compared, equal ones cancel, or each kind is another seat's.
    """

    winner: int | None
    points: tuple[int, ...]
    wins_match: bool


def strength(rules: Ruleset, declaration: Declaration, mode: Mode) -> tuple[int, ...]:
    """Return what a declaration is compared by, most important first; the larger beats the smaller."""
    return tuple(
        _criterion(rules, criterion, declaration, mode) for criterion in rules.given("declarations.compared-by")
    )


def _criterion(rules: Ruleset, criterion: str, declaration: Declaration, mode: Mode) -> int:
    match criterion:
        case "points":
            return declaration.points
        case "square-first":
            return int(declaration.kind == "square")
        case "top-card":
            return _top(rules, declaration)
        case "trump":
            return int(mode.is_trump(declaration.suit))
        case "class":
            return _class(rules, declaration, mode)
    raise UnknownValueError("declarations.compared-by", criterion)


def _top(rules: Ruleset, declaration: Declaration) -> int:
    """Return how high the highest card of a declaration stands, 0 for a square where that decides nothing."""
    match how := rules.given("declarations.top-card"):
        case "sequences-only":
            return 0 if declaration.kind == "square" else declaration.top
        case "trick-order":
            return rules.plain_strength[rules.sequence_position.index(declaration.top)]
        case "sequence-order":
            return declaration.top
    raise UnknownValueError("declarations.top-card", how)


def _class(rules: Ruleset, declaration: Declaration, mode: Mode) -> int:
    if declaration.kind == "square":
        return rules.place("declarations.square-classes", RANKS[_counted_as(rules, declaration.rank or 0, mode)])
    return rules.place("declarations.sequence-classes", declaration.length)


def wins_match(rules: Ruleset, declaration: Declaration, mode: Mode) -> bool:
    """Say whether announcing this declaration wins the match at once: all eight cards of a suit."""
    if declaration.kind != "sequence" or declaration.length != WHOLE_SUIT:
        return False
    value = rules.given("declarations.eight-in-a-row")
    return value == "wins-match" or (value == "wins-match-in-trump" and mode.is_trump(declaration.suit))


def compare(
    rules: Ruleset, contract: DealContract, leader: int, announced: Sequence[Sequence[Declaration]]
) -> Comparison:
    """Find the best declaration and the points that count, showing not considered.

    ``announced`` holds each seat's declarations. Equal ones are decided by ``declarations.tie``. A taker may be
    ``UNTOLD`` but where the defenders form one camp.
    """
    mode = contract.mode
    order = [(leader + step) % rules.players for step in range(rules.players)]
    nothing = (0,) * rules.players
    if not any(announced):
        return Comparison(None, nothing, wins_match=False)
    for seat in order:
        for declaration in announced[seat]:
            if wins_match(rules, declaration, mode):
                return Comparison(seat, nothing, wins_match=True)
    if rules.given("declarations.winner-scores") == "everybody":
        return Comparison(None, tuple(worth(rules, one) for one in announced), wins_match=False)
    counting = [_that_can_count(rules, declarations, mode) for declarations in announced]
    won = [_won(rules, contract, order, kind) for kind in _kinds_compared(rules, counting) if any(kind)]
    winners = {winner for winner, _ in won}
    points = tuple(map(sum, zip(*(earned for _, earned in won), strict=True)))
    return Comparison(winners.pop() if len(winners) == 1 else None, points, wins_match=False)


def _that_can_count(rules: Ruleset, announced: Sequence[Declaration], mode: Mode) -> Sequence[Declaration]:
    """Return those of a player's declarations that can count: all, or the one worth most, of equals the better."""
    if len(announced) > 1 and rules.value_or("declarations.per-player", "all") == "best":
        return _worth_most(rules, [(one,) for one in announced], mode)
    return announced


def _kinds_compared(
    rules: Ruleset, announced: Sequence[Sequence[Declaration]]
) -> Iterator[Sequence[Sequence[Declaration]]]:
    """Yield what is compared with one another, by seat: everything, or each kind apart."""
    kinds = {declaration.kind for declarations in announced for declaration in declarations}
    if len(kinds) < 2 or rules.given("declarations.compared-together") == "together":
        yield announced
        return
    for kind in sorted(kinds):
        yield [[one for one in declarations if one.kind == kind] for declarations in announced]


def _won(
    rules: Ruleset, contract: DealContract, order: Sequence[int], announced: Sequence[Sequence[Declaration]]
) -> tuple[int | None, tuple[int, ...]]:
    """Return who has the best of what is compared, ``None`` if nobody, and the points that it brings each seat."""
    tied = _with_the_best(rules, contract.mode, order, announced)
    winner = _first_of(rules, tied, order[0], contract.taker) if len(tied) > 1 else tied[0]
    if winner is None:
        return None, (0,) * rules.players
    counts = (bool(own) and scores_with(rules, seat, winner, contract.taker) for seat, own in enumerate(announced))
    return winner, tuple(worth(rules, own) if counting else 0 for own, counting in zip(announced, counts, strict=True))


def _with_the_best(
    rules: Ruleset, mode: Mode, order: Sequence[int], announced: Sequence[Sequence[Declaration]]
) -> list[int]:
    """Return the seats, in turn order, with the best of what is compared, by one criterion after the other."""
    best = [(seat, declaration) for seat in order for declaration in announced[seat]]
    tied = [seat for seat in order if announced[seat]]
    for criterion in rules.in_turn("declarations.compared-by") if len(tied) > 1 else ():
        values = [_criterion(rules, criterion, declaration, mode) for _, declaration in best]
        best = [one for one, value in zip(best, values, strict=True) if value == max(values)]
        tied = list(dict.fromkeys(seat for seat, _ in best))
        if len(tied) == 1:
            break
    return tied


def scores_with(rules: Ruleset, seat: int, winner: int, taker: int) -> bool:
    """Say whether a seat scores its declarations when another (or itself) has the best one."""
    match who := rules.given("declarations.winner-scores"):
        case "winning-side":
            return rules.partners(seat, winner)
        case "winning-camp":
            first = _known(rules, taker)
            return (seat == first) == (winner == first)
        case "winning-player":
            return seat == winner
    raise UnknownValueError("declarations.winner-scores", who)


def _known(rules: Ruleset, taker: int) -> int:
    """Return the taker where it matters who took; raises ``BadQuestionError`` if a question does not say."""
    if taker == UNTOLD:
        raise BadQuestionError(f"taker: in {rules.profile.id} it matters who took, so say the seat")
    return taker


def _first_of(rules: Ruleset, tied: Sequence[int], leader: int, taker: int) -> int | None:
    """Return which of several equal holders (in turn order) wins, ``None`` if they cancel each other."""
    match who := rules.given("declarations.tie"):
        case "leaders-side":
            return next((seat for seat in tied if rules.partners(seat, leader)), tied[0])
        case "first-from-taker":
            first = _known(rules, taker)
            return min(tied, key=lambda seat: (seat - first) % rules.players)
        case "nobody" if not all(rules.partners(seat, tied[0]) for seat in tied):
            return None
        case "nobody" | "first-in-turn":
            return tied[0]
    raise UnknownValueError("declarations.tie", who)


def in_a_row(rules: Ruleset, cards: CardSet) -> list[Card]:
    """Return cards as they follow one another in a sequence, the highest first."""
    return sorted(cards_in(cards), key=lambda card: -rules.sequence_position[rank_of(card)])
