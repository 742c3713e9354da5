"""What I play, chosen once: what the search then puts first, and what it puts last."""

from collections.abc import Sequence

from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.output.search import search_of
from belot_site.pages.page import SitePage
from belot_site.pages.questions import questions


def test_who_plays_a_variant_finds_its_answers_and_its_name_with_them(edition: SiteEdition) -> None:
    for variant in edition.library.variants:
        told, settings = search_of(edition, variant)["answers"], edition.library.profile(variant).settings
        asked = {f"questions/{one.id}/" for one in questions(edition.library) if one.rule in settings}
        assert told.keys() == asked | {f"rules/{rule}/" for rule in settings}
        assert all(text.startswith(f"{edition.variant_name(variant)}: ") for text in told.values())


def test_only_what_others_have_counts_for_less(edition: SiteEdition, pages: Sequence[SitePage]) -> None:
    addresses = {page.url for page in pages}
    for variant in edition.library.variants:
        found = search_of(edition, variant)
        assert {address.split("#")[0] for address in found["weights"]} <= addresses
        assert found["weights"].keys().isdisjoint(found["answers"])
        assert f"variants/{variant}/" not in found["weights"]
        assert all(0 < weight < 1 for weight in found["weights"].values())


def test_a_ruling_on_another_game_counts_for_less_and_one_that_decides_here_does_not(library: Library) -> None:
    edition = SiteEdition(library, "nl")
    own = {setting.ruling for setting in library.profile("belotten").settings.values()}
    weights = search_of(edition, "belotten")["weights"]
    assert "rulings/wb/#wb-r1" in weights or "WB-R1" in own
    for ruling in own - {None}:
        assert f"rulings/bn/#{str(ruling).lower()}" not in weights
