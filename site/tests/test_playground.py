"""The playground: what its engine answers is what the reference answers, also under Pyodide, and without it the page says so."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from belot_reference.bids import amount_told
from belot_reference.cards import card_set, cards_in, names_of
from belot_reference.compile import Ruleset
from belot_reference.operations import answer
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.playground import playground_data
from belot_site.playground import bundle
from belot_site.playground.address import try_address
from belot_site.playground.bundle import (
    PYODIDE,
    engine_zip,
    pyodide_folder,
    rules_as_json,
    write_engine,
    yaml_zip,
)
from belot_site.playground.deal import ANNOUNCES, KEEPS_SILENT, SAYS_BELOTE
from belot_site.playground.engine import ask, ruleset_of, use_rules
from belot_spec.card_names import CARD_NAMES
from belot_spec.errors import UnplayableError
from belot_spec.shipped import default_spec
from site_testing import BuiltSite, open_context, wait_until_kept

VARIANTS = len(default_spec().playable())
LARGEST_PAGE = 350_000
FILES = (
    "id: our-table\nbase: belotten+half-points\nrules:\n  match.target: {value: 51}\n",
    "id: our-table\nbase: beloten\nrules:\n  match.target: {value: 51}\n",
    "id: our-table\nbase: belotten\nrules:\n  play.void.opponent-rufed: {value: [any]}\n",
)
NODE = """
import {{ readFileSync }} from "node:fs";
const {{ loadPyodide }} = await import({pyodide});
const python = await loadPyodide({{ indexURL: {folder} }});
python.unpackArchive(new Uint8Array(readFileSync({engine})).buffer, "zip");
const engine = python.pyimport("belot_site.playground.engine");
engine.use_rules(readFileSync({rules}, "utf8"));
python.unpackArchive(new Uint8Array(readFileSync({yaml})).buffer, "zip");
const asked = JSON.parse(readFileSync({asked}, "utf8"));
console.log(JSON.stringify(asked.map((question) => JSON.parse(engine.ask(JSON.stringify(question))))));
"""


@pytest.fixture(scope="module")
def rules(library: Library) -> str:
    text = rules_as_json(library.spec)
    use_rules(text)
    return text


def test_the_rules_that_the_browser_gets_are_those_of_every_variant_and_option(rules: str, library: Library) -> None:
    for variant in library.variants:
        for name in [variant, *(f"{variant}+{option}" for option in library.spec.options_of(variant))]:
            wanted = {rule: setting.value for rule, setting in library.spec.profile(name).settings.items()}
            found = {rule: setting.value for rule, setting in ruleset_of(name).profile.settings.items()}
            assert json.loads(json.dumps(found)) == json.loads(json.dumps(wanted)), name


def test_which_cards_may_be_played_is_what_the_cases_say(rules: str, library: Library) -> None:
    asked = 0
    for case in library.cases:
        if case.operation != "legal-cards" or case.expected[0].kind != "result":
            continue
        position = {key: case.input[key] for key in ("trump", "trick", "hand")}
        found = json.loads(ask(json.dumps({"ask": "may", "profiles": [case.profile], "input": position})))[case.profile]
        assert set(found["cards"]) == set(case.expected[0].fields["cards"]), case.id
        assert found["refused"].keys() == set(position["hand"]) - set(found["cards"]), case.id
        asked += 1
    assert asked > 100


def questions(library: Library) -> list[dict[str, Any]]:
    """Return questions of each kind that the page asks, from the cases."""
    found: list[dict[str, Any]] = []
    for operation, number in (("legal-cards", 12), ("compare-hands", 6), ("score-deal", 6)):
        cases = [case for case in library.cases if case.operation == operation and case.origin != "derived"]
        for case in cases[:: max(1, len(cases) // number)][:number]:
            told = {"op": operation, "input": case.input}
            found.append({"ask": "operation", "profiles": [case.profile], "input": told})
    return found


def test_the_engine_answers_as_the_reference_does(rules: str, library: Library) -> None:
    for question in questions(library):
        profile, told = question["profiles"][0], question["input"]
        wanted = answer(told["op"], library.reference.ruleset(profile), told["input"])
        found = json.loads(ask(json.dumps(question)))[profile]
        assert {key: value for key, value in found.items() if key != "rules"} == wanted.message()
        assert found["rules"] == sorted(wanted.rules)


def test_a_position_that_no_table_can_have_is_an_answer_and_no_fault(rules: str) -> None:
    told = {"op": "score-deal", "input": {"taker": 9, "sides": [{"cards": 1, "tricks": 1}]}}
    found = json.loads(ask(json.dumps({"ask": "operation", "profiles": ["belote"], "input": told})))
    assert found["belote"].keys() == {"error", "said"}
    small = {"trump": "H", "trick": ["7C"], "hand": ["8C"]}
    found = json.loads(ask(json.dumps({"ask": "may", "profiles": ["denderbelot-3"], "input": small})))
    assert found["denderbelot-3"]["outside"] == ["7C"]


def test_values_of_ones_own_change_the_own_profile_only(rules: str) -> None:
    position = {"trump": "H", "trick": ["AS", "KS"], "hand": ["7H", "8D"]}
    asked = {"ask": "may", "profiles": ["own", "belotten"], "input": position}
    changes = {"play.void.partner-winning": ["trump", "any"]}
    plain, changed = (
        json.loads(ask(json.dumps({**asked, "table": {"base": "belotten", "changes": one}}))) for one in ({}, changes)
    )
    assert plain["own"] == plain["belotten"] == changed["belotten"]
    assert plain["own"]["cards"] == ["7H", "8D"]
    assert changed["own"]["cards"] == ["7H"]
    with pytest.raises(UnplayableError):
        ruleset_of("belotten", json.dumps({"deal.packets-before-bidding": [3, 3, 3]}))


def best(profile: str, question: dict[str, Any]) -> dict[str, Any]:
    told = {"op": "compare-hands", "input": question}
    asked = {"ask": "operation", "profiles": [profile], "input": told}
    found: dict[str, Any] = json.loads(ask(json.dumps(asked)))[profile]
    return found


class Served:
    """``belot answer``, the program that people can start themselves."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "belot_conformance", "answer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def reply(self, operation: str, profile: str, question: dict[str, Any]) -> dict[str, Any]:
        told, said = self._process.stdin, self._process.stdout
        assert told is not None
        assert said is not None
        print(json.dumps({"id": "1", "op": operation, "profile": profile, "input": question}), file=told, flush=True)
        reply: dict[str, Any] = json.loads(said.readline())
        return {key: value for key, value in reply.items() if key != "id"}

    def end(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    program = Served()
    yield program
    program.end()


def drawn_hands(rules: Ruleset, random: Random) -> list[list[str]]:
    deck = list(cards_in(rules.deck))
    random.shuffle(deck)
    size = rules.hand_size
    return [names_of(card_set(deck[seat * size : (seat + 1) * size])) for seat in range(rules.players)]


def test_more_card_points_than_a_deal_has_are_told_though_the_other_side_is_left_empty(rules: str) -> None:
    counting = {
        "taker": 0,
        "cards": [170, None],
        "trickless": [False, False],
        "declarations": [0, 0],
        "outranked": [0, 0],
        "belote": [0, 0],
        "last": None,
    }
    question = {"dealer": 0, "deals": [], "counting": counting}
    told = json.loads(ask(json.dumps({"ask": "sheet", "profiles": ["denderbelot"], "input": question})))["denderbelot"]
    assert told["counting"]["impossible"] == {"kind": "cards", "n": 170, "wanted": 162}


def test_every_tab_says_at_every_table_what_belot_answer_says(rules: str, library: Library, served: Served) -> None:
    random = Random(33)
    for profile in profiles(library):
        table = library.reference.ruleset(profile)
        for _ in range(4):
            hands, trump = drawn_hands(table, random), random.choice("SHDC")
            asked = {"trump": trump, "leader": random.randrange(table.players), "hands": hands}
            asked["taker"] = random.randrange(table.players)
            found = best(profile, asked)
            assert {"result": found["result"]} == served.reply("compare-hands", profile, asked), (profile, asked)
            trick, hand = [hands[1][0]], hands[0]
            position = {"trump": trump, "trick": trick, "hand": hand}
            told = json.loads(ask(json.dumps({"ask": "may", "profiles": [profile], "input": position})))[profile]
            wanted = served.reply("legal-cards", profile, position)["result"]
            assert (told["cards"], told["refused"]) == (wanted["cards"], wanted["illegal"]), (profile, position)
            counting = drawn_count(table, random)
            question = {"dealer": 0, "deals": [], "counting": counting}
            sheet = json.loads(ask(json.dumps({"ask": "sheet", "profiles": [profile], "input": question})))[profile]
            counted = sheet["counting"]
            reply = served.reply("score-deal", profile, counted["asked"])
            assert ("error" in reply) == ("impossible" in counted), (profile, counting, reply)
            assert reply.get("result") == counted.get("result"), (profile, counting)
            if "deal" in counted:
                deals = [counted["deal"]]
                if served.reply("match", profile, {"dealer": 0, "deals": deals})["result"]["winner"] is None:
                    deals *= 2
                question = {"dealer": 0, "deals": deals}
                told = json.loads(ask(json.dumps({"ask": "sheet", "profiles": [profile], "input": question})))[profile]
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


def drawn_count(rules: Ruleset, random: Random) -> dict[str, Any]:
    """Return a deal as somebody counts it: card points of all sides but one where all cards are dealt, often wrong."""
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
    contract: dict[str, Any] = {"trump": mode.name, "raised": raised} if rules.has_auction else {}
    if rules.has_amounts:
        contract["bid"] = amount_told(random.choice(rules.auction.amounts))
    return {
        **contract,
        "taker": random.randrange(rules.players),
        "cards": cards,
        "trickless": [swept not in (None, side) for side in sides],
        "declarations": [random.choice((0, 0, 0, 20, 33)) for _ in sides],
        "outranked": [random.choice((0, 0, 20, 50)) for _ in sides],
        "belote": [int(side == belote) for side in sides],
        "last": None,
    }


def play(variant: str, seed: int, chosen: list[str]) -> dict[str, Any]:
    asked = {"ask": "deal", "profiles": [variant], "input": {"seed": seed, "chosen": chosen}}
    found: dict[str, Any] = json.loads(ask(json.dumps(asked)))[variant]
    return found


def next_choice(found: dict[str, Any], talks: bool) -> str:
    """Return a choice of the person, who says everything or nothing."""
    if "announcing" in found:
        return ANNOUNCES if talks else KEEPS_SILENT
    if "bids" in found:
        return str(found["bids"][-1])
    card = str(found["cards"][-1])
    if not talks:
        return card
    return card + (ANNOUNCES if found["sets"] else "") + (SAYS_BELOTE if card in found["belote"] else "")


@pytest.mark.parametrize("talks", [True, False])
def test_a_deal_can_be_played_to_its_end_in_every_variant(rules: str, library: Library, talks: bool) -> None:
    said = []
    for variant in library.variants:
        table = library.reference.ruleset(variant)
        for seed in range(1, 13):
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


def test_a_card_that_may_not_be_played_in_a_deal_is_refused_with_its_rule(rules: str, library: Library) -> None:
    chosen: list[str] = []
    while not (found := play("belotten", 3, chosen)).get("refused"):
        chosen.append(next_choice(found, talks=False))
    card, rule = next(iter(found["refused"].items()))
    assert rule in library.profile("belotten").settings
    assert play("belotten", 3, [*chosen, card]).keys() == {"error"}
    assert play("belotten", 3, ["no card"]).keys() == {"error"}


def test_the_engine_is_packed_the_same_every_time_and_holds_no_rules() -> None:
    assert engine_zip() == engine_zip()
    assert len(engine_zip()) < 200_000
    assert len(yaml_zip()) < 100_000


@pytest.mark.skipif(shutil.which("node") is None or pyodide_folder() is None, reason="needs node and Pyodide")
def test_under_pyodide_the_engine_answers_the_same(rules: str, library: Library, tmp_path: Path) -> None:
    folder = pyodide_folder()
    asked = questions(library)
    asked.append({"ask": "deal", "profiles": ["belotten"], "input": {"seed": 3, "chosen": []}})
    # What cannot be is told in English without the words, which the browser has in its page alone.
    said = {"op": "bidding", "input": {"dealer": 0, "bids": ["pass", "D"]}}
    asked.append({"ask": "operation", "profiles": ["contree"], "input": said})
    asked += [{"ask": "table", "input": {"text": text}} for text in ("id: x\nid: y", *FILES)]
    files = {
        "engine": tmp_path / "engine.zip",
        "yaml": tmp_path / "yaml.zip",
        "rules": tmp_path / "rules.json",
        "asked": tmp_path / "asked.json",
    }
    files["engine"].write_bytes(engine_zip())
    files["yaml"].write_bytes(yaml_zip())
    files["rules"].write_text(rules, encoding="utf-8")
    files["asked"].write_text(json.dumps(asked), encoding="utf-8")
    places = {
        "pyodide": f"{folder}/pyodide.mjs",
        "folder": f"{folder}/",
        **{key: str(path) for key, path in files.items()},
    }
    script = tmp_path / "ask.mjs"
    script.write_text(NODE.format(**{key: json.dumps(place) for key, place in places.items()}), encoding="utf-8")
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == [json.loads(ask(json.dumps(question))) for question in asked]


def test_a_site_without_pyodide_is_built_and_says_so(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "PYODIDE", ("not-here.wasm",))
    write_engine(library, tmp_path)
    assert not any((tmp_path / "playground" / name).exists() for name in PYODIDE)
    assert playground_data(SiteEdition(library, "nl"))["engine"] is False


def test_every_variant_has_examples_that_are_answered_for_all_variants(edition: SiteEdition) -> None:
    data = playground_data(edition)
    for variant in edition.library.variants:
        assert data["examples"][variant]
        for example in data["examples"][variant]:
            assert example["found"].keys() == set(edition.library.variants)
            assert "cards" in example["found"][variant]


def test_a_drawn_case_leads_to_its_own_position(library: Library) -> None:
    led = {case.id: try_address(case, library.reference) for case in library.cases}
    case = next(case for case in library.cases if case.operation == "legal-cards" and case.id in led)
    query = parse_qs(urlsplit(led[case.id]).query, keep_blank_values=True)
    assert query["t"] == [case.input["trump"]]
    assert query["hand"] == [".".join(case.input["hand"])]
    assert query["trick"] == [".".join(case.input["trick"])]
    assert query["case"] == [case.id]
    assert all("tab=ask&" in led[case.id] for case in library.cases if case.operation == "bidding")


def test_drawn_declarations_lead_to_hands_of_which_the_engine_says_what_the_case_says(library: Library) -> None:
    use_rules(rules_as_json(library.spec))
    told = ("declarations", "compare-declarations")
    led = [
        (case, address)
        for case in library.cases
        if case.operation in told and "tab=best&" in (address := try_address(case, library.reference))
    ]
    drawn = [case for case in library.cases if case.operation in told]
    assert len(led) > 0.8 * len(drawn)
    for case, address in led:
        query = parse_qs(urlsplit(address).query, keep_blank_values=True)
        hands = [query[f"h{seat}"][0].split(".") for seat in range(len(query)) if f"h{seat}" in query]
        input_ = {
            "trump": query["t"][0],
            "leader": int(query["lead"][0]),
            "taker": int(query["took"][0]),
            "hands": [[c for c in h if c] for h in hands],
        }
        asked = {"ask": "operation", "profiles": [case.profile], "input": {"op": "compare-hands", "input": input_}}
        found = json.loads(ask(json.dumps(asked)))[case.profile]["result"]
        expected = case.expected[0].fields
        if case.operation == "declarations":
            assert found["points"][0] == expected["best_points"], case.id
        else:
            assert {key: found.get(key) for key in expected} == expected, case.id


def test_the_first_position_is_answered_before_the_engine_is_fetched(page: Page, site: BuiltSite) -> None:
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: int(response.headers.get("content-length", 0))}))
    page.goto(f"{site.url}en/try/?v=belote")
    expect(page.locator("#try-verdict")).to_contain_text("You may play")
    basis = page.locator("#try-verdict a.ref").first
    assert urlsplit(str(basis.get_attribute("href"))).fragment == basis.inner_text().partition("–")[0].lower()
    expect(page.locator("#try-chips .line")).to_contain_text(f"of {VARIANTS} variants")
    assert [url for url in sizes if "/playground/" in url] == []
    assert sum(sizes.values()) < LARGEST_PAGE


