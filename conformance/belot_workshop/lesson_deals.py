"""Choosing the deals from which a variant is taught: among random ones of sensible players, those that teach best."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from belot_conformance.logs.played import PlayedDeal, tell
from belot_reference.action import bid_action
from belot_reference.bids import mode_of_bid
from belot_reference.cards import ONLY, SUIT_CARDS, CardSet, suit_of
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState, open_deal
from belot_reference.replay import shuffled
from belot_reference.simulated import PLAYERS, worth_of
from belot_reference.turn import apply_action
from belot_spec.errors import BelotError

# Of how many random deals the best is chosen, and by how little it may be won.
_DEALS: Final = 2500
_CLOSE: Final = 24
# With so much anybody would take, where such a deal is natural as well.
_GOOD: Final = 60


class LessonError(BelotError):
    """A variant has no lesson, or no deals that could teach it."""


class Choice(NamedTuple):
    """A bid in a suit, the cards that somebody sees for it, and what they are worth with that trump."""

    worth: int
    bid: int
    cards: CardSet


def best_lesson(rules: Ruleset, deals: int = _DEALS) -> dict[str, dict[str, Any]]:
    """Return the deals that teach a game best by name, of so many random ones, as inputs of ``replay``.

    The dealer sits last. One is made and one falls; of a game with bids over one another the one that falls is doubled.
    Between them comes one at no trumps and one at all trumps, where there are such contracts and somebody makes one.
    Raises ``LessonError`` if none of them is natural.
    """
    others = {mode.kind: None for mode in rules.playable_modes if mode.kind != "suit"}
    kinds = ("made", *others, "doubled" if rules.has_auction else "fell")
    found: dict[str, list[tuple[Any, int, dict[str, Any]]]] = {kind: [] for kind in kinds}
    for seed in range(deals):
        opening = _opening(rules, f"lesson {rules.profile.id} {seed}")
        state, actions = _played_on(rules, open_deal(rules, opening), seed)
        if state.ended != "played":
            continue
        question = {**opening, "actions": actions}
        deal = tell(rules, seed, question)
        for kind, own in found.items():
            if _KINDS[kind](deal):
                own.append((_weight(deal), seed, question))
    if not all(own for kind, own in found.items() if kind not in others):
        raise LessonError(f"{rules.profile.id}: none of {deals} deals is natural")
    return {kind: min(own, key=lambda one: one[:2])[2] for kind, own in found.items() if own}


def taken_with(deal: PlayedDeal) -> Choice:
    """Return the bid that the taker of a deal took with, the cards as he saw them then, and their worth."""
    rules, state, mode = deal.rules, open_deal(deal.rules, deal.question), deal.contract.mode
    named = [bid.said is not None and mode_of_bid(bid.said) == mode.number for bid in deal.bids]
    taken = max(place for place, is_named in enumerate(named) if is_named)
    for bid in deal.bids[:taken]:
        state = apply_action(rules, state, bid_action(bid.seat, bid.said))
    hand = _seen(rules, state)
    return Choice(worth_of(rules, hand, mode), deal.bids[taken].said or 0, hand)


def _seen(rules: Ruleset, state: DealState) -> CardSet:
    """Return the cards that the next to speak would take with: his own, and the turn-up if the taker gets it."""
    hand = state.held[state.bidding.turn]
    if state.turn_up is not None and rules.value("deal.turn-up") == "to-taker":
        return hand | ONLY[state.turn_up]
    return hand


def is_natural(deal: PlayedDeal) -> bool:
    """Say whether a deal is ordinary: one declaration if any are played, belote or roem, and everybody has a trick."""
    declaring = deal.rules.value("declarations.played") == "all"
    earned = deal.count.trick_roem if deal.rules.has_roem else deal.count.of_sides("belote")
    return _announced(deal) == declaring and any(earned) and _ends(deal, "made")


def must_go_over(deal: PlayedDeal) -> bool:
    """Say whether all trumps are made by the cards alone, and somebody has to play over what lies in its own suit."""
    led = ((suit_of(trick.plays[0].card), play) for trick in deal.tricks for play in trick.plays[1:])
    bound = (play for suit, play in led if play.hand & ~play.legal & SUIT_CARDS[suit])
    is_plain = _announced(deal) == 0 and _ends(deal, "made", kind="all-trumps")
    return is_plain and any(play.legal.bit_count() > 1 for play in bound)


def is_without_trumps(deal: PlayedDeal) -> bool:
    """Say whether no trumps are made by a side."""
    return _ends(deal, "made", kind="no-trumps")


def is_doubled_fall(deal: PlayedDeal) -> bool:
    """Say whether a doubled contract in a suit falls: at most one declaration, and tricks on every side."""
    return _announced(deal) <= 1 and _ends(deal, "fell", raised=2)


def is_plain_fall(deal: PlayedDeal) -> bool:
    """Say whether a taker falls by the cards alone: no declaration, and tricks on every side."""
    return _announced(deal) == 0 and _ends(deal, "fell")


_KINDS: Final[Mapping[str, Callable[[PlayedDeal], bool]]] = {
    "made": is_natural, "doubled": is_doubled_fall, "fell": is_plain_fall, "all-trumps": must_go_over,
    "no-trumps": is_without_trumps,
}  # fmt: skip


def _ends(deal: PlayedDeal, outcome: str, raised: int = 1, kind: str = "suit") -> bool:
    """Say whether every side wins a trick in a deal of a kind, nothing is held, and it ends so."""
    settled, contract = deal.count.settlement, deal.contract
    winning = {deal.rules.side_of[trick.winner] for trick in deal.tricks}
    played_so = contract.mode.kind == kind and contract.raised == raised and len(winning) == deal.rules.side_count
    return played_so and settled.outcome == outcome and not settled.held


def _announced(deal: PlayedDeal) -> int:
    before = sum(len(one.declarations) for one in deal.announcements)
    return before + sum(len(play.announced) + len(play.made) for trick in deal.tricks for play in trick.plays)


def _opening(rules: Ruleset, name: str) -> dict[str, Any]:
    return {"dealer": rules.players - 1, **shuffled(rules, Random(name))}


def _played_on(rules: Ruleset, state: DealState, seed: int) -> tuple[DealState, list[dict[str, Any]]]:
    """Return the end of a deal that sensible players play on, and what they do until then."""
    actions = []
    while state.ended is None:
        action = PLAYERS["sensible"].action(rules, state, seed, claims=False)
        actions.append(action.to_json())
        state = apply_action(rules, state, action)
    return state, actions


def margin(deal: PlayedDeal) -> int:
    """Return by how many points the taker makes a deal, more than the others and than he bid; below zero he falls."""
    counted, side = deal.count.settlement.counted, deal.rules.side_of[deal.contract.taker]
    lead = 2 * counted[side] - sum(counted)
    if deal.rules.value("scoring.contract-needs") != "bid-and-more" or deal.contract.bid is None:
        return lead
    return min(lead, counted[side] - deal.contract.bid)


def _weight(deal: PlayedDeal) -> tuple[bool, bool, bool, int, int]:
    """Return how far a deal is from the best lesson: close, a good hand, some bidding, many rules that bind."""
    lead = abs(margin(deal))
    rules = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
    poor = taken_with(deal).worth < _GOOD
    return lead > _CLOSE, poor, len(deal.bids) == 1, -len(rules), lead
