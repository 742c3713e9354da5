"""New expectations after a rule change: for whom, why, how they are written, and what is left to people."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case, case_files, read_cases
from belot_conformance.suite.judge import differences
from belot_conformance.suite.ledger import read_ledger
from belot_conformance.suite.lint import lint_cases
from belot_spec.errors import UnknownNameError
from belot_spec.load.schemas import is_valid
from belot_spec.load.spec import load_spec
from belot_spec.spec import Spec
from belot_workshop.cases import SpecChange, Update, apply_updates, check_rules, fails, find_updates
from suite_testing import Belot

UNDERTRUMP = "play.void.opponent-ruffed"
Change_ = tuple[str, str, str]
NO_UNDERTRUMP: Change_ = (
    "variants/belote",
    f"{UNDERTRUMP}: {{value: [higher_trump, trump, any]",
    f"{UNDERTRUMP}: {{value: [higher_trump, any]",
)
TARGET: Change_ = ("variants/belotten", "match.target: {value: 100", "match.target: {value: 150")
ROUNDING: Change_ = ("variants/belotten", "scoring.rounding: {value: half-up", "scoring.rounding: {value: up")


@pytest.fixture
def changed(root: Path, tmp_path: Path) -> Callable[..., Spec]:
    def change(*changes: Change_) -> Spec:
        shutil.copytree(root / "spec", tmp_path / "spec", dirs_exist_ok=True)
        for name, before, after in changes:
            path = tmp_path / f"spec/{name}.yaml"
            text = path.read_text(encoding="utf-8")
            assert before in text
            path.write_text(text.replace(before, after, 1), encoding="utf-8")
        return load_spec(tmp_path / "spec")

    return change


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    """Return a copy of a few files of cases, of which some consult the rules that are changed here."""
    for path in (root / "cases").glob("*/bel*t*.yaml"):
        target = tmp_path / "cases" / path.parent.name / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return tmp_path / "cases"


def of(updates: Sequence[Update], verdict: str) -> list[Update]:
    return [update for update in updates if update.verdict == verdict]


def test_only_cases_that_consult_the_changed_rule_are_touched_each_with_the_rule_and_both_sentences(
    cases: list[Case], spec: Spec, changed: Callable[..., Spec]
) -> None:
    new = changed(NO_UNDERTRUMP)
    updates = find_updates(cases, SpecChange(new, spec))
    assert updates
    assert find_updates(cases, SpecChange(spec, spec)) == []
    reference = Reference(new)
    for update in updates:
        case = update.case
        assert case.profile.split("+")[0] == "belote"
        assert UNDERTRUMP in reference.consulted(case.operation, case.profile, case.input)
        (cause,) = update.causes
        assert cause.rule == UNDERTRUMP
        assert cause.before is not None
        assert cause.after is not None
        assert "failing that, any trump" in cause.before["en"]
        assert "any trump" not in cause.after["en"]
    # A named rule is enough where no old spec is known.
    named = find_updates(cases[::3], SpecChange(new, named=("play.void",)))
    assert {update.case.profile.split("+")[0] for update in named} == {"belote"}
    assert all(cause.before is None for update in named for cause in update.causes)
    check_rules(["play", "play.void", UNDERTRUMP], new)
    with pytest.raises(UnknownNameError, match=r"there is no rule play\.voit; did you mean play\.void"):
        check_rules(["play.voit"], new)
    # Every case whose answer is another now is told, and no other.
    wrong = {
        case.id for case in cases if differences(case.operation, case.expected, _answer(reference, case), reasons=True)
    }
    assert {update.case.id for update in updates} == wrong


def _answer(reference: Reference, case: Case) -> Reply:
    said = reference.reply(case.operation, case.profile, case.input)
    (kind,) = said
    return Reply(case.id, kind, said[kind])  # type: ignore[arg-type]


def test_each_update_is_put_down_to_the_rule_that_decides_and_keeps_what_the_case_compares(
    cases: list[Case], spec: Spec, changed: Callable[..., Spec]
) -> None:
    reference = Reference(changed(NO_UNDERTRUMP, TARGET, ROUNDING))
    updates = find_updates(cases, SpecChange(reference.spec, spec))
    conflicts, recorded, proposed = (of(updates, kind) for kind in ("source-example", "recorded", "proposed"))
    assert "bc-0643" in {update.case.id for update in conflicts}
    assert all(update.case.origin == "source-example" and update.expect is None for update in conflicts)
    assert recorded
    assert all(update.case.path.suffix == ".jsonl" and update.expect is None for update in recorded)
    assert fails(updates)
    assert not fails(proposed + recorded)
    named = [{cause.rule for cause in update.causes} for update in updates]
    assert all([rule] in map(list, named) for rule in (UNDERTRUMP, "match.target", "scoring.rounding"))
    # Both are consulted by a case that only one of them changes.
    both = {"match.target", "scoring.rounding"}
    asked = [one.case for one in updates if len(one.causes) == 1 and one.case.operation in ("match", "replay")]
    assert any(both <= reference.consulted(case.operation, case.profile, case.input) for case in asked)
    for update in proposed:
        (old,) = update.case.expected
        assert update.expect is not None
        ((kind, fields),) = update.expect.items()
        assert differences(update.case.operation, update.case.expected, Reply(update.case.id, kind, fields))  # type: ignore[arg-type]
        given = _answer(reference, update.case).value
        assert all(given[key] == value or sorted(given[key]) == sorted(value) for key, value in fields.items())
        if kind == old.kind == "result":
            assert fields.keys() == old.fields.keys()
        if update.case.id == "bc-1422":
            assert fields == {"cards": ["AS", "7S", "AC"]}


@pytest.mark.parametrize(("old", "verdict"), [
    ("{result: {cards: [AS]}}", "unexplained"),
    ("{one_of: [{result: {cards: [AS, 7S]}}, {result: {cards: [7S]}}]}", "alternatives"),
])  # fmt: skip
def test_what_the_change_does_not_explain_a_choice_of_answers_and_a_profile_that_is_gone_are_left_to_people(
    old: str, verdict: str, folder: Path, spec: Spec, changed: Callable[..., Spec]
) -> None:
    path = folder / "legal-cards/belote-void-opponent-ruffed.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{result: {cards: [AS, 7S]}}", old, 1), encoding="utf-8")
    new = changed(
        NO_UNDERTRUMP,
        ("variants/belote", "  target-301:\n", "  goal-301:\n"),
        ("variants/belote.fr", "  target-301:", "  goal-301:"),
        ("rulings", "target-301", "goal-301"),
    )
    updates = find_updates(read_cases(case_files(folder)), SpecChange(new, spec))
    assert [update.case.id for update in of(updates, verdict)] == ["bc-1422"]
    assert fails(updates)
    gone = of(updates, "unanswerable")
    assert {update.case.profile for update in gone} == {"belote+target-301"}
    assert all("the variant belote has no option target-301" in str(update.detail) for update in gone)


def test_what_is_written_passes_says_that_nobody_worked_it_out_and_changes_nothing_else(
    folder: Path, spec: Spec, changed: Callable[..., Spec]
) -> None:
    new = changed(NO_UNDERTRUMP, TARGET)
    before = {path: path.read_text(encoding="utf-8") for path in case_files(folder)}
    cases = read_cases(before)
    updates = find_updates(cases, SpecChange(new, spec))
    proposed = {update.case.id for update in of(updates, "proposed")}
    assert len(proposed) > 10
    assert apply_updates(updates, read_ledger(folder), cases) == {}
    after = read_cases(case_files(folder))
    assert find_updates(after, SpecChange(new, spec)) == [update for update in updates if update.verdict != "proposed"]
    for old, case in zip(cases, after, strict=True):
        if case.id in proposed:
            assert case.origin == "derived"
            assert case.review is not None
            assert f"the expectation was {old.origin}" in case.review
        else:
            assert (case.expected, case.origin, case.review) == (old.expected, old.origin, None)
    for path, text in before.items():
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in text.splitlines() if line in lines]
        touched = sum(case.id in proposed for case in cases if case.path == path)
        # An expectation may stand on a line of its own or on several; the origin is one more.
        assert len(text.splitlines()) - len(kept) <= 6 * touched
        assert len(lines) - len(text.splitlines()) == touched or touched
    assert [one for one in lint_cases(after, new) if "review" in one.message] == []
    # What waits for review cannot pass for hand work.
    path = folder / "legal-cards/belote-void-opponent-ruffed.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("origin: derived", "origin: by-hand", 1), encoding="utf-8")
    found = [one.message for one in lint_cases(read_cases([path]), new) if one.key == "bc-1422"]
    assert any("it waits for review, so its origin is derived" in message for message in found)


def test_the_command_shows_each_proposal_and_refuses_what_makes_no_sense(belot: Belot) -> None:
    # The spec of the checkout may have changed since the last commit, so nothing is said of what is proposed.
    done = belot("cases", "update", "--rule", "play.void", "--format", "json")
    data = json.loads(done.stdout)
    assert is_valid(data, "case-update")
    assert (data["written"], data["counts"]["source-example"]) == (False, 0)
    for arguments, message in (
        (("--rule", "play", "--since", "HEAD"), "name the rules, or the revision since which they changed, not both"),
        (("--rule", "play.voit"), "there is no rule play.voit; did you mean play.void"),
        (("--since", "belote"), "belote is a profile; name a git revision"),
        (("--since", ""), "a name is empty"),
    ):
        refused = belot("cases", "update", *arguments)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert message in " ".join(refused.stderr.split())
