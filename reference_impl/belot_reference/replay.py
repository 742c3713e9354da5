"""A whole deal: played again as it was recorded, told by its tricks alone, or recorded as players choose."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from belot_reference.action import (
    CARD_OF_PLAIN,
    Action,
    announce_action,
    bid_action,
    card_action,
    discard_action,
)
from belot_reference.belote import Royal, calls_itself, need_call_belote, royal_now
from belot_reference.bidding import bid_choices, bid_on
from belot_reference.bids import Bid, bid_named
from belot_reference.cards import CARD_BY_NAME, NO_CARDS, ONLY, Card, CardSet, cards_in, names_of, suit_of, union
from belot_reference.compile import Ruleset
from belot_reference.counting import cards_won
from belot_reference.deal import DealState, open_deal
from belot_reference.declarations import Declaration, compare, counted_by_themselves, identify, possible_sets, worth
from belot_reference.errors import BadQuestionError, NotADeclaration, Refusal, Unfinished, within
from belot_reference.mode import QUEENS, Mode
from belot_reference.play import (
    CompletedTrick,
    PlayState,
    holds_belote,
    legal_now,
    waits_for_king,
)
from belot_reference.questions import Json, check_in_deck, contract_named, set_named
from belot_reference.roem import roem_to_call, roem_won
from belot_reference.scoring import Settlement, Tally, settle
from belot_reference.sentences import say
from belot_reference.tricks import Duty
from belot_reference.turn import (
    after_bids,
    announces_apart,
    announces_itself,
    announces_with_card,
    apply_action,
    awaits_call,
    ending,
    makeable,
    may_exchange,
    may_show,
    must_discard,
)
from belot_spec.card_names import CARD_NAMES


def apply_all(rules: Ruleset, state: DealState, actions: Sequence[Action], *, automatic: bool = False) -> DealState:
    """Return the deal after a whole recording; where that is ``automatic``, only bids and cards are told.

    Raises a ``Refusal`` of the first action that is not allowed, with its index in ``at``; that is the number of
    actions if the recording stops early.
    """
    apply, index = apply_automatically if automatic else apply_action, 0
    cards = [] if automatic else [*map(CARD_OF_PLAIN.get, map(id, actions))]
    try:
        bidding = bid_on(rules, state.bidding, _bids_of(actions))
        if made := len(bidding.bids) - len(state.bidding.bids):
            index = made - 1
            state = after_bids(rules, state, bidding)
            index = made
        while index < len(actions):
            state, after = _play_plain_cards(rules, state, actions, cards, index) if cards else (state, index)
            if after == index:
                state = apply(rules, state, actions[index])
                after += 1
            index = after
        if automatic:
            state = _announced(rules, state)
        if awaits_call(state):
            state = state._replace(ended="played")
        if state.ended is None:
            raise Unfinished
    except Refusal as refusal:
        refusal.at = index
        raise
    except BadQuestionError as error:
        raise within(error, f"actions.{index}") from None
    return state


def _bids_of(actions: Sequence[Action]) -> Iterator[tuple[int, Bid]]:
    """Yield the bids that actions begin with, each with its seat."""
    for action in actions:
        if action.bid is None:
            return
        yield action.seat, bid_named(action.bid)


def _play_plain_cards(  # noqa: C901  # most of what replaying costs: no function is called for each card
    rules: Ruleset, state: DealState, actions: Sequence[Action], cards: Sequence[Card | None], start: int
) -> tuple[DealState, int]:
    """Play legal cards with which nothing is said or shown, as many as follow one another.

    What ``apply_action`` would do, without a state for each card: most actions of a deal are such cards. Stops before
    any other action, and before one that is not allowed.
    """
    play = state.play
    if play is None or cards[start] is None or state.ended:
        return state, start
    if not (play.cards or play.tricks) and (must_discard(rules, state) or announces_itself(rules, play)):
        return state, start
    duties: dict[str, Duty] = {}
    royals, waiting, king_first, players = union(play.mode.pairs), False, rules.king_first, rules.players
    mode, turn, node, trick = play.mode, play.turn, play.node, play.cards
    hands, tricks, index, covered = [*play.hands], [*play.tricks], start, state.covered
    successors = [*range(1, players), 0]
    # What ``legal_now`` and ``force_card`` do, without a value of its own for each card.
    for index in range(start, len(cards)):
        card = cards[index]
        if card is None or actions[index].seat != turn or not (hand := hands[turn]):
            break
        held, only = hand, ONLY[card]
        if king_first:
            for pair in mode.pairs:
                if hand & pair == pair:
                    held ^= pair & QUEENS
        duty = node.following if held & node.led_suit else node.void
        legal = NO_CARDS
        for binds, allowed in duty.rungs:
            if held & binds:
                legal = held & allowed
                break
        if not legal & only:
            break
        if hand & royals and holds_belote(mode, hand):
            led, taking = suit_of(node.best_led) if node.count else None, rules.partners(turn, state.contract.taker)
            if calls_itself(rules, Royal(mode, state.hands[turn], hand, card, led, taking)):
                break
            waiting = True
        duties[duty.rule] = duty
        hands[turn] = hand ^ only
        if covered and (turned := covered.get(card)) is not None:
            hands[turn] |= ONLY[turned]
        trick, node = (*trick, card), node.next[card] or rules.tricks.after(node, card)
        turn = successors[turn]
        if node.count == players:
            leader, turn = turn, (turn + node.winner) % players
            tricks.append(CompletedTrick(leader, trick, turn))
            trick, node = (), mode.root
    else:
        index = len(cards)
    if index == start:
        return state, start
    play = PlayState(mode, tuple(hands), turn, trick, node, tuple(tricks))
    for duty in duties.values():
        rules.note(duty.read)
    if waiting:
        waits_for_king(rules)
    return state.played_on(play, ending(rules, state, play)), index


# Where nobody has to say anything: each seat announces, shows and says belote by itself, when it may.


def apply_automatically(rules: Ruleset, state: DealState, action: Action) -> DealState:
    """Return the deal after a bid or a card, with all that everybody may announce, show and say along with it."""
    if action.play is None:
        return apply_action(rules, state, action)
    state = _announced(rules, state)
    if state.play is None or state.ended is not None or action.seat != state.play.turn:
        return apply_action(rules, state, action)
    return apply_action(rules, state, with_all_said(rules, state, state.play, CARD_BY_NAME[action.play]))


def _announced(rules: Ruleset, state: DealState) -> DealState:
    """Let every seat announce before the first lead, where the rules want it then, or the roem of a trick be called."""
    play = state.play
    if play is not None and state.ended is None and (points := roem_to_call(rules, play, state.called)):
        return apply_action(rules, state, Action(seat=play.turn, roem=points))
    if play is None or state.ended or state.heard or must_discard(rules, state) or not announces_apart(rules, play):
        return state
    for step in range(rules.players):
        seat = (play.turn + step) % rules.players
        found = counted_by_themselves(rules, play.hands[seat], play.mode)
        if found and state.ended is None:
            cards = tuple(declaration.cards for declaration in found)
            state = apply_action(rules, state, announce_action(seat, cards))
    return state


def with_all_said(rules: Ruleset, state: DealState, play: PlayState, card: Card) -> Action:
    """Return a card of the player to move with all that may be said, shown and made with it."""
    seat = play.turn
    announce: tuple[CardSet, ...] = ()
    if not play.tricks and announces_with_card(rules, play):
        found = counted_by_themselves(rules, play.hands[seat], play.mode)
        announce = tuple(declaration.cards for declaration in found)
    belote = need_call_belote(rules, royal_now(rules, play, state.hands[seat], card, state.contract.taker))
    show = may_show(rules, state, play, announces=bool(announce))
    return card_action(seat, card, announce, belote, show, makeable(rules, state, play, card))


# Told by its tricks alone: who led, the cards in the order played, and who won.


def settle_tricks(rules: Ruleset, question: Json) -> tuple[list[int], list[CompletedTrick], list[Tally], Settlement]:
    """Return the points of each trick, the tricks, what each side brings in, and the settlement of a deal.

    Whether the cards were legal is not looked at. Raises ``BadQuestionError`` for tricks that no deal can have.
    """
    contract = contract_named(rules, question)
    discarded = set_named(question.get("discarded", ()))
    tricks = _tricks_named(rules, contract.mode, question["tricks"])
    _check_whole_deal(rules, tricks, discarded)
    sides = sides_told(rules, question)
    points, cards, won = cards_won(rules, contract, tricks, discarded)
    tallies = [Tally(cards[side], won[side], **told) for side, told in enumerate(sides)]
    if rules.has_roem:
        roem = roem_won(rules, contract.mode, tricks)
        tallies = [replace(tally, declarations=own) for tally, own in zip(tallies, roem, strict=True)]
    return points, tricks, tallies, settle(rules, contract, tallies)


def sides_told(rules: Ruleset, question: Json) -> list[dict[str, int]]:
    """Return what each side of a deal told by its tricks has beside its cards: as told, or by what was announced."""
    sides = [dict(side) for side in question.get("sides", ({},) * rules.side_count)]
    if "announced" not in question:
        return sides
    if any(side.keys() - {"belote"} for side in sides):
        raise BadQuestionError("sides: beside announced they tell belote alone; what counts follows from it")
    contract, leader = contract_named(rules, question), question["tricks"][0]["leader"]
    announced = [[declaration_named(rules, cards, contract.mode) for cards in own] for own in question["announced"]]
    found = compare(rules, contract, leader, announced)
    if found.wins_match:
        raise BadQuestionError(f"announced: in {rules.profile.id} it ends the match, and no deal is counted")
    for seat, points in enumerate(found.points):
        side, own = sides[rules.side_of[seat]], worth(rules, announced[seat])
        side["declarations"] = side.get("declarations", 0) + points
        side["outranked"] = side.get("outranked", 0) + own - points
    return [{kind: points for kind, points in side.items() if points} for side in sides]


def declaration_named(rules: Ruleset, cards: Sequence[str], mode: Mode) -> Declaration:
    """Return the declaration that some cards are; raises ``BadQuestionError`` for cards that are none."""
    try:
        return identify(rules, set_named(cards), mode)
    except NotADeclaration as refusal:
        shown = " ".join(names_of(set_named(cards)))
        raise BadQuestionError(f"announced: {shown} is no declaration") from refusal


def deal_of_tricks(question: Json, players: int) -> dict[str, Any]:
    """Return a question of ``replay`` that is told by its tricks as one with hands: what each seat played it held.

    Whoever is told so announces by itself. The cards laid away come first.
    """
    discarded = question.get("discarded", [])
    hands: list[list[str]] = [list(discarded) if seat == question["taker"] else [] for seat in range(players)]
    actions: list[Json] = [{"seat": question["taker"], "discard": discarded}] if discarded else []
    for trick in question["tricks"]:
        for step, card in enumerate(trick["cards"]):
            seat = (trick["leader"] + step) % players
            hands[seat].append(card)
            actions.append({"seat": seat, "play": card})
    rest = {key: value for key, value in question.items() if key not in ("tricks", "discarded")}
    return {**rest, "hands": hands, "actions": actions, "announcing": "automatic"}


def _tricks_named(rules: Ruleset, mode: Mode, told: Sequence[Json]) -> list[CompletedTrick]:
    tricks: list[CompletedTrick] = []
    players, graph, named = rules.players, rules.tricks, CARD_BY_NAME.__getitem__
    for index, trick in enumerate(told):
        cards, leader = tuple(map(named, trick["cards"])), trick["leader"]
        if not 0 <= leader < players:
            rules.check_seat(f"tricks.{index}.leader", leader)
        if len(cards) != players:
            of = f"tricks.{index}.cards"
            raise BadQuestionError(
                say("whole-trick", of=of, profile=rules.profile.id, n=rules.players, told=len(cards))
            )
        if tricks and leader != tricks[-1].winner:
            raise BadQuestionError(say("leads-next", of=f"tricks.{index}.leader", n=tricks[-1].winner))
        node = mode.root
        for card in cards:
            node = node.next[card] or graph.after(node, card)
        tricks.append(CompletedTrick(leader, cards, (leader + node.winner) % players))
    return tricks


def _check_whole_deal(rules: Ruleset, tricks: Sequence[CompletedTrick], discarded: CardSet) -> None:
    """Refuse tricks that are not those of a whole deal: their number, each card once, and the cards laid away."""
    known = discarded
    for index, trick in enumerate(tricks):
        for card in trick.cards:
            if known >> card & 1:
                raise BadQuestionError(say("played-twice", of=f"tricks.{index}.cards", card=CARD_NAMES[card]))
            known |= ONLY[card]
    check_in_deck(rules, known)
    if len(tricks) != rules.hand_size:
        values = {"n": rules.hand_size, "told": len(tricks)}
        raise BadQuestionError(say("all-tricks", of="tricks", profile=rules.profile.id, **values))
    wanted = rules.value_or("deal.taker-discards", 0)
    if discarded.bit_count() != wanted:
        raise BadQuestionError(say("lays-away", of="discarded", profile=rules.profile.id, n=wanted))


# Recording.


# How many chances a pass has, at least, and where players bid over one another for each other choice.
_LEAST_PASSES: Final = 2
PASSES_PER_CHOICE: Final = 2

Chooser = Callable[[Sequence[Any]], Any]
Thought = Callable[[Ruleset, DealState, Sequence[Any]], Sequence[Any]]


def everything(rules: Ruleset, state: DealState, choices: Sequence[Any]) -> Sequence[Any]:
    """Leave a player every choice that the rules leave him."""
    return choices


@dataclass(frozen=True, slots=True)
class Habits:
    """What players do where the rules leave it to them. Of each ``forgets`` one time in that number, 0 for never.

    ``considers`` narrows the bids, and later the cards, that a player picks from; ``claims`` makes whoever may say
    *enough* between two tricks say so.
    """

    forgets_to_announce: int = 0
    forgets_to_show: int = 0
    forgets_belote: int = 0
    claims: bool = False
    considers: Thought = everything


ATTENTIVE: Final = Habits()


def shuffled(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a shuffled deck and where it is cut, as ``replay`` takes them."""
    deck = [CARD_NAMES[card] for card in cards_in(rules.deck)]
    random.shuffle(deck)
    least = rules.value("deal.cut-minimum")
    return {"deck": deck, "cut": random.randint(least, len(deck) - least)}


