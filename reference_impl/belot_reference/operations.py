"""The protocol's operations: questions and answers as plain JSON values, put to the engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from belot_reference.action import actions_of
from belot_reference.belote import (
    NO_CALLS,
    Royal,
    belote_points,
    call_belote,
    calls_itself,
    need_call_belote,
    once_more,
)
from belot_reference.bidding import Bidding, bid, bid_choices, may_speak_out_of_turn, start_bidding
from belot_reference.bids import bid_name, bid_named, said_bid
from belot_reference.cards import CARD_BY_NAME, ONLY, Suit, card_set, cards_in, holds, names_of, rank_of, suit_of
from belot_reference.compile import Reading, Ruleset
from belot_reference.contract import UNTOLD, DealContract
from belot_reference.counting import Count, count_deal, last_trick_bonus
from belot_reference.deal import (
    DealState,
    cutter,
    deal_after_bidding,
    deal_before_bidding,
    open_deal,
    shuffled_and_cut,
    untouched_cards,
)
from belot_reference.declarations import (
    Comparison,
    Declaration,
    compare,
    counted_by_themselves,
    possible_sets,
    worth,
    worth_hangs_on_mode,
)
from belot_reference.errors import BadQuestionError, IllegalCard, Refusal, refused_at, within
from belot_reference.match import (
    Accusation,
    Line,
    Match,
    book_accusation,
    book_failed_deal,
    book_settlement,
    ended_by_length,
    judge_accusation,
    start_match,
    surplus,
    won_before,
)
from belot_reference.mode import QUEENS
from belot_reference.perft import opened
from belot_reference.play import (
    CompletedTrick,
    holds_pair_of,
    legal_cards,
    refusing_rule,
    start_play,
    table_of,
    waits_for_king,
    winning_seat,
)
from belot_reference.possible import why_impossible
from belot_reference.questions import (
    Json,
    cards_named,
    check_form,
    check_table,
    check_turn_up,
    contract_of_sums,
    hands_named,
    mode_named,
    set_named,
    suit_named,
)
from belot_reference.replay import apply_all, deal_of_tricks, declaration_named, settle_tricks
from belot_reference.roem import roem_by_trick, roem_of
from belot_reference.scoring import Settlement, Tally, settle
from belot_reference.sentences import say
from belot_reference.trace import ValuePart, rules_of_form
from belot_spec.card_names import CARD_NAMES, RANKS
from belot_spec.errors import nearest

Answering = Callable[[Ruleset, Json], Json]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question: a result or a refusal, and the ids of the rules that were consulted.

    ``form`` are the parts of the form of the table that were asked for, ``parts`` those of rules of which not all
    decided: with other values that agree in these the answer is the same.
    """

    result: Json | None
    rejected: Json | None
    rules: frozenset[str]
    form: frozenset[str] = frozenset()
    parts: frozenset[ValuePart] = frozenset()

    @property
    def rests_on(self) -> frozenset[str]:
        """The rules that were consulted, and those that decide what was asked of the form."""
        return self.rules | rules_of_form(self.form)

    def message(self) -> dict[str, Any]:
        """Return the part of a protocol reply that holds this answer."""
        return {"result": self.result} if self.rejected is None else {"rejected": self.rejected}


def answer(
    operation: str, rules: Ruleset, question: Json, *, well_formed: bool = False, can_be: bool = False
) -> Answer:
    """Answer a question of the protocol by a compiled profile.

    Raises ``BadQuestionError`` if the operation does not exist or the input is not what the protocol says. The form of
    a question that is known to be ``well_formed`` is not looked at, nor whether it can be at the table; of one that
    ``can_be`` by other rules only what hangs on the table is: how many seats and sides there are.
    """
    if operation not in OPERATIONS:
        raise BadQuestionError(f"there is no operation {operation}{nearest(operation, OPERATIONS)}")
    reading = Reading(rules)
    try:
        if can_be:
            check_table(reading, question)
        elif not well_formed:
            check_form(operation, reading, question)
        found = _answer(OPERATIONS[operation], reading, question)
        # What can be at the table is no part of what an answer rests on, unless there is none.
        if not (well_formed or can_be) and (error := why_impossible(rules, operation, question)) is not None:
            raise why_impossible(reading, operation, question) or error
    except BadQuestionError as error:
        error.rules, error.form, error.parts = frozenset(reading.read), frozenset(reading.asked), reading.parts
        raise
    return found


