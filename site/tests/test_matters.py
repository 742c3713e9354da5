"""What the rules are worth, as the site tells it: ranked, in both languages, and only what still holds."""

import pytest

from belot_site.edition import Edition
from belot_site.library import Library
from belot_site.pages import Printer
from belot_site.rules import rule_pages
from belot_site.worth import lines_of, ranking, worth_pages
from belot_spec.catalogue import LANGUAGES, Language
from belot_spec.worth import variant_worth


@pytest.fixture(scope="module")
def editions() -> dict[Language, Edition]:
    library = Library()
    return {language: Edition(library, language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_variant_has_its_ranking_that_matters_most_first(
    editions: dict[Language, Edition], language: Language
) -> None:
    edition = editions[language]
    printer = Printer(edition)
    pages = {page.path: page for page in worth_pages(edition)}
    assert set(pages) == {f"variants/{variant}/matters" for variant in edition.library.variants}
    for variant in edition.library.variants:
        rows = ranking(edition, variant)
        shares = [float(row.sensible.split()[0].replace(",", ".")) for row in rows]
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0
        told = printer.text_of(pages[f"variants/{variant}/matters"])
        assert rows[0].sensible in told
        assert rows[-1].title in told or rows[-1].rule in told


def test_a_rule_that_is_measured_says_so_on_its_page(editions: dict[Language, Edition]) -> None:
    edition = editions["en"]
    printer = Printer(edition)
    page = next(page for page in rule_pages(edition) if page.path == "rules/play.void.opponent-winning")
    told = printer.text_of(page)
    lines = lines_of(edition, "play.void.opponent-winning")
    assert {line.variant for line in lines} == set(edition.library.variants)
    assert all("ends otherwise" in line.sentence and line.sentence in told for line in lines)


def test_figures_of_other_rules_are_not_told(
    editions: dict[Language, Edition], monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = editions["en"]
    monkeypatch.setattr("belot_spec.worth.EDITION", 0)
    variant_worth.cache_clear()
    try:
        assert not list(worth_pages(edition))
        assert not lines_of(edition, "scoring.tie")
    finally:
        variant_worth.cache_clear()
