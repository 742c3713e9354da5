"""Reports in files: which kind a name asks for, and that a file holds a report whole or is left as it was."""

import json
import os
import signal
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.reports.files import KINDS, ReportFile, ReportFileError, report_files, write_reports
from belot_conformance.reports.report import Run
from belot_spec.load.schemas import is_valid
from belot_spec.spec import Spec
from belot_spec.whole_file import write_whole
from process_testing import PATIENCE, started, until
from suite_testing import PROGRAMS

Belot = Callable[..., Any]


@pytest.mark.parametrize(
    ("asked", "kind", "name"),
    [
        ("a.json", "json", "a.json"),
        ("a.xml", "junit", "a.xml"),
        ("a.junit.xml", "junit", "a.junit.xml"),
        ("a.html", "html", "a.html"),
        ("a.HTM", "html", "a.HTM"),
        ("a.md", "markdown", "a.md"),
        ("markdown:summary", "markdown", "summary"),
        ("json:a.html", "json", "a.html"),
        ("a:b.json", "json", "a:b.json"),
    ],
)
def test_the_name_says_which_kind_of_report_it_is(asked: str, kind: str, name: str) -> None:
    assert report_files([asked]) == [ReportFile(kind, Path(name))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
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
    ],
)
def test_what_cannot_be_written_is_refused_in_one_message(asked: list[str], message: str) -> None:
    with pytest.raises(ReportFileError) as caught:
        report_files(asked)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("asked", ["a.txt", "nowhere/a.json"])
def test_a_wrong_report_is_refused_before_the_program_is_started(belot: Belot, tmp_path: Path, asked: str) -> None:
    started = tmp_path / "started"
    done = belot("check", "--report", asked, "--", sys.executable, "-c", f"open({str(started)!r}, 'w')")
    assert done.returncode == 2
    assert done.stderr.startswith(f"belot: --report {asked}: ")
    assert "Traceback" not in done.stderr
    assert not started.exists()


def test_every_kind_is_written_beside_what_is_printed_also_when_cases_fail(belot: Belot, tmp_path: Path) -> None:
    names = ("a.json", "a.xml", "a.html", "a.md")
    wanted = [word for name in names for word in ("--report", str(tmp_path / name))]
    program = ("--", sys.executable, str(PROGRAMS / "answers_wrongly.py"))
    # Cases of one variant: for each more it is looked for what the failures have in common.
    done = belot("check", "--operation", "card-points", "--case", "bc-00*", "--format", "json", *wanted, *program)
    assert done.returncode == 1, done.stderr
    report = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert report == json.loads(done.stdout)
    assert is_valid(report, "report")
    assert report["totals"]["failed"] > 10
    assert ET.parse(tmp_path / "a.xml").getroot().get("failures") == str(report["totals"]["failed"])
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "FAILED" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_a_program_that_cannot_be_started_leaves_no_report(belot: Belot, tmp_path: Path) -> None:
    done = belot("check", "--report", str(tmp_path / "a.json"), "--", "no-such-program-anywhere")
    assert done.returncode == 3
    assert list(tmp_path.iterdir()) == []


def test_a_report_takes_the_place_of_an_older_one_through_a_link_too(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")
    write_whole(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text(encoding="utf-8") == "new"


def test_a_report_may_be_read_by_whoever_may_read_new_files(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("", encoding="utf-8")
    write_whole(tmp_path / "a.json", "{}")
    assert (tmp_path / "a.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("place", ["fsync", "replace"])
def test_a_fault_while_writing_leaves_the_old_report_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: Spec, mixed_run: Run, place: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a.json").write_text("old", encoding="utf-8")
    monkeypatch.setattr(*{"fsync": (os, "fsync"), "replace": (Path, "replace")}[place], full)
    wrong = write_reports([ReportFile("json", tmp_path / "a.json")], mixed_run, spec, "en")
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


SLOW = """
import sys, time
sys.stdin.readline()
hello = '{"protocol": 1, "name": "slow", "version": "1", "language": "Python", "profiles": ["bela-4"], "operations": ["card-points"]}'
print('{"id": "hello", "result": ' + hello + "}", flush=True)
sys.stdin.readline()
open(sys.argv[1], "w").close()
time.sleep(600)
"""


def test_an_interrupted_run_leaves_nothing_half_written(tmp_path: Path, root: Path) -> None:
    (tmp_path / "a.json").write_text("old", encoding="utf-8")
    asked = tmp_path / "asked"
    program = tmp_path / "slow.py"
    program.write_text(SLOW, encoding="utf-8")
    report = str(tmp_path / "a.json")
    command = [sys.executable, "-m", "belot_conformance", "check", "--deadline", "500", "--report", report, "--"]
    with started([*command, sys.executable, str(program), str(asked)], asked, cwd=root) as run:
        until(lambda: asked.exists() or run.poll() is not None)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130, errors
    assert b"Traceback" not in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "asked", "slow.py"]
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == "old"


def test_whoever_interrupts_the_second_report_finds_no_first(
    mixed_run: Run, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("belot_conformance.reports.html.as_html", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_reports(report_files([str(tmp_path / "a.json"), str(tmp_path / "b.html")]), mixed_run, spec, "en")
    assert list(tmp_path.iterdir()) == []


def test_there_is_a_writer_for_every_kind(spec: Spec, mixed_run: Run, tmp_path: Path) -> None:
    files = report_files([f"{kind}:{tmp_path / kind}" for kind in KINDS])
    assert write_reports(files, mixed_run, spec, "nl") == []
    assert all((tmp_path / kind).stat().st_size > 1000 for kind in KINDS)