def result_of(operation: str, rules: Ruleset, question: Json, *, may_have_decimals: bool = True) -> Json | None:
    """Return the result of a question, ``None`` where there is none: what ``answer`` does, and nothing of why.

    Whoever knows that a question has no number with a decimal point need not have it looked for.
    """
    try:
        check_form(operation, rules, question, may_have_decimals=may_have_decimals)
        result = OPERATIONS[operation](rules, question)
    except (BadQuestionError, Refusal):
        return None
    return result if why_impossible(rules, operation, question) is None else None


def _answer(answering: Answering, reading: Reading, question: Json) -> Answer:
    try:
        result = answering(reading, question)
    except Refusal as refusal:
        place = {} if refusal.at is None else {"at": refusal.at}
        named = {} if refusal.rule is None else {"rule": refusal.rule}
        rejected = {**place, "reason": refusal.reason, **named}
        consulted = (reading.read.keys() | set(named.values())) & reading.profile.settings.keys()
        return Answer(None, rejected, frozenset(consulted), frozenset(reading.asked), reading.parts)
    return Answer(result, None, frozenset(reading.read), frozenset(reading.asked), reading.parts)


def _card_points(rules: Ruleset, question: Json) -> Json:
    mode = mode_named(rules, question["trump"])
    cards = cards_named(question["cards"])
    points = sum(rules.entry(mode.scales[suit_of(card)], RANKS[rank_of(card)]) for card in cards)
    last = rules.value("scoring.last-trick") if question.get("last_trick") else 0
    return {"points": points + last}


def _trick_winner(rules: Ruleset, question: Json) -> Json:
    cards = cards_named(question["cards"])
    if len(cards) != rules.players:
        raise BadQuestionError(
            say("whole-trick", of="cards", profile=rules.profile.id, n=rules.players, told=len(cards))
        )
    table = table_of(rules, mode_named(rules, question["trump"]), question["leader"], cards)
    return {"winner": winning_seat(rules, table)}


def _legal_cards(rules: Ruleset, question: Json) -> Json:
    mode, hand = mode_named(rules, question["trump"]), set_named(question["hand"])
    trick = cards_named(question["trick"])
    if trick and (len(trick) >= rules.players or card_set(trick) & hand):
        raise BadQuestionError(say("short-trick", of="trick"))
    legal = legal_cards(rules, mode, hand, table_of(rules, mode, 0, trick))
    refused = cards_in(hand & ~legal.cards)
    illegal = {CARD_NAMES[card]: refusing_rule(rules, mode, card, legal) for card in refused}
    return {"cards": names_of(legal.cards), "illegal": illegal}


def _declarations(rules: Ruleset, question: Json) -> Json:
    if "trump" in question and not worth_hangs_on_mode(rules):
        raise BadQuestionError(f"trump: in {rules.profile.id} declarations are worth the same whatever is trump")
    mode = mode_named(rules, question["trump"]) if "trump" in question else None
    found = possible_sets(rules, set_named(question["hand"]), mode)
    points = [worth(rules, together) for together in found]
    sets = [
        {"declarations": [names_of(declaration.cards) for declaration in together], "points": worth}
        for together, worth in zip(found, points, strict=True)
    ]
    return {"sets": sets, "best_points": max(points, default=0)}


def _compare_declarations(rules: Ruleset, question: Json) -> Json:
    mode = mode_named(rules, question["trump"])
    announced = [[declaration_named(rules, cards, mode) for cards in seat] for seat in question["announced"]]
    return _comparison_result(rules, question, announced)


