"""The report of a run for people at a terminal, in English or Dutch, within 80 columns."""

import json
from collections.abc import Mapping
from typing import Any, Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as RichText

from belot_conformance.report import Run, by_operation, failures, outcome_words, profile_of, rule_notes
from belot_conformance.verdicts import OUTCOMES, Outcome, Verdict, count
from belot_reference.cards import CARD_BY_NAME
from belot_reference.catalogue import Language
from belot_reference.spec import Spec

SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "operation": "operation", "planned": "cases", "passed": "passed", "failed": "failed", "faults": "faults",
        "unsupported": "unsupp.", "total": "all", "asked": "asked", "expected": "expected", "came": "came",
        "or": "or", "rule": "rule", "note": "note", "stderr": "stderr", "why": "why",
        "more": "… and {n} more; --show {all} prints them all, --format json everything.",
        "ok": "PASSED", "bad": "FAILED", "nothing": "NOTHING ASKED",
        "verdict_ok": "{name} {version} plays by the rules it declares: {counts}.",
        "verdict_bad": "{name} {version} does not play by the rules: {counts}.",
        "verdict_nothing": "{name} {version} declares nothing that this suite asks: {counts}.",
        "faults_note": "faults: errors, crashes, late or broken answers, and cases not run.",
        "incident": "incident", "statements": "from",
    },
    "nl": {
        "operation": "bewerking", "planned": "gevallen", "passed": "goed", "failed": "fout", "faults": "storing",
        "unsupported": "kan niet", "total": "alles", "asked": "gevraagd", "expected": "verwacht", "came": "gekregen",
        "or": "of", "rule": "regel", "note": "noot", "stderr": "stderr", "why": "waarom",
        "more": "… en nog {n}; --show {all} toont ze allemaal, --format json toont alles.",
        "ok": "GESLAAGD", "bad": "NIET GESLAAGD", "nothing": "NIETS GEVRAAGD",
        "verdict_ok": "{name} {version} volgt de regels die het zegt te kennen: {counts}.",
        "verdict_bad": "{name} {version} volgt de regels niet: {counts}.",
        "verdict_nothing": "{name} {version} zegt niets te kennen wat hier gevraagd wordt: {counts}.",
        "faults_note": "storing: fouten van het programma zelf, te late of kapotte antwoorden, en wat niet liep.",
        "incident": "voorval", "statements": "uit",
    },
}  # fmt: skip


def print_report(console: Console, run: Run, spec: Spec, language: Language, show: int) -> None:
    """Print a run: each failure with what was asked, expected and got, then the table and the verdict."""
    words = _WORDS[language]
    bad = failures(run.verdicts)
    for verdict in bad[:show]:
        _print_failure(console, verdict, spec, language)
    if len(bad) > show:
        console.print(words["more"].format(n=len(bad) - show, all=len(bad)), "\n")
    for incident in run.incidents:
        console.print(f"{words['incident']}: {incident}", markup=False)
    _print_table(console, run, words)
    _print_verdict(console, run, words)


def _print_failure(console: Console, verdict: Verdict, spec: Spec, language: Language) -> None:
    words = _WORDS[language]
    case = verdict.planned.case
    outcome = verdict.outcome.replace("_", " ").upper()
    console.print(RichText(f"✗ {outcome} {case.id} {case.title.in_language(language)}", style="bold red"))
    lines = [("", f"{case.operation}, {verdict.planned.profile}")]
    lines.append((words["asked"], brief(case.input)))
    expected = f" {words['or']} ".join(brief({one.kind: one.fields}) for one in case.expected)
    lines.append((words["expected"], expected))
    lines.append((words["came"], brief(verdict.came) if verdict.came is not None else verdict.detail))
    notes = rule_notes(case, profile_of(verdict, spec), spec, language)
    lines += [(words["rule"], f"{note.sentence} ({note.id}; {note.basis})") for note in notes]
    if case.statements:
        lines.append((words["statements"], ", ".join(case.statements)))
    if case.note is not None:
        lines.append((words["note"], case.note.in_language(language)))
    if verdict.stderr:
        lines.append((words["stderr"], verdict.stderr))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", no_wrap=True, min_width=9)
    grid.add_column(overflow="fold")
    for label, text in lines:
        grid.add_row(label, RichText(text))
    console.print(Padding(grid, (0, 0, 1, 2)))


def _print_table(console: Console, run: Run, words: Mapping[str, str]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(words["operation"])
    for heading in ("planned", "passed", "failed", "faults", "unsupported"):
        table.add_column(words[heading], justify="right")
    for operation, counts in by_operation(run.verdicts).items():
        table.add_row(operation, *_row(counts))
    table.add_section()
    table.add_row(words["total"], *_row(count(run.verdicts)), style="bold")
    console.print(table)
    if any(_faults(counts) for counts in by_operation(run.verdicts).values()):
        console.print(words["faults_note"], style="dim")


def _row(counts: Mapping[Outcome, int]) -> list[str]:
    numbers = (sum(counts.values()), counts["passed"], counts["failed"], _faults(counts), counts["unsupported"])
    return [str(number) if number else "·" for number in numbers]


def _faults(counts: Mapping[Outcome, int]) -> int:
    return sum(counts[outcome] for outcome in OUTCOMES if outcome not in ("passed", "failed", "unsupported", "skipped"))


def _print_verdict(console: Console, run: Run, words: Mapping[str, str]) -> None:
    counts = count(run.verdicts)
    if run.passed:
        mark, style, key = f"✓ {words['ok']}", "bold green", "verdict_ok"
    elif counts["passed"] == 0 and not failures(run.verdicts):
        mark, style, key = f"✗ {words['nothing']}", "bold red", "verdict_nothing"
    else:
        mark, style, key = f"✗ {words['bad']}", "bold red", "verdict_bad"
    said = words[key].format(name=run.hello.name, version=run.hello.version, counts=outcome_words(counts))
    console.print()
    console.print(RichText.assemble((mark, style), f"  {said}"), soft_wrap=False)


def brief(value: Any) -> str:
    """Return a JSON value as short text, cards with suit signs: ``trump ♥ · hand K♠ J♠ 7♦ · trick Q♠``."""
    if isinstance(value, Mapping):
        return " · ".join(f"{key.replace('_', ' ')} {_inner(item)}" for key, item in value.items())
    return _inner(value)


def _inner(value: Any) -> str:
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{key} {_inner(item)}" for key, item in value.items()) + ")"
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, str) for item in value):
            return " ".join(_inner(item) for item in value)
        return "[" + ", ".join(_inner(item) for item in value) + "]"
    if isinstance(value, str):
        if value in CARD_BY_NAME:
            return value[:-1] + SUIT_SIGNS[value[-1]]
        return SUIT_SIGNS.get(value, value)
    return json.dumps(value, ensure_ascii=False)
