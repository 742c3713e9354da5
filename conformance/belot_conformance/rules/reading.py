"""The rules for reading, as plain JSON values: variants, profiles, how they differ, and what one name leads to."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, get_args

from belot_conformance.suite.cases import Origin, load_cases
from belot_conformance.suite.trace import every_setting, home_json, statement_homes, statements_by_rule
from belot_spec.catalogue import LANGUAGES, Rule, Text, value_key
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.load.documents import read_document
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling, expand_statements, reversed_run, unknown_statement
from belot_spec.spec import Profile, Spec
from belot_spec.variants import Option
from belot_spec.wording import sentence
from belot_spec.words import Words, joined

Json = dict[str, Any]

STATUSES: Final = ("stated", "ruled", "filled")
STATUS_WORDS: Final = Words(__name__, "statuses")
# What became of a statement, as the trace calls it.
HOME_WORDS: Final = Words(__name__, "homes")
_NEEDS: Final = Words(__name__, "needs")

value_text = value_key  # a value as it stands in a variant's file
Kind = Literal["statement", "ruling", "rule", "rule-here", "topic", "profile"]
Mark = Callable[[Json], Json]

_CASE: Final = re.compile(r"bc-[0-9]{4}")
_STATEMENT: Final = re.compile(r"[A-Za-z]{2}-[0-9]+(\.\.[0-9]+)?")
_RULING: Final = re.compile(r"[Pp][0-9]|[A-Za-z]+[0-9]?-[A-Za-z]?[0-9]{1,2}")
_VARIANT_LIKE: Final = re.compile(r"[a-z-]+-[0-9]")
_ORIGINS: Final = get_args(Origin)


def sentences(rule: Rule, profile: Profile, spec: Spec) -> dict[str, str]:
    """Return the sentence of a rule that matters in a profile, in both languages."""
    value, settings = profile.value(rule.id), profile.settings
    return {language: sentence(rule, value, language, spec.glossary, settings) for language in LANGUAGES}


def topics(spec: Spec) -> dict[str, dict[str, str]]:
    """Return the title of each topic of the catalogue, in the catalogue's order."""
    names = dict.fromkeys(rule.topic for rule in spec.rules.values())
    return {name: read_document(spec.folder / "rules" / f"{name}.yaml").data["title"] for name in names}


def variant_list(spec: Spec) -> list[Json]:
    """Return what there is to know of each variant at a glance."""
    return [_variant(name, spec) for name in spec.playable()]


def _variant(name: str, spec: Spec) -> Json:
    variant, profile = spec.variants[name], spec.profile(name)
    counts = Counter(setting.status for setting in profile.settings.values())
    stated = (setting for setting in profile.settings.values() if setting.status == "stated")
    # The source that states most of the values comes first.
    cited = Counter(statement.split("-")[0] for setting in stated for statement in setting.cite)
    sources = (spec.sources[source] for source, _ in cited.most_common())
    return {
        "id": name,
        "name": variant.name.as_json(),
        "summary": variant.summary.as_json(),
        "sources": [{"id": one.id, "title": one.title.as_json(), "region": one.region.as_json()} for one in sources],
        "players": profile.value("deal.players"),
        "target": profile.value("match.target"),
        "values": {"all": len(profile.settings), **{status: counts[status] for status in STATUSES}},
        "options": [_option(option) for option in spec.options_of(name).values()],
    }


def _option(option: Option) -> Json:
    return {"id": option.id, "title": option.title.as_json(), "unsourced": option.is_unsourced}


def profile_rules(name: str, spec: Spec, topic: str | None = None) -> Json:
    """Return every rule that matters in a profile by topic, or those of one topic."""
    profile, variant = spec.profile(name), variant_of(name)
    rules = (spec.rules[rule] for rule in profile.settings if topic is None or spec.rules[rule].topic == topic)
    found = _by_topic((rule_in(rule, profile, variant, spec) for rule in rules), spec)
    return {"profile": profile.id, "name": profile.name.as_json(), "topics": found}


def _by_topic(rules: Iterable[Json], spec: Spec) -> list[Json]:
    """Return rules that stand in the order of the catalogue by their topics."""
    titles = topics(spec)
    groups = groupby(rules, key=lambda rule: str(rule["topic"]))
    return [{"id": topic, "title": titles[topic], "rules": list(group)} for topic, group in groups]


