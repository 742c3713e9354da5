"""Choosing deals for card perft: few, and such that every other duty, and every rung of each, changes a count."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from belot_conformance.mistakes.killing import load_matrix
from belot_conformance.mistakes.mutations import compile_mutant
from belot_conformance.perft import Counting, Last, PerftDeal, why_no_kernel
from belot_conformance.questions.cards import rich_hands
from belot_conformance.questions.deals import RecordedDeal, random_deal
from belot_reference.bidding import start_bidding
from belot_reference.cards import holds, names_of
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.mode import Mode
from belot_reference.perft import count_bids
from belot_reference.questions import suit_named
from belot_spec.card_names import CARD_NAMES
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec

DEALS: Final = 8
DEPTH: Final = 12
BIDS: Final = 8
_LASTS: Final = (4, 5)
_CANDIDATES: Final = 24
# So many deals at least at no trumps, and at all trumps, where these are played.
_OF_OTHER_MODES: Final = 2
_LONG_SUITS: Final = 0.6
# Most mutants change a count within the first two tricks; what does not is looked for further on.
_SHALLOW: Final = 5
_PLAYED: Final = ("play.lead", "play.follow.", "play.void.", "play.trump-led.", "play.all-trumps.", "play.trick-winner")
_ORDERS: Final = ("deck.trump-order", "deck.plain-order", "declarations.belote.order")


@dataclass(slots=True)
class _Chosen:
    deal: PerftDeal
    tells: set[str]


def perft_profiles(spec: Spec) -> list[str]:
    """Return every variant, and those of its options that change what may be played."""
    found = []
    for variant in spec.playable():
        found.append(variant)
        for option, one in spec.options_of(variant).items():
            if any(_matters(rule) for rule in one.settings):
                found.append(ProfileName.of(variant, option))
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
        "bidding": [_bidding(rules)],
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
    wanted = [mode for mode in rules.modes if mode.kind != "suit" for _ in range(_OF_OTHER_MODES)]
    for number in range(_CANDIDATES):
        if not left and len(found) >= DEALS:
            break
        deal = _drawn(rules, random) if number >= len(wanted) else _with_long_suits(rules, random, wanted[number])
        if deal is not None:
            looked = _Looked(rules, deal, deep=number < DEALS)
            tells = {one for one in sorted(left) if looked.tells(changed[one])}
            found.append(_Chosen(deal, tells))
            left -= tells
    kept, others = found[: len(wanted)], found[len(wanted) :]
    chosen = [*kept, *sorted(others, key=lambda one: -len(one.tells))][:DEALS]
    missed = set().union(*(one.tells for one in found)) - set().union(*(one.tells for one in chosen))
    for one in chosen:
        looked = _Looked(rules, one.deal, deep=True)
        one.tells |= {mutant for mutant in sorted(missed) if looked.tells(changed[mutant])}
        missed -= one.tells
    return chosen


class _Looked:
    """A deal with the first of its counts, and if one looks deep those of its last tricks."""

    def __init__(self, rules: Ruleset, deal: PerftDeal, *, deep: bool) -> None:
        self._deal = deal
        self._last = min(deal.lasts, key=lambda last: last.tricks, default=None) if deep else None
        self._depths = (3, _SHALLOW)
        plays, state = deal.start(rules)
        self._counts = [plays.count(state, depth) for depth in self._depths]
        self._ending = self._ended(rules)

    def tells(self, changed: Ruleset) -> bool:
        """Say whether a count is another by changed rules."""
        plays, state = self._deal.start(changed)
        pairs = zip(self._depths, self._counts, strict=True)
        return any(plays.count(state, depth) != count for depth, count in pairs) or self._ended(changed) != self._ending

    def _ended(self, rules: Ruleset) -> int:
        if self._last is None:
            return 0
        plays, state = self._deal.ending(rules, self._last)
        return plays.count(state, self._last.tricks * rules.players)


def _drawn(rules: Ruleset, random: Random) -> PerftDeal | None:
    """Return a deal with its last tricks: half of them as they fall, half with long suits, so that many are void."""
    if not rules.open_piles and random.random() < _LONG_SUITS:
        return _with_long_suits(rules, random)
    drawn = random_deal(rules, random)
    play = drawn.state.play
    if play is None or drawn.state.ended != "played":
        return None
    trump, leader = play.mode.name, play.tricks[0].leader
    if rules.open_piles:
        return PerftDeal("", trump, leader, piles=_piles(drawn))
    deal = PerftDeal("", trump, leader, [names_of(hand & ~drawn.state.discarded) for hand in drawn.state.hands])
    return replace(deal, lasts=_lasts(rules, deal, random))


def _with_long_suits(rules: Ruleset, random: Random, mode: Mode | None = None) -> PerftDeal:
    """Return a deal with long suits, in a mode or in any."""
    hands = [names_of(hand) for hand in rich_hands(rules, random)]
    deal = PerftDeal("", (mode or random.choice(rules.modes)).name, random.randrange(rules.players), hands)
    return replace(deal, lasts=_lasts(rules, deal, random))


def _piles(drawn: RecordedDeal) -> list[list[list[str]]]:
    return [
        [[CARD_NAMES[top], CARD_NAMES[under]] for top, under in drawn.state.covered.items() if holds(hand, top)]
        for hand in drawn.state.hands
    ]


def _lasts(rules: Ruleset, deal: PerftDeal, random: Random) -> list[Last]:
    """Play a deal at random, and return what is left of it when four and five tricks are."""
    plays, state = deal.start(rules)
    found = []
    while cards := plays.legal(state):
        left = state.hands[state.turn].bit_count()
        if not state.cards and left in _LASTS:
            found.append(Last(left, state.turn, [names_of(hand) for hand in state.hands], 0))
        state = plays.after(state, random.choice(cards))
    return found


def _deal_json(rules: Ruleset, deal: PerftDeal, name: str) -> dict[str, Any]:
    counts = Counting(rules, deal, kernel=why_no_kernel(rules) is None).counts(DEPTH)
    held = {"piles": deal.piles} if deal.piles else {"hands": deal.hands}
    found: dict[str, Any] = {"name": name, "trump": deal.trump, "leader": deal.leader, **held, "counts": counts}
    lasts = []
    for last in deal.lasts:
        counting, ending = deal.ending(rules, last)
        count = counting.count(ending, last.tricks * rules.players)
        lasts.append({"tricks": last.tricks, "leader": last.leader, "hands": last.hands, "count": count})
    return {**found, "lasts": lasts} if lasts else found


def _bidding(rules: Ruleset) -> dict[str, Any]:
    turned = {} if rules.value("deal.turn-up") == "none" else {"turn_up": "S"}
    bidding = start_bidding(rules, 0, suit_named(turned["turn_up"]) if turned else None)
    return {**turned, "counts": [count_bids(rules, bidding, depth) for depth in range(1, BIDS + 1)]}
