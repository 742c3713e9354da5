"""The same question and answer in another shape: as a program that was built otherwise wants to be asked.

A shape only translates what a case asks and expects; it never makes a case of its own. What cannot be told in a shape
is not asked of a program that wants it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_conformance.programs.protocol import CALLS, Shape
from belot_conformance.programs.reference import put
from belot_conformance.questions.dealt import bidding_of, by_announcements, with_hands
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation, differences
from belot_reference.bids import said_bid
from belot_reference.compile import Ruleset
from belot_reference.counting import last_trick_bonus
from belot_reference.mode import MODE_NAMES
from belot_reference.possible import why_impossible
from belot_reference.replay import sides_told

NONE_OF_ITS_FIELDS: Final = "the answer has none of the fields that the program gives"
ABOUT_THE_DECK: Final = "it is about shuffling or cutting, and the program is given hands"
ABOUT_THE_BIDDING: Final = "it is about the bidding, and the program is given taker and trump"
ABOUT_WHAT_IS_SAID: Final = "it is about what players say or show, and the program announces by itself"
ABOUT_MORE_THAN_TRICKS: Final = "it is about more than the cards played, and the program is given tricks"
NO_LAST_TRICK: Final = "it does not tell who won the last trick, and the program wants its bonus apart"
NOT_KNOWN: Final = "it is about a mode or a call that the program does not know"
IN_NO_HAND: Final = "no hand holds such declarations, and the program is given what was announced"
NOT_TOLD_SO: Final = (
    ABOUT_THE_DECK, ABOUT_THE_BIDDING, ABOUT_WHAT_IS_SAID, ABOUT_MORE_THAN_TRICKS, NO_LAST_TRICK, IN_NO_HAND,
)  # fmt: skip

Knows = Mapping[str, tuple[str, ...]]

_SAID: Final = ("announce", "belote", "show", "made")


class NotAskedError(Exception):
    """A question that cannot be told in the shape that a program wants; its text says why not."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a case asks and expects, as it is told to a program."""

    question: Mapping[str, Any]
    expected: tuple[Expectation, ...]


def stands(shape: Shape, operation: str, question: Mapping[str, Any]) -> bool:
    """Say whether a question is put to a program as it stands in its case, and every field compared."""
    return shape.is_plain and not (operation == "settle-tricks" and "announced" in question)


def told(shape: Shape, rules: Ruleset, operation: str, asked: Told, *, of_choices: bool = False) -> Told:
    """Return a question and its answers in the shape that a program wants; raises ``NotAskedError``.

    Where calls may be chosen that it does not know, it is not asked, or ``of_choices`` those alone that it knows are
    expected.
    """
    if stands(shape, operation, asked.question):
        return asked
    if operation == "replay":
        asked = _told_deal(shape, rules, asked)
    elif operation == "belote" and shape.announcing == "automatic":
        asked = _told_belote(rules, asked)
    elif operation == "settle-tricks":
        asked = replace(asked, question=_with_declared(shape, rules, asked.question))
    elif shape.last_trick == "apart":
        asked = _last_trick_apart(rules, operation, asked)
    if shape.knows:
        asked = _of_what_is_known(shape.knows, rules, asked, of_choices=of_choices)
    if operation in shape.fields:
        asked = replace(asked, expected=_with_fields(operation, shape.fields[operation], asked.expected))
    return asked


def told_case(shape: Shape, rules: Ruleset, case: Case, *, of_choices: bool = False) -> Case:
    """Return a case as it is put to a program that wants this shape; raises ``NotAskedError``."""
    asked = Told(case.input, case.expected)
    found = told(shape, rules, case.operation, asked, of_choices=of_choices)
    return case if found is asked else replace(case, input=found.question, expected=found.expected)


def knows_all(knows: Knows, rules: Ruleset, told: Any) -> bool:
    """Say whether a question or an answer holds only modes and calls that a program knows."""
    return all(_is_known(knows, said) for said in _calls_in(rules, told))


