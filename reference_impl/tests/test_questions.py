"""A question that makes no sense gets one clear message and never a result."""

from collections.abc import Callable
from typing import Any

import pytest

from belot_reference import operations
from belot_reference.compile import Ruleset
from belot_reference.errors import BadQuestionError
from belot_reference.operations import answer
from belot_spec.card_names import CARD_NAMES

RulesetOf = Callable[[str], Ruleset]
EIGHTS = [list(CARD_NAMES[seat * 8 : seat * 8 + 8]) for seat in range(4)]
TENS = [list(CARD_NAMES[seat * 10 : seat * 10 + 10]) for seat in range(3)]
SIDES = [{"cards": 100, "tricks": 5}, {"cards": 62, "tricks": 3}]
LEFT_OVER = list(CARD_NAMES[30:])


@pytest.mark.parametrize(("profile", "operation", "question", "message"), [
    ("bela-4", "legal-card", {}, "there is no operation legal-card; did you mean legal-cards?"),
    ("bela-4", "card-points", {"trump": "H"}, "the key cards is missing"),
    ("bela-4", "card-points", {"trump": "X", "cards": []}, "trump: must be one of S, H, D, C"),
    ("bela-4", "trick-winner", {"trump": "H", "leader": 0, "cards": ["7S", "8S"]}, "has 4 cards, not 2"),
    ("bela-2", "trick-winner", {"trump": "H", "leader": 2, "cards": ["7S", "8S"]}, "seats 0 to 1, not 2"),
    # Of several wrong keys the first is named, in the order in which they were written.
    ("bela-2", "penalty", {"trump": "H", "leader": 0, "hands": EIGHTS, "plays": ["7S"], "accuser": 2, "accused": 3},
     "accuser: bela-2 has seats 0 to 1, not 2"),
    ("bela-2", "penalty", {"trump": "H", "leader": 0, "hands": EIGHTS, "plays": ["7S"], "accused": 3, "accuser": 2},
     "accused: bela-2 has seats 0 to 1, not 3"),
    ("bela-4", "trick-winner", {"trump": "H", "leader": 1.0, "cards": ["7S", "8S", "9S", "AS"]}, "decimal point"),
    ("bela-4", "legal-cards", {"trump": "H", "hand": ["7S"], "trick": ["7S"]}, "none that is in the hand"),
    ("bela-4", "bidding", {"dealer": 3, "turn_up": "7S", "bids": []}, "bela-4 has no turn-up"),
    ("belotten", "bidding", {"dealer": 3, "bids": []}, "belotten needs a turn-up"),
    ("denderbelot-3", "deal", {"dealer": 2, "taker": 0, "deck": list(CARD_NAMES[:30])}, "KC AC missing and 7S 7C too much"),
    ("bela-4", "deal", {"dealer": 3, "taker": 0, "deck": list(CARD_NAMES), "cut": 12.0},
     "cut: 12.0 has a decimal point, and a whole number stands here"),
    ("bela-3", "compare-declarations", {"trump": "H", "leader": 0, "announced": [[["7S", "8S", "9S"]], [], []]},
     "it matters who took"),
    ("bela-4", "compare-declarations", {"trump": "H", "leader": 0, "announced": [[["7S", "8S"]], [], [], []]},
     "7S 8S is no declaration"),
    ("bela-4", "score-deal", {"taker": 0, "sides": [{"cards": 1, "tricks": 8}]}, "sides"),
    ("bela-4", "settle-tricks", {"trump": "H", "taker": 0, "tricks": [{"leader": 0, "cards": ["7S", "8S", "9S", "AS"]},
                                                                      {"leader": 3, "cards": ["JS", "8S", "QS", "KS"]}]},
     "tricks.1.cards: 8S is played or laid away twice"),
    ("bela-4", "match", {"dealer": 0, "deals": [{"passed": True}]}, "somebody must name trump"),
    ("bela-4", "match", {"dealer": 0, "held": 30, "deals": [{"passed": True}]}, "no points are ever held"),
    ("belotten", "match", {"dealer": 0, "deals": [{"accusation": {"by": 0, "of": 2, "proved": True}}]},
     "a player accuses somebody of another side"),
    ("denderbelot-3", "match", {"dealer": 0, "deals": [{"accusation": {"by": 3, "of": 2, "proved": True}}]},
     "by: denderbelot-3 has seats 0 to 2, not 3"),
    ("belotten", "penalty", {"trump": "H", "leader": 0, "hands": EIGHTS, "plays": ["7S"], "accuser": 1, "accused": 3},
     "a player accuses somebody of another side"),
    ("belotten", "penalty", {"trump": "H", "leader": 0, "hands": EIGHTS, "plays": ["7H"], "accuser": 1, "accused": 0},
     "7H is not held by seat 0"),
    ("bela-4", "replay", {"dealer": 3, "hands": [["7S"], ["7S"], [], []], "actions": []}, "7S is in two hands"),
    ("bela-4", "replay", {"dealer": 3, "hands": [["7S"], ["8S"], ["9S"], []], "actions": []}, "the same number of cards"),
    ("bela-4", "replay", {"dealer": 3, "piles": [[], [], [], []], "actions": []}, "bela-4 is dealt in hands"),
    ("open-belot", "replay", {"dealer": 1, "piles": [[], []], "actions": []}, "the same number of piles"),
    ("bela-2", "replay", {"dealer": 1, "turn_up": "7S", "hands": TENS[:2], "actions": []}, "7S is out of play"),
    ("denderbelot-3", "replay", {"dealer": 2, "turn_up": "9S", "hands": TENS, "actions": []}, "is played without 7S"),
    ("bela-3", "replay", {"dealer": 2, "hands": [TENS[0], [*TENS[1], *LEFT_OVER], TENS[2]],
                          "actions": [{"seat": 0, "bid": "H"}]}, "the cards left over are in the taker's hand"),
    ("bela-3", "replay", {"dealer": 2, "hands": TENS, "actions": [{"seat": 3, "claim": True}]}, "seats 0 to 2, not 3"),
    # What belongs to other games.
    ("bela-4", "trick-winner", {"trump": "N", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, "one of S, H, D, C"),
    ("bela-4", "bidding", {"dealer": 0, "bids": ["double"]}, "is one of pass, S, H, D, C, not double"),
    ("bela-4", "score-deal", {"taker": 0, "trump": "H", "sides": SIDES}, "trump: a deal of bela-4 counts alike"),
    ("bulgarian-belot", "score-deal", {"taker": 0, "sides": SIDES}, "so say it"),
    ("bela-4", "belote", {"trump": "S", "hand": ["KS"], "plays": [{"card": "KS", "led": "H"}]}, "led: in bela-4"),
    ("bulgarian-belot", "match", {"dealer": 0, "deals": [  # even after a deal that is refused
        {"accusation": {"by": 1, "of": 0, "proved": True}}, {"scored": {"taker": 0, "sides": SIDES}}]}, "so say it"),
])  # fmt: skip
def test_a_question_without_sense_is_explained(
    ruleset_of: RulesetOf, profile: str, operation: str, question: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadQuestionError) as refused:
        answer(operation, ruleset_of(profile), question)
    assert message in str(refused.value)


def test_a_refusal_names_what_the_same_action_had_consulted_before(ruleset_of: RulesetOf) -> None:
    play = {"seat": 0, "play": "7S", "announce": [["7S", "8S", "9S"]], "belote": True}
    question = {"dealer": 3, "hands": EIGHTS, "actions": [{"seat": 0, "bid": "H"}, play]}
    refused = answer("replay", ruleset_of("bela-4+announced-with-first-card"), question)
    assert refused.rejected is not None
    assert refused.rejected["reason"] == "no-belote"
    wanted = {"declarations.played", "declarations.sequence-points", "play.lead", "declarations.belote.calls"}
    assert wanted <= refused.rules


def test_a_fault_of_the_engine_is_not_the_questions(ruleset_of: RulesetOf, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(rules: Ruleset, question: Any) -> Any:
        return len(0)  # type: ignore[arg-type]

    monkeypatch.setattr(operations, "OPERATIONS", {"card-points": broken})
    with pytest.raises(TypeError):
        answer("card-points", ruleset_of("bela-4"), {"trump": "H", "cards": []})
