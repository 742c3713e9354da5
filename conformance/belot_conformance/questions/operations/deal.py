"""What is asked about a whole deal: how it is dealt, how it goes, and whether somebody broke a rule."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

from belot_conformance.questions.cards import Turns, declared_by_lot, named, some_cards
from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.dealt import positions_of, settling_of
from belot_conformance.questions.matches import late_totals, target_of
from belot_conformance.questions.operation import Fields, Json, Operation, Question, Seldom, each_sorted
from belot_conformance.questions.operations.declare import compared_in
from belot_conformance.questions.operations.settle import of_tricks
from belot_conformance.questions.relabelling import varied
from belot_reference.action import action_of
from belot_reference.belote import belote_points
from belot_reference.cards import Card, card_set, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.counting import taken_so_far
from belot_reference.deal import DealState, open_deal
from belot_reference.declarations import possible_sets
from belot_reference.play import PlayState
from belot_reference.possible import why_impossible
from belot_reference.replay import apply_all
from belot_reference.scoring import score_points
from belot_reference.turn import apply_action
from belot_spec.errors import BelotError

# Recorded deals told otherwise: something is said with another card, shown later, looked at again or claimed.

_SAID: Final = ("announce", "show", "belote", "made")
# How often something is done soon and not at any time, and announced with a card and not before the first.
_SOON: Final = 0.5
_WITH_A_CARD: Final = 0.6
# How often what was shown never is, and how often nobody shows in time.
_NEVER: Final = 0.3
_ALL: Final = 0.7
# A claim comes in one of the first tricks so often, with just the target or a point less or more.
_EARLY: Final = 0.5
_EARLY_TRICKS: Final = 3
_OVER: Final = (0, 0, -1, 1)
_WITHOUT_TRICK: Final = 0.8


def looked_back(rules: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return a recorded deal in which somebody asks to look at one of the first tricks again, and that soon stops."""
    actions = question["actions"]
    plays = [place for place, action in enumerate(actions) if "play" in action]
    # In most games only the last trick may be seen again, or the first until the third has begun.
    second = plays[rules.players : 2 * rules.players + 2]
    place = random.choice(second) if second and random.random() < _SOON else random.randrange(len(actions) + 1)
    look = {"seat": actions[place % len(actions)]["seat"], "look": random.choice((1, 1, 2, 3))}
    return {**question, "actions": [*actions[:place], look, *actions[place : place + rules.players]]}


