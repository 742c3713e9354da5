"""The sources, what each of their statements feeds or why it feeds nothing, and the rulings on how to read them."""

from collections.abc import Iterator
from dataclasses import dataclass

from belot_conformance.rules.reading import ruling_group
from belot_conformance.suite.cases import Case
from belot_conformance.suite.trace import kind_of, kinds_of
from belot_site.content.edition import SiteEdition
from belot_site.content.library import grouped
from belot_site.pages.page import SitePage
from belot_spec.register import Home, Ruling, Source


@dataclass(frozen=True, slots=True)
class Statements:
    """Statements that follow one another and have the same home."""

    ids: tuple[str, ...]
    home: Home | None
    kind: str
    rulings: tuple[Ruling, ...]
    cases: tuple[Case, ...]

    @property
    def name(self) -> str:
        """The number, or the first and the last: ``BL-171``, ``BL-171..173``."""
        return self.ids[0] if len(self.ids) == 1 else f"{self.ids[0]}..{self.ids[-1][-3:]}"


def source_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of sources, and a page for each."""
    sources = edition.library.spec.sources
    kinds = {source.id: kinds_of(source) for source in sources.values()}
    yield SitePage("sources/index", "sources.md", edition.word("sources"), {"kinds": kinds})
    for source in sources.values():
        context = {
            "source": source,
            "statements": _statements(edition, source),
            "kinds": kinds[source.id],
            "errata": _errata(edition, source),
        }
        title = edition.text(source.title)
        yield SitePage(f"sources/{source.id.lower()}", "source.md", title, context, edition.text(source.region))


def _errata(edition: SiteEdition, source: Source) -> list[Ruling]:
    return [
        ruling
        for ruling in edition.library.spec.rulings.values()
        if ruling.kind == "erratum" and any(statement.startswith(source.id) for statement in ruling.statements)
    ]


def _statements(edition: SiteEdition, source: Source) -> list[Statements]:
    """Return the statements of a source in order: each by itself if it is told, else those of one home together."""
    groups: list[list[str]] = []
    for statement in source.statement_ids():
        if groups and not source.told and _same(source.homes.get(groups[-1][-1]), source.homes.get(statement)):
            groups[-1].append(statement)
        else:
            groups.append([statement])
    return [_group(edition, source, tuple(ids)) for ids in groups]


def _same(one: Home | None, other: Home | None) -> bool:
    """Say whether two statements come from one entry of the trace."""
    return one is not None and other is not None and one.line == other.line


def _group(edition: SiteEdition, source: Source, ids: tuple[str, ...]) -> Statements:
    library = edition.library
    home = source.homes.get(ids[0])
    rulings = {ruling.id: ruling for name in ids for ruling in library.rulings_by_statement.get(name, ())}
    cases = {case.id: case for name in ids for case in library.cases_by_statement[name]}
    return Statements(ids, home, kind_of(home), tuple(rulings.values()), tuple(cases.values()))


def ruling_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of rulings, and a page for each group of them."""
    groups = grouped((ruling_group(ruling.id), ruling) for ruling in edition.library.spec.rulings.values())
    yield SitePage("rulings/index", "rulings.md", edition.word("rulings"), {"groups": groups})
    for group, rulings in groups.items():
        title = edition.word(f"rulings-{group}")
        yield SitePage(f"rulings/{group}", "rulings_of.md", title, {"rulings": rulings})
