"""What came of a program whose answers were held against each other, for people and as JSON."""

from typing import Any, Final

from belot_conformance.fuzz.alone import RELATIONS, Alone, Broken
from belot_conformance.programs.protocol import Hello
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "alone")


def print_alone(page: Page, hello: Hello, found: Alone, language: Language) -> None:
    """Print the smallest pair of answers that cannot both hold, of each kind, and how often each relation held."""
    for one in found.examples.values():
        _print_broken(page, one, language)
        page.blank()
    words = _WORDS.in_language(language)
    rows = [
        (words[name], f"{found.tried[name]:,}", f"{found.broken[name]:,}" if found.broken[name] else "·")
        for name in RELATIONS
        if found.tried[name]
    ]
    page.table([words["relation"], words["tried"], words["broken"]], rows)
    if found.gave_up:
        page.line(_WORDS.say("gave_up", language, why=found.gave_up))
    key = "passed" if found.passed else "failed"
    said = _WORDS.say(key, language, name=hello.name, asked=found.asked, broken=found.broken.total())
    style = "bold green" if found.passed else "bold red"
    page.verdict(said, style, words["mark_passed" if found.passed else "mark_failed"])


def _print_broken(page: Page, one: Broken, language: Language) -> None:
    pair = one.pair
    title = _WORDS[pair.relation].in_language(language)
    page.line(f"✗ {title} ({pair.operation}, {one.profile})", style="bold red")
    operation, question = pair.other
    for label, shown in (
        ("asked", f"{pair.operation} · {brief(pair.question)}"),
        ("answer", brief(pair.given)),
        ("also", f"{operation} · {brief(question)}"),
        ("answer", brief(one.came)),
    ):
        page.labelled(_WORDS.say(label, language), shown, indent=2)


def alone_json(hello: Hello, found: Alone) -> dict[str, Any]:
    """Return what came of it as JSON values."""
    return {
        "program": {"name": hello.name, "version": hello.version},
        "passed": found.passed,
        "questions": found.asked,
        "gave_up": found.gave_up,
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
