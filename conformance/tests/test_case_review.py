"""The command ``belot cases review`` walks through what waits for a person, and writes what he says."""

import json
import shutil
from pathlib import Path

import pytest

from belot_conformance.suite.case_text import Rewrite, rewrite_file
from belot_conformance.suite.cases import load_cases
from suite_testing import flat, run

WAITING = ("bc-0204", "bc-0205", "bc-0209")
WHY = "match.target changed; the expectation was by-hand and is now what the engine answers"


@pytest.fixture
def folder(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of some cases, three of which wait, and which the command takes for those of the suite."""
    for name in ("bela-target", "bela-both-over"):
        path = tmp_path / "match" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        shutil.copyfile(root / "cases" / "match" / path.name, path)
        own = [case for case in WAITING if f"id: {case}" in path.read_text(encoding="utf-8")]
        rewrite_file(path, [Rewrite(case, {"origin": "derived", "review": WHY}) for case in own])
    monkeypatch.setattr("belot_workshop.cases.load_cases", lambda: load_cases(tmp_path))
    return tmp_path


def waiting(folder: Path) -> dict[str, tuple[str, bool]]:
    return {case.id: (case.origin, case.review is not None) for case in load_cases(folder) if case.id in WAITING}


def test_each_case_is_asked_before_its_answer_is_shown_and_settled_as_the_person_says(folder: Path) -> None:
    done = run("cases", "review", stdin=b"\nh\n\na\n\nl\n")
    told = flat(done.stdout)
    assert told.index("Work it out") < told.index("it says")
    assert WHY in told
    assert "The match is played to 1001 points" in told
    assert "2 settled, 1 still wait" in told
    assert sorted(waiting(folder).values()) == [("by-hand", False), ("derived", False), ("derived", True)]
    before = waiting(folder)
    assert "0 settled, 1 still wait" in run("cases", "review", stdin=b"\ns\n").stdout
    assert waiting(folder) == before


def test_nothing_else_of_a_file_changes(folder: Path, root: Path) -> None:
    assert "0 still wait" in run("cases", "review", stdin=b"\nh\n" * len(WAITING)).stdout
    for path in folder.glob("*/*.yaml"):
        assert path.read_text(encoding="utf-8") == (root / "cases/match" / path.name).read_text(encoding="utf-8")
    assert "0 settled, 0 still wait" in run("cases", "review").stdout


def test_only_the_named_cases_are_walked_through(folder: Path) -> None:
    assert "1 settled, 0 still wait" in run("cases", "review", "bc-0205", stdin=b"\na\n").stdout
    assert waiting(folder)["bc-0205"] == ("derived", False)
    done = run("cases", "review", "bc-0206")
    assert done.exit_code == 2
    assert "no case bc-0206 waits for review; did you mean bc-020" in done.stderr


def test_as_json_they_are_only_listed(folder: Path) -> None:
    listed = json.loads(run("cases", "review", "--format", "json").stdout)
    assert [one["review"] for one in listed] == [WHY] * len(WAITING)
    assert {one["id"] for one in listed} == set(WAITING)
