"""Contract games on the site in a real browser: modes, bids, doubling, the sheet in tens, and the pages about them."""

from dataclasses import replace

import pytest

from belot_conformance.programs.published import load_programs
from belot_site.content.edition import SiteEdition
from belot_site.pages import programs
from belot_site.pages.comparison import SettlingWay, doubled_pages
from belot_site.pages.page import Printer
from belot_spec.profile_name import ProfileName
from browser_testing import Page, expect
from site_testing import NEEDS_PYODIDE, BuiltSite


def opened(page: Page, site: BuiltSite, query: str, language: str = "en") -> Page:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site.url}{language}/try/?{query}")
    return page


@NEEDS_PYODIDE
def test_what_may_be_played_is_asked_at_no_trumps_and_at_all_trumps(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=may&v=bulgarian-belot&t=A&trick=9S&hand=JS.7S.AH")
    expect(page.locator("#try-verdict strong")).to_contain_text("J♠")
    expect(page.locator("#try-verdict strong")).not_to_contain_text("7♠")
    page.locator("input[name=trump][value=N]").check()
    expect(page.locator("#try-verdict strong")).to_contain_text("7♠ J♠")
    page.locator("#try-variant").select_option("belote")
    expect(page.locator("input[name=trump][value=N]")).to_be_hidden()
    expect(page.locator("input[name=trump]:checked")).to_have_value("S")


@NEEDS_PYODIDE
def test_a_doubled_deal_at_all_trumps_is_counted_and_written(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=sheet&v=bulgarian-belot")
    page.locator("#try-add").click()
    page.locator("#try-entry input[data-side='0']").fill("90")
    expect(page.locator("#try-counted")).to_have_text("Say what was trump.")
    expect(page.locator("#try-write")).to_be_disabled()
    page.locator("input[name=contract][value=A]").check()
    page.locator("input[name=raised][value='2']").check()
    page.locator("#try-entry input[name=taker]").first.check()
    page.locator("#try-entry input[data-side='0']").fill("134")
    # Several belotes at all trumps: 20 for the takers, 40 for the others.
    numbers = page.locator("#try-entry input[type=text]")
    numbers.nth(4).fill("1")
    numbers.nth(5).fill("5")
    expect(page.locator("#try-counted")).to_contain_text("0 to 4, not “5”")
    expect(page.locator("#try-write")).to_be_disabled()
    numbers.nth(5).fill("40")
    expect(page.locator("#try-counted table tr").last).to_contain_text("64")
    page.locator("#try-write").click()
    row = page.locator("#try-sheet tbody").first
    expect(row).to_contain_text("all trumps, doubled")
    expect(row.locator("strong")).to_have_text(["0", "64"])


def test_rules_of_contracts_do_not_widen_a_comparison_of_other_games(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/compare/?v=belote,bela-4")
    expect(page.locator("#bidding-rounds")).to_be_visible()
    expect(page.locator("#bidding-raises")).to_be_hidden()
    page.locator("input[name=v][value=bulgarian-belot]").check()
    expect(page.locator("#bidding-raises")).to_be_visible()


@NEEDS_PYODIDE
def test_a_bid_with_a_number_is_counted_doubled_and_written(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=sheet&v=contree")
    page.locator("#try-add").click()
    page.locator("#try-entry input[data-side='0']").fill("110")
    expect(page.locator("#try-counted")).to_have_text("Say what was bid.")
    expect(page.locator("#try-write")).to_be_disabled()
    page.locator("input[name=bid][value='100']").check()
    page.get_by_role("radio", name="hearts").check()
    page.locator("#try-entry input[name=taker]").first.check()
    # Made: the points and the bid for one side, the points for the other.
    expect(page.locator("#try-counted table tr").last).to_contain_text("210")
    page.locator("input[name=raised][value='2']").check()
    expect(page.locator("#try-counted table tr").last).to_contain_text("520")
    page.locator("#try-write").click()
    row = page.locator("#try-sheet tbody").first
    expect(row).to_contain_text("100, hearts, doubled")
    expect(row.locator("strong")).to_have_text(["520", "0"])


@NEEDS_PYODIDE
def test_a_table_says_itself_by_what_a_redouble_multiplies(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=sheet&v=contree&o=redouble-three")
    page.locator("#try-add").click()
    expect(page.locator("input[name=raised][value='3']")).to_be_visible()
    expect(page.locator("input[name=raised][value='4']")).to_have_count(0)


@NEEDS_PYODIDE
def test_a_capot_and_a_belote_in_the_address_of_a_case_stand_in_the_form(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=sheet&v=contree&taker=0&t=H&bid=capot&s0=162.8.0.20&s1=0.0.0.0", "nl")
    expect(page.locator("input[name=bid][value=capot]")).to_be_checked()
    expect(page.locator("#try-counted table tr").last).to_contain_text("520")
    # The prime stands for the cards: nobody says 162 + 88.
    expect(page.locator("#try-counted")).to_contain_text("(alle slagen 250 + 20)")


@NEEDS_PYODIDE
def test_a_deal_is_bid_for_with_a_number_and_played(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=deal&v=contree&seed=5")
    page.locator("#try-number").select_option("capot")
    expect(page.locator("#try-actions .suits button")).to_have_text(
        ["capot spades", "capot hearts", "capot diamonds", "capot clubs"]
    )
    page.locator("#try-actions").get_by_role("button", name="capot hearts").click()
    expect(page.locator("#try-deal-table .contract")).to_have_text("capot hearts took")
    expect(page.locator("#try-hand button.legal").first).to_be_visible()


@NEEDS_PYODIDE
def test_the_line_says_what_stands_and_who_doubled_it(page: Page, site: BuiltSite) -> None:
    opened(page, site, "tab=deal&v=bulgarian-belot&seed=8&done=pass.double")
    told = "The contract so far: all trumps (right), double (you), redouble (right). Your turn: pass."
    expect(page.locator("#try-verdict")).to_have_text(told)
    expect(page.locator(".seat.right .contract")).to_have_text("all trumps")


def test_what_a_doubled_contract_writes_is_told_in_every_way_on_ten_deals(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/variants/contree/doubled/")
    ways = page.locator("ol.ways > li")
    assert ways.count() >= 5
    expect(page.locator("main table tbody tr, article table tbody tr")).to_have_count(10)
    assert page.locator("td.other").count() > 10
    assert page.locator("ol.ways details li").count() > 10


def ways_told(edition: SiteEdition) -> dict[str, SettlingWay]:
    [page] = (one for one in doubled_pages(edition) if one.profile == "contree")
    return {way.profile.partition("+")[2]: way for way in page.context["ways"]}


def test_what_is_declared_in_a_doubled_deal_stands_beside_its_cards(edition: SiteEdition) -> None:
    [page] = (one for one in doubled_pages(edition) if one.profile == "coinche")
    declared = {deal.told.declarations for deal in page.context["deals"]}
    text = Printer(edition).text_of(page)
    assert (0, 0) in declared
    for side in (0, 1):
        (points, *_) = {one[side] for one in declared if one[side] and not one[1 - side]}
        assert edition.word(f"doubled-declared-{side}", n=points) in text


def test_a_way_names_the_documents_and_programs_of_the_ledger_that_say_so_and_no_others(edition: SiteEdition) -> None:
    named = {option: {name for _, name, _ in way.documents} for option, way in ways_told(edition).items()}
    # The table of D2 doubles the sum and the bid, D31 the sum alone; D8 and D14 double the bid alone.
    assert {"D8", "D14"} <= named["double-the-bid-alone"] <= named[""] - {"D2", "D31"}
    assert "D8" in named["redouble-three"]
    assert "D5" not in named["redouble-three"]
    assert not named["defence-keeps-points"]
    by = {option: {one.program.id for one in way.programs} for option, way in ways_told(edition).items()}
    assert {"colver", "contree-kffr"} <= by["double-the-bid-alone"]
    assert "coinche-cli" in by["defence-keeps-points"] - by["double-the-bid-alone"]
    # Each of them writes otherwise than the variant itself.
    assert not by[""]


@pytest.mark.parametrize(("untold", "named"), [
    ((), {"double-the-bid-alone", "redouble-three"}), (("bidding.raises",), {"double-the-bid-alone"}),
])  # fmt: skip
def test_a_way_names_the_programs_whose_answers_tell_that_they_play_by_it(
    edition: SiteEdition, monkeypatch: pytest.MonkeyPatch, untold: tuple[str, ...], named: set[str]
) -> None:
    program = next(one for one in load_programs().values() if one.measured)
    assert program.measured is not None
    base = ProfileName("contree+double-the-bid-alone")
    rules = {} if untold else {"bidding.raises": [2, 3]}
    measured = replace(program.measured, base=base, rules=rules, untold=untold, unexplained=())
    monkeypatch.setattr(programs, "load_programs", lambda: {"a": replace(program, measured=measured)})
    assert {option for option, way in ways_told(edition).items() if way.programs} == named
