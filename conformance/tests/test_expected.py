"""Files of expected failures: what excuses a failure, what no longer fits, and the file that would."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belot_conformance.reports import expected as listed
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.selection import AGAIN, LAST_IDS, TABLE_IDS
from belot_conformance.suite.verdicts import Outcome, Planned, Verdict, all_acceptable
from belot_spec.errors import SpecError
from belot_spec.load.schemas import is_valid
from belot_spec.profile_name import ProfileName
from suite_testing import Belot, flat

PATH = Path("expected.yaml")
IDS = [f"bc-000{number}" for number in range(1, 9)]
FAILING: list[Outcome] = ["failed", "errored", "timed_out", "crashed", "protocol_violation"]

HEAD = "# What we know of.\nexpected:\n"


def file_of(*entries: str) -> listed.ExpectedFile:
    return listed.parse_expected(PATH, HEAD + "".join(entries))


def entry(case: str, outcome: str, **more: str) -> str:
    reason = more.get("reason", "the old way")
    told = listed.ExpectedEntry(case, more.get("profile"), outcome, reason, more.get("issue"))  # type: ignore[arg-type]
    return listed.render(told, "  ")


@cache
def shipped() -> dict[str, Case]:
    return {case.id: case for case in load_cases()}


def ran(outcomes: Mapping[str, Outcome], others: Outcome = "passed", profile: str = "bela-4") -> list[Verdict]:
    return [
        Verdict(Planned(case, ProfileName(profile)), outcomes.get(name, others))
        for name in IDS
        for case in [shipped()[name]]
    ]


def kinds(checked: listed.Checked) -> list[tuple[str, int]]:
    return [(finding.kind, finding.line) for finding in checked.findings]


def passes(checked: listed.Checked) -> bool:
    return all_acceptable(checked.verdicts) and not checked.findings


def corrected(checked: listed.Checked) -> listed.ExpectedFile:
    return listed.parse_expected(PATH, listed.corrected_text(checked))


@pytest.mark.parametrize(("entries", "outcomes", "found"), [
    ([entry(IDS[1], "failed")], {}, [("unexpected_pass", 3)]),
    ([entry(IDS[1], "failed")], {IDS[1]: "crashed"}, [("changed_outcome", 3)]),
    ([entry("bc-9998", "failed")], {}, [("unmatched", 3)]),
    ([entry(IDS[1], "failed", profile="bela-3")], {IDS[1]: "failed"}, [("unmatched", 3)]),
    ([entry(IDS[1], "failed")], {IDS[1]: "unsupported"}, [("unmatched", 3)]),
    ([entry("bc-9*", "failed")], {}, [("unmatched", 3)]),
    ([entry("bc-000*", "failed")], {IDS[1]: "failed"}, [("too_broad", 3)]),
    ([entry("bc-000[12]", "failed")], {IDS[0]: "failed", IDS[1]: "errored"}, [("too_broad", 3)]),
    ([entry("bc-000[12]", "failed")], {}, [("unexpected_pass", 3)]),
    ([entry("bc-000[12]", "failed")], {IDS[0]: "crashed", IDS[1]: "crashed"}, [("changed_outcome", 3)]),
    ([entry("bc-000[12]", "failed")], {IDS[0]: "failed", IDS[1]: "failed"}, []),
    ([entry("bc-000[12]", "failed")], {IDS[0]: "failed", IDS[1]: "unsupported"}, []),
    ([entry(IDS[1], "failed"), entry(IDS[4], "failed")], {IDS[1]: "failed"}, [("unexpected_pass", 6)]),
])  # fmt: skip
def test_an_entry_that_the_run_does_not_bear_out_is_found(
    entries: list[str], outcomes: dict[str, Outcome], found: list[tuple[str, int]]
) -> None:
    checked = listed.hold_against(file_of(*entries), ran(outcomes))
    assert kinds(checked) == found


def test_a_listed_failure_does_not_fail_the_run_and_one_that_is_not_listed_does() -> None:
    file, verdicts = file_of(entry(IDS[2], "failed", reason="sevens are not counted")), ran({IDS[2]: "failed"})
    assert not all_acceptable(verdicts)
    checked = listed.hold_against(file, verdicts)
    assert passes(checked)
    assert [one.excuse for one in checked.verdicts if one.excuse] == ["sevens are not counted"]
    checked = listed.hold_against(file, ran({IDS[2]: "failed", IDS[3]: "failed"}))
    assert not all_acceptable(checked.verdicts)
    assert corrected(checked).entries[1] == listed.ExpectedEntry(IDS[3], "bela-4", "failed", listed.UNEXPLAINED)
    # What was not run is no news about an entry.
    checked = listed.hold_against(file, ran({IDS[2]: "not_run"}))
    assert (kinds(checked), all_acceptable(checked.verdicts), checked.unasked) == ([], False, 1)


def test_a_case_of_another_variant_is_expected_to_fail_only_where_that_variant_is_named() -> None:
    coinche = ProfileName("coinche")
    shared = [replace(one.planned, profile=coinche, provenance="shared").at(coinche) for one in ran({})]
    run = [*ran({"bc-0001": "failed"}), *(Verdict(one, "failed") for one in shared[:1])]
    older = listed.hold_against(file_of(entry("bc-0001", "failed")), run)
    assert [(one.case, one.profile) for one in older.added] == [("bc-0001", "coinche")]
    assert kinds(older) == []
    assert passes(listed.hold_against(corrected(older), run))


def test_cases_outside_a_narrowed_run_say_nothing_wrong() -> None:
    elsewhere = next(case.id for case in shipped().values() if case.operation == "deal")
    file = file_of(entry(elsewhere, "failed"), entry(IDS[1], "failed"))
    assert kinds(listed.hold_against(file, ran({IDS[1]: "failed"}), narrowed=True)) == []
    assert kinds(listed.hold_against(file, ran({IDS[1]: "failed"}))) == [("unmatched", 3)]
    assert kinds(listed.hold_against(file_of(entry("bc-9998", "failed")), ran({}), narrowed=True)) == [("unmatched", 3)]
    # Nor do entries for another profile than the one asked; a case may have one for each.
    each = file_of(entry(IDS[1], "failed", profile="bela-3"), entry(IDS[1], "failed", profile="bela-4"))
    checked = listed.hold_against(each, ran({IDS[1]: "failed"}), profile="bela-4")
    assert (kinds(checked), len(corrected(checked).entries)) == ([], 2)
    (finding,) = listed.hold_against(file_of(entry("bc-0101", "failed"), entry("bc-9998", "failed")), ran({})).findings[
        1:
    ]
    assert finding.message.startswith("there is no case bc-9998; did you mean bc-")


def test_a_case_to_skip_gets_its_reason_and_keeps_its_entry() -> None:
    file = file_of(entry(IDS[1], "skipped", reason="takes an hour"))
    plan = listed.with_skips([Planned(case, ProfileName("bela-4")) for case in map(shipped().get, IDS) if case], file)
    assert [planned.case.id for planned in plan if planned.skip == "takes an hour"] == [IDS[1]]
    assert passes(listed.hold_against(file, ran({IDS[1]: "skipped"})))
    assert kinds(listed.hold_against(file, ran({IDS[1]: "unsupported"}))) == [("unmatched", 3)]


@pytest.mark.parametrize(("text", "line", "message"), [
    ("expected:\n  - {case: bc-0001, outcome: failed}\n", 2, "expected.0: the key reason is missing"),
    ('expected:\n  - {case: bc-0001, outcome: failed, reason: " "}\n', 2, "expected.0.reason"),
    ("expected:\n  - {case: bc-0001, outcome: fialed, reason: x}\n", 2, "did you mean failed?"),
    ("expected:\n  - {case: bc-0001, outcome: passed, reason: x}\n", 2, "expected.0.outcome: must be one of failed"),
    ("expected:\n  - {cas: bc-0001, outcome: failed, reason: x}\n", 2, "unknown key; did you mean case?"),
    ("expected:\n  - {case: bela, outcome: failed, reason: x}\n", 2, "the id of a case, or a pattern"),
    ("entries: []\n", 1, "unknown key"),
    ("- bc-0001\n", 1, "must be a mapping"),
    ("", 1, "the file is empty"),
    (HEAD + entry("bc-0001", "failed") * 2, 6, "expected.1.case: the entry on line 3 speaks of bc-0001 already"),
    (HEAD + entry("bc-9998", "failed") * 2, 6, "the entry on line 3 speaks of bc-9998 already"),
    (HEAD + entry("bc-000*", "failed") + entry("bc-0002", "errored"), 6, "line 3 speaks of bc-0002 already"),
    (HEAD + entry("bc-0002", "failed", profile="bela-4") + entry("bc-00*", "failed"), 7,
     "line 3 speaks of bc-0002 already"),
])  # fmt: skip
def test_a_faulty_file_is_refused_with_line_and_key(text: str, line: int, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        listed.parse_expected(PATH, text)
    assert f"expected.yaml:{line}: " in str(caught.value)
    assert message in str(caught.value)


COMMENTED = """\
# Ours, since 2019.

