"""A first look at a program: whether it shakes hands, and answers an easy question of each operation it declares."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from json import dumps
from shlex import join
from typing import Any, Final, Literal

from belot_conformance.house_suite.planning import WORDS as PLANNING
from belot_conformance.house_suite.planning import called, is_known, misdeclared
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import Limits, StartError, Target
from belot_conformance.programs.targets import Kind, TargetName, open_target
from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.suite.cases import SUFFIX, Case, load_cases
from belot_conformance.suite.verdicts import Askable, Planned, Verdict, judge_all
from belot_spec.card_names import SUITS
from belot_spec.spec import Spec
from belot_spec.words import English

SMOKE_VERSION: Final = 1

Level = Literal["right", "wrong", "missing"]

_WORDS: Final = English(__name__, "smoke")
_WRONG: Final = English(__name__, "smoke-wrong")
_ADVICE: Final = English(__name__, "smoke-advice")
# What to look at where nobody shook hands, by the way in.
_TALKING: Final[Mapping[Kind, Sequence[str]]] = {
    "command": ("read", "flush", "greeting", "begin"),
    "http": ("server", "reply"),
    "python": ("module",),
    "reference": (),
}


# What a program has last, as it stands in a question or an answer: no trumps and all trumps, capot, a number over the
# lowest one, doubling, what is announced, and eight in a row or whatever else is rare.
_LATER: Final = tuple(map(re.compile, (
    r'"(\d\d+|capot)?[NA]"', "capot", r'"([2-7]\d|8[1-9]|9\d|\d{3})[SHDCNA]"|"bid": (?!80\b)\d',
    r'double|"raised": [2-9]', r'"wins_match": true|"ended": "(belot|claim)"|"exchange"|"look"',
    r'"(declarations|outranked|belote)": (true|[1-9]|\[[^\]]*\b[1-9]\d*\b[^"])|"announce"|"call": true',
    "|".join(rf'\[("\w+{suit}"(, )?){{8}}\]' for suit in SUITS),
)))  # fmt: skip


_AMOUNT: Final = re.compile(r'"bid": "?(\d+)')
# Of the questions that are easy where they come from so many are looked at: at a table the answer may hold more.
_LOOKED_AT: Final = 25

# A profile, and what the program calls it.
_Table = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: ``about`` is start, handshake, profiles, operations or an operation."""

    about: str
    level: Level
    said: str
    verdict: Verdict | None = None
    details: str = ""


@dataclass(frozen=True, slots=True)
class SmokeReport:
    """What was found, in order, and what to do next; ``hello`` is missing when nobody shook hands."""

    target: TargetName
    hello: Hello | None
    findings: Sequence[Finding]
    advice: Sequence[str] = field(default_factory=tuple)
    profile: str | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong and at least one question was answered correctly."""
        levels = [finding.level for finding in self.findings]
        return "wrong" not in levels and any(finding.verdict is not None for finding in self.findings)


def smoke(name: TargetName, limits: Limits, spec: Spec, profile: str | None = None) -> SmokeReport:
    """Look at a target; whatever it does ends up in the report.

    With a profile it is asked by those rules, whatever it declares; raises ``UnknownNameError`` if there is none.
    """
    reference = Reference(spec, [profile] if profile else [])
    try:
        target = open_target(name, limits, reference)
    except StartError as error:
        fault = Finding("start", "wrong", _WORDS.say("no-start", reason=error.reason), details=error.stderr)
        return SmokeReport(name, None, [fault], _start_advice(name, error))
    with target:
        hello = target.hello
        tables, findings = _tables(hello, reference, profile)
        findings = [*_look_at(hello, spec, profile), *findings, *_ask(target, tables, reference)]
    return SmokeReport(name, hello, findings, _advice(name, hello, findings, profile), profile)


def as_json(report: SmokeReport) -> dict[str, Any]:
    """Return the report as JSON values; its schema is ``spec/schema/smoke.schema.json``."""
    hello = report.hello
    return {
        "smoke": SMOKE_VERSION,
        "target": report.target.text,
        "passed": report.passed,
        "program": hello and {"name": hello.name, "version": hello.version, "language": hello.language},
        "findings": [_finding_json(finding) for finding in report.findings],
        "advice": [{"en": text} for text in report.advice],
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    entry: dict[str, Any] = {"about": finding.about, "level": finding.level, "said": {"en": finding.said}}
    if finding.verdict is not None:
        case = finding.verdict.planned.case
        entry |= {
            "case": case.id,
            "profile": str(finding.verdict.planned.profile),
            "outcome": finding.verdict.outcome,
            "asked": dict(case.input),
            "expected": [{one.kind: dict(one.fields)} for one in case.expected],
            "came": finding.verdict.came,
        }
    return entry | ({"details": finding.details} if finding.details else {})


def _look_at(hello: Hello, spec: Spec, profile: str | None) -> Iterator[Finding]:
    """Look at what the program says about itself; which rules it plays is the tester's word, if there is one."""
    who = f"{hello.name} {hello.version} ({hello.language})"
    yield Finding("handshake", "right", _WORDS.say("hand", who=who))
    wrong = [*misdeclared(hello, spec, profile), *_unknown_fields(hello)]
    if not hello.profiles and not profile:
        wrong.append(("profiles", f"{_WORDS['no-profiles']} {PLANNING['name-the-rules']}"))
    if not hello.operations:
        wrong.append(("operations", _WORDS["no-operations"]))
    yield from (Finding(about, "wrong", said) for about, said in wrong)


