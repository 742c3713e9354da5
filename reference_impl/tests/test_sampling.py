"""Deals drawn from a view: of small endings every deal that agrees comes up, and none more often than another."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import sqrt
from random import Random
from typing import Any

import pytest

import belot
from belot_reference.players import next_of
from belot_spec.shipped import default_spec

# What seat 0 knows: each text is a deal up to now, with so few cards that all that agree with it can be counted.
ENDINGS = {
    "who ruffs has none of the suit, and who ruffs lower has no higher trump":
        "profile belotten dealer 3 hands .A.7A./9..8.8/10..J.9/J.7Q.. taker 1 trump S 0: AH 9S 10S",
    "who leads may lead anything":
        "profile contree dealer 2 hands A..7./9.8../J.7../.Q.9. taker 1 trump S bid 80 3: QH",
    "who says belote has the queen too":
        "profile contree dealer 1 hands A.A.7./KQ.8../J.9.9./10..8.8 taker 1 trump S bid 80 2: JS 10S AS KS+belote",
    "where belote counts by itself, who played the king without it has not the queen":
        "profile belote+automatic-belote dealer 1 hands A.A.7./K.8.8./JQ..9./10...89 taker 1 trump S 2: JS 10S AS KS",
    "who played the queen first has not the king":
        "profile denderbelot dealer 0 hands A.A.7./Q.8.8./JK.9../10.Q..8 taker 1 trump S 1: QS JS 10S AS",
    "a tierce that is not shown may be one of several, which is the same deal":
        "profile bela-3 dealer 2 hands 789J..7.7/..910JQ./.78.8K. taker 0 trump S 0: discard(7D7C) 1: announce(9D10DJD)",
    "of two that announced one has shown":
        "profile coinche dealer 3 hands .78..78/..910J.A/A..7.910/JQK...Q taker 0 trump H bid 80 "
        "0: 8C AC+announce(9D10DJD) 9C QC+announce(JSQSKS) 1: JD+show 7D KS 7H",
    "what was laid away is not in the hand":
        "profile bela-3 dealer 2 hands .A.A.7/KQ7.8.8./J.7..9 taker 1 trump S 1: discard(7S8D) 0: AH 8H",
}  # fmt: skip


def openings(game: belot.Game, seat: int | None) -> Iterator[tuple[list[set[str]], set[str]]]:
    """Yield every way to deal what a seat has not seen, with what may have been laid away."""
    deal = game.to_record()["deals"][-1]
    played = [
        {action["play"] for action in deal["actions"] if action["seat"] == one and "play" in action}
        for one in range(game.players)
    ]
    others = [one for one in range(game.players) if one != seat]
    hidden = sorted(set().union(*(set(deal["hands"][one]) - played[one] for one in others)))

    def share(left: Sequence[int], cards: frozenset[str], hands: list[set[str]]) -> Iterator[list[set[str]]]:
        if not left:
            yield hands
            return
        one, *rest = left
        for own in combinations(sorted(cards), len(deal["hands"][one]) - len(played[one])):
            yield from share(rest, cards - {*own}, [*hands[:one], {*own, *played[one]}, *hands[one + 1 :]])

    away = next((len(action["discard"]) for action in deal["actions"] if "discard" in action), 0)
    for hands in share(others, frozenset(hidden), [{*hand} for hand in deal["hands"]]):
        taker = game.contract.taker if game.contract else 0
        for laid in combinations(sorted(hands[taker] - played[taker]), away):
            yield hands, {*laid}


def agreeing(game: belot.Game, seat: int) -> set[Any]:
    """Return every deal that a seat may be in, found by playing each one again."""
    deal, view, found = game.to_record()["deals"][-1], game.view(seat), set()
    for hands, laid in openings(game, seat):
        choices = []
        for action in deal["actions"]:
            sets = action.get("announce", ())
            each = [[*combinations(sorted(hands[action["seat"]]), len(cards))] for cards in sets]
            told = [{**action, "announce": [*map(list, some)]} if sets else action for some in product(*each)]
            choices.append([{**one, "discard": sorted(laid)} if "discard" in one else one for one in told])
        for actions in product(*choices):
            try:
                other = belot.Game.from_record(
                    {"profile": game.profile, "deals": [{**deal, "hands": [*map(sorted, hands)], "actions": actions}]}
                )
            except belot.BelotError:
                continue
            if other.view(seat) == view:
                found.add(key(other))
                break
    return found


def key(game: belot.Game) -> Any:
    deal = game.to_record()["deals"][-1]
    laid = [frozenset(action["discard"]) for action in deal["actions"] if "discard" in action]
    return tuple(map(frozenset, deal["hands"])), tuple(laid)


@pytest.mark.parametrize("text", ENDINGS.values(), ids=ENDINGS)
def test_every_deal_that_agrees_is_drawn_and_as_often_as_any_other(text: str) -> None:
    game, random = belot.Game.from_text(text), Random(7)
    view, wanted = game.view(0), agreeing(game, 0)
    drawn = Counter(key(view.sample(random)) for _ in range(15 * len(wanted)))
    assert {*drawn} == wanted
    free = len(wanted) - 1
    assert sum((number - 15) ** 2 / 15 for number in drawn.values()) < free + 4 * sqrt(2 * free)


@pytest.mark.parametrize("profile", default_spec().nameable())
def test_a_drawn_game_looks_the_same_and_is_played_on_to_the_end_of_the_match(profile: str) -> None:
    game, random = belot.Game(profile, seed=3), Random(3)
    players = [belot.SensiblePlayer(seat) for seat in range(game.players)]
    for step in range(90):
        if game.is_over:
            break
        if step % 9 == 0:
            seat = random.choice([None, *range(game.players)])
            view = game.table if seat is None else game.view(seat)
            drawn = view.sample(random)
            assert (drawn.table if seat is None else drawn.view(seat)) == view
            assert drawn.score() == game.score()
            assert drawn.apply(next_of(drawn, players)).deal_number >= game.deal_number
        game = game.apply(next_of(game, players))
    with pytest.raises(belot.BadQuestionError, match="sample: no deal is running"):
        belot.play_match(profile, players, seed=3).table.sample(random)


def test_a_view_answers_what_a_player_may_ask() -> None:
    game = belot.Game.from_text(next(iter(ENDINGS.values())) + " 7H")
    view = game.view(2)
    assert (view.profile, view.players, view.sides, view.target, view.mode) == (
        "belotten",
        4,
        ((0, 2), (1, 3)),
        100,
        "suit",
    )
    assert (view.card_points("JS"), view.card_points("JS", "H"), view.beats("7S", "AH"), view.beats("7D", "AH")) == (
        20,
        2,
        True,
        False,
    )
    assert (view.deals, view.deal_number) == (None, 1)
    of_sixteen = belot.Game("klaverjas-amsterdams", seed=1)
    while of_sixteen.deal_number < 3:
        of_sixteen = of_sixteen.apply(of_sixteen.legal_actions()[0])
    # A line of such a match tells how many deals were played before.
    for one in (of_sixteen, belot.Game.from_text(of_sixteen.to_line())):
        view = one.view(0)
        assert (view.target, view.deals, view.deal_number, one.deal_number) == (None, 16, 3, 3)
    view = game.view(2)
    assert view.rule("scoring.last-trick") == 10
    assert "8H" in view.unseen
    assert not {*view.unseen} & {*view.hand, "AH", "9S", "10S", "7H"}
    with pytest.raises(
        belot.BadQuestionError, match=r"rule: belotten has no rule 'scoring.last'; did you mean scoring.last-trick\?"
    ):
        view.rule("scoring.last")
