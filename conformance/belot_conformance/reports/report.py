"""The report of a run as data: totals, operations, and every case that did not simply pass."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from shlex import join
from typing import Any, Final, Literal

from belot_conformance.explain.explanation import Explanation
from belot_conformance.house_suite.table import TableSuite
from belot_conformance.logs.played import moment_before, why_refused
from belot_conformance.programs.protocol import Hello
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.reports.expected import Checked, expected_json
from belot_conformance.reports.explained import diagnosis_json
from belot_conformance.reports.scores import scores_json
from belot_conformance.rules.reading import STATUS_WORDS, as_runs
from belot_conformance.situations.covering import Covering, situations_json
from belot_conformance.suite.baselines import BaselineScore
from belot_conformance.suite.judge import OTHER_KIND, Difference, smallest
from belot_conformance.suite.selection import AGAIN, LAST_IDS
from belot_conformance.suite.verdicts import (
    ACCEPTABLE,
    COUNTED_APART,
    OF_CASES,
    OUTCOMES,
    PROVENANCES,
    Outcome,
    Planned,
    Provenance,
    Verdict,
    all_acceptable,
    count,
)
from belot_spec.catalogue import Text
from belot_spec.files import canonical
from belot_spec.languages import LANGUAGES
from belot_spec.profile_name import names_file
from belot_spec.register import Ruling
from belot_spec.shipped import open_profile
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence_text
from belot_spec.words import English

REPORT_VERSION: Final = 1
# Of what is wrong beyond the cases; more is counted only.
_MOST_TOLD: Final = 100
_BASES: Final = English(__name__, "bases")


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: who was asked, the verdicts in the order of the plan, and faults blamed on nobody.

    ``asked_with`` are the words after ``belot check`` that put one more case to the same target in the same way,
    ``expected`` the run held against a file of expected failures, ``baselines`` the score of the target under its name
    with those of programs that know nothing, and ``explained`` the rules that explain the wrong answers.
    ``tables`` are the profiles that were asked whole, ``notes`` what the tester should know about names; ``part``
    is whether rules of the tester's table that answers would show are left untested, ``narrowed``
    whether the tester chose some of the questions, ``unread`` how many lines of a log are no records, and
    ``incidents_allowed`` whether they take incidents for nothing.
    ``drawn`` are the verdicts on the questions with which a check ends, which are counted apart. ``situations`` say of
    each profile how often each of each operation was asked about. ``asked`` is how the command was given, its options
    and what they choose, and ``target`` the words that name the target there.
    """

    hello: Hello
    command: str
    suite: str
    verdicts: Sequence[Verdict]
    incidents: Sequence[str]
    seconds: float
    asked_with: tuple[str, ...] = ()
    expected: Checked | None = None
    baselines: Mapping[str, BaselineScore] | None = None
    explained: Sequence[Explanation] = ()
    tables: Sequence[TableSuite] = ()
    notes: Sequence[str] = ()
    part: bool = False
    narrowed: bool = False
    unread: int = 0
    incidents_allowed: bool = False
    drawn: Sequence[Verdict] = ()
    situations: Mapping[str, Mapping[str, Covering]] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    target: Sequence[str] = ()

    @property
    def all_verdicts(self) -> Sequence[Verdict]:
        """The verdicts on the cases, and then those that are counted apart."""
        return (*self.verdicts, *self.drawn)

    @property
    def told(self) -> Sequence[Verdict]:
        """The verdicts on the cases, and of what is wrong beyond them the cases and the smallest questions."""
        wrong = [one for one in self.drawn if one.outcome not in ACCEPTABLE]
        cases = [one for one in wrong if one.planned.provenance == "shared"]
        drawn = [one for one in wrong if one.planned.provenance != "shared"]
        smallest = sorted(drawn, key=lambda one: len(canonical(dict(one.planned.case.input))))
        return (*self.verdicts, *cases, *smallest[:_MOST_TOLD])

    @property
    def passed(self) -> bool:
        """Whether nothing went wrong but what was expected to or is allowed, and a case was really asked."""
        return self.answered_rightly and not self.outdated and not self.disturbed and not self.unread

    @property
    def answered_rightly(self) -> bool:
        """Whether no answer was wrong but what was expected to be, and at least one was right or expected."""
        answered = any(verdict.outcome == "passed" or verdict.excuse for verdict in self.verdicts)
        return all_acceptable(self.all_verdicts) and answered

    @property
    def disturbed(self) -> bool:
        """Whether there were incidents that nobody allowed."""
        return bool(self.incidents) and not self.incidents_allowed

    @property
    def outdated(self) -> bool:
        """Whether the file of expected failures says what the run does not bear out."""
        return self.expected is not None and bool(self.expected.findings)


