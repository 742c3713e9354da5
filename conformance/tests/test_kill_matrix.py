"""Which case kills which mutant: the rows hold all there is, only what can have changed is asked again."""

import json
import shutil
from pathlib import Path
from random import Random

import pytest

from belot_conformance.mistakes import killing
from belot_conformance.mistakes.kept_answers import KeptAnswers, Noticed
from belot_conformance.mistakes.killing import (
    Row,
    Suite,
    changed_rows,
    hand_written,
    load_matrix,
    run_mutant,
    suite_for,
    thin_places,
    write_matrix,
)
from belot_conformance.mistakes.mutations import Mutant, compile_mutant, mutants_of
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import differences
from belot_reference.operations import answer
from belot_spec.errors import BelotError
from belot_spec.load.spec import load_spec
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec

HEADING = Mutant(ProfileName("bela-4"), "play.follow.unruffed", ["led_suit"], "")


@pytest.fixture(scope="module")
def suite(cases: list[Case], reference: Reference) -> Suite:
    return suite_for("bela-4", hand_written(cases), reference)


def test_a_row_is_what_asking_every_case_of_the_suite_says(suite: Suite, spec: Spec) -> None:
    mutants = Random(5).sample(mutants_of("bela-4", spec), 12)
    for mutant in [HEADING, *mutants]:
        killed = set()
        for planned in suite.planned:
            asked = suite.reference.ruleset(planned.profile).profile
            if any(
                asked.settings[rule].value != suite.reference.ruleset("bela-4").value(rule) for rule in mutant.values
            ):
                continue
            case = planned.case
            try:
                found = answer(case.operation, compile_mutant(mutant, asked, spec), case.input)
            except BelotError:
                killed.add(case.id)
                continue
            kind, value = next(iter(found.message().items()))
            if differences(case.operation, case.expected, Reply(case.id, kind, value)):  # type: ignore[arg-type]
                killed.add(case.id)
        assert run_mutant(mutant, suite, spec, KeptAnswers.none()).killed_by == killed


def test_only_hand_written_cases_kill(cases: list[Case]) -> None:
    hand = {case.id for case in cases if case.origin in ("source-example", "by-hand")}
    assert all(row.killed_by <= hand for row in load_matrix().rows.values())


def test_a_rerun_asks_nothing_and_finds_the_same(
    suite: Suite, spec: Spec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path))
    kept = KeptAnswers.load("one")
    first = run_mutant(HEADING, suite, spec, kept)
    kept.save()
    monkeypatch.setattr(killing, "_ask", lambda *_: pytest.fail("asked again"))
    assert run_mutant(HEADING, suite, spec, KeptAnswers.load("one")) == first
    assert first.asked > len(first.killed_by) > 3


def test_a_changed_rule_reruns_only_the_cases_that_consult_it(
    cases: list[Case], spec: Spec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = KeptAnswers.none()
    hand = hand_written(cases)
    before = Reference(spec)
    run_mutant(HEADING, suite_for("bela-4", hand, before), spec, kept)
    changed_spec = _with_other_target(spec, tmp_path)
    after = Reference(changed_spec)
    suite = suite_for("bela-4", hand, after)
    asked: list[str] = []
    real = killing._ask
    monkeypatch.setattr(killing, "_ask", lambda case, rules: asked.append(case.id) or real(case, rules))  # type: ignore[func-returns-value]
    row = run_mutant(HEADING, suite, changed_spec, kept)
    consulting = {
        one.case.id for one, right in zip(suite.planned, suite.answers, strict=True) if "match.target" in right.rules
    }
    assert set(asked) <= consulting
    assert 0 < len(asked) < row.asked
    assert row == run_mutant(HEADING, suite, changed_spec, KeptAnswers.none())


def _with_other_target(spec: Spec, folder: Path) -> Spec:
    copy = folder / "spec"
    shutil.copytree(spec.folder, copy)
    path = copy / "variants" / "bela-4.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("match.target: {value: 1001") == 1
    path.write_text(text.replace("match.target: {value: 1001", "match.target: {value: 901"), encoding="utf-8")
    return load_spec(copy)


def test_a_changed_case_is_asked_again(suite: Suite, spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    kept = KeptAnswers.none()
    row = run_mutant(HEADING, suite, spec, kept)
    victim = next(iter(row.killed_by))
    changed = [
        replace(one, case=replace(one.case, input={**one.case.input}))
        if one.case.id != victim
        else replace(one, case=replace(one.case, expected=()))
        for one in suite.planned
    ]
    asked: list[str] = []
    monkeypatch.setattr(killing, "_ask", lambda case, _: asked.append(case.id) or Noticed(True, frozenset()))  # type: ignore[func-returns-value]
    run_mutant(HEADING, replace(suite, planned=changed), spec, kept)
    assert asked == [victim]


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = [
        Row(HEADING, 3, frozenset({"bc-0001", "bc-0002"})),
        Row(
            Mutant(ProfileName("belote"), "scoring.tie", "taker-falls", "c", {"scoring.last-trick": 0}), 2, frozenset()
        ),
    ]
    path = tmp_path / "matrix.jsonl"
    write_matrix(rows, path)
    kept = load_matrix(path)
    assert list(kept.rows.values()) == rows
    assert changed_rows(rows, kept) == []
    assert changed_rows([Row(HEADING, 3, frozenset({"bc-0001"}))], kept) != []
    assert len({json.loads(line)["profile"] for line in path.read_text(encoding="utf-8").splitlines()}) == 2


def test_thin_places_are_named() -> None:
    rows = [
        Row(HEADING, 2, frozenset({"bc-0001"})),
        Row(Mutant(ProfileName("bela-4"), "scoring.tie", "x", ""), 2, frozenset({"bc-0001", "bc-0002"})),
    ]
    thin = thin_places(rows, ["bc-0001", "bc-0002", "bc-0003"])
    assert thin.single == [("bela-4", "play.follow.unruffed", "bc-0001")]
    assert thin.idle == ["bc-0003"]
    assert thin.never_alone == ["bc-0002", "bc-0003"]
