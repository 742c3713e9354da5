"""A phone in a pub: everything that settles a quarrel works without a network, and nothing jumps or is cut off."""

import re

import pytest
from playwright.sync_api import Browser, expect

from belot_site.content.library import Library
from belot_site.playground.bundle import engine_files, pyodide_folder
from site_testing import BuiltSite, open_context, wait_until_kept

# How far things on a page have jumped since it came, as browsers reckon it.
JUMPED = """
window.jumped = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.jumped += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_JUMPED = 0.1
NARROW = {"width": 320, "height": 640}


def test_after_one_visit_every_question_lesson_and_sheet_is_there_without_a_network(
    page: Page, site: BuiltSite, library: Library
) -> None:
    page.set_viewport_size(NARROW)
    page.goto(f"{site.url}nl/variants/belotten/")
    # The list of what a language keeps is kept last.
    wait_until_kept(page, "/offline-nl.json")
    context.set_offline(True)
    folder = site.folder / "nl"
    questions = [path.parent.name for path in folder.glob("questions/*/index.html")]
    assert len(questions) > 20
    for path in (
        *(f"questions/{question}/" for question in questions[::9]),
        *(f"variants/{variant}/{kind}/" for variant in library.variants for kind in ("learn", "print", "questions")),
        "house-rules/print/?base=belotten&match.target=51",
    ):
        page.goto(f"{site.url}nl/{path}")
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], path
    # What is known beforehand needs no engine.
    page.goto(f"{site.url}nl/try/?v=belotten")
    expect(page.locator("#try-verdict")).to_contain_text(re.compile("Je mag"))
    page.goto(f"{site.url}nl/try/?tab=sheet&v=belotten")
    expect(page.locator("#try-standing")).to_contain_text("Nog niets geschreven")


@NEEDS_PYODIDE
def test_after_one_visit_a_score_is_kept_without_a_network(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size(NARROW)
    page.goto(f"{site.url}nl/questions/")
    wait_until_kept(page, "/offline-nl.json", *(f"/playground/{name}" for name in engine_files()))
    context.set_offline(True)
    page.goto(f"{site.url}nl/try/?tab=sheet&v=belotten")
    entry = page.locator("#try-entry")
    entry.get_by_role("radio", name="wij", exact=True).check()
    entry.get_by_label("kaartpunten, wij").fill("95")
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(page.locator("#try-sheet tbody tr")).to_have_count(1)
    expect(page.locator("#try-standing")).to_contain_text("wij 10 – zij 7")


@pytest.mark.parametrize("size", [NARROW, {"width": 1280, "height": 800}], ids=["phone", "desk"])
def test_nothing_jumps_while_a_page_of_tools_loads(page: Page, site: BuiltSite, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.add_init_script(JUMPED)
    for path in (
        "compare/",
        "try/",
        "try/?tab=best",
        "try/?tab=sheet&v=bela-3",
        "try/?tab=deal&seed=3",
        "house-rules/",
    ):
        page.goto(f"{site.url}nl/{path}", wait_until="networkidle")
        assert page.evaluate("window.jumped") < MOST_JUMPED, path


@NEEDS_PYODIDE
@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_tab_fits_the_narrowest_phone_and_the_tabs_take_one_row(
    page: Page, site: BuiltSite, library: Library, language: str
) -> None:
    page.set_viewport_size(NARROW)
    for variant in library.variants:
        for tab in ("may", "best", "sheet", "deal&seed=3"):
            page.goto(f"{site.url}{language}/try/?tab={tab}&v={variant}")
            expect(page.locator("#try-body")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], (variant, tab)
            tops = page.locator("[role=tab]:visible").evaluate_all("tabs => tabs.map(tab => tab.offsetTop)")
            assert len(tops) == 4
            assert len(set(tops)) == 1
