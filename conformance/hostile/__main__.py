"""``make hostile``: try every door for a while, each with another hostile thing every time, and say what was tried."""

import os
import sys
import time
import traceback
from tempfile import TemporaryDirectory
from unittest.mock import patch

import click

from hostile import doors, programs
from hostile.judging import Misbehaved, attempt

DOORS = {**doors.DOORS, **programs.DOORS}


@click.command()
@click.option("--seconds", type=float, default=600.0, show_default=True, help="How long, all doors together.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which things are tried.")
@click.option("--door", "chosen", type=click.Choice(list(DOORS)), multiple=True, help="Only this one; may be repeated.")
@click.option("--only", type=int, help="Only the try of this number.")
def main(seconds: float, seed: int, chosen: tuple[str, ...], only: int | None) -> None:
    """Try every door for its share of the time; exits with 1 if anything that should hold did not."""
    names = chosen or tuple(DOORS)
    broken = 0
    for name in names:
        tried, found = try_door(name, seconds / len(names), seed, only)
        for number, reason in found.items():
            click.echo(
                f"✗ {name} {number}: {reason}\n  again: python -m hostile --door {name} --only {number} --seed {seed}"
            )
        click.echo(f"{'✗' if found else '✓'} {name:<9} {tried:>6} tried, {len(found)} broken")
        broken += len(found)
    sys.exit(1 if broken else 0)


def try_door(name: str, seconds: float, seed: int, only: int | None = None) -> tuple[int, dict[int, str]]:
    """Try one door for so many seconds; return how many tries there were, and what was wrong with those that broke."""
    found: dict[int, str] = {}
    tried, first, end = 0, only or 0, time.monotonic() + seconds
    with TemporaryDirectory(prefix="belot-hostile-cache-") as cache, patch.dict(os.environ, BELOT_CACHE=cache):
        while not tried or (only is None and time.monotonic() <= end):
            _try_once(name, seed, first + tried, found)
            tried += 1
    return tried, found


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
