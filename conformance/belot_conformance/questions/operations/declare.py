"""What is asked about declarations and belote: what a hand holds, which counts, and who says it when."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from random import Random
from typing import Any, Final

from belot_conformance.questions.cards import Turns, named, rich_hands, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.operation import (
    MISSING,
    Fields,
    Json,
    Operation,
    Question,
    Seldom,
    each_sorted,
)
from belot_conformance.questions.rivals import Rivals, random_run, taker_told
from belot_reference.cards import EVERY_SUIT, ONLY, card_at, card_set, cards_in, names_of, rank_of
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState
from belot_reference.declarations import count_in, four_of, possible_sets, worth_hangs_on_mode
from belot_reference.play import PlayState
from belot_reference.possible import largest_hand
from belot_reference.questions import hands_named, mode_named
from belot_spec.card_names import RANKS, SUITS

_LENGTHS: Final = range(3, len(RANKS) + 1)
# How often sequence and square share a card, a player leaves out some of what he may announce, and belote is said with
# a card of the pair, or with another.
_SHARED: Final = 0.7
_LESS: Final = 0.5
_SAID: Final = (0.03, 0.7)
# How often it is told in which suit the trick was led that a card is played to.
_LED: Final = 0.2


def _rich_hand(rules: Ruleset, random: Random) -> Fields:
    return {"hand": names_of(rich_hands(rules, random)[0]), **_mode_told(rules, random)}


def _mode_told(rules: Ruleset, random: Random) -> Fields:
    """Return what is trump where what squares are worth hangs on it."""
    if not worth_hangs_on_mode(rules):
        return {}
    return {"trump": random.choice([mode.name for mode in rules.playable_modes])}


def _hands_of(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    yield from ({"hand": names_of(hand), **_mode_told(rules, random)} for hand in deal.state.hands)


def _crossings(rules: Ruleset) -> Callable[[Random], Fields]:
    """Have a sequence of every length cross a square of every rank in turn."""
    kinds = Turns(product(_LENGTHS, range(len(RANKS))))
    return lambda random: _crossing(rules, kinds.next(random), random)


def _crossing(rules: Ruleset, kinds: tuple[int, int], random: Random) -> Fields:
    """Return a hand with a sequence of a length and a square of a rank, which often share a card."""
    (length, rank), size = kinds, largest_hand(rules)
    run = random_run(rules, length, random)
    if run and random.random() < _SHARED:
        rank = rank_of(random.choice(list(cards_in(run))))
    square = four_of(rank) & rules.deck
    held = list(cards_in(run | square))
    others = some_cards(rules.deck & ~(run | square), max(0, size - len(held)), random)
    return {"hand": named([*held, *others][:size]), **_mode_told(rules, random)}


def _hands(rules: Ruleset, random: Random) -> Fields:
    return {
        "trump": random.choice(SUITS),
        "leader": random.randrange(rules.players),
        "hands": [names_of(hand) for hand in rich_hands(rules, random)],
        **taker_told(rules, random),
    }


def _rivalry(rules: Ruleset, random: Random) -> Fields:
    """Return what the players announce: one of their largest sets, or only some of it."""
    trump, announced = random.choice(SUITS), []
    for hand in rich_hands(rules, random):
        found = list(random.choice(possible_sets(rules, hand) or [()]))
        if found and random.random() < _LESS:
            found = random.sample(found, random.randrange(len(found) + 1))
        announced.append([names_of(one.cards) for one in found])
    leader, taker = random.randrange(rules.players), random.randrange(rules.players)
    return {"trump": trump, "leader": leader, "announced": announced, "taker": taker}


def compared_in(state: DealState, play: PlayState) -> Fields:
    """Return the question whose declarations count in a deal that was played."""
    leader = play.tricks[0].leader if play.tricks else play.leader
    taker = {} if state.bidding.taker is None else {"taker": state.bidding.taker}
    announced = [[names_of(one.cards) for one in declarations] for declarations in state.announced]
    return {"trump": play.mode.name, "leader": leader, "announced": announced, **taker}


def _announced_in(_: Ruleset, deal: RecordedDeal, _random: Random, _share: float) -> Iterator[Json]:
    if deal.state.play is not None and deal.state.play.tricks:
        yield compared_in(deal.state, deal.state.play)


def _belote_plays(rules: Ruleset, random: Random) -> Fields:
    """Return the cards that somebody plays who often holds king and queen of trump, and when he says belote."""
    trump = random.choice(EVERY_SUIT)
    royal = [card_at(RANKS.index(rank), trump) for rank in ("K", "Q")][: random.choice((1, 2, 2, 2))]
    royal = [card for card in royal if ONLY[card] & rules.deck]
    others = some_cards(rules.deck & ~card_set(royal), rules.hand_size - len(royal), random)
    plays = random.sample([*royal, *others], random.randrange(1, rules.hand_size + 1))
    calls = [random.random() < _SAID[card in royal] for card in plays]
    told = [{"card": card, **({"call": True} if call else {})} for card, call in zip(named(plays), calls, strict=True)]
    if rules.has_auction:
        told = [{**one, **({"led": random.choice(SUITS)} if random.random() < _LED else {})} for one in told]
    return {"trump": SUITS[trump], "hand": named((*royal, *others)), "plays": told}


def _of_hands(rules: Ruleset, question: Json) -> Iterator[Question]:
    announced = []
    for hand in hands_named(rules, question["hands"]):
        if hand.bit_count() == largest_hand(rules):
            yield Question("declarations", {"hand": names_of(hand)})
        announced.append([names_of(one.cards) for one in next(iter(possible_sets(rules, hand)), ())])
    rest = {key: value for key, value in question.items() if key != "hands"}
    if count_in(rules, mode_named(rules, question["trump"])):
        yield Question("compare-declarations", {**rest, "announced": announced})


def _sets_sorted(value: Any) -> Any:
    """Put sets of declarations in a fixed order: the sets, the declarations in a set, the cards in a declaration."""
    return sorted((_set_sorted(item) for item in value), key=repr) if isinstance(value, list) else value


def _set_sorted(value: Any) -> Any:
    if not isinstance(value, Mapping) or not isinstance(value.get("declarations"), list):
        return value
    declarations = sorted(each_sorted(value["declarations"]), key=repr)
    return {"declarations": declarations, "points": value.get("points", MISSING)}


DECLARATIONS: Final = Operation(
    "declarations",
    rank=3,
    contrive=_rich_hand,
    seldom=Seldom(0.5, _crossings),
    from_deal=_hands_of,
    each=4,
    slower=4,
    in_order={"sets": _sets_sorted},
)
COMPARE_DECLARATIONS: Final = Operation(
    "compare-declarations",
    rank=4,
    contrive=_rivalry,
    seldom=Seldom(0.8, lambda rules: Rivals(rules).question),
    from_deal=_announced_in,
    each=16,
    slower=6,
)
COMPARE_HANDS: Final = Operation(
    "compare-hands",
    rank=8,
    contrive=_hands,
    parts=_of_hands,
    is_long=True,
)
BELOTE: Final = Operation(
    "belote",
    rank=5,
    contrive=_belote_plays,
    each=3,
    slower=1,
)
