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

from belot_conformance.mistakes.mutations import compile_changed, other_values
from belot_reference.compile import Reading, Ruleset, compile_profile, is_for_people
from belot_reference.errors import UnknownValueError
from belot_reference.simulated import PLAYERS
from belot_spec.errors import UnplayableError
from belot_spec.json_schema import listed
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile
from belot_spec.value_shapes import ValueShape, listed_values
from laboratory.lot import random_table
from process_testing import NEEDS_FAST, Lazily

pytestmark = NEEDS_FAST
compiled, layout = Lazily("belot_kernel.compiled"), Lazily("belot_kernel.layout")
equality = Lazily("laboratory.kernel_bar")
SPEC = default_spec()
RULES = [rule for rule in SPEC.rules if not is_for_people(rule)]
NAMED = (ValueShape.CHOICE, ValueShape.CHOICE_OR_NUMBER, ValueShape.NAMES, ValueShape.LADDER)
SEED = 20261123
# By each of the two players, at least. Of 100 misreadings of a listed value by the kernel, 50 at each variant notice
# 91, and 25 notice 83.
DEALS_OF_EACH = 50
DEALS_OF_ONE = 100
# Rules of which the kernel knows only some values: no variant plays another.
LEFT_TO_THE_ENGINE = frozenset((
    *("bidding.raises", "bidding.last-bidder", "bidding.double-turn", "declarations.belote.side"),
    *("declarations.no-trump-squares", "match.after-all-tricks", "match.both-over", "match.by-belote"),
    *("deal.turn-up", "declarations.played", "match.ends", "match.ending-deal", "match.equal-totals", "match.last-deal-written", "scoring.bid-tie", "scoring.capot-beside"),
    *("scoring.fall-worth", "scoring.no-trump-bid", "scoring.no-trump-rounded", "scoring.raised-capot"),
    *("scoring.all-tricks.side", "scoring.contract-written", "scoring.raised-rounded", "scoring.raised-side"),
    *("scoring.rounding", "scoring.scaled", "scoring.tens", "scoring.trickless-side"),
))  # fmt: skip
OTHERS = 6  # values of a rule whose values cannot be listed
TABLES = 24


@cache
def profiles() -> list[Profile]:
    return [SPEC.profile(variant) for variant in SPEC.playable()]


