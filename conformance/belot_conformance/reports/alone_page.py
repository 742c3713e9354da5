"""What a program said against itself: each kind of pair of answers that cannot both hold; for people and as JSON."""

from typing import Any, Final

from belot_conformance.fuzz.alone import RELATIONS, Alone, Broken
from belot_conformance.programs.protocol import Hello
from belot_conformance.reports.terminal import print_incidents
from belot_conformance.reports.words import tell_verdict
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.words import English

_ALONE: Final = English(__name__, "alone")


def print_alone(page: Page, hello: Hello, found: Alone) -> None:
    """Print the smallest pair of answers that cannot both hold, of each kind, and how often each relation held."""
    for one in found.examples.values():
        _print_broken(page, one)
        page.blank()
    words = _ALONE
    rows = [
        (words[name], f"{found.tried[name]:,}", f"{found.broken[name]:,}" if found.broken[name] else "·")
        for name in RELATIONS
        if found.tried[name]
    ]
    page.table([words["relation"], words["tried"], words["broken"]], rows)
    if found.gave_up:
        page.line(_ALONE.say("gave_up", why=found.gave_up))
    print_incidents(page, found.incidents)
    key = "passed" if found.passed else "incidents" if found.incidents and not found.broken else "failed"
    told = {"asked": found.asked, "broken": found.broken.total(), "n": len(found.incidents)}
    tell_verdict(page, _ALONE, key, found.passed, name=hello.name, **told)


def _print_broken(page: Page, one: Broken) -> None:
    pair = one.pair
    title = _ALONE[pair.relation]
    page.line(f"✗ {title} ({pair.operation}, {one.profile})", style="bold red")
    operation, question = pair.other
    for label, shown in (
        ("asked", f"{pair.operation} · {brief(pair.question)}"),
        ("answer", brief(pair.given)),
        ("also", f"{operation} · {brief(question)}"),
        ("answer", brief(one.came)),
    ):
        page.labelled(_ALONE.say(label), shown, indent=2)


def alone_json(hello: Hello, found: Alone) -> dict[str, Any]:
    """Return what came of it as JSON values."""
    return {
        "program": {"name": hello.name, "version": hello.version},
        "passed": found.passed,
        "questions": found.asked,
        "gave_up": found.gave_up,
        "incidents": list(found.incidents),
        "relations": {name: {"tried": found.tried[name], "broken": found.broken[name]} for name in RELATIONS},
        "broken": [
            {
                "relation": one.pair.relation,
                "profile": one.profile,
                "operation": one.pair.operation,
                "input": dict(one.pair.question),
                "came": dict(one.pair.given),
                "other": {"operation": one.pair.other[0], "input": dict(one.pair.other[1]), "came": dict(one.came)},
            }
            for one in found.examples.values()
        ],
    }
