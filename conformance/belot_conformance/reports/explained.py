"""What explains wrong answers: facts as JSON, and what reports and ``belot identify`` say of them, a template each."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from belot_conformance.explain.explanation import Explanation, RuleFinding, Unexplained
from belot_conformance.explain.overlay import overlay_text, overlay_values, without_oddities
from belot_conformance.mistakes.mutations import load_mistakes
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import without_reasons
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_conformance.text.template import filled, plain_lines, tell
from belot_spec.files import canonical
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence, sentence_text

_PASTED: Final = "house-rules"


def said_of(rule: str, value: Any, profile: Profile, spec: Spec) -> str:
    """Return the sentence of a rule with a value, in a profile's words."""
    return sentence(spec.rules[rule], value, "en", spec.glossary, profile.settings)


# Facts


def explanation_json(found: Explanation, spec: Spec, *, with_oddities: bool = False) -> dict[str, Any]:
    """Return what was found as JSON values; the overlay holds what looks like a mistake if asked to."""
    played = found.played[0] if with_oddities else without_oddities(found, spec)
    return {
        "base": found.base.id,
        "base_name": found.base.name.as_json(),
        "profiles": [one.id for one in found.asked],
        "rules": [finding_json(one, found, spec) for one in found.findings],
        "overlay": overlay_values(found.base, played),
        "wrong": len(found.asked_wrong),
        "explained": found.explained,
        "left": found.left,
        "untold": list(found.unseen),
        "missing": {operation: sorted(fields) for operation, fields in found.missing.items()},
        "broken_fields": {operation: sorted(fields) for operation, fields in found.broken.items()},
        "spoiled": {operation: group.count for operation, group in found.spoiled.items()},
        "spoiled_smallest": {operation: group.example for operation, group in found.spoiled.items()},
        "cut_short": found.is_cut,
        "seconds": found.seconds,
        "tried": found.tried,
        "tried_singly": all(one.tried for one in found.groups),
        "broken": [_group_json(group) for group in found.groups],
        "unsupported": [_group_json(group) for group in found.unsupported],
    }


def finding_json(finding: RuleFinding, found: Explanation, spec: Spec) -> dict[str, Any]:
    """Return one rule that is played otherwise as JSON values."""
    place = next((number for number, one in enumerate(found.asked) if one in finding.profiles), 0)
    played = found.played[min(place, len(found.played) - 1)]
    own = None if finding.own is None else _sentence(finding.rule, finding.own, finding.value, found.base, spec)
    equal = [_sentence(finding.rule, one, finding.own, played, spec) for one in finding.values]
    said = _sentence(finding.rule, finding.value, finding.own, played, spec)
    return {
        "rule": finding.rule,
        "value": finding.value,
        "own": finding.own,
        "sentence": said,
        "own_sentence": own,
        "mistake": _mistake(finding),
        "right": len(finding.right),
        "wrong": finding.wrong,
        "profiles": [one.id for one in finding.profiles],
        "looks_like_a_mistake": finding.is_odd,
        "smallest": finding.example,
        "equal_values": list(finding.values),
        "equal_sentences": list({text["en"]: text for text in equal if text != said}.values()),
        "equal_rules": [{"rule": rule, "value": value} for rule, value in finding.alike],
        "equal_all_tried": finding.all_tried,
    }


def _mistake(finding: RuleFinding) -> dict[str, str] | None:
    """Return what a common mistake is called that consists in this value alone."""
    called = canonical({finding.rule: finding.value})
    titles = (one.title.as_json() for one in load_mistakes().values() if canonical(dict(one.values)) == called)
    return next(titles, None)


def _sentence(rule: str, value: Any, other: Any, profile: Profile, spec: Spec) -> dict[str, str]:
    """Return the sentence of a value; of a table of numbers only the entries that differ from another value."""
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        value = {key: number for key, number in value.items() if other.get(key) != number} or value
    return sentence_text(spec.rules[rule], value, spec.glossary, profile.settings).as_json()


def _group_json(group: Unexplained) -> dict[str, Any]:
    return {
        "operation": group.operation,
        "fields": list(group.fields),
        "count": group.count,
        **({"records": list(group.places)} if group.places else {}),
        **({} if group.shared is None else {"shared": group.shared.sentence}),
        **({"known": list(group.known)} if group.known else {}),
        "said": group.said,
        "smallest": group.example,
    }


