"""What ``belot spec lint`` asks of rules that load: what is still to be written, absent things, and citations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from belot_spec.catalogue import Setting, condition_of, holds, value_key
from belot_spec.document import Document, Explanation, KeyPath
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.languages import BESIDE, IN_PLACE, LANGUAGES, TONGUES
from belot_spec.load.documents import read_document
from belot_spec.load.translations import read_translated, translated_files
from belot_spec.spec import Spec, mattering_rules
from belot_spec.value_shapes import enumerated_values
from belot_spec.variants import Variant, ancestry, defaults_of
from belot_spec.wording import sentence

# How a text begins that stands for one to be written.
TO_WRITE: Final = "TO WRITE:"


def unwritten(spec: Spec) -> Iterator[Problem]:
    """Yield what is still to be written of the variants and the sources, each at its place."""
    for variant in spec.variants.values():
        yield from _texts(variant.document, variant.document.data, ())
        if _is_a_copy(variant, spec):
            yield variant.document.problem(("rules",), f"plays as {variant.parent} does; write the rules that differ")
    for source in spec.sources.values():
        document = read_document(source.path)
        yield from _texts(document, document.data, ())


def _texts(document: Document, told: Any, at: KeyPath) -> Iterator[Problem]:
    if isinstance(told, str) and told.startswith(TO_WRITE):
        yield document.problem(at, f"still to be written: {told.removeprefix(TO_WRITE).strip()}")
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, value in inner:
        yield from _texts(document, value, (*at, key))


def _is_a_copy(variant: Variant, spec: Spec) -> bool:
    """Say whether a variant has no value and no option that the playable one which it extends has not."""
    if variant.parent not in spec.playable() or variant.abstract or variant.options:
        return False
    own, base = (spec.profile(name).settings for name in (variant.id, variant.parent))
    return own.keys() == base.keys() and all(value_key(own[one].value) == value_key(base[one].value) for one in own)


# What a language that stands beside others still lacks of what players read.


def untranslated(spec: Spec) -> Iterator[Problem]:
    """Yield each text of rules, variants that are no drafts, and the glossary that such a language lacks.

    A folder that has no file in a language is not told in it.
    """
    for language in BESIDE:
        if not any(spec.folder.rglob(f"*.{language}.yaml")):
            continue
        for document in _read_by_players(spec):
            for at, text in _translatable(document.data, ()):
                if language not in text:
                    yield document.problem(at, f"{TONGUES[language].english} lacks this")


def _read_by_players(spec: Spec) -> Iterator[Document]:
    drafts = {name for name, variant in spec.variants.items() if variant.draft}
    for folder in ("rules", "variants"):
        for path in translated_files(spec.folder / folder):
            if folder == "rules" or path.stem not in drafts:
                yield read_translated(path)
    yield read_translated(spec.folder / "glossary.yaml")


def _translatable(part: Any, at: KeyPath) -> Iterator[tuple[KeyPath, Mapping[str, str]]]:
    """Yield each text by language of a part of a document, with its place."""
    if isinstance(part, Mapping):
        if part.keys() >= {*IN_PLACE}:
            yield at, part
        else:
            for key, inner in part.items():
                yield from _translatable(inner, (*at, key))
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for index, inner in enumerate(part):
            yield from _translatable(inner, (*at, index))


# Sentences that speak of what does not exist in a variant: of a partner where everybody plays alone.


def check_absent_things(spec: Spec) -> None:
    """Raise ``SpecError`` with each sentence that names what a variant, alone or with an option, has not."""
    refuse([*_faults(spec)])


def is_absent(term: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Say whether the thing of a term does not exist by these values of rules."""
    unless = condition_of(term.get("unless", {}))
    return not holds(condition_of(term.get("needs", {})), values) or (bool(unless) and holds(unless, values))


def _faults(spec: Spec) -> Iterator[Problem]:
    terms, seen = spec.glossary.terms, set[tuple[str, str]]()
    for variant in spec.nameable():
        for name in (variant, *(f"{variant}+{option}" for option in spec.options_of(variant))):
            settings = spec.profile(name).settings
            values = {rule: setting.value for rule, setting in settings.items()}
            absent = [term for term in terms.values() if is_absent(term, values)]
            for rule, value in values.items() if absent else ():
                # The rule by which a thing does not exist says so.
                gone = [term for term in absent if rule not in {**term.get("needs", {}), **term.get("unless", {})}]
                for language in LANGUAGES:
                    told = sentence(spec.rules[rule], value, language, spec.glossary, settings)
                    words = [term[language] for term in gone if _occurs(term[language], told)]
                    if words and (rule, told) not in seen:
                        seen.add((rule, told))
                        document = read_document(spec.folder / "rules" / f"{spec.rules[rule].topic}.yaml")
                        message = f"speaks of {words[0]} in {name}, which has none: {told}"
                        yield document.problem(("rules", rule, "wording"), message)


def _occurs(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?:s|es|en|n)?(?!\w)", text, re.IGNORECASE) is not None


