"""What can be at the table: a question about what no deal and no match by some rules can bring is refused.

The engine refuses by it, and whoever draws questions, or makes them smaller, asks only what it lets pass.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Final

from belot_reference.belote import counts_in
from belot_reference.cards import ALL_CARDS, CARD_BY_NAME, NO_CARDS, ONLY, CardSet, cards_in, names_of, union
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.counting import last_trick_bonus
from belot_reference.declarations import check_announcement, count_in
from belot_reference.errors import ImpossibleError, Refusal
from belot_reference.match import Match, ended_by_length, won_before
from belot_reference.mode import Mode
from belot_reference.questions import contract_of_sums, mode_named, set_named
from belot_reference.roem import roem_amounts
from belot_reference.sentences import say

Json = Mapping[str, Any]


def why_impossible(rules: Ruleset, operation: str, question: Json) -> ImpossibleError | None:
    """Return why a question that the engine can make sense of is about nothing that can be at the table, if it is."""
    try:
        if rules.deck != ALL_CARDS:
            _check_deck(rules, question)
        if (check := _CHECKS.get(operation)) is not None:
            check(rules, question)
    except ImpossibleError as error:
        return error
    return None


def largest_hand(rules: Ruleset) -> int:
    """Return how many cards a player holds and sees before the first trick: of piles only what lies open."""
    return rules.hand_size // (1 + rules.open_piles)


def _check_deck(rules: Ruleset, question: Json) -> None:
    if strangers := names_of(_cards_in(question) & ~rules.deck):
        raise ImpossibleError(say("played-without", profile=rules.profile.id, cards=", ".join(strangers)))


def _cards_in(value: Any) -> CardSet:
    """Return all cards that a question names."""
    cards, inside = NO_CARDS, [value]
    for one in inside:  # grows on the way
        if isinstance(one, str):
            cards |= ONLY[CARD_BY_NAME[one]] if one in CARD_BY_NAME else NO_CARDS
        elif isinstance(one, dict | list):
            inside += one.values() if isinstance(one, dict) else one
    return cards


def _check_number(rules: Ruleset, field: str, cards: int, least: int, most: int) -> None:
    if not least <= cards <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise ImpossibleError(f"{field}: {cards} cards, and there are {wanted} in {rules.profile.id}")


def _check_whole_hand(rules: Ruleset, question: Json) -> None:
    _check_number(rules, "hand", len(question["hand"]), largest_hand(rules), largest_hand(rules))


def _check_dealt(rules: Ruleset, question: Json) -> None:
    """Refuse a hand that is not whole; of piles all that a player has may be told, or what lies open."""
    if len(question["hand"]) != rules.hand_size:
        _check_whole_hand(rules, question)


def _check_hands(rules: Ruleset, question: Json) -> None:
    """Refuse hands of two sizes, or larger ones than are dealt; they may be smaller, as for the last tricks."""
    for field, most in (("hands", rules.hand_size), ("piles", largest_hand(rules))):
        first, *others = map(len, question.get(field, ((0,),)))
        _check_number(rules, f"{field}.0", first, 1, most)
        for seat, size in enumerate(others, start=1):
            _check_number(rules, f"{field}.{seat}", size, first, first)


def _check_seen(rules: Ruleset, question: Json) -> None:
    """Refuse what ``_check_hands`` does, and hands of more cards than are seen before the first trick."""
    _check_hands(rules, question)
    _check_number(rules, "hands.0", len(question["hands"][0]), 1, largest_hand(rules))


def _check_card_points(rules: Ruleset, question: Json) -> None:
    least = rules.players if question.get("last_trick") else 0
    _check_number(rules, "cards", len(question["cards"]), least, rules.deck.bit_count())


def _check_announced(rules: Ruleset, question: Json) -> None:
    """Refuse what players cannot hold and announce: a card in two hands, more than a hand, a run told twice."""
    taken = NO_CARDS
    for seat, told in enumerate(question["announced"]):
        declarations = [set_named(cards) for cards in told]
        hand = union(declarations)
        try:
            check_announcement(rules, hand, declarations, None)
        except Refusal as refusal:
            raise ImpossibleError(f"announced.{seat}: {refusal}") from None
        if twice := names_of(hand & taken):
            raise ImpossibleError(say("in-two-hands", of="announced", cards=", ".join(twice)))
        _check_number(rules, f"announced.{seat}", hand.bit_count(), 0, largest_hand(rules))
        taken |= hand


def _check_by_tricks(rules: Ruleset, question: Json) -> None:
    """Refuse what sides cannot have beside their tricks, and declarations of cards that a seat did not hold."""
    check_extras(rules, question)
    if "announced" not in question:
        return
    _check_announced(rules, question)
    held = [NO_CARDS] * rules.players
    held[question["taker"]] = set_named(question.get("discarded", ()))
    for trick in question["tricks"]:
        for step, card in enumerate(trick["cards"]):
            held[(trick["leader"] + step) % rules.players] |= ONLY[CARD_BY_NAME[card]]
    for seat, told in enumerate(question["announced"]):
        if strangers := names_of(union(map(set_named, told)) & ~held[seat]):
            raise ImpossibleError(f"announced.{seat}: the seat does not hold {', '.join(strangers)}")


def _check_declared(rules: Ruleset, told: Json) -> None:
    """Refuse what cannot be the points of all that was declared in a deal, with belote."""
    if not (declared := told.get("declared", 0)):
        return
    modes = [mode_named(rules, told["trump"])] if "trump" in told else rules.playable_modes
    if not any(declared in _declared_in(rules, mode) for mode in modes):
        raise ImpossibleError(f"declared: {declared} is no sum of declarations and belote in {rules.profile.id}")


def _declared_in(rules: Ruleset, mode: Mode) -> set[int]:
    if rules.has_roem:
        return {*roem_sums(rules)}
    sums = any_declared(rules) if count_in(rules, mode) else (0,)
    belote = rules.given("declarations.belote.points")
    return {points + times * belote for times in range(belote_in(rules, mode) + 1) for points in sums}


def _check_penalty(rules: Ruleset, question: Json) -> None:
    _check_hands(rules, question)
    _check_declared(rules, question)


def _check_match(rules: Ruleset, question: Json) -> None:
    for deal in question["deals"]:
        if "scored" in deal:
            check_deal_sums(rules, deal["scored"])
        elif "accusation" in deal:
            _check_declared(rules, deal["accusation"])


def _check_deal(rules: Ruleset, question: Json) -> None:
    """Refuse a recorded deal that begins after the match, or with more cards in a hand than are dealt."""
    extra = rules.value_or("deal.taker-discards", 0)
    for seat, hand in enumerate(question.get("hands", ())):
        _check_number(rules, f"hands.{seat}", len(hand), 1, rules.hand_size + extra)
    for seat, piles in enumerate(question.get("piles", ())):
        _check_number(rules, f"piles.{seat}", len(piles), 1, largest_hand(rules))
    totals = tuple(question.get("totals", (0,) * rules.side_count))
    over = won_before(rules, totals, 0) is not None
    if "played" in question and rules.has_set_length:
        over = ended_by_length(rules, Match(0, totals, played=question["played"])).is_over
    if over:
        raise ImpossibleError("totals: with these the match is over")


# The sums that a deal can give: tricks and card points, declarations and belote of each side.

Sides = Sequence[Mapping[str, int]]
# A number of cards, and what they are worth together.
_Share = tuple[int, int]
# Some numbers, each a bit.
_Bits = int

_DECLARED: Final = ("declarations", "outranked")
_KINDS: Final = ("sequence", "square")
_SQUARE: Final = 4


class ImpossibleSumsError(ImpossibleError):
    """Sums that no deal gives: ``fault`` says what is wrong by its ``kind``, and the numbers that it is about."""

    def __init__(self, message: str, kind: str, **about: Any) -> None:
        super().__init__(message)
        self.fault: dict[str, Any] = {"kind": kind, **about}


def check_deal_sums(rules: Ruleset, question: Json) -> None:
    """Raise ``ImpossibleSumsError`` unless all tricks are won, and each side's card points are those of its tricks.

    A side without a trick has but what its taker has laid away.
    """
    name, sides, laid_away = rules.profile.id, question["sides"], rules.value_or("deal.taker-discards", 0)
    if len(sides) != len({*rules.side_of}) or question["taker"] >= rules.players:
        # A match tells its deals without saying how many play; one of another table is none here.
        message = f"sides: {name} has {rules.players} players and {len({*rules.side_of})} sides"
        raise ImpossibleSumsError(message, "players", n=rules.players)
    tricks = [side["tricks"] for side in sides]
    if sum(tricks) != rules.hand_size:
        message = f"sides: a deal of {name} has {rules.hand_size} tricks, not {sum(tricks)}"
        raise ImpossibleSumsError(message, "tricks", n=sum(tricks), wanted=rules.hand_size)
    bonus, winner = last_trick_bonus(rules, tricks), question.get("last_trick")
    if winner is not None:
        if not tricks[winner]:
            message = f"last_trick: side {winner} has no trick, so it has not won the last one"
            raise ImpossibleSumsError(message, "last-trick", side=winner)
        bonus = 0
    contract = contract_of_sums(rules, question)
    mode, taking, cards = contract.mode, rules.side_of[contract.taker], [side["cards"] for side in sides]
    sizes = [rules.players * won + laid_away * (side == taking) for side, won in enumerate(tricks)]
    worth = _worth(rules, mode)
    for number, won in enumerate(tricks):
        if not won and not _is_sum(worth, sizes[number], cards[number]):
            message = f"sides.{number}.cards: a side without a trick has no card points, not {cards[number]}"
            raise ImpossibleSumsError(message, "cards-without-trick", side=number)
    left = len(worth) - sum(sizes)
    _check_all_cards(rules, mode, sum(cards), bonus, left)
    # Where all cards are dealt, whoever comes last has what the others have not.
    some = len(sides) - (not left)
    shares = tuple(zip(sizes[:some], cards[:some], strict=True))
    # The last trick's bonus is in the points of one of the sides that have a trick, and of no card.
    lasts = [number for number, won in enumerate(tricks) if won] if bonus else [-1]
    own = (tuple((size, had - bonus * (side == last)) for side, (size, had) in enumerate(shares)) for last in lasts)
    if not any(_can_share(worth, each) for each in own):
        told = ", ".join(f"{own} in {won}" for own, won in zip(cards, tricks, strict=True))
        message = f"sides: no deal of {name} gives these card points in so many tricks: {told}"
        raise ImpossibleSumsError(message, "cards-in-tricks")
    check_extras(rules, question)


def _check_all_cards(rules: Ruleset, mode: Mode, told: int, bonus: int, left: int) -> None:
    everything = rules.points_in_deck(mode) + bonus
    if _is_sum(_worth(rules, mode), left, everything - told):
        return
    together = f"all sides together have {told} card points"
    if left:
        message = f"sides: {together}, which no {left} cards left over make {everything}"
    else:
        message = f"sides: {together}, and a deal of {rules.profile.id} has {everything}"
    raise ImpossibleSumsError(message, "cards", n=told, wanted=everything, left=left)


@lru_cache(maxsize=1 << 15)
def _can_share(worth: tuple[int, ...], shares: tuple[_Share, ...]) -> bool:
    """Say whether these shares can be dealt from cards with these values: to each its number, worth its points."""
    if not all(_is_sum(worth, size, points) for size, points in shares):
        return False
    if len(shares) == 1:
        return True
    size, points = map(sum, zip(*shares, strict=True))
    if not _is_sum(worth, size, points):
        return False
    if not points:
        return True
    # Those that are worth most are shared in every way, and then the others.
    rest = worth[: worth.index(worth[-1])]
    return any(_can_share(rest, after) for after in _after(shares, worth[-1], len(worth) - len(rest)))


def _after(shares: tuple[_Share, ...], value: int, number: int) -> Iterator[tuple[_Share, ...]]:
    """Deal out a ``number`` of cards of the highest value in every way, and yield what each share then lacks."""
    if not shares:
        yield ()
        return
    (size, points), *others = shares
    for own in range(min(number, size, points // value), -1, -1):
        for after in _after(tuple(others), value, number - own):
            yield ((size - own, points - own * value), *after)


def check_extras(rules: Ruleset, question: Json) -> None:
    """Raise ``ImpossibleSumsError`` unless sides can have such declarations and belote, in the mode that is told."""
    sides: Sides = question.get("sides", ())
    told = {(side, kind): own[kind] for side, own in enumerate(sides) for kind in _DECLARED if own.get(kind)}
    if not told and not any("belote" in own for own in sides):
        return
    mode = mode_named(rules, question["trump"]) if rules.has_auction else rules.unsaid_mode
    _check_belote(rules, mode, sides)
    if rules.has_roem:
        _check_roem(rules, sides, told, "tricks" in question)
        return
    possible, each = (declared_sums(rules), declaration_points(rules)) if count_in(rules, mode) else (frozenset(), ())
    for (side, kind), points in told.items():
        if points not in possible:
            shown = ", ".join(map(str, each)) or "nothing"
            message = f"sides.{side}.{kind}: {points} is no sum of declarations; each is worth {shown}"
            raise ImpossibleSumsError(message, "declared", side=side, n=points, each=each)
    declaring = {side: points for (side, kind), points in told.items() if kind == "declarations"}
    if not can_declare(rules, declaring, taking := rules.side_of[question["taker"]]):
        listed = " and ".join(f"side {number}" for number in declaring)
        message = f"sides: declarations of {listed} do not count together in {rules.profile.id}"
        raise ImpossibleSumsError(message, "declared-twice", sides=[*declaring])
    for side in (side for side, kind in told if kind == "outranked"):
        if not can_be_outranked(rules, side, declaring, taking):
            message = f"sides.{side}.outranked: nobody has declarations that beat these"
            raise ImpossibleSumsError(message, "outranked", side=side)


def _check_roem(rules: Ruleset, sides: Sides, told: Mapping[tuple[int, str], int], by_tricks: bool) -> None:
    """Raise ``ImpossibleSumsError`` for roem that no tricks bring, or that a question tells beside its tricks."""
    for (side, kind), points in told.items():
        won = sides[side].get("tricks", 0)
        if by_tricks or kind == "outranked" or points not in _any_sums(declaration_points(rules), won):
            each = tuple(sorted(roem_amounts(rules) - {0}))
            shown = "what the tricks bring" if by_tricks else ", ".join(map(str, each))
            message = f"sides.{side}.{kind}: {points} is no sum of roem; in a trick it is {shown}"
            raise ImpossibleSumsError(message, "declared", side=side, n=points, each=each)


def _check_belote(rules: Ruleset, mode: Mode, sides: Sides) -> None:
    """Raise ``ImpossibleSumsError`` for more belote than there are suits that are trump, or for a part of one."""
    most = belote_in(rules, mode)
    worth = rules.given("declarations.belote.points") if not rules.has_roem else 0
    belote = {number: points for number, side in enumerate(sides) if (points := side.get("belote", 0))}
    if most == 1 and len(belote) > 1:
        raise ImpossibleSumsError("sides: only one side holds king and queen of trump", "belote-twice")
    possible = {worth * several for several in range(most + 1)}
    for number, points in belote.items():
        if points not in possible:
            told = str(worth) if most == 1 else f"{worth} in each suit that is trump" if most else "not played"
            message = f"sides.{number}.belote: belote is worth {told} in {rules.profile.id}, not {points}"
            raise ImpossibleSumsError(message, "belote", side=number, n=points, wanted=worth if most else 0)
    if sum(belote.values()) > worth * most:
        raise ImpossibleSumsError(f"sides: there are {most} kings and queens of trump", "belotes-many", wanted=most)


def belote_in(rules: Ruleset, mode: Mode) -> int:
    """Return how often belote can be had in a deal: once for each suit that is trump, where it counts."""
    return len(mode.pairs) if counts_in(rules, mode) else 0


def can_declare(rules: Ruleset, declaring: Mapping[int, int], taking: int) -> bool:
    """Say whether sides can have these points of declarations in one deal, given the taker's side.

    Those of one camp count; where squares and sequences are compared apart, another camp may have one kind of them.
    """
    camps: dict[int, list[int]] = {}
    for side, points in declaring.items():
        camps.setdefault(_camp(rules, side, taking), []).append(points)
    if len(camps) < 2:
        return True
    if len(camps) > len(_KINDS) or rules.value_or("declarations.compared-together", "together") == "together":
        return False
    one, other = camps.values()
    sequences, squares = (declared_sums(rules, kind) for kind in _KINDS)
    return any(
        all(points in sequences for points in some) and all(points in squares for points in others)
        for some, others in ((one, other), (other, one))
    )


def _camp(rules: Ruleset, side: int, taking: int) -> int:
    """Return which camp a side is of, whose declarations count together; where all do there is one.

    Players of a pair may be of two camps: the taker is one of his own.
    """
    match rules.value_or("declarations.winner-scores", "everybody"):
        case "everybody":
            return 0
        case "winning-camp":
            return int(side == taking and rules.players == rules.side_count)
    return side


def can_be_outranked(rules: Ruleset, side: int, declaring: Mapping[int, int], taking: int) -> bool:
    """Say whether declarations of a side can have been beaten, given the points of those that count, by side.

    They are by those of another camp, which count unless these must be shown or may be worth nothing, or equal ones
    cancel. Beside some of its own that count they are only where there may be several winners, or one player is.
    """
    if (who := rules.value_or("declarations.winner-scores", "everybody")) == "everybody":
        return False
    if (
        rules.value_or("declarations.shown-in-trick", "none") != "none"
        or rules.value_or("declarations.compared-together", "together") == "apart"
        or rules.value_or("declarations.worthless-squares", None) == "declared"
    ):
        return True
    camps = {_camp(rules, one, taking) for one in declaring}
    if who in ("winning-player", "winning-camp") and rules.players > rules.side_count:
        return bool(camps) or rules.given("declarations.tie") == "nobody"
    return _camp(rules, side, taking) not in camps if camps else rules.given("declarations.tie") == "nobody"


def sums_of_cards(rules: Ruleset, mode: Mode, number: int) -> list[int]:
    """Return every sum of the card points of a ``number`` of cards of the deck, in a mode, from the least."""
    return _numbers(_sums(_worth(rules, mode))[number])


def _worth(rules: Ruleset, mode: Mode) -> tuple[int, ...]:
    """Return what each card of the deck is worth in a mode, from the least."""
    rules.note(mode.valued_by)
    return _worth_of(mode.points, rules.deck)


@lru_cache(maxsize=256)
def _worth_of(points: tuple[int, ...], deck: CardSet) -> tuple[int, ...]:
    return tuple(sorted(points[card] for card in cards_in(deck)))


def _is_sum(worth: tuple[int, ...], number: int, points: int) -> bool:
    """Say whether a ``number`` of things, of those with these values, can be worth these points together."""
    return points >= 0 and number <= len(worth) and bool(_sums(worth)[number] >> points & 1)


@lru_cache(maxsize=1 << 14)
def _sums(worth: tuple[int, ...]) -> tuple[_Bits, ...]:
    """Return, by the number of things taken, what they can be worth together."""
    found = [1, *(0 for _ in worth)]
    for own in worth:
        for number in range(len(worth), 0, -1):
            found[number] |= found[number - 1] << own
    return tuple(found)


def _numbers(bits: _Bits) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def declaration_points(rules: Ruleset) -> tuple[int, ...]:
    """Return what a declaration may be worth, or the roem of a trick, from the least; nothing where none are played."""
    if rules.has_roem:
        return tuple(sorted(roem_amounts(rules) - {0}))
    sequences, squares = _worth_of_each(rules, _KINDS)
    turned = [rules.given("declarations.turned-sequence")] if rules.open_piles and sequences else []
    return tuple(sorted({points for points in (*(own for _, own in sequences), *squares, *turned) if points > 0}))


def _worth_of_each(rules: Ruleset, kinds: Sequence[str]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return what each length of sequence is worth, and each square; nothing where none are played."""
    if rules.value("declarations.played") != "all":
        return (), ()
    lengths = rules.given("declarations.sequence-points") if "sequence" in kinds else {}
    squares = rules.given("declarations.square-points") if "square" in kinds else {}
    return tuple((int(length), points) for length, points in lengths.items()), tuple(squares.values())


