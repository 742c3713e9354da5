"""What ``belot identify`` found, for people at a terminal and as JSON."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.identify.asking import Inquiry
from belot_conformance.identify.evidence import SAME
from belot_conformance.identify.identification import Example, Identified, RuleFinding, Unexplained, Unseen
from belot_conformance.identify.log import Recorded
from belot_conformance.identify.overlay import house_rules, overlay_values
from belot_conformance.programs.protocol import Hello
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import without_reasons
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Text, same_text
from belot_spec.languages import Language
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence, sentence_text
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "identify")
# What is said in other words of a log, of which nothing can be asked.
_OF_A_LOG: Final = Words(__name__, "identify-log")
# So many values or rules that fit equally are told; the rest is counted.
_SHOWN: Final = 4


_ALL_SEEN: Final = Unseen()


@dataclass(frozen=True, slots=True)
class Subject:
    """Who plays: how it is called, from what that is known, in words and as JSON, and the operations that it answers.

    ``unseen`` are the rules that nothing shows. ``held_to`` is the profile that it should play by its own word or the
    tester's, ``None`` if nobody said so. Of a log so many ``records`` were judged and are ``wrong``, all for the same
    ``reason`` if there is one; ``None`` for a program.
    """

    name: Text
    known_from: Text
    data: Mapping[str, Any]
    operations: Collection[str]
    unseen: Unseen = _ALL_SEEN
    held_to: str | None = None
    records: int | None = None
    wrong: int | None = None
    reason: str | None = None

    def departs(self, found: Identified) -> bool:
        """Say whether another game is played, or by other rules, than it is held to."""
        return self.held_to is not None and bool(found.findings or found.bases[0].id != self.held_to)

    def say(self, name: str, language: Language, /, **values: Any) -> str:
        """Return a text in one language, in the words for a log if it is one."""
        words = _OF_A_LOG if self.records is not None and name in _OF_A_LOG else _WORDS
        return words.say(name, language, **values)


def program_asked(asked: Inquiry, hello: Hello, held_to: str | None) -> Subject:
    """Return a program that was asked."""
    values = {"n": len(asked.planned), "profile": asked.asked_as, "kept": asked.again, "confirmed": asked.confirmed}
    key = "asked_again" if asked.again else "asked"
    data = {
        "asked": {
            "profile": asked.asked_as,
            "questions": values["n"],
            "kept": asked.again,
            "confirmed": asked.confirmed,
        }
    }
    name = same_text(hello.name)
    return Subject(name, _WORDS.filled(key, **values), data, hello.operations, asked.unseen, held_to)


def log_read(recorded: Recorded, name: str, held_to: str | None) -> Subject:
    """Return a log that was read."""
    judged, searched = recorded.records, recorded.looked_at
    known_from = _OF_A_LOG.filled("read" if searched == judged else "read_some", n=searched, records=judged)
    data = {"records": {"file": name, "judged": judged, "wrong": recorded.wrong, "searched": searched}}
    data["records"] |= {} if recorded.reason is None else {"reason": recorded.reason}
    return Subject(
        same_text(name),
        known_from,
        data,
        recorded.operations,
        Unseen(recorded.unseen),
        held_to,
        judged,
        recorded.wrong,
        recorded.reason,
    )


def print_identified(page: Page, subject: Subject, found: Identified, spec: Spec, language: Language) -> None:
    """Print which game is played, what differs, what cannot be told and what no rules explain."""
    page.line(_title(subject, found, language), style="bold")
    page.line(subject.known_from.in_language(language))
    if subject.reason is not None:
        page.line(subject.say("one_reason", language, n=subject.records, reason=subject.reason), style="bold")
    for operation, fields in found.missing.items():
        page.line(_WORDS.say("missing", language, operation=operation, fields=", ".join(sorted(fields))), style="bold")
        _print_spoiled(page, operation, found, language)
    if found.findings:
        page.heading(_WORDS.say("differs", language, base=found.bases[0].id))
        for number, finding in enumerate(found.told, start=1):
            _print_finding(page, number, finding, found, spec, language)
    _print_untold(page, subject, found, spec, language)
    _print_broken(page, subject, found, language)
    if found.is_cut:
        page.blank()
        page.line(_WORDS.say("cut", language))
        if left := subject.unseen.not_looked_at:
            page.line(_WORDS.say("not_looked_at", language, n=len(left)))
            _print_rules(page, left, spec, language)


def _title(subject: Subject, found: Identified, language: Language) -> str:
    base, count = found.bases[0], len(found.findings)
    name = base.name.in_language(language)
    key = "plays" if not count else "plays_but_one" if count == 1 else "plays_but"
    said = subject.say(key, language, program=subject.name.in_language(language), name=name, profile=base.id, n=count)
    if odd := len(found.odd):
        said = f"{said} {_WORDS.say('and_odd', language, n=odd)}"
    broken = subject.wrong
    if broken is None:
        broken = sum(group.count for group in found.groups) + sum(group.count for group in found.spoiled.values())
    if not broken:
        return said
    return f"{said} {subject.say('and_broken', language, n=broken, records=subject.records)}"


def _print_finding(
    page: Page, number: int, finding: RuleFinding, found: Identified, spec: Spec, language: Language
) -> None:
    context = finding.contexts[0] if finding.contexts else 0
    base, played = found.bases[context], found.played[context]
    page.blank()
    page.line(f"{number}. {said_of(finding.rule, finding.value, played, spec, language)} ({finding.rule})", hang=3)
    own = "not_there" if finding.own is None else "instead"
    rules = {} if finding.own is None else {"own": said_of(finding.rule, finding.own, base, spec, language)}
    page.line(_WORDS.say(own, language, base=base.id, **rules), indent=3)
    if finding.is_odd:
        page.line(_WORDS.say("odd", language), indent=3)
    page.line(evidence_of(finding, found, language), indent=3)
    if finding.example is not None:
        _print_example(page, finding.example, base.id, language)
    for line in alike_lines(finding, played, spec, language):
        page.line(line, indent=3, hang=2)


def said_of(rule: str, value: Any, profile: Profile, spec: Spec, language: Language) -> str:
    """Return the sentence of a rule with a value, in a profile's words."""
    return sentence(spec.rules[rule], value, language, spec.glossary, profile.settings)


