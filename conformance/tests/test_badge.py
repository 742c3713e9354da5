"""The badge of a report: its words, its colour, and that it is a picture which needs nothing else."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.reports.badge import as_endpoint, as_svg
from belot_conformance.suite.verdicts import OUTCOMES
from suite_testing import Belot


def report(well: bool, incidents: int = 0, **totals: int) -> dict[str, Any]:
    counts: dict[str, int] = {**{str(outcome): 0 for outcome in OUTCOMES}, **totals}
    told = ["exited with code 9"] * incidents
    return {"passed": well, "totals": {"planned": sum(counts.values()), **counts}, "incidents": told}


GREEN, AMBER, RED = "#1f7a36", "#8a5a00", "#b3261e"
BADGES = [
    (report(True, passed=5, unsupported=9), "5 of 5 passed", "5 van 5 goed", GREEN),
    (report(True, passed=3, failed=2), "3 of 5 passed, 2 known to fail", "3 van 5 goed, 2 bekend als fout", AMBER),
    (report(False, passed=4, failed=1), "4 of 5 passed", "4 van 5 goed", RED),
    (report(False, passed=5), "5 of 5 passed", "5 van 5 goed", RED),
    (report(False, 1, passed=5), "5 of 5 passed, 1 incident", "5 van 5 goed, 1 voorval", RED),
    (report(True, 3, passed=5), "5 of 5 passed, 3 incidents", "5 van 5 goed, 3 voorvallen", AMBER),
    (report(False, unsupported=7), "nothing asked", "niets gevraagd", RED),
]


@pytest.mark.parametrize(("found", "english", "dutch", "colour"), BADGES)
def test_a_badge_says_what_passed_in_words_and_colour_and_the_picture_needs_nothing_else(
    found: dict[str, Any], english: str, dutch: str, colour: str
) -> None:
    assert as_endpoint(found, "en") == {"schemaVersion": 1, "label": "belot", "message": english, "color": colour}
    assert as_endpoint(found, "nl")["message"] == dutch
    picture = ET.fromstring(as_svg(found, "nl"))
    assert picture.get("aria-label") == f"belot: {dutch}"
    assert [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")] == ["belot", dutch]
    assert [shape.get("fill") for shape in picture.iter("{http://www.w3.org/2000/svg}rect")] == [colour]
    assert "href" not in as_svg(found, "nl")


def test_the_command_draws_a_badge_of_a_report_and_refuses_anything_else(belot: Belot, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    belot("check", "--operation", "penalty", "--report", str(path), "reference")
    drawn = belot("report", "badge", str(path))
    assert (drawn.returncode, ET.fromstring(drawn.stdout).tag) == (0, "{http://www.w3.org/2000/svg}svg")
    data = json.loads(belot("report", "badge", str(path), "--format", "json", "--lang", "nl").stdout)
    assert data["message"].endswith("goed")
    refused = belot("report", "badge", "README.md")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "a report is what belot check --report FILE.json writes" in refused.stderr
