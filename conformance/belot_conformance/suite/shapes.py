"""The same question and answer in another shape: as a program that was built otherwise wants to be asked.

A shape only translates what a case asks and expects; it never makes a case of its own. What cannot be told in a shape
is not asked of a program that wants it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.shape import Shape
from belot_conformance.questions.dealt import bidding_of, with_hands
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation, differences
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.counting import last_trick_bonus
from belot_spec.card_names import SUITS
from belot_spec.spec import Profile

NONE_OF_ITS_FIELDS: Final = "the answer has none of the fields that the program gives"
ABOUT_THE_DECK: Final = "it is about shuffling or cutting, and the program is given hands"
ABOUT_THE_BIDDING: Final = "it is about the bidding, and the program is given taker and trump"
ABOUT_WHAT_IS_SAID: Final = "it is about what players say or show, and the program announces by itself"
ABOUT_MORE_THAN_TRICKS: Final = "it is about more than the cards played, and the program is given tricks"
NO_LAST_TRICK: Final = "it does not tell who won the last trick, and the program wants its bonus apart"
NOT_TOLD_SO: Final = (ABOUT_THE_DECK, ABOUT_THE_BIDDING, ABOUT_WHAT_IS_SAID, ABOUT_MORE_THAN_TRICKS, NO_LAST_TRICK)

_SAID: Final = ("announce", "belote", "show", "made")


class NotAskedError(Exception):
    """A question that cannot be told in the shape that a program wants; its text says why not."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a case asks and expects, as it is told to a program."""

    question: Mapping[str, Any]
    expected: tuple[Expectation, ...]


@dataclass(frozen=True, slots=True)
class _Retold:
    """A deal on its way into another shape: what stands beside its actions, and those left with their places."""

    rest: Mapping[str, Any]
    actions: Sequence[tuple[int, Mapping[str, Any]]]


def told_deal(shape: Shape, rules: Ruleset, asked: Told) -> Told:
    """Return a question of ``replay`` as a program wants deals; raises ``NotAskedError``.

    What is left out must make no difference: the rules give the same answer to what is told, or it is not asked.
    """
    question = asked.question
    if shape.deals != "deck" and "deck" in question:
        given = with_hands(rules, question)
        if given is None:
            raise NotAskedError(ABOUT_THE_DECK)
        question = given
    automatic = shape.announcing == "automatic" or shape.deals == "tricks"
    if shape.deals in ("deck", "hands") and not automatic:
        return asked if question is asked.question else replace(asked, question=question)
    if "taker" in question or "tricks" in question:
        return asked
    rest = {key: value for key, value in question.items() if key != "actions"}
    retold = _Retold(rest, list(enumerate(question["actions"])))
    why = ABOUT_THE_BIDDING
    if shape.deals in ("play", "tricks"):
        retold = _without_bidding(rules, question, retold)
    if automatic:
        why, retold = ABOUT_WHAT_IS_SAID, _without_a_word(retold)
    found = {**retold.rest, "actions": [action for _, action in retold.actions]}
    places = [place for place, _ in retold.actions]
    if shape.deals == "tricks":
        found = _by_tricks(rules, retold)
        places = [place for place, action in retold.actions if "play" in action]
    expected = tuple(_moved(one, places, len(question["actions"]), why) for one in asked.expected)
    if differences("replay", expected, put("replay", rules, found).reply("")):
        raise NotAskedError(why)
    return Told(found, expected)


def _without_bidding(rules: Ruleset, question: Mapping[str, Any], retold: _Retold) -> _Retold:
    bidding = bidding_of(rules, question)
    if bidding.taker is None or bidding.trump is None:
        raise NotAskedError(ABOUT_THE_BIDDING)
    rest = {**retold.rest, "taker": bidding.taker, "trump": SUITS[bidding.trump]}
    return _Retold(rest, retold.actions[len(bidding.bids) :])


def _without_a_word(retold: _Retold) -> _Retold:
    """Leave out what players announce, show and say, which a program that announces by itself makes up."""
    left = [
        (place, {key: value for key, value in action.items() if key not in _SAID})
        for place, action in retold.actions
        if "announce" not in action or "play" in action
    ]
    return _Retold({**retold.rest, "announcing": "automatic"}, left)


def _by_tricks(rules: Ruleset, retold: _Retold) -> dict[str, Any]:
    """Return a deal by its tricks: one whose cards were all played, with nothing else done but laying away."""
    actions = [action for _, action in retold.actions]
    discarded = [card for action in actions for card in action.get("discard", ())]
    plays = [action for action in actions if "play" in action]
    held = {card for hand in retold.rest.get("hands", ()) for card in hand}
    told = [*discarded, *(action["play"] for action in plays)]
    if len(plays) + ("discard" in actions[0] if actions else 0) != len(actions) or sorted(told) != sorted(held):
        raise NotAskedError(ABOUT_MORE_THAN_TRICKS)
    tricks = [plays[first : first + rules.players] for first in range(0, len(plays), rules.players)]
    if any(
        (one["seat"] - trick[0]["seat"]) % rules.players != step for trick in tricks for step, one in enumerate(trick)
    ):
        raise NotAskedError(ABOUT_MORE_THAN_TRICKS)
    rest = {key: value for key, value in retold.rest.items() if key not in ("hands", "before", "announcing")}
    by_tricks = [{"leader": trick[0]["seat"], "cards": [one["play"] for one in trick]} for trick in tricks]
    return {**rest, "tricks": by_tricks, **({"discarded": discarded} if discarded else {})}


