"""Any question in the playground: each case leads there, is answered there as it says, and can be changed into another."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from belot_conformance.programs.protocol import Reply, ReplyKind
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import differences
from belot_site.content.edition import SiteEdition, site_words
from belot_site.content.library import Library
from belot_site.pages.playground import question_files
from belot_site.playground.bundle import try_address
from belot_site.playground.engine import ruleset_of
from belot_spec.errors import BelotError
from belot_spec.json_schema import KNOWN, faults, fits
from belot_spec.load.schemas import is_valid
from belot_spec.shipped import open_profile
from browser_testing import Locator, Page, Route, expect
from site_testing import NEEDS_PYODIDE, BuiltSite, Few, engine, unusable

TEN = (
    "replay", "match", "bidding", "deal", "trick-winner", "card-points", "belote", "penalty", "settle-tricks", "perft",
)  # fmt: skip
WRONG = (
    ({"trump": "H", "leader": 0}, "missing-field", ""),
    ({"trump": "H", "leader": 0, "cards": ["AS", "KS"], "led": 1}, "unknown-field", ""),
    ({"trump": "H", "leader": 4, "cards": ["AS", "KS"]}, "maximum", "leader"),
    ({"trump": "H", "leader": -1, "cards": ["AS", "KS"]}, "minimum", "leader"),
    ({"trump": "H", "leader": "me", "cards": ["AS", "KS"]}, "type", "leader"),
    ({"trump": "X", "leader": 0, "cards": ["AS", "KS"]}, "listed", "trump"),
    ({"trump": "H", "leader": 0, "cards": ["AS"]}, "minItems", "cards"),
    ({"trump": "H", "leader": 0, "cards": ["AS", "KS", "AS"]}, "uniqueItems", "cards"),
    ({"trump": "H", "leader": 0, "cards": ["AS", "1S"]}, "form", "cards.1"),
)


@pytest.fixture(scope="module")
def files(edition: SiteEdition) -> dict[str, Any]:
    return dict(question_files(edition))


def by_hand(library: Library) -> list[Case]:
    return [case for case in library.cases if case.origin != "derived"]


def test_every_field_of_an_answer_has_a_name_for_people(library: Library, files: dict[str, Any]) -> None:
    """That of the protocol is for programs; what is shown of it after a change is for whoever changed it."""
    given = {field for case in library.cases for one in case.expected if one.kind == "result" for field in one.fields}
    assert sorted(files["questions.json"]["fields"]) == sorted(given)


def reply_to(profile: str, operation: str, question: object) -> dict[str, Any]:
    return dict(engine("question", {"op": operation, "input": question}, profile))


def opened(library: Library, files: dict[str, Any], case: Case) -> dict[str, Any]:
    query = parse_qs(urlsplit(try_address(case, library.reference)).query)
    assert query["case"] == [case.id]
    told: dict[str, Any] = json.loads(json.dumps(files[f"cases/{query['case'][0][:-1]}.json"][case.id]))
    options = query.get("o", [""])[0].split(",")
    assert told["profile"] == "+".join(filter(None, [query["v"][0], *options]))
    return told


def test_every_case_can_be_tried_and_is_answered_as_it_says(rules: dict[str, Any], library: Library) -> None:
    for case in by_hand(library):
        reply = reply_to(case.profile, case.operation, case.input)
        kind: ReplyKind = "result" if "result" in reply else "rejected"
        assert kind in reply, (case.id, reply)
        assert not differences(case.operation, case.expected, Reply(case.id, kind, reply[kind])), case.id


def test_what_is_shown_before_the_engine_has_come_is_the_answer_of_the_case_and_of_every_variant(
    library: Library, files: dict[str, Any]
) -> None:
    for case in by_hand(library):
        told = opened(library, files, case)
        assert (told["profile"], told["op"], told["input"]) == (case.profile, case.operation, case.input)
        assert told["figure"], case.id
        assert told["reply"] == {case.expected[0].kind: case.expected[0].fields}
        assert told["found"].keys() == set(library.variants)
        assert told["found"].get(case.profile) is None
    for name, data in files.items():
        assert len(json.dumps(data)) < 350_000, name


def test_every_operation_has_an_example_for_every_variant(library: Library, files: dict[str, Any]) -> None:
    questions = files["questions.json"]
    ids = {case.id: case.operation for case in by_hand(library)}
    assert {*questions["any"]} == {case.operation for case in library.cases} == {*questions["operations"]}
    for variant in library.variants:
        for operation, case in questions["examples"][variant].items():
            assert ids[case] == operation


def changed(question: Any) -> Iterator[Any]:
    """Yield a question with one thing in it left out, added, or put in place of another; all of a list are alike."""
    others: tuple[Any, ...] = (None, -1, 5, 1.5, "AS", "XX", [], {}, True, ["AS", "AS"])
    for key in question if isinstance(question, dict) else range(min(2, len(question))):
        for value in others:
            other = copy.copy(question)
            other[key] = value
            yield other
        left = copy.copy(question)
        del left[key]
        yield left
        if isinstance(question[key], dict | list) and question[key]:
            for inner in changed(question[key]):
                other = copy.copy(question)
                other[key] = inner
                yield other
    if isinstance(question, dict):
        yield {**question, "more": 1}


def test_a_question_has_its_form_in_the_browser_as_in_the_protocol(rules: dict[str, Any], library: Library) -> None:
    shared = {**rules["shared"], **rules["forms"]}
    assert not rules["shared"].keys() & rules["forms"].keys()
    forms = (*rules["values"].values(), *rules["shared"].values(), *rules["forms"].values())
    assert {word for part in forms for word in words_of(part)} <= KNOWN
    asked = 0
    for operation in {case.operation for case in library.cases}:
        form = f"{operation}-input"
        cases = [case for case in by_hand(library) if case.operation == operation]
        for case in cases[:: max(1, len(cases) // 6)]:
            assert fits(case.input, rules["forms"][form], shared), case.id
            if len(json.dumps(case.input)) > 600:
                continue
            for question in changed(case.input):
                wanted = is_valid(question, "protocol-operations", form)
                assert fits(question, rules["forms"][form], shared) == wanted, (case.id, question)
                assert (next(faults(question, rules["forms"][form], shared), None) is None) == wanted
                asked += 1
    assert asked > 1000


def test_what_is_wrong_with_a_question_is_told_by_its_kind_and_place(rules: dict[str, Any]) -> None:
    for question, kind, place in WRONG:
        fault = reply_to("belote", "trick-winner", question)["fault"]
        assert (fault["kind"], fault["place"]) == (kind, place)
        assert f"try-wrong-{kind}" in site_words()


def test_a_question_that_this_table_cannot_have_is_refused_in_the_engines_words(rules: dict[str, Any]) -> None:
    asked = {"trump": "H", "leader": 0, "hands": [["AS"]] * 3}
    assert reply_to("belote", "compare-hands", asked) == {
        "error": "hands: one list per seat, 4 in belote",
        "said": {"name": "per-seat", "values": {"n": 4, "profile": "belote"}, "of": "hands"},
    }
    asked = {"trump": "H", "leader": 0, "cards": ["AS", "KS", "QS"]}
    assert "bela-2" in reply_to("bela-2", "trick-winner", asked)["error"]
    held = {"hands": [["AS"], ["KS"], ["QS"], ["JS"]], "trump": "H", "leader": 0, "depth": 20}
    assert reply_to("belote", "perft", held)["fault"]["place"] == "depth"


def no_fault_of_axe(page: Page) -> None:
    # What has been scrolled behind the header would be too small to tap.
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    assert unusable(page, rules={"target-size": {"enabled": True}}) == []


@NEEDS_PYODIDE
def test_a_case_of_each_operation_is_answered_before_the_engine_comes_and_again_when_a_number_is_changed(
    page: Page, site: BuiltSite, library: Library, few: Few
) -> None:
    served = ServedReference(Reference())
    asked = few(TEN, 3)
    for operation in asked:
        case = next(one for one in by_hand(library) if one.operation == operation and one.expected[0].kind == "result")
        page.goto(f"{site.url}en/{library.case_path(case)}", wait_until="domcontentloaded")
        page.locator(f"h2#{case.id} ~ figure").first.get_by_role("link", name="Try this").click()
        expect(page.locator("#try-figure .position")).to_be_visible()
        expect(page.locator("#try-verdict strong").first).not_to_be_empty()
        expect(page.locator("#try-chips li:not(.line)")).to_have_count(len(library.variants))
        assert f"--case {case.id}" in str(page.locator("#try-check").text_content())
        assert not page.evaluate("window.hasEngine")
    # The engine has to come once only, for the first number that is changed.
    for operation in asked:
        box = ask_about(page, operation, "What do you want to know?", "The question, to change as you like")
        question = change_a_number(page, box)
        expect(
            page.locator("#try-verdict strong").or_(page.locator("#try-question-said:not(:empty)")).first
        ).to_be_visible()
        reply = json.loads(page.locator("#try-reply").text_content() or "")
        wanted = served.reply(operation, page.locator("#try-variant").input_value(), question)
        assert {key: told for key, told in reply.items() if key != "id"} == wanted
        query = parse_qs(urlsplit(page.url).query)
        assert query["op"] == [operation]
        assert json.loads(query["question"][0]) == question
        assert "case" not in query


def ask_about(page: Page, operation: str, choice: str, label: str) -> Locator:
    """Choose another operation where this is the label, and return the box with this one, once the example is in it."""
    box = page.get_by_label(label)
    before = box.input_value()
    page.get_by_label(choice).select_option(operation)
    expect(box).not_to_have_value(before)
    return box


def change_a_number(page: Page, box: Locator) -> Any:
    """Change the first number of the question in a box, wait for the engine's answer, and return the question."""
    question = other_number(json.loads(box.input_value()))
    box.fill(json.dumps(question))
    expect(page.locator("#try-case")).to_be_empty()
    expect(page.locator("#try-reply")).not_to_be_empty()
    return question


