"""The case browser: the behaviours by operation, and a page for each with its cases drawn."""

from collections.abc import Iterator
from typing import Any

import orjson

from belot_conformance.suite.cases import Case
from belot_site.edition import Edition
from belot_site.library import Behaviour
from belot_site.pages import Page
from belot_site.positions import position


def case_pages(edition: Edition) -> Iterator[Page]:
    """Yield the case browser, and a page for each file of cases."""
    groups: dict[str, list[Behaviour]] = {}
    for behaviour in edition.library.behaviours:
        groups.setdefault(behaviour.operation, []).append(behaviour)
    yield Page("cases/index", "cases.md", edition.word("case-browser"), {"groups": groups}, front={"hide": ["toc"]})
    for behaviour in edition.library.behaviours:
        yield _page(edition, behaviour)


def _page(edition: Edition, behaviour: Behaviour) -> Page:
    title = edition.text(behaviour.behaviour)
    if behaviour.recorded:
        title = f"{edition.variant_name(behaviour.profile)}: {title}"
    template = "recorded.md" if behaviour.recorded else "case_file.md"
    drawn = [] if behaviour.recorded else [(case, position(case, edition), *messages(case)) for case in behaviour.cases]
    context = {"behaviour": behaviour, "drawn": drawn}
    # Cases are found through the rules that they pin; in the search they would push the rules themselves away.
    return Page(behaviour.path, template, title, context, front={"search": {"exclude": True}, "hide": ["navigation"]})


def messages(case: Case) -> tuple[str, str]:
    """Return the request that a program gets for a case, and a reply that is right, each as a line of JSON."""
    request = {"id": case.id, "op": case.operation, "profile": case.profile, "input": case.input}
    first = case.expected[0]
    return _json(request), _json({"id": case.id, first.kind: first.fields})


def _json(message: Any) -> str:
    return orjson.dumps(message).decode()
