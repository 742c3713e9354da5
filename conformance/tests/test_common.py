"""What wrong answers have in common: what the bar over the forty kinds does not show."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from belot_conformance.explain.common import FEWEST, LOOKED_AT, common
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import random_questions
from belot_conformance.situations.features import features_of, situations_of
from belot_conformance.situations.views import Put, look


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference()


def put(reference: Reference, operation: str, question: Any, profile: str = "bela-4") -> Put:
    return Put(operation, question, reference.ruleset(profile), reference.reply(operation, profile, question))


@pytest.fixture(scope="module")
def deals(reference: Reference) -> list[Put]:
    """Deals with the taker from each seat, with every number of points, with belote and without."""
    return [
        put(reference, "score-deal", {"taker": taker, "sides": [
            {"cards": cards, "tricks": 4, "belote": belote}, {"cards": 162 - cards, "tricks": 4}
        ]})
        for taker in range(4) for cards in range(30, 130) for belote in (0, 20)
    ]  # fmt: skip


def split(puts: list[Put], is_wrong: Callable[[Put], bool]) -> tuple[list[Put], list[Put]]:
    return [one for one in puts if is_wrong(one)], [one for one in puts if not is_wrong(one)]


def outcome(one: Put) -> str:
    return str(one.answer["result"]["outcome"])


def has_belote(one: Put) -> bool:
    return bool(one.input["sides"][0]["belote"])


def test_says_what_is_shared_with_its_counts(deals: list[Put]) -> None:
    wrong, right = split(deals, lambda one: outcome(one) == "fell" and one.input["taker"] % 2 == 0 and has_belote(one))
    found = common(wrong, right)
    assert found is not None
    assert found.is_always
    assert found.sentence == (
        f"wrong wherever the contract falls and the taker's side has belote: {len(wrong)} of {len(wrong)} wrong ones, "
        f"none of {len(right)} right ones"
    )
    assert all(found.situation.holds(look(one)) for one in wrong)
    assert common(wrong[::-1], right[::-1]) == found


def test_says_mostly_from_two_in_three_and_nothing_below(deals: list[Put]) -> None:
    fallen = [one for one in deals if outcome(one) == "fell"]
    for share, said in (
        (0.95, "wrong wherever the contract falls"),
        (0.75, "wrong mostly where the contract falls"),
        (0.5, ""),
    ):
        lucky = set(map(id, random.Random(1).sample(fallen, round((1 - share) * len(fallen)))))
        wrong = [one for one in fallen if id(one) not in lucky]
        found = common(wrong, [one for one in deals if one not in wrong])
        assert (found is None) == (not said)
        assert found is None or found.sentence.startswith(f"{said}: ")


def test_what_less_than_nearly_all_share_is_not_said(deals: list[Put]) -> None:
    others = [one for one in deals if outcome(one) == "made"]
    fallen = [one for one in deals if outcome(one) == "fell"]
    stray = set(map(id, random.Random(1).sample(others, len(fallen) // 5)))
    found = common(*split(deals, lambda one: outcome(one) == "fell" or id(one) in stray))
    assert found is None or "falls" not in found.sentence


def test_says_nothing_of_few_wrong_answers_or_what_chance_would_bring(deals: list[Put]) -> None:
    wrong, right = split(deals, lambda one: outcome(one) == "fell")
    assert common(wrong[: FEWEST - 1], right) is None
    assert common([], right) is None
    assert common(deals, []) is None
    for seed in range(8):
        some = set(map(id, random.Random(seed).sample(deals, FEWEST + seed)))
        assert common([one for one in deals if id(one) in some], [one for one in deals if id(one) not in some]) is None


def test_counts_are_of_all_answers_and_not_of_those_looked_at(deals: list[Put]) -> None:
    many = deals * (LOOKED_AT // len(deals) + 2)
    wrong, right = split(many, has_belote)
    found = common(wrong, right)
    assert found is not None
    assert (found.wrong_sharing, found.wrong) == (len(wrong), len(wrong))
    assert (found.right_sharing, found.right) == (0, len(right))


@pytest.mark.parametrize("profile", ["coinche", "belote", "bela-3", "open-belot"])
def test_every_question_can_be_looked_at(reference: Reference, profile: str) -> None:
    rules = reference.ruleset(profile)
    for drawn in random_questions(rules, 2, 3):
        one = put(reference, drawn.operation, drawn.input, profile)
        if "error" not in one.answer:
            facts = look(one)
            assert [feature for feature in features_of(one.operation) if feature.holds(facts)]


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one != "roem"])
def test_features_and_situations_say_what_they_are_of(operation: str) -> None:
    features = features_of(operation)
    said = [one.yes for one in features] + [one.no for one in features if one.no]
    assert len(said) == len(set(said))
    assert not [phrase for phrase in said if re.search(r"[{}|%<>/;]|  |^ | $", phrase)]
    names = [one.name for one in situations_of(operation)]
    assert names
    assert len(names) == len(set(names))
