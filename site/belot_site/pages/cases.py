"""The cases drawn: by behaviour, a page for each, and those that the sources give themselves, a page a source."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import orjson

from belot_conformance.logs.played import tell
from belot_conformance.suite.cases import Case
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Behaviour, grouped
from belot_site.pages.page import SitePage
from belot_site.pictures.positions import position
from belot_site.pictures.story import Story

_MOST_DRAWN: Final = 3
# What is done beside bidding, announcing and playing is not part of a story.
_LOOKS: Final = frozenset(("look", "claim"))


def case_pages(edition: SiteEdition) -> Iterator[SitePage]:
    """Yield the case browser, and a page for each file of cases."""
    groups = grouped((behaviour.operation, behaviour) for behaviour in edition.library.behaviours)
    yield SitePage("cases/index", "cases.md", edition.word("case-browser"), {"groups": groups}, front={"hide": ["toc"]})
    for behaviour in edition.library.behaviours:
        yield _page(edition, behaviour)


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
    front = {"search": {"exclude": True}, "hide": ["navigation"]}
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
    found = {source: _examples(edition, source) for source in library.spec.sources}
    counts = {source: len(cases) for source, cases in found.items() if cases}
    yield SitePage("examples/index", "examples.md", edition.word("examples"), {"counts": counts})
    for source in counts:
        groups = grouped((case.operation, (case, position(case, edition))) for case in found[source])
        title = edition.word("examples-of", source=edition.text(library.spec.sources[source].region))
        yield SitePage(f"examples/{source.lower()}", "examples_of.md", title, {"source": source, "groups": groups})


def _examples(edition: SiteEdition, source: str) -> list[Case]:
    return [
        case
        for case in edition.library.cases
        if case.origin == "source-example" and any(statement.startswith(source) for statement in case.statements)
    ]
