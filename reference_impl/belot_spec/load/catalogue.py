"""The rule catalogue read from the topic files, and what is wrong in them."""

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError
from pathlib import Path
from typing import Any, Final

import yaml

from belot_spec.card_names import RANKS
from belot_spec.catalogue import (
    Alternative,
    Condition,
    Rule,
    RunOfItems,
    Setting,
    ShortWords,
    Text,
    Wording,
    condition_of,
    same_text,
    text_of,
    value_key,
)
from belot_spec.data import schema
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.files import read_json
from belot_spec.json_schema import KNOWN, Schemas, fits, unknown_words, whole
from belot_spec.languages import FALLBACK, IN_PLACE, TONGUES
from belot_spec.load.register import basis_problems
from belot_spec.load.schemas import explain_by, explain_schema, valid_documents
from belot_spec.register import Ruling, Source, expand_statements
from belot_spec.value_shapes import enumerated_values
from belot_spec.variants import needs_of

_COMMA: Final = same_text(", ")


_PLACEHOLDER: Final = re.compile(r"\{[a-z]+\}")
# Where the shapes stand that values share: in every topic, and in those of one.
_FILE: Final = "values.schema.json"
_SHARED, _OWN = f"{_FILE}#/$defs/", "#/shapes/"


def load_catalogue(folder: Path, sources: Mapping[str, Source], rulings: Mapping[str, Ruling]) -> dict[str, Rule]:
    """Load every topic file of ``spec/rules``; raise ``SpecError`` with all that is wrong in them."""
    shared, rules = _shared_shapes(folder), dict[str, Rule]()
    homes: dict[str, Document] = {}
    problems: list[Problem] = []
    for document in valid_documents(folder, "rules", problems):
        topic = document.path.stem
        if document.data["topic"] != topic:
            message = f"a topic file is named after its topic: {topic}.yaml holds the topic {topic}"
            problems.append(document.problem(("topic",), message))
            continue
        shapes = {**shared, **document.data.get("shapes", {})}
        for rule in _rules_of(document, shapes):
            problems += _rule_problems(rule, document, homes, shapes)
            if rule.default is not None:
                at = ("rules", rule.id, "default")
                problems += basis_problems(document, at, document.data["rules"][rule.id]["default"], sources, rulings)
            rules[rule.id] = rule
            homes[rule.id] = document
    if not rules and not problems:
        problems.append(Problem(folder, 1, "", "there is no rule catalogue here"))
    if not problems:
        problems += _condition_problems(rules, homes)
    if not problems:
        problems += _circle_problems(rules, homes)
    refuse(problems)
    return rules


def _shared_shapes(folder: Path) -> Schemas:
    """Return the shapes of the schemas beside a catalogue, which may be an older one, or those that ship."""
    own = folder.parent / "schema" / _FILE
    shapes: Schemas = (read_json(own) if own.is_file() else schema("values"))["$defs"]
    return shapes


def _rules_of(document: Document, shapes: Schemas) -> Iterator[Rule]:
    for rule_id, data in document.data["rules"].items():
        short = data.get("short", {})
        yield Rule(
            id=rule_id,
            topic=document.data["topic"],
            title=text_of(data["title"]),
            question=text_of(data["question"]),
            value_schema=whole(data["value"], shapes),
            needs=condition_of(data.get("needs", {})),
            default=setting_of(data["default"]) if "default" in data else None,
            short=ShortWords(_texts(short.get("values", {})), _text(short, "text")),
            wording=_wording(data["wording"], document.data),
        )


def setting_of(item: Mapping[str, Any], of_option: bool = False) -> Setting:
    """Return a value with what it rests on, as a file states it."""
    cited, against = (expand_statements(item.get(key, ())) for key in ("cite", "against"))
    return Setting(item["value"], item["status"], cited, item.get("ruling"), of_option, against)


def value_problems(document: Document, at: KeyPath, rule: Rule, value: Any) -> Iterator[Problem]:
    """Yield a problem for each way in which a value does not fit its rule's schema."""
    if not rule.allows(value):
        for path, message in explain_by(value, rule.value_schema):
            yield document.problem((*at, *path), message)


def _wording(words: Mapping[str, Any], topic: Mapping[str, Any]) -> Wording:
    """Return the wording of a rule, with the words that its topic shares where it has none of its own."""
    run = words.get("run")
    return Wording(
        values=_texts(words.get("values", {})),
        text=_text(words, "text"),
        empty=_text(words, "empty"),
        alternatives=tuple(map(_alternative, words.get("alternatives", ()))),
        items=_texts({**topic.get("items", {}), **words.get("items", {})}),
        separator=_text(words, "separator") or _text(topic, "separator") or _COMMA,
        separators=_texts({**topic.get("separators", {}), **words.get("separators", {})}),
        entry=_text(words, "entry"),
        nothing=_text(words, "nothing"),
        run=RunOfItems(run["last"], text_of(run["to"]), text_of(run["up"])) if run else None,
        alike=_text(words, "alike"),
        repeated=_text(words, "repeated"),
        leave_out={item: condition_of(when) for item, when in words.get("leave-out", {}).items()},
    )


