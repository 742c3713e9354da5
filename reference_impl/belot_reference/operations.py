"""The protocol's operations: questions and answers as plain JSON values, put to the engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_reference.bidding import BID_RULES, Bidding, bid, bid_choices, bid_name, start_bidding
from belot_reference.cards import CARD_BY_NAME, card_at, card_set, cards_in, names_of, suit_of
from belot_reference.compile import Ruleset
from belot_reference.counting import Count, count_deal
from belot_reference.deal_state import DealState
from belot_reference.dealing import (
    CUT_RULES,
    DEAL_RULES,
    cutter,
    deal_after_bidding,
    deal_before_bidding,
    untouched_cards,
)
from belot_reference.declarations import (
    BELOTE_RULES,
    FIND_RULES,
    belote_points,
    call_belote,
    compare,
    identify,
    possible_sets,
)
from belot_reference.errors import BadQuestionError, CardNotHeld, IllegalCard, NotADeclaration, Refusal
from belot_reference.match import (
    Match,
    book_accusation,
    book_failed_deal,
    book_settlement,
    start_match,
    surplus,
    winner_of,
)
from belot_reference.opening import open_deal, shuffled_and_cut
from belot_reference.penalties import judge_accusation
from belot_reference.play import (
    LEGAL_RULES,
    QUEEN,
    TRICK_RULES,
    holds_belote,
    legal_cards,
    refusing_rule,
    table_of,
    winning_seat,
)
from belot_reference.questions import (
    Json,
    action_of,
    bid_named,
    cards_named,
    check_form,
    check_turn_up,
    hands_named,
    set_named,
    suit_named,
)
from belot_reference.replay import RefusedAt, apply_all
from belot_reference.scoring import Settlement, Tally, settle
from belot_spec.card_names import CARD_NAMES, SUITS
from belot_spec.errors import nearest


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question: a result or a refusal, and the ids of the rules that were consulted."""

    result: Json | None
    rejected: Json | None
    rules: frozenset[str]

    def message(self) -> dict[str, Any]:
        """Return the part of a protocol reply that holds this answer."""
        return {"result": self.result} if self.rejected is None else {"rejected": self.rejected}


def answer(operation: str, rules: Ruleset, question: Json) -> Answer:
    """Answer a question of the protocol by a compiled profile.

    Raises ``BadQuestionError`` if the operation does not exist or the input is not what the protocol says.
    """
    if operation not in OPERATIONS:
        raise BadQuestionError(f"there is no operation {operation}{nearest(operation, OPERATIONS)}")
    seated = check_form(operation, rules, question)
    try:
        result, consulted = OPERATIONS[operation](rules, question)
    except RefusedAt as refused:
        return _rejected(rules, refused.refusal, refused.rules | seated, refused.at)
    except Refusal as refusal:
        return _rejected(rules, refusal, refusal.consulted | seated, None)
    return Answer(result, None, (frozenset(consulted) | seated) & rules.profile.settings.keys())


def _rejected(rules: Ruleset, refusal: Refusal, consulted: frozenset[str], at: int | None) -> Answer:
    place = {} if at is None else {"at": at}
    named = {} if refusal.rule is None else {"rule": refusal.rule}
    rejected = {**place, "reason": refusal.reason, **named}
    return Answer(None, rejected, consulted & rules.profile.settings.keys())


Outcome = tuple[dict[str, Any], Sequence[str] | frozenset[str]]


def _card_points(rules: Ruleset, question: Json) -> Outcome:
    trump = suit_named(question["trump"])
    cards = cards_named(question["cards"])
    points = rules.points_of(trump, card_set(cards))
    kinds = {"scoring.trump-points" if suit_of(card) == trump else "scoring.plain-points" for card in cards}
    if question.get("last_trick"):
        points += rules.value("scoring.last-trick")
        kinds.add("scoring.last-trick")
    return {"points": points}, frozenset(kinds)


def _trick_winner(rules: Ruleset, question: Json) -> Outcome:
    cards = cards_named(question["cards"])
    if len(cards) != rules.players:
        raise BadQuestionError(f"cards: a trick of {rules.profile.id} has {rules.players} cards, not {len(cards)}")
    table = table_of(rules, suit_named(question["trump"]), question["leader"], cards)
    return {"winner": winning_seat(rules, table)}, TRICK_RULES


