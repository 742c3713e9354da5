"""The site as people use it, in a real browser: what it asks for, the keyboard, screen readers, phones and paper."""

import re
from itertools import product
from typing import Any

import pytest

from belot_site.content.library import Library
from belot_site.playground.bundle import engine_files
from belot_spec.languages import LANGUAGES
from browser_testing import Browser, BrowserContext, Page, ViewportSize, expect
from site_testing import NEEDS_PYODIDE, BuiltSite, Few, open_context, unusable, wait_until_kept

# One of each kind of page; of a kind with many, a small one that has everything.
PAGE_TYPES = (
    "", "variants/", "variants/open-belot/", "variants/open-belot/print/", "variants/open-belot/learn/",
    "variants/bela-3/learn/", "rules/", "rules/play.follow.ruffed/", "questions/", "questions/ruff-for-partner/",
    "variants/open-belot/questions/", "compare/", "try/", "house-rules/",
    "house-rules/print/?base=belotten&match.target=51", "sources/", "sources/fr/", "rulings/", "rulings/bl2/",
    "examples/", "examples/fr/", "glossary/", "programmers/", "programmers/mistakes/", "programmers/protocol/",
    "programmers/operations/", "programmers/counting/", "programmers/library/", "programmers/schemas/",
    "programmers/reports/", "programmers/proof/", "programmers/programs/", "programmers/programs/belote-cli/",
    "cases/", "cases/legal-cards/bela-lead/", "cases/match/bela-both-over/", "cases/replay/recorded-bela-2/",
)  # fmt: skip
IN_ENGLISH = ("sources/", "rulings/", "examples/", "programmers/", "cases/")
PHONE: ViewportSize = {"width": 390, "height": 800}
MOST_READ = (
    "", "variants/", "variants/coinche/", "variants/coinche/learn/", "variants/coinche/questions/", "questions/",
    "questions/ruff-for-partner/", "rules/play.void.opponent-winning/", "compare/", "house-rules/", "glossary/",
)  # fmt: skip
BEFORE_THE_FIRST_TAP = 100_000  # bytes as they are sent
# Leaves so many of the things that are alike and stand beside each other: cases in a list, rows of a table.
LEAVE_FEW = """(few) => {
  for (const parent of document.querySelectorAll("main, main *")) {
    const alike = {};
    for (const child of [...parent.children]) {
      const kind = `${child.tagName} ${child.className}`;
      alike[kind] = (alike[kind] ?? 0) + 1;
      if (alike[kind] > few) child.remove();
    }
  }
}"""
FEW = 8
# In the dark only the colours are others; the rest is seen in the light.
# Axe leaves the size of targets (24 by 24 pixels, or that much room) out unless it is asked for.
IN_THE_DARK: dict[str, Any] = {"runOnly": ["color-contrast", "link-in-text-block"]}
LOOKS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "light": ("nl", 1280, {"rules": {"target-size": {"enabled": True}}}),
    "dark": ("en", 1280, IN_THE_DARK),
    "phone": ("nl", 390, {"rules": {"target-size": {"enabled": True}}}),
}


