"""The home page: what do you play? What people argue about, and each game in its region."""

from collections.abc import Iterator
from typing import Final

from belot_site.content.edition import SiteEdition
from belot_site.content.library import grouped
from belot_site.pages.page import SitePage
from belot_site.pages.questions import comes_up, questions
from belot_site.pages.variants import facts

_MOST_ASKED: Final = 6


def home_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the home page."""
    library = edition.library
    context = {
        "regions": _regions(edition),
        "facts": facts(edition),
        "elsewhere": [name for name in edition.all_variants if name not in edition.variants],
        "asked": [one for one in questions(library) if comes_up(edition, one)][:_MOST_ASKED],
        "figures": {
            "variants": len(library.variants),
            "rules": len(library.rules),
            "statements": sum(source.statements for source in library.spec.sources.values()),
            "cases": len(library.cases),
        },
    }
    front = {"hide": ["navigation", "toc"]}
    yield SitePage("index", "home.md", edition.word("home-title"), context, edition.word("tagline"), front)


def _regions(edition: SiteEdition) -> dict[str, list[str]]:
    """Return the variants by the first source of their region: two sources may tell of games of one region."""
    library = edition.library
    first: dict[str, str] = {}

    def home(variant: str) -> str:
        source = library.home_sources[variant]
        return first.setdefault(edition.text(library.spec.sources[source].region), source)

    return grouped((home(variant), variant) for variant in edition.variants)
