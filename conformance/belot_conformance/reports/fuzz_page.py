"""What fuzzing found: each cause like a failed case, then what was reached of the rules; for people and as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from belot_conformance.fuzz.alone import RELATIONS, Alone, Broken
from belot_conformance.fuzz.causes import Cause, variant_of
from belot_conformance.fuzz.fuzzing import Outcome, Seen
from belot_conformance.house_suite.questions import table_case
from belot_conformance.programs.protocol import Hello
from belot_conformance.questions.rarities import DEALS, MATCHES
from belot_conformance.questions.stream import Stream
from belot_conformance.reports.explained import said_of
from belot_conformance.reports.terminal import print_failure, print_incidents
from belot_conformance.reports.words import OUTCOME_WORDS, tell_verdict
from belot_conformance.suite.judge import OTHER_KIND, without_reasons
from belot_conformance.suite.verdicts import Planned, judge
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.languages import Language
from belot_spec.spec import Spec
from belot_spec.words import Words

FUZZ_VERSION: Final = 1

_WORDS: Final = Words(__name__, "fuzz")
_PLAYS: Final = "Plays as {profile}"
_SHARED: Final = "Of the answers that were compared: {sentence}."
_TRIED: Final = "Every value of the rules that these answers read was tried singly, and none explains them."
_NOT_FOUND: Final = "No rule that explains these answers was found in {n} s."
# More profiles than these are told together.
_ROWS: Final = 12
_NAMED: Final = 6
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


def print_fuzzed(page: Page, run: Fuzzed, spec: Spec, language: Language) -> None:
    """Print each cause, what was reached of the rules, and how it ended."""
    for number, cause in enumerate(run.causes, start=1):
        _print_cause(page, number, cause, run, spec, language)
        page.blank()
    _print_coverage(page, run.streams, language)
    outcome = run.outcome
    if outcome.gave_up:
        page.line(_WORDS.say("gave_up", language, why=outcome.gave_up))
    print_incidents(page, run.incidents, language)
    tell_verdict(
        page,
        _WORDS,
        _ending(run),
        run.passed,
        language,
        name=run.hello.name,
        other=_names(run, language)[1],
        asked=outcome.asked,
        wrong=outcome.wrong,
        causes=len(run.causes),
        rate=_rate(outcome),
        seed=run.seed,
        n=len(run.incidents),
    )


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


def _print_cause(page: Page, number: int, cause: Cause, run: Fuzzed, spec: Spec, language: Language) -> None:
    seen = cause.smallest
    if cause.rule and cause.played is not None:
        rules = said_of(cause.rule, cause.value, cause.played, spec, language)
        what = _WORDS.say("plays", language, rule=rules, id=cause.rule)
    elif cause.played is not None:
        what = _PLAYS.format(profile=cause.played.id)
    else:
        what = f"{seen.operation}: {_what_came(seen, language)}"
    page.line(f"{number}. {what}", hang=3, style="bold")
    page.line(_WORDS.say("first", language, n=cause.first, kept=cause.kept), indent=3)
    shown = variant_of(seen)
    if cause.shared:
        page.line(_SHARED.format(sentence=cause.shared), indent=3)
    if cause.tried is not None:
        page.line((_TRIED if cause.tried else _NOT_FOUND).format(n=round(cause.seconds)), indent=3)
    if others := [variant for variant in cause.variants if variant != shown]:
        page.line(_WORDS.say("also", language, profiles=", ".join(others)), indent=3)
    if cause.cut_short:
        page.line(_WORDS.say("cut_short", language), indent=3)
    if run.against is None:
        print_failure(page, judge(planned_of(seen, cause.rule), seen.came), spec, language, None)
        return
    page.labelled("", f"{seen.operation}, {seen.table.rules.profile.id}", indent=2)
    page.labelled(_WORDS.say("asked", language), brief(seen.question), indent=2)
    names = _names(run, language)
    for name, message in zip(names, (seen.came.message(), seen.other.message() if seen.other else {}), strict=True):
        page.labelled(name, brief(_in_short(message, seen), seen.right), indent=2)
    right = without_reasons(seen.operation, seen.right)
    page.labelled(_WORDS.say("rules", language), brief(_in_short(right, seen)), indent=2)


def _what_came(seen: Seen, language: Language) -> str:
    """Say in what an answer differs, or what came instead of one, of either program."""
    kinds = [one.kind for one in (seen.came, seen.other) if one is not None]
    for kind in kinds:
        if kind not in ("result", "rejected"):
            return OUTCOME_WORDS.say("errored" if kind == "error" else kind, language)
    if seen.fields == (OTHER_KIND,):
        return _WORDS.say("other_kind", language)
    return _WORDS.say("unexplained", language, fields=", ".join(seen.fields))


def _names(run: Fuzzed, language: Language) -> tuple[str, str]:
    """Return what both programs are called; two builds of one often have the same name."""
    name, other = run.hello.name, run.against.name if run.against else ""
    return name, other if other != name else _WORDS.say("second", language, name=name)


def _in_short(message: Mapping[str, Any], seen: Seen) -> Mapping[str, Any]:
    """Return of a result only what differs, if that is some fields of it."""
    (answer,) = message.values() or ({},)
    shown = {field: answer[field] for field in seen.fields if isinstance(answer, Mapping) and field in answer}
    return shown or message


def planned_of(seen: Seen, rule: str) -> Planned:
    """Return a question that was found as a planned case, with the answer of the rules as what is expected."""
    title = _WORDS.filled("title", operation=seen.operation)
    made = table_case(seen.table.rules, seen.operation, "", title, seen.question)
    pinned = (rule,) if rule in seen.read else ()
    case = replace(made.case, id="", expected=(seen.expected,), rules=pinned)
    return replace(made, case=case, asked_as=seen.table.asked_as)


def _print_coverage(page: Page, streams: Sequence[Stream], language: Language) -> None:
    words = _WORDS.in_language(language)
    headings = [words[name] for name in ("profile", "read", "rungs", "nodes", "refusals", "rare")]
    rows = [(stream.rules.profile.id, *(_of(*pair) for pair in _reached(stream).values())) for stream in streams]
    page.heading(words["coverage"])
    page.table(headings, rows[:_ROWS])
    if len(rows) > _ROWS:
        page.line(_WORDS.say("more", language, n=len(rows) - _ROWS))
    for stream in streams[:_ROWS]:
        if unread := unread_rules(stream):
            some = ", ".join(unread[:_NAMED]) + (" …" if len(unread) > _NAMED else "")
            page.line(_WORDS.say("unread", language, profile=stream.rules.profile.id, rules=some), hang=2)


def _of(reached: int, possible: int | None) -> str:
    return f"{reached}" if possible is None else f"{reached}/{possible}"


def unread_rules(stream: Stream) -> list[str]:
    """Return the rules that no answer has read yet; those about how scores are written for people are none."""
    known = stream.rules.profile.settings
    return [
        rule for rule in known if rule not in stream.coverage.reached.rules and not rule.startswith("presentation.")
    ]


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
        "coverage": {
            stream.rules.profile.id: {
                **{name: {"reached": one, "possible": all_} for name, (one, all_) in _reached(stream).items()},
                "unread": unread_rules(stream),
            }
            for stream in run.streams
        },
    }


def _cause_json(cause: Cause) -> dict[str, Any]:
    seen = cause.smallest
    return {
        "operation": seen.operation,
        "profile": str(seen.table.rules.profile.id),
        "fields": list(seen.fields),
        "rule": cause.rule or None,
        "value": cause.value,
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


_ALONE: Final = Words(__name__, "alone")


def print_alone(page: Page, hello: Hello, found: Alone, language: Language) -> None:
    """Print the smallest pair of answers that cannot both hold, of each kind, and how often each relation held."""
    for one in found.examples.values():
        _print_broken(page, one, language)
        page.blank()
    words = _ALONE.in_language(language)
    rows = [
        (words[name], f"{found.tried[name]:,}", f"{found.broken[name]:,}" if found.broken[name] else "·")
        for name in RELATIONS
        if found.tried[name]
    ]
    page.table([words["relation"], words["tried"], words["broken"]], rows)
    if found.gave_up:
        page.line(_ALONE.say("gave_up", language, why=found.gave_up))
    print_incidents(page, found.incidents, language)
    key = "passed" if found.passed else "incidents" if found.incidents and not found.broken else "failed"
    told = {"asked": found.asked, "broken": found.broken.total(), "n": len(found.incidents)}
    tell_verdict(page, _ALONE, key, found.passed, language, name=hello.name, **told)


def _print_broken(page: Page, one: Broken, language: Language) -> None:
    pair = one.pair
    title = _ALONE[pair.relation].in_language(language)
    page.line(f"✗ {title} ({pair.operation}, {one.profile})", style="bold red")
    operation, question = pair.other
    for label, shown in (
        ("asked", f"{pair.operation} · {brief(pair.question)}"),
        ("answer", brief(pair.given)),
        ("also", f"{operation} · {brief(question)}"),
        ("answer", brief(one.came)),
    ):
        page.labelled(_ALONE.say(label, language), shown, indent=2)


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
                "operation": one.pair.operation,
                "input": dict(one.pair.question),
                "came": dict(one.pair.given),
                "other": {"operation": one.pair.other[0], "input": dict(one.pair.other[1]), "came": dict(one.came)},
            }
            for one in found.examples.values()
        ],
    }