expected:
  # The scoring.
  - case: bc-0001
    outcome: failed   # for now
    reason: outcome: is written in this reason too
  - case: bc-0002
    outcome: failed
    reason: |
      two lines

      # of text

  # The rest.
  - {case: bc-0003, outcome: crashed, reason: overflow}  # see the tracker
  - reason: last
    outcome: "errored"
    case: bc-0004
# The end.
""".replace("reason: outcome: is", "reason: 'outcome: is").replace("reason too", "reason too'")


def test_only_what_no_longer_fits_is_changed_in_the_text() -> None:
    file = listed.parse_expected(PATH, COMMENTED)
    came: list[Outcome] = ["errored", "failed", "failed", "errored", "passed", "failed"]
    text = listed.corrected_text(listed.hold_against(file, ran(dict(zip(IDS, came, strict=False)))))
    added = '  - case: bc-0006\n    profile: bela-4\n    outcome: failed\n    reason: "TODO: say why"\n'
    assert text == (
        COMMENTED.replace("outcome: failed   # for now", "outcome: errored   # for now")
        .replace("outcome: crashed,", "outcome: failed,")
        .replace("# The end.\n", f"{added}# The end.\n")
    )
    # An entry that can go leaves the comments of the others.
    text = listed.corrected_text(listed.hold_against(file, ran({"bc-0001": "failed", "bc-0003": "crashed"})))
    assert [one.case for one in listed.parse_expected(PATH, text).entries] == ["bc-0001", "bc-0003"]
    for comment in ("# Ours, since 2019.", "# The scoring.", "# The rest.", "# see the tracker", "# The end."):
        assert comment in text
    none_left = listed.hold_against(file_of(entry(IDS[1], "failed")), ran({}))
    assert listed.corrected_text(none_left) == "# What we know of.\nexpected: []\n"


@pytest.mark.parametrize("text", [
    "# mine\nexpected: []\n",
    "# mine\nexpected: [{case: bc-0001, outcome: failed, reason: x}]\n",
    "# mine\nexpected:\n-\n  case: bc-0001\n  outcome: failed\n  reason: x\n",
])  # fmt: skip
def test_entries_that_do_not_stand_on_lines_of_their_own_are_written_anew(text: str) -> None:
    checked = listed.hold_against(listed.parse_expected(PATH, text), ran({IDS[3]: "failed"}))
    added = listed.render(listed.ExpectedEntry(IDS[3], "bela-4", "failed", listed.UNEXPLAINED), "  ")
    assert listed.corrected_text(checked) == f"# mine\nexpected:\n{added}"


OUTCOMES = st.sampled_from(["passed", "passed", "unsupported", *FAILING])
PATTERNS = ["bc-0001", "bc-0002", "bc-000[34]", "bc-000[5-7]", "bc-0008", "bc-9998", "bc-95*", "bc-00[5-9]*"]
REASONS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1).filter(
    str.strip
)
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(PATTERNS), st.sampled_from([None, "bela-4", "bela-3"]), st.sampled_from(FAILING), REASONS
    ),
    unique_by=lambda one: one[0],
)


@settings(max_examples=40)
@given(st.lists(OUTCOMES, min_size=len(IDS), max_size=len(IDS)), ENTRIES)
def test_a_corrected_file_fits_the_run_it_was_corrected_by(
    outcomes: Sequence[Outcome], entries: Sequence[tuple[str, str | None, Outcome, str]]
) -> None:
    written = "".join(listed.render(listed.ExpectedEntry(*one), "  ") for one in entries)
    file = listed.parse_expected(PATH, f"expected:\n{written}" if entries else "expected: []\n")
    verdicts = ran(dict(zip(IDS, outcomes, strict=True)))
    checked = listed.hold_against(file, verdicts)
    again = listed.hold_against(corrected(checked), verdicts)
    assert passes(again)
    assert listed.corrected_text(again) == listed.corrected_text(checked)
    kept = [one for one in file.entries if one in corrected(checked).entries]
    assert [one for one in corrected(checked).entries if one in kept] == kept


WRONG = """
import json, sys
wrong = sys.argv[1:]
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        reply = {"result": {"protocol": 1, "name": "wrong", "version": "1", "language": "Python",
                            "profiles": ["bela-4"], "operations": ["trick-winner"]}}
    elif request["id"] in wrong:
        reply = {"error": "no idea"}
    else:
        from belot_conformance.programs.reference import Reference
        reference = globals().setdefault("reference", Reference())
        reply = reference.reply(request["op"], request["profile"], request["input"])
    print(json.dumps({"id": request["id"], **reply}), flush=True)
