"""Ask the package belote-cli, whose rules are the modules belote.deck, belote.game and belote.scoring.

The program announces belote, sequences and squares by itself, and deals are given to it trick by trick.
"""

from dataclasses import replace
from importlib.metadata import version

from belote import deck, game, scoring
from serve import Rejected, Unsupported, serve

SUITS = dict(zip("SHDC", deck.CARD_SUITS, strict=True))
LETTER = {suit: letter for letter, suit in SUITS.items()}
TAKEN = deck.Contract.NORMAL


def card(text):
    return deck.Card(SUITS[text[-1]], deck.Rank(text[:-1]))


def cards(texts):
    return tuple(card(text) for text in texts)


def text(one):
    return one.rank.value + LETTER[one.suit]


def texts(many):
    return [text(one) for one in many]


def playing(hands=((), (), (), ()), **fields):
    return game.GameState(
        hands=tuple(hands), initial_hands=tuple(hands), contract=TAKEN, phase=game.Phase.PLAYING, **fields
    )


def trick_of(leader, played):
    return tuple(game.TrickCard(game.Seat((leader + i) % 4), card(one)) for i, one in enumerate(played))


def card_points(_, asked):
    points = sum(deck.card_points(card(one), SUITS[asked["trump"]]) for one in asked["cards"])
    return {"points": points + (scoring.GLOBAL_CONFIG.LAST_TRICK_BONUS if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    return {"winner": game.trick_winner_seat(trick_of(asked["leader"], asked["cards"]), SUITS[asked["trump"]]).value}


def legal_cards(_, asked):
    trick = trick_of(0, asked["trick"])
    seat = game.Seat(len(trick))
    hands = [()] * 4
    hands[seat.value] = cards(asked["hand"])
    state = playing(hands, trump=SUITS[asked["trump"]], current_trick=trick, turn=seat)
    return {"cards": texts(game.legal_cards(state, seat))}


def declarations(_, asked):
    hand = cards(asked["hand"])
    found = scoring.detect_sequences(hand) + scoring.detect_carres(hand)
    points = scoring.get_declaration_points(found)
    sets = [{"declarations": [texts(one.cards) for one in found], "points": points}] if found else []
    return {"sets": sets, "best_points": points}


def compared(state):
    """Points per seat, as the program gives them when the bidding is over."""
    points = [0, 0, 0, 0]
    for one in scoring.get_declarations(state):
        if one.kind in ("sequence", "carre"):
            points[one.seat.value] += scoring.get_declaration_points([one.detail])
    return points


def compare_hands(_, asked):
    hands = tuple(cards(hand) for hand in asked["hands"])
    takers = [asked["taker"]] if "taker" in asked else range(4)
    answers = [
        compared(playing(hands, trump=SUITS[asked["trump"]], leader=game.Seat(asked["leader"]), taker=game.Seat(taker)))
        for taker in takers
    ]
    if any(answer != answers[0] for answer in answers):
        raise Unsupported("equal declarations are decided by who took, which is not told")
    return {"points": answers[0]}


def bidding(_, asked):
    dealer = game.Seat(asked["dealer"])
    if "turn_up" not in asked:
        raise Unsupported("a card is always turned up")
    deal = [one for one in deck.make_deck() if one != card(asked["turn_up"])]
    first = dealer.next_seat()
    state = game.GameState(
        hands=tuple(tuple(deal[5 * i : 5 * i + 5]) for i in range(4)),
        dealer=dealer,
        leader=first,
        turn=first,
        phase=game.Phase.BIDDING,
        up_card=card(asked["turn_up"]),
        remaining_cards=tuple(deal[20:]),
    )
    for at, bid in enumerate(asked["bids"]):
        if state.phase is not game.Phase.BIDDING:
            raise Rejected("bidding-over", at)
        offered = None if bid == "pass" else SUITS[bid]
        if offered is not None and state.bidding_round == 1 and offered != state.up_card.suit:
            raise Unsupported("the program's menu offers only the turned suit in the first round")
        if offered is not None and state.bidding_round == 2 and offered == card(asked["turn_up"]).suit:
            raise Unsupported("which suits are offered is decided by the program's menu, not by its rules")
        turn, round_number = state.current_bidder.value, state.bidding_round
        state = game.place_bid(state, offered)
    if state.phase is game.Phase.PLAYING:
        return {"state": "taken", "taker": turn, "trump": LETTER[state.trump], "round": round_number}
    return {"state": "failed"} if state.phase is game.Phase.DEAL else {"state": "open", "turn": state.turn.value}


def deal(_, asked):
    if "cut" in asked:
        raise Unsupported("nobody cuts")
    before, up_card, rest = deck.deal(cards(asked["deck"]))
    state = game.GameState(
        hands=before, dealer=game.Seat(asked["dealer"]), phase=game.Phase.BIDDING, up_card=up_card, remaining_cards=rest
    )
    hands = game._distribute_remaining_cards(state, game.Seat(asked["taker"]))
    return {
        "before": [texts(hand) for hand in before],
        "turn_up": text(up_card),
        "hands": [texts(hand) for hand in hands],
    }


def breakdown(asked, litige=0):
    """What the program makes of a deal told in numbers."""
    taker = game.Seat(asked["taker"])
    mine, theirs = taker.value % 2, 1 - taker.value % 2
    sides = asked["sides"]
    got = [
        [side.get("cards", 0), side.get("declarations", 0), side.get("belote", 0), side.get("tricks", 0)]
        for side in sides
    ]
    state = game.GameState(
        hands=((), (), (), ()), contract=TAKEN, trump=deck.Suit.SPADES, taker=taker, litige_points=litige
    )
    context = scoring._ScoringContext(
        state=state,
        trump=deck.Suit.SPADES,
        taker=taker,
        taker_team=mine,
        defender_team=theirs,
        is_sa=False,
        winners=[],
        tricks_ns=got[0][3],
        tricks_ew=got[1][3],
    )
    of = [(got[mine][i], got[theirs][i]) for i in range(4)]
    rest = (*of[0], *of[1], *of[2], False, False, None, [])
    swept = [side for side in (0, 1) if got[side][3] == 8 and got[1 - side][3] == 0]
    if swept:
        return scoring._score_capot_outcome(context, swept[0], *rest)
    return scoring._score_normal_outcome(context, *rest)


def settled(result):
    taker = result.taker_team
    points = [result.taker_total, result.defender_total]
    points = points if taker == 0 else points[::-1]
    outcome = "tied" if result.is_litige else "fell" if result.is_failed else "made"
    return {"outcome": outcome, "points": points, "score": points, "held": result.litige_points_awarded}


def score_deal(_, asked):
    return settled(breakdown(asked))


def won_by(state):
    return [seat.value for seat in game.compute_trick_winners(state, state.trump, False)]


def played_out(trump, taker, tricks, hands, belote):
    state = playing(
        hands,
        trump=SUITS[trump],
        taker=game.Seat(taker),
        completed_tricks=tuple(trick_of(one["leader"], one["cards"]) for one in tricks),
        belote_announcer=None if belote is None else game.Seat(belote),
        belote_tracker=(belote is not None, belote is not None),
    )
    winners = won_by(state)
    return replace(state, phase=game.Phase.SCORING, last_trick_winner=game.Seat(winners[-1])), winners


def told(state, winners):
    """The fields of a deal: its tricks, its cards, and its result."""
    result = scoring.score_round(state)
    cards_of = [result.table_taker_pts, result.table_defender_pts]
    taker = result.taker_team
    cards_of = cards_of if taker == 0 else cards_of[::-1]
    tricks = [
        {"winner": winner, "points": scoring.trick_card_points(state, trick)}
        for winner, trick in zip(winners, state.completed_tricks, strict=True)
    ]
    return {"tricks": tricks, "cards": cards_of, **settled(result)}, result


def replay(_, asked):
    hands = [[], [], [], []]
    for one in asked["tricks"]:
        for i, played in enumerate(one["cards"]):
            hands[(one["leader"] + i) % 4].append(card(played))
    first = asked["tricks"][0]["leader"]
    state = playing(
        tuple(tuple(hand) for hand in hands),
        trump=SUITS[asked["trump"]],
        taker=game.Seat(asked["taker"]),
        dealer=game.Seat(asked["dealer"]),
        leader=game.Seat(first),
        turn=game.Seat(first),
        belote_holders={
            suit: game.Seat(seat)
            for seat, hand in enumerate(hands)
            for suit in deck.CARD_SUITS
            if scoring.detect_belote(tuple(hand), suit)
        },
    )
    at = 0
    for one in asked["tricks"]:
        for played in one["cards"]:
            try:
                state = game.play_card(state, card(played))
            except game.IllegalMoveError:
                raise Rejected("illegal-card", at) from None
            at += 1
    winners = won_by(state)
    fields, result = told(state, winners)
    of = lambda mine, theirs: [mine, theirs] if result.taker_team == 0 else [theirs, mine]  # noqa: E731
    return {
        "ended": "played",
        "taker": asked["taker"],
        "trump": asked["trump"],
        "declarations": of(result.taker_declarations, result.defender_declarations),
        "belote": of(result.taker_belote, result.defender_belote),
        **fields,
    }


def match(_, asked):
    state = game.GameState(
        hands=((), (), (), ()),
        dealer=game.Seat(asked["dealer"]),
        team_scores=tuple(asked.get("totals", [0, 0])),
        litige_points=asked.get("held", 0),
    )
    deals = []
    # Whether a match is over the program says when it has scored a deal; one of no points changes nothing else.
    nothing = {"taker": 0, "sides": [{"tricks": 4}, {"tricks": 4}]}
    if scoring.apply_round_score(replace(state, litige_points=0), breakdown(nothing)).phase is game.Phase.GAME_OVER:
        raise Rejected("match-over", 0)
    for at, one in enumerate(asked["deals"]):
        if state.phase is game.Phase.GAME_OVER:
            raise Rejected("match-over", at)
        dealer, score, before = state.dealer.value, [0, 0], state
        if "passed" in one:
            state = replace(state, dealer=state.dealer.next_seat())
        elif "scored" in one:
            state = scoring.apply_round_score(state, breakdown(one["scored"], state.litige_points))
            score = settled(breakdown(one["scored"]))["score"]
        else:
            raise Rejected("no-penalty", at)
        freed = [
            now - then - now_score
            for now, then, now_score in zip(state.team_scores, before.team_scores, score, strict=True)
        ]
        deals.append(
            {
                "dealer": dealer,
                "score": score,
                "freed": freed,
                "held": state.litige_points,
                "totals": list(state.team_scores),
            }
        )
    over = state.phase is game.Phase.GAME_OVER
    ahead = 0 if state.team_scores[0] > state.team_scores[1] else 1
    return {
        "deals": deals,
        "winner": ahead if over else None,
        "next_dealer": None if over else state.dealer.value,
    }


GIVEN = ["outcome", "points", "score", "held"]
serve(
    {
        "name": "belote-cli",
        "version": version("belote-cli"),
        "language": "Python",
        "profiles": ["belote+partner-winning-free-discard+automatic-declarations+automatic-belote"],
        "deals": "tricks",
        "fields": {
            "compare-hands": ["points"],
            "deal": ["before", "turn_up", "hands"],
            "score-deal": GIVEN,
            "replay": ["tricks", "cards", "declarations", "belote", *GIVEN],
            "match": ["deals", "winner", "next_dealer"],
        },
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "declarations": declarations,
        "compare-hands": compare_hands,
        "deal": deal,
        "score-deal": score_deal,
        "match": match,
        "replay": replay,
    },
)
