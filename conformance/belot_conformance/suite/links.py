"""What a statement, a ruling or a rule leads to: rules, values, rulings, cases and a page of the site."""

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal, get_args

from belot_conformance.rules.reading import (
    Json,
    as_runs,
    is_topic,
    one_rule,
    profile_rules,
    rule_path,
    ruling_json,
    ruling_path,
    rulings_on_rule,
    statement_path,
    value_in,
    variant_of,
)
from belot_conformance.suite.cases import Case, Origin, load_cases
from belot_conformance.suite.trace import every_setting, home_json, statements_by_rule
from belot_spec.catalogue import Rule
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling, expand_statements, reversed_run, unknown_statement
from belot_spec.spec import Profile, Spec

Kind = Literal["statement", "ruling", "rule", "rule-here", "topic", "profile"]
Test = Callable[[Json], bool]

_CASE: Final = re.compile(r"bc-[0-9]{4}")
_STATEMENT: Final = re.compile(r"[A-Za-z]{2}-[0-9]+(\.\.[0-9]+)?")
_RULING: Final = re.compile(r"[Pp][0-9]|[A-Za-z]+[0-9]?-[A-Za-z]?[0-9]{1,2}")
_VARIANT_LIKE: Final = re.compile(r"[a-z-]+-[0-9]")
_ORIGINS: Final = get_args(Origin)


def show(name: str, part: str | None, spec: Spec) -> tuple[Kind, Json]:
    """Return what a name leads to, and which kind of answer that is; with a part, the name is that of a profile.

    Raises ``UnknownNameError`` for a name that does not exist, with the nearest that does.
    """
    profile, asked = (None, name) if part is None else (name, part)
    if profile is not None:
        spec.profile(profile)
    kind = kind_of_name(asked, spec)
    if kind == "statement":
        return kind, about_statement(asked, spec, profile)
    if kind == "ruling":
        return kind, about_ruling(asked, spec, profile)
    if kind == "rule":
        return ("rule" if profile is None else "rule-here"), about_rule(asked, spec, profile)
    if profile is None and kind == "topic":
        raise UnknownNameError(
            f"{asked} is a topic; name a variant first: belot spec show {spec.playable()[0]} {asked}"
        )
    if profile is None:
        return "profile", profile_rules(asked, spec)
    is_topic(asked, spec)
    return "profile", profile_rules(profile, spec, asked)


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
    if "." in name and ProfileName.parse(name).variant == name and not name.endswith((".yaml", ".yml")):
        is_topic(name, spec)
    return "profile"


def _check_statement(name: str, spec: Spec) -> None:
    """Raise ``UnknownNameError`` for a run, and for a statement that no source has."""
    known = {one for source in spec.sources.values() for one in source.statement_ids()}
    if name in known:
        return
    if ".." in name:
        first = name.split("..")[0]
        raise UnknownNameError(reversed_run(name) or f"{name} is a run; name one statement of it, such as {first}")
    raise UnknownNameError(unknown_statement(name, spec.sources))


def about_statement(statement: str, spec: Spec, profile: str | None = None) -> Json:
    """Return what became of a statement: its rules with their values, the rulings on it, the cases from it.

    With a profile, only the values and rulings of that profile, and the cases of its variant.
    """
    source = spec.sources[statement.split("-")[0]]
    home = source.homes.get(statement)
    cited = {rule for _, _, rule, setting in every_setting(spec) if statement in setting.cite}
    rules = [rule for rule in spec.rules.values() if rule.id in cited or (home is not None and rule.id in home.rules)]
    rulings = [one for one in spec.rulings.values() if statement in one.statements and _is_for(one, profile)]

    def rests(entry: Json) -> bool:
        return statement in expand_statements(entry["cite"])

    def related(entry: Json) -> bool:
        return any(cited.startswith(f"{source.id}-") for cited in entry["cite"])

    return {
        "statement": statement,
        **_place(profile, spec),
        **home_json(home),
        "terms": [{"id": term, **spec.glossary.terms[term]} for term in (home.terms if home else ())],
        "source": {"id": source.id, "title": source.title.as_json()},
        "rules": [_marked(_rule(rule, spec, profile), rests, related) for rule in rules],
        "rulings": [ruling_json(ruling) for ruling in rulings],
        "cases": _cases(lambda case: statement in case.statements, profile),
        "page": statement_path(statement),
    }