@NEEDS_PYODIDE
def test_without_a_network_the_second_visit_answers_as_the_first_did(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/try/?v=belote&t=H&trick=AS&hand=8S.7H")
    expect(page.locator("#try-verdict")).to_contain_text("Je mag spelen: 8♠")
    wait_until_kept(page, "pyodide.asm.wasm", "python_stdlib.zip", "rules.json", "/offline-nl.json")
    context.set_offline(True)
    page.goto(f"{site.url}nl/try/?v=belote&t=H&trick=AS&hand=8S.7H")
    page.reload()
    page.locator(".pick[data-card='9S']").click()
    expect(page.locator("#try-verdict")).to_contain_text("Je mag spelen: 8♠ 9♠")


@NEEDS_PYODIDE
def test_a_table_brings_its_own_rules_as_text_and_as_an_address_and_finds_them_again(
    page: Page, site: BuiltSite
) -> None:
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
    expect(page.locator("#try-chips .line")).to_contain_text(f"of {VARIANTS} variants")
    assert parse_qs(urlsplit(page.url).query)["match.target"] == ["51"]
    page.goto(f"{site.url}nl/try/?v=belote")
    page.locator("#try-variant").select_option("own")
    expect(page.locator("#try-own-rules li").first).to_contain_text("51")
    page.get_by_role("link", name="Deze regels wijzigen").click()
    expect(page.locator("#house-changes li")).to_have_count(2)


@NEEDS_PYODIDE
def test_who_led_is_chosen_and_the_cards_that_are_missing_are_named(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/try/?v=belotten&t=H&trick=AS&hand=8S.7H")
    page.locator("#try-leader").get_by_label("partner").check()
    expect(page.locator("#try-verdict")).to_contain_text("No card in the trick yet: right")
    page.locator(".pick[data-card='KS']").click()
    expect(page.locator("#try-trick .below").first).to_contain_text("partner, winning")
    expect(page.locator("#try-verdict")).to_contain_text("8♠")
    assert parse_qs(urlsplit(page.url).query)["led"] == ["2"]
    expect(page.locator("#try-chips li:not(.line)")).to_have_count(VARIANTS)


@NEEDS_PYODIDE
def test_every_variant_has_its_chip_and_says_why_it_cannot_have_a_position(page: Page, site: BuiltSite) -> None:
    chips = page.locator("#try-chips li:not(.line)")
    page.goto(f"{site.url}en/try/?v=belotten&t=H&trick=AS.KS.9S&hand=8S.7S.7H")
    expect(chips).to_have_count(VARIANTS)
    expect(chips.filter(has_text="for two")).to_contain_text("played by 2")
    page.goto(f"{site.url}en/try/?v=denderbelot&t=H&trick=AS&hand=8S.7S")
    expect(chips).to_have_count(VARIANTS)
    expect(chips.filter(has_text="for three: played without")).to_contain_text("7♠")
    page.goto(f"{site.url}en/try/?tab=best&v=bela-4&t=H&lead=0&h0=AS.KS.QS&h1=7C.8C.9C")
    expect(chips).to_have_count(VARIANTS)
    line = page.locator("#try-chips .line")
    agree, differ, away = (chips.locator(f".{kind}").count() for kind in ("alike", "other", "away"))
    assert agree + differ + away == VARIANTS
    assert away >= 3  # those for two and for three
    expect(line).to_contain_text(f"{agree} of {VARIANTS}")
    expect(line).to_contain_text(f"In {away} it cannot happen")


@NEEDS_PYODIDE
def test_tapping_a_card_asks_the_engine_in_the_browser_and_the_address_keeps_the_position(
    page: Page, site: BuiltSite
) -> None:
    page.goto(f"{site.url}nl/try/?v=belote&t=H&trick=AS&hand=8S.7H")
    expect(page.locator("#try-verdict")).to_contain_text("Je mag spelen: 8♠")
    page.locator(".pick[data-card='9S']").click()
    expect(page.locator("#try-verdict")).to_contain_text("Je mag spelen: 8♠ 9♠")
    assert parse_qs(urlsplit(page.url).query)["hand"] == ["8S.7H.9S"]
    page.get_by_role("button", name="harten 7, mag niet").click()
    expect(page.locator("#try-why")).to_contain_text("mag niet")