def _alternative(words: Mapping[str, Any]) -> Alternative:
    when = condition_of(words["when"])
    return Alternative(when, _texts(words.get("values", {})), _text(words, "text"), _text(words, "empty"))


def _text(words: Mapping[str, Any], key: str) -> Text | None:
    return text_of(words[key]) if key in words else None


def _texts(words: Mapping[str, Mapping[str, str]]) -> dict[str, Text]:
    return {key: text_of(text) for key, text in words.items()}


def _rule_problems(rule: Rule, document: Document, homes: Mapping[str, Document], shapes: Schemas) -> Iterator[Problem]:
    at = ("rules", rule.id)
    if rule.id in homes:
        first = homes[rule.id]
        yield document.problem(at, f"this rule is already in {first.path.name}, on line {first.line(at)}")
        return
    if not rule.id.startswith(f"{rule.topic}."):
        yield document.problem(at, f"the id of a rule of the topic {rule.topic} starts with {rule.topic}.")
    unusable = list(_schema_problems(rule, document, (*at, "value"), shapes))
    if rule.default is not None and not unusable:
        yield from value_problems(document, (*at, "default", "value"), rule, rule.default.value)
    yield from unusable or (*_wording_problems(rule, document, (*at, "wording")), *_short_problems(rule, document, at))


def _schema_problems(rule: Rule, document: Document, at: KeyPath, shapes: Schemas) -> Iterator[Problem]:
    """Check that the schema of a rule's values is a JSON Schema, and that it refers only to shapes that exist."""
    wrong = explain_schema(rule.value_schema)
    for path, message in wrong:
        yield document.problem((*at, *path), f"this is not a JSON Schema: {message}")
    for word in dict.fromkeys(() if wrong else unknown_words(rule.value_schema)):
        yield document.problem(at, f"what {word} asks of a value is not understood{nearest(word, KNOWN)}")
    if not wrong:
        yield from _pattern_problems(rule.value_schema, document, at)
        yield from _reference_problems(document.data["rules"][rule.id]["value"], document, at, shapes)


def _pattern_problems(part: Any, document: Document, at: KeyPath) -> Iterator[Problem]:
    for path, pattern in _strings_under("pattern", part, at):
        try:
            re.compile(pattern)
        except re.error as error:
            yield document.problem(path, f"this is not a regular expression: {error.msg}")


def _reference_problems(part: Any, document: Document, at: KeyPath, shapes: Schemas) -> Iterator[Problem]:
    for path, reference in _strings_under("$ref", part, at):
        name = reference.removeprefix(_SHARED).removeprefix(_OWN)
        if name == reference:
            yield document.problem(path, f"a rule's schema refers only to {_SHARED}<shape> and {_OWN}<shape>")
        elif name not in shapes:
            yield document.problem(path, f"there is no shape {name}{nearest(name, shapes)}")


