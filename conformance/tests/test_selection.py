"""Choosing cases: what each option leaves, how they combine, names that do not exist; recorded ones as strict as others."""

import json
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.house_suite.planning import plan_profile
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.lint import lint_cases, unused_files
from belot_conformance.suite.selection import Selection, applies, consulted_rules, draw, plan_variants
from belot_conformance.suite.verdicts import Planned
from belot_spec.errors import SpecError, UnknownNameError
from belot_spec.register import expand_statements
from belot_spec.spec import Spec
from suite_testing import Belot


def chosen(**wanted: Any) -> list[str]:
    return [planned.case.id for planned in plan_profile(Selection(**wanted))]


def those(fits: Callable[[Case], bool]) -> list[str]:
    found = [case.id for case in load_cases() if fits(case)]
    assert found
    assert len(found) < len(load_cases())
    return found


def below(rule: str, beginning: str) -> bool:
    return f"{rule}.".startswith(f"{beginning}.")


@pytest.mark.parametrize(("wanted", "fits"), [
    ({"operations": ("deal", "bidding")}, lambda case: case.operation in ("deal", "bidding")),
    ({"rules": ("play.void.partner-winning",)}, lambda case: "play.void.partner-winning" in case.rules),
    ({"rules": ("play.void",)}, lambda case: any(below(rule, "play.void") for rule in case.rules)),
    ({"statements": ("BL-186",)}, lambda case: "BL-186" in case.statements),
    ({"statements": ("BL-140..154", "BN-035")}, lambda case: not {*expand_statements(["BL-140..154"]), "BN-035"}.isdisjoint(case.statements)),
    ({"rulings": ("BL-R3",)}, lambda case: "BL-R3" in case.rulings),
    ({"cases": ("bc-0001", "bc-00[23]?")}, lambda case: case.id == "bc-0001" or fnmatchcase(case.id, "bc-00[23]?")),
    ({"tags": ("capot", "held")}, lambda case: not {"capot", "held"}.isdisjoint(case.tags)),
    ({"origins": ("source-example",)}, lambda case: case.origin == "source-example"),
    ({"operations": ("replay",), "tags": ("capot-by-taker",)}, lambda case: case.operation == "replay" and "capot-by-taker" in case.tags),
], ids=lambda value: str(value) if isinstance(value, dict) else None)  # fmt: skip
def test_kinds_combine_and_names_of_one_kind_add_up(wanted: dict[str, Any], fits: Callable[[Case], bool]) -> None:
    assert chosen(**wanted) == those(fits)


def test_without_options_every_case_is_asked_for_its_own_profile() -> None:
    plan = plan_variants(Selection())
    assert [(planned.case, planned.profile) for planned in plan] == [(case, case.profile) for case in load_cases()]
    assert plan_profile(Selection()) == plan


def test_consults_finds_cases_whose_answer_hangs_on_a_rule(reference: Reference) -> None:
    found = chosen(consults=("scoring.held-points",), origins=("by-hand", "source-example"))
    assert found == those(
        lambda case: case.origin != "derived" and "scoring.held-points" in consulted_rules(case, reference)
    )


def test_a_profile_keeps_worked_out_answers_where_they_hold(spec: Spec, reference: Reference) -> None:
    profile = spec.profile("belote+no-undertrump")
    wanted = Selection(profile="belote+no-undertrump", operations=("legal-cards", "match"))
    plan = plan_profile(wanted)
    assert {planned.profile for planned in plan} == {"belote+no-undertrump"}
    assert {planned.case.operation for planned in plan} == {"legal-cards", "match"}
    fitting = {case.text for case in load_cases() if applies(case, profile, reference)}
    known = {case.id: case for case in load_cases()}
    for planned in plan:
        kept = known.get(planned.case.id) == planned.case
        assert kept == (planned.case.text in fitting)
        assert kept or planned.provenance == "derived"


@given(number=st.integers(1, 60), seed=st.integers())
def test_a_sample_is_drawn_by_lot_and_a_larger_one_holds_it(number: int, seed: int) -> None:
    plan = [Planned(case, case.profile) for case in load_cases()[:50]]
    drawn = draw(plan, number, seed)
    assert len(drawn) == min(number, 50)
    assert draw(plan[::-1], number, seed) == drawn[::-1]
    assert drawn == [planned for planned in plan if planned in drawn]
    assert {planned.case.id for planned in drawn} <= {planned.case.id for planned in draw(plan, number + 1, seed)}


def test_the_same_seed_draws_the_same_cases_on_every_machine() -> None:
    plan = [Planned(case, case.profile) for case in load_cases() if case.id <= "bc-0030"]
    assert [planned.case.id for planned in draw(plan, 4, 7)] == ["bc-0001", "bc-0007", "bc-0021", "bc-0029"]
    assert draw(plan, 4, 8) != draw(plan, 4, 7)


