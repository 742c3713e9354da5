"""A deal that is played on the page: by keys alone, with what one says oneself, with a way back, and on to the sheet."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from site_testing import NEEDS_PYODIDE, BuiltSite, unusable

pytestmark = NEEDS_PYODIDE


def open_deal(page: Page, site: BuiltSite, variant: str, seed: int) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{site.url}nl/try/?tab=deal&v={variant}&seed={seed}")
    expect(page.locator("#try-hand button").first).to_be_visible()


def chosen(page: Page) -> list[str]:
    return [one for one in parse_qs(urlsplit(page.url).query).get("done", [""])[0].split(".") if one]


def choose_first(page: Page) -> None:
    """Bid, speak or play whatever comes first, and wait until it is one's turn again."""
    before = len(chosen(page))
    actions = page.locator("#try-actions button")
    (actions.first if actions.count() else page.locator("#try-hand button.legal").first).click()
    page.wait_for_function(
        "before => new URLSearchParams(location.search).get('done').split('.').length > before", arg=before
    )
    expect(page.locator("#try-verdict")).not_to_be_empty()
    page.wait_for_function("!document.getElementById('try').matches('.waiting')")


def is_over(page: Page) -> bool:
    return page.locator("#try-actions .main").count() > 0


def test_a_deal_is_played_by_keys_alone_and_the_focus_stays_in_the_hand(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "belotten", 11)
    page.locator("#try-actions button").first.focus()
    while not is_over(page):
        before = len(chosen(page))
        assert page.evaluate("document.activeElement.matches('#try-actions button, #try-hand button.legal')")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "before => new URLSearchParams(location.search).get('done').split('.').length > before", arg=before
        )
        page.wait_for_function("!document.getElementById('try').matches('.waiting')")
    assert page.evaluate("document.activeElement.matches('#try-actions .main')")
    page.keyboard.press("Enter")
    expect(page.locator("#try-sheet tbody tr")).to_have_count(1)
    expect(page.locator("#try-standing")).to_contain_text("wij 4 – zij 15")


def test_back_takes_a_card_back(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "bela-4", 7)
    for _ in range(4):
        choose_first(page)
    four = chosen(page)
    hand = page.locator("#try-hand button").count()
    page.go_back()
    expect(page.locator("#try-hand button")).to_have_count(hand + 1)
    assert chosen(page) == four[:-1]
    page.get_by_role("button", name="Terugnemen").click()
    page.wait_for_url(re.compile(r"done=" + re.escape(".".join(four[:-2])) + "$"))
    page.go_forward()
    expect(page.locator("#try-hand button")).to_have_count(hand + 1)


def test_the_table_shows_seats_the_trick_before_as_cards_and_the_points_so_far(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "belotten", 11)
    expect(page.locator(".seat strong")).to_have_text(["links", "maat", "rechts"])
    while not page.locator("#try-deal-before svg").count():
        choose_first(page)
    expect(page.locator("#try-deal-before svg")).to_have_count(4)
    expect(page.locator("#try-deal-before")).to_contain_text("Vorige slag: voor")
    expect(page.locator("#try-deal-trump")).to_contain_text(re.compile(r"wij \d+ \(\d\) – zij \d+ \(\d\)"))
    assert unusable(page, rules={"target-size": {"enabled": True}}) == []


def test_a_hint_comes_only_on_request(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "belotten", 11)
    expect(page.locator("#try-hint-said")).to_be_empty()
    page.get_by_role("button", name="Tip").click()
    expect(page.locator("#try-hint-said")).to_contain_text("Een verstandige speler kiest hier")
    choose_first(page)
    expect(page.locator("#try-hint-said")).to_be_empty()


def test_what_one_does_not_say_does_not_count_and_what_one_says_does(page: Page, site: BuiltSite) -> None:
    # A deal in which the person may announce: the first of those that have one.
    for seed in range(1, 60):
        open_deal(page, site, "bela-4", seed)
        while not (
            is_over(page) or page.get_by_role("button", name="Aankondigen").count() or page.locator(".legal").count()
        ):
            choose_first(page)
        if page.get_by_role("button", name="Aankondigen").count():
            break
    page.get_by_role("button", name="Zwijgen").click()
    expect(page.locator("#try-hand button.legal").first).to_be_visible()
    assert chosen(page)[-1] == "-"
    page.go_back()
    page.get_by_role("button", name="Aankondigen").click()
    expect(page.locator("#try-hand button.legal").first).to_be_visible()
    assert chosen(page)[-1] == "*"
    page.locator("summary", has_text="Wat er gebeurd is").click()
    expect(page.locator("#try-told li", has_text="jij").last).to_contain_text("toon")
