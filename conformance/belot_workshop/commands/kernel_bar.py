"""The command ``belot lab kernel-bar``: whether the kernel plays as the engine does, over many deals."""

import sys
from collections.abc import Sequence
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click

from belot_conformance.cli.common import EXIT_FAILED, PROCESSES, echo
from belot_conformance.programs.process_pool import in_processes
from belot_conformance.programs.progress import counting_bar
from belot_kernel.needed import need
from belot_spec.profile_name import ProfileName
from belot_spec.shipped import default_spec
from belot_workshop.commands.variants import variants_named
from belot_workshop.tables.random_tables import random_table


@click.command("kernel-bar")
@click.option("--deals", type=click.IntRange(min=0), default=200_000, show_default=True, help="Of each variant.")
@click.option("--others", type=click.IntRange(min=0), default=5_000, show_default=True, help="Of each other profile.")
@click.option("--overlays", type=click.IntRange(min=0), default=50, show_default=True, help="House rules to draw.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
@click.option("--variant", "variants", multiple=True, help="Only this one and what builds on it; may be repeated.")
@PROCESSES
def kernel_bar(deals: int, others: int, overlays: int, seed: int, variants: tuple[str, ...], jobs: int) -> None:
    """Compare the kernel with the engine, field by field.

    By variants, options, and house rules drawn by lot. Half of them are played by random players, half by sensible
    ones. Needs the extra [fast]. Exit code: 0 all are the same, 1 if any differs.
    """
    need("numba", "belot lab kernel-bar")
    with TemporaryDirectory() as folder:
        profiles = _profiles(variants, (deals, others, overlays), seed, Path(folder))
        differing = _compare(profiles, seed, jobs)
    sys.exit(EXIT_FAILED if differing else 0)


def _profiles(variants: Sequence[str], numbers: tuple[int, int, int], seed: int, folder: Path) -> dict[str, int]:
    spec, (deals, others, overlays) = default_spec(), numbers
    wanted = variants_named("--variant", variants)
    profiles = dict.fromkeys(wanted, deals)
    profiles |= {ProfileName.of(variant, option): others for variant in wanted for option in spec.options_of(variant)}
    tables = (random_table(spec, folder / f"lot-{number}.yaml", Random(f"{seed} {number}")) for number in count())
    drawn = (table for table in tables if ProfileName(table.base).variant in wanted)
    profiles |= {str(table.path): others for table in islice(drawn, overlays)}
    return {profile: number for profile, number in profiles.items() if number}


def _compare(profiles: dict[str, int], seed: int, jobs: int) -> int:
    """Compare all deals, say for each profile what came of it, and return how many differed."""
    from belot_workshop.impact.equality import compare_share, shares_of
    from belot_workshop.impact.kernel import make_ready

    make_ready()
    shares = shares_of(profiles, seed)
    left = {profile: sum(share.profile == profile for share in shares) for profile in profiles}
    counted, differing = dict.fromkeys(profiles, 0), 0
    with counting_bar("deals", sum(share.deals for share in shares)) as advance:
        for found in in_processes(compare_share, shares, jobs):
            profile = found.share.profile
            counted[profile] += found.deals
            left[profile] -= 1
            differing += len(found.differing)
            for line in found.differing[:3]:
                echo(f"{Path(profile).stem}, {found.share.player}, seed {found.share.seed}: {line}")
            if not left[profile]:
                said = f"the engine plays it: {found.why_not}" if found.why_not else f"{counted[profile]:,} deals"
                echo(f"{Path(profile).stem}: {said}")
            advance(found.share.deals)
    echo(f"{sum(counted.values()):,} deals of {len(profiles)} profiles compared: {differing} differ")
    return differing