def _compare_hands(rules: Ruleset, question: Json) -> Json:
    mode = mode_named(rules, question["trump"])
    announced = [counted_by_themselves(rules, hand, mode) for hand in hands_named(rules, question["hands"])]
    return _comparison_result(rules, question, announced)


def _comparison_result(rules: Ruleset, question: Json, announced: Sequence[Sequence[Declaration]]) -> Json:
    contract = DealContract(question.get("taker", UNTOLD), mode_named(rules, question["trump"]))
    return _fields(compare(rules, contract, question["leader"], announced))


def _belote(rules: Ruleset, question: Json) -> Json:
    mode, dealt = mode_named(rules, question["trump"]), set_named(question["hand"])
    held, calls, by_itself = dealt, NO_CALLS, question.get("announcing") == "automatic"
    for index, play in enumerate(question["plays"]):
        card = CARD_BY_NAME[play["card"]]
        royal = Royal(mode, dealt, held, card, _led(rules, play))
        if not holds(held, card):
            raise BadQuestionError(f"plays.{index}.card: {play['card']} is not in the hand any more")
        with refused_at(index):
            if holds(QUEENS, card) and holds_pair_of(mode, card, held) and waits_for_king(rules):
                raise IllegalCard("declarations.belote.order")
            if play.get("call") or (by_itself and need_call_belote(rules, royal)):
                calls = call_belote(rules, royal, calls)
        if calls_itself(rules, royal):
            calls = once_more(calls, card)
        held &= ~ONLY[card]
    return {"points": belote_points(rules, calls)}


def _roem(rules: Ruleset, question: Json) -> Json:
    cards = cards_named(question["cards"])
    if not rules.has_roem:
        raise BadQuestionError(f"in {rules.profile.id} nothing that meets in a trick earns points")
    if len(cards) != rules.players:
        raise BadQuestionError(
            say("whole-trick", of="cards", profile=rules.profile.id, n=rules.players, told=len(cards))
        )
    roem = roem_of(rules, mode_named(rules, question["trump"]), cards)
    return {"points": sum(roem), **roem._asdict()}


def _led(rules: Ruleset, play: Json) -> Suit | None:
    """Return the suit on which a card was thrown, ``None`` where that is not told and makes no difference."""
    if "led" in play and not rules.has_auction:
        raise BadQuestionError(f"led: in {rules.profile.id} belote is of the one suit that is trump, whatever is led")
    return suit_named(play["led"]) if "led" in play else None


def _bidding(rules: Ruleset, question: Json) -> Json:
    turn_up = suit_of(CARD_BY_NAME[question["turn_up"]]) if "turn_up" in question else None
    check_turn_up(rules, turn_up is not None)
    bidding = start_bidding(rules, question["dealer"], turn_up)
    for index, said in enumerate(question["bids"]):
        try:
            with refused_at(index):
                name, seat = said_bid(said)
                if seat is not None and not may_speak_out_of_turn(rules):
                    raise BadQuestionError(f"bids.{index}: in {rules.profile.id} nobody doubles out of turn")
                bidding = bid(rules, bidding, bid_named(name), seat)
        except BadQuestionError as error:
            raise within(error, f"bids.{index}", "bid") from None
    return _bidding_result(rules, bidding)


def _bidding_result(rules: Ruleset, bidding: Bidding) -> dict[str, Any]:
    if bidding.state == "failed":
        return {"state": "failed"}
    if (taken := bidding.contract) is not None:
        raised = {**taken.bid_json(), "raised": taken.raised}
        how = raised if rules.has_auction else {"round": bidding.node.round}
        return {"state": "taken", "taker": taken.taker, "trump": taken.mode.name, **how}
    choices = [bid_name(choice) for choice in bid_choices(rules, bidding)]
    return {"state": "open", "turn": bidding.turn, "choices": choices}


