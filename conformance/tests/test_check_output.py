"""What ``belot check`` prints is about what the program declares, ends with what to do next, and is short on request."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_spec.load.schemas import explain
from suite_testing import Belot, flat

BELA = ("--drawn", "0", "--", sys.executable, "conformance/examples/python/bela.py")
PROGRAM = """
import json, sys
from belot_conformance.programs.reference import Reference
profiles, played, operations = (word.split(",") for word in sys.argv[1:])
reference = Reference(extra_profiles=played)
hello = {"protocol": 1, "name": "plain", "version": "1", "language": "Python", "profiles": profiles, "operations": operations}
for line in sys.stdin:
    asked = json.loads(line)
    by = dict(zip(profiles, played)).get(asked.get("profile"), played[0])
    said = {"result": hello} if asked["op"] == "hello" else reference.reply(asked["op"], by, asked["input"])
    print(json.dumps({"id": asked["id"], **said}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., tuple[str, ...]]:
    path = tmp_path / "plain.py"
    path.write_text(PROGRAM, encoding="utf-8")

    def words(profiles: str, played: str, operations: str = "legal-cards") -> tuple[str, ...]:
        return "--drawn", "0", "--", sys.executable, str(path), profiles, played, operations

    return words


def _table(printed: str) -> dict[str, list[str]]:
    rows = [line.split() for line in printed.splitlines() if re.match(r"[a-z-]+ +(\d+|·) +(\d+|·)", line)]
    return {name: numbers for name, *numbers in rows}


def _is_narrow(printed: str) -> bool:
    return all(len(line) <= 80 for line in printed.splitlines())


def test_only_what_is_declared_is_counted_and_the_rest_told(belot: Belot, cases: list[Case], tmp_path: Path) -> None:
    done = belot("check", "--report", str(tmp_path / "report.json"), *BELA)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert explain(report, "report") == []
    passed = report["totals"]["passed"]
    assert list(_table(done.stdout)) == ["card-points", "trick-winner", "legal-cards", "all"]
    assert _table(done.stdout)["all"] == [str(passed), str(passed), "·"]
    assert f"{passed} of {passed} passed" in flat(done.stdout)
    # A case of another variant that holds here is asked too, and counted apart.
    left = len(cases) - passed - report["drawn"]["shared"]["asked"]
    assert report["drawn"]["shared"]["asked"] > passed
    assert f"The suite has {left} more cases, about what the program does not declare." in done.stdout
    assert "unsupp" not in done.stdout
    assert "A good next one is declarations: which declarations a hand holds." in flat(done.stdout)
    assert _is_narrow(done.stdout)
    for counts in (report["totals"], *report["operations"].values()):
        assert counts.pop("planned") == sum(counts.values())
    assert len(report["cases"]) == len(cases) == report["totals"]["unsupported"] + passed


@pytest.mark.parametrize("options", [("--operation", "legal-cards"), ("--case", "bc-0072"), ("--brief",)])
def test_whoever_chose_a_part_is_told_nothing_of_what_is_next(belot: Belot, options: tuple[str, ...]) -> None:
    assert "Next:" not in belot("check", *options, *BELA).stdout


def test_a_program_that_plays_by_other_rules_is_told_how_to_name_them(
    belot: Belot, program: Callable[..., tuple[str, ...]], tmp_path: Path
) -> None:
    done = belot("check", "--show", "0", *program("belote", "belote+no-undertrump"))
    assert done.returncode == 1
    overlay, _, steps = done.stdout.partition("Next:")
    assert "belot check --profile house-rules.yaml -- " in steps
    assert "belot identify" not in steps
    path = tmp_path / "house-rules.yaml"
    path.write_text("id: " + overlay.partition("\nid: ")[2], encoding="utf-8")
    assert belot("check", "--profile", str(path), *program("belote", str(path))).returncode in (0, 4)


def test_rules_of_some_variants_are_written_by_identify(belot: Belot, program: Callable[..., tuple[str, ...]]) -> None:
    done = belot("check", "--show", "0", *program("belote,belotten", "belote+no-undertrump,belotten+undertrump-forced"))
    assert done.returncode == 1
    steps = done.stdout.partition("Next:")[2]
    said = steps.replace("\\\n    ", "")
    assert re.search(r"belot identify --profile belot(e|ten) --write house-rules.yaml -- ", said)
    assert "belot check --profile house-rules.yaml -- " in steps


def test_in_brief_the_verdict_the_rules_and_the_counts_are_told_and_no_failure(
    belot: Belot, program: Callable[..., tuple[str, ...]]
) -> None:
    asked = program("belote", "belote+no-undertrump")
    whole, brief = (belot("check", *more, *asked) for more in ((), ("--brief",)))
    assert whole.returncode == brief.returncode == 1
    for word in ("Plays as if", "legal-cards", "✗ FAILED", "passed, "):
        assert word in brief.stdout
    assert "bc-" in whole.stdout
    assert "bc-" not in brief.stdout
    assert len(brief.stdout.splitlines()) < 16
    assert _is_narrow(brief.stdout)


def test_a_report_holds_what_was_asked(belot: Belot, tmp_path: Path, reference: Reference) -> None:
    chosen = ("--operation", "legal-cards", "--reasons", "--deadline", "7", "--show", "3")
    report = json.loads(belot("check", "--format", "json", *chosen, *BELA).stdout)
    options, selection = report["asked"]["options"], report["asked"]["selection"]
    assert selection["operation"] == ["legal-cards"]
    assert "profile" not in selection
    assert (options["reasons"], options["deadline"], options["drawn"], options["max-faults"]) == (True, 7.0, 0, 20)
    assert not {"show", "format", "lang", "allow-incidents"} & {*options}
    question = {"trump": "H", "cards": ["JH"]}
    line = {"op": "card-points", "profile": "bela-4", "input": question}
    (tmp_path / "log.jsonl").write_text(json.dumps({**line, **reference.reply(*line.values())}), encoding="utf-8")  # type: ignore[arg-type]
    asked = json.loads(belot("audit", str(tmp_path / "log.jsonl"), "--max-wrong", "5", "--format", "json").stdout)[
        "asked"
    ]
    assert (asked["options"]["max-wrong"], asked["options"]["jobs"], asked["selection"]) == (5, 1, {})
