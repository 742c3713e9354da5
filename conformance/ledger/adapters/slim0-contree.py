"""Ask slim0/contree: backend/game/rules.py and scoring.py, in a work tree whose folder is the first argument."""

import sys

sys.path.insert(0, sys.argv[1])
from backend.game import models, rules, scoring
from serve import Rejected, Unsupported, refuse_early, serve

SEATS = [models.Position.NORTH]
while len(SEATS) < 4:
    SEATS.append(models.NEXT_PLAYER[SEATS[-1]])
SIDES = [models.Team.NORTH_SOUTH, models.Team.EAST_WEST]
SUITS = {suit.value: models.Trump(suit) for suit in models.Suit}
TRUMPS = {**SUITS, "N": models.Trump.NO_TRUMP, "A": models.Trump.ALL_TRUMP}
LETTER = {trump: letter for letter, trump in TRUMPS.items()}
RAISED = {1: models.Double.NONE, 2: models.Double.CONTRE, 4: models.Double.SURCONTRE}
TIMES = {double: times for times, double in RAISED.items()}
LAST_TRICK = 10


def card(text):
    return models.Card(models.Suit(text[-1]), models.Rank(text[:-1]))


def text(one):
    return one.rank.value + one.suit.value


def trick_of(leader, cards):
    laid = [models.TrickCard(SEATS[(leader + i) % 4], card(one)) for i, one in enumerate(cards)]
    return models.Trick(laid)


def table(dealer, hands=None):
    """A deal of which the bidding begins."""
    players = {seat: seat.value for seat in SEATS}
    game = models.GameState("", players, dict.fromkeys(SIDES, 0), 1000, None, models.GamePhase.BIDDING, None, None, [])
    game = rules.start_new_round(game)
    game.round.dealer = SEATS[dealer]
    game.round.current_bidder = models.RIGHT_OF[SEATS[dealer]]
    if hands is not None:
        game.round.hands = {seat: [card(one) for one in hand] for seat, hand in zip(SEATS, hands, strict=True)}
    return game


def contract_of(asked):
    capot = asked.get("bid") == "capot"
    seat = SEATS[asked.get("taker", 0)]
    bid = models.Bid(seat, 0 if capot else asked.get("bid", 80), capot, TRUMPS[asked["trump"]])
    if asked.get("raised", 1) not in RAISED:
        raise Unsupported("a redouble counts four times")
    return models.Contract(bid, RAISED[asked.get("raised", 1)], models.TEAM_OF[seat])


def playing(asked, hands, leader, tricks=()):
    """A deal of which some tricks were played."""
    now = table((leader + 3) % 4).round
    now.contract, now.hands = contract_of(asked), hands
    now.tricks, now.current_player = list(tricks), SEATS[leader]
    return now