def _unknown_fields(hello: Hello) -> Iterator[tuple[str, str]]:
    """Find fault with fields that no result has: of those nothing could ever be compared."""
    for operation, names in hello.shape.fields.items():
        known = OPERATIONS[operation].result_fields if operation in OPERATIONS else ()
        for name in names if operation in hello.operations else ():
            if name not in known:
                said = _WORDS.say("unknown-field", name=name, operation=operation, known=", ".join(known))
                yield "operations", said


def _tables(hello: Hello, reference: Reference, profile: str | None) -> tuple[list[_Table], list[Finding]]:
    """Return whose rules are asked and by which names, and the sentence that is due where names differ."""
    if profile is None:
        known = [name.plain for name in hello.profiles if is_known(name, reference.spec)]
        return [(name, name) for name in known], []
    rules = reference.profile(profile)
    name, note = called(rules, hello, reference.spec)
    return [(rules.id, name)], [Finding("profiles", "right", note)] if note else []


def _ask(target: Target, tables: Sequence[_Table], reference: Reference) -> Iterator[Finding]:
    """Ask one easy question of each operation that the program declares, and name the others."""
    hello = target.hello
    cases = easiest_first(load_cases())
    names = [profile for profile, _ in tables]
    for operation in (operation for operation in EASY_FIRST if operation in hello.operations):
        of_operation = [case for case in cases if case.operation == operation]
        found = islice(_askable(tables, of_operation, reference, Askable(hello)), _LOOKED_AT)
        planned = min(found, key=lambda one: (one.case.path.suffix == SUFFIX, _demands(one.case)), default=None)
        if planned is None:
            shown = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
            yield Finding(operation, "missing", _WORDS.say("no-question", names=shown))
        else:
            yield _judged(judge_all(target, [planned])[0])
    if left := [operation for operation in EASY_FIRST if operation not in hello.operations]:
        yield Finding("operations", "missing", _WORDS.say("undeclared", operations=", ".join(left)))


def easiest_first(cases: Iterable[Case]) -> list[Case]:
    """Return cases with those first that a program answers which has the least: of equals the shortest."""
    return sorted(cases, key=lambda case: (_demands(case), len(dumps(case.input)), case.id))


def _demands(case: Case) -> tuple[int, int]:
    """Return how much of what comes later in a program a question and its answer hold, and the highest bid in them."""
    text = dumps([case.input, *(dict(one.fields) for one in case.expected)])
    return sum(one.search(text) is not None for one in _LATER), max(map(int, _AMOUNT.findall(text)), default=0)


def _askable(
    tables: Sequence[_Table], by_effort: Sequence[Case], reference: Reference, declared: Askable
) -> Iterator[Planned]:
    """Yield the questions with a result, the easiest for the first table first, in the shape that was declared.

    Recorded ones come last of all, and of those that demand as much cases of its own variant first.
    """
    for recorded, (profile, name) in product((False, True), tables):
        own_first = sorted(by_effort, key=lambda case: (_demands(case), case.profile != profile))
        for case in (case for case in own_first if (case.path.suffix == SUFFIX) == recorded):
            for one in table_questions([case], reference.ruleset(profile), reference).asked:
                planned = replace(one, asked_as=name)
                if planned.case.expected[0].kind == "result" and declared.can_be_asked(planned):
                    yield planned


def _judged(verdict: Verdict) -> Finding:
    operation = verdict.planned.case.operation
    if verdict.outcome == "passed":
        return Finding(operation, "right", _WORDS["right"], verdict)
    said = _WRONG.get(verdict.outcome, _WRONG["failed"])
    if verdict.came is not None and "unsupported" in verdict.came:
        said = _WORDS["unsupported"]
    details = "\n".join(text for text in (verdict.detail, verdict.stderr) if text)
    return Finding(operation, "wrong", said, verdict, details if verdict.outcome != "failed" else "")


def _start_advice(name: TargetName, error: StartError) -> list[str]:
    if name.kind == "command":
        if "could not be started" in error.reason:
            return [_ADVICE["path"]]
        if error.missing_module is not None:
            return [_ADVICE.say("missing-module", module=error.missing_module)]
        if "exited with code" in error.reason and error.stderr:
            return [_ADVICE["broke-off"]]
    return [_ADVICE[advice] for advice in _TALKING[name.kind]]


def _advice(name: TargetName, hello: Hello, findings: Sequence[Finding], profile: str | None) -> list[str]:
    """Say what to do next: mend, or check everything and add an operation."""
    by = ["--profile", profile] if profile else []
    again, check = (join(["belot", *words, *by, *name.arguments]) for words in (["adapter", "try"], ["check"]))
    if any(finding.level == "wrong" for finding in findings):
        return [_with_command("mend", again)]
    left = [_ADVICE.say("next", operation=one) for one in EASY_FIRST if one not in hello.operations]
    return [_with_command("check", check), *left[:1]]


def _with_command(name: str, command: str) -> str:
    """Return an advice with the command that does it on a line of its own."""
    return f"{_ADVICE[name]}\n{command}"
