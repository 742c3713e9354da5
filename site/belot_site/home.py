"""The home page: what do you play? By region, by number of players, by name."""

from collections.abc import Iterator
from typing import Final

from belot_site.edition import Edition
from belot_site.pages import Page
from belot_site.questions import questions
from belot_site.variants import facts, sources_of

_MOST_ASKED: Final = 6


def home_pages(edition: Edition) -> Iterator[Page]:
    """Yield the home page."""
    library = edition.library
    regions: dict[str, list[str]] = {}
    players: dict[int, list[str]] = {}
    for variant in sorted(library.variants, key=lambda name: _elsewhere(edition, name)):
        profile = library.profile(variant)
        regions.setdefault(sources_of(profile)[0], []).append(variant)
        players.setdefault(profile.value("deal.players"), []).append(variant)
    context = {
        "regions": regions,
        "players": dict(sorted(players.items(), reverse=True)),
        "names": sorted(library.variants, key=edition.variant_name),
        "facts": facts(edition),
        "asked": questions(library)[:_MOST_ASKED],
        "figures": {
            "variants": len(library.variants),
            "rules": len(library.rules),
            "statements": sum(source.statements for source in library.spec.sources.values()),
            "cases": len(library.cases),
        },
    }
    front = {"hide": ["navigation", "toc"]}
    yield Page("index", "home.md", edition.word("home-title"), context, edition.word("tagline"), front)


def _elsewhere(edition: Edition, variant: str) -> bool:
    """Say whether the main source of a variant is in another language; what is played near the reader comes first."""
    main = sources_of(edition.library.profile(variant))[0]
    return edition.library.spec.sources[main].language != edition.language
