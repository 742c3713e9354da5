"""Pages for players are there in every language; those for programmers are in English, and are led to from all."""

import json
import re
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

import pytest

from belot_site.content.edition import SiteEdition, site_words
from belot_site.content.library import Library
from belot_site.output.build import pages_of
from belot_site.pages.page import Printer, in_tongue
from belot_spec.languages import TONGUES
from browser_testing import Page, expect
from site_testing import BuiltSite, Few, unusable

LANGUAGE = "fr"
TOLD = ("belote", "bulgarian-belot", "contree", "bela-2")
OF_A_VARIANT = tuple(f"variants/{name}{rest}" for name in TOLD for rest in ("", "/print", "/learn", "/questions"))
SEEN = (
    "",
    *(f"{path}/" for path in OF_A_VARIANT),
    "questions/look-back/",
    "questions/rounding/",
    "glossary/",
    "rules/play.lead/",
    "compare/",
)


@pytest.fixture(scope="module")
def printed(library: Library) -> Mapping[str, str]:
    edition = SiteEdition(library, LANGUAGE)
    pages = pages_of(edition)
    printer = Printer(edition, pages)
    return {page.path: printer.text_of(page) for page in pages}


def test_french_has_its_own_quotes_and_spaces_outside_of_tags() -> None:
    tongue = TONGUES[LANGUAGE]
    assert in_tongue("Tout : oui, “non”\n", tongue) == "Tout\u00a0: oui, «\u00a0non\u00a0»\n"
    assert in_tongue("<b title='a: b'>Tout</b>: oui\n", tongue) == "<b title='a: b'>Tout</b>\u00a0: oui\n"


def test_a_link_leads_to_a_page_in_french_or_is_marked_as_english(printed: Mapping[str, str]) -> None:
    here = {f"{path}/".removesuffix("index/") for path in printed}
    for path, text in printed.items():
        base = f"https://site.invalid/fr/{path}/".removesuffix("index/")
        # What a page loads is in its own language.
        assert re.findall(r'\b(?:src|data-\w+)="[^"]*/en/[^"]*"', text) == [], path
        for tag, link in re.findall(r'(<a\b[^>]*?\shref="([^"#][^"]*)"[^>]*>)', text):
            parts = urlsplit(urljoin(base, link.replace("&amp;", "&")))
            _, language, rest = parts.path.split("/", 2)
            if language == LANGUAGE:
                assert rest in here, (path, link)
            else:
                assert language == "en", (path, link)
                assert 'hreflang="en"' in tag, (path, link)


def test_the_sites_own_words_fill_the_same_places() -> None:
    for key, text in site_words().items():
        for language in text.keys() - {"en"}:
            assert {*re.findall(r"\{\w+\}", text[language])} <= {*re.findall(r"\{\w+\}", text["en"])}, key


def test_the_search_in_french_finds_by_what_players_say(site: BuiltSite) -> None:
    folder = site.folder / LANGUAGE
    index = json.loads((folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    tags = {entry["location"]: entry.get("tags", ()) for entry in index["docs"]}
    assert "dix de der" in tags["questions/last-trick/"]
    assert {"surcoupe", "pisser"} <= {*tags["questions/undertrump/"]}
    assert all((folder / re.split("[?#]", one)[0] / "index.html").is_file() for one in tags)


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_pages_in_three_languages_fit_every_screen(page: Page, site: BuiltSite, few: Few, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    failed: list[str] = []
    page.on("response", lambda found: failed.append(found.url) if found.status >= 400 else None)
    page.on("pageerror", lambda error: failed.append(str(error)))
    looked = [f"{LANGUAGE}/{path}" for path in SEEN]
    looked += [f"{one}/{path}/" for one in TONGUES for path in OF_A_VARIANT]
    for path in few(list(dict.fromkeys((*looked, "nl/variants/bela-4/print/", "nl/house-rules/print/"))), 2):
        page.goto(f"{site.url}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        others = page.locator(".other-language")
        expect(others).to_have_count(2)
        boxes = [one.bounding_box() for one in others.all()]
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), path
    assert failed == []


def test_a_question_is_asked_in_the_words_of_the_game_that_is_played(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}{LANGUAGE}/questions/double-my-partner/")
    expect(page.locator("h1")).to_contain_text("contrer mon partenaire")
    page.locator("#my-variant").select_option("coinche")
    expect(page.locator("h1")).to_contain_text("coincher mon partenaire")


def test_an_address_that_is_not_there_in_french_leads_to_the_same_in_english(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}{LANGUAGE}/cases/#legal-cards")
    page.get_by_role("link", name="La même page en anglais").click()
    page.wait_for_url(f"{site.url}en/cases/#legal-cards")


def test_pages_in_french_can_be_used_by_everybody(page: Page, site: BuiltSite, few: Few) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for path in few(SEEN, 2):
        page.goto(f"{site.url}{LANGUAGE}/{path}")
        assert unusable(page, rules={"target-size": {"enabled": True}}) == [], path
