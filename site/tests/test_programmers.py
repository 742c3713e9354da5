"""What the pages for programmers show of the command line is what it says."""

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from belot_conformance.cli.main import main
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_site import pages
from belot_site.content.edition import SiteEdition
from belot_site.pages import programmers
from belot_site.pages.page import Printer
from belot_site.pages.programmers import programmer_pages
from belot_spec.catalogue import LANGUAGES
from belot_workshop.releases.address import Address

BELOT = [sys.executable, "-m", "belot_conformance"]
# The line with the command to ask again depends on where belot stands.
AGAIN = {"en": "\n  again ", "nl": "\n  opnieuw "}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_of_a_fault_is_what_the_command_says(language: str) -> None:
    path = Path(pages.__file__).parent / "samples" / f"check.{language}.txt"
    command = ["check", "--lang", language, "--case", "bc-0543", "--"]
    found = CliRunner().invoke(main, [*command, *BELOT, "answer", "--mistake", "ruff-for-the-partner"])
    shown = path.read_text(encoding="utf-8")
    assert AGAIN[language] in shown
    assert found.output.partition(AGAIN[language])[0] == shown.partition(AGAIN[language])[0]


def test_every_mistake_that_a_report_may_name_is_told(edition: SiteEdition) -> None:
    page = next(page for page in programmer_pages(edition) if page.path == "programmers/mistakes")
    text = Printer(edition).text_of(page)
    assert [name for name in (*load_mistakes(), *load_faults()) if f"<code>{name}</code>" not in text] == []


HOSTED = Address("https://example.org/belot", "https://example.org/rules", "0.1.0")


@pytest.mark.parametrize("place", [HOSTED, Address("", "", "0.1.0")], ids=["hosted", "nowhere"])
def test_the_pages_name_the_address_where_there_is_one(
    place: Address, edition: SiteEdition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programmers, "address", lambda: place)
    pages = {page.path: Printer(edition).text_of(page) for page in programmer_pages(edition)}
    start, guide = pages["programmers/index"], pages["programmers/checking"]
    assert ("git clone https://example.org/belot " in start) == bool(place.repository)
    assert ("(https://example.org/belot/blob/main/conformance/examples/python/bela.py)" in guide) == bool(
        place.repository
    )
    assert "](../" in guide
    assert ".md)" not in "".join(re.findall(r"\]\((?!https).*?\)", guide))