def opening(dealer: int, deck: Sequence[Card], cut: int, totals: Sequence[int] = ()) -> dict[str, Any]:
    """Return the beginning of a deal as ``replay`` takes it: the deck as it lies before the cut, and the totals."""
    before = {"totals": list(totals)} if totals else {}
    return {"dealer": dealer, **before, "deck": [CARD_NAMES[card] for card in deck], "cut": cut}


def record_deal(
    rules: Ruleset, beginning: Mapping[str, Any], choose: Chooser, habits: Habits = ATTENTIVE
) -> tuple[dict[str, Any], DealState]:
    """Play a deal to its end; ``choose`` picks one of a list wherever there is a choice.

    ``beginning`` is the deal as ``replay`` takes it, but for its actions. Returns the whole input of that operation and
    the final state. Unless the habits say otherwise, players announce all that one of their largest sets allows, show
    in time and say belote whenever they may; they never claim. Nobody looks back.
    """
    state = open_deal(rules, beginning)
    actions: list[dict[str, Any]] = []
    while state.ended is None:
        action = next_action(rules, state, choose, habits)
        actions += [] if action.silent else [action.to_json()]
        state = apply_action(rules, state, action)
    return {**beginning, "actions": actions}, state


def next_action(rules: Ruleset, state: DealState, choose: Chooser, habits: Habits = ATTENTIVE) -> Action:
    """Return a legal action for the player whose turn it is, or a claim between two tricks."""
    if state.play is None:
        bidding = state.bidding
        choices = bid_choices(rules, bidding)
        return bid_action(bidding.turn, choose(habits.considers(rules, state, weighed_bids(rules, choices))))
    taker = state.bidding.taker
    if taker is not None and must_discard(rules, state):
        number: int = rules.given("deal.taker-discards")
        return discard_action(taker, choose_cards(state.play.hands[taker], number, choose))
    for seat in range(rules.players):
        if state.dealt is not None and may_exchange(rules, state, state.play, seat):
            return Action(seat=seat, exchange=True)
    points, turn = roem_to_call(rules, state.play, state.called), state.play.turn
    if points and not _forgets(habits.forgets_belote, choose):
        return Action(seat=turn, roem=points)
    if awaits_call(state):
        return Action(seat=turn, silent=True)
    announcement = _announcement(rules, state, state.play, choose, habits)
    if announcement is not None:
        return announcement
    claim = _claim(rules, state, state.play) if habits.claims else None
    return claim or _play(rules, state, state.play, choose, habits)


