"""The command ``belot bench``: how fast the engine is here."""

import json
from typing import Any

import click

from belot_conformance.cli_common import FORMAT, errors_as_messages


@click.command()
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True, help="Deals per round.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="Rounds; medians are printed.")
@FORMAT
@errors_as_messages
def bench(deals: int, rounds: int, form: str) -> None:
    """Measure the engine on this machine and print figures and ratios; nothing is judged."""
    from belot_conformance.bench import measure

    found = measure(deals, rounds)
    if form == "json":
        click.echo(json.dumps(found, indent=2))
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("variant", "deals/s", "card plays/s"):
        table.add_column(heading, justify="left" if heading == "variant" else "right")
    for variant, figures in found["variants"].items():
        table.add_row(variant, f"{figures['deals_per_second']:,}", f"{figures['card_plays_per_second']:,}")
    console.print(table)
    plays = found["card_plays_per_second"]
    console.print(f"\nlegal cards and play, rule ids kept, one core: median {plays['median']:,} card plays/s")
    console.print(f"  {found['ratio_to_bare_loop']} of a bare loop here ({found['bare_loop_per_second']:,}/s)")
    console.print(f"  {found['ratio_to_openspiel_elsewhere']} of OpenSpiel from Python (0.53 M/s, measured elsewhere)")
    load = found["load_and_compile"]
    console.print(
        f"all variants loaded and compiled: {load['cold_ms']} ms from YAML, {load['cached_ms']} ms from the cache"
    )
    replay = found["replay"]
    console.print(
        f"{replay['deals']} recorded deals parsed and replayed: {replay['seconds']} s "
        f"(of which {replay['of_which_json']} s reading JSON)"
    )
