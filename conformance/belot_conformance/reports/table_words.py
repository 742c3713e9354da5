"""What a report says of a table: where its answers come from, which rules they test, and what was left out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from belot_conformance.suite.verdicts import PROVENANCES, Provenance
from belot_conformance.table.table import RuleTest, Table
from belot_spec.catalogue import Text
from belot_spec.words import Words, joined

_SHOWN: Final = 4

_WORDS: Final = Words(__name__, "tables")
_ANSWERS: Final = Words(__name__, "answers")
_ONE: Final = Words(__name__, "one-answer")


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
        yield _WORDS.both("undeclared", groups=joined(", ", told))
    if len(tables) > 1:
        return
    if unshown := [test for test in tables[0].tests if not test.shown]:
        yield _WORDS.both("unshown", rules=_named(unshown))
    if tables[0].left_out:
        counted = (joined(" ", [Text(str(n), str(n)), reason]) for reason, n in tables[0].left_out.items())
        yield _WORDS.both("left-out", reasons=joined(", ", counted))


def _tested(tables: Sequence[Table]) -> Text:
    counts = {kind: sum(table.provenances[kind] for table in tables) for kind in PROVENANCES}
    own = _WORDS.both("yours", profile=tables[0].profile.id)
    whose = own if len(tables) == 1 else _WORDS.both("variants", n=len(tables))
    tested = sum(test.tested for table in tables for test in table.tests)
    shown = sum(test.shown for table in tables for test in table.tests)
    return _WORDS.both("tested", tested=tested, all=shown, whose=whose, answers=_answers(counts))


def _group(operations: tuple[str, ...], tests: Sequence[RuleTest], *, named: bool) -> Text:
    told: dict[str, Any] = {"n": len(tests), "operations": ", ".join(operations)}
    return _WORDS.both("group", **told, rules=_named(tests)) if named else _WORDS.both("counted", **told)


def _named(tests: Sequence[RuleTest]) -> Text:
    """Return the ids of rules, the first few by name."""
    shown = ", ".join(test.rule for test in tests[:_SHOWN])
    return Text(shown, shown) if len(tests) <= _SHOWN else _WORDS.both("more", rules=shown, n=len(tests) - _SHOWN)


def answers_line(counts: Mapping[Provenance, int]) -> Text:
    """Return how many answers of each provenance there are, as a sentence."""
    return joined("", [_answers(counts), Text(".", ".")])


def _answers(counts: Mapping[Provenance, int]) -> Text:
    shown = [kind for kind in PROVENANCES if counts[kind] or kind != "found"]
    return joined(", ", ((_ONE if counts[kind] == 1 else _ANSWERS).both(kind, n=counts[kind]) for kind in shown))


def table_json(table: Table) -> dict[str, Any]:
    """Return what a report for programs says of a table."""
    return {
        "profile": table.profile.id,
        "asked_as": table.asked_as or table.profile.id,
        "answers": {kind: table.provenances[kind] for kind in PROVENANCES},
        "pinned": [test.rule for test in table.tests if test.tested],
        "unpinned": {test.rule: list(test.undeclared) for test in table.tests if test.undeclared},
        "unobservable": [test.rule for test in table.tests if not test.shown],
        "left_out": [{"questions": number, "reason": reason.as_json()} for reason, number in table.left_out.items()],
    }
