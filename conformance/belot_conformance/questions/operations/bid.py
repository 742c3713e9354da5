"""What is asked about the bidding."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from belot_conformance.questions.cards import named, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.operation import Fields, Json, Operation, texts_sorted
from belot_conformance.questions.relabelling import calls
from belot_reference.bidding import bid, bid_choices, may_speak_out_of_turn, start_bidding
from belot_reference.bids import DOUBLE, RAISES, Bid, bid_name
from belot_reference.compile import Ruleset
from belot_reference.errors import Refusal
from belot_spec.card_names import CARD_NAMES, SUITS

# How many bids are passes and no more than one suit, and how often a deal's own bids are asked about.
_PASSES: Final = 0.5
_RECORDED: Final = 0.3
# Bids over bids: how many at most, and how often one that may not be said.
_LONGEST: Final = 14
_MISSAID: Final = 0.05
_OUT_OF_TURN: Final = 0.1
# Numbers: how many of the lowest bids are taken most often, and how often any.
_LOW_BIDS: Final = 13
_ANY_AMOUNT: Final = 0.2


def _bids(rules: Ruleset, random: Random) -> Fields:
    turned = {} if rules.value("deal.turn-up") == "none" else {"turn_up": named(some_cards(rules.deck, 1, random))[0]}
    if not rules.has_auction and random.random() < _PASSES:
        bids = ["pass"] * random.randrange(3 * rules.players)
        bids += random.choice(([], [random.choice(calls(rules))]))
    else:
        bids = _said(rules, random)
    dealer = random.randrange(rules.players)
    return {"dealer": dealer, **turned, "bids": _seated(rules, bids, dealer)}


def _seated(rules: Ruleset, said: Sequence[Any], dealer: int) -> list[Any]:
    """Return what is said after a dealer, given it after seat 0."""
    return [one if isinstance(one, str) else {**one, "seat": (one["seat"] + dealer) % rules.players} for one in said]


def _said(rules: Ruleset, random: Random) -> list[Any]:
    if rules.has_auction:
        return _climbing(rules, random)
    return [random.choice(("pass", "pass", "pass", *SUITS)) for _ in range(random.randrange(2 * rules.players + 2))]


def _climbing(rules: Ruleset, random: Random) -> list[Any]:
    """Return bids that most often may be said, with passes and doubles between them; now and then one that may not.

    Where players may double out of turn some do, who may or not.
    """
    bidding, said = start_bidding(rules, 0, None), list[Any]()
    for _ in range(random.randrange(_LONGEST)):
        choices = bid_choices(rules, bidding)
        if not choices or random.random() < _MISSAID:
            return [*said, random.choice(("pass", *calls(rules)))]
        if may_speak_out_of_turn(rules) and random.random() < _OUT_OF_TURN:
            others = [seat for seat in range(rules.players) if seat != bidding.turn]
            may = [seat for seat in others if DOUBLE in rules.auction.spoken_by(bidding.node, seat).choices]
            if not may and random.random() > _MISSAID:
                continue
            seat = random.choice(may or others)
            said.append({"seat": seat, "bid": bid_name(DOUBLE)})
            try:
                bidding = bid(rules, bidding, DOUBLE, seat)
            except Refusal:
                return said
            continue
        raises = [choice for choice in choices if choice in RAISES]
        named = random.choice(choices) if not rules.has_amounts else _low_or_any(choices, random)
        choice = random.choice((None, None, named, *raises)) if None in choices else named
        said.append(bid_name(choice))
        bidding = bid(rules, bidding, choice)
    return said


def _low_or_any(choices: Sequence[Bid], random: Random) -> Bid:
    """Return any choice, most often one of the lowest, so that others can still bid over it."""
    return random.choice(choices if random.random() < _ANY_AMOUNT else choices[:_LOW_BIDS])


def _bids_of(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    """Yield the beginning of a deal's bidding, or any bids after the same suit was turned."""
    turned = {} if deal.state.turn_up is None else {"turn_up": CARD_NAMES[deal.state.turn_up]}
    said, recorded = _said(rules, random), [action["bid"] for action in deal.question["actions"] if "bid" in action]
    said = _seated(rules, said, deal.question["dealer"])
    bids = recorded[: random.randrange(len(recorded) + 1)] if random.random() < _RECORDED else said
    yield {"dealer": deal.question["dealer"], **turned, "bids": bids}


BIDDING: Final = Operation(
    "bidding",
    rank=6,
    contrive=_bids,
    from_deal=_bids_of,
    each=4,
    slower=1,
    in_order={"choices": texts_sorted},
)
