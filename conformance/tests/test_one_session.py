"""A command makes each thing once, whatever it is asked; what somebody plants in the cache decides nothing."""

import importlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.programs import reference
from belot_conformance.suite import cases as suite_cases
from belot_spec import shipped as rules
from suite_testing import Belot, house_rules

ANSWERING = ("--", sys.executable, "-m", "belot_conformance", "answer")
# Where each is looked up, the place that makes it first.
MADE = {
    "the rules": ("belot_spec.load.spec.load_spec",),
    "the cases": ("belot_conformance.suite.cases.read_cases",),
    "the variants": ("belot_conformance.programs.reference.compiled_variants",),
    "the plan": tuple(f"belot_conformance.{one}.chosen_cases" for one in ("suite.selection", "house_suite.planning")),
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Counter[str]]:
    """What is made, each counted; what the tests have read already stands in for what is read anew."""
    counted: Counter[str] = Counter()
    before = {"the rules": rules.default_spec(), "the cases": suite_cases.load_cases()}

    def counting(name: str, place: str) -> None:
        module, _, function = place.rpartition(".")
        real = getattr(importlib.import_module(module), function)

        def made(*arguments: Any, **named: Any) -> Any:
            counted[name] += 1
            return before[name] if name in before else real(*arguments, **named)

        monkeypatch.setattr(place, made)

    for name, places in MADE.items():
        for place in places:
            counting(name, place)
    # Nothing is known from an earlier command, nor kept in the cache of the user.
    for known in (rules.default_spec, suite_cases._shipped_cases, reference._shipped_variants):
        known.cache_clear()
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path / "cache"))
    yield counted
    # For the tests that follow, the same as before.
    assert rules.default_spec() is before["the rules"]
    assert suite_cases.load_cases() == before["the cases"]


@pytest.mark.parametrize("arguments", [
    ("check", "--reasons", "--baselines", "--operation", "card-points", "reference"),
    ("check", "--operation", "score-deal", *ANSWERING, "--mistake", "tie-shared"),
    ("check", "--profile", "HOUSE", "--operation", "card-points", "reference"),
    ("smoke", *ANSWERING),
    ("smoke", "--profile", "HOUSE", *ANSWERING, "--profile", "HOUSE"),
    ("identify", "--profile", "bela-4", *ANSWERING),
    ("audit", "LOG", "--profile", "bela-4"),
    ("impact", "belote", "belote+no-undertrump", "--deals", "4", "--jobs", "1"),
    ("spec", "show", "BL-171"),
    ("spec", "show", "match.claim"),
    ("cases", "lint"),
    ("lab", "mutants", "--profile", "belote", "--rule", "scoring.tie", "--jobs", "1"),
    ("baselines", "--operation", "bidding"),
    ("play", "--profile", "bela-4"),
], ids=lambda arguments: " ".join(arguments[:3]))  # fmt: skip
def test_a_command_makes_it_once(arguments: tuple[str, ...], belot: Belot, made: Counter[str], tmp_path: Path) -> None:
    house, log = house_rules(tmp_path, {"match.target": 51}, "belotten"), tmp_path / "log.jsonl"
    log.write_text('{"op": "match", "input": {"dealer": 0, "deals": [{"passed": true}]}}\n', encoding="utf-8")
    places = {"HOUSE": str(house), "LOG": str(log)}
    done = belot(*(places.get(word, word) for word in arguments))
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert made
    assert {name: number for name, number in made.items() if number > 1} == {}
