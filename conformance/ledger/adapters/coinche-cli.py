"""Ask coinche-cli: coinche/rules.py and the class Game, in a work tree whose folder is the first argument."""

import sys

sys.path.insert(0, sys.argv[1])
from coinche import game as table
from coinche import rules
from coinche.cards import Card, Seat
from serve import Rejected, Unsupported, refuse_early, serve

SUIT = dict(zip("SHDC", "♠♥♦♣", strict=True))
RANK = {"J": "V", "Q": "D", "K": "R"}
BACK = {**{sign: letter for letter, sign in SUIT.items()}, **{french: rank for rank, french in RANK.items()}}
SEATS = [Seat.N, Seat.W, Seat.S, Seat.E]
SIDES = ["NS", "EW"]
DOUBLES = {"double": "coinche", "redouble": "surcoinche"}
OUTCOMES = {"made": "made", "capot_achieved": "made", "failed": "fell", "capot_failed": "fell"}


def card(text):
    return Card(RANK.get(text[:-1], text[:-1]), SUIT[text[-1]])


def text(one):
    return BACK.get(one.rank, one.rank) + BACK[one.suit]


def trick_of(leader, cards):
    return [(SEATS[(leader + i) % 4], card(one)) for i, one in enumerate(cards)]


def a_suit(mode):
    if mode not in SUIT:
        raise Unsupported("no trumps and all trumps are not bid")
    return SUIT[mode]