def said_elsewhere(_: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return a recorded deal in which what somebody says or shows with a card comes with another of his cards."""
    actions = [dict(action) for action in question["actions"]]
    plays = [action for action in actions if "play" in action]
    said = [key for key in _SAID if any(key in action for action in plays)]
    if said:
        key = random.choice(said)
        action = random.choice([action for action in plays if key in action])
        others = [other for other in plays if other["seat"] == action["seat"] and other is not action]
        if others:
            random.choice(others)[key] = action.pop(key)
    return {**question, "actions": actions}


def announced_too(rules: Ruleset, deal: RecordedDeal, random: Random) -> dict[str, Any]:
    """Return a recorded deal in which somebody else announces what he holds, before the first card or with one of his.

    Where nobody may, or only sooner, that is refused; the deal as it was if nobody holds anything.
    """
    actions = [dict(action) for action in deal.question["actions"]]
    plays = [place for place, action in enumerate(actions) if "play" in action]
    told = {action["seat"] for action in actions if "announce" in action}
    held = {seat: possible_sets(rules, hand) for seat, hand in enumerate(deal.state.hands) if seat not in told}
    held = {seat: found for seat, found in held.items() if any(found)}
    if held and plays:
        seat = random.choice(list(held))
        announced = [names_of(one.cards) for one in random.choice([one for one in held[seat] if one])]
        own = [place for place in plays if actions[place]["seat"] == seat]
        cards = {card for one in announced for card in one}
        until = next((number for number, place in enumerate(own, 1) if actions[place]["play"] in cards), len(own))
        if until and random.random() < _WITH_A_CARD:
            actions[own[0 if random.random() < _SOON else random.randrange(until)]]["announce"] = announced
        else:
            actions.insert(plays[0], {"seat": seat, "announce": announced})
    return {**deal.question, "actions": actions}


def shown_later(_: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return a recorded deal in which some of those who show do so with their next card or never, often all of them."""
    actions = [dict(action) for action in question["actions"]]
    shows = [place for place, action in enumerate(actions) if "show" in action]
    for place in shows if random.random() < _ALL else random.sample(shows, len(shows) // 2):
        seat, shown = actions[place]["seat"], actions[place].pop("show")
        later = (action for action in actions[place + 1 :] if "play" in action and action["seat"] == seat)
        if random.random() >= _NEVER and (following := next(later, None)) is not None:
            following["show"] = shown
    return {**question, "actions": actions}


def claimed(rules: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return the beginning of a recorded deal and a claim, most often one that just holds or lacks a point.

    Most of those who claim have no trick, if anybody then has something but that.
    """
    actions = question["actions"]
    plays = [place for place, action in enumerate(actions) if "play" in action]
    most = min(len(plays), rules.players * _EARLY_TRICKS if random.random() < _EARLY else len(plays))
    told = actions[: plays[random.randrange(most)] + 1] if plays else actions
    seat, totals = random.randrange(rules.players), question.get("totals", [0] * rules.side_count)
    with suppress(BelotError):
        state = open_deal(rules, question)
        for action in told:
            state = apply_action(rules, state, action_of(action))
        if state.play is not None:
            seat = _claimant(rules, state, state.play, random)
            totals = _just_enough(rules, state, state.play, seat, random)
    return {**question, "totals": totals, "actions": [*told, {"seat": seat, "claim": True}]}


def _said(rules: Ruleset, state: DealState, seat: int) -> int:
    """Return the card points of what a player has announced, turned and said, whether it counts or not."""
    announced = sum(one.points for one in state.announced[seat])
    return announced + state.made[seat] + belote_points(rules, state.calls[seat])


def _claimant(rules: Ruleset, state: DealState, play: PlayState, random: Random) -> int:
    seats = range(rules.players)
    without = [seat for seat in seats if not _has_trick(rules, play, seat) and _said(rules, state, seat)]
    return random.choice(without if without and random.random() < _WITHOUT_TRICK else seats)


def _has_trick(rules: Ruleset, play: PlayState, seat: int) -> bool:
    return any(rules.side_of[trick.winner] == rules.side_of[seat] for trick in play.tricks)


def _just_enough(rules: Ruleset, state: DealState, play: PlayState, seat: int, random: Random) -> list[int]:
    """Return totals at which what a player's side has by now just brings it to the target, counted in one way or other.

    What a side without a trick has said counts in some games and not in others.
    """
    side, target = rules.side_of[seat], target_of(rules)
    taken = taken_so_far(rules, state, play, side)
    if not _has_trick(rules, play, seat) and random.random() < _WITHOUT_TRICK:
        partners = [other for other in range(rules.players) if rules.side_of[other] == side]
        taken = sum(_said(rules, state, other) for other in partners)
    totals = [random.randrange(target) for _ in range(rules.side_count)]
    totals[side] = max(0, min(target - 1, target - score_points(rules, taken) + random.choice(_OVER)))
    return totals


def spoiled(_: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return a recording in which one action is left out, told twice, elsewhere or by another card, or says more."""
    actions = [dict(action) for action in question["actions"]]
    place = random.randrange(len(actions))
    action = actions[place]
    match random.randrange(7):
        case 0:
            del actions[place]
        case 1:
            actions.insert(place, dict(action))
        case 6:
            actions.append(random.choice(actions))
        case 2:
            other = random.choice(actions)
            action.update({key: value for key, value in other.items() if key != "seat" and key in action})
        case 3 if "play" in action:
            action[random.choice(("belote", "show"))] = True
        case 4:
            action.pop(random.choice(("announce", "belote", "show", "made")), None)
        case _:
            told: tuple[dict[str, Any], ...] = ({"look": random.randrange(1, 5)}, {"claim": True})
            actions.insert(place, {"seat": action["seat"], **random.choice(told)})
    return {**question, "actions": actions}


def told_late(rules: Ruleset, question: Json, random: Random) -> dict[str, Any]:
    """Return a recorded deal that begins with every side near the target."""
    return {**question, "totals": late_totals(rules, random)}


# What is asked of each operation.

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