def rule_in(rule: Rule, profile: Profile, variant: str, spec: Spec) -> Json:
    """Return a rule with its value in a profile of a variant; without one, on which values of others it depends.

    ``ruling`` is the one that its value rests on, ``see`` holds the others that touch it in this variant.
    """
    entry = {"id": rule.id, "topic": rule.topic, "title": rule.title.as_json(), "question": rule.question.as_json()}
    setting = profile.settings.get(rule.id)
    see = [
        ruling_json(one) for one in rulings_on_rule(rule.id, spec, [variant]) if not setting or one.id != setting.ruling
    ]
    if setting is None:
        needs = {needed: list(values) for needed, values in rule.needs.items()}
        return {**entry, "matters": False, "needs": needs, "see": see}
    ruling = None if setting.ruling is None else ruling_json(spec.rulings[setting.ruling])
    played = _played(rule, profile, spec)
    return {**entry, **played, "cite": as_runs(setting.cite), "ruling": ruling, "see": see}


def ruling_json(ruling: Ruling) -> Json:
    """Return a ruling with the readings that it refuses."""
    refused = [{"reading": item.reading.as_json(), "changes": item.changes.as_json()} for item in ruling.refused]
    return {
        "id": ruling.id,
        "kind": ruling.kind,
        "title": ruling.title.as_json(),
        "reading": ruling.reading.as_json(),
        "refused": refused,
    }


def one_rule(name: str, rule_id: str, spec: Spec) -> Json:
    """Return a rule as a profile has it, beside what each other variant and each option makes of it."""
    profile, rule = spec.profile(name), spec.rules[rule_id]
    own = variant_of(name)
    others = [value_in(rule, spec.profile(variant), spec) for variant in spec.playable() if variant != own]
    options = [
        {
            **_option(option),
            "value": option.settings[rule_id].value,
            "sentence": sentences(rule, spec.profile(f"{own}+{option.id}"), spec),
        }
        for option in spec.options_of(own).values()
        if rule_id in option.settings
    ]
    return {
        "profile": profile.id,
        "name": profile.name.as_json(),
        "rule": rule_in(rule, profile, own, spec),
        "others": others,
        "options": options,
    }


def value_in(rule: Rule, profile: Profile, spec: Spec) -> Json:
    """Return what a profile plays for a rule, or that the rule does not matter there."""
    return {"profile": profile.id, **_played(rule, profile, spec)}


def _played(rule: Rule, profile: Profile, spec: Spec) -> Json:
    setting = profile.settings.get(rule.id)
    if setting is None:
        return {"matters": False}
    return {
        "matters": True,
        "value": setting.value,
        "sentence": sentences(rule, profile, spec),
        "status": setting.status,
        "unsourced": setting.is_unsourced,
    }


def is_topic(name: str, spec: Spec) -> bool:
    """Say whether a name is that of a topic rather than a rule; raises ``UnknownNameError`` if it is neither."""
    known = dict.fromkeys(rule.topic for rule in spec.rules.values())
    if name not in known and name not in spec.rules:
        longer = [rule for rule in spec.rules if rule.startswith(name)]
        hint = nearest(name, longer) or nearest(name, [*spec.rules, *known]) or f" (topics: {', '.join(known)})"
        raise UnknownNameError(f"there is no rule or topic {name}{hint}")
    return name in known


def comparison(names: Sequence[str], spec: Spec, everything: bool = False) -> Json:
    """Return, by topic, the rules on which profiles differ, or all that matter in at least one of them."""
    profiles = [spec.profile(name) for name in names]
    mattering = [rule for rule in spec.rules.values() if any(rule.id in profile.settings for profile in profiles)]
    rules = [_compared(rule, profiles, spec) for rule in mattering]
    return {
        "profiles": [{"id": profile.id, "name": profile.name.as_json()} for profile in profiles],
        "compared": len(rules),
        "different": sum(not rule["equal"] for rule in rules),
        "topics": _by_topic((rule for rule in rules if everything or not rule["equal"]), spec),
    }