def card_points(_, asked):
    trump = a_suit(asked["trump"])
    points = sum(rules.card_points(card(one), trump) for one in asked["cards"])
    return {"points": points + (rules.DIX_DE_DER if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    winner = rules.trick_winner(trick_of(asked["leader"], asked["cards"]), a_suit(asked["trump"]))
    return {"winner": SEATS.index(winner)}


def legal_cards(_, asked):
    trick = trick_of(0, asked["trick"])
    seat = len(trick)
    hand = [card(one) for one in asked["hand"]]
    led = trick[0][1].suit if trick else None
    legal = rules.legal_cards_to_play(hand, trick, a_suit(asked["trump"]), led, SEATS[seat], SEATS[(seat + 2) % 4])
    return {"cards": [text(one) for one in legal]}


def seated(dealer, hands=None):
    """A deal of which the bidding begins."""
    game = table.Game(initial_dealer=SEATS[dealer])
    if hands is not None:
        for held in (game.round_state.hands, game.round_state.dealt_hands):
            held.update({seat: [card(one) for one in hand] for seat, hand in zip(SEATS, hands, strict=True)})
    return game


def said(bid):
    """A bid as the program takes it, and why it would refuse it."""
    if bid in ("pass", *DOUBLES):
        return {"action": DOUBLES.get(bid, bid)}, "may-not-double"
    points = rules.CAPOT if bid[:-1] == "capot" else int(bid[:-1])
    return {"action": "bid", "trump": SUIT.get(bid[-1]), "points": points}, "bid-too-low"


def bid_now(game, bid, at):
    """Say what the next player says; return what the program answers."""
    if game.phase != "bidding":
        raise Rejected("bidding-over", at)
    given, refusal = said(bid)
    try:
        return game.submit_bid(game.next_to_act, **given)
    except table.IllegalBidError:
        raise Rejected(refusal, at) from None


def shown(points):
    """A number or capot as the protocol has it."""
    return "capot" if points == rules.CAPOT else points


def taken(game, answered):
    return {
        "taker": SEATS.index(answered["seat"]),
        "trump": BACK[answered["trump"]],
        "bid": shown(answered["points"]),
        "raised": answered["coinche_level"],
    }


def bidding(_, asked):
    game = seated(asked["dealer"])
    answered = {}
    for at, bid in enumerate(asked["bids"]):
        if answered.get("outcome") == "redeal":
            raise Rejected("bidding-over", at)
        answered = bid_now(game, bid, at)
    if answered.get("outcome") == "redeal":
        return {"state": "failed"}
    if answered.get("outcome") == "contract":
        return {"state": "taken", **taken(game, answered)}
    may = game.bid_options_for(game.next_to_act)
    choices = ["pass", *(f"{shown(one['points'])}{BACK[one['trump']]}" for one in may["legal_actions"])]
    choices += [word for word, french in DOUBLES.items() if may[f"can_{french}"]]
    return {"state": "open", "turn": SEATS.index(game.next_to_act), "choices": choices}


def scored(by_side):
    return {
        "outcome": OUTCOMES[by_side["NS"]["contract_result"]],
        "score": [by_side[side]["total"] for side in SIDES],
    }


def holder_of_belote(sides):
    """The side that holds belote: the program knows one, and no other declarations."""
    if any(side.get(more) for side in sides for more in ("declarations", "outranked")):
        raise Unsupported("sequences and squares are not played")
    if any(side.get("belote", 0) not in (0, rules.BELOTE_BONUS) for side in sides):
        raise Unsupported("belote is counted once")
    return next((name for name, side in zip(SIDES, sides, strict=True) if side.get("belote")), None)


def contract_of(asked):
    points = rules.CAPOT if asked["bid"] == "capot" else asked["bid"]
    seat = SEATS[asked["taker"]]
    return {"team": table.TEAM_OF[seat], "seat": seat, "trump": a_suit(asked["trump"]), "points": points}


def score_deal(_, asked):
    sides, contract = asked["sides"], contract_of(asked)
    belote = holder_of_belote(sides)
    tricks = sides[asked["taker"] % 2]["tricks"]
    captured = {name: side["cards"] for name, side in zip(SIDES, sides, strict=True)}
    capot = tricks == rules.TRICKS_PER_ROUND if contract["points"] == rules.CAPOT else None
    return scored(rules.score_round(captured, contract, asked.get("raised", 1), capot, belote, tricks))


def settle_tricks(_, asked):
    """Hand the tricks to the program one after the other, as its own players lay them down."""
    game = seated((asked["tricks"][0]["leader"] + 3) % 4)
    game.phase = "trick_play"
    game.bid_state.current_highest_bid = contract_of(asked)
    game.bid_state.coinche_level = asked.get("raised", 1)
    deal = game.round_state
    deal.trump, deal.belote_holder = SUIT[asked["trump"]], holder_of_belote(asked.get("sides", [{}, {}]))
    for trick in asked["tricks"]:
        deal.current_trick = trick_of(trick["leader"], trick["cards"])
        ended = game._resolve_trick(*deal.current_trick[-1])
    return {**counted(deal), **scored(ended["round_score"])}


def counted(deal):
    return {
        "tricks": [
            {
                "winner": SEATS.index(trick["winner_seat"]),
                "points": trick["points_won"] - (rules.DIX_DE_DER if number == rules.TRICKS_PER_ROUND else 0),
            }
            for number, trick in enumerate(deal.trick_history, 1)
        ],
        "cards": [deal.captured_points[side] for side in SIDES],
    }


# A deal by which a match comes to its totals.
SOME_DEAL = {"taker": 0, "trump": "S", "bid": 80, "sides": [{"cards": 91, "tricks": 4}, {"cards": 71, "tricks": 4}]}


def with_totals(dealer, totals):
    """A match with these totals: the program writes a deal, and says itself whether they end it."""
    if not any(totals):
        return seated(dealer)
    written = rules.score_round({"NS": 91, "EW": 71}, contract_of(SOME_DEAL), 1, None, None, 4)
    game = seated((dealer + 3) % 4)
    game.cumulative_scores = {side: n - written[side]["total"] for side, n in zip(SIDES, totals, strict=True)}
    put_down(game, SOME_DEAL)
    game._finish_round()
    return game


def match(_, asked):
    game = with_totals(asked["dealer"], asked.get("totals", [0, 0]))
    told = []
    for at, deal in enumerate(asked["deals"]):
        if game.game_over:
            raise Rejected("match-over", at)
        dealer, before = SEATS.index(game.dealer), dict(game.cumulative_scores)
        if "accusation" in deal:
            raise Rejected("no-penalty", at)
        if "passed" in deal:
            for _player in SEATS:
                game.submit_bid(game.next_to_act, "pass")
        else:
            put_down(game, deal["scored"])
            game._finish_round()
        totals = [game.cumulative_scores[side] for side in SIDES]
        score = [game.cumulative_scores[side] - before[side] for side in SIDES]
        # Nothing is ever held for a later deal.
        told.append({"dealer": dealer, "score": score, "freed": [0, 0], "held": 0, "totals": totals})
    return {
        "deals": told,
        "winner": SIDES.index(game.winning_team) if game.game_over else None,
        "next_dealer": None if game.game_over else SEATS.index(game.dealer),
    }


def put_down(game, asked):
    """Leave a deal as it lies when the last trick is won."""
    deal, sides = game.round_state, asked["sides"]
    game.bid_state.current_highest_bid = contract_of(asked)
    game.bid_state.coinche_level = asked.get("raised", 1)
    deal.belote_holder = holder_of_belote(sides)
    deal.captured_points = {name: side["cards"] for name, side in zip(SIDES, sides, strict=True)}
    deal.trick_history = [{"winner_seat": SEATS[side]} for side in (0, 1) for _ in range(sides[side]["tricks"])]


def replay(_, asked):
    game = seated(asked["dealer"], asked["hands"])
    deal = game.round_state
    contract = ended = None
    for at, action in enumerate(asked["actions"]):
        if ended is not None:
            raise Rejected("deal-over", at)
        refuse_early(action, at, bids=game.phase == "bidding", turn=SEATS.index(game.next_to_act))
        if "bid" in action:
            answered = bid_now(game, action["bid"], at)
            if answered["outcome"] == "redeal":
                ended = {"ended": "passed"}
            elif answered["outcome"] == "contract":
                contract = taken(game, answered)
            continue
        played = card(action["play"])
        if played not in deal.hands[game.next_to_act]:
            raise Rejected("card-not-held", at)
        try:
            result = game.submit_card(game.next_to_act, played)
        except table.IllegalCardError:
            raise Rejected("illegal-card", at) from None
        if result.get("round_complete"):
            belote = [rules.BELOTE_BONUS if deal.belote_holder == side else 0 for side in SIDES]
            ended = {"ended": "played", **contract, **counted(deal), "belote": belote, **scored(result["round_score"])}
    if ended is None:
        raise Rejected("unfinished", len(asked["actions"]))
    return ended


serve(
    {
        "name": "coinche-cli",
        "version": "8a71a29",
        "language": "Python",
        "profiles": ["contree+belote-kept+defence-keeps-points"],
        "deals": "hands",
        "announcing": "automatic",
        "fields": {
            "score-deal": ["outcome", "score"],
            "settle-tricks": ["tricks", "cards", "outcome", "score"],
            "match": ["deals", "winner", "next_dealer"],
            "replay": ["ended", "taker", "trump", "raised", "tricks", "cards", "belote", "outcome", "score"],
        },
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "bidding": bidding,
        "score-deal": score_deal,
        "settle-tricks": settle_tricks,
        "match": match,
        "replay": replay,
    },
)
