"""The trace: where every statement of the sources went, what every rule rests on, and the gaps between the two.

And what one name of the spec leads to along it: rules, values, rulings, cases and a page of the site.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final, Literal, get_args

from belot_conformance.rules.asked import about_word
from belot_conformance.rules.reading import (
    Json,
    as_runs,
    departing,
    is_topic,
    one_rule,
    profile_rules,
    rule_path,
    ruling_json,
    ruling_path,
    rulings_on_rule,
    statement_path,
    value_in,
)
from belot_conformance.suite.cases import Case, Origin, load_cases
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.catalogue import Rule, Setting
from belot_spec.document import Document
from belot_spec.errors import Problem, UnknownNameError, nearest
from belot_spec.load.documents import read_document
from belot_spec.profile_name import ProfileName, names_file
from belot_spec.register import Home, Ruling, Source, expand_statements, reversed_run, unknown_statement
from belot_spec.shipped import open_profile
from belot_spec.spec import Profile, Spec
from belot_spec.variants import defaults_of

NO_HOME: Final = "no home"
Kind = Literal["statement", "ruling", "rule", "rule-here", "topic", "profile", "word"]
Mark = Callable[[Json, Profile], Json]

_CASE: Final = re.compile(r"bc-[0-9]{4}")
_STATEMENT: Final = re.compile(r"[A-Za-z]{2}-[0-9]+(\.\.[0-9]+)?")
_RULING: Final = re.compile(r"[Pp][0-9]|[A-Za-z]+[0-9]?-[A-Za-z]?[0-9]{1,2}")
_VARIANT_LIKE: Final = re.compile(r"[a-z-]+-[0-9]")
_ORIGINS: Final = get_args(Origin)


@dataclass(frozen=True, slots=True)
class SpecTrace:
    """Coverage in both directions, and what is missing (gaps)."""

    homes: Mapping[str, Home | None]
    kinds: Mapping[str, Mapping[str, int]]
    fed_by: Mapping[str, tuple[str, ...]]
    gaps: tuple[Problem, ...]

    @property
    def statements(self) -> int:
        """How many statements the sources have."""
        return len(self.homes)

    @property
    def with_home(self) -> int:
        """How many of them have a home."""
        return sum(home is not None for home in self.homes.values())


def trace(spec: Spec, cases: Sequence[Case]) -> SpecTrace:
    """Follow every statement to its rules and cases, and every value and ruling back."""
    fed_by = statements_by_rule(spec)
    return SpecTrace(
        homes=statement_homes(spec),
        kinds={source.id: kinds_of(source) for source in spec.sources.values()},
        fed_by=fed_by,
        gaps=(
            *_statement_gaps(spec, cases),
            *_value_gaps(spec),
            *_ruling_gaps(spec, cases),
            *_unfed_rules(spec, fed_by),
            *_strange_citations(spec),
        ),
    )


def statement_homes(spec: Spec) -> dict[str, Home | None]:
    """Return every statement of the sources with its home, if it has one."""
    return {name: source.homes.get(name) for source in spec.sources.values() for name in source.statement_ids()}


def kind_of(home: Home | None) -> str:
    """Return what kind of home a statement has: rules, example, the reason why it feeds none, or none at all."""
    if home is None:
        return NO_HOME
    return home.reason or ("example" if home.example else "rules")


def kinds_of(source: Source) -> dict[str, int]:
    """Count the statements of a source by kind of home."""
    return dict(Counter(kind_of(source.homes.get(statement)) for statement in source.statement_ids()))


def statements_by_rule(spec: Spec) -> dict[str, tuple[str, ...]]:
    """Return for each rule the statements that feed it, worked examples included."""
    fed: dict[str, list[str]] = {}
    for source in spec.sources.values():
        for statement, home in sorted(source.homes.items()):
            for rule in home.rules:
                fed.setdefault(rule, []).append(statement)
    return {rule: tuple(fed.get(rule, ())) for rule in spec.rules}


def _statement_gaps(spec: Spec, cases: Sequence[Case]) -> Iterator[Problem]:
    """Yield the statements without a home, homes that lead nowhere, and worked examples that no case plays."""
    played = {statement for case in cases for statement in case.statements}
    known = statement_homes(spec)
    for source in spec.sources.values():
        line = 1
        for statement in source.statement_ids():
            home = source.homes.get(statement)
            if home is None:
                yield Problem(source.path, line, statement, "has no home; give the rules it feeds, or a reason")
                continue
            line = home.line
            for message in _home_faults(home, spec, known):
                yield Problem(source.path, line, statement, message)
            if home.example and statement not in played:
                yield Problem(source.path, line, statement, "is a worked example that no case names")


def _home_faults(home: Home, spec: Spec, known: Mapping[str, object]) -> Iterator[str]:
    for rule in home.rules:
        if rule not in spec.rules:
            yield f"feeds the rule {rule}, which does not exist{nearest(rule, spec.rules)}"
    if home.ruling is not None and home.ruling not in spec.rulings:
        yield f"names the ruling {home.ruling}, which does not exist{nearest(home.ruling, spec.rulings)}"
    for term in home.terms:
        if term not in spec.glossary.terms:
            yield f"names the term {term}, which the glossary lacks{nearest(term, spec.glossary.terms)}"
    if home.see is not None and (wrong := reversed_run(home.see)):
        yield wrong
    elif home.see is not None and not known.keys() >= set(expand_statements([home.see])):
        yield f"repeats {home.see}, which is no statement of the sources"


Place = tuple[Document, tuple[str, ...], str, Setting]


def every_setting(spec: Spec) -> Iterator[Place]:
    """Yield every value that a rule, a variant or an option states: its file, the keys to it, and its rule."""
    read = cache(lambda topic: read_document(spec.folder / "rules" / f"{topic}.yaml"))
    for rule, default in defaults_of(spec.rules).items():
        yield read(spec.rules[rule].topic), ("rules", rule, "default"), rule, default
    for variant in spec.variants.values():
        for rule, setting in variant.settings.items():
            yield variant.document, ("rules", rule), rule, setting
        for option in variant.options.values():
            for rule, setting in option.settings.items():
                yield variant.document, ("options", option.id, "rules", rule), rule, setting


def _value_gaps(spec: Spec) -> Iterator[Problem]:
    """Yield the values that rest on nothing: no citation and no ruling, or ruled by nobody."""
    for document, at, _, setting in every_setting(spec):
        ruling = spec.rulings.get(setting.ruling or "")
        if setting.status == "ruled" and ruling is None:
            yield document.problem(at, "is ruled and names no ruling of the register")
        elif not setting.cite and (ruling is None or ruling.kind == "erratum"):
            yield document.problem(at, "has neither a citation nor a principle or ruling that takes its place")


def _ruling_gaps(spec: Spec, cases: Sequence[Case]) -> Iterator[Problem]:
    """Yield the rulings and errata that no case plays, or no rule shows; principles stand behind values."""
    played = {ruling for case in cases for ruling in case.rulings}
    behind_values = {setting.ruling for _, _, _, setting in every_setting(spec)}
    register = read_document(spec.folder / "rulings.yaml")
    for ruling in spec.rulings.values():
        if ruling.kind == "principle":
            continue
        if ruling.id not in played:
            yield register.problem(("rulings", ruling.id), "no case names this ruling")
        if not ruling.rules and ruling.id not in behind_values:
            yield register.problem(("rulings", ruling.id), "no value names this ruling; list the rules that it touches")


def _unfed_rules(spec: Spec, fed_by: Mapping[str, tuple[str, ...]]) -> Iterator[Problem]:
    for rule in spec.rules.values():
        if not fed_by[rule.id]:
            document = read_document(spec.folder / "rules" / f"{rule.topic}.yaml")
            yield document.problem(("rules", rule.id), "no statement feeds this rule")


def _strange_citations(spec: Spec) -> Iterator[Problem]:
    """Yield the citations of statements that lead to other rules, or none; a repetition leads where its first does."""
    homes = {statement: home for source in spec.sources.values() for statement, home in source.homes.items()}
    leads = {one: homes[home.see].rules if home.see in homes else home.rules for one, home in homes.items()}
    for document, at, rule, setting in every_setting(spec):
        strange = [one for one in setting.cite if one in leads and rule not in leads[one]]
        if strange:
            yield document.problem((*at, "cite"), f"{', '.join(strange)}: the trace does not lead to this rule")


def as_json(found: SpecTrace) -> dict[str, Any]:
    """Return the trace for programs."""
    return {
        "statements": found.statements,
        "with_home": found.with_home,
        "sources": {source: dict(counts) for source, counts in found.kinds.items()},
        "rules": {rule: list(statements) for rule, statements in found.fed_by.items()},
        "homes": {statement: home_json(home) for statement, home in found.homes.items()},
        "gaps": [{**asdict(problem), "file": str(problem.file)} for problem in found.gaps],
    }


def home_json(home: Home | None) -> dict[str, Any]:
    """Return for programs where a statement went: its kind, the rules it feeds, what it repeats, who reads it."""
    if home is None:
        return {"kind": NO_HOME, "rules": []}
    note = home.note and home.note.as_json()
    rest = {"see": home.see, "ruling": home.ruling, "terms": list(home.terms), "note": note}
    return {
        "kind": kind_of(home),
        "rules": list(home.rules),
        **{name: one for name, one in rest.items() if one},
    }


def print_trace(found: SpecTrace, page: Page) -> None:
    """Print the trace for people, every statement by its own number; the gaps come last, then the sum."""
    kinds = {kind for counts in found.kinds.values() for kind in counts}
    shown = [
        kind for kind in ("rules", "example", *sorted(kinds - {"rules", "example", NO_HOME}), NO_HOME) if kind in kinds
    ]
    rows = [(kind, [counts.get(kind, 0) for counts in found.kinds.values()]) for kind in shown]
    rows.append(("statements", [sum(counts.values()) for counts in found.kinds.values()]))
    facts = {name: getattr(found, name) for name in ("kinds", "fed_by", "gaps", "statements", "with_home")}
    tell(page, "trace.j2", package="belot_conformance.suite", rows=rows, **facts)


def show(name: str, part: str | None, spec: Spec) -> tuple[Kind, Json]:
    """Return what a name leads to, and which kind of answer that is; with a part, the name is that of a profile.

    Raises ``UnknownNameError`` for a name that does not exist, with the nearest that does.
    """
    profile, asked = (None, name) if part is None else (open_profile(name, spec), part)
    kind = kind_of_name(asked, spec)
    if kind == "profile" and _is_no_profile(asked, spec) and (said := about_word(asked, spec, profile)):
        return "word", said
    if kind in _ABOUT:
        found = _ABOUT[kind](asked, spec, profile)
        return ("rule-here" if kind == "rule" and profile is not None else kind), found
    if profile is not None:
        is_topic(asked, spec)
        return "profile", profile_rules(profile, spec, asked)
    if kind == "topic":
        first = spec.playable()[0]
        raise UnknownNameError(f"{asked} is a topic; name a variant first: belot spec show {first} {asked}")
    return "profile", profile_rules(open_profile(asked, spec), spec)


def kind_of_name(name: str, spec: Spec) -> Kind:
    """Say what a name is the name of; what looks like none of the others is a profile.

    Raises ``UnknownNameError`` for a name that looks like a statement, a ruling or a rule, and is none.
    """
    if _CASE.fullmatch(name):
        raise UnknownNameError(f"{name} is the id of a case; ask it: belot check --case {name} -- ./my-belot")
    if _STATEMENT.fullmatch(name):
        _check_statement(name, spec)
        return "statement"
    if name in spec.rulings:
        return "ruling"
    if name in spec.rules:
        return "rule"
    if any(rule.topic == name for rule in spec.rules.values()):
        return "topic"
    if _RULING.fullmatch(name) and not _VARIANT_LIKE.fullmatch(name):
        raise UnknownNameError(f"there is no ruling {name}{nearest(name.upper(), spec.rulings)}")
    if "." in name and not ProfileName(name).options and not names_file(name):
        is_topic(name, spec)
    return "profile"


def _is_no_profile(name: str, spec: Spec) -> bool:
    return ProfileName(name).variant not in spec.variants and not names_file(name)


def _check_statement(name: str, spec: Spec) -> None:
    """Raise ``UnknownNameError`` for a run, and for a statement that no source has."""
    if name in statement_homes(spec):
        return
    if ".." in name:
        first = name.split("..")[0]
        raise UnknownNameError(reversed_run(name) or f"{name} is a run; name one statement of it, such as {first}")
    raise UnknownNameError(unknown_statement(name, spec.sources))


def about_statement(statement: str, spec: Spec, profile: Profile | None = None) -> Json:
    """Return what became of a statement: its rules with their values, the rulings on it, the cases from it.

    With a profile, only the values and rulings of that profile, and the cases of its variant.
    """
    source = spec.sources[statement.split("-")[0]]
    home = source.homes.get(statement)
    cited = {rule for _, _, rule, setting in every_setting(spec) if statement in setting.cite}
    rulings = [one for one in spec.rulings.values() if statement in one.statements and _is_for(one, profile)]

    def mark(entry: Json, _played: Profile) -> Json:
        rests = statement in expand_statements(entry["cite"])
        return {"rests": rests, "related": any(cited.startswith(f"{source.id}-") for cited in entry["cite"])}

    return {
        "statement": statement,
        **_place(profile),
        **home_json(home),
        **_told(statement, source, spec),
        "terms": [{"id": term, **spec.glossary.terms[term]} for term in (home.terms if home else ())],
        "source": {"id": source.id, "title": source.title.as_json()},
        "rules": _rules({*cited, *(home.rules if home else ())}, spec, profile, mark),
        "rulings": [ruling_json(ruling) for ruling in rulings],
        "cases": _cases("statements", statement, profile),
        "page": statement_path(statement),
    }


def _told(statement: str, source: Source, spec: Spec) -> Json:
    """Return what a statement of a collection says, which documents say so, and what others say otherwise."""
    told = source.told.get(statement)
    if told is None:
        return {}
    documents = [
        {"id": name, "title": one.title, "about": one.about.as_json(), "where": one.where, "read": one.read}
        for name, one in ((name, source.documents[name]) for name in told.documents)
    ]
    other = departing([statement], spec)
    return {"text": told.text.as_json(), "documents": documents, "differs": [*told.differs], "departing": other}


def about_ruling(name: str, spec: Spec, profile: Profile | None = None) -> Json:
    """Return a ruling with the rules that rest on it or that it touches, the cases that it decides, and its page.

    With a profile, only the values of that profile, and the cases of its variant.
    """
    ruling = spec.rulings[name]
    named = {rule for _, _, rule, setting in every_setting(spec) if setting.ruling == name}

    def mark(entry: Json, played: Profile) -> Json:
        return {"rests": entry["ruling"] == name, "related": _is_for(ruling, played)}

    return {
        **ruling_json(ruling),
        **_place(profile),
        "printed": None if ruling.printed is None else ruling.printed.as_json(),
        "variants": list(ruling.variants),
        "options": list(ruling.options),
        "statements": as_runs(ruling.statements),
        "rules": _rules({*named, *ruling.rules}, spec, profile, mark),
        "cases": _cases("rulings", name, profile),
        "page": ruling_path(name),
    }


def about_rule(name: str, spec: Spec, profile: Profile | None = None) -> Json:
    """Return a rule with its values in every variant, or in a profile beside the others, and what leads to it."""
    if profile is None:
        rulings = [ruling_json(ruling) for ruling in rulings_on_rule(name, spec)]
        found = {**_rule(spec.rules[name], spec, None), "rulings": rulings}
    else:
        found = one_rule(profile, name, spec)
    return {
        **found,
        **_place(profile),
        "statements": as_runs(statements_by_rule(spec)[name]),
        "cases": _cases("rules", name, profile),
        "page": rule_path(name),
    }


_ABOUT: Final[Mapping[Kind, Callable[[str, Spec, Profile | None], Json]]] = {
    "statement": about_statement,
    "ruling": about_ruling,
    "rule": about_rule,
}


def _place(profile: Profile | None) -> Json:
    """Return the profile that was asked for and its variant; neither, if it was every variant."""
    if profile is None:
        return {"profile": None, "variant": None}
    return {"profile": str(profile.id), "variant": profile.base.variant}


def _is_for(ruling: Ruling, profile: Profile | None) -> bool:
    return profile is None or not ruling.variants or profile.base.variant in ruling.variants


def _rules(names: Set[str], spec: Spec, profile: Profile | None, mark: Mark) -> list[Json]:
    return [_rule(rule, spec, profile, mark) for rule in spec.rules.values() if rule.id in names]


def _rule(rule: Rule, spec: Spec, profile: Profile | None, mark: Mark | None = None) -> Json:
    """Return a rule with its values in a profile or in every variant, and those that options give it.

    Each may be marked: whether it rests on what was asked about, or at least is of its game.
    """
    profiles = [spec.profile(variant) for variant in spec.playable()] if profile is None else [profile]
    with_option = (
        ProfileName.of(variant, option.id)
        for variant in (one.base.variant for one in profiles)
        for option in spec.options_of(variant).values()
        if rule.id in option.settings
    )
    return {
        "id": rule.id,
        "title": rule.title.as_json(),
        "question": rule.question.as_json(),
        "values": [_value(rule, one, spec, mark) for one in profiles],
        "options": [_value(rule, spec.profile(name), spec, mark) for name in with_option],
    }


def _value(rule: Rule, profile: Profile, spec: Spec, mark: Mark | None) -> Json:
    found, setting = value_in(rule, profile, spec), profile.settings.get(rule.id)
    if setting is not None:
        found |= {"cite": as_runs(setting.cite), "ruling": setting.ruling}
    if mark is not None:
        found |= mark(found, profile) if setting is not None else {"rests": False, "related": False}
    return found


def _cases(kind: str, name: str, profile: Profile | None) -> list[Json]:
    """Return the cases that name a rule, a statement or a ruling, those of a profile's variant only.

    Worked examples of the sources come first.
    """
    variant = None if profile is None else profile.base.variant
    cases = [one for one in load_cases() if name in getattr(one, kind) and variant in (None, one.profile.variant)]
    ordered = sorted(cases, key=lambda case: (_ORIGINS.index(case.origin), case.id))
    return [{**case.named(), "profile": case.profile} for case in ordered]
