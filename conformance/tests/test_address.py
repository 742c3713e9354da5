"""Where the project can be had is said in one place, and every page says it, or what works without."""

from pathlib import Path

import pytest

from belot_spec.files import read_text
from belot_workshop.releases.address import PAGES, Address, AddressError, filled_in, write_addresses

HOSTED = Address("https://example.org/belot", "https://example.org/rules", "0.1.0")
NOWHERE = Address("", "", "0.1.0")
PLACEHOLDERS = ("ADDRESS", "ADRES-", "example.org", "TODO")


def test_the_pages_say_what_pyproject_says(root: Path) -> None:
    place = Address.of(read_text(root / "pyproject.toml"))
    for page in PAGES:
        text = read_text(root / page)
        assert filled_in(text, place) == text, f"{page}: run belot lab addresses"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_the_address_where_there_is_one_and_else_what_works_without(page: str, root: Path) -> None:
    text = read_text(root / page)
    hosted, nowhere = filled_in(text, HOSTED), filled_in(text, NOWHERE)
    assert "https://example.org/" in hosted
    assert not [word for word in PLACEHOLDERS if word in nowhere]
    assert filled_in(hosted, NOWHERE) == nowhere
    assert filled_in(nowhere, HOSTED) == hosted


def test_an_address_is_read_from_the_project_and_a_passage_that_nobody_can_fill_in_is_named() -> None:
    text = '[project]\nversion = "1.2.0"\n[project.urls]\nRepository = "https://example.org/b/"\n'
    assert Address.of(text) == Address("https://example.org/b", "", "1.2.0")
    assert Address.of(text).requirement == "belot-conformance @ git+https://example.org/b@v1.2.0"
    assert Address("", "", "1.2.0").requirement == "./belot_conformance-1.2.0-py3-none-any.whl"
    with pytest.raises(AddressError, match="no passage 'instal' about the address"):
        filled_in("<!-- address: instal -->\n<!-- end -->", NOWHERE)


def test_only_the_pages_that_change_are_written(tmp_path: Path, root: Path) -> None:
    for page in PAGES:
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / page).write_text(read_text(root / page), encoding="utf-8")
    assert write_addresses(tmp_path, HOSTED) == list(PAGES)
    assert write_addresses(tmp_path, HOSTED) == []
