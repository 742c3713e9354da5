"""The evidence: cases drawn, by behaviour and by source, the statements of the sources, and the rulings on them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final, NamedTuple

import orjson

from belot_conformance.logs.played import tell
from belot_conformance.rules.reading import ruling_group
from belot_conformance.suite.cases import Case
from belot_conformance.suite.trace import kind_of, kinds_of
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Behaviour, grouped
from belot_site.content.positions import position
from belot_site.content.story import Story
from belot_site.pages.page import SitePage
from belot_spec.register import Home, Ruling, Source

_MOST_DRAWN: Final = 3
# What is done beside bidding, announcing and playing is not part of a story.
_LOOKS: Final = frozenset(("look", "claim"))


def case_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the case browser, and a page for each file of cases."""
    groups = grouped((behaviour.operation, behaviour) for behaviour in edition.library.behaviours)
    context: dict[str, Any] = {"groups": groups, "runs": _runs}
    yield SitePage("cases/index", "cases.md", edition.word("case-browser"), context, front={"hide": ["toc"]})
    for behaviour in edition.library.behaviours:
        yield _page(edition, behaviour)


def _runs(cases: Sequence[Case]) -> list[str]:
    """Return the numbers of cases, those that follow one another as a run: ``0072–0075``, ``9004``."""
    numbers = enumerate(sorted(int(case.id.removeprefix("bc-")) for case in cases))
    runs = ([number for _, number in run] for _, run in groupby(numbers, lambda pair: pair[1] - pair[0]))
    return [f"{run[0]:04}" if len(run) == 1 else f"{run[0]:04}–{run[-1]:04}" for run in runs]


def _page(edition: SiteEdition, behaviour: Behaviour) -> SitePage:
    told = edition.at(behaviour.profile) if behaviour.profile else edition
    title = told.text(behaviour.behaviour)
    if behaviour.name == "situations":
        title = edition.word("recorded-situations", name=edition.word(f"op-{behaviour.operation}"))
    elif behaviour.recorded:
        title = edition.word(f"recorded-{behaviour.operation}", name=edition.variant_name(behaviour.profile))
    template = "recorded.md" if behaviour.recorded else "case_file.md"
    drawn = [] if behaviour.recorded else [(case, position(case, edition), *messages(case)) for case in behaviour.cases]
    stories = list(_stories(edition, behaviour)) if behaviour.recorded and behaviour.operation == "replay" else []
    context = {"behaviour": behaviour, "drawn": drawn, "stories": stories}
    # Cases are found through the rules that they pin; in the search they would push the rules themselves away.
    front = {"search": {"exclude": True}}
    return SitePage(behaviour.path, template, title, context, front=front, profile=behaviour.profile)


def _stories(edition: SiteEdition, behaviour: Behaviour) -> Iterator[tuple[Case, Story]]:
    """Yield the first recorded deals that were played out by players who only bid, announced and played."""
    played = (case for case in behaviour.cases if case.expected[0].fields.get("ended") == "played")
    plain = (
        case
        for case in played
        if case.profile == behaviour.profile and all(map(_LOOKS.isdisjoint, case.input["actions"]))
    )
    for case in islice(plain, _MOST_DRAWN):
        yield case, Story(tell(edition.library.reference.ruleset(case.profile), 0, case.input), edition, case.id)


def messages(case: Case) -> tuple[str, str]:
    """Return the request that a program gets for a case, and a reply that is right, each as a line of JSON."""
    request = {"id": case.id, "op": case.operation, "profile": case.profile, "input": case.input}
    first = case.expected[0]
    return _json(request), _json({"id": case.id, first.kind: first.fields})


def _json(message: Any) -> str:
    return orjson.dumps(message).decode()


def example_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield a page that leads to the sources' examples, and one for each source that has any."""
    library = edition.library
    examples = [case for case in library.cases if case.origin == "source-example"]
    found = {source: [case for case in examples if _is_of(source, case.statements)] for source in library.spec.sources}
    counts = {source: len(cases) for source, cases in found.items() if cases}
    yield SitePage("examples/index", "examples.md", edition.word("examples"), {"counts": counts})
    for source in counts:
        groups = grouped((case.operation, (case, position(case, edition))) for case in found[source])
        title = edition.word("examples-of", source=edition.text(library.spec.sources[source].region))
        yield SitePage(f"examples/{source.lower()}", "examples_of.md", title, {"source": source, "groups": groups})


def _is_of(source: str, statements: Iterable[str]) -> bool:
    return any(statement.startswith(source) for statement in statements)


class Statements(NamedTuple):
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
    errata = [ruling for ruling in edition.library.spec.rulings.values() if ruling.kind == "erratum"]
    yield SitePage("sources/index", "sources.md", edition.word("sources"), {"kinds": kinds})
    for source in sources.values():
        context = {
            "source": source,
            "statements": _statements(edition, source),
            "kinds": kinds[source.id],
            "errata": [one for one in errata if _is_of(source.id, one.statements)],
        }
        title = edition.text(source.title)
        yield SitePage(f"sources/{source.id.lower()}", "source.md", title, context, edition.text(source.region))


def _statements(edition: SiteEdition, source: Source) -> list[Statements]:
    """Return the statements of a source in order: each by itself if it is told, else those of one home together."""
    library, groups = edition.library, list[list[str]]()
    for statement in source.statement_ids():
        last, home = source.homes.get(groups[-1][-1]) if groups else None, source.homes.get(statement)
        if not source.told and last is not None and home is not None and last.line == home.line:
            groups[-1].append(statement)
        else:
            groups.append([statement])

    def group(ids: Sequence[str]) -> Statements:
        home = source.homes.get(ids[0])
        rulings = {ruling.id: ruling for name in ids for ruling in library.rulings_by_statement.get(name, ())}
        cases = {case.id: case for name in ids for case in library.cases_by_statement[name]}
        return Statements(tuple(ids), home, kind_of(home), tuple(rulings.values()), tuple(cases.values()))

    return [group(ids) for ids in groups]


def ruling_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the list of rulings, and a page for each group of them."""
    groups = grouped((ruling_group(ruling.id), ruling) for ruling in edition.library.spec.rulings.values())
    yield SitePage("rulings/index", "rulings.md", edition.word("rulings"), {"groups": groups})
    for group, rulings in groups.items():
        title = edition.word(f"rulings-{group}")
        yield SitePage(f"rulings/{group}", "rulings_of.md", title, {"rulings": rulings})
