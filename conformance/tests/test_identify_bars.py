"""A sample of the bars that belot identify has to reach."""

from belot_workshop.identifying.bars import trials, try_all


def test_a_sample_of_wrong_and_faulty_programs_is_told_as_it_is() -> None:
    chosen = trials({"mutants": 2, "overlays": 0, "faulty": 1, "right": 0}, seed=46)
    tried = list(try_all(chosen, jobs=1))
    assert {one.bar for one in tried} == {"mutants", "faulty"}
    assert [one.told for one in tried if not all(one.good.values())] == []
