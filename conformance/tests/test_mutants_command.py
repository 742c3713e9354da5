"""The command ``belot lab mutants`` says what became of every mutant."""

import json
from functools import cache
from pathlib import Path

import pytest

from belot_conformance.mistakes import killing
from belot_conformance.mistakes.killing import Matrix, Row, load_matrix
from belot_workshop.mutants.survey import chosen_mutants, survey_mutants
from suite_testing import Belot

pytestmark = pytest.mark.usefixtures("proving_less")


def test_the_totals_sum_and_the_kept_matrix_agrees(belot: Belot) -> None:
    found = belot("lab", "mutants", "--profile", "belote", "--rule", "scoring", "--format", "json")
    survey = json.loads(found.stdout)
    totals = survey["totals"]
    assert totals["total"] == totals["killed"] + totals["survived"] + totals["equivalent"] > 20
    assert totals["survived"] == 0
    assert sum(counts["total"] for counts in survey["profiles"].values()) == totals["total"]
    assert sum(counts["killed"] for counts in survey["rules"].values()) == totals["killed"]
    assert {one["rule"] for one in survey["equivalents"]} == {"scoring.contract-counts", "scoring.fall-passes"}
    assert survey["stale_rows"] == 0
    assert found.returncode == 0


def test_a_sample_is_the_same_for_the_same_seed_and_all_are_in_the_kept_matrix() -> None:
    once, again, other = (chosen_mutants((), (), 25, seed).mutants for seed in (1, 1, 2))
    assert once == again != other
    assert len(once) == 25
    chosen = chosen_mutants((), (), None, 1)
    assert chosen.whole
    assert {mutant.id for mutant in chosen.mutants} == load_matrix().rows.keys()


def test_a_survivor_fails_the_survey_and_is_shown_with_question(belot: Belot, monkeypatch: pytest.MonkeyPatch) -> None:
    from belot_workshop.mutants.survey import as_json

    unnoticed = "belot_workshop.mutants.survey.run_mutants"
    monkeypatch.setattr(unnoticed, lambda mutants, **_: [killing.Row(one, 3, frozenset()) for one in mutants])
    survey = survey_mutants(chosen_mutants(("belote",), ("scoring.tie",), None, 1), jobs=1)
    assert not survey.passed
    shown = as_json(survey)["survivors"]
    assert [one["value"] for one in shown] == ["taker-falls", "each-keeps-own"]
    assert all(one["difference"]["expected"] != one["difference"]["came"] for one in shown)


def test_part_of_the_mutants_brings_its_rows_of_the_kept_matrix_up_to_date(
    belot: Belot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = load_matrix().rows
    stale = [row for row in kept.values() if row.mutant.rule != "scoring.tie" or row.mutant.profile != "belote"]
    written: list[Row] = []
    monkeypatch.setattr(
        "belot_workshop.mutants.survey.load_matrix", cache(lambda: Matrix({one.mutant.id: one for one in stale}))
    )
    monkeypatch.setattr("belot_workshop.mutants.survey.write_matrix", written.extend)
    belot("lab", "mutants", "--profile", "belote", "--rule", "scoring.tie", "--write")
    assert len(stale) < len(written)
    assert written == list(kept.values())
