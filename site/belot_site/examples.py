"""The worked examples that the sources give themselves, one page a source."""

from collections.abc import Iterator

from belot_conformance.suite.cases import Case
from belot_site.edition import Edition
from belot_site.pages import Page
from belot_site.positions import Position, position


def example_pages(edition: Edition) -> Iterator[Page]:
    """Yield a page that leads to the sources' examples, and one for each source that has any."""
    library = edition.library
    found = {source: _examples(edition, source) for source in library.spec.sources}
    counts = {source: len(cases) for source, cases in found.items() if cases}
    yield Page("examples/index", "examples.md", edition.word("examples"), {"counts": counts})
    for source in counts:
        groups: dict[str, list[tuple[Case, Position]]] = {}
        for case in found[source]:
            groups.setdefault(case.operation, []).append((case, position(case, edition)))
        title = edition.word("examples-of", source=edition.text(library.spec.sources[source].region))
        yield Page(f"examples/{source.lower()}", "examples_of.md", title, {"source": source, "groups": groups})


def _examples(edition: Edition, source: str) -> list[Case]:
    return [
        case
        for case in edition.library.cases
        if case.origin == "source-example" and any(statement.startswith(source) for statement in case.statements)
    ]
