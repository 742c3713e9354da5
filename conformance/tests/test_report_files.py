"""Reports in files: which kind a name asks for, that a file holds one whole or is left as it was, and what is in it."""

import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.reports.files import ReportFile, ReportFileError, report_files, write_reports
from belot_conformance.reports.junit import ELEMENTS, as_junit
from belot_conformance.reports.markdown import MOST, as_markdown
from belot_conformance.reports.report import Run, as_json, by_operation, declared, notes_of
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import OUTCOMES, Planned, Verdict, count
from belot_conformance.text.markdown import escaped
from belot_spec.load.schemas import is_valid
from belot_spec.spec import Spec
from belot_spec.whole_file import write_whole
from suite_testing import PROGRAMS, Belot


@pytest.mark.parametrize(("asked", "kind", "name"), [
    ("a.json", "json", "a.json"),
    ("a.xml", "junit", "a.xml"),
    ("a.junit.xml", "junit", "a.junit.xml"),
    ("a.html", "html", "a.html"),
    ("a.HTM", "html", "a.HTM"),
    ("a.md", "markdown", "a.md"),
    ("markdown:summary", "markdown", "summary"),
    ("json:a.html", "json", "a.html"),
    ("a:b.json", "json", "a:b.json"),
])  # fmt: skip
def test_the_name_says_which_kind_of_report_it_is(asked: str, kind: str, name: str) -> None:
    assert report_files([asked]) == [ReportFile(kind, Path(name))]  # type: ignore[arg-type]


@pytest.mark.parametrize(("asked", "message"), [
    (["a.txt"], "the name does not say which kind of report; known are .json, .xml, .html, .htm, .md, .markdown"),
    (["a.jsn"], "did you mean .json?"),
    (["junti:a"], "did you mean junit?"),
    (["plain"], "or write the kind before it: json:FILE, junit:FILE, html:FILE, markdown:FILE"),
    (["json:"], "the name of the file is missing"),
    ([""], "the name of the file is missing"),
    (["a.json", "./a.json"], "a.json is already asked for; name another file"),
    (["nowhere/at/all/a.json"], "there is no folder nowhere/at/all; make it first"),
    (["json:."], "this is a folder; name a file in it"),
    (["json:/dev/null"], "this is no ordinary file"),
])  # fmt: skip
def test_what_cannot_be_written_is_refused_in_one_message(asked: list[str], message: str) -> None:
    with pytest.raises(ReportFileError) as caught:
        report_files(asked)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_wrong_report_is_refused_first_and_without_a_program_there_is_none(belot: Belot, tmp_path: Path) -> None:
    started = tmp_path / "started"
    done = belot("check", "--report", "nowhere/a.json", "--", sys.executable, "-c", f"open({str(started)!r}, 'w')")
    assert done.returncode == 2
    assert done.stderr.startswith("belot: --report nowhere/a.json: ")
    assert belot("check", "--report", str(tmp_path / "a.json"), "--", "no-such-program-anywhere").returncode == 3
    assert list(tmp_path.iterdir()) == []


