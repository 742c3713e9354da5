"""The rules for reading: variants, profiles and differences between profiles as plain JSON values."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from belot_spec.catalogue import Rule, Text, same_text, value_key
from belot_spec.errors import UnknownNameError, nearest
from belot_spec.load.translations import read_translated
from belot_spec.profile_name import ProfileName
from belot_spec.register import Ruling
from belot_spec.shipped import open_profile
from belot_spec.spec import Profile, Spec
from belot_spec.variants import Option
from belot_spec.wording import sentence_text
from belot_spec.words import Words, joined

Json = dict[str, Any]

STATUSES: Final = ("stated", "ruled", "filled")
STATUS_WORDS: Final = Words(__name__, "statuses")
# What became of a statement, as the trace calls it.
HOME_WORDS: Final = Words(__name__, "homes")
_NEEDS: Final = Words(__name__, "needs")

value_text = value_key  # a value as it stands in a variant's file


def sentences(rule: Rule, profile: Profile, spec: Spec) -> dict[str, str]:
    """Return the sentence of a rule that matters in a profile, by language."""
    return sentence_text(rule, profile.value(rule.id), spec.glossary, profile.settings).as_json()


def topics(spec: Spec) -> dict[str, dict[str, str]]:
    """Return the title of each topic of the catalogue, in the catalogue's order."""
    names = dict.fromkeys(rule.topic for rule in spec.rules.values())
    return {name: read_translated(spec.folder / "rules" / f"{name}.yaml").data["title"] for name in names}


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
        "target": profile.given("match.target") if profile.plays("match.ends", "target") else None,
        **({"deals": profile.given("match.deals")} if profile.plays("match.ends", "deals") else {}),
        "values": {"all": len(profile.settings), **{status: counts[status] for status in STATUSES}},
        "options": [_option(option) for option in spec.options_of(name).values()],
    }


def _option(option: Option) -> Json:
    return {"id": option.id, "title": option.title.as_json(), "unsourced": option.is_unsourced}


def profile_rules(profile: Profile, spec: Spec, topic: str | None = None) -> Json:
    """Return every rule that matters in a profile by topic, or those of one topic."""
    rules = (spec.rules[rule] for rule in profile.settings if topic is None or spec.rules[rule].topic == topic)
    found = _by_topic((rule_in(rule, profile, spec) for rule in rules), spec)
    return {"profile": profile.id, "name": profile.name.as_json(), "topics": found}


def _by_topic(rules: Iterable[Json], spec: Spec) -> list[Json]:
    """Return rules that stand in the order of the catalogue by their topics."""
    titles = topics(spec)
    groups = groupby(rules, key=lambda rule: str(rule["topic"]))
    return [{"id": topic, "title": titles[topic], "rules": list(group)} for topic, group in groups]


def rule_in(rule: Rule, profile: Profile, spec: Spec) -> Json:
    """Return a rule with its value in a profile; without one, on which values of others it depends.

    ``ruling`` is the one that its value rests on, ``see`` holds the others that touch it in the profile's variant.
    """
    entry = {"id": rule.id, "topic": rule.topic, "title": rule.title.as_json(), "question": rule.question.as_json()}
    setting = profile.settings.get(rule.id)
    touching = rulings_on_rule(rule.id, spec, [profile.base.variant])
    see = [ruling_json(one) for one in touching if not setting or one.id != setting.ruling]
    if setting is None:
        needs = {needed: list(values) for needed, values in rule.needs.items()}
        return {**entry, "matters": False, "needs": needs, "see": see}
    ruling = None if setting.ruling is None else ruling_json(spec.rulings[setting.ruling])
    played = _played(rule, profile, spec)
    cited = {"cite": as_runs(setting.cite), "departing": departing(setting.cite, spec, rule.id, setting.against)}
    return {**entry, **played, **cited, "ruling": ruling, "see": see}


def departing(
    statements: Sequence[str], spec: Spec, rule: str | None = None, against: Sequence[str] = ()
) -> list[Json]:
    """Return what some documents of a collection say otherwise than others do in these statements, of a rule or any."""
    return [
        {"statement": name, "documents": [*source.told[name].documents], "text": source.told[name].text.as_json()}
        for source in spec.sources.values()
        for name in source.departing(statements, against)
        if rule is None or (name in source.homes and rule in source.homes[name].rules)
    ]


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


def one_rule(profile: Profile, rule_id: str, spec: Spec) -> Json:
    """Return a rule as a profile has it, beside what each other variant and each option makes of it."""
    rule, own = spec.rules[rule_id], profile.base.variant
    others = [value_in(rule, spec.profile(variant), spec) for variant in spec.playable() if variant != own]
    options = [
        {
            **_option(option),
            "value": option.settings[rule_id].value,
            "sentence": sentences(rule, spec.profile(ProfileName.of(own, option.id)), spec),
        }
        for option in spec.options_of(own).values()
        if rule_id in option.settings
    ]
    return {
        "profile": profile.id,
        "name": profile.name.as_json(),
        "rule": rule_in(rule, profile, spec),
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
    profiles = [open_profile(name, spec) for name in names]
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
    told = {rule: [*map(same_text, map(value_text, values))] for rule, values in needs.items()}
    parts = (_NEEDS.filled("is", rule=rule, value=_listed("or", values)) for rule, values in told.items())
    return _NEEDS.filled("where", needs=_listed("and", parts))


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


def rulings_on_rule(rule: str, spec: Spec, variants: Iterable[str] | None = None) -> list[Ruling]:
    """Return the rulings on a rule, in every variant or in some, in the order of the register."""
    return _rulings_on({rule}, spec, spec.playable() if variants is None else variants)


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
