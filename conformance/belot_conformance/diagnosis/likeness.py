"""A diagnosis in words of both languages: what a program plays, and what the rules say instead."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.diagnosis.diagnosis import SURE, Diagnosis, diagnose_verdicts
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.verdicts import Verdict
from belot_spec.catalogue import LANGUAGES, Language, Text
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "likeness")


@dataclass(frozen=True, slots=True)
class Likeness:
    """A diagnosis with its words: what is played where the rules say what, and how much that explains."""

    found: Diagnosis
    sentence: Text
    evidence: Text

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        found = self.found
        return {
            "mistake": None if found.mistake is None else found.mistake.name,
            "rules": found.mutants[0].values,
            "profiles": sorted({mutant.profile for mutant in found.mutants}),
            "sentence": {"en": self.sentence.en, "nl": self.sentence.nl},
            "likeness": round(found.likeness, 3),
            "explained": found.explained,
            "failed": found.failed,
            "contradicted": found.contradicted,
            "alike": sorted({mutant.rule for mutant in found.alike}),
            "one_of_several": found.one_of_several,
        }


def likenesses(verdicts: Sequence[Verdict], profile: str | None, reference: Reference) -> list[Likeness]:
    """Return the few mistakes that a run's failures look like, the likeliest first; none for a run without failures.

    ``profile`` is the name of the one that all cases were asked for, if they were: perhaps a file of house rules.
    """
    spec, house = reference.spec, reference if profile is not None and profile.endswith((".yaml", ".yml")) else None
    found = diagnose_verdicts(verdicts, house)
    profiles = [spec.profile(one.mutants[0].profile if house is None else profile or "") for one in found]
    explained = sum(one.explained for one in found) if found and found[0].one_of_several else None
    return [
        Likeness(
            one,
            Text(*(_line(one, number, told, spec, language) for language in LANGUAGES)),
            Text(*(_evidence(one, explained, language) for language in LANGUAGES)),
        )
        for number, (one, told) in enumerate(zip(found, profiles, strict=True))
    ]


def first_said(found: Sequence[Likeness]) -> Sequence[Likeness]:
    """Return what a report says first: the likeliest mistake, or all of several that are made together."""
    return found if found and found[0].found.one_of_several else found[:1]


def _line(found: Diagnosis, number: int, profile: Profile, spec: Spec, language: Language) -> str:
    words = _WORDS.in_language(language)
    mutant = found.mutants[0]
    rules = [rule for rule in mutant.values if rule in profile.settings]
    own = " ".join(
        _said(rule, profile.settings[rule].value, mutant.values[rule], profile, spec, language) for rule in rules
    )
    if found.mistake is not None:
        played = found.mistake.title.in_language(language)
    else:
        kept = profile.settings[mutant.rule].value if mutant.rule in profile.settings else None
        played = words["rule"].format(sentence=_said(mutant.rule, mutant.value, kept, profile, spec, language))
    named = f"{played} ({', '.join(mutant.values)})"
    if found.one_of_several:
        return words["also" if number else "sure"].format(played=named, own=own)
    return words["sure" if found.likeness >= SURE else "near"].format(played=named, own=own)


def _said(rule: str, value: Any, other: Any, profile: Profile, spec: Spec, language: Language) -> str:
    """Return the sentence of a value; of a table of numbers only the entries that differ from another value."""
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        value = {key: number for key, number in value.items() if other.get(key) != number}
    return sentence(spec.rules[rule], value, language, spec.glossary, profile.settings)


def _evidence(found: Diagnosis, together: int | None, language: Language) -> str:
    words = _WORDS.in_language(language)
    if together is not None:
        return words["together"].format(explained=together, failed=found.failed)
    said = [words["explains"].format(explained=found.explained, failed=found.failed)]
    if found.contradicted:
        key = "contradicted_one" if found.contradicted == 1 else "contradicted"
        said.append(words[key].format(n=found.contradicted))
    others = sorted({mutant.rule for mutant in found.alike} - {found.rule})
    if others:
        said.append(words["alike"].format(others=", ".join(others)))
    return " ".join(said)
