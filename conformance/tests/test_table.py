"""The suite for one table: which questions it holds, by which name they are asked, and what reports tell of them."""

import json
import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from belot_conformance.house_suite import table
from belot_conformance.house_suite.planning import called
from belot_conformance.house_suite.questions import TableBudget, table_questions
from belot_conformance.house_suite.table import Rounds, Sought, TableSuite, pins_key, whole_table
from belot_conformance.mistakes.mutations import Mutant, mutants_of_rules
from belot_conformance.programs.protocol import Hello, Shape
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.questions.operations import OPERATIONS as EVERY_OPERATION
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.selection import applies
from belot_reference.operations import answer
from belot_spec.load.schemas import explain
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import open_profile
from belot_spec.spec import Spec
from suite_testing import run

OPERATIONS = ("card-points", "trick-winner", "match")
WATCHED = ("match.target", "match.claim", "scoring.last-trick")
RULES = "id: our-table\nbase: bela-4\nrules:\n  match.target: {value: 51}\n  scoring.last-trick: {value: 20}\n"
ASKED: list[str] = []


@dataclass(frozen=True)
class Lab:
    """A small suite with one table of house rules, asked in this process."""

    path: Path
    cases: list[Case]
    monkeypatch: pytest.MonkeyPatch

    def check(self, *words: str, profiles: tuple[str, ...] = ("our-table",), operations: Any = OPERATIONS) -> Result:
        """Return what ``belot check`` printed of a right program that declares these profiles and operations."""
        rules = Reference(extra_profiles=[str(self.path)]).ruleset("our-table")

        def reply(operation: str, profile: str, question: Any) -> dict[str, Any]:
            ASKED.append(profile)
            return answer(operation, rules, question).message()

        hello = Hello(1, "a program", "1", "Python", tuple(map(ProfileName, profiles)), operations)
        self.monkeypatch.setattr(
            "belot_conformance.programs.targets.open_target", lambda *_: FunctionTarget(hello, reply)
        )
        ASKED.clear()
        return run("check", *words, "--", "./a-program", columns=400)

    def report(self, *words: str, **declared: Any) -> dict[str, Any]:
        done = self.check("--profile", str(self.path), "--format", "json", *words, **declared)
        report: dict[str, Any] = json.loads(done.stdout)
        assert explain(report, "report") == []
        return report