def _legal_cards(rules: Ruleset, question: Json) -> Outcome:
    trump, hand = suit_named(question["trump"]), set_named(question["hand"])
    trick = cards_named(question["trick"])
    if len(trick) >= rules.players or card_set(trick) & hand:
        raise BadQuestionError("trick: fewer cards than players, and none that is in the hand")
    table = table_of(rules, trump, 0, trick)
    legal = legal_cards(rules, trump, hand, table)
    consulted = {legal.rule, *(LEGAL_RULES if trick else ())}
    if holds_belote(trump, hand):
        consulted.add("declarations.belote.order")
    refused = cards_in(hand & ~legal.cards)
    illegal = {CARD_NAMES[card]: refusing_rule(rules, trump, card, legal) for card in refused}
    return {"cards": names_of(legal.cards), "illegal": illegal}, frozenset(consulted)


def _declarations(rules: Ruleset, question: Json) -> Outcome:
    found = possible_sets(rules, set_named(question["hand"]))
    points = [sum(declaration.points for declaration in together) for together in found]
    sets = [
        {"declarations": [names_of(declaration.cards) for declaration in together], "points": worth}
        for together, worth in zip(found, points, strict=True)
    ]
    return {"sets": sets, "best_points": max(points, default=0)}, FIND_RULES


def _compare_declarations(rules: Ruleset, question: Json) -> Outcome:
    try:
        announced = [[identify(rules, set_named(cards)) for cards in seat] for seat in question["announced"]]
    except NotADeclaration as refusal:
        raise BadQuestionError(f"announced: {' '.join(refusal.action)} is no declaration") from refusal
    found = compare(rules, suit_named(question["trump"]), question["leader"], announced, question.get("taker"))
    return {"winner": found.winner, "points": list(found.points), "wins_match": found.wins_match}, found.rules


def _belote(rules: Ruleset, question: Json) -> Outcome:
    trump, dealt = suit_named(question["trump"]), set_named(question["hand"])
    held, calls = dealt, 0
    consulted = {*BELOTE_RULES}
    if holds_belote(trump, dealt):
        consulted.add("declarations.belote.order")
    for index, play in enumerate(question["plays"]):
        card = CARD_BY_NAME[play["card"]]
        if not held >> card & 1:
            raise BadQuestionError(f"plays.{index}.card: {play['card']} is not in the hand any more")
        try:
            if rules.king_first and holds_belote(trump, held) and card == card_at(QUEEN, trump):
                raise IllegalCard(play["card"], names_of(held), "declarations.belote.order")
            if play.get("call"):
                calls = call_belote(rules, trump, dealt, held, card, calls)
        except Refusal as refusal:
            raise RefusedAt(index, refusal, frozenset(consulted)) from refusal
        held &= ~(1 << card)
    return {"points": belote_points(rules, calls)}, frozenset(consulted)


def _bidding(rules: Ruleset, question: Json) -> Outcome:
    turn_up = suit_of(CARD_BY_NAME[question["turn_up"]]) if "turn_up" in question else None
    check_turn_up(rules, turn_up is not None)
    bidding = start_bidding(rules, question["dealer"], turn_up)
    for index, said in enumerate(question["bids"]):
        try:
            bidding = bid(rules, bidding, bid_named(said))
        except Refusal as refusal:
            raise RefusedAt(index, refusal, frozenset(BID_RULES)) from refusal
    return _bidding_result(rules, bidding), BID_RULES


def _bidding_result(rules: Ruleset, bidding: Bidding) -> dict[str, Any]:
    if bidding.state == "failed":
        return {"state": "failed"}
    if bidding.taker is not None and bidding.trump is not None:
        return {
            "state": "taken",
            "taker": bidding.taker,
            "trump": SUITS[bidding.trump],
            "round": bidding.round,
        }
    choices = [bid_name(choice) for choice in bid_choices(rules, bidding)]
    return {"state": "open", "turn": bidding.turn, "choices": choices}


def _deal(rules: Ruleset, question: Json) -> Outcome:
    dealt = deal_before_bidding(rules, question["dealer"], shuffled_and_cut(rules, question))
    result: dict[str, Any] = {
        "cutter": cutter(rules, question["dealer"]),
        "before": [names_of(hand) for hand in dealt.hands],
        "turn_up": None if dealt.turn_up is None else CARD_NAMES[dealt.turn_up],
    }
    if dealt.piles:
        result["piles"] = [[[CARD_NAMES[card] for card in pile] for pile in piles] for piles in dealt.piles]
    else:
        result["hands"] = [names_of(hand) for hand in deal_after_bidding(rules, dealt, question["taker"])]
        result["untouched"] = [names_of(cards) for cards in untouched_cards(rules, dealt)]
    return result, (*DEAL_RULES, *CUT_RULES, "deal.last-packets")


