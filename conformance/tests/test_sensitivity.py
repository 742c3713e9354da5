"""A rule changed in a variant's YAML turns cases red and names the rule, with the engine untouched."""

import shutil
from functools import cache
from pathlib import Path

import pytest

from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, Verdict, judge_all
from belot_spec.load.spec import load_spec
from belot_spec.shipped import default_spec
from belot_spec.variants import ancestry

CHANGES = [
    ("bela.yaml", "play.follow.unruffed", "[higher_of_led_suit, led_suit]", "[led_suit]"),
    ("bela-4.yaml", "play.void.partner-winning", "[trump, any]", "[any]"),
    ("bela.yaml", "scoring.all-tricks.points", "90", "100"),
    ("bela-4.yaml", "scoring.tie", "taker-falls", "each-keeps-own"),
    ("bela-in-hand.yaml", "declarations.tie", "leaders-side", "first-in-turn"),
    ("bela-4.yaml", "match.target", "1001", "1000"),
    ("bela-4.yaml", "deal.packets-before-bidding", "[3, 3]", "[4, 2]"),
    ("belotten.yaml", "play.void.opponent-ruffed", "[higher_trump, any]", "[higher_trump, trump, any]"),
    ("belotten.yaml", "scoring.rounding", "half-up", "half-down"),
    ("belotten.yaml", "declarations.shown-in-trick", "3", "2"),
    ("belotten.yaml", "declarations.belote.calls", "both-cards", "first-card"),
    ("belotten.yaml", "penalties.points", "25", "26"),
    ("denderbelot.yaml", "declarations.not-shown", "second-chance", "lost"),
    ("denderbelot.yaml", "declarations.belote.order", "king-first", "either"),
    ("denderbelot-3.yaml", "scoring.trickless-player", "50", "40"),
    ("belote.yaml", "play.void.partner-ruffed", "[trump, any]", "[any]"),
    ("bela-3.yaml", "declarations.winner-scores", "winning-camp", "winning-side"),
    ("bela-2.yaml", "deal.seven-exchange", "when-turned-suit-taken", "none"),
    ("open-belot.yaml", "declarations.turned-sequence", "20", "50"),
]


def verdicts_after(tmp_path: Path, root: Path, cases: list[Case], change: tuple[str, str, str, str]) -> list[Verdict]:
    """Ask the worked-out cases of the variants that inherit the change, and every fourth of the others."""
    file, rule, before, after = change
    shutil.copytree(root / "spec", tmp_path / "spec")
    path = tmp_path / "spec" / "variants" / file
    text = path.read_text(encoding="utf-8")
    changed = text.replace(f"  {rule}: {{value: {before}", f"  {rule}: {{value: {after}", 1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    reference = Reference(load_spec(tmp_path / "spec"))
    target = FunctionTarget(reference.hello(), reference.reply)
    plan = [Planned(case, case.profile) for case in cases if case.origin != "derived"]
    concerned = [one for one in plan if inherits(variant_of(one), file)]
    return judge_all(target, concerned + [one for one in plan if not inherits(variant_of(one), file)][::4])


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[1])
def test_a_changed_value_fails_cases_that_pin_its_rule(
    tmp_path: Path, root: Path, cases: list[Case], change: tuple[str, str, str, str]
) -> None:
    failed = [one for one in verdicts_after(tmp_path, root, cases, change) if one.outcome == "failed"]
    assert failed
    assert any(change[1] in verdict.planned.case.rules for verdict in failed)
    assert all(inherits(variant_of(verdict.planned), change[0]) for verdict in failed)


def variant_of(planned: Planned) -> str:
    return planned.profile.partition("+")[0]


@cache
def inherits(variant: str, file: str) -> bool:
    variants = default_spec().variants
    return any(f"{one.id}.yaml" == file for one in ancestry(variants[variant], variants))