def _compared(rule: Rule, profiles: Sequence[Profile], spec: Spec) -> Json:
    found = [value_in(rule, profile, spec) for profile in profiles]
    first, *rest = [(entry["matters"], entry.get("value")) for entry in found]
    return {
        "id": rule.id,
        "topic": rule.topic,
        "title": rule.title.as_json(),
        "equal": all(other == first for other in rest),
        "values": found,
    }


def as_runs(statements: Sequence[str]) -> list[str]:
    """Return statement ids with three or more that follow one another written as a run: ``BN-046..053``."""
    runs: list[list[str]] = []
    for statement in statements:
        if runs and statement == _next(runs[-1][-1]):
            runs[-1].append(statement)
        else:
            runs.append([statement])
    parts = [run if len(run) < 3 else [f"{run[0]}..{run[-1][-3:]}"] for run in runs]
    return [part for run in parts for part in run]


def _next(statement: str) -> str:
    source, _, number = statement.partition("-")
    return f"{source}-{int(number) + 1:03d}"


def where_it_matters(needs: Mapping[str, Sequence[Any]]) -> Text:
    """Say where a rule with these needs matters: ``where deal.sides is partners-opposite``; everywhere without any."""
    if not needs:
        return _NEEDS["everywhere"]
    told = {rule: [Text(text, text) for text in map(value_text, values)] for rule, values in needs.items()}
    parts = (_NEEDS.both("is", rule=rule, value=_listed("or", values)) for rule, values in told.items())
    return _NEEDS.both("where", needs=_listed("and", parts))


def _listed(between: str, parts: Iterable[Text]) -> Text:
    """Return parts with *and* or *or* between them."""
    first, *others = parts
    for part in others:
        first = joined(" ", [first, _NEEDS[between], part])
    return first


def rulings_shown(rules: Iterable[Json]) -> list[Json]:
    """Return the rulings that the values of rules rest on or that touch them, each once, in the order met."""
    found = {one["id"]: one for rule in rules for one in (rule.get("ruling"), *rule["see"]) if one is not None}
    return list(found.values())


def base_of(profile: str) -> str:
    """Return the profile on which a file of house rules builds; any other profile is its own base."""
    return str(read_document(Path(profile)).data["base"]) if profile.endswith((".yaml", ".yml")) else profile


def variant_of(profile: str) -> str:
    """Return the variant that a profile changes; for a file of house rules, that of its base."""
    return ProfileName.parse(base_of(profile)).variant


def rulings_on_rule(rule: str, spec: Spec, variants: Iterable[str] | None = None) -> list[Ruling]:
    """Return the rulings on a rule, in every variant or in some, in the order of the register."""
    return _rulings_on({rule}, spec, spec.playable() if variants is None else variants)


def rulings_on_variant(variant: str, spec: Spec) -> list[Ruling]:
    """Return the rulings on the rules of a variant and of its options, in the order of the register."""
    return _rulings_on({rule for way in spec.ways_of(variant) for rule in way}, spec, [variant])


def _rulings_on(rules: set[str], spec: Spec, variants: Iterable[str]) -> list[Ruling]:
    """Return the rulings that values of some rules name, or that list one of them for one of some variants or all."""
    among = set(variants)
    ways = (way for variant in among for way in spec.ways_of(variant))
    named = {way[rule].ruling for way in ways for rule in rules & way.keys()}
    return [
        one
        for one in spec.rulings.values()
        if one.id in named
        or (not rules.isdisjoint(one.rules) and (not one.variants or not among.isdisjoint(one.variants)))
    ]


def rule_path(rule: str) -> str:
    """Return the address of a rule's page."""
    return f"rules/{rule}/"


def statement_path(statement: str) -> str:
    """Return the address of a statement, or of the first of a run."""
    first = statement.split("..")[0]
    return f"sources/{first[:2].lower()}/#{first.lower()}"


def ruling_path(ruling: str) -> str:
    """Return the address of a ruling with its anchor."""
    return f"rulings/{ruling_group(ruling)}/#{anchor(ruling)}"


def ruling_group(ruling: str) -> str:
    """Return the page on which a ruling stands: what comes before the dash, and for the principles the letter P."""
    return ruling.partition("-")[0].lower() if "-" in ruling else ruling[0].lower()


def anchor(name: str) -> str:
    """Return the anchor of a name: in lower case, dots as dashes, so that it is the same in every language."""
    return re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")


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