def weighed_bids(rules: Ruleset, choices: Sequence[Bid]) -> Sequence[Bid]:
    """Return what may be said, with the pass as often as it has chances: players are not in a hurry to take.

    Where they bid over one another it has twice the chances of everything else, or all would bid to the top.
    """
    if None not in choices:
        return choices
    others = choices[1:]
    passes = PASSES_PER_CHOICE * len(others) if rules.has_auction else 0
    return [*others, *([None] * max(_LEAST_PASSES, passes))]


def _announcement(rules: Ruleset, state: DealState, play: PlayState, choose: Chooser, habits: Habits) -> Action | None:
    """Return what the next player who announces before the first lead announces; ``None`` if nobody does any more."""
    if not announces_apart(rules, play):
        return None
    for step in range(state.heard, rules.players):
        seat = (play.turn + step) % rules.players
        declarations = _declarations(rules, state.hands[seat], choose, habits)
        if declarations:
            return announce_action(seat, declarations)
    return None


def _declarations(rules: Ruleset, hand: CardSet, choose: Chooser, habits: Habits) -> tuple[CardSet, ...]:
    """Return what a player announces from a hand: one of the largest sets, or nothing if he forgets."""
    found = tuple(declaration.cards for declaration in choose(possible_sets(rules, hand) or [()]))
    return () if found and _forgets(habits.forgets_to_announce, choose) else found


