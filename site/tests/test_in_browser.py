"""The site as people use it, in a real browser: what it asks for, the keyboard, screen readers, phones and paper."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Response, expect

from belot_site.content.library import Library
from site_testing import BuiltSite, open_context, unusable

# One of each kind of page; of a kind with many, a small one that has everything.
PAGE_TYPES = (
    "",
    "variants/",
    "variants/open-belot/",
    "variants/open-belot/print/",
    "variants/open-belot/learn/",
    "variants/bela-3/learn/",
    "rules/",
    "rules/play.follow.ruffed/",
    "questions/",
    "questions/ruff-for-partner/",
    "variants/open-belot/questions/",
    "compare/",
    "try/",
    "house-rules/",
    "house-rules/print/?base=belotten&match.target=51",
    "sources/",
    "sources/fr/",
    "rulings/",
    "rulings/bl2/",
    "examples/",
    "examples/fr/",
    "glossary/",
    "programmers/",
    "programmers/mistakes/",
    "programmers/protocol/",
    "programmers/operations/",
    "programmers/counting/",
    "programmers/library/",
    "programmers/schemas/",
    "programmers/reports/",
    "programmers/proof/",
    "programmers/programs/",
    "programmers/programs/belote-cli/",
    "cases/",
    "cases/legal-cards/bela-lead/",
    "cases/match/bela-both-over/",
    "cases/replay/recorded-bela-2/",
)
DESKTOP, PHONE = (1280, 900), (390, 800)
FIRST_PAGE_LIMIT = 200_000
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


@dataclass
class Watched:
    """A browser window of which everything that it asks for is noted."""

    page: Page
    asked: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)

    def request(self, request: Request) -> None:
        self.asked.append(request.url)

    def response(self, response: Response) -> None:
        self.sizes[response.url] = int(response.headers.get("content-length", 0))
        if response.status >= 400:
            self.failed.append(f"{response.status} {response.url}")


def open_window(
    browser: Browser, size: tuple[int, int] = DESKTOP, dark: bool = False, scripts: bool = True
) -> tuple[BrowserContext, Watched]:
    context = open_context(
        browser,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
    )
    watched = Watched(context.new_page())
    watched.page.on("request", watched.request)
    watched.page.on("response", watched.response)
    watched.page.on("pageerror", lambda error: watched.failed.append(str(error)))
    return context, watched


@pytest.fixture
def window(browser: Browser) -> Iterator[Watched]:
    context, watched = open_window(browser)
    yield watched
    context.close()


@pytest.fixture(
    scope="module",
    params=[("nl", DESKTOP, False), ("en", DESKTOP, True), ("nl", PHONE, False)],
    ids=["light", "dark", "phone"],
)
def looking(browser: Browser, request: pytest.FixtureRequest) -> Iterator[tuple[str, tuple[int, int], bool, Watched]]:
    language, size, dark = request.param
    context, watched = open_window(browser, size, dark)
    yield language, size, dark, watched
    context.close()


@pytest.mark.parametrize("path", PAGE_TYPES)
def test_each_kind_of_page_is_usable_by_everybody_and_asks_nothing_of_others(
    looking: tuple[str, tuple[int, int], bool, Watched], site: BuiltSite, path: str
) -> None:
    language, size, dark, watched = looking
    watched.asked.clear()
    watched.failed.clear()
    watched.page.goto(f"{site.url}{language}/{path}")
    width = watched.page.evaluate("document.documentElement.scrollWidth")
    if dark or size == PHONE:
        # Each of many that are alike is looked at in the light of a desk.
        watched.page.evaluate(LEAVE_FEW, FEW)
    # In the dark only the colours are others; the rest is seen in the light.
    # Axe leaves the size of targets (24 by 24 pixels, or that much room) out unless it is asked for.
    rules = (
        {"runOnly": ["color-contrast", "link-in-text-block"]} if dark else {"rules": {"target-size": {"enabled": True}}}
    )
    assert unusable(watched.page, **rules) == []
    assert [url for url in watched.asked if not url.startswith(site.url)] == []
    assert watched.failed == []
    assert width <= size[0], "the page is wider than the window"


def test_the_first_page_is_small_and_leaves_the_search_for_later(window: Watched, site: BuiltSite) -> None:
    for language in ("nl", "en"):
        window.sizes.clear()
        window.page.goto(f"{site.url}{language}/", wait_until="networkidle")
        assert sum(window.sizes.values()) < FIRST_PAGE_LIMIT
        assert not any("search_index" in url for url in window.sizes)


@pytest.mark.parametrize("path", ["", "variants/belotten/", "rules/play.void.opponent-ruffed/", "compare/", "cases/"])
def test_pages_can_be_read_without_javascript(browser: Browser, site: BuiltSite, library: Library, path: str) -> None:
    context, watched = open_window(browser, scripts=False)
    watched.page.goto(f"{site.url}nl/{path}")
    expect(watched.page.locator("h1")).to_be_visible()
    expect(watched.page.locator("form.choose")).to_have_count(1 if path in ("compare/", "cases/") else 0)
    if path in ("compare/", "cases/"):
        expect(watched.page.locator("form.choose")).to_be_hidden()
    assert watched.page.locator("#comparison tbody tr:not(.topic)").count() == (
        len(library.rules) if path == "compare/" else 0
    )
    context.close()


def test_the_start_page_leads_to_the_language_of_the_browser(browser: Browser, site: BuiltSite) -> None:
    for wanted, found in (("nl-BE", "nl"), ("en-GB", "en"), ("fr-FR", "fr"), ("hr-HR", "en")):
        context = open_context(browser, locale=wanted)
        page = context.new_page()
        page.goto(site.url)
        page.wait_for_url(f"{site.url}{found}/")
        context.close()


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("nl/rules/play.lead/#sources", "en/rules/play.lead/#sources"),
        ("en/variants/belote/#scoring", "nl/variants/belote/#scoring"),
        ("nl/compare/?v=belote,bela-4&differs=1#play-lead", "en/compare/?v=belote,bela-4&differs=1#play-lead"),
        ("nl/variants/belote/print/", "en/variants/belote/print/"),
        ("nl/variants/belote/?a=b#scoring", "fr/variants/belote/?a=b#scoring"),
        ("fr/variants/belote/#scoring", "nl/variants/belote/#scoring"),
    ],
)
def test_the_language_switch_stays_on_the_page_and_the_place(
    window: Watched, site: BuiltSite, start: str, end: str
) -> None:
    window.page.goto(f"{site.url}{start}")
    window.page.locator(f".other-language[lang={end[:2]}]").click()
    window.page.wait_for_url(f"{site.url}{end}")


def test_the_language_switch_follows_a_choice_that_was_made_on_the_page(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/compare/")
    window.page.get_by_label("enkel wat verschilt").check()
    window.page.locator(".other-language").click()
    window.page.wait_for_url(f"{site.url}en/compare/?differs=1")
    expect(window.page.get_by_label("only what differs")).to_be_checked()


def focused(page: Page) -> str:
    """Return what has the focus: its id, its class or its text."""
    found = page.evaluate("(e => e.id || e.name || e.className || e.textContent)(document.activeElement)")
    return str(found)


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something with this id, name or class has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in focused(page):
            return
    raise AssertionError(f"the Tab key does not reach {name}")


def test_the_keyboard_alone_reaches_the_text_first_and_shows_where_it_is(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/variants/belote/")
    window.page.keyboard.press("Tab")
    assert "md-skip" in focused(window.page)
    width = window.page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert float(width.removesuffix("px")) >= 2
    window.page.keyboard.press("Enter")
    assert "#" in window.page.url


def test_the_keyboard_alone_switches_the_language(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/rules/play.lead/")
    tab_to(window.page, "other-language")
    window.page.keyboard.press("Enter")
    window.page.wait_for_url(f"{site.url}en/rules/play.lead/")


def test_the_keyboard_alone_turns_the_light_off(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/")
    tab_to(window.page, "__palette")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_the_keyboard_alone_searches_and_opens_what_it_finds(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/")
    tab_to(window.page, "query")
    window.page.keyboard.type("ondertroeven")
    expect(window.page.locator("a.md-search-result__link").first).to_have_attribute("href", re.compile("questions"))
    window.page.keyboard.press("ArrowDown")
    window.page.keyboard.press("Enter")
    window.page.wait_for_url(re.compile("/nl/questions/"))


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_search_finds_the_jack_by_any_name(window: Watched, site: BuiltSite, language: str) -> None:
    window.page.goto(f"{site.url}{language}/")
    query = window.page.locator("[data-md-component=search-query]")
    found = window.page.locator("a.md-search-result__link[href*='#rank-j']")
    for word in ("zot", "boer", "jack", "valet", "decko"):
        query.press_sequentially(word)
        expect(found).to_have_count(1)
        query.fill("")
        expect(found).to_have_count(0)


def test_the_keyboard_alone_narrows_the_comparison_and_the_address_keeps_it(
    window: Watched, site: BuiltSite, library: Library
) -> None:
    page = window.page
    page.goto(f"{site.url}nl/compare/")
    rows = page.locator("#comparison tbody tr:not(.topic):visible")
    at_first = len({rule for name in library.middle for rule in library.profile(name).settings})
    assert rows.count() == at_first
    tab_to(page, "differs")
    page.keyboard.press("Space")
    differing = rows.count()
    assert 0 < differing < at_first
    page.reload()
    assert rows.count() == differing
    page.locator("#topic").select_option("play")
    assert page.url.endswith("?topic=play&differs=1")
    assert 0 < rows.count() < differing
    page.get_by_role("button", name="Opnieuw beginnen").click()
    expect(rows).to_have_count(at_first)
    assert page.url == f"{site.url}nl/compare/"


def test_only_what_differs_means_between_the_chosen_variants(
    window: Watched, site: BuiltSite, library: Library
) -> None:
    window.page.goto(f"{site.url}en/compare/?v=belotten,denderbelot&differs=1")
    one, other = (library.profile(name).settings for name in ("belotten", "denderbelot"))
    values = ((one.get(rule.id), other.get(rule.id)) for rule in library.rules)
    differing = sum((a and a.value) != (b and b.value) for a, b in values)
    assert window.page.locator("#comparison tbody tr:not(.topic):visible").count() == differing
    assert window.page.locator("#comparison thead th:visible").count() == 3


def test_the_comparison_starts_with_three_variants_and_shows_all_of_them_with_one_click(
    window: Watched, site: BuiltSite, library: Library
) -> None:
    page = window.page
    page.goto(f"{site.url}nl/compare/")
    heads = page.locator("#comparison thead th:visible")
    assert heads.count() == 1 + 3
    page.get_by_role("button", name=f"Alle {len(library.variants)}").click()
    expect(heads).to_have_count(1 + len(library.variants))
    assert page.url.endswith("?v=all")


def test_what_the_chosen_variants_play_differently_comes_first(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}en/compare/?v=belotten,denderbelot&topic=play")
    rows = window.page.locator("#comparison tbody tr:not(.topic):visible")
    other = [row.locator("td.other").count() > 0 for row in rows.all()]
    assert any(other)
    assert other == sorted(other, reverse=True)


def test_unticking_every_variant_says_so(window: Watched, site: BuiltSite) -> None:
    page = window.page
    page.goto(f"{site.url}en/compare/?v=belote")
    page.locator("input[value=belote]").uncheck()
    expect(page.locator("#shown")).to_contain_text("No variant is chosen")
    expect(page.locator("#comparison")).to_be_hidden()
    page.reload()
    expect(page.locator("#shown")).to_contain_text("No variant is chosen")


def test_the_notes_below_the_comparison_are_those_of_what_it_shows(window: Watched, site: BuiltSite) -> None:
    page = window.page
    page.goto(f"{site.url}nl/compare/?v=belotten,denderbelot&topic=penalties")
    shown = page.locator("#comparison sup:visible").all_inner_texts()
    assert shown
    listed = page.locator(".notes > li:visible").evaluate_all("items => items.map(item => item.id)")
    assert {f"option-{number}" for number in shown} == set(listed)


def test_a_phone_shows_every_chosen_variant_below_each_rule(browser: Browser, site: BuiltSite) -> None:
    context, watched = open_window(browser, PHONE)
    watched.page.goto(f"{site.url}nl/compare/?v=belotten,denderbelot")
    cells = watched.page.locator("#play-void-opponent-ruffed td:visible")
    boxes = [box for box in (cell.bounding_box() for cell in cells.all()) if box is not None]
    assert len(boxes) == 2
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0] for box in boxes)
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"] - 1
    context.close()


def test_each_distance_is_the_number_of_rules_that_it_leads_to(window: Watched, site: BuiltSite) -> None:
    page = window.page
    page.goto(f"{site.url}en/compare/")
    link = page.get_by_role("link", name=re.compile("^Belotten and Bela for two: "))
    far = int(link.inner_text())
    link.click()
    page.wait_for_url(re.compile("differs=1"))
    expect(page.locator("#comparison tbody tr:not(.topic):visible")).to_have_count(far)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_counts_on_the_pages_are_those_of_what_the_filter_keeps(
    window: Watched, site: BuiltSite, library: Library, language: str
) -> None:
    page, counts = window.page, library.contrasts
    numbers = [str(len(library.rules)), *map(str, counts.values())]
    page.goto(f"{site.url}{language}/rules/")
    assert [page.locator(f".questions .{kind}").count() for kind in counts] == list(counts.values())
    assert re.findall(r"\d+", page.locator(".lead").inner_text()) == numbers
    page.goto(f"{site.url}{language}/compare/?v=all&differs=1")
    assert re.findall(r"\d+", page.locator(".lead").inner_text()) == [str(len(library.variants)), *numbers]
    kept = page.locator("#comparison tbody tr:not(.topic):visible").count()
    assert kept == counts["differs"] + counts["partly"]
    shown = [kept, len(library.rules), counts["differs"], counts["partly"]]
    assert re.findall(r"\d+", page.locator("#shown").inner_text()) == list(map(str, shown))


def test_what_is_to_be_typed_is_copied_without_the_prompt(browser: Browser, site: BuiltSite) -> None:
    context = open_context(browser, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{site.url}en/programmers/")
    blocks = page.locator(".md-content pre").count()
    buttons = page.locator(".md-content button.copy")
    expect(buttons).to_have_count(blocks)
    buttons.first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[-1] == "make check"
    assert "$" not in copied
    context.close()


def test_a_case_a_rule_and_a_ruling_are_copied_as_markdown_for_an_issue(
    browser: Browser, site: BuiltSite, library: Library
) -> None:
    context = open_context(browser, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    case = next(case for case in library.cases if case.id == "bc-0072")
    ruling = library.spec.rulings["BL-R3"]
    told = {
        library.case_path(case): [
            f"### {case.title.en}",
            "- Trump: hearts",
            "- Hand: king of hearts (may), 9 of hearts (may), 10 of spades (may not), 7 of diamonds (may not)",
            '"cards":["KH","9H"]',
        ],
        "rules/play.void.partner-winning/": ["## Void, partner winning", "](", "FR-R3"],
        "rulings/bl/#bl-r3": [
            f"### BL-R3 {ruling.title.en}",
            "- Statements: [BL-169–201]",
            ")); [Void after",
        ],
    }
    for place, parts in told.items():
        page.goto(f"{site.url}en/{place}")
        page.locator(f"button[data-markdown='{place.partition('#')[2]}']").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.splitlines()[-1] == f"{site.url}en/{place}"
        assert [part for part in parts if part not in copied] == [], copied
    context.close()


def test_the_case_browser_finds_a_case_by_its_number(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/cases/")
    window.page.locator("#case-words").fill("bc-0072")
    items = window.page.locator(".behaviours > li:visible")
    expect(items).to_have_count(1)
    items.first.locator("a").click()
    expect(window.page.locator("#bc-0072")).to_be_visible()


def test_a_position_says_in_words_what_the_picture_shows(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}nl/cases/legal-cards/bela-lead/")
    cards = window.page.locator("svg.card[data-mark]")
    assert cards.count() > 0
    for label in (card.get_attribute("aria-label") for card in cards.all()):
        assert label is not None
        assert re.search(r"(schoppen|harten|ruiten|klaveren).*, mag (niet )?gespeeld worden$", label)
    window.page.locator(".other-language").click()
    assert " of " in (window.page.locator("svg.card").first.get_attribute("aria-label") or "")


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_sheet_of_each_variant_is_one_page_of_a4(
    window: Watched, site: BuiltSite, library: Library, language: str
) -> None:
    for variant in library.variants:
        window.page.goto(f"{site.url}{language}/variants/{variant}/print/")
        printed = window.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, variant
        width, height = map(float, re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)[0])
        assert (round(width), round(height)) == (595, 842), variant


def test_printing_a_page_cuts_nothing_off(window: Watched, site: BuiltSite) -> None:
    a4_in_pixels = 718  # 190 mm at 96 pixels an inch
    window.page.set_viewport_size({"width": a4_in_pixels, "height": 1000})
    window.page.emulate_media(media="print")
    for path in ("variants/belotten/", "compare/", "rules/play.void.opponent-ruffed/"):
        window.page.goto(f"{site.url}nl/{path}")
        assert window.page.evaluate("document.documentElement.scrollWidth") <= a4_in_pixels, path
        assert window.page.evaluate("document.querySelector('table')?.scrollWidth ?? 0") <= a4_in_pixels, path


def test_the_keyboard_alone_opens_the_menu_and_the_search_of_a_phone(browser: Browser, site: BuiltSite) -> None:
    context, watched = open_window(browser, PHONE)
    page = watched.page
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
    context.close()


def test_what_i_play_is_asked_once_and_every_page_follows_it(browser: Browser, site: BuiltSite) -> None:
    context, watched = open_window(browser, PHONE)
    page = watched.page
    page.goto(f"{site.url}nl/questions/ruff-for-partner/")
    page.get_by_label("Wat speel ik?").select_option("belotten")
    expect(page.locator("ul.short > li").first).to_contain_text("Belotten")
    expect(page.locator("ul.short > li").first).to_contain_text("jouw spel")
    page.goto(f"{site.url}nl/variants/bela-4/questions/")
    expect(page.get_by_text("Deze pagina gaat over Bela met vier.")).to_be_visible()
    page.get_by_role("link", name="Belotten", exact=True).first.click()
    page.wait_for_url(f"{site.url}nl/variants/belotten/questions/")
    page.goto(f"{site.url}en/compare/")
    expect(page.get_by_label("What do I play?")).to_have_value("belotten")
    assert page.locator("input[name=v]:checked").count() == 3
    expect(page.locator("input[name=v][value=belotten]")).to_be_checked()
    context.close()


def test_the_page_of_a_variant_can_be_made_mine(window: Watched, site: BuiltSite) -> None:
    window.page.goto(f"{site.url}en/variants/belote/")
    window.page.get_by_role("button", name="This is what I play").click()
    expect(window.page.get_by_label("What do I play?")).to_have_value("belote")
    expect(window.page.get_by_role("button", name="This is what I play")).to_be_hidden()
