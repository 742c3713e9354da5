"""The command ``belot bench``: how fast the engine is here."""

import json
from typing import TYPE_CHECKING, Any

import click

from belot_conformance.cli.common import FORMAT, errors_as_messages

if TYPE_CHECKING:
    from rich.console import Console


@click.command()
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True, help="Deals per round.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="Rounds; medians are printed.")
@click.option(
    "--cases", type=click.IntRange(min=1), help="Instead put so many cases to a program, and say what memory that took."
)
@FORMAT
@errors_as_messages
def bench(deals: int, rounds: int, cases: int | None, form: str) -> None:
    """Measure the engine and the runner on this machine and print figures and ratios; nothing is judged.

    The runner is measured against a program that answers at once, and against a bare echo of the same lines.
    """
    from belot_workshop.bench.throughput import measure_memory, measure_throughput

    if cases is not None:
        found, show = measure_memory(cases), _print_memory
    else:
        from belot_workshop.bench.bench import measure

        # The runner first, while little else is in memory.
        throughput = measure_throughput(rounds)
        found, show = {**measure(deals, rounds), "throughput": throughput}, _print
    if form == "json":
        click.echo(json.dumps(found, indent=2))
    else:
        show(found)


def _print(found: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("variant", "deals/s", "card plays/s", "simulated: random", "sensible"):
        table.add_column(heading, justify="left" if heading == "variant" else "right")
    for variant, figures in found["variants"].items():
        speeds = [figures["deals_per_second"], figures["card_plays_per_second"]]
        speeds += figures["simulated_deals_per_second"].values()
        table.add_row(variant, *(f"{speed:,}" for speed in speeds))
    console.print(table)
    plays = found["card_plays_per_second"]
    console.print("\nsimulated: deals/s from the first bid to the score, as belot impact plays them", style="dim")
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
    _print_throughput(console, found["throughput"])


def _print_throughput(console: "Console", found: dict[str, Any]) -> None:
    megabytes = found["megabytes_asked"]
    console.print(
        f"runner: {found['cases_per_second']:,} cases/s over stdio ({found['cases']} cases, {megabytes} MB asked)"
    )
    plain, at_once = found["bare_echo_lines_per_second"], found["windowed_echo_lines_per_second"]
    console.print(f"  {found['ratio_to_bare_echo']} of a bare echo of the same lines here, one by one ({plain:,}/s)")
    console.print(f"  {found['ratio_to_windowed_echo']} of one with as many lines open at once ({at_once:,}/s)")


def _print_memory(found: dict[str, Any]) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    asked, passed = found["cases"], found["passed"]
    console.print(
        f"{asked:,} cases over stdio in {found['seconds']} s ({found['cases_per_second']:,}/s), {passed:,} passed"
    )
    for after, peak in found["peak_megabytes"].items():
        console.print(f"  most memory up to case {int(after):,}: {peak} MB")
