"""The cases as the playground opens them: what is asked, drawn, the answer told beforehand, and what others answer."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import Any, Final

from belot_conformance.rules.reading import as_runs
from belot_conformance.suite.cases import Case
from belot_site import playground_engine
from belot_site.edition import Edition, site_words
from belot_site.library import Library
from belot_site.positions import position
from belot_spec.variants import Setting

# What the page says of the rules of these topics anyhow; those of the others come with the questions.
SHOWN_TOPICS: Final = ("play", "declarations", "scoring", "match", "deck")


def rests_on(setting: Setting) -> str:
    """Return what a value rests on: statements as runs, and the ruling."""
    return " ".join([*as_runs(setting.cite), *([setting.ruling] if setting.ruling else [])])


def case_files(edition: Edition) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the cases by the name of their file, which is that of a case without its last figure."""
    cases = sorted(edition.library.cases, key=lambda case: case.id)
    for name, some in groupby(cases, key=lambda case: case.id[:-1]):
        yield name, {case.id: _opened(edition, case) for case in some}


def _opened(edition: Edition, case: Case) -> dict[str, Any]:
    told = edition.at(case.profile)
    asked = {
        "op": case.operation,
        "profile": case.profile,
        "title": told.text(case.title),
        "path": edition.library.case_path(case),
        "input": case.input,
    }
    if case.origin == "derived":
        return asked
    drawn = position(case, edition)
    first = case.expected[0]
    return {
        **asked,
        "figure": str(drawn.figure),
        "answers": [answer for answer in drawn.answers if answer],
        "why": drawn.why,
        "reply": {first.kind: first.fields},
        "found": _elsewhere(edition.library).get(case.id, {}),
    }


@cache
def _elsewhere(library: Library) -> Mapping[str, Mapping[str, Any]]:
    """Return what each variant answers to every case that was not recorded; nothing where it answers the same."""
    return {case.id: _answers(library, case) for case in library.cases if case.origin != "derived"}


def _answers(library: Library, case: Case) -> dict[str, Any]:
    told = {"op": case.operation, "input": case.input}
    asked = {"ask": "question", "profiles": [case.profile, *library.variants], "input": told}
    found: dict[str, Any] = json.loads(playground_engine.ask(json.dumps(asked)))
    own = found[case.profile]
    return {name: None if _said(found[name]) == _said(own) else found[name] for name in library.variants}


def _said(reply: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in reply.items() if key != "rules"}


def question_data(edition: Edition) -> dict[str, Any]:
    """Return what the page needs to ask anything: an example of each operation, and the rules that it has not yet."""
    library = edition.library
    rules = [rule for rule in library.rules if rule.topic not in SHOWN_TOPICS]
    examples = _first(library.cases)
    return {
        "operations": {name: edition.word(f"op-{name}") for name in examples},
        "examples": {name: _first(case for case in library.cases if case.profile == name) for name in library.variants},
        "any": examples,
        "reasons": _words_below(edition, "reason-"),
        "fields": _words_below(edition, "field-"),
        "rules": {rule.id: edition.text(rule.title) for rule in rules},
        "variants": {name: _rules_of(edition, name, [rule.id for rule in rules]) for name in library.variants},
    }


def _words_below(edition: Edition, prefix: str) -> dict[str, str]:
    return {key.removeprefix(prefix): edition.word(key) for key in site_words() if key.startswith(prefix)}


def _first(cases: Any) -> dict[str, str]:
    """Return the first case of each operation that is answered, by operation."""
    found: dict[str, str] = {}
    for case in cases:
        if case.origin != "derived" and case.expected[0].kind == "result":
            found.setdefault(case.operation, case.id)
    return found


def _rules_of(edition: Edition, name: str, rules: list[str]) -> dict[str, Any]:
    profile = edition.library.profile(name)
    known = [rule for rule in rules if rule in profile.settings]
    return {
        "rules": {rule: edition.sentence(rule, profile) for rule in known},
        "rests": {rule: rests_on(profile.settings[rule]) for rule in known},
    }
