"""The playground: what its engine answers is what the reference answers, also under Pyodide, and without it the page says so."""

import json
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from belot_conformance.programs.reference import Reference, ServedReference
from belot_reference.bids import amount_json
from belot_reference.cards import card_set, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_reference.possible import largest_hand
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.playground import playground_data
from belot_site.playground import bundle
from belot_site.playground.bundle import PYODIDE, engine_zip, try_address, write_engine, yaml_zip
from belot_site.playground.deal import ANNOUNCES, KEEPS_SILENT, SAYS_BELOTE
from belot_site.playground.engine import ask, ruleset_of
from belot_spec.card_names import CARD_NAMES, MODE_KINDS, SUITS
from belot_spec.errors import UnplayableError
from browser_testing import Page, expect
from site_testing import NEEDS_PYODIDE, BuiltSite, engine

LARGEST_PAGE = 350_000
FILES = (
    "id: our-table\nbase: belotten+half-points\nrules:\n  match.target: {value: 51}\n",
    "id: our-table\nbase: beloten\nrules:\n  match.target: {value: 51}\n",
    "id: our-table\nbase: belotten\nrules:\n  play.void.opponent-rufed: {value: [any]}\n",
)
# What the page asks its engine, and gets.
ASK = """async ([root, asked]) => {
  const { ask } = await import(root + "nl/assets/try/engine.js");
  return Promise.all(asked.map((question) => ask(root, question, () => null)));
}"""


def test_the_browsers_rules_are_those_of_every_variant_and_option(rules: dict[str, Any], library: Library) -> None:
    for variant in library.variants:
        for name in [variant, *(f"{variant}+{option}" for option in library.spec.options_of(variant))]:
            wanted = {rule: setting.value for rule, setting in library.spec.profile(name).settings.items()}
            found = {rule: setting.value for rule, setting in ruleset_of(name).profile.settings.items()}
            assert json.loads(json.dumps(found)) == json.loads(json.dumps(wanted)), name


def klaverjas(*cards: int, roem: int = 0) -> dict[str, Any]:
    sides = [{"cards": points, "tricks": 4 if 0 < points < 162 else 8 * (points > 0)} for points in cards]
    return {"scored": {"taker": 0, "sides": [{**sides[0], "declarations": roem} if roem else sides[0], sides[1]]}}


def test_a_sheet_of_sixteen_deals_keeps_roem_apart_and_may_end_level(rules: dict[str, Any]) -> None:
    nat, fault = klaverjas(60, 102, roem=20), {"accusation": {"by": 0, "of": 1, "proved": True, "declared": 50}}
    told = engine("sheet", {"deals": [nat, klaverjas(162, 0, roem=40), fault]}, "klaverjas-rotterdams")
    assert [[(one["points"], one["roem"], one["sign"]) for one in row["apart"]] for row in told["rows"]] == [
        [("", "", "fell"), ("162", "20", "")],
        [("162", "140", "all-tricks"), ("0", "", "")],
        [("162", "50", ""), ("", "", "fault")],
    ]
    assert (told["number"], told["length"], told["dealers"][3], told["next_dealer"]) == (4, 16, 2, 2)
    assert told["totals"] == ["514", "182"]
    level = [klaverjas(82, 80), {"scored": {**klaverjas(80, 82)["scored"], "taker": 1}}] * 8
    told = engine("sheet", {"deals": level}, "klaverjas-rotterdams")
    assert (told["over"], told["winner"], told["totals"]) == (True, None, ["1296", "1296"])


def test_which_cards_may_be_played_is_what_the_cases_say(rules: dict[str, Any], library: Library) -> None:
    asked = 0
    for case in library.cases:
        if case.operation != "legal-cards" or case.expected[0].kind != "result":
            continue
        position = {key: case.input[key] for key in ("trump", "trick", "hand")}
        found = engine("may", position, case.profile)
        assert set(found["cards"]) == set(case.expected[0].fields["cards"]), case.id
        assert found["refused"].keys() == set(position["hand"]) - set(found["cards"]), case.id
        asked += 1
    assert asked > 100