def evidence_of(finding: RuleFinding, found: Identified, language: Language) -> str:
    """Return how many wrong answers a rule makes right, and how many right ones wrong."""
    key = "makes_right_one" if len(finding.right) == 1 else "makes_right"
    said = _WORDS.say(key, language, n=len(finding.right), wrong=len(found.asked_wrong))
    broken = "makes_wrong_one" if finding.wrong == 1 else "makes_wrong"
    return f"{said} {_WORDS.say(broken, language, n=finding.wrong)}" if finding.wrong else said


def alike_lines(finding: RuleFinding, played: Profile, spec: Spec, language: Language) -> Iterator[str]:
    """Yield what fits equally: other values of the rule that read otherwise, and other rules."""
    own, *others = (said_of(finding.rule, one, played, spec, language) for one in (finding.value, *finding.values))
    values = [told for told in dict.fromkeys(others) if told != own]
    rules = [f"{said_of(one.rule, one.value, played, spec, language)} ({one.rule})" for one in finding.alike]
    for key, told in (("equal_values", values), ("equal_rules", rules)):
        if told:
            yield _WORDS.say(key, language, others=_listed(told, language))


def _listed(told: Sequence[str], language: Language, between: str = " / ", total: int | None = None) -> str:
    shown, number = between.join(told[:_SHOWN]), len(told) if total is None else total
    return shown if number <= _SHOWN else f"{shown} {_WORDS.say('more', language, n=number - _SHOWN)}"


def _print_example(page: Page, example: Example, base: str, language: Language) -> None:
    came, said = _differing(example)
    page.labelled(_WORDS.say("seen_in", language), f"{example.operation} {brief(example.input)}", indent=3, width=10)
    page.labelled(_WORDS.say("says", language), brief(came, said), indent=3, width=10)
    if said:
        page.labelled(base[:10], brief(said, came), indent=3, width=10)


