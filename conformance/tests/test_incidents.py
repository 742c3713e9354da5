"""A program that breaks down now and then does not pass, though each answer is right when it is asked again."""

import json
import sys
from pathlib import Path

import pytest

from suite_testing import run

# Answers as the rules do, and exits after every so many answers.
PROGRAM = """
import json, sys
from belot_conformance.programs.reference import Reference, put
reference = Reference()
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if asked["op"] == "hello":
        about = {"protocol": 1, "name": "tired", "version": "1", "language": "x", "window": 4}
        said = {"result": {**about, "profiles": ["bela-4"], "operations": ["legal-cards", "card-points"]}}
    else:
        said = put(asked["op"], reference.ruleset("bela-4"), asked["input"]).message()
    print(json.dumps({"id": asked["id"], **said}), flush=True)
    if number == int(sys.argv[1]):
        sys.exit()
"""


@pytest.fixture
def tired(tmp_path: Path) -> list[str]:
    (tmp_path / "tired.py").write_text(PROGRAM, encoding="utf-8")
    return [sys.executable, str(tmp_path / "tired.py")]


@pytest.mark.parametrize(("allow", "code", "said"), [([], 1, "✗ FAILED"), (["--allow-incidents"], 0, "✓ PASSED")])
def test_incidents_keep_a_run_from_passing_unless_they_are_allowed(
    tired: list[str], tmp_path: Path, allow: list[str], code: int, said: str
) -> None:
    report = tmp_path / "report.json"
    asked = ["check", "--operation", "card-points", "--worked-only", "--report", str(report), *allow]
    done = run(*asked, "--", *tired, "11")
    assert done.exit_code == code
    assert said in done.stdout
    found = json.loads(report.read_text(encoding="utf-8"))
    assert (found["passed"], found["totals"]["failed"], found["totals"]["crashed"]) == (not code, 0, 0)
    assert found["incidents"]
    badge = run("report", "badge", str(report), "--format", "json").stdout
    assert "incident" in badge
    assert json.loads(badge)["color"] != "#1f7a36"


@pytest.mark.parametrize("alone", [[], ["--alone"]])
def test_random_questions_do_not_pass_over_a_program_that_breaks_down(tired: list[str], alone: list[str]) -> None:
    asked = ["fuzz", "--questions", "400", *alone, "--", *tired, "150"]
    done = run(*asked)
    assert done.exit_code == 1, done.output
    assert "incident: " in done.stdout
    assert "✓" not in done.stdout
    assert "broke down in between (" in " ".join(done.stdout.split())
    report = json.loads(run(*asked[:1], "--format", "json", *asked[1:]).stdout)
    assert (report["passed"], bool(report["incidents"])) == (False, True)