def _of_what_is_known(knows: Knows, rules: Ruleset, asked: Told, *, of_choices: bool) -> Told:
    expected: list[Expectation] = []
    for one in asked.expected:
        every = one.fields.get("choices", ())
        choices = [said for said in every if _is_known(knows, said)]
        fields = {**one.fields, "choices": choices} if len(choices) < len(every) else one.fields
        # Who can say nothing more does not wait for his turn.
        is_left = fields is one.fields or (of_choices and len(choices) > 1)
        if not is_left or not knows_all(knows, rules, [asked.question, fields]):
            raise NotAskedError(NOT_KNOWN)
        expected.append(replace(one, fields=fields))
    return replace(asked, expected=tuple(expected))


def _calls_in(rules: Ruleset, told: Any) -> Iterator[str]:
    """Yield each bid and mode in a question or an answer, and what raised a contract, by the names of bids."""
    for key, inner in told.items() if isinstance(told, Mapping) else ():
        if key in ("bids", "choices"):
            yield from (said_bid(one)[0] for one in inner)
        elif key in ("bid", "trump"):
            yield str(inner)
        elif key == "raised" and inner in (raises := rules.value_or("bidding.raises", [])):
            yield CALLS[1 + raises.index(inner) % 2]
        else:
            yield from _calls_in(rules, inner)
    for inner in told if isinstance(told, list | tuple) else ():
        yield from _calls_in(rules, inner)


def _is_known(knows: Knows, said: str) -> bool:
    """Say whether a program knows a bid, by its name: the kind of call that it is, and the mode at its end."""
    call = next((one for one in CALLS if said.startswith(one)), None)
    modes, mode = knows.get("modes", MODE_NAMES), said[-1:]
    return call in (None, *knows.get("calls", CALLS)) and (mode not in MODE_NAMES or mode in modes)


def _told_deal(shape: Shape, rules: Ruleset, asked: Told) -> Told:
    """Return a question of ``replay`` as a program wants deals; raises ``NotAskedError``.

    What is left out must make no difference: the rules give the same answer to what is told, or it is not asked.
    """
    if shape.deals != "deck" and "deck" in asked.question:
        given = with_hands(rules, asked.question)
        if given is None:
            raise NotAskedError(ABOUT_THE_DECK)
        asked = replace(asked, question=given)
    question = asked.question
    by_itself = shape.announcing == "automatic" or shape.deals == "tricks"
    by_contract = "taker" in question
    if "tricks" in question or (not by_itself and (by_contract or shape.deals in ("deck", "hands"))):
        return asked
    rest = {key: value for key, value in question.items() if key != "actions"}
    actions, why = list(enumerate(question["actions"])), ABOUT_THE_BIDDING
    if shape.deals in ("play", "tricks") and not by_contract:
        bidding = bidding_of(rules, question)
        if (taken := bidding.contract) is None:
            raise NotAskedError(why)
        rest |= taken.to_json()
        actions = actions[len(bidding.bids) :]
        if any("bid" in action for _, action in actions):
            raise NotAskedError(why)
    if by_itself:
        why, rest["announcing"] = ABOUT_WHAT_IS_SAID, "automatic"
        actions = [
            (place, {key: value for key, value in action.items() if key not in _SAID})
            for place, action in actions
            if "announce" not in action or "play" in action
        ]
    found = {**rest, "actions": [action for _, action in actions]}
    if shape.deals == "tricks":
        found = _by_tricks(rules, found)
        actions = [one for one in actions if "play" in one[1]]
    places = [place for place, _ in actions]
    expected = tuple(_moved(one, places, len(question["actions"]), why) for one in asked.expected)
    if differences("replay", expected, put("replay", rules, found).reply("")):
        raise NotAskedError(why)
    return Told(found, expected)


