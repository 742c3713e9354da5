"""A figure that a text writes beside a rule is one of the rule's value: a changed value leaves none behind unseen."""

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.lint import behaviour_problems
from belot_spec.data import spec_folder
from belot_spec.languages import Language
from belot_spec.load.figures import figure_problems, figures
from belot_spec.load.spec import load_spec
from suite_testing import run


def changed(tmp_path: Path, file: str, old: str, new: str) -> list[str]:
    folder = tmp_path / "spec"
    shutil.copytree(spec_folder(), folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, text.count(old)
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    spec = load_spec(folder)
    return [str(problem) for problem in (*figure_problems(spec), *behaviour_problems(load_cases(), spec))]


@pytest.mark.parametrize(("file", "old", "new", "told"), [
    ("variants/bela-4.yaml", "match.target: {value: 1001", "match.target: {value: 1000",
     ["summary.en: 1001", "match/bela-target.yaml:1: behaviour.nl: 1001", "replay/bela-enough.yaml:1: behaviour.en: 1001"]),
    ("variants/belote.yaml", "{value: 20, status: stated, cite: [FR-053", "{value: 30, status: stated, cite: [FR-053",
     ["rulings.FR-R6.reading.en: 20", "belote/belote-both-calls.yaml:1: behaviour.en: 20"]),
    ("variants/bela.yaml", "scoring.all-tricks.points: {value: 90", "scoring.all-tricks.points: {value: 80",
     ["rulings.BL-R9.reading.nl: 90", "score-deal/bela-all-tricks.yaml:1: behaviour.en: 90"]),
    ("variants/denderbelot-3.yaml", "scoring.trickless-player: {value: 50", "scoring.trickless-player: {value: 40",
     ["rulings.WB3-R4.reading.en: 50", "score-deal/dender-3-one-without-a-trick.yaml:1: behaviour.nl: 50"]),
    ("variants/belotten.yaml", "match.target: {value: 200", "match.target: {value: 150",
     ["options.half-points.title.en: 100", "match/belotten-half-points-option.yaml:1: behaviour.en: 200"]),
    ("variants/belotten.yaml", '"9": 140', '"9": 130', ["declarations/belotten-squares.yaml:1: behaviour.en: 140"]),
    ("variants/belote.yaml", "To 301", "To 300", ["options.target-301.title.en: 300"]),
    ("rules/declarations.yaml", "J 200, 9 140, A 110 …", "J 200, 9 140, A 120 …", ["A: 110}.en: 120"]),
    ("rules/match.yaml", "The target", "The target of 100", ["rules.match.target.title.en: 100"]),
])  # fmt: skip
def test_what_a_change_leaves_behind_is_named(tmp_path: Path, file: str, old: str, new: str, told: list[str]) -> None:
    found = changed(tmp_path, file, old, new)
    for part in told:
        assert any(part in one for one in found), (part, found)


def test_an_option_that_sets_what_the_base_now_has_is_named(tmp_path: Path) -> None:
    """It plays on, for the base may be changed first and its options after it; but spec lint says so."""
    changed(tmp_path, "variants/belote.yaml", "match.target: {value: 501", "match.target: {value: 301")
    done = run("spec", "lint", tmp_path / "spec")
    assert done.exit_code == 2
    assert "options.target-301.rules.match.target: belote has this value without the option" in done.stderr


@pytest.mark.parametrize(("text", "language", "found"), [
    ("To 1,001 points, as BL-207 and BL3-R1 say (16.2 or 9½)", "en", ["1001", "16.2", "9.5"]),
    ("Fifty, twenty-three and a hundred; the ten and two nines", "en", ["50", "23", "100"]),
    ("Nine card points, ten points, ten cards", "en", ["9", "10"]),
    ("Vijftig, drieëntwintig en honderd; de tien en tien kaartpunten", "nl", ["50", "23", "100", "10"]),
    ("16,2 punten", "nl", ["16.2"]),
])  # fmt: skip
def test_figures_are_read_in_digits_and_in_words(text: str, language: Language, found: list[str]) -> None:
    assert [number for _, number in figures(text, language)] == [Fraction(one) for one in found]
