"""A position is the trick of a game, of a line of the notation, and of the operations that ask about cards."""

import pickle
from random import Random
from typing import Any

import pytest

import belot
from belot_reference.compile import ruleset_named
from belot_reference.perft import opened
from belot_spec.shipped import default_spec

EIGHTS = [["AS", "KH", "7D"], ["9S", "QH", "8D"], ["JS", "7H", "9C"], ["10S", "AH", "AC"]]


def belotten(**told: Any) -> belot.Position:
    return belot.Position("belotten", **{"trump": "S", "leader": 3, "hands": EIGHTS, **told})


@pytest.mark.parametrize("profile", default_spec().nameable())
def test_a_game_gives_positions_and_takes_them(profile: str) -> None:
    game, random = belot.Game(profile, seed=4), Random(4)
    while game.deal_number == 1 and not game.is_over:
        one, action = game.position, random.choice(game.legal_actions())
        after = game.apply(action)
        if one is not None and action.play is not None:
            assert {*one.legal_cards()} == {other.play for other in game.legal_actions() if other.play is not None}
            assert pickle.loads(pickle.dumps(one)) == one
            played = one.play(action.play)
            if after.deal_number == 1 and not after.is_over:
                assert played == after.position
                assert played.winner() == (None if len(played.trick) < game.players else after.turn)
            if not game.table.tricks and (contract := game.contract) is not None:
                assert belot.Position.from_line(str(one)) == one
                again = belot.Game.from_position(
                    one, taker=contract.taker, bid=contract.bid, raised=contract.raised, dealer=game.table.dealer
                ) if profile != "bela-3" else game  # fmt: skip  # there the cards that were laid away are not told
                assert again.position == one
        game = after


def test_a_position_counts_and_asks_as_the_operations_do() -> None:
    one = belotten()
    plays, play = opened(ruleset_named("belotten"), {"trump": "S", "leader": 3, "hands": EIGHTS})
    assert [one.perft(depth) for depth in range(14)] == [plays.count(play, depth) for depth in range(14)]
    assert sum(one.play(card).perft(3) for card in one.legal_cards()) == plays.count(play, 4)
    # Everybody has one heart and follows suit with it; the ace is the highest.
    assert one.play("AH").legal_cards() == ("KH",)
    whole = one.play("AH").play("KH").play("QH").play("7H")
    assert (whole.winner(), whole.turn, whole.trick) == (3, 3, ("AH", "KH", "QH", "7H"))
    assert (whole.play("AC").trick, whole.play("AC").winner()) == (("AC",), None)
    assert belotten(trick=["AH", "KH", "QH", "7H"]) == whole
    assert str(whole) == "profile belotten leader 3 trump S hands A.K.7./9.Q.8./J.7..9/10.A..A 3: AH KH QH 7H"


def test_of_one_hand_a_position_says_what_it_may_play_and_nothing_else() -> None:
    one = belot.Position("belotten", trump="S", leader=0, hand=["7S", "8H"], trick=["AH"])
    assert (one.legal_cards(), one.turn, one.winner()) == (("8H",), 1, None)
    assert belot.Position.from_line(str(one)) == one
    for call in (lambda: one.perft(1), lambda: one.play("8H"), lambda: one.hands):
        with pytest.raises(belot.BadQuestionError, match="only one hand is told here"):
            call()


@pytest.mark.parametrize(("told", "message"), [
    ({"hands": None}, "one of hands, hand and piles says what is held, not none"),
    ({"hand": ["7S"]}, "one of hands, hand and piles says what is held, not hands and hand"),
    ({"hands": EIGHTS[:3]}, "^hands: .*per seat, 4 in belotten"),
    ({"hands": [EIGHTS[0]] * 4}, "^hands: AS, KH, 7D is in two hands"),
    ({"trump": "X"}, "trump: "),
    ({"leader": 4}, "leader: "),
    ({"trick": ["AS"]}, "^trick: seat 3 holds no 'AS'$"),
    ({"trick": 3}, "^trick: a list of at most 4 cards stands here, not 3$"),
    ({"hands": None, "hand": ["7S"], "trick": ["7S"]}, "^trick: fewer cards than players"),
    ({"hands": None, "hand": ["7S"], "leader": "0"}, "^leader: a whole number stands here, not '0'$"),
])  # fmt: skip
def test_what_cannot_be_held_or_played_is_told(told: dict[str, Any], message: str) -> None:
    with pytest.raises(belot.BadQuestionError, match=message):
        belotten(**told)


def test_a_card_that_may_not_be_played_is_refused_with_what_would_be_right() -> None:
    one = belotten(trick=["AH"])
    with pytest.raises(belot.Refusal, match=r"^illegal-card: seat 0: play 7D: seat 0 may play KH\. .*play.follow"):
        one.play("7D")
    with pytest.raises(belot.Refusal, match=r"^card-not-held: seat 0: play 9S: seat 0 holds AS, KH, 7D\. "):
        one.play("9S")
    with pytest.raises(belot.BadQuestionError, match="play: a card stands here, such as 10H, not '1H'"):
        one.play("1H")
    with pytest.raises(belot.BadQuestionError, match="leader: seat 3 does not lead first"):
        belot.Game.from_position(one, taker=0, dealer=3)
    with pytest.raises(belot.BadQuestionError, match="the line of a position names its profile"):
        belot.Position.from_line("leader 0 trump S hand 7...")