@pytest.fixture
def lab(cases: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    path = tmp_path / "house-rules.yaml"
    path.write_text(RULES, encoding="utf-8")
    few = [one for one in cases if one.operation in OPERATIONS and one.profile in ("bela-4", "belotten", "bela-3")]
    few = [one for one in few if one.origin != "derived"]
    place = "belot_conformance.house_suite"
    for name, small in (
        ("table.BUDGET", TableBudget(2, 1, deal_candidates=6, match_candidates=2, first=4, further=2, by_the_other=1)),
        ("planning.load_cases", lambda: few), ("table.cache_folder", lambda: tmp_path),
        ("table.mutants_of_rules", lambda profile, _, spec: mutants_of_rules(profile, WATCHED, spec)),
    ):  # fmt: skip
        monkeypatch.setattr(f"{place}.{name}", small)
    monkeypatch.setattr("belot_conformance.suite.selection.load_cases", lambda _: few)
    return Lab(path, few, monkeypatch)


def table_of(lab: Lab, *operations: str) -> TableSuite:
    reference = Reference(extra_profiles=[str(lab.path)])
    return whole_table(lab.cases, reference.ruleset("our-table"), reference, frozenset(operations or OPERATIONS))


def test_answers_are_worked_out_where_the_rules_are_the_same_and_derived_elsewhere(lab: Lab) -> None:
    report = lab.report()
    told = {case["id"]: case["provenance"] for case in report["cases"]}
    assert told["own-deal-001"] == told["own-match-01"] == "derived"
    asked = [case for case in report["cases"] if case["outcome"] == "passed"]
    counted = {kind: sum(case["provenance"] == kind for case in asked) for kind in report["answers"]}
    assert counted == report["answers"] == report["tables"][0]["answers"]
    assert counted["worked-out"] > 10 < counted["derived"]


def test_rules_that_need_an_operation_the_program_does_not_declare_leave_it_passed_in_part(lab: Lab) -> None:
    done = lab.check("--profile", str(lab.path), operations=("card-points",))
    assert done.exit_code == 4
    assert "◐ PASSED IN PART" in done.stdout
    assert "✓" not in done.stdout
    assert re.search(r"More rules would be tested by .*match\b.*\(match.target\)", done.stdout)
    report = lab.report(operations=("card-points",))
    assert report["passed"]
    assert report["part"]
    assert "match" in report["tables"][0]["unpinned"]["match.target"]
    assert "scoring.last-trick" in report["tables"][0]["pinned"]


def test_only_worked_out_answers_are_asked_on_request(lab: Lab) -> None:
    report = lab.report("--worked-only")
    assert {case["provenance"] for case in report["cases"]} == {"worked-out"}
    assert report["answers"]["derived"] == report["answers"]["found"] == 0 < report["answers"]["worked-out"]
    assert report["part"]


def test_a_declared_operation_without_a_question_has_a_row_of_zero(lab: Lab) -> None:
    done = lab.check("--profile", str(lab.path), operations=(*OPERATIONS, "penalty"))
    assert re.search(r"^penalty( +·){3,5}$", done.stdout, re.MULTILINE)
    assert "Nothing was asked of: penalty." in done.stdout


@pytest.mark.parametrize(("profiles", "name", "said"), [
    (("our-table",), "our-table", None),
    (("mine", "bela-4"), "mine", "it declares mine, bela-4."),
    (("belote+*",), "belote", "it declares belote+*."),
    (("bela-3", "bela-4"), "bela-4", "it declares bela-3, bela-4."),
    (("bela-3", "belote"), "our-table", "it declares bela-3, belote."),
    ((), "our-table", "The program declares no profile; it was asked about our-table under that name."),
])  # fmt: skip
def test_the_testers_word_counts_and_both_names_are_told_where_they_differ(
    spec: Spec, profiles: tuple[str, ...], name: str, said: str | None
) -> None:
    declared = tuple(map(ProfileName, profiles))
    ours = spec.profile("bela-4").with_values("our-table", {}, spec.rules)
    found, note = called(ours, Hello(1, "p", "1", "x", declared, OPERATIONS), spec)
    assert found == name
    assert (note is None) == (said is None)
    if note is not None and said is not None:
        assert said in note
        assert "our-table" in note


@pytest.mark.parametrize(("profiles", "name"), [(("mine",), "mine"), ((), "our-table"), (("bela-4",), "bela-4")])
def test_every_question_carries_the_name_that_the_program_uses(lab: Lab, profiles: tuple[str, ...], name: str) -> None:
    report = lab.report(profiles=profiles)
    assert report["totals"]["passed"] == report["totals"]["planned"] - report["totals"]["unsupported"] > 20
    assert set(ASKED) == {name}
    assert report["tables"][0]["asked_as"] == name
    assert name in report["notes"][0]["en"]


def test_a_name_that_is_no_variant_is_told_how_to_be_asked(lab: Lab) -> None:
    done = lab.check(profiles=("our-table",))
    assert done.exit_code == 1
    assert "It declares the profile our-table:" in done.stdout
    assert "--profile house-rules.yaml" in done.stdout


def test_what_makes_no_sense_at_the_table_is_counted_with_its_reason(lab: Lab) -> None:
    report = lab.report()
    (left,) = [one for one in report["tables"][0]["left_out"] if one["reason"]["en"].endswith("number of players")]
    assert left["questions"] > 0
    shown = lab.check("--profile", str(lab.path)).stdout
    assert f"{left['questions']} for another number of players" in shown


@pytest.mark.parametrize("spoil", [b"", b'{"pins": [{"no": "pin"}]}', b"\xff\x00"])
def test_what_was_found_is_looked_for_once_and_anew_where_the_kept_file_is_spoilt(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: bytes
) -> None:
    searched: list[Any] = []
    real = table.pin_all
    monkeypatch.setattr(table, "pin_all", lambda *given: searched.append(given) or real(*given))  # type: ignore[func-returns-value]
    first = table_of(lab).pins
    assert table_of(lab).pins == first
    assert len(searched) == 1
    (path,) = (tmp_path / "tables").iterdir()
    path.write_bytes(spoil)
    assert table_of(lab).pins == first
    assert len(searched) == 2


def test_other_rules_questions_engines_are_kept_apart(lab: Lab, spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = table_of(lab).plan
    ours = open_profile(str(lab.path), spec)
    declared = frozenset(OPERATIONS)
    keys = [pins_key(ours, questions, declared, Shape())]
    assert pins_key(replace(ours, id=ProfileName("another-name")), questions, declared, Shape()) == keys[0]
    keys.append(pins_key(spec.profile("bela-4"), questions, declared, Shape()))
    keys.append(pins_key(ours, questions[1:], declared, Shape()))
    keys.append(pins_key(ours, questions, frozenset(("match",)), Shape()))
    keys.append(pins_key(ours, questions, declared, Shape(fields={"match": ("winner",)})))
    monkeypatch.setattr("belot_conformance.house_suite.table.engine_digest", lambda: "another engine")
    keys.append(pins_key(ours, questions, declared, Shape()))
    assert len(set(keys)) == len(keys)


def test_a_failure_is_asked_again_by_the_command_that_is_printed(lab: Lab) -> None:
    lab.path.write_text(RULES.replace("20}", "30}"), encoding="utf-8")
    wrong = Reference(extra_profiles=[str(lab.path)]).ruleset("our-table")
    lab.path.write_text(RULES, encoding="utf-8")
    hello = Hello(1, "a program", "1", "Python", (ProfileName("our-table"),), OPERATIONS)
    target = FunctionTarget(hello, lambda operation, _, question: answer(operation, wrong, question).message())
    lab.monkeypatch.setattr("belot_conformance.programs.targets.open_target", lambda *_: target)
    done = run("check", "--profile", str(lab.path), "--format", "json", "--", "./a-program")
    assert done.exit_code == 1
    failed = [case for case in json.loads(done.stdout)["cases"] if case["outcome"] == "failed"]
    words = shlex.split(failed[0]["again"])
    assert words == ["belot", "check", "--case", failed[0]["id"], "--profile", str(lab.path), "--", "./a-program"]
    again = run(*words[1:])
    assert again.exit_code == 1
    assert f"✗ FAILED {failed[0]['id']}" in again.stdout
    assert "our-table, answer derived" in again.stdout or "our-table, answer worked out" in again.stdout


def test_every_report_tells_where_answers_come_from_and_what_they_test(lab: Lab, tmp_path: Path) -> None:
    files = [tmp_path / f"report.{kind}" for kind in ("html", "md", "xml", "json")]
    reports = [word for path in files for word in ("--report", str(path))]
    done = lab.check("--profile", str(lab.path), *reports)
    line = re.search(
        r"Every other value of (?:\d+ of )?\d+ rules of our-table would be noticed; "
        r"\d+ answers? worked out, \d+ derived",
        " ".join(done.stdout.split()),
    )
    assert line is not None
    html, markdown, junit, data = (path.read_text(encoding="utf-8") for path in files)
    for text in (html, markdown, junit):
        assert line.group() in text.replace("\\", "").replace("&#39;", "'")
        assert "for another number of players" in text
    root = ET.fromstring(junit)
    kinds = [str(one.get("value")) for one in root.iter("property") if one.get("name") == "provenance"]
    every = json.loads(data)["cases"]
    assert sorted(kinds) == sorted(case["provenance"] for case in every if case["outcome"] != "unsupported")
    assert "An answer is worked out, unless it is said to be derived or found for you." in html
    assert len(re.findall(r", derived</tr>", html)) == [one["provenance"] for one in every].count("derived")


def test_a_profile_with_options_that_a_program_declares_is_asked_whole(lab: Lab) -> None:
    done = lab.check("--format", "json", profiles=("bela-4+pass",))
    report = json.loads(done.stdout)
    (table,) = report["tables"]
    assert table["profile"] == table["asked_as"] == "bela-4+pass"
    mine = [case for case in report["cases"] if case["id"].endswith("@bela-4+pass")]
    assert len(mine) > 20
    assert {case["profile"] for case in mine} == {"bela-4+pass"}
    failed = next(case for case in mine if case["outcome"] == "failed")
    words = shlex.split(failed["again"])
    assert words[:6] == ["belot", "check", "--case", failed["id"].partition("@")[0], "--profile", "bela-4+pass"]


LAST_TRICK = Mutant(ProfileName("bela-4"), "scoring.last-trick", 20, "")
TARGET = Mutant(ProfileName("bela-4"), "match.target", 900, "")
UNSEEN = Mutant(ProfileName("bela-4"), "presentation.direction", "clockwise", "")


FEW_DEALS = TableBudget(first=12, further=4, by_the_other=2, a_share=4)


def searched(spec: Spec, sought: Sequence[Sought], jobs: int = 1) -> list[Sought]:
    return Rounds(spec.profile("bela-4"), frozenset(EVERY_OPERATION), Shape(), jobs, FEW_DEALS).all(sought)


def test_the_same_questions_are_found_by_one_process_and_by_two(spec: Spec) -> None:
    sought = [Sought(one) for one in (LAST_TRICK, TARGET, UNSEEN)]
    alone, together = (searched(spec, sought, jobs) for jobs in (1, 2))
    assert alone == together
    assert [one.found is not None for one in alone] == [True, True, False]
    assert alone[2].tried == 0


OTHERS = ("bela-4+length-counts", "denderbelot-3")


@pytest.mark.parametrize("profile", OTHERS)
def test_a_worked_out_answer_is_taken_over_just_where_the_case_applies(profile: str) -> None:
    reference, cases = Reference(), load_cases()
    asked = {one.case.id: one for one in table_questions(cases, reference.ruleset(profile), reference).asked}
    applying = {case.id for case in cases if applies(case, reference.profile(profile), reference)}
    worked_out = {case.id for case in cases if case.origin != "derived"}
    taken_over = {name for name, one in asked.items() if one.provenance == "worked-out"}
    assert taken_over
    assert taken_over <= applying & worked_out
    # Of several cases that ask the same, one is enough.
    questions = {(one.case.operation, str(one.case.input)) for one in asked.values() if one.provenance == "worked-out"}
    by_id = {case.id: case for case in cases}
    missed = applying & worked_out - taken_over
    assert all((by_id[name].operation, str(by_id[name].input)) in questions for name in missed)
