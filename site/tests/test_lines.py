"""A deal or a position as a line of the notation: the playground fills its form with it, and copies what stands there."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from belot_conformance.programs.reference import Reference, ServedReference
from belot_reference.errors import NotationError
from belot_reference.notation import Deal
from belot_reference.sentences import REASONS, Sentence, say
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_spec.languages import Language
from browser_testing import Page, expect
from site_testing import NEEDS_PYODIDE, BuiltSite, engine, unusable

HANDS = "hands 78910.78.78./JQ.9J.9K.79/KA.10Q.10Q.810/.KA.JA.JQKA"
POSITION = f"profile bela-4 leader 0 trump H {HANDS} 0: 7S JS KS"
DEAL = f"profile bela-4 dealer 2 {HANDS} 3: pass pass H 0: announce(7S8S9S10S)"


pytestmark = pytest.mark.usefixtures("rules")


def read(text: str, tab: str = "may", base: str = "belotten") -> dict[str, Any]:
    return dict(engine("line", {"text": text, "tab": tab, "table": {"base": base, "changes": {}}}))


def of_the_table(kind: str, base: str, question: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = engine(kind, question, "own", table={"base": base, "changes": {}})
    assert "error" not in found
    return found


def written(base: str, operation: str, question: dict[str, Any], *, own: bool = False) -> str:
    line: str = of_the_table("as-line", base, {"op": operation, "input": question, "own": own})["line"]
    return line


def test_positions_go_to_a_line_and_back(library: Library) -> None:
    cases = [case for case in library.cases if case.operation == "legal-cards" and case.expected[0].kind == "result"]
    for case in cases[::7]:
        position = {key: case.input[key] for key in ("trump", "trick", "hand")}
        for own in (False, True):
            line = written(case.profile, "legal-cards", position, own=own)
            found = read(line, base=case.profile if own else "belote")
            assert found.get("variant") == (None if own else case.profile.variant)
            assert found["trick"] == position["trick"]
            assert (found["trump"], sorted(found["hand"])) == (position["trump"], sorted(position["hand"])), line
            assert Deal.parse(line, case.profile).question["trick"] == position["trick"]


def test_deals_that_are_played_go_to_a_line_and_back(library: Library) -> None:
    for variant in library.variants:
        for seed, dealer in ((1, ""), (2, ""), (3, "other")):
            asked: dict[str, Any] = {"seed": seed, "chosen": []}
            if dealer:
                line = of_the_table("deal", variant, asked)["line"]
                told = Deal.parse(line)
                asked["line"] = str(Deal(told.profile, {**told.opening, "dealer": 0}))
            while "ended" not in (found := of_the_table("deal", variant, asked)):
                assert read(found["line"]) == {"variant": variant, "options": [], "tab": "deal", "line": found["line"]}
                again = of_the_table("deal", variant, {"seed": seed, "chosen": [], "line": found["line"]})
                assert again == found, found["line"]
                if "announcing" in found:
                    asked["chosen"].append("-")
                else:
                    asked["chosen"].append(found["bids"][-1]["bid"] if found.get("bids") else found["cards"][-1])


def test_a_line_stays_on_the_tab_that_asks_what_it_holds() -> None:
    trick = "leader 0 trump H hands 7.../8.../9.../10..."
    assert read(trick, "best")["hands"] == [["7S"], ["8S"], ["9S"], ["10S"]]
    assert read(trick, "ask")["op"] == "perft"
    assert read(trick)["hand"] == ["7S"]
    assert read(f"{trick} 0: 7S 8S 9S 10S") == {
        "tab": "ask", "op": "trick-winner", "question": {"trump": "H", "leader": 0, "cards": ["7S", "8S", "9S", "10S"]}
    }  # fmt: skip
    assert read(DEAL, "ask")["op"] == "replay"
    assert read("dealer 3 taker 0 trump H 0: 7S 8S 9S 10S")["op"] == "replay"
    hands = {"trump": "H", "leader": 1, "taker": 2, "hands": [["7S"], ["8S"], [], ["10S"]]}
    assert written("belotten", "compare-hands", hands) == "profile belotten leader 1 hands 7.../8.../.../10... trump H"
    assert written("belotten", "trick-winner", read(f"{trick} 0: 7S 8S 9S 10S")["question"]) == ""


def test_a_wrong_line_is_told_as_the_notation_tells_it() -> None:
    for wrong in ("leader 0 trump H hand 1..7.", "dealer 5", "leader 0 trump H hand 7... 0: 8Z", "", "profile bela-4"):
        with pytest.raises(NotationError) as told:
            Deal.parse(wrong, "bela-4")
        assert isinstance(told.value.said, Sentence)
        fault = {"line": told.value.line, "column": told.value.column, "said": told.value.said.to_json()}
        assert read(wrong, base="bela-4") == {"fault": fault}


def in_bela(name: str, /, of: str, **values: int | str) -> dict[str, Any]:
    return say(name, of=of, profile="bela-4", **values).to_json()


WRONG: Sequence[tuple[str, dict[str, Any]]] = (
    (POSITION.replace("bela-4", "bela-5"), {"column": 9, "table": "no-variant"}),
    (POSITION.replace("bela-4", "bela-4+foo"), {"column": 9, "table": "no-option"}),
    (
        POSITION.replace("trump H", "trump N"),
        {"column": 25, "said": in_bela("what-is-trump", of="trump", known="S, H, D, C", name="N")},
    ),
    (POSITION.replace("/.KA.JA.JQKA", ""), {"column": 33, "said": in_bela("per-seat", of="hands", n=4)}),
    (f"dealer 3 {HANDS} 0: pass H 0: 7S 9H", {"reason": "illegal-card", "cards": ["JS", "QS"], "column": 84}),
    (
        f"dealer 3 {HANDS} 0: pass H 0: 7C",
        {"reason": "card-not-held", "cards": ["7S", "8S", "9S", "10S", "7H", "8H", "7D", "8D"], "column": 81},
    ),
    (f"dealer 3 {HANDS} 1: pass", {"reason": "not-your-turn", "turn": 0, "column": 71}),
    (
        f"dealer 3 {HANDS} 0: pass pass pass pass",
        {"reason": "must-name", "bids": [{"bid": suit} for suit in "SHDC"], "column": 86},
    ),
)


def test_what_the_rules_refuse_in_a_line_is_told_with_what_would_be_right() -> None:
    for text, wanted in WRONG:
        fault = read(text, base="bela-4")["fault"]
        if "table" in fault:
            fault["table"] = fault["table"]["kind"]
        assert {key: fault[key] for key in wanted} == wanted, text


@NEEDS_PYODIDE
def test_a_pasted_line_fills_the_form_and_is_copied_from_it(page: Page, site: BuiltSite, library: Library) -> None:
    language: Language = "nl"
    words = SiteEdition(library, language).word
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{site.url}{language}/try/?v=belotten")
    page.locator("#try-line-box summary").click()
    field, said = page.get_by_label(words("try-line-text"), exact=True), page.locator("#try-line-said")

    def use(text: str) -> None:
        field.fill(text)
        page.get_by_role("button", name=words("try-line-use")).click()

    def copied() -> str:
        field.fill("")
        page.get_by_role("button", name=words("try-line-copy")).click()
        expect(field).not_to_have_value("")
        return field.input_value()

    use(POSITION)
    expect(said).to_have_text(words("try-line-taken"))
    expect(page.locator("#try-hand .legal").first).to_be_visible()
    reply = ServedReference(Reference()).reply("legal-cards", "bela-4", Deal.parse(POSITION).question)
    assert legal(page) == reply["result"]["cards"]
    assert parse_qs(urlsplit(page.url).query)["v"] == ["bela-4"]
    address, line = page.url, copied()
    assert Deal.parse(line).question == Deal.parse(POSITION).question
    page.locator("#try-variant").select_option("belote")
    use(line)
    page.wait_for_url(address)
    assert unusable(page) == []

    use(f"{DEAL} 3: 7c")
    expect(said).to_contain_text(fault_in(f"{DEAL} 3: 7c").in_language(language))
    use(f"{DEAL} 3: 7C")
    expect(said).to_contain_text(words("try-line-at").format(line=1, column=len(DEAL) + 5))
    expect(said).to_contain_text(REASONS["card-not-held"].in_language(language))
    assert page.evaluate("getSelection().toString() || document.activeElement.value.slice(-2)") == "7C"
    use(f"{DEAL} 3: JC")
    expect(page.locator("#try[data-tab=deal]:not(.waiting) #try-hand button.legal").first).to_be_visible()
    line, cards = copied(), legal(page)
    assert line.startswith(f"{DEAL} 3: JC")
    page.locator("#try-new-deal").click()
    use(line)
    expect(said).to_have_text(words("try-line-taken"))
    page.wait_for_function("!document.getElementById('try').matches('.waiting')")
    assert legal(page) == cards
    assert copied() == line
    assert parse_qs(urlsplit(page.url).query)["line"] == [line]


def fault_in(text: str) -> NotationError:
    with pytest.raises(NotationError) as told:
        Deal.parse(text)
    return told.value


def legal(page: Page) -> list[str]:
    found: list[str] = page.locator("#try-hand .legal").evaluate_all("all => all.map((one) => one.dataset.ask)")
    return found
