"""What one round of questions found is kept in the next, and what fits equally is told apart in as few as there can be."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.identify.budget import IdentifyBudget, clock
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.further import Further, FurtherQuestion
from belot_conformance.identify.hypothesis import Changes, Scorer, State
from belot_conformance.identify.identification import Identification, RuleFinding
from belot_conformance.identify.search import Pairs
from belot_conformance.programs.reference import put
from belot_conformance.questions.stream import random_questions
from belot_reference.compile import Ruleset, compile_profile
from belot_spec.shipped import default_spec
from belot_spec.spec import Profile

SPEC = default_spec()
ASKED = SPEC.profile("bela-4")
HOUSE = {"match.target-reached": "exceed", "match.surplus": "recorded"}


def played(values: dict[str, Any]) -> Profile:
    return ASKED.with_values("house", values, SPEC.rules)


def answered(values: dict[str, Any], deals: int, seed: int, *wanted: str) -> list[Observation]:
    """What a program says that plays some values, to questions drawn from the game as it is asked for."""
    rules, found = compile_profile(played(values)), []
    for number, (operation, question) in enumerate(
        random_questions(compile_profile(ASKED), deals, seed, frozenset(wanted))
    ):
        [(kind, value)] = put(operation, rules, question).message().items()
        found.append(Observation(f"{seed}-{number}", operation, question, kind, value))
    return found


def test_numbers_that_fit_equally_are_nearly_all_told_apart_in_one_round_and_all_in_two() -> None:
    found = Identification(answered({"match.target": 1009}, 2, 1, "match"), SPEC).around([ASKED])
    others = (1010, 1011, 1012, 1013, 1014, 1016)
    finding = RuleFinding("match.target", 1001, 1009, (), 0, (0,), None, others)
    settled = replace(found, findings=[finding], bases=[ASKED], played=[played({"match.target": 1009})])
    targets = [compile_profile(played({"match.target": target})) for target in (1009, *others)]
    first, second = ([*Further(settled.played[0], SPEC, lot).telling(settled)] for lot in (1, 2))
    assert kinds_of_answers(targets, first) >= len(targets) - 1
    assert kinds_of_answers(targets, [*first, *second]) == len(targets)
    assert max(len(first), len(second)) <= 4 * len(others)


def kinds_of_answers(rules: Sequence[Ruleset], asked: Sequence[FurtherQuestion]) -> int:
    return len({str([put(one.operation, own, one.input).message() for one in asked]) for own in rules})


def test_a_number_is_told_from_the_next_by_a_question_with_just_that_number() -> None:
    """Of the questions drawn at random hardly one cuts off so few cards."""
    few = IdentifyBudget(draws=4, other_deals=0)
    asked = Scorer([ASKED], [], SPEC, {})
    state = asked.state({})
    assert state is not None
    drawn = [*Further(ASKED, SPEC, 0, operations=frozenset({"deal"}), budget=few).near(asked, state)]
    rules = (compile_profile(played({"deal.cut-minimum": least})) for least in (1, 2))
    told = [str([put(one.operation, each, one.input).message() for one in drawn]) for each in rules]
    assert len(set(told)) == len(told)


def test_what_small_questions_say_nothing_about_stays_found() -> None:
    """However little patience is left for it in the next round."""
    seen = answered(HOUSE, 18, 1, "score-deal", "legal-cards", "match")
    first = Identification(seen, SPEC)
    assert {one.rule: one.value for one in first.around([ASKED]).findings} == HOUSE
    more = [*seen, *answered(HOUSE, 12, 2, "score-deal", "match")]
    found = Identification(more, SPEC, first, budget=IdentifyBudget(patience=1)).onwards(is_named=True)
    assert {one.rule: one.value for one in found.findings} == HOUSE


def test_a_number_that_new_answers_contradict_gives_way_though_the_time_is_over() -> None:
    seen = answered({"match.target": 1009}, 2, 1, "match", "legal-cards")
    every = Identification(seen, SPEC)
    every.around([ASKED])
    scorer = every.last[0]
    guessed = scorer.state({scorer.slot(0, "match.target"): 951})
    assert guessed is not None
    assert guessed.wrong
    right = [one for index, one in enumerate(scorer.observations) if index not in guessed.wrong]
    first = Identification(right, SPEC)
    first.around([ASKED])
    scorer = first.last[0]
    guessed = scorer.state({scorer.slot(0, "match.target"): 951})
    assert guessed is not None
    assert not guessed.wrong
    first.last = scorer, guessed
    over = IdentifyBudget(seconds=60, ends_at=clock())
    assert over.is_over
    found = Identification(seen, SPEC, first, budget=over).onwards(is_named=True)
    assert {one.rule for one in found.findings} == {"match.target"}
    assert not found.wrong
    assert found.is_cut


def test_single_rules_are_found_in_all_answers_before_two_at_once_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What no rules explain in small questions would else take the time that matches need."""
    seen = answered({"match.target": 1009}, 4, 1, "match", "trick-winner")
    small = [one for one in seen if one.operation == "trick-winner"]
    faulty = {one.id: replace(one, value={"winner": 3 - one.value["winner"]}) for one in small[::5]}
    assert len(small) >= IdentifyBudget().enough
    assert len(faulty) >= 3
    found: list[set[str]] = []
    escaped = Pairs.escaped

    def noted(pairs: Pairs, state: State) -> State | None:
        found.append({rule for rule, _ in state.changes})
        return escaped(pairs, state)

    monkeypatch.setattr(Pairs, "escaped", noted)
    Identification([faulty.get(one.id, one) for one in seen], SPEC).around([ASKED])
    assert found
    assert all("match.target" in rules for rules in found)


