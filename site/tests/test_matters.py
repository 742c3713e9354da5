"""What the rules are worth, as the site tells it: ranked, in both languages, and only what still holds."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from belot_reference.compile import compile_profile
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.page import Printer
from belot_site.pages.rules import rule_pages
from belot_site.pages.variants import variant_pages
from belot_site.pages.worth import lines_of, ranking, worth_pages
from belot_spec.load.worth import HANDS, KERNEL, UNIT, VariantChange, variant_worth
from belot_spec.spec import Spec
from belot_spec.variants import Setting


@pytest.fixture
def english(library: Library) -> SiteEdition:
    return SiteEdition(library, "en")


def measured(edition: SiteEdition) -> list[str]:
    return [one for one in edition.library.variants if variant_worth(edition.library.spec, one).changes]


def test_every_variant_is_measured(english: SiteEdition) -> None:
    layout = pytest.importorskip("belot_reference.batch.layout", reason="the extra [fast] is not installed")
    edition = english
    rules = {one: compile_profile(edition.library.spec.profile(one)) for one in edition.library.variants}
    simulated = [one for one in rules if layout.not_for_kernel(rules[one]) is None]
    missing = [one for one in simulated if one not in measured(edition)]
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
        figures = [row.sensible for row in rows if row.sensible is not None]
        shares = [float(figure.replace(",", ".")) for figure in figures]
        assert len(shares) == len(rows)
        assert shares == sorted(shares, reverse=True)
        assert shares[0] > 0
        told = printer.text_of(pages[f"variants/{variant}/matters"])
        assert f"<td>{figures[0]}</td>" in told
        assert rows[-1].title in told or rows[-1].rule in told


def test_the_first_rows_are_what_people_play(english: SiteEdition) -> None:
    edition = english
    spec = edition.library.spec
    for variant in measured(edition):
        rows, own = ranking(edition, variant), edition.at(variant)
        for row in rows:
            shorts = {own.short(row.rule, place[row.rule].value) for place in _places(spec) if row.rule in place}
            assert not row.rule or row.instead in shorts, (variant, row)
        assert not {row.rule for row in rows} & {"match.target", "scoring.sheet-unit", "deal.turn-up"}
        options = {own.text(option.title) for option in spec.options_of(variant).values()}
        assert {row.title for row in rows if not row.rule} <= options


def _places(spec: Spec) -> list[Mapping[str, Setting]]:
    variants = [spec.profile(variant).settings for variant in spec.playable()]
    return [
        *variants,
        *(option.settings for variant in spec.playable() for option in spec.options_of(variant).values()),
    ]


def test_what_was_not_measured_is_named_with_its_reason(english: SiteEdition, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = english
    kept = variant_worth(edition.library.spec, "belotten")
    target = VariantChange(None, "match.target", 777)
    left_out = {
        HANDS: (VariantChange("half-points", None, None),),
        UNIT: (target,),
        KERNEL: (replace(target, value=888),),
    }
    monkeypatch.setattr("belot_site.pages.worth.variant_worth", lambda *_: replace(kept, left_out=left_out))
    told = Printer(edition).text_of(next(iter(worth_pages(edition))))
    for reason, what in (("units", "777"), ("kernel", "888"), ("uncompared", "Half points")):
        section = told.split("{: #" + reason + " }")[1].split("##")[0]
        assert what in section
        assert edition.word(f"matters-{reason}-lead") in section


def test_a_rule_that_is_measured_says_so_on_its_page(english: SiteEdition) -> None:
    edition = english
    printer = Printer(edition)
    page = next(page for page in rule_pages(edition) if page.path == "rules/play.void.opponent-winning")
    told = printer.text_of(page)
    lines = lines_of(edition, "play.void.opponent-winning")
    assert lines.keys() == set(measured(edition))
    assert all("the result changes in" in line and line in told for line in lines.values())


def test_figures_of_other_rules_are_not_told(english: SiteEdition, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = english
    monkeypatch.setattr("belot_spec.load.worth.EDITION", 0)
    variant_worth.cache_clear()
    try:
        assert not list(worth_pages(edition))
        assert not lines_of(edition, "scoring.tie")
    finally:
        variant_worth.cache_clear()
