"""Random house rules: they can be played, the right program passes by them, and wrong ones fail."""

from pathlib import Path
from random import Random

import pytest

from belot_reference.compile import compile_profile
from belot_spec.spec import Spec
from laboratory.bars import try_tables
from laboratory.lot import FEWEST, MOST, random_table


@pytest.mark.parametrize("seed", range(12))
def test_random_house_rules_differ_from_their_base_and_can_be_played(spec: Spec, tmp_path: Path, seed: int) -> None:
    table = random_table(spec, tmp_path / "drawn.yaml", Random(seed))
    base = spec.profile(table.base)
    assert FEWEST <= len(table.values) <= MOST
    assert all(base.settings[rule].value != value for rule, value in table.values.items() if rule in base.settings)
    assert compile_profile(table.profile).hand_size


def test_the_same_lot_draws_the_same_house_rules(spec: Spec, tmp_path: Path) -> None:
    one, other = (random_table(spec, tmp_path / f"{name}.yaml", Random(7)) for name in ("one", "other"))
    assert (one.base, one.values) == (other.base, other.values)


@pytest.mark.long
@pytest.mark.usefixtures("searching_less")
@pytest.mark.parametrize("seed", [1])
def test_at_a_table_nobody_has_seen_the_right_program_passes_and_wrong_ones_fail(tmp_path: Path, seed: int) -> None:
    (tried,) = try_tables(tmp_path, 1, 12, seed)
    assert tried.right_passes
    assert tried.caught + len(tried.missed) == 12
    assert tried.missed == []
