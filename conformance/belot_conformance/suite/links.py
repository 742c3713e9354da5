"""What a statement, a ruling or a rule leads to: rules, values, rulings, cases and a page of the site."""

import re
from collections.abc import Callable, Mapping, Set
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
from belot_conformance.suite.cases import Origin, load_cases
from belot_conformance.suite.trace import every_setting, home_json, statement_homes, statements_by_rule
from belot_spec.catalogue import Rule
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling, expand_statements, reversed_run, unknown_statement
from belot_spec.spec import Profile, Spec

Kind = Literal["statement", "ruling", "rule", "rule-here", "topic", "profile"]
Mark = Callable[[Json], Json]

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
    if kind in _ABOUT:
        found = _ABOUT[kind](asked, spec, profile)
        return ("rule-here" if kind == "rule" and profile is not None else kind), found
    if profile is not None:
        is_topic(asked, spec)
        return "profile", profile_rules(profile, spec, asked)
    if kind == "topic":
        first = spec.playable()[0]
        raise UnknownNameError(f"{asked} is a topic; name a variant first: belot spec show {first} {asked}")
    return "profile", profile_rules(asked, spec)


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
    if name in statement_homes(spec):
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
    rulings = [one for one in spec.rulings.values() if statement in one.statements and _is_for(one, profile)]

    def mark(entry: Json) -> Json:
        rests = statement in expand_statements(entry["cite"])
        return {"rests": rests, "related": any(cited.startswith(f"{source.id}-") for cited in entry["cite"])}

    return {
        "statement": statement,
        **_place(profile, spec),
        **home_json(home),
        "terms": [{"id": term, **spec.glossary.terms[term]} for term in (home.terms if home else ())],
        "source": {"id": source.id, "title": source.title.as_json()},
        "rules": _rules({*cited, *(home.rules if home else ())}, spec, profile, mark),
        "rulings": [ruling_json(ruling) for ruling in rulings],
        "cases": _cases("statements", statement, profile),
        "page": statement_path(statement),
    }


def about_ruling(name: str, spec: Spec, profile: str | None = None) -> Json:
    """Return a ruling with the rules that rest on it or that it touches, the cases that it decides, and its page.

    With a profile, only the values of that profile, and the cases of its variant.
    """
    ruling = spec.rulings[name]
    named = {rule for _, _, rule, setting in every_setting(spec) if setting.ruling == name}

    def mark(entry: Json) -> Json:
        return {"rests": entry["ruling"] == name, "related": _is_for(ruling, entry["profile"])}

    return {
        **ruling_json(ruling),
        **_place(profile, spec),
        "printed": None if ruling.printed is None else ruling.printed.as_json(),
        "variants": list(ruling.variants),
        "options": list(ruling.options),
        "statements": as_runs(ruling.statements),
        "rules": _rules({*named, *ruling.rules}, spec, profile, mark),
        "cases": _cases("rulings", name, profile),
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
        "cases": _cases("rules", name, profile),
        "page": rule_path(name),
    }


_ABOUT: Final[Mapping[Kind, Callable[[str, Spec, str | None], Json]]] = {
    "statement": about_statement,
    "ruling": about_ruling,
    "rule": about_rule,
}


def _place(profile: str | None, spec: Spec) -> Json:
    """Return the profile that was asked for and its variant; neither, if it was every variant."""
    if profile is None:
        return {"profile": None, "variant": None}
    return {"profile": spec.profile(profile).id, "variant": variant_of(profile)}


def _is_for(ruling: Ruling, profile: str | None) -> bool:
    return profile is None or not ruling.variants or variant_of(profile) in ruling.variants


def _rules(names: Set[str], spec: Spec, profile: str | None, mark: Mark) -> list[Json]:
    return [_rule(rule, spec, profile, mark) for rule in spec.rules.values() if rule.id in names]


def _rule(rule: Rule, spec: Spec, profile: str | None, mark: Mark | None = None) -> Json:
    """Return a rule with its values in a profile or in every variant, and those that options give it.

    Each may be marked: whether it rests on what was asked about, or at least is of its game.
    """
    profiles = spec.playable() if profile is None else (profile,)
    with_option = (
        f"{variant}+{option.id}"
        for variant in map(variant_of, profiles)
        for option in spec.options_of(variant).values()
        if rule.id in option.settings
    )
    return {
        "id": rule.id,
        "title": rule.title.as_json(),
        "question": rule.question.as_json(),
        "values": [_value(rule, spec.profile(name), spec, mark) for name in profiles],
        "options": [_value(rule, spec.profile(name), spec, mark) for name in with_option],
    }


def _value(rule: Rule, profile: Profile, spec: Spec, mark: Mark | None) -> Json:
    found, setting = value_in(rule, profile, spec), profile.settings.get(rule.id)
    if setting is not None:
        found |= {"cite": as_runs(setting.cite), "ruling": setting.ruling}
    if mark is not None:
        found |= mark(found) if setting is not None else {"rests": False, "related": False}
    return found


def _cases(kind: str, name: str, profile: str | None) -> list[Json]:
    """Return the cases that name a rule, a statement or a ruling, those of a profile's variant only.

    Worked examples of the sources come first.
    """
    variant = None if profile is None else variant_of(profile)
    cases = [one for one in load_cases() if name in getattr(one, kind) and variant in (None, variant_of(one.profile))]
    ordered = sorted(cases, key=lambda case: (_ORIGINS.index(case.origin), case.id))
    return [{**case.named(), "profile": case.profile} for case in ordered]
