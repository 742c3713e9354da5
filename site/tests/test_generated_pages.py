"""What the generator writes, before mkdocs: everything in the spec and the cases has its place, in both languages."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from markupsafe import escape

import belot_reference
from belot_conformance.mistakes.killing import load_matrix
from belot_conformance.rules.reading import ruling_group, ruling_path
from belot_reference.compile import compile_profile
from belot_site.content.edition import MARKS, SiteEdition, basis_of, option_mark, site_words
from belot_site.content.library import Library
from belot_site.content.positions import position
from belot_site.output.build import menu
from belot_site.output.search import search_of
from belot_site.pages.comparison import comparison_pages
from belot_site.pages.house_rules import house_rules_data
from belot_site.pages.page import Printer, SitePage, markdown_text, prose
from belot_site.pages.programmers import api_entries, programmer_pages
from belot_site.pages.questions import VariantAnswer, answers_of, questions, read_questions
from belot_site.pages.rules import rule_pages
from belot_site.pages.variants import agreements, variant_pages
from belot_site.pages.worth import lines_of, ranking, worth_pages
from belot_spec.errors import SpecError
from belot_spec.languages import FALLBACK, LANGUAGES, Language
from belot_spec.load.worth import HANDS, KERNEL, UNIT, VariantChange, variant_worth


def test_every_variant_rule_source_and_file_of_cases_has_a_page(
    pages_in: Callable[[Language], list[SitePage]], library: Library
) -> None:
    paths = {page.path for page in pages_in(FALLBACK)}
    wanted = {f"variants/{name}" for name in library.spec.playable()}
    wanted |= {f"variants/{name}/print" for name in library.spec.playable()}
    wanted |= {f"rules/{name}" for name in library.spec.rules}
    wanted |= {f"sources/{name.lower()}" for name in library.spec.sources}
    wanted |= {f"cases/{path.parent.name}/{path.stem}" for path in {case.path for case in library.cases}}
    assert wanted <= paths


def test_the_library_page_tells_every_promised_name() -> None:
    entries = api_entries()
    assert {entry.name for entry in entries} == set(belot_reference.__all__)
    every = [one for entry in entries for one in (entry, *entry.members)]
    assert all(one.paragraphs[0].endswith((".", ":")) for one in every)
    assert {"Game.apply", "Game.legal_actions", "Game.view"} <= {one.name for one in every}
    told = {one.name: one.signature for one in every}
    assert told["Game.legal_actions"] == (
        "legal_actions(\n    seat: int | None = None,\n    *,\n    looks: bool = False,\n) -> tuple[Action, ...]"
    )
    assert told["Game.contract"] == "contract: Contract | None"


def test_a_ruling_stands_on_the_pages_of_the_rules_that_it_touches(
    texts: Mapping[str, str], edition: SiteEdition, library: Library
) -> None:
    touching = [ruling for ruling in library.spec.rulings.values() if ruling.rules]
    assert touching
    for ruling in touching:
        link = f'{ruling_path(ruling.id)}">'
        assert all(link in texts[f"rules/{rule}"] for rule in ruling.rules)
        if edition.language == FALLBACK:
            own = texts[f"rulings/{ruling_group(ruling.id)}"]
            assert all(f"rules/{rule}/" in own for rule in ruling.rules)


def test_the_menu_names_pages_that_exist(edition: SiteEdition, pages: Sequence[SitePage], library: Library) -> None:
    def files(item: object) -> list[str]:
        if isinstance(item, str):
            return [item]
        inside = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        return [name for part in inside for name in files(part)]

    named = files(menu(edition, pages))
    assert set(named) <= {page.file for page in pages}
    assert {f"rules/{rule}.md" for rule in library.spec.rules} <= set(named)
    assert {f"variants/{variant}.md" for variant in library.spec.playable()} <= set(named)


def test_a_rule_page_states_what_each_variant_plays(
    edition: SiteEdition, pages: Sequence[SitePage], texts: Mapping[str, str], library: Library
) -> None:
    for page in pages:
        if page.template == "rule.md":
            text = texts[page.path]
            rule = page.context["rule"].id
            for variant in library.settings(rule):
                assert escape(edition.stated(rule, variant)) in text, (rule, variant)


def test_the_comparison_tells_every_value_in_few_words_with_what_options_change(
    edition: SiteEdition, pages: Sequence[SitePage], library: Library
) -> None:
    context = next(page for page in pages if page.path == "compare").context
    rows = [row for rows in context["topics"].values() for row in rows]
    assert {row.rule.id for row in rows} == set(library.spec.rules)
    for row in rows:
        for cell in row.cells:
            played = library.settings(row.rule.id)
            assert (cell.number == 0) == (cell.variant not in played) == bool(cell.instead), (row.rule.id, cell.variant)
            assert 0 < len(cell.short) <= 24, (row.rule.id, cell.variant)
            assert cell.instead == "" or cell.instead in library.profile(cell.variant).settings
    told = {(note.rule, name, note.option) for note in context["notes"] for name in note.variants}
    changed = {
        (rule, name, option.id)
        for name in library.variants
        for option in library.spec.options_of(name).values()
        for rule in library.changed_by(name, option)
    }
    assert told == changed


def test_what_to_agree_on_is_never_what_is_played_anyway(edition: SiteEdition, library: Library) -> None:
    for variant in library.variants:
        for point in (*(found := agreements(edition, variant))[0], *found[1]):
            ways = [sentence for sentence, *_ in point.otherwise]
            assert ways, (variant, point.rule.id)
            assert point.sentence not in ways, (variant, point.rule.id)


def test_the_sheet_offers_what_changes(edition: SiteEdition, texts: Mapping[str, str], library: Library) -> None:
    for variant in library.variants:
        sheet = texts[f"variants/{variant}/print"]
        boxes = sheet[sheet.index('<ul class="boxes">') :]
        cards = len(library.profile(variant).value("deck.trump-order"))
        assert sheet.count('<svg class="card"') == 2 * cards, variant
        for option in library.spec.options_of(variant).values():
            changes = bool(library.changed_by(variant, option))
            box = f"<li>{escape(edition.text(option.title))}"
            assert any(box + end in boxes for end in ("</li>", "&NoBreak;<sup>")) == changes, (variant, option.id)


def test_every_hand_written_case_is_drawn_with_its_answer(edition: SiteEdition, library: Library) -> None:
    for behaviour in library.behaviours:
        for case in () if behaviour.recorded else behaviour.cases:
            found = position(case, edition)
            assert found.figure
            if case.expected[0].kind == "rejected":
                assert all(found.answers), case.id


def test_marks_of_a_position_are_those_of_the_expected_answer(edition: SiteEdition, library: Library) -> None:
    for case in library.cases:
        if case.operation == "legal-cards" and len(case.expected) == 1:
            figure = str(position(case, edition).figure)
            assert figure.count('data-mark="legal"') == len(case.expected[0].fields["cards"]), case.id
            assert figure.count("data-mark=") == len(case.input["hand"]), case.id


def test_each_of_the_sites_own_texts_is_in_english_for_programmers_or_in_every_language() -> None:
    told = site_words().items()
    assert {
        key for key, words in told if {*words} not in ({FALLBACK}, {*LANGUAGES}) or not all(words.values())
    } == set()


def test_what_stands_in_a_text_is_never_markup() -> None:
    assert markdown_text("a*b*_c_ <i> [x]") == r"a\*b\*\_c\_ &lt;i&gt; \[x\]"
    assert markdown_text('the leader\'s "side"') == 'the leader\'s "side"'
    assert prose("`filled` & <b>") == "<code>filled</code> &amp; &lt;b&gt;"


def test_the_figures_of_the_proof_add_up(english: SiteEdition, library: Library) -> None:
    proof = next(page.context for page in programmer_pages(english) if page.path == "programmers/proof")
    assert proof["figures"]["cases"] == len(library.cases) == sum(proof["figures"]["origins"].values())
    assert sum(counts.total() for counts in proof["mutants"].values()) == proof["changes"] == len(load_matrix().rows)


def test_the_comparison_puts_first_what_matters_most_by_what_it_is_worth(edition: SiteEdition) -> None:
    page = next(comparison_pages(edition))
    for rows in page.context["topics"].values():
        assert [row.weight for row in rows] == sorted((row.weight for row in rows), reverse=True)
    assert any(row.worth > 0 for rows in page.context["topics"].values() for row in rows)
    first = [rows[0].worth for rows in page.context["topics"].values()]
    assert first == sorted(first, reverse=True)


def test_a_claim_is_drawn_with_the_score_that_it_hangs_on(edition: SiteEdition, library: Library) -> None:
    claims = [case for case in library.cases if case.operation == "replay" and any(case.input.get("totals", ()))]
    assert "bc-0239" in {case.id for case in claims}
    for case in (case for case in claims if case.origin != "derived"):
        drawn = position(case, edition).figure
        before = drawn[: drawn.index("<ol")] if "<ol" in drawn else drawn
        assert all(re.search(rf": {total}\b", before) for total in case.input["totals"]), case.id


def test_pages_for_players_show_no_name_that_only_a_program_needs(texts: Mapping[str, str], library: Library) -> None:
    options = {option for name in library.variants for option in library.spec.options_of(name)}
    for path, whole in texts.items():
        text = re.sub(r"<details.*?</details>", "", whole, flags=re.DOTALL)
        assert [option for option in options if f"+{option}" in text] == [], path
        assert re.findall(r"\[\w+_\w+[^\]]*\]|\b(?:[Ss]eats?|[Pp]laats(?:en)?) \d", text) == [], path


def test_pages_say_what_players_say(pages: Sequence[SitePage], edition: SiteEdition, library: Library) -> None:
    printer, common = Printer(edition), library.spec.glossary.terms["belote"][edition.language]
    names = "|".join(re.escape(edition.variant_name(name)) for name in library.variants)
    other_words = re.compile(r'<dl class="words">.*?</dl>|<code>.*?</code>|<[^>]*>|{:.*?}' + f"|{names}", re.DOTALL)
    seen = 0
    for page in pages:
        if (
            page.path.startswith("variants/")
            and page.profile
            and library.profile(page.profile).value("presentation.king-and-queen") == "bela"
        ):
            seen += 1
            told = other_words.sub("", printer.text_of(page).partition("---\n\n")[2])
            assert not re.search(rf"\b{common}\b", told, re.IGNORECASE), page.path
            # The game that is called Belote keeps its name, also where bela is spoken of.
            assert '/variants/belote/">Bela<' not in told
    assert seen > 4 * len(("page", "print", "learn", "questions"))


def test_every_rule_can_be_tried(texts: Mapping[str, str], library: Library) -> None:
    tabs = {rule: set(re.findall(r"try/\?tab=(\w+)\"", texts[f"rules/{rule}"])) for rule in library.spec.rules}
    assert all(len(found) == 1 for found in tabs.values())
    assert {found for some in tabs.values() for found in some} == {"may", "best", "sheet", "deal"}


def test_every_question_says_what_its_answers_rest_on(edition: SiteEdition, texts: Mapping[str, str]) -> None:
    for question in questions(edition.library):
        sources = "".join(
            re.findall(r'<details class="sources".*?</details>', texts[f"questions/{question.id}"], re.DOTALL)
        )
        for variant in edition.variants:
            way = question.way_of(edition.library.profile(variant))
            rulings = basis_of(edition, way.rules, variant).rulings if way else ()
            assert all(f">{ruling}<" in sources for ruling in rulings), (question.id, variant)


@pytest.mark.parametrize(("variant", "question", "said"), [
    ("belotten", "ruff-for-partner", "Nee: kun je in een gewone kleur niet volgen"),
    ("bela-4", "ruff-for-partner", "Ja: kun je in een gewone kleur niet volgen"),
    ("belote", "square-or-sequence", "Ja: om toon te vergelijken"),
    ("bulgarian-belot", "square-or-sequence", "Nee: carrés worden enkel met carrés vergeleken"),
    ("bulgarian-belot", "cards-at-all-trumps", "Troeven, en bij alles troef de kaarten van elke kleur"),
    ("coinche", "bid-of-eighty", "Nee: de kant van de vrager haalt het als haar"),
    ("coinche", "exactly-half", "Haalt de kant van de vrager haar bod"),
])  # fmt: skip
def test_an_answer_is_one_sentence_by_the_value_of_its_rule(
    library: Library, variant: str, question: str, said: str
) -> None:
    edition = SiteEdition(library, "nl")
    found = search_of(edition, variant)["answers"][f"questions/{question}/"]
    assert found.startswith(f"{edition.variant_name(variant)}: {said}")
    assert not re.search("[°*†✓✗]", "".join(search_of(edition, variant)["answers"].values()))


def test_a_basis_has_the_statuses_of_its_rules_and_all_options_that_change_them(edition: SiteEdition) -> None:
    library = edition.library
    for variant in library.variants:
        for rule, setting in library.profile(variant).settings.items():
            basis = basis_of(edition, [rule], variant)
            assert basis.mark == MARKS[setting.status]
            options = library.spec.options_of(variant).values()
            changing = [option.id for option in options if rule in library.changed_by(variant, option)]
            assert [other.option for other in basis.others] == changing


def test_what_no_source_says_is_marked_before_the_game(edition: SiteEdition) -> None:
    built = house_rules_data(edition)
    rules = {rule["id"]: rule for rule in built["rules"]}
    met = 0
    for variant in edition.library.variants:
        told = built["variants"][variant]
        agreed = {one.rule.id: one for one in agreements(edition, variant)[0]}
        for option in edition.library.spec.options_of(variant).values():
            for rule in edition.library.changed_by(variant, option):
                setting = option.settings[rule]
                if setting.ruling != "G-23":
                    continue
                met += 1
                title = edition.text(option.title)
                assert any(title in who and mark == "*" for _, who, mark in agreed[rule].otherwise), (variant, rule)
                assert told["options"][option.id]["mark"] == "*"
                assert told["marks"][rule][rules[rule]["values"].index(setting.value)] == "*"
    assert met


def test_the_printed_sheet_marks_readings_and_options(edition: SiteEdition, texts: Mapping[str, str]) -> None:
    library = edition.library
    for variant in library.variants:
        text = texts[f"variants/{variant}/print"]
        sentence = str(escape(edition.at(variant).stated("play.void.opponent-winning", variant)))
        line = text.partition(sentence)[2].partition("</li>")[0]
        basis = basis_of(edition, ["play.void.opponent-winning"], variant)
        marks = basis.mark + ("†" if basis.others else "")
        assert (f"<sup>{marks}</sup>" in line) == bool(marks), variant
        boxes = text.partition('class="boxes"')[2]
        for option in library.spec.options_of(variant).values():
            if library.changed_by(variant, option):
                marked = f"<sup>{option_mark(option)}</sup>" if option_mark(option) else ""
                told = escape(edition.at(variant).text(option.title))
                assert re.search(rf"<li>{re.escape(str(told))}(\u2060|&NoBreak;)?{re.escape(marked)}</li>", boxes), (
                    option.id
                )
        assert edition.word("sheet-foot") in text


@pytest.fixture(scope="module")
def found(edition: SiteEdition) -> Mapping[str, Sequence[VariantAnswer]]:
    return {variant: answers_of(edition, variant) for variant in edition.library.variants}


def test_each_of_twenty_answers_and_more_is_the_variants_own_with_a_position_that_pins_it_there(
    found: Mapping[str, Sequence[VariantAnswer]], edition: SiteEdition
) -> None:
    for variant, answers in found.items():
        assert len(answers) >= 20, variant
        settings = edition.library.profile(variant).settings
        for answer in answers:
            rule = answer.rules[0]
            assert answer.setting is settings[rule]
            assert answer.answer.sentence == edition.stated(rule, variant)
            assert answer.case.profile == variant, (variant, answer.question.id)
            assert {*answer.rules} & {*answer.case.rules}, (variant, answer.question.id)
            assert "<" in answer.drawn.figure


def test_the_chosen_case_is_the_one_drawn(found: Mapping[str, Sequence[VariantAnswer]], library: Library) -> None:
    drawn = {question.id: set[str]() for question in questions(library)}
    for answers in found.values():
        for answer in answers:
            drawn[answer.question.id].add(answer.case.id)
    assert all(drawn.values()), "every question is answered by some variant"
    assert [question.id for question in questions(library) if not question.shown <= drawn[question.id]] == []


def test_the_page_of_a_question_tells_every_variant_that_has_it_and_each_has_its_place_with_the_variant(
    texts: Mapping[str, str], edition: SiteEdition, library: Library
) -> None:
    for question in questions(library):
        text = texts[f"questions/{question.id}"]
        for variant in edition.variants:
            if not (way := question.way_of(library.profile(variant))):
                continue
            assert f">{escape(edition.variant_name(variant))}</a>" in text, (question.id, variant)
            assert str(escape(edition.stated(way.rule, variant)[1:])) in text, (question.id, variant)
            if any(one.question is question for one in answers_of(edition, variant)):
                assert f'id="{question.id}"' in texts[f"variants/{variant}/questions"], (question.id, variant)


RIGHT = """
one:
  ask: {en: "Must I?", nl: "Moet ik?", fr: "Dois-je ?"}
  rules: [play.lead]
  shown: [bc-0035]
  words: {en: [lead], nl: [uitkomen], fr: [entamer]}