# What a value rests on: statements that speak for its variant, and a ruling about it; and its short words.


# By statement the variants that it speaks for, and by rule the statements that feed it.
Heard = Mapping[str, frozenset[str]]
Fed = Mapping[str, tuple[str, ...]]

_MUST_SPEAK: Final = ("stated", "ruled")
# The remedy where words are about one variant in particular.
_OWN_VALUE: Final = "write its value in the file of {variants}, and cite that"


@dataclass(frozen=True, slots=True)
class _Held:
    """A value that a playable variant has, with its place in the file of ``home``, or in that of its rule."""

    variant: str
    home: Variant | None
    at: KeyPath
    rule: str
    setting: Setting


def check_citations(spec: Spec) -> None:
    """Raise ``SpecError`` where a value cites, or leaves out, what its own source says, or a part is wrong."""
    problems = list(_part_faults(spec))
    if not problems:
        heard = _heard(spec)
        problems = [*_home_faults(spec, heard), *_value_faults(spec, heard)]
    refuse(problems)


def speaks_for(spec: Spec, statement: str) -> frozenset[str]:
    """Return the playable variants that a statement speaks for: those its part names, and some that extend them.

    An abstract variant that is named stands for every variant that extends it, a playable one for itself, and for those
    that extend it and that the source never names: what it says of the one holds for the other that is made of it.
    """
    source = spec.sources[statement[: statement.index("-")]]
    named = set(source.parts.get(statement, ()))
    known = {name for names in source.parts.values() for name in names}
    found = set()
    for variant in spec.nameable():
        line = ancestry(spec.variants[variant], spec.variants)
        meant = next((one for one in reversed(line) if one.id in known and not one.abstract), line[-1])
        if any(one.id in named and (one.abstract or one is meant) for one in line):
            found.add(variant)
    return frozenset(found)


def _heard(spec: Spec) -> dict[str, frozenset[str]]:
    return {
        statement: speaks_for(spec, statement)
        for source in spec.sources.values()
        for statement in source.statement_ids()
    }


def _part_faults(spec: Spec) -> Iterator[Problem]:
    """Yield the parts that speak for a variant nobody knows, and the statements that feed a rule from no part."""
    for source in spec.sources.values():
        document = read_document(source.path)
        for run, names in document.data.get("parts", {}).items():
            for index, name in enumerate(names):
                if name not in spec.variants:
                    message = f"there is no variant {name}{nearest(name, spec.variants)}"
                    yield document.problem(("parts", run, index), message)
        for statement, home in source.homes.items():
            if home.rules and statement not in source.parts:
                message = "feeds a rule, but no part of the source holds it; say for which variants it speaks"
                yield Problem(source.path, home.line, statement, message)


def _home_faults(spec: Spec, heard: Heard) -> Iterator[Problem]:
    """Yield the homes with a rule that matters in none of the variants that the statement speaks for."""
    mattering = {variant: mattering_rules(variant, spec) for variant in spec.nameable()}
    for source in spec.sources.values():
        for statement, home in source.homes.items():
            for rule in home.rules:
                if rule in spec.rules and not any(rule in mattering[variant] for variant in heard[statement]):
                    names = ", ".join(sorted(heard[statement])) or "nobody"
                    message = f"feeds the rule {rule}, which does not matter where it speaks for ({names})"
                    yield Problem(source.path, home.line, statement, message)


def _value_faults(spec: Spec, heard: Heard) -> Iterator[Problem]:
    """Yield each fault of a value once, with all the variants that it is a fault for."""
    fed = _fed(spec, examples=False)
    shown = _fed(spec, examples=True)
    found: dict[tuple[str, KeyPath, str], tuple[_Held, list[str]]] = {}
    for held in _held(spec):
        own = _own_words(held, heard, fed, shown)
        for message in _citation_faults(held, spec, heard, own):
            home = held.rule if held.home is None else held.home.id
            found.setdefault((home, held.at, message), (held, []))[1].append(held.variant)
    for (_, at, message), (held, variants) in found.items():
        document = rule_document(spec, held.rule) if held.home is None else held.home.document
        yield document.problem(at, message.format(variants=", ".join(variants)))


def rule_document(spec: Spec, rule: str) -> Document:
    """Return the file of a rule."""
    return read_document(spec.folder / "rules" / f"{spec.rules[rule].topic}.yaml")


