"""A deal or a position as a line of the notation: read into the forms of the page, and written from them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NamedTuple

from belot_reference.action import Action
from belot_reference.bidding import bid_choices
from belot_reference.bids import Bid, amount_name, amount_of_bid, bid_name, mode_of_bid
from belot_reference.cards import names_of
from belot_reference.compile import Ruleset
from belot_reference.deal import DealState, open_deal
from belot_reference.errors import (
    BadQuestionError,
    BidTooLow,
    CardNotHeld,
    IllegalCard,
    MayNotDouble,
    MustName,
    NotationError,
    NotYourTurn,
    Place,
    Refusal,
    SuitNotOffered,
    said_of,
)
from belot_reference.mode import MODE_NAMES
from belot_reference.notation import Deal, deal_of_question
from belot_reference.operations import answer
from belot_reference.play import legal_now
from belot_reference.questions import check_table
from belot_reference.sentences import Sentence, say
from belot_reference.turn import apply_action
from belot_site.playground.own_rules import TableError, refuse_faults
from belot_spec.errors import BelotError
from belot_spec.profile_name import ProfileName

Json = dict[str, Any]
RulesOf = Callable[[str, str], Ruleset]

_START: Final = Place(1, 1)
# Whoever names a profile that there is not hears of it once the rest is read.
_PLAYERS_OF_NO_PROFILE: Final = 4
_REFUSED_BIDS: Final = (SuitNotOffered, BidTooLow, MayNotDouble, MustName)


class LineError(BadQuestionError):
    """A line is wrong: ``fault`` says what, and by ``line`` and ``column`` where."""

    def __init__(self, place: Place, **fault: Any) -> None:
        super().__init__(f"{place.line}:{place.column}: {fault.get('why') or fault.get('reason', '')}")
        self.fault: Json = {"line": place.line, "column": place.column, **fault}


def bid_parts(bid: Bid) -> Json:
    """Return a bid as the protocol writes it, and what the page makes its name of where it has a number."""
    if not bid or not amount_of_bid(bid):
        return {"bid": bid_name(bid)}
    return {"bid": bid_name(bid), "amount": amount_name(amount_of_bid(bid)), "mode": MODE_NAMES[mode_of_bid(bid)]}


class Done(NamedTuple):
    """An action of a deal, and how the deal stood before and after it."""

    before: DealState
    after: DealState
    action: Action


def read_line(known: Json, rules_of: RulesOf, asked: Json) -> Json:
    """Return what a line fills in, and on which tab; or the ``fault`` that it has.

    A line that names no profile is read by the rules of the page's table. On the tabs where anything is asked and
    where hands are compared it is that, if it holds such a question.
    """
    table = asked["table"]
    named: Json = {}
    try:
        deal = _parsed(asked["text"], table["base"], _players_by(rules_of))
        named = {} if deal.profile is None else _named(known, deal)
        rules = (
            rules_of(table["base"], json.dumps(table["changes"])) if not named else rules_of(str(deal.profile), "{}")
        )
        return {**named, **_filled(rules, replace(deal, seats=rules.players), asked["tab"])}
    except LineError as error:
        return {**named, "fault": error.fault}


def _players_by(rules_of: RulesOf) -> Callable[[str], int]:
    def players(name: str) -> int:
        try:
            return rules_of(name, "{}").players
        except (BelotError, KeyError):
            return _PLAYERS_OF_NO_PROFILE

    return players


def _parsed(text: str, profile: str, players: Callable[[str], int]) -> Deal:
    try:
        return Deal.parse(text, profile, players)
    except NotationError as error:
        raise LineError(Place(error.line, error.column), **_what_is_wrong(error)) from None


def _what_is_wrong(error: BadQuestionError) -> Json:
    """Return what is wrong as a sentence for the page, which has its words, or else in English."""
    said = said_of(error)
    return {"said": said.to_json()} if isinstance(said, Sentence) else {"why": str(error)}


def _named(known: Json, deal: Deal) -> Json:
    """Return the variant and the options that a line names."""
    named = ProfileName(str(deal.profile))
    try:
        refuse_faults(known, named.variant, list(named.options), {})
    except TableError as error:
        raise LineError(deal.places["profile"], table=error.fault) from None
    return {"variant": named.variant, "options": list(named.options)}


def _filled(rules: Ruleset, deal: Deal, tab: str) -> Json:
    with _located(deal):
        question = deal.question
        check_table(rules, {**deal.opening, **question})
    if deal.operation != "replay":
        return _position(rules, deal, tab)
    if tab == "ask" or not _can_be_played(deal):
        return {"tab": "ask", "op": "replay", "question": question}
    opened_by(rules, deal)
    return {"tab": "deal", "line": str(replace(deal, match=None, score=None, comments=()))}


def _can_be_played(deal: Deal) -> bool:
    """Say whether a deal is told action by action, so that others can go on with it."""
    return "actions" in deal.question and "announcing" not in deal.opening


def _position(rules: Ruleset, deal: Deal, tab: str) -> Json:
    opening, trick = deal.opening, [str(action.play) for action in deal.actions]
    if len(trick) == rules.players:
        told = {"trump": opening["trump"], "leader": opening["leader"], "cards": trick}
        return {"tab": "ask", "op": "trick-winner", "question": told}
    question = deal.question
    if tab == "ask" or "depth" in opening:
        return {"tab": "ask", "op": deal.operation, "question": question}
    if tab == "best" and deal.operation == "perft" and "hands" in opening:
        return {"tab": "best", **{name: question[name] for name in ("trump", "leader", "hands")}}
    if deal.operation == "perft":
        held = [pile[0] for pile in opening["piles"][opening["leader"]]] if "piles" in opening else None
        hand = list(opening["hands"][opening["leader"]] if held is None else held)
        question = {"trump": opening["trump"], "hand": hand, "trick": []}
    with _located(deal):
        answer("legal-cards", rules, question, well_formed=True)
    return {"tab": "may", **question}


@contextmanager
def _located(deal: Deal, place: str | int = "start") -> Iterator[None]:
    """Say of what goes wrong where it stands in the line: at the field that it begins with, or at this place."""
    try:
        yield
    except LineError:
        raise
    except BadQuestionError as error:
        said = said_of(error)
        of = said.of if isinstance(said, Sentence) else str(error).partition(":")[0]
        key = of if place == "start" else place
        raise LineError(deal.places.get(key, deal.places.get(place, _START)), **_what_is_wrong(error)) from None
    except Refusal as refusal:
        told = {"reason": refusal.reason, "rule": refusal.rule}
        raise LineError(deal.places.get(place, _START), **told) from None


def deal_of(rules: Ruleset, line: str) -> Deal:
    """Return the deal that a line holds, played by these rules; raises ``LineError``."""
    deal = replace(_parsed(line, rules.profile.id, lambda _: rules.players), seats=rules.players)
    with _located(deal):
        if deal.operation != "replay" or not _can_be_played(deal):
            raise BadQuestionError(say("not-all-told"))
        check_table(rules, {**deal.opening, **deal.question})
    return deal


def opened_by(rules: Ruleset, deal: Deal) -> tuple[DealState, list[Done]]:
    """Return a deal after all that was done in it, with each action; raises ``LineError`` for one that is refused."""
    with _located(deal):
        state = open_deal(rules, deal.question)
    done: list[Done] = []
    for place, action in enumerate(deal.actions):
        if action.silent:
            continue
        with _located(deal, place):
            try:
                after = apply_action(rules, state, action)
            except Refusal as refusal:
                told = {"reason": refusal.reason, "rule": refusal.rule, **_right(rules, state, action, refusal)}
                raise LineError(deal.places.get(place, _START), **told) from None
        done.append(Done(state, after, action))
        state = after
    return state, done


def _right(rules: Ruleset, state: DealState, action: Action, refusal: Refusal) -> Json:
    """Return what would be right where an action is refused: whose turn it is, or what that seat may do."""
    play = state.play
    if isinstance(refusal, NotYourTurn):
        return {"turn": state.bidding.turn if play is None else play.turn}
    if isinstance(refusal, _REFUSED_BIDS):
        return {"bids": [bid_parts(said) for said in bid_choices(rules, state.bidding)]}
    if isinstance(refusal, IllegalCard | CardNotHeld) and action.play is not None and play is not None:
        return {"cards": names_of(legal_now(rules, play)[0])}
    return {}


def write_line(rules: Ruleset, asked: Json) -> Json:
    """Return a question of the page as a ``line``; without a profile where the rules are a table's ``own``.

    Whoever asks which cards may be played sits at seat 0, so that the leader is as many turns away as there are cards.
    """
    operation, question = asked["op"], asked["input"]
    if operation == "compare-hands":
        operation, question = "perft", {name: question[name] for name in ("trump", "leader", "hands")}
    if operation not in ("legal-cards", "perft", "replay"):
        return {"line": ""}
    deal = deal_of_question(operation, question, None if asked["own"] else rules.profile.id, rules.players)
    if operation == "legal-cards":
        leader = (rules.players - len(deal.actions)) % rules.players
        actions = (replace(one, seat=(leader + one.seat) % rules.players) for one in deal.actions)
        deal = replace(deal, opening={**deal.opening, "leader": leader}, actions=tuple(actions))
    return {"line": str(deal)}
