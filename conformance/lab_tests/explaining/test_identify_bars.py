"""A sample of the bars that belot identify has to reach."""

from belot_conformance.mistakes.mutations import mutants_of
from belot_spec.spec import Spec
from belot_workshop.identifying.bars import Trial, trials, try_all


def test_a_sample_of_wrong_and_faulty_programs_is_told_as_it_is() -> None:
    chosen = trials({"mutants": 2, "overlays": 0, "faulty": 1, "right": 0}, seed=70)
    tried = list(try_all(chosen, jobs=1))
    assert {one.bar for one in tried} == {"mutants", "faulty"}
    assert [one.told for one in tried if not all(one.good.values())] == []


def test_one_value_is_found_though_another_explains_the_small_questions_as_well(spec: Spec) -> None:
    """Two answers to small questions are wrong, and a value that is tried before makes them right, but no whole deal."""
    swapped = [["Q"], ["K"], ["10"], ["9"], ["A"], ["J"]]
    [mutant] = [one for one in mutants_of("bela-2", spec) if one.values == {"declarations.square-classes": swapped}]
    [tried] = try_all([Trial("mutants", mutant.id, mutant, mutant.profile)], jobs=1)
    assert all(tried.good.values()), tried.told
