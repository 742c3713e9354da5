"""No trumps and all trumps: who waits for the king, and positions counted as one."""

from collections.abc import Callable, Mapping
from typing import Any

from belot_reference.cards import CARD_BY_NAME, CardSet, card_set, names_of
from belot_reference.compile import Ruleset
from belot_reference.play import legal_now, start_play
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