def card_points(_, asked):
    points = sum(scoring.card_points(card(one), TRUMPS[asked["trump"]]) for one in asked["cards"])
    return {"points": points + (LAST_TRICK if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    trick = trick_of(asked["leader"], asked["cards"])
    return {"winner": SEATS.index(rules.trick_winner(trick, TRUMPS[asked["trump"]]))}


def legal_cards(_, asked):
    seat = SEATS[len(asked["trick"])]
    now = playing(asked, {seat: [card(one) for one in asked["hand"]]}, 0)
    now.current_player, now.current_trick = seat, trick_of(0, asked["trick"])
    return {"cards": [text(one) for one in rules.get_legal_plays(now)]}


def choices(now):
    """What the next player may say: the program tells the lowest number, and every higher one is open too."""
    may = rules.get_legal_bid_actions(now, now.current_bidder)
    lowest = may["min_bid_value"]
    numbers = [] if lowest is None else [one for one in rules.BID_VALUES if one >= lowest]
    numbers += ["capot"] if may["can_bid_capot"] else []
    said = ["pass", *(f"{number}{LETTER[trump]}" for number in numbers for trump in rules.ALL_TRUMPS)]
    return said + ["double"] * may["can_contre"] + ["redouble"] * may["can_surcontre"]


def bid_now(game, bid, at):
    """Say what the next player says, or who doubles out of turn; return the game after it, and what it is called."""
    now = game.round
    if isinstance(bid, dict):
        doubler = SEATS[bid["seat"]]
        if not rules.get_legal_bid_actions(now, doubler)["can_contre"]:
            raise Rejected("may-not-double", at)
        return rules.apply_contre(game, doubler)
    if bid not in choices(now):
        raise Rejected("may-not-double" if bid.endswith("double") else "bid-too-low", at)
    if bid == "pass":
        return rules.apply_pass(game)
    if bid == "double":
        return rules.apply_contre(game, now.current_bidder)
    if bid == "redouble":
        return rules.apply_surcontre(game)
    capot = bid.startswith("capot")
    return rules.apply_bid(game, 0 if capot else int(bid[:-1]), capot, TRUMPS[bid[-1]])


def taken(contract):
    bid = contract.bid
    return {
        "taker": SEATS.index(bid.position),
        "trump": LETTER[bid.trump],
        "bid": "capot" if bid.is_capot else bid.value,
        "raised": TIMES[contract.double],
    }


def bidding(_, asked):
    game, state = table(asked["dealer"]), "ok"
    for at, bid in enumerate(asked["bids"]):
        if state != "ok":
            raise Rejected("bidding-over", at)
        game, state = bid_now(game, bid, at)
    if state == "redeal":
        return {"state": "failed"}
    if state == "playing":
        return {"state": "taken", **taken(game.round.contract)}
    return {"state": "open", "turn": SEATS.index(game.round.current_bidder), "choices": choices(game.round)}


def scored(result):
    return {"outcome": "made" if result.contract_made else "fell", "score": [result.score_ns, result.score_ew]}


def won(now):
    """The tricks; the last trick's bonus is added by the program only where it settles the deal."""
    trump = now.contract.bid.trump
    told = [(SEATS.index(one.winner), sum(scoring.tricks_won_points([one], trump))) for one in now.tricks]
    return {"tricks": [{"winner": winner, "points": points} for winner, points in told]}


def settle_tricks(_, asked):
    sides = asked.get("sides", [{}, {}])
    if any(side.get(more) for side in sides for more in ("declarations", "outranked")):
        raise Unsupported("sequences and squares are not played")
    if any(side.get("belote", 0) > 20 for side in sides):
        raise Unsupported("belote is counted once")
    now = playing(asked, {}, asked["tricks"][0]["leader"])
    for one in asked["tricks"]:
        trick = trick_of(one["leader"], one["cards"])
        trick.winner = rules.trick_winner(trick, TRUMPS[asked["trump"]])
        now.tricks.append(trick)
    now.belote_team = next((name for name, side in zip(SIDES, sides, strict=True) if side.get("belote")), None)
    return {**won(now), **scored(scoring.compute_round_result(now))}


def replay(_, asked):
    game, state, ended = table(asked["dealer"], asked["hands"]), "ok", None
    bids = True
    for at, action in enumerate(asked["actions"]):
        if ended is not None:
            raise Rejected("deal-over", at)
        now = game.round
        turn = SEATS.index(now.current_bidder if bids else now.current_player)
        doubles = bids and action.get("bid") == "double" and action["seat"] != turn
        if not doubles:
            refuse_early(action, at, bids=bids, turn=turn)
        if bids:
            game, state = bid_now(game, action if doubles else action["bid"], at)
            bids = state != "playing"
            if state == "redeal":
                ended = {"ended": "passed"}
            continue
        played = card(action["play"])
        if played not in now.hands[now.current_player]:
            raise Rejected("card-not-held", at)
        if played not in rules.get_legal_plays(now):
            raise Rejected("illegal-card", at)
        game, state = rules.apply_play(game, played)
        if state == "round_end":
            now = game.round
            belote = [20 if now.belote_team == side else 0 for side in SIDES]
            ended = {"ended": "played", **taken(now.contract), **won(now), "belote": belote}
            ended |= scored(game.last_result)
    if ended is None:
        raise Rejected("unfinished", len(asked["actions"]))
    return ended


serve(
    {
        "name": "slim0/contree",
        "version": "76a95f5",
        "language": "Python",
        "profiles": ["contree+contract-alone+must-undertrump"],
        "deals": "hands",
        "announcing": "automatic",
        "fields": {
            "settle-tricks": ["tricks", "outcome", "score"],
            "replay": ["ended", "taker", "trump", "raised", "tricks", "belote", "outcome", "score"],
        },
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "bidding": bidding,
        "settle-tricks": settle_tricks,
        "replay": replay,
    },
)
