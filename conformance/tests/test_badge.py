"""The badge of a report: its words, its colour, and that it is a picture which needs nothing else."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.cli.report import as_endpoint, as_svg
from belot_conformance.suite.verdicts import OUTCOMES
from suite_testing import Belot


def report(well: bool, incidents: int = 0, **totals: int) -> dict[str, Any]:
    counts: dict[str, int] = {**{str(outcome): 0 for outcome in OUTCOMES}, **totals}
    told = ["exited with code 9"] * incidents
    return {"passed": well, "totals": {"planned": sum(counts.values()), **counts}, "incidents": told}


GREEN, AMBER, RED = "#1f7a36", "#8a5a00", "#b3261e"
BADGES = [
    (report(True, passed=5, unsupported=9), "5 of 5 passed", GREEN),
    (report(True, passed=3, failed=2), "3 of 5 passed, 2 known to fail", AMBER),
    (report(False, passed=4, failed=1), "4 of 5 passed", RED),
    (report(False, passed=5), "5 of 5 passed", RED),
    (report(False, 1, passed=5), "5 of 5 passed, 1 incident", RED),
    (report(True, 3, passed=5), "5 of 5 passed, 3 incidents", AMBER),
    (report(False, unsupported=7), "nothing asked", RED),
]


@pytest.mark.parametrize(("found", "said", "colour"), BADGES)
def test_a_badge_says_what_passed_in_words_and_colour_and_the_picture_needs_nothing_else(
    found: dict[str, Any], said: str, colour: str
) -> None:
    assert as_endpoint(found) == {"schemaVersion": 1, "label": "belot", "message": said, "color": colour}
    picture = ET.fromstring(as_svg(found))
    assert picture.get("aria-label") == f"belot: {said}"
    assert [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")] == ["belot", said]
    assert [shape.get("fill") for shape in picture.iter("{http://www.w3.org/2000/svg}rect")] == [colour]
    assert "href" not in as_svg(found)


def test_the_command_draws_a_badge_of_a_report_and_refuses_anything_else(belot: Belot, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    belot("check", "--operation", "penalty", "--report", str(path), "reference")
    drawn = belot("report", "badge", str(path))
    assert (drawn.returncode, ET.fromstring(drawn.stdout).tag) == (0, "{http://www.w3.org/2000/svg}svg")
    data = json.loads(belot("report", "badge", str(path), "--format", "json").stdout)
    assert data["message"].endswith("passed")
    refused = belot("report", "badge", "README.md")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "a report is what belot check --report FILE.json writes" in refused.stderr