@pytest.mark.parametrize(("wanted", "message"), [
    ({"operations": ("legal-card",)}, "there is no operation legal-card; did you mean legal-cards?"),
    ({"rules": ("play.viod",)}, "there is no rule play.viod; did you mean play.void?"),
    ({"consults": ("play.void.partner-wining",)}, "did you mean play.void.partner-winning?"),
    ({"statements": ("BL-999",)}, "there is no statement BL-999; BL has BL-001 to BL-439"),
    ({"statements": ("BL-186..999",)}, "there is no statement BL-"),
    ({"statements": ("BL-154..140",)}, "the run BL-154..140 ends before it starts; write BL-140..154"),
    ({"rulings": ("BL-R33",)}, "there is no ruling BL-R33; did you mean BL-R3?"),
    ({"cases": ("bc-9999",)}, "there is no case bc-9999; did you mean bc-"),
    ({"cases": ("bc-99*",)}, "no case has an id like bc-99*; ids are bc-0001"),
    ({"tags": ("capott",)}, "there is no tag capott; did you mean capot?"),
    ({"origins": ("hand",)}, "there is no origin hand; did you mean by-hand?"),
    ({"profile": "bela-5"}, "no variant bela-5; did you mean bela-4?"),
    ({"operations": ("deal",), "cases": ("bc-0001",)}, "no case fits --operation deal and --case bc-0001"),
    (
        {"operations": ("deal", "match"), "rules": ("play.void",), "profile": "bela-2"},
        "no case fits --operation deal or --operation match and --rule play.void and --profile bela-2",
    ),
], ids=str)  # fmt: skip
def test_names_that_do_not_exist_or_do_not_go_together_are_refused(wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        plan_profile(Selection(**wanted))
    assert message in str(caught.value)


def test_the_command_takes_every_way_of_choosing(belot: Belot) -> None:
    options = "--rule play --statement BL-140..190 --origin source-example --operation legal-cards --sample 3"
    done = belot("check", "reference", *options.split(), "--sample-seed", "5", "--format", "json")
    assert done.returncode == 0, done.stderr
    wanted: dict[str, Any] = {"rules": ("play",), "statements": ("BL-140..190",), "origins": ("source-example",)}
    expected = chosen(**wanted, operations=("legal-cards",), sample=3, seed=5)
    assert [case["id"] for case in json.loads(done.stdout)["cases"]] == expected
    assert len(expected) == 3


TEXT = {"en": "Something", "nl": "Iets"}
HEADER = {"operation": "legal-cards", "profile": "bela-4", "behaviour": TEXT, "why": TEXT}
CASE: dict[str, Any] = {
    "id": "bc-9001", "title": {"en": "The queen is led", "nl": "De dame ligt er"},
    "input": {"trump": "H", "hand": ["KS", "JS"], "trick": ["QS"]}, "expect": {"result": {"cards": ["KS"]}},
    "rules": [], "statements": [], "origin": "derived",
}  # fmt: skip
LINES = [json.dumps(HEADER), json.dumps(CASE)]


def written(folder: Path, lines: list[str]) -> Path:
    path = folder / "legal-cards" / "recorded.jsonl"
    path.parent.mkdir()
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_recorded_cases_are_read_with_their_lines(tmp_path: Path, spec: Spec) -> None:
    second = {**CASE, "id": "bc-9002", "profile": "belote", "title": {"en": "Another one", "nl": "Nog een andere"}}
    written(tmp_path, [*LINES, json.dumps(second)])
    one, other = load_cases(tmp_path)
    assert (one.id, one.operation, one.profile, one.line) == ("bc-9001", "legal-cards", "bela-4", 2)
    assert (other.id, other.profile, other.line) == ("bc-9002", "belote", 3)
    assert lint_cases([one], spec) == []


@pytest.mark.parametrize(("lines", "message"), [
    ([], "recorded.jsonl:1: the line is empty"),
    ([LINES[0], "", LINES[1]], "recorded.jsonl:2: the line is empty"),
    ([LINES[0], LINES[1][:-1]], "recorded.jsonl:2: this is not JSON: Expecting ',' delimiter"),
    ([LINES[0], LINES[1].replace('"rules"', '"id"')], "recorded.jsonl:2: the key id stands here twice"),
    ([LINES[0], LINES[1].replace("[]", "NaN", 1)], "recorded.jsonl:2: this is not JSON: NaN is no number"),
    (["[]", LINES[1]], "recorded.jsonl:1: the first line is an object with operation"),
    ([json.dumps({**HEADER, "cases": []}), LINES[1]], "recorded.jsonl:1: cases: unknown key; the cases follow"),
    ([LINES[0]], "recorded.jsonl:2: cases: must have at least 1 item"),
    ([LINES[0], "7"], "recorded.jsonl:2: cases.0: must be a mapping"),
    ([LINES[0], LINES[1], LINES[1]], "cases.1.id: bc-9001 is already the id of legal-cards/recorded.jsonl:2"),
    ([LINES[0], LINES[1].replace("derived", "guessed")], "recorded.jsonl:2: cases.0.origin: must be one of"),
    ([LINES[0].replace("why", "wy"), LINES[1]], "recorded.jsonl:1: wy: unknown key; did you mean why?"),
])  # fmt: skip
def test_a_fault_is_named_with_its_line(tmp_path: Path, lines: list[str], message: str) -> None:
    written(tmp_path, lines)
    with pytest.raises(SpecError) as caught:
        load_cases(tmp_path)
    assert message in str(caught.value)


def test_stray_files_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, LINES)
    for stray in ("legal-cards/a.json", "legal-cards/deep/b.jsonl", "c.yaml", "legal-cards/d.yml"):
        (tmp_path / stray).parent.mkdir(exist_ok=True)
        (tmp_path / stray).write_text("", encoding="utf-8")
    names = [str(one.relative_to(tmp_path)) for one in unused_files(tmp_path)]
    assert path not in unused_files(tmp_path)
    assert names == ["c.yaml", "legal-cards/a.json", "legal-cards/d.yml", "legal-cards/deep/b.jsonl"]
