"""Checks on the cases beyond their schema, that they test what they say among them; and figures about them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.cases import Case, case_files, load_cases
from belot_conformance.suite.ledger import LEDGER
from belot_conformance.suite.trace import statement_homes
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_reference.errors import BadQuestionError
from belot_spec.errors import BelotError, Problem, UnknownNameError, nearest
from belot_spec.load.figures import told_of, unknown_figures, wrong_figure
from belot_spec.load.schemas import explain, is_valid
from belot_spec.profile_name import ProfileName
from belot_spec.register import reversed_run, unknown_statement
from belot_spec.spec import Spec

_CASE_LIKE: Final = re.compile(r"\.(ya?ml|json.*|ndjson)")

_COUNTED: Final = ("operation", "profile", "origin")
# The folder of the published deals of card perft.
PERFT: Final = "perft"


def lint_cases(cases: Sequence[Case], spec: Spec) -> list[Problem]:
    """Return what is wrong with cases that fit their schema."""
    reference = Reference(spec)
    statements = statement_homes(spec)
    problems = [*_title_problems(cases), *behaviour_problems(cases, spec)]
    for case in cases:
        problems += [_problem(case, message) for message in _case_problems(case, spec, statements, reference)]
    return problems


def _problem(case: Case, message: str) -> Problem:
    return Problem(case.path, case.line, case.id, message)


def _case_problems(case: Case, spec: Spec, statements: Collection[str], reference: Reference) -> Iterator[str]:
    if case.path.parent.name != case.operation:
        yield f"a case of {case.operation} belongs in the folder cases/{case.operation}"
    yield from _unknown("rule", case.rules, spec.rules)
    for statement in case.statements:
        if statement not in statements:
            yield reversed_run(statement) or unknown_statement(statement, spec.sources)
    yield from _unknown("ruling", case.rulings, spec.rulings)
    if case.origin == "source-example" and not case.statements:
        yield "a source example names the statements it comes from"
    if case.review is not None and case.origin != "derived":
        yield f"it waits for review, so its origin is derived; once it is worked out, take review away: {case.review}"
    yield from _question_problems(case, spec, reference)
    yield from _expectation_problems(case)
    yield from _unknown("rule", (one.rule for one in case.expected if one.rule is not None), spec.rules)


def _unknown(kind: str, names: Iterable[str], known: Collection[str]) -> Iterator[str]:
    return (f"there is no {kind} {name}{nearest(name, known)}" for name in names if name not in known)


def _question_problems(case: Case, spec: Spec, reference: Reference) -> Iterator[str]:
    """Check that the engine can be asked this, and that it consults every rule that the case says it pins."""
    try:
        consulted = reference.consulted(case.operation, case.profile, case.input)
    except (BadQuestionError, UnknownNameError) as error:
        yield str(error)
        return
    except BelotError as error:
        yield f"the engine cannot answer: {error}"
        return
    for rule in case.rules:
        if rule in spec.rules and rule not in consulted:
            yield f"the rule {rule} plays no part in the answer, so this case cannot pin it"


def _expectation_problems(case: Case) -> Iterator[str]:
    """Check that the expected result could be a reply: known fields of the right form."""
    definition = f"{case.operation}-result"
    for expected in case.expected:
        if expected.kind != "result":
            continue
        known = OPERATIONS[case.operation].result_fields
        for field in expected.fields:
            if field not in known:
                yield f"{case.operation} has no field {field} in its result{nearest(field, known)}"
        is_right = is_valid(expected.fields, "protocol-operations", definition)
        for path, message in () if is_right else explain(expected.fields, "protocol-operations", definition):
            if path or "missing" not in message:
                yield f"expect.result.{'.'.join(map(str, path))}: {message}"


def _title_problems(cases: Iterable[Case]) -> Iterator[Problem]:
    seen: dict[str, Case] = {}
    for case in cases:
        for language, title in case.title.as_json().items():
            key = f"{language}:{case.profile}:{title.casefold()}"
            if key in seen:
                yield _problem(case, f"the {language} title is also that of the same profile's {seen[key].id}")
            seen.setdefault(key, case)
            if "\n" in title or title != title.strip():
                yield _problem(case, f"the {language} title is one line without spaces around it")
            if not title[0].isupper() and not title[0].isdigit():
                yield _problem(case, f"the {language} title starts with a capital or a figure")
            if case.id in title or any(rule in title for rule in case.rules):
                yield _problem(case, f"the {language} title names ids; say it in words")


def behaviour_problems(cases: Iterable[Case], spec: Spec) -> Iterator[Problem]:
    """Check the figures in what a file says its cases show against the values of the rules that they pin."""
    files: dict[Path, list[Case]] = {}
    for case in cases:
        files.setdefault(case.path, []).append(case)
    for path, held in files.items():
        named = [*held[0].figures, *(rule for case in held for rule in case.rules)]
        try:
            known = told_of([spec.profile(name).settings for name in {case.profile for case in held}], named)
        except UnknownNameError:
            continue  # which profile is unknown is said of its case
        for language, shown in unknown_figures(held[0].behaviour, known):
            yield Problem(
                path, 1, f"behaviour.{language}", wrong_figure(shown, "the rules of these cases", examples=True)
            )


def variants_without_cases(cases: Iterable[Case], spec: Spec) -> Iterator[Problem]:
    """Yield the variants that can be played and that no case is about."""
    asked = {ProfileName(case.profile).variant for case in cases}
    for name in spec.nameable():
        if name not in asked:
            message = f"no case is about {name}; write one for every rule that differs (cases/README.md)"
            yield spec.variants[name].document.problem(("id",), message)


def unused_files(folder: Path) -> list[Path]:
    """Return YAML and JSON files below the cases that lie too high or too deep to be read, or are named wrongly.

    The deals of card perft, JSON in a folder of their own, are no cases.
    """
    found = {path for path in folder.rglob("*") if _CASE_LIKE.fullmatch(path.suffix)}
    return sorted(found - {*case_files(folder), *(folder / PERFT).glob("*.json"), folder / LEDGER})


def case_statistics(spec: Spec) -> dict[str, Any]:
    """Return counts of cases, and per variant the rule values that at least one of its cases consults and pins.

    A case counts for the variant of its profile; where an option changes a rule, not for the variant's own value.
    """
    reference = Reference(spec)
    loaded = [case for case in load_cases() if case.profile.variant in spec.nameable()]
    consulted: dict[str, set[str]] = {variant: set() for variant in spec.nameable()}
    pinned: dict[str, set[str]] = {variant: set() for variant in spec.nameable()}
    settings = {name: spec.profile(name).settings for name in {*spec.nameable(), *(case.profile for case in loaded)}}
    for case in loaded:
        variant = case.profile.variant
        plain, profile = settings[variant], settings[case.profile]
        own = {rule for rule in plain if rule in profile and profile[rule].value == plain[rule].value}
        consulted[variant] |= reference.consulted(case.operation, case.profile, case.input) & own
        pinned[variant] |= own.intersection(case.rules)
    counts = {f"{kind}s": dict(Counter(getattr(case, kind) for case in loaded)) for kind in _COUNTED}
    variants = {
        variant: {
            "values": len(settings[variant]),
            "consulted": len(consulted[variant]),
            "pinned": len(pinned[variant]),
            "not_consulted": sorted(settings[variant].keys() - consulted[variant]),
            "not_pinned": sorted(settings[variant].keys() - pinned[variant]),
        }
        for variant in spec.nameable()
    }
    return {"cases": len(loaded), **counts, "variants": variants}


def print_statistics(page: Page, found: dict[str, Any]) -> None:
    """Print the figures for people."""
    counted = {kind: dict(Counter(found[f"{kind}s"]).most_common()) for kind in _COUNTED}
    tell(page, "statistics.j2", package="belot_conformance.suite", counted=counted, **found)