def diagnosis_json(explained: Sequence[Explanation], spec: Spec) -> list[dict[str, Any]]:
    """Return the rules that explain wrong answers as the report has them, those of several variants together."""
    wrong = sum(len(one.asked_wrong) for one in explained)
    merged: dict[str, dict[str, Any]] = {}
    for one in [finding_json(finding, found, spec) for found in explained for finding in found.findings]:
        told = merged.setdefault(
            canonical([one["rule"], one["value"]]),
            {
                "rules": {one["rule"]: one["value"]},
                "profiles": [],
                "right": 0,
                "wrong": wrong,
                "contradicted": 0,
                "looks_like_a_mistake": one["looks_like_a_mistake"],
                "values": one["equal_values"],
                "alike": sorted(other["rule"] for other in one["equal_rules"]),
                "sentence": one["sentence"],
            },
        )
        told["profiles"] = [*dict.fromkeys([*told["profiles"], *one["profiles"]])]
        told["right"] += one["right"]
        told["contradicted"] += one["wrong"]
    return sorted(merged.values(), key=lambda one: (not one["looks_like_a_mistake"], -one["right"]))


def identified_facts(
    found: Explanation,
    spec: Spec,
    subject: Mapping[str, Any],
    held_to: str | None,
    operations: Collection[str],
    *,
    with_oddities: bool = False,
) -> dict[str, Any]:
    """Return what ``belot identify`` says of one variant; ``subject`` is who was asked for what, or which log was read.

    ``held_to`` is the profile that should be played by the program's word or the tester's, ``None`` if there is none.
    """
    departs = held_to is not None and bool(found.findings or found.base.id != held_to)
    undeclared = [name for name in OPERATIONS if "asked" in subject and name not in operations]
    facts = explanation_json(found, spec, with_oddities=with_oddities)
    return {**subject, **facts, "held_to": held_to, "departs": departs, "undeclared": undeclared}


# Pages


def _differing(example: Mapping[str, Any]) -> dict[str, str]:
    """Return in short what differs of two answers: of one kind the fields alone; a reason why is not compared."""
    came, said = (without_reasons(example["operation"], example[name]) for name in ("came", "expected"))
    kind = next(iter(came), None)
    if kind is not None and kind == next(iter(said), None) and isinstance(came[kind], Mapping):
        fields = [field for field in said[kind] if came[kind].get(field) != said[kind][field]]
        came, said = ({field: one[kind][field] for field in fields if field in one[kind]} for one in (came, said))
    return {"came": brief(came, said) if came else "", "expected": brief(said, came) if said else ""}


def said_first(explained: Sequence[Explanation], spec: Spec) -> str:
    """Return what a report says first of each variant as lines of a page, where there are several with whose rules."""
    facts = ((one.asked[0].id.variant, explanation_json(one, spec)) for one in explained)
    told = [{**one, "whose": f"Asked for {variant}, " if len(explained) > 1 else ""} for variant, one in facts]
    return filled("explained.j2", explained=told)


def first_lines(explained: Sequence[Explanation], spec: Spec) -> list[tuple[str, bool]]:
    """Return what is said first as lines, each with whether it is what is said, and not what speaks for it."""
    lines = plain_lines(said_first(explained, spec))
    return [(line.strip().removeprefix("* "), line.startswith("* ")) for line in lines]


def print_identified(page: Page, program: str, found: Sequence[Mapping[str, Any]], spec: Spec) -> None:
    """Print which game is played, what differs, what cannot be told and what no rules explain."""
    tell(page, "identified.j2", width=10, program=program, found=found, rules=spec.rules, differing=_differing)


def pasted(explained: Sequence[Explanation], spec: Spec) -> str:
    """Return the house rules to paste into a file, if all answers were about one variant; "" if nothing differs.

    What looks like a mistake is left out.
    """
    if len(explained) != 1 or explained[0].base.id.variant not in spec.variants:
        return ""
    return overlay_text(_PASTED, explained[0].base, without_oddities(explained[0], spec), spec)