def questions(library: Library) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for operation, number in (("legal-cards", 12), ("compare-hands", 6), ("score-deal", 6)):
        cases = [case for case in library.cases if case.operation == operation and case.origin != "derived"]
        for case in cases[:: max(1, len(cases) // number)][:number]:
            told = {"op": operation, "input": case.input}
            found.append({"ask": "operation", "profiles": [case.profile], "input": told})
    return found


def test_a_position_that_no_table_can_have_is_an_answer_and_no_fault(rules: dict[str, Any]) -> None:
    told = {"op": "score-deal", "input": {"taker": 9, "sides": [{"cards": 1, "tricks": 1}]}}
    found = engine("operation", told, "belote")
    assert found.keys() == {"error", "said"}
    small = {"trump": "H", "trick": ["7C"], "hand": ["8C"]}
    found = engine("may", small, "denderbelot-3")
    assert found["outside"] == ["7C"]


def test_values_of_ones_own_change_the_own_profile_only(rules: dict[str, Any]) -> None:
    position = {"trump": "H", "trick": ["AS", "KS"], "hand": ["7H", "8D"]}
    changes = {"play.void.partner-winning": ["trump", "any"]}
    plain, changed = (
        engine("may", position, "own", "belotten", table={"base": "belotten", "changes": one}) for one in ({}, changes)
    )
    assert plain["own"] == plain["belotten"] == changed["belotten"]
    assert plain["own"]["cards"] == ["7H", "8D"]
    assert changed["own"]["cards"] == ["7H"]
    with pytest.raises(UnplayableError):
        ruleset_of("belotten", json.dumps({"deal.packets-before-bidding": [3, 3, 3]}))


def drawn_hands(rules: Ruleset, random: Random) -> list[list[str]]:
    deck = list(cards_in(rules.deck))
    random.shuffle(deck)
    size = largest_hand(rules)
    return [names_of(card_set(deck[seat * size : (seat + 1) * size])) for seat in range(rules.players)]


def test_every_tab_says_at_every_table_what_belot_answer_says(rules: dict[str, Any], library: Library) -> None:
    random, served = Random(33), ServedReference(Reference())
    for profile in profiles(library):
        table = library.reference.ruleset(profile)
        for _ in range(4):
            hands, trump = drawn_hands(table, random), random.choice("SHDC")
            asked = {"trump": trump, "leader": random.randrange(table.players), "hands": hands}
            asked["taker"] = random.randrange(table.players)
            found = engine("operation", {"op": "compare-hands", "input": asked}, profile)
            assert {"result": found["result"]} == served.reply("compare-hands", profile, asked), (profile, asked)
            trick, hand = [hands[1][0]], hands[0]
            position = {"trump": trump, "trick": trick, "hand": hand}
            told = engine("may", position, profile)
            wanted = served.reply("legal-cards", profile, position)["result"]
            assert (told["cards"], told["refused"]) == (wanted["cards"], wanted["illegal"]), (profile, position)
            form = drawn_form(table, random)
            counted = engine("sheet", {"dealer": 0, "deals": [], "form": form}, profile)["counting"]
            reply = served.reply("score-deal", profile, counted["asked"])
            assert ("error" in reply) == ("impossible" in counted), (profile, form, reply)
            assert reply.get("result") == counted.get("result"), (profile, form)
            if "deal" in counted:
                deals = [counted["deal"]]
                if served.reply("match", profile, {"dealer": 0, "deals": deals})["result"]["winner"] is None:
                    deals *= 2
                question = {"dealer": 0, "deals": deals}
                told = engine("sheet", question, profile)
                # What stands on the sheet is corrected in a form that comes to the same deal.
                again = engine("sheet", {**question, "form": {**form, **told["rows"][0]["form"]}}, profile)
                assert again["counting"]["deal"] == counted["deal"], (profile, form)
                lines = served.reply("match", profile, question)["result"]["deals"]
                assert [[line["dealer"], bool(line["held"])] for line in lines] == [
                    [row["dealer"], bool(row["held"])] for row in told["rows"]
                ], profile


def profiles(library: Library) -> list[str]:
    return [
        name
        for variant in library.variants
        for name in (variant, *(f"{variant}+{option}" for option in library.spec.options_of(variant)))
    ]


def drawn_form(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a form as somebody fills it in: card points of all sides but one where all cards are dealt, often wrong."""
    sides = range(rules.side_count)
    told = [random.randrange(55) for _ in sides]
    mode = random.choice(rules.modes)
    deck = rules.points_in_deck(mode) + 10
    cards: list[int | None] = [*told[:-1], deck - sum(told[:-1])]
    if rules.players * rules.hand_size + rules.value_or("deal.taker-discards", 0) == len(CARD_NAMES):
        cards[-1] = random.choice((None, None, None, deck, *told))
    swept = random.choice((None, None, None, *sides))
    if swept is not None:
        cards = [deck if side == swept else 0 for side in sides]
    belote = random.choice((None, *sides))
    raised = random.choice((1, *rules.value_or("bidding.raises", ())))
    bid = amount_json(random.choice(rules.auction.amounts)) if rules.has_amounts else ""
    return {
        "kind": "scored",
        "trump": mode.name if mode.name in MODE_KINDS else SUITS[0],
        "raised": raised,
        "bid": str(bid),
        "taker": random.randrange(rules.side_count),
        "cards": ["" if points is None else str(points) for points in cards],
        "trickless": [swept not in (None, side) for side in sides],
        "declarations": [random.choice(("", "0", "20", "33")) for _ in sides],
        "outranked": [random.choice(("", "", "20", "50")) for _ in sides],
        "belote": [int(side == belote) for side in sides],
        "last": None,
        "declared": "",
    }


def play(variant: str, seed: int, chosen: list[str]) -> dict[str, Any]:
    return dict(engine("deal", {"seed": seed, "chosen": chosen}, variant))


def next_choice(found: dict[str, Any], talks: bool) -> str:
    if "announcing" in found:
        return ANNOUNCES if talks else KEEPS_SILENT
    if "bids" in found:
        return str(found["bids"][-1]["bid"])
    card = str(found["cards"][-1])
    if not talks:
        return card
    return card + (ANNOUNCES if found["sets"] else "") + (SAYS_BELOTE if card in found["belote"] else "")


@pytest.mark.parametrize("talks", [True, False])
def test_a_deal_can_be_played_to_its_end_in_every_variant(rules: dict[str, Any], library: Library, talks: bool) -> None:
    said = []
    for variant in library.variants:
        table = library.reference.ruleset(variant)
        for seed in range(1, 7):
            chosen: list[str] = []
            while "ended" not in (found := play(variant, seed, chosen)):
                assert "error" not in found, (variant, seed, chosen, found)
                assert {*found.get("cards", ()), *found.get("refused", ())} <= set(found["hand"]), variant
                assert found["hint"] in (*found.get("bids", ()), *found.get("cards", ()), ANNOUNCES)
                chosen.append(next_choice(found, talks))
            assert found["ended"] in ("played", "passed", "belot"), variant
            said += [one for one in found["told"] if one["seat"] == 0 and (one["announced"].get("0") or one["calls"])]
            if found["ended"] != "played":
                continue
            tricks = [one["trick"] for one in found["told"] if "trick" in one]
            assert sum(map(len, tricks)) == table.hand_size * len(tricks[0])
            assert sum(found["won"]) == table.hand_size
            settled = answer("score-deal", table, found["deal"]["scored"]).result
            assert settled is not None
            assert settled["written"] == list(found["steps"]["written"])
    assert bool(said) == talks


def test_a_card_that_may_not_be_played_is_refused_with_its_rule(rules: dict[str, Any], library: Library) -> None:
    chosen: list[str] = []
    while not (found := play("belotten", 3, chosen)).get("refused"):
        chosen.append(next_choice(found, talks=False))
    card, rule = next(iter(found["refused"].items()))
    assert rule in library.profile("belotten").settings
    assert play("belotten", 3, [*chosen, card]).keys() == {"error"}
    assert play("belotten", 3, ["no card"]).keys() == {"error"}


def test_the_dealer_must_name_trump_a_hint_has_its_reason_and_looking_back_follows_the_rule(
    rules: dict[str, Any],
) -> None:
    # Three have passed; hearts are J 20, A 11 and the 8.
    found = engine("deal", {"seed": 3, "dealer": 0, "chosen": []}, "bela-4")
    assert (found["dealer"], [one["bid"] for one in found["bids"]]) == (0, ["S", "H", "D", "C"])
    assert (found["hint"], found["why"]) == ({"bid": "H"}, {"name": "bid", "n": 3, "points": 31})
    opened = {"belotten": [True, *6 * [False]], "denderbelot": 7 * [False], "contree": 7 * [True]}
    for variant, expected in opened.items():
        chosen: list[str] = []
        looks: dict[int, bool] = {}
        while "ended" not in (found := play(variant, 4, chosen)):
            if "last" in found:
                looks[sum(found["won"])] = found["last"]["open"]
            chosen.append(next_choice(found, talks=False))
        assert [looks[number] for number in sorted(looks)] == expected, variant
        assert found["last"]["open"]


def test_the_engine_is_packed_the_same_every_time_and_holds_no_rules() -> None:
    assert engine_zip() == engine_zip()
    assert len(engine_zip()) < 175_000
    assert len(yaml_zip()) < 100_000


@NEEDS_PYODIDE
def test_the_browser_answers_the_same(rules: dict[str, Any], library: Library, page: Page, site: BuiltSite) -> None:
    asked = questions(library)
    asked.append({"ask": "deal", "profiles": ["belotten"], "input": {"seed": 3, "chosen": []}})
    # What cannot be is told in English without the words, which the browser has in its page alone.
    said = {"op": "bidding", "input": {"dealer": 0, "bids": ["pass", "D"]}}
    asked.append({"ask": "operation", "profiles": ["contree"], "input": said})
    asked += [{"ask": "table", "input": {"text": text}} for text in ("id: x\nid: y", *FILES)]
    page.goto(f"{site.url}404.html")
    assert page.evaluate(ASK, [site.url, asked]) == [json.loads(ask(json.dumps(question))) for question in asked]


def test_a_site_without_pyodide_says_so(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "PYODIDE", ("not-here.wasm",))
    write_engine(library, tmp_path)
    assert not any((tmp_path / "playground" / name).exists() for name in PYODIDE)
    assert playground_data(SiteEdition(library, "nl"))["engine"] is False


def test_a_drawn_case_leads_to_its_own_position(library: Library) -> None:
    led = {case.id: try_address(case, library.reference) for case in library.cases}
    case = next(case for case in library.cases if case.operation == "legal-cards" and case.id in led)
    query = parse_qs(urlsplit(led[case.id]).query, keep_blank_values=True)
    assert query["t"] == [case.input["trump"]]
    assert query["hand"] == [".".join(case.input["hand"])]
    assert query["trick"] == [".".join(case.input["trick"])]
    assert query["case"] == [case.id]
    assert all("tab=ask&" in led[case.id] for case in library.cases if case.operation == "bidding")


def test_drawn_declarations_lead_to_hands_answered_as_the_case_says(rules: dict[str, Any], library: Library) -> None:
    drawn = [case for case in library.cases if case.operation in ("declarations", "compare-declarations")]
    led = [(case, address) for case in drawn if "tab=best&" in (address := try_address(case, library.reference))]
    assert len(led) > 0.8 * len(drawn)
    for case, address in led:
        query = {name: told for name, (told,) in parse_qs(urlsplit(address).query, keep_blank_values=True).items()}
        hands = [[card for card in query[f"h{seat}"].split(".") if card] for seat in range(4) if f"h{seat}" in query]
        asked = {"trump": query["t"], "leader": int(query["lead"]), "taker": int(query["took"]), "hands": hands}
        found = engine("operation", {"op": "compare-hands", "input": asked}, case.profile)["result"]
        expected = case.expected[0].fields
        if case.operation == "declarations":
            assert found["points"][0] == expected["best_points"], case.id
        else:
            assert {key: found.get(key) for key in expected} == expected, case.id


def test_the_first_position_is_answered_before_the_engine_comes(page: Page, site: BuiltSite, library: Library) -> None:
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: int(response.headers.get("content-length", 0))}))
    page.goto(f"{site.url}en/try/?v=belote")
    expect(page.locator("#try-verdict")).to_contain_text("You may play")
    basis = page.locator("#try-verdict a.ref").first
    assert urlsplit(str(basis.get_attribute("href"))).fragment == basis.inner_text().partition("–")[0].lower()
    expect(page.locator("#try-chips .line")).to_contain_text(f"of {len(library.variants)} variants")
    assert not page.evaluate("window.hasEngine")
    assert [url for url in sizes if "/playground/" in url] == []
    assert sum(sizes.values()) < LARGEST_PAGE


@NEEDS_PYODIDE
def test_a_table_brings_its_own_rules_and_finds_them_again(page: Page, site: BuiltSite, library: Library) -> None:
    page.goto(f"{site.url}en/try/?v=belotten&t=H&trick=KS.AS&hand=7H.8D")
    page.get_by_text("Your own house rules").click()
    text = page.get_by_label("Link, or text of the file")
    text.fill("id: our-table\nbase: belotten\nrules:\n  play.void.partner-wining: {value: [trump, any]}\n")
    page.get_by_role("button", name="Play by these rules").click()
    said = page.locator("#try-own-said")
    expect(said).to_have_text("play.void.partner-wining: there is no such rule. Do you mean play.void.partner-winning?")
    text.fill('?base=belotten&name=The+Swan&match.target=51&play.void.opponent-winning=["any"]')
    page.get_by_role("button", name="Play by these rules").click()
    expect(said).to_contain_text("remembered on this device")
    expect(page.locator("#try-own-rules li")).to_have_count(2)
    expect(page.locator("#try-chips .line")).to_contain_text(f"of {len(library.variants)} variants")
    assert parse_qs(urlsplit(page.url).query)["match.target"] == ["51"]
    page.goto(f"{site.url}nl/try/?v=belote")
    page.locator("#try-variant").select_option("own")
    expect(page.locator("#try-own-rules li").first).to_contain_text("51")
    page.get_by_role("link", name="Deze regels wijzigen").click()
    expect(page.locator("#house-changes li")).to_have_count(2)


@NEEDS_PYODIDE
def test_who_led_is_chosen_and_cards_that_are_missing_named(page: Page, site: BuiltSite, library: Library) -> None:
    page.goto(f"{site.url}en/try/?v=belotten&t=H&trick=AS&hand=8S.7H")
    page.locator("#try-leader").get_by_label("partner").check()
    expect(page.locator("#try-verdict")).to_contain_text("No card in the trick yet: right")
    page.locator(".pick[data-card='KS']").click()
    expect(page.locator("#try-trick .below").first).to_contain_text("partner, winning")
    expect(page.locator("#try-verdict")).to_contain_text("8♠")
    assert parse_qs(urlsplit(page.url).query)["led"] == ["2"]
    expect(page.locator("#try-chips li:not(.line)")).to_have_count(len(library.variants))


@NEEDS_PYODIDE
def test_every_variant_has_its_chip_and_says_why_it_cannot(page: Page, site: BuiltSite, library: Library) -> None:
    chips = page.locator("#try-chips li:not(.line)")
    page.goto(f"{site.url}en/try/?v=belotten&t=H&trick=AS.KS.9S&hand=8S.7S.7H")
    expect(chips).to_have_count(len(library.variants))
    expect(chips.filter(has_text="for two")).to_contain_text("played by 2")
    page.goto(f"{site.url}en/try/?v=denderbelot&t=H&trick=AS&hand=8S.7S")
    expect(chips).to_have_count(len(library.variants))
    expect(chips.filter(has_text="for three: played without")).to_contain_text("7♠")
    page.goto(f"{site.url}en/try/?tab=best&v=bela-4&t=H&lead=0&h0=AS.KS.QS&h1=7C.8C.9C")
    expect(chips).to_have_count(len(library.variants))
    line = page.locator("#try-chips .line")
    agree, differ, away = (chips.locator(f".{kind}").count() for kind in ("alike", "other", "away"))
    assert agree + differ + away == len(library.variants)
    assert away >= 3  # those for two and for three
    expect(line).to_contain_text(f"{agree} of {len(library.variants)}")
    expect(line).to_contain_text(f"In {away} it cannot happen")