"""


@pytest.fixture
def wrong(tmp_path: Path) -> Callable[..., tuple[str, ...]]:
    program = tmp_path / "wrong.py"
    program.write_text(WRONG, encoding="utf-8")
    return lambda *cases: ("--start", "60", "--deadline", "60", "--", sys.executable, str(program), *cases)


@pytest.fixture
def winners(cases: list[Case]) -> list[str]:
    return [case.id for case in cases if case.operation == "trick-winner" and case.profile == "bela-4"]


def test_after_an_update_the_next_run_passes(
    belot: Belot, wrong: Callable[..., tuple[str, ...]], winners: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "expected.yaml"
    update = ("check", "--expected", str(path), "--update-expected", *wrong(*winners[:3]))
    first = belot(*update)
    assert first.returncode == 0, first.stdout + first.stderr
    assert len(listed.read_expected(path).entries) == 3
    written = path.read_text(encoding="utf-8")
    assert written.count("outcome: errored") == 3
    again = belot("check", "--expected", str(path), *wrong(*winners[:3]))
    assert again.returncode == 0, again.stdout
    assert "PASSED" in again.stdout
    assert "Entries that still say “TODO: say why”: 3." in flat(again.stdout)
    assert all(len(line) <= 80 or str(tmp_path) in line for line in again.stdout.splitlines())
    assert path.read_text(encoding="utf-8") == written


def test_a_file_that_no_longer_fits_fails_the_run_and_shows_one_that_does(
    belot: Belot, wrong: Callable[..., tuple[str, ...]], winners: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "expected.yaml"
    old = HEAD + entry(winners[0], "errored", reason="never learned")
    path.write_text(old + entry(winners[1], "errored"), encoding="utf-8")
    done = belot("check", "--expected", str(path), *wrong(winners[0]))
    assert done.returncode == 1
    assert "✗ EXPECTED OTHERWISE" in done.stdout
    assert f"expected.yaml:6: unexpected pass: {winners[1]} passes now" in flat(done.stdout)
    assert done.stdout.endswith(old)
    assert path.read_text(encoding="utf-8") != old
    report = json.loads(belot("check", "--format", "json", "--expected", str(path), *wrong(winners[0])).stdout)
    assert is_valid(report, "report")
    assert report["passed"] is False
    assert report["expected"]["corrected"] == old
    assert [finding["kind"] for finding in report["expected"]["findings"]] == ["unexpected_pass"]
    assert [one["excuse"] for one in report["cases"] if "excuse" in one] == ["never learned"]


def test_a_skipped_case_is_not_asked_and_shown_with_its_reason(
    belot: Belot, wrong: Callable[..., tuple[str, ...]], winners: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "expected.yaml"
    path.write_text(HEAD + entry(winners[0], "skipped", reason="takes an hour"), encoding="utf-8")
    done = belot("check", "--expected", str(path), "--format", "json", "--baselines", *wrong(winners[0]))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert is_valid(report, "report")
    skipped = [one for one in report["cases"] if one["outcome"] == "skipped"]
    assert [(one["id"], one["detail"]) for one in skipped] == [(winners[0], "takes an hour")]
    shown = belot("check", "--expected", str(path), "--report", str(tmp_path / "summary.md"), *wrong(winners[0]))
    for text in (shown.stdout, (tmp_path / "summary.md").read_text(encoding="utf-8")):
        assert "Skipped, 1: takes an hour" in text
    # A skipped case is one of those that were to be passed.
    assert report["baselines"]["target"]["passed"] == report["baselines"]["target"]["asked"] - 1 == len(winners) - 1


def test_after_too_many_faults_the_file_is_not_written(belot: Belot, tmp_path: Path, winners: list[str]) -> None:
    program = tmp_path / "crashing.py"
    program.write_text(WRONG.replace('reply = {"error": "no idea"}', "sys.exit(3)"), encoding="utf-8")
    path = tmp_path / "expected.yaml"
    path.write_text(HEAD + entry(winners[0], "crashed"), encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    command = ("check", "--expected", str(path), "--update-expected", "--max-faults", "1", "--", sys.executable)
    done = belot(*command, str(program), *winners)
    assert done.returncode == 1
    assert "is not written:" in flat(done.stdout)
    assert "not asked, because the program had 1 faults before" in flat(done.stdout)
    assert "1 crashed" in flat(done.stdout)
    assert path.read_text(encoding="utf-8") == before


def test_every_id_that_a_question_can_have_can_be_listed_asked_again_too_as_on_the_page(root: Path) -> None:
    for case in (f"{again}{one}0a*" for one in ("bc-", *TABLE_IDS, *LAST_IDS) for again in ("", AGAIN)):
        text = f"expected:\n  - {{case: {case}, outcome: failed, reason: x}}\n"
        (known,) = listed.parse_expected(PATH, text).entries
        assert known.case == case
    page = (root / "conformance/docs/checking.md").read_text(encoding="utf-8")
    example = page.split("```yaml\n# expected.yaml", 1)[1].split("```", 1)[0]
    (known,) = listed.parse_expected(PATH, f"#{example}").entries
    assert (known.case, known.outcome, known.issue) == ("bc-0072", "failed", "#12")
