"""A phone in a pub: everything that settles a quarrel works without a network, and nothing jumps or is cut off."""

import re
from itertools import product

import pytest
from playwright.sync_api import Browser, Page, expect

from belot_site.content.library import Library
from belot_site.playground.bundle import engine_files
from site_testing import NEEDS_PYODIDE, BuiltSite, Few, open_context, wait_until_kept

# How far things on a page have jumped since it came, as browsers reckon it.
JUMPED = """
window.jumped = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.jumped += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_JUMPED = 0.1
NARROW = {"width": 320, "height": 640}


@NEEDS_PYODIDE
def test_after_one_visit_every_question_lesson_and_sheet_is_there_and_a_score_is_kept_without_a_network(
    browser: Browser, site: BuiltSite, library: Library, few: Few
) -> None:
    context = open_context(browser, viewport=NARROW)
    page = context.new_page()
    page.goto(f"{site.url}nl/questions/")
    # The list of what a language keeps is kept last, and the engine after it.
    wait_until_kept(page, "/offline-nl.json", *(f"/playground/{name}" for name in engine_files()))
    context.set_offline(True)
    folder = site.folder / "nl"
    questions = [path.parent.name for path in folder.glob("questions/*/index.html")]
    assert len(questions) > 20
    kept = [f"questions/{question}/" for question in questions]
    kept += [f"variants/{one}/{kind}/" for one in library.variants for kind in ("learn", "print", "questions")]
    for path in (*few(kept, 8), "house-rules/print/?base=belotten&match.target=51"):
        page.goto(f"{site.url}nl/{path}")
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], path
    # What is known beforehand needs no engine.
    page.goto(f"{site.url}nl/try/?v=belotten")
    expect(page.locator("#try-verdict")).to_contain_text(re.compile("Je mag"))
    page.goto(f"{site.url}nl/try/?tab=sheet&v=belotten")
    expect(page.locator("#try-standing")).to_contain_text("Nog niets geschreven")
    entry = page.locator("#try-entry")
    entry.get_by_role("radio", name="wij", exact=True).check()
    entry.get_by_label("kaartpunten, wij").fill("95")
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(page.locator("#try-standing")).to_contain_text("wij 10 – zij 7")
    page.goto(f"{site.url}nl/try/?v=belote&t=H&trick=AS&hand=8S.7H")
    page.locator(".pick[data-card='9S']").click()
    expect(page.locator("#try-verdict")).to_contain_text("Je mag spelen: 8♠ 9♠")
    context.close()


@pytest.mark.parametrize("size", [NARROW, {"width": 1280, "height": 800}], ids=["phone", "desk"])
def test_nothing_jumps_while_a_page_of_tools_loads(page: Page, site: BuiltSite, few: Few, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.add_init_script(JUMPED)
    tools = ("compare/", "try/", "try/?tab=best", "try/?tab=sheet&v=bela-3", "try/?tab=deal&seed=3", "house-rules/")
    for path in few(tools, 3):
        page.goto(f"{site.url}nl/{path}", wait_until="networkidle")
        assert page.evaluate("window.jumped") < MOST_JUMPED, path


@NEEDS_PYODIDE
def test_every_tab_fits_the_narrowest_phone_and_the_tabs_take_one_row(
    page: Page, site: BuiltSite, library: Library, few: Few
) -> None:
    page.set_viewport_size(NARROW)
    every = list(product(("nl", "en"), library.variants, ("may", "best", "sheet", "deal&seed=3")))
    for language, variant, tab in few(every, 6):
        page.goto(f"{site.url}{language}/try/?tab={tab}&v={variant}")
        expect(page.locator("#try-body")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], (variant, tab)
        tops = page.locator("[role=tab]:visible").evaluate_all("tabs => tabs.map(tab => tab.offsetTop)")
        assert len(tops) == 4
        assert len(set(tops)) == 1