def _differing(example: Example) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return of two answers of one kind the fields alone that differ; a reason why is not compared."""
    came, said = (without_reasons(example.operation, one) for one in (example.came, example.said))
    kind = next(iter(came), None)
    if kind is None or kind != next(iter(said), None) or not isinstance(came[kind], Mapping):
        return came, said
    fields = [field for field in said[kind] if came[kind].get(field) != said[kind][field]]
    own = {field: came[kind][field] for field in fields if field in came[kind]}
    return own, {field: said[kind][field] for field in fields}


def _print_untold(page: Page, subject: Subject, found: Identified, spec: Spec, language: Language) -> None:
    unseen = subject.unseen.rules
    if not unseen:
        return
    is_program = subject.records is None
    undeclared = [name for name in OPERATIONS if is_program and name not in subject.operations]
    page.heading(subject.say("untold", language))
    key = "untold_undeclared" if undeclared else "untold_alike"
    operations, base = ", ".join(undeclared), found.bases[0].id
    page.line(subject.say(key, language, n=len(unseen), operations=operations, base=base))
    _print_rules(page, unseen, spec, language)


def _print_rules(page: Page, rules: Sequence[str], spec: Spec, language: Language) -> None:
    """Print some rules by topic."""
    topics: dict[str, list[str]] = {}
    for rule in rules:
        topics.setdefault(spec.rules[rule].topic, []).append(spec.rules[rule].title.in_language(language))
    for topic, titles in topics.items():
        page.line(f"{topic} ({len(titles)}): {_listed(titles, language, '; ')}", indent=2, hang=2)


def _print_spoiled(page: Page, operation: str, found: Identified, language: Language) -> None:
    """Print how many answers are wrong in the fields alone that are not compared, and the smallest wrong in them."""
    if (group := found.spoiled.get(operation)) is not None:
        page.line(_WORDS.say("spoiled", language, n=group.count), indent=2)
        _print_example_of(page, group, _WORDS.say("says", language), language)


def _print_example_of(page: Page, group: Unexplained, says: str, language: Language) -> None:
    came, said = _differing(group.example)
    page.labelled(_WORDS.say("smallest", language), brief(group.example.input), indent=4, width=10)
    if group.example.note is not None:
        page.line(group.example.note.in_language(language), indent=4)
        return
    if came:
        page.labelled(says, brief(came, said), indent=4, width=10)
    if said:
        page.labelled(_WORDS.say("right", language), brief(said, came), indent=4, width=10)


def _print_broken(page: Page, subject: Subject, found: Identified, language: Language) -> None:
    for operation, fields in found.broken.items():
        page.heading(_WORDS.say("broken_field", language, operation=operation, fields=", ".join(sorted(fields))))
        if operation not in found.missing:
            _print_spoiled(page, operation, found, language)
    if found.groups:
        page.heading(subject.say("broken", language))
        _print_groups(page, subject, found.groups, language)
    if found.unsupported:
        page.heading(_WORDS.say("unsupported", language))
        _print_groups(page, subject, found.unsupported, language)


def _print_groups(page: Page, subject: Subject, groups: Sequence[Unexplained], language: Language) -> None:
    for group in groups:
        wrong = _WORDS.say("same", language) if group.fields == (SAME,) else ", ".join(group.fields)
        named = _listed(group.places, language, ", ", group.count)
        page.line(
            subject.say("group", language, operation=group.operation, fields=wrong, n=group.count, places=named),
            indent=2,
            hang=2,
        )
        _print_example_of(page, group, subject.say("says", language), language)


def identified_json(
    told: Sequence[tuple[Subject, Identified]], spec: Spec, *, with_oddities: bool = False
) -> dict[str, Any]:
    """Return what was found of each variant as JSON values; the overlay holds what looks like a mistake if asked to."""
    return {
        "program": told[0][0].name.en,
        "found": [_found_json(subject, found, spec, with_oddities=with_oddities) for subject, found in told],
    }


def _found_json(subject: Subject, found: Identified, spec: Spec, *, with_oddities: bool) -> dict[str, Any]:
    return {
        **subject.data,
        "base": found.bases[0].id,
        "held_to": subject.held_to,
        "departs": subject.departs(found),
        "rules": [finding_json(finding, found, spec) for finding in found.told],
        "overlay": overlay_values(found.bases[0], house_rules(found, spec, with_oddities=with_oddities)),
        "wrong": len(found.asked_wrong),
        "explained": found.explained,
        "untold": list(subject.unseen.rules),
        "not_looked_at": list(subject.unseen.not_looked_at),
        "missing": {operation: sorted(fields) for operation, fields in found.missing.items()},
        "broken_fields": {operation: sorted(fields) for operation, fields in found.broken.items()},
        "spoiled": {operation: group.count for operation, group in found.spoiled.items()},
        "spoiled_smallest": {operation: _example_json(group.example) for operation, group in found.spoiled.items()},
        "cut_short": found.is_cut,
        "broken": [_group_json(group) for group in found.groups],
        "unsupported": [_group_json(group) for group in found.unsupported],
    }


def _group_json(group: Unexplained) -> dict[str, Any]:
    return {
        "operation": group.operation,
        "fields": list(group.fields),
        "count": group.count,
        **({"records": list(group.places)} if group.places else {}),
        "smallest": _example_json(group.example),
    }


def finding_json(finding: RuleFinding, found: Identified, spec: Spec) -> dict[str, Any]:
    """Return one rule that differs as JSON values."""
    context = finding.contexts[0] if finding.contexts else 0
    played = found.played[context]
    said = sentence_text(spec.rules[finding.rule], finding.value, spec.glossary, played.settings)
    return {
        "rule": finding.rule,
        "value": finding.value,
        "own": finding.own,
        "sentence": said.as_json(),
        "right": len(finding.right),
        "wrong": finding.wrong,
        "looks_like_a_mistake": finding.is_odd,
        "smallest": None if finding.example is None else _example_json(finding.example),
        "equal_values": list(finding.values),
        "equal_rules": [{"rule": one.rule, "value": one.value} for one in finding.alike],
    }


def _example_json(example: Example) -> dict[str, Any]:
    return {
        "id": example.id,
        "operation": example.operation,
        "input": dict(example.input),
        "came": dict(example.came),
        "expected": dict(example.said),
        **({} if example.note is None else {"note": example.note.as_json()}),
    }
