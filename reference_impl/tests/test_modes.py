"""No trumps and all trumps: who waits for the king, and positions counted as one."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from belot_reference.cards import CARD_BY_NAME, CardSet, card_set, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.perft import Plays
from belot_reference.play import PlayState, force_card, legal_now, start_play
from belot_reference.questions import mode_named

House = Callable[[str, Mapping[str, Any]], Ruleset]
KING_FIRST = {"declarations.belote.order": "king-first"}


def cards(*names: str) -> CardSet:
    return card_set(CARD_BY_NAME[name] for name in names)


def test_at_all_trumps_the_queen_of_each_suit_waits_for_her_king(house: House) -> None:
    rules, hand = house("bulgarian-belot", KING_FIRST), cards("KS", "QS", "KD", "QD", "QC")
    for name, leads in (("A", "KS KD QC"), ("S", "KS QD KD QC"), ("N", "QS KS QD KD QC")):
        state = start_play(rules, mode_named(rules, name), [hand, *[CardSet(0)] * 3], 0)
        assert names_of(legal_now(rules, state)[0]) == leads.split()


def counted_one_by_one(rules: Ruleset, play: PlayState, depth: int) -> int:
    if not depth or not play.hands[play.turn]:
        return 1
    legal, _ = legal_now(rules, play)
    return sum(counted_one_by_one(rules, force_card(rules, play, card), depth - 1) for card in cards_in(legal))


@pytest.mark.parametrize("values", [{}, KING_FIRST], ids=["either", "king-first"])
@pytest.mark.parametrize("name", ["N", "A"])
def test_positions_that_count_as_one_have_the_same_number(house: House, name: str, values: dict[str, str]) -> None:
    rules = house("bulgarian-belot", values)
    random, built = Random(name), mode_named(rules, name)
    for _ in range(3):
        deck = random.sample(list(cards_in(rules.deck)), 12)
        state = start_play(rules, built, [card_set(deck[seat * 3 : seat * 3 + 3]) for seat in range(4)], 0)
        assert Plays(rules, built).count(state, 12) == counted_one_by_one(rules, state, 12)