def other_number(question: Any) -> Any:
    """Return a question with its first number, or else its trump, changed into another that can be."""
    for key in ("dealer", "leader", "taker"):
        if key in question:
            return {**question, key: (question[key] + 1) % 2}
    return {**question, "trump": "S" if question["trump"] != "S" else "H"}


@NEEDS_PYODIDE
def test_what_is_no_question_is_said_there_and_the_example_comes_back(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}nl/try/?tab=ask&v=belote&op=trick-winner")
    box, said = page.get_by_label("De vraag, die je vrij kunt aanpassen"), page.locator("#try-question-said")
    expect(page.locator("#try-figure .position")).to_be_visible()
    example = box.input_value()
    box.fill("{")
    expect(said).to_contain_text("Dit is geen JSON")
    wrong = example.replace('"leader": ', '"leader": 1')
    page.goto(f"{site.url}nl/try/?{urlencode({'tab': 'ask', 'v': 'belote', 'op': 'trick-winner', 'question': wrong})}")
    expect(said).to_contain_text("leader: 1")
    expect(box).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Terug naar het voorbeeld").click()
    expect(page.locator("#try-figure .position")).to_be_visible()
    expect(said).to_be_empty()
    box.fill(wrong)
    expect(said).to_contain_text("leader: 1")


