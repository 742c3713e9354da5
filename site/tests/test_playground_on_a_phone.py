"""The playground on a phone: nothing too small to tap, nothing wider than the window, nothing behind the fixed hand."""

from playwright.sync_api import Page, expect

from site_testing import NEEDS_PYODIDE, BuiltSite, unusable


@NEEDS_PYODIDE
def test_each_tab_is_usable_by_everybody_on_a_phone_with_everything_opened(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for asked in (
        "tab=may&v=belotten&t=H&trick=AC.8H.KC&hand=JH.7H.10D",
        "tab=best&v=bela-4&t=H&lead=0&h0=AS.KS.QS&h1=7C.8C.9C",
        "tab=sheet&v=belotten&taker=0&s0=95.5.0.0&s1=67.3.0.0",
        "tab=deal&v=bela-4&seed=7&done=",
    ):
        page.goto(f"{site.url}nl/try/?{asked}")
        expect(page.locator("#try-verdict")).not_to_be_empty()
        expect(page.locator("#try-progress")).to_be_hidden()
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert unusable(page, rules={"target-size": {"enabled": True}}) == [], asked
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@NEEDS_PYODIDE
def test_why_a_card_is_refused_is_not_hidden_behind_the_hand(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site.url}en/try/?tab=may&v=bela-4&t=S&trick=AC&hand=8S.9S.10H.7D.8D.9D.JC")
    expect(page.locator("#try-verdict")).to_contain_text("J♣")
    page.locator("#try-hand button.illegal").first.click()
    why, own = page.locator("#try-why").bounding_box(), page.locator(".own").bounding_box()
    assert why is not None
    assert own is not None
    assert why["y"] + why["height"] <= own["y"] + 1