"""


@pytest.mark.parametrize(("right", "wrong", "message"), [
    ("play.lead", "play.leed", "there is no rule play.leed; did you mean play.lead?"),
    ("Moet ik?", "Moet ik.", "a question ends with a question mark"),
    (", nl: [uitkomen]", "", "a question has ask, rules, words, in every language"),
    ("[lead]", "[lead, 252]", "252 is a number; put it in quotes"),
    ("shown:", '"yes": [[all]]\n  shown:', 'play.lead has no value ["all"]'),
    ("bc-0035", "bc-0036", "bc-0036 is no case that a person wrote for play.lead"),
    ("rules:", "rule:", "a question has ask, rules, words, in every language"),
])  # fmt: skip
def test_what_nobody_can_ask_is_refused(library: Library, tmp_path: Path, right: str, wrong: str, message: str) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(RIGHT.replace(right, wrong), encoding="utf-8")
    with pytest.raises(SpecError, match=r"questions\.yaml:\d+: ") as caught:
        read_questions(path, library)
    assert message in str(caught.value)


def measured(edition: SiteEdition) -> list[str]:
    return [one for one in edition.library.variants if variant_worth(edition.library.spec, one).changes]


def test_every_variant_is_measured(english: SiteEdition) -> None:
    layout = pytest.importorskip("belot_kernel.layout", reason="the extra [fast] is not installed")
    rules = {one: compile_profile(english.library.spec.profile(one)) for one in english.library.variants}
    simulated = [one for one in rules if layout.not_for_kernel(rules[one]) is None]
    missing = [one for one in simulated if one not in measured(english)]
    assert missing == [], f'what these rules are worth is to be written: make worth WORTH="--profile {missing[0]}"'


def test_a_variant_that_was_not_simulated_says_so_and_no_other(edition: SiteEdition) -> None:
    printer = Printer(edition)
    pages = [page for page in variant_pages(edition) if page.template == "variant.md"]
    told = {page.profile for page in pages if edition.word("matters-none") in printer.text_of(page)}
    assert told == {*edition.library.variants} - {*measured(edition)}


def test_every_measured_variant_has_its_ranking_that_matters_most_first(edition: SiteEdition) -> None:
    printer = Printer(edition)
    pages = {page.path: page for page in worth_pages(edition)}
    assert set(pages) == {f"variants/{variant}/matters" for variant in measured(edition)}
    for variant in measured(edition):
        rows = ranking(edition, variant)
        figures = [row["sensible"] for row in rows if row["sensible"] is not None]
        shares = [float(figure.replace(",", ".")) for figure in figures]
        assert len(shares) == len(rows)
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0
        told = printer.text_of(pages[f"variants/{variant}/matters"])
        assert f"<td>{figures[0]}</td>" in told
        assert rows[-1]["title"] in told or rows[-1]["rule"] in told


def test_what_was_not_measured_is_named_with_its_reason(english: SiteEdition, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = variant_worth(english.library.spec, "belotten")
    target = VariantChange(None, "match.target", 777)
    left_out = {
        HANDS: (VariantChange("half-points", None, None),),
        UNIT: (target,),
        KERNEL: (replace(target, value=888),),
    }
    monkeypatch.setattr("belot_site.pages.worth.variant_worth", lambda *_: replace(kept, left_out=left_out))
    told = Printer(english).text_of(next(iter(worth_pages(english))))
    for reason, what in (("units", "777"), ("kernel", "888"), ("uncompared", "Half points")):
        section = told.split("{: #" + reason + " }")[1].split("##")[0]
        assert what in section
        assert english.word(f"matters-{reason}-lead") in section


def test_a_rule_that_is_measured_says_so_on_its_page(english: SiteEdition) -> None:
    printer = Printer(english)
    page = next(page for page in rule_pages(english) if page.path == "rules/play.void.opponent-winning")
    told = printer.text_of(page)
    lines = lines_of(english, "play.void.opponent-winning")
    # With --options-only no single rule is simulated.
    known = {name: variant_worth(english.library.spec, name) for name in measured(english)}
    assert lines.keys() == {name for name, worth in known.items() if any(one.rule for one in worth.changes)}
    assert all("the result changes in" in line and line in told for line in lines.values())
