"""What is asked about the bidding."""

from collections.abc import Iterator
from random import Random
from typing import Final

from belot_conformance.questions.cards import named, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.operation import Fields, Json, Operation, refused, texts_sorted
from belot_conformance.questions.varying import seat
from belot_reference.compile import Ruleset
from belot_spec.card_names import CARD_NAMES, SUITS

# How many bids are passes and no more than one suit, and how often a deal's own bids are asked about.
_PASSES: Final = 0.5
_RECORDED: Final = 0.3


def _bids(rules: Ruleset, random: Random) -> Fields:
    turned = {} if rules.value("deal.turn-up") == "none" else {"turn_up": named(some_cards(rules.deck, 1, random))[0]}
    if random.random() < _PASSES:
        bids = ["pass"] * random.randrange(3 * rules.players)
        bids += random.choice(([], [random.choice(SUITS)]))
    else:
        bids = _said(rules, random)
    return {"dealer": random.randrange(rules.players), **turned, "bids": bids}


def _said(rules: Ruleset, random: Random) -> list[str]:
    return [random.choice(("pass", "pass", "pass", *SUITS)) for _ in range(random.randrange(2 * rules.players + 2))]


def _bids_of(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    """Yield the beginning of a deal's bidding, or any bids after the same suit was turned."""
    turned = {} if deal.state.turn_up is None else {"turn_up": CARD_NAMES[deal.state.turn_up]}
    said, recorded = _said(rules, random), [action["bid"] for action in deal.question["actions"] if "bid" in action]
    bids = recorded[: random.randrange(len(recorded) + 1)] if random.random() < _RECORDED else said
    yield {"dealer": deal.question["dealer"], **turned, "bids": bids}


def _bid(_: Ruleset, question: Json, random: Random) -> Fields:
    bids = list(question["bids"])
    match random.randrange(3):
        case 0:
            bids.append(random.choice(("pass", *SUITS)))
        case 1 if bids:
            bids.pop()
        case _ if bids:
            bids[random.randrange(len(bids))] = random.choice(("pass", *SUITS))
    return {**question, "bids": bids}


def _bidding_goes_on(rules: Ruleset, question: Json) -> Fields:
    turn = (question["dealer"] + 1 + len(question["bids"])) % rules.players
    return {"result": {"state": "open", "turn": turn, "choices": ["pass", *SUITS]}}


def _last_bid_stands(rules: Ruleset, question: Json) -> Fields:
    bids = question["bids"]
    if not bids or bids[-1] == "pass":
        return _bidding_goes_on(rules, question)
    taker = (question["dealer"] + len(bids)) % rules.players
    number = (len(bids) - 1) // rules.players + 1
    return {"result": {"state": "taken", "taker": taker, "trump": bids[-1], "round": number}}


BIDDING: Final = Operation(
    "bidding",
    rank=6,
    plain=_bidding_goes_on,
    accepting=_last_bid_stands,
    refusing=refused("suit-not-offered", "bids"),
    contrive=_bids,
    from_deal=_bids_of,
    vary=(_bid, _bid, seat("dealer")),
    each=4,
    slower=1,
    in_order={"choices": texts_sorted},
    turns_with_seats=True,
    is_of_suits=True,
)
