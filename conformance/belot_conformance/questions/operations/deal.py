"""What is asked about a whole deal: how it is dealt, how it goes, and whether somebody broke a rule."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from belot_conformance.questions.cards import Turns, declared_by_lot, named, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.dealt import positions_of, settling_of
from belot_conformance.questions.operation import Fields, Json, Operation, Question, Seldom, each_sorted
from belot_conformance.questions.operations.declare import compared_in
from belot_conformance.questions.operations.settle import of_tricks
from belot_conformance.questions.retelling import (
    announced_too,
    claimed,
    looked_back,
    said_elsewhere,
    shown_later,
    spoiled,
    told_late,
)
from belot_conformance.questions.varying import varied
from belot_reference.action import action_of
from belot_reference.cards import Card, card_set, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState, open_deal
from belot_reference.play import PlayState
from belot_reference.possible import why_impossible
from belot_reference.replay import apply_all
from belot_spec.errors import BelotError

# How often a cut and shuffles are told, and the last card that an accuser knows of is any that was held.
_CUT: Final = 0.8
_SHUFFLED: Final = 0.7
_MOST_SHUFFLES: Final = 7
_REVOKED: Final = 0.7


def _shuffled(rules: Ruleset, random: Random) -> Fields:
    deck = named(some_cards(rules.deck, rules.deck.bit_count(), random))
    return _dealing(rules, {"dealer": random.randrange(rules.players), "deck": deck}, random)


def _limits(rules: Ruleset) -> Iterator[dict[str, int]]:
    """Yield cuts that leave just few enough cards in a packet, one less and one more, and as many shuffles likewise."""
    cards, least = rules.deck.bit_count(), rules.value("deal.cut-minimum")
    yield from ({"cut": cut} for few in (least - 1, least, least + 1) for cut in (few, cards - few))
    passes = rules.value_or("deal.shuffle-passes", None)
    most = passes if isinstance(passes, int) else 0
    yield from ({"cut": cards // 2, "shuffles": most + more} for more in (-1, 0, 1) if most + more >= 0)


def _at_the_limits(rules: Ruleset) -> Callable[[Random], Fields]:
    """Cut and shuffle as little or as much as may be, or once more or less, in turn."""
    limits = Turns(_limits(rules))
    return lambda random: {**_shuffled(rules, random), **limits.next(random)}


def _dealt_in(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    yield _dealing(rules, deal.question, random)


def _dealing(rules: Ruleset, question: Json, random: Random) -> Fields:
    """Return how a deck is dealt, sometimes with no cut or a bad one, or with too few or too many shuffles."""
    asked = {key: question[key] for key in ("dealer", "deck")}
    asked["taker"] = random.randrange(rules.players)
    if random.random() < _CUT:
        asked["cut"] = random.randrange(rules.deck.bit_count() + 1)
    if random.random() < _SHUFFLED:
        asked["shuffles"] = random.randrange(_MOST_SHUFFLES)
    return asked


def _accused_in(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    """Yield an accusation after some cards of a deal that was played out; who laid cards away is not accused."""
    play = deal.state.play
    if play is None or rules.open_piles or deal.state.discarded or deal.state.ended != "played":
        return
    cards = [card for trick in play.tricks for card in trick.cards]
    known = cards[: random.randrange(1, len(cards) + 1)]
    if random.random() < _REVOKED:
        known = _revoked(rules, known, play, deal, random)
    accuser, accused = random.sample(range(rules.players), 2)
    declared = declared_by_lot(rules, random)
    yield {
        "trump": play.mode.name,
        "leader": play.tricks[0].leader,
        "hands": [names_of(hand) for hand in deal.state.hands],
        "plays": named(known),
        "accuser": accuser,
        "accused": accused,
        **({"declared": declared} if declared else {}),
    }


def _revoked(rules: Ruleset, cards: Sequence[Card], play: PlayState, deal: RecordedDeal, random: Random) -> list[Card]:
    """Return the cards played up to some point, the last one being any card that its player still held."""
    place = random.randrange(len(cards))
    trick, position = divmod(place, rules.players)
    player = (play.tricks[trick].leader + position) % rules.players
    held = deal.state.hands[player] & ~card_set(cards[:place])
    return [*cards[:place], random.choice(list(cards_in(held)))]


def _told_in(rules: Ruleset, deal: RecordedDeal, random: Random, _share: float) -> Iterator[Json]:
    """Yield a deal as it was recorded, spoiled, and told otherwise in every way that can make a difference."""
    question = deal.question
    yield question
    yield spoiled(rules, question, random)
    yield announced_too(rules, deal, random)
    yield looked_back(rules, question, random)
    yield said_elsewhere(rules, question, random)
    yield claimed(rules, question, random)
    if any("show" in action for action in question["actions"]):
        yield shown_later(rules, question, random)


def _last_card_played(_: Ruleset, question: Json, random: Random) -> Fields:
    """Have the last card known be another one of the hand that played it."""
    plays = list(question["plays"])
    hand = next((hand for hand in question["hands"] if plays[-1] in hand), ())
    left = [card for card in hand if card not in plays]
    if left:
        plays[-1] = random.choice(left)
    return {**question, "plays": plays}


def _shorter_plays(_: Ruleset, question: Json, random: Random) -> Fields:
    return {**question, "plays": question["plays"][: random.randrange(len(question["plays"])) + 1]}


def _of_deal(rules: Ruleset, question: Json) -> Iterator[Question]:
    try:
        state = apply_all(rules, open_deal(rules, question), [action_of(action) for action in question["actions"]])
    except (BelotError, KeyError):
        return
    held = ({"hand": names_of(hand)} for hand in state.hands)
    yield from (Question("declarations", one) for one in held if why_impossible(rules, "declarations", one) is None)
    if state.play is not None:
        yield from _of_play(rules, state, state.play)


def _of_play(rules: Ruleset, state: DealState, play: PlayState) -> Iterator[Question]:
    if any(state.announced):
        yield Question("compare-declarations", compared_in(state, play))
    yield from (Question("legal-cards", position) for position in positions_of(rules, state, play))
    if state.ended == "played":
        settling = settling_of(rules, state)
        yield Question("settle-tricks", settling)
        yield from of_tricks(rules, settling)


DEAL: Final = Operation(
    "deal",
    rank=11,
    contrive=_shuffled,
    seldom=Seldom(0.7, _at_the_limits),
    from_deal=_dealt_in,
    each=3,
    in_order={"before": each_sorted, "untouched": each_sorted, "hands": each_sorted},
    is_long=True,
)
PENALTY: Final = Operation(
    "penalty",
    rank=10,
    from_deal=_accused_in,
    vary=(_last_card_played, _shorter_plays, varied, varied),
    is_long=True,
)
REPLAY: Final = Operation(
    "replay",
    rank=13,
    from_deal=_told_in,
    vary=(spoiled, spoiled, said_elsewhere, shown_later, told_late, claimed),
    parts=_of_deal,
    is_recording=True,
    is_long=True,
)
