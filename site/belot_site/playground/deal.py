"""A deal against sensible players, played again from its beginning whenever the person at the table has chosen."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final

from belot_reference.action import Action, announce_action, bid_action, card_action
from belot_reference.belote import belote_points, call_belote, need_call_belote, royal_now
from belot_reference.bidding import bid_choices
from belot_reference.bids import RAISES, Bid, amount_name, bid_named, mode_of_bid
from belot_reference.cards import (
    CARD_BY_NAME,
    NO_CARDS,
    ONLY,
    Card,
    CardSet,
    card_set,
    cards_in,
    names_of,
    rank_of,
    suit_of,
)
from belot_reference.compile import Ruleset
from belot_reference.counting import count_deal, last_trick_points, tricks_won
from belot_reference.deal import DealState
from belot_reference.declarations import Declaration, counted_by_themselves, in_a_row, worth
from belot_reference.errors import BadQuestionError
from belot_reference.mode import Mode
from belot_reference.notation import Deal, deal_of_question
from belot_reference.play import PlayState, legal_noted, refusing_rule, winning_seat
from belot_reference.replay import shuffled, with_all_said
from belot_reference.roem import must_call, roem_by_trick, roem_to_call, roem_won
from belot_reference.sheet import reckoning, tally_json
from belot_reference.simulated import PLAYERS
from belot_reference.turn import announces_with_card, apply_action, awaits_call, makeable, may_show, must_discard
from belot_site.content.motive import Turn, reason
from belot_site.playground.line import bid_parts, deal_of, opened_by
from belot_spec.card_names import CARD_NAMES

Json = dict[str, Any]

# The seat of the person; the last seat deals first.
_PERSON: Final = 0
_PLAYER: Final = PLAYERS["sensible"]
_SILENT: Final = replace(_PLAYER, habits=replace(_PLAYER.habits, forgets_to_announce=1))
_KEEPING_SILENT: Final = Action(seat=_PERSON, silent=True)
# What is written behind a card: that everything is announced with it, and that belote is said. Before the first lead
# the first stands alone, or a dash for whoever keeps silent.
ANNOUNCES: Final = "*"
SAYS_BELOTE: Final = "!"
KEEPS_SILENT: Final = "-"
# Chosen where roem that the person has won must be called.
CALLS_ROEM: Final = "roem"


def play_deal(rules: Ruleset, question: Mapping[str, Any]) -> Json:
    """Return how a deal stands after what the person has chosen so far, up to the next choice or the end.

    The same ``seed`` deals the same cards, to whoever is the ``dealer``; a ``line`` of the notation says which they
    are, and what was done already.
    The person bids, plays, announces, says belote and calls roem; what he shows and lays away is done by itself.
    ``hint`` is what a sensible player would do in his place, ``why`` the reason, and ``line`` the deal as it stands.
    """
    deal = _beginning(rules, question)
    state, done = opened_by(rules, deal)
    told, noted = [_event(rules, *one) for one in done], list(deal.actions)
    chosen, silent = list(question["chosen"]), _KEEPING_SILENT in noted
    hint: str | Json = ""
    why: Json = {}
    uncalled: tuple[int, ...] = ()
    while state.ended is None:
        known = state._replace(called=(*state.called, *uncalled))
        action = _PLAYER.action(rules, known, question["seed"], claims=False)
        if action.roem and action.seat == _PERSON:
            if not chosen:
                hint = CALLS_ROEM
                break
            if chosen.pop(0) == KEEPS_SILENT:
                if not awaits_call(state):
                    uncalled = (*uncalled, _last_trick(state))
                    continue
                action = _KEEPING_SILENT
        announces = action.announce and action.play is None and action.seat == _PERSON
        if announces and not silent:
            if not chosen:
                hint = ANNOUNCES
                break
            silent = chosen.pop(0) == KEEPS_SILENT
            noted += [_KEEPING_SILENT] if silent else []
        if announces and silent:
            action = _of_others(rules, state, question["seed"])
        if action.seat == _PERSON and (action.bid or action.play):
            if not chosen:
                hint = bid_parts(bid_named(action.bid)) if action.bid else str(action.play)
                why = {"why": _why(rules, state, action)}
                break
            action = _choice(rules, state, action, chosen.pop(0))
        if action.play is not None and action.seat != _PERSON and state.play is not None:
            action = with_all_said(rules, state, state.play, CARD_BY_NAME[action.play])
        before, state = state, apply_action(rules, state, action)
        told.append(_event(rules, before, state, action))
        noted.append(action)
    line = str(replace(deal, actions=tuple(noted)))
    asked: Json = {"announcing": _sets(rules, state)} if hint == ANNOUNCES else {}
    if hint == CALLS_ROEM and state.play is not None:
        asked = {"calling": roem_to_call(rules, state.play, state.called)}
    standing = {"dealer": deal.opening["dealer"], "line": line, **_standing(rules, state)}
    return {"told": told, **standing, **asked, **why, **({"hint": hint} if hint else {})}


def _beginning(rules: Ruleset, question: Mapping[str, Any]) -> Deal:
    """Return the deal that is played, with what was done in it before the person came to it."""
    if question.get("line"):
        return deal_of(rules, question["line"])
    opening = {
        "dealer": question.get("dealer", rules.players - 1),
        **shuffled(rules, Random(question["seed"])),
        "actions": [],
    }
    return deal_of_question("replay", opening, None if question.get("own") else rules.profile.id, rules.players)


def _of_others(rules: Ruleset, state: DealState, seed: int) -> Action:
    """Return what comes next where the person announces nothing: what a later player does, or the first lead."""
    assert state.play is not None
    for step in range(state.heard, rules.players):
        seat = (state.play.turn + step) % rules.players
        found = counted_by_themselves(rules, state.hands[seat], state.play.mode) if seat != _PERSON else ()
        if found:
            return announce_action(seat, tuple(one.cards for one in found))
    return _SILENT.action(rules, state, seed, claims=False)


def _choice(rules: Ruleset, state: DealState, action: Action, chosen: str) -> Action:
    if action.bid is not None:
        return bid_action(_PERSON, bid_named(chosen))
    name = chosen.rstrip(ANNOUNCES + SAYS_BELOTE)
    if name not in CARD_BY_NAME:
        raise BadQuestionError(f"chosen: {chosen} is no card")
    play, card = state.play, CARD_BY_NAME[name]
    assert play is not None
    announce: tuple[CardSet, ...] = ()
    if ANNOUNCES in chosen:
        announce = tuple(one.cards for one in counted_by_themselves(rules, play.hands[_PERSON], play.mode))
    show = may_show(rules, state, play, announces=bool(announce))
    return card_action(_PERSON, card, announce, SAYS_BELOTE in chosen, show, makeable(rules, state, play, card))


def _why(rules: Ruleset, state: DealState, action: Action) -> Json:
    """Return why a sensible player chooses a card or a bid: of a suit how many trumps it gives, and their points."""
    play = state.play
    if action.play is not None and play is not None:
        seen = card_set(card for trick in play.tricks for card in trick.cards)
        hand, legal = play.hands[_PERSON], legal_noted(rules, play).cards
        return {
            "name": reason(
                rules,
                Turn(play.mode, play.leader, play.cards, _PERSON, hand, legal, seen),
                CARD_BY_NAME[str(action.play)],
            )
        }
    said: Bid = bid_named(str(action.bid))
    if said is None:
        return {"name": "pass"}
    if said in RAISES or (mode := rules.modes[mode_of_bid(said)]).kind != "suit":
        return {"name": "strong"}
    turned = state.turn_up if rules.value("deal.turn-up") == "to-taker" else None
    trumps = (state.held[_PERSON] | (NO_CARDS if turned is None else ONLY[turned])) & mode.trump_cards
    return {"name": "bid", "n": trumps.bit_count(), "points": rules.points_of(mode, trumps)}


def _last_trick(state: DealState) -> int:
    assert state.play is not None
    return len(state.play.tricks) - 1


def _sets(rules: Ruleset, state: DealState) -> list[Json]:
    """Return what the person may announce, with the points of each."""
    assert state.play is not None
    found = counted_by_themselves(rules, state.play.hands[_PERSON], state.play.mode)
    return [{"cards": _names(in_a_row(rules, one.cards)), "points": worth(rules, (one,))} for one in found]


def sorted_hand(rules: Ruleset, cards: CardSet, mode: Mode | None = None) -> list[Card]:
    """Return cards suit by suit, the strongest of each first: trumps before the others once they are known."""

    def place(card: Card) -> tuple[bool, int, int]:
        suit, rank = suit_of(card), rank_of(card)
        strength = rules.plain_strength[rank] if mode is None else mode.strength[suit][rank]
        return mode is not None and not mode.is_trump(suit), suit, -strength

    return sorted(cards_in(cards), key=place)


def _event(rules: Ruleset, before: DealState, after: DealState, action: Action) -> Json:
    """Return what was done, with what was announced along with it, and who is then winning the trick.

    Where that ended a trick, who won it is told, and what its cards together earn, if they do. Of what the others
    announce only the kind is told, where the rules want no more said; the cards once they are shown.
    """
    said = action.to_json()
    names_kind = rules.value_or("presentation.announcing", "free") != "free"
    new = {
        seat: [
            _declared(rules, one, names_kind and seat != _PERSON)
            for one in after.announced[seat][len(before.announced[seat]) :]
        ]
        for seat in range(len(after.announced))
        if len(after.announced[seat]) > len(before.announced[seat])
    }
    calls = sum(after.calls[action.seat]) if after.calls != before.calls else 0
    trick = {}
    if after.play is not None and before.play is not None and len(after.play.tricks) > len(before.play.tricks):
        last = after.play.tricks[-1]
        trick = {"won": last.winner, "trick": [CARD_NAMES[card] for card in last.cards]}
        if not must_call(rules) and (roem := roem_by_trick(rules, after.play.mode, [last])) and roem[0]:
            trick["roem"] = roem[0]
    elif action.play is not None and after.play is not None:
        trick = {"best": winning_seat(rules, after.play.table)}
    said.pop("announce", None)
    if names_kind and action.show and action.seat != _PERSON:
        said["showing"] = [_declared(rules, one) for one in after.announced[action.seat]]
    if action.bid is not None:
        said["bid"] = {**bid_parts(bid_named(action.bid)), "must": None not in bid_choices(rules, before.bidding)}
    return {**said, "announced": new, "calls": calls, **trick}


def _declared(rules: Ruleset, one: Declaration, is_closed: bool = False) -> Json:
    cards = {} if is_closed else {"cards": _names(in_a_row(rules, one.cards))}
    return {"kind": one.kind, "length": one.length, **cards}


def _standing(rules: Ruleset, state: DealState) -> Json:
    play = state.play
    if state.ended == "played" and play is not None:
        count = count_deal(rules, state)
        settled = count.settlement
        return {
            "ended": "played",
            "trump": play.mode.name,
            "taker": state.bidding.taker,
            "outcome": settled.outcome,
            "steps": {
                **_brought_in(rules, state, play),
                **{row.what: row.figures for row in reckoning(rules, state.contract, count.tallies, settled)},
            },
            "held": settled.held,
            "deal": tally_json(rules, state, count),
            "declared": {
                seat: [_declared(rules, one) for one in own] for seat, own in enumerate(state.announced) if own
            },
            **_tricks(rules, state, play),
        }
    if state.ended is not None:
        return {
            "ended": state.ended,
            "winner": state.winner,
            **({"deal": {"passed": True}} if state.ended == "passed" else {}),
        }
    if play is None:
        choices = [bid_parts(choice) for choice in bid_choices(rules, state.bidding)]
        turned = None if state.turn_up is None else CARD_NAMES[state.turn_up]
        closed = _closed(rules, state.bidding.turn)
        return {
            "hand": _names(sorted_hand(rules, state.held[_PERSON])),
            "bids": choices,
            "turn_up": turned,
            "closed": closed,
        }
    hand = _names(sorted_hand(rules, play.hands[_PERSON], play.mode))
    return {
        "hand": hand,
        **(_tricks(rules, state, play) if awaits_call(state) else _table(rules, state, play)),
        "trump": play.mode.name,
        "taker": state.contract.taker,
        "raised": state.contract.raised,
        **({"bid": amount_name(state.contract.bid)} if state.contract.bid else {}),
    }


def _brought_in(rules: Ruleset, state: DealState, play: PlayState) -> dict[str, list[int]]:
    """Return of what each side's card points are made, where that is more than the cards in its tricks."""
    last, laid_away = [0] * rules.side_count, [0] * rules.side_count
    last[rules.side_of[play.tricks[-1].winner]] = last_trick_points(rules, [trick.winner for trick in play.tricks])
    laid_away[rules.side_of[state.contract.taker]] = rules.points_of(play.mode, state.discarded)
    more = {what: points for what, points in (("last", last), ("laid-away", laid_away)) if any(points)}
    return {"tricks": _in_tricks(rules, play), **more} if more else {}


