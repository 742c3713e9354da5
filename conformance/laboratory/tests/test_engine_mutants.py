"""The mutation run: what it reads from mutmut, and how it holds the survivors against the kept list."""

import ast
import json
from pathlib import Path

import pytest

from belot_spec.errors import SpecError
from laboratory.engine_mutants.__main__ import as_entries
from laboratory.engine_mutants.mutants import (
    EngineMutant,
    Kept,
    Result,
    engine_modules,
    outdated,
    read_results,
    read_survivors,
    unexplained,
)

KEPT = Path(__file__).parents[1] / "engine_mutants" / "engine-survivors.yaml"
ENGINE = Path(__file__).parents[3] / "reference_impl" / "belot_reference"

MUTATED = '''
def x_wins__mutmut_orig(points):
    """Say whether."""
    return (
        points > 81
    )

def x_wins__mutmut_1(points):
    """Say whether."""
    return (
        points >= 81
    )

def x_wins__mutmut_2(points):
    """Say whether."""
    return (
        points > 82
    )

class Deal:
    def xǁDealǁover__mutmut_orig(self):
        return self.left == 0

    def xǁDealǁover__mutmut_1(self):
        return self.left != 0
'''
WON = EngineMutant("scoring.wins", "return points > 81", "return points >= 81")
WON_BY_MORE = EngineMutant("scoring.wins", "return points > 81", "return points > 82")
OVER = EngineMutant("scoring.Deal.over", "return self.left == 0", "return self.left != 0")


@pytest.mark.parametrize(("codes", "fates"), [
    ((0, 1, 1), ("survived", "noticed", "noticed")),
    ((33, -24, 3), ("survived", "noticed", "untried")),
    ((None, 2, -9), ("untried", "untried", "noticed")),
])  # fmt: skip
def test_mutants_are_named_by_the_code_and_judged_by_the_exit_code(
    tmp_path: Path, codes: tuple[int | None, ...], fates: tuple[str, ...]
) -> None:
    (tmp_path / "scoring.py").write_text(MUTATED, encoding="utf-8")
    names = ("x_wins__mutmut_1", "x_wins__mutmut_2", "xǁDealǁover__mutmut_1")
    meta = {
        "exit_code_by_key": {f"belot_reference.scoring.{name}": code for name, code in zip(names, codes, strict=True)}
    }
    (tmp_path / "scoring.py.meta").write_text(json.dumps(meta), encoding="utf-8")
    results = read_results(tmp_path)
    assert [result.mutant for result in results] == [WON, WON_BY_MORE, OVER]
    assert tuple(result.fate for result in results) == fates


def test_a_survivor_is_explained_as_often_as_the_list_holds_it() -> None:
    results = [Result(WON, "survived"), Result(WON, "survived"), Result(OVER, "noticed")]
    assert unexplained(results, [Kept(WON, 1)]) == [WON]
    assert unexplained(results, [Kept(WON, 1), Kept(WON, 1)]) == []


def test_an_entry_that_does_not_survive_any_more_is_reported_where_it_stands() -> None:
    results = [Result(WON, "noticed"), Result(OVER, "survived")]
    kept = [Kept(WON, 3), Kept(OVER, 4), Kept(OVER, 5), Kept(WON_BY_MORE, 6)]
    problems = outdated(KEPT, results, kept, ["scoring"])
    assert [problem.line for problem in problems] == [3, 5, 6]
    assert "a case notices return points >= 81" in str(problems[0])
    assert "no such change as return points > 82" in str(problems[2])
    assert outdated(KEPT, results, kept, ["play"]) == []


def test_what_the_run_prints_can_be_pasted_into_the_list_with_a_reason(tmp_path: Path) -> None:
    printed = as_entries([WON, OVER, WON_BY_MORE, WON])
    path = tmp_path / "list.yaml"
    reason = "survivors:\n- why: A reason that says something.\n  mutants:\n"
    path.write_text(reason + "".join(f"  {line}\n" for line in printed.splitlines()), encoding="utf-8")
    assert [entry.mutant for entry in read_survivors(path)] == [WON, WON_BY_MORE, WON, OVER]
    path.write_text("survivors: [{mutants: [{in: play.x, was: a, now: [b]}]}]\n", encoding="utf-8")
    with pytest.raises(SpecError, match="why"):
        read_survivors(path)


def test_every_kept_survivor_is_about_a_line_of_the_engine() -> None:
    lines = {name: _lines(ENGINE / f"{name}.py") for name in engine_modules()}
    for entry in read_survivors(KEPT):
        module, function = entry.mutant.where.split(".", 1)
        there = lines[module].get(function, frozenset())
        missing = [line for line in entry.mutant.was.split(" ⏎ ") if line and line not in there]
        assert not missing, f"{KEPT.name}:{entry.line}: {entry.mutant.where} has no line {missing[0]}"


def _lines(path: Path) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                collect(node.body, f"{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                name, node.name, node.decorator_list = node.name, "_", []
                found[prefix + name] = frozenset(line.strip() for line in ast.unparse(node).splitlines())

    collect(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return found
