"""A mutant is called equivalent only with a reason that is listed and a check that proves it."""

from pathlib import Path

import pytest

from belot_conformance.contrast.probe import Budget, Probe, Rival, answered, is_duty, tricks_played_alike
from belot_conformance.mistakes.killing import Row
from belot_conformance.mistakes.mutations import Mutant, compile_mutant, rival_of
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operation import Question
from belot_conformance.questions.stream import random_questions
from belot_spec.errors import SpecError
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from belot_workshop.mutants.judging import entry_for, idle_entries, judge_rows, load_equivalents

pytestmark = pytest.mark.usefixtures("proving_less")

OPPONENT_RUFFED = "play.void.opponent-ruffed"


def ladder(value: list[str], rule: str = OPPONENT_RUFFED, profile: str = "belote") -> Mutant:
    return Mutant(ProfileName(profile), rule, value, "")


@pytest.mark.parametrize(("mutant", "alike"), [
    (ladder(["higher_of_led_suit", "higher_trump", "trump", "any"]), True),
    (ladder(["led_suit", "higher_trump", "trump", "any"]), True),
    (ladder(["higher_trump", "any"]), False),
    (ladder(["trump", "any"]), False),
    (ladder(["higher_of_led_suit", "trump", "any"], "play.trump-led.opponent-winning"), True),
    (ladder(["higher_trump", "trump", "any"], "play.void.opponent-winning"), True),
    (ladder(["trump", "any"], "play.lead"), False),
    (ladder(["any"], "play.follow.ruffed"), False),
])  # fmt: skip
def test_ladders_are_compared_over_all_tricks(mutant: Mutant, alike: bool, spec: Spec, reference: Reference) -> None:
    assert is_duty(mutant.values, spec)
    rules = reference.ruleset(mutant.profile)
    trials = tricks_played_alike(rules, compile_mutant(mutant, rules.profile, spec))
    assert (trials > 2000) is alike


def test_a_search_finds_where_a_mutant_differs_and_shows_a_small_question(spec: Spec, reference: Reference) -> None:
    rules = reference.ruleset("belote")
    probe = Probe(answered(rules, Budget(deals=20).questions(rules)))
    rival = rival_of(Mutant(ProfileName("belote"), "scoring.last-trick", 11, ""), rules.profile, spec)
    found = probe.smallest(rival)
    assert found is not None
    smallest, came = found
    telling = [one for one, _ in probe.telling(rival)]
    assert len(telling) > 100
    assert probe.first(rival) == telling[0]
    alike = [len(str(one.input)) for one in telling if one.operation == smallest.operation]
    assert len(str(smallest.input)) <= min(alike)
    assert smallest.answer != came.message()
    clockwise = Mutant(ProfileName("belote"), "presentation.direction", "clockwise", "")
    assert probe.smallest(rival_of(clockwise, rules.profile, spec)) is None
    assert Rival.of(rules, rules).values == {}
    other = Rival.of(rules, reference.ruleset("belote+no-undertrump"))
    assert other.values.keys() == {"play.void.opponent-ruffed"}
    # No more questions are drawn than are needed, and none twice; the same seed draws the same.
    drawn = list[Question]()
    source = random_questions(rules, 20, 1)
    lazy = Probe(answered(rules, (drawn.append(one) or one for one in source)))  # type: ignore[func-returns-value]
    first = lazy.first(rival)
    assert first is not None
    assert lazy.first(rival) is first
    assert drawn[-1] == Question(first.operation, first.input)
    once, again, others = (list(random_questions(rules, 3, seed)) for seed in (1, 1, 2))
    assert once == again != others


@pytest.mark.parametrize(("mutant", "fate"), [
    (Mutant(ProfileName("belote"), "scoring.contract-counts", ["declarations", "cards", "belote"], ""), "equivalent"),
    (Mutant(ProfileName("belote"), "presentation.direction", "clockwise", ""), "equivalent"),
    (ladder(["led_suit", "higher_trump", "trump", "any"]), "equivalent"),
    # Listed for the rule, but the check finds hands that are played otherwise.
    (ladder(["any"]), "survived"),
    # Plays the same game, but nobody has said why.
    (Mutant(ProfileName("belote"), "scoring.contract-counts", ["belote", "declarations", "cards"], ""), "survived"),
    (Mutant(ProfileName("belote"), "scoring.last-trick", 11, ""), "survived"),
])  # fmt: skip
def test_only_what_is_listed_and_proved_is_equivalent(mutant: Mutant, fate: str) -> None:
    [judged] = judge_rows([Row(mutant, 5, frozenset())])
    assert judged.fate == fate
    assert judged.proof is not None
    [killed] = judge_rows([Row(mutant, 5, frozenset({"bc-0001"}))])
    assert (killed.fate, killed.proof) == ("killed", None)


LIST = """\
equivalents:
  - rules: [scoring.contract-counts]
    values: [[declarations, cards, belote], [cards, belote, declarations]]
    check: search
    reason: {en: A sum., nl: Een som.}
"""


def test_an_entry_that_no_survivor_needs_is_a_problem(tmp_path: Path, spec: Spec) -> None:
    path = tmp_path / "equivalents.yaml"
    path.write_text(LIST, encoding="utf-8")
    entries = load_equivalents(path)
    swapped = Mutant(ProfileName("belote"), "scoring.contract-counts", ["declarations", "cards", "belote"], "")
    assert entry_for(swapped, entries) == entries[0]
    [problem] = idle_entries(entries, [swapped], spec, path)
    assert str(problem).endswith('no mutant with the value ["cards","belote","declarations"] survives; leave it out')
    [idle] = idle_entries(entries, [], spec, path)
    assert "no surviving mutant is of scoring.contract-counts" in str(idle)


@pytest.mark.parametrize(("wrong", "right", "message"), [
    ("check: search", "check: serch", "did you mean search?"),
    ("    values: [[declarations, cards, belote], [cards, belote, declarations]]\n", "", "values is missing"),
    ("reason: {en: A sum., nl: Een som.}", "reason: {en: A sum.}", "nl is missing"),
    ("rules: [scoring", "rule: [scoring", "did you mean rules?"),
])  # fmt: skip
def test_a_faulty_list_is_refused_with_the_reason(tmp_path: Path, wrong: str, right: str, message: str) -> None:
    path = tmp_path / "equivalents.yaml"
    path.write_text(LIST.replace(wrong, right), encoding="utf-8")
    with pytest.raises(SpecError, match=message.replace("?", r"\?")):
        load_equivalents(path)
