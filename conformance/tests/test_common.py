"""What wrong answers have in common: what the bar over the forty kinds does not show."""

import random
import re

import pytest

from belot_conformance.explain.common import FEWEST, LOOKED_AT, common, has
from belot_conformance.explain.features import FEATURES, look
from belot_conformance.explain.views import Put
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import random_questions


@pytest.fixture(scope="module")
def reference():
    return Reference()


def put(reference, operation, question, profile="bela-4"):
    return Put(reference.ruleset(profile), operation, question, reference.reply(operation, profile, question))


@pytest.fixture(scope="module")
def deals(reference):
    """Deals with the taker from each seat, with every number of points, with belote and without."""
    return [
        put(reference, "score-deal", {"taker": taker, "sides": [
            {"cards": cards, "tricks": 4, "belote": belote}, {"cards": 162 - cards, "tricks": 4}
        ]})
        for taker in range(4) for cards in range(30, 130) for belote in (0, 20)
    ]  # fmt: skip


def split(puts, is_wrong):
    return [one for one in puts if is_wrong(one)], [one for one in puts if not is_wrong(one)]


def outcome(one):
    return one.message["result"]["outcome"]


def has_belote(one):
    return one.question["sides"][0]["belote"] > 0


def test_says_what_is_shared_with_its_counts(deals):
    wrong, right = split(
        deals, lambda one: outcome(one) == "fell" and one.question["taker"] % 2 == 0 and has_belote(one)
    )
    found = common(wrong, right)
    assert found.is_always
    assert found.sentence == (
        f"wrong wherever the contract falls and the taker's side has belote: {len(wrong)} of {len(wrong)} wrong ones, "
        f"none of {len(right)} right ones"
    )
    assert all(has(found.literals, one) for one in wrong)


def test_says_mostly_from_two_in_three_and_nothing_below(deals):
    fallen = [one for one in deals if outcome(one) == "fell"]
    for share, said in (
        (0.95, "wrong wherever the contract falls"),
        (0.75, "wrong mostly where the contract falls"),
        (0.5, None),
    ):
        lucky = set(map(id, random.Random(1).sample(fallen, round((1 - share) * len(fallen)))))
        found = common(*split(deals, lambda one, lucky=lucky: outcome(one) == "fell" and id(one) not in lucky))
        assert found is said is None or found.sentence.startswith(f"{said}: ")


def test_what_less_than_nearly_all_share_is_not_said(deals):
    others = [one for one in deals if outcome(one) == "made"]
    fallen = [one for one in deals if outcome(one) == "fell"]
    stray = set(map(id, random.Random(1).sample(others, len(fallen) // 5)))
    found = common(*split(deals, lambda one: outcome(one) == "fell" or id(one) in stray))
    assert found is None or "falls" not in found.situation


def test_says_nothing_of_few_wrong_answers_or_what_chance_would_bring(deals):
    wrong, right = split(deals, lambda one: outcome(one) == "fell")
    assert common(wrong[: FEWEST - 1], right) is None
    assert common([], right) is common(deals, []) is None
    for seed in range(8):
        some = set(map(id, random.Random(seed).sample(deals, FEWEST + seed)))
        assert common(*split(deals, lambda one, some=some: id(one) in some)) is None


def test_counts_are_of_all_answers_and_not_of_those_looked_at(deals):
    many = deals * (LOOKED_AT // len(deals) + 2)
    wrong, right = split(many, has_belote)
    found = common(wrong, right)
    assert (found.wrong_sharing, found.wrong, found.right_sharing, found.right) == (
        len(wrong),
        len(wrong),
        0,
        len(right),
    )


def test_the_same_answers_in_another_order_say_the_same(deals):
    wrong, right = split(deals, lambda one: outcome(one) == "fell" and has_belote(one))
    assert common(wrong[::-1], right[::-1]) == common(wrong, right)


@pytest.mark.parametrize("profile", ["coinche", "belote", "bela-3", "open-belot"])
def test_every_question_can_be_looked_at(reference, profile):
    rules = reference.ruleset(profile)
    for operation, question in random_questions(rules, 2, 3):
        one = put(reference, operation, question, profile)
        if "error" not in one.message:
            view = look(one)
            found = [feature for feature in FEATURES[operation] if feature.holds(view)]
            assert found


def test_features_are_of_every_operation_and_say_of_what_they_are_and_are_not():
    assert FEATURES.keys() == OPERATIONS.keys()
    for features in FEATURES.values():
        said = [one.yes for one in features] + [one.no for one in features if one.no]
        assert len(said) == len(set(said))
        assert not [phrase for phrase in said if re.search(r"[{}|%]|  |^ | $", phrase)]