def declared_sums(rules: Ruleset, *kinds: str) -> frozenset[int]:
    """Return what a side may have for its declarations together, or for those of some kinds: its hands hold no more.

    Where cards are turned more are held than lie open at first.
    """
    if rules.has_roem:
        return roem_sums(rules)
    sequences, squares = _worth_of_each(rules, kinds or _KINDS)
    if rules.open_piles:
        return any_declared(rules)
    share = rules.given("declarations.shared-cards") == "allowed" if sequences else False
    is_best = rules.value_or("declarations.per-player", "all") == "best"
    return _held(sequences, squares, rules.hand_size, rules.players // rules.side_count, share, is_best)


@lru_cache(maxsize=1024)
def _held(
    sequences: tuple[tuple[int, int], ...],
    squares: tuple[int, ...],
    room: int,
    players: int,
    share: bool,
    is_best: bool,
) -> frozenset[int]:
    """Return what ``players`` with ``room`` cards each may declare together; a square is there once.

    A sequence may ``share`` a card with each square of a hand, and perhaps only the best of a hand counts.
    """
    most = 1 if is_best else room // _SQUARE
    found: _Bits = 0
    for each in combinations_with_replacement(range(most + 1), players):
        if sum(each) <= len(squares):
            bits = _sums(squares)[sum(each)]
            for own in each:
                alone = 0 if is_best and own else room - own * _SQUARE
                bits = _together(bits, _sequences(sequences, alone, own if share else 0, is_best))
            found |= bits
    return frozenset(_numbers(found))


def _together(one: _Bits, other: _Bits) -> _Bits:
    """Return the sums of a number of one and a number of another."""
    found = 0
    for number in _numbers(other):
        found |= one << number
    return found


def _sequences(sequences: tuple[tuple[int, int], ...], room: int, shared: int, is_best: bool) -> _Bits:
    """Return what sequences in ``room`` cards of a hand may be worth; each may have ``shared`` cards of squares."""
    by_cards: list[_Bits] = [1, *(0 for _ in range(room))]
    for cards in range(1, room + 1):
        for length, points in sequences:
            own = max(1, length - shared)
            if own <= cards:
                by_cards[cards] |= (1 if is_best else by_cards[cards - own]) << points
        by_cards[cards] |= by_cards[cards - 1]
    return by_cards[-1]


def roem_sums(rules: Ruleset) -> frozenset[int]:
    """Return every sum of the roem of as many tricks as a deal has."""
    return _any_sums(declaration_points(rules), rules.hand_size)


def any_declared(rules: Ruleset) -> frozenset[int]:
    """Return every sum of the points of declarations, however many there are in a deck."""
    return _any_sums(declaration_points(rules), rules.deck.bit_count() // SHORTEST_SEQUENCE)


@lru_cache(maxsize=256)
def _any_sums(each: tuple[int, ...], number: int) -> frozenset[int]:
    found: _Bits = 1
    for _ in range(number):
        found = _together(found, 1 | sum(1 << points for points in each))
    return frozenset(_numbers(found))


_CHECKS: Final[Mapping[str, Callable[[Ruleset, Json], None]]] = {
    "card-points": _check_card_points,
    "legal-cards": lambda rules, asked: _check_number(rules, "hand", len(asked["hand"]), 1, largest_hand(rules)),
    "declarations": _check_whole_hand,
    "compare-declarations": _check_announced,
    "compare-hands": _check_seen,
    "belote": _check_dealt,
    "deal": lambda rules, asked: _check_number(rules, "cut", asked.get("cut", 0), 0, rules.deck.bit_count()),
    "score-deal": check_deal_sums,
    "settle-tricks": _check_by_tricks,
    "match": _check_match,
    "penalty": _check_penalty,
    "replay": _check_deal,
    "perft": _check_hands,
}