def about_ruling(name: str, spec: Spec, profile: str | None = None) -> Json:
    """Return a ruling with the rules that rest on it or that it touches, the cases that it decides, and its page.

    With a profile, only the values of that profile, and the cases of its variant.
    """
    ruling = spec.rulings[name]
    named = {rule for _, _, rule, setting in every_setting(spec) if setting.ruling == name}
    rules = [rule for rule in spec.rules.values() if rule.id in named or rule.id in ruling.rules]

    def rests(entry: Json) -> bool:
        return bool(entry["ruling"] == name)

    def related(entry: Json) -> bool:
        return _is_for(ruling, entry["profile"])

    return {
        **ruling_json(ruling),
        **_place(profile, spec),
        "printed": None if ruling.printed is None else ruling.printed.as_json(),
        "variants": list(ruling.variants),
        "options": list(ruling.options),
        "statements": as_runs(ruling.statements),
        "rules": [_marked(_rule(rule, spec, profile), rests, related) for rule in rules],
        "cases": _cases(lambda case: name in case.rulings, profile),
        "page": ruling_path(name),
    }


def about_rule(name: str, spec: Spec, profile: str | None = None) -> Json:
    """Return a rule with its values in every variant, or in a profile beside the others, and what leads to it."""
    if profile is None:
        rulings = [ruling_json(ruling) for ruling in rulings_on_rule(name, spec)]
        found = {**_rule(spec.rules[name], spec, None), "rulings": rulings}
    else:
        found = one_rule(profile, name, spec)
    return {
        **found,
        **_place(profile, spec),
        "statements": as_runs(statements_by_rule(spec)[name]),
        "cases": _cases(lambda case: name in case.rules, profile),
        "page": rule_path(name),
    }


def _place(profile: str | None, spec: Spec) -> Json:
    """Return the profile that was asked for and its variant; neither, if it was every variant."""
    if profile is None:
        return {"profile": None, "variant": None}
    return {"profile": spec.profile(profile).id, "variant": variant_of(profile)}


def _is_for(ruling: Ruling, profile: str | None) -> bool:
    return profile is None or not ruling.variants or variant_of(profile) in ruling.variants


def _rule(rule: Rule, spec: Spec, profile: str | None) -> Json:
    """Return a rule with its values in a profile or in every variant, and those that options give it."""
    profiles = spec.playable() if profile is None else (profile,)
    return {
        "id": rule.id,
        "title": rule.title.as_json(),
        "question": rule.question.as_json(),
        "values": [_value(rule, spec.profile(name), spec) for name in profiles],
        "options": [
            _value(rule, spec.profile(f"{variant}+{option.id}"), spec)
            for variant in map(variant_of, profiles)
            for option in spec.options_of(variant).values()
            if rule.id in option.settings
        ],
    }


def _value(rule: Rule, profile: Profile, spec: Spec) -> Json:
    setting = profile.settings.get(rule.id)
    own = value_in(rule, profile, spec)
    return own if setting is None else {**own, "cite": as_runs(setting.cite), "ruling": setting.ruling}


def _marked(rule: Json, rests: Test, related: Test) -> Json:
    """Return a rule with each value marked: whether it rests on what was asked about, or at least is of its game."""
    return {**rule, **{kind: [_mark(entry, rests, related) for entry in rule[kind]] for kind in ("values", "options")}}


def _mark(entry: Json, rests: Test, related: Test) -> Json:
    return {**entry, "rests": entry["matters"] and rests(entry), "related": entry["matters"] and related(entry)}


def _cases(fits: Callable[[Case], bool], profile: str | None) -> list[Json]:
    """Return the cases that fit, those of a profile's variant only, worked examples of the sources first."""
    variant = None if profile is None else variant_of(profile)
    cases: Sequence[Case] = [
        case for case in load_cases() if fits(case) and variant in (None, variant_of(case.profile))
    ]
    ordered = sorted(cases, key=lambda case: (_ORIGINS.index(case.origin), case.id))
    return [{**case.named(), "profile": case.profile} for case in ordered]
