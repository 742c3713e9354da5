"""Every rule value is changed in every way that its schema suggests."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from belot_conformance.mistakes.mutations import (
    Mutant,
    _first_values,
    changed_profile,
    compile_mutant,
    load_mistakes,
    mutants_of,
    profiles_to_mutate,
)
from belot_conformance.programs.protocol import Reply, ReplyKind
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import differences
from belot_reference.compile import Ruleset, compile_profile
from belot_reference.operations import answer
from belot_spec.errors import BelotError, UnplayableError
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec, profile_of
from belot_spec.value_shapes import WRONG_ORDER, WRONG_UNIT, enumerated_values
from belot_spec.variants import Setting, ancestry
from belot_workshop.mutants.judging import entry_for, load_equivalents

PROFILES = profiles_to_mutate(default_spec())


@pytest.fixture(scope="module")
def mutants(spec: Spec) -> dict[str, Sequence[Mutant]]:
    return {profile: mutants_of(profile, spec) for profile in PROFILES}


def values(mutants: Sequence[Mutant], rule: str) -> list[Any]:
    return [mutant.value for mutant in mutants if mutant.rule == rule and not mutant.also]


def test_every_variant_and_every_option_has_mutants(mutants: dict[str, Sequence[Mutant]], spec: Spec) -> None:
    assert set(PROFILES) >= set(spec.playable())
    assert len(PROFILES) == len(spec.playable()) + sum(len(spec.options_of(one)) for one in spec.playable())
    assert [profile for profile in PROFILES if not mutants[profile]] == []


def test_mutants_have_distinct_ids(mutants: dict[str, Sequence[Mutant]]) -> None:
    ids = [mutant.id for group in mutants.values() for mutant in group]
    assert len(ids) == len(set(ids)) > 3000


@pytest.mark.parametrize("profile", PROFILES)
def test_a_mutant_plays_other_values_than_its_profile_and_only_those_it_names(
    profile: str, mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    own = spec.profile(profile).settings
    for mutant in mutants[profile]:
        played = compile_mutant(mutant, spec.profile(profile), spec).profile.settings
        changed = {rule for rule in own.keys() & played.keys() if played[rule].value != own[rule].value}
        assert mutant.rule in changed
        assert changed <= mutant.values.keys()
        assert all(spec.rules[rule].allows(value) for rule, value in mutant.values.items())


@pytest.mark.parametrize("profile", default_spec().playable())
def test_each_order_of_cards_is_taken_for_each_other(
    profile: str, mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    own = spec.profile(profile).settings
    orders = [rule for rule in ("deck.trump-order", "deck.plain-order", "deck.sequence-order") if rule in own]
    for rule in orders:
        played = {mutant.change: mutant.value for mutant in mutants[profile] if mutant.rule == rule}
        for other in orders:
            if other != rule:
                assert played[f"{WRONG_ORDER}: {other}"] == own[other].value


def test_squares_are_ranked_in_each_order_of_cards(mutants: dict[str, Sequence[Mutant]]) -> None:
    ranked = {one.change: one.value for one in mutants["bela-4"] if one.rule == "declarations.square-classes"}
    assert ranked[f"{WRONG_ORDER}: deck.sequence-order"] == [["9"], ["10"], ["J"], ["Q"], ["K"], ["A"]]
    # The order of trump is the order in which Bela ranks them, so it is no other value.
    assert f"{WRONG_ORDER}: deck.trump-order" not in ranked


@pytest.mark.parametrize(
    ("profile", "rule", "tenfold", "in_tens"),
    [
        ("belotten", "match.target", 1000, 10),
        ("bela-4", "scoring.last-trick", 100, 1),
        ("denderbelot-3", "scoring.trickless-player", 500, 5),
        ("belote", "declarations.belote.points", 200, 2),
    ],
)
def test_points_are_given_in_the_wrong_unit(
    profile: str, rule: str, tenfold: int, in_tens: int, mutants: dict[str, Sequence[Mutant]]
) -> None:
    played = {mutant.value: mutant.change for mutant in mutants[profile] if mutant.rule == rule}
    assert played[tenfold] == f"{WRONG_UNIT}: tenfold"
    assert played[in_tens] == f"{WRONG_UNIT}: in tens"


def test_a_whole_table_of_points_is_in_the_wrong_unit(mutants: dict[str, Sequence[Mutant]]) -> None:
    tables = {one.change: one.value for one in mutants["bela-4"] if one.rule == "declarations.sequence-points"}
    assert tables[f"{WRONG_UNIT}: in tens"] == {"3": 2, "4": 5, "5": 10, "6": 10, "7": 10, "8": 10}
    assert tables[f"{WRONG_UNIT}: tenfold"] == {"3": 200, "4": 500, "5": 1000, "6": 1000, "7": 1000, "8": 1000}


@pytest.mark.parametrize("profile", default_spec().playable())
def test_cases_by_hand_notice_every_wrong_order_and_unit(
    profile: str, mutants: dict[str, Sequence[Mutant]], cases: list[Case], reference: Reference, spec: Spec
) -> None:
    line, plain = ancestry(spec.variants[profile], spec.variants), compile_profile(spec.profile(profile))
    of_line = [case for case in cases if case.profile in {one.id for one in line} and case.origin != "derived"]
    # Of the variants that it extends those that hold in it as well.
    own = [case for case in of_line if _is_right(case, plain)]
    consulted = {case.id: reference.consulted(case.operation, profile, case.input) for case in own}
    alike = load_equivalents()
    for mutant in mutants[profile]:
        if mutant.change.startswith((WRONG_ORDER, WRONG_UNIT)) and entry_for(mutant, alike) is None:
            asked = [case for case in own if mutant.rule in consulted[case.id]]
            rules = compile_mutant(mutant, spec.profile(profile), spec)
            assert not all(_is_right(case, rules) for case in asked), (mutant.rule, mutant.change)


def _is_right(case: Case, rules: Ruleset) -> bool:
    try:
        found = answer(case.operation, rules, case.input)
    except BelotError:
        return False
    kind: ReplyKind = "result" if found.rejected is None else "rejected"
    return not differences(case.operation, case.expected, Reply(case.id, kind, found.result or found.rejected))


@pytest.mark.parametrize("profile", default_spec().playable())
def test_every_other_playable_value_of_an_enumeration_is_a_mutant(
    profile: str, mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    own = spec.profile(profile)
    for rule in (rule for rule in own.settings if rule in spec.rules):
        for value in enumerated_values(spec.rules[rule].value_schema):
            if value != own.settings[rule].value and _playable(Mutant(ProfileName(profile), rule, value, ""), spec):
                assert value in values(mutants[profile], rule), (rule, value)


def _playable(mutant: Mutant, spec: Spec) -> bool:
    try:
        compile_mutant(mutant, spec.profile(mutant.profile), spec)
    except UnplayableError:
        return False
    return True


@pytest.mark.parametrize("profile", default_spec().playable())
@pytest.mark.parametrize("rule", ["deck.trump-order", "deck.plain-order", "deck.sequence-order"])
def test_every_two_neighbours_of_a_rank_order_are_swapped(
    profile: str, rule: str, mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    order = spec.profile(profile).settings[rule].value
    found = values(mutants[profile], rule)
    for place, (one, other) in enumerate(pairwise(order)):
        assert [*order[:place], other, one, *order[place + 2 :]] in found


@pytest.mark.parametrize("profile", default_spec().playable())
def test_rungs_of_a_ladder_are_removed_swapped_and_added(
    profile: str, mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    ladder = spec.profile(profile).settings["play.trump-led.opponent-winning"].value
    found = values(mutants[profile], "play.trump-led.opponent-winning")
    assert ladder == ["higher_trump", "trump", "any"]
    for wanted in (["trump", "any"], ["higher_trump", "any"], ["trump", "higher_trump", "any"]):
        assert wanted in found
    for place in range(3):
        assert [*ladder[:place], "led_suit", *ladder[place:]] in found
    assert [*ladder, "led_suit"] not in found, "nobody gets past a rung that leaves a card in every hand"


@pytest.mark.parametrize("profile", default_spec().playable())
def test_every_number_moves_by_one_doubles_and_takes_its_neighbours_value(
    profile: str, mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    target = spec.profile(profile).settings["match.target"].value
    found = values(mutants[profile], "match.target")
    assert {target + 1, target - 1, target * 2} <= set(found)
    assert {spec.profile(one).settings["match.target"].value for one in spec.playable()} - {target} <= set(found)
    points = spec.profile(profile).settings["scoring.trump-points"].value
    changed = values(mutants[profile], "scoring.trump-points")
    for rank, number in points.items():
        for moved in {number + 1, number - 1, number * 2} - {number, -1}:
            mutant = Mutant(ProfileName(profile), "scoring.trump-points", {**points, rank: moved}, "")
            assert mutant.value in changed or not _playable(mutant, spec)


def test_packets_change_size_and_order(mutants: dict[str, Sequence[Mutant]]) -> None:
    assert [2, 3] in values(mutants["belote"], "deal.packets-before-bidding")
    assert [5] in values(mutants["belote"], "deal.packets-before-bidding")
    assert [4, 2] in values(mutants["bela-4"], "deal.packets-before-bidding")
    assert [1, 1] in values(mutants["bela-4"], "deal.packets-after-bidding")


def test_a_mutant_of_an_option_changes_what_the_option_says(mutants: dict[str, Sequence[Mutant]], spec: Spec) -> None:
    for profile in PROFILES:
        variant, _, option = profile.partition("+")
        if option:
            said = spec.options_of(variant)[option].settings.keys()
            assert {mutant.rule for mutant in mutants[profile]} <= said


def test_every_common_mistake_is_a_mutant_where_it_makes_a_difference(
    mutants: dict[str, Sequence[Mutant]], spec: Spec
) -> None:
    made = [mutant.values for group in mutants.values() for mutant in group]
    assert [name for name, mistake in load_mistakes().items() if dict(mistake.values) not in made] == []


def test_the_unchanged_profile_is_no_mutant_of_itself(mutants: dict[str, Sequence[Mutant]], spec: Spec) -> None:
    profile = spec.profile("bela-4")
    assert compile_profile(profile).profile.settings == profile.settings
    assert all(mutant.value != profile.settings[mutant.rule].value for mutant in mutants["bela-4"] if not mutant.also)


@pytest.mark.parametrize("name", ["belote", "bela-4"])
def test_what_is_compiled_like_other_rules_is_what_it_is_alone(name: str, spec: Spec) -> None:
    asked = spec.profile(name)
    like = compile_profile(asked)
    for mutant in mutants_of(name, spec):
        profile = changed_profile(asked, mutant.values, spec)
        alone, after = compile_profile(profile), compile_profile(profile, like)
        assert alone.sources == after.sources
        assert [getattr(alone, table) for table in alone.sources] == [getattr(after, table) for table in after.sources]
        assert alone.modes == after.modes
        like = after


@pytest.mark.parametrize("name", ["belote", "belotten"])
def test_a_profile_keeps_its_rules_only_where_the_same_ones_matter(name: str, spec: Spec) -> None:
    asked = spec.profile(name)
    kept = {mutant.id: asked.keeps_rules(mutant.values, spec.rules) for mutant in mutants_of(name, spec)}
    assert {True, False} == set(kept.values())
    for mutant in mutants_of(name, spec):
        # With a value for every rule, those are left that matter.
        settings = {rule: Setting(value, "house", (), None) for rule, value in _first_values(spec).items()}
        changed = {rule: Setting(value, "house", (), None) for rule, value in mutant.values.items()}
        whole = profile_of(name, asked.name, {**settings, **asked.settings, **changed}, spec.rules)
        assert kept[mutant.id] == (whole.settings.keys() == asked.settings.keys())
        made = changed_profile(asked, mutant.values, spec)
        assert [(rule, one.value) for rule, one in made.settings.items()] == [
            (rule, one.value) for rule, one in whole.settings.items()
        ]