def some_others(rule: str) -> list[Any]:
    """Some of the values that its schema suggests and does not list, with each name that may stand in a list."""
    profile = next((profile for profile in profiles() if rule in profile.settings), None)
    if profile is None:
        return []
    known = listed_values(SPEC.rules[rule].value_schema)
    others = [value for value in other_values(SPEC.rules[rule], profile, SPEC) if value not in known]
    named = {name: value for value in others if isinstance(value, list) for name in value if isinstance(name, str)}
    some = others[:: max(1, -(-len(others) // OTHERS))]
    return [*some, *(value for name, value in named.items() if not any(name in one for one in some))]


def tables_with(rule: str, value: Any) -> list[Ruleset]:
    """The rules of all variants that can be played with a value of a rule: what tells in one does not in another."""
    found = []
    for profile in profiles():
        if rule in profile.settings:
            with suppress(UnplayableError):
                found.append(compile_changed(profile, {rule: value}, SPEC))
    return found


def of_others_alone(rule: str, value: Any) -> bool:
    for name in sorted({*SPEC.nameable()} - {*SPEC.playable()}):
        other = SPEC.profile(name)
        if rule in other.settings:
            with suppress(UnplayableError):
                compile_changed(other, {rule: value}, SPEC)
                return True
    return False


def assert_played_alike(rules: Ruleset, deals: int, what: object) -> None:
    """Hold the kernel against the engine; it has no room for more rounds of bidding than it can keep.

    Some values that no variant plays it does not know, and names their rule.
    """
    if why_not := layout.not_for_kernel(rules):
        assert why_not.startswith("it has room for") or why_not.partition(":")[0] in LEFT_TO_THE_ENGINE, (what, why_not)
        return
    for player in PLAYERS:
        assert equality.differing_deals(rules, player, SEED, deals)[1] == [], (rules.profile.id, what)


@pytest.mark.parametrize("rule", RULES)
def test_every_listed_value_is_played_by_the_kernel_as_the_engine_plays_it(rule: str) -> None:
    for value in listed_values(SPEC.rules[rule].value_schema):
        tables = tables_with(rule, value)
        assert tables or of_others_alone(rule, value), f"no variant can be played with {value}"
        for rules in tables:
            # The variants as they are stand in test_kernel.py, once.
            if value != SPEC.profile(rules.profile.id).value(rule):
                assert_played_alike(rules, DEALS_OF_EACH, (rule, value))


@pytest.mark.parametrize("rule", RULES)
def test_other_values_are_played_by_the_kernel_as_the_engine_plays_them(rule: str) -> None:
    if not (others := some_others(rule)):
        pytest.skip("all its values are listed")
    tried = [(tables, value) for value in others if (tables := tables_with(rule, value))]
    assert tried, "no variant can be played with another value"
    for place, (tables, value) in enumerate(tried):
        assert_played_alike(tables[place % len(tables)], DEALS_OF_ONE, (rule, value))


@pytest.mark.parametrize("number", range(TABLES))
def test_values_drawn_together_are_played_by_the_kernel_as_the_engine_plays_them(number: int, tmp_path: Path) -> None:
    table = random_table(SPEC, tmp_path / f"lot-{number}.yaml", Random(f"{SEED} {number}"))
    assert_played_alike(compile_profile(table.profile), DEALS_OF_ONE, table.values)


def test_cards_rounded_before_a_double_are_played_by_the_kernel_as_the_engine_plays_them() -> None:
    """Where doubled takers write a fixed sum, a round one, nothing tells what is rounded first."""
    own = dict.fromkeys(("scoring.raised-sum", "scoring.raised-defence"), "own-points")
    rules = compile_changed(SPEC.profile("contree"), {"scoring.tens": "cards-half-up", **own}, SPEC)
    assert_played_alike(rules, DEALS_OF_ONE, own)


def test_all_tricks_beside_a_fixed_sum_are_played_by_the_kernel_as_the_engine_plays_them() -> None:
    """With four cards a hand a side often wins every trick: of 1000 deals by each player seven do in a doubled one."""
    small = [f"{rank}{suit}" for rank in ("7", "8", "9", "10") for suit in "SHDC"]
    values = {"scoring.raised-sum": "fixed-and-all-tricks", "deal.packets-before-bidding": [4]}
    rules = compile_changed(SPEC.profile("contree"), {"deck.removed-cards": small, **values}, SPEC)
    assert_played_alike(rules, 1000, values)


class Watched(Reading):
    """A ruleset that knows which rules the tables read by themselves, and not by asking the engine."""

    def value(self, rule: str) -> Any:
        self._note_caller(rule)
        return super().value(rule)

    def value_or(self, rule: str, default: Any) -> Any:
        self._note_caller(rule)
        return super().value_or(rule, default)

    def _note_caller(self, rule: str) -> None:
        if sys._getframe(2).f_globals["__name__"].startswith("belot_kernel"):
            self.__dict__.setdefault("by_tables", set()).add(rule)


def made_up(rules: Ruleset) -> Iterator[tuple[str, Ruleset]]:
    """Yield the rules with a name or a number that the engine has learnt and the kernel has not, rule by rule."""
    for rule, setting in rules.profile.settings.items():
        shape, names = SPEC.rules[rule].shape, listed(SPEC.rules[rule].value_schema, {})
        if is_for_people(rule) or shape not in NAMED or not any(isinstance(name, str) for name in names):
            continue
        for value in ["made-up"] if shape is ValueShape.CHOICE_OR_NUMBER else ["made-up", 7001]:
            other = [*setting.value[:-1], value] if isinstance(setting.value, list) else value
            settings = {**rules.profile.settings, rule: replace(setting, value=other)}
            yield rule, replace(rules, profile=replace(rules.profile, settings=settings))


@pytest.mark.parametrize("variant", SPEC.playable())
def test_a_value_that_the_kernel_does_not_know_is_left_to_the_engine_by_name(variant: str) -> None:
    """A table that reads a rule knows its values by name; whatever else there is it asks the engine, which does."""
    refused, rules = [], compile_profile(SPEC.profile(variant))
    if (why := layout.not_for_kernel(rules)) is not None:
        assert "the kernel does not know the value" in why
        return
    for rule, other in made_up(rules):
        watched = Watched(other)
        # The engine was not taught the value after all, and may go wrong in any way where it is asked.
        with suppress(Exception):
            compiled.tables_of(watched)
        if rule in watched.__dict__.get("by_tables", ()):
            refused.append(rule)
            with pytest.raises(
                UnknownValueError, match=rf"{rule}: the (kernel|engine) does not know the value \[?(made-up|7001)"
            ):
                compiled.tables_of(Watched(other))
            assert str(layout.not_for_kernel(other)).startswith(f"{rule}: ")
    assert len(refused) > 24, refused
