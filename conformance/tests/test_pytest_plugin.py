"""The cases as tests of pytest, in a project of their own."""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from belot_spec.cache import cache_folder

pytest_plugins = ["pytester"]

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "python" / "bela.py"
KEPT = cache_folder()
OPERATION = "--belot-operation=card-points"


@pytest.fixture(autouse=True)
def _with_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the compiled rules to each run, whose home is another."""
    if KEPT is not None:
        monkeypatch.setenv("BELOT_CACHE", str(KEPT))


@pytest.fixture
def wrong(pytester: pytest.Pytester) -> str:
    source = EXAMPLE.read_text(encoding="utf-8")
    spoiled = source.replace('"Q": 3, "K": 4, "10": 10, "A": 11, "9"', '"Q": 3, "K": 5, "10": 10, "A": 11, "9"')
    assert spoiled != source
    path = pytester.path / "my bela.py"
    path.write_text(spoiled, encoding="utf-8")
    return f"--belot-target={sys.executable} '{path}'"


# The plugin is there because the package is installed, without -p; warnings are errors, as in many projects.
AS_MANY_DO = ("-W", "error", "-p", "no:randomly")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*AS_MANY_DO, *arguments)


def run_apart(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*AS_MANY_DO, *arguments, timeout=600)


def test_without_the_option_nothing_happens(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys
        def test_nothing_of_the_suite_is_loaded():
            loaded = {name for name in sys.modules if name.startswith(("belot", "httpx", "rich"))}
            assert loaded <= {"belot_conformance", "belot_conformance.pytest_plugin"}
        """
    )
    run_apart(pytester).assert_outcomes(passed=1)


@pytest.mark.long
def test_every_case_is_a_test_which_the_workers_of_xdist_share(pytester: pytest.Pytester, wrong: str) -> None:
    pytester.makepyfile("def test_own(): pass")
    result = run(pytester, wrong, OPERATION, "-v", "-rs", "--junitxml=out.xml")
    assert result.ret == 1
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] > 5
    assert outcomes["skipped"] > 10
    assert outcomes["failed"] >= 1
    collected = next(line for line in result.outlines if "collected" in line)
    assert f"collected {sum(outcomes[name] for name in ('passed', 'skipped', 'failed'))} items" in collected
    result.stdout.fnmatch_lines(["belot::bc-0001 PASSED*", "belot::bc-0005 FAILED*"])
    result.stdout.fnmatch_lines(["SKIPPED*the program does not declare the profile belotten"])
    tests = [one for one in ET.parse(pytester.path / "out.xml").iter("testcase") if one.get("classname") == "belot"]
    (failure,) = (one.findtext("failure") or "" for one in tests if one.get("name") == "bc-0005")
    assert "expected  points 4" in failure
    shared = run_apart(pytester, wrong, OPERATION, "-n", "2").parseoutcomes()
    assert [shared[name] for name in ("passed", "failed", "skipped")] == [
        outcomes[name] for name in ("passed", "failed", "skipped")
    ]


def test_a_program_that_does_not_start_fails_once_and_stops(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--belot-target=no-such-program", OPERATION)
    assert result.ret != 0
    assert result.parseoutcomes() == {"failed": 1}
    result.stdout.fnmatch_lines(["*no-such-program could not be started: no such program*"])


def test_a_failure_reads_as_in_belot_check(pytester: pytest.Pytester, wrong: str) -> None:
    result = run(pytester, wrong, OPERATION, "-k", "bc-0005")
    result.assert_outcomes(failed=1, deselected=result.parseoutcomes()["deselected"])
    result.stdout.fnmatch_lines(
        [
            "*bc-0005 The king of trump is worth four*",
            "✗ FAILED bc-0005 The king of trump is worth four",
            "*card-points, bela-4, answer worked out",
            "*asked*trump ♥ · cards K♥",
            "*expected*points 4",
            "*came*points 5",
            "*(scoring.trump-points;*",
            "*belot check --case bc-0005 -- *",
        ],
        consecutive=False,
    )
    assert "Traceback" not in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()


@pytest.mark.parametrize(("keyword", "chosen"), [
    ("bc-0005", {"bc-0005"}),
    ("card-points and bc-0005", {"bc-0005"}),
    ("trick-winner", set()),
    ("bela-4 and king and trump and four", {"bc-0005"}),
    ("troefheer and bela-4", {"bc-0005"}),
])  # fmt: skip
def test_a_case_is_found_by_what_it_is_about(pytester: pytest.Pytester, keyword: str, chosen: set[str]) -> None:
    result = run(pytester, "--belot-target=nothing", OPERATION, "-k", keyword, "--collect-only", "-q")
    assert set(re.findall(r"^belot::(bc-\d+)$", result.stdout.str(), re.MULTILINE)) == chosen


def test_the_last_failed_and_the_first_failure_work(pytester: pytest.Pytester, wrong: str) -> None:
    first = run(pytester, wrong, OPERATION, "-x")
    assert first.parseoutcomes()["failed"] == 1
    everything = run(pytester, wrong, OPERATION).parseoutcomes()["failed"]
    again = run(pytester, wrong, OPERATION, "--lf").parseoutcomes()
    assert again["failed"] == everything > 1
    assert "passed" not in again


def test_random_questions_are_one_test_more(pytester: pytest.Pytester, wrong: str) -> None:
    result = run(pytester, wrong, OPERATION, "--belot-fuzz=0.2", "-k", "fuzz")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["*random questions*", "*card-points*"])


@pytest.mark.parametrize(("arguments", "message"), [
    (["--belot-target=x 'y"], "x 'y: this is no command: No closing quotation"),
    (["--belot-target=reference", "--belot-fuzz=-1"], "--belot-fuzz is a number of seconds above 0, not -1"),
    (["--belot-target="], "say what to check"),
    (["--belot-target=http://"], "the address names no host"),
    (["--belot-target=reference", "--belot-operation=deel"], "no operation deel; did you mean deal?"),
    (["--belot-target=reference", "--belot-profile=bela-5"], "no variant bela-5"),
    (["--belot-target=reference", "--belot-deadline=0"], "a number of seconds above 0, not 0"),
    (["--belot-target=reference", "--belot-deadline=soon"], "invalid float value: 'soon'"),
])  # fmt: skip
def test_wrong_options_are_one_message(pytester: pytest.Pytester, arguments: list[str], message: str) -> None:
    result = run(pytester, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


def test_a_fault_is_a_failure_and_what_is_blamed_on_nobody_is_printed(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("engine.py").write_text(
        "import os, pathlib, time\n"
        "class Engine:\n"
        "    profiles = ['bela-4']\n"
        "    def card_points(self, profile, question):\n"
        "        if question['cards'] == ['KH']: time.sleep(60)\n"
        "        if question['cards'] == ['QH'] and not pathlib.Path('mark').exists():\n"
        "            pathlib.Path('mark').touch()\n"
        "            os._exit(3)\n"
        "        return {'points': 20}\n",
        encoding="utf-8",
    )
    result = run(pytester, "--belot-target=python:engine:Engine", "--belot-deadline=5", OPERATION, "-k", "bela-4")
    result.stdout.fnmatch_lines(["*bc-0005*", "*no answer within 5 s*"])
    result.stdout.fnmatch_lines(["belot: incident: *exited with code 3*"])
