"""The score sheet as people at a table keep it, and a deal played on the page, by keys alone and on a phone."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from belot_reference.operations import answer
from belot_site.content.library import Library
from browser_testing import BrowserContext, Page, expect
from site_testing import NEEDS_PYODIDE, BuiltSite, Few, engine, unusable, without_engine

pytestmark = NEEDS_PYODIDE
WE, THEY = 0, 1
# Who took, the card points of one side, declarations, belote, and whether the other side has no trick.
FIVE: tuple[dict[str, Any], ...] = (
    {"taker": WE, "cards": (WE, 95)},
    {"taker": THEY, "cards": (WE, 29), "declarations": (THEY, 50)},
    {"taker": WE, "cards": (THEY, 65), "declarations": (WE, 20), "belote": WE},
    {"taker": THEY, "trickless": WE},
    {"taker": WE, "cards": (WE, 60), "belote": THEY},
)
SIDES = ("wij", "zij")


def asked(deal: dict[str, Any]) -> dict[str, Any]:
    side, points = deal.get("cards", (1 - deal.get("trickless", 0), 162))
    cards = [points, 162 - points] if side == WE else [162 - points, points]
    tricks = [4, 4] if "trickless" not in deal else [8 * (deal["trickless"] != own) for own in (WE, THEY)]
    sides: list[dict[str, int]] = [{"cards": cards[own], "tricks": tricks[own]} for own in (WE, THEY)]
    if "declarations" in deal:
        sides[deal["declarations"][0]]["declarations"] = deal["declarations"][1]
    if "belote" in deal:
        sides[deal["belote"]]["belote"] = 20
    return {"scored": {"taker": deal["taker"], "sides": sides}}


def fill_in(page: Page, deal: dict[str, Any]) -> int:
    taps = 2
    entry = page.locator("#try-entry")
    if not page.locator("#try-panel").is_visible():
        page.locator("#try-add").click()
    entry.get_by_role("radio", name=SIDES[deal["taker"]], exact=True).check()
    for kind, row in (("cards", "kaartpunten"), ("declarations", "toon")):
        if kind in deal:
            side, points = deal[kind]
            entry.get_by_label(f"{row}, {SIDES[side]}").fill(str(points))
            taps += 1
    for kind, row in (("trickless", "geen slag"), ("belote", "belot")):
        if kind in deal:
            entry.get_by_label(f"{row}, {SIDES[deal[kind]]}").check()
            taps += 1
    return taps


def write(page: Page, deal: dict[str, Any]) -> int:
    rows = page.locator("#try-sheet tbody").count()
    taps = fill_in(page, deal)
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(rows + 1)
    return taps + 1


def totals(page: Page) -> list[list[int]]:
    rows = page.locator("#try-sheet tbody").all()
    return [[int(cell) for cell in row.locator("strong").all_inner_texts()] for row in rows]


@pytest.fixture
def opened(window: BrowserContext, site: BuiltSite) -> Callable[..., Page]:
    """Return a function that opens the score sheet of a variant in one more tab of the same window."""

    def open_sheet(variant: str = "belotten", *, has_engine: bool = True) -> Page:
        page = window.new_page()
        page.set_viewport_size({"width": 360, "height": 740})
        if not has_engine:
            without_engine(page)
        page.goto(f"{site.url}nl/try/?tab=sheet&v={variant}")
        expect(page.locator("#try-entry")).not_to_be_empty()
        return page

    return open_sheet


def test_five_deals_kept_by_taps_add_up(opened: Callable[..., Page], library: Library) -> None:
    page = opened()
    taps = [write(page, deal) for deal in FIVE]
    assert max(taps) <= 6
    rules = library.reference.ruleset("belotten")
    wanted = answer("match", rules, {"dealer": 3, "deals": [asked(deal) for deal in FIVE]}).result
    assert wanted is not None
    assert totals(page) == [list(line["totals"]) for line in wanted["deals"]]
    row, foot = page.locator("tr.deal").last.bounding_box(), page.locator(".add").bounding_box()
    assert row
    assert foot
    assert row["y"] + row["height"] <= foot["y"] + 1
    page.reload()
    expect(page.locator("#try-sheet tbody")).to_have_count(len(FIVE))
    assert totals(page) == [list(line["totals"]) for line in wanted["deals"]]
    assert unusable(page, rules={"target-size": {"enabled": True}}) == []


def test_after_writing_nothing_of_the_deal_stays_in_the_form(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator("#try-add").click()
    entry = page.locator("#try-entry")
    entry.get_by_label("geen slag, zij").check()
    expect(entry.get_by_label("toon, maar geklopt, zij")).to_have_count(0)
    entry.get_by_label("geen slag, zij").uncheck()
    # Belote of one side takes it from the other.
    entry.get_by_label("belot, wij").check()
    entry.get_by_label("belot, zij").check()
    expect(entry.get_by_label("belot, wij")).not_to_be_checked()
    entry.get_by_label("belot, zij").uncheck()
    write(page, FIVE[2])
    write(page, FIVE[3])
    assert entry.locator("input[type=text]").evaluate_all("inputs => inputs.map(one => one.value)") == [""] * 4
    assert entry.locator("input[type=checkbox]:checked, input[name=taker]:checked").count() == 0
    expect(page.locator("#try-write")).to_be_disabled()
    # What was written wrong before: 29 to 65 after such deals.
    fill_in(page, {"taker": THEY, "cards": (WE, 97)})
    expect(page.locator("#try-counted table tbody tr").last).to_have_text("op papier160")
    page.locator("#try-counted summary").click()
    expect(page.locator("#try-keys")).to_be_in_viewport()


IMPOSSIBLE: tuple[tuple[dict[str, str], str], ...] = (
    ({"kaartpunten, wij": "163", "kaartpunten, zij": "162"}, "samen 325 kaartpunten; in een spel zitten er 162"),
    ({"kaartpunten, wij": "999999999"}, "kaartpunten"),
    ({"kaartpunten, wij": "1e3"}, "“1e3” is geen aantal punten"),
    ({"kaartpunten, wij": "-5"}, "“-5” is geen aantal punten"),
    ({"kaartpunten, wij": "100", "toon, wij": "33"}, "33 kan niet uit toon komen"),
    ({"kaartpunten, wij": "100", "toon, wij": "20", "toon, zij": "20"}, "Die toon telt niet samen: wij, zij"),
    ({"kaartpunten, wij": "100", "kaartpunten, zij": "62", "geen slag, zij": ""}, "Geen slag en toch kaartpunten: zij"),
    ({"geen slag, wij": "", "geen slag, zij": ""}, "Iemand moet toch een slag gehaald hebben"),
)  # fmt: skip


def test_a_deal_that_cannot_be_gets_a_sentence_and_a_button_that_does_not_work(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator("#try-add").click()
    entry = page.locator("#try-entry")
    entry.locator("input[name=taker]").first.check()
    for typed, said in IMPOSSIBLE:
        for label, text in typed.items():
            field = entry.get_by_label(label, exact=True)
            if text:
                field.fill(text)
            else:
                field.check()
        expect(page.locator("#try-counted")).to_contain_text(said)
        expect(page.locator("#try-write")).to_be_disabled()
        page.keyboard.press("Enter")
        expect(page.locator("#try-sheet tbody")).to_have_count(0)
        for label, text in typed.items():
            field = entry.get_by_label(label, exact=True)
            if text:
                field.fill("")
            else:
                field.uncheck()


def test_a_new_sheet_is_asked_for_twice_and_can_be_taken_back(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    page.get_by_role("button", name="Nieuw blad").click()
    page.get_by_role("button", name="Nee").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(1)
    page.get_by_role("button", name="Nieuw blad").first.click()
    page.get_by_role("button", name="Ja, een nieuw blad").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(0)
    page.reload()
    page.get_by_role("button", name="Ongedaan maken").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(1)


def test_two_tabs_keep_all_rows_and_say_what_the_other_changed(opened: Callable[..., Page]) -> None:
    one, other = opened(), opened()
    write(one, FIVE[0])
    expect(other.locator("#try-sheet tbody")).to_have_count(1)
    write(other, FIVE[1])
    expect(one.locator("#try-sheet tbody")).to_have_count(2)
    assert totals(one) == totals(other)
    one.get_by_role("button", name="Spel 1: meer").click()
    one.get_by_role("button", name="Spel 1 verbeteren").click()
    other.get_by_role("button", name="Spel 1: meer").click()
    other.get_by_role("button", name="Spel 1 schrappen").click()
    one.get_by_role("button", name="Verbetering bewaren").click()
    expect(one.locator("#try-counted")).to_contain_text("in een ander venster geschrapt")
    one.get_by_role("button", name="Op het blad zetten").click()
    expect(other.locator("#try-sheet tbody")).to_have_count(2)


def test_two_matches_have_a_sheet_each_and_both_come_back(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    page.get_by_role("button", name="Nog een partij ernaast").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(0)
    write(page, FIVE[1])
    write(page, FIVE[2])
    page.goto(page.url.replace("&m=2", ""))
    expect(page.locator("#try-sheet tbody")).to_have_count(2)
    page.get_by_label("Partij", exact=True).select_option("1")
    expect(page.locator("#try-sheet tbody")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Stand van alle partijen").click()
    rows = saved.value.path().read_text("utf-8-sig").splitlines()
    assert [row.split(";")[2] for row in rows] == ['"spellen"', '"1"', '"2"']
    page.get_by_role("button", name="Nieuw blad").click()
    page.get_by_role("button", name="van de lijst").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(2)
    expect(page.locator("#try-match")).to_be_hidden()


def test_a_running_match_is_not_counted_by_other_rules_without_a_question(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    page.goto(f"{page.url}&name=De+Zwaan&match.target=51")
    expect(page.locator("#try-others")).to_contain_text("De Zwaan")
    expect(page.locator("#try-standing")).to_contain_text("100")
    page.get_by_role("button", name="Nieuwe partij met deze regels").click()
    expect(page.locator("h1").first).to_contain_text("Belotten: De Zwaan")
    expect(page.locator("#try-board")).to_contain_text("nog 51")
    page.get_by_label("Partij", exact=True).select_option("1")
    expect(page.locator("#try-standing")).to_contain_text("100")
    expect(page.locator("#try-others")).to_be_hidden()


@pytest.mark.parametrize(("methods", "said"), [(["setItem"], "is vol"), (["getItem", "setItem"], "mag niets bewaren")])
def test_a_sheet_that_cannot_be_kept_says_so_and_loses_nothing(
    opened: Callable[..., Page], methods: list[str], said: str
) -> None:
    page = opened()
    write(page, FIVE[0])
    refuse = "(name) => { Storage.prototype[name] = () => { throw new DOMException('', 'Error'); }; }"
    for method in methods:
        page.evaluate(refuse, method)
    write(page, FIVE[1])
    expect(page.locator("#try-unkept")).to_contain_text(said)
    write(page, FIVE[2])
    expect(page.locator("#try-sheet tbody")).to_have_count(3)


def test_ticking_an_option_keeps_the_rows_and_the_focus(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    page.locator("#try-body summary", has_text="Opties").first.click()
    for box in page.locator("#try-options input").all():
        box.check()
        expect(page.locator("#try-sheet tbody")).to_have_count(1)
        expect(page.locator("#try-standing")).not_to_have_text("")
        assert page.evaluate("document.activeElement.matches('#try-options input')")
        box.uncheck()


def test_no_deal_is_written_after_the_win(opened: Callable[..., Page]) -> None:
    page = opened()
    while "gewonnen" not in page.locator("#try-standing").inner_text():
        write(page, {"taker": WE, "trickless": THEY})
    rows = page.locator("#try-sheet tbody").count()
    expect(page.locator("#try-add")).to_be_disabled()
    page.reload()
    expect(page.locator("#try-sheet tbody")).to_have_count(rows)
    expect(page.locator("#try-standing")).to_contain_text("De partij is gewonnen: wij")


def test_a_deal_is_corrected_struck_and_brought_back(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    write(page, FIVE[1])
    page.get_by_role("button", name="Spel 1: meer").click()
    page.get_by_role("button", name="Spel 1 verbeteren").click()
    expect(page.get_by_label("kaartpunten, wij")).to_have_value("95")
    page.get_by_label("kaartpunten, wij").fill("100")
    expect(page.get_by_label("kaartpunten, zij")).to_have_value("")
    expect(page.get_by_label("kaartpunten, zij")).to_have_attribute("placeholder", "62")
    page.get_by_role("button", name="Verbetering bewaren").click()
    expect(page.locator("#try-sheet-said")).to_have_text(
        "Spel 1 is verbeterd. De vrager haalt het. Geteld: wij 100, zij 62. Op het blad: wij 10 – zij 6."
    )
    assert totals(page)[0] == [10, 6]
    page.get_by_role("button", name="Spel 2: meer").click()
    page.get_by_role("button", name="Spel 2 schrappen").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(1)
    page.get_by_role("button", name="Ongedaan maken").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(2)


def test_held_points_penalties_and_the_next_dealer_stand_on_the_sheet(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator("#try-who summary").click()
    page.get_by_label("Wie deelde eerst?").select_option("jij")
    write(page, {"taker": WE, "cards": (WE, 81)})
    rows = page.locator("#try-sheet tbody")
    expect(rows.first).to_contain_text("8 hangend")
    write(page, FIVE[0])
    expect(rows.nth(1)).to_contain_text("10 + 8")
    expect(page.locator("#try-sheet-said")).to_contain_text("Op het blad: wij 10 + 8 – zij 7.")
    expect(rows.first.locator(".took.tied")).to_be_visible()
    page.locator("#try-add").click()
    page.locator("#try-entry summary").click()
    page.get_by_label("een fout").check()
    page.locator("#try-entry").get_by_role("radio", name="zij").check()
    # Twenty-five points, whatever was declared.
    expect(page.locator("#try-entry input[type=text]")).to_have_count(0)
    expect(page.locator("#try-counted")).to_have_text(re.compile(r"Op het blad: wij 0 – zij .25\."))
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(rows.nth(2)).to_contain_text("een fout: zij")
    expect(page.locator("#try-standing")).to_contain_text("Nu deelt: rechts")
    page.locator("#try-add").click()
    page.locator("#try-entry summary").click()
    page.get_by_label("niemand vroeg").check()
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(rows.nth(3)).to_contain_text("niemand vroeg")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Rekenblad").click()
    head, *lines = saved.value.path().read_text("utf-8-sig").splitlines()
    assert '"bod"' not in head
    # Own points and held ones are added up each by themselves.
    assert '"10";"8";"18";"7";"";"' in lines[1]


def test_a_contract_without_declarations_asks_for_none_and_is_rounded_before_it_is_doubled(
    opened: Callable[..., Page],
) -> None:
    page = opened("bulgarian-belot")
    page.locator("#try-add").click()
    entry = page.locator("#try-entry")
    for name in ("wij", "alles troef", "met recontra"):
        entry.get_by_role("radio", name=name, exact=True).check()
    declarations = entry.get_by_label("toon, wij", exact=True)
    expect(declarations).to_be_visible()
    expect(entry).to_contain_text("Samen zijn er 258 kaartpunten")
    entry.get_by_label("kaartpunten, wij").fill("134")
    figures = page.locator("#try-counted table tr td:nth-child(2)")
    # 258 card points are 26 written points, four times.
    expect(page.locator("#try-counted table tr").last).to_contain_text("104")
    assert figures.all_text_contents()[-4:] == ["258", "26", "× 4", "104"]
    entry.get_by_role("radio", name="zonder troef").check()
    expect(declarations).to_be_hidden()
    expect(entry.get_by_label("belot, wij")).to_be_hidden()
    expect(entry).to_contain_text("samen 130")


def test_beaten_declarations_are_asked_where_they_count(opened: Callable[..., Page], library: Library) -> None:
    page = opened("bela-4")
    fill_in(page, {"taker": WE, "cards": (WE, 90)})
    beaten = page.locator("#try-entry").get_by_label("toon, maar geklopt, zij")
    expect(beaten).to_be_hidden()
    page.locator("#try-entry").get_by_label("kaartpunten, wij").fill("")
    page.locator("#try-entry").get_by_label("geen slag, zij").check()
    page.locator("#try-entry").get_by_label("toon, wij", exact=True).fill("50")
    beaten.fill("20")
    deal = {
        "taker": WE,
        "sides": [{"cards": 162, "tricks": 8, "declarations": 50}, {"cards": 0, "tricks": 0, "outranked": 20}],
    }
    wanted = answer("score-deal", library.reference.ruleset("bela-4"), deal).result
    assert wanted is not None
    assert wanted["written"][WE] == "322"
    expect(page.locator("#try-counted table tr").last).to_contain_text("322")
    page.reload()
    expect(beaten).to_have_value("20")
    page.get_by_role("button", name="Op het blad zetten").click()
    expect(page.locator("#try-sheet tbody")).to_have_count(1)
    assert totals(page) == [[322, 0]]
    page.get_by_role("button", name="Spel 1: meer").click()
    page.get_by_role("button", name="Spel 1 verbeteren").click()
    expect(beaten).to_have_value("20")


def test_without_the_engine_the_sheet_is_there_and_a_deal_says_why_not(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    write(page, FIVE[1])
    wanted = totals(page)
    again = opened(has_engine=False)
    expect(again.locator("#try-sheet tbody")).to_have_count(2)
    assert totals(again) == wanted
    fill_in(again, FIVE[0])
    expect(again.locator("#try-counted")).not_to_contain_text("Even rekenen")
    expect(again.locator("#try-panel .progress")).to_contain_text("Het ophalen is mislukt")


def test_the_sheet_says_when_it_was_kept_and_by_whom(opened: Callable[..., Page]) -> None:
    page = opened()
    write(page, FIVE[0])
    page.emulate_media(media="print")
    # Until names are filled in there is room to write them.
    expect(page.locator("#try-sheet-head .line:visible")).to_have_count(3)
    shown = page.locator("body").inner_text()
    assert [part for part in ("Op het blad zetten", "Varianten") if part in shown] == []
    assert [part for part in ("10", "Belotten") if part not in shown] == []
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    assert re.search(r"Datum: \d{1,2} [a-z]+ \d{4}", page.locator("#try-sheet-head").inner_text())
    page.emulate_media(media="null")
    page.locator("#try-who summary").click()
    page.get_by_label("Datum", exact=True).fill("2026-11-28")
    names = page.locator("#try-names input")
    for seat, name in enumerate(("An", "Bert", "Carla", "Dirk")):
        names.nth(seat).fill(name)
    names.last.blur()
    page.get_by_label("Wie deelde eerst?").select_option("Dirk")
    expect(page.locator("#try-sheet tbody")).to_contain_text("Dirk")
    expect(page.locator("#try-board .name")).to_have_text(["An & Carla", "Bert & Dirk"])
    page.reload()
    expect(page.locator("#try-standing")).to_contain_text("Nu deelt: An")
    page.emulate_media(media="print")
    told = page.locator("#try-sheet-head").inner_text()
    for part in ("Datum: 28 november 2026", "wij: An, Carla", "zij: Bert, Dirk"):
        assert part in told
    page.emulate_media(media="null")
    page.get_by_role("button", name="Tekst", exact=True).click()
    expect(page.locator("#try-sheet-said")).to_contain_text("Gekopieerd")
    sent = page.evaluate("navigator.clipboard.readText()")
    assert "wij: An, Carla · zij: Bert, Dirk" in sent
    assert "1. An & Carla 10 (10), Bert & Dirk 7 (7)" in sent
    with page.expect_download() as saved:
        page.get_by_role("button", name="Rekenblad").click()
    table = saved.value.path().read_text("utf-8-sig").splitlines()
    assert table[1] == '"1";"Dirk";"An & Carla";"gehaald";"10";"10";"7";"7"'
    with page.expect_download() as saved:
        page.get_by_role("button", name="Afbeelding").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    # Another match of the same players has another date.
    page.get_by_role("button", name="Nieuw blad").click()
    page.get_by_role("button", name="Ja, een nieuw blad").click()
    expect(page.get_by_label("Datum", exact=True)).to_have_value("")
    expect(names.first).to_have_value("An")
    page.get_by_role("button", name="Ongedaan maken").click()
    expect(page.get_by_label("Datum", exact=True)).to_have_value("2026-11-28")


@pytest.mark.parametrize("variant", ["belotten", "bela-3"])
def test_an_empty_sheet_is_printed_to_keep_on_paper(opened: Callable[..., Page], variant: str) -> None:
    page = opened(variant)
    expect(page.get_by_role("button", name="Afdrukken", exact=True)).to_be_enabled()
    page.emulate_media(media="print")
    expect(page.locator("#try-blank tbody tr:visible")).to_have_count(18)
    expect(page.locator("#try-standing")).to_be_hidden()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    page.emulate_media(media="null")
    expect(page.locator("#try-blank")).to_be_hidden()
    # Of several tables each has its own, and its number.
    page.evaluate("window.print = () => {}")
    page.get_by_label("Aantal tafels").select_option("3")
    page.get_by_role("button", name="Blanco bladen afdrukken").click()
    expect(page.locator("#try-blanks .head").last).to_contain_text("Tafel: 3")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 3


def test_the_sheet_says_of_every_case_of_a_match_what_the_engine_does(rules: dict[str, Any], library: Library) -> None:
    tried = 0
    for case in library.cases:
        if case.operation != "match" or case.expected[0].kind != "result" or {"totals", "held"} & case.input.keys():
            continue
        table = {"base": case.profile, "changes": {}}
        question = {"dealer": case.input["dealer"], "deals": case.input["deals"]}
        found, wanted = engine("sheet", question, "own", table=table), case.expected[0].fields
        lines = [row for row in found["rows"] if "totals" in row]
        assert [row["dealer"] for row in lines] == [line["dealer"] for line in wanted["deals"]], case.id
        assert {key: found[key] for key in ("winner", "next_dealer")}.items() >= {
            key: wanted[key] for key in ("winner", "next_dealer") if key in wanted
        }.items(), case.id
        tried += 1
    assert tried > 20


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
    wait_after(page, before)
    expect(page.locator("#try-verdict")).not_to_be_empty()


def wait_after(page: Page, before: int) -> None:
    page.wait_for_function("n => new URLSearchParams(location.search).get('done').split('.').length > n", arg=before)
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
        wait_after(page, before)
    assert page.evaluate("document.activeElement.matches('#try-actions .main')")
    at_the_end = page.url
    page.keyboard.press("Enter")
    expect(page.locator("#try-sheet tbody")).to_have_count(1)
    expect(page.locator("#try-board .total")).to_have_text(["4", "14"])
    page.goto(at_the_end)
    page.locator("#try-actions .main").click()
    expect(page.locator("#try-actions")).to_contain_text("Dit oefenspel op het blad “Belotten” zetten, als spel 2?")
    page.get_by_role("button", name="Nee").click()
    expect(page.locator("#try-actions .main")).to_be_visible()
    # A match that is counted by other rules is named, and gets no deal that was played without them.
    page.evaluate("""() => {
        const other = {options: [], changes: {"match.target": 51}, name: "De Zwaan"};
        const kept = JSON.parse(localStorage["belot-sheet belotten"]);
        localStorage.setItem("belot-sheet belotten", JSON.stringify({...kept, by: other}));
    }""")
    page.goto(at_the_end)
    page.locator("#try-actions .main").click()
    expect(page.locator("#try-actions")).to_contain_text("Het blad “Belotten: De Zwaan” telt met andere regels")
    page.get_by_role("button", name="Nieuwe partij met deze regels").click()
    expect(page.locator("#try-match option")).to_have_count(2)
    expect(page.locator("#try-sheet tbody")).to_have_count(1)


def test_back_takes_a_card_back(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "bela-4", 7)
    for _ in range(4):
        choose_first(page)
    four = chosen(page)
    hand = page.locator("#try-hand button").count()
    page.go_back()
    expect(page.locator("#try-hand button")).to_have_count(hand + 1)
    assert chosen(page) == four[:-1]
    page.locator("#try-take-back").click()
    page.wait_for_url(re.compile(r"done=" + re.escape(".".join(four[:-2])) + "$"))
    page.go_forward()
    expect(page.locator("#try-hand button")).to_have_count(hand + 1)


def test_the_table_shows_seats_a_hint_on_request_the_trick_before_and_the_points(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "belotten", 11)
    expect(page.locator(".seat strong")).to_have_text(["jij", "links", "maat", "rechts"])
    page.get_by_role("button", name="Tip").click()
    expect(page.locator("#try-verdict")).to_contain_text("Een verstandige speler kiest hier")
    choose_first(page)
    expect(page.locator("#try-verdict")).not_to_contain_text("verstandige")
    while not page.locator("#try-deal-before svg").count():
        choose_first(page)
    expect(page.locator("#try-deal-before svg")).to_have_count(4)
    expect(page.locator("#try-deal-before")).to_contain_text("Vorige slag: voor")
    expect(page.locator("#try-deal-trump")).to_contain_text(re.compile(r"wij \d+ \(\d\) – zij \d+ \(\d\)"))
    assert unusable(page, rules={"target-size": {"enabled": True}}) == []


def test_the_rule_is_shown_after_a_mistake_and_the_hand_stays_on_one_line(page: Page, site: BuiltSite) -> None:
    open_deal(page, site, "belotten", 11)
    page.set_viewport_size({"width": 320, "height": 640})
    while not page.locator("#try-hand .illegal").count():
        choose_first(page)
    assert page.locator("#try-verdict a, #try-hand use[href^='#mark']").count() == 0
    top = page.locator("#try-hand button").evaluate_all("all => new Set(all.map((one) => one.offsetTop)).size")
    assert top == 1
    page.locator("#try-hand .illegal").first.click()
    expect(page.locator("#try-verdict")).to_contain_text("mag niet.")
    expect(page.locator("#try-verdict a").first).to_be_attached()
    assert page.locator("#try-hand use[href^='#mark']").count() == page.locator("#try-hand button").count()


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


def test_belote_is_asked_for_and_a_full_trick_lies_until_a_tap(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/try/?tab=deal&v=belotten&seed=20&done=pass")
    king = page.locator("#try-hand [data-ask=KC]")
    king.click()
    expect(page.locator("#try-verdict")).to_contain_text("Belot zeggen bij klaverenheer?")
    page.evaluate("delete document.documentElement.dataset.pause")
    page.get_by_role("button", name="Zwijgen").click()
    expect(page.locator(".lies svg")).to_have_count(4)
    expect(page.locator("#try-deal-table")).to_have_css("display", "grid")
    expect(page.locator(".lies .wins")).to_have_count(1)
    expect(page.locator("#try-hand .legal")).to_have_count(0)
    page.locator("#try-deal-table").click()
    expect(page.locator("#try-verdict")).to_have_text(re.compile("^Belot niet gezegd: die telt niet. Het is aan jou"))
    assert chosen(page)[-1] == "KC"


def test_each_tab_is_usable_on_a_phone_with_everything_opened(page: Page, site: BuiltSite, few: Few) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    tabs = (
        "tab=may&v=belotten&t=H&trick=AC.8H.KC&hand=JH.7H.10D",
        "tab=best&v=bela-4&t=H&lead=0&h0=AS.KS.QS&h1=7C.8C.9C",
        "tab=sheet&v=belotten&taker=0&s0=95.5.0.0&s1=67.3.0.0",
        "tab=deal&v=bela-4&seed=7&done=",
    )
    for asked in few(tabs, 2):
        page.goto(f"{site.url}nl/try/?{asked}")
        expect(page.locator("#try-counted" if "tab=sheet" in asked else "#try-verdict")).not_to_be_empty()
        expect(page.locator(".progress:visible")).to_have_count(0)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert unusable(page, rules={"target-size": {"enabled": True}}) == [], asked
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_why_a_card_is_refused_is_not_hidden_behind_the_hand(page: Page, site: BuiltSite) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site.url}en/try/?tab=may&v=bela-4&t=S&trick=AC&hand=8S.9S.10H.7D.8D.9D.JC")
    expect(page.locator("#try-verdict")).to_contain_text("J♣")
    page.locator("#try-hand button.illegal").first.click()
    why, own = page.locator("#try-why").bounding_box(), page.locator(".own").bounding_box()
    assert why is not None
    assert own is not None
    assert why["y"] + why["height"] <= own["y"] + 1
