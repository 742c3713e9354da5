"""Choosing deals for card perft: few, and such that every other duty, and every rung of each, changes a count."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from belot_conformance.diagnosis.matrix import load_matrix
from belot_conformance.diagnosis.mutations import compile_mutant
from belot_conformance.perft.deals import Deal, Last
from belot_conformance.recording.deals import RecordedDeal, random_deal
from belot_reference.bidding import start_bidding
from belot_reference.cards import holds, names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.perft import count_bids
from belot_reference.questions import suit_named
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.spec import Spec

DEALS: Final = 8
DEPTH: Final = 12
BIDS: Final = 8
_LASTS: Final = (4, 5)
_CANDIDATES: Final = 40
# Most mutants change a count within the first two tricks; what does not is looked for further on.
_SHALLOW: Final = 5
_PLAYED: Final = ("play.lead", "play.follow.", "play.void.", "play.trump-led.", "play.trick-winner")
_ORDERS: Final = ("deck.trump-order", "deck.plain-order", "declarations.belote.order")


@dataclass(slots=True)
class _Chosen:
    deal: Deal
    tells: set[str]


def perft_profiles(spec: Spec) -> list[str]:
    """Return every variant, and those of its options that change what may be played."""
    found = []
    for variant in spec.playable():
        found.append(variant)
        for option, one in spec.options_of(variant).items():
            if any(_matters(rule) for rule in one.settings):
                found.append(f"{variant}+{option}")
    return found


def _matters(rule: str) -> bool:
    return rule.startswith(_PLAYED) or rule in _ORDERS


def perft_json(name: str, spec: Spec) -> dict[str, Any]:
    """Return the deals of a profile with their counts, as they are published."""
    rules = compile_profile(spec.profile(name))
    mutants = [row.mutant for row in load_matrix().of_profile(name) if row.killed_by and _matters(row.mutant.rule)]
    changed = {mutant.id: compile_mutant(mutant, rules.profile, spec) for mutant in mutants}
    chosen = _choose(name, rules, changed)
    told = set().union(*(one.tells for one in chosen))
    unseen = [f"{one.rule}: {one.change}" for one in mutants if one.id not in told]
    return {
        "profile": name,
        "mutants": {"told": len(told), "unseen": sorted(unseen)},
        "deals": [_deal_json(rules, one.deal, f"{name}-{number}") for number, one in enumerate(chosen, start=1)],
        "bidding": list(_bidding(rules)),
    }


def perft_text(data: Mapping[str, Any]) -> str:
    """Return the deals of a profile as the text of their file, one deal a line."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace('{"name"', '\n{"name"').replace('],"bidding"', '\n],"bidding"') + "\n"


def _choose(name: str, rules: Ruleset, changed: Mapping[str, Ruleset]) -> list[_Chosen]:
    """Return so many deals that tell every mutant there is, if any do."""
    random = Random(f"perft {name}")
    left = set(changed)
    found: list[_Chosen] = []
    for number in range(_CANDIDATES):
        if not left and len(found) >= DEALS:
            break
        deal = _drawn(rules, random)
        if deal is None:
            continue
        tells = {one for one in left if _tells(rules, changed[one], deal)}
        if tells or (not left and len(found) < DEALS) or number > _CANDIDATES - DEALS:
            found.append(_Chosen(deal, tells))
            left -= tells
    return _fewest(rules, found, changed)


def _fewest(rules: Ruleset, found: list[_Chosen], changed: Mapping[str, Ruleset]) -> list[_Chosen]:
    """Return the deals that together tell all that those found tell, as few as a greedy choice needs."""
    if len(found) <= DEALS:
        return found
    seen = set().union(*(one.tells for one in found))
    for one in found:
        one.tells = {mutant for mutant in seen if _tells(rules, changed[mutant], one.deal)}
    chosen: list[_Chosen] = []
    while len(chosen) < DEALS:
        told = set().union(*(one.tells for one in chosen)) if chosen else set()
        best = max((one for one in found if one not in chosen), key=lambda one: len(one.tells - told))
        chosen.append(best)
    return chosen


def _drawn(rules: Ruleset, random: Random) -> Deal | None:
    """Return a random deal that was played out, with its last tricks."""
    drawn = random_deal(rules, random)
    play = drawn.state.play
    if play is None or drawn.state.ended != "played":
        return None
    piles: Sequence[Any] = ()
    if rules.open_piles:
        hands: list[Any] = []
        piles = _piles(drawn)
    else:
        hands = [names_of(hand & ~drawn.state.discarded) for hand in drawn.state.hands]
    deal = Deal("", SUITS[play.trump], play.tricks[0].leader, hands, piles, (), ())
    return deal if rules.open_piles else Deal("", deal.trump, deal.leader, hands, (), (), _lasts(rules, deal, drawn))


def _piles(drawn: RecordedDeal) -> list[list[list[str]]]:
    return [
        [[CARD_NAMES[top], CARD_NAMES[under]] for top, under in drawn.state.covered.items() if holds(hand, top)]
        for hand in drawn.state.hands
    ]


def _lasts(rules: Ruleset, deal: Deal, drawn: RecordedDeal) -> list[Last]:
    assert drawn.state.play is not None
    tricks = drawn.state.play.tricks
    plays, state = deal.start(rules)
    found = []
    for place, trick in enumerate(tricks):
        if len(tricks) - place in _LASTS:
            found.append(Last(len(tricks) - place, state.turn, [names_of(hand) for hand in state.hands], 0))
        for card in trick.cards:
            state = plays.after(state, card)
    return found


def _tells(rules: Ruleset, changed: Ruleset, deal: Deal) -> bool:
    """Say whether a count of a deal is another by changed rules."""
    if _differs(deal.start(rules), deal.start(changed), _SHALLOW):
        return True
    shortest = min(deal.lasts, key=lambda last: last.tricks, default=None)
    if shortest is not None:
        return _differs(deal.ending(rules, shortest), deal.ending(changed, shortest), 4 * rules.players)
    return False


def _differs(one: Any, other: Any, depth: int) -> bool:
    return any(one[0].count(one[1], n) != other[0].count(other[1], n) for n in (3, depth))


def _deal_json(rules: Ruleset, deal: Deal, name: str) -> dict[str, Any]:
    plays, state = deal.start(rules)
    counts = [plays.count(state, depth) for depth in range(1, DEPTH + 1)]
    held = {"piles": deal.piles} if deal.piles else {"hands": deal.hands}
    found: dict[str, Any] = {"name": name, "trump": deal.trump, "leader": deal.leader, **held, "counts": counts}
    lasts = []
    for last in deal.lasts:
        counting, ending = deal.ending(rules, last)
        count = counting.count(ending, last.tricks * rules.players)
        lasts.append({"tricks": last.tricks, "leader": last.leader, "hands": last.hands, "count": count})
    return {**found, "lasts": lasts} if lasts else found


def _bidding(rules: Ruleset) -> Iterator[dict[str, Any]]:
    turned = [None] if rules.value("deal.turn-up") == "none" else ["S"]
    for suit in turned:
        bidding = start_bidding(rules, 0, None if suit is None else suit_named(suit))
        counts = [count_bids(rules, bidding, depth) for depth in range(1, BIDS + 1)]
        yield {**({} if suit is None else {"turn_up": suit}), "counts": counts}
