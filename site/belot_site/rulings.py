"""The rulings: how each ambiguous or mistaken statement is read, by source, with the readings that are refused."""

from collections.abc import Iterator

from belot_conformance.rules.reading import ruling_group
from belot_site.edition import Edition
from belot_site.pages import Page
from belot_spec.register import Ruling


def ruling_pages(edition: Edition) -> Iterator[Page]:
    """Yield the list of rulings, and a page for each group of them."""
    groups: dict[str, list[Ruling]] = {}
    for ruling in edition.library.spec.rulings.values():
        groups.setdefault(ruling_group(ruling.id), []).append(ruling)
    yield Page("rulings/index", "rulings.md", edition.word("rulings"), {"groups": groups})
    for group, rulings in groups.items():
        title = edition.word(f"rulings-{group}")
        yield Page(f"rulings/{group}", "rulings_of.md", title, {"rulings": rulings})
