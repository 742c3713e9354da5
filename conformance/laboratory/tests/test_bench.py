"""The benchmark prints figures; how large they are is no matter for a test."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.programs.protocol import Request
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Answer, FunctionTarget, Progress
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import BATCH, Planned, judge_each
from belot_spec.spec import Spec
from suite_testing import Belot

REPLAYED = 50


@pytest.fixture(scope="module")
def found(belot: Belot) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("laboratory.bench.DEALS", REPLAYED)
        done = belot("lab", "bench", "--deals", "5", "--rounds", "1", "--format", "json")
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def test_the_benchmark_measures_every_variant(found: dict[str, Any], spec: Spec) -> None:
    assert list(found["variants"]) == list(spec.playable())
    assert all(figures["card_plays_per_second"] > 0 for figures in found["variants"].values())
    for figures in found["variants"].values():
        assert set(figures["simulated_deals_per_second"]) == {"random", "sensible"}
        assert all(speed > 0 for speed in figures["simulated_deals_per_second"].values())
    assert found["replay"]["deals"] == REPLAYED
    assert found["throughput"]["cases_per_second"] > 0


def test_a_run_keeps_one_batch_of_answers_at_a_time(cases: list[Case]) -> None:
    sizes: list[int] = []

    class Counting(FunctionTarget):
        def ask(self, questions: Sequence[Request], progress: Progress | None = None) -> dict[str, Answer]:
            sizes.append(len(questions))
            return super().ask(questions, progress)

    reference = Reference()
    some = [Planned(case, case.profile) for case in cases[:100]]
    target = Counting(reference.hello(), reference.reply)
    verdicts = judge_each(target, (replace_id(some[n % 100], n) for n in range(2 * BATCH + 1)))
    assert {(verdict.outcome, verdict.came) for verdict in verdicts} == {("passed", None)}
    assert sizes == [BATCH, BATCH, 1]


def replace_id(planned: Planned, number: int) -> Planned:
    return replace(planned, case=replace(planned.case, id=f"bc-{number}"))
