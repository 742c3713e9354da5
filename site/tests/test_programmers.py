"""What the pages for programmers show of the command line is what it says."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from markupsafe import escape

from belot_conformance.cli.main import main
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.programs.published import load_programs
from belot_conformance.suite.verdicts import OUTCOMES
from belot_site.content.edition import SiteEdition
from belot_site.content.library import SITE_FOLDER
from belot_site.pages import programmers
from belot_site.pages.cases import messages
from belot_site.pages.page import Printer
from belot_site.pages.programmers import programmer_pages
from belot_site.pages.programs import MeasuredProgram, program_pages
from belot_workshop.releases.address import Address

BELOT = [sys.executable, "-m", "belot_conformance"]
# The line with the command to ask again depends on where belot stands.
DOCS = SITE_FOLDER.parent / "conformance/docs"


def test_the_sample_of_a_fault_is_what_the_command_says() -> None:
    command = ["check", "--case", "bc-0543", "--", *BELOT, "answer", "--mistake", "ruff-for-the-partner"]
    found = CliRunner().invoke(main, command)
    (shown,) = re.findall(r"(?s)```text\n(.*?)\n```", (DOCS / "quick-start.md").read_text(encoding="utf-8"))
    assert "\n  again " in shown
    assert found.stdout.partition("\n  again ")[0] == shown.partition("\n  again ")[0]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_whole_adapter_of_the_quick_start_answers_rightly(english: SiteEdition, tmp_path: Path) -> None:
    (program,) = re.findall(r"(?s)```javascript\n(.*?)```", (DOCS / "quick-start.md").read_text(encoding="utf-8"))
    (tmp_path / "tricks.js").write_text(program, encoding="utf-8")
    cases = [one for one in english.library.cases if (one.operation, one.profile) == ("trick-winner", "coinche")]
    asked = "".join(f"{messages(case)[0]}\n" for case in cases)
    done = subprocess.run(["node", tmp_path / "tricks.js"], input=asked, capture_output=True, text=True, check=True)
    replies = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    assert replies == [case.expected[0].fields for case in cases] != []


def test_every_mistake_that_a_report_may_name_is_told(english: SiteEdition) -> None:
    page = next(page for page in programmer_pages(english) if page.path == "programmers/mistakes")
    text = Printer(english).text_of(page)
    assert [name for name in (*load_mistakes(), *load_faults()) if f"<code>{name}</code>" not in text] == []


HOSTED = Address("https://example.org/belot", "https://example.org/rules", "0.1.0")


@pytest.mark.parametrize("place", [HOSTED, Address("", "", "0.1.0")], ids=["hosted", "nowhere"])
def test_the_pages_name_the_address(place: Address, english: SiteEdition, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programmers, "address", lambda: place)
    pages = {page.path: Printer(english).text_of(page) for page in programmer_pages(english)}
    start, guide = pages["programmers/index"], pages["programmers/checking"]
    assert f"pip install {place.requirement}" in start.replace('"', "")
    assert ("(https://example.org/belot/blob/main/conformance/examples/python/bela.py)" in guide) == bool(
        place.repository
    )
    assert "](../" in guide
    assert ".md)" not in "".join(re.findall(r"\]\((?!https).*?\)", guide))


def test_the_page_of_reports_tells_every_outcome_and_no_other() -> None:
    told = re.findall(r"^\| `(\w+)` \| \S", (DOCS / "reports.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(told) == sorted(OUTCOMES)


def test_every_measured_program_has_a_page_and_a_column(english: SiteEdition) -> None:
    printer = Printer(english)
    texts = {page.path: printer.text_of(page) for page in program_pages(english)}
    table = texts["programmers/programs"]
    for name, program in load_programs().items():
        if program.measured is None:
            continue
        page = texts[f"programmers/programs/{name}"]
        assert f"programs/{name}/" in table
        assert program.address in page
        assert all(escape(english.text(bug.says)) in page for bug in program.bugs)
        assert page.count("→ {") == len(program.measured.unexplained)


def test_a_cell_says_nothing_of_a_rule_that_the_answers_do_not_tell(english: SiteEdition) -> None:
    index = next(iter(program_pages(english)))
    measured: dict[str, MeasuredProgram] = {one.program.id: one for one in index.context["measured"]}
    for row in (row for _, rows in index.context["tables"].values() for row in rows):
        rule = row["rule"]
        assert any(cell["mark"] in ("other", "mistake") for cell in row["cells"]), rule
        for cell in row["cells"]:
            one = measured[cell["program"]]
            shown = rule in one.measured.rules or rule in one.by_option
            untold = one.measured.is_cut or rule in one.measured.untold
            unknown = rule not in one.played.settings or (untold and not shown)
            assert (cell["mark"] == "unknown") == unknown
            assert cell["short"]