def _claim(rules: Ruleset, state: DealState, play: PlayState) -> Action | None:
    """Return a claim of *enough* that holds, between two tricks."""
    for seat in range(rules.players) if play.tricks and not play.cards else ():
        claim = Action(seat=seat, claim=True)
        with suppress(Refusal):
            apply_action(rules, state, claim)
            return claim
    return None


def _forgets(one_in: int, choose: Chooser) -> bool:
    return one_in > 0 and choose(range(one_in)) == 0


def choose_cards(hand: CardSet, number: int, choose: Chooser) -> CardSet:
    """Return a ``number`` of cards of a hand, chosen one after the other."""
    chosen = NO_CARDS
    for _ in range(number):
        chosen |= ONLY[choose(list(cards_in(hand & ~chosen)))]
    return chosen


def _play(rules: Ruleset, state: DealState, play: PlayState, choose: Chooser, habits: Habits) -> Action:
    seat = play.turn
    legal = list(cards_in(legal_now(rules, play)[0]))
    card: Card = choose(habits.considers(rules, state, legal))
    announce: tuple[CardSet, ...] = ()
    if not play.tricks and announces_with_card(rules, play):
        announce = _declarations(rules, state.hands[seat], choose, habits)
    show = may_show(rules, state, play) and not _forgets(habits.forgets_to_show, choose)
    belote = bool(play.mode.pair_of[card]) and need_call_belote(
        rules, royal_now(rules, play, state.hands[seat], card, state.contract.taker)
    )
    belote = belote and not _forgets(habits.forgets_belote, choose)
    return card_action(seat, card, announce, belote, show, makeable(rules, state, play, card))
