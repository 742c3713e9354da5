"""The report of a run as data: totals, operations, and every case that did not simply pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.cases import Case
from belot_conformance.protocol import Hello
from belot_conformance.reading import as_runs
from belot_conformance.verdicts import OUTCOMES, Outcome, Verdict, all_acceptable, count
from belot_reference.catalogue import Language
from belot_reference.spec import Profile, Spec
from belot_reference.wording import sentence

REPORT_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: who was asked, the verdicts in the order of the plan, and faults blamed on nobody."""

    hello: Hello
    command: str
    suite: str
    verdicts: Sequence[Verdict]
    incidents: Sequence[str]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing went wrong and at least one case was really asked."""
        return all_acceptable(self.verdicts) and any(verdict.outcome == "passed" for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class RuleNote:
    """A rule that a case pins: its id, its sentence in the profile asked for, and what it rests on."""

    id: str
    sentence: str
    basis: str


def rule_notes(case: Case, profile: Profile, spec: Spec, language: Language) -> list[RuleNote]:
    """Return the rules that a case pins, in words of one language, with their citations."""
    return [
        _rule_note(rule, profile, spec, language)
        for rule in case.rules
        if rule in profile.settings and rule in spec.rules
    ]


def _rule_note(rule: str, profile: Profile, spec: Spec, language: Language) -> RuleNote:
    setting = profile.settings[rule]
    words = sentence(spec.rules[rule], setting.value, language, spec.glossary)
    basis = [
        *as_runs(setting.cite),
        *([f"{'ruling' if language == 'en' else 'lezing'} {setting.ruling}"] if setting.ruling else []),
    ]
    return RuleNote(rule, words, ", ".join(basis) or setting.status)


def by_operation(verdicts: Sequence[Verdict]) -> dict[str, dict[Outcome, int]]:
    """Return the counts of outcomes for each operation, in the order in which operations first occur."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.planned.case.operation, []).append(verdict)
    return {operation: count(group) for operation, group in groups.items()}


def as_json(run: Run, spec: Spec) -> dict[str, Any]:
    """Return the report as JSON values; its schema is ``spec/schema/report.schema.json``."""
    totals = count(run.verdicts)
    return {
        "report": REPORT_VERSION,
        "suite": run.suite,
        "target": {
            "name": run.hello.name,
            "version": run.hello.version,
            "language": run.hello.language,
            "command": run.command,
        },
        "passed": run.passed,
        "seconds": round(run.seconds, 3),
        "totals": {"planned": len(run.verdicts), **totals},
        "operations": {
            operation: {"planned": sum(counts.values()), **counts}
            for operation, counts in by_operation(run.verdicts).items()
        },
        "incidents": list(run.incidents),
        "cases": [_verdict_json(verdict, spec) for verdict in run.verdicts],
    }


def _verdict_json(verdict: Verdict, spec: Spec) -> dict[str, Any]:
    case = verdict.planned.case
    entry: dict[str, Any] = {
        "id": case.id,
        "title": {"en": case.title.en, "nl": case.title.nl},
        "operation": case.operation,
        "profile": verdict.planned.profile,
        "outcome": verdict.outcome,
        "seconds": round(verdict.seconds, 6),
        "rules": list(case.rules),
        "statements": list(case.statements),
    }
    if verdict.outcome in ("passed", "unsupported"):
        return entry
    entry |= {
        "detail": verdict.detail,
        "asked": dict(case.input),
        "expected": [{one.kind: dict(one.fields)} for one in case.expected],
        "came": verdict.came,
        "differences": [
            {"field": difference.field, "expected": difference.expected, "came": difference.came}
            for difference in verdict.differences
        ],
        "stderr": verdict.stderr,
        "rule_sentences": {
            language: {note.id: note.sentence for note in _notes(verdict, spec, language)} for language in ("en", "nl")
        },
    }
    return entry


def _notes(verdict: Verdict, spec: Spec, language: Language) -> list[RuleNote]:
    return rule_notes(verdict.planned.case, profile_of(verdict, spec), spec, language)


def profile_of(verdict: Verdict, spec: Spec) -> Profile:
    """Return the profile in whose words a verdict is explained: the one asked for, else the case's own."""
    name = verdict.planned.profile
    known = name.split("+")[0] in spec.playable() or name.endswith((".yaml", ".yml"))
    return spec.profile(name if known else verdict.planned.case.profile)


def failures(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts that keep a run from passing, wrong answers first."""
    bad = [verdict for verdict in verdicts if not all_acceptable([verdict])]
    return sorted(bad, key=lambda verdict: OUTCOMES.index(verdict.outcome))


def outcome_words(counts: Mapping[Outcome, int]) -> str:
    """Return counts as text, leaving out what did not occur: ``151 passed, 2 failed``."""
    shown = [f"{number} {outcome.replace('_', ' ')}" for outcome, number in counts.items() if number]
    return ", ".join(shown) or "nothing was asked"
