"""Where a player can only play a card, what he may do and what comes of it is what the engine says at length."""

from random import Random

import pytest

import belot_reference as belot
from belot_reference.choices import legal_actions
from belot_reference.game import engine_of
from belot_reference.game_action import from_engine, plain_card, to_engine
from belot_reference.plain_turn import after_plain_card, plain_cards
from belot_reference.replay import apply_action
from belot_spec.card_names import CARD_NAMES


@pytest.mark.parametrize(
    "profile", ["bela-3", "belote+ten-above-king", "belotten", "coinche", "denderbelot", "open-belot"]
)
def test_a_plain_turn_is_one_at_which_the_engine_offers_nothing_but_cards(profile: str) -> None:
    plain = others = 0
    rng = Random(profile)
    for seed in range(3):
        game = belot.Game(profile, seed=seed)
        for _ in range(150):
            if game.is_over:
                break
            rules, state = engine_of(game)
            assert game.turn is not None
            if game.phase == "play":
                offered = tuple(map(from_engine, legal_actions(rules, state, game.turn)))
                assert game.legal_actions() == offered
                found = plain_cards(rules, state)
                plain, others = plain + (found is not None), others + (found is None)
                for card, name in enumerate(CARD_NAMES):
                    action = belot.Action(seat=game.turn, play=name)
                    number = plain_card(action)
                    assert number == card
                    after = after_plain_card(rules, state, game.turn, number)
                    if action not in offered:
                        assert after is None
                    elif after is not None:
                        assert after == apply_action(rules, state, to_engine(rules, action))
                    else:
                        assert found is None or not (state.play and (state.play.cards or state.play.tricks))
            game = game.apply(rng.choice(game.legal_actions()))
    assert plain > others or rules.open_piles  # where any card may turn another
