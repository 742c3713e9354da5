"""The benchmark prints figures; how large they are is no matter for a test."""

import json
from collections.abc import Callable
from typing import Any

from belot_reference.spec import Spec


def test_the_benchmark_measures_every_variant(belot: Callable[..., Any], spec: Spec) -> None:
    done = belot("bench", "--deals", "5", "--rounds", "1", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found["variants"]) == list(spec.playable())
    assert all(figures["card_plays_per_second"] > 0 for figures in found["variants"].values())
    assert found["replay"]["deals"] == 1000


def test_the_benchmark_fits_a_terminal(belot: Callable[..., Any]) -> None:
    done = belot("bench", "--deals", "2", "--rounds", "1")
    assert "card plays/s" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