def test_a_field_that_no_rules_explained_is_compared_again_last_in_the_next_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = answered({"scoring.last-trick": 20}, 12, 1, "score-deal")
    seen = [replace(one, value={**one.value, "held": 7 + number % 3}) for number, one in enumerate(right)]
    first = Identification(seen, SPEC)
    first.around([ASKED])
    assert first.broken == {"score-deal": {"held"}}
    compared: list[bool] = []
    searched = Identification._searched_once

    def noted(identification: Identification, scorer: Scorer, changes: Changes | None) -> Any:
        compared.append(not any(scorer.ignored.get(name) for name in first.broken))
        return searched(identification, scorer, changes)

    monkeypatch.setattr(Identification, "_searched_once", noted)
    again = Identification(seen, SPEC, first)
    again.onwards(is_named=True)
    assert (compared[0], compared[-1]) == (False, True)
    assert again.broken == first.broken


def test_further_questions_are_about_what_seldom_happens() -> None:
    """Of deals as they are played few have anybody look back, and no two sequences just as high meet in every length."""
    drawn = [*Further(SPEC.profile("bela-2"), SPEC, 0).some_of_each()]
    assert sum(any("look" in action for action in one.input.get("actions", ())) for one in drawn) >= 4
    met = {frozenset(lengths) for one in drawn if len(lengths := _of_equal_sequences(one)) > 1}
    assert len(met) >= 4


def test_declarations_meet_in_hands_where_nobody_can_be_told_what_is_announced() -> None:
    profile = SPEC.profile("belote")
    rules = compile_profile(profile)
    [told, held] = (
        {one.name: one for one in Further(profile, SPEC, 0, operations=frozenset({name})).meetings()}
        for name in ("compare-declarations", "compare-hands")
    )
    assert len(held) > 0.9 * len(told)
    sizes = [{*map(len, one.input["hands"])} for one in held.values()]
    assert all(len(size) == 1 for size in sizes)
    assert sum(size == {rules.hand_size} for size in sizes) > 0.9 * len(sizes)
    for name, one in held.items():
        came, wanted = (put(each.operation, rules, each.input).message()["result"] for each in (one, told[name]))
        assert (came["winner"], came["points"]) == (wanted["winner"], wanted["points"]), name


def _of_equal_sequences(one: FurtherQuestion) -> list[int]:
    """Return the lengths of the sequences that are compared, if all have the same highest card."""
    if one.operation != "compare-declarations":
        return []
    made = [cards for seat in one.input["announced"] for cards in seat]
    if any(len({card[-1] for card in cards}) > 1 for cards in made) or len({cards[-1][:-1] for cards in made}) != 1:
        return []
    return [len(cards) for cards in made]