def _deal(rules: Ruleset, question: Json) -> Json:
    dealt = deal_before_bidding(rules, question["dealer"], shuffled_and_cut(rules, question))
    result: dict[str, Any] = {
        "cutter": cutter(rules, question["dealer"]),
        "before": [names_of(hand) for hand in dealt.hands],
        "turn_up": None if dealt.turn_up is None else CARD_NAMES[dealt.turn_up],
    }
    hands = deal_after_bidding(rules, dealt, question["taker"])
    if dealt.piles:
        result["piles"] = [[[CARD_NAMES[card] for card in pile] for pile in piles] for piles in dealt.piles]
    else:
        result["hands"] = [names_of(hand) for hand in hands]
        result["untouched"] = [names_of(cards) for cards in untouched_cards(rules, dealt)]
    return result


def settle_sums(rules: Ruleset, question: Json) -> tuple[DealContract, list[Tally], Settlement]:
    """Return the contract of a deal that is told by its sums, what each side brings in, and the settlement."""
    if question["taker"] >= rules.players or len(question["sides"]) != rules.side_count:
        raise BadQuestionError(f"{rules.profile.id} has {rules.players} seats and {rules.side_count} sides")
    tallies = [Tally(**side) for side in question["sides"]]
    if (winner := question.get("last_trick")) is not None:
        if winner >= rules.side_count:
            raise BadQuestionError(f"last_trick: {rules.profile.id} has {rules.side_count} sides")
        bonus = last_trick_bonus(rules, [tally.tricks for tally in tallies])
        tallies[winner] = replace(tallies[winner], cards=tallies[winner].cards + bonus)
    contract = contract_of_sums(rules, question)
    return contract, tallies, settle(rules, contract, tallies)


def _fields(found: Settlement | Line | Comparison) -> dict[str, Any]:
    """Return what the engine found as the protocol writes it: each field by its name, with lists for tuples."""
    told = {name: getattr(found, name) for name in _TOLD[type(found)]}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}


_TOLD: Final[Mapping[type[object], tuple[str, ...]]] = {
    kind: tuple(one.name for one in fields(kind) if one.compare) for kind in (Settlement, Line, Comparison)
}


def _score_deal(rules: Ruleset, question: Json) -> Json:
    return _fields(settle_sums(rules, question)[-1])


def _settle_tricks(rules: Ruleset, question: Json) -> Json:
    points, tricks, tallies, settlement = settle_tricks(rules, question)
    mode = mode_named(rules, question["trump"])
    won = _tricks_told(tricks, points, roem_by_trick(rules, mode, tricks))
    return {"tricks": won, "cards": [one.cards for one in tallies], **_fields(settlement)}


def _tricks_told(tricks: Sequence[CompletedTrick], points: Sequence[int], roem: Sequence[int]) -> list[Json]:
    """Return who won each trick and its card points, with its roem where there is any to be had."""
    told: list[Json] = [{"winner": trick.winner, "points": own} for trick, own in zip(tricks, points, strict=True)]
    return [{**one, "roem": own} for one, own in zip(told, roem, strict=True)] if roem else told


def _match(rules: Ruleset, question: Json) -> Json:
    match = start_match(rules, question["dealer"])
    totals, held = tuple(question.get("totals", match.totals)), question.get("held", 0)
    if held and not _may_hold(rules):
        raise BadQuestionError(f"held: no points are ever held in {rules.profile.id}")
    match = Match(match.dealer, totals, held, winner=won_before(rules, totals, held))
    if "played" in question and not rules.has_set_length:
        raise BadQuestionError(say("no-played", of="played", profile=rules.profile.id))
    if rules.has_set_length:
        match = ended_by_length(rules, replace(match, played=question.get("played", 0)))
    lines = []
    for index, deal in enumerate(question["deals"]):
        with refused_at(index):
            match, line = _book(rules, match, deal)
        lines.append(_fields(line))
    return {
        "deals": lines,
        "winner": match.winner,
        "surplus": surplus(rules, match),
        "next_dealer": None if match.is_over else match.dealer,
    }


