"""What a partial language still lacks of the variants that it tells, by language and variant."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from belot_spec.catalogue import Text, text_of, value_key
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem
from belot_spec.languages import PARTIAL, TONGUES, Language
from belot_spec.load.translations import read_translated
from belot_spec.spec import Profile, Spec
from belot_spec.wording import sentence_text


@dataclass(frozen=True, slots=True)
class Untranslated:
    """A text that a variant needs in a language and that is not there, and the place where it would stand."""

    language: Language
    variant: str
    problem: Problem


def untranslated(spec: Spec) -> Iterator[Untranslated]:
    """Yield each text of the spec that a variant told in a partial language lacks there, once for each variant."""
    for language in PARTIAL:
        for variant in TONGUES[language].variants or ():
            seen: set[tuple[Path, KeyPath]] = set()
            for document, at, text in _needed(spec, variant) if variant in spec.playable() else ():
                place = document.path, at
                if not text.has(language) and place not in seen:
                    seen.add(place)
                    message = f"{TONGUES[language].english} lacks this, which {variant} needs"
                    yield Untranslated(language, variant, document.problem(at, message))


def _needed(spec: Spec, variant: str) -> Iterator[tuple[Document, KeyPath, Text]]:
    """Yield each text that players of a variant read, with the file and place in it."""
    own = spec.variants[variant]
    yield own.document, ("name",), own.name
    yield own.document, ("summary",), own.summary
    options = spec.options_of(variant)
    for option in options.values():
        home = next(
            one for one in spec.variants.values() if option.id in one.options and one.options[option.id] is option
        )
        yield home.document, ("options", option.id, "title"), option.title
    rules = {topic: read_translated(spec.folder / "rules" / f"{topic}.yaml") for topic in _topics(spec)}
    for topic in rules.values():
        yield topic, ("title",), text_of(topic.data["title"])
    rulings = read_translated(spec.folder / "rulings.yaml")
    for name in (variant, *(f"{variant}+{option}" for option in options)):
        yield from _of_profile(spec, spec.profile(name), rules)
        yield from _of_rulings(spec, spec.profile(name), rulings)
    yield from _of_glossary(spec)


def _topics(spec: Spec) -> list[str]:
    return [*dict.fromkeys(rule.topic for rule in spec.rules.values())]


def _of_profile(
    spec: Spec, profile: Profile, topics: Mapping[str, Document]
) -> Iterator[tuple[Document, KeyPath, Text]]:
    for name, setting in profile.settings.items():
        rule, at = spec.rules[name], ("rules", name)
        yield topics[rule.topic], (*at, "title"), rule.title
        yield topics[rule.topic], (*at, "question"), rule.question
        words = rule.short.of(setting.value)
        if words is not None:
            yield topics[rule.topic], (*at, "short", "values", value_key(setting.value)), words
        told = sentence_text(rule, setting.value, spec.glossary, profile.settings)
        yield topics[rule.topic], (*at, "wording", "values", value_key(setting.value)), told


def _of_rulings(spec: Spec, profile: Profile, rulings: Document) -> Iterator[tuple[Document, KeyPath, Text]]:
    """Yield what the rulings say that decide what is played."""
    for ruling in filter(None, (setting.ruling for setting in profile.settings.values())):
        yield rulings, ("rulings", ruling, "title"), spec.rulings[ruling].title
        yield rulings, ("rulings", ruling, "reading"), spec.rulings[ruling].reading


def _of_glossary(spec: Spec) -> Iterator[tuple[Document, KeyPath, Text]]:
    document = read_translated(spec.folder / "glossary.yaml")
    for kind in ("ranks", "suits", "terms"):
        for name, words in document.data[kind].items():
            yield document, (kind, name), text_of(words)
            if "meaning" in words:
                yield document, (kind, name, "meaning"), text_of(words["meaning"])
