"""Every value of the catalogue, and some drawn together, is played by the kernel as the engine plays it, or refused."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.diagnosis.mutations import compile_changed, other_values
from belot_reference.compile import Reading, Ruleset, compile_profile
from belot_reference.known_values import KNOWN_VALUES, UnknownValueError
from belot_spec.card_names import CARD_NAMES, RANKS
from belot_spec.catalogue import enumerated_values
from belot_spec.errors import UnplayableError
from belot_spec.spec import default_spec
from belot_workshop.impact.players import PLAYERS
from belot_workshop.tables.random_tables import random_table

pytest.importorskip("numpy", reason="the extra [fast] is not installed")
pytest.importorskip("numba", reason="the extra [fast] is not installed")

from belot_reference.batch.compiled import tables_of
from belot_reference.batch.layout import not_for_kernel
from belot_workshop.impact.equality import differing_deals

SPEC = default_spec()
SEED = 20261123
DEALS = 100  # by each of the two players
OTHERS = 6  # values of a rule whose values cannot be listed
TABLES = 24


def values_of(rule: str) -> list[Any]:
    """Every value of a rule that can be listed; of others some that its schema suggests."""
    schema = SPEC.rules[rule].value_schema
    listed = [value for part in (schema, *schema.get("oneOf", ())) for value in enumerated_values(part)]
    for variant in SPEC.playable():
        profile = SPEC.profile(variant)
        if rule in profile.settings and profile.settings[rule].value not in (True, False):
            rest = [value for value in other_values(SPEC.rules[rule], profile, SPEC) if value not in listed]
            return [*listed, *rest[:: max(1, -(-len(rest) // OTHERS))]]
    return listed


@cache
def played_by(rule: str, place: int) -> Ruleset | None:
    """The rules of the first variant that can be played with a value of a rule."""
    for variant in SPEC.playable():
        profile = SPEC.profile(variant)
        if rule in profile.settings:
            with suppress(UnplayableError):
                return compile_changed(profile, {rule: values_of(rule)[place]}, SPEC)
    return None


@pytest.mark.parametrize("rule", [rule for rule in SPEC.rules if rule in KNOWN_VALUES])
def test_every_value_is_played_by_the_kernel_as_the_engine_plays_it(rule: str) -> None:
    found = [rules for place in range(len(values_of(rule))) if (rules := played_by(rule, place)) is not None]
    assert found, "no variant can be played with any value of this rule"
    for rules in found:
        if not_for_kernel(rules) is None:
            for player in PLAYERS:
                assert differing_deals(rules, player, SEED, DEALS)[1] == [], rules.value(rule)


def test_few_values_are_left_to_the_engine() -> None:
    left = [
        (rule, rules.value(rule))
        for rule in KNOWN_VALUES
        for place in range(len(values_of(rule)))
        if (rules := played_by(rule, place)) is not None and not_for_kernel(rules) is not None
    ]
    assert {rule for rule, _ in left} <= {"bidding.rounds"}


@pytest.mark.parametrize("number", range(TABLES))
def test_values_drawn_together_are_played_by_the_kernel_as_the_engine_plays_them(number: int, tmp_path: Path) -> None:
    table = random_table(SPEC, tmp_path, f"lot-{number}", Random(f"{SEED} {number}"))
    rules = compile_profile(table.profile)
    if not_for_kernel(rules) is None:
        for player in PLAYERS:
            assert differing_deals(rules, player, SEED, DEALS)[1] == [], table.values


class Watched(Reading):
    """A ruleset that knows which rules the tables read by themselves, and not by asking the engine."""

    def value(self, rule: str) -> Any:
        self._note_caller(rule)
        return super().value(rule)

    def value_or(self, rule: str, default: Any) -> Any:
        self._note_caller(rule)
        return super().value_or(rule, default)

    def _note_caller(self, rule: str) -> None:
        if sys._getframe(2).f_globals["__name__"].startswith("belot_reference.batch"):
            self.__dict__.setdefault("by_tables", set()).add(rule)


def made_up(rules: Ruleset) -> Iterator[tuple[str, Ruleset]]:
    """Yield the rules with a name or a number that the engine has learnt and the kernel has not, rule by rule."""
    for rule, setting in rules.profile.settings.items():
        known = KNOWN_VALUES.get(rule, ())
        listed = known[0] if isinstance(known, list) else known
        if listed in (CARD_NAMES, RANKS) or not any(isinstance(one, str) for one in listed):
            continue
        for value in ["made-up"] if int in listed else ["made-up", 7001]:
            other = [*setting.value[:-1], value] if isinstance(known, list) else value
            settings = {**rules.profile.settings, rule: replace(setting, value=other)}
            yield rule, replace(rules, profile=replace(rules.profile, settings=settings))


@pytest.mark.parametrize("variant", SPEC.playable())
def test_a_value_that_the_kernel_does_not_know_is_left_to_the_engine_by_name(variant: str) -> None:
    """A table that reads a rule knows its values by name; whatever else there is it asks the engine, which does."""
    refused = []
    for rule, other in made_up(compile_profile(SPEC.profile(variant))):
        watched = Watched(other)
        # The engine was not taught the value after all, and may go wrong in any way where it is asked.
        with suppress(Exception):
            tables_of(watched)
        if rule in watched.__dict__.get("by_tables", ()):
            refused.append(rule)
            with pytest.raises(
                UnknownValueError, match=f"{rule}: the (kernel|engine) does not know the value (made-up|7001)"
            ):
                tables_of(Watched(other))
            assert str(not_for_kernel(other)).startswith(f"{rule}: ")
    assert len(refused) > 24, refused
