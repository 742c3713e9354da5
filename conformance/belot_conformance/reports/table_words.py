"""What a report says of a table: where its answers come from, which rules they test, and what was left out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from belot_conformance.suite.verdicts import PROVENANCES, Provenance
from belot_conformance.table.table import RuleTest, Table
from belot_spec.catalogue import LANGUAGES, Language, Text

_SHOWN: Final = 4

_ANSWERS: Final[Mapping[Provenance, Text]] = {
    "worked-out": Text("{n} answers worked out", "{n} antwoorden uitgewerkt"),
    "derived": Text("{n} derived", "{n} afgeleid"),
    "found": Text("{n} questions found for you", "{n} vragen voor jou gezocht"),
}
_ONE: Final[Mapping[Provenance, Text]] = {
    **_ANSWERS,
    "worked-out": Text("1 answer worked out", "1 antwoord uitgewerkt"),
    "found": Text("1 question found for you", "1 vraag voor jou gezocht"),
}
_TESTED: Final = Text(
    "{tested} of {all} rules of {whose} are tested; {answers}.",
    "{tested} van de {all} regels van {whose} zijn getest; {answers}.",
)
_YOURS: Final = Text("your table, {profile},", "jouw tafel, {profile},")
_VARIANTS: Final = Text("{n} variants", "{n} varianten")
_UNDECLARED: Final = Text(
    "Not tested, as the program does not declare what would show them: {groups}.",
    "Niet getest, omdat het programma niet kent wat ze zou laten zien: {groups}.",
)
_GROUP: Final = Text("{n} by {operations} ({rules})", "{n} door {operations} ({rules})")
_COUNTED: Final = Text("{n} by {operations}", "{n} door {operations}")
_UNSHOWN: Final = Text("No answer shows: {rules}.", "Geen enkel antwoord toont: {rules}.")
_LEFT_OUT: Final = Text("Not asked: {reasons}.", "Niet gevraagd: {reasons}.")
_AND_MORE: Final = Text("{rules} and {n} more", "{rules} en nog {n}")


def table_lines(tables: Sequence[Table]) -> Iterator[Text]:
    """Yield what a report says of the tables of a run, a sentence each: all of one table, the sums of several."""
    if not tables:
        return
    yield _tested(tables)
    groups: dict[tuple[str, ...], list[RuleTest]] = {}
    for test in (test for table in tables for test in table.tests if test.undeclared):
        groups.setdefault(test.undeclared, []).append(test)
    if groups:
        told = [_group(operations, tests, named=len(tables) == 1) for operations, tests in groups.items()]
        yield _joined(_UNDECLARED, "groups", told)
    if len(tables) > 1:
        return
    if unshown := [test for test in tables[0].tests if not test.shown]:
        yield _joined(_UNSHOWN, "rules", [_named(unshown)])
    if tables[0].left_out:
        yield Text(*(_left_out(tables[0], language) for language in LANGUAGES))


def _tested(tables: Sequence[Table]) -> Text:
    counts = {kind: sum(table.provenances[kind] for table in tables) for kind in PROVENANCES}
    own = _filled(_YOURS, profile=tables[0].profile.id)
    whose = own if len(tables) == 1 else _filled(_VARIANTS, n=len(tables))
    tested = sum(test.tested for table in tables for test in table.tests)
    shown = sum(test.shown for table in tables for test in table.tests)
    return Text(
        *(
            _TESTED.in_language(language).format(
                tested=tested,
                all=shown,
                whose=whose.in_language(language),
                answers=_answers(counts, language),
            )
            for language in LANGUAGES
        )
    )


def _group(operations: tuple[str, ...], tests: Sequence[RuleTest], *, named: bool) -> Text:
    told = ", ".join(operations)
    if not named:
        return _filled(_COUNTED, n=len(tests), operations=told)
    rules = _named(tests)
    return Text(
        *(
            _GROUP.in_language(language).format(n=len(tests), operations=told, rules=rules.in_language(language))
            for language in LANGUAGES
        )
    )


def _joined(sentence: Text, name: str, parts: Sequence[Text]) -> Text:
    return Text(
        *(
            sentence.in_language(language).format(**{name: ", ".join(part.in_language(language) for part in parts)})
            for language in LANGUAGES
        )
    )


def _named(tests: Sequence[RuleTest]) -> Text:
    """Return the ids of rules, the first few by name."""
    shown = ", ".join(test.rule for test in tests[:_SHOWN])
    return Text(shown, shown) if len(tests) <= _SHOWN else _filled(_AND_MORE, rules=shown, n=len(tests) - _SHOWN)


def answers_line(counts: Mapping[Provenance, int]) -> Text:
    """Return how many answers of each provenance there are, as a sentence."""
    return Text(*(f"{_answers(counts, language)}." for language in LANGUAGES))


def _answers(counts: Mapping[Provenance, int], language: Language) -> str:
    shown = [kind for kind in PROVENANCES if counts[kind] or kind != "found"]
    words = {kind: (_ONE if counts[kind] == 1 else _ANSWERS)[kind].in_language(language) for kind in shown}
    return ", ".join(said.format(n=counts[kind]) for kind, said in words.items())


def _left_out(table: Table, language: Language) -> str:
    reasons = (f"{number} {reason.in_language(language)}" for reason, number in table.left_out.items())
    return _LEFT_OUT.in_language(language).format(reasons=", ".join(reasons))


def _filled(sentence: Text, **values: object) -> Text:
    return Text(*(sentence.in_language(language).format(**values) for language in LANGUAGES))


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