# What is nobody's answer to a case.
FAULTS: Final = tuple(outcome for outcome in OUTCOMES if outcome != "failed" and outcome not in ACCEPTABLE)

Ending = Literal["passed", "part", "failed", "incidents", "nothing", "skipped", "outdated", "unread"]


def ending(run: Run) -> Ending:
    """Return how a run ended.

    All well, all well in part, something wrong, all answers right but incidents between them, nothing to ask, all of it
    skipped, expected otherwise, or all right of a log that could not be read whole.
    """
    if run.passed:
        return "part" if run.part else "passed"
    if run.outdated and not failures(run.all_verdicts):
        return "outdated"
    if run.answered_rightly and run.disturbed:
        return "incidents"
    if run.answered_rightly and run.unread:
        return "unread"
    totals = count(run.verdicts)
    if failures(run.all_verdicts) or totals["passed"]:
        return "failed"
    return "skipped" if totals["skipped"] else "nothing"


def again(verdict: Verdict, asked_with: Sequence[str]) -> str:
    """Return the command that puts the case of a verdict to the same target once more."""
    asked = verdict.planned.case
    if ":" in asked.id:  # no case is named so, but every record
        return join(["belot", "audit", str(asked.path), "--line", str(asked.line), *asked_with])
    if asked.id.startswith(AGAIN):  # a first answer is needed to have another
        return join(["belot", "check", *asked_with])
    case, _, table = asked.id.partition("@")
    if case.startswith(LAST_IDS) and "--profile" not in asked_with:
        table = verdict.planned.profile
    return join(["belot", "check", "--case", case, *(("--profile", table) if table else ()), *asked_with])


@dataclass(frozen=True, slots=True)
class RuleNote:
    """A rule that a case pins: its id, its sentence in the profile asked for, and what it rests on."""

    id: str
    sentence: Text
    basis: str


def _rule_note(rule: str, profile: Profile, spec: Spec) -> RuleNote:
    setting = profile.settings[rule]
    words = sentence_text(spec.rules[rule], setting.value, spec.glossary, profile.settings)
    ruling = [_BASES.say("ruling", id=setting.ruling)] if setting.ruling else []
    basis = [*as_runs(setting.cite), *ruling]
    return RuleNote(rule, words, ", ".join(basis) or STATUS_WORDS[setting.status].en)


def declared(run: Run) -> list[Verdict]:
    """Return the verdicts on the cases that are about what the program declares, whether or not they could be asked."""
    hello = run.hello

    def is_declared(planned: Planned) -> bool:
        plays = bool(planned.asked_as) or hello.declares(planned.profile)
        return plays and planned.case.operation in hello.operations

    return [one for one in run.verdicts if one.outcome != "unsupported" or is_declared(one.planned)]


def by_operation(run: Run, verdicts: Iterable[Verdict] | None = None) -> dict[str, dict[Outcome, int]]:
    """Return the counts of outcomes for each operation that was planned, or declared where all was asked.

    All verdicts on the cases are counted, or only those that are given.
    """
    groups: dict[str, list[Verdict]] = {operation: [] for operation in OPERATIONS}
    for verdict in run.verdicts if verdicts is None else verdicts:
        groups[verdict.planned.case.operation].append(verdict)
    known = () if run.narrowed else run.hello.operations
    return {operation: count(group) for operation, group in groups.items() if group or operation in known}