def _by_tricks(rules: Ruleset, question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deal by its tricks: one whose cards were all played, with nothing else done but laying away."""
    actions = question["actions"]
    discarded = [card for action in actions for card in action.get("discard", ())]
    plays = [action for action in actions if "play" in action]
    held = sorted({card for hand in question.get("hands", ()) for card in hand})
    tricks = [plays[first : first + rules.players] for first in range(0, len(plays), rules.players)]
    if (
        len(plays) + ("discard" in actions[0] if actions else 0) != len(actions)
        or sorted([*discarded, *(action["play"] for action in plays)]) != held
        or any(
            (one["seat"] - trick[0]["seat"] - at) % rules.players for trick in tricks for at, one in enumerate(trick)
        )
    ):
        raise NotAskedError(ABOUT_MORE_THAN_TRICKS)
    rest = {key: value for key, value in question.items() if key not in ("hands", "before", "announcing", "actions")}
    by_tricks = [{"leader": trick[0]["seat"], "cards": [one["play"] for one in trick]} for trick in tricks]
    return {**rest, "tricks": by_tricks, **({"discarded": discarded} if discarded else {})}


def _moved(expected: Expectation, places: Sequence[int], all_actions: int, why: str) -> Expectation:
    """Return what is expected with the place of a refusal counted in what is told."""
    at = expected.fields.get("at") if expected.kind == "rejected" else None
    if at is None:
        return expected
    if at not in (*places, all_actions):
        raise NotAskedError(why)
    return replace(expected, fields={**expected.fields, "at": [*places, all_actions].index(at)})


def _told_belote(rules: Ruleset, asked: Told) -> Told:
    """Return a question of ``belote`` without what is said, as it comes by itself; raises ``NotAskedError``."""
    plays = [{key: value for key, value in play.items() if key != "call"} for play in asked.question["plays"]]
    found = {**asked.question, "plays": plays, "announcing": "automatic"}
    if differences("belote", asked.expected, put("belote", rules, found).reply("")):
        raise NotAskedError(ABOUT_WHAT_IS_SAID)
    return replace(asked, question=found)


def _with_declared(shape: Shape, rules: Ruleset, question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a question of ``settle-tricks`` with what declarations are worth, or with what was announced."""
    if shape.declared == "announced":
        if (found := by_announcements(rules, question)) is None:
            raise NotAskedError(IN_NO_HAND)
        return found
    if "announced" not in question:
        return question
    rest = {key: value for key, value in question.items() if key not in ("announced", "sides")}
    sides = sides_told(rules, question)
    return {**rest, "sides": sides} if any(sides) else rest


def _last_trick_apart(rules: Ruleset, operation: str, asked: Told) -> Told:
    """Return a question of ``score-deal`` or ``match`` with the last trick's bonus taken out of the cards."""
    question = asked.question
    if operation == "score-deal":
        return replace(asked, question=_apart(rules, question))
    if operation != "match":
        return asked
    deals = [{"scored": _apart(rules, deal["scored"])} if "scored" in deal else deal for deal in question["deals"]]
    return replace(asked, question={**question, "deals": deals})


def _apart(rules: Ruleset, scored: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take the bonus from a side that may have won the last trick: a deal has to bring what is left to each side."""
    if "last_trick" in scored:
        return scored
    bonus = last_trick_bonus(rules, [side["tricks"] for side in scored["sides"]])
    for index, side in enumerate(scored["sides"]):
        if side["tricks"] and side["cards"] >= bonus:
            sides = [{**one, "cards": one["cards"] - bonus} if one is side else one for one in scored["sides"]]
            told_apart = {**scored, "sides": sides, "last_trick": index}
            if why_impossible(rules, "score-deal", told_apart) is None:
                return told_apart
    raise NotAskedError(NO_LAST_TRICK)


def _with_fields(operation: str, given: tuple[str, ...], expected: tuple[Expectation, ...]) -> tuple[Expectation, ...]:
    """Return what is expected with the fields alone that a program gives; a refusal is expected as it is."""
    reasons, found = OPERATIONS[operation].reasons, []
    for one in expected:
        kept = one.fields.keys() if one.kind == "rejected" else {*given, reasons}
        fields = {name: value for name, value in one.fields.items() if name in kept}
        if fields.keys() <= {reasons}:
            raise NotAskedError(NONE_OF_ITS_FIELDS)
        found.append(replace(one, fields=fields))
    return tuple(found)