def _settle_input(rules: Ruleset, question: Json) -> Settlement:
    if question["taker"] >= rules.players or len(question["sides"]) != rules.side_count:
        raise BadQuestionError(f"{rules.profile.id} has {rules.players} seats and {rules.side_count} sides")
    return settle(rules, question["taker"], [Tally(**side) for side in question["sides"]])


def _settlement_result(settlement: Settlement) -> dict[str, Any]:
    return {
        "counted": list(settlement.counted),
        "outcome": settlement.outcome,
        "points": list(settlement.points),
        "score": list(settlement.score),
        "held": settlement.held,
        "written": list(settlement.written),
    }


def _score_deal(rules: Ruleset, question: Json) -> Outcome:
    settlement = _settle_input(rules, question)
    return _settlement_result(settlement), settlement.rules


_HOLDING_RULES: Final = ("scoring.contract-needs", "scoring.tie", "scoring.held-points")


def _match(rules: Ruleset, question: Json) -> Outcome:
    match = start_match(rules, question["dealer"])
    totals, held = tuple(question.get("totals", match.totals)), question.get("held", 0)
    if held and "scoring.held-points" not in rules.profile.settings:
        raise BadQuestionError(f"held: no points are ever held in {rules.profile.id}")
    winner, end_rules = winner_of(rules, totals, None)
    given = (*(end_rules if any(totals) else ()), *(_HOLDING_RULES if held else ()))
    match = Match(match.dealer, totals, held, winner=winner, rules=given)
    lines = []
    for index, deal in enumerate(question["deals"]):
        try:
            if "scored" in deal:
                settlement = _settle_input(rules, deal["scored"])
                match, line = book_settlement(rules, match, settlement, deal["scored"]["taker"])
            elif "passed" in deal:
                match, line = book_failed_deal(rules, match)
            else:
                told = deal["accusation"]
                match, line = book_accusation(
                    rules, match, told["by"], told["of"], told["proved"], told.get("declared", 0)
                )
        except Refusal as refusal:
            raise RefusedAt(index, refusal, frozenset(match.rules)) from refusal
        lines.append(
            {
                "dealer": line.dealer,
                "score": list(line.score),
                "freed": list(line.freed),
                "held": line.held,
                "totals": list(line.totals),
            }
        )
    over = match.winner is not None
    beyond = surplus(rules, match)
    return {
        "deals": lines,
        "winner": match.winner,
        "surplus": beyond,
        "next_dealer": None if over else match.dealer,
    }, (*match.rules, "match.surplus") if over else match.rules


def _penalty(rules: Ruleset, question: Json) -> Outcome:
    try:
        verdict = judge_accusation(
            rules,
            suit_named(question["trump"]),
            question["leader"],
            hands_named(rules, question["hands"]),
            cards_named(question["plays"]),
            question["accuser"],
            question["accused"],
            question.get("declared", 0),
        )
    except CardNotHeld as refusal:
        raise BadQuestionError(f"plays: {refusal.action[1]} is not held by seat {refusal.action[0]}") from refusal
    result = {
        "proved": verdict.proved,
        "at": verdict.at,
        "ends_deal": verdict.ends_deal,
        "score": list(verdict.score),
    }
    return result, verdict.rules


def _replay(rules: Ruleset, question: Json) -> Outcome:
    state = apply_all(rules, open_deal(rules, question), [action_of(action) for action in question["actions"]])
    match state.ended:
        case "played":
            count = count_deal(rules, state)
            return _played_result(state, count), count.rules
        case "passed":
            return {"ended": "passed"}, state.rules
        case "belot":
            return {"ended": "belot", "winner": state.winner}, state.rules
        case _:
            return {"ended": "claim", "winner": state.winner, "taken": state.taken}, state.rules


def _played_result(state: DealState, count: Count) -> dict[str, Any]:
    assert state.play is not None
    return {
        "ended": "played",
        "taker": state.bidding.taker,
        "trump": SUITS[state.play.trump],
        "tricks": [
            {"winner": trick.winner, "points": points}
            for trick, points in zip(state.play.tricks, count.trick_points, strict=True)
        ],
        "cards": list(count.cards),
        "declarations": list(count.declarations),
        "outranked": list(count.outranked),
        "belote": list(count.belote),
        **_settlement_result(count.settlement),
    }


OPERATIONS: Final[Mapping[str, Callable[[Ruleset, Json], Outcome]]] = {
    "card-points": _card_points,
    "trick-winner": _trick_winner,
    "legal-cards": _legal_cards,
    "declarations": _declarations,
    "compare-declarations": _compare_declarations,
    "belote": _belote,
    "bidding": _bidding,
    "deal": _deal,
    "score-deal": _score_deal,
    "match": _match,
    "penalty": _penalty,
    "replay": _replay,
}
