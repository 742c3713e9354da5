"""What a report says first of all: the rules that a program plays instead, and what it never gives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.identify.identification import Identified, RuleFinding
from belot_conformance.identify.overlay import house_rules, overlay_text
from belot_conformance.mistakes.mutations import load_mistakes
from belot_conformance.text.page import Page
from belot_spec.catalogue import Text, same_text
from belot_spec.files import canonical
from belot_spec.languages import Language
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence, sentence_text
from belot_spec.words import Words, joined

_WORDS: Final = Words(__name__, "explained")
_PASTED: Final = "house-rules"
_NOTHING: Final = same_text("")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that is said first, and what speaks for it; ``data`` is the same as JSON, ``None`` if it is no rule."""

    sentence: Text
    evidence: Text = _NOTHING
    data: Mapping[str, Any] | None = None


def said_of(rule: str, value: Any, profile: Profile, spec: Spec, language: Language) -> str:
    """Return the sentence of a rule with a value, in a profile's words."""
    return sentence(spec.rules[rule], value, language, spec.glossary, profile.settings)


def said_first(explained: Sequence[Identified], spec: Spec) -> list[Said]:
    """Return what is said first: fields never given, the rules that make most answers right, and whom to ask more."""
    said = [*_missing(explained)]
    wrong = sum(len(one.asked_wrong) + len(one.silent) for one in explained)
    merged: dict[tuple[str, str], list[tuple[Identified, RuleFinding]]] = {}
    for one in explained:
        for finding in one.told:
            merged.setdefault((finding.rule, canonical(finding.value)), []).append((one, finding))
    ranked = sorted(
        merged.values(),
        key=lambda places: (not places[0][1].is_odd, -sum(len(finding.right) for _, finding in places)),
    )
    said += [_rule(number, places, wrong, spec) for number, places in enumerate(ranked)]
    if len(ranked) > 1:
        said.append(Said(_WORDS.filled("together", right=sum(one.explained for one in explained), wrong=wrong)))
    if any(one.is_cut for one in explained):
        said.append(Said(_WORDS.filled("cut"), _WORDS.filled("cut_evidence")))
    if any(one.may_have_other_cards and one.observations for one in explained):
        errors = sum(one.errors for one in explained)
        said.append(Said(_WORDS.filled("other_cards", n=errors), _WORDS.filled("other_cards_evidence")))
    return said


def tell_explained(page: Page, explained: Sequence[Identified], spec: Spec, language: Language) -> bool:
    """Tell what is said first, each thing with what speaks for it; return whether there was anything."""
    said = said_first(explained, spec)
    for one in said:
        page.line(one.sentence.in_language(language), style="bold")
        if one.evidence.en:
            page.line(one.evidence.in_language(language))
    return bool(said)


def _missing(explained: Sequence[Identified]) -> Iterator[Said]:
    found: dict[str, frozenset[str]] = {}
    for one in explained:
        for operation, fields in one.missing.items():
            found[operation] = found.get(operation, frozenset()) | fields
    for operation, fields in found.items():
        sentence_ = _WORDS.filled("missing", operation=operation, fields=", ".join(sorted(fields)))
        yield Said(sentence_, _WORDS.filled("missing_evidence"))


def _rule(number: int, places: Sequence[tuple[Identified, RuleFinding]], wrong: int, spec: Spec) -> Said:
    first, finding = places[0]
    context = finding.contexts[0] if finding.contexts else 0
    base, played = first.bases[context], first.played[context]
    right = sum(len(one.right) for _, one in places)
    broken = sum(one.wrong for _, one in places)
    alike = sorted({other.rule for _, one in places for other in one.alike})
    profiles = sorted({str(found.bases[number].id) for found, one in places for number in one.contexts})
    sentences = _line(number, finding, base, played, spec)
    evidence = [_WORDS.filled("odd")] if finding.is_odd else []
    evidence += [_WORDS.filled("makes_right", n=right, wrong=wrong)]
    evidence += [_WORDS.filled("makes_wrong_one" if broken == 1 else "makes_wrong", n=broken)] if broken else []
    evidence += [_WORDS.filled("values", n=len(finding.values))] if finding.values else []
    evidence += [_WORDS.filled("alike", others=", ".join(alike))] if alike else []
    data = {
        "rules": {finding.rule: finding.value},
        "profiles": profiles,
        "right": right,
        "wrong": wrong,
        "contradicted": broken,
        "looks_like_a_mistake": finding.is_odd,
        "values": list(finding.values),
        "alike": alike,
    }
    return Said(sentences, joined(" ", evidence), data)


def _line(number: int, finding: RuleFinding, base: Profile, played: Profile, spec: Spec) -> Text:
    called = canonical({finding.rule: finding.value})
    title = next((one.title for one in load_mistakes().values() if canonical(dict(one.values)) == called), None)
    told = _sentence(finding.rule, finding.value, finding.own, played, spec)
    named = joined(" ", [title or _WORDS.filled("rule", sentence=told), same_text(f"({finding.rule})")])
    if finding.own is None:
        return _WORDS.filled("added", played=named)
    own = _sentence(finding.rule, finding.own, finding.value, base, spec)
    return _WORDS.filled("also" if number else "plays", played=named, own=own)


def _sentence(rule: str, value: Any, other: Any, profile: Profile, spec: Spec) -> Text:
    """Return the sentence of a value; of a table of numbers only the entries that differ from another value."""
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        value = {key: number for key, number in value.items() if other.get(key) != number} or value
    return sentence_text(spec.rules[rule], value, spec.glossary, profile.settings)


def pasted(explained: Sequence[Identified], spec: Spec, language: Language) -> str:
    """Return the house rules to paste into a file, if all answers were about one profile; "" if nothing differs.

    What looks like a mistake is left out.
    """
    if len(explained) != 1:
        return ""
    base, played = explained[0].bases[0], house_rules(explained[0], spec, with_oddities=False)
    # House rules can build on a variant with options, but not on other house rules.
    is_named = base.id.variant in spec.variants
    return overlay_text(_PASTED, base, played, spec, language) if is_named else ""
