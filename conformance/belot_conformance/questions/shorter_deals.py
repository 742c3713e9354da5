"""Smaller deals: what no single value can be left out of, but can be played with fewer cards or less said before."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, permutations, product
from typing import Any, Final

from belot_conformance.questions.dealt import bidding_of, with_hands
from belot_conformance.questions.shrinking import size
from belot_reference.cards import CARD_BY_NAME, names_of, rank_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_reference.questions import mode_named
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import BelotError

Json = Mapping[str, Any]

_SAID: Final = frozenset(("announce", "show", "belote", "made"))


def shorter_deals(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield deals with fewer tricks or less said; hands in place of a deck, and taker and trump in place of bids."""
    if "deck" in question:
        if (given := with_hands(rules, question)) is not None:
            yield given
        return
    actions = question.get("actions", ())
    if "taker" not in question and any("bid" in action for action in actions):
        bidding = bidding_of(rules, question)
        if (taken := bidding.contract) is not None:
            after = [action for action in actions if "bid" not in action]
            yield {**question, **taken.to_json(), "actions": after}
    # There is little that was said, and much that can be tried with the tricks.
    yield from _less_said(question)
    yield from fewer_tricks(rules, question)
    yield from _without_open_tricks(rules, question)
    yield from _claimed_after_less(rules, question)
    yield from _said_earlier(question)
    yield from _nearer_the_end(rules, question)
    yield from _begun_by_who_says(rules, question)
    yield from _belote_instead(question)


