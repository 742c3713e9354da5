"""Belotten by the house rules beside this file: who wins, which cards are legal, what a deal and a match score.

It plays one rule otherwise than the house: a player who cannot beat an opponent's ruff need not play a lower trump.
"""

import json
import sys
from typing import Any

PLAIN = {"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}  # from low to high
TRUMP = {"7": 0, "8": 0, "Q": 3, "K": 4, "10": 10, "A": 11, "9": 14, "J": 20}
LAST_TRICK, ALL_TRICKS, TARGET, PENALTY = 10, 250, 51, 25


def table(card: str, trump: str) -> dict[str, int]:
    """Return what cards of this suit are worth, from low to high."""
    return TRUMP if card[-1] == trump else PLAIN


def height(card: str, trump: str) -> int:
    """Return how high a card stands in its suit."""
    return list(table(card, trump)).index(card[:-1])


def best(cards: list[str], trump: str) -> str:
    """Return the card that holds a trick."""
    trumps = [card for card in cards if card[-1] == trump]
    followers = [card for card in cards if card[-1] == cards[0][-1]]
    return max(trumps or followers, key=lambda card: height(card, trump))


def winner(trump: str, leader: int, cards: list[str]) -> int:
    """Return the seat that wins a trick."""
    return (leader + cards.index(best(cards, trump))) % 4


def worth(cards: list[str], trump: str) -> int:
    """Return the card points of some cards."""
    return sum(table(card, trump)[card[:-1]] for card in cards)


def legal(trump: str, hand: list[str], trick: list[str]) -> list[str]:
    """Return the cards that may be played: follow suit, else ruff if the opponents are winning."""
    if not trick:
        return hand
    top, led = best(trick, trump), trick[0][-1]
    partner_wins = len(trick) >= 2 and trick[-2] == top
    following = [card for card in hand if card[-1] == led]
    trumps = [card for card in hand if card[-1] == trump]
    higher = [card for card in trumps if top[-1] != trump or height(card, trump) > height(top, trump)]
    if led == trump:
        return (not partner_wins and higher) or trumps or hand
    if following or partner_wins:
        return following or hand
    return higher or hand  # the house plays: higher or trumps or hand


def settle(taker: int, sides: list[dict[str, int]]) -> dict[str, Any]:
    """Return what a deal is worth to both sides; a tie leaves the points of the taker's side held."""
    counted = [
        (ALL_TRICKS if side["tricks"] and not other["tricks"] else side["cards"])
        + side.get("declarations", 0)
        + side.get("belote", 0)
        for side, other in zip(sides, sides[::-1], strict=True)
    ]
    ours, held, points = taker % 2, 0, list(counted)
    outcome = "made" if counted[ours] > counted[1 - ours] else "fell"
    if counted[ours] == counted[1 - ours]:
        outcome, held, points[ours] = "tied", written(counted[ours]), 0
    elif outcome == "fell":
        points[ours], points[1 - ours] = 0, sum(counted)
    score = [written(own) for own in points]
    deal = {"counted": counted, "outcome": outcome, "points": points, "score": score, "held": held}
    return deal | {"written": [str(own) for own in score]}


def written(points: int) -> int:
    """Return card points as they are written: tens, a half up."""
    return (points + 5) // 10


def settle_tricks(trump: str, taker: int, tricks: list[Any], sides: list[dict[str, int]]) -> dict[str, Any]:
    """Return what a deal is worth, from its tricks."""
    won = [{"winner": winner(trump, **trick), "points": worth(trick["cards"], trump)} for trick in tricks]
    sums = [dict(side, cards=0, tricks=0) for side in sides]
    for trick in won:
        sums[trick["winner"] % 2]["cards"] += trick["points"]
        sums[trick["winner"] % 2]["tricks"] += 1
    sums[won[-1]["winner"] % 2]["cards"] += LAST_TRICK
    return {"tricks": won, "cards": [side["cards"] for side in sums]} | settle(taker, sums)


def match(dealer: int, deals: list[Any], totals: list[int], held: int) -> dict[str, Any]:
    """Return the score of a match after its deals; held points go to the side that is ahead in the next decided one."""
    lines, over = [], ahead(totals)
    for at, deal in enumerate(deals):
        if over is not None:
            return {"rejected": {"at": at, "reason": "match-over"}}
        score, freed = [0, 0], [0, 0]
        if "scored" in deal:
            done = settle(**deal["scored"])
            score = done["score"]
            if done["outcome"] == "tied":
                held += done["held"]
            else:
                freed[done["points"].index(max(done["points"]))], held = held, 0
        elif "accusation" in deal:
            told = deal["accusation"]
            score[(told["of"] if told["proved"] else told["by"]) % 2] = -PENALTY
        totals = [sum(three) for three in zip(totals, score, freed, strict=True)]
        lines.append({"dealer": dealer, "score": score, "freed": freed, "held": held, "totals": totals})
        over = ahead(totals)
        dealer = (dealer + 1) % 4
    ends = {"winner": over, "surplus": 0, "next_dealer": dealer if over is None else None}
    return {"result": {"deals": lines} | ends}


def ahead(totals: list[int]) -> int | None:
    """Return the side that has won the match, if one has."""
    return totals.index(max(totals)) if max(totals) >= TARGET and totals[0] != totals[1] else None


def answer(operation: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Answer one question of the runner."""
    if operation == "hello":
        said = {"protocol": 1, "name": "our-table-py", "version": "1.0", "language": "Python"}
        names = ["trick-winner", "card-points", "legal-cards", "score-deal", "settle-tricks", "match"]
        return {"result": said | {"profiles": ["our-table"], "operations": names}}
    if operation == "trick-winner":
        return {"result": {"winner": winner(**asked)}}
    if operation == "card-points":
        bonus = LAST_TRICK if asked.get("last_trick") else 0
        return {"result": {"points": worth(asked["cards"], asked["trump"]) + bonus}}
    if operation == "legal-cards":
        return {"result": {"cards": legal(**asked)}}
    if operation == "score-deal":
        return {"result": settle(**asked)}
    if operation == "settle-tricks":
        return {"result": settle_tricks(**{"sides": [{}, {}], **asked})}
    start: dict[str, Any] = {"totals": [0, 0], "held": 0}
    return match(**start | asked)


def main() -> None:
    """Answer line by line until stdin closes."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = answer(request["op"], request["input"])
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **reply}), flush=True)


if __name__ == "__main__":
    main()
