"""Every rule value is changed in every way that its schema suggests; which case notices, and what needs no case."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from belot_conformance.contrast.probe import Rival, proved_alike
from belot_conformance.mistakes import killing, mutations
from belot_conformance.mistakes.killing import KeptAnswers, Noticed
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import differences
from belot_reference.compile import is_for_people
from belot_reference.operations import answer
from belot_spec.errors import BelotError, UnplayableError
from belot_spec.files import canonical
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import listed_values

PROFILES = mutations.profiles_to_mutate(default_spec())


@pytest.fixture(scope="module")
def mutants(spec: Spec) -> dict[str, Sequence[mutations.Mutant]]:
    return {profile: mutations.mutants_of(profile, spec) for profile in PROFILES}


def test_every_variant_and_option_has_mutants(mutants: dict[str, Sequence[mutations.Mutant]], spec: Spec) -> None:
    assert {*PROFILES} == {
        name for one in spec.playable() for name in (one, *(f"{one}+{option}" for option in spec.options_of(one)))
    }
    assert all(mutants.values())
    ids = [mutant.id for group in mutants.values() for mutant in group]
    assert len(ids) == len(set(ids)) > 3000
    for profile in PROFILES:
        variant, _, option = profile.partition("+")
        if option:
            said = spec.options_of(variant)[option].settings.keys()
            assert {mutant.rule for mutant in mutants[profile]} <= said
    for profile in PROFILES[::9]:
        own = spec.profile(profile).settings
        for mutant in mutants[profile]:
            played = mutations.compile_mutant(mutant, spec.profile(profile), spec).profile.settings
            changed = {rule for rule in own.keys() & played.keys() if played[rule].value != own[rule].value}
            assert mutant.rule in changed
            assert changed <= mutant.values.keys()
            assert all(spec.rules[rule].allows(value) for rule, value in mutant.values.items())


def test_every_common_mistake_is_a_mutant_somewhere(mutants: dict[str, Sequence[mutations.Mutant]], spec: Spec) -> None:
    made = [mutant.values for group in mutants.values() for mutant in group]
    assert [name for name, mistake in mutations.load_mistakes().items() if dict(mistake.values) not in made] == []


SQUARES = {"7": 0, "8": 0, "9": 150, "10": 100, "J": 200, "Q": 100, "K": 100, "A": 100}


@pytest.mark.parametrize(("profile", "rule", "value", "alike"), [
    # Four queens and four kings are worth as much; which stand higher is settled by the top card all the same.
    ("belote", "declarations.square-classes", [["Q", "K"], ["10"], ["A"], ["9"], ["J"]], True),
    ("belote", "declarations.square-classes", [["Q"], ["K"], ["10"], ["A"], ["J"], ["9"]], False),
    ("belote", "declarations.compared-by", ["square-first", "class", "top-card", "points", "trump"], True),
    ("belote", "declarations.compared-by", ["square-first", "class", "trump", "top-card"], False),
    ("belote", "declarations.compared-by", ["square-first", "top-card", "class", "trump"], False),
    # Eight in a row wins the match, so it is compared with nothing; without that it beats seven.
    ("bela-4+length-counts", "declarations.sequence-classes", [[3], [4], [5], [6], [7, 8]], True),
    ("belote", "declarations.sequence-classes", [[3], [4], [5], [6], [7, 8]], False),
    ("belote", "scoring.contract-counts", ["belote", "declarations", "cards"], True),
    ("belote", "scoring.contract-counts", ["cards", "declarations"], False),
    # In contrée nobody declares anything but belote.
    ("contree", "scoring.fall-passes", ["cards", "belote"], True),
    ("contree", "scoring.fall-passes", ["cards", "declarations"], False),
    ("denderbelot-3", "deck.removed-cards", ["7C", "7S"], True),
    ("denderbelot-3", "deck.removed-cards", ["7C", "7H"], False),
    # Two sevens are out of this deck, so nobody holds four.
    ("denderbelot-3", "declarations.square-points", {**SQUARES, "7": 100}, True),
    ("denderbelot-3", "declarations.square-points", {**SQUARES, "8": 100}, False),
    # Where a number is bid, one bid is higher by that alone; elsewhere by what is bid.
    ("coinche", "bidding.modes", [["S"], ["H", "D", "C", "N", "A"]], True),
    ("coinche", "bidding.modes", [["S", "H", "D", "C", "N"]], False),
    ("bulgarian-belot", "bidding.modes", [["S"], ["H"], ["D"], ["C"], ["N"], ["A"]], False),
    ("belote", "presentation.direction", "clockwise", True),
    # Nobody needs a search to see this, yet nothing else is claimed to be a proof.
    ("bela-2", "deal.cutter", "eldest", False),
])  # fmt: skip
def test_other_values_that_play_the_same_game_are_proved_to(
    profile: str, rule: str, value: Any, alike: bool, spec: Spec, reference: Reference
) -> None:
    rules, mutant = reference.ruleset(profile), mutations.Mutant(ProfileName(profile), rule, value, "")
    assert rules.value(rule) != value
    assert bool(proved_alike(rules, mutations.rival_of(mutant, rules.profile, spec), spec)) is alike


@pytest.mark.parametrize(
    ("variant", "alike"), [("belotten", True), ("denderbelot-3", False), ("bulgarian-belot", False)]
)
def test_to_need_half_is_to_keep_ones_own_at_a_tie(variant: str, alike: bool, spec: Spec) -> None:
    # Not where each of two opponents is beaten alone, nor where one side takes a doubled deal.
    own = spec.profile(variant)
    half, tie = (
        mutations.compile_changed(own, {rule: value}, spec)
        for rule, value in (("scoring.contract-needs", "at-least-half"), ("scoring.tie", "each-keeps-own"))
    )
    assert bool(proved_alike(half, Rival.of(half, tie), spec)) is alike


def test_a_ladder_changed_along_with_something_else_is_not_proved_by_tricks(spec: Spec, reference: Reference) -> None:
    also = {"scoring.last-trick": 11}
    mutant = mutations.Mutant(ProfileName("belote"), "play.lead", ["led_suit", "any"], "", also)
    rules = reference.ruleset("belote")
    assert proved_alike(rules, mutations.rival_of(mutant, rules.profile, spec), spec) == 0


def test_the_engine_reads_every_rule_but_those_for_people(cases: list[Case], reference: Reference, spec: Spec) -> None:
    """A verdict rests on it: another value of a rule that is never read cannot be noticed."""
    answers = (reference.answer(case.operation, case.profile, case.input) for case in cases)
    consulted = {rule for one in answers for rule in one.rests_on}
    assert consulted == {rule for rule in spec.rules if not is_for_people(rule)}


def test_the_engine_tells_each_value_that_a_rule_lists_from_every_other(cases: list[Case], spec: Spec) -> None:
    """By the cases that each fails, or how, or because no variant that plays the one can play the other alone."""
    asked = {case.id: case for case in cases}
    rows = {
        (one.mutant.rule, one.mutant.profile, canonical(one.mutant.value)): one
        for one in killing.load_matrix().rows.values()
    }
    profiles = [spec.profile(name) for name in PROFILES]

    def killers(rule: str, profile: Profile, value: Any) -> frozenset[str]:
        row = rows.get((rule, profile.id, canonical(value)))
        return frozenset() if row is None else row.killed_by

    def can_play(rule: str, profile: Profile, pair: Sequence[Any]) -> bool:
        with suppress(UnplayableError):
            return any(mutations.compile_changed(profile, {rule: value}, spec) for value in pair)
        return False

    def failed_otherwise(rule: str, profile: Profile, pair: Sequence[Any]) -> bool:
        killed = [asked[one] for one in killers(rule, profile, pair[0]) if asked[one].profile == profile.id]
        both = [] if not killed else [mutations.compile_changed(profile, {rule: value}, spec) for value in pair]
        return any(len({str(answer(one.operation, rules, one.input)) for rules in both}) > 1 for one in killed)

    for rule in spec.rules.values():
        playing = [profile for profile in profiles if rule.id in profile.settings and not is_for_people(rule.id)]
        for pair in combinations(listed_values(rule.value_schema) if playing else (), 2):
            if any(killers(rule.id, profile, pair[0]) != killers(rule.id, profile, pair[1]) for profile in playing):
                continue
            if any(failed_otherwise(rule.id, profile, pair) for profile in playing):
                continue
            one_of = [profile for profile in playing if profile.value(rule.id) in pair]
            assert one_of, (rule.id, pair)
            for profile in one_of:
                others = [value for value in pair if canonical(value) != canonical(profile.value(rule.id))]
                assert not can_play(rule.id, profile, others), (rule.id, pair, profile.id)


HEADING = mutations.Mutant(ProfileName("bela-4"), "play.follow.unruffed", ["led_suit"], "")


@pytest.fixture(scope="module")
def suite(cases: list[Case], reference: Reference) -> killing.Suite:
    return killing.suite_for("bela-4", killing.hand_written(cases), reference)


def test_a_row_is_what_asking_every_case_of_the_suite_says(suite: killing.Suite, spec: Spec) -> None:
    mutants = Random(6).sample(mutations.mutants_of("bela-4", spec), 4)
    for mutant in [HEADING, *mutants]:
        killed = set()
        for planned in suite.planned:
            asked = suite.reference.ruleset(planned.profile).profile
            if any(
                asked.settings[rule].value != suite.reference.ruleset("bela-4").value(rule) for rule in mutant.values
            ):
                continue
            case = planned.case
            try:
                found = answer(case.operation, mutations.compile_mutant(mutant, asked, spec), case.input)
            except BelotError:
                killed.add(case.id)
                continue
            kind, value = next(iter(found.message().items()))
            if differences(case.operation, case.expected, Reply(case.id, kind, value)):  # type: ignore[arg-type]
                killed.add(case.id)
        assert killing.run_mutant(mutant, suite, spec, KeptAnswers.none()).killed_by == killed


def test_only_hand_written_cases_kill_and_thin_places_are_named(cases: list[Case]) -> None:
    hand = {case.id for case in cases if case.origin in ("source-example", "by-hand")}
    assert all(row.killed_by <= hand for row in killing.load_matrix().rows.values())
    tie = mutations.Mutant(ProfileName("bela-4"), "scoring.tie", "x", "")
    rows = [killing.Row(HEADING, 2, frozenset({"bc-0001"})), killing.Row(tie, 2, frozenset({"bc-0001", "bc-0002"}))]
    thin = killing.thin_places(rows, ["bc-0001", "bc-0002", "bc-0003"])
    assert thin.single == [("bela-4", "play.follow.unruffed", "bc-0001")]
    assert (thin.idle, thin.never_alone) == (["bc-0003"], ["bc-0002", "bc-0003"])


def test_a_rerun_asks_nothing(
    suite: killing.Suite, spec: Spec, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BELOT_CACHE", str(tmp_path))
    kept = KeptAnswers.load("one")
    first = killing.run_mutant(HEADING, suite, spec, kept)
    kept.save()
    monkeypatch.setattr(killing, "_ask", lambda *_: pytest.fail("asked again"))
    assert killing.run_mutant(HEADING, suite, spec, KeptAnswers.load("one")) == first
    assert first.asked > len(first.killed_by) > 3


def test_a_changed_case_is_asked_again(suite: killing.Suite, spec: Spec, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = KeptAnswers.none()
    row = killing.run_mutant(HEADING, suite, spec, kept)
    victim = next(iter(row.killed_by))
    changed = [
        replace(one, case=replace(one.case, input={**one.case.input}))
        if one.case.id != victim
        else replace(one, case=replace(one.case, expected=()))
        for one in suite.planned
    ]
    asked: list[str] = []
    monkeypatch.setattr(killing, "_ask", lambda case, _: asked.append(case.id) or Noticed(True, frozenset()))  # type: ignore[func-returns-value]
    killing.run_mutant(HEADING, replace(suite, planned=changed), spec, kept)
    assert asked == [victim]


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = [
        killing.Row(HEADING, 3, frozenset({"bc-0001", "bc-0002"})),
        killing.Row(
            mutations.Mutant(ProfileName("belote"), "scoring.tie", "taker-falls", "c", {"scoring.last-trick": 0}),
            2,
            frozenset(),
        ),
    ]
    path = tmp_path / "matrix.jsonl"
    killing.write_matrix(rows, path)
    kept = killing.load_matrix(path)
    assert list(kept.rows.values()) == rows
    assert killing.changed_rows(rows, kept) == []
    assert killing.changed_rows([killing.Row(HEADING, 3, frozenset({"bc-0001"}))], kept) != []
    assert len({json.loads(line)["profile"] for line in path.read_text(encoding="utf-8").splitlines()}) == 2