@pytest.mark.parametrize("look", LOOKS)
def test_each_kind_of_page_is_usable_and_asks_no_others(page: Page, site: BuiltSite, few: Few, look: str) -> None:
    language, width, options = LOOKS[look]
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if look == "dark" else "light")
    wrong: list[object] = []
    page.on("request", lambda one: None if one.url.startswith(site.url) else wrong.append(one.url))
    page.on("response", lambda one: wrong.append((one.status, one.url)) if one.status >= 400 else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for path in few(PAGE_TYPES, 2):
        page.goto(f"{site.url}{'en' if path.startswith(IN_ENGLISH) else language}/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        # In the laboratory each of many that are alike is looked at in the light of a desk.
        if look != "light" or few.is_sample:
            page.evaluate(LEAVE_FEW, FEW)
        assert unusable(page, **options) == [], path
        assert wrong == [], path


def test_before_the_first_tap_a_page_for_players_loads_little_and_nothing_to_search_with(
    window: BrowserContext, site: BuiltSite, few: Few
) -> None:
    for language, path in ("nl", "try/"), *few(list(product(LANGUAGES, MOST_READ)), 3):
        page, sizes = window.new_page(), dict[str, int]()
        note_sizes(page, sizes)
        page.goto(f"{site.url}{language}/{path}", wait_until="networkidle")
        assert 0 < sum(sizes.values()) <= BEFORE_THE_FIRST_TAP, (language, path)
        assert not any("search" in url for url in sizes)


def note_sizes(page: Page, sizes: dict[str, int]) -> None:
    page.on("response", lambda one: sizes.update({one.url: int(one.headers.get("content-length", 0))}))


def test_pages_can_be_read_without_javascript(browser: Browser, site: BuiltSite, library: Library, few: Few) -> None:
    context = open_context(browser, java_script_enabled=False, service_workers="block")
    page = context.new_page()
    for path in few(("", "variants/belotten/", "rules/play.void.opponent-ruffed/", "cases/", "compare/"), 2):
        page.goto(f"{site.url}{'en' if path.startswith(IN_ENGLISH) else 'nl'}/{path}")
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("form.choose")).to_have_count(1 if path in ("compare/", "cases/") else 0)
        if path in ("compare/", "cases/"):
            expect(page.locator("form.choose")).to_be_hidden()
        rows = page.locator("#comparison tbody tr:not(.topic)").count()
        assert rows == (len(library.rules) if path == "compare/" else 0)
    context.close()


def test_the_start_page_leads_to_the_language_of_the_browser(browser: Browser, site: BuiltSite, few: Few) -> None:
    for wanted, found in few((("nl-BE", "nl"), ("fr-FR", "fr"), ("hr-HR", "en")), 2):
        context = open_context(browser, locale=wanted, service_workers="block")
        page = context.new_page()
        page.goto(site.url)
        page.wait_for_url(f"{site.url}{found}/")
        context.close()


def test_the_language_switch_stays_on_the_page_and_the_place(page: Page, site: BuiltSite, few: Few) -> None:
    led = (
        ("nl/rules/play.lead/#sources", "en/rules/play.lead/#sources"),
        ("nl/compare/?v=belote,bela-4&differs=1#play-lead", "en/compare/?v=belote,bela-4&differs=1#play-lead"),
        ("nl/variants/belote/?a=b#scoring", "fr/variants/belote/?a=b#scoring"),
        ("fr/variants/belote/print/", "nl/variants/belote/print/"),
    )
    for start, end in few(led, 2):
        page.goto(f"{site.url}{start}")
        page.locator(f".other-language[lang={end[:2]}]").click()
        page.wait_for_url(f"{site.url}{end}")


def focused(page: Page) -> str:
    found = page.evaluate("(e => e.id || e.name || e.className || e.textContent)(document.activeElement)")
    return str(found)


def tab_to(page: Page, name: str) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in focused(page):
            return
    raise AssertionError(f"the Tab key does not reach {name}")


def test_the_keyboard_alone_reaches_the_text_first_and_shows_where_it_is(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/variants/belote/")
    page.keyboard.press("Tab")
    assert "md-skip" in focused(page)
    width = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(width.removesuffix("px")) >= 2
    page.keyboard.press("Enter")
    assert "#" in page.url


def test_the_keyboard_alone_searches_and_opens_what_it_finds(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/")
    tab_to(page, "query")
    page.keyboard.type("ondertroeven")
    expect(page.locator("a.md-search-result__link").first).to_have_attribute("href", re.compile("questions"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/nl/questions/"))


def test_the_keyboard_narrows_the_comparison_and_it_is_kept(page: Page, site: BuiltSite, library: Library) -> None:
    page.goto(f"{site.url}nl/compare/")
    rows = page.locator("#comparison tbody tr:not(.topic):visible")
    every = len({rule for name in library.middle for rule in library.profile(name).settings})
    at_first = rows.count()
    assert 0 < at_first < every
    tab_to(page, "differs")
    page.keyboard.press("Space")
    assert rows.count() == every
    page.reload()
    assert rows.count() == every
    page.locator("#topic").select_option("play")
    assert page.url.endswith("?topic=play&differs=0")
    assert 0 < rows.count() < every
    page.locator(".other-language[lang=en]").click()
    page.wait_for_url(f"{site.url}en/compare/?topic=play&differs=0")
    expect(page.get_by_label("only what differs")).not_to_be_checked()
    page.go_back()
    page.get_by_role("button", name="Opnieuw beginnen").click()
    expect(rows).to_have_count(at_first)
    assert page.url == f"{site.url}nl/compare/"
    heads = page.locator("#comparison thead th:visible")
    assert heads.count() == 1 + 3
    page.get_by_role("button", name=f"Alle {len(library.variants)}").click()
    expect(heads).to_have_count(1 + len(library.variants))
    assert page.url.endswith("?v=all")
    page.goto(f"{site.url}nl/compare/?v=belote")
    page.locator("input[value=belote]").uncheck()
    expect(page.locator("#shown")).to_contain_text("Geen enkele variant is gekozen")
    expect(page.locator("#comparison")).to_be_hidden()


def test_only_what_differs_means_between_the_chosen_variants(page: Page, site: BuiltSite, library: Library) -> None:
    page.goto(f"{site.url}en/compare/?v=belotten,denderbelot")
    one, other = (library.profile(name).settings for name in ("belotten", "denderbelot"))
    values = ((one.get(rule.id), other.get(rule.id)) for rule in library.rules)
    differing = sum((a and a.value) != (b and b.value) for a, b in values)
    shown = page.locator("#comparison tbody tr:not(.topic):visible")
    fold = page.locator("#comparison tr.topic button")
    folded = int(re.sub(r"\D", "", fold.inner_text()))
    assert shown.count() == differing - folded < differing
    fold.click()
    assert shown.count() == differing
    first = page.locator("#comparison tbody").first.locator("tr:not(.topic)")
    ranks = first.evaluate_all("rows => rows.map((row) => Number(row.dataset.rank))")
    assert ranks == sorted(ranks), "what matters most first, whatever its topic"
    page.locator("#order").select_option("topic")
    assert page.locator("#comparison tr.topic:visible").count() > 1
    assert shown.count() == differing
    assert page.locator("#comparison thead th:visible").count() == 3
    page.goto(f"{site.url}nl/compare/?v=belotten,denderbelot,klaverjas-rotterdams")
    expect(page.locator("#comparison thead th:visible")).to_have_count(4)
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 4


def test_the_notes_below_the_comparison_are_those_of_what_it_shows(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/compare/?v=belotten,denderbelot&topic=penalties")
    shown = page.locator("#comparison sup:visible").all_inner_texts()
    assert shown
    listed = page.locator(".notes > li:visible").evaluate_all("items => items.map(item => item.id)")
    assert {f"option-{number}" for number in shown} == set(listed)


def test_a_phone_shows_every_chosen_variant_below_each_rule(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{site.url}nl/compare/?v=belotten,denderbelot")
    cells = page.locator("#play-void-opponent-ruffed td:visible")
    boxes = [box for box in (cell.bounding_box() for cell in cells.all()) if box is not None]
    assert len(boxes) == 2
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"] - 1


def test_each_distance_is_the_number_of_rules_that_it_leads_to(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/compare/")
    link = page.get_by_role("link", name=re.compile("^Belotten and Bela for two: "))
    far = int(link.inner_text())
    link.click()
    page.wait_for_url(re.compile("v=belotten,bela-2"))
    page.locator("#comparison tr.topic button").click()
    expect(page.locator("#comparison tbody tr:not(.topic):visible")).to_have_count(far)


def test_the_counts_on_pages_are_those_of_what_the_filter_keeps(page: Page, site: BuiltSite, library: Library) -> None:
    language, counts = "nl", library.contrasts
    numbers = [str(len(library.rules)), *map(str, counts.values())]
    page.goto(f"{site.url}{language}/rules/")
    assert [page.locator(f".questions .{kind}").count() for kind in counts] == list(counts.values())
    assert re.findall(r"\d+", page.locator(".lead").inner_text()) == numbers
    page.goto(f"{site.url}{language}/compare/?v=all")
    assert re.findall(r"\d+", page.locator(".lead").inner_text()) == [str(len(library.variants)), *numbers]
    kept = page.locator("#comparison tbody tr:not(.topic):visible").count()
    assert kept == counts["differs"] + counts["partly"]
    shown = [kept, len(library.rules), counts["differs"], counts["partly"]]
    assert re.findall(r"\d+", page.locator("#shown").inner_text()) == list(map(str, shown))


def test_what_is_to_be_typed_is_copied_without_the_prompt(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/programmers/")
    blocks = page.locator(".md-content pre").count()
    buttons = page.locator(".md-content button.copy")
    expect(buttons).to_have_count(blocks)
    buttons.first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[-1] == "belot check reference"
    assert "$" not in copied


def test_a_case_a_rule_and_a_ruling_are_copied_as_markdown(page: Page, site: BuiltSite, library: Library) -> None:
    case = next(case for case in library.cases if case.id == "bc-0072")
    told = {
        library.case_path(case): (
            f"### {case.title.en}",
            "- Trump: hearts",
            "10 of spades (may not)",
            '"cards":["KH","9H"]',
        ),
        "rules/play.void.partner-winning/": ("## Void, partner winning", "](", "FR-R3"),
        "rulings/bl/#bl-r3": ("### BL-R3 ", "- Statements: [BL-169–201]", ")); [Void after"),
    }
    for place, parts in told.items():
        page.goto(f"{site.url}en/{place}")
        page.locator(f"button[data-markdown='{place.partition('#')[2]}']").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.splitlines()[-1] == f"{site.url}en/{place}"
        assert [part for part in parts if part not in copied] == [], copied


def test_the_case_browser_finds_a_case_by_its_number(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/cases/")
    page.locator("#case-words").fill("bc-0072")
    items = page.locator(".behaviours > li:visible")
    expect(items).to_have_count(1)
    expect(page.locator("article h2:visible")).to_have_count(1)
    page.locator("#case-words").fill("bc-9999999")
    expect(page.locator("#case-count a")).to_have_count(1)
    page.locator("#case-words").fill("72")
    expect(items.filter(has=page.locator("a[href^='legal-cards/bela-void/']"))).to_have_count(1)
    expect(items.filter(has_text="bc-0720")).to_have_count(0)
    page.locator("#case-words").fill("bc-0072")
    page.locator("#case-words").press("Enter")
    expect(page.locator("h2#bc-0072")).to_be_visible()
    page.goto(f"{site.url}en/cases/#bc-0072")
    expect(page.locator("h2#bc-0072")).to_be_visible()


def test_a_position_says_in_words_what_the_picture_shows(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/questions/ruff-for-partner/")
    cards = page.locator("svg.card[data-mark]")
    assert cards.count() > 0
    for label in (card.get_attribute("aria-label") for card in cards.all()):
        assert label is not None
        assert re.search(r"(schoppen|harten|ruiten|klaveren).*, mag (niet )?gespeeld worden$", label)
    page.locator(".other-language[lang=en]").click()
    page.wait_for_url("**/en/**")
    assert " of " in (page.locator("svg.card").first.get_attribute("aria-label") or "")


def test_the_sheet_of_each_variant_is_a4_and_what_has_no_room_has_a_head_too(
    page: Page, site: BuiltSite, library: Library, few: Few
) -> None:
    for language, variant in few(list(product(("nl", "en"), library.variants)), 2):
        page.goto(f"{site.url}{language}/variants/{variant}/print/")
        heads = page.locator("main h1")
        assert heads.count() == 1 + page.locator("main .second:has(h2)").count()
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == heads.count(), variant
        width, height = map(float, re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)[0])
        assert (round(width), round(height)) == (595, 842), variant


def test_printing_a_page_cuts_nothing_off(page: Page, site: BuiltSite) -> None:
    a4_in_pixels = 718  # 190 mm at 96 pixels an inch
    page.set_viewport_size({"width": a4_in_pixels, "height": 1000})
    page.emulate_media(media="print")
    for path in ("variants/belotten/", "compare/", "rules/play.void.opponent-ruffed/"):
        page.goto(f"{site.url}nl/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= a4_in_pixels, path
        assert page.evaluate("document.querySelector('table')?.scrollWidth ?? 0") <= a4_in_pixels, path


def test_the_keyboard_alone_opens_the_menu_and_the_search_of_a_phone(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{site.url}nl/rules/")
    page.get_by_role("button", name="Navigatie").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#__drawer")).to_be_checked()
    expect(page.locator(".md-nav--primary").get_by_role("link", name="Woordenlijst")).to_be_in_viewport()
    page.goto(f"{site.url}nl/rules/")
    page.get_by_role("button", name="Zoeken").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("zot")
    expect(page.locator("a.md-search-result__link").first).to_be_visible()


def test_what_i_play_is_asked_once_and_every_page_follows_it(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{site.url}nl/questions/ruff-for-partner/")
    page.get_by_label("Wat speel ik?").select_option("belotten")
    expect(page.locator(".answer-card.mine .for")).to_have_text("Belotten", use_inner_text=True)
    expect(page.locator(".answer-card.mine > .said")).to_have_text(re.compile("^Nee: "))
    page.goto(f"{site.url}nl/variants/bela-4/questions/")
    expect(page.get_by_text("Deze pagina gaat over Bela met vier.")).to_be_visible()
    page.get_by_role("link", name="Belotten", exact=True).first.click()
    page.wait_for_url(f"{site.url}nl/variants/belotten/questions/")
    page.goto(f"{site.url}en/compare/")
    expect(page.get_by_label("What do I play?")).to_have_value("belotten")
    assert page.locator("input[name=v]:checked").count() == 2
    expect(page.locator("input[name=v][value=belotten]")).to_be_checked()
    # Who has not chosen yet is offered it on the page of a variant.
    page.evaluate("localStorage.clear()")
    page.goto(f"{site.url}en/variants/belote/")
    page.get_by_role("button", name="This is what I play").click()
    expect(page.get_by_label("What do I play?")).to_have_value("belote")
    expect(page.get_by_role("button", name="This is what I play")).to_be_hidden()


# How far things on a page have jumped since it came, as browsers reckon it.
JUMPED = """
window.jumped = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.jumped += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_JUMPED = 0.1
NARROW: ViewportSize = {"width": 320, "height": 640}


@NEEDS_PYODIDE
def test_after_one_visit_every_question_lesson_and_sheet_is_there_and_a_score_is_kept_without_a_network(
    browser: Browser, site: BuiltSite, library: Library, few: Few
) -> None:
    context = open_context(browser, viewport=NARROW)
    page = context.new_page()
    page.goto(f"{site.url}nl/questions/")
    page.evaluate("localStorage.setItem('belot-variant', 'belotten')")
    # The engine is kept once it was used; of what a language keeps the list is kept last, and then the rules of one's game.
    page.goto(f"{site.url}nl/try/?v=belote&t=H&trick=AS&hand=8S.7H")
    page.locator(".pick[data-card='9S']").click()
    kept_last = ("/offline-nl.json", "/belotten.json?rules")
    # Then how it stands when it has started is kept, too; without a network it goes on from there.
    wait_until_kept(page, *kept_last, ".started", *(f"/playground/{name}" for name in engine_files()))
    context.set_offline(True)
    folder = site.folder / "nl"
    questions = [path.parent.name for path in folder.glob("questions/*/index.html")]
    assert len(questions) > 20
    kept = [f"questions/{question}/" for question in questions]
    kept += [f"variants/{one}/{kind}/" for one in library.variants for kind in ("learn", "print", "questions")]
    for path in (*few(kept, 4), "house-rules/print/?base=belotten&match.target=51"):
        page.goto(f"{site.url}nl/{path}")
        # A sheet of two pages has a head on either.
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], path
    page.goto(f"{site.url}nl/rules/play.lead/")
    expect(page.locator("h1")).to_contain_text(library.spec.rules["play.lead"].title.nl)
    page.goto(f"{site.url}nl/sources/")
    expect(page.locator("h1")).to_contain_text("Geen netwerk")
    # So does a language that was never visited.
    page.goto(f"{site.url}en/sources/")
    expect(page.locator("h1")).to_contain_text("Geen netwerk")
    # What is known beforehand needs no engine.
    page.goto(f"{site.url}nl/try/?v=belotten")
    expect(page.locator("#try-verdict")).to_contain_text(re.compile("Je mag"))
    page.goto(f"{site.url}nl/try/?tab=sheet&v=belotten")
    expect(page.locator("#try-standing")).to_contain_text("Nog niets geschreven")
    page.locator("#try-add").click()
    entry = page.locator("#try-entry")
    entry.get_by_role("radio", name="wij", exact=True).check()
    entry.get_by_label("kaartpunten, wij").fill("95")
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(page.locator("#try-board .total")).to_have_text(["10", "7"])
    page.goto(f"{site.url}nl/try/?v=belote&t=H&trick=AS&hand=8S.7H")
    page.locator(".pick[data-card='9S']").click()
    expect(page.locator("#try-verdict")).to_contain_text("Je mag spelen: 8♠ 9♠")
    context.close()


# How far the face of each card of the fan stands out of its card, in pixels.
OUT_OF_ITS_CARD = """(cards) => cards.map((card) => {
  const [box, face] = [card, card.querySelector("use")].map((one) => one.getBoundingClientRect());
  return Math.max(box.left - face.left, box.top - face.top, face.right - box.right, face.bottom - box.bottom);
})"""


def test_the_faces_of_the_cards_on_the_home_page_lie_within_their_cards(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/")
    out = page.locator(".fan svg.card").evaluate_all(OUT_OF_ITS_CARD)
    assert out
    assert max(out) <= 0


@pytest.mark.parametrize("size", [NARROW, {"width": 1280, "height": 800}], ids=["phone", "desk"])
def test_nothing_jumps_while_a_page_of_tools_loads(page: Page, site: BuiltSite, few: Few, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.add_init_script(JUMPED)
    tools = ("compare/", "try/", "try/?tab=best", "try/?tab=sheet&v=bela-3", "try/?tab=deal&seed=3", "house-rules/")
    for path in few(tools, 1):
        page.goto(f"{site.url}nl/{path}", wait_until="networkidle")
        assert page.evaluate("window.jumped") < MOST_JUMPED, path


@NEEDS_PYODIDE
def test_every_tab_fits_the_narrowest_phone_in_one_row(page: Page, site: BuiltSite, library: Library, few: Few) -> None:
    page.set_viewport_size(NARROW)
    every = list(product(("nl", "en"), library.variants, ("may", "best", "sheet", "deal&seed=3")))
    for language, variant, tab in few(every, 3):
        page.goto(f"{site.url}{language}/try/?tab={tab}&v={variant}")
        expect(page.locator("#try-body")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], (variant, tab)
        tops = page.locator("[role=tab]:visible").evaluate_all("tabs => tabs.map(tab => tab.offsetTop)")
        # Where no hand declares anything, there is nothing to compare.
        assert len(tops) == 4 - library.reference.ruleset(variant).has_roem
        assert len(set(tops)) == 1