def _citation_faults(held: _Held, spec: Spec, heard: Heard, own: tuple[str, ...]) -> Iterator[str]:
    cited = set(held.setting.cite)
    status = held.setting.status
    if status in _MUST_SPEAK and not any(held.variant in heard[one] for one in cited):
        own_file = held.home is not None and held.home.id == held.variant
        remedy = "cite one that does, or fill it" if own_file else "state it there anew, by one that does, or filled"
        yield f"is {status}, but no statement it cites speaks for {{variants}}; {remedy}"
    elif status == "stated":
        family = {one for one in spec.nameable() if held.home in (None, *ancestry(spec.variants[one], spec.variants))}
        for one in sorted(cited):
            if not heard[one] & family:
                yield f"is stated, and cites {one}, which speaks only for {', '.join(sorted(heard[one])) or 'nobody'}"
    if foreign := {*held.setting.against} - cited:
        yield f"has against it what it does not cite: {', '.join(sorted(foreign))}"
    yield from _undecided(held, spec)
    ruling = spec.rulings.get(held.setting.ruling or "")
    if ruling is not None and ruling.variants and not _is_about(held.variant, ruling.variants, spec):
        yield f"names the ruling {ruling.id}, which is not about {{variants}}; if it is, the ruling must name them"
    if own:
        ids = ", ".join(own)
        yield f"cites nothing of what its source says of this in particular for {{variants}}: {ids}; {_OWN_VALUE}"


def _undecided(held: _Held, spec: Spec) -> Iterator[str]:
    """Yield the pairs of statements about its rule that a value cites though each differs from the other."""
    for source in spec.sources.values():
        about = {one for one, home in source.homes.items() if held.rule in home.rules and one in source.told}
        carrying = sorted(about & {*held.setting.cite} - {*held.setting.against})
        for one, other in combinations(carrying, 2):
            if one in source.told[other].differs and other in source.told[one].differs:
                yield f"cites {one} and {other}, of which each differs from the other; say which is against it"


def _is_about(variant: str, names: tuple[str, ...], spec: Spec) -> bool:
    return any(ancestor.id in names for ancestor in ancestry(spec.variants[variant], spec.variants))


def _own_words(held: _Held, heard: Heard, fed: Fed, shown: Fed) -> tuple[str, ...]:
    """Return the statements on a rule that speak for a variant and as few others as any (P0), unless one is cited.

    A worked example of as few will do. An option is another way to play, so it is not asked for the variant's own.
    """
    about = [one for one in fed.get(held.rule, ()) if held.variant in heard[one]]
    if held.at[0] == "options" or not about:
        return ()
    fewest = min(len(heard[one]) for one in about)
    near = {one for one in shown[held.rule] if held.variant in heard[one] and len(heard[one]) <= fewest}
    return () if near & set(held.setting.cite) else tuple(one for one in about if len(heard[one]) == fewest)


def _fed(spec: Spec, examples: bool) -> dict[str, tuple[str, ...]]:
    """Return for each rule the statements that feed it, with or without the worked examples."""
    fed: dict[str, list[str]] = {}
    for source in spec.sources.values():
        for statement, home in sorted(source.homes.items()):
            for rule in home.rules if examples or not home.example else ():
                fed.setdefault(rule, []).append(statement)
    return {rule: tuple(statements) for rule, statements in fed.items()}


def _held(spec: Spec) -> Iterator[_Held]:
    """Yield every value that a playable variant has or can choose, with the file and place that state it."""
    for variant in spec.nameable():
        line = ancestry(spec.variants[variant], spec.variants)
        for rule, setting in spec.profile(variant).settings.items():
            home = next((one for one in reversed(line) if rule in one.settings), None)
            yield _Held(variant, home, ("rules", rule, *(() if home else ("default",))), rule, setting)
        for option in spec.options_of(variant).values():
            home = next(one for one in reversed(line) if option.id in one.options)
            for rule, setting in option.settings.items():
                yield _Held(variant, home, ("options", option.id, "rules", rule), rule, setting)


def check_short_words(spec: Spec) -> None:
    """Raise ``SpecError`` with each choice of a rule, and each value of a variant or an option, without short words."""
    problems = [*_choice_faults(spec)]
    for name, default in defaults_of(spec.rules).items():
        problems += (
            rule_document(spec, name).problem(*fault) for fault in _wordless(spec, {name: default}, ("rules",))
        )
    for variant in spec.variants.values():
        faults = [*_wordless(spec, variant.settings, ("rules",))]
        for option in variant.options.values():
            faults += _wordless(spec, option.settings, ("options", option.id, "rules"))
        problems += (variant.document.problem(*fault) for fault in faults)
    refuse(problems)


def _choice_faults(spec: Spec) -> Iterator[Problem]:
    for topic in dict.fromkeys(rule.topic for rule in spec.rules.values()):
        document = read_document(spec.folder / "rules" / f"{topic}.yaml")
        for rule in spec.rules.values():
            for value in enumerated_values(rule.value_schema) if rule.topic == topic else ():
                if rule.short.of(value) is None:
                    message = f"the value {value_key(value)} has no short words; add them under values"
                    yield document.problem(("rules", rule.id, "short"), message)


def _wordless(spec: Spec, settings: Mapping[str, Setting], at: KeyPath) -> Iterator[Explanation]:
    """Yield the place of each value without short words, and what is to be added."""
    for name, setting in settings.items():
        rule = spec.rules[name]
        if not enumerated_values(rule.value_schema) and rule.short.of(setting.value) is None:
            message = f"{value_key(setting.value)} has no short words; add them to {name} in rules/{rule.topic}.yaml"
            yield (*at, name, "value"), message
