"""``make hostile``: try every door in rounds, each with another hostile thing every time, and say what was tried."""

import os
import sys
import traceback
from collections.abc import Iterable, Mapping
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

import click

from laboratory.hostile import doors, programs
from laboratory.hostile.judging import Misbehaved, attempt

DOORS = {**doors.DOORS, **programs.DOORS}
# The tries of one round: a process or a large file takes as long as many small things do.
A_ROUND: Final[Mapping[str, int]] = {
    "files": 1, "flags": 60, "overlays": 90, "reports": 70, "stdio": 3, "http": 2, "signals": 1,
}  # fmt: skip


@click.command()
@click.option("--rounds", type=int, default=80, show_default=True, help="How many; eighty take about ten minutes.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which things are tried.")
@click.option("--door", "chosen", type=click.Choice(list(DOORS)), multiple=True, help="Only this one; may be repeated.")
@click.option("--only", type=int, help="Only the try of this number.")
def main(rounds: int, seed: int, chosen: tuple[str, ...], only: int | None) -> None:
    """Try every door in every round; exits with 1 if anything that should hold did not."""
    names = chosen or tuple(DOORS)
    broken = 0
    for name in names:
        numbers = range(rounds * A_ROUND[name]) if only is None else (only,)
        found = try_door(name, numbers, seed)
        for number, reason in found.items():
            click.echo(
                f"✗ {name} {number}: {reason}\n  again: python -m laboratory.hostile --door {name} --only {number} --seed {seed}"
            )
        click.echo(f"{'✗' if found else '✓'} {name:<9} {len(numbers):>6} tried, {len(found)} broken")
        broken += len(found)
    sys.exit(1 if broken else 0)


def try_door(name: str, numbers: Iterable[int], seed: int) -> dict[int, str]:
    """Make the tries of these numbers at a door; return what was wrong with those that broke."""
    found: dict[int, str] = {}
    with TemporaryDirectory(prefix="belot-hostile-cache-") as cache, patch.dict(os.environ, BELOT_CACHE=cache):
        for number in numbers:
            _try_once(name, seed, number, found)
    return found


def _try_once(name: str, seed: int, number: int, found: dict[int, str]) -> None:
    one = None
    try:
        with attempt(name, seed, number) as one:
            DOORS[name](one)
    except Misbehaved as broken:
        cause = "".join(traceback.format_exception(broken.__cause__)[-3:]) if broken.__cause__ else ""
        found[number] = f"{broken}\n  {one.said if one else ''}\n{cause}"


if __name__ == "__main__":
    main()
