"""Whatever comes in at any door, a command ends in a known way, with few words and nothing left behind."""

import os
import sys

import pytest

from laboratory.hostile.__main__ import A_ROUND, DOORS, try_door

# `make hostile` takes ten minutes; here it is a sample, longer where nobody waits.
ROUNDS = 2 if os.environ.get("CI") else 1


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="what is left running is looked for under Linux only")
@pytest.mark.parametrize("door", DOORS)
def test_nothing_that_comes_in_at_a_door_breaks_a_command(door: str) -> None:
    broken = try_door(door, range(ROUNDS * A_ROUND[door]), seed=int(os.environ.get("HOSTILE_SEED", "1")))
    assert not broken, "\n".join(f"{number}: {reason}" for number, reason in broken.items())


def test_every_door_is_tried_in_a_round() -> None:
    assert list(A_ROUND) == list(DOORS)
