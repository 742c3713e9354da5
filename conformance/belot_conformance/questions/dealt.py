"""What the players of a told deal hold and may play, and who takes: as far as the rules allow what was said."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations, product
from typing import Any

from belot_conformance.questions.cards import named
from belot_reference.bidding import Bidding, bid, start_bidding
from belot_reference.bids import bid_named
from belot_reference.cards import CARD_BY_NAME, Card, CardSet, names_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal
from belot_reference.deal import DealState, Dealt, deal_after_bidding, deal_before_bidding, shuffled_and_cut
from belot_reference.declarations import Declaration, count_in, possible_sets
from belot_reference.errors import Refusal
from belot_reference.mode import Mode
from belot_reference.perft import Plays
from belot_reference.play import PlayState, force_card, start_play
from belot_reference.possible import why_impossible
from belot_reference.questions import mode_named, set_named
from belot_reference.replay import sides_told
from belot_spec.card_names import CARD_NAMES


def with_hands(rules: Ruleset, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a question of ``replay`` with the hands, or the piles, in place of the deck that they were dealt from.

    ``None`` where the rules refuse the deck itself: then there is nothing to hand out.
    """
    try:
        dealt = deal_before_bidding(rules, question["dealer"], shuffled_and_cut(rules, question))
    except Refusal:
        return None
    turned = {} if dealt.turn_up is None else {"turn_up": CARD_NAMES[dealt.turn_up]}
    rest = {key: value for key, value in question.items() if key not in ("deck", "cut", "shuffles")}
    return {**rest, **_handed_out(rules, dealt, question), **turned}


def _handed_out(rules: Ruleset, dealt: Dealt, question: Mapping[str, Any]) -> dict[str, Any]:
    if dealt.piles:
        return {"piles": [[[CARD_NAMES[card] for card in pile] for pile in piles] for piles in dealt.piles]}
    hands = deal_after_bidding(rules, dealt, _taker(rules, dealt, question))
    given = {"hands": _named(hands)}
    if rules.value_or("deal.seven-exchange", "none") != "none":
        given["before"] = _named(dealt.hands)
    return given


def _named(hands: tuple[CardSet, ...]) -> list[list[str]]:
    return [names_of(hand) for hand in hands]


def _taker(rules: Ruleset, dealt: Dealt, question: Mapping[str, Any]) -> int:
    """Return the seat that takes; where nobody does, no card is played, and eldest has what a taker would get."""
    turned = None if dealt.turn_up is None else suit_of(dealt.turn_up)
    taker = _bids_said(rules, start_bidding(rules, dealt.dealer, turned), question).taker
    return (dealt.dealer + 1) % rules.players if taker is None else taker


def bidding_of(rules: Ruleset, question: Mapping[str, Any]) -> Bidding:
    """Return the bidding of a deal that is told with hands, as far as the rules allow what was said."""
    turned = suit_of(CARD_BY_NAME[question["turn_up"]]) if "turn_up" in question else None
    return _bids_said(rules, start_bidding(rules, question["dealer"], turned), question)


def _bids_said(rules: Ruleset, bidding: Bidding, question: Mapping[str, Any]) -> Bidding:
    with suppress(Refusal):
        for action in question["actions"]:
            if "bid" not in action or bidding.state != "open":
                break
            bidding = bid(rules, bidding, bid_named(action["bid"]), action["seat"])
    return bidding


def settling_of(rules: Ruleset, state: DealState) -> dict[str, Any]:
    """Return the question of ``settle-tricks`` about a deal that was played out."""
    assert state.play is not None
    count = count_deal(rules, state)
    kinds = () if rules.has_roem else ("declarations", "outranked", "belote")  # The tricks say what roem there is.
    sides = [{kind: points for kind in kinds if (points := getattr(tally, kind))} for tally in count.tallies]
    return {
        **state.contract.to_json(),
        "tricks": [{"leader": trick.leader, "cards": named(trick.cards)} for trick in state.play.tricks],
        **({"discarded": names_of(state.discarded)} if state.discarded else {}),
        **({"sides": sides} if any(sides) else {}),
    }


def by_announcements(rules: Ruleset, question: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a question of ``settle-tricks`` with what its players may have announced, so that its sums come of it.

    ``None`` where no hand holds such declarations.
    """
    sides = question.get("sides", ())
    if not any(side.keys() - {"belote"} for side in sides):
        return dict(question)
    rest = {key: value for key, value in question.items() if key != "sides"}
    belote = [{kind: points for kind, points in side.items() if kind == "belote"} for side in sides]
    told_too = {"sides": belote} if any(belote) else {}
    hands: list[list[str]] = [[] for _ in range(rules.players)]
    for trick in question["tricks"]:
        for step, card in enumerate(trick["cards"]):
            hands[(trick["leader"] + step) % rules.players].append(card)
    mode = mode_named(rules, question["trump"])
    for announced in product(*(_announcements(rules, set_named(hand), mode) for hand in hands)):
        found = {**rest, "announced": [[names_of(one.cards) for one in own] for own in announced], **told_too}
        if why_impossible(rules, "settle-tricks", found) is None and sides_told(rules, found) == list(sides):
            return found
    return None


def _announcements(rules: Ruleset, hand: CardSet, mode: Mode) -> Iterator[tuple[Declaration, ...]]:
    """Yield what a player may announce of whole runs and squares, more of them before less."""
    every = possible_sets(rules, hand, mode) if count_in(rules, mode) else []
    sizes = range(max(map(len, every), default=0), 0, -1)
    yield from dict.fromkeys(one for size in sizes for whole in every for one in combinations(whole, size))
    yield ()


def asked_in(state: PlayState) -> dict[str, Any]:
    """Return the question which cards may be played in a position."""
    held, lying = names_of(state.hands[state.turn]), [CARD_NAMES[card] for card in state.cards]
    return {"trump": state.mode.name, "hand": held, "trick": lying}


def following(plays: Plays, level: Iterable[PlayState]) -> dict[PlayState, tuple[PlayState, Card]]:
    """Return what follows some positions by any legal card, each with the first way to it: a position and a card."""
    after: dict[PlayState, tuple[PlayState, Card]] = {}
    for state in level:
        for card in plays.legal(state):
            after.setdefault(without_past(plays.after(state, card)), (state, card))
    return after


def without_past(state: PlayState) -> PlayState:
    """Return a position without the tricks that lie face down: they make no difference to what may be played."""
    return state._replace(tricks=()) if state.tricks else state


def positions_of(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[dict[str, Any]]:
    """Yield the question of each position in which a card of a deal was played; none in open piles, which tell less."""
    if rules.open_piles:
        return
    leader = play.tricks[0].leader if play.tricks else play.leader
    now = start_play(rules, play.mode, [hand & ~state.discarded for hand in state.hands], leader)
    for card in (*(card for trick in play.tricks for card in trick.cards), *play.cards):
        yield asked_in(now)
        now = force_card(rules, now, card)