def _may_hold(rules: Ruleset) -> bool:
    by_tie = rules.value_or("scoring.held-points", None) is not None
    return by_tie or rules.value_or("scoring.bid-tie", None) == "taker-held"


def _book(rules: Ruleset, match: Match, deal: Json) -> tuple[Match, Line]:
    if "scored" in deal:
        contract, tallies, settlement = settle_sums(rules, deal["scored"])
        return book_settlement(rules, match, settlement, contract, tallies)
    if "passed" in deal:
        return book_failed_deal(rules, match)
    told = deal["accusation"]
    mode = mode_named(rules, told["trump"]) if "trump" in told else None
    accusation = Accusation(told["by"], told["of"], told["proved"], told.get("declared", 0), mode)
    return book_accusation(rules, match, accusation)


def _penalty(rules: Ruleset, question: Json) -> Json:
    hands, plays = hands_named(rules, question["hands"]), cards_named(question["plays"])
    state = start_play(rules, mode_named(rules, question["trump"]), hands, question["leader"])
    accuser, accused = question["accuser"], question["accused"]
    at, penalty = judge_accusation(rules, state, plays, accuser, accused, question.get("declared", 0))
    return {"proved": at is not None, "at": at, "ends_deal": penalty.ends_deal, "score": list(penalty.score)}


def _replay(rules: Ruleset, question: Json) -> Json:
    if "tricks" in question:
        return _replay_tricks(rules, question)
    actions = actions_of(question["actions"])
    automatic = question.get("announcing") == "automatic"
    state = apply_all(rules, open_deal(rules, question), actions, automatic=automatic)
    if state.ended == "played":
        return _played_result(rules, state, count_deal(rules, state))
    won = {} if state.ended == "passed" else {"winner": state.winner}
    return {"ended": state.ended, **won, **({"taken": state.taken} if state.ended == "claim" else {})}


def _replay_tricks(rules: Ruleset, question: Json) -> Json:
    try:
        return _replay(rules, deal_of_tricks(question, rules.players))
    except Refusal as refusal:
        # Only cards are counted here, and laying away, which comes first, is none.
        refusal.at = max(0, (refusal.at or 0) - ("discarded" in question))
        raise


def _played_result(rules: Ruleset, state: DealState, count: Count) -> dict[str, Any]:
    assert state.play is not None
    return {
        "ended": "played",
        "taker": state.contract.taker,
        "trump": state.contract.mode.name,
        **({**state.contract.bid_json(), "raised": state.contract.raised} if rules.has_auction else {}),
        "tricks": _tricks_told(state.play.tricks, count.trick_points, count.trick_roem),
        **{kind: count.of_sides(kind) for kind in ("cards", "declarations", "outranked", "belote")},
        **_fields(count.settlement),
    }


def _perft(rules: Ruleset, question: Json) -> Json:
    plays, start = opened(rules, question)
    return {"count": plays.count(start, question["depth"])}


def know(operation: str, answering: Answering) -> None:
    """Have the engine answer one operation more; raises ``ValueError`` for one that it answers otherwise."""
    if OPERATIONS.setdefault(operation, answering) is not answering:
        raise ValueError(f"the operation {operation} is answered already")


OPERATIONS: Final[dict[str, Answering]] = {
    "card-points": _card_points,
    "trick-winner": _trick_winner,
    "legal-cards": _legal_cards,
    "declarations": _declarations,
    "compare-declarations": _compare_declarations,
    "compare-hands": _compare_hands,
    "belote": _belote,
    "roem": _roem,
    "bidding": _bidding,
    "deal": _deal,
    "score-deal": _score_deal,
    "settle-tricks": _settle_tricks,
    "match": _match,
    "penalty": _penalty,
    "replay": _replay,
    "perft": _perft,
}
