"""The rules of a table of its own, read and checked in the browser: what is wrong is told by its kind, in no language.

What the loader of overlay files refuses is refused here, and nothing else; a test holds that. The page has the
sentence for each kind of fault.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import BareRule, Setting
from belot_spec.errors import SpecError, closest
from belot_spec.json_schema import fits, listed
from belot_spec.languages import IN_PLACE, LANGUAGES
from belot_spec.playability import contradictions
from belot_spec.profile_name import ProfileName
from belot_spec.variants import settled

Json = dict[str, Any]

_KEYS: Final = ("id", "name", "base", "rules")
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")


class TableError(Exception):
    """A table's rules are wrong: ``fault`` says how, by its kind and what it is about."""

    def __init__(self, kind: str, **about: Any) -> None:
        super().__init__(kind)
        self.fault: Json = {"kind": kind, **about}


def bare_rules(known: Json) -> dict[str, BareRule]:
    """Return the rules of a pack, without their words."""
    defaults = {rule: Setting(value, "filled", (), None) for rule, value in known["defaults"].items()}
    return {
        rule: BareRule(rule, known["values"][rule], needs, defaults.get(rule)) for rule, needs in known["needs"].items()
    }


def read_file(known: Json, text: str) -> Json:
    """Return the table of an overlay file: its name, base, options and changes; raises ``TableError``."""
    data = _parsed(text)
    if not isinstance(data, dict):
        raise TableError("no-mapping")
    for key in data:
        if key not in _KEYS:
            raise TableError("unknown-key", key=key, nearest=closest(key, _KEYS))
    for key in ("id", "base", "rules"):
        if key not in data:
            raise TableError("missing-key", key=key)
    if not isinstance(data["id"], str) or not _NAME.match(data["id"]) or data["id"] in known["all"]:
        raise TableError("bad-id", key="id")
    if "name" in data and not _is_text(data["name"]):
        raise TableError("bad-name", key="name")
    variant, options = _base(known, data["base"])
    changes = _changes(data["rules"])
    refuse_faults(known, variant, options, changes)
    name = data.get("name", dict.fromkeys(IN_PLACE, data["id"]))
    return {"name": name, "base": variant, "options": options, "changes": changes}


def _parsed(text: str) -> Any:
    """Return what a YAML text says; the reader of YAML is fetched by the browser when somebody brings a file."""
    from belot_spec.load.documents import parse_document

    try:
        return parse_document(Path("rules.yaml"), text).data
    except SpecError as error:
        raise TableError("no-yaml", line=error.problems[0].line, key=error.problems[0].key) from None


def _is_text(told: Any) -> bool:
    return (
        isinstance(told, dict)
        and {*IN_PLACE} <= set(told) <= {*LANGUAGES}
        and all(isinstance(one, str) and one for one in told.values())
    )


def _base(known: Json, base: Any) -> tuple[str, list[str]]:
    named = ProfileName(str(base))
    if named.variant not in known["variants"]:
        near = closest(named.variant, known["variants"])
        raise TableError("no-variant", key="base", name=named.variant, nearest=near)
    return named.variant, list(named.options)


def _changes(rules: Any) -> Json:
    if not isinstance(rules, dict) or not rules:
        raise TableError("no-rules", key="rules")
    for rule, told in rules.items():
        if not isinstance(told, dict) or "value" not in told:
            raise TableError("no-value", key=f"rules.{rule}")
        for key in told:
            if key not in ("value", "note"):
                raise TableError("unknown-key", key=f"rules.{rule}.{key}", nearest=closest(key, ("value", "note")))
        if not isinstance(told.get("note", ""), str):
            raise TableError("bad-note", key=f"rules.{rule}.note")
    return {rule: told["value"] for rule, told in rules.items()}


def refuse_faults(known: Json, variant: str, options: list[str], changes: Json) -> None:
    """Raise ``TableError`` for the first thing that is wrong with a table's rules."""
    if variant not in known["variants"]:
        raise TableError("no-variant", key="base", name=variant, nearest=closest(variant, known["variants"]))
    told = known["variants"][variant]
    _refuse_options(told["options"], options, variant)
    for rule, value in changes.items():
        if rule not in known["needs"]:
            raise TableError("no-rule", key=rule, nearest=closest(rule, known["needs"]))
        _refuse_value(known, rule, value)
    plain = {**told["settings"], **{rule: value for name in options for rule, value in told["options"][name].items()}}
    _refuse_what_cannot_be(known, plain, changes)


def _refuse_options(known: Mapping[str, Json], options: list[str], variant: str) -> None:
    chosen: Json = {}
    for name in options:
        if name not in known:
            raise TableError("no-option", key="base", name=name, variant=variant, nearest=closest(name, known))
        for rule, value in known[name].items():
            by, before = chosen.get(rule, (name, value))
            if before != value or options.count(name) > 1:
                raise TableError("two-options", key="base", one=by, other=name, rule=rule)
            chosen[rule] = (name, value)


def _refuse_value(known: Json, rule: str, value: Any) -> None:
    schema, shared = known["values"][rule], known["shared"]
    if fits(value, schema, shared):
        return
    names = [str(one) for one in listed(schema, shared)]
    parts = value if isinstance(value, list) else [value]
    strange = next((str(part) for part in parts if str(part) not in names), str(value))
    limits = [schema.get("minimum"), schema.get("maximum")] if schema.get("type") == "integer" else None
    raise TableError(
        "bad-value", key=rule, value=value, part=strange, listed=names, limits=limits, nearest=closest(strange, names)
    )


def _refuse_what_cannot_be(known: Json, plain: Json, changes: Json) -> None:
    """Refuse rules that do not matter here or are missing, and values by which nobody could play."""
    settings = {rule: Setting(value, "house", (), None) for rule, value in {**plain, **changes}.items()}
    rules = bare_rules(known)
    active, missing = settled(settings, rules)
    for rule in missing:
        raise TableError("needs-too", rule=rule)
    for rule in changes:
        if rule not in active:
            raise TableError("idle", key=rule, needs=list(rules[rule].needs))
    for found in contradictions(active):
        raise TableError("unplayable", rules=list(found.rules), message=found.message)


def checked(known: Json, question: Json) -> Json:
    """Return the table of a file's ``text``, or of what a page put together, or the ``fault`` that it has."""
    try:
        if "text" in question:
            return read_file(known, question["text"])
        refuse_faults(known, question["base"], question["options"], question["changes"])
    except TableError as error:
        return {"fault": error.fault}
    return {}