def _moved(expected: Expectation, places: Sequence[int], all_actions: int, why: str) -> Expectation:
    """Return what is expected with the place of a refusal counted in what is told."""
    at = expected.fields.get("at") if expected.kind == "rejected" else None
    if at is None:
        return expected
    if at == all_actions:
        return replace(expected, fields={**expected.fields, "at": len(places)})
    if at not in places:
        raise NotAskedError(why)
    return replace(expected, fields={**expected.fields, "at": places.index(at)})


def told_belote(rules: Ruleset, asked: Told) -> Told:
    """Return a question of ``belote`` without what is said, as it comes by itself; raises ``NotAskedError``."""
    plays = [{"card": play["card"]} for play in asked.question["plays"]]
    found = {**asked.question, "plays": plays, "announcing": "automatic"}
    if differences("belote", asked.expected, put("belote", rules, found).reply("")):
        raise NotAskedError(ABOUT_WHAT_IS_SAID)
    return replace(asked, question=found)


def last_trick_apart(rules: Ruleset, operation: str, asked: Told) -> Told:
    """Return a question of ``score-deal`` or ``match`` with the last trick's bonus taken out of the cards."""
    if operation == "score-deal":
        return replace(asked, question=_apart(rules, asked.question))
    if operation != "match":
        return asked
    deals = [
        {"scored": _apart(rules, deal["scored"])} if "scored" in deal else deal for deal in asked.question["deals"]
    ]
    return replace(asked, question={**asked.question, "deals": deals})


def _apart(rules: Ruleset, scored: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take the bonus from a side that may have won the last trick: it has a trick, and at least that many points."""
    if "last_trick" in scored:
        return scored
    bonus = last_trick_bonus(rules, [side["tricks"] for side in scored["sides"]])
    for index, side in enumerate(scored["sides"]):
        if side["tricks"] and side["cards"] >= bonus:
            sides = [{**one, "cards": one["cards"] - bonus} if one is side else one for one in scored["sides"]]
            return {**scored, "sides": sides, "last_trick": index}
    raise NotAskedError(NO_LAST_TRICK)


def told(shape: Shape, rules: Ruleset, operation: str, asked: Told) -> Told:
    """Return a question and its answers in the shape that a program wants; raises ``NotAskedError``."""
    if shape.is_plain:
        return asked
    if operation == "replay":
        asked = told_deal(shape, rules, asked)
    elif operation == "belote" and shape.announcing == "automatic":
        asked = told_belote(rules, asked)
    elif shape.last_trick == "apart":
        asked = last_trick_apart(rules, operation, asked)
    if operation in shape.fields:
        asked = replace(asked, expected=_with_fields(operation, shape.fields[operation], asked.expected))
    return asked


def told_case(shape: Shape, rules: Ruleset, case: Case) -> Case:
    """Return a case as it is put to a program that wants this shape; raises ``NotAskedError``."""
    asked = Told(case.input, case.expected)
    found = told(shape, rules, case.operation, asked)
    return case if found is asked else replace(case, input=found.question, expected=found.expected)


def _with_fields(operation: str, given: tuple[str, ...], expected: tuple[Expectation, ...]) -> tuple[Expectation, ...]:
    """Return what is expected with the fields alone that a program gives; a refusal is expected as it is."""
    kept = {*given, OPERATIONS[operation].reasons}
    found = []
    for one in expected:
        fields = {name: value for name, value in one.fields.items() if name in kept or one.kind == "rejected"}
        if fields.keys() <= {OPERATIONS[operation].reasons}:
            raise NotAskedError(NONE_OF_ITS_FIELDS)
        found.append(replace(one, fields=fields))
    return tuple(found)


class Shaper:
    """Puts cases in the shape that one program wants, by the rules for which they are asked."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._reference = Reference()
        self._tables: dict[str, Ruleset] = {}

    def case(self, case: Case, name: str, profile: Profile | None = None) -> Case:
        """Return a case as it is put to the program; raises ``NotAskedError``.

        It is asked for the profile of that name, or for one that is given because no name stands for it.
        """
        if self._shape.is_plain:
            return case
        return told_case(self._shape, self._rules(name, profile), case)

    def _rules(self, name: str, profile: Profile | None) -> Ruleset:
        if profile is None:
            return self._reference.ruleset(name)
        if name not in self._tables:
            self._tables[name] = compile_profile(profile)
        return self._tables[name]