def _in_tricks(rules: Ruleset, play: PlayState) -> list[int]:
    points = [0] * rules.side_count
    for trick in play.tricks:
        points[rules.side_of[trick.winner]] += rules.points_of_each(play.mode, trick.cards)
    return points


def _closed(rules: Ruleset, turn: int) -> list[int]:
    """Return the seats that leave their cards closed while somebody may choose trump."""
    others = [seat for seat in range(rules.players) if seat != turn]
    match rules.value_or("presentation.hands-closed", "all-look"):
        case "maker-looks":
            return others
        case "partner-waits":
            return [seat for seat in others if rules.partners(seat, turn)]
    return []


def _tricks(rules: Ruleset, state: DealState, play: PlayState) -> Json:
    """Return the trick before, and the tricks and card points that each side has taken, with the last trick's.

    Where what meets in a trick earns points, those that count are told apart.
    """
    winners = [trick.winner for trick in play.tricks]
    points, won = _in_tricks(rules, play), tricks_won(rules, winners)
    last = play.tricks[-1] if play.tricks else None
    if last and not any(play.hands):
        points[rules.side_of[last.winner]] += last_trick_points(rules, winners)
    told: Json = {"taken": points, "won": won}
    if last:
        told["last"] = {"leader": last.leader, "cards": _names(last.cards), "winner": last.winner}
        told["last"]["open"] = _may_look_back(rules, play)
    if rules.has_roem:
        told["roem"] = roem_won(rules, play.mode, play.tricks, state.called)
        if last:
            told["last"]["roem"] = roem_by_trick(rules, play.mode, play.tricks, state.called)[-1]
    return told