def occurring(counts: Mapping[Outcome, int]) -> dict[Outcome, int]:
    """Return the outcomes that occurred; what passed and what failed always has a place."""
    return {outcome: number for outcome, number in counts.items() if number or outcome in ("passed", "failed")}


def answers_of(verdicts: Sequence[Verdict]) -> dict[Provenance, int]:
    """Return how many answers of each provenance the program was held against; what was not asked has none."""
    asked = [one.planned.provenance for one in verdicts if one.was_asked]
    return {kind: n for kind in PROVENANCES if (n := asked.count(kind)) or kind in OF_CASES}


def right_of(verdicts: Sequence[Verdict]) -> dict[Provenance, tuple[int, int]]:
    """Return of each kind of question that is counted apart how many were right, and how many were asked."""
    counts = {kind: count(one for one in verdicts if one.planned.provenance == kind) for kind in COUNTED_APART}
    return {kind: (counts[kind]["passed"], n) for kind, n in answers_of(verdicts).items() if kind in counts}


def as_json(run: Run, spec: Spec) -> dict[str, Any]:
    """Return the report as JSON values; its schema is ``spec/schema/report.schema.json``."""
    told = listed(run.verdicts)
    cases, wrong = (
        [_verdict_json(one, run.asked_with, spec) for one in some] for some in (told, run.told[len(run.verdicts) :])
    )
    right = {kind: {"asked": asked, "right": right} for kind, (right, asked) in right_of(run.drawn).items()}
    unlisted = len(run.verdicts) - len(told)
    return {
        "report": REPORT_VERSION,
        "suite": run.suite,
        "target": {
            "name": run.hello.name,
            "version": run.hello.version,
            "language": run.hello.language,
            "command": run.command,
            **run.hello.shape.as_json(),
        },
        **({"asked": dict(run.asked)} if run.asked else {}),
        "passed": run.passed,
        "seconds": round(run.seconds, 3),
        "totals": _counts_json(count(run.verdicts)),
        "operations": {operation: _counts_json(counts) for operation, counts in by_operation(run).items()},
        "incidents": list(run.incidents),
        **({"incidents_allowed": True} if run.incidents_allowed else {}),
        "answers": answers_of(run.verdicts),
        "part": run.part,
        "notes": [{"en": note} for note in run.notes],
        "tables": [table_json(table) for table in run.tables],
        **({"expected": expected_json(run.expected)} if run.expected is not None else {}),
        **({"baselines": scores_json(run.baselines)} if run.baselines is not None else {}),
        **({"drawn": {**right, "wrong": wrong}} if run.drawn else {}),
        **({"situations": [situations_json(*one) for one in run.situations.items()]} if run.situations else {}),
        "diagnosis": diagnosis_json(run.explained, spec),
        **({"unlisted": unlisted} if unlisted else {}),
        "cases": cases,
    }


def _counts_json(counts: Mapping[Any, int]) -> dict[str, int]:
    return {"planned": sum(counts.values()), **counts}


def table_json(table: TableSuite) -> dict[str, Any]:
    """Return what a report for programs says of a table."""
    return {
        "profile": str(table.profile.id),
        "asked_as": table.asked_as or table.profile.id,
        "answers": {kind: table.provenances[kind] for kind in OF_CASES},
        "pinned": [test.rule for test in table.tests if test.tested],
        "unpinned": {test.rule: list(test.undeclared) for test in table.tests if test.undeclared},
        "unobservable": [test.rule for test in table.tests if not test.shown],
        "left_out": [{"questions": number, "reason": {"en": reason}} for reason, number in table.left_out.items()],
    }