@NEEDS_PYODIDE
def test_asking_anything_is_usable_by_everybody(page: Page, site: BuiltSite, few: Few) -> None:
    page.set_viewport_size({"width": 1200, "height": 800})
    page.goto(f"{site.url}nl/try/?tab=ask&v=belote")
    for operation in few(("match", "replay", "settle-tricks"), 1):
        box = ask_about(page, operation, "Wat wil je weten?", "De vraag, die je vrij kunt aanpassen")
        expect(page.locator("#try-figure .position")).to_be_visible()
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        usable_at_every_width(page, few)
        change_a_number(page, box)
        usable_at_every_width(page, few)


# What moves to its place, or fades to its colour, is looked at when it has come there.
STILL = "() => new Promise(requestAnimationFrame).then(() => Promise.all(document.getAnimations().map((one) => one.finished)))"


def usable_at_every_width(page: Page, few: Few) -> None:
    for width in few((390, 1200), 1):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(STILL)
        no_fault_of_axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@NEEDS_PYODIDE
def test_an_example_that_comes_late_does_not_replace_what_is_being_typed(page: Page, site: BuiltSite) -> None:
    page.goto(f"{site.url}en/try/?tab=ask&v=belote&op=match")
    expect(page.locator("#try-figure .position")).to_be_visible()
    box = page.get_by_label("The question, to change as you like")
    typed = json.dumps({"trump": "H", "leader": 2, "cards": ["AS", "KS", "QS", "JS"]}, separators=(",", ":"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/cases/*.json", hold)
    with page.expect_request("**/cases/*.json"):
        page.get_by_label("What do you want to know?").select_option("trick-winner")
    box.fill(typed)
    for route in held:
        route.continue_()
    expect(page.locator("#try-request")).to_contain_text(typed)
    expect(box).to_have_value(typed)


STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.0, 2.5, 10_000, "", "any", "anny", "10", [], ["any"], ["any", "any"], ["trump", "any"],
    ["7S"], ["7X"], [[3]], [["A"], ["A"]], [1, 2], [9], {}, {"3": 20}, {"9": 20}, {"A": "x"},
)  # fmt: skip
FAULTY = {
    "[": "no-yaml",
    "a: 1\na: 2": "no-yaml",
    "- a": "no-mapping",
    "id: t\nbase: belotten\nruls: {}": "unknown-key",
    "id: t\nbase: belotten": "missing-key",
    "id: belote\nbase: belotten\nrules: {match.target: {value: 1}}": "bad-id",
    "id: t\nname: x\nbase: belotten\nrules: {match.target: {value: 1}}": "bad-name",
    "id: t\nbase: belotten\nrules: {match.target: {value: 51, note: 1}}": "bad-note",
    "id: t\nbase: belotten\nrules: {}": "no-rules",
    "id: t\nbase: belotten\nrules: {match.target: 51}": "no-value",
    "id: t\nbase: beloten\nrules: {match.target: {value: 51}}": "no-variant",
    "id: t\nbase: belotten+halfpoints\nrules: {match.target: {value: 51}}": "no-option",
    "id: t\nbase: belotten+half-points+half-points\nrules: {match.target: {value: 51}}": "two-options",
    "id: t\nbase: belotten\nrules: {match.targt: {value: 51}}": "no-rule",
    "id: t\nbase: belotten\nrules: {match.target: {value: many}}": "bad-value",
    "id: t\nbase: belotten\nrules: {play.void.opponent-ruffed: {value: [higher_trumps, any]}}": "bad-value",
    "id: t\nbase: belotten\nrules: {deal.packets-after-bidding: {value: [3, 3]}}": "unplayable",
    "id: t\nbase: belotten\nrules: {deal.turn-up: {value: none}}": "needs-too",
    "id: t\nbase: bela-4\nrules: {deal.seven-exchange: {value: when-turned-suit-taken}}": "idle",
}


def checked(question: dict[str, Any]) -> dict[str, Any]:
    return dict(engine("table", question))


def taken(library: Library, text: str, folder: Path) -> Any:
    path = folder / "table.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        return open_profile(str(path), library.spec)
    except BelotError:
        return None


def words_of(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for word, inner in part.items():
            yield word
            named = word in ("properties", "patternProperties", "$defs", "dependentRequired", "dependentSchemas")
            for one in inner.values() if named else inner if isinstance(inner, list) else [inner]:
                yield from words_of(one)


def test_each_fault_is_refused_by_the_loader_too(rules: dict[str, Any], library: Library, tmp_path: Path) -> None:
    for text, kind in FAULTY.items():
        assert checked({"text": text})["fault"]["kind"] == kind
        assert f"try-fault-{kind}" in site_words()
        assert taken(library, text, tmp_path) is None, text


def drawn(rules: dict[str, Any], random: Random) -> dict[str, Any]:
    base = random.choice(sorted(rules["variants"]))
    options = random.sample(sorted(rules["variants"][base]["options"]), random.choice((0, 0, 0, 1, 2)))
    changes = {}
    for rule in random.sample(sorted(rules["values"]), random.randint(1, 3)):
        played = [one["settings"][rule] for one in rules["variants"].values() if rule in one["settings"]]
        changes[rule] = random.choice([*played, *played, random.choice(STRANGE)])
    return {"base": base, "options": options, "changes": changes}


def test_tables_by_lot_are_taken_as_the_loader_does(rules: dict[str, Any], library: Library, tmp_path: Path) -> None:
    random, refused = Random(19), 0
    for _ in range(150):
        table = drawn(rules, random)
        values = {rule: {"value": value} for rule, value in table["changes"].items()}
        text = json.dumps({"id": "t", "base": "+".join([table["base"], *table["options"]]), "rules": values})
        profile, found = taken(library, text, tmp_path), checked({"text": text})
        assert ("fault" in found) == (profile is None), (text, found)
        assert ("fault" in checked(table)) == (profile is None)
        refused += profile is None
        if profile is not None:
            own = ruleset_of("+".join([table["base"], *table["options"]]), json.dumps(table["changes"])).profile
            assert {rule: one.value for rule, one in own.settings.items()} == {
                rule: one.value for rule, one in profile.settings.items()
            }
    assert 20 < refused < 130
