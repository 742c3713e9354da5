"""The protocol's operations: questions and answers as plain JSON values, put to the engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_reference.bidding import BID_RULES, Bidding, bid, may_pass, offered_suits, start_bidding
from belot_reference.cards import (
    CARD_BY_NAME,
    CARD_NAMES,
    SUITS,
    Card,
    CardSet,
    Suit,
    card_at,
    card_set,
    names_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.dealing import (
    CUT_RULES,
    DEAL_RULES,
    cut_deck,
    cutter,
    deal_after_bidding,
    deal_before_bidding,
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
from belot_reference.errors import BadQuestionError, CardNotHeld, IllegalCard, Refusal, nearest
from belot_reference.match import Match, book_accusation, book_failed_deal, book_settlement, start_match
from belot_reference.penalties import judge_accusation
from belot_reference.play import (
    LEGAL_RULES,
    QUEEN,
    TRICK_RULES,
    holds_belote,
    legal_cards,
    table_of,
)
from belot_reference.replay import (
    Action,
    BidAction,
    ClaimAction,
    LookAction,
    PlayAction,
    RefusedAt,
    apply_all,
    count_deal,
    start_deal,
)
from belot_reference.schemas import explain, is_valid
from belot_reference.scoring import Settlement, Tally, settle

Json = Mapping[str, Any]

_SEATS: Final = frozenset(("leader", "dealer", "taker", "accuser", "accused"))
_PER_SEAT: Final = frozenset(("announced", "hands"))
_PER_SIDE: Final = frozenset(("sides", "totals"))


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
    seated = _check_input(operation, rules, question)
    try:
        result, consulted = OPERATIONS[operation](rules, question)
    except RefusedAt as refused:
        return _rejected(rules, refused.refusal, refused.rules | seated, refused.at)
    except Refusal as refusal:
        return _rejected(rules, refusal, refusal.consulted | seated, None)
    return Answer(result, None, (frozenset(consulted) | seated) & rules.profile.settings.keys())


def _rejected(rules: Ruleset, refusal: Refusal, consulted: frozenset[str], at: int | None) -> Answer:
    place = {} if at is None else {"at": at}
    rejected = {**place, "reason": refusal.reason, "rule": refusal.rule}
    return Answer(None, rejected, consulted & rules.profile.settings.keys())


def _check_input(operation: str, rules: Ruleset, question: Json) -> frozenset[str]:
    """Check a question's form; return the rules that say how many seats and sides it may speak of."""
    definition = f"{operation}-input"
    if not is_valid(question, "protocol-operations", definition):
        faults = explain(question, "protocol-operations", definition)
        shown = "; ".join(f"{'.'.join(str(part) for part in path) or 'input'}: {text}" for path, text in faults)
        raise BadQuestionError(f"the input of {operation} is not right: {shown}")
    for key in _SEATS & question.keys():
        if question[key] >= rules.players:
            raise BadQuestionError(f"{key}: {rules.profile.id} has seats 0 to {rules.players - 1}, not {question[key]}")
    for key in _PER_SEAT & question.keys():
        if len(question[key]) != rules.players:
            raise BadQuestionError(f"{key}: one list per seat, {rules.players} in {rules.profile.id}")
    for key in _PER_SIDE & question.keys():
        if len(question[key]) != rules.side_count:
            raise BadQuestionError(f"{key}: one per side, {rules.side_count} in {rules.profile.id}")
    seated = {"deal.players"} if (_SEATS | _PER_SEAT) & question.keys() else set()
    return frozenset(seated | ({"deal.players", "deal.sides"} if _PER_SIDE & question.keys() else set()))


def _cards(names: Sequence[str]) -> list[Card]:
    return [CARD_BY_NAME[name] for name in names]


def _set(names: Sequence[str]) -> CardSet:
    return card_set(_cards(names))


def _suit(name: str) -> Suit:
    return SUITS.index(name)


Outcome = tuple[dict[str, Any], Sequence[str] | frozenset[str]]


def _card_points(rules: Ruleset, question: Json) -> Outcome:
    trump = _suit(question["trump"])
    cards = _cards(question["cards"])
    points = rules.points_of(trump, card_set(cards))
    kinds = {"scoring.trump-points" if suit_of(card) == trump else "scoring.plain-points" for card in cards}
    if question.get("last_trick"):
        points += rules.value("scoring.last-trick")
        kinds.add("scoring.last-trick")
    return {"points": points}, frozenset(kinds)


def _trick_winner(rules: Ruleset, question: Json) -> Outcome:
    cards = _cards(question["cards"])
    if len(cards) != rules.players:
        raise BadQuestionError(f"cards: a trick of {rules.profile.id} has {rules.players} cards, not {len(cards)}")
    table = table_of(rules, _suit(question["trump"]), question["leader"], cards)
    return {"winner": table.winner}, TRICK_RULES


def _legal_cards(rules: Ruleset, question: Json) -> Outcome:
    trump, hand = _suit(question["trump"]), _set(question["hand"])
    trick = _cards(question["trick"])
    if len(trick) >= rules.players or card_set(trick) & hand:
        raise BadQuestionError("trick: fewer cards than players, and none that is in the hand")
    table = table_of(rules, trump, 0, trick)
    legal = legal_cards(rules, trump, hand, table)
    consulted = {legal.rule, *(LEGAL_RULES if trick else ())}
    if holds_belote(trump, hand):
        consulted.add("declarations.belote.order")
    return {"cards": names_of(legal.cards)}, frozenset(consulted)


def _declarations(rules: Ruleset, question: Json) -> Outcome:
    found = possible_sets(rules, _set(question["hand"]))
    points = [sum(declaration.points for declaration in together) for together in found]
    sets = [
        {"declarations": [names_of(declaration.cards) for declaration in together], "points": worth}
        for together, worth in zip(found, points, strict=True)
    ]
    return {"sets": sets, "best_points": max(points, default=0)}, FIND_RULES


