"""The pages in a partial language: each says what of it is in English, and leads to English where it has no page."""

import json
import re
from collections.abc import Mapping
from functools import reduce
from urllib.parse import urljoin, urlsplit

import pytest
from markupsafe import Markup

from belot_site.content.edition import ASIDE, BACK, SiteEdition, site_words
from belot_site.content.library import Library
from belot_site.output.build import pages_of
from belot_site.pages.lessons import lesson_texts
from belot_site.pages.page import Printer, in_tongue
from belot_site.pages.questions import comes_up, questions
from belot_spec.catalogue import Text
from belot_spec.languages import PARTIAL, TONGUES
from browser_testing import Page, expect
from site_testing import BuiltSite, Few, unusable

LANGUAGE = "fr"
TOLD = TONGUES[LANGUAGE].variants or ()
OF_A_VARIANT = tuple(f"variants/{name}{rest}" for name in TOLD for rest in ("", "/print", "/learn", "/questions"))
WANTED = ("index", *OF_A_VARIANT, "questions/index", "questions/undertrump", "questions/how-often-doubled", "glossary")
SEEN = ("", *(f"{path}/" for path in OF_A_VARIANT), "questions/look-back/", "questions/rounding/", "glossary/")


@pytest.fixture(scope="module")
def printed(library: Library) -> Mapping[str, str]:
    edition = SiteEdition(library, LANGUAGE, marked=True)
    pages = pages_of(edition)
    printer = Printer(edition, pages)
    return {page.path: printer.text_of(page) for page in pages}


@pytest.fixture(scope="module")
def french(library: Library) -> SiteEdition:
    return SiteEdition(library, LANGUAGE, marked=True)


def test_there_is_a_page_for_all_that_a_player_reads(printed: Mapping[str, str], library: Library) -> None:
    assert {*WANTED} <= printed.keys()
    assert {path for path in printed if path.startswith("variants/")} == {"variants/index", *OF_A_VARIANT}
    assert not any(path.startswith(("rules/", "cases/", "programmers/")) for path in printed)


def test_what_a_page_has_in_english_is_marked_and_named_at_its_top(printed: Mapping[str, str]) -> None:
    assert [path for path, text in printed.items() if ASIDE in text or BACK in text] == []
    partly = {path for path, text in printed.items() if 'class="notice in-english"' in text}
    assert partly == {path for path, text in printed.items() if '<span lang="en">' in text}
    assert partly
    for path in partly:
        notice = re.search(r'<p class="notice in-english">.*?</p>', printed[path])
        assert notice is not None
        first = printed[path].index('<span lang="en">')
        assert notice.start() < first
        anchors = re.findall(r'href="#([^"]+)"', notice[0])
        assert all(f'id="{one}"' in printed[path] or f"{{: #{one}" in printed[path] for one in anchors), path


def test_nothing_that_players_read_first_is_in_english(french: SiteEdition, printed: Mapping[str, str]) -> None:
    """But for the name of a variant that is told in other languages alone."""
    named = (one.name for one in french.library.spec.variants.values())
    names = [f'<span lang="en">{name.en}</span>' for name in named if not name.has("fr")]
    for path in WANTED:
        told = reduce(lambda text, name: text.replace(name, ""), names, printed[path])
        assert '<span lang="en">' not in told, path


def test_a_text_that_is_not_there_stands_whole_in_english_with_the_place_named(french: SiteEdition) -> None:
    told = french.text(Text("A trick & a half", "Anderhalve slag"))
    body = f'# Titre {{: #page }}\n\n## Les plis {{: #tricks }}\n\n<p title="{told}">{Markup.escape(told)}</p>\n'
    page = in_tongue(body, french)
    assert '<span lang="en">A trick &amp; a half</span>' in page
    assert 'title="A trick & a half"' in page
    assert '<a href="#tricks">Les plis</a>' in page.partition("## ")[0]
    assert in_tongue("# Titre {: #page }\n\nTout : oui\n", french) == "# Titre {: #page }\n\nTout\u00a0: oui\n"
    assert in_tongue("# Titre\n\n<b>Tout</b>: oui\n", french) == "# Titre\n\n<b>Tout</b>\u00a0: oui\n"


def test_a_link_leads_to_a_page_in_french_or_is_marked_as_english(printed: Mapping[str, str]) -> None:
    here = {f"{path}/".removesuffix("index/") for path in printed}
    for path, text in printed.items():
        base = f"https://site.invalid/fr/{path}/".removesuffix("index/")
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
        for language in {*PARTIAL} & text.keys():
            assert {*re.findall(r"\{\w+\}", text[language])} <= {*re.findall(r"\{\w+\}", text["en"])}, key


def test_every_question_and_every_part_of_a_lesson_is_there(french: SiteEdition, library: Library) -> None:
    asked = [one for one in questions(library) if comes_up(french, one)]
    assert len(asked) > 40
    assert [one.id for one in asked if not one.ask.has(LANGUAGE) or not one.words.get(LANGUAGE)] == []
    assert all("fr" in one["title"] for one in lesson_texts()["parts"].values())
    assert all(
        "fr" in row["all"] and all("fr" in one for one in row.get("each", ())) for row in lesson_texts()["chart"]
    )


def test_only_pages_that_a_language_has_offer_it(site: BuiltSite) -> None:
    for path, is_there in (
        ("variants/belote/print", True),
        ("variants/bulgarian-belot/learn", True),
        ("variants/bela-4/print", False),
        ("rules/play.lead", False),
    ):
        text = (site.folder / "en" / path / "index.html").read_text(encoding="utf-8")
        assert ('hreflang="fr"' in text) == is_there, path


def test_the_search_in_french_finds_by_what_players_say(site: BuiltSite) -> None:
    folder = site.folder / LANGUAGE
    index = json.loads((folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    tags = {entry["location"]: entry.get("tags", ()) for entry in index["docs"]}
    assert "dix de der" in tags["questions/last-trick/"]
    assert {"surcoupe", "pisser"} <= {*tags["questions/undertrump/"]}
    assert all((folder / one.split("#")[0] / "index.html").is_file() for one in tags)


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
        expect(others).to_have_count(1 if path.startswith(("nl/variants/bela-4", "nl/house")) else 2)
        boxes = [one.bounding_box() for one in others.all()]
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), path
    assert failed == []


def test_an_address_that_is_not_there_in_french_leads_to_the_same_in_english(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}{LANGUAGE}/rules/play.lead/#sources")
    page.get_by_role("link", name="La même page en anglais").click()
    page.wait_for_url(f"{site.url}en/rules/play.lead/#sources")


def test_pages_in_french_can_be_used_by_everybody(page: Page, site: BuiltSite, few: Few) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for path in few(SEEN, 2):
        page.goto(f"{site.url}{LANGUAGE}/{path}")
        assert unusable(page, rules={"target-size": {"enabled": True}}) == [], path
