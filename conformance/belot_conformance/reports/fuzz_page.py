"""What fuzzing found: each cause like a failed case, then what was reached of the rules; for people and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_conformance.explain.explanation import RuleFinding
from belot_conformance.fuzz.causes import Cause, variant_of
from belot_conformance.fuzz.fuzzing import Outcome, Seen
from belot_conformance.house_suite.questions import table_case
from belot_conformance.programs.protocol import Hello
from belot_conformance.questions.stream import Stream
from belot_conformance.reports.explained import said_of
from belot_conformance.reports.reached import print_reached, reached_json
from belot_conformance.reports.terminal import print_failure, print_incidents
from belot_conformance.reports.words import OUTCOME_WORDS, tell_verdict
from belot_conformance.suite.judge import OTHER_KIND, without_reasons
from belot_conformance.suite.verdicts import Planned, judge
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import same_text
from belot_spec.spec import Profile, Spec
from belot_spec.words import English

FUZZ_VERSION: Final = 1

_WORDS: Final = English(__name__, "fuzz")
_PLAYS: Final = "Plays as {profile}"
_TIES: Final = "These explain as much: {others}"
_AGAINST: Final = "Answers that speak against it: {n}."
_SHARED: Final = "Of the answers that were compared: {sentence}."
_TRIED: Final = "Every value of the rules that these answers read was tried singly, and none explains them."
_NOT_FOUND: Final = "No rule that explains these answers was found in {n} s."


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """A run: the program, the second one where two were compared, the seed, what came of it, causes and incidents."""

    hello: Hello
    against: Hello | None
    seed: int
    outcome: Outcome
    streams: Sequence[Stream]
    causes: Sequence[Cause]
    incidents: Sequence[str]

    @property
    def passed(self) -> bool:
        """Whether something was asked and nothing went wrong, not even at a question that nobody can name."""
        wrong = self.outcome.wrong or self.outcome.gave_up or self.incidents
        return self.outcome.asked > 0 and not wrong


def print_fuzzed(page: Page, run: Fuzzed, spec: Spec) -> None:
    """Print each cause, what was reached of the rules, and how it ended."""
    for number, cause in enumerate(run.causes, start=1):
        _print_cause(page, number, cause, run, spec)
        page.blank()
    print_reached(page, run.streams, _WORDS)
    outcome = run.outcome
    if outcome.gave_up:
        page.line(_WORDS.say("gave_up", why=outcome.gave_up))
    print_incidents(page, run.incidents)
    told = {"asked": outcome.asked, "wrong": outcome.wrong, "causes": len(run.causes), "n": len(run.incidents)}
    told |= {"rate": _rate(outcome), "seed": run.seed}
    name, other = _names(run)
    tell_verdict(page, _WORDS, _ending(run), run.passed, name=name, other=other, **told)


def _ending(run: Fuzzed) -> str:
    if not run.outcome.asked:
        return "nothing"
    if run.incidents and not run.outcome.wrong:
        return "incidents"
    if run.against is not None:
        return "agree" if run.passed else "differ"
    return "passed" if run.passed else "failed"


def _rate(outcome: Outcome) -> int:
    return round(outcome.asked / outcome.seconds) if outcome.seconds else 0


def _print_cause(page: Page, number: int, cause: Cause, run: Fuzzed, spec: Spec) -> None:
    seen, ties = cause.smallest, list[str]()
    if cause.finding is not None and cause.played is not None:
        own, *ties = _said(cause.finding, cause.played, spec)
        what = _WORDS.say("plays", rule=own, id=cause.rule)
    elif cause.played is not None:
        what = _PLAYS.format(profile=cause.played.id)
    else:
        what = f"{seen.operation}: {_what_came(seen)}"
    page.line(f"{number}. {what}", hang=3, style="bold")
    page.line(_WORDS.say("first", n=cause.first, kept=cause.kept), indent=3)
    shown = variant_of(seen)
    if ties:
        page.line(_TIES.format(others=" / ".join(ties)), indent=3)
    if cause.finding is not None and cause.finding.wrong:
        page.line(_AGAINST.format(n=cause.finding.wrong), indent=3)
    if cause.shared:
        page.line(_SHARED.format(sentence=cause.shared), indent=3)
    if cause.tried is not None:
        page.line((_TRIED if cause.tried else _NOT_FOUND).format(n=round(cause.seconds)), indent=3)
    if others := [variant for variant in cause.variants if variant != shown]:
        page.line(_WORDS.say("also", profiles=", ".join(others)), indent=3)
    if cause.cut_short:
        page.line(_WORDS.say("cut_short"), indent=3)
    if run.against is None:
        print_failure(page, judge(planned_of(seen, cause.rule), seen.came), spec, None)
        return
    page.labelled("", f"{seen.operation}, {seen.table.rules.profile.id}", indent=2)
    page.labelled(_WORDS.say("asked"), brief(seen.question), indent=2)
    names = _names(run)
    for name, message in zip(names, (seen.came.message(), seen.other.message() if seen.other else {}), strict=True):
        page.labelled(name, brief(_in_short(message, seen), seen.right), indent=2)
    right = without_reasons(seen.operation, seen.right)
    page.labelled(_WORDS.say("rules"), brief(_in_short(right, seen)), indent=2)


def _said(finding: RuleFinding, played: Profile, spec: Spec) -> list[str]:
    """Return what a rule says, then each other value or rule that explains as much and reads otherwise."""
    values = [(finding.rule, value) for value in (finding.value, *finding.values)]
    return [*dict.fromkeys(said_of(*one, played, spec) for one in (*values, *finding.alike))]


def _what_came(seen: Seen) -> str:
    """Say in what an answer differs, or what came instead of one, of either program."""
    kinds = [one.kind for one in (seen.came, seen.other) if one is not None]
    for kind in kinds:
        if kind not in ("result", "rejected"):
            return OUTCOME_WORDS.say("errored" if kind == "error" else kind)
    if seen.fields == (OTHER_KIND,):
        return _WORDS.say("other_kind")
    return _WORDS.say("unexplained", fields=", ".join(seen.fields))


def _names(run: Fuzzed) -> tuple[str, str]:
    """Return what both programs are called; two builds of one often have the same name."""
    name, other = run.hello.name, run.against.name if run.against else ""
    return name, other if other != name else _WORDS.say("second", name=name)


def _in_short(message: Mapping[str, Any], seen: Seen) -> Mapping[str, Any]:
    """Return of a result only what differs, if that is some fields of it."""
    (answer,) = message.values() or ({},)
    shown = {field: answer[field] for field in seen.fields if isinstance(answer, Mapping) and field in answer}
    return shown or message


def planned_of(seen: Seen, rule: str) -> Planned:
    """Return a question that was found as a planned case, with the answer of the rules as what is expected."""
    title = same_text(_WORDS.say("title", operation=seen.operation))
    made = table_case(seen.table.rules, seen.operation, "", title, seen.question)
    pinned = (rule,) if rule in seen.read else ()
    case = replace(made.case, id="", expected=(seen.expected,), rules=pinned)
    return replace(made, case=case, asked_as=seen.table.asked_as)


def fuzzed_json(run: Fuzzed) -> dict[str, Any]:
    """Return a run as JSON values."""
    outcome = run.outcome
    return {
        "fuzz": FUZZ_VERSION,
        "passed": run.passed,
        "program": {"name": run.hello.name, "version": run.hello.version},
        "against": None if run.against is None else {"name": run.against.name, "version": run.against.version},
        "seed": run.seed,
        "questions": outcome.asked,
        "operations": dict(outcome.operations),
        "seconds": round(outcome.seconds, 2),
        "questions_per_second": _rate(outcome),
        "wrong": outcome.wrong,
        "gave_up": outcome.gave_up,
        "incidents": list(run.incidents),
        "causes": [_cause_json(cause) for cause in run.causes],
        "coverage": reached_json(run.streams),
    }


def _cause_json(cause: Cause) -> dict[str, Any]:
    seen = cause.smallest
    return {
        "operation": seen.operation,
        "profile": str(seen.table.rules.profile.id),
        "fields": list(seen.fields),
        "rule": cause.rule or None,
        "value": cause.value,
        "values": list(cause.finding.values) if cause.finding else [],
        "alike": dict(cause.finding.alike) if cause.finding else {},
        "contradicted": cause.finding.wrong if cause.finding else 0,
        "plays": None if cause.played is None or cause.rule else str(cause.played.id),
        "shared": cause.shared or None,
        "beyond_rules": cause.tried is True,
        "first": cause.first,
        "answers_kept": cause.kept,
        "variants": list(cause.variants),
        "cut_short": cause.cut_short,
        "input": dict(seen.question),
        "expected": without_reasons(seen.operation, seen.right),
        "came": seen.came.message(),
        **({"other": seen.other.message()} if seen.other is not None else {}),
    }
