"""What the generator writes, before mkdocs: everything in the spec and the cases has its place, in both languages."""

import json
from collections.abc import Mapping, Sequence

import pytest

import belot_reference
from belot_conformance.mistakes.killing import load_matrix
from belot_conformance.rules.reading import ruling_group, ruling_path
from belot_reference.errors import Refusal
from belot_reference.operations import OPERATIONS
from belot_reference.sentences import REASONS
from belot_site.content.edition import SiteEdition, lettered, site_words
from belot_site.content.library import Library
from belot_site.output.menu import menu
from belot_site.pages import api
from belot_site.pages.comparison import comparison_pages
from belot_site.pages.page import Printer, SitePage, markdown_text, prose
from belot_site.pages.variants import agreements
from belot_site.pictures.positions import position
from belot_spec.languages import COMPLETE


def test_every_variant_rule_source_and_file_of_cases_has_a_page(pages: Sequence[SitePage], library: Library) -> None:
    paths = {page.path for page in pages}
    wanted = {f"variants/{name}" for name in library.spec.playable()}
    wanted |= {f"variants/{name}/print" for name in library.spec.playable()}
    wanted |= {f"rules/{name}" for name in library.spec.rules}
    wanted |= {f"sources/{name.lower()}" for name in library.spec.sources}
    wanted |= {f"cases/{path.parent.name}/{path.stem}" for path in {case.path for case in library.cases}}
    assert wanted <= paths


def test_the_library_page_tells_every_promised_name_in_both_languages() -> None:
    english, dutch = (api.entries(language) for language in COMPLETE)
    assert {entry.name for entry in english} == set(belot_reference.__all__)
    every = [one for entry in english for one in (entry, *entry.members)]
    assert {one.name for one in every} == api.dutch().keys()
    assert all(one.paragraphs[0].endswith((".", ":")) for one in every)
    assert {"Game.apply", "Game.legal_actions", "Game.view"} <= {one.name for one in every}
    told = {one.name: one.signature for one in every}
    assert told["Game.legal_actions"] == (
        "legal_actions(\n    seat: int | None = None,\n    *,\n    looks: bool = False,\n) -> tuple[Action, ...]"
    )
    assert told["Game.contract"] == "contract: Contract | None"
    pairs = zip(english, dutch, strict=True)
    assert all(one.paragraphs != other.paragraphs and one.signature == other.signature for one, other in pairs)


def test_a_ruling_stands_on_the_pages_of_the_rules_that_it_touches(texts: Mapping[str, str], library: Library) -> None:
    touching = [ruling for ruling in library.spec.rulings.values() if ruling.rules]
    assert touching
    for ruling in touching:
        link = f'{ruling_path(ruling.id)}">'
        assert all(link in texts[f"rules/{rule}"] for rule in ruling.rules)
        own = texts[f"rulings/{ruling_group(ruling.id)}"]
        assert all(f"rules/{rule}/" in own for rule in ruling.rules)


def test_the_menu_names_only_pages_that_exist_and_every_rule_and_variant(
    edition: SiteEdition, pages: Sequence[SitePage], library: Library
) -> None:
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
                assert str(markdown_safe(edition.stated(rule, variant))) in text, (rule, variant)


def markdown_safe(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;").replace("'", "&#39;")
    )


def test_a_rule_differs_only_if_two_variants_have_another_value_for_it(library: Library) -> None:
    for rule in library.rules:
        values = [json.dumps(setting.value, sort_keys=True) for setting in library.settings(rule.id).values()]
        everywhere = len(values) == len(library.variants)
        wanted = "differs" if len(set(values)) > 1 else "same" if everywhere else "partly"
        assert library.contrast(rule.id) == wanted, rule.id
    assert all(library.contrasts.values()), "the spec has rules of every kind, so each is tried here"
    assert sum(library.contrasts.values()) == len(library.rules)


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


def test_the_sheet_to_print_offers_only_options_that_change_something(
    edition: SiteEdition, pages: Sequence[SitePage], library: Library
) -> None:
    printer = Printer(edition)
    for variant in library.variants:
        sheet = printer.text_of(next(page for page in pages if page.path == f"variants/{variant}/print"))
        boxes = sheet[sheet.index('<ul class="boxes">') :]
        for option in library.spec.options_of(variant).values():
            changes = bool(library.changed_by(variant, option))
            box = f"<li>{markdown_safe(edition.text(option.title))}"
            assert any(box + end in boxes for end in ("</li>", "&NoBreak;<sup>")) == changes, (variant, option.id)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Seat 0 wins.", "Seat A wins."),
        ("plaats 0 en 3, plaats 1 komt uit", "plaats A en D, plaats B komt uit"),
        ("seats 0, 1 and 2 have 3 tricks", "seats A, B and C have 3 tricks"),
        ("in seat 0, 3 points more", "in seat A, 3 points more"),
    ],
)
def test_seats_are_called_by_letters(told: str, shown: str) -> None:
    assert lettered(told) == shown


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


def test_each_of_the_sites_own_texts_is_in_both_languages() -> None:
    assert {
        key for key, words in site_words().items() if not set(words) >= set(COMPLETE) or not all(words.values())
    } == set()


def test_what_stands_in_a_text_is_never_markup() -> None:
    assert markdown_text("a*b*_c_ <i> [x]") == r"a\*b\*\_c\_ &lt;i&gt; \[x\]"
    assert markdown_text('the leader\'s "side"') == 'the leader\'s "side"'
    assert prose("`filled` & <b>") == "<code>filled</code> &amp; &lt;b&gt;"


def test_the_figures_of_the_proof_add_up(pages: Sequence[SitePage], library: Library) -> None:
    proof = next(page.context for page in pages if page.path == "programmers/proof")
    assert proof["figures"]["cases"] == len(library.cases) == sum(proof["figures"]["origins"].values())
    assert sum(counts.total() for counts in proof["mutants"].values()) == proof["changes"] == len(load_matrix().rows)


def test_the_texts_of_reasons_and_operations_cover_what_the_protocol_knows(edition: SiteEdition) -> None:
    for operation in OPERATIONS:
        assert edition.word(f"op-{operation}")
    for refusal in Refusal.__subclasses__():
        assert edition.text(REASONS[refusal.reason])


def test_the_comparison_puts_first_what_matters_most_by_what_it_is_worth(edition: SiteEdition) -> None:
    page = next(comparison_pages(edition))
    for rows in page.context["topics"].values():
        assert [row.weight for row in rows] == sorted((row.weight for row in rows), reverse=True)
    assert any(row.worth > 0 for rows in page.context["topics"].values() for row in rows)
    first = [rows[0].worth for rows in page.context["topics"].values()]
    assert first == sorted(first, reverse=True)


def test_two_variants_are_as_far_apart_both_ways_and_no_share_is_told_where_nothing_was_measured(
    edition: SiteEdition,
) -> None:
    found = next(comparison_pages(edition)).context["distances"]
    for (one, other), far in found.items():
        assert far == found[other, one]
        assert far.measured <= far.rules
        assert (far.otherwise is None) == (far.measured == 0)
        assert far.otherwise is None or 0 <= far.otherwise <= 100