def test_a_report_takes_the_place_of_an_older_one_through_a_link_too_and_may_be_read(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    mode = (tmp_path / "real.json").stat().st_mode
    write_whole(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "real.json").stat().st_mode == mode


def test_every_kind_is_written_beside_what_is_printed_also_when_cases_fail(belot: Belot, tmp_path: Path) -> None:
    names = ("a.json", "a.xml", "a.html", "a.md")
    wanted = [word for name in names for word in ("--report", str(tmp_path / name))]
    program = ("--", sys.executable, str(PROGRAMS / "answers_wrongly.py"))
    # Cases of one variant: for each more it is looked for what the failures have in common.
    done = belot("check", "--case", "bc-00*", "--format", "json", *wanted, *program)
    assert done.returncode == 1, done.stderr
    report = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert report == json.loads(done.stdout)
    assert is_valid(report, "report")
    assert report["totals"]["failed"] > 10
    junit, totals = ET.parse(tmp_path / "a.xml").getroot(), report["totals"]
    assert (junit.get("failures"), junit.get("skipped")) == (str(totals["failed"]), "0")
    assert len(junit.findall(".//testcase")) == totals["planned"] - totals["unsupported"] < totals["planned"]
    assert "more cases, about what the program does not declare." in (junit.findtext(".//system-out") or "")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "FAILED" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


@pytest.mark.parametrize("place", ["fsync", "replace"])
def test_a_fault_while_writing_leaves_the_old_report_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: Spec, mixed_run: Run, place: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a.json").write_text("old", encoding="utf-8")
    monkeypatch.setattr(*{"fsync": (os, "fsync"), "replace": (Path, "replace")}[place], full)
    wrong = write_reports([ReportFile("json", tmp_path / "a.json")], mixed_run, spec)
    assert wrong == [f"the report {tmp_path / 'a.json'} could not be written: No space left on device"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == "old"


def test_a_report_that_cannot_be_written_at_the_end_is_named_and_exits_with_2(belot: Belot, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    program = (
        f"import shutil; shutil.rmtree({str(folder)!r}); exec(open({str(PROGRAMS / 'answers_wrongly.py')!r}).read())"
    )
    reports = ("--report", str(folder / "a.json"), "--report", str(tmp_path / "b.json"))
    done = belot("check", "--case", "bc-0005", *reports, "--", sys.executable, "-c", program)
    assert done.returncode == 2
    assert f"belot: the report {folder / 'a.json'} could not be written: No such file or directory" in done.stderr
    assert "FAILED" in done.stdout
    assert (tmp_path / "b.json").exists()


def test_whoever_interrupts_the_second_report_finds_no_first(
    mixed_run: Run, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("belot_conformance.reports.html.as_html", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_reports(report_files([str(tmp_path / "a.json"), str(tmp_path / "b.html")]), mixed_run, spec)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def parsed(mixed_run: Run, spec: Spec) -> ET.Element:
    return ET.fromstring(as_junit(replace(mixed_run, incidents=[]), spec))


def test_the_counts_are_those_of_the_json_report(parsed: ET.Element, mixed_run: Run, spec: Spec) -> None:
    report = as_json(mixed_run, spec)
    told = {"root": (parsed, report["totals"])}
    told |= {suite.get("name", ""): (suite, report["operations"][suite.get("name")]) for suite in parsed}
    assert len(told) == 1 + len(report["operations"])
    for element, counts in told.values():
        asked = counts["planned"] - counts["unsupported"]
        assert element.get("tests") == str(asked) == str(len(list(element.iter("testcase"))))
        for attribute, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            number = sum(counts[outcome] for outcome in OUTCOMES if ELEMENTS.get(outcome) == kind)
            assert element.get(attribute) == str(number) == str(len(list(element.iter(kind))))


def test_every_case_stands_in_it_with_the_element_of_its_outcome(parsed: ET.Element, mixed_run: Run) -> None:
    found = {case.get("name", "").split()[0]: case for case in parsed.iter("testcase")}
    asked = [verdict for verdict in mixed_run.verdicts if verdict.outcome != "unsupported"]
    assert len(found) == len(asked) < len(mixed_run.verdicts)
    for verdict in asked:
        case = found[verdict.planned.case.id]
        assert case.get("classname") == f"{verdict.planned.profile}.{verdict.planned.case.operation}"
        kinds = Counter(inner.tag for inner in case if inner.tag not in ("system-err", "properties"))
        assert kinds == Counter([ELEMENTS[verdict.outcome]] if verdict.outcome != "passed" else [])
        told = {one.get("name"): one.get("value") for one in case.iter("property")}
        assert told == {"provenance": verdict.planned.provenance}


def test_a_failure_says_what_was_asked_expected_got_and_why(parsed: ET.Element, mixed_run: Run, spec: Spec) -> None:
    told = {case.get("name", "").split()[0]: case.findtext("failure") for case in parsed.iter("testcase")}
    failed = [verdict for verdict in mixed_run.verdicts if verdict.outcome == "failed"]
    assert failed
    for verdict in failed:
        text = told[verdict.planned.case.id] or ""
        for label in ("asked", "(expected|differs)", "again", *["rule" for _ in notes_of(verdict, spec)][:1]):
            assert re.search(rf"^  {label} ", text, re.MULTILINE), text


def test_what_a_program_printed_on_stderr_stands_in_system_err(parsed: ET.Element) -> None:
    errors = [case.find("system-err") for case in parsed.iter("testcase") if case.find("error") is not None]
    assert any(error is not None and "<script>alert('x')</script>" in (error.text or "") for error in errors)


@pytest.mark.parametrize(("allowed", "element"), [(False, "error"), (True, "skipped")])
def test_an_incident_is_an_error_unless_it_is_allowed(mixed_run: Run, spec: Spec, allowed: bool, element: str) -> None:
    root = ET.fromstring(as_junit(replace(mixed_run, verdicts=[], incidents_allowed=allowed), spec))
    (suite,) = root
    assert (suite.get("name"), suite.get("tests"), suite.get("errors")) == ("incidents", "1", str(int(not allowed)))
    assert (root.get("tests"), root.get("errors")) == ("1", str(int(not allowed)))
    (incident,) = suite.iter(element)
    assert (incident.get("message") or "").startswith("incident <script>")


def test_an_expected_failure_counts_as_skipped_with_its_reason(mixed_run: Run, spec: Spec) -> None:
    verdicts = [replace(one, excuse="issue 12" if one.outcome == "failed" else "") for one in mixed_run.verdicts]
    root = ET.fromstring(as_junit(replace(mixed_run, verdicts=verdicts), spec))
    assert root.get("failures") == "0"
    expected = sum(verdict.outcome == "failed" for verdict in verdicts)
    assert [skipped.get("message") for skipped in root.iter("skipped")].count("issue 12") == expected > 0


def _table(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


def test_the_table_holds_every_operation_and_the_totals(mixed_run: Run, spec: Spec) -> None:
    heading, *rows = _table(as_markdown(mixed_run, spec))
    shown = declared(mixed_run)
    totals = count(shown)
    assert len(heading) == 2 + len(totals)
    assert [row[0] for row in rows[:-1]] == list(by_operation(mixed_run, shown))
    assert rows[-1][1:] == [str(number) if number else "·" for number in (len(shown), *totals.values())]
    assert len(shown) < len(mixed_run.verdicts)


def test_outside_blocks_of_code_which_we_alone_end_all_markup_is_our_own(mixed_run: Run, spec: Spec) -> None:
    text = as_markdown(mixed_run, spec)
    assert "```" in text.replace("```text", "")
    # A block ends at the first line that is as long a fence, whoever wrote it.
    outside = re.sub(r"^(`{3,})text\n(?:.*\n)*? {0,3}\1`*\s*$", "", text, flags=re.MULTILINE)
    assert set(re.findall(r"<[^>]*>", outside)) == {
        "<details>", "<summary>", "</summary>", "</details>", "<code>", "</code>",
    }  # fmt: skip
    assert "`" not in outside


def test_the_summary_stays_small_always(cases: list[Case], mixed_run: Run, spec: Spec) -> None:
    long = "é<|`" * 4_000
    verdicts = [Verdict(Planned(case, case.profile), "errored", long, {"error": long}, stderr=long) for case in cases]
    run = replace(mixed_run, verdicts=verdicts, incidents=[long] * 500, command=long, asked_with=(long,))
    text = as_markdown(run, spec)
    assert len(text.encode()) < MOST
    assert text.count("<details>") == text.count("</details>") == 1


@given(st.text(max_size=60))
def test_escaped_text_has_nothing_left_that_markdown_or_html_would_act_on(text: str) -> None:
    shown = escaped(text)
    assert not re.search(r"[<>|`*_\[\]\\\n]", shown)
    assert not re.match(r"[-+=:#]|\d{1,2}[.)](\s|$)", shown)
