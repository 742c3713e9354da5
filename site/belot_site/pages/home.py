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
        "regions": grouped((library.home_sources[variant], variant) for variant in edition.variants),
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
