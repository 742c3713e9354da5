"""What a report says of a table: where its answers come from, which rules they test, and what was left out."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from belot_conformance.suite.verdicts import PROVENANCES
from belot_conformance.table.table import RuleTest, Table
from belot_spec.catalogue import LANGUAGES, Language, Text

_SHOWN: Final = 4

_TESTED: Final = Text(
    "{tested} of {all} rules of {profile} are tested; {worked} answers worked out, {derived} derived,"
    " {found} questions found for you.",
    "{tested} van de {all} regels van {profile} zijn getest; {worked} antwoorden uitgewerkt, {derived} afgeleid,"
    " {found} vragen voor jou gezocht.",
)
_UNDECLARED: Final = Text(
    "Not tested, because only {operations} would show it and the program does not declare that: {rules}.",
    "Niet getest, omdat enkel {operations} het zou laten zien en het programma dat niet kent: {rules}.",
)
_UNSHOWN: Final = Text("No answer shows: {rules}.", "Geen enkel antwoord toont: {rules}.")
_LEFT_OUT: Final = Text("Not asked: {reasons}.", "Niet gevraagd: {reasons}.")
_AND_MORE: Final = Text("{rules} and {n} more", "{rules} en nog {n}")


def table_lines(table: Table) -> Iterator[Text]:
    """Yield what a report says of a table, a sentence each."""
    counts = table.provenances
    tested = sum(test.tested for test in table.tests)
    yield _filled(
        _TESTED,
        tested=tested,
        all=sum(test.shown for test in table.tests),
        profile=table.profile.id,
        worked=counts["worked-out"],
        derived=counts["derived"],
        found=counts["found"],
    )
    groups: dict[tuple[str, ...], list[RuleTest]] = {}
    for test in table.tests:
        if test.undeclared:
            groups.setdefault(test.undeclared, []).append(test)
    for operations, tests in groups.items():
        yield _with_rules(_UNDECLARED, tests, operations=", ".join(operations))
    if unshown := [test for test in table.tests if not test.shown]:
        yield _with_rules(_UNSHOWN, unshown)
    if table.left_out:
        yield Text(*(_left_out(table, language) for language in LANGUAGES))


def _left_out(table: Table, language: Language) -> str:
    reasons = (f"{number} {reason.in_language(language)}" for reason, number in table.left_out.items())
    return _LEFT_OUT.in_language(language).format(reasons=", ".join(reasons))


def _filled(sentence: Text, **values: object) -> Text:
    return Text(*(sentence.in_language(language).format(**values) for language in LANGUAGES))


def _with_rules(sentence: Text, tests: Sequence[RuleTest], **values: object) -> Text:
    """Return a sentence with the ids of rules, the first few by name."""
    shown = ", ".join(test.rule for test in tests[:_SHOWN])
    listed = Text(shown, shown) if len(tests) <= _SHOWN else _filled(_AND_MORE, rules=shown, n=len(tests) - _SHOWN)
    return Text(
        *(sentence.in_language(language).format(rules=listed.in_language(language), **values) for language in LANGUAGES)
    )


def table_json(table: Table) -> dict[str, Any]:
    """Return what a report for programs says of a table."""
    return {
        "profile": table.profile.id,
        "asked_as": table.asked_as or table.profile.id,
        "answers": {kind: table.provenances[kind] for kind in PROVENANCES},
        "pinned": [test.rule for test in table.tests if test.tested],
        "unpinned": {test.rule: list(test.undeclared) for test in table.tests if test.undeclared},
        "unobservable": [test.rule for test in table.tests if not test.shown],
        "left_out": [
            {"questions": number, "reason": {"en": reason.en, "nl": reason.nl}}
            for reason, number in table.left_out.items()
        ],
    }
