"""A table of one's own: its right program passes, wrong ones fail, and the pages say how that is done."""

import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.house_suite.questions import TableBudget, table_questions
from belot_conformance.house_suite.table import TableSuite, whole_table
from belot_conformance.mistakes.mutations import Mutant, mutants_of_rules
from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.stream import EVERY_OPERATION
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import judge_all
from belot_spec.load.documents import read_document
from suite_testing import Belot, house_rules

TWELVE: Mapping[str, Any] = {
    "match.target": 701, "match.target-reached": "exceed", "match.both-over": "takers-side",
    "scoring.all-tricks.points": 100, "scoring.last-trick": 20, "scoring.contract-needs": "at-least-half",
    "declarations.belote.points": 30, "declarations.tie": "first-in-turn", "bidding.must-name": "eldest",
    "declarations.compared-by": ["square-first", "class", "trump", "top-card"],
    "play.void.partner-winning": ["any"], "play.void.opponent-ruffed": ["higher_trump", "any"],
}  # fmt: skip
# What thirteen wrong programs play otherwise than the twelve lines say.
WRONG: Mapping[str, tuple[str, Any]] = {
    "capot 500": ("scoring.all-tricks.points", 500),
    "target 5": ("match.target", 5),
    "a total that is only reached wins": ("match.target-reached", "reach"),
    "the higher total wins": ("match.both-over", "higher-total"),
    "the last trick is worth ten": ("scoring.last-trick", 10),
    "the taker needs more than half": ("scoring.contract-needs", "more-than-others"),
    "belote 20": ("declarations.belote.points", 20),
    "equal declarations cancel": ("declarations.tie", "nobody"),
    "the top card before trump": ("declarations.compared-by", ["square-first", "class", "top-card", "trump"]),
    "classes reversed": ("declarations.sequence-classes", [[5, 6, 7, 8], [4], [3]]),
    "a partner's trick is ruffed": ("play.void.partner-winning", ["trump", "any"]),
    "undertrumping is a duty": ("play.void.opponent-ruffed", ["higher_trump", "trump", "any"]),
    "the dealer must name": ("bidding.must-name", "dealer"),
}


def watched(*of: Any) -> list[Mutant]:
    """Every other value of the rules that are changed here or played otherwise, and one of each other rule."""
    changed = {*TWELVE, *(rule for rule, _ in WRONG.values())}
    mutants = mutants_of_rules(*of)
    one_each = {mutant.rule: mutant for mutant in mutants}
    return [mutant for mutant in mutants if mutant.rule in changed or one_each[mutant.rule] is mutant]


@pytest.fixture(scope="module")
def twelve(cases: list[Case], tmp_path_factory: pytest.TempPathFactory, searching_less: None) -> TableSuite:
    path = str(house_rules(tmp_path_factory.mktemp("rules"), TWELVE, "bela-4", "twelve-lines"))
    reference = Reference(extra_profiles=[path])
    profile = reference.profile(path).id
    with pytest.MonkeyPatch.context() as patch:
        for name, other in (
            ("table.mutants_of_rules", watched), ("table.BUDGET", TableBudget(first=20, further=160, by_the_other=1))
        ):  # fmt: skip
            patch.setattr(f"belot_conformance.house_suite.{name}", other)
        return whole_table(cases, reference.ruleset(profile), reference, EVERY_OPERATION)


def wrong_answers(table: TableSuite, folder: Path, rules: Mapping[str, Any]) -> int:
    served = Reference(extra_profiles=[str(house_rules(folder, rules, "bela-4", "a-program"))])
    target = FunctionTarget(served.hello(), served.reply)
    plan = [replace(planned, asked_as="a-program") for planned in table.plan]
    return sum(verdict.outcome != "passed" for verdict in judge_all(target, plan))