def _may_look_back(rules: Ruleset, play: PlayState) -> bool:
    """Say whether the trick before may be looked at again; once the deal is over everything lies open."""
    match rules.value("play.review-tricks"):
        case "none":
            return not any(play.hands)
        case "first-until-third-begins":
            return len(play.tricks) == 1 or not any(play.hands)
    return True


def _names(cards: Iterable[Card]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def _table(rules: Ruleset, state: DealState, play: PlayState) -> Json:
    assert not must_discard(rules, state)
    legal = legal_noted(rules, play)
    hand = play.hands[_PERSON]
    refused = {CARD_NAMES[card]: refusing_rule(rules, play.mode, card, legal) for card in cards_in(hand & ~legal.cards)}
    belote = [CARD_NAMES[card] for card in cards_in(legal.cards) if _is_lost_unsaid(rules, state, play, card)]
    announces = not play.tricks and announces_with_card(rules, play)
    return {
        "cards": names_of(legal.cards),
        "refused": refused,
        "rule": legal.rule,
        "belote": belote,
        "sets": _sets(rules, state) if announces else [],
        **_tricks(rules, state, play),
    }


def _is_lost_unsaid(rules: Ruleset, state: DealState, play: PlayState, card: Card) -> bool:
    """Say whether a card of the person costs belote unless it is said with it: not where it counts already."""
    royal = royal_now(rules, play, state.hands[_PERSON], card, state.contract.taker)
    if not need_call_belote(rules, royal):
        return False
    calls = state.calls[_PERSON]
    own = tuple(said if suit == suit_of(card) else 0 for suit, said in enumerate(calls))
    return call_belote(rules, royal, calls) != calls and not belote_points(rules, own)
