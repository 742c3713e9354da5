"""Whatever comes in at any door, a command ends in a known way, with few words and nothing left behind."""

import os
import sys

import pytest

from hostile.__main__ import DOORS, try_door

# `make hostile` takes ten minutes; here it is a sample, longer where nobody waits.
SECONDS = 14 if os.environ.get("CI") else 7


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="what is left running is looked for under Linux only")
@pytest.mark.parametrize("door", DOORS)
def test_nothing_that_comes_in_at_a_door_breaks_a_command(door: str) -> None:
    tried, broken = try_door(door, SECONDS / len(DOORS), seed=int(os.environ.get("HOSTILE_SEED", "1")))
    assert tried
    assert not broken, "\n".join(f"{number}: {reason}" for number, reason in broken.items())
