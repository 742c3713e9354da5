"""What random questions found: causes of wrong answers, what was reached of the rules, and contradictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from markupsafe import Markup

from belot_conformance.explain.explanation import RuleFinding
from belot_conformance.fuzz.alone import RELATIONS, Alone
from belot_conformance.fuzz.causes import Cause, variant_of
from belot_conformance.fuzz.fuzzing import Outcome, Seen
from belot_conformance.house_suite.questions import table_case
from belot_conformance.programs.protocol import Hello
from belot_conformance.questions.rarities import DEALS, MATCHES
from belot_conformance.questions.stream import Stream
from belot_conformance.reports.explained import said_of
from belot_conformance.reports.terminal import LABEL, case_told
from belot_conformance.reports.words import OUTCOME_WORDS
from belot_conformance.suite.judge import OTHER_KIND, without_reasons
from belot_conformance.suite.verdicts import Planned, judge
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_conformance.text.template import filled, tell
from belot_reference.trace import RULES_OF_FORM
from belot_spec.catalogue import same_text
from belot_spec.spec import Profile, Spec

FUZZ_VERSION: Final = 1
_LADDERS: Final = ("play.lead", "play.follow.", "play.void.", "play.trump-led.")


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
    name, other = run.hello.name, run.against.name if run.against else ""
    # Two builds of one program often have the same name.
    other = f"{name} (second)" if other == name else other
    causes = [_cause_told(cause, run, spec, (name, other)) for cause in run.causes]
    tell(page, "fuzz.j2", width=LABEL, **{**fuzzed_json(run), "causes": causes, "name": name, "other": other})


def _rate(outcome: Outcome) -> int:
    return round(outcome.asked / outcome.seconds) if outcome.seconds else 0


def _cause_told(cause: Cause, run: Fuzzed, spec: Spec, names: tuple[str, str]) -> dict[str, Any]:
    """Return what ``fuzz.j2`` says of a cause."""
    seen, ties, shown = cause.smallest, list[str](), variant_of(cause.smallest)
    if cause.finding is not None and cause.played is not None:
        own, *ties = _said(cause.finding, cause.played, spec)
        head = f'Plays as if the rule were "{own}" ({cause.rule})'
    elif cause.played is not None:
        head = f"Plays as {cause.played.id}"
    else:
        head = f"{seen.operation}: {_what_came(seen)}"
    told = {
        **_cause_json(cause),
        "head": head,
        "kept": cause.kept,
        "ties": ties,
        "tried": cause.tried,
        "seconds": cause.seconds,
        "others": [variant for variant in cause.variants if variant != shown],
        "asked": brief(seen.input),
    }
    if run.against is None:
        failure = case_told(judge(planned_of(seen, cause.rule), seen.came), spec, None)
        return {**told, "failure": Markup(filled("failure.j2", **failure))}
    messages = (seen.came.message(), seen.other.message() if seen.other else {})
    sides = [(name, brief(_in_short(said, seen), seen.answer)) for name, said in zip(names, messages, strict=True)]
    right = without_reasons(seen.operation, seen.answer)
    return {**told, "sides": [*sides, ("the rules", brief(_in_short(right, seen)))]}


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
        return "a result here, a refusal there"
    return f"another answer in {', '.join(seen.fields)}"


def _in_short(message: Mapping[str, Any], seen: Seen) -> Mapping[str, Any]:
    """Return of a result only what differs, if that is some fields of it."""
    (answer,) = message.values() or ({},)
    shown = {field: answer[field] for field in seen.fields if isinstance(answer, Mapping) and field in answer}
    return shown or message


def planned_of(seen: Seen, rule: str) -> Planned:
    """Return a question that was found as a planned case, with the answer of the rules as what is expected."""
    title = same_text(f"A random question of {seen.operation}")
    made = table_case(seen.table.rules, seen.operation, "", title, seen.input)
    pinned = (rule,) if rule in seen.rules else ()
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
        "input": dict(seen.input),
        "expected": without_reasons(seen.operation, seen.answer),
        "came": seen.came.message(),
        **({"other": seen.other.message()} if seen.other is not None else {}),
    }


def unread_rules(stream: Stream) -> list[str]:
    """Return the rules that no answer has read yet; those about how scores are written for people are none."""
    known = stream.rules.profile.settings.keys() - stream.coverage.reached.rules
    # What a table has is known of it before anything is asked.
    return sorted(rule for rule in known if not rule.startswith("presentation.") and rule not in RULES_OF_FORM)


def _reached(stream: Stream) -> Mapping[str, tuple[int, int | None]]:
    """Return what was reached, and of how much where that is known; not everything can happen at every table."""
    reached, settings = stream.coverage.reached, stream.rules.profile.settings
    rules = [rule for rule in settings if not rule.startswith("presentation.")]
    rungs = sum(len(settings[rule].value) for rule in settings if rule.startswith(_LADDERS))
    return {
        "rules": (len(reached.rules & set(rules)), len(rules)),
        "rungs": (len(reached.rungs), rungs),
        "trick_nodes": (len(reached.nodes), None),
        "refusals": (len(reached.reasons), None),
        "rare_things": (len(reached.rare & {*DEALS, *MATCHES}), None),
    }


def reached_json(streams: Sequence[Stream]) -> dict[str, Any]:
    """Return what was reached in each profile as JSON values."""
    return {
        stream.rules.profile.id: {
            **{name: {"reached": one, "possible": all_} for name, (one, all_) in _reached(stream).items()},
            "unread": unread_rules(stream),
        }
        for stream in streams
    }


def print_alone(page: Page, hello: Hello, found: Alone) -> None:
    """Print the smallest pair of answers that cannot both hold, of each kind, and how often each relation held."""
    facts = alone_json(hello, found)
    tell(page, "alone.j2", found=facts, **facts)


def alone_json(hello: Hello, found: Alone) -> dict[str, Any]:
    """Return what came of it as JSON values."""
    return {
        "program": {"name": hello.name, "version": hello.version},
        "passed": found.passed,
        "questions": found.asked,
        "gave_up": found.gave_up,
        "incidents": list(found.incidents),
        "relations": {name: {"tried": found.tried[name], "broken": found.broken[name]} for name in RELATIONS},
        "broken": [
            {
                "relation": one.pair.relation,
                "profile": one.profile,
                "operation": one.pair.given.operation,
                "input": dict(one.pair.given.input),
                "came": dict(one.pair.given.answer),
                "other": {
                    "operation": one.pair.other.operation,
                    "input": dict(one.pair.other.input),
                    "came": dict(one.came),
                },
            }
            for one in found.examples.values()
        ],
    }
