"""Shares and means with intervals: known values, and what holds of any."""

import statistics
from itertools import permutations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_workshop.impact.comparison import ENOUGH, Clusters, Sample, Z, wilson

parts = st.integers(1, 5000).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole)))


@pytest.mark.parametrize(("part", "whole", "low", "high"), [
    # Worked out by hand from Wilson's formula, as tables of it print them.
    (8, 10, 0.4902, 0.9433),
    (0, 10, 0.0, 0.2775),
    (10, 10, 0.7225, 1.0),
    (50, 100, 0.4038, 0.5962),
    (1, 1000, 0.00018, 0.00564),
])  # fmt: skip
def test_wilsons_interval_has_its_known_limits(part: int, whole: int, low: float, high: float) -> None:
    found = wilson(part, whole)
    assert [found.low, found.high] == pytest.approx([low, high], abs=6e-5)


@given(parts, st.floats(1, 50))
def test_a_share_lies_in_its_interval_which_grows_with_the_effect(numbers: tuple[int, int], effect: float) -> None:
    plain, wide = wilson(*numbers), wilson(*numbers, effect)
    assert 0 <= plain.low <= plain.value <= plain.high <= 1
    assert plain.low < plain.high
    assert wide.high - wide.low >= plain.high - plain.low - 1e-12


def test_clusters_that_are_all_or_nothing_count_as_one_trial_each() -> None:
    clusters = Clusters()
    for number in range(400):
        clusters = clusters.with_one(8 if number % 4 == 0 else 0, 8)
    assert clusters.design_effect() == pytest.approx(8, rel=0.01)
    found, alone = clusters.share(), wilson(100, 400)
    assert found is not None
    assert [found.low, found.high] == pytest.approx([alone.low, alone.high], abs=0.001)


@given(st.lists(st.integers(-300, 300), min_size=2, max_size=60))
def test_a_mean_is_that_of_the_observations_with_a_normal_interval(observations: list[int]) -> None:
    sample = Sample()
    for one in observations:
        sample = sample.with_one(one)
    found = sample.mean()
    assert found is not None
    error = Z * statistics.stdev(observations) / sqrt(len(observations))
    assert found.value == pytest.approx(statistics.mean(observations))
    assert found.high - found.value == pytest.approx(error, abs=1e-6)
    assert found.value - found.low == pytest.approx(error, abs=1e-6)
    assert found.rough == (sum(one != 0 for one in observations) < ENOUGH)


def test_sums_are_the_same_in_any_order_and_nothing_is_estimated_from_nothing() -> None:
    samples = [Sample().with_one(number) for number in (3, -7, 0, 120)]
    clusters = [Clusters().with_one(part, 8) for part in (0, 3, 8, 1)]
    assert len({sum(order, Sample()) for order in permutations(samples)}) == 1
    assert len({sum(order, Clusters()) for order in permutations(clusters)}) == 1
    assert Sample().mean() is None
    assert Clusters().share() is None
    nought = Sample(number=10, other_than_zero=0, total=0, squares=0).mean()
    assert nought is not None
    assert str(nought.as_json()["low"]) == str(nought.as_json()["mean"]) == "0.0"