def _compare_declarations(rules: Ruleset, question: Json) -> Outcome:
    announced = [[identify(rules, _set(cards)) for cards in seat] for seat in question["announced"]]
    found = compare(rules, _suit(question["trump"]), question["leader"], announced)
    return {"winner": found.winner, "points": list(found.points), "wins_match": found.wins_match}, found.rules


def _belote(rules: Ruleset, question: Json) -> Outcome:
    trump, dealt = _suit(question["trump"]), _set(question["hand"])
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


def _bid_of(said: str) -> Suit | None:
    return None if said == "pass" else _suit(said)


def _bidding(rules: Ruleset, question: Json) -> Outcome:
    turn_up = suit_of(CARD_BY_NAME[question["turn_up"]]) if "turn_up" in question else None
    _need_turn_up(rules, turn_up is not None)
    bidding = start_bidding(rules, question["dealer"], turn_up)
    for index, said in enumerate(question["bids"]):
        try:
            bidding = bid(rules, bidding, _bid_of(said))
        except Refusal as refusal:
            raise RefusedAt(index, refusal, frozenset(BID_RULES)) from refusal
    return _bidding_result(rules, bidding), BID_RULES


def _need_turn_up(rules: Ruleset, given: bool) -> None:
    wanted = rules.value("deal.turn-up") != "none"
    if given != wanted:
        raise BadQuestionError(f"turn_up: {rules.profile.id} {'needs' if wanted else 'has no'} turn-up")


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
    choices = [SUITS[suit] for suit in offered_suits(rules, bidding)]
    if may_pass(rules, bidding):
        choices.insert(0, "pass")
    return {"state": "open", "turn": bidding.turn, "choices": choices}


def _full_deck(rules: Ruleset, names: Sequence[str]) -> list[Card]:
    deck = _cards(names)
    if card_set(deck) != rules.deck:
        wanted = rules.deck.bit_count()
        raise BadQuestionError(f"deck: {rules.profile.id} has {wanted} cards, each once; here are {len(deck)}")
    return deck


def _deal(rules: Ruleset, question: Json) -> Outcome:
    deck = cut_deck(rules, _full_deck(rules, question["deck"]), question.get("cut"))
    dealt = deal_before_bidding(rules, question["dealer"], deck)
    hands = deal_after_bidding(rules, dealt, question["taker"])
    return {
        "cutter": cutter(rules, question["dealer"]),
        "before": [names_of(hand) for hand in dealt.hands],
        "turn_up": None if dealt.turn_up is None else CARD_NAMES[dealt.turn_up],
        "hands": [names_of(hand) for hand in hands],
    }, (*DEAL_RULES, *CUT_RULES)


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


def _match(rules: Ruleset, question: Json) -> Outcome:
    match = start_match(rules, question["dealer"])
    match = Match(match.dealer, tuple(question.get("totals", match.totals)), question.get("held", 0))
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
                match, line = book_accusation(rules, match, told["by"], told["of"], told["proved"])
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
    return {
        "deals": lines,
        "winner": match.winner,
        "next_dealer": None if over else match.dealer,
    }, match.rules


def _penalty(rules: Ruleset, question: Json) -> Outcome:
    try:
        verdict = judge_accusation(
            rules,
            _suit(question["trump"]),
            question["leader"],
            _hands(rules, question["hands"]),
            _cards(question["plays"]),
            question["accuser"],
            question["accused"],
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


def _hands(rules: Ruleset, named: Sequence[Sequence[str]]) -> list[CardSet]:
    hands = [_set(cards) for cards in named]
    together = 0
    for hand in hands:
        if together & hand:
            raise BadQuestionError(f"hands: {', '.join(names_of(together & hand))} is in two hands")
        together |= hand
    if len({hand.bit_count() for hand in hands}) != 1:
        raise BadQuestionError("hands: every hand holds the same number of cards")
    return hands


def _action(data: Json) -> Action:
    seat = data["seat"]
    if "bid" in data:
        return BidAction(seat, _bid_of(data["bid"]))
    if "look" in data:
        return LookAction(seat, data["look"])
    if "claim" in data:
        return ClaimAction(seat)
    announce = tuple(_set(cards) for cards in data.get("announce", ()))
    return PlayAction(seat, CARD_BY_NAME[data["play"]], announce, data.get("belote", False), data.get("show", False))


def _replay(rules: Ruleset, question: Json) -> Outcome:
    totals = question.get("totals", (0,) * rules.side_count)
    dealer = question["dealer"]
    if "deck" in question:
        deck = cut_deck(rules, _full_deck(rules, question["deck"]), question.get("cut"))
        state = start_deal(rules, dealer, totals, dealt=deal_before_bidding(rules, dealer, deck))
    else:
        _need_turn_up(rules, "turn_up" in question)
        turn_up = CARD_BY_NAME[question["turn_up"]] if "turn_up" in question else None
        state = start_deal(rules, dealer, totals, hands=_hands(rules, question["hands"]), turn_up=turn_up)
    state = apply_all(rules, state, [_action(action) for action in question["actions"]])
    cut_rules = frozenset(CUT_RULES if "deck" in question else ())
    if state.ended == "passed":
        return {"ended": "passed"}, state.rules | cut_rules
    if state.ended == "belot":
        return {"ended": "belot", "winner": state.winner}, state.rules | cut_rules
    if state.ended == "claim":
        return {"ended": "claim", "winner": state.winner, "taken": state.taken}, state.rules | cut_rules
    count = count_deal(rules, state)
    assert state.play is not None
    result = {
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
    return result, count.rules | cut_rules


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