def _strings_under(keyword: str, part: Any, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield each text that stands under a keyword, at any depth of a schema."""
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inner:
        if key == keyword and isinstance(value, str):
            yield (*at, key), value
        yield from _strings_under(keyword, value, (*at, key))


def _wording_problems(rule: Rule, document: Document, at: KeyPath) -> Iterator[Problem]:
    """Check that every value has words, and that there are no words for what cannot be a value."""
    values = [value_key(value) for value in enumerated_values(rule.value_schema)]
    words = rule.wording
    data = document.data["rules"][rule.id]["wording"]
    if words.text is None:
        for key in values:
            if key not in words.values:
                yield document.problem(at, f"the value {key} has no wording; add it under values, or a text for all")
    if not values and (words.text is None or not all("{value}" in text for text in words.text.as_json().values())):
        yield document.problem(at, "the values cannot all be listed, so a text with {value} in it is needed")
    items = _enumerated_items(rule.value_schema)
    for item in items:
        if item not in words.items and item not in RANKS:
            yield document.problem(at, f"the list item {item} has no wording; add it under items")
    sets = [("values",), *(("alternatives", index, "values") for index in range(len(words.alternatives)))]
    for where, worded in zip(sets, (words.values, *(one.values for one in words.alternatives)), strict=True):
        for key in worded:
            if not _may_be(rule, key):
                yield document.problem((*at, *where, key), f"the rule cannot have this value{nearest(key, values)}")
    for field in ("items", "separators", "leave-out"):
        for key in data.get(field, {}):
            if not _may_hold(rule, key):
                yield document.problem((*at, field, key), f"the value cannot hold this item{nearest(key, items)}")
    yield from _placeholder_problems(data, document, at)


def _short_problems(rule: Rule, document: Document, at: KeyPath) -> Iterator[Problem]:
    """Check that there are no short words for what cannot be a value; ``check_short_words`` looks for missing ones."""
    for key in rule.short.values:
        if not _may_be(rule, key):
            hint = nearest(key, map(value_key, enumerated_values(rule.value_schema)))
            yield document.problem((*at, "short", "values", key), f"the rule cannot have this value{hint}")
    for language, text in () if rule.short.text is None else rule.short.text.as_json().items():
        if "{value}" not in text:
            message = "the short words for every other number need {value} in them"
            yield document.problem((*at, "short", "text", language), message)


def _placeholder_problems(part: Any, document: Document, at: KeyPath) -> Iterator[Problem]:
    """Check that what is filled in is filled in in every language."""
    if not isinstance(part, dict):
        return
    if part.keys() >= {*IN_PLACE}:
        english = sorted(_PLACEHOLDER.findall(part[FALLBACK]))
        for language, text in part.items():
            if (own := sorted(_PLACEHOLDER.findall(text))) != english:
                named = [" ".join(found) or "nothing" for found in (english, own)]
                names = [TONGUES[one].english for one in (FALLBACK, language)]
                place = (*at, language) if TONGUES[language].beside else at
                yield document.problem(place, f"{names[0]} fills in {named[0]} here, {names[1]} {named[1]}")
        return
    for key, inner in part.items():
        listed = enumerate(inner) if isinstance(inner, list) else ((None, inner),)
        for index, one in listed:
            yield from _placeholder_problems(one, document, (*at, key) if index is None else (*at, key, index))


def _may_be(rule: Rule, key: str) -> bool:
    """Say whether a rule may have the value that has this key in its wording."""
    return any(rule.allows(candidate) for candidate in values_of_key(key))


def _may_hold(rule: Rule, key: str) -> bool:
    """Say whether a rule's value may be a list with this item, at any depth, or a table with this entry."""
    items = (one for item in values_of_key(key) for one in (item, [item]))
    return any(_can_hold(rule, one) for one in (*items, {key: 0}, {key: 1}))


def _can_hold(rule: Rule, wanted: Any) -> bool:
    """Say whether a rule's value can be what is wanted, a list with it among its items, or a table with its entries."""
    if rule.allows(wanted):
        return True
    asked = rule.value_schema
    if asked.get("type") == "array":
        items = asked.get("items", True)
        return fits(wanted, items, {}) or fits([wanted], items, {})
    return asked.get("type") == "object" and fits(wanted, {**asked, "required": ()}, {})


def _conditions_of(rule: Rule) -> Iterator[tuple[KeyPath, Condition]]:
    """Yield each condition of a rule with the place where it stands: where it matters, and where words apply."""
    yield ("needs",), rule.needs
    for index, alternative in enumerate(rule.wording.alternatives):
        yield ("wording", "alternatives", index, "when"), alternative.when
    for item, condition in rule.wording.leave_out.items():
        yield ("wording", "leave-out", item), condition


def _condition_problems(rules: Mapping[str, Rule], homes: Mapping[str, Document]) -> Iterator[Problem]:
    """Check that the rules on which others or their words depend exist, and can have the values asked of them."""
    for rule in rules.values():
        for place, condition in _conditions_of(rule):
            for needed, wanted in condition.items():
                at = ("rules", rule.id, *place, needed)
                if needed not in rules:
                    yield homes[rule.id].problem(at, f"there is no rule {needed}{nearest(needed, rules)}")
                    continue
                value_schema = rules[needed].value_schema
                possible = [*enumerated_values(value_schema), *_enumerated_items(value_schema)]
                for value in wanted:
                    if not _can_hold(rules[needed], value):
                        hint = nearest(value_key(value), map(value_key, possible))
                        yield homes[rule.id].problem(at, f"{needed} never is {value_key(value)}{hint}")


def _circle_problems(rules: Mapping[str, Rule], homes: Mapping[str, Document]) -> Iterator[Problem]:
    """Check that no rule needs itself, be it through others: nobody could say then whether it matters."""
    try:
        needs_of(rules)
    except CycleError as error:
        first, *others = reversed(error.args[1])
        way = " → ".join((first, *others))
        yield homes[first].problem(("rules", first, "needs"), f"a circle of rules that need each other: {way}")


def _enumerated_items(value_schema: Mapping[str, Any]) -> tuple[str, ...]:
    items = value_schema.get("items", {})
    return tuple(str(item) for item in items.get("enum", ())) if isinstance(items, dict) else ()


# The keys of wordings: a value as it stands in a file, and the values that such a text may stand for.
_AS_TEXT: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def values_of_key(key: str) -> Iterator[Any]:
    """Yield the values that a key may stand for: ``10`` is a number or a rank, ``[10]`` a list of either."""
    if key[:1] in ("[", "{"):
        names = _inside(key)
        yield names
        yield _counted(names)
        return
    yield key
    if key.isdecimal():
        yield int(key)
    if key in ("true", "false"):
        yield key == "true"


def _inside(key: str) -> Any:
    """Return a list or a table that a key shows, every item as a text; nothing if it shows none."""
    try:
        return yaml.load(key, _AS_TEXT)
    except yaml.YAMLError:
        return None


def _counted(part: Any) -> Any:
    """Return a list or a table with the items that are figures as numbers, at any depth."""
    if isinstance(part, list):
        return list(map(_counted, part))
    if isinstance(part, dict):
        return {key: _counted(inner) for key, inner in part.items()}
    return int(part) if isinstance(part, str) and part.isdecimal() else part