def _nearer_the_end(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal in which what is done last is done sooner, as one side lacks but a point to win the match."""
    actions = question.get("actions", ())
    for near in (near for side in range(rules.side_count) for near in _lacking_a_point(rules, question, side)):
        for before in range(len(actions)):
            told = [*actions[:before], *actions[-1:]]
            silent = [{key: said for key, said in action.items() if key not in _SAID} for action in told]
            nearer = ({**near, "actions": some} for some in (told, silent))
            yield from (smaller for smaller in nearer if size(smaller) < size(question))


def _lacking_a_point(rules: Ruleset, question: Json, side: int) -> Iterator[Json]:
    """Yield a deal at whose beginning a side lacks but a point to win the match, if totals are told."""
    if totals := question.get("totals", ()):
        yield {**question, "totals": [*totals[:side], rules.value("match.target") - 1, *totals[side + 1 :]]}


def _claimed_after_less(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal in which less is played or said before a claim, that is right by much or by not a point too many.

    Whatever goes takes points with it, and where the target matters to the point they have to be there before.
    """
    actions = question.get("actions", ())
    if "totals" not in question or not actions or "claim" not in actions[-1]:
        return
    side = rules.side_of[actions[-1]["seat"]]
    for smaller in chain(fewer_tricks(rules, question), _without_open_tricks(rules, question), _less_said(question)):
        for near in _lacking_a_point(rules, smaller, side):
            yield near
            told = _result("replay", rules, near)
            if "taken" in told:
                before = rules.value("match.target") - told["taken"]
                yield {**near, "totals": [*near["totals"][:side], before, *near["totals"][side + 1 :]]}


def _less_said(question: Json) -> Iterator[Json]:
    """Yield a deal in which somebody says one thing less with a card, or announces one less."""
    actions = question.get("actions", ())
    for place, action in enumerate(actions):
        for key in sorted(_SAID & action.keys()):
            silent = {name: said for name, said in action.items() if name != key}
            less = [silent]
            if isinstance(action[key], list) and len(action[key]) > 1:
                less += [{**action, key: list(some)} for some in combinations(action[key], len(action[key]) - 1)]
            yield from ({**question, "actions": [*actions[:place], one, *actions[place + 1 :]]} for one in less)


def _begun_by_who_says(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal that begins with the card, or the trick, with which somebody says something, and ends as it did.

    That card may have changed places with another of its suit, so that he wins the trick, and who acts last may lack
    but a point to win the match.
    """
    actions = question.get("actions", ())
    near = [*_lacking_a_point(rules, question, rules.side_of[actions[-1]["seat"]])] if actions else []
    for place, action in enumerate(actions):
        for length in (1, rules.players) if _SAID & action.keys() else ():
            begun = [*actions[place : place + length], actions[-1]]
            if len(begun) == length + 1 < len(actions) and all("play" in one for one in begun[:-1]):
                others = [card for card in names_of(rules.deck) if card[-1] == action["play"][-1]]
                for told in ({**before, "actions": begun} for before in (question, *near)):
                    for new in (told, *(_exchanged(told, action["play"], card) for card in others)):
                        yield from _led_by_anybody(rules, new) if place else (new,)


def _led_by_anybody(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal for each player who may have dealt, and taken: one of these decides who leads."""
    for dealer in range(rules.players):
        dealt = {**question, "dealer": dealer}
        yield from ({**dealt, "taker": taker} for taker in (range(rules.players) if "taker" in question else ()))
        if "taker" not in question:
            yield dealt


def _belote_instead(question: Json) -> Iterator[Json]:
    """Yield a deal in which somebody says belote instead of what he announces: he holds the cards for it now.

    Trump may be the suit of the card he says it with, so that who took that card with a higher one still does.
    """
    actions = question.get("actions", ())
    for place, action in enumerate(actions if "trump" in question else ()):
        if "play" in action and {"announce", "made"} & action.keys():
            silent = {key: said for key, said in action.items() if key not in _SAID}
            told = [*actions[:place], {**silent, "belote": True}, *actions[place + 1 :]]
            trumps = dict.fromkeys((question["trump"], action["play"][-1]))
            for trump, second in product(trumps, _held_by(question, action["seat"])):
                for first, other in permutations((f"K{trump}", f"Q{trump}")):
                    exchanged = _exchanged({**question, "trump": trump, "actions": told}, action["play"], first)
                    yield _exchanged(exchanged, second if second != first else action["play"], other)


def _held_by(question: Json, seat: int) -> list[str]:
    """Return the cards that a player has, the covered ones too."""
    if "piles" in question:
        return [card for pile in question["piles"][seat] for card in pile]
    return list(question["hands"][seat]) if "hands" in question else []


def _exchanged(value: Any, one: str, other: str) -> Any:
    """Return a question in which two cards have changed places, wherever they are."""
    if isinstance(value, Mapping):
        return {key: _exchanged(item, one, other) for key, item in value.items()}
    if isinstance(value, list):
        return [_exchanged(item, one, other) for item in value]
    return {one: other, other: one}.get(value, value) if isinstance(value, str) else value


def _said_earlier(question: Json) -> Iterator[Json]:
    """Yield a deal in which what somebody says or shows with a card comes with an earlier card of that player."""
    actions = question.get("actions", ())
    plays = [(place, action) for place, action in enumerate(actions) if "play" in action]
    for place, action in plays:
        for key in sorted(_SAID & action.keys()):
            silent = {name: value for name, value in action.items() if name != key}
            for before, other in plays:
                if before < place and other["seat"] == action["seat"] and key not in other:
                    told = [*actions]
                    told[before], told[place] = {**other, key: action[key]}, silent
                    yield {**question, "actions": told}


def fewer_tricks(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal without some of its tricks, one after the other: their cards are in no hand, and nobody plays them.

    Many at a time come first: whoever led to the first of them leads to what follows the last.
    """
    if "hands" not in question:
        return
    key = "actions" if "actions" in question else "plays"
    told = question[key]
    places = [place for place, action in enumerate(told) if key == "plays" or "play" in action]
    for gone in _some_tricks(rules, places):
        cards = {told[place] if key == "plays" else told[place]["play"] for place in gone}
        hands = [[card for card in hand if card not in cards] for hand in question["hands"]]
        left = [item for place, item in enumerate(told) if place not in gone]
        yield {**question, "hands": hands, key: left}
        if key == "actions" and "trump" in question and len(places) == len(told):
            yield {**question, "hands": hands, key: [*_in_turn(rules, question["trump"], told[0]["seat"], left)]}
    played = {told[place] if key == "plays" else told[place]["play"] for place in places}
    # What is announced is held, though it may never be played.
    played |= {card for action in told if key == "actions" for one in action.get("announce", ()) for card in one}
    fewer = [_one_less(hand, played) for hand in question["hands"]]
    if fewer != question["hands"]:
        yield {**question, "hands": fewer}


def plainer_tricks(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal told by its tricks with the cards nearer to their order, or led by an earlier seat.

    No card of a whole deal can go, but where suit comes after suit and each card beats the one before it, nobody looks
    for what is special. What could be played stays so.
    """
    strength = mode_named(rules, question["trump"]).strength
    cards = [card for trick in question["tricks"] for card in trick["cards"]]
    beating = sorted(
        map(CARD_BY_NAME.__getitem__, cards), key=lambda one: (suit_of(one), strength[suit_of(one)][rank_of(one)])
    )
    place_of = {CARD_NAMES[card]: place for place, card in enumerate(beating)}.__getitem__
    starts = range(0, len(cards), rules.players)
    arranged = [[*cards[:start], *sorted(cards[start:], key=place_of)] for start in starts]
    arranged += [_exchanged(cards, card, min(cards[place:], key=place_of)) for place, card in enumerate(cards)]
    nearer = product((told for told in arranged if told != cards), range(rules.players))
    for told, leader in chain(nearer, product([cards], range(question["tricks"][0]["leader"]))):
        plainer = {**question, "tricks": [*_led_in_turn(rules, question["trump"], leader, told)]}
        if _is_played(rules, plainer):
            yield plainer


def _led_in_turn(rules: Ruleset, trump: str, leader: int, cards: Sequence[str]) -> Iterator[Json]:
    """Yield tricks of some cards, each led by who won the one before."""
    for start in range(0, len(cards), rules.players):
        trick = {"leader": leader, "cards": [*cards[start : start + rules.players]]}
        yield trick
        leader = _result("trick-winner", rules, {"trump": trump, **trick}).get("winner", leader)


def _is_played(rules: Ruleset, question: Json) -> bool:
    """Say whether a deal told by its tricks can be played so, whoever dealt."""
    told = {key: value for key, value in question.items() if key != "sides"}
    return any(_result("replay", rules, {**told, "dealer": dealer}) for dealer in range(rules.players))


def _without_open_tricks(rules: Ruleset, question: Json) -> Iterator[Json]:
    """Yield a deal in open piles without some of its tricks: no card can go, but what they turned up is open at once.

    Who leads then may have to be another.
    """
    told = question.get("actions", ())
    for gone in _some_tricks(rules, [place for place, action in enumerate(told) if "play" in action]):
        left = [action for place, action in enumerate(told) if place not in gone]
        if "piles" in question and left:
            cards = {told[place]["play"] for place in gone}
            piles = [[_turned(pile, cards) for pile in own] for own in question["piles"]]
            without = {**question, "piles": piles, "actions": left}
            yield from [without] if left[0]["seat"] == told[0]["seat"] else _led_by_anybody(rules, without)


def _turned(pile: list[str], gone: set[str]) -> list[str]:
    """Return a pile with the cards that are gone below the others."""
    return sorted(pile, key=gone.__contains__)


def _some_tricks(rules: Ruleset, places: Sequence[int]) -> Iterator[set[int]]:
    """Yield the places of the cards of some tricks, one after the other; many at a time come first."""
    players = rules.players
    tricks = [places[start : start + players] for start in range(0, len(places) - players + 1, players)]
    for length in range(len(tricks), 0, -1):
        for start in range(len(tricks) - length + 1):
            yield {place for trick in tricks[start : start + length] for place in trick}


def _in_turn(rules: Ruleset, trump: str, leader: int, plays: list[Json]) -> Iterator[Json]:
    """Yield the plays of whole tricks, each led by who won the one before: others may win now than did."""
    for start in range(0, len(plays), rules.players):
        trick = sorted(plays[start : start + rules.players], key=lambda play: (play["seat"] - leader) % rules.players)
        yield from trick
        cards = [play["play"] for play in trick]
        if len(cards) == rules.players:
            # No trick of two equal cards is won, and one may be asked about.
            told = _result("trick-winner", rules, {"trump": trump, "leader": leader, "cards": cards})
            leader = told.get("winner", leader)


def _result(operation: str, rules: Ruleset, question: Json) -> Json:
    """Return the fields of a result; none of a refusal, or of what is no question by these rules."""
    with suppress(BelotError):
        return answer(operation, rules, question).result or {}
    return {}


def _one_less(hand: list[str], kept: set[str]) -> list[str]:
    """Return a hand without the first card that is not kept."""
    unplayed = next((card for card in hand if card not in kept), None)
    return [card for card in hand if card != unplayed]