def test_the_right_program_passes_at_a_table_of_twelve_changed_rules(twelve: TableSuite, tmp_path: Path) -> None:
    assert wrong_answers(twelve, tmp_path, TWELVE) == 0
    # Every rule that an answer shows is tested there, and each question is asked once.
    assert [test.rule for test in twelve.tests if test.undeclared] == []
    assert set(TWELVE) <= {test.rule for test in twelve.tests if test.tested}
    assert all(twelve.provenances[kind] > 50 for kind in ("worked-out", "derived"))
    assert sum(twelve.provenances.values()) == len(twelve.plan)
    asked = [json.dumps([one.case.operation, one.case.input], sort_keys=True) for one in twelve.plan]
    assert len(asked) == len(set(asked))
    assert {*twelve.left_out} >= {"for another number of players"}
    assert all(number > 0 for number in twelve.left_out.values())


@pytest.mark.parametrize("wrong", WRONG)
def test_a_program_that_plays_one_rule_otherwise_fails(twelve: TableSuite, tmp_path: Path, wrong: str) -> None:
    rule, value = WRONG[wrong]
    assert wrong_answers(twelve, tmp_path, {**TWELVE, rule: value}) > 0


def test_the_page_on_own_rules_works_word_for_word(root: Path, tmp_path: Path, belot_searching_less: Belot) -> None:
    section = (root / "conformance/docs/house-rules.md").read_text(encoding="utf-8").partition("\n## ")[0]
    rules = section.partition("```yaml\n")[2].partition("```")[0]
    path = tmp_path / "house-rules.yaml"
    path.write_text(rules, encoding="utf-8")
    assert read_document(path).data["id"] == "our-table"
    console = section.partition("```console\n")[2].partition("```")[0].splitlines()
    commands = [line.removeprefix("$ belot ").partition("  #")[0].strip() for line in console if line.startswith("$ ")]
    assert [command.split()[0] for command in commands] == ["spec", "adapter", "check"]
    for command in commands:
        words, _, program = command.partition(" -- ")
        words = words.replace("house-rules.yaml", str(path))
        program = program.replace("belot answer", f"{sys.executable} -m belot_conformance answer")
        program = program.replace("house-rules.yaml", str(path))
        done = belot_searching_less(*words.split(), *(["--", *program.split()] if program else []))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "✓ PASSED" in done.stdout
    assert "rules of our-table would be noticed" in " ".join(done.stdout.split())


@pytest.mark.parametrize(("program", "rule", "value"), [
    (("python3", "our_table.py"), "play.void.opponent-ruffed", ["higher_trump", "any"]),
    (("node", "our_table.js"), "scoring.tie", "taker-falls"),
], ids=["python", "javascript"])  # fmt: skip
def test_each_program_at_the_table_of_the_readme_has_exactly_the_one_difference_that_it_says(
    program: tuple[str, str], rule: str, value: Any, root: Path, tmp_path: Path, cases: list[Case]
) -> None:
    folder = root / "conformance/examples/house-rules"
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed, so {program[1]} cannot be asked")
    house = folder / "house-rules.yaml"
    page = (root / "conformance/docs/house-rules.md").read_text(encoding="utf-8")
    assert house.read_text(encoding="utf-8") in page
    assert f"-- {program[0]} conformance/examples/house-rules/{program[1]}" in page
    rules = read_document(house).data["rules"] | {rule: {"value": value}}
    theirs = tmp_path / "theirs.yaml"
    theirs.write_text(json.dumps({"id": "our-table", "base": "belotten", "rules": rules}), encoding="utf-8")
    command = (sys.executable if program[0] == "python3" else program[0], str(folder / program[1]))
    with CommandTarget(command) as target:
        asked = [case for case in cases if case.operation in target.hello.operations and case.path.suffix == ".yaml"]
        wrong = {}
        for path in (house, theirs):
            reference = Reference(extra_profiles=[str(path)])
            questions = table_questions(asked, reference.ruleset(reference.profile(str(path)).id), reference).asked
            verdicts = judge_all(target, questions)
            wrong[path] = [one.planned.case.id for one in verdicts if one.outcome != "passed"]
    assert len(wrong[house]) >= 10
    assert wrong[theirs] == []
