"""Recorded deals told otherwise: something is said with another card, shown later, looked at again or claimed."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any, Final

from belot_conformance.questions.deals import RecordedDeal
from belot_conformance.questions.matches import late_totals, target_of
from belot_reference.action import action_of
from belot_reference.belote import belote_points
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset
from belot_reference.counting import taken_so_far
from belot_reference.deal import DealState, open_deal
from belot_reference.declarations import possible_sets
from belot_reference.play import PlayState
from belot_reference.scoring import score_points
from belot_reference.turn import apply_action
from belot_spec.errors import BelotError

Json = Mapping[str, Any]

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
