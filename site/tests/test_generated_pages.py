"""What the generator writes, before mkdocs: everything in the spec and the cases has its place, in both languages."""

from collections import Counter
from collections.abc import Sequence

import pytest

from belot_conformance.mutants.matrix import load_matrix
from belot_reference.catalogue import LANGUAGES
from belot_reference.errors import Refusal, UnknownNameError
from belot_reference.operations import OPERATIONS
from belot_site.build import pages_of
from belot_site.edition import Edition, site_words
from belot_site.library import Library
from belot_site.navigation import menu
from belot_site.pages import Page, Printer, anchor, markdown_text, prose
from belot_site.positions import position
from belot_site.synonyms import entries, search_words, unaccented


@pytest.fixture(scope="module")
def pages(edition: Edition) -> list[Page]:
    return pages_of(edition)


def test_every_variant_rule_source_and_file_of_cases_has_a_page(pages: Sequence[Page], library: Library) -> None:
    paths = {page.path for page in pages}
    wanted = {f"variants/{name}" for name in library.spec.playable()}
    wanted |= {f"variants/{name}/print" for name in library.spec.playable()}
    wanted |= {f"rules/{name}" for name in library.spec.rules}
    wanted |= {f"sources/{name.lower()}" for name in library.spec.sources}
    wanted |= {f"cases/{path.parent.name}/{path.stem}" for path in {case.path for case in library.cases}}
    assert wanted <= paths


def test_no_two_pages_have_the_same_address(pages: Sequence[Page]) -> None:
    assert [path for path, number in Counter(page.path for page in pages).items() if number > 1] == []


def test_both_languages_have_the_same_addresses(library: Library) -> None:
    english, dutch = ([page.path for page in pages_of(Edition(library, language))] for language in LANGUAGES)
    assert english == dutch


def test_the_menu_names_only_pages_that_exist_and_every_rule_and_variant(
    edition: Edition, pages: Sequence[Page], library: Library
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


def test_a_rule_page_states_what_each_variant_plays(edition: Edition, pages: Sequence[Page], library: Library) -> None:
    printer = Printer(edition)
    for page in pages:
        if page.template == "rule.md":
            text = printer.text_of(page)
            rule = page.context["rule"].id
            for variant in library.settings(rule):
                assert str(markdown_safe(edition.stated(rule, variant))) in text, (rule, variant)


def markdown_safe(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;").replace("'", "&#39;")
    )


def test_every_hand_written_case_is_drawn_with_its_answer(edition: Edition, library: Library) -> None:
    for behaviour in library.behaviours:
        for case in () if behaviour.recorded else behaviour.cases:
            found = position(case, edition)
            assert found.figure
            if case.expected[0].kind == "rejected":
                assert all(found.answers), case.id


def test_marks_of_a_position_are_those_of_the_expected_answer(edition: Edition, library: Library) -> None:
    for case in library.cases:
        if case.operation == "legal-cards" and len(case.expected) == 1:
            figure = str(position(case, edition).figure)
            assert figure.count('data-mark="legal"') == len(case.expected[0].fields["cards"]), case.id
            assert figure.count("data-mark=") == len(case.input["hand"]), case.id


def test_each_of_the_sites_own_texts_is_in_both_languages() -> None:
    assert {
        key for key, words in site_words().items() if set(words) != set(LANGUAGES) or not all(words.values())
    } == set()


@pytest.mark.parametrize("word", ["zot", "boer", "jack", "valet", "bauer", "decko"])
def test_the_jack_is_found_by_any_of_its_names(library: Library, word: str) -> None:
    jack = next(entry for entry in entries(library) if entry.id == "rank-j")
    assert word in search_words(jack.every)


@pytest.mark.parametrize(
    ("accented", "plain"), [("štih", "stih"), ("carré", "carre"), ("cœur", "coeur"), ("troef", "troef")]
)
def test_spellings_without_accents(accented: str, plain: str) -> None:
    assert unaccented(accented) == plain


@pytest.mark.parametrize(
    ("name", "found"), [("BN-R5", "bn-r5"), ("play.void.partner-ruffed", "play-void-partner-ruffed")]
)
def test_anchors_do_not_depend_on_the_language(name: str, found: str) -> None:
    assert anchor(name) == found


def test_what_stands_in_a_text_is_never_markup() -> None:
    assert markdown_text("a*b*_c_ <i> [x]") == r"a\*b\*\_c\_ &lt;i&gt; \[x\]"
    assert prose("`filled` & <b>") == "<code>filled</code> &amp; &lt;b&gt;"


def test_a_text_that_is_missing_is_named_with_the_nearest_that_exists(edition: Edition) -> None:
    with pytest.raises(UnknownNameError, match=r"no text plyer.*player.*English and Dutch"):
        edition.word("plyer", n=1)


def test_the_figures_of_the_proof_add_up(pages: Sequence[Page], library: Library) -> None:
    proof = next(page.context for page in pages if page.path == "programmers/proof")
    assert proof["figures"]["cases"] == len(library.cases) == sum(proof["figures"]["origins"].values())
    assert sum(counts.total() for counts in proof["mutants"].values()) == proof["changes"] == len(load_matrix().rows)


def test_the_texts_of_reasons_and_operations_cover_what_the_protocol_knows(edition: Edition) -> None:
    for operation in OPERATIONS:
        assert edition.word(f"op-{operation}")
    for refusal in Refusal.__subclasses__():
        assert edition.word(f"reason-{refusal.reason}")
