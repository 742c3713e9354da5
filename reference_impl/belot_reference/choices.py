"""What may be done at a point of a deal: every legal action of a seat, and the parts that actions are made of."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, product
from typing import Final

from belot_reference.actions import (
    Action,
    AnnounceAction,
    BidAction,
    ClaimAction,
    DiscardAction,
    ExchangeAction,
    LookAction,
    PlayAction,
)
from belot_reference.belote import need_call_belote, royal_now
from belot_reference.bidding import bid_choices
from belot_reference.cards import NO_CARDS, ONLY, Card, CardSet, card_at, card_set, cards_in
from belot_reference.compile import SHORTEST_SEQUENCE, Ruleset
from belot_reference.counting import enough_in_reach
from belot_reference.deal_state import DealState
from belot_reference.declarations import Declaration, check_announcement, count_in, runs_in, squares_in, turned_points
from belot_reference.errors import Refusal
from belot_reference.play import PlayState, has_begun, legal_now
from belot_reference.replay import apply_action, has_second_chance, may_exchange, must_discard

_SILENT: Final[tuple[CardSet, ...]] = ()
_NEVER_OR_ALSO: Final[Callable[[bool], tuple[bool, ...]]] = ((False,), (False, True)).__getitem__


def legal_actions(rules: Ruleset, state: DealState, seat: int, *, looks: bool = False) -> Iterator[Action]:
    """Yield everything that a seat may do now, each action once and in an order that never changes.

    The bids come with the pass first; cards laid away together, and cards played, in the order of the deck; each card
    first with nothing said, then with what may be said along with it; what is announced before the first lead comes
    before the cards. Last come the exchange, the tricks that may be looked at, if one asks for ``looks``, and a claim.
    What is announced together stands in one order, and showing where nothing need be shown, which has no effect, is
    left out.
    """
    if state.ended is not None:
        return
    play = state.play
    if play is None:
        if seat == state.bidding.turn:
            yield from (BidAction(seat, choice) for choice in bid_choices(rules, state.bidding))
        return
    if must_discard(rules, state):
        if seat == state.bidding.taker:
            number: int = rules.value("deal.taker-discards")
            away = combinations(cards_in(play.hands[seat]), number)
            yield from (DiscardAction(seat, card_set(cards)) for cards in away)
    else:
        if announces_apart(rules, play) and (seat - play.turn) % rules.players >= state.heard:
            yield from (AnnounceAction(seat, found) for found in announcements(rules, play.hands[seat]) if found)
        if seat == play.turn:
            yield from _plays(rules, state, play)
    for action in _without_turn(rules, state, play, seat, looks=looks):
        with suppress(Refusal):
            apply_action(rules, state, action)
            yield action


def _without_turn(rules: Ruleset, state: DealState, play: PlayState, seat: int, *, looks: bool) -> Iterator[Action]:
    """Yield what might be done by anybody at any time; some of it may still be refused."""
    if may_exchange(rules, state, play, seat):
        yield ExchangeAction(seat)
    if looks:
        yield from (LookAction(seat, number) for number in range(1, len(play.tricks) + 1))
    if rules.value("match.claim") != "played-out" and enough_in_reach(rules, state, play):
        yield ClaimAction(seat)


def _plays(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[PlayAction]:
    seat = play.turn
    announcements = announceable(rules, state, play)
    for card in cards_in(legal_now(rules, play)[0]):
        belote = bool(play.mode.pair_of[card]) and need_call_belote(rules, royal_now(play, state.hands[seat], card))
        kinds = makeable(rules, state, play, card)
        made = [some for size in range(len(kinds) + 1) for some in combinations(kinds, size)]
        for announced, said, earned in product(announcements, _NEVER_OR_ALSO(belote), made):
            for shown in _NEVER_OR_ALSO(may_show(rules, state, play, announces=bool(announced))):
                yield PlayAction(seat, card, announced, said, shown, earned)


def announces_apart(rules: Ruleset, play: PlayState) -> bool:
    """Say whether players may announce apart from any card: where the rules say so, before the first one."""
    if has_begun(play) or rules.value_or("declarations.announced", None) != "before-first-lead":
        return False
    return count_in(rules, play.mode)


def announces_with_card(rules: Ruleset, play: PlayState) -> bool:
    """Say whether the player to move may announce along with his card."""
    when = rules.value_or("declarations.announced", "with-any-card")
    if when == "with-any-card" or (when == "with-first-card" and not play.tricks):
        return count_in(rules, play.mode) if rules.has_auction else True
    return False


def may_show(rules: Ruleset, state: DealState, play: PlayState, *, announces: bool = False) -> bool:
    """Say whether the player to move may show with his card: in the right trick, or as a second chance after it."""
    wanted, seat = rules.value_or("declarations.shown-in-trick", "none"), play.turn
    if wanted == "none" or not (announces or state.announced[seat]):
        return False
    late = len(play.tricks) + 1 - wanted
    return late == 0 or (late == 1 and has_second_chance(rules, state, play, seat))


def makeable(rules: Ruleset, state: DealState, play: PlayState, card: Card) -> tuple[str, ...]:
    """Return what the card turned by playing a card makes: a sequence, a square, both or nothing."""
    turned = state.covered.get(card)
    if turned is None:
        return ()
    hand = play.hands[play.turn] & ~ONLY[card] | ONLY[turned]
    return tuple(kind for kind in ("sequence", "square") if turned_points(rules, kind, hand, turned) is not None)


def announceable(rules: Ruleset, state: DealState, play: PlayState) -> list[tuple[CardSet, ...]]:
    """Return everything that the player to move may announce with his card, nothing at all first.

    A player may announce less than he holds, even part of a run (ruling G-12).
    """
    if not announces_with_card(rules, play):
        return [_SILENT]
    return announcements(rules, play.hands[play.turn], state.announced[play.turn])


def announcements(rules: Ruleset, hand: CardSet, before: Sequence[Declaration] = ()) -> list[tuple[CardSet, ...]]:
    """Return every set of declarations that may be announced from a hand, after what was announced ``before``."""
    sequences = [cards for run in runs_in(rules, hand) for cards in _parts(rules, run)]
    squares = [square.cards for square in squares_in(rules, hand)]
    return [
        (*some, *others)
        for some in _apart(sequences)
        for size in range(len(squares) + 1)
        for others in combinations(squares, size)
        if not (some or others) or _accepted(rules, hand, (*some, *others), before)
    ]


def _parts(rules: Ruleset, run: Declaration) -> Iterator[CardSet]:
    """Yield a run and every shorter run in it, the longest first."""
    assert run.suit is not None
    first, after = run.top - run.length + 1, run.top + 1
    for length in range(run.length, SHORTEST_SEQUENCE - 1, -1):
        for start in range(first, after - length + 1):
            ranks = (rules.sequence_position.index(position) for position in range(start, start + length))
            yield card_set(card_at(rank, run.suit) for rank in ranks)


def _apart(sequences: Sequence[CardSet], used: CardSet = NO_CARDS) -> Iterator[tuple[CardSet, ...]]:
    """Yield every choice of sequences without a common card, none of them first."""
    yield ()
    for index, cards in enumerate(sequences):
        if not cards & used:
            yield from ((cards, *others) for others in _apart(sequences[index + 1 :], used | cards))


def _accepted(rules: Ruleset, hand: CardSet, announced: Sequence[CardSet], before: Sequence[Declaration]) -> bool:
    try:
        check_announcement(rules, hand, announced, None, before)
    except Refusal:
        return False
    return True
