"""A table's own rules in the browser: what the loader of overlay files takes is taken, and what it refuses is refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from belot_site.content.edition import site_words
from belot_site.content.library import Library
from belot_site.playground.engine import ruleset_of
from belot_spec.data import schema
from belot_spec.errors import BelotError
from belot_spec.json_schema import KNOWN, fits
from belot_spec.shipped import open_profile
from belot_spec.value_shapes import enumerated_values
from site_testing import engine

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.0, 2.5, 10_000, "", "any", "anny", "10", [], ["any"], ["any", "any"], ["trump", "any"],
    ["7S"], ["7X"], [[3]], [["A"], ["A"]], [1, 2], [9], {}, {"3": 20}, {"9": 20}, {"A": "x"},
)  # fmt: skip
FAULTY = {
    "[": "no-yaml",
    "a: 1\na: 2": "no-yaml",
    "- a": "no-mapping",
    "id: t\nbase: belotten\nruls: {}": "unknown-key",
    "id: t\nbase: belotten": "missing-key",
    "id: belote\nbase: belotten\nrules: {match.target: {value: 1}}": "bad-id",
    "id: t\nname: x\nbase: belotten\nrules: {match.target: {value: 1}}": "bad-name",
    "id: t\nbase: belotten\nrules: {match.target: {value: 51, note: 1}}": "bad-note",
    "id: t\nbase: belotten\nrules: {}": "no-rules",
    "id: t\nbase: belotten\nrules: {match.target: 51}": "no-value",
    "id: t\nbase: beloten\nrules: {match.target: {value: 51}}": "no-variant",
    "id: t\nbase: belotten+halfpoints\nrules: {match.target: {value: 51}}": "no-option",
    "id: t\nbase: belotten+half-points+half-points\nrules: {match.target: {value: 51}}": "two-options",
    "id: t\nbase: belotten\nrules: {match.targt: {value: 51}}": "no-rule",
    "id: t\nbase: belotten\nrules: {match.target: {value: many}}": "bad-value",
    "id: t\nbase: belotten\nrules: {play.void.opponent-ruffed: {value: [higher_trumps, any]}}": "bad-value",
    "id: t\nbase: belotten\nrules: {deal.packets-after-bidding: {value: [3, 3]}}": "unplayable",
    "id: t\nbase: belotten\nrules: {deal.turn-up: {value: none}}": "needs-too",
    "id: t\nbase: bela-4\nrules: {deal.seven-exchange: {value: when-turned-suit-taken}}": "idle",
}


def checked(question: dict[str, Any]) -> dict[str, Any]:
    return dict(engine("table", question))


def taken(library: Library, text: str, folder: Path) -> Any:
    """Return the profile that the loader makes of a file, or None if it refuses it."""
    path = folder / "table.yaml"
    path.write_text(text, encoding="utf-8")
    try:
        return open_profile(str(path), library.spec)
    except BelotError:
        return None


def words_of(part: Any) -> Iterator[str]:
    """Yield the words of a schema at any depth, but not the names of keys that it speaks of."""
    if isinstance(part, dict):
        for word, inner in part.items():
            yield word
            named = word in ("properties", "patternProperties", "$defs", "dependentRequired", "dependentSchemas")
            for one in inner.values() if named else inner if isinstance(inner, list) else [inner]:
                yield from words_of(one)


def test_the_catalogue_uses_no_word_of_schemas_that_the_browser_does_not_know(rules: dict[str, Any]) -> None:
    used = {word for part in (*rules["values"].values(), *rules["shared"].values()) for word in words_of(part)}
    assert used <= KNOWN


def test_a_value_fits_in_the_browser_exactly_if_it_fits_its_rule(rules: dict[str, Any], library: Library) -> None:
    shared = schema("values")["$defs"]
    every = [value for rule in library.spec.rules.values() for value in enumerated_values(rule.value_schema)]
    every += [setting.value for name in library.variants for setting in library.profile(name).settings.values()]
    values = {json.dumps(value): value for value in (*every, *STRANGE)}.values()
    for rule in library.spec.rules.values():
        wrong = [one for one in values if fits(one, rule.value_schema, shared) != rule.allows(one)]
        assert wrong == [], rule.id


def test_each_fault_is_told_by_its_kind_and_the_loader_refuses_it_too(
    rules: dict[str, Any], library: Library, tmp_path: Path
) -> None:
    for text, kind in FAULTY.items():
        assert checked({"text": text})["fault"]["kind"] == kind
        assert f"try-fault-{kind}" in site_words()
        assert taken(library, text, tmp_path) is None, text


def test_the_nearest_name_is_told(rules: dict[str, Any]) -> None:
    wrong = "id: t\nbase: belotten\nrules: {play.void.oponent-ruffed: {value: [any]}}"
    assert checked({"text": wrong})["fault"]["nearest"] == "play.void.opponent-ruffed"
    wrong = "id: t\nbase: belotten\nrules: {play.void.opponent-ruffed: {value: [higher_trumps, any]}}"
    fault = checked({"text": wrong})["fault"]
    assert (fault["part"], fault["nearest"]) == ("higher_trumps", "higher_trump")


def drawn(rules: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a table with a few values by lot, most of them possible by themselves."""
    base = random.choice(sorted(rules["variants"]))
    options = random.sample(sorted(rules["variants"][base]["options"]), random.choice((0, 0, 0, 1, 2)))
    changes = {}
    for rule in random.sample(sorted(rules["values"]), random.randint(1, 3)):
        played = [one["settings"][rule] for one in rules["variants"].values() if rule in one["settings"]]
        changes[rule] = random.choice([*played, *played, random.choice(STRANGE)])
    return {"base": base, "options": options, "changes": changes}


def test_tables_by_lot_are_taken_and_refused_as_the_loader_does(
    rules: dict[str, Any], library: Library, tmp_path: Path
) -> None:
    random, refused = Random(19), 0
    for _ in range(150):
        table = drawn(rules, random)
        rules = {rule: {"value": value} for rule, value in table["changes"].items()}
        text = json.dumps({"id": "t", "base": "+".join([table["base"], *table["options"]]), "rules": rules})
        profile, found = taken(library, text, tmp_path), checked({"text": text})
        assert ("fault" in found) == (profile is None), (text, found)
        assert ("fault" in checked(table)) == (profile is None)
        refused += profile is None
        if profile is not None:
            own = ruleset_of("+".join([table["base"], *table["options"]]), json.dumps(table["changes"])).profile
            assert {rule: one.value for rule, one in own.settings.items()} == {
                rule: one.value for rule, one in profile.settings.items()
            }
    assert 20 < refused < 130
