"""The glossary: the words of the game in Dutch and English, and what else people call them."""

from collections.abc import Iterator

from belot_site.edition import Edition
from belot_site.pages import Page
from belot_site.synonyms import entries


def glossary_pages(edition: Edition) -> Iterator[Page]:
    """Yield the glossary."""
    found = sorted(entries(edition.library), key=lambda entry: entry.name(edition.language).lower())
    yield Page("glossary", "glossary.md", edition.word("glossary"), {"entries": found}, front={"hide": ["navigation"]})