def _verdict_json(verdict: Verdict, asked_with: Sequence[str], spec: Spec) -> dict[str, Any]:
    case = verdict.planned.case
    entry: dict[str, Any] = {
        **case.named(),
        "profile": str(verdict.planned.profile),
        "outcome": verdict.outcome,
        "provenance": verdict.planned.provenance,
        "seconds": round(verdict.seconds, 6),
        "rules": list(case.rules),
        "statements": list(case.statements),
    }
    if verdict.outcome == "passed":
        return entry
    entry["detail"] = verdict.detail
    if verdict.excuse:
        entry["excuse"] = verdict.excuse
    if verdict.outcome in ACCEPTABLE:
        return entry
    notes = notes_of(verdict, spec)
    entry |= {
        "origin": case.origin,
        "rulings": list(case.rulings),
        "asked": dict(case.input),
        "expected": [{one.kind: dict(one.fields)} for one in case.expected],
        "came": verdict.came,
        "differences": [asdict(difference) for difference in verdict.differences],
        "stderr": verdict.stderr,
        "rule_sentences": {
            language: {note.id: note.sentence.only(language) for note in notes if note.sentence.has(language)}
            for language in LANGUAGES
        },
        "again": again(verdict, asked_with),
    }
    return entry


def notes_of(verdict: Verdict, spec: Spec) -> list[RuleNote]:
    """Return the rules that the case of a verdict pins, in the words of the profile it was asked for.

    Where a refusal is expected, it is the rule that refuses which is told, and no other that was read.
    """
    profile, case = profile_of(verdict, spec), verdict.planned.case
    pinned: Iterable[str | None] = case.rules
    if all(one.kind == "rejected" for one in case.expected):
        refusing = why_refused(case.operation, profile, case.input)
        pinned = [one.rule or refusing for one in case.expected]
    told = (rule for rule in dict.fromkeys(filter(None, pinned)) if rule in profile.settings and rule in spec.rules)
    return [_rule_note(rule, profile, spec) for rule in told]


def profile_of(verdict: Verdict, spec: Spec) -> Profile:
    """Return the profile in whose words a verdict is explained: the one asked for, else the case's own."""
    if verdict.planned.rules is not None:
        return verdict.planned.rules
    name = verdict.planned.profile
    known = name.variant in spec.nameable() or names_file(name)
    return open_profile(name if known else verdict.planned.case.profile, spec)


def rulings_of(verdict: Verdict, spec: Spec) -> list[Ruling]:
    """Return the rulings that decide a case: its own, and those on which the rules that it pins rest."""
    settings, case = profile_of(verdict, spec).settings, verdict.planned.case
    of_rules = (settings[rule].ruling for rule in case.rules if rule in settings)
    cited = dict.fromkeys((*case.rulings, *filter(None, of_rules)))
    return [spec.rulings[ruling] for ruling in cited if ruling in spec.rulings]


def refused_actions(verdict: Verdict) -> list[tuple[int, Any]]:
    """Return the actions of a recorded deal at which it is refused, by what is expected or by the answer that came."""
    case, came = verdict.planned.case, (verdict.came or {}).get("rejected")
    refusals = [one.fields for one in case.expected if one.kind == "rejected"]
    refusals += [came] if isinstance(came, Mapping) else []
    told = case.input.get("actions")
    actions = dict(enumerate(told if isinstance(told, list) else ()))
    places = {at for one in refusals if type(at := one.get("at")) is int}
    return [(at, action) for at, action in actions.items() if at in places]


def refused_moments(verdict: Verdict, spec: Spec) -> list[tuple[int, Any, dict[str, Any]]]:
    """Return the refused actions, each with the hand of whoever did it and the trick on the table at that moment."""
    case, profile = verdict.planned.case, profile_of(verdict, spec)
    refused = refused_actions(verdict)
    return [(at, action, moment_before(case.operation, profile, case.input, at)) for at, action in refused]


def differing(verdict: Verdict) -> list[Difference]:
    """Return the smallest fields that differ; none where another kind of answer came."""
    found = smallest(verdict.planned.case.operation, verdict.differences)
    return found if all(difference.field != OTHER_KIND for difference in found) else []


def listed(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts that are told one by one: all but those of right records, which are only counted."""
    return [verdict for verdict in verdicts if verdict.planned.case.id]


def failures(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts that keep a run from passing, wrong answers first."""
    bad = [verdict for verdict in verdicts if not all_acceptable([verdict])]
    return sorted(bad, key=lambda verdict: OUTCOMES.index(verdict.outcome))
